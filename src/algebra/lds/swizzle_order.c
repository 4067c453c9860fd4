/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order of the bits of an offset, where it does not matter to the banks: bits of the
 * lane's number that move equally far take one shift and one mask together. */
#include "algebra/lds/swizzle.h"

/* How far bits move, as a set of distances. */
struct distances {
	uint64_t first, flipped;
};

/* What bit i of the lane's number is worth, in whatever wave. */
static uint64_t lane_bit(const struct swizzle_side *side, unsigned i)
{
	return i < side->lane_count ? side->lanes[i] : side->waves[i - side->lane_count];
}

/* In each bit of the offset, what comes second is combined by xor with what is there. */
static void add_row(struct distances *distances, const struct swizzle_side *side,
	uint64_t row, unsigned bit)
{
	bool taken = false;

	for (unsigned i = 0; i < side->lane_count + side->wave_count; i++) {
		uint64_t distance = (uint64_t)1 << (SWIZZLE_BITS + bit - i);

		if (!__builtin_parityll(row & lane_bit(side, i)))
			continue;
		if (taken)
			distances->flipped |= distance;
		else
			distances->first |= distance;
		taken = true;
	}
}

/* As many halves of instructions.  A tile's lanes move all bits that go equally far at once,
 * and without xor distances may have a mask in common; a conversion, whose numbers are of
 * one wave, combines by xor what it has moved. */
static unsigned side_cost(const struct distances *distances, bool is_tile)
{
	unsigned first = (unsigned)__builtin_popcountll(distances->first);
	unsigned flipped = (unsigned)__builtin_popcountll(distances->flipped);
	unsigned all = (unsigned)__builtin_popcountll(distances->first | distances->flipped);

	if (!is_tile)
		return 2 * (first + flipped);
	return (flipped ? 3 : 2) * all;
}

static unsigned cost_of(const struct swizzle *swizzle, const struct swizzle_side sides[2])
{
	unsigned cost = 0;

	for (unsigned side = 0; side < 2; side++) {
		struct distances distances = { 0, 0 };

		for (unsigned bit = 0; bit < swizzle->bits; bit++)
			add_row(&distances, &sides[side], swizzle->rows[bit], bit);
		cost += side_cost(&distances, sides[side].wave_count > 0);
	}
	return cost;
}

static void exchange(struct swizzle *swizzle, unsigned a, unsigned b)
{
	uint64_t column = swizzle->columns[a], row = swizzle->rows[a];

	swizzle->columns[a] = swizzle->columns[b];
	swizzle->rows[a] = swizzle->rows[b];
	swizzle->columns[b] = column;
	swizzle->rows[b] = row;
}

/* Bit "from" goes to place "to", and those between them one back. */
static void insert(struct swizzle *swizzle, unsigned from, unsigned to)
{
	for (; from < to; from++)
		exchange(swizzle, from, from + 1);
	for (; from > to; from--)
		exchange(swizzle, from, from - 1);
}

/* The exchange or other place of bits from "begin" up to "end" that costs least, the
 * first of equals, where that is less than it was. */
static bool improve(struct swizzle *swizzle, const struct swizzle_side sides[2],
	unsigned begin, unsigned end)
{
	unsigned least = cost_of(swizzle, sides), cost;
	struct swizzle best = *swizzle;
	bool improved = false;

	for (unsigned a = begin; a < end; a++)
		for (unsigned b = begin; b < end; b++)
			for (unsigned way = b < a; way < 2; way++) {
				struct swizzle next = *swizzle;

				(way ? insert : exchange)(&next, a, b);
				cost = cost_of(&next, sides);
				if (cost >= least)
					continue;
				least = cost;
				best = next;
				improved = true;
			}
	*swizzle = best;
	return improved;
}

/* The first lane of a side that a bit of the offset depends on; registers are last. */
static unsigned lane_of(const struct swizzle *swizzle, const struct swizzle_side *side,
	unsigned bit)
{
	unsigned lane = 0;

	while (lane < side->lane_count + side->wave_count &&
	       !__builtin_parityll(swizzle->rows[bit] & lane_bit(side, lane)))
		lane++;
	return lane;
}

static void sort(struct swizzle *swizzle, const struct swizzle_side *side,
	unsigned begin, unsigned end)
{
	for (unsigned i = begin; i < end; i++)
		for (unsigned k = i; k > begin && lane_of(swizzle, side, k) <
		     lane_of(swizzle, side, k - 1); k--)
			exchange(swizzle, k, k - 1);
}

/* The best that improving gets from here, if that is better than "best". */
static void try(const struct swizzle *from, const struct swizzle_side sides[2],
	unsigned low, unsigned middle, struct swizzle *best)
{
	struct swizzle next = *from;

	while (improve(&next, sides, middle, next.bits) ||
	       improve(&next, sides, low, middle))
		;
	if (cost_of(&next, sides) < cost_of(best, sides))
		*best = next;
}

void swizzle_order(struct swizzle *swizzle, const struct swizzle_side sides[2],
	unsigned low, unsigned line)
{
	unsigned middle = line < swizzle->bits ? line : swizzle->bits;
	struct swizzle best = *swizzle, next;

	for (unsigned start = 0; start < 4; start++) {
		next = *swizzle;
		sort(&next, &sides[start & 1], low, middle);
		sort(&next, &sides[start >> 1], middle, next.bits);
		try(&next, sides, low, middle, &best);
	}
	next = best;
	for (unsigned turn = low; turn + 1 < middle; turn++) {
		insert(&next, middle - 1, low);
		try(&next, sides, low, middle, &best);
	}
	*swizzle = best;
}
