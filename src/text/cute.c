/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts, "((2,2),4):((1,8),2)": TREE ":" TREE with
 * TREE = INT | "(" [TREE {"," TREE}] ")". */
#include "text/notations.h"

#include "algebra/cute.h"

#include <stdlib.h>

#define NODE_LIMIT (2 * TEXT_LIST_LIMIT)

/* A tree in prefix order, as layout_cute_new() takes it. */
struct tree {
	unsigned node_count, leaf_count;
	int arity[NODE_LIMIT];
	int64_t leaf[TEXT_LIST_LIMIT];
};

bool text_at_cute(const struct text_cursor *cursor)
{
	return cursor->token.kind == TEXT_INT || text_at(cursor, "-") ||
		text_at(cursor, "(");
}

static bool read_leaf(struct text_cursor *cursor, int64_t least, struct tree *tree)
{
	long position = text_position(cursor);
	int64_t *leaf = &tree->leaf[tree->leaf_count];

	if (!text_at_cute(cursor))
		return text_expected(cursor, "an integer or `(`");
	if (!text_room(cursor, tree->leaf_count, TEXT_LIST_LIMIT) ||
			!text_integer(cursor, leaf))
		return false;
	if (*leaf < least) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a shape must be at least %lld, not %lld", (long long)least,
			(long long)*leaf);
		return false;
	}
	tree->leaf_count++;
	return true;
}

static bool read_tree(struct text_cursor *cursor, int64_t least, struct tree *tree)
{
	unsigned node = tree->node_count;

	if (!text_room(cursor, node, NODE_LIMIT))
		return false;
	tree->node_count++;
	tree->arity[node] = -1;
	if (!text_at(cursor, "("))
		return read_leaf(cursor, least, tree);
	if (!text_enter(cursor))
		return false;
	text_advance(cursor);
	tree->arity[node] = 0;
	if (!text_at(cursor, ")")) {
		do {
			tree->arity[node]++;
			if (!read_tree(cursor, least, tree))
				return false;
		} while (text_skip(cursor, ","));
	}
	text_leave(cursor);
	return text_end_list(cursor, ")");
}

static bool congruent(struct text_cursor *cursor, long position,
	const struct tree *shape, const struct tree *stride)
{
	bool same = shape->node_count == stride->node_count;

	for (unsigned i = 0; same && i < shape->node_count; i++)
		same = shape->arity[i] == stride->arity[i];
	if (!same)
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"shape and stride must be congruent: the same tree");
	return same;
}

layout_cute *text_cute(struct text_cursor *cursor)
{
	struct tree shape = { 0 }, stride = { 0 };
	long begin = text_position(cursor), position, base;
	layout_cute *cute;

	if (!read_tree(cursor, 0, &shape) || !text_take(cursor, ":"))
		return NULL;
	position = text_position(cursor);
	if (!read_tree(cursor, INT64_MIN, &stride) ||
			!congruent(cursor, position, &shape, &stride))
		return NULL;
	base = layout_context_set_base(cursor->ctx, begin);
	cute = layout_cute_new(cursor->ctx, shape.arity, shape.node_count,
		shape.leaf, stride.leaf, shape.leaf_count);
	layout_context_set_base(cursor->ctx, base);
	return cute;
}

layout_cute *layout_cute_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_cute *cute;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	cute = text_cute(&cursor);
	if (cute && text_close(&cursor))
		return cute;
	layout_cute_free(cute);
	return NULL;
}

/* "open" has room for every node: the entries still to come at each level. */
static void print_tree(struct layout_buffer *out, const layout_cute *cute,
	const int64_t *leaf, int *open)
{
	unsigned depth = 0;

	for (unsigned i = 0; i < cute->node_count; i++) {
		if (cute->tree[i] > 0) {
			layout_buffer_printf(out, "(");
			open[depth++] = cute->tree[i];
			continue;
		}
		if (cute->tree[i] < 0)
			layout_buffer_printf(out, "%lld", (long long)*leaf++);
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

char *layout_cute_str(layout_cute *cute)
{
	struct layout_buffer out = { 0 };
	int *open;

	if (!cute)
		return NULL;
	open = layout_alloc(cute->ctx, cute->node_count, sizeof(*open));
	if (!open)
		return NULL;
	print_tree(&out, cute, cute->shape, open);
	layout_buffer_printf(&out, ":");
	print_tree(&out, cute, cute->stride, open);
	free(open);
	return layout_buffer_take(cute->ctx, &out);
}
