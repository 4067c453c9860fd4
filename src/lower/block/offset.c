/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/block/parts.h"
#include "isl_bridge/arithmetic.h"

LLVMValueRef block_number(const struct block_lowering *l, int64_t value)
{
	return LLVMConstInt(l->i64, (unsigned long long)value, true);
}

unsigned block_bytes(const struct block_lowering *l, unsigned side)
{
	const struct visit *visit = &l->part.kernel->plan->visit;

	return ((side == FACTOR_LOAD ? visit->load.bits : visit->store.bits) + 7) / 8;
}

LLVMValueRef block_pin(const struct block_lowering *l, LLVMValueRef number)
{
	return l->part.kernel->hooks->pin(l->b, number);
}

LLVMValueRef block_add(const struct block_lowering *l, LLVMValueRef sum, LLVMValueRef a,
	LLVMValueRef b)
{
	return LLVMBuildNSWAdd(l->b, sum, LLVMBuildNSWMul(l->b, a, b, ""), "sum");
}

void block_step(const struct block_lowering *l, LLVMValueRef *offset, LLVMValueRef counter,
	const LLVMValueRef *step)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		offset[side] = block_add(l, offset[side], counter, step[side]);
}

LLVMValueRef block_byte(const struct block_lowering *l, LLVMValueRef base, LLVMValueRef offset)
{
	if (l->block->packed > 1)
		offset = LLVMBuildLShr(l->b, offset, block_number(l,
			int_log2(l->block->packed)), "byte");
	return LLVMBuildGEP2(l->b, LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b)), base,
		&offset, 1, "address");
}

LLVMValueRef block_address(const struct block_lowering *l, unsigned side, LLVMValueRef offset)
{
	return block_byte(l, l->base[side], offset);
}

unsigned block_alignment(const struct block_lowering *l, unsigned side)
{
	unsigned bytes = block_bytes(l, side), base = l->part.kernel->base_align;

	return bytes < base ? bytes : base;
}

static LLVMValueRef step_of(const struct block_lowering *l, unsigned side, unsigned piece)
{
	return side == FACTOR_LOAD ? l->load_step[piece] : l->store_step[piece];
}

LLVMValueRef block_flip_of(const struct block_lowering *l, unsigned side, unsigned piece)
{
	for (unsigned i = 0; i < l->block->flip_count; i++)
		if (l->block->flips[i].piece == piece && l->block->flips[i].side == side)
			return l->flip[piece];
	return NULL;
}

/* Where a bit of "flip" is set, that of a digit counts down. */
static LLVMValueRef flipped_offset(const struct block_lowering *l, LLVMValueRef sum,
	int64_t digit, LLVMValueRef flip, LLVMValueRef step)
{
	for (int64_t bit = 1; bit <= digit; bit *= 2) {
		LLVMValueRef set;

		if (!(digit & bit))
			continue;
		set = LLVMBuildICmp(l->b, LLVMIntNE, LLVMBuildAnd(l->b, flip,
			block_number(l, bit), ""), block_number(l, 0), "flips");
		sum = block_add(l, sum, LLVMBuildSelect(l->b, set, block_number(l, -bit),
			block_number(l, bit), ""), step);
	}
	return sum;
}

LLVMValueRef block_offset(const struct block_lowering *l, unsigned side,
	LLVMValueRef first, int64_t n)
{
	const struct plan_block *block = l->block;
	LLVMValueRef sum = first;

	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[side][i];
		int64_t radix = block->pieces[at].digit.radix;
		LLVMValueRef flip = block_flip_of(l, side, at);

		if (n % radix && flip)
			sum = flipped_offset(l, sum, n % radix, flip, step_of(l, side, at));
		else if (n % radix)
			sum = block_add(l, sum, block_number(l, n % radix),
				step_of(l, side, at));
		n /= radix;
	}
	return sum;
}

/* An offset of the block on a side -> that of its first element. */
static LLVMValueRef add_flips(const struct block_lowering *l, unsigned side,
	LLVMValueRef first)
{
	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (block_flip_of(l, side, i))
			first = block_add(l, first, l->flip[i], step_of(l, side, i));
	return first;
}

LLVMValueRef block_first(const struct block_lowering *l, unsigned side)
{
	return add_flips(l, side, side == FACTOR_LOAD ? l->load_first : block_chunk_offset(l));
}

LLVMValueRef block_fetched(const struct block_lowering *l)
{
	return LLVMBuildNSWAdd(l->b, add_flips(l, FACTOR_LOAD, l->offset[FACTOR_LOAD]),
		block_number(l, l->block->vector[FACTOR_LOAD] * block_bytes(l, FACTOR_LOAD) -
			l->block->packed), "fetched");
}
