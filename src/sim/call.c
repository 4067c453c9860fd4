/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel's calls: a target's intrinsics, by the target's table.
 *
 * What is not an id becomes a call of sim_operate(): the operands go to a block of
 * memory, which all operations of a lane share, and the result is read from it. */
#include "sim/group.h"
#include "sim/rewrite.h"

#include <string.h>

#define BLOCK_ALIGN 16

/* Intrinsics that say something to the optimiser and do nothing. */
static bool is_promise(const char *name)
{
	return !strcmp(name, "llvm.assume") ||
		!strcmp(name, "llvm.experimental.noalias.scope.decl");
}

/* An intrinsic of LLVM's own that computes a value from its arguments. */
static bool is_pure(const struct rewrite *w, LLVMValueRef callee, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
	const char *prefix = w->isa->prefix;
	LLVMAttributeRef memory;

	if (!LLVMGetIntrinsicID(callee) || !strncmp(name, prefix, strlen(prefix)))
		return false;
	memory = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
	return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

/* An id is loaded in the prologue. */
static void replace_by_id(struct rewrite *w, LLVMValueRef call, enum sim_op op)
{
	LLVMValueRef id;

	LLVMPositionBuilderBefore(w->builder, LLVMGetBasicBlockTerminator(w->prologue));
	id = rewrite_load_at(w, w->i32, w->state,
		offsetof(struct sim_state, ids) + op * sizeof(uint32_t));
	LLVMReplaceAllUsesWith(call, id);
	LLVMInstructionEraseFromParent(call);
}

/* The next place in a block, for a value of a type. */
static unsigned reserve(struct rewrite *w, unsigned *end, LLVMTypeRef type,
	unsigned *size)
{
	unsigned offset = *end;

	*size = (unsigned)LLVMStoreSizeOfType(w->data, type);
	*end += (*size + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
	return offset;
}

/* Where operands and result lie in the block. */
static void place_operands(struct rewrite *w, struct sim_site *site, LLVMValueRef call)
{
	LLVMTypeRef result = LLVMTypeOf(call);
	unsigned end = 0;

	for (unsigned i = 0; i < site->operand_count; i++)
		site->offset[i] = reserve(w, &end, LLVMTypeOf(LLVMGetOperand(call, i)),
			&site->size[i]);
	if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
		site->result_offset = reserve(w, &end, result, &site->result_size);
	if (end > w->block_bytes)
		w->block_bytes = end;
}

/* The site behind that of a load to LDS is the store it does there. */
static bool add_lds_store(struct rewrite *w, unsigned bytes)
{
	struct sim_site *site = rewrite_add_site(w);

	if (!site)
		return false;
	site->op = SIM_STORE;
	site->is_store = true;
	site->bytes = bytes;
	site->align = bytes < 4 ? bytes : 4;
	site->space = w->isa->local_space;
	return true;
}

static void store_operands(struct rewrite *w, const struct sim_site *site,
	LLVMValueRef call)
{
	for (unsigned i = 0; i < site->operand_count; i++) {
		LLVMValueRef at = rewrite_at(w, w->block, site->offset[i]);

		LLVMSetAlignment(LLVMBuildStore(w->builder,
			LLVMGetOperand(call, i), at), BLOCK_ALIGN);
	}
}

void rewrite_operate(struct rewrite *w, unsigned number)
{
	LLVMValueRef args[] = { w->state, w->block, LLVMConstInt(w->i32, number, false) };

	LLVMBuildCall2(w->builder, w->operate_type, w->operate, args, 3, "");
}

static bool replace_by_operation(struct rewrite *w, LLVMValueRef call,
	const struct sim_intrinsic *row)
{
	unsigned number = w->program->site_count;
	unsigned count = LLVMGetNumArgOperands(call);
	struct sim_site *site = rewrite_add_site(w);
	LLVMValueRef result;

	if (!site)
		return false;
	if (count > SIM_MAX_OPERANDS)
		return rewrite_refuse(w, "calls of ", row->name);
	site->op = row->op;
	site->row = row;
	site->operand_count = count;
	place_operands(w, site, call);
	site->align = 1;
	if (row->describe && !row->describe(w, site, call))
		return false;
	if (row->op >= SIM_BARRIER)
		w->program->waits = true;
	LLVMPositionBuilderBefore(w->builder, call);
	store_operands(w, site, call);
	rewrite_operate(w, number);
	if (site->result_size) {
		result = rewrite_load_at(w, LLVMTypeOf(call), w->block,
			site->result_offset);
		LLVMSetAlignment(result, BLOCK_ALIGN);
		if (count && !rewrite_pass_address(w, result, LLVMGetOperand(call, 0)))
			return false;
		LLVMReplaceAllUsesWith(call, result);
	}
	LLVMInstructionEraseFromParent(call);
	return !site->to_local || add_lds_store(w, site->bytes);
}

static bool replace(struct rewrite *w, LLVMValueRef call, const struct sim_intrinsic *row)
{
	if (row->op <= SIM_WORKGROUP_ID_Z) {
		if (LLVMTypeOf(call) != w->i32)
			return rewrite_refuse(w, "calls of ", row->name);
		replace_by_id(w, call, row->op);
		return true;
	}
	switch (row->op) {
	case SIM_NOTHING:
		LLVMInstructionEraseFromParent(call);
		return true;
	case SIM_TIED:
	case SIM_SWAP:
		return rewrite_tied(w, call, row->op == SIM_SWAP);
	default:
		return replace_by_operation(w, call, row);
	}
}

static const struct sim_intrinsic *find_row(const struct rewrite *w, const char *name)
{
	const struct sim_intrinsic *row = w->isa->intrinsics;

	while (row->name && strcmp(row->name, name))
		row++;
	return row->name ? row : NULL;
}

void rewrite_find_copies(struct rewrite *w)
{
	LLVMValueRef f = LLVMGetFirstFunction(w->module);

	for (; f; f = LLVMGetNextFunction(f)) {
		unsigned id = LLVMGetIntrinsicID(f);
		size_t length;
		const struct sim_intrinsic *row = id ? find_row(w,
			LLVMIntrinsicGetName(id, &length)) : NULL;

		w->program->copies = w->program->copies || (row && row->copies);
	}
}

bool rewrite_add_meeting(struct rewrite *w, const struct sim_intrinsic *row)
{
	struct sim_site *site = rewrite_add_site(w);

	if (!site)
		return false;
	site->op = row->op;
	site->row = row;
	site->align = 1;
	return true;
}

static bool is_release(const struct rewrite *w, LLVMValueRef fence)
{
	LLVMAtomicOrdering ordering = LLVMGetOrdering(fence);
	unsigned scope = LLVMGetAtomicSyncScopeID(fence);
	const char *wave = "wavefront", *thread = "singlethread";

	return ordering != LLVMAtomicOrderingAcquire &&
		scope != LLVMGetSyncScopeID(w->context, wave, strlen(wave)) &&
		scope != LLVMGetSyncScopeID(w->context, thread, strlen(thread));
}

bool rewrite_fence(struct rewrite *w, LLVMValueRef fence)
{
	unsigned number = w->program->site_count;

	if (w->program->copies && is_release(w, fence) && rewrite_add_meeting(w, &sim_fence)) {
		LLVMPositionBuilderBefore(w->builder, fence);
		rewrite_operate(w, number);
	}
	LLVMInstructionEraseFromParent(fence);
	return layout_context_error(w->ctx) == LAYOUT_ERROR_NONE;
}

static bool rewrite_assembly(struct rewrite *w, LLVMValueRef call, LLVMValueRef assembly)
{
	size_t length;
	const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
	const struct sim_intrinsic *row = find_row(w, text);

	return row ? replace(w, call, row) : rewrite_refuse(w, "the assembly ", text);
}

bool rewrite_call(struct rewrite *w, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const struct sim_intrinsic *row;
	const char *name;
	unsigned id;
	size_t length;

	if (LLVMIsAInlineAsm(callee))
		return rewrite_assembly(w, call, callee);
	if (!LLVMIsAFunction(callee))
		return rewrite_refuse(w, "indirect calls", "");
	id = LLVMGetIntrinsicID(callee);
	name = LLVMGetValueName2(callee, &length);
	row = id ? find_row(w, LLVMIntrinsicGetName(id, &length)) : NULL;
	if (row)
		return replace(w, call, row);
	if (is_promise(name)) {
		LLVMInstructionEraseFromParent(call);
		return true;
	}
	return is_pure(w, callee, name) || rewrite_refuse(w, "calls of ", name);
}
