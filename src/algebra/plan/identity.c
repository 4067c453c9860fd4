/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps that change nothing: the destination's memory is the source's, bit for bit.
 *
 * Cheapest first: the same text; sizes and an element that tell the two apart; the same
 * digits with the same weights; the same relation; all elements, where they are few. */
#include "algebra/plan/contract.h"
#include "algebra/plan/factor.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

#include <stdlib.h>
#include <string.h>

/* Sizes and elements that are tried, and the elements of which all are. */
enum { SAMPLES = 24, SAMPLE_ELEMENTS = 16, MOST_ELEMENTS = 1 << 16 };

/* The two storages as index expressions over the remap's names. */
struct sides {
	layout_remap *remap;
	layout_storage *storage[FACTOR_SIDES];
	struct storage_index index[FACTOR_SIDES];
	struct contract contract;
	struct index **names;
	struct index *valid;		/* the sizes that are allowed */
	struct index **low;		/* by how much elements are shifted; NULL: they */
					/* are not just shifted */
};

static void free_indices(struct index **list, unsigned count)
{
	for (unsigned i = 0; list && i < count; i++)
		index_free(list[i]);
	free(list);
}

static void sides_free(struct sides *sides)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		storage_index_free(&sides->index[side]);
	free_indices(sides->low, sides->remap->source->rank);
	free_indices(sides->names, sides->remap->name_count);
	index_free(sides->valid);
	contract_free(&sides->contract);
}

static bool find_low(struct sides *sides, const struct ast_scope *scope)
{
	sides->low = layout_alloc(scope->ctx, sides->remap->source->rank,
		sizeof(*sides->low));
	if (!sides->low)
		return false;
	if (!remap_shift(sides->remap, scope, sides->contract.sizes, sides->low)) {
		free(sides->low);
		sides->low = NULL;
	}
	return true;
}

static bool sides_build(struct sides *sides, layout_remap *remap)
{
	layout_context *ctx = remap->ctx;
	struct ast_scope scope = { ctx, remap->name_count, remap->names, NULL };
	bool ok;

	*sides = (struct sides){ .remap = remap,
		.storage = { remap->source, remap->destination },
		.names = layout_alloc(ctx, remap->name_count, sizeof(*sides->names)) };
	scope.values = sides->names;
	ok = contract_build(&sides->contract, remap) && sides->names;
	for (unsigned i = 0; ok && i < remap->name_count; i++) {
		sides->names[i] = contract_size(&sides->contract, remap, i);
		ok = sides->names[i];
	}
	for (unsigned side = 0; ok && side < FACTOR_SIDES; side++)
		ok = storage_index_build(&sides->index[side], sides->storage[side],
			&scope, sides->contract.sizes);
	if (ok)
		sides->valid = contract_valid(&sides->contract, remap);
	return sides->valid && find_low(sides, &scope);
}

static bool same_text(layout_remap *remap)
{
	char *source = layout_storage_str(remap->source);
	char *destination = layout_storage_str(remap->destination);
	bool same = source && destination && strcmp(source, destination) == 0;

	free(source);
	free(destination);
	return same;
}

/* The slots of an element as they lie in memory. */
static void find_slots(const layout_storage *storage, const int64_t *element,
	int64_t slots[LAYOUT_STORAGE_SLOTS])
{
	for (unsigned k = 0; k < storage->slot_count; k++) {
		struct storage_part part = storage_part(storage, k);

		slots[k] = element[part.dim] / part.step;
		if (part.extent)
			slots[k] %= part.extent;
	}
	for (unsigned i = 0; i < storage->xor_count; i++) {
		const struct storage_xor *link = &storage->xors[i];
		int64_t bits = slots[link->slot_from] >> link->bit_from;

		bits &= (INT64_C(1) << link->bits) - 1;
		slots[link->slot_to] ^= bits << link->bit_to;
	}
}

/* The number of an element's cell; false beyond 64 bits. */
static bool find_cell(const struct sides *sides, enum factor_side side,
	const int64_t *values, const int64_t *element, int64_t *cell)
{
	int64_t slots[LAYOUT_STORAGE_SLOTS], pitch;

	*cell = 0;
	find_slots(sides->storage[side], element, slots);
	for (unsigned k = 0; k < sides->storage[side]->slot_count; k++)
		if (!index_eval(sides->index[side].pitch[k], values, &pitch) ||
		    !int_add_product(cell, slots[k], pitch))
			return false;
	return true;
}

/* Element "from" of the source is known to have another cell as "to". */
static bool moves(const struct sides *sides, const int64_t *values, const int64_t *from,
	const int64_t *to)
{
	int64_t source, destination;

	return find_cell(sides, FACTOR_LOAD, values, from, &source) &&
		find_cell(sides, FACTOR_STORE, values, to, &destination) &&
		source != destination;
}

/* A number below "limit", another each time. */
static int64_t draw(uint64_t *state, int64_t limit)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((*state >> 33) % (uint64_t)limit);
}

/* One element at these sizes, and where it goes; false where there is none. */
static bool draw_element(const struct sides *sides, const int64_t *values,
	uint64_t *state, int64_t *from, int64_t *to)
{
	for (unsigned d = 0; d < sides->remap->source->rank; d++) {
		int64_t size, low;

		if (!index_eval(sides->index[FACTOR_LOAD].size[d], values, &size) ||
		    !index_eval(sides->low[d], values, &low) || size <= 0)
			return false;
		from[d] = draw(state, size);
		to[d] = from[d] + low;
	}
	return true;
}

/* Numbers of elements or a cell that tell the sides apart at these sizes. */
static bool differ_at(const struct sides *sides, const int64_t *values, uint64_t *state)
{
	int64_t from[LAYOUT_STORAGE_SLOTS], to[LAYOUT_STORAGE_SLOTS];
	int64_t counts[FACTOR_SIDES];

	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		if (!index_eval(sides->index[side].elements, values, &counts[side]))
			return false;
	if (counts[FACTOR_LOAD] != counts[FACTOR_STORE])
		return true;
	for (unsigned i = 0; sides->low && i < SAMPLE_ELEMENTS; i++)
		if (draw_element(sides, values, state, from, to) &&
		    moves(sides, values, from, to))
			return true;
	return false;
}

/* Some of the allowed sizes tell the sides apart. */
static bool differ(const struct sides *sides)
{
	static const int64_t sizes[] = { 1, 2, 3, 5, 16, 17, 32, 64, 100, 128, 129, 255,
		256, 1000, 1024, 4096 };
	int64_t *values = layout_alloc(sides->remap->ctx, sides->remap->name_count,
		sizeof(*values));
	uint64_t state = 1;
	bool found = false;

	for (unsigned s = 0; values && !found && s < SAMPLES; s++) {
		int64_t valid = 0;

		for (unsigned i = 0; i < sides->remap->name_count; i++)
			values[i] = sizes[draw(&state, sizeof(sizes) / sizeof(*sizes))];
		if (index_eval(sides->valid, values, &valid) && valid)
			found = differ_at(sides, values, &state);
	}
	free(values);
	return found;
}

static bool has_padding(layout_storage *storage)
{
	layout_set *padding;
	bool none = !storage_is_rounded(storage);

	if (none)
		return false;
	padding = layout_storage_padding(storage);
	none = layout_set_is_empty(padding) == LAYOUT_YES;
	layout_set_free(padding);
	return !none;
}

/* As many cells, all of them from the first element to the last, or those that whole
 * tiles add too; what the source has as padding is taken to hold the pad value. */
static bool same_cells(const struct sides *sides)
{
	bool source = has_padding(sides->remap->source);
	bool destination = has_padding(sides->remap->destination);

	if (source != destination)
		return false;
	return (!source && !sides->remap->map) ||
		index_equal(sides->index[FACTOR_LOAD].elements,
			sides->index[FACTOR_STORE].elements);
}

static bool stays(const struct sides *sides)
{
	for (unsigned d = 0; sides->low && d < sides->remap->source->rank; d++)
		if (sides->low[d]->op != INDEX_INT || sides->low[d]->value)
			return false;
	return sides->low;
}

/* On both sides the same digits are swizzled by the same. */
static bool same_xors(const struct factors *factors)
{
	unsigned alike = 0;

	for (unsigned i = 0; i < factors->xor_count; i++)
		for (unsigned j = 0; j < factors->xor_count; j++)
			alike += factors->xors[i].side == FACTOR_LOAD &&
				factors->xors[j].side == FACTOR_STORE &&
				factors->xors[i].to == factors->xors[j].to &&
				factors->xors[i].from == factors->xors[j].from;
	return 2 * alike == factors->xor_count;
}

/* The digit is 0 in all elements of the source, where no stride is 0. */
static bool is_unused(const struct sides *sides, const struct factors *factors,
	unsigned digit)
{
	const struct index *weight = factors->digits[digit].weight[FACTOR_LOAD];

	return sides->remap->source->kind != LAYOUT_STORAGE_STRIDED &&
		weight->op == INDEX_INT && !weight->value &&
		!factor_is_linked(factors, digit);
}

static bool same_weights(const struct sides *sides, const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].ragged)
			return false;
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (!is_unused(sides, factors, i) &&
		    !index_equal(factors->digits[i].weight[FACTOR_LOAD],
			    factors->digits[i].weight[FACTOR_STORE]))
			return false;
	return same_xors(factors);
}

/* Steps of a digit are worth the same on both sides. */
static bool same_digits(const struct sides *sides)
{
	struct factors *factors = layout_alloc(sides->remap->ctx, 1, sizeof(*factors));
	struct factor_input input = { sides->remap,
		{ &sides->index[FACTOR_LOAD], &sides->index[FACTOR_STORE] }, sides->low,
		false };
	bool possible, same;

	same = factors && factors_build(factors, &input, &possible) && possible &&
		same_weights(sides, factors);
	if (factors)
		factors_free(factors);
	free(factors);
	return same;
}

/* The same cells, numbered alike, as isl sees them. */
static bool same_relation(const struct sides *sides)
{
	layout_storage *source = sides->remap->source;
	layout_storage *destination = sides->remap->destination;
	layout_relation *from, *to;
	layout_set *cells, *others;
	bool same;

	if (source->kind == LAYOUT_STORAGE_STRIDED || source->xor_count ||
	    destination->kind == LAYOUT_STORAGE_STRIDED || destination->xor_count ||
	    source->slot_count != destination->slot_count)
		return false;
	from = layout_storage_relation(source);
	to = layout_storage_relation(destination);
	cells = layout_storage_cells(source);
	others = layout_storage_cells(destination);
	same = from && to && cells && others &&
		layout_relation_equal(from, to, NULL) == LAYOUT_YES &&
		layout_set_equal(cells, others, NULL) == LAYOUT_YES;
	layout_relation_free(from);
	layout_relation_free(to);
	layout_set_free(cells);
	layout_set_free(others);
	return same;
}

/* Elements of a map, one after the other. */
struct visit {
	const struct sides *sides;
	int64_t count;
	bool moved;
};

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct visit *all = user;

	(void)in_rank;
	(void)image_rank;
	all->moved = moves(all->sides, NULL, in, image);
	return ++all->count <= MOST_ELEMENTS && !all->moved;
}

/* Every cell of the destination has an element of the source, at the same place, and
 * there are as many as the source has cells. */
static layout_answer look_at_map(const struct sides *sides)
{
	struct visit all = { sides, 0, false };
	int64_t source, destination;

	if (!index_eval(sides->index[FACTOR_LOAD].elements, NULL, &source) ||
	    !index_eval(sides->index[FACTOR_STORE].elements, NULL, &destination) ||
	    source > MOST_ELEMENTS ||
	    !layout_relation_for_each(sides->remap->map->map, visit, &all))
		return LAYOUT_UNKNOWN;
	if (all.moved)
		return LAYOUT_NO;
	return all.count == source && all.count == destination ? LAYOUT_YES :
		LAYOUT_UNKNOWN;
}

/* The next element of the source; false at the end. */
static bool next_element(const struct sides *sides, int64_t *element)
{
	int64_t size;

	for (unsigned d = sides->remap->source->rank; d--;) {
		if (index_eval(sides->index[FACTOR_LOAD].size[d], NULL, &size) &&
		    ++element[d] < size)
			return true;
		element[d] = 0;
	}
	return false;
}

/* No element moves. */
static layout_answer look_at_elements(const struct sides *sides)
{
	int64_t element[LAYOUT_STORAGE_SLOTS] = { 0 }, count;

	if (!index_eval(sides->index[FACTOR_LOAD].elements, NULL, &count) ||
	    count > MOST_ELEMENTS || !same_cells(sides))
		return LAYOUT_UNKNOWN;
	do
		if (count && moves(sides, NULL, element, element))
			return LAYOUT_NO;
	while (next_element(sides, element));
	return LAYOUT_YES;
}

static layout_answer compare(const struct sides *sides)
{
	if (differ(sides))
		return LAYOUT_NO;
	if (!sides->remap->name_count && sides->remap->map)
		return look_at_map(sides);
	if (!stays(sides))
		return LAYOUT_UNKNOWN;
	if (same_cells(sides) && same_digits(sides))
		return LAYOUT_YES;
	if (sides->remap->map)
		return LAYOUT_UNKNOWN;
	if (!sides->remap->name_count)
		return look_at_elements(sides);
	return same_relation(sides) ? LAYOUT_YES : LAYOUT_UNKNOWN;
}

/* An element's slots have room. */
static bool is_small(const layout_storage *storage)
{
	return storage->slot_count <= LAYOUT_STORAGE_SLOTS;
}

layout_answer layout_remap_is_identity(layout_remap *remap)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct sides sides;

	if (!remap)
		return LAYOUT_UNKNOWN;
	if (!conversion_is_copy(&remap->conversion))
		return LAYOUT_NO;
	if (!remap->map && same_text(remap))
		return LAYOUT_YES;
	if (!is_small(remap->source) || !is_small(remap->destination))
		return LAYOUT_UNKNOWN;
	bridge_enter(remap->ctx);
	if (sides_build(&sides, remap))
		answer = compare(&sides);
	sides_free(&sides);
	return bridge_leave(remap->ctx, "compare two storages") ? answer : LAYOUT_UNKNOWN;
}
