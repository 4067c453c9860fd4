/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Splitting a thread id into the ids of the dimensions: a mixed radix, if the
 * strides are in order. */
#include "algebra/nested/nested.h"

#include <inttypes.h>
#include <stdlib.h>

struct ids {
	const int64_t *tiles, *strides;
	unsigned rank;
};

static bool before(const struct ids *ids, unsigned a, unsigned b)
{
	if (ids->strides[a] != ids->strides[b])
		return ids->strides[a] < ids->strides[b];
	return ids->tiles[a] != ids->tiles[b] ? ids->tiles[a] < ids->tiles[b] : a < b;
}

/* The dimensions by stride, the smallest first. */
static void sort(const struct ids *ids, unsigned *order)
{
	for (unsigned d = 0; d < ids->rank; d++) {
		unsigned at = d;

		for (; at && before(ids, d, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = d;
	}
}

static int overlap(const layout_nested *nested, const struct ids *ids, unsigned dim,
	unsigned below)
{
	layout_fail(nested->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"warp or thread tiles have overlapping strides: stride %" PRId64
		" of dimension %u is no multiple of %" PRId64 "*%" PRId64
		", stride and tile of dimension %u", ids->strides[dim], dim,
		ids->strides[below], ids->tiles[below], below);
	return -1;
}

/* Sizes from the smallest stride up, and at which of them each dimension is; -1 where
 * a stride overlaps the tile below it. */
static int sizes_upwards(const layout_nested *nested, const struct ids *ids,
	unsigned *order, int64_t *sizes, unsigned *at)
{
	int64_t product = 1;
	int count = 0;

	sort(ids, order);
	for (unsigned i = 0; i < ids->rank; i++) {
		unsigned d = order[i];
		int64_t stride = ids->strides[d], tile = stride ? ids->tiles[d] : 1;

		if (stride && stride % product)
			return overlap(nested, ids, d, order[i - 1]);
		if (stride > product) {
			sizes[count++] = stride / product;
			product = stride;
		}
		at[d] = (unsigned)count;
		sizes[count++] = tile;
		product *= tile;
	}
	return count;
}

static void reverse(int64_t *sizes, int count)
{
	for (int i = 0; i < count / 2; i++) {
		int64_t size = sizes[i];

		sizes[i] = sizes[count - 1 - i];
		sizes[count - 1 - i] = size;
	}
}

int layout_nested_basis(layout_nested *nested, layout_nested_ids ids, int64_t *sizes,
	unsigned *results)
{
	unsigned level = ids == LAYOUT_NESTED_SUBGROUPS ? NESTED_SUBGROUP : NESTED_THREAD;
	struct ids of;
	unsigned *order;
	int count;

	if (!nested || !layout_given(nested->ctx, sizes && (results || !nested->rank),
		"list for a basis"))
		return -1;
	order = layout_alloc(nested->ctx, nested->rank, sizeof(*order));
	if (!order)
		return -1;
	of = (struct ids){ nested->tile[level], level == NESTED_SUBGROUP ?
		nested->subgroup_strides : nested->thread_strides, nested->rank };
	count = sizes_upwards(nested, &of, order, sizes, results);
	free(order);
	if (count < 0)
		return -1;
	reverse(sizes, count);
	for (unsigned d = 0; d < nested->rank; d++)
		results[d] = (unsigned)count - results[d];
	if (level == NESTED_SUBGROUP)
		sizes[count++] = nested->subgroup_size;
	return count;
}
