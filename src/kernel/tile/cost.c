/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/parts.h"

#include <math.h>

/* The tiles that can be whole in a dimension. */
static struct index *whole_tiles(const struct tile_builder *b, unsigned d)
{
	struct index *end = b->factors->dims[b->dims[d]].end;
	struct index *whole = index_binary(INDEX_FDIV, index_copy(end),
		index_int(tile_extent(b, d)));

	if (!tile_begins_earlier(b, b->dims[d]))
		return whole;
	return index_binary(INDEX_MUL, index_binary(INDEX_MIN, whole, index_int(1)),
		index_copy(b->plan->visit.dims[d].extent));
}

/* All tiles' issue, those at the end of a dimension for more. */
static struct index *build_issue(const struct tile_builder *b, double cost)
{
	int64_t edge = shape_edge_issue(b->account->memory);
	struct index *all = index_int(edge), *whole = index_int(edge - 1);

	for (unsigned d = 0; d < b->factors->dim_count; d++) {
		all = index_binary(INDEX_MUL, all,
			index_copy(b->plan->visit.dims[d].extent));
		whole = index_binary(INDEX_MUL, whole, whole_tiles(b, d));
	}
	return index_binary(INDEX_MUL, index_binary(INDEX_SUB, all, whole),
		index_int((int64_t)ceil(cost)));
}

static struct index *times(struct index *index, int64_t by)
{
	return index_binary(INDEX_MUL, index, index_int(by));
}

/* The bits of all elements, on both sides. */
static struct index *copied_bits(const struct tile_builder *b)
{
	struct index *bits = index_int(b->request->bits[0] + b->request->bits[1]);

	for (unsigned d = 0; d < b->factors->dim_count; d++)
		bits = index_binary(INDEX_MUL, bits,
			index_copy(b->factors->dims[b->dims[d]].end));
	return bits;
}

bool tile_must_align(const struct tile_request *request)
{
	return request->target->chip && request->target->chip->code.aligned;
}

unsigned tile_find_weight(const struct choice *choice, int64_t weight)
{
	unsigned i = 0;

	while (i < choice->count && (choice->pieces[i].where == CHOICE_GRID ||
	       choice_weight(choice, &choice->pieces[i], FACTOR_STORE) != weight))
		i++;
	return i;
}

/* Elements of the tile that lie next to each other in the destination. */
static int64_t row_of(const struct choice *choice)
{
	int64_t row = 1;
	unsigned i;

	while ((i = tile_find_weight(choice, row)) < choice->count)
		row *= choice->pieces[i].radix;
	return row;
}

/* 1 for sizes with rows that begin inside of sectors, and that tiles have parts of, else 0. */
static struct index *odd_rows(const struct tile_builder *b)
{
	unsigned i = tile_find_weight(b->choice, 1), dim;
	struct index *beyond;
	struct tile_align align;

	if (b->shared || i == b->choice->count || !tile_must_align(b->request))
		return index_int(0);
	dim = b->factors->digits[b->choice->pieces[i].digit].digit.dim;
	beyond = index_binary(INDEX_MAX, index_binary(INDEX_SUB, index_copy(
		b->factors->dims[dim].end), index_int(1)), index_int(0));
	beyond = index_binary(INDEX_FDIV, beyond, index_int(choice_extent(b->choice, dim)));
	align = tile_align_of(b->plan, b->request->target->chip,
		b->request->target->wave_size);
	return index_binary(INDEX_MUL, tile_parts_sectors(&align, b->account->memory->sector * 8 /
		b->request->bits[FACTOR_STORE]), index_binary(INDEX_MIN, beyond, index_int(1)));
}

/* What such rows cost on top of the time of a copy. */
static double odd_time(const struct tile_builder *b, const struct choice *choice)
{
	unsigned bits = choice->rules.bits[FACTOR_STORE];

	return memory_odd_time(b->account->memory, (double)row_of(choice) * bits / 8,
		choice->vector[FACTOR_STORE] * bits <= 8 * TILE_WORD);
}

/* The memory that a piece takes, the part of a tile: where the dims of some sides fit. */
static struct index *piece_memory(const struct tile_builder *b, const struct shape_cost *cost,
	unsigned way, double part)
{
	struct choice_fit fit;
	struct choice store = shape_fitted(b->choice, FACTOR_STORE, way, b->account->memory, &fit);
	double time = cost->memory[way] * part;

	return index_binary(INDEX_ADD, index_int((int64_t)ceil(time)), index_binary(INDEX_MUL,
		odd_rows(b), index_int((int64_t)ceil(time * odd_time(b, &store)))));
}

/* Do the dims fit that can on a side? */
static struct index *fits(const struct tile_builder *b, unsigned dims)
{
	struct index *fit = index_int(1);

	for (unsigned d = 0; d < b->factors->dim_count; d++)
		if (dims >> d & 1)
			fit = index_binary(INDEX_AND, fit, index_binary(INDEX_LE,
				index_copy(b->factors->dims[d].end),
				index_int(choice_extent(b->choice, d))));
	return fit;
}

/* The same, on both sides from this one on. */
static struct index *any_piece(const struct tile_builder *b, const struct shape_cost *cost,
	unsigned side, unsigned way, double part)
{
	if (side == FACTOR_SIDES)
		return piece_memory(b, cost, way, part);
	if (!cost->dims[side])
		return any_piece(b, cost, side + 1, way, part);
	return index_select(fits(b, cost->dims[side]),
		any_piece(b, cost, side + 1, way | 1u << side, part),
		any_piece(b, cost, side + 1, way, part));
}

/* The memory that all pieces take. */
static struct index *build_memory(const struct tile_builder *b, const struct shape_cost *cost)
{
	struct index *pieces = index_int(1);
	double part = 1;

	for (unsigned d = 0; d < b->factors->dim_count; d++) {
		int64_t extent = tile_extent(b, d);
		int64_t piece = shape_piece(b->account->memory, extent);

		pieces = index_binary(INDEX_MUL, pieces, index_ceil_div(
			index_copy(b->factors->dims[b->dims[d]].end), piece));
		part *= (double)piece / (double)extent;
	}
	return index_binary(INDEX_MUL, pieces, any_piece(b, cost, 0, 0, part));
}

/* All tiles, of which each is issued "slow" times as long. */
static struct index *whole_cost(const struct tile_builder *b, struct index *slow)
{
	const struct chip_memory *facts = b->account->memory;
	struct shape_cost cost = shape_cost(&b->account->shape, facts);
	struct index *issue = index_binary(INDEX_MUL, build_issue(b, cost.issue), slow), *memory;

	if (cost.memory[0] == 0)
		return issue;
	memory = build_memory(b, &cost);
	issue = index_binary(INDEX_ADD, times(index_copy(memory), SHAPE_MEMORY_SHOWS),
		times(issue, facts->issue_shows));
	return index_binary(INDEX_MAX, memory, index_binary(INDEX_FDIV, issue,
		index_int(SHAPE_SHOWS)));
}

/* What rows that begin inside of vectors cost, where they are shifted or where they are split. */
static struct index *alignment_cost(const struct tile_builder *b, bool shifted)
{
	struct tile_align align;

	if (!tile_must_align(b->request))
		return index_int(1);
	align = tile_align_of(b->plan, b->request->target->chip,
		b->request->target->wave_size);
	return tile_is_shifted(&align) == shifted ? tile_align_cost(&align) : index_int(1);
}

/* Shapes for short rows are taken where they are faster by a tenth: others' accesses are wider. */
static struct index *times_more(struct index *cost)
{
	return index_binary(INDEX_FDIV, times(cost, 11), index_int(10));
}

bool tile_build_cost(struct tile_builder *b)
{
	struct plan *plan = b->plan;

	plan->cost = index_binary(INDEX_MUL, whole_cost(b, alignment_cost(b, true)),
		alignment_cost(b, false));
	if (b->account->rules.short_rows)
		plan->cost = times_more(plan->cost);
	if (b->account->memory)
		plan->copied = copied_bits(b);
	return plan->cost && (plan->copied || !b->account->memory);
}
