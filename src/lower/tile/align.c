/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/align.h"

static LLVMValueRef constant(const struct tile_access *access, int64_t value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetBuilderContext(
		access->address.builder)), (unsigned long long)value, true);
}

static LLVMValueRef join(const struct tile_access *access, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildOr(access->address.builder, a, b, "phase") : b;
}

/* What a step of a term is worth; a symbol is not negative, and its low bits are all that
 * matters. */
static LLVMValueRef worth(const struct tile_access *access, int symbol, int64_t factor)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef value = constant(access, factor);

	if (symbol == FORM_CONSTANT)
		return value;
	return LLVMBuildMul(builder, LLVMBuildIntCast2(builder,
		access->address.symbols[symbol], LLVMTypeOf(value), false, "pitch"), value,
		"phase");
}

/* The steps from vector to vector, and the tile's own address: an i32 with a bit set below
 * (bytes << shift) where some of them is no multiple of so many bytes. */
static LLVMValueRef find_phase(const struct tile_access *access)
{
	const struct form_side *side = access->address.plan->side;
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef phase = LLVMBuildPtrToInt(builder, access->base, i32, "phase");

	if (side->shift)
		phase = LLVMBuildShl(builder, phase, constant(access, side->shift), "phase");
	if (side->chain)
		phase = join(access, phase, constant(access,
			(int64_t)form_bytes(side, side->vector) << side->shift));
	for (unsigned t = 0; t < side->term_count; t++)
		if (!(side->terms[t].digits & side->chain))
			phase = join(access, phase, worth(access, side->terms[t].symbol,
				side->terms[t].factor));
	for (unsigned c = 0; c < side->carry_count; c++)
		phase = join(access, phase, worth(access, side->carries[c].symbol,
			side->carries[c].factor));
	return phase;
}

LLVMValueRef tile_is_aligned(const struct tile_access *access, unsigned bytes, unsigned *align)
{
	const layout_kernel *kernel = access->iteration->kernel;
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef phase, below;

	*align = bytes & -bytes;
	if (!chip_of(kernel->target)->code.aligned || access->kind == ACCESS_LOCAL ||
	    *align <= access->align)
		return NULL;
	phase = find_phase(access);
	below = constant(access,
		((int64_t)*align << access->address.plan->side->shift) - 1);
	return LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildAnd(builder, phase, below, "phase"),
		constant(access, 0), "aligned");
}
