/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts in pictures: threads hold elements, in tiles of every level. */
#include "show/kind.h"

#include "algebra/nested/nested.h"

#include <stdio.h>

static bool fits(layout_value *value)
{
	layout_nested *nested = value->object;
	unsigned rank = layout_nested_rank(nested);
	int64_t pairs = 1, held[3 * SHOW_DIMS] = { 0 };

	if (rank > SHOW_DIMS)
		return show_too_deep(value->ctx, "dimensions", rank);
	layout_nested_shape(nested, LAYOUT_NESTED_DISTRIBUTED, held, 3 * rank);
	for (unsigned i = 0; i < 3 * rank; i++)
		if (!show_multiply(&pairs, held[i]))
			return show_too_large(value->ctx);
	return show_multiply(&pairs, layout_nested_threads(nested)) ||
		show_too_large(value->ctx);
}

/* thread, batch0, .., outer0, .., element0, .. -> coordinates */
static bool sides(layout_value *value, struct show_side *inputs,
	struct show_side *images)
{
	static const char *const levels[] = { "batch", "outer", "element" };
	layout_nested *nested = value->object;
	layout_context *ctx = value->ctx;
	unsigned rank = layout_nested_rank(nested);
	char name[32];
	bool good = show_side_add(ctx, inputs, "thread", SHOW_LANE);

	for (unsigned i = 0; good && i < 3 * rank; i++) {
		snprintf(name, sizeof(name), "%s%u", levels[i / rank], i % rank);
		good = show_side_add(ctx, inputs, name, SHOW_REGISTER);
	}
	for (unsigned i = 0; good && i < rank; i++)
		good = show_side_add(ctx, images, NULL, SHOW_COORDINATE);
	return good;
}

/* The element, the thread's elements, and so on up to a subgroup's. */
static unsigned tiles(layout_value *value, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	const layout_nested *nested = value->object;

	for (unsigned d = 0; d < rank; d++) {
		int64_t size = 1;

		for (unsigned level = NESTED_ELEMENT; level > NESTED_SUBGROUP; level--) {
			size *= nested->tile[level][d];
			sizes[NESTED_ELEMENT - level][d] = size;
		}
	}
	return NESTED_ELEMENT - NESTED_SUBGROUP;
}

static void declare(struct show_picture *picture, layout_value *value)
{
	layout_nested *nested = value->object;

	picture->lanes = nested->subgroup_size;
	for (unsigned d = 0; d < picture->rank; d++)
		show_declare(picture, d, layout_nested_size(nested, d));
}

const struct show_kind show_nested = { fits, sides, tiles, declare };
