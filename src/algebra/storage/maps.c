/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The maps of a storage. */
#include "algebra/storage/maps.h"
#include "algebra/storage/encoding.h"
#include "algebra/size/affine.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>
#include <string.h>

void storage_maps_free(struct storage_maps *maps)
{
	if (!maps)
		return;
	isl_multi_aff_free(maps->to_slot);
	isl_multi_aff_free(maps->from_slot);
	isl_multi_aff_free(maps->to_cell);
	isl_multi_aff_free(maps->from_cell);
	isl_set_free(maps->logical);
	isl_set_free(maps->slots);
	isl_set_free(maps->assumed);
	free(maps);
}

static const char *slot_tuple(const layout_storage *storage)
{
	return storage->kind == LAYOUT_STORAGE_STRIDED ? "slot" : "cell";
}

/* Where an inner slot's digit stands in its tile: x = .. + step*digit + ..; tile 0: there
 * are digits around it, or it is not known. */
struct part {
	struct digit digit;
	int64_t tile;
};

/* The part that inner slot "inner" of a packed tensor of rank "rank" holds. */
static struct part find_part(const layout_encoding *encoding, unsigned rank,
	unsigned inner)
{
	unsigned dim = 0, wanted, group = 0, end;
	struct part part = { .digit.step = 1 };

	if (!encoding->group_sizes)
		return (struct part){ { encoding_dim(encoding, inner, rank), 1,
			encoding->inner_tiles[inner] }, encoding->inner_tiles[inner] };
	wanted = (unsigned)encoding->permutation[inner];
	while (dim + encoding->group_sizes[group] <= wanted)
		dim += encoding->group_sizes[group++];
	end = dim + encoding->group_sizes[group];
	part.digit.dim = encoding_dim(encoding, group, rank);
	part.tile = encoding->inner_tiles[group];
	part.digit.radix = encoding->dims[wanted].size;
	for (unsigned k = wanted + 1; k < end; k++)
		part.digit.step *= encoding->dims[k].size;
	return part;
}

/* The part that slot k holds, which is constant. */
static struct part part_of(const layout_storage *storage, unsigned k)
{
	unsigned rank = storage_tensor_rank(storage);

	if (!storage->parts)
		return find_part(storage->encoding, rank, k - rank);
	return (struct part){ storage->parts[k], 0 };
}

/* A tuple of that name, with the names of the sizes as parameters if "sizes". */
static isl_space *tuple_space(layout_storage *storage, const char *name, unsigned rank,
	bool sizes)
{
	return isl_space_set_tuple_name(size_names_space(storage->ctx, storage->names,
		sizes ? storage->name_count : 0, rank), isl_dim_set, name);
}

static isl_space *logical_space(layout_storage *storage, bool sizes)
{
	return tuple_space(storage, "logical", storage->rank, sizes);
}

static isl_space *slot_space(layout_storage *storage, bool sizes)
{
	return tuple_space(storage, slot_tuple(storage), storage->slot_count, sizes);
}

/* factor * dimension "dim" of "space", which it keeps. */
static isl_aff *term(isl_space *space, unsigned dim, int64_t factor)
{
	return aff_scale(aff_coordinate(space, dim), factor);
}

/* The digit of "part" in its coordinate: floor((i mod tile)/step), or the same with
 * the remainder taken last. */
static isl_aff *part_digit(isl_space *space, struct part part)
{
	isl_aff *index = aff_coordinate(space, part.digit.dim);

	if (part.digit.step > 1 && part.digit.radix * part.digit.step == part.tile)
		return aff_floor(aff_mod(index, part.tile), part.digit.step);
	return aff_mod(aff_floor(index, part.digit.step), part.digit.radix);
}

/* { logical[i..] -> slot[..] } */
static isl_multi_aff *to_slot(layout_storage *storage)
{
	isl_space *space = logical_space(storage, false);
	isl_aff_list *list = isl_aff_list_alloc(bridge_isl(storage->ctx),
		(int)storage->slot_count);

	for (unsigned k = 0; k < storage->slot_count; k++) {
		const struct storage_slot *slot = &storage->slots[k];

		list = isl_aff_list_add(list, slot->constant ? part_digit(space,
				part_of(storage, k)) :
			aff_coordinate_digit(space, slot->dim, slot->tile, 0));
	}
	return aff_function(space, slot_space(storage, false), list);
}

/* { slot[s..] -> logical[..] }: every slot of a coordinate times its step. */
static isl_multi_aff *from_slot(layout_storage *storage)
{
	isl_space *space = slot_space(storage, false);
	isl_aff_list *list = isl_aff_list_alloc(bridge_isl(storage->ctx),
		(int)storage->rank);

	for (unsigned d = 0; d < storage->rank; d++) {
		isl_aff *sum = aff_number(space, 0);

		for (unsigned k = 0; k < storage->slot_count; k++) {
			const struct storage_slot *slot = &storage->slots[k];
			struct part part = { { slot->dim, slot->tile, 0 }, 0 };

			if (slot->constant)
				part = part_of(storage, k);
			if (part.digit.dim == d)
				sum = isl_aff_add(sum, term(space, k, part.digit.step));
		}
		list = isl_aff_list_add(list, sum);
	}
	return aff_function(space, logical_space(storage, false), list);
}

/* The cells of strided slots: named strides are cells of their own, and neighbours
 * of integer strides one linear cell. */
static isl_aff_list *strided_cells(layout_storage *storage, isl_space *space)
{
	isl_aff_list *list = isl_aff_list_alloc(bridge_isl(storage->ctx),
		(int)storage->slot_count);
	isl_aff *linear = NULL;

	for (unsigned k = 0; k < storage->slot_count; k++) {
		const struct size *stride = &storage->strides[storage->slots[k].dim];
		bool named = !stride->number;
		isl_aff *step = term(space, k, named ? 1 : stride->value);

		if (named && linear) {
			list = isl_aff_list_add(list, linear);
			linear = NULL;
		}
		if (named)
			list = isl_aff_list_add(list, step);
		else
			linear = linear ? isl_aff_add(linear, step) : step;
	}
	return linear ? isl_aff_list_add(list, linear) : list;
}

/* { slot[s..] -> cell[..] }: the identity unless strided. */
static isl_multi_aff *to_cell(layout_storage *storage)
{
	isl_space *space = slot_space(storage, false), *range;
	isl_aff_list *list;
	isl_size count;

	if (storage->kind != LAYOUT_STORAGE_STRIDED)
		return isl_multi_aff_identity_on_domain_space(space);
	list = strided_cells(storage, space);
	count = isl_aff_list_n_aff(list);
	range = count < 0 ? NULL : isl_space_set_alloc(bridge_isl(storage->ctx), 0,
		(unsigned)count);
	return aff_function(space, isl_space_set_tuple_name(range, isl_dim_set, "cell"), list);
}

/* A number of steps, at least 1, or 0 where it is not known. */
static int64_t extent_of(const layout_storage *storage, unsigned k)
{
	const struct size *size = &storage->sizes[storage->slots[k].dim];

	return !size->number ? 0 : size->value > 1 ? size->value : 1;
}

/* The integer stride of slot k, 0 for others. */
static int64_t stride_of(const layout_storage *storage, unsigned k)
{
	const struct size *stride = &storage->strides[storage->slots[k].dim];

	return stride->number ? stride->value : 0;
}

/* The slots from "first" on, of integer strides, are each worth more than those inside
 * reach. */
static bool strides_nest(const layout_storage *storage, unsigned first)
{
	int64_t reach = 0;

	for (unsigned k = storage->slot_count; k-- > first;) {
		int64_t extent = extent_of(storage, k), stride = stride_of(storage, k);

		if (extent == 1)
			continue;
		if (reach < 0 || stride <= reach)
			return false;
		if (!extent || !int_add_product(&reach, extent - 1, stride))
			reach = -1;
	}
	return true;
}

/* { cell[c..] -> slot[s..] }: a named stride's cell is its slot, and the linear cell of
 * integer strides that nest is theirs digit by digit. */
static isl_multi_aff *from_cell(layout_storage *storage)
{
	isl_space *cells = isl_space_range(isl_multi_aff_get_space(storage->maps->to_cell));
	isl_aff_list *list = isl_aff_list_alloc(bridge_isl(storage->ctx),
		(int)storage->slot_count);
	isl_aff *rest = NULL;
	unsigned k = 0;

	for (; k < storage->slot_count &&
	       !storage->strides[storage->slots[k].dim].number; k++)
		list = isl_aff_list_add(list, term(cells, k, 1));
	if (!strides_nest(storage, k))
		list = isl_aff_list_free(list);
	for (; list && k < storage->slot_count; k++) {
		int64_t stride = stride_of(storage, k);
		bool moves = extent_of(storage, k) != 1;

		if (!rest)
			rest = term(cells, k, 1);
		list = isl_aff_list_add(list, moves ?
			aff_floor(isl_aff_copy(rest), stride) : aff_number(cells, 0));
		rest = moves ? aff_mod(rest, stride) : rest;
	}
	isl_aff_free(rest);
	if (list)
		return aff_function(cells, slot_space(storage, false), list);
	isl_space_free(cells);
	return NULL;
}

/* set, small < large; consumes the latter. */
static isl_set *less(isl_set *set, isl_aff *small, isl_aff *large)
{
	return isl_set_intersect(set, isl_aff_lt_set(small, large));
}

/* [M, K] -> { logical[i..] : 0 <= i < size and .. } */
static isl_set *logical_box(layout_storage *storage)
{
	isl_space *space = logical_space(storage, true);
	isl_set *box = isl_set_universe(isl_space_copy(space));

	for (unsigned d = 0; d < storage->rank; d++) {
		box = isl_set_lower_bound_si(box, isl_dim_set, d, 0);
		box = less(box, term(space, d, 1),
			size_on(&storage->sizes[d], space));
	}
	isl_space_free(space);
	return box;
}

/* [M, K] -> { slot[s..] : 0 <= s and tile*s < size and .. } */
static isl_set *slot_box(layout_storage *storage)
{
	isl_space *space = slot_space(storage, true);
	isl_set *box = isl_set_universe(isl_space_copy(space));

	for (unsigned k = 0; box && k < storage->slot_count; k++) {
		const struct storage_slot *slot = &storage->slots[k];

		if (slot->constant) {
			box = bridge_bound(box, k, slot->constant);
			continue;
		}
		box = isl_set_lower_bound_si(box, isl_dim_set, k, 0);
		box = less(box, term(space, k, slot->tile),
			size_on(&storage->sizes[slot->dim], space));
	}
	isl_space_free(space);
	return box;
}

/* The named stride of slot "named" lies between integer strides: below that of the slot
 * before "inner", if that is one, and beyond what those from "inner" on reach. */
static isl_set *nested_at(layout_storage *storage, isl_space *point, unsigned named,
	unsigned inner)
{
	isl_aff *stride = size_on(&storage->strides[storage->slots[named].dim], point);
	isl_set *sizes = isl_set_universe(isl_space_copy(point));
	isl_aff *reach = aff_number(point, 0);

	if (inner > named + 1)
		sizes = less(sizes, isl_aff_copy(stride),
			aff_number(point, stride_of(storage, inner - 1)));
	for (unsigned k = inner; k < storage->slot_count; k++)
		reach = aff_add_scaled(reach, isl_aff_add_constant_si(
			size_on(&storage->sizes[storage->slots[k].dim], point), -1),
			stride_of(storage, k));
	return less(sizes, reach, stride);
}

/* [M, K, S] -> { : M <= 1 or K <= S }: what is affine in how strides nest.  The innermost
 * named stride has a single step, or lies between integer strides.  How far its own steps
 * reach, and where other named strides lie, is no affine question; it is asked of
 * numbers. */
static isl_set *assumed(layout_storage *storage)
{
	isl_space *params = isl_space_params(slot_space(storage, true));
	isl_space *point = isl_space_set_from_params(isl_space_copy(params));
	isl_set *sizes = isl_set_universe(params);
	unsigned named = storage->slot_count, used = 0;

	while (storage->strides && used < storage->slot_count &&
	       !storage->strides[storage->slots[used].dim].number)
		named = used++;
	if (used) {
		isl_set *nest = isl_aff_le_set(size_on(
			&storage->sizes[storage->slots[named].dim], point),
			aff_number(point, 1));

		for (unsigned k = used; k <= storage->slot_count; k++)
			nest = isl_set_union(nest, nested_at(storage, point, named, k));
		sizes = isl_set_intersect_params(sizes,
			isl_set_params(isl_set_coalesce(nest)));
	}
	isl_space_free(point);
	return sizes;
}

bool storage_maps_build(layout_storage *storage)
{
	layout_context *ctx = storage->ctx;
	struct storage_maps *maps = layout_alloc(ctx, 1, sizeof(*maps));

	storage->maps = maps;
	if (!maps)
		return false;
	bridge_enter(ctx);
	maps->logical = logical_box(storage);
	maps->to_slot = to_slot(storage);
	maps->from_slot = from_slot(storage);
	maps->to_cell = to_cell(storage);
	if (storage->kind == LAYOUT_STORAGE_STRIDED)
		maps->from_cell = from_cell(storage);
	maps->slots = slot_box(storage);
	maps->assumed = assumed(storage);
	return bridge_leave(ctx, "build a storage") && layout_is_made(ctx, maps->logical) &&
		layout_is_made(ctx, maps->to_slot) && layout_is_made(ctx, maps->from_slot) &&
		layout_is_made(ctx, maps->to_cell) && layout_is_made(ctx, maps->slots) &&
		layout_is_made(ctx, maps->assumed);
}

bool storage_maps_copy(layout_storage *copy, const layout_storage *storage)
{
	const struct storage_maps *maps = storage->maps;

	copy->maps = layout_alloc(storage->ctx, 1, sizeof(*copy->maps));
	if (copy->maps)
		*copy->maps = (struct storage_maps){ isl_multi_aff_copy(maps->to_slot),
			isl_multi_aff_copy(maps->from_slot),
			isl_multi_aff_copy(maps->to_cell),
			isl_multi_aff_copy(maps->from_cell),
			isl_set_copy(maps->logical), isl_set_copy(maps->slots),
			isl_set_copy(maps->assumed) };
	return copy->maps;
}

isl_set *storage_beyond(layout_storage *storage, unsigned dim, bool slots)
{
	isl_space *space = slots ? slot_space(storage, true) :
		logical_space(storage, true);
	isl_multi_aff *index = slots ? isl_multi_aff_copy(storage->maps->from_slot) :
		isl_multi_aff_identity_on_domain_space(isl_space_copy(space));
	isl_set *beyond = isl_set_universe(isl_space_copy(space));

	index = isl_multi_aff_align_params(index, isl_space_copy(space));
	for (unsigned d = 0; d < dim; d++)
		beyond = less(beyond, isl_multi_aff_get_aff(index, (int)d),
			size_on(&storage->sizes[d], space));
	if (dim < storage->rank)
		beyond = isl_set_intersect(beyond, isl_aff_ge_set(
			isl_multi_aff_get_aff(index, (int)dim),
			size_on(&storage->sizes[dim], space)));
	isl_multi_aff_free(index);
	isl_space_free(space);
	return beyond;
}

isl_set *storage_tensor_box(layout_storage *storage)
{
	isl_set *box = isl_set_copy(storage->maps->logical);

	if (!storage->units)
		return box;
	box = isl_set_project_out(box, isl_dim_set, storage_tensor_rank(storage),
		storage->units);
	return isl_set_set_tuple_name(box, "logical");
}

isl_set *storage_cells_of(layout_storage *storage, isl_set *slots)
{
	if (storage->kind != LAYOUT_STORAGE_STRIDED)
		return slots;
	return isl_set_apply(slots, isl_map_from_multi_aff(
		isl_multi_aff_copy(storage->maps->to_cell)));
}

isl_set *storage_rounded(layout_storage *storage)
{
	return isl_set_apply(isl_set_copy(storage->maps->slots),
		isl_map_from_multi_aff(isl_multi_aff_copy(storage->maps->from_slot)));
}

struct digit storage_part(const layout_storage *storage, unsigned k)
{
	const struct storage_slot *slot = &storage->slots[k];

	return slot->constant ? part_of(storage, k).digit :
		(struct digit){ slot->dim, slot->tile, 0 };
}
