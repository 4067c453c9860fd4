/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout of an operation's result, from those of its operands. */
#include "algebra/nested/nested.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>

/* Where a dimension of the result has its lists from. */
struct origin {
	const layout_nested *operand;
	unsigned number, dim;
};

/* Two dimensions of one loop are the same in all lists. */
static bool agree(layout_context *ctx, unsigned loop, const struct origin *a,
	const struct origin *b)
{
	for (unsigned list = 0; list < NESTED_LISTS; list++) {
		int64_t x = nested_list(a->operand, list)[a->dim];
		int64_t y = nested_list(b->operand, list)[b->dim];

		if (x == y)
			continue;
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cannot recombine: %s of loop %u is %" PRId64
			" in operand %u and %" PRId64 " in operand %u",
			nested_list_names[list], loop, x, a->number, y, b->number);
		return false;
	}
	return true;
}

/* The first dimension that runs over the loop; all others must be the same. */
static bool find_origin(layout_context *ctx, layout_nested *const *operands,
	const unsigned *const *maps, unsigned count, unsigned loop,
	struct origin *origin)
{
	*origin = (struct origin){ NULL, 0, 0 };
	for (unsigned i = 0; i < count; i++)
		for (unsigned d = 0; d < operands[i]->rank; d++) {
			struct origin other = { operands[i], i, d };

			if (maps[i][d] != loop)
				continue;
			if (!origin->operand)
				*origin = other;
			else if (!agree(ctx, loop, origin, &other))
				return false;
		}
	if (!origin->operand)
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cannot recombine: no operand has loop %u", loop);
	return origin->operand != NULL;
}

/* One that is NULL failed already, whatever is wrong with others. */
static bool are_given(layout_context *ctx, layout_nested *const *operands,
	const unsigned *const *maps, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!operands[i])
			return false;
	if (!layout_given(ctx, maps || !count, "list of the operands' maps"))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!layout_given(ctx, maps[i] || !operands[i]->rank,
			"map of an operand") ||
		    !bridge_contexts_meet(ctx, operands[i]->ctx) ||
		    !nested_subgroups_meet(operands[0], operands[i], "recombine"))
			return false;
	return true;
}

static layout_nested *build(layout_context *ctx, layout_nested *const *operands,
	const unsigned *const *maps, unsigned count, const unsigned *result,
	unsigned rank)
{
	layout_nested *built = nested_alloc(ctx, rank,
		count ? operands[0]->subgroup_size : NESTED_SUBGROUP_SIZE,
		count ? operands[0]->subgroup_count : 0);

	for (unsigned k = 0; built && k < rank; k++) {
		struct origin origin;

		if (!find_origin(ctx, operands, maps, count, result[k], &origin)) {
			layout_nested_free(built);
			return NULL;
		}
		nested_copy_dim(built, k, origin.operand, origin.dim);
	}
	return nested_finish(built);
}

layout_nested *layout_nested_recombine(layout_context *ctx,
	layout_nested *const *operands, const unsigned *const *maps, unsigned count,
	const unsigned *result, unsigned result_rank)
{
	layout_nested *built = NULL;

	if (!layout_given(ctx, operands || !count, "list of operands"))
		return NULL;
	if (are_given(ctx, operands, maps, count) &&
	    layout_given(ctx, result || !result_rank, "list of the result's loops"))
		built = build(ctx, operands, maps, count, result, result_rank);
	for (unsigned i = 0; i < count; i++)
		layout_nested_free(operands[i]);
	return built;
}
