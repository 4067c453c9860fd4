/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order of the bits of an offset, where it does not matter to the banks: bits of the
 * lane's number that move equally far take one shift and one mask together. */
#include "algebra/lds/swizzle.h"

/* A swizzle whose bits change places, and by side what the lanes' bits do to each: a set of
 * distances that they would move to bit 0 of an offset. */
struct order {
	struct lds_swizzle *swizzle;
	const struct swizzle_side *sides;
	uint64_t moves[2][SWIZZLE_BITS];
};

/* How far bits move, as a set of distances. */
struct distances {
	uint64_t first, flipped;
};

/* What bit i of the lane's number is worth, in whatever wave. */
static uint64_t lane_bit(const struct swizzle_side *side, unsigned i)
{
	return i < side->lane_count ? side->lanes[i] : side->waves[i - side->lane_count];
}

static uint64_t moves_of(const struct swizzle_side *side, uint64_t row)
{
	uint64_t moves = 0;

	for (unsigned i = 0; i < side->lane_count + side->wave_count; i++)
		moves |= (uint64_t)__builtin_parityll(row & lane_bit(side, i)) <<
			(SWIZZLE_BITS - i);
	return moves;
}

/* In each bit of the offset, what comes second is combined by xor with what is there: the
 * first bit of the lane's number moves farthest. */
static void add_row(struct distances *distances, uint64_t moves, unsigned bit)
{
	uint64_t first = moves ? UINT64_C(1) << (63 - __builtin_clzll(moves)) : 0;

	distances->first |= first << bit;
	distances->flipped |= (moves ^ first) << bit;
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

static unsigned cost_of(const struct order *order)
{
	unsigned cost = 0;

	for (unsigned side = 0; side < 2; side++) {
		struct distances distances = { 0, 0 };

		for (unsigned bit = 0; bit < order->swizzle->bits; bit++)
			add_row(&distances, order->moves[side][bit], bit);
		cost += side_cost(&distances, order->sides[side].wave_count > 0);
	}
	return cost;
}

static void exchange_bits(uint64_t *list, unsigned a, unsigned b)
{
	uint64_t first = list[a];

	list[a] = list[b];
	list[b] = first;
}

static void exchange(struct order *order, unsigned a, unsigned b)
{
	exchange_bits(order->swizzle->columns, a, b);
	exchange_bits(order->swizzle->rows, a, b);
	for (unsigned side = 0; side < 2; side++)
		exchange_bits(order->moves[side], a, b);
}

/* Bit "from" goes to place "to", and those between them one back. */
static void insert(struct order *order, unsigned from, unsigned to)
{
	for (; from < to; from++)
		exchange(order, from, from + 1);
	for (; from > to; from--)
		exchange(order, from, from - 1);
}

/* The exchange or other place of bits from "begin" up to "end" that costs least, the
 * first of equals, where that is less than it was. */
static bool improve(struct order *order, unsigned begin, unsigned end)
{
	void (*const ways[])(struct order *order, unsigned a, unsigned b) = { exchange, insert };
	unsigned least = cost_of(order), cost, found[3] = { 0 };
	bool improved = false;

	for (unsigned a = begin; a < end; a++)
		for (unsigned b = begin; b < end; b++)
			for (unsigned way = b < a; way < 2; way++) {
				ways[way](order, a, b);
				cost = cost_of(order);
				ways[way](order, b, a);
				if (cost >= least)
					continue;
				least = cost;
				found[0] = way;
				found[1] = a;
				found[2] = b;
				improved = true;
			}
	if (improved)
		ways[found[0]](order, found[1], found[2]);
	return improved;
}

/* The first lane of a side that a bit of the offset depends on; registers are last. */
static unsigned lane_of(const struct lds_swizzle *swizzle, const struct swizzle_side *side,
	unsigned bit)
{
	unsigned lane = 0;

	while (lane < side->lane_count + side->wave_count &&
	       !__builtin_parityll(swizzle->rows[bit] & lane_bit(side, lane)))
		lane++;
	return lane;
}

static void sort(struct order *order, unsigned side, unsigned begin, unsigned end)
{
	const struct swizzle_side *of = &order->sides[side];

	for (unsigned i = begin; i < end; i++)
		for (unsigned k = i; k > begin && lane_of(order->swizzle, of, k) <
		     lane_of(order->swizzle, of, k - 1); k--)
			exchange(order, k, k - 1);
}

static void begin(struct order *order, struct lds_swizzle *swizzle,
	const struct swizzle_side sides[2])
{
	order->swizzle = swizzle;
	order->sides = sides;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned bit = 0; bit < swizzle->bits; bit++)
			order->moves[side][bit] = moves_of(&sides[side], swizzle->rows[bit]);
}

/* The best that improving gets from here, if that is better than the best, which costs
 * "least". */
static void try(const struct order *from, unsigned low, unsigned middle,
	struct lds_swizzle *best, unsigned *least)
{
	struct lds_swizzle swizzle = *from->swizzle;
	struct order next = *from;
	unsigned cost;

	next.swizzle = &swizzle;
	while (improve(&next, middle, swizzle.bits) || improve(&next, low, middle))
		;
	cost = cost_of(&next);
	if (cost >= *least)
		return;
	*least = cost;
	*best = swizzle;
}

void swizzle_order(struct lds_swizzle *swizzle, const struct swizzle_side sides[2],
	unsigned low, unsigned line)
{
	unsigned middle = line < swizzle->bits ? line : swizzle->bits, least;
	struct lds_swizzle best = *swizzle, next;
	struct order order;

	begin(&order, swizzle, sides);
	least = cost_of(&order);
	for (unsigned start = 0; start < 4; start++) {
		next = *swizzle;
		begin(&order, &next, sides);
		sort(&order, start & 1, low, middle);
		sort(&order, start >> 1, middle, next.bits);
		try(&order, low, middle, &best, &least);
	}
	next = best;
	begin(&order, &next, sides);
	for (unsigned turn = low; turn + 1 < middle; turn++) {
		insert(&order, middle - 1, low);
		try(&order, low, middle, &best, &least);
	}
	*swizzle = best;
}
