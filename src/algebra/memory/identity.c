/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps that change nothing: the destination's memory is the source's, bit for bit.
 *
 * Cheapest first: the same text; sizes and an element that tell the two apart; proofs;
 * all elements, where they are few. */
#include "algebra/memory/difference.h"
#include "algebra/storage/remap_map.h"

/* The elements of which all are looked at. */
enum { MOST_ELEMENTS = 1 << 16 };

/* Elements of a map, one after the other. */
struct visit {
	struct sides_at at;
	int64_t count;
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
	return ++all->count <= MOST_ELEMENTS && !all->moved;
}

/* Every cell of the destination has an element of the source, at the same place, and
 * there are as many as the source has cells. */
static layout_answer look_at_map(const struct sides *sides)
{
	struct visit all = { .count = 0 };

	if (!sides_fix(&all.at, sides, NULL) ||
	    all.at.cells[FACTOR_LOAD] > MOST_ELEMENTS ||
	    !layout_relation_for_each(sides->remap->map->map, visit, &all))
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

/* An answer that is not known has a reason. */
layout_answer layout_remap_is_identity(layout_remap *remap)
{
	layout_answer answer = remap ? remap_is_identity(remap, NULL) : LAYOUT_UNKNOWN;

	if (remap && answer == LAYOUT_UNKNOWN &&
	    layout_context_error(remap->ctx) == LAYOUT_ERROR_NONE)
		layout_fail(remap->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no proof that the two memories are the same, nor an element that tells them apart");
	return answer;
}
