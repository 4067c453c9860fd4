/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/factor/join.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"
#include "isl_bridge/index_sum.h"

#include <stdlib.h>

/* Products of sizes stay below: a storage has fewer elements. */
#define MOST_ELEMENTS ((int64_t)1 << 62)

/* What joining works on: the slots of each side that are not always 0, over the
 * logical dimensions; next[d]: the dimension that lies inside d, or "rank". */
struct join {
	struct factors *factors;
	const struct factor_input *input;
	layout_storage *storage[FACTOR_SIDES];
	unsigned rank;
	unsigned *next;
	bool *gone, *inner;	/* a size of 1; inside another dimension */
};

/* The index is always 0, in padding too, and the source has it. */
static bool vanishes(const struct join *join, unsigned d)
{
	const struct storage_index *index = join->input->index[FACTOR_STORE];

	if (!index_is(index->size[d], 1) || !index_is(join->input->low[d], 0) ||
	    !index_is(join->input->index[FACTOR_LOAD]->size[d], 1))
		return false;
	for (unsigned k = 0; k < index->slot_count; k++)
		if (storage_part(join->storage[FACTOR_STORE], k).dim == d &&
		    !index_is(index->extent[k], 1))
			return false;
	return true;
}

/* The tiles of units, of which there is one, have no slot: they are a slot that is worth
 * nothing. */
static void take_units(struct join *join, enum factor_side side)
{
	layout_storage *storage = join->storage[side];
	struct factors *factors = join->factors;

	for (unsigned d = storage_tensor_rank(storage); d < storage->rank; d++)
		if (!join->gone[d])
			factors->slots[side][factors->slot_count[side]++] =
				(struct factor_slot){ { d, storage_tile(storage, d), 0 },
					storage->slot_count + d, index_int(0) };
}

static bool take_slots(struct join *join, enum factor_side side)
{
	const struct storage_index *index = join->input->index[side];
	layout_storage *storage = join->storage[side];
	struct factors *factors = join->factors;

	factors->slots[side] = layout_alloc(storage->ctx,
		index->slot_count + storage->units, sizeof(struct factor_slot));
	if (!factors->slots[side])
		return false;
	for (unsigned k = 0; k < index->slot_count; k++) {
		struct digit part = side == FACTOR_LOAD && join->input->dims ?
			(struct digit){ join->input->dims[k], 1, 0 } : storage_part(storage, k);

		if (join->gone[part.dim] || part.radix == 1)
			continue;
		factors->slots[side][factors->slot_count[side]++] = (struct factor_slot){
			part, k, index_copy(index->pitch[k]) };
	}
	take_units(join, side);
	return true;
}

/* Is a slot part of a swizzle? */
static bool is_swizzled(const layout_storage *storage, unsigned slot)
{
	for (unsigned i = 0; i < storage->twist_count; i++)
		if (storage->twists[i].slot_to == slot ||
		    storage->twists[i].slot_from == slot)
			return true;
	return false;
}

/* The only slot of a dimension that is neither tiled nor swizzled, else NULL. */
static const struct factor_slot *whole_slot(const struct join *join,
	enum factor_side side, unsigned d)
{
	const struct factors *factors = join->factors;
	const struct factor_slot *found = NULL;

	for (unsigned k = 0; k < factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &factors->slots[side][k];

		if (slot->digit.dim != d)
			continue;
		if (found || slot->digit.step != 1 || slot->digit.radix ||
		    is_swizzled(join->storage[side], slot->slot))
			return NULL;
		found = slot;
	}
	return found;
}

/* One step of "outer" is worth all steps of "inner". */
static bool encloses(const struct factor_slot *outer, const struct factor_slot *inner,
	struct index *size)
{
	struct index *all = index_binary(INDEX_MUL, index_copy(inner->pitch),
		index_copy(size));
	struct index *turned = index_binary(INDEX_MUL, index_copy(size),
		index_copy(inner->pitch));
	bool equal = all && turned && (index_equal(all, outer->pitch) ||
		index_equal(turned, outer->pitch));

	index_free(all);
	index_free(turned);
	return equal;
}

/* The dimension whose slot follows that of d on this side, and fills its steps. */
static unsigned follower(const struct join *join, enum factor_side side, unsigned d)
{
	const struct factors *factors = join->factors;
	const struct factor_slot *outer = whole_slot(join, side, d), *inner;

	if (!outer || outer + 1 == factors->slots[side] + factors->slot_count[side])
		return join->rank;
	inner = whole_slot(join, side, outer[1].digit.dim);
	if (!inner || !encloses(outer, inner, join->input->index[side]->size[inner->digit.dim]))
		return join->rank;
	return inner->digit.dim;
}

/* Elements keep their index in dimension d, and none is beyond the source.  Where there
 * is no map, both storages are known to have the same sizes. */
static bool stays(const struct join *join, unsigned d)
{
	const struct factor_input *input = join->input;

	return d == join->rank || !input->remap->map || (index_is(input->low[d], 0) &&
		index_equal(input->index[FACTOR_LOAD]->size[d],
			input->index[FACTOR_STORE]->size[d]));
}

static bool is_backward(const struct join *join, unsigned d)
{
	return d < join->rank && join->input->backward >> d & 1;
}

static void find_followers(struct join *join)
{
	for (unsigned d = 0; d < join->rank; d++) {
		join->next[d] = join->rank;
		if (join->gone[d] || join->input->apart)
			continue;
		join->next[d] = follower(join, FACTOR_LOAD, d);
		if (follower(join, FACTOR_STORE, d) != join->next[d] ||
		    !stays(join, d) || !stays(join, join->next[d]) ||
		    is_backward(join, d) != is_backward(join, join->next[d]))
			join->next[d] = join->rank;
		if (join->next[d] < join->rank)
			join->inner[join->next[d]] = true;
	}
}

/* A product of sizes; its bound is that of any storage where the factors' say less. */
static struct index *times(struct index *a, struct index *b)
{
	struct index *product = index_binary(INDEX_MUL, a, b);

	if (product && product->refs == 1 && product->op == INDEX_MUL &&
	    (product->max > MOST_ELEMENTS || product->min < 0)) {
		product->min = 0;
		product->max = MOST_ELEMENTS;
	}
	return product;
}

/* Up to where the destination has cells: its outermost slot's steps. */
static struct index *stored_end(const struct join *join, unsigned d)
{
	const struct storage_index *index = join->input->index[FACTOR_STORE];

	if (d >= storage_tensor_rank(join->storage[FACTOR_STORE]))
		return index_int(storage_tile(join->storage[FACTOR_STORE], d));
	for (unsigned k = 0; k < index->slot_count; k++) {
		struct digit part = storage_part(join->storage[FACTOR_STORE], k);

		if (part.dim == d && !part.radix)
			return index_binary(INDEX_MUL, index_copy(index->extent[k]),
				index_int(part.step));
	}
	return index_copy(index->size[d]);
}

/* May the source go on where the destination ends?  Not in joined dimensions. */
static bool is_cut(const struct join *join, const struct factor_dim *dim)
{
	const layout_remap *remap = join->input->remap;

	return remap->map && remap->map->cut && dim->count == 1;
}

static bool take_dims(struct join *join)
{
	struct index *const *size = join->input->index[FACTOR_LOAD]->size;
	struct factors *factors = join->factors;
	unsigned used = 0;
	bool ok = true;

	for (unsigned d = 0; d < join->rank; d++) {
		struct factor_dim *dim = &factors->dims[factors->dim_count];

		if (join->gone[d] || join->inner[d])
			continue;
		factors->dim_count++;
		*dim = (struct factor_dim){ .first = used, .high = index_int(1),
			.end = index_int(1), .low = index_copy(join->input->low[d]),
			.backward = is_backward(join, d) };
		for (unsigned e = d; e < join->rank; e = join->next[e]) {
			factors->order[used++] = e;
			dim->count++;
			dim->high = times(dim->high, index_copy(size[e]));
			dim->end = times(dim->end, stored_end(join, e));
		}
		dim->single = dim->high && index_is(dim->high, 1);
		dim->high = index_binary(INDEX_ADD, dim->high, index_copy(dim->low));
		if (is_cut(join, dim))
			dim->high = index_binary(INDEX_MIN, dim->high, index_copy(
				join->input->index[FACTOR_STORE]->size[d]));
		ok = ok && dim->low && dim->high && dim->end;
	}
	return ok;
}

/* The joined dimension of a logical one, of which only the innermost keeps its slot. */
static bool owner_of(const struct factors *factors, unsigned d, unsigned *dim)
{
	for (*dim = 0; *dim < factors->dim_count; ++*dim) {
		const struct factor_dim *joined = &factors->dims[*dim];

		if (factors->order[joined->first + joined->count - 1] == d)
			return true;
	}
	return false;
}

static void join_slots(struct factors *factors, enum factor_side side)
{
	unsigned count = factors->slot_count[side], used = 0, dim;
	struct factor_slot *slots = factors->slots[side];

	for (unsigned k = 0; k < count; k++) {
		if (!owner_of(factors, slots[k].digit.dim, &dim)) {
			index_free(slots[k].pitch);
			continue;
		}
		slots[used] = slots[k];
		slots[used++].digit.dim = dim;
	}
	factors->slot_count[side] = used;
}

bool join_dims(struct factors *factors, const struct factor_input *input)
{
	layout_remap *remap = input->remap;
	unsigned rank = remap->destination->rank;
	struct join join = { factors, input, { remap->source, remap->destination }, rank,
		layout_alloc(remap->ctx, rank, sizeof(unsigned)),
		layout_alloc(remap->ctx, rank, sizeof(bool)),
		layout_alloc(remap->ctx, rank, sizeof(bool)) };
	bool ok;

	factors->rank = rank;
	factors->order = layout_alloc(remap->ctx, rank, sizeof(unsigned));
	factors->dims = layout_alloc(remap->ctx, rank, sizeof(struct factor_dim));
	ok = join.next && join.gone && join.inner && factors->order && factors->dims;
	for (unsigned d = 0; ok && d < rank; d++)
		join.gone[d] = vanishes(&join, d);
	ok = ok && take_slots(&join, FACTOR_LOAD) && take_slots(&join, FACTOR_STORE);
	if (ok) {
		find_followers(&join);
		ok = take_dims(&join);
	}
	for (unsigned side = 0; ok && side < FACTOR_SIDES; side++)
		join_slots(factors, side);
	free(join.next);
	free(join.gone);
	free(join.inner);
	return ok;
}
