/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/order.h"

#include <stdlib.h>

/* Where each node's subtree ends, in prefix order. */
static void find_ends(const layout_cute *cute, unsigned *ends)
{
	for (unsigned node = cute->node_count; node-- > 0;) {
		ends[node] = node + 1;
		for (int child = 0; child < cute->tree[node]; child++)
			ends[node] = ends[ends[node]];
	}
}

/* The nodes of the mirrored tree: a child comes behind its parent and all siblings
 * that followed it. */
static void mirror_nodes(const layout_cute *cute, int *tree, const unsigned *ends,
	unsigned *places)
{
	places[0] = 0;
	for (unsigned node = 0; node < cute->node_count; node++) {
		unsigned child = node + 1;

		tree[places[node]] = cute->tree[node];
		for (int i = 0; i < cute->tree[node]; i++) {
			places[child] = places[node] + 1 + ends[node] - ends[child];
			child = ends[child];
		}
	}
}

static layout_cute *mirror(layout_cute *cute)
{
	unsigned *ends = layout_alloc(cute->ctx, 2 * (size_t)cute->node_count,
		sizeof(*ends));
	layout_cute *mirrored = ends ? layout_cute_copy(cute) : NULL;
	unsigned last = cute->leaf_count - 1;

	if (mirrored) {
		find_ends(cute, ends);
		mirror_nodes(cute, mirrored->tree, ends, ends + cute->node_count);
	}
	for (unsigned i = 0; mirrored && i < cute->leaf_count; i++) {
		mirrored->shape[last - i] = cute->shape[i];
		mirrored->stride[last - i] = cute->stride[i];
	}
	free(ends);
	layout_cute_free(cute);
	return mirrored;
}

layout_cute *cute_order_reverse(layout_cute *cute)
{
	if (cute && cute->node_count > 1)
		cute = mirror(cute);
	if (cute)
		cute->lexicographic = !cute->lexicographic;
	return cute;
}

bool cute_is_pack_map(const layout_cute *cute)
{
	bool is = cute->lexicographic;

	for (unsigned i = 0; is && i < cute->leaf_count; i++)
		is = cute->shape[i] > 0 && cute->stride[i] >= 0;
	return is;
}

char *cute_order_str(const layout_cute *cute, bool reversed)
{
	layout_cute *shown = layout_cute_copy((layout_cute *)cute);
	char *text;

	if (shown && reversed)
		shown = cute_order_reverse(shown);
	text = layout_cute_str(shown);
	layout_cute_free(shown);
	return text;
}

layout_cute *layout_cute_lexicographic(layout_cute *cute)
{
	if (cute)
		cute->lexicographic = true;
	return cute;
}
