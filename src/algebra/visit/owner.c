/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/owner.h"
#include "algebra/digits/box.h"
#include "algebra/size/affine.h"
#include "isl_bridge/aff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this, constant slots are not taken into the tile. */
#define LARGEST_TILE ((int64_t)1 << 20)

/* The first "outer" slots have a dimension each; the others form the tile. */
struct split {
	unsigned outer, lanes;
	int64_t tile;
};

/* The extent of a slot that is known; 0: it is not, or nothing. */
static int64_t extent_of(const layout_storage *storage, unsigned k)
{
	const struct storage_slot *slot = &storage->slots[k];
	const struct size *size = &storage->sizes[slot->dim];

	if (slot->constant)
		return slot->constant;
	return size->number && size->value > 0 ? (size->value - 1) / slot->tile + 1 : 0;
}

/* Do most of the lanes have an element of a row of so many? */
static bool is_busy(int64_t row, unsigned lanes)
{
	return row >= lanes - lanes / 4 && 4 * row >= (row + lanes - 1) / lanes * lanes * 3;
}

/* Slots inside of storages' tiles, and others as long as rows are too short for the lanes. */
static struct split split_slots(const layout_storage *storage, unsigned lanes)
{
	struct split split = { storage->slot_count, lanes, 1 };

	while (lanes && split.outer) {
		int64_t extent = extent_of(storage, split.outer - 1);
		bool inner = storage->slots[split.outer - 1].constant;

		if (!extent || extent > LARGEST_TILE / split.tile ||
		    (!inner && is_busy(split.tile, lanes)))
			break;
		split.tile *= extent;
		split.outer--;
	}
	return split;
}

static bool is_taken(const char *name, const char *const *sizes, unsigned size_count)
{
	for (unsigned i = 0; i < size_count; i++)
		if (strcmp(name, sizes[i]) == 0)
			return true;
	return false;
}

char *visit_owner_name(layout_context *ctx, const char *base, int number,
	const char *const *sizes, unsigned size_count)
{
	struct layout_buffer name = { 0 };

	layout_buffer_printf(&name, number < 0 ? "%s" : "%s%d", base, number);
	while (!name.failed && is_taken(name.text, sizes, size_count))
		layout_buffer_printf(&name, "_");
	return layout_buffer_take(ctx, &name);
}

/* How many times "lanes" elements the tiles of the last outer slot hold. */
static struct index *chunks(const struct storage_index *index, struct split split)
{
	struct index *rows = split.outer ?
		index_copy(index->extent[split.outer - 1]) : index_int(1);

	if (split.tile % split.lanes == 0)
		return index_binary(INDEX_MUL, rows, index_int(split.tile / split.lanes));
	return index_ceil_div(index_binary(INDEX_MUL, rows, index_int(split.tile)),
		split.lanes);
}

static struct visit_dim *add_dim(struct visit_owner *owner, char *name, enum visit_level level,
	struct index *extent)
{
	struct visit_dim *dim = &owner->dims[owner->dim_count++];

	*dim = (struct visit_dim){ name, level, extent };
	return dim;
}

/* The last dims of a grid: x, turns if there is more than one, and its lanes. */
static void add_lanes(struct visit_owner *owner, layout_context *ctx, struct index *workgroups,
	unsigned turns, unsigned lanes, const char *const *sizes, unsigned size_count)
{
	add_dim(owner, visit_owner_name(ctx, "x", -1, sizes, size_count), VISIT_GRID_X,
		workgroups);
	if (turns > 1)
		add_dim(owner, visit_owner_name(ctx, "turn", -1, sizes, size_count),
			VISIT_TURN, index_int(turns));
	add_dim(owner, visit_owner_name(ctx, "lane", -1, sizes, size_count), VISIT_LANE,
		index_int(lanes));
}

static bool is_complete(const struct visit_owner *owner)
{
	bool ok = true;

	for (unsigned k = 0; k < owner->dim_count; k++)
		ok = ok && owner->dims[k].name && owner->dims[k].extent;
	return ok;
}

bool visit_owner_of_number(struct visit_owner *owner, layout_context *ctx, const char *name,
	struct index *count, unsigned turns, unsigned lanes, const char *const *sizes,
	unsigned size_count)
{
	owner->dims = layout_alloc(ctx, 3, sizeof(*owner->dims));
	if (!owner->dims) {
		index_free(count);
		return false;
	}
	if (lanes)
		add_lanes(owner, ctx, index_ceil_div(count, turns * lanes), turns, lanes, sizes,
			size_count);
	else
		add_dim(owner, visit_owner_name(ctx, name, -1, sizes, size_count), VISIT_LOOP,
			count);
	return is_complete(owner);
}

struct index *visit_owner_number(const struct visit_owner *owner, struct index *const *dims)
{
	struct index *number = index_copy(dims[0]);

	for (unsigned i = 1; i < owner->dim_count; i++)
		number = index_binary(INDEX_ADD, index_binary(INDEX_MUL, number,
			index_copy(owner->dims[i].extent)), index_copy(dims[i]));
	return number;
}

void visit_owner_print_number(struct layout_buffer *out, const struct visit_dim *dims,
	unsigned dim_count, const char *name)
{
	int64_t weight = 1;

	layout_buffer_printf(out, "{ hw[");
	for (unsigned i = 0; i < dim_count; i++) {
		layout_buffer_printf(out, "%s%s", i ? ", " : "", dims[i].name);
		weight *= i ? dims[i].extent->value : 1;
	}
	layout_buffer_printf(out, "] -> %s[", name);
	for (unsigned i = 0; i < dim_count; i++) {
		if (weight > 1)
			layout_buffer_printf(out, "%" PRId64, weight);
		layout_buffer_printf(out, "%s%s", dims[i].name, i + 1 < dim_count ? " + " : "] }");
		weight /= i + 1 < dim_count ? dims[i + 1].extent->value : 1;
	}
}

static bool name_dims(struct visit_owner *owner, layout_storage *storage,
	const struct storage_index *index, struct split split,
	const char *const *sizes, unsigned size_count)
{
	layout_context *ctx = storage->ctx;
	unsigned own = split.lanes && split.outer ? split.outer - 1 : split.outer;

	owner->dims = layout_alloc(ctx, own + 2, sizeof(*owner->dims));
	if (!owner->dims)
		return false;
	for (unsigned k = 0; k < own; k++) {
		bool is_y = split.lanes && k + 1 == own;

		add_dim(owner, visit_owner_name(ctx, !split.lanes ? "c" : is_y ? "y" : "z",
			is_y ? -1 : (int)k, sizes, size_count), !split.lanes ? VISIT_LOOP :
			is_y ? VISIT_GRID_Y : VISIT_GRID_Z, index_copy(index->extent[k]));
	}
	if (split.lanes)
		add_lanes(owner, ctx, chunks(index, split), 1, split.lanes, sizes,
			size_count);
	return is_complete(owner);
}

/* [sizes] -> hw[..], with the names of both */
static isl_space *hw_space(const struct visit_owner *owner, const layout_storage *storage)
{
	isl_space *space = size_names_space(storage->ctx, storage->names,
		storage->name_count, owner->dim_count);

	for (unsigned k = 0; k < owner->dim_count; k++)
		space = isl_space_set_dim_name(space, isl_dim_set, k,
			owner->dims[k].name);
	return isl_space_set_tuple_name(space, isl_dim_set, "hw");
}

/* lanes*x + lane, or without the lane */
static isl_aff *flat(isl_space *hw, const struct visit_owner *owner, struct split split,
	bool lane)
{
	unsigned last = owner->dim_count - 1;
	isl_aff *x = aff_scale(aff_coordinate(hw, last - 1), split.lanes);

	return lane ? isl_aff_add(x, aff_coordinate(hw, last)) : x;
}

/* floor(f / step) mod radix of the flat element f = lanes*x + lane; radix 0: no
 * mod.  Where the digit is one of x alone, or of the lane alone, it is written as
 * that: the same for a whole workgroup, or computed once for all of them. */
static isl_aff *digit(isl_space *hw, const struct visit_owner *owner, struct split split,
	int64_t step, int64_t radix)
{
	unsigned last = owner->dim_count - 1;

	if (step % split.lanes == 0)
		return aff_coordinate_digit(hw, last - 1, step / split.lanes, radix);
	if (radix && radix <= split.lanes && split.lanes % (step * radix) == 0)
		return aff_coordinate_digit(hw, last, step, radix);
	return aff_digit(flat(hw, owner, split, true), step, radix);
}

/* hw[..] -> slot[..] */
static isl_multi_aff *to_slot(isl_space *hw, const struct visit_owner *owner,
	layout_storage *storage, struct split split)
{
	isl_space *slots = isl_set_get_space(storage->maps->slots);
	isl_aff_list *list = isl_aff_list_alloc(bridge_isl(storage->ctx),
		(int)storage->slot_count);
	int64_t rest = split.tile;

	for (unsigned k = 0; k < storage->slot_count; k++) {
		bool in_tile = k >= split.outer;

		if (in_tile)
			rest /= extent_of(storage, k);
		list = isl_aff_list_add(list, !split.lanes || k + 1 < split.outer ?
			aff_coordinate(hw, k) :
			digit(hw, owner, split, rest, in_tile ? extent_of(storage, k) : 0));
	}
	return aff_function(isl_space_copy(hw), slots, list);
}

/* The dimension of an outer slot stays inside: 0 <= k, tile*k < size. */
static isl_set *bound_outer(isl_set *set, isl_space *hw, layout_storage *storage,
	unsigned k)
{
	const struct storage_slot *of = &storage->slots[k];

	if (of->constant)
		return bridge_bound(set, k, of->constant);
	set = isl_set_lower_bound_si(set, isl_dim_set, k, 0);
	return isl_set_intersect(set, isl_aff_lt_set(
		aff_scale(aff_coordinate(hw, k), of->tile),
		size_on(&storage->sizes[of->dim], hw)));
}

/* Elements of all tiles that the last outer slot has. */
static isl_aff *all_elements(isl_space *hw, layout_storage *storage, struct split split)
{
	const struct storage_slot *row =
		split.outer ? &storage->slots[split.outer - 1] : NULL;
	isl_aff *rows = row && !row->constant ? aff_floor(isl_aff_add(
		size_on(&storage->sizes[row->dim], hw), aff_number(hw, row->tile - 1)),
		row->tile) : aff_number(hw, row ? row->constant : 1);

	return aff_scale(rows, split.tile);
}

/* { hw[..] : bounds }, of the flat element too if "active". */
static isl_set *domain(isl_space *hw, const struct visit_owner *owner, layout_storage *storage,
	struct split split, bool active)
{
	isl_set *set = isl_set_universe(isl_space_copy(hw));
	unsigned own = owner->dim_count - (split.lanes ? 2 : 0);

	for (unsigned k = 0; k < own; k++)
		set = bound_outer(set, hw, storage, k);
	if (!split.lanes)
		return set;
	set = isl_set_lower_bound_si(set, isl_dim_set, own, 0);
	set = bridge_bound(set, own + 1, split.lanes);
	return isl_set_intersect(set, isl_aff_lt_set(flat(hw, owner, split, active),
		all_elements(hw, storage, split)));
}

bool visit_owner_build(struct visit_owner *owner, layout_storage *storage,
	const struct storage_index *index, unsigned lanes,
	const char *const *sizes, unsigned size_count)
{
	struct split split = split_slots(storage, lanes);
	isl_space *hw;

	*owner = (struct visit_owner){ 0 };
	if (!name_dims(owner, storage, index, split, sizes, size_count))
		return false;
	hw = hw_space(owner, storage);
	owner->to_slot = to_slot(hw, owner, storage, split);
	owner->domain = domain(hw, owner, storage, split, false);
	owner->active = domain(hw, owner, storage, split, true);
	isl_space_free(hw);
	return owner->to_slot && owner->domain && owner->active;
}

void visit_owner_free(struct visit_owner *owner)
{
	for (unsigned k = 0; owner->dims && k < owner->dim_count; k++) {
		free(owner->dims[k].name);
		index_free(owner->dims[k].extent);
	}
	free(owner->dims);
	isl_multi_aff_free(owner->to_slot);
	isl_set_free(owner->domain);
	isl_set_free(owner->active);
}
