/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/cute.h"
#include "algebra/cute/map.h"

#include <stdlib.h>

#define LEAVES 256
#define NODES (2 * LEAVES)

/* A layout in the making, as layout_cute_new() takes it. */
struct parts {
	unsigned nodes, leaves;
	int tree[NODES];
	int64_t shape[LEAVES], stride[LEAVES];
};

bool cute_map_compose(struct cute_map *map, layout_cute *outer, layout_cute *inner)
{
	map->outer = layout_cute_copy(outer);
	map->inner = layout_cute_copy(inner);
	return map->outer && map->inner;
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

/* The modes of a layout: their sizes, where the coordinates asked for end, and what one
 * step of each is worth. */
struct modes {
	unsigned rank;
	int64_t size[LEAVES], end[LEAVES], unit[LEAVES];
};

static bool read_modes(struct modes *modes, layout_cute *cute)
{
	unsigned node = layout_cute_arity(cute, 0) >= 0, leaf = 0;

	modes->rank = layout_cute_rank(cute);
	if (modes->rank > LEAVES || layout_cute_is_lexicographic(cute))
		return false;
	for (unsigned i = 0; i < modes->rank; i++)
		modes->size[i] = modes->end[i] = subtree_size(cute, &node, &leaf);
	return layout_cute_size(cute) > 0;
}

static void reach(struct modes *modes, unsigned i, int64_t end)
{
	if (end > modes->end[i])
		modes->end[i] = end;
}

/* Mode i from node and leaf on, which move behind it; its last leaf has no end, so it
 * goes on to where the coordinates do. */
static bool widen_mode(struct parts *parts, layout_cute *cute, struct modes *modes,
	unsigned i, unsigned *node, unsigned *leaf)
{
	int64_t others, pending = 1;

	while (pending > 0) {
		int arity = layout_cute_arity(cute, (*node)++);

		pending += arity < 0 ? -1 : arity - 1;
		if (arity < 0 ? !add_leaf(parts, layout_cute_shape(cute, *leaf),
				layout_cute_stride(cute, *leaf)) :
				!add_node(parts, arity))
			return false;
		*leaf += arity < 0;
	}
	if (modes->end[i] == modes->size[i])
		return true;
	others = modes->size[i] / parts->shape[parts->leaves - 1];
	parts->shape[parts->leaves - 1] = (modes->end[i] - 1) / others + 1;
	return !__builtin_mul_overflow(others, parts->shape[parts->leaves - 1],
		&modes->end[i]);
}

/* "cute" with modes that hold all coordinates asked for, so that none is carried into
 * the next, and the units of these. */
static layout_cute *widen(struct parts *parts, layout_cute *cute, struct modes *modes)
{
	unsigned node = layout_cute_arity(cute, 0) >= 0, leaf = 0;
	layout_cute_swizzle swizzle;
	layout_cute *wide;
	int64_t unit = 1;

	*parts = (struct parts){ 0 };
	if (!add_node(parts, (int)modes->rank))
		return NULL;
	for (unsigned i = 0; i < modes->rank; i++) {
		modes->unit[i] = unit;
		if (!widen_mode(parts, cute, modes, i, &node, &leaf) ||
				__builtin_mul_overflow(unit, modes->end[i], &unit))
			return NULL;
	}
	wide = close_parts(cute->ctx, parts);
	*parts = (struct parts){ 0 };
	return layout_cute_swizzled(cute, &swizzle) ?
		layout_cute_apply_swizzle(wide, swizzle) : wide;
}

/* "outer", consumed, after the layout of the parts. */
static bool after_parts(struct cute_map *map, layout_cute *outer,
	const struct parts *parts)
{
	map->outer = outer;
	map->inner = outer ? close_parts(outer->ctx, parts) : NULL;
	return map->inner;
}

static bool add_tiles(struct parts *parts, const struct modes *modes,
	const layout_cute_tile *tiles, unsigned count)
{
	if (!add_node(parts, (int)modes->rank))
		return false;
	for (unsigned i = 0; i < modes->rank; i++) {
		layout_cute *tile = i < count ? tiles[i].layout : NULL;

		if (tile ? !add_layout(parts, tile, modes->unit[i]) :
				!add_leaf(parts, modes->size[i], modes->unit[i]))
			return false;
	}
	return true;
}

bool cute_map_compose_by(struct cute_map *map, layout_cute *outer,
	const layout_cute_tile *tiles, unsigned count)
{
	struct parts *parts = layout_alloc(outer->ctx, 1, sizeof(*parts));
	layout_cute *wide = NULL;
	struct modes modes;
	bool good;

	if (parts && read_modes(&modes, outer)) {
		for (unsigned i = 0; i < modes.rank && i < count; i++)
			reach(&modes, i, layout_cute_cosize(tiles[i].layout));
		wide = widen(parts, outer, &modes);
	}
	good = wide && add_tiles(parts, &modes, tiles, count) &&
		after_parts(map, wide, parts);
	if (wide != map->outer)
		layout_cute_free(wide);
	free(parts);
	return good;
}

/* cute o (tiler, complement(tiler, size(cute))) */
bool cute_map_divide(struct cute_map *map, layout_cute *cute, layout_cute *tiler)
{
	layout_context *ctx = cute->ctx;
	struct parts *parts = layout_alloc(ctx, 1, sizeof(*parts));
	layout_cute *rest = layout_cute_complement(layout_cute_copy(tiler),
		layout_cute_size(cute));
	bool good = parts && rest && add_node(parts, 2) &&
		add_layout(parts, tiler, 1) && add_layout(parts, rest, 1) &&
		after_parts(map, layout_cute_copy(cute), parts);

	layout_cute_free(rest);
	free(parts);
	return good;
}

/* Mode by mode, the tile and what it leaves; NULL where no tile is for the mode. */
struct quotients {
	layout_cute *tiles[LEAVES], *rests[LEAVES];
};

static bool find_quotients(struct quotients *quotients, struct modes *modes,
	const layout_cute_tile *tiles, unsigned count)
{
	for (unsigned i = 0; i < modes->rank && i < count; i++) {
		layout_cute *tile = tiles[i].layout, *rest;
		int64_t end;

		if (!tile)
			continue;
		rest = layout_cute_complement(layout_cute_copy(tile), modes->size[i]);
		quotients->tiles[i] = tile;
		quotients->rests[i] = rest;
		if (!rest || __builtin_add_overflow(layout_cute_cosize(tile),
				layout_cute_cosize(rest), &end))
			return false;
		reach(modes, i, end - 1);
	}
	return true;
}

/* One share of mode i: the tile or the rest.  A mode that has no tile is the tile where
 * the tiler leaves it alone, else the rest. */
static bool add_share(struct parts *parts, const struct modes *modes,
	const struct quotients *quotients, unsigned i, bool is_rest, bool is_whole)
{
	layout_cute *cute = is_rest ? quotients->rests[i] : quotients->tiles[i];

	if (!cute && is_whole == is_rest)
		return true;
	parts->tree[0]++;
	return cute ? add_layout(parts, cute, modes->unit[i]) :
		add_leaf(parts, modes->size[i], modes->unit[i]);
}

/* For each mode the tile and the rest, or all tiles and then all rests. */
static bool add_quotients(struct parts *parts, const struct modes *modes,
	const struct quotients *quotients, unsigned tile_count, bool by_mode)
{
	unsigned count = 2 * modes->rank;
	bool good = add_node(parts, 0);

	for (unsigned k = 0; good && k < count; k++) {
		unsigned i = by_mode ? k / 2 : k % modes->rank;
		bool is_rest = by_mode ? k % 2 : k >= modes->rank;

		good = add_share(parts, modes, quotients, i, is_rest, i < tile_count);
	}
	return good;
}

bool cute_map_divide_by(struct cute_map *map, layout_cute *cute,
	const layout_cute_tile *tiles, unsigned count, layout_cute_form form)
{
	struct parts *parts = layout_alloc(cute->ctx, 1, sizeof(*parts));
	struct quotients quotients = { 0 };
	layout_cute *wide = NULL;
	struct modes modes;
	bool good;

	if (parts && read_modes(&modes, cute) &&
			find_quotients(&quotients, &modes, tiles, count))
		wide = widen(parts, cute, &modes);
	good = wide && add_quotients(parts, &modes, &quotients, count,
		form == LAYOUT_CUTE_LOGICAL) && after_parts(map, wide, parts);
	if (wide != map->outer)
		layout_cute_free(wide);
	for (unsigned i = 0; i < LEAVES; i++)
		layout_cute_free(quotients.rests[i]);
	free(parts);
	return good;
}
