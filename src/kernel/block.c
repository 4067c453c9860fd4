/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/block.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

#include <stdlib.h>

/* Bytes that the inner loops go along on a side, so that lines and pages of the other side
 * are not left before they were used: measured for transposed matrices that no cache holds. */
static const int64_t near_bytes[FACTOR_SIDES] = { 4096, 1024 };

/* As many elements at most along the destination: each may be in a page of its own. */
enum { NEAR_PAGES = 1024 };

/* Bytes of a row that is copied: at least, where that is known, and about as many at once. */
enum { LEAST_ROW = 256, ROW = 16384 };

/* Where a block has so many rows of the source, or more, as many lines of each are read at
 * once: they would not all stay in a cache to which rows are a power of two apart.  Where rows
 * of the destination are whole pages apart, so many more of these at once are what memory is
 * slow to store: measured, half as fast. */
enum { MANY_ROWS = 32, LINES = 2, PAGE = 4096 };

/* What is left of a digit: the part that the block has, the steps of that which the inner
 * loops go along, and the others. */
struct share {
	int64_t part;		/* 1: none of it is in the block */
	int64_t near;		/* 1: no inner loop */
	int64_t lines;		/* of these, what an innermost loop has */
	enum factor_side side;	/* whose inner loop it is */
};

struct builder {
	const struct factors *factors;
	struct plan_block *block;
	int64_t bytes[FACTOR_SIDES];	/* of an element */
	int64_t vector_bytes;
	int64_t unit, packed;		/* as in struct plan_block */
	bool possible;			/* for some sizes */
	struct share shares[FACTOR_DIGITS];
	int64_t chunk;			/* as in struct plan_block */
	bool row;
	bool ok;			/* memory did not run out */
};

static bool is_zero(const struct index *index)
{
	return index->op == INDEX_INT && !index->value;
}

/* "whole" says for which sizes a value is a multiple of "by"; false where it is for none. */
static bool require(struct index **whole, struct index *value, int64_t by, bool *ok)
{
	struct index *is;

	if (factor_divisor(value) % by == 0)
		return true;
	if (value->op == INDEX_INT)
		return false;
	is = index_binary(INDEX_EQ, index_binary(INDEX_ZMOD, index_copy(value), index_int(by)), index_int(0));
	*whole = *whole ? index_binary(INDEX_AND, *whole, is) : is;
	*ok = *ok && *whole;
	return true;
}

/* What one step of a digit is worth, if that is a number; else 0. */
static int64_t weight_of(const struct factor_digit *digit, enum factor_side side)
{
	const struct index *weight = digit->weight[side];

	return weight->op == INDEX_INT ? weight->value : 0;
}

/* The digit whose steps are worth "weight" on a side. */
static int digit_worth(const struct factors *factors, enum factor_side side,
	int64_t weight)
{
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (weight_of(&factors->digits[i], side) == weight &&
		    factors->digits[i].most != 1)
			return (int)i;
	return -1;
}

/* How many steps a digit has, of whichever sizes; 0: not known. */
static int64_t steps_of(const struct factors *factors, const struct factor_digit *digit)
{
	int64_t end = factor_reach(factors, digit->digit.dim);

	if (digit->digit.radix || end == INT64_MAX || end % digit->digit.step)
		return digit->digit.radix;
	return end / digit->digit.step;
}

/* How many steps of a digit the block has, if "wanted" are enough: all, or a power of two
 * that divides them. */
static int64_t part_of(const struct factors *factors, const struct factor_digit *digit,
	int64_t wanted)
{
	int64_t part = 1, radix = digit->digit.radix, all = steps_of(factors, digit);

	if (all && all <= wanted)
		return all;
	while (2 * part <= wanted && (radix ? radix % (2 * part) == 0 :
	       !digit->most || 2 * part <= digit->most))
		part *= 2;
	return part;
}

/* Take "most" elements, or a few less, that follow each other on a side.  True where the
 * first digit of them is in part the block's. */
static bool take_run(struct builder *b, enum factor_side side, int64_t most)
{
	const struct factors *factors = b->factors;
	int64_t run = 1;

	for (;;) {
		int at = digit_worth(factors, side, run);
		const struct factor_digit *digit;
		int64_t part;

		if (at < 0 || run >= most)
			return run > 1;
		digit = &factors->digits[at];
		part = part_of(factors, digit, most / run);
		if (part > b->shares[at].part)
			b->shares[at].part = part;
		run *= part;
		if (part == 1 || part != steps_of(factors, digit))
			return run > 1;
	}
}

/* Steps of what the block has of a digit that the inner loops go along, where "wanted" are
 * enough: all, or a power of two that divides them. */
static int64_t near_of(const struct factor_digit *digit, int64_t part, int64_t wanted)
{
	int64_t near = 1, rest = digit->digit.radix / part;

	if (rest && rest <= wanted)
		return rest;
	while (2 * near <= wanted && (rest ? rest % (2 * near) == 0 :
	       !digit->most || 2 * near * part <= digit->most))
		near *= 2;
	return near;
}

/* The inner loops go on along what follows on a side: how many elements with those of the
 * block. */
static int64_t take_near(struct builder *b, enum factor_side side)
{
	const struct factors *factors = b->factors;
	int64_t most = near_bytes[side] / b->bytes[side], run = 1;

	if (side == FACTOR_STORE && most > NEAR_PAGES)
		most = NEAR_PAGES;
	while (run < most) {
		int at = digit_worth(factors, side, run);
		struct share *share = at < 0 ? NULL : &b->shares[at];

		if (!share)
			break;
		if (share->near == 1) {
			share->side = side;
			share->near = near_of(&factors->digits[at], share->part,
				most / (run * share->part));
		}
		run *= share->part * share->near;
		if (share->part * share->near != steps_of(factors, &factors->digits[at]))
			break;
	}
	return run;
}

static int64_t widest(const struct builder *b)
{
	return b->bytes[0] > b->bytes[1] ? b->bytes[0] : b->bytes[1];
}

/* Can what an xor changes be a flip of the block's: is it of the block alone, and in no vector
 * of the side that has no xor? */
static bool is_flip(const struct builder *b, const struct factor_xor *link)
{
	const struct factors *factors = b->factors;
	enum factor_side other = link->side == FACTOR_LOAD ? FACTOR_STORE : FACTOR_LOAD;
	int64_t weight = weight_of(&factors->digits[link->to], other);

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
static bool take_linked(struct builder *b, bool flips)
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
		if (elements * widest(b) > b->vector_bytes * b->vector_bytes)
			return false;
	}
	return true;
}

static void clear_shares(struct builder *b)
{
	for (unsigned i = 0; i < b->factors->digit_count; i++)
		b->shares[i] = (struct share){ 1, 1, 1, FACTOR_LOAD };
}

/* A vector of what follows each other on either side, so many times less of the source:
 * together no more vectors than one has bytes. */
static bool take_vectors(struct builder *b, int64_t less, bool flips)
{
	clear_shares(b);
	return take_run(b, FACTOR_LOAD, b->vector_bytes / b->bytes[FACTOR_LOAD] / less) &&
		take_run(b, FACTOR_STORE, b->vector_bytes / b->bytes[FACTOR_STORE]) &&
		take_linked(b, flips);
}

/* The innermost loop along the source, for blocks of many rows of it. */
static void take_lines(struct builder *b)
{
	int at = digit_worth(b->factors, FACTOR_LOAD, 1);
	int64_t rows = 1;

	for (unsigned i = 0; i < b->factors->digit_count; i++)
		rows *= (int)i == at ? 1 : b->shares[i].part;
	if (weight_of(&b->factors->digits[at], FACTOR_STORE) * b->bytes[FACTOR_STORE] % PAGE == 0 &&
	    weight_of(&b->factors->digits[at], FACTOR_STORE))
		return;
	if (rows >= MANY_ROWS && b->shares[at].side == FACTOR_LOAD &&
	    b->shares[at].near % LINES == 0)
		b->shares[at].lines = LINES;
}

static bool take_block(struct builder *b)
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

/* The digit whose steps are those of elements on both sides; -1: there is none. */
static int row_digit(const struct factors *factors)
{
	int load = digit_worth(factors, FACTOR_LOAD, 1);

	return load == digit_worth(factors, FACTOR_STORE, 1) ? load : -1;
}

/* A row of what follows each other on both sides in the same order, if it is long enough. */
static bool take_row(struct builder *b)
{
	const struct factors *factors = b->factors;
	int at = row_digit(factors);
	const struct factor_digit *digit;
	int64_t all;

	if (at < 0 || factors->xor_count || b->bytes[FACTOR_LOAD] != b->bytes[FACTOR_STORE])
		return false;
	digit = &factors->digits[at];
	all = steps_of(factors, digit);
	if (all && all * widest(b) < LEAST_ROW)
		return false;
	clear_shares(b);
	b->shares[at].part = part_of(factors, digit, ROW / widest(b));
	if (b->shares[at].part * widest(b) < LEAST_ROW)
		b->shares[at].part = all;
	take_near(b, FACTOR_STORE);
	take_near(b, FACTOR_LOAD);
	return b->shares[at].part > 1;
}

static struct index *times(struct index *index, int64_t factor)
{
	return index_binary(INDEX_MUL, index_copy(index), index_int(factor));
}

/* floor(i / (step * part)) mod radix of a digit. */
static struct block_piece piece_of(struct builder *b, const struct factor_digit *digit,
	int64_t part, int64_t radix)
{
	struct block_piece piece = { { digit->digit.dim, digit->digit.step * part, radix },
		{ times(digit->weight[0], part), times(digit->weight[1], part) } };

	b->ok = b->ok && piece.weight[0] && piece.weight[1];
	return piece;
}

/* Does piece x lie nearer than y on a side?  The steps of the block's own run do before
 * others. */
static bool lies_nearer(const struct block_piece *x, const struct block_piece *y,
	enum factor_side side)
{
	const struct index *a = x->weight[side], *b = y->weight[side];

	if (a->op != INDEX_INT || b->op != INDEX_INT)
		return a->op == INDEX_INT && b->op != INDEX_INT;
	return a->value && (!b->value || a->value < b->value);
}

static void order_pieces(struct plan_block *block, enum factor_side side)
{
	unsigned *order = block->order[side];

	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = i;

		for (; at && lies_nearer(&block->pieces[i], &block->pieces[order[at - 1]],
		     side); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static bool is_flipped(const struct plan_block *block, enum factor_side side, unsigned piece)
{
	for (unsigned i = 0; i < block->flip_count; i++)
		if (block->flips[i].side == side && block->flips[i].piece == piece)
			return true;
	return false;
}

/* Elements of the block that follow each other on a side. */
static int64_t run_of(const struct plan_block *block, enum factor_side side)
{
	int64_t run = 1;

	for (unsigned i = 0; i < block->piece_count; i++) {
		const struct block_piece *piece = &block->pieces[block->order[side][i]];

		if (piece->weight[side]->op != INDEX_INT ||
		    piece->weight[side]->value != run ||
		    is_flipped(block, side, block->order[side][i]))
			break;
		run *= piece->digit.radix;
	}
	return run;
}

/* The widest vectors that the runs are made of. */
static void find_vectors(struct builder *b)
{
	struct plan_block *block = b->block;
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		block->vector[side] = int_gcd(run_of(block, (enum factor_side)side),
			b->vector_bytes / b->bytes[side]);
}

static void add_flip(struct builder *b, const struct factor_xor *link, unsigned piece)
{
	const struct factor_digit *from = &b->factors->digits[link->from];

	b->block->flips[b->block->flip_count++] = (struct block_flip){ link->side == FACTOR_LOAD ?
		FACTOR_STORE : FACTOR_LOAD, piece, from->digit };
}

static void add_xors(struct builder *b, const unsigned *piece)
{
	for (unsigned i = 0; i < b->factors->xor_count; i++) {
		const struct factor_xor *link = &b->factors->xors[i];

		if (b->shares[link->from].part > 1)
			b->block->xors[b->block->xor_count++] = (struct factor_xor){ link->side,
				piece[link->to], piece[link->from] };
		else
			add_flip(b, link, piece[link->to]);
	}
}

static void add_pieces(struct builder *b)
{
	unsigned piece[FACTOR_DIGITS] = { 0 };
	struct plan_block *block = b->block;

	block->elements = 1;
	for (unsigned i = 0; b->ok && i < b->factors->digit_count; i++) {
		const struct factor_digit *digit = &b->factors->digits[i];
		int64_t part = b->shares[i].part;
		struct block_dim *dim = &block->dims[digit->digit.dim];

		if (part == 1)
			continue;
		piece[i] = block->piece_count;
		block->pieces[block->piece_count++] = piece_of(b, digit, 1, part);
		block->elements *= part;
		dim->reach += digit->digit.step * (part - 1);
	}
	add_xors(b, piece);
}

/* A loop over the steps of a digit from "part" on, "radix" of them or to the end. */
static void add_loop(struct builder *b, unsigned digit, int64_t part, int64_t radix)
{
	const struct factor_digit *of = &b->factors->digits[digit];
	struct block_loop *loop = &b->block->loops[b->block->loop_count++];

	loop->piece = piece_of(b, of, part, radix);
	loop->count = radix ? index_int(radix) : index_ceil_div(index_copy(
		b->factors->dims[of->digit.dim].end), loop->piece.digit.step);
	b->ok = b->ok && loop->count;
}

/* Is digit x stored further out than y? */
static bool is_outer(const struct factors *factors, unsigned x, unsigned y)
{
	const struct factor_digit *a = &factors->digits[x], *b = &factors->digits[y];
	const struct factor_slot *slots = factors->slots[FACTOR_STORE];

	if (a->slot[FACTOR_STORE] != b->slot[FACTOR_STORE])
		return slots[a->slot[FACTOR_STORE]].slot < slots[b->slot[FACTOR_STORE]].slot;
	return a->digit.step > b->digit.step;
}

static void sort_digits(const struct factors *factors, unsigned *order)
{
	for (unsigned i = 0; i < factors->digit_count; i++) {
		unsigned at = i;

		for (; at && is_outer(factors, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* An inner loop, without the lines that the innermost one has. */
static void add_near_loop(struct builder *b, unsigned digit)
{
	const struct share *share = &b->shares[digit];

	if (share->near > share->lines)
		add_loop(b, digit, share->part * share->lines, share->near / share->lines);
}

/* The innermost loop along lines of the source. */
static void add_lines(struct builder *b)
{
	b->block->line_loop = b->block->loop_count;
	for (unsigned i = 0; b->ok && i < b->factors->digit_count; i++)
		if (b->shares[i].lines > 1)
			add_loop(b, i, b->shares[i].part, b->shares[i].lines);
}

/* The inner loops along a side, the nearest step innermost. */
static void add_near(struct builder *b, enum factor_side side)
{
	const struct factors *factors = b->factors;
	int64_t below = INT64_MAX;
	int next;

	do {
		int64_t most = 0;

		next = -1;
		for (unsigned i = 0; i < factors->digit_count; i++) {
			int64_t weight = weight_of(&factors->digits[i], side);

			if (b->shares[i].side == side && b->shares[i].near > 1 &&
			    weight < below && weight > most) {
				most = weight;
				next = (int)i;
			}
		}
		if (next >= 0)
			add_near_loop(b, (unsigned)next);
		below = most;
	} while (next >= 0 && b->ok);
}

/* Is there one inner loop along the destination, over a digit that ends with its dimension? */
static bool goes_on(const struct builder *b)
{
	const struct factors *factors = b->factors;
	unsigned loops = 0, endless = 0;

	for (unsigned i = 0; i < factors->digit_count; i++) {
		if (b->shares[i].side != FACTOR_STORE || b->shares[i].near == 1)
			continue;
		loops++;
		endless += !factors->digits[i].digit.radix;
	}
	return !b->row && loops == 1 && endless == 1;
}

/* How far a chunk reaches. */
static void find_spans(struct plan_block *block)
{
	for (unsigned d = 0; d < block->dim_count; d++)
		block->dims[d].span = block->dims[d].reach;
	for (unsigned i = block->chunk_loop; i < block->loop_count; i++) {
		const struct block_piece *piece = &block->loops[i].piece;

		block->dims[piece->digit.dim].span += piece->digit.step * (piece->digit.radix - 1);
	}
}

/* Loops in the order of the destination, but those along what is near inside of all. */
static void add_loops(struct builder *b)
{
	const struct factors *factors = b->factors;
	unsigned order[FACTOR_DIGITS];

	sort_digits(factors, order);
	for (unsigned i = 0; b->ok && i < factors->digit_count; i++) {
		int64_t part = b->shares[order[i]].part * b->shares[order[i]].near;
		int64_t radix = factors->digits[order[i]].digit.radix;

		if (part > 1 && part == steps_of(factors, &factors->digits[order[i]]))
			continue;
		if (!radix)
			add_loop(b, order[i], part, 0);
		else if (radix > part)
			add_loop(b, order[i], part, radix / part);
	}
	b->block->outer_count = b->block->loop_count;
	add_near(b, FACTOR_LOAD);
	b->block->chunk_loop = b->block->loop_count;
	add_near(b, FACTOR_STORE);
	b->block->goes_on = goes_on(b);
	add_lines(b);
	b->block->chunk = b->chunk;
	find_spans(b->block);
}

static void add_dims(struct builder *b)
{
	const struct factors *factors = b->factors;

	for (unsigned d = 0; d < factors->dim_count; d++) {
		struct block_dim *dim = &b->block->dims[d];

		*dim = (struct block_dim){ 1, 1, { NULL }, index_copy(factors->dims[d].high),
			index_copy(factors->dims[d].end) };
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			if (b->unit == 1 && !b->block->row && factor_is_even(factors, d))
				dim->pitch[side] = index_copy(factor_pitch(factors,
					(enum factor_side)side, d));
	}
	b->block->dim_count = factors->dim_count;
}

/* Are both sides' digits there, with one weight each, from element 0 on? */
static bool is_plain(const struct factors *factors)
{
	if (factors->rotation_count || 2 * factors->digit_count > BLOCK_LOOPS)
		return false;
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].ragged || !is_zero(factors->dims[d].low))
			return false;
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].carried)
			return false;
	return true;
}

/* Are these loops that compilers see through: converted rows, or elements that follow each
 * other on neither side? */
static bool is_simple(const struct factors *factors, const struct builder *b, bool converts)
{
	int load = digit_worth(factors, FACTOR_LOAD, 1);
	int64_t radix = load < 0 ? 0 : factors->digits[load].digit.radix;

	return !factors->xor_count && load == digit_worth(factors, FACTOR_STORE, 1) &&
		(load < 0 || (converts && (!radix || radix >= b->vector_bytes / widest(b))));
}

static bool build(struct builder *b, layout_context *ctx)
{
	struct plan_block *block = layout_alloc(ctx, 1, sizeof(*block));

	b->block = block;
	b->ok = block;
	if (!block)
		return false;
	block->unit = b->unit;
	block->packed = b->packed;
	block->row = b->row;
	block->dims = layout_alloc(ctx, b->factors->dim_count, sizeof(*block->dims));
	b->ok = block->dims;
	if (!b->ok)
		return false;
	add_dims(b);
	add_pieces(b);
	for (unsigned side = 0; b->ok && side < FACTOR_SIDES; side++)
		order_pieces(block, (enum factor_side)side);
	if (b->ok)
		find_vectors(b);
	add_loops(b);
	return b->ok;
}

/* Do blocks of elements that are parts of bytes begin and end with bytes?  Within vectors they
 * need not. */
static void require_steps(struct builder *b, const struct block_piece *piece, bool vectors)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		struct index *weight = piece->weight[side];

		if (!vectors || weight->op != INDEX_INT ||
		    weight->value >= b->block->vector[side])
			b->possible = b->possible && require(&b->block->whole, weight,
				b->packed, &b->ok);
	}
}

/* And do they where the last one begins earlier? */
static void require_ends(struct builder *b, const struct block_dim *dim)
{
	for (unsigned side = 0; side < FACTOR_SIDES && dim->pitch[0]; side++) {
		const struct index *pitch = dim->pitch[side];
		bool is_one = pitch->op == INDEX_INT && pitch->value == 1;

		b->possible = b->possible && require(&b->block->whole, is_one ? dim->end :
			dim->pitch[side], b->packed, &b->ok);
	}
}

/* Can all blocks be whole, wherever rows end, and their vectors' bytes be shifted together? */
static bool can_shift(const struct plan_block *block)
{
	bool even = !block->xor_count && !block->flip_count &&
		block->vector[FACTOR_LOAD] % (2 * block->packed) == 0 &&
		block->vector[FACTOR_STORE] % (2 * block->packed) == 0;

	for (unsigned d = 0; d < block->dim_count; d++)
		even = even && (block->dims[d].reach == 1 || block->dims[d].pitch[0]);
	return even;
}

/* A byte of the destination is stored at once. */
static void require_whole(struct builder *b)
{
	struct plan_block *block = b->block;
	const struct block_piece *first = &block->pieces[block->order[FACTOR_STORE][0]];

	b->possible = require(&block->whole, block->dims[first->digit.dim].end,
		first->digit.step * b->packed, &b->ok);
	for (unsigned i = 0; b->ok && i < block->piece_count; i++)
		require_steps(b, &block->pieces[i], true);
	for (unsigned i = 0; b->ok && i < block->loop_count; i++)
		require_steps(b, &block->loops[i].piece, false);
	for (unsigned d = 0; b->ok && d < block->dim_count; d++)
		require_ends(b, &block->dims[d]);
}

/* Vectors are of whole bytes, and begin and end with them, or are shifted. */
static void require_bytes(struct builder *b)
{
	struct plan_block *block = b->block;

	b->possible = block->vector[FACTOR_LOAD] % b->packed == 0 &&
		block->vector[FACTOR_STORE] % b->packed == 0;
	if (!b->possible)
		return;
	block->shifts = can_shift(block);
	require_whole(b);
	if (!b->ok || b->possible || !block->shifts)
		return;
	index_free(block->whole);
	block->whole = index_int(0);
	b->ok = block->whole;
	b->possible = true;
}

/* The digits of elements that are parts of bytes, as those of bytes: where both sides have
 * the same ones together and all else steps over bytes, for the sizes that "whole" says.  The
 * weights that are made are in "made", of which there are as many as digits a side. */
static bool use_bytes(struct factors *bytes, const struct factors *factors, int64_t unit,
	struct index **made, struct index **whole, bool *ok)
{
	int low = digit_worth(factors, FACTOR_LOAD, 1);
	const struct factor_digit *digit;
	const struct factor_dim *dim;

	*bytes = *factors;
	if (low < 0 || low != digit_worth(factors, FACTOR_STORE, 1) || factors->xor_count)
		return false;
	digit = &factors->digits[low];
	dim = &factors->dims[digit->digit.dim];
	if (digit->digit.radix % unit || digit->digit.step != 1 ||
	    !require(whole, dim->high, unit, ok) || !require(whole, dim->end, unit, ok))
		return false;
	bytes->digits[low].digit.step = unit;
	bytes->digits[low].digit.radix /= unit;
	bytes->digits[low].most /= unit;
	for (unsigned i = 0; i < factors->digit_count; i++)
		for (unsigned side = 0; side < FACTOR_SIDES && (int)i != low; side++) {
			struct index *weight = factors->digits[i].weight[side];
			struct index **own = &made[FACTOR_SIDES * i + side];

			if (!require(whole, weight, unit, ok))
				return false;
			*own = index_binary(INDEX_FDIV, index_copy(weight), index_int(unit));
			bytes->digits[i].weight[side] = *own;
		}
	return true;
}

/* Elements of whole bytes, bytes of "unit" elements, or elements that are "packed" in bytes. */
static bool find(struct plan_block **found, const struct tile_request *request,
	const struct factors *factors, int64_t unit, int64_t packed)
{
	struct builder b = { .factors = factors, .unit = unit, .packed = packed, .bytes = {
		(request->bits[FACTOR_LOAD] + 7) / 8, (request->bits[FACTOR_STORE] + 7) / 8 },
		.vector_bytes = request->target->vector_bytes, .possible = true, .ok = true };
	bool converts = !conversion_is_copy(&request->remap->conversion);

	if (!is_plain(factors))
		return true;
	b.row = !converts && packed == 1 && take_row(&b);
	if (!b.row && ((unit == 1 && is_simple(factors, &b, converts)) || !take_block(&b)))
		return true;
	if (build(&b, request->remap->ctx) && packed > 1)
		require_bytes(&b);
	if (b.ok && b.possible && b.block->loop_count) {
		*found = b.block;
		return true;
	}
	plan_block_free(b.block);
	return b.ok;
}

/* Parts of bytes: bytes of them where that is possible. */
static bool find_parts(struct plan_block **found, const struct tile_request *request,
	const struct factors *factors)
{
	unsigned bits = request->bits[FACTOR_LOAD];
	struct index *made[FACTOR_SIDES * FACTOR_DIGITS] = { NULL }, *whole = NULL;
	struct factors bytes;
	bool ok = true;

	if (8 % bits || !conversion_is_copy(&request->remap->conversion))
		return true;
	if (use_bytes(&bytes, factors, 8 / bits, made, &whole, &ok)) {
		for (unsigned i = 0; i < FACTOR_SIDES * bytes.digit_count; i++)
			ok = ok && bytes.digits[i / FACTOR_SIDES].weight[i % FACTOR_SIDES];
		ok = ok && find(found, request, &bytes, 8 / bits, 1);
	}
	for (unsigned i = 0; i < FACTOR_SIDES * factors->digit_count; i++)
		index_free(made[i]);
	if (*found)
		(*found)->whole = whole;
	else
		index_free(whole);
	return ok && (*found || find(found, request, factors, 1, 8 / bits));
}

bool plan_block_find(struct plan_block **found, const struct tile_request *request)
{
	struct factor_input input = { request->remap,
		{ request->source, request->destination }, request->low, false };
	struct factors factors;
	bool possible, ok;

	*found = NULL;
	ok = factors_build(&factors, &input, &possible);
	if (ok && possible)
		ok = request->bits[FACTOR_LOAD] % 8 || request->bits[FACTOR_STORE] % 8 ?
			find_parts(found, request, &factors) :
			find(found, request, &factors, 1, 1);
	factors_free(&factors);
	if (!ok && layout_context_error(request->remap->ctx) == LAYOUT_ERROR_NONE)
		layout_fail(request->remap->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return ok;
}

static void piece_free(struct block_piece *piece)
{
	index_free(piece->weight[FACTOR_LOAD]);
	index_free(piece->weight[FACTOR_STORE]);
}

void plan_block_free(struct plan_block *block)
{
	if (!block)
		return;
	for (unsigned d = 0; d < block->dim_count; d++) {
		index_free(block->dims[d].high);
		index_free(block->dims[d].end);
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			index_free(block->dims[d].pitch[side]);
	}
	for (unsigned i = 0; i < block->piece_count; i++)
		piece_free(&block->pieces[i]);
	for (unsigned i = 0; i < block->loop_count; i++) {
		piece_free(&block->loops[i].piece);
		index_free(block->loops[i].count);
	}
	index_free(block->whole);
	free(block->dims);
	free(block);
}
