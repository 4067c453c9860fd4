/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The values of tiles, element by element. */
#include "program/eval.h"
#include "program/sight.h"

#include "program/element.h"

#include <stdlib.h>
#include <string.h>

/* A walk through a box, row-major, with a position in each of some arrays of it: dimension
 * d is worth step[a][d] there. */
struct walk {
	unsigned rank, array_count;
	int64_t box[PROGRAM_RANK], x[PROGRAM_RANK];
	int64_t step[PROGRAM_OPERANDS][PROGRAM_RANK], at[PROGRAM_OPERANDS];
};

static void walk_begin(struct walk *walk, unsigned rank, const int64_t *box)
{
	*walk = (struct walk){ .rank = rank };
	memcpy(walk->box, box, rank * sizeof(*box));
}

/* To the next point; false behind the last. */
static bool walk_next(struct walk *walk)
{
	for (unsigned d = walk->rank; d-- > 0;) {
		bool carries = ++walk->x[d] == walk->box[d];

		for (unsigned a = 0; a < walk->array_count; a++)
			walk->at[a] += carries ? -walk->step[a][d] * (walk->box[d] - 1) :
				walk->step[a][d];
		if (!carries)
			return true;
		walk->x[d] = 0;
	}
	return false;
}

/* What a step in each dimension of a tile is worth. */
static void row_major(const layout_tile *tile, int64_t *step)
{
	int64_t pitch = 1;

	for (unsigned d = tile->rank; d-- > 0; pitch *= tile->box[d])
		step[d] = pitch;
}

/* A tile in the walk's box, to which its dimensions are aligned at the last one. */
static void walk_broadcast(struct walk *walk, const layout_tile *tile)
{
	int64_t own[PROGRAM_RANK], *step = walk->step[walk->array_count++];

	row_major(tile, own);
	for (unsigned d = 0; d < tile->rank; d++)
		step[walk->rank - tile->rank + d] = tile->box[d] == 1 ? 0 : own[d];
}

static const uint64_t *value_of(const struct eval *eval, const layout_tile *tile)
{
	return eval->tiles[tile->number];
}

bool eval_index(const struct eval *eval, const struct program_index *index,
	int64_t *value)
{
	if (index_eval(index->index, eval->vars, value))
		return true;
	layout_fail(eval->program->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"%s does not fit 64 bits at these sizes", index->size.text);
	return false;
}

/* A place with the variables' values: where a walk through a box is in the memory. */
struct access {
	struct eval_memory *memory;
	const struct program_sight *sight;
	unsigned rank;
	int64_t at[PROGRAM_RANK];
	const uint64_t *gather[PROGRAM_RANK];
	unsigned array[PROGRAM_RANK];
};

static bool access_begin(const struct eval *eval, struct access *access,
	struct walk *walk, const layout_memory *memory, const struct program_place *place)
{
	unsigned m = 0;

	while (eval->memories[m].memory != memory)
		m++;
	*access = (struct access){ .memory = &eval->memories[m],
		.sight = memory->sight, .rank = place->rank };
	for (unsigned d = 0; d < place->rank; d++) {
		if (place->gather[d]) {
			access->gather[d] = value_of(eval, place->gather[d]);
			access->array[d] = walk->array_count;
			walk_broadcast(walk, place->gather[d]);
		} else if (!eval_index(eval, &place->at[d], &access->at[d])) {
			return false;
		}
	}
	return true;
}

/* The number of the element in memory, or -1 where there is none. */
static int64_t access_offset(const struct access *access, const struct walk *walk)
{
	int64_t x[PROGRAM_RANK], seen[PROGRAM_RANK] = { 0 };

	for (unsigned d = 0; d < access->rank; d++)
		x[d] = access->gather[d] ?
			(int32_t)access->gather[d][walk->at[access->array[d]]] :
			access->at[d] + walk->x[d];
	if (access->sight) {
		sight_point(access->sight, x, seen);
		memcpy(x, seen, sizeof(x));
	}
	return eval_memory_has(access->memory, x) ?
		eval_memory_offset(access->memory, x) : -1;
}

static bool eval_load(const struct eval *eval, const layout_tile *tile, uint64_t *to)
{
	struct access access;
	struct walk walk;
	int64_t offset;

	walk_begin(&walk, tile->rank, tile->box);
	if (!access_begin(eval, &access, &walk, tile->memory, &tile->place))
		return false;
	do {
		offset = access_offset(&access, &walk);
		*to++ = offset < 0 ? tile->bits :
			element_get(tile->type, access.memory->base, offset);
	} while (walk_next(&walk));
	return true;
}

/* Is the element stored to for the first time, as was promised? */
static bool is_first(layout_context *ctx, struct eval_memory *memory, const layout_tile *tile,
	int64_t offset)
{
	unsigned char bit = (unsigned char)(1 << offset % 8);

	if (!memory->once)
		memory->once = layout_alloc(ctx, (size_t)(memory->bytes / tile->type->bits + 1), 1);
	if (!memory->once)
		return false;
	if (memory->once[offset / 8] & bit) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "`%s` is stored to one element of `%s` "
			"twice, which is said to be unique", tile->name, memory->memory->name);
		return false;
	}
	memory->once[offset / 8] |= bit;
	return true;
}

bool eval_store(struct eval *eval, const struct program_statement *statement)
{
	const layout_tile *tile = statement->tile;
	const uint64_t *from = value_of(eval, tile);
	struct access access;
	struct walk walk;
	int64_t offset;

	walk_begin(&walk, tile->rank, tile->box);
	if (!access_begin(eval, &access, &walk, statement->memory, &statement->place))
		return false;
	do {
		offset = access_offset(&access, &walk);
		if (offset >= 0 && statement->unique &&
		    !is_first(eval->program->ctx, access.memory, tile, offset))
			return false;
		if (offset >= 0)
			element_set(tile->type, access.memory->base, offset, *from);
		from++;
	} while (walk_next(&walk));
	return true;
}

static void eval_coordinate(const layout_tile *tile, uint64_t *to)
{
	struct walk walk;

	walk_begin(&walk, tile->rank, tile->box);
	do
		*to++ = (uint64_t)walk.x[tile->dims[0]];
	while (walk_next(&walk));
}

static void eval_expression(const struct eval *eval, const layout_tile *tile,
	uint64_t *to)
{
	uint64_t operands[PROGRAM_OPERANDS];
	struct walk walk;

	walk_begin(&walk, tile->rank, tile->box);
	for (unsigned i = 0; i < tile->operand_count; i++)
		walk_broadcast(&walk, tile->operands[i]);
	do {
		for (unsigned i = 0; i < tile->operand_count; i++)
			operands[i] = value_of(eval, tile->operands[i])[walk.at[i]];
		*to++ = eval_map(eval, tile->expression, operands);
	} while (walk_next(&walk));
}

/* Expanded, collapsed and projected tiles have their elements in the same order. */
static void eval_view(const struct eval *eval, const layout_tile *tile, uint64_t *to)
{
	const layout_tile *from = tile->operands[0];
	int64_t own[PROGRAM_RANK];
	struct walk walk;

	if (tile->elements) {
		for (int64_t n = 0; n < program_elements(tile); n++)
			to[n] = value_of(eval, from)[tile->elements[n]];
		return;
	}
	walk_begin(&walk, tile->rank, tile->box);
	if (tile->view == VIEW_BROADCAST) {
		walk_broadcast(&walk, from);
	} else if (tile->view == VIEW_PERMUTE) {
		row_major(from, own);
		for (unsigned d = 0; d < tile->rank; d++)
			walk.step[0][d] = own[tile->dims[d]];
		walk.array_count = 1;
	} else {
		memcpy(to, value_of(eval, from),
			(size_t)program_elements(tile) * sizeof(*to));
		return;
	}
	do
		*to++ = value_of(eval, from)[walk.at[0]];
	while (walk_next(&walk));
}

/* A reduction goes through the tile, where an element is at[0] of the result's and at[1]
 * of those that are reduced. */
static void reduce_begin(struct walk *walk, const layout_tile *tile)
{
	const layout_tile *from = tile->operands[0];
	int64_t kept = 1, reduced = 1;

	walk_begin(walk, from->rank, from->box);
	walk->array_count = 2;
	for (unsigned d = from->rank; d-- > 0;) {
		bool is_reduced = program_lists_dim(tile, d);

		walk->step[is_reduced][d] = is_reduced ? reduced : kept;
		*(is_reduced ? &reduced : &kept) *= from->box[d];
	}
}

static uint64_t combine(enum reduce_op op, const struct element_type *type, uint64_t a,
	uint64_t b)
{
	static const enum map_op ops[] = { [REDUCE_ADD] = MAP_ADD, [REDUCE_MUL] = MAP_MUL,
		[REDUCE_MIN] = MAP_MIN, [REDUCE_MAX] = MAP_MAX };
	const uint64_t args[3] = { a, b };

	return op == REDUCE_AND ? a & b : op == REDUCE_OR ? a | b :
		eval_apply(ops[op], type, args);
}

static void eval_reduce(const struct eval *eval, const layout_tile *tile, uint64_t *to)
{
	const layout_tile *tensor = tile->operands[0];
	const uint64_t *from = value_of(eval, tensor);
	struct walk walk;

	reduce_begin(&walk, tile);
	do {
		uint64_t bits = element_cast(tile->type, tensor->type, *from++);

		to[walk.at[0]] = !walk.at[1] ? bits :
			combine(tile->reduce, tile->type, to[walk.at[0]], bits);
	} while (walk_next(&walk));
}

/* Is b better than a, which comes before it?  A NaN is better than any number. */
static bool is_better(enum reduce_op op, const struct element_type *type, uint64_t a,
	uint64_t b)
{
	int order = eval_order(type, b, a);

	if (order == 2)
		return eval_order(type, a, a) != 2;
	return order == (op == REDUCE_ARGMIN ? -1 : 1);
}

/* While the tile is gone through, the best element's number is above its index. */
static void eval_best(const struct eval *eval, const layout_tile *tile, uint64_t *to)
{
	const layout_tile *tensor = tile->operands[0];
	const uint64_t *from = value_of(eval, tensor);
	uint64_t number = 0;
	struct walk walk;

	reduce_begin(&walk, tile);
	do {
		uint64_t *best = &to[walk.at[0]];

		if (!walk.at[1] || is_better(tile->reduce, tensor->type,
			from[*best >> 32], from[number]))
			*best = number << 32 | (uint64_t)walk.at[1];
		number++;
	} while (walk_next(&walk));
	for (int64_t i = 0; i < program_elements(tile); i++)
		to[i] = (uint32_t)to[i];
}

/* Where the walk is in the scales of x or y. */
static void find_scale(const layout_tile *tile, unsigned which, struct walk *walk)
{
	const layout_tile *scales = tile->operands[3 + which];
	int64_t own[PROGRAM_RANK], at = 0;

	row_major(scales, own);
	for (unsigned d = 0; d < scales->rank; d++) {
		unsigned letter = tile->maps[which][d];

		at += own[d] * (walk->x[letter] / (letter == tile->scaled ? PROGRAM_SCALED : 1));
	}
	walk->at[3 + which] = at;
}

/* The letters are walked through in the order of the result's, then those that are summed,
 * in their own. */
static void contract_begin(struct walk *walk, const layout_tile *tile)
{
	const layout_tile *side[] = { tile->operands[1], tile->operands[2], tile };

	walk_begin(walk, tile->letter_count, tile->letters);
	walk->array_count = 3;
	for (unsigned i = 0; i < 3; i++) {
		int64_t own[PROGRAM_RANK];

		row_major(side[i], own);
		for (unsigned d = 0; d < side[i]->rank; d++)
			walk->step[i][tile->maps[i][d]] += own[d];
	}
}

static void contract_integers(const struct eval *eval, const layout_tile *tile,
	uint64_t *to)
{
	const layout_tile *x = tile->operands[1], *y = tile->operands[2];
	struct walk walk;

	contract_begin(&walk, tile);
	do {
		const uint64_t factors[3] = {
			element_cast(tile->type, x->type, value_of(eval, x)[walk.at[0]]),
			element_cast(tile->type, y->type, value_of(eval, y)[walk.at[1]]) };
		const uint64_t terms[3] = { to[walk.at[2]],
			eval_apply(MAP_MUL, tile->type, factors) };

		to[walk.at[2]] = eval_apply(MAP_ADD, tile->type, terms);
	} while (walk_next(&walk));
}

/* A tile's numbers; with "as", rounded to that type. */
static double *numbers_of(const struct eval *eval, const layout_tile *tile,
	const struct element_type *as)
{
	int64_t count = program_elements(tile);
	const uint64_t *bits = value_of(eval, tile);
	double *numbers = layout_alloc(eval->program->ctx, (size_t)count, sizeof(*numbers));

	for (int64_t n = 0; numbers && n < count; n++)
		numbers[n] = as ? element_double(as, element_cast(as, tile->type, bits[n])) :
			element_double(tile->type, bits[n]);
	return numbers;
}

/* A product with scales is rounded once: it is exact as a double. */
static double scales_at(const struct eval *eval, const layout_tile *tile, struct walk *walk)
{
	double product = 1;

	for (unsigned i = 0; i < 2; i++) {
		const layout_tile *scales = tile->operands[3 + i];

		find_scale(tile, i, walk);
		product *= element_double(scales->type, value_of(eval, scales)[walk->at[3 + i]]);
	}
	return product;
}

static void sum_products(const struct eval *eval, const layout_tile *tile, const double *x,
	const double *y, double *sum)
{
	const struct element_type *type = tile->type;
	bool has_scales = program_has_scales(tile);
	struct walk walk;

	contract_begin(&walk, tile);
	do {
		double product = x[walk.at[0]] * y[walk.at[1]];

		if (has_scales)
			product *= scales_at(eval, tile, &walk);
		sum[walk.at[2]] = element_rounded(type, sum[walk.at[2]] +
			element_rounded(type, product));
	} while (walk_next(&walk));
}

/* As the numbers that the elements are: each is read once, though many terms have it. */
static bool contract_floats(const struct eval *eval, const layout_tile *tile, uint64_t *to)
{
	const struct element_type *as = program_has_scales(tile) ? NULL : tile->type;
	double *x = numbers_of(eval, tile->operands[1], as);
	double *y = numbers_of(eval, tile->operands[2], as);
	double *sum = numbers_of(eval, tile->operands[0], NULL);
	bool ok = x && y && sum;

	if (ok)
		sum_products(eval, tile, x, y, sum);
	for (int64_t n = 0; ok && n < program_elements(tile); n++)
		to[n] = element_of_double(tile->type, sum[n]);
	free(x);
	free(y);
	free(sum);
	return ok;
}

static bool eval_contract(const struct eval *eval, const layout_tile *tile, uint64_t *to)
{
	const uint64_t *sum = value_of(eval, tile->operands[0]);

	if (element_is_float(tile->type))
		return contract_floats(eval, tile, to);
	memcpy(to, sum, (size_t)program_elements(tile) * sizeof(*to));
	contract_integers(eval, tile, to);
	return true;
}

static void eval_fill(const layout_tile *tile, uint64_t *to)
{
	for (int64_t n = program_elements(tile); n > 0; n--)
		*to++ = tile->bits;
}

bool eval_tile(struct eval *eval, const layout_tile *tile)
{
	uint64_t *to = eval->tiles[tile->number];

	switch (tile->op) {
	case TILE_FILL:
		eval_fill(tile, to);
		return true;
	case TILE_INDEX:
		eval_coordinate(tile, to);
		return true;
	case TILE_LOAD:
	case TILE_GET:
		return eval_load(eval, tile, to);
	case TILE_CONVERT:
		memcpy(to, value_of(eval, tile->operands[0]),
			(size_t)program_elements(tile) * sizeof(*to));
		return true;
	case TILE_MAP:
		eval_expression(eval, tile, to);
		return true;
	case TILE_VIEW:
		eval_view(eval, tile, to);
		return true;
	case TILE_REDUCE:
		(tile->reduce < REDUCE_ARGMIN ? eval_reduce : eval_best)(eval, tile, to);
		return true;
	case TILE_CONTRACT:
		return eval_contract(eval, tile, to);
	case TILE_CARRY:
	case TILE_RESULT:
		return true;	/* what their loop does */
	}
	return true;
}
