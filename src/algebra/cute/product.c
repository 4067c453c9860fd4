/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products: a tile, and beside it the places of its repetitions. */
#include "algebra/cute/group.h"
#include "algebra/cute/swizzle.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>

/* Both count alike, or one of them either way; no swizzle in the second one. */
static bool check_tiler(const layout_cute *tile, const layout_cute *tiler)
{
	if (cute_moves_offsets(tiler))
		layout_fail(tile->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a swizzled layout cannot say where tiles are laid out");
	else if (tile->lexicographic != tiler->lexicographic &&
			tile->leaf_count > 1 && tiler->leaf_count > 1)
		layout_fail(tile->ctx, LAYOUT_ERROR_SPACE, -1,
			"the two layouts do not have the same mode fastest: "
			"one is a pack_map");
	else
		return true;
	return false;
}

/* complement(tile, size(tile) * cosize(tiler)) o tiler.  Consumes "tiler". */
static layout_cute *repetitions(const layout_cute *tile, layout_cute *tiler)
{
	layout_cute *copy;
	int64_t cotarget;

	if (!tile->size) {
		for (unsigned i = 0; i < tiler->leaf_count; i++)
			tiler->stride[i] = 0;
		return tiler;
	}
	if (__builtin_mul_overflow(tile->size, tiler->cosize, &cotarget)) {
		layout_fail(tile->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"size %" PRId64 " times cosize %" PRId64
			" does not fit 64 bits", tile->size, tiler->cosize);
		layout_cute_free(tiler);
		return NULL;
	}
	copy = layout_cute_copy((layout_cute *)tile);
	if (copy)
		cute_swizzle_clear(copy);
	return layout_cute_compose(layout_cute_complement(copy, cotarget), tiler);
}

/* (tile, rest), counting as the one of them that has an order.  Consumes both. */
static layout_cute *join(layout_cute *tile, layout_cute *rest)
{
	struct cute_builder builder;
	unsigned node = 0, leaf = 0;
	layout_cute *result = NULL;

	if (tile && rest) {
		cute_begin(&builder, tile->ctx);
		cute_node(&builder, 2);
		cute_subtree(&builder, tile, &node, &leaf);
		node = leaf = 0;
		cute_subtree(&builder, rest, &node, &leaf);
		result = cute_end(&builder);
	}
	if (result && tile->swizzled && !cute_swizzle_fits(result, tile->swizzle)) {
		layout_cute_free(result);
		result = NULL;
	}
	if (result) {
		result->lexicographic = tile->leaf_count > 1 ? tile->lexicographic :
			rest->lexicographic;
		result->swizzled = tile->swizzled;
		result->swizzle = tile->swizzle;
	}
	layout_cute_free(tile);
	layout_cute_free(rest);
	return result;
}

static layout_cute *product_pair(layout_cute *tile, layout_cute *tiler)
{
	layout_cute *rest;

	if (!tile || !tiler || !bridge_contexts_meet(tile->ctx, tiler->ctx) ||
			!check_tiler(tile, tiler)) {
		layout_cute_free(tile);
		layout_cute_free(tiler);
		return NULL;
	}
	rest = repetitions(tile, tiler);
	return join(tile, rest);
}

/* The modes of "cute" and as many 1:0 as "rank" asks for, as a tuple. */
static layout_cute *extend(layout_cute *cute, const void *rank)
{
	unsigned wanted = *(const unsigned *)rank, have = layout_cute_rank(cute);
	unsigned node = 0, leaf = 0;
	struct cute_builder builder;

	cute_begin(&builder, cute->ctx);
	cute_node(&builder, (int)wanted);
	cute_splice(&builder, cute, &node, &leaf);
	for (; have < wanted; have++)
		cute_leaf(&builder, 1, 0);
	layout_cute_free(cute);
	return cute_end(&builder);
}

/* ((T0, R0), ..) or ((R0, T0), ..) out of ((T0, ..), (R0, ..)). */
static layout_cute *interleave(layout_cute *pair, const void *argument)
{
	bool raked = *(const layout_cute_form *)argument == LAYOUT_CUTE_RAKED;
	struct cute_builder builder;
	unsigned node[2] = { 2 }, leaf[2] = { 0 };

	node[1] = 1 + cute_skip(pair->tree, pair->node_count, 1, &leaf[1]);
	cute_begin(&builder, pair->ctx);
	cute_node(&builder, pair->tree[1]);
	for (int i = 0; i < pair->tree[1]; i++) {
		cute_node(&builder, 2);
		cute_subtree(&builder, pair, &node[raked], &leaf[raked]);
		cute_subtree(&builder, pair, &node[!raked], &leaf[!raked]);
	}
	layout_cute_free(pair);
	return cute_end(&builder);
}

layout_cute *layout_cute_product(layout_cute *tile, layout_cute *tiler,
	layout_cute_form form)
{
	unsigned rank = layout_cute_rank(tile), other = layout_cute_rank(tiler);

	if (form != LAYOUT_CUTE_BLOCKED && form != LAYOUT_CUTE_RAKED)
		return cute_regroup(product_pair(tile, tiler), form);
	rank = rank > other ? rank : other;
	tile = cute_under_swizzle(tile, extend, &rank);
	tiler = cute_under_swizzle(tiler, extend, &rank);
	return cute_under_swizzle(product_pair(tile, tiler), interleave, &form);
}

layout_cute *layout_cute_product_by(layout_cute *cute, const layout_cute_tile *tilers,
	unsigned count, layout_cute_form form)
{
	return cute_pair_by_mode(cute, tilers, count, product_pair, form);
}
