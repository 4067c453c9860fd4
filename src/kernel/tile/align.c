/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/align.h"

#include "isl_bridge/arithmetic.h"

/* More than the accesses of a tile whose vectors are single elements take longer than
 * those of one with vectors: it is always taken instead. */
#define SPLIT_COST 32

/* Two loads of vectors for one, and words from the lane before for what is stored: less than
 * single elements take, more than vectors of words that are aligned. */
#define SHIFT_COST 3

enum { WORD_BITS = 32, VECTOR_BITS = 128 };

/* What "valid" says that the variable is a multiple of: the greatest of "x mod m = 0" among
 * its parts that all hold. */
static int64_t assumed_multiple(const struct index *valid, unsigned var)
{
	const struct index *rest = valid->arg_count ? valid->arg[0] : NULL;
	int64_t a, b;

	if (valid->op == INDEX_AND) {
		a = assumed_multiple(valid->arg[0], var);
		b = assumed_multiple(valid->arg[1], var);
		return a > b ? a : b;
	}
	if (valid->op != INDEX_EQ || valid->arg[1]->op != INDEX_INT || valid->arg[1]->value ||
	    (rest->op != INDEX_ZMOD && rest->op != INDEX_PMOD) ||
	    rest->arg[0]->op != INDEX_VAR || rest->arg[0]->var != var)
		return 1;
	return rest->arg[1]->value;
}

/* A power of two up to "most" that divides the expression. */
static int64_t multiple_of(const struct index *index, const struct index *valid, int64_t most)
{
	int64_t product;

	switch (index->op) {
	case INDEX_INT:
		return int_gcd(most, index->value);
	case INDEX_VAR:
		return int_gcd(most, assumed_multiple(valid, index->var));
	case INDEX_MUL:
		product = multiple_of(index->arg[0], valid, most) *
			multiple_of(index->arg[1], valid, most);
		return product < most ? product : most;
	default:
		return 1;
	}
}

struct alignment {
	const struct index *valid;
	int64_t vector;
	struct index *sum;
};

/* 1 where a step is no multiple of a vector, added to others.  Steps inside a vector are
 * no rows. */
static void add(struct alignment *of, const struct index *step)
{
	int64_t vector = of->vector;
	struct index *rest;

	if (!step || (step->op == INDEX_INT && step->value < vector) ||
	    multiple_of(step, of->valid, vector) == vector)
		return;
	for (unsigned i = 0; step->op == INDEX_MUL && i < 2; i++)
		if (step->arg[i]->op == INDEX_INT) {
			vector /= int_gcd(vector, step->arg[i]->value);
			step = step->arg[!i];
			break;
		}
	rest = index_binary(INDEX_PMOD, index_copy((struct index *)(uintptr_t)step),
		index_int(vector));
	of->sum = index_binary(INDEX_ADD, of->sum, index_binary(INDEX_MIN, rest,
		index_int(1)));
}

static void add_side(struct alignment *of, const struct plan_tile *tile,
	const struct tile_side *side, unsigned which)
{
	of->vector = side->vector;
	for (unsigned t = 0; t < side->term_count; t++)
		add(of, side->terms[t].weight);
	for (unsigned c = 0; c < side->carry_count; c++)
		add(of, side->carries[c].weight);
	for (unsigned d = 0; d < tile->dim_count; d++)
		add(of, tile->dims[d].pitch[which]);
}

/* Of the source, or the destination. */
static const struct tile_side *side_of(const struct plan_tile *tile, unsigned which)
{
	return which ? &tile->moves[tile->move_count - 1].store : &tile->moves[0].load;
}

/* The term of a single digit, which moves nothing else, that is worth "weight". */
static const struct tile_term *find_single(const struct tile_side *side, int64_t weight)
{
	for (unsigned i = 0; i < side->term_count; i++) {
		const struct tile_term *term = &side->terms[i];
		bool alone = true;

		if (term->weight->op != INDEX_INT || term->weight->value != weight ||
		    term->backward || term->digits & (term->digits - 1))
			continue;
		for (unsigned j = 0; j < side->term_count; j++)
			alone = alone && (j == i || !(side->terms[j].digits & term->digits));
		for (unsigned c = 0; c < side->carry_count; c++)
			for (unsigned k = 0; k < CARRY_COUNTS; k++)
				alone = alone && !(side->carries[c].counts[k].digits &
					term->digits);
		if (alone)
			return term;
	}
	return NULL;
}

unsigned tile_lane_run(const struct plan_tile *tile, unsigned vector, unsigned wave_size)
{
	const struct tile_move *move = &tile->moves[tile->move_count - 1];
	const struct tile_term *term;
	int64_t run = 1;

	while (!move->spare_count && run < wave_size &&
	       (term = find_single(&move->store, run * vector))) {
		unsigned digit = (unsigned)__builtin_ctzll(term->digits);

		if (!move->places[digit].lane || move->places[digit].place != run)
			break;
		run *= tile->digits[digit].radix;
	}
	return (unsigned)int_gcd(run, wave_size);
}

/* Vectors that are two or four words. */
static bool is_words(unsigned vector, unsigned bits)
{
	unsigned all = vector * bits;

	return bits >= 8 && bits <= WORD_BITS && all > WORD_BITS && all <= VECTOR_BITS &&
		!(all & (all - 1));
}

/* Do all rows of a side begin with vectors? */
static bool is_even(const struct tile_align *of, unsigned which)
{
	struct alignment sum = { .valid = of->valid, .sum = index_int(0) };
	bool even;

	add_side(&sum, of->tile, side_of(of->tile, which), which);
	even = sum.sum && sum.sum->op == INDEX_INT && !sum.sum->value;
	index_free(sum.sum);
	return even;
}

static bool can_shift(const struct tile_align *of, unsigned which)
{
	const struct tile_side *side = side_of(of->tile, which);

	return side->step == 1 && is_words(side->vector, of->bits[which]) &&
		(!which || tile_lane_run(of->tile, side->vector, of->wave_size) > 1);
}

bool tile_side_shifts(const struct tile_align *of, unsigned which)
{
	return tile_is_shifted(of) && !is_even(of, which);
}

bool tile_is_shifted(const struct tile_align *of)
{
	bool narrow = of->bits[0] < WORD_BITS || of->bits[1] < WORD_BITS;

	return of->exchanges && narrow && (is_even(of, 0) || can_shift(of, 0)) &&
		(is_even(of, 1) || can_shift(of, 1));
}

struct index *tile_align_cost(const struct tile_align *of)
{
	struct alignment sum = { .valid = of->valid, .sum = index_int(0) };

	for (unsigned which = 0; which < 2; which++)
		add_side(&sum, of->tile, side_of(of->tile, which), which);
	return index_binary(INDEX_ADD, index_int(1), index_binary(INDEX_MUL,
		index_int(tile_is_shifted(of) ? SHIFT_COST - 1 : SPLIT_COST - 1),
		index_binary(INDEX_MIN, sum.sum, index_int(1))));
}

bool tile_always_aligned(const struct tile_align *of)
{
	struct index *cost = tile_align_cost(of);
	bool aligned = cost && cost->op == INDEX_INT && cost->value == 1;

	index_free(cost);
	return aligned;
}
