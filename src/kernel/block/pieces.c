/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/block/parts.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

static struct index *times(struct index *index, int64_t factor)
{
	return index_binary(INDEX_MUL, index_copy(index), index_int(factor));
}

/* floor(i / (step * part)) mod radix of a digit. */
static struct block_piece piece_of(struct block_builder *b, const struct factor_digit *digit,
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
static void find_vectors(struct block_builder *b)
{
	struct plan_block *block = b->block;
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		block->vector[side] = int_gcd(run_of(block, (enum factor_side)side),
			b->vector_bytes / b->bytes[side]);
}

static void add_flip(struct block_builder *b, const struct factor_xor *link, unsigned piece)
{
	const struct factor_digit *from = &b->factors->digits[link->from];

	b->block->flips[b->block->flip_count++] = (struct block_flip){ link->side == FACTOR_LOAD ?
		FACTOR_STORE : FACTOR_LOAD, piece, from->digit };
}

static void add_xors(struct block_builder *b, const unsigned *piece)
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

static void add_pieces(struct block_builder *b)
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
static void add_loop(struct block_builder *b, unsigned digit, int64_t part, int64_t radix)
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
static void add_near_loop(struct block_builder *b, unsigned digit)
{
	const struct block_share *share = &b->shares[digit];

	if (share->apart) {
		add_loop(b, digit, share->apart, share->near);
		b->block->loops[b->block->loop_count - 1].overlap = share->part - share->apart;
	} else if (share->near > share->lines) {
		add_loop(b, digit, share->part * share->lines, share->near / share->lines);
	}
}

/* The innermost loop along lines of the source. */
static void add_lines(struct block_builder *b)
{
	b->block->line_loop = b->block->loop_count;
	for (unsigned i = 0; b->ok && i < b->factors->digit_count; i++)
		if (b->shares[i].lines > 1)
			add_loop(b, i, b->shares[i].part, b->shares[i].lines);
}

/* The inner loops along a side, the nearest step innermost. */
static void add_near(struct block_builder *b, enum factor_side side)
{
	const struct factors *factors = b->factors;
	int64_t below = INT64_MAX;
	int next;

	do {
		int64_t most = 0;

		next = -1;
		for (unsigned i = 0; i < factors->digit_count; i++) {
			int64_t weight = plan_block_weight(&factors->digits[i], side);

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
static bool goes_on(const struct block_builder *b)
{
	const struct factors *factors = b->factors;
	unsigned loops = 0, endless = 0;

	for (unsigned i = 0; i < factors->digit_count; i++) {
		if (b->shares[i].side != FACTOR_STORE || b->shares[i].near == 1)
			continue;
		loops++;
		endless += !factors->digits[i].digit.radix && !b->shares[i].apart;
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
static void add_loops(struct block_builder *b)
{
	const struct factors *factors = b->factors;
	unsigned order[FACTOR_DIGITS];

	sort_digits(factors, order);
	for (unsigned i = 0; b->ok && i < factors->digit_count; i++) {
		int64_t part = b->shares[order[i]].part * b->shares[order[i]].near;
		int64_t radix = factors->digits[order[i]].digit.radix;

		if (b->shares[order[i]].apart || (part > 1 && part ==
		    plan_block_steps(factors, &factors->digits[order[i]])))
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

/* The source's elements begin at "low", and are counted from there.  Where it has one alone no
 * step is worth anything. */
static void add_before(struct block_builder *b, unsigned d)
{
	struct index *before = index_binary(INDEX_MUL, index_copy(b->factors->dims[d].low),
		index_copy(factor_pitch(b->factors, FACTOR_LOAD, d)));

	b->block->before = b->block->before ? index_binary(INDEX_ADD, b->block->before, before) :
		before;
	b->ok = b->ok && b->block->before;
}

static void add_dims(struct block_builder *b)
{
	const struct factors *factors = b->factors;

	for (unsigned d = 0; d < factors->dim_count; d++) {
		struct block_dim *dim = &b->block->dims[d];

		*dim = (struct block_dim){ 1, 1, { NULL }, index_copy(factors->dims[d].low),
			index_copy(factors->dims[d].high), index_copy(factors->dims[d].end) };
		if (!index_is(dim->low, 0) && !factors->dims[d].single)
			add_before(b, d);
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			if (b->unit == 1 && !b->block->row && factor_is_even(factors, d))
				dim->pitch[side] = index_copy(factor_pitch(factors,
					(enum factor_side)side, d));
	}
	b->block->dim_count = factors->dim_count;
}

bool plan_block_build(struct block_builder *b, layout_context *ctx)
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
