/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/cute_map.h"

#include "algebra/cute/cute.h"

#include <stdlib.h>

#define LEAVES TEXT_LIST_LIMIT
#define NODES (2 * TEXT_LIST_LIMIT)

/* A layout in the making, as layout_cute_new() takes it. */
struct parts {
	unsigned nodes, leaves;
	int tree[NODES];
	int64_t shape[LEAVES], stride[LEAVES];
};

layout_relation *cute_map_compose(layout_cute *outer, layout_cute *inner)
{
	layout_relation *after = layout_cute_unbounded_relation(outer);
	layout_relation *before = layout_cute_relation(inner);

	return layout_relation_compose(after, before);
}

static bool add_node(struct parts *parts, int arity)
{
	if (parts->nodes == NODES)
		return false;
	parts->tree[parts->nodes++] = arity;
	return true;
}

static bool add_leaf(struct parts *parts, int64_t shape, int64_t stride)
{
	if (parts->leaves == LEAVES || !add_node(parts, -1))
		return false;
	parts->shape[parts->leaves] = shape;
	parts->stride[parts->leaves++] = stride;
	return true;
}

/* All of a plain layout as one mode, its strides times "factor". */
static bool add_layout(struct parts *parts, layout_cute *cute, int64_t factor)
{
	unsigned leaf = 0;
	int64_t stride;

	if (layout_cute_swizzled(cute, NULL) || layout_cute_is_lexicographic(cute))
		return false;
	for (unsigned i = 0; i < layout_cute_node_count(cute); i++) {
		int arity = layout_cute_arity(cute, i);

		if (arity >= 0) {
			if (!add_node(parts, arity))
				return false;
			continue;
		}
		if (__builtin_mul_overflow(layout_cute_stride(cute, leaf), factor,
				&stride) ||
		    !add_leaf(parts, layout_cute_shape(cute, leaf), stride))
			return false;
		leaf++;
	}
	return true;
}

static layout_cute *close_parts(layout_context *ctx, const struct parts *parts)
{
	return layout_cute_new(ctx, parts->tree, parts->nodes, parts->shape,
		parts->stride, parts->leaves);
}

/* The size of the subtree at node and leaf, which both move behind it. */
static int64_t subtree_size(layout_cute *cute, unsigned *node, unsigned *leaf)
{
	int arity = layout_cute_arity(cute, (*node)++);
	int64_t size = 1;

	if (arity < 0)
		return layout_cute_shape(cute, (*leaf)++);
	for (int i = 0; i < arity; i++)
		size *= subtree_size(cute, node, leaf);
	return size;
}

/* The tiles as one layout of coordinates of "cute": mode i counts in units of the modes
 * before it.  A tile that reaches beyond its mode would be carried into the next. */
static bool add_tiles(struct parts *parts, layout_cute *cute,
	const struct text_tiler *tiler)
{
	unsigned rank = layout_cute_rank(cute), leaf = 0;
	unsigned node = layout_cute_arity(cute, 0) >= 0;
	int64_t unit = 1;

	if (!add_node(parts, (int)rank))
		return false;
	for (unsigned i = 0; i < rank; i++) {
		int64_t size = subtree_size(cute, &node, &leaf);
		layout_cute *tile = i < tiler->count ? tiler->tiles[i].layout : NULL;

		if (tile && i + 1 < rank && layout_cute_cosize(tile) > size)
			return false;
		if (tile ? !add_layout(parts, tile, unit) : !add_leaf(parts, size, unit))
			return false;
		unit *= size;
	}
	return true;
}

/* "outer" after what "build" made of the parts. */
static layout_relation *after_parts(layout_context *ctx, layout_cute *outer,
	const struct parts *parts)
{
	layout_cute *inner = close_parts(ctx, parts);
	layout_relation *result = inner ? cute_map_compose(outer, inner) : NULL;

	layout_cute_free(inner);
	return result;
}

layout_relation *cute_map_compose_by(layout_cute *outer, const struct text_tiler *tiler)
{
	layout_context *ctx = outer->ctx;
	struct parts *parts = layout_alloc(ctx, 1, sizeof(*parts));
	layout_relation *result = NULL;

	if (parts && !layout_cute_is_lexicographic(outer) &&
			add_tiles(parts, outer, tiler))
		result = after_parts(ctx, outer, parts);
	free(parts);
	return result;
}

/* cute o (tiler, complement(tiler, size(cute))) */
layout_relation *cute_map_divide(layout_cute *cute, layout_cute *tiler)
{
	layout_context *ctx = cute->ctx;
	struct parts *parts = layout_alloc(ctx, 1, sizeof(*parts));
	layout_cute *rest = layout_cute_complement(layout_cute_copy(tiler),
		layout_cute_size(cute));
	layout_relation *result = NULL;

	if (parts && rest && add_node(parts, 2) && add_layout(parts, tiler, 1) &&
			add_layout(parts, rest, 1))
		result = after_parts(ctx, cute, parts);
	layout_cute_free(rest);
	free(parts);
	return result;
}

bool cute_map_copy_tiler(struct text_tiler *copy, const struct text_tiler *tiler)
{
	for (copy->count = 0; copy->count < tiler->count; copy->count++) {
		layout_cute_tile *tile = &copy->tiles[copy->count];

		*tile = tiler->tiles[copy->count];
		tile->layout = layout_cute_copy(tile->layout);
		if (!tile->layout != !tiler->tiles[copy->count].layout) {
			text_tiler_free(copy);
			return false;
		}
	}
	return true;
}
