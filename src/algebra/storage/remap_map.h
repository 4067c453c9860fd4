/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The map of a remap: where elements go, if not to their own index. */
#ifndef LAYOUT_ALGEBRA_STORAGE_REMAP_MAP_H
#define LAYOUT_ALGEBRA_STORAGE_REMAP_MAP_H

#include "algebra/storage/remap.h"
#include "isl_bridge/ast.h"
#include "isl_bridge/objects.h"

/*	given	as the user gave it
 *	map	logical -> logical, of the source and of the destination, on the source's
 *		box: a function
 *	shift	logical -> logical, of the destination and of the source, i - low for
 *		lows that only depend on sizes, where the map is i + low on the whole
 *		box; NULL: it is not */
struct remap_map {
	layout_relation *given, *map;
	isl_multi_aff *shift;
};

/* Consumes "given"; NULL with the error on the context. */
struct remap_map *remap_map_new(layout_storage *source, layout_storage *destination,
	layout_relation *given);
void remap_map_free(struct remap_map *map);

/* What follows is for a remap that has a map, between bridge_enter() and
 * bridge_leave(). */

/* For all sizes in "sizes", elements stay inside the destination, and no two go to one
 * index.  False with the error on the context. */
bool remap_map_check(layout_remap *remap, isl_set *sizes);

/* The destination's logical indices that have an element, and the source's index of
 * each.  NULL with the error on the context where isl finds it in too many pieces. */
isl_set *remap_map_reached(layout_remap *remap);
isl_pw_multi_aff *remap_map_reversed(layout_remap *remap, isl_set *sizes);

/* The destination's cells that no element reaches. */
isl_set *remap_map_padding(layout_remap *remap);

/* How far the elements of a remap, with or without a map, are shifted: element i of the
 * source is element i + low of the destination, for all of the source's box.  The
 * expressions into "low", one a dimension, are the caller's.  False, without an error
 * unless memory ran out, where the map is no shift. */
bool remap_shift(layout_remap *remap, const struct ast_scope *sizes, isl_set *contract,
	struct index **low);

#endif
