/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations mode by mode, and how their results are put together. */
#include "algebra/cute/group.h"
#include "isl_bridge/bridge.h"

#include <stdlib.h>

/* What comes of each mode of a layout; a pair where the tile was not "whole". */
struct results {
	layout_context *ctx;
	layout_cute **modes;
	unsigned rank, count;
	const layout_cute_tile *tiles;
};

/* Each mode counts as the layout does, and a swizzle is before all of them. */
static bool fits_in(const layout_cute *cute, const layout_cute *mode, unsigned at)
{
	if (mode->swizzled)
		layout_fail(cute->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"tile %u is swizzled, which one mode of a layout cannot be", at);
	else if (mode->lexicographic != cute->lexicographic && mode->leaf_count > 1)
		layout_fail(cute->ctx, LAYOUT_ERROR_SPACE, -1,
			"tile %u and the layout do not have the same mode fastest: "
			"one is a pack_map", at);
	else
		return true;
	return false;
}

static bool fill(struct results *results, const layout_cute *cute,
	cute_mode_operation *operation)
{
	unsigned node = cute->tree[0] >= 0, leaf = 0;
	bool ok = true;

	for (unsigned i = 0; i < results->rank && ok; i++) {
		const layout_cute_tile *tile = i < results->count ?
			&results->tiles[i] : NULL;
		layout_cute *mode = cute_part(cute, &node, &leaf);

		if (tile && !tile->whole)
			mode = operation(mode, layout_cute_copy(tile->layout));
		results->modes[i] = mode;
		ok = mode && fits_in(cute, mode, i);
	}
	return ok;
}

static bool open_results(struct results *results, const layout_cute *cute)
{
	results->ctx = cute->ctx;
	results->rank = layout_cute_rank((layout_cute *)cute);
	results->modes = NULL;
	if (results->count > results->rank) {
		layout_fail(cute->ctx, LAYOUT_ERROR_SPACE, -1,
			"the tiler has %u modes where the layout has %u",
			results->count, results->rank);
		return false;
	}
	results->modes = layout_alloc(cute->ctx, results->rank, sizeof(layout_cute *));
	return results->modes != NULL;
}

static void append_all(struct cute_builder *builder, const layout_cute *cute)
{
	unsigned node = 0, leaf = 0;

	cute_subtree(builder, cute, &node, &leaf);
}

static void append_tuple(struct cute_builder *builder, const struct results *results)
{
	cute_node(builder, (int)results->rank);
	for (unsigned i = 0; i < results->rank; i++)
		append_all(builder, results->modes[i]);
}

/* Mode 0 or 1 of a pair; a whole mode is a tile and has the rest 1:0. */
static void append_half(struct cute_builder *builder, const struct results *results,
	unsigned at, unsigned half)
{
	const layout_cute *pair = results->modes[at];
	unsigned node = 1, leaf = 0;

	if (results->tiles[at].whole && half) {
		cute_leaf(builder, 1, 0);
		return;
	}
	if (results->tiles[at].whole)
		node = 0;
	else if (half)
		node = cute_skip(pair->tree, pair->node_count, node, &leaf);
	cute_subtree(builder, pair, &node, &leaf);
}

/* ((T0, T1, ..), (R0, R1, .., modes without a tile)) */
static void append_zipped(struct cute_builder *builder, const struct results *results)
{
	cute_node(builder, 2);
	cute_node(builder, (int)results->count);
	for (unsigned i = 0; i < results->count; i++)
		append_half(builder, results, i, 0);
	cute_node(builder, (int)results->rank);
	for (unsigned i = 0; i < results->count; i++)
		append_half(builder, results, i, 1);
	for (unsigned i = results->count; i < results->rank; i++)
		append_all(builder, results->modes[i]);
}

struct by_mode {
	const layout_cute_tile *tiles;
	unsigned count;
	cute_mode_operation *operation;
	bool zipped;
};

static layout_cute *by_mode(layout_cute *cute, const void *argument)
{
	const struct by_mode *by = argument;
	struct results results = { .tiles = by->tiles, .count = by->count };
	struct cute_builder builder;
	layout_cute *result = NULL;

	if (open_results(&results, cute) && fill(&results, cute, by->operation)) {
		cute_begin(&builder, cute->ctx);
		if (by->zipped)
			append_zipped(&builder, &results);
		else
			append_tuple(&builder, &results);
		result = cute_end(&builder);
	}
	for (unsigned i = 0; results.modes && i < results.rank; i++)
		layout_cute_free(results.modes[i]);
	free(results.modes);
	layout_cute_free(cute);
	return result;
}

/* Every tile is there, or leaves its mode whole, and of the same context. */
static bool tiles_given(const layout_cute *cute, const layout_cute_tile *tiles,
	unsigned count)
{
	if (!cute || !layout_given(cute->ctx, tiles || !count, "tiles"))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!tiles[i].whole && (!tiles[i].layout ||
				!bridge_contexts_meet(cute->ctx, tiles[i].layout->ctx)))
			return false;
	return true;
}

static layout_cute *run(layout_cute *cute, const struct by_mode *by)
{
	if (tiles_given(cute, by->tiles, by->count))
		cute = cute_under_swizzle(cute, by_mode, by);
	else {
		layout_cute_free(cute);
		cute = NULL;
	}
	for (unsigned i = 0; by->tiles && i < by->count; i++)
		layout_cute_free(by->tiles[i].layout);
	return cute;
}

layout_cute *cute_by_mode(layout_cute *cute, const layout_cute_tile *tiles,
	unsigned count, cute_mode_operation *operation)
{
	struct by_mode by = { tiles, count, operation, false };

	return run(cute, &by);
}

layout_cute *cute_pair_by_mode(layout_cute *cute, const layout_cute_tile *tiles,
	unsigned count, cute_mode_operation *operation, layout_cute_form form)
{
	struct by_mode by = { tiles, count, operation, form != LAYOUT_CUTE_LOGICAL };
	layout_cute *result = run(cute, &by);

	return by.zipped ? cute_regroup(result, form) : result;
}
