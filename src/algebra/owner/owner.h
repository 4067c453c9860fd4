/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An owner: which subgroup, lane and register hold which element of a tile.
 *
 *	hw[subgroup, lane, register] -> tile[..]
 *
 * The numbers of the hardware are cut into digits, and a coordinate of the tile is
 *
 *	base[dim] + sum over its terms of weight * (xor of the digits of the set)
 *
 * Sets of one digit are the rule; all digits of a larger one are bits, and then the whole
 * coordinate is an XOR of bits. */
#ifndef LAYOUT_ALGEBRA_OWNER_H
#define LAYOUT_ALGEBRA_OWNER_H

#include "isl_bridge/context.h"
#include <layout/relation.h>

enum owner_part { OWNER_SUBGROUP, OWNER_LANE, OWNER_REGISTER, OWNER_PARTS };

enum { OWNER_RANK = 8, OWNER_DIGITS = 64, OWNER_TERMS = 192 };

/* floor(n / place) mod radix of the part's number n. */
struct owner_digit {
	enum owner_part part;
	int64_t place, radix;
};

/* weight * (the xor of the digits in the set), in coordinate "dim". */
struct owner_term {
	unsigned dim;
	uint64_t digits;
	int64_t weight;
};

/* On 0 <= hw[part] < extent[part], every point of which holds an element of the box, as
 * every element is held; a wave may have more lanes.  The digits of a part have growing
 * places, each beginning where the one before it ends, from 1 to the extent; the radix
 * is 2 at least.  Nothing is behind a pointer: owners are copied by assignment. */
struct owner {
	unsigned rank;
	int64_t box[OWNER_RANK], base[OWNER_RANK];
	int64_t extent[OWNER_PARTS];
	unsigned digit_count, term_count;
	struct owner_digit digits[OWNER_DIGITS];
	struct owner_term terms[OWNER_TERMS];
};

/* The owner that a relation is, on a wave of so many lanes.
 *
 *	relation : hardware -> tile	covers the box 0 <= tile[d] < box[d]
 *
 * Inputs named "lane" or "thread" number lanes, "subgroup", "wave" or "warp" the
 * subgroups, "block" and "workgroup" are 0, and the others number the registers, the
 * last fastest; without such names the first input is the lane.  Threads beyond the
 * wave are those of the next subgroups.  box NULL: what the relation reaches.
 *
 * NULL with LAYOUT_ERROR_INVALID and a witness where it is no function, needs more
 * lanes, or does not cover the box; with LAYOUT_ERROR_UNSUPPORTED where a register of a
 * lane holds nothing, or no digits and no XORs say what they hold. */
LAYOUT_INTERNAL LAYOUT_GIVE struct owner *owner_of_relation(layout_context *ctx,
	LAYOUT_KEEP layout_relation *relation, const int64_t *box, unsigned rank,
	unsigned wave_size) LAYOUT_SYMBOL(owner_of_relation);

/* The owner that is found where none is given: "vector" elements along dimension
 * order[0] in registers, then lanes along order[0], order[1], .., then subgroups, and in
 * registers what is left.  There is one for every box; where it has fewer elements, or its
 * extents do not divide, lanes hold what others hold, or are fewer. */
LAYOUT_INTERNAL LAYOUT_GIVE struct owner *owner_blocked(layout_context *ctx,
	const int64_t *box, unsigned rank, const unsigned *order, unsigned vector,
	unsigned lanes, unsigned subgroups) LAYOUT_SYMBOL(owner_blocked);

/* The same with no more than "first" of them along order[0]. */
struct owner_counts {
	unsigned lanes, first_lanes, subgroups, first_subgroups;
};
LAYOUT_INTERNAL LAYOUT_GIVE struct owner *owner_arranged(layout_context *ctx,
	const int64_t *box, unsigned rank, const unsigned *order, unsigned vector,
	const struct owner_counts *counts) LAYOUT_SYMBOL(owner_arranged);

LAYOUT_INTERNAL LAYOUT_GIVE struct owner *owner_copy(layout_context *ctx,
	LAYOUT_KEEP const struct owner *owner) LAYOUT_SYMBOL(owner_copy);
LAYOUT_INTERNAL void owner_free(LAYOUT_TAKE struct owner *owner)
	LAYOUT_SYMBOL(owner_free);

/* { hw[subgroup, lane, register] -> [..] }, and as isl's text. */
LAYOUT_INTERNAL LAYOUT_GIVE layout_relation *owner_relation(layout_context *ctx,
	LAYOUT_KEEP const struct owner *owner) LAYOUT_SYMBOL(owner_relation);
LAYOUT_INTERNAL LAYOUT_GIVE char *owner_str(layout_context *ctx,
	LAYOUT_KEEP const struct owner *owner) LAYOUT_SYMBOL(owner_str);

/* The coordinates of a point, "rank" of them. */
LAYOUT_INTERNAL void owner_point(const struct owner *owner,
	const int64_t hw[OWNER_PARTS], int64_t *coordinates) LAYOUT_SYMBOL(owner_point);

/* The first point after this one, registers fastest, or false; begin with { 0 }. */
LAYOUT_INTERNAL bool owner_next(const struct owner *owner, int64_t hw[OWNER_PARTS])
	LAYOUT_SYMBOL(owner_next);

/* All points in that order, at what owner_point() says they are: from one to the next, few digits
 * change.  Where no XOR has digits of a part, "change" is what a step adds that a digit counts, and
 * those below it begin again; and the digits' numbers are "list".  Begin, and go on while there are
 * more. */
struct owner_walk {
	const struct owner *owner;
	int64_t hw[OWNER_PARTS], at[OWNER_RANK];
	int64_t values[OWNER_DIGITS], xors[OWNER_TERMS];
	bool sums[OWNER_PARTS];
	unsigned list_count[OWNER_PARTS];
	uint8_t list[OWNER_PARTS][OWNER_DIGITS];
	int64_t change[OWNER_DIGITS][OWNER_RANK], again[OWNER_PARTS][OWNER_RANK];
	uint8_t of[OWNER_DIGITS][OWNER_TERMS];	/* a digit's terms, so many of them */
	uint8_t counts[OWNER_DIGITS];
};

LAYOUT_INTERNAL void owner_walk_begin(struct owner_walk *walk, const struct owner *owner)
	LAYOUT_SYMBOL(owner_walk_begin);
LAYOUT_INTERNAL bool owner_walk_next(struct owner_walk *walk) LAYOUT_SYMBOL(owner_walk_next);
/* The first register of the next lane, from that of a lane on. */
bool owner_walk_next_lane(struct owner_walk *walk);

/* Elements of the box, and the number of one, the last coordinate fastest. */
LAYOUT_INTERNAL int64_t owner_elements(const struct owner *owner)
	LAYOUT_SYMBOL(owner_elements);
LAYOUT_INTERNAL int64_t owner_element(const struct owner *owner,
	const int64_t *coordinates) LAYOUT_SYMBOL(owner_element);

/* The number of a point: (s*lanes + l)*registers + r. */
static inline size_t owner_number(const struct owner *owner, const int64_t hw[OWNER_PARTS])
{
	return (size_t)((hw[OWNER_SUBGROUP] * owner->extent[OWNER_LANE] +
		hw[OWNER_LANE]) * owner->extent[OWNER_REGISTER] + hw[OWNER_REGISTER]);
}

/* How many points there are. */
static inline int64_t owner_points(const struct owner *owner)
{
	return owner->extent[OWNER_SUBGROUP] * owner->extent[OWNER_LANE] *
		owner->extent[OWNER_REGISTER];
}

/* The same function on the same points. */
LAYOUT_INTERNAL bool owner_equal(const struct owner *a, const struct owner *b)
	LAYOUT_SYMBOL(owner_equal);

/* Is each coordinate that has XORs one of bits: of terms that have a bit each, which they add to the
 * base, or take from it? */
LAYOUT_INTERNAL bool owner_is_apart(const struct owner *owner) LAYOUT_SYMBOL(owner_is_apart);

/* Do several points hold one element? */
LAYOUT_INTERNAL bool owner_is_replicated(const struct owner *owner)
	LAYOUT_SYMBOL(owner_is_replicated);

/* Digits such that the points where all of them are 0 hold every element once.  False
 * where there are none. */
LAYOUT_INTERNAL bool owner_guard(const struct owner *owner, uint64_t *digits)
	LAYOUT_SYMBOL(owner_guard);

/* The owners of views, which hold the same in the same places.  In place, or false
 * without an error, and the owner as it was, where there is none: a digit that does not
 * split, too many dimensions.
 *
 *	permute		the new dimension k is the old order[k]
 *	expand		"dim" becomes "count" of these extents, their product its own
 *	collapse	"count" dimensions from "dim" on become one
 *	insert		a new dimension "dim" of extent 1
 *	project		without "dim": where lanes held different coordinates of it, they
 *			hold the same now; and registers, which are as many as before */
LAYOUT_INTERNAL bool owner_permute(struct owner *owner, const unsigned *order)
	LAYOUT_SYMBOL(owner_permute);
LAYOUT_INTERNAL bool owner_expand(struct owner *owner, unsigned dim,
	const int64_t *extents, unsigned count) LAYOUT_SYMBOL(owner_expand);
LAYOUT_INTERNAL bool owner_collapse(struct owner *owner, unsigned dim, unsigned count)
	LAYOUT_SYMBOL(owner_collapse);
LAYOUT_INTERNAL bool owner_insert(struct owner *owner, unsigned dim)
	LAYOUT_SYMBOL(owner_insert);
LAYOUT_INTERNAL void owner_project(struct owner *owner, unsigned dim)
	LAYOUT_SYMBOL(owner_project);

/* The owner of a tile of that box whose elements are seen as others: where "view" holds
 * element n, it holds elements[n], both row-major numbers; not all of them need be there.
 * NULL, without an error unless memory ran out, where no digits and no XORs say so. */
LAYOUT_INTERNAL LAYOUT_GIVE struct owner *owner_through(layout_context *ctx,
	const struct owner *view, const uint32_t *elements, const int64_t *box,
	unsigned rank) LAYOUT_SYMBOL(owner_through);

/* Give what the highest bit of the registers says to the bit of the lanes at "place", by
 * which nothing was told apart, so that a lane has half as many registers.  False, and the
 * owner is not to be used, where one of them is no such bit. */
LAYOUT_INTERNAL bool owner_spread(struct owner *owner, int64_t place)
	LAYOUT_SYMBOL(owner_spread);

/* Only the first of the registers that hold the same because digits are in no term.
 * "old", if not NULL, has room for all registers and gets the number that each of those
 * kept had. */
LAYOUT_INTERNAL void owner_drop_registers(struct owner *owner, unsigned *old)
	LAYOUT_SYMBOL(owner_drop_registers);

/* Append a digit above those that the part has, and a term; false where there is no room.
 * A radix of 1 is no digit. */
bool owner_add_digit(struct owner *owner, enum owner_part part, int64_t radix);
bool owner_add_term(struct owner *owner, unsigned dim, uint64_t digits, int64_t weight);

/* Find base, digits and terms from the images of all points, by number, rank, box and
 * extents being there; false where there are none, and "hw" a point that does not fit. */
bool owner_read(struct owner *owner, const int64_t *images, int64_t hw[OWNER_PARTS]);

#endif
