/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tile of a workgroup: which lane and register hold which element.
 *
 * The logical box of the destination, rounded up to what the destination stores, is
 * cut into boxes of constant extents, the tiles.  The coordinate of a tile is dims[d] of
 * the plan, so
 *
 *	i[d] = step[d] * dims[d] + t[d],	0 <= t[d] < extent[d]
 *
 * and t[d] is a mixed-radix number whose digits are held by the register number or by
 * the lane number.  The last tile of a dimension may begin earlier, so that it is whole:
 * what it shares with the one before is then copied twice.
 * On both sides, the address of an element is a base, the same for the
 * whole tile, plus what its digits are worth.  Tiles of the source that do not divide those
 * of the plan, and digits that are rotated, are counted besides, as carries.  A tile goes from the source
 * to the destination in one move, or in two by way of the LDS.
 *
 * Addresses count elements of their side.  Index expressions are over the sizes; those of
 * a base over sizes and dims. */
#ifndef LAYOUT_KERNEL_TILE_H
#define LAYOUT_KERNEL_TILE_H

#include "algebra/digits/digit.h"
#include "isl_bridge/index.h"

struct tile_dim {
	int64_t extent, step;		/* the next tile begins "step" further; less than the */
					/* extent: tiles that follow each other in a row share */
					/* a sector of it, which one of them stores whole */
	struct index *low, *high;	/* the source has an element for low <= i < high */
	struct index *end;		/* the destination has a cell for 0 <= i < end */
	bool some_unread;		/* a tile may reach outside [low, high) */
	bool some_unwritten;		/* a tile may reach beyond end */
	int64_t read_step, written_step;	/* divide low and high; end */
	struct index *pitch[2];		/* of the source and the destination: what i[d] is worth, */
					/* where a tile that reaches beyond the end may begin */
					/* earlier: low = 0 and high = end; else NULL */
};

/* Where a move holds a digit: floor(n / place) mod radix of the register or lane
 * number n.  Place 0: nowhere; other digits of the same dimension are in its stead, as
 * the digits of the two sides do not meet. */
struct tile_place {
	bool lane;
	int64_t place;
};

/* weight * (the xor of the digits in the set).  A set of one is the rule; all digits of
 * a larger one have the same radix, a power of two.  "backward", of a set of one: weight *
 * (radix - 1 - the digit). */
struct tile_term {
	uint64_t digits;
	struct index *weight;
	bool backward;
};

/* The sum of ((times * step / unit) mod radix) * digit over the digits in the set; radix 0: no
 * mod. */
struct tile_count {
	uint64_t digits;
	int64_t unit, times, radix;
};

enum { CARRY_COUNTS = 2 };

/* A slot of a storage whose tiles may begin inside those of the plan, or the digit of one that
 * is rotated: with
 *
 *	n = first + the sum of the counts
 *
 * the slot adds weight * (floor(n / step) mod radix); radix 0: weight * floor(n / step).
 * "first" is over sizes and dims, 0 <= first < bound. */
struct tile_carry {
	unsigned dim;			/* of the digits of the first count */
	struct tile_count counts[CARRY_COUNTS];
	struct index *first;
	int64_t bound, step, radix;
	struct index *weight;
};

/* One side of a move.  A lane accesses "vector" elements at a time, a power of two of
 * them, of those that follow each other in memory, "step" apart: of the digits of single
 * terms, held by registers, from weight "step" on, as many as it takes until the vector
 * divides what they span. */
struct tile_side {
	struct index *base;
	unsigned term_count;
	struct tile_term *terms;
	unsigned carry_count;
	struct tile_carry *carries;
	unsigned vector, step;
};

/* Lanes whose number is not 0 in these digits have nothing to do: what they would
 * hold, another lane holds. */
struct tile_spare {
	int64_t place, radix;
};

/* t[d] is the sum of step * digit over the digits that have a place; terms are of
 * these.  "registers" elements a lane. */
struct tile_move {
	struct tile_place *places;	/* by digit */
	int64_t registers;
	unsigned spare_count;
	struct tile_spare *spares;
	struct tile_side load, store;
};

enum { TILE_DIGITS = 64 };

/* What a step of the digit adds to n. */
static inline int64_t tile_count_step(const struct tile_count *count,
	const struct digit *digit)
{
	int64_t steps = digit->step / count->unit;

	return count->radix ? steps % count->radix * count->times % count->radix :
		steps * count->times;
}

struct plan_tile {
	unsigned dim_count, digit_count;
	struct tile_dim *dims;		/* as many as the plan has before its lanes */
	struct digit *digits;
	unsigned move_count;		/* 2: the first stores to the LDS, the second loads
					 * from it, after a barrier; both in elements of
					 * the destination's type */
	struct tile_move moves[2];
	int64_t lds_elements;
};

/* The dimension whose tiles share sectors, or the count. */
LAYOUT_INTERNAL unsigned plan_tile_shared_dim(const struct plan_tile *tile)
	LAYOUT_SYMBOL(plan_tile_shared_dim);

/* May tiles begin earlier, to be whole? */
LAYOUT_INTERNAL bool plan_tile_begins_earlier(const struct plan_tile *tile)
	LAYOUT_SYMBOL(plan_tile_begins_earlier);

/* May tiles copy again what the one before does? */
LAYOUT_INTERNAL bool plan_tile_overlaps(const struct plan_tile *tile)
	LAYOUT_SYMBOL(plan_tile_overlaps);

LAYOUT_INTERNAL void plan_tile_free(struct plan_tile *tile)
	LAYOUT_SYMBOL(plan_tile_free);

#endif
