/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/coordinate.h"

#include "algebra/cute/build.h"

#include <inttypes.h>
#include <stdlib.h>

void cute_print_leaves(struct layout_buffer *out, const layout_cute *cute,
	const int64_t *leaves)
{
	unsigned depth = 0, leaf = 0;
	int open[CUTE_DEPTH];

	for (unsigned node = 0; node < cute->node_count; node++) {
		if (cute->tree[node] > 0) {
			layout_buffer_printf(out, "(");
			open[depth++] = cute->tree[node];
			continue;
		}
		if (cute->tree[node] < 0)
			layout_buffer_printf(out, "%" PRId64, leaves[leaf++]);
		else
			layout_buffer_printf(out, "()");
		while (depth && --open[depth - 1] == 0) {
			layout_buffer_printf(out, ")");
			depth--;
		}
		if (depth)
			layout_buffer_printf(out, ",");
	}
}

/* Leaf number i, the fastest first. */
static unsigned leaf_at(const layout_cute *cute, unsigned i)
{
	return cute->lexicographic ? cute->leaf_count - 1 - i : i;
}

void cute_print_coordinate(struct layout_buffer *out, const layout_cute *cute,
	int64_t number)
{
	int64_t *leaves = layout_alloc(cute->ctx, cute->leaf_count, sizeof(*leaves));

	for (unsigned i = 0; leaves && i < cute->leaf_count; i++) {
		int64_t shape = cute->shape[leaf_at(cute, i)];
		bool last = i + 1 == cute->leaf_count || shape < 1;

		leaves[leaf_at(cute, i)] = last ? number : number % shape;
		number = last ? 0 : number / shape;
	}
	if (leaves)
		cute_print_leaves(out, cute, leaves);
	free(leaves);
}
