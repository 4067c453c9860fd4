/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel's loads and stores: checked and watched, then done. */
#include "sim/rewrite.h"

#include <stdlib.h>

int rewrite_find_slot(struct rewrite *w, LLVMValueRef address)
{
	while (LLVMIsAGetElementPtrInst(address) || LLVMIsAAddrSpaceCastInst(address))
		address = LLVMGetOperand(address, 0);
	for (unsigned i = 0; i < w->program->buffer_count; i++)
		if (w->parameters[i] == address)
			return (int)i;
	for (unsigned i = 0; i < w->passed_count; i++)
		if (w->passed[i].address == address)
			return w->passed[i].slot;
	return -1;
}

/* A constant one is an expression. */
static bool is_place(LLVMValueRef address)
{
	return LLVMIsAGetElementPtrInst(address) || (LLVMIsAConstantExpr(address) &&
		LLVMGetConstOpcode(address) == LLVMGetElementPtr);
}

LLVMValueRef rewrite_find_table(LLVMValueRef address)
{
	while (is_place(address))
		address = LLVMGetOperand(address, 0);
	return LLVMIsAGlobalVariable(address);
}

bool rewrite_pass_address(struct rewrite *w, LLVMValueRef result, LLVMValueRef operand)
{
	struct rewrite_passed *passed;

	if (LLVMGetTypeKind(LLVMTypeOf(result)) != LLVMPointerTypeKind ||
	    LLVMTypeOf(result) != LLVMTypeOf(operand))
		return true;
	passed = realloc(w->passed, (w->passed_count + 1) * sizeof(*passed));
	if (!passed) {
		layout_fail(w->ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
		return false;
	}
	w->passed = passed;
	passed[w->passed_count++] = (struct rewrite_passed){ result,
		rewrite_find_slot(w, operand) };
	return true;
}

/* The address to access, or its place in a table, by way of the check. */
static LLVMValueRef checked_address(struct rewrite *w, unsigned site,
	LLVMValueRef address)
{
	LLVMBuilderRef b = w->builder;
	LLVMValueRef table = rewrite_find_table(address), checked;
	LLVMValueRef args[] = { w->state, LLVMBuildPtrToInt(b, address, w->i64, ""),
		LLVMConstInt(w->i32, site, false) };

	if (table)
		args[1] = LLVMBuildSub(b, args[1], LLVMBuildPtrToInt(b, table, w->i64, ""), "");
	checked = LLVMBuildCall2(b, w->access_type, w->access, args, 3, "");
	return table ? LLVMBuildGEP2(b, w->i8, table, &checked, 1, "") :
		LLVMBuildIntToPtr(b, checked, LLVMTypeOf(address), "");
}

struct sim_site *rewrite_add_site(struct rewrite *w)
{
	struct sim_program *program = w->program;
	struct sim_site *sites = realloc(program->sites,
		(program->site_count + 1) * sizeof(*sites));

	if (!sites) {
		layout_fail(w->ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
		return NULL;
	}
	program->sites = sites;
	sites[program->site_count] = (struct sim_site){ .slot = -1 };
	return &sites[program->site_count++];
}

bool rewrite_access(struct rewrite *w, LLVMValueRef access)
{
	bool is_store = LLVMIsAStoreInst(access) != NULL;
	unsigned operand = is_store ? 1 : 0;
	LLVMValueRef address = LLVMGetOperand(access, operand);
	LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(access, 0) : access);
	unsigned long long bytes = LLVMStoreSizeOfType(w->data, type);
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(address));
	struct sim_site *site;

	if (LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic)
		return rewrite_refuse(w, "atomic accesses", "");
	if (!rewrite_is_memory(w, space) && space != w->isa->local_space)
		return rewrite_refuse(w, "accesses to this address space", "");
	if (bytes > SIM_MAX_ACCESS)
		return rewrite_refuse(w, "accesses that wide", "");
	site = rewrite_add_site(w);
	if (!site)
		return false;
	site->op = is_store ? SIM_STORE : SIM_LOAD;
	site->is_store = is_store;
	site->bytes = (unsigned)bytes;
	site->align = LLVMGetAlignment(access);
	site->slot = rewrite_find_slot(w, address);
	site->space = space;
	if (rewrite_find_table(address))
		site->table = LLVMABISizeOfType(w->data, LLVMGlobalGetValueType(
			rewrite_find_table(address)));
	LLVMPositionBuilderBefore(w->builder, access);
	address = checked_address(w, w->program->site_count - 1, address);
	LLVMSetOperand(access, operand, address);
	LLVMSetAlignment(access, 1);
	return true;
}
