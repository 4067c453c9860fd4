/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/align.h"

#include "algebra/chip.h"
#include "algebra/factor/factor.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"
#include "kernel/plan.h"

/* More than the accesses of a tile whose vectors are single elements take longer than
 * those of one with vectors: it is always taken instead. */
#define SPLIT_COST 32

/* Besides, for each side: two loads of vectors for one, or words from the lane before for what is
 * stored.  Less than single elements take, more than vectors of words that are aligned. */
#define SHIFT_COST 1

/* The same of stores of a line, in shorter runs: as many more times as these are shorter. */
#define SHORT_COST 2
#define LINE 128

enum { WORD_BITS = 32, VECTOR_BITS = 128, STEPS = 16 };

struct tile_align tile_align_of(const struct plan *plan, const struct chip *chip,
	unsigned wave_size)
{
	return (struct tile_align){ plan->tile, plan->size_count, wave_size,
		chip->lanes && plan_lanes(plan) % wave_size == 0,
		{ plan->visit.load.bits, plan->visit.store.bits } };
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

/* The elements whose vectors follow each other: registers, until they are whole vectors. */
static int64_t run_of(const struct plan_tile *tile, unsigned which)
{
	const struct tile_move *move = &tile->moves[which ? tile->move_count - 1 : 0];
	const struct tile_side *side = side_of(tile, which);
	const struct tile_term *term;
	int64_t run = 1;

	while (run % side->vector && (term = find_single(side, run * side->step))) {
		unsigned digit = (unsigned)__builtin_ctzll(term->digits);

		if (move->places[digit].lane)
			break;
		run *= tile->digits[digit].radix;
	}
	return run % side->vector ? side->vector : run * side->step;
}

/* What has been added of steps: 1 for each that is no multiple of a vector, where it is none
 * for all sizes; and these steps. */
struct alignment {
	const struct tile_align *tile;
	unsigned sector;		/* elements of the destination's; 0: its vectors are asked about */
	int64_t vector, run;
	struct index *sum;
	unsigned step_count;
	struct index *steps[STEPS];
};

static void alignment_begin(struct alignment *of, const struct tile_align *tile)
{
	*of = (struct alignment){ .tile = tile, .sum = index_int(0) };
}

static void alignment_end(struct alignment *of)
{
	for (unsigned i = 0; i < of->step_count; i++)
		index_free(of->steps[i]);
	index_free(of->sum);
}

/* Is it another step?  Those for which there is no room are taken twice. */
static bool is_new(struct alignment *of, const struct index *step)
{
	for (unsigned i = 0; i < of->step_count; i++)
		if (index_equal(of->steps[i], step))
			return false;
	if (of->step_count < STEPS)
		of->steps[of->step_count++] = index_copy((struct index *)(uintptr_t)step);
	return true;
}

static void add_step(struct alignment *of, const struct index *step)
{
	int64_t vector = of->vector;
	struct index *rest;

	if (factor_divisor(step) % vector == 0 || !is_new(of, step))
		return;
	if (step->op == INDEX_INT) {
		of->sum = index_binary(INDEX_ADD, of->sum, index_int(1));
		return;
	}
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

/* Steps inside a run are no rows. */
static void add(struct alignment *of, const struct index *step)
{
	if (step && (step->op != INDEX_INT || step->value >= of->run))
		add_step(of, step);
}

/* Does it change from tile to tile? */
static bool is_of_tiles(const struct alignment *of, const struct index *index)
{
	for (unsigned i = 0; i < index->arg_count; i++)
		if (is_of_tiles(of, index->arg[i]))
			return true;
	return index->op == INDEX_VAR && index->var >= of->tile->size_count;
}

/* What a product steps by: its factors that are the same for all tiles. */
static struct index *step_of(const struct alignment *of, const struct index *product)
{
	if (!is_of_tiles(of, product))
		return index_copy((struct index *)(uintptr_t)product);
	if (product->op != INDEX_MUL)
		return index_int(1);
	return index_binary(INDEX_MUL, step_of(of, product->arg[0]),
		step_of(of, product->arg[1]));
}

/* Where tiles begin, times a sign: a sum of products, and of numbers, which are summed up.  Of what is
 * neither, nothing is known. */
static void add_base(struct alignment *of, const struct index *base, int sign, int64_t *numbers)
{
	struct index *step;

	if (base->op == INDEX_ADD || base->op == INDEX_SUB) {
		add_base(of, base->arg[0], sign, numbers);
		add_base(of, base->arg[1], base->op == INDEX_SUB ? -sign : sign, numbers);
		return;
	}
	if (base->op == INDEX_INT)
		*numbers = (*numbers + sign * (base->value % of->vector)) % of->vector;
	if (base->op != INDEX_MUL && (base->op != INDEX_VAR || is_of_tiles(of, base)))
		return;
	step = step_of(of, base);
	if (step && factor_divisor(base) % of->vector)
		add_step(of, step);
	index_free(step);
}

static void add_side(struct alignment *of, unsigned which)
{
	const struct plan_tile *tile = of->tile->tile;
	const struct tile_side *side = side_of(tile, which);
	int64_t numbers = 0;

	of->vector = which && of->sector ? of->sector : side->vector;
	of->run = which && of->sector ? of->sector : run_of(tile, which);
	for (unsigned t = 0; t < side->term_count; t++)
		add(of, side->terms[t].weight);
	for (unsigned c = 0; c < side->carry_count; c++)
		add(of, side->carries[c].weight);
	for (unsigned d = 0; d < tile->dim_count; d++)
		add(of, tile->dims[d].pitch[which]);
	add_base(of, side->base, 1, &numbers);
	if (numbers)
		of->sum = index_binary(INDEX_ADD, of->sum, index_int(1));
}

/* The digit that is worth "weight" where the tile is stored; "line": and steps as far in the
 * dimension of the first one. */
static const struct digit *find_next(const struct plan_tile *tile, int64_t weight, bool line,
	unsigned *number)
{
	const struct tile_side *store = side_of(tile, 1);
	const struct tile_term *first = find_single(store, 1), *term = find_single(store, weight);
	const struct digit *digit;

	if (!term || !first)
		return NULL;
	*number = (unsigned)__builtin_ctzll(term->digits);
	digit = &tile->digits[*number];
	if (line && (digit->step != weight ||
	    digit->dim != tile->digits[__builtin_ctzll(first->digits)].dim))
		return NULL;
	return digit;
}

/* Are the elements of a vector one line? */
static bool is_line(const struct plan_tile *tile, unsigned vector)
{
	const struct digit *digit;
	int64_t weight = 1;
	unsigned number;

	while (weight < vector && (digit = find_next(tile, weight, true, &number)))
		weight *= digit->radix;
	return weight >= vector;
}

unsigned tile_lane_run(const struct plan_tile *tile, unsigned vector, unsigned wave_size,
	bool line)
{
	const struct tile_move *move = &tile->moves[tile->move_count - 1];
	const struct digit *digit;
	unsigned number;
	int64_t run = 1;

	if (move->spare_count || (line && !is_line(tile, vector)))
		return 1;
	while (run < wave_size && (digit = find_next(tile, run * vector, line, &number)) &&
	       move->places[number].lane && move->places[number].place == run)
		run *= digit->radix;
	return (unsigned)int_gcd(run, wave_size);
}

/* Vectors that are two or four words. */
static bool is_words(unsigned vector, unsigned bits)
{
	unsigned all = vector * bits;

	return bits >= 8 && bits <= WORD_BITS && all > WORD_BITS && all <= VECTOR_BITS &&
		!(all & (all - 1));
}

/* 1 where a row begins inside of a vector on one of the sides in the set, or of a sector of so
 * many elements where that is not 0, else 0. */
static struct index *begins_inside(const struct tile_align *of, unsigned sides, unsigned sector)
{
	struct alignment sum;
	struct index *odd;

	alignment_begin(&sum, of);
	sum.sector = sector;
	for (unsigned which = 0; which < 2; which++)
		if (sides >> which & 1)
			add_side(&sum, which);
	odd = index_binary(INDEX_MIN, index_copy(sum.sum), index_int(1));
	alignment_end(&sum);
	return odd;
}

static struct index *is_odd(const struct tile_align *of, unsigned sides)
{
	return begins_inside(of, sides, 0);
}

static bool is_never(struct index *odd)
{
	bool never = index_is(odd, 0);

	index_free(odd);
	return never;
}

/* Do all rows of a side begin with vectors? */
static bool is_even(const struct tile_align *of, unsigned which)
{
	return is_never(is_odd(of, 1u << which));
}

struct index *tile_parts_sectors(const struct tile_align *of, unsigned elements)
{
	return begins_inside(of, 2, elements);
}

bool tile_fills_sectors(const struct tile_align *of, unsigned elements)
{
	return is_never(begins_inside(of, 2, elements));
}

static bool can_shift(const struct tile_align *of, unsigned which)
{
	const struct tile_side *side = side_of(of->tile, which);

	return side->step == 1 && is_words(side->vector, of->bits[which]) &&
		(!which || tile_lane_run(of->tile, side->vector, of->wave_size, false) > 1);
}

static bool is_shared(const struct tile_align *of)
{
	return plan_tile_shared_dim(of->tile) < of->tile->dim_count;
}

bool tile_can_share(const struct tile_align *of)
{
	const struct plan_tile *tile = of->tile;
	unsigned d = plan_tile_shared_dim(tile), vector = side_of(tile, 1)->vector;

	return d < tile->dim_count && tile_is_shifted(of) && vector *
		(int64_t)tile_lane_run(tile, vector, of->wave_size, true) == tile->dims[d].extent;
}

bool tile_side_shifts(const struct tile_align *of, unsigned which)
{
	return tile_is_shifted(of) && ((which && is_shared(of)) || !is_even(of, which));
}

bool tile_is_shifted(const struct tile_align *of)
{
	bool narrow = of->bits[0] < WORD_BITS || of->bits[1] < WORD_BITS || is_shared(of);

	return narrow && (is_even(of, 0) || can_shift(of, 0)) &&
		((of->exchanges && can_shift(of, 1)) || (!is_shared(of) && is_even(of, 1)));
}

/* What is stored that way: of runs that are shorter than a line, sectors are left in part. */
static int64_t store_cost(const struct tile_align *of)
{
	unsigned vector = side_of(of->tile, 1)->vector;
	int64_t bytes = is_shared(of) ? LINE : tile_lane_run(of->tile, vector, of->wave_size, false) *
		(int64_t)(vector * of->bits[1] / 8);

	return bytes >= LINE ? SHIFT_COST : SHORT_COST * LINE / bytes;
}

struct index *tile_align_cost(const struct tile_align *of)
{
	struct index *load, *store;

	if (tile_is_shifted(of)) {
		load = index_binary(INDEX_MUL, is_odd(of, 1), index_int(SHIFT_COST));
		store = index_binary(INDEX_MUL, is_odd(of, 2), index_int(store_cost(of)));
		return index_binary(INDEX_ADD, index_int(1),
			index_binary(INDEX_ADD, load, store));
	}
	return index_binary(INDEX_ADD, index_int(1), index_binary(INDEX_MUL,
		is_odd(of, 3), index_int(SPLIT_COST - 1)));
}

bool tile_always_aligned(const struct tile_align *of)
{
	struct index *cost = tile_align_cost(of);
	bool aligned = index_is(cost, 1);

	index_free(cost);
	return aligned;
}
