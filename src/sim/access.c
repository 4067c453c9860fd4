/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel's loads and stores: counted, checked, then done. */
#include "sim/rewrite.h"

#include <stdlib.h>

static LLVMValueRef constant(struct rewrite *w, uint64_t value)
{
	return LLVMConstInt(w->i64, value, false);
}

/* i64 check(state, address, base, room, align, bytes, mask, site): the address
 * if the access is inside the buffer and aligned, else what the hook says.  The
 * base counts as aligned to "align" and to nothing more. */
static void build_check(struct rewrite *w)
{
	LLVMBasicBlockRef entry, good, bad;
	LLVMValueRef p[8], offset, last, low, fits, inside, aligned, ok, hook_args[3];
	LLVMBuilderRef b = w->builder;
	unsigned inlined = LLVMGetEnumAttributeKindForName("alwaysinline", 12);

	w->check = LLVMAddFunction(w->module, "layout_sim_check", w->check_type);
	LLVMSetLinkage(w->check, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(w->check, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(w->context, inlined, 0));
	LLVMGetParams(w->check, p);
	entry = LLVMAppendBasicBlockInContext(w->context, w->check, "");
	good = LLVMAppendBasicBlockInContext(w->context, w->check, "good");
	bad = LLVMAppendBasicBlockInContext(w->context, w->check, "bad");

	LLVMPositionBuilderAtEnd(b, entry);
	offset = LLVMBuildSub(b, p[1], p[2], "");
	last = LLVMBuildSub(b, p[3], p[5], "");
	low = LLVMBuildAnd(b, LLVMBuildAdd(b, offset, p[4], ""), p[6], "");
	fits = LLVMBuildICmp(b, LLVMIntULE, p[5], p[3], "");
	inside = LLVMBuildICmp(b, LLVMIntULE, offset, last, "");
	aligned = LLVMBuildICmp(b, LLVMIntEQ, low, constant(w, 0), "");
	ok = LLVMBuildAnd(b, LLVMBuildAnd(b, fits, inside, ""), aligned, "");
	LLVMBuildCondBr(b, ok, good, bad);

	LLVMPositionBuilderAtEnd(b, good);
	LLVMBuildRet(b, p[1]);
	LLVMPositionBuilderAtEnd(b, bad);
	hook_args[0] = p[0];
	hook_args[1] = p[1];
	hook_args[2] = p[7];
	LLVMBuildRet(b, LLVMBuildCall2(b, w->access_type, w->access, hook_args, 3, ""));
}

void rewrite_declare_check(struct rewrite *w)
{
	LLVMTypeRef access_params[] = { w->pointer, w->i64, w->i32 };
	LLVMTypeRef check_params[] = { w->pointer, w->i64, w->i64, w->i64, w->i64,
		w->i64, w->i64, w->i32 };

	w->access_type = LLVMFunctionType(w->i64, access_params, 3, false);
	w->access = LLVMAddFunction(w->module, SIM_ACCESS_SYMBOL, w->access_type);
	w->check_type = LLVMFunctionType(w->i64, check_params, 8, false);
	build_check(w);
}

/* The pointer parameter that an address is computed from; -1 where several may
 * meet in it. */
static int find_slot(struct rewrite *w, LLVMValueRef address)
{
	for (;;) {
		for (unsigned i = 0; i < w->program->buffer_count; i++)
			if (w->parameters[i].value == address)
				return (int)i;
		if (!LLVMIsAGetElementPtrInst(address) &&
		    !LLVMIsAAddrSpaceCastInst(address))
			return -1;
		address = LLVMGetOperand(address, 0);
	}
}

static void count_execution(struct rewrite *w, unsigned site)
{
	LLVMValueRef at = constant(w, site), count;

	at = LLVMBuildGEP2(w->builder, w->i64, w->executions, &at, 1, "");
	count = LLVMBuildLoad2(w->builder, w->i64, at, "");
	count = LLVMBuildAdd(w->builder, count, constant(w, 1), "");
	LLVMBuildStore(w->builder, count, at);
}

/* The address to access: by way of the check against the parameter's buffer, or
 * else of the hook, which looks at all of them. */
static LLVMValueRef checked_address(struct rewrite *w, const struct sim_site *site,
	unsigned number, LLVMValueRef address)
{
	LLVMBuilderRef b = w->builder;
	LLVMValueRef where = LLVMBuildPtrToInt(b, address, w->i64, "");
	LLVMValueRef which = LLVMConstInt(w->i32, number, false);
	LLVMValueRef args[8] = { w->state, where };

	if (site->slot < 0) {
		args[2] = which;
		where = LLVMBuildCall2(b, w->access_type, w->access, args, 3, "");
	} else {
		const struct parameter *p = &w->parameters[site->slot];

		args[2] = p->base;
		args[3] = site->is_store ? p->store_bytes : p->load_bytes;
		args[4] = p->align;
		args[5] = constant(w, site->bytes);
		args[6] = constant(w, site->align - 1);
		args[7] = which;
		where = LLVMBuildCall2(b, w->check_type, w->check, args, 8, "");
	}
	return LLVMBuildIntToPtr(b, where, LLVMTypeOf(address), "");
}

static struct sim_site *add_site(struct rewrite *w)
{
	struct sim_program *program = w->program;
	struct sim_site *sites = realloc(program->sites,
		(program->site_count + 1) * sizeof(*sites));

	if (!sites) {
		layout_fail(w->ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
		return NULL;
	}
	program->sites = sites;
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
	if (space > 1 && space != 4)
		return rewrite_refuse(w, "accesses to local or private memory", "");
	if (bytes > SIM_MAX_ACCESS)
		return rewrite_refuse(w, "accesses that wide", "");
	site = add_site(w);
	if (!site)
		return false;
	*site = (struct sim_site){ is_store, (unsigned)bytes, LLVMGetAlignment(access),
		find_slot(w, address) };
	LLVMPositionBuilderBefore(w->builder, access);
	count_execution(w, w->program->site_count - 1);
	address = checked_address(w, site, w->program->site_count - 1, address);
	LLVMSetOperand(access, operand, address);
	LLVMSetAlignment(access, 1);
	return true;
}
