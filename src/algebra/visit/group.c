/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/group.h"

#include <inttypes.h>
#include <stdlib.h>

bool group_is_needed(unsigned bits)
{
	return bits % 8 != 0;
}

static struct index *ceil_div(struct index *dividend, int64_t divisor)
{
	return index_binary(INDEX_FDIV,
		index_binary(INDEX_ADD, dividend, index_int(divisor - 1)),
		index_int(divisor));
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

static bool add_dims(layout_context *ctx, struct owner *owner,
	const struct visit_group *group, unsigned lanes, const char *const *sizes,
	unsigned size_count)
{
	struct visit_dim *dims = layout_alloc(ctx, 2, sizeof(*dims));
	bool ok = dims;

	if (!dims)
		return false;
	owner->dims = dims;
	owner->dim_count = lanes ? 2 : 1;
	dims[0] = lanes ? (struct visit_dim){ owner_name(ctx, "x", -1, sizes, size_count),
		VISIT_GRID_X, ceil_div(index_copy(group->count), lanes) } :
		(struct visit_dim){ owner_name(ctx, "g", -1, sizes, size_count), VISIT_LOOP,
		index_copy(group->count) };
	if (lanes)
		dims[1] = (struct visit_dim){ owner_name(ctx, "lane", -1, sizes,
			size_count), VISIT_LANE, index_int(lanes) };
	for (unsigned i = 0; i < owner->dim_count; i++)
		ok = ok && dims[i].name && dims[i].extent;
	return ok;
}

bool group_build(struct visit_group *group, struct owner *owner, layout_storage *storage,
	const struct storage_index *index, unsigned bits, unsigned lanes,
	const char *const *sizes, unsigned size_count)
{
	layout_context *ctx = storage->ctx;

	*owner = (struct owner){ 0 };
	if (storage->kind == LAYOUT_STORAGE_STRIDED) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"elements of %u bits share bytes with the gaps of a strided "
			"destination", bits);
		return false;
	}
	for (group->bytes = 1; group->bytes * 8 % bits;)
		group->bytes++;
	group->elements = group->bytes * 8 / bits;
	group->count = ceil_div(index_copy(index->elements), group->elements);
	return group->count && copy_extents(ctx, group, index) &&
		add_dims(ctx, owner, group, lanes, sizes, size_count);
}

bool group_number(struct visit_group *group, const struct owner *owner,
	struct index *const *dims, struct index **active)
{
	group->number = index_copy(dims[0]);
	if (owner->dim_count == 1)
		return group->number;
	group->number = index_binary(INDEX_ADD, index_binary(INDEX_MUL,
		group->number, index_copy(owner->dims[1].extent)), index_copy(dims[1]));
	*active = index_binary(INDEX_LT, index_copy(group->number),
		index_copy(group->count));
	return group->number && *active;
}

bool group_slots(const struct visit_group *group, unsigned first, struct index **slot)
{
	for (unsigned k = 0; k < group->rank; k++) {
		int64_t most = group->extent[k]->max;

		slot[k] = index_var(first + k, 0, most == INT64_MAX ? most :
			most > 1 ? most - 1 : 0);
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

	layout_buffer_printf(&out, "{ hw[%s", dims[0].name);
	if (dim_count == 1)
		layout_buffer_printf(&out, "] -> group[%s]", dims[0].name);
	else
		layout_buffer_printf(&out, ", %s] -> group[%" PRId64 "%s + %s]",
			dims[1].name, dims[1].extent->value, dims[0].name, dims[1].name);
	layout_buffer_printf(&out, " } of %u elements", group->elements);
	return layout_buffer_take(ctx, &out);
}

void group_free(struct visit_group *group)
{
	for (unsigned k = 0; group->extent && k < group->rank; k++)
		index_free(group->extent[k]);
	free(group->extent);
	index_free(group->count);
	index_free(group->number);
}
