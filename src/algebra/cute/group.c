/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/group.h"

void cute_splice(struct cute_builder *builder, const layout_cute *cute,
	unsigned *node, unsigned *leaf)
{
	int arity = cute->tree[*node];

	if (arity < 0) {
		cute_subtree(builder, cute, node, leaf);
		return;
	}
	++*node;
	for (int i = 0; i < arity; i++)
		cute_subtree(builder, cute, node, leaf);
}

/* How many modes cute_splice() appends. */
static int rank_at(const layout_cute *cute, unsigned node)
{
	return cute->tree[node] < 0 ? 1 : cute->tree[node];
}

static layout_cute *regroup(layout_cute *pair, const void *argument)
{
	bool flat = *(const layout_cute_form *)argument == LAYOUT_CUTE_FLAT;
	struct cute_builder builder;
	unsigned node = 1, leaf = 0;
	unsigned rest = cute_skip(pair->tree, pair->node_count, node, NULL);

	cute_begin(&builder, pair->ctx);
	cute_node(&builder, (flat ? rank_at(pair, node) : 1) + rank_at(pair, rest));
	if (flat)
		cute_splice(&builder, pair, &node, &leaf);
	else
		cute_subtree(&builder, pair, &node, &leaf);
	cute_splice(&builder, pair, &node, &leaf);
	layout_cute_free(pair);
	return cute_end(&builder);
}

layout_cute *cute_regroup(layout_cute *pair, layout_cute_form form)
{
	switch (form) {
	case LAYOUT_CUTE_LOGICAL:
	case LAYOUT_CUTE_ZIPPED:
		return pair;
	case LAYOUT_CUTE_TILED:
	case LAYOUT_CUTE_FLAT:
		return cute_under_swizzle(pair, regroup, &form);
	default:
		break;
	}
	if (pair)
		layout_fail(pair->ctx, LAYOUT_ERROR_INVALID, -1,
			"no such form of tiles and their rest: %d", (int)form);
	layout_cute_free(pair);
	return NULL;
}

static layout_cute *exchange(layout_cute *pair, const void *argument)
{
	struct cute_builder builder;
	unsigned first = 1, first_leaf = 0, second_leaf = 0;
	unsigned second = cute_skip(pair->tree, pair->node_count, first, &second_leaf);

	(void)argument;
	cute_begin(&builder, pair->ctx);
	cute_node(&builder, 2);
	cute_subtree(&builder, pair, &second, &second_leaf);
	cute_subtree(&builder, pair, &first, &first_leaf);
	layout_cute_free(pair);
	return cute_end(&builder);
}

layout_cute *cute_exchange(layout_cute *pair)
{
	return cute_under_swizzle(pair, exchange, NULL);
}
