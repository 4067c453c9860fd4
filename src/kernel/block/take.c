/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/block/parts.h"
#include "isl_bridge/arithmetic.h"

/* Bytes that the inner loops go along on a side, so that lines and pages of the other side
 * are not left before they were used: measured for transposed matrices that no cache holds.  With
 * twice as many along the destination, what is on its way there leaves the nearest caches. */
static const int64_t near_bytes[FACTOR_SIDES] = { 4096, 512 };

/* Steps of a block that is one of several; together they have half as many again at most.  And bytes
 * of one that overlaps others, and of the rows that these make up. */
enum { LEAST_EVEN = 8, LEAST_COVER = 32, MOST_COVER = 1024 };

/* Bytes of a row that is copied: at least, where that is known, and about as many at once. */
enum { LEAST_ROW = 65, ROW = 16384 };

/* Of one that is a block: at most, by so many vectors of so many bytes.  Blocks that follow each
 * other in the destination are stored in whole lines. */
enum { MOST_SHORT = 1024, MOST_VECTORS = 128, LEAST_VECTOR = 4 };

/* Of rows of the source that are so far apart, or that may be, so many bytes each are read at
 * once: a line of each alone takes memory two or three times as long where rows are a power of
 * two apart, and more would make more rows of the destination. */
enum { PAGE = 4096, PART = 256 };

int64_t plan_block_weight(const struct factor_digit *digit, enum factor_side side)
{
	const struct index *weight = digit->weight[side];

	return weight->op == INDEX_INT ? weight->value : 0;
}

int plan_block_digit_worth(const struct factors *factors, enum factor_side side,
	int64_t weight)
{
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (plan_block_weight(&factors->digits[i], side) == weight &&
		    factors->digits[i].most != 1)
			return (int)i;
	return -1;
}

int64_t plan_block_steps(const struct factors *factors, const struct factor_digit *digit)
{
	int64_t end = factor_reach(factors, digit->digit.dim);

	if (digit->digit.radix || end == INT64_MAX || end % digit->digit.step)
		return digit->digit.radix;
	return end / digit->digit.step;
}

/* The digit whose steps are those of elements on both sides; -1: there is none. */
static int row_digit(const struct factors *factors)
{
	int load = plan_block_digit_worth(factors, FACTOR_LOAD, 1);

	return load == plan_block_digit_worth(factors, FACTOR_STORE, 1) ? load : -1;
}

/* What is turned by shuffles of bits: the power of two that all steps of a dimension are better moved
 * by, where the last block begins earlier; 0: all of them are one block. */
static int64_t even_part(const struct factors *factors, const struct factor_digit *digit,
	int64_t all)
{
	int64_t part = LEAST_EVEN;

	if (digit->digit.radix || int_is_power2(all) || !factor_is_even(factors, digit->digit.dim) ||
	    digit - factors->digits == row_digit(factors))
		return 0;
	while (2 * part <= all)
		part *= 2;
	while (part >= LEAST_EVEN && 2 * ((all + part - 1) / part * part) > 3 * all)
		part /= 2;
	return part < LEAST_EVEN ? 0 : part;
}

/* How many steps of a digit the block has, if "wanted" are enough: all, or a power of two
 * that divides them. */
static int64_t part_of(const struct factors *factors, const struct factor_digit *digit,
	int64_t wanted)
{
	int64_t part = 1, radix = digit->digit.radix, all = plan_block_steps(factors, digit);

	if (all && all <= wanted) {
		part = even_part(factors, digit, all);
		return part ? part : all;
	}
	while (2 * part <= wanted && (radix ? radix % (2 * part) == 0 :
	       !digit->most || 2 * part <= digit->most))
		part *= 2;
	return part;
}

/* Take "most" elements, or a few less, that follow each other on a side.  True where the
 * first digit of them is in part the block's. */
static bool take_run(struct block_builder *b, enum factor_side side, int64_t most)
{
	const struct factors *factors = b->factors;
	int64_t run = 1;

	for (;;) {
		int at = plan_block_digit_worth(factors, side, run);
		const struct factor_digit *digit;
		int64_t part;

		if (at < 0 || run >= most)
			return run > 1;
		digit = &factors->digits[at];
		part = part_of(factors, digit, most / run);
		if (part > b->shares[at].part)
			b->shares[at].part = part;
		run *= part;
		if (part == 1 || part != plan_block_steps(factors, digit))
			return run > 1;
	}
}

/* Steps of what the block has of a digit that the inner loops go along, where "wanted" are
 * enough: all, of which the last may begin earlier if there are several, or a power of two that
 * divides them. */
static int64_t near_of(const struct factor_digit *digit, int64_t part, int64_t wanted)
{
	int64_t near = 1, rest = digit->digit.radix / part;
	int64_t most = digit->digit.radix ? 0 : (digit->most + part - 1) / part;

	if (rest && rest <= wanted)
		return rest;
	if (most > 2 && most <= wanted)
		return most;
	while (2 * near <= wanted && (rest ? rest % (2 * near) == 0 :
	       !digit->most || 2 * near * part <= digit->most))
		near *= 2;
	return near;
}

/* Do blocks have all of the digit that is worth so much in the destination, or of sizes that are not
 * known? */
static bool goes_on_evenly(const struct block_builder *b, int64_t weight)
{
	int next = plan_block_digit_worth(b->factors, FACTOR_STORE, weight);

	return next >= 0 && plan_block_steps(b->factors, &b->factors->digits[next]) %
		b->shares[next].part == 0;
}

/* How many blocks of "part" steps have all of them and begin as far from each other; 0: too many. */
static int64_t covering(int64_t all, int64_t part)
{
	int64_t turns = (all + part - 1) / part;

	while (5 * turns * part <= 8 * all && (all - part) % (turns - 1))
		turns++;
	return 5 * turns * part <= 8 * all ? turns : 0;
}

/* Rows of the destination that are short, and follow each other: blocks that overlap have all of one,
 * so that the inner loops go on along the next. */
static bool covers(const struct block_builder *b, const struct factor_digit *digit,
	struct block_share *share)
{
	int64_t all = plan_block_steps(b->factors, digit), bytes = b->bytes[FACTOR_STORE];
	int64_t part = share->part, turns = 0;

	if (digit->digit.radix || all <= part || b->packed > 1 || b->unit > 1 ||
	    all * bytes >= MOST_COVER || all % part == 0 ||
	    !factor_is_even(b->factors, digit->digit.dim) ||
	    !goes_on_evenly(b, all * plan_block_weight(digit, FACTOR_STORE)))
		return false;
	for (; part % 2 == 0 && part * bytes >= LEAST_COVER && !turns; part /= 2)
		turns = covering(all, part);
	if (!turns)
		return false;
	share->part = 2 * part;
	share->near = turns;
	share->apart = (all - share->part) / (turns - 1);
	return true;
}

/* The inner loops go on along what follows on a side: how many elements with those of the
 * block. */
static int64_t take_near(struct block_builder *b, enum factor_side side)
{
	const struct factors *factors = b->factors;
	int64_t most = near_bytes[side] / b->bytes[side], run = 1;

	while (run < most) {
		int at = plan_block_digit_worth(factors, side, run);
		struct block_share *share = at < 0 ? NULL : &b->shares[at];

		if (!share)
			break;
		if (share->near == 1) {
			share->side = side;
			if (side == FACTOR_STORE && covers(b, &factors->digits[at], share)) {
				run *= plan_block_steps(factors, &factors->digits[at]);
				continue;
			}
			share->near = near_of(&factors->digits[at], share->part,
				most / (run * share->part));
		}
		run *= share->part * share->near;
		if (share->part * share->near != plan_block_steps(factors, &factors->digits[at]))
			break;
	}
	return run;
}

int64_t plan_block_widest(const struct block_builder *b)
{
	return b->bytes[0] > b->bytes[1] ? b->bytes[0] : b->bytes[1];
}

/* Can what an xor changes be a flip of the block's: is it of the block alone, and in no vector
 * of the side that has no xor? */
static bool is_flip(const struct block_builder *b, const struct factor_xor *link)
{
	const struct factors *factors = b->factors;
	enum factor_side other = link->side == FACTOR_LOAD ? FACTOR_STORE : FACTOR_LOAD;
	int64_t weight = plan_block_weight(&factors->digits[link->to], other);

	if (b->shares[link->from].part > 1 || (weight && weight < b->vector_bytes /
	    b->bytes[other]))
		return false;
	for (unsigned i = 0; i < factors->xor_count; i++) {
		const struct factor_xor *x = &factors->xors[i];

		if (x->to == link->from || x->from == link->to ||
		    (x != link && x->to == link->to))
			return false;
	}
	return true;
}

/* All of the digits that are xored, or with "flips" what is changed and not always with what;
 * unless they are too many. */
static bool take_linked(struct block_builder *b, bool flips)
{
	const struct factors *factors = b->factors;
	int64_t elements = 1;

	for (unsigned i = 0; i < factors->xor_count; i++) {
		const struct factor_xor *link = &factors->xors[i];

		if (!flips || !is_flip(b, link))
			b->shares[link->from].part = factors->digits[link->from].digit.radix;
		b->shares[link->to].part = factors->digits[link->to].digit.radix;
	}
	for (unsigned i = 0; i < factors->digit_count; i++) {
		elements *= b->shares[i].part;
		if (elements * plan_block_widest(b) > b->vector_bytes * b->vector_bytes)
			return false;
	}
	return true;
}

static void clear_shares(struct block_builder *b)
{
	for (unsigned i = 0; i < b->factors->digit_count; i++)
		b->shares[i] = (struct block_share){ 1, 1, 1, 0, FACTOR_LOAD };
}

/* The elements of a row that both sides have, longer than a vector, and that is a block: vectors for
 * all of it; 0: there is none. */
static int64_t short_row(const struct block_builder *b)
{
	int row = row_digit(b->factors);
	int64_t all = row < 0 ? 0 : plan_block_steps(b->factors, &b->factors->digits[row]);
	int64_t bytes = all * plan_block_widest(b), vector = int_gcd(bytes, b->vector_bytes);

	return bytes > b->vector_bytes && bytes <= MOST_SHORT && vector >= LEAST_VECTOR &&
		bytes / vector <= MOST_VECTORS ? all : 0;
}

/* A vector of what follows each other on either side, so many times less of the source:
 * together no more vectors than one has bytes. */
static bool take_vectors(struct block_builder *b, int64_t less, bool flips)
{
	int64_t row = b->factors->xor_count ? 0 : short_row(b);

	clear_shares(b);
	if (row) {
		b->shares[row_digit(b->factors)].part = row;
		return true;
	}
	return take_run(b, FACTOR_LOAD, b->vector_bytes / b->bytes[FACTOR_LOAD] / less) &&
		take_run(b, FACTOR_STORE, b->vector_bytes / b->bytes[FACTOR_STORE]) &&
		take_linked(b, flips);
}

/* Are there rows of the source far apart, or may they be? */
static bool is_scattered(const struct block_builder *b)
{
	for (unsigned i = 0; i < b->factors->digit_count; i++) {
		const struct index *step = b->factors->digits[i].weight[FACTOR_LOAD];

		if (b->shares[i].part > 1 && (step->op != INDEX_INT ||
		    step->value * b->bytes[FACTOR_LOAD] >= PAGE))
			return true;
	}
	return false;
}

/* The innermost loop along the source. */
static void take_lines(struct block_builder *b)
{
	struct block_share *share = &b->shares[plan_block_digit_worth(b->factors, FACTOR_LOAD, 1)];

	if (share->side == FACTOR_LOAD && is_scattered(b))
		share->lines = int_gcd(share->near, PART / b->vector_bytes);
}

bool plan_block_take(struct block_builder *b)
{
	bool taken = take_vectors(b, 1, false);

	for (int64_t less = 1; b->factors->xor_count && !taken && less <= 4; less *= 2)
		taken = take_vectors(b, less, true);
	if (!taken)
		return false;
	b->chunk = take_near(b, FACTOR_STORE);
	take_near(b, FACTOR_LOAD);
	take_lines(b);
	return true;
}

bool plan_block_take_row(struct block_builder *b)
{
	const struct factors *factors = b->factors;
	int at = row_digit(factors);
	const struct factor_digit *digit;
	int64_t all;

	if (at < 0 || factors->xor_count || b->bytes[FACTOR_LOAD] != b->bytes[FACTOR_STORE])
		return false;
	digit = &factors->digits[at];
	all = plan_block_steps(factors, digit);
	if (all && (short_row(b) || all * plan_block_widest(b) < LEAST_ROW))
		return false;
	clear_shares(b);
	b->shares[at].part = part_of(factors, digit, ROW / plan_block_widest(b));
	if (b->shares[at].part * plan_block_widest(b) < LEAST_ROW)
		b->shares[at].part = all;
	take_near(b, FACTOR_STORE);
	take_near(b, FACTOR_LOAD);
	return b->shares[at].part > 1;
}
