/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/group.h"

#include <inttypes.h>
#include <stdlib.h>

/* The block with modes 1:0 behind its own, "rank" in all. */
static layout_cute *pad(layout_cute *cute, const void *argument)
{
	unsigned rank = *(const unsigned *)argument, own = layout_cute_rank(cute);
	unsigned node = 0, leaf = 0;
	struct cute_builder builder;

	cute_begin(&builder, cute->ctx);
	cute_node(&builder, (int)rank);
	cute_splice(&builder, cute, &node, &leaf);
	for (unsigned i = own; i < rank; i++)
		cute_leaf(&builder, 1, 0);
	layout_cute_free(cute);
	return cute_end(&builder);
}

/* How many blocks fill the shape, mode by mode; false where they do not. */
static bool count_blocks(const layout_cute *block, const int64_t *shape, unsigned rank,
	int64_t *blocks)
{
	unsigned node = block->tree[0] >= 0, leaf = 0;

	for (unsigned i = 0; i < rank; i++) {
		layout_cute *mode = cute_part(block, &node, &leaf);
		int64_t size = mode ? mode->size : 0;

		layout_cute_free(mode);
		if (size < 1 || shape[i] < 1 || shape[i] % size) {
			layout_fail(block->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"blocks of %" PRId64 " do not fill %" PRId64
				" in mode %u", size, shape[i], i);
			return false;
		}
		blocks[i] = shape[i] / size;
	}
	return true;
}

/* Is it a permutation of 0, 1, ..? */
static bool check_order(layout_context *ctx, const unsigned *order, unsigned rank)
{
	for (unsigned i = 0; order && i < rank; i++) {
		unsigned found = 0;

		for (unsigned k = 0; k < rank; k++)
			found += order[k] == i;
		if (found != 1) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"the order is no permutation of the %u modes", rank);
			return false;
		}
	}
	return true;
}

/* Blocks one after another, those of mode order[i] = 0 the fastest. */
static layout_cute *place_blocks(layout_context *ctx, const int64_t *blocks,
	const unsigned *order, unsigned rank)
{
	struct cute_builder builder;

	cute_begin(&builder, ctx);
	cute_node(&builder, (int)rank);
	for (unsigned i = 0; i < rank; i++) {
		int64_t stride = 1;
		bool fits = true;

		for (unsigned k = 0; k < rank; k++)
			if (order ? order[k] < order[i] : k < i)
				fits = fits && !__builtin_mul_overflow(stride, blocks[k],
					&stride);
		if (!fits)
			layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"the shape does not fit 64 bits");
		builder.failed |= !fits;
		cute_leaf(&builder, blocks[i], stride);
	}
	return cute_end(&builder);
}

layout_cute *layout_cute_tile_to_shape(layout_cute *block, const int64_t *shape,
	const unsigned *order, unsigned count)
{
	layout_context *ctx = block ? block->ctx : NULL;
	layout_cute *result = NULL, *places;
	int64_t *blocks = NULL;
	int *profile = NULL;

	if (!block || !layout_given(ctx, shape && count, "shape") ||
	    !check_order(ctx, order, count))
		goto done;
	if (layout_cute_rank(block) > count) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the shape has %u modes where the block has %u", count,
			layout_cute_rank(block));
		goto done;
	}
	block = cute_under_swizzle(block, pad, &count);
	blocks = layout_alloc(ctx, count, sizeof(*blocks));
	profile = layout_alloc(ctx, (size_t)count + 1, sizeof(*profile));
	if (!block || !blocks || !profile || !count_blocks(block, shape, count, blocks))
		goto done;
	places = place_blocks(ctx, blocks, order, count);
	result = layout_cute_product(block, places, LAYOUT_CUTE_BLOCKED);
	block = NULL;
	for (unsigned i = 0; i <= count; i++)
		profile[i] = i ? -1 : (int)count;
	result = layout_cute_coalesce_by(result, profile, count + 1);
done:
	free(blocks);
	free(profile);
	layout_cute_free(block);
	return result;
}
