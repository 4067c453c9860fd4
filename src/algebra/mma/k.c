/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two conventions for one matrix product, equal but for the order of K.
 *
 * Every point of an operand that both conventions have says where one k goes.  All of
 * them together must be a map, and one that is injective. */
#include "algebra/forms.h"
#include "algebra/points.h"
#include "isl_bridge/objects.h"
#include <layout/mma.h>

#include <isl/map.h>
#include <stdlib.h>
#include <string.h>

/* The pairs of one relation, one after the other: input, then image. */
struct pairs {
	layout_context *ctx;
	unsigned in_rank, out_rank;
	size_t count, capacity;
	int64_t *numbers;
	bool failed;
};

/* "k" becomes "image" at a point of an operand, x as from an input of "pairs". */
struct move {
	int64_t k, image;
	const int64_t *point;
	unsigned operand;
};

struct moves {
	layout_context *ctx;
	size_t count;
	struct move *items;
	unsigned in_ranks[2];		/* of lhs and rhs */
	layout_witness **witness;	/* set on a "no"; may be NULL */
};

static unsigned width(const struct pairs *pairs)
{
	return pairs->in_rank + pairs->out_rank;
}

static const int64_t *pair_at(const struct pairs *pairs, size_t i)
{
	return pairs->numbers + i * width(pairs);
}

/* No more pairs than the quota has operations. */
static bool has_room(const struct pairs *pairs)
{
	unsigned long quota = layout_context_quota(pairs->ctx);

	if (!quota || pairs->count < quota)
		return true;
	layout_fail(pairs->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: an operand's layout has more than %lu points", quota);
	return false;
}

static bool add_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct pairs *pairs = user;
	int64_t *next;

	pairs->failed = !has_room(pairs);
	if (pairs->failed)
		return false;
	if (pairs->count == pairs->capacity) {
		size_t capacity = pairs->capacity ? 2 * pairs->capacity : 256;

		next = realloc(pairs->numbers,
			capacity * width(pairs) * sizeof(*next));
		pairs->failed = !next;
		if (!next) {
			layout_fail(pairs->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
			return false;
		}
		pairs->numbers = next;
		pairs->capacity = capacity;
	}
	next = pairs->numbers + pairs->count++ * width(pairs);
	memcpy(next, in, in_rank * sizeof(*next));
	memcpy(next + in_rank, image, image_rank * sizeof(*next));
	return true;
}

/* All pairs by input; false with the error on the context. */
static bool list_pairs(struct pairs *pairs, layout_relation *relation)
{
	size_t bytes;

	*pairs = (struct pairs){ .ctx = relation->ctx,
		.in_rank = layout_relation_in_rank(relation),
		.out_rank = layout_relation_out_rank(relation) };
	if (!layout_relation_for_each(relation, add_pair, pairs) || pairs->failed)
		return false;
	bytes = pairs->in_rank * sizeof(int64_t);
	for (size_t i = 1; i < pairs->count; i++)
		if (memcmp(pair_at(pairs, i - 1), pair_at(pairs, i), bytes) == 0) {
			layout_fail(relation->ctx, LAYOUT_ERROR_INVALID, -1,
				"an operand's layout must be a function");
			return false;
		}
	return true;
}

/* [operand, x..] of a point of an operand. */
static int64_t *name_point(const struct moves *moves, unsigned operand,
	const int64_t *point)
{
	unsigned rank = moves->in_ranks[operand];
	int64_t *named = layout_alloc(moves->ctx, rank + 1, sizeof(*named));

	if (named) {
		named[0] = operand;
		memcpy(named + 1, point, rank * sizeof(*named));
	}
	return named;
}

/* Answer "no" because of one point, or two. */
static layout_answer refuse(struct moves *moves, unsigned operand, const int64_t *point,
	unsigned other_operand, const int64_t *other)
{
	int64_t *first, *second;

	if (!moves->witness)
		return LAYOUT_NO;
	first = name_point(moves, operand, point);
	second = other ? name_point(moves, other_operand, other) : NULL;
	if (first && (second || !other))
		*moves->witness = bridge_witness_of(moves->ctx,
			first, moves->in_ranks[operand] + 1,
			second, moves->in_ranks[other_operand] + 1);
	free(first);
	free(second);
	return *moves->witness ? LAYOUT_NO : LAYOUT_UNKNOWN;
}

/* The images agree but for coordinate "k". */
static bool agree_but_for(const int64_t *a, const int64_t *b, unsigned rank, unsigned k)
{
	for (unsigned i = 0; i < rank; i++)
		if (i != k && a[i] != b[i])
			return false;
	return true;
}

/* The moves of one operand, whose images have k at that coordinate; each side's next
 * input must be the other's. */
static layout_answer add_moves(struct moves *moves, unsigned operand, unsigned k,
	const struct pairs *a, const struct pairs *b)
{
	unsigned in = a->in_rank;

	for (size_t i = 0; i < a->count || i < b->count; i++) {
		const int64_t *left = i < a->count ? pair_at(a, i) : NULL;
		const int64_t *right = i < b->count ? pair_at(b, i) : NULL;
		int order = !left ? 1 : !right ? -1 : points_compare(left, right, in);

		if (order || !agree_but_for(left + in, right + in, a->out_rank, k))
			return refuse(moves, operand, order > 0 ? right : left, 0, NULL);
		moves->items[moves->count++] = (struct move){ left[in + k],
			right[in + k], left, operand };
	}
	return LAYOUT_YES;
}

static int compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Equal moves stay in the order of their points. */
static int compare_move(const struct move *a, const struct move *b)
{
	int order = compare_numbers(a->operand, b->operand);

	return order ? order : a->point < b->point ? -1 : a->point > b->point;
}

static int by_k(const void *a, const void *b)
{
	const struct move *left = a, *right = b;
	int order = compare_numbers(left->k, right->k);

	return order ? order : compare_move(left, right);
}

static int by_image(const void *a, const void *b)
{
	const struct move *left = a, *right = b;
	int order = compare_numbers(left->image, right->image);

	return order ? order : compare_move(left, right);
}

/* One image for every k, and one k for every image; the moves are then one for each
 * k, in order. */
static layout_answer check_moves(struct moves *moves)
{
	struct move *items = moves->items;
	size_t count = 0;

	qsort(items, moves->count, sizeof(*items), by_k);
	for (size_t i = 0; i < moves->count; i++) {
		if (count && items[count - 1].k == items[i].k) {
			if (items[count - 1].image == items[i].image)
				continue;
			return refuse(moves, items[count - 1].operand,
				items[count - 1].point, items[i].operand,
				items[i].point);
		}
		items[count++] = items[i];
	}
	moves->count = count;
	qsort(items, count, sizeof(*items), by_image);
	for (size_t i = 1; i < count; i++)
		if (items[i - 1].image == items[i].image)
			return refuse(moves, items[i - 1].operand, items[i - 1].point,
				items[i].operand, items[i].point);
	qsort(items, count, sizeof(*items), by_k);
	return LAYOUT_YES;
}

/* The moves as a function over F2, if they are one on 0 <= k < 2^n. */
static struct f2 *moves_f2(const struct moves *moves)
{
	unsigned bits = moves->count ? (unsigned)__builtin_ctzll(moves->count) : 0;
	struct f2 *f2;
	int64_t image;

	if (moves->count != (size_t)1 << bits)
		return NULL;
	f2 = f2_new(moves->ctx, 1, &bits, 1, &bits);
	for (unsigned bit = 0; f2 && bit < bits; bit++)
		f2_toggle(f2, bit, 0, (uint64_t)(moves->items[(size_t)1 << bit].image ^
			moves->items[0].image));
	if (f2)
		f2_toggle_constant(f2, 0, (uint64_t)moves->items[0].image);
	for (size_t i = 0; f2 && i < moves->count; i++) {
		int64_t k = (int64_t)i;

		f2_apply(f2, &k, &image);
		if (moves->items[i].k != k || moves->items[i].image != image) {
			f2_free(f2);
			return NULL;
		}
	}
	return f2;
}

static isl_map *move_map(isl_space *space, const struct move *move)
{
	isl_ctx *isl = isl_space_get_ctx(space);
	isl_map *map = isl_map_universe(space);

	map = isl_map_fix_val(map, isl_dim_in, 0, isl_val_int_from_si(isl, move->k));
	return isl_map_fix_val(map, isl_dim_out, 0, isl_val_int_from_si(isl, move->image));
}

/* { [k] -> [image] } */
static layout_relation *moves_relation(const struct moves *moves)
{
	struct f2 *f2 = moves_f2(moves);
	isl_space *space;
	isl_map *map;

	if (f2)
		return form_f2_relation(moves->ctx, f2);
	bridge_enter(moves->ctx);
	space = isl_space_alloc(bridge_isl(moves->ctx), 0, 1, 1);
	map = isl_map_empty(isl_space_copy(space));
	for (size_t i = 0; i < moves->count && space; i++)
		map = isl_map_union(map, move_map(isl_space_copy(space), &moves->items[i]));
	isl_space_free(space);
	return bridge_give_relation(moves->ctx, "relate steps of k", map, NULL, NULL);
}

static bool ranks_meet(layout_relation *a, layout_relation *b)
{
	unsigned rank = layout_relation_out_rank(a);

	if (layout_relation_in_rank(a) == layout_relation_in_rank(b) &&
			rank == layout_relation_out_rank(b) && rank >= 2)
		return true;
	layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
		"cannot compare: operands of %u -> %u and %u -> %u coordinates",
		layout_relation_in_rank(a), rank, layout_relation_in_rank(b),
		layout_relation_out_rank(b));
	return false;
}

/* "pairs" are those of lhs a, lhs b, rhs a, rhs b. */
static layout_answer compare(struct moves *moves, const struct pairs pairs[4],
	layout_relation **permutation)
{
	layout_answer answer;

	moves->items = layout_alloc(moves->ctx, pairs[0].count + pairs[2].count,
		sizeof(*moves->items));
	if (!moves->items)
		return LAYOUT_UNKNOWN;
	answer = add_moves(moves, 0, pairs[0].out_rank - 1, &pairs[0], &pairs[1]);
	if (answer == LAYOUT_YES)
		answer = add_moves(moves, 1, pairs[2].out_rank - 2, &pairs[2], &pairs[3]);
	if (answer == LAYOUT_YES)
		answer = check_moves(moves);
	if (answer == LAYOUT_YES && permutation) {
		*permutation = moves_relation(moves);
		answer = *permutation ? LAYOUT_YES : LAYOUT_UNKNOWN;
	}
	free(moves->items);
	return answer;
}

layout_answer layout_mma_equal_up_to_k(layout_relation *lhs_a, layout_relation *rhs_a,
	layout_relation *lhs_b, layout_relation *rhs_b, layout_relation **permutation,
	layout_witness **witness)
{
	layout_relation *relations[] = { lhs_a, lhs_b, rhs_a, rhs_b };
	struct pairs pairs[4] = { { 0 } };
	layout_answer answer = LAYOUT_UNKNOWN;
	bool good = lhs_a && rhs_a && lhs_b && rhs_b;
	struct moves moves = { .witness = witness };

	if (witness)
		*witness = NULL;
	if (permutation)
		*permutation = NULL;
	for (unsigned i = 1; good && i < 4; i++)
		good = bridge_contexts_meet(lhs_a->ctx, relations[i]->ctx);
	good = good && ranks_meet(lhs_a, lhs_b) && ranks_meet(rhs_a, rhs_b);
	for (unsigned i = 0; good && i < 4; i++)
		good = list_pairs(&pairs[i], relations[i]);
	if (good) {
		moves.ctx = lhs_a->ctx;
		moves.in_ranks[0] = pairs[0].in_rank;
		moves.in_ranks[1] = pairs[2].in_rank;
		answer = compare(&moves, pairs, permutation);
	}
	for (unsigned i = 0; i < 4; i++)
		free(pairs[i].numbers);
	return answer;
}
