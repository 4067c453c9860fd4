/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Local memory: a block of the workgroup's, in which each of the module's variables
 * has a place.
 *
 * Pointers to it become pointers of the host.  As a number such a pointer counts
 * from the start of the block, as on the GPU.  Other variables are tables, constants that
 * are loaded from, and stay where they are. */
#include "sim/rewrite.h"

static bool is_local(const struct rewrite *w, LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
		LLVMGetPointerAddressSpace(type) == w->isa->local_space;
}

bool rewrite_place_locals(struct rewrite *w)
{
	uint64_t end = 0;
	unsigned count = 0;
	LLVMValueRef g;

	for (g = LLVMGetFirstGlobal(w->module); g; g = LLVMGetNextGlobal(g))
		count += is_local(w, LLVMTypeOf(g));
	w->locals = layout_alloc(w->ctx, count, sizeof(*w->locals));
	if (!w->locals)
		return false;
	for (g = LLVMGetFirstGlobal(w->module); g; g = LLVMGetNextGlobal(g)) {
		unsigned align = LLVMGetAlignment(g);

		if (!is_local(w, LLVMTypeOf(g)))
			continue;
		if (align < 16)
			align = 16;
		end = (end + align - 1) / align * align;
		w->locals[w->local_count++] = (struct rewrite_local){ g, end };
		end += LLVMABISizeOfType(w->data, LLVMGlobalGetValueType(g));
	}
	w->program->lds_bytes = end;
	return true;
}

static bool is_table(const struct rewrite *w, LLVMValueRef global)
{
	return LLVMIsGlobalConstant(global) && LLVMGetInitializer(global) &&
		rewrite_is_memory(w, LLVMGetPointerAddressSpace(LLVMTypeOf(global)));
}

/* The address of a variable in local memory, or of a table; NULL for another variable. */
static LLVMValueRef locate(struct rewrite *w, LLVMValueRef global)
{
	for (unsigned i = 0; i < w->local_count; i++)
		if (w->locals[i].global == global)
			return rewrite_at(w, w->lds, w->locals[i].offset);
	return is_table(w, global) ? global : NULL;
}

/* Is all that an instruction does with an address to load from there, or near it? */
static bool is_load(LLVMValueRef instruction)
{
	LLVMUseRef use = LLVMGetFirstUse(instruction);

	if (LLVMIsALoadInst(instruction))
		return true;
	for (; use && LLVMIsAGetElementPtrInst(instruction); use = LLVMGetNextUse(use))
		if (!is_load(LLVMGetUser(use)))
			return false;
	return LLVMIsAGetElementPtrInst(instruction);
}

/* Is a constant computed from a variable? */
static bool has_global(LLVMValueRef value)
{
	int count = 0;

	if (LLVMIsAGlobalVariable(value))
		return true;
	if (LLVMIsAConstantExpr(value) || LLVMIsAConstantVector(value) ||
	    LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value))
		count = LLVMGetNumOperands(value);
	for (int i = 0; i < count; i++)
		if (has_global(LLVMGetOperand(value, (unsigned)i)))
			return true;
	return false;
}

static LLVMValueRef expand(struct rewrite *w, LLVMValueRef value);

static LLVMValueRef expand_gep(struct rewrite *w, LLVMValueRef value, LLVMValueRef base)
{
	LLVMValueRef indices[16];
	unsigned count = LLVMGetNumIndices(value);

	if (count > 16)
		return NULL;
	for (unsigned i = 0; i < count; i++)
		indices[i] = LLVMGetOperand(value, i + 1);
	return LLVMBuildGEP2(w->builder, LLVMGetGEPSourceElementType(value), base,
		indices, count, "");
}

/* As instructions, where the builder is: a constant's variables and what is computed
 * from them.  NULL for what we do not know. */
static LLVMValueRef expand(struct rewrite *w, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef base;

	if (LLVMIsAGlobalVariable(value))
		return locate(w, value);
	if (!LLVMIsAConstantExpr(value))
		return NULL;
	base = expand(w, LLVMGetOperand(value, 0));
	if (!base || (rewrite_find_table(base) && LLVMGetConstOpcode(value) != LLVMGetElementPtr))
		return NULL;
	switch (LLVMGetConstOpcode(value)) {
	case LLVMGetElementPtr:
		return expand_gep(w, value, base);
	case LLVMAddrSpaceCast:
		return LLVMBuildAddrSpaceCast(w->builder, base, type, "");
	case LLVMPtrToInt:
		base = LLVMBuildPtrToInt(w->builder, base, w->i64, "");
		base = LLVMBuildSub(w->builder, base,
			LLVMBuildPtrToInt(w->builder, w->lds, w->i64, ""), "");
		return LLVMBuildIntCast2(w->builder, base, type, false, "");
	default:
		return NULL;
	}
}

static bool refuse_global(struct rewrite *w, LLVMValueRef value)
{
	size_t length;

	while (!LLVMIsAGlobalVariable(value)) {
		unsigned i = 0;

		while (!has_global(LLVMGetOperand(value, i)))
			i++;
		value = LLVMGetOperand(value, i);
	}
	return rewrite_refuse(w, "uses of the global variable ",
		LLVMGetValueName2(value, &length));
}

/* Before the instruction, or before the block's end that a phi's value comes from. */
static void position(struct rewrite *w, LLVMValueRef instruction, unsigned operand)
{
	LLVMBasicBlockRef from;

	if (!LLVMIsAPHINode(instruction)) {
		LLVMPositionBuilderBefore(w->builder, instruction);
		return;
	}
	from = LLVMGetIncomingBlock(instruction, operand);
	LLVMPositionBuilderBefore(w->builder, LLVMGetBasicBlockTerminator(from));
}

bool rewrite_locals(struct rewrite *w, LLVMValueRef instruction)
{
	unsigned count = (unsigned)LLVMGetNumOperands(instruction);
	LLVMValueRef old, new;

	for (unsigned i = 0; i < count; i++) {
		old = LLVMGetOperand(instruction, i);
		if (!has_global(old))
			continue;
		position(w, instruction, i);
		new = expand(w, old);
		if (!new || (rewrite_find_table(new) && !is_load(instruction)))
			return refuse_global(w, old);
		LLVMSetOperand(instruction, i, new);
	}
	return true;
}

/* Replace "cast" by "value", which may use it as "but". */
static void replace(LLVMValueRef cast, LLVMValueRef value)
{
	LLVMReplaceAllUsesWith(cast, value);
	LLVMInstructionEraseFromParent(cast);
}

void rewrite_local_number(struct rewrite *w, LLVMValueRef cast)
{
	LLVMValueRef from = LLVMGetOperand(cast, 0), base;
	LLVMTypeRef to = LLVMTypeOf(cast);
	LLVMBuilderRef b = w->builder;

	LLVMPositionBuilderBefore(b, cast);
	if (is_local(w, LLVMTypeOf(from))) {
		base = LLVMBuildPtrToInt(b, w->lds, w->i64, "");
		from = LLVMBuildPtrToInt(b, from, w->i64, "");
		from = LLVMBuildSub(b, from, base, "");
		replace(cast, LLVMBuildIntCast2(b, from, to, false, ""));
	} else if (is_local(w, to)) {
		from = LLVMBuildIntCast2(b, from, w->i64, false, "");
		replace(cast, LLVMBuildGEP2(b, w->i8, w->lds, &from, 1, ""));
	}
}
