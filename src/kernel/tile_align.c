/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile_align.h"

#include "isl_bridge/arithmetic.h"

/* More than the accesses of a tile whose vectors are single elements take longer than
 * those of one with vectors: it is always taken instead. */
#define SPLIT_COST 32

/* 1 where a step is no multiple of a vector, added to others.  Steps inside a vector are
 * no rows. */
static struct index *add(struct index *sum, const struct index *step, int64_t vector)
{
	struct index *rest;

	if (!step || (step->op == INDEX_INT && step->value < vector))
		return sum;
	if (step->op == INDEX_MUL && step->arg[0]->op == INDEX_INT)
		return add(sum, step->arg[1], vector / int_gcd(vector, step->arg[0]->value));
	if (step->op == INDEX_MUL && step->arg[1]->op == INDEX_INT)
		return add(sum, step->arg[0], vector / int_gcd(vector, step->arg[1]->value));
	if (vector == 1)
		return sum;
	rest = index_binary(INDEX_PMOD, index_copy((struct index *)(uintptr_t)step),
		index_int(vector));
	return index_binary(INDEX_ADD, sum, index_binary(INDEX_MIN, rest, index_int(1)));
}

static struct index *add_side(struct index *sum, const struct plan_tile *tile,
	const struct tile_side *side, unsigned of)
{
	for (unsigned t = 0; t < side->term_count; t++)
		sum = add(sum, side->terms[t].weight, side->vector);
	for (unsigned c = 0; c < side->carry_count; c++)
		sum = add(sum, side->carries[c].weight, side->vector);
	for (unsigned d = 0; d < tile->dim_count; d++)
		sum = add(sum, tile->dims[d].pitch[of], side->vector);
	return sum;
}

struct index *tile_align_cost(const struct plan_tile *tile)
{
	const struct tile_move *last = &tile->moves[tile->move_count - 1];
	struct index *sum = index_int(0);

	sum = add_side(sum, tile, &tile->moves[0].load, 0);
	sum = add_side(sum, tile, &last->store, 1);
	return index_binary(INDEX_ADD, index_int(1), index_binary(INDEX_MUL,
		index_int(SPLIT_COST - 1), index_binary(INDEX_MIN, sum, index_int(1))));
}
