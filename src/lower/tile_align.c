/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile_align.h"

/* Below a vector's alignment, words are tried before elements. */
#define WORD 4

static LLVMValueRef constant(const struct access *access, int64_t value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetBuilderContext(
		access->address.builder)), (unsigned long long)value, true);
}

static LLVMValueRef join(const struct access *access, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildOr(access->address.builder, a, b, "phase") : b;
}

/* What a step of a term is worth; a symbol is not negative, and its low bits are all that
 * matters. */
static LLVMValueRef worth(const struct access *access, int symbol, int64_t factor)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef value = constant(access, factor);

	if (symbol == FORM_CONSTANT)
		return value;
	return LLVMBuildMul(builder, LLVMBuildIntCast2(builder,
		access->address.symbols[symbol], LLVMTypeOf(value), false, "pitch"), value,
		"phase");
}

/* The steps from vector to vector, and the tile's own address. */
static LLVMValueRef find_phase(const struct access *access)
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

struct alignments alignments_of(const struct access *access, unsigned bytes)
{
	const layout_kernel *kernel = access->iteration->kernel;
	struct alignments found = { .shift = access->address.plan->side->shift };
	unsigned widest = bytes & -bytes;

	if (chip_of(kernel->target)->code.aligned && access->kind != ACCESS_LOCAL &&
	    widest > access->align) {
		found.bytes[found.count++] = widest;
		if (widest > WORD && WORD > access->align)
			found.bytes[found.count++] = WORD;
		found.phase = find_phase(access);
	}
	found.bytes[found.count++] = access->align;
	return found;
}

LLVMValueRef alignments_hold(const struct alignments *alignments, LLVMBuilderRef builder,
	unsigned n)
{
	LLVMTypeRef i32 = LLVMTypeOf(alignments->phase);
	LLVMValueRef below = LLVMConstInt(i32,
		((uint64_t)alignments->bytes[n] << alignments->shift) - 1, false);

	return LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildAnd(builder, alignments->phase,
		below, "phase"), LLVMConstNull(i32), "aligned");
}
