/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/index.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"

#include <stdlib.h>

static struct index *minus_one(struct index *a)
{
	return index_binary(INDEX_SUB, a, index_int(1));
}

/* ceil(size / tile), or a constant. */
static struct index *slot_extent(const struct storage_index *index,
	const struct storage_slot *slot)
{
	struct index *size;

	if (slot->constant)
		return index_int(slot->constant);
	size = index_copy(index->size[slot->dim]);
	if (slot->tile == 1)
		return size;
	return index_ceil_div(size, slot->tile);
}

/* Dense: the innermost slot is worth one element. */
static void dense_pitches(struct storage_index *index)
{
	struct index *pitch = index_int(1);

	for (unsigned k = index->slot_count; k-- > 0;) {
		index->pitch[k] = pitch;
		pitch = index_binary(INDEX_MUL, index_copy(pitch),
			index_copy(index->extent[k]));
	}
	index->elements = pitch;
	index->apart = index_int(1);
}

/* 1 + the sum of (extent - 1)*pitch, or 0 if an extent is 0. */
static struct index *strided_elements(const struct storage_index *index)
{
	struct index *sum = index_int(1), *some = index_int(1);

	for (unsigned k = 0; k < index->slot_count; k++) {
		sum = index_binary(INDEX_ADD, sum, index_binary(INDEX_MUL,
			minus_one(index_copy(index->extent[k])),
			index_copy(index->pitch[k])));
		some = index_binary(INDEX_AND, some, index_binary(INDEX_GT,
			index_copy(index->extent[k]), index_int(0)));
	}
	return index_select(some, sum, index_int(0));
}

static bool is_named(const layout_storage *storage, unsigned k)
{
	return !storage->strides[storage->slots[k].dim].number;
}

/* How far the slots reach whose strides are no larger than that of slot k; of all slots,
 * or of named strides alone. */
static struct index *reach_inside(const struct storage_index *index,
	layout_storage *storage, unsigned k, bool all)
{
	struct index *reach = index_int(0);

	for (unsigned j = 0; j < index->slot_count; j++) {
		struct index *last;

		if (j == k || (!all && !is_named(storage, j)))
			continue;
		last = index_binary(INDEX_MUL, minus_one(index_copy(index->extent[j])),
			index_copy(index->pitch[j]));
		reach = index_binary(INDEX_ADD, reach, index_select(
			index_binary(INDEX_LE, index_copy(index->pitch[j]),
				index_copy(index->pitch[k])), last, index_int(0)));
	}
	return reach;
}

/* The stride of a slot steps over all that is inside of it, or there is one step.  Integer
 * strides that overlap each other replicate elements, which is as it is. */
static struct index *slot_nests(const struct storage_index *index,
	layout_storage *storage, unsigned k)
{
	struct index *nests = index_binary(INDEX_OR,
		index_binary(INDEX_LE, index_copy(index->extent[k]), index_int(1)),
		index_binary(INDEX_GT, index_copy(index->pitch[k]),
			reach_inside(index, storage, k, true)));

	return is_named(storage, k) ? nests : index_binary(INDEX_OR, nests,
		index_binary(INDEX_LE, reach_inside(index, storage, k, false),
			index_int(0)));
}

/* Strides nest in some order, the largest outermost, or there is no element; none is
 * negative. */
static struct index *strides_apart(const struct storage_index *index,
	layout_storage *storage)
{
	struct index *apart = index_int(1), *none = index_int(0), *whole = index_int(1);
	bool named = false;

	for (unsigned k = 0; k < index->slot_count; k++)
		named = named || is_named(storage, k);
	for (unsigned k = 0; named && k < index->slot_count; k++) {
		apart = index_binary(INDEX_AND, apart, slot_nests(index, storage, k));
		none = index_binary(INDEX_OR, none, index_binary(INDEX_LE,
			index_copy(index->extent[k]), index_int(0)));
		whole = index_binary(INDEX_AND, whole, index_binary(INDEX_GE,
			index_copy(index->pitch[k]), index_int(0)));
	}
	return index_binary(INDEX_AND, whole, index_binary(INDEX_OR, none, apart));
}

static bool complete(const struct storage_index *index)
{
	bool ok = index->elements && index->apart;

	for (unsigned d = 0; d < index->rank; d++)
		ok = ok && index->size[d];
	for (unsigned k = 0; k < index->slot_count; k++)
		ok = ok && index->extent[k] && index->pitch[k];
	return ok;
}

bool storage_index_build(struct storage_index *index, layout_storage *storage,
	const struct ast_scope *scope, isl_set *context)
{
	layout_context *ctx = storage->ctx;

	*index = (struct storage_index){ .rank = storage->rank,
		.slot_count = storage->slot_count,
		.size = layout_alloc(ctx, storage->rank, sizeof(*index->size)),
		.extent = layout_alloc(ctx, storage->slot_count, sizeof(*index->extent)),
		.pitch = layout_alloc(ctx, storage->slot_count, sizeof(*index->pitch)) };
	if (!index->size || !index->extent || !index->pitch)
		return false;
	for (unsigned d = 0; d < storage->rank; d++)
		index->size[d] = ast_index_from_aff(scope, context,
			size_of_names(&storage->sizes[d]));
	for (unsigned k = 0; k < storage->slot_count; k++)
		index->extent[k] = slot_extent(index, &storage->slots[k]);
	if (storage->kind == LAYOUT_STORAGE_STRIDED) {
		for (unsigned k = 0; k < storage->slot_count; k++)
			index->pitch[k] = ast_index_from_aff(scope, context, size_of_names(
				&storage->strides[storage->slots[k].dim]));
		index->elements = strided_elements(index);
		index->apart = strides_apart(index, storage);
	} else {
		dense_pitches(index);
	}
	return complete(index);
}

void storage_index_free(struct storage_index *index)
{
	index_list_free(index->size, index->rank);
	index_list_free(index->extent, index->slot_count);
	index_list_free(index->pitch, index->slot_count);
	index_free(index->elements);
	index_free(index->apart);
	*index = (struct storage_index){ 0 };
}
