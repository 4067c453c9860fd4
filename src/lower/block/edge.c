/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A block at the edge of what the source has, where the destination goes on: its vectors as
 * far as they exist, and the pad value behind them, are put together in memory and loaded
 * from there.
 *
 *	for every vector of the source's order
 *		all of it is the pad value
 *		if (some of it is in the source)
 *			that much of it is loaded */
#include "lower/block/parts.h"
#include "lower/branch.h"

#include <string.h>

enum { MASKED_BYTES = 64 };	/* of vectors */

/* The dimension that the elements of each vector follow each other in, and by how much; false
 * where they do in several, or a vector begins in one piece and ends in the next. */
static bool find_run(const struct block_lowering *l, unsigned *dim, int64_t *step)
{
	const struct plan_block *block = l->block;
	int64_t run = 1;

	for (unsigned i = 0; i < block->piece_count && run % block->vector[FACTOR_LOAD]; i++) {
		const struct block_piece *piece = &block->pieces[block->order[FACTOR_LOAD][i]];

		if (!i) {
			*dim = piece->digit.dim;
			*step = piece->digit.step;
		}
		if (piece->digit.dim != *dim || piece->digit.step != *step * run)
			return false;
		run *= piece->digit.radix;
	}
	return run % block->vector[FACTOR_LOAD] == 0 && block->vector[FACTOR_LOAD] > 1;
}

static bool is_possible(const struct block_lowering *l)
{
	const struct conversion *conversion = &l->part.kernel->plan->conversion;
	unsigned dim;
	int64_t step;

	return conversion_is_copy(conversion) && !l->block->xor_count && !l->block->flip_count &&
		l->block->packed == 1 &&
		find_run(l, &dim, &step);
}

static int64_t vector_bytes(const struct block_lowering *l)
{
	return l->block->vector[FACTOR_LOAD] * block_bytes(l, FACTOR_LOAD);
}

void block_edge_enter(struct block_lowering *l)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));

	if (is_possible(l))
		l->edge = block_memory(l, LLVMArrayType2(byte, (uint64_t)(l->block->elements *
			block_bytes(l, FACTOR_LOAD))), "edge");
}

/* The first element of vector n: its index in each dimension, and where it is. */
static LLVMValueRef place_vector(const struct block_lowering *l, LLVMValueRef n,
	LLVMValueRef *index)
{
	LLVMValueRef offset = l->offset[FACTOR_LOAD];

	n = LLVMBuildNSWMul(l->b, n, block_number(l, l->block->vector[FACTOR_LOAD]), "first");
	for (unsigned d = 0; d < l->block->dim_count; d++)
		index[d] = l->dims[d].start;
	for (unsigned i = 0; i < l->block->piece_count; i++) {
		unsigned at = l->block->order[FACTOR_LOAD][i];
		const struct block_piece *piece = &l->block->pieces[at];
		LLVMValueRef radix = block_number(l, piece->digit.radix);
		LLVMValueRef digit = LLVMBuildURem(l->b, n, radix, "digit");

		index[piece->digit.dim] = block_add(l, index[piece->digit.dim], digit,
			block_number(l, piece->digit.step));
		offset = block_add(l, offset, digit, l->step[at][FACTOR_LOAD]);
		n = LLVMBuildUDiv(l->b, n, radix, "rest");
	}
	return offset;
}

/* How many of a vector's elements the source has, which may be negative or too many; and
 * behind how many. */
static LLVMValueRef count_elements(const struct block_lowering *l, const LLVMValueRef *index,
	LLVMValueRef *skipped)
{
	LLVMValueRef count, has, none = block_number(l, 0);
	unsigned dim = 0;
	int64_t step = 1;

	find_run(l, &dim, &step);
	*skipped = index_is(l->block->dims[dim].low, 0) ? none :
		block_steps(l, index[dim], l->dims[dim].low, step);
	count = block_steps(l, index[dim], l->dims[dim].high, step);
	for (unsigned d = 0; d < l->block->dim_count; d++) {
		if (d == dim)
			continue;
		has = LLVMBuildAnd(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, index[d],
			l->dims[d].high, ""), block_has_begun(l, d, index[d]), "has");
		count = LLVMBuildSelect(l->b, has, count, none, "count");
	}
	return count;
}

/* Do vectors have masks, of any element? */
static bool has_masks(const struct block_lowering *l)
{
	const layout_kernel *kernel = l->part.kernel;

	return kernel->hooks->vector_bytes(kernel->cpu) == MASKED_BYTES;
}

/* The first "count" lanes of a vector, which may be negative or too many, as bits. */
static LLVMValueRef lanes_of(const struct block_lowering *l, LLVMValueRef count)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(l->b);
	unsigned lanes = (unsigned)l->block->vector[FACTOR_LOAD];
	LLVMValueRef all = block_number(l, lanes), bits;
	LLVMValueRef none = LLVMBuildICmp(l->b, LLVMIntSLE, count, block_number(l, 0), "none");

	count = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, count, all, ""), count,
		all, "count");
	bits = LLVMBuildLShr(l->b, block_number(l, -1), LLVMBuildSub(l->b, block_number(l, 64),
		count, ""), "");
	return LLVMBuildTrunc(l->b, LLVMBuildSelect(l->b, none, block_number(l, 0), bits,
		"bits"), LLVMIntTypeInContext(llvm, lanes), "lanes");
}

LLVMValueRef block_load_some(const struct block_lowering *l, LLVMValueRef offset,
	LLVMValueRef skipped, LLVMValueRef count)
{
	LLVMTypeRef mask = LLVMVectorType(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)),
		(unsigned)l->block->vector[FACTOR_LOAD]);
	LLVMValueRef lanes = LLVMBuildAnd(l->b, lanes_of(l, count), LLVMBuildNot(l->b,
		lanes_of(l, skipped), ""), "some");
	LLVMValueRef pad = block_pad(l), args[] = { block_address(l, FACTOR_LOAD, offset),
		LLVMBuildBitCast(l->b, lanes, mask, "mask"), pad };
	LLVMTypeRef types[] = { LLVMTypeOf(pad), LLVMTypeOf(args[0]) };

	return lower_intrinsic(l->b, "llvm.masked.load", types, 2, args, 3);
}

/* The same by parts, to memory. */
static void copy_some(const struct block_lowering *l, LLVMValueRef to, LLVMValueRef offset,
	LLVMValueRef skipped, LLVMValueRef count)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef all = block_number(l, l->block->vector[FACTOR_LOAD]);
	LLVMValueRef none = block_number(l, 0), size = block_number(l, block_bytes(l, FACTOR_LOAD));
	struct branch some;
	struct block_turns whole;

	LLVMBuildStore(l->b, block_pad(l), to);
	count = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, count, all, ""), count, all,
		"count");
	skipped = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSGT, skipped, none, ""),
		skipped, none, "skipped");
	some = branch_open(&l->part, LLVMBuildICmp(l->b, LLVMIntSGT, count, skipped, ""),
		"some");
	whole = block_choose(l, LLVMBuildICmp(l->b, LLVMIntEQ, LLVMBuildNSWSub(l->b, count,
		skipped, ""), all, "all"));
	LLVMBuildMemCpy(l->b, to, 1, block_address(l, FACTOR_LOAD, offset), 1,
		block_number(l, vector_bytes(l)));
	block_otherwise(l, &whole);
	count = LLVMBuildNSWMul(l->b, LLVMBuildNSWSub(l->b, count, skipped, ""), size, "bytes");
	skipped = LLVMBuildNSWMul(l->b, skipped, size, "first");
	LLVMBuildMemCpy(l->b, LLVMBuildInBoundsGEP2(l->b, byte, to, &skipped, 1, ""), 1,
		block_address(l, FACTOR_LOAD, LLVMBuildNSWAdd(l->b, offset, skipped, "")), 1,
		count);
	block_choice_close(l, &whole);
	branch_close(&l->part, &some);
}

static void copy_vector(const struct block_lowering *l, LLVMValueRef n, LLVMValueRef *index)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef at = LLVMBuildNSWMul(l->b, n, block_number(l, vector_bytes(l)), "at"), to;
	LLVMValueRef offset = place_vector(l, n, index), skipped;
	LLVMValueRef count = count_elements(l, index, &skipped);

	to = LLVMBuildInBoundsGEP2(l->b, byte, l->edge, &at, 1, "vector");
	if (has_masks(l))
		LLVMBuildStore(l->b, block_load_some(l, offset, skipped, count), to);
	else
		copy_some(l, to, offset, skipped, count);
}

LLVMValueRef block_edge_count(const struct block_lowering *l, LLVMValueRef *index)
{
	LLVMValueRef none;

	if (l->block->before || l->block->elements > l->block->vector[FACTOR_LOAD] ||
	    !is_possible(l) || !has_masks(l))
		return NULL;
	place_vector(l, block_number(l, 0), index);
	return count_elements(l, index, &none);
}

LLVMValueRef block_edge_fill(struct block_lowering *l, LLVMValueRef at_edge,
	LLVMValueRef *index)
{
	struct branch edge;
	struct block_turns vectors;

	l->load_base = l->base[FACTOR_LOAD];
	l->load_first = l->offset[FACTOR_LOAD];
	for (unsigned i = 0; i < l->block->piece_count; i++)
		l->load_step[i] = l->step[i][FACTOR_LOAD];
	if (!l->edge)
		return LLVMConstNull(LLVMTypeOf(at_edge));
	edge = branch_open(&l->part, at_edge, "edge");
	vectors = block_loop_open(l, block_number(l, 0), block_number(l,
		l->block->elements / l->block->vector[FACTOR_LOAD]));
	copy_vector(l, vectors.counter, index);
	block_loop_close(l, &vectors);
	branch_close(&l->part, &edge);
	l->load_base = LLVMBuildSelect(l->b, at_edge, l->edge, l->load_base, "base");
	l->load_first = LLVMBuildSelect(l->b, at_edge, block_number(l, 0), l->load_first,
		"first");
	for (unsigned i = 0, step = block_bytes(l, FACTOR_LOAD); i < l->block->piece_count; i++) {
		unsigned at = l->block->order[FACTOR_LOAD][i];

		l->load_step[at] = LLVMBuildSelect(l->b, at_edge, block_number(l, step),
			l->load_step[at], "step");
		step *= (unsigned)l->block->pieces[at].digit.radix;
	}
	return at_edge;
}
