/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The map of a remap: where elements go, if not to their own index. */
#ifndef LAYOUT_ALGEBRA_STORAGE_REMAP_MAP_H
#define LAYOUT_ALGEBRA_STORAGE_REMAP_MAP_H

#include "algebra/storage/remap.h"
#include "isl_bridge/ast.h"
#include "isl_bridge/objects.h"

/* The most pieces of a function that a kernel chooses among. */
enum { MAP_PIECES = 16 };

/*	given	as the user gave it; NULL: every element keeps its index, but the
 *		storages' tiles of no dimension are not the same
 *	map	logical -> logical, of the source and of the destination, on the source's
 *		box
 *	one	to one index each: the map is a function
 *	shift	logical -> logical, of the destination and of the source, i - low for
 *		lows that only depend on sizes, where the map is i + low on the whole
 *		box, or on all of it that stays inside of a destination which is not
 *		rounded up; NULL: it is not
 *	cut	the shift is not on the whole box
 *	load	logical -> logical, of the destination and of the source, and "reached",
 *		where it is the map reversed; NULL where isl is to reverse it
 *	store	the map's function, where "load" is known, too; NULL: it is none */
struct remap_map {
	layout_relation *given, *map;
	bool one, cut;
	isl_multi_aff *shift, *load, *store;
	isl_set *reached;
};

/* Consumes "given", which may be NULL; NULL with the error on the context. */
struct remap_map *remap_map_new(layout_storage *source, layout_storage *destination,
	layout_relation *given);

/* The map of a chain, which is kept. */
struct remap_map *remap_map_of_chain(layout_storage *source, layout_storage *destination,
	layout_chain *chain);
void remap_map_free(struct remap_map *map);

/* i - low, where the function is i + low: 2i - (i + low).  Consumes the function. */
isl_multi_aff *remap_map_shifted_back(isl_multi_aff *function);

/* What follows is for a remap that has a map, between bridge_enter() and
 * bridge_leave(). */

/* For all sizes in "sizes", elements stay inside the destination, and no two go to one
 * index; chains know that.  False with the error on the context. */
bool remap_map_check(layout_remap *remap, isl_set *sizes);

/* For all of these, elements stay inside: the first half of that. */
bool remap_map_stays_inside(layout_remap *remap, isl_set *sizes);

/* The destination's logical indices that have an element, and the source's index of
 * each. */
isl_set *remap_map_reached(layout_remap *remap);
isl_pw_multi_aff *remap_map_reversed(layout_remap *remap, isl_set *sizes);

/* The destination's index of each element that has one; NULL where that is not one
 * each. */
isl_pw_multi_aff *remap_map_forward(layout_remap *remap, isl_set *sizes);

/* The same without cases: of all elements of the source, and of all indices of the
 * destination.  NULL where there is no such function. */
isl_multi_aff *remap_map_store(layout_remap *remap, isl_set *sizes);
isl_multi_aff *remap_map_load(layout_remap *remap, isl_set *sizes);

/* The same as remap_map_load() where nothing says which function that is, as isl finds it. */
isl_multi_aff *remap_map_back(layout_remap *remap, isl_set *sizes);

/* The destination's slots, as they are numbered, and its cells that no element
 * reaches. */
isl_set *remap_map_unreached(layout_remap *remap);
isl_set *remap_map_padding(layout_remap *remap);

/* How far the elements of a remap, with or without a map, are shifted: element i of the
 * source is element i + low of the destination, for all of the source's box.  The
 * expressions into "low", one a dimension, are the caller's.  False, without an error
 * unless memory ran out, where the map is no shift. */
bool remap_shift(layout_remap *remap, const struct ast_scope *sizes, isl_set *contract,
	struct index **low);

#endif
