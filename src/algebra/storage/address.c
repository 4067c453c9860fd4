/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/address.h"
#include "algebra/storage/index.h"
#include "algebra/storage/twist.h"

#include <stdlib.h>

/* What slot k of coordinates is, before twists. */
static struct digit slot_digit(const layout_storage *storage, unsigned k)
{
	const struct storage_slot *slot = &storage->slots[k];

	if (slot->constant)
		return storage_part(storage, k);
	return (struct digit){ slot->dim, slot->tile, 0 };
}

/* The digit of its coordinate; dimensions behind the tensor's own have size 1. */
static struct index *digit_index(const struct storage_access *access,
	const struct digit *digit, unsigned first)
{
	struct index *x;

	if (digit->dim >= access->rank)
		return index_int(0);
	x = index_var(first + digit->dim, 0, INT32_MAX);
	if (digit->step > 1)
		x = index_binary(INDEX_PDIV, x, index_int(digit->step));
	return digit->radix ? index_binary(INDEX_PMOD, x, index_int(digit->radix)) : x;
}

static bool build_slots(struct storage_access *access, layout_storage *storage,
	unsigned first)
{
	bool ok = true;

	for (unsigned k = 0; k < access->slot_count; k++) {
		access->digits[k] = slot_digit(storage, k);
		access->slot[k] = digit_index(access, &access->digits[k], first);
		ok = ok && access->slot[k];
	}
	if (ok)
		storage_twist_index(storage, access->slot, false);
	for (unsigned k = 0; k < access->slot_count; k++)
		ok = ok && access->slot[k];
	return ok;
}

/* The sizes that a storage can be made of: none is negative. */
static isl_set *all_sizes(layout_storage *storage)
{
	isl_set *all = isl_set_universe(isl_space_params(
		isl_set_get_space(storage->maps->logical)));

	for (isl_size i = 0; i < isl_set_dim(all, isl_dim_param); i++)
		all = isl_set_lower_bound_si(all, isl_dim_param, (unsigned)i, 0);
	return all;
}

static void take_index(struct storage_access *access, struct storage_index *index)
{
	access->size = index->size;
	access->pitch = index->pitch;
	access->elements = index->elements;
	access->apart = index->apart;
	index->size = index->pitch = NULL;
	index->elements = index->apart = NULL;
	for (unsigned k = 0; k < access->slot_count; k++)
		index_free(index->extent[k]);
	free(index->extent);
}

bool storage_access_build(struct storage_access *access, layout_storage *storage,
	unsigned count, const char *const *names, struct index *const *values,
	unsigned first)
{
	const struct ast_scope scope = { storage->ctx, count, names, values };
	struct storage_index index = { 0 };
	isl_set *sizes;
	bool ok;

	*access = (struct storage_access){ .rank = storage_tensor_rank(storage),
		.slot_count = storage->slot_count, .twisted = storage->twist_count,
		.slot = layout_alloc(storage->ctx, storage->slot_count,
			sizeof(struct index *)),
		.digits = layout_alloc(storage->ctx, storage->slot_count,
			sizeof(*access->digits)) };
	if (!access->slot || !access->digits)
		return false;
	bridge_enter(storage->ctx);
	sizes = all_sizes(storage);
	ok = storage_index_build(&index, storage, &scope, sizes);
	isl_set_free(sizes);
	ok = bridge_leave(storage->ctx, "find the elements of a storage") && ok;
	if (!ok) {
		storage_index_free(&index);
		return false;
	}
	for (unsigned d = access->rank; d < storage->rank; d++)
		index_free(index.size[d]);
	take_index(access, &index);
	return build_slots(access, storage, first);
}

void storage_access_free(struct storage_access *access)
{
	if (access->size)
		index_list_free(access->size, access->rank);
	if (access->slot)
		index_list_free(access->slot, access->slot_count);
	if (access->pitch)
		index_list_free(access->pitch, access->slot_count);
	free(access->digits);
	index_free(access->elements);
	index_free(access->apart);
	*access = (struct storage_access){ 0 };
}
