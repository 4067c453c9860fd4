/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts of as many of given coordinates as make one, from the first on. */
#include "algebra/cute/bits.h"
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"

layout_cute *cute_first_of_bits(layout_context *ctx, struct cute_bits bits, int prefer)
{
	for (;;) {
		layout_cute *like = cute_line(ctx, (int64_t)1 << bits.in, 1);
		layout_cute *cute = like ? cute_bits_layout(&bits, like, prefer) : NULL;

		layout_cute_free(like);
		if (cute || !bits.in)
			return cute;
		bits.in--;
		for (unsigned j = 0; j < bits.out; j++)
			bits.rows[j] &= ~((uint64_t)1 << bits.in);
	}
}

/* After how many steps of "size" values the values are no more the first "size" ones,
 * moved evenly. */
static int64_t count_blocks(const int64_t *values, int64_t count, int64_t size)
{
	int64_t stride = values[size] - values[0], i = size;

	while (i < count && values[i] - values[i - size] == stride)
		i++;
	return i / size;
}

static layout_cute *first_plain(layout_context *ctx, const int64_t *values, int64_t count)
{
	struct cute_builder builder;
	int64_t done = 1;
	layout_cute *cute;

	cute_begin(&builder, ctx);
	cute_node(&builder, 0);
	while (done < count) {
		int64_t blocks = count_blocks(values, count, done);

		if (blocks == 1)
			break;
		cute_leaf(&builder, blocks, values[done] - values[0]);
		builder.tree[0]++;
		done *= blocks;
	}
	cute = layout_cute_coalesce(cute_end(&builder));
	if (cute)
		cute_swizzle_set(cute, (layout_cute_swizzle){ .offset = values[0] });
	return cute;
}

layout_cute *cute_first_of_values(layout_context *ctx, const int64_t *values,
	int64_t count, int prefer)
{
	layout_cute *like = cute_line(ctx, count, 1);
	layout_cute *cute = like ? cute_values_layout(values, like, prefer) : NULL;

	layout_cute_free(like);
	return cute ? cute : first_plain(ctx, values, count);
}
