/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a relation and a set are made of; for src/isl_bridge and src/algebra. */
#ifndef LAYOUT_BRIDGE_OBJECTS_H
#define LAYOUT_BRIDGE_OBJECTS_H

#include "isl_bridge/bridge.h"
#include "isl_bridge/relation.h"

/* A map and what is known about it by construction.
 *
 *	forward		X -> Y, agrees with the map wherever that has an image:
 *			the relation is a function.  NULL: not known
 *	backward	Y -> X, likewise for the reversed map: injective
 *
 * Both keep floors and digits as their constructor wrote them, where the map
 * alone would have isl find them anew. */
struct layout_relation {
	layout_context *ctx;
	isl_map *map;
	isl_multi_aff *forward, *backward;
};

struct layout_set {
	layout_context *ctx;
	isl_set *set;
};

/* Close a bridge_enter() with an object as the result.  Consume the isl objects;
 * NULL, with the error on the context, where isl failed.  "forward" and "backward"
 * may be NULL. */
layout_relation *bridge_give_relation(layout_context *ctx, const char *doing,
	isl_map *map, isl_multi_aff *forward, isl_multi_aff *backward);
layout_set *bridge_give_set(layout_context *ctx, const char *doing, isl_set *set);

/* Give "function" the tuple names of "map", or of the map reversed. */
isl_multi_aff *bridge_name_forward(isl_multi_aff *function, isl_map *map);
isl_multi_aff *bridge_name_backward(isl_multi_aff *function, isl_map *map);

/* The map under the context that all parameters are >= 0; and the set. */
isl_map *bridge_asked_map(layout_relation *relation);
isl_set *bridge_asked_set(layout_set *set);

/* A lexicographically small point of a set as a witness: its parameters are
 * sizes, its first "first_rank" dimensions a point, and the rest a second one if
 * "two".  NULL, with the error on the context, where there is no point or isl
 * failed.  Consumes the set. */
layout_witness *bridge_witness(layout_context *ctx, isl_set *set, unsigned first_rank,
	bool two);

/* One or two points of "rank" coordinates as a witness without sizes; "second" may
 * be NULL. */
layout_witness *bridge_witness_of(layout_context *ctx, unsigned rank,
	const int64_t *first, const int64_t *second);

#endif
