/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/group.h"

#include <stdlib.h>

/* Bytes that a lane stores together, and elements that it may gather for them. */
enum { WORD = 4, MOST_ELEMENTS = 8 };

bool group_is_needed(unsigned bits)
{
	return bits % 8 != 0;
}

static bool copy_extents(layout_context *ctx, struct visit_group *group,
	const struct storage_index *index)
{
	bool ok;

	group->rank = index->slot_count;
	group->extent = layout_alloc(ctx, group->rank, sizeof(*group->extent));
	ok = group->extent;
	for (unsigned k = 0; ok && k < group->rank; k++) {
		group->extent[k] = index_copy(index->extent[k]);
		ok = group->extent[k];
	}
	return ok;
}

bool group_build(struct visit_group *group, struct visit_owner *owner, layout_storage *storage,
	const struct storage_index *index, unsigned bits, unsigned lanes,
	const char *const *sizes, unsigned size_count)
{
	layout_context *ctx = storage->ctx;

	*owner = (struct visit_owner){ 0 };
	if (storage->kind == LAYOUT_STORAGE_STRIDED) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"elements of %u bits share bytes with the gaps of a strided "
			"destination", bits);
		return false;
	}
	for (group->bytes = 1; group->bytes * 8 % bits;)
		group->bytes++;
	while (lanes && group->bytes * 2 <= WORD && group->bytes * 16 / bits <= MOST_ELEMENTS)
		group->bytes *= 2;
	group->elements = group->bytes * 8 / bits;
	group->count = index_ceil_div(index_copy(index->elements), group->elements);
	return group->count && copy_extents(ctx, group, index) &&
		visit_owner_of_number(owner, ctx, "g", index_copy(group->count), lanes, sizes,
			size_count);
}

bool group_number(struct visit_group *group, const struct visit_owner *owner,
	struct index *const *dims, struct index **active)
{
	group->number = visit_owner_number(owner, dims);
	if (owner->dim_count == 1)
		return group->number;
	*active = index_binary(INDEX_LT, index_copy(group->number),
		index_copy(group->count));
	return group->number && *active;
}

bool group_slots(const struct visit_group *group, unsigned first, struct index **slot)
{
	for (unsigned k = 0; k < group->rank; k++) {
		slot[k] = index_counter(first + k, group->extent[k]);
		if (!slot[k])
			return false;
	}
	return true;
}

/* { hw[x, lane] -> group[256x + lane] } of 2 elements */
char *group_owner(layout_context *ctx, const struct visit_group *group,
	const struct visit_dim *dims, unsigned dim_count)
{
	struct layout_buffer out = { 0 };

	visit_owner_print_number(&out, dims, dim_count, "group");
	layout_buffer_printf(&out, " of %u elements", group->elements);
	return layout_buffer_take(ctx, &out);
}

void group_free(struct visit_group *group)
{
	index_list_free(group->extent, group->rank);
	index_free(group->count);
	index_free(group->number);
}
