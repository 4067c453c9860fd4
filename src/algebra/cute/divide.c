/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Quotients: a layout after (tiler, complement of the tiler). */
#include "algebra/cute/complement.h"
#include "algebra/cute/compose.h"
#include "algebra/cute/group.h"
#include "algebra/cute/order.h"
#include "isl_bridge/bridge.h"

/* (tiler, its complement up to "size"), as often as tilers begin below "size". */
static layout_cute *tiles_of(const layout_cute *tiler, int64_t size)
{
	struct cute_builder builder;
	unsigned node = 0, leaf = 0;
	struct cute_gaps gaps;

	if (size && !cute_find_gaps(tiler, size, &gaps))
		return NULL;
	cute_begin(&builder, tiler->ctx);
	cute_node(&builder, 2);
	cute_subtree(&builder, tiler, &node, &leaf);
	if (size) {
		cute_repeat_gaps(&gaps, (size - 1) / gaps.end + 1);
		cute_modes_build(&gaps.modes, &builder);
	} else {
		cute_leaf(&builder, 0, 0);
	}
	return cute_end(&builder);
}

/* The tiler with its first mode fastest, and how a message shows the layouts. */
struct division {
	const layout_cute *tiler;
	struct cute_reversed reversed;
};

static layout_cute *divide_plain(layout_cute *cute, const void *argument)
{
	const struct division *division = argument;
	layout_cute *tiles = tiles_of(division->tiler, cute->size);
	layout_cute *result = tiles ? cute_compose_plain(cute, tiles,
		division->reversed) : NULL;

	layout_cute_free(tiles);
	layout_cute_free(cute);
	return result;
}

/* (T, R), counting as the tiler does; one of a single mode counts either way.  The
 * tile comes first in a pack_map too, where the plain pair reversed has it last. */
static layout_cute *divide_pair(layout_cute *cute, layout_cute *tiler)
{
	layout_cute *result = NULL;
	struct division division;
	bool lexicographic;

	if (!cute || !tiler || !bridge_contexts_meet(cute->ctx, tiler->ctx))
		goto done;
	if (cute_moves_offsets(tiler)) {
		layout_fail(cute->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a swizzled tiler has no complement to divide by");
		goto done;
	}
	lexicographic = tiler->leaf_count <= 1 ? cute->lexicographic :
		tiler->lexicographic;
	if (tiler->lexicographic)
		tiler = cute_order_reverse(tiler);
	if (!tiler)
		goto done;
	division = (struct division){ tiler, { cute->lexicographic, lexicographic } };
	result = cute_on_domain(cute, divide_plain, &division);
	cute = NULL;
	if (result && result->lexicographic != lexicographic)
		result = cute_order_reverse(result);
	if (lexicographic)
		result = cute_exchange(result);
done:
	layout_cute_free(cute);
	layout_cute_free(tiler);
	return result;
}

layout_cute *layout_cute_divide(layout_cute *cute, layout_cute *tiler,
	layout_cute_form form)
{
	return cute_regroup(divide_pair(cute, tiler), form);
}

layout_cute *layout_cute_divide_by(layout_cute *cute, const layout_cute_tile *tiles,
	unsigned count, layout_cute_form form)
{
	return cute_pair_by_mode(cute, tiles, count, divide_pair, form);
}
