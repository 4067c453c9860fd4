/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps that change nothing: the destination's memory is the source's, bit for bit.
 *
 * Cheapest first: the same text; sizes and an element that tell the two apart; proofs;
 * all elements, where they are few; those of a map at some small sizes. */
#include "algebra/memory/difference.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"

#include <stdlib.h>

/* The elements of which all are looked at, and at each of some sizes. */
enum { MOST_ELEMENTS = 1 << 16, SOME_ELEMENTS = 1 << 10 };

/* Elements of a map, one after the other, at most so many. */
struct visit {
	struct sides_at at;
	int64_t count, most;
	bool moved;
};

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct visit *all = user;
	int64_t cell[FACTOR_SIDES];

	(void)in_rank;
	(void)image_rank;
	all->moved = sides_cells(&all->at, in, image, cell) &&
		cell[FACTOR_LOAD] != cell[FACTOR_STORE];
	return ++all->count <= all->most && !all->moved;
}

/* The map of what stays inside of the destination. */
static layout_relation *map_inside(layout_remap *remap)
{
	bridge_enter(remap->ctx);
	return bridge_give_relation(remap->ctx, "compare two storages",
		isl_map_intersect_range(isl_map_copy(remap->map->map->map),
			isl_set_copy(remap->destination->maps->logical)), NULL, NULL);
}

/* Every cell of the destination has an element of the source, at the same place, and
 * there are as many as the source has cells. */
static layout_answer look_at_map(const struct sides *sides)
{
	struct visit all = { .most = MOST_ELEMENTS };
	layout_relation *map;
	bool looked;

	if (!sides_fix(&all.at, sides, NULL) || all.at.cells[FACTOR_LOAD] > MOST_ELEMENTS)
		return LAYOUT_UNKNOWN;
	map = map_inside(sides->remap);
	looked = layout_relation_for_each(map, visit, &all);
	layout_relation_free(map);
	if (!looked)
		return LAYOUT_UNKNOWN;
	if (all.moved)
		return LAYOUT_NO;
	return all.count == all.at.cells[FACTOR_LOAD] &&
		all.count == all.at.cells[FACTOR_STORE] ? LAYOUT_YES : LAYOUT_UNKNOWN;
}

static layout_answer compare(const struct sides *sides)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct difference difference;

	if (!difference_start(&difference, sides))
		return LAYOUT_UNKNOWN;
	if (!sides->remap->map)
		answer = difference_find(&difference, sides);
	else if (difference_sample(&difference, sides))
		answer = LAYOUT_NO;
	else if (!sides->remap->name_count)
		answer = look_at_map(sides);
	else if (sides_are_same(sides))
		answer = LAYOUT_YES;
	difference_free(&difference);
	return answer;
}

/* An element's slots have room. */
static bool is_small(const layout_storage *storage)
{
	return storage->slot_count <= LAYOUT_STORAGE_SLOTS;
}

layout_answer remap_is_identity(layout_remap *remap, const struct sides *known)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct sides sides = { .remap = remap };

	if (!conversion_is_copy(&remap->conversion))
		return LAYOUT_NO;
	if (!remap->map && sides_are_alike(remap->source, remap->destination))
		return LAYOUT_YES;
	if (!is_small(remap->source) || !is_small(remap->destination))
		return LAYOUT_UNKNOWN;
	bridge_enter(remap->ctx);
	if (known || sides_build(&sides, remap, false))
		answer = compare(known ? known : &sides);
	sides_free(&sides);
	return bridge_leave(remap->ctx, "compare two storages") ? answer : LAYOUT_UNKNOWN;
}

/* Does one of the map's first elements lie in two cells at these sizes? */
static bool moves_at(const struct sides *sides, const layout_size *named,
	const int64_t *values)
{
	const layout_remap *remap = sides->remap;
	struct visit some = { .most = SOME_ELEMENTS };
	layout_relation *map;

	if (!sides_fix(&some.at, sides, values))
		return false;
	map = layout_relation_fix(layout_relation_copy(remap->map->map), named,
		remap->name_count);
	layout_relation_for_each(map, visit, &some);
	layout_relation_free(map);
	return some.moved;
}

/* The same at any of some small sizes. */
static bool moves_somewhere(const struct sides *sides)
{
	static const int64_t sizes[] = { 3, 5, 2, 7, 4, 16, 8, 1, 12, 64, 33 };
	enum { COUNT = sizeof(sizes) / sizeof(*sizes) };
	const layout_remap *remap = sides->remap;
	layout_size *named = layout_alloc(remap->ctx, remap->name_count, sizeof(*named));
	int64_t *values = layout_alloc(remap->ctx, remap->name_count, sizeof(*values));
	bool moves = false;

	for (unsigned s = 0; named && values && s < COUNT && !moves; s++) {
		for (unsigned i = 0; i < remap->name_count; i++) {
			values[i] = sizes[(s + 2 * i) % COUNT];
			named[i] = (layout_size){ remap->names[i], values[i] };
		}
		moves = moves_at(sides, named, values);
	}
	free(values);
	free(named);
	return moves;
}

/* Nothing is asked of isl about a map for all sizes, which a kernel could not use: but where
 * elements move at some, they do not stay. */
static layout_answer look_at_sizes(layout_remap *remap)
{
	struct sides sides = { .remap = remap };
	bool moves;

	bridge_enter(remap->ctx);
	moves = sides_build(&sides, remap, false) && moves_somewhere(&sides);
	sides_free(&sides);
	return bridge_leave(remap->ctx, "compare two storages") && moves ? LAYOUT_NO :
		LAYOUT_UNKNOWN;
}

/* An answer that is not known has a reason. */
layout_answer layout_remap_is_identity(layout_remap *remap)
{
	layout_answer answer = remap ? remap_is_identity(remap, NULL) : LAYOUT_UNKNOWN;

	if (remap && answer == LAYOUT_UNKNOWN && remap->map && is_small(remap->source) &&
	    is_small(remap->destination) &&
	    layout_context_error(remap->ctx) == LAYOUT_ERROR_NONE)
		answer = look_at_sizes(remap);
	if (remap && answer == LAYOUT_UNKNOWN &&
	    layout_context_error(remap->ctx) == LAYOUT_ERROR_NONE)
		layout_fail(remap->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no proof that the two memories are the same, nor an element that tells them apart");
	return answer;
}
