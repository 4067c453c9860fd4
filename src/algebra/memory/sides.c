/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/memory/sides.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"
#include "algebra/storage/twist.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

void sides_free(struct sides *sides)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		storage_index_free(&sides->index[side]);
	if (sides->low)
		index_list_free(sides->low, sides->storage[FACTOR_LOAD]->rank);
	index_list_free(sides->names, sides->remap->name_count);
	index_free(sides->valid);
	contract_free(&sides->contract);
}

static bool find_low(struct sides *sides, layout_remap *remap,
	const struct ast_scope *scope)
{
	sides->low = layout_alloc(scope->ctx, remap->source->rank, sizeof(*sides->low));
	if (!sides->low)
		return false;
	if (!remap_shift(remap, scope, sides->contract.sizes, sides->low)) {
		free(sides->low);
		sides->low = NULL;
	}
	return true;
}

/* All sizes >= 0 for which both storages have some. */
static isl_set *any_sizes(layout_remap *remap)
{
	isl_set *sizes = bridge_nonnegative(remap_space(remap));

	for (unsigned d = 0; d < remap->source->rank; d++)
		sizes = isl_set_intersect(sizes,
			size_below(&remap->source->sizes[d], 0));
	return sizes;
}

bool sides_begin(struct sides *sides, layout_remap *remap, bool any)
{
	bool ok;

	*sides = (struct sides){ .remap = remap };
	if (any)
		sides->contract.sizes = any_sizes(remap);
	ok = any ? sides->contract.sizes != NULL :
		contract_build(&sides->contract, remap);
	sides->names = layout_alloc(remap->ctx, remap->name_count, sizeof(*sides->names));
	ok = ok && sides->names;
	for (unsigned i = 0; ok && i < remap->name_count; i++) {
		sides->names[i] = any ? index_var(i, 0, INT64_MAX) :
			contract_size(&sides->contract, remap, i);
		ok = sides->names[i];
	}
	return ok;
}

bool sides_assume(struct sides *sides, uint64_t set, int64_t step)
{
	bool ok = true;

	for (unsigned i = 0; ok && set >> i; i++) {
		if (set >> i & 1)
			sides->names[i] = contract_multiple(sides->names[i], step);
		ok = sides->names[i];
	}
	return ok;
}

struct ast_scope sides_scope(const struct sides *sides)
{
	return (struct ast_scope){ sides->remap->ctx, sides->remap->name_count,
		sides->remap->names, sides->names };
}

bool sides_place(struct sides *sides, layout_remap *remap)
{
	struct ast_scope scope = sides_scope(sides);
	bool ok = true;

	sides->storage[FACTOR_LOAD] = remap->source;
	sides->storage[FACTOR_STORE] = remap->destination;
	for (unsigned side = 0; ok && side < FACTOR_SIDES; side++) {
		layout_storage *storage = sides->storage[side];

		ok = storage_index_build(&sides->index[side], storage, &scope,
			sides->contract.sizes);
		for (unsigned k = 0; k < storage->slot_count &&
			k < LAYOUT_STORAGE_SLOTS; k++)
			sides->part[side][k] = storage_part(storage, k);
	}
	return ok && find_low(sides, remap, &scope);
}

bool sides_build(struct sides *sides, layout_remap *remap, bool any)
{
	if (!sides_begin(sides, remap, any) || !sides_place(sides, remap))
		return false;
	sides->valid = contract_valid(&sides->contract, remap);
	return sides->valid;
}

bool sides_stay(const struct sides *sides)
{
	for (unsigned d = 0; sides->low && d < sides->remap->source->rank; d++)
		if (sides->low[d]->op != INDEX_INT || sides->low[d]->value)
			return false;
	return sides->low;
}

/* 1 at these sizes. */
static bool holds(const struct index *condition, const int64_t *values)
{
	int64_t value;

	return index_eval(condition, values, &value) && value;
}

bool sides_fix(struct sides_at *at, const struct sides *sides, const int64_t *values)
{
	const struct storage_index *source = &sides->index[FACTOR_LOAD];
	bool ok = holds(sides->valid, values);

	at->sides = sides;
	for (unsigned d = 0; ok && d < source->rank; d++) {
		ok = index_eval(source->size[d], values, &at->size[d]);
		at->low[d] = 0;
		if (ok && sides->low)
			ok = index_eval(sides->low[d], values, &at->low[d]);
	}
	for (unsigned side = 0; ok && side < FACTOR_SIDES; side++) {
		const struct storage_index *index = &sides->index[side];

		ok = holds(index->apart, values) &&
			index_eval(index->elements, values, &at->cells[side]);
		for (unsigned k = 0; ok && k < index->slot_count; k++)
			ok = index_eval(index->pitch[k], values, &at->pitch[side][k]);
	}
	return ok;
}

/* The number of an element's cell. */
static bool find_cell(const struct sides_at *at, enum factor_side side,
	const int64_t *element, int64_t *cell)
{
	const layout_storage *storage = at->sides->storage[side];
	int64_t slots[LAYOUT_STORAGE_SLOTS];

	for (unsigned k = 0; k < storage->slot_count; k++) {
		const struct digit *part = &at->sides->part[side][k];

		slots[k] = element[part->dim] / part->step;
		if (part->radix)
			slots[k] %= part->radix;
	}
	storage_twist_slots(storage, slots, false);
	*cell = 0;
	for (unsigned k = 0; k < storage->slot_count; k++)
		if (!int_add_product(cell, slots[k], at->pitch[side][k]))
			return false;
	return true;
}

bool sides_cells(const struct sides_at *at, const int64_t *from, const int64_t *to,
	int64_t cell[FACTOR_SIDES])
{
	return find_cell(at, FACTOR_LOAD, from, &cell[FACTOR_LOAD]) &&
		find_cell(at, FACTOR_STORE, to, &cell[FACTOR_STORE]);
}
