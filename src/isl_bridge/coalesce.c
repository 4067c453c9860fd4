/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fewer pieces that are the same.
 *
 * isl 0.25 makes 1 <= i < 15 of { 1, 2 } and the odd numbers below 15, so that its result
 * is only taken where it is seen to have nothing more.  Nothing can be missing: pieces
 * are only ever extended. */
#include "isl_bridge/bridge.h"

/* Is "fewer" part of "map"?  Within few operations, or what is left of an attempt. */
static bool is_part(layout_context *ctx, isl_map *fewer, isl_map *map)
{
	isl_bool part;

	if (bridge_is_attempting(ctx))
		return isl_map_is_subset(fewer, map) == isl_bool_true;
	bridge_begin_attempt(ctx, BUDGET_COALESCE);
	part = isl_map_is_subset(fewer, map);
	return bridge_end_attempt(ctx) && part == isl_bool_true;
}

isl_map *bridge_coalesce_map(layout_context *ctx, isl_map *map)
{
	isl_size count = isl_map_n_basic_map(map);
	isl_map *fewer;

	if (count <= 1)
		return isl_map_coalesce(map);
	fewer = isl_map_coalesce(isl_map_copy(map));
	if (bridge_failed(ctx) || isl_map_n_basic_map(fewer) == count ||
	    is_part(ctx, fewer, map)) {
		isl_map_free(map);
		return fewer;
	}
	isl_map_free(fewer);
	return map;
}

isl_set *bridge_coalesce_set(layout_context *ctx, isl_set *set)
{
	isl_size count = isl_set_n_basic_set(set);
	isl_set *fewer;
	isl_map *part, *whole;
	bool same;

	if (count <= 1)
		return isl_set_coalesce(set);
	fewer = isl_set_coalesce(isl_set_copy(set));
	if (bridge_failed(ctx) || isl_set_n_basic_set(fewer) == count) {
		isl_set_free(set);
		return fewer;
	}
	part = isl_map_from_range(isl_set_copy(fewer));
	whole = isl_map_from_range(isl_set_copy(set));
	same = is_part(ctx, part, whole);
	isl_map_free(part);
	isl_map_free(whole);
	isl_set_free(same ? set : fewer);
	return same ? fewer : set;
}

isl_pw_multi_aff *bridge_coalesce_pieces(layout_context *ctx, isl_pw_multi_aff *pieces)
{
	isl_map *whole = isl_map_from_pw_multi_aff(isl_pw_multi_aff_copy(pieces));
	isl_pw_multi_aff *fewer = isl_pw_multi_aff_coalesce(
		isl_pw_multi_aff_copy(pieces));
	isl_map *part = isl_map_from_pw_multi_aff(isl_pw_multi_aff_copy(fewer));
	bool same = isl_map_n_basic_map(whole) <= 1 || bridge_failed(ctx) ||
		is_part(ctx, part, whole);

	isl_map_free(part);
	isl_map_free(whole);
	isl_pw_multi_aff_free(same ? pieces : fewer);
	return same ? fewer : pieces;
}

static isl_stat take(isl_set *domain, isl_multi_aff *function, void *user)
{
	isl_set_free(domain);
	*(isl_multi_aff **)user = function;
	return isl_stat_ok;
}

isl_multi_aff *bridge_one_piece(isl_pw_multi_aff *pieces)
{
	isl_multi_aff *function = NULL;

	if (isl_pw_multi_aff_n_piece(pieces) == 1)
		isl_pw_multi_aff_foreach_piece(pieces, take, &function);
	isl_pw_multi_aff_free(pieces);
	return function;
}
