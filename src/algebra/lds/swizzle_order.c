/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order of the bits of an offset, where it does not matter to the banks: bits of the
 * lane's number that move equally far take one shift and one mask together. */
#include "algebra/lds/swizzle.h"

/* How far bits move, as a set of distances. */
struct distances {
	uint64_t first, flipped;
};

/* In each bit of the offset, what comes second is combined by xor with what is there. */
static void add_row(struct distances *distances, const struct swizzle_side *side,
	uint64_t row, unsigned bit)
{
	bool taken = false;

	for (unsigned i = 0; i < side->lane_count; i++) {
		uint64_t distance = (uint64_t)1 << (SWIZZLE_BITS + bit - i);

		if (!__builtin_parityll(row & side->lanes[i]))
			continue;
		if (taken)
			distances->flipped |= distance;
		else
			distances->first |= distance;
		taken = true;
	}
}

static unsigned cost_of(const struct swizzle *swizzle, const struct swizzle_side sides[2])
{
	unsigned cost = 0;

	for (unsigned side = 0; side < 2; side++) {
		struct distances distances = { 0, 0 };

		for (unsigned bit = 0; bit < swizzle->bits; bit++)
			add_row(&distances, &sides[side], swizzle->rows[bit], bit);
		cost += (unsigned)(__builtin_popcountll(distances.first) +
			__builtin_popcountll(distances.flipped));
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

/* Keep the first exchange of bits from "begin" up to "end" that costs less. */
static bool improve(struct swizzle *swizzle, const struct swizzle_side sides[2],
	unsigned begin, unsigned end)
{
	unsigned cost = cost_of(swizzle, sides);

	for (unsigned a = begin; a < end; a++)
		for (unsigned b = a + 1; b < end; b++) {
			exchange(swizzle, a, b);
			if (cost_of(swizzle, sides) < cost)
				return true;
			exchange(swizzle, a, b);
		}
	return false;
}

/* The first lane of a side that a bit of the offset depends on; registers are last. */
static unsigned lane_of(const struct swizzle *swizzle, const struct swizzle_side *side,
	unsigned bit)
{
	unsigned lane = 0;

	while (lane < side->lane_count &&
	       !__builtin_parityll(swizzle->rows[bit] & side->lanes[lane]))
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

void swizzle_order(struct swizzle *swizzle, const struct swizzle_side sides[2],
	unsigned low, unsigned line)
{
	unsigned middle = line < swizzle->bits ? line : swizzle->bits;
	struct swizzle best = *swizzle;

	for (unsigned start = 0; start < 4; start++) {
		struct swizzle next = *swizzle;

		sort(&next, &sides[start & 1], low, middle);
		sort(&next, &sides[start >> 1], middle, next.bits);
		while (improve(&next, sides, low, middle) ||
		       improve(&next, sides, middle, next.bits))
			;
		if (cost_of(&next, sides) < cost_of(&best, sides))
			best = next;
	}
	*swizzle = best;
}
