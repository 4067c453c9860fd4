/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/group.h"

#include <stdlib.h>

/* Bytes that a lane stores together, and elements that it may gather for them; those of rows that it
 * may load together; elements in all its turns, and these at most; and of rows. */
enum { WORD = 4, MOST_ELEMENTS = 8, ROW_BYTES = 16, LANE_ELEMENTS = 16, MOST_TURNS = 8, ROW_TURNS = 4 };

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

static unsigned turns_of(const struct visit_group *group, unsigned lanes, bool rows)
{
	unsigned turns = LANE_ELEMENTS / group->elements;

	if (!lanes)
		return 1;
	if (rows)
		return ROW_TURNS;
	return turns < MOST_TURNS ? turns : MOST_TURNS;
}

bool group_build(struct visit_group *group, struct visit_owner *owner, layout_storage *storage,
	const struct storage_index *index, unsigned bits, unsigned lanes,
	bool rows, const char *const *sizes, unsigned size_count)
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
	if (rows)
		group->bytes = ROW_BYTES;
	group->elements = group->bytes * 8 / bits;
	group->turns = turns_of(group, lanes, rows);
	group->count = index_ceil_div(index_copy(index->elements), group->elements);
	return group->count && copy_extents(ctx, group, index) &&
		visit_owner_of_number(owner, ctx, "g", index_copy(group->count), group->turns,
			lanes, sizes, size_count);
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
	index_free(group->rows);
}
