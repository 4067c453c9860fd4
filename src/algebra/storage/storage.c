/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages: making, checking, freeing.  What isl knows of one is built in
 * maps.c, its numbers in shape.c, its padding in padding.c. */
#include "algebra/size/affine.h"
#include "algebra/storage/encoding.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/twist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The list is there, and every entry. */
static bool texts_given(layout_context *ctx, const char *const *texts, unsigned count,
	const char *what)
{
	bool given = texts || !count;

	for (unsigned i = 0; given && i < count; i++)
		given = texts[i];
	return layout_given(ctx, given, what);
}

void layout_storage_free(layout_storage *storage)
{
	if (!storage)
		return;
	size_list_free(storage->sizes, storage->rank);
	size_list_free(storage->strides, storage->rank);
	layout_texts_free(storage->names, storage->name_count);
	layout_encoding_free(storage->encoding);
	free(storage->slots);
	free(storage->parts);
	free(storage->twists);
	free(storage->tag);
	layout_texts_free(storage->swizzles, storage->swizzle_count);
	storage_maps_free(storage->maps);
	free(storage);
}

/* A list of sizes, or of strides; none is negative. */
static struct size *read_sizes(layout_storage *storage, struct size_names *names,
	const char *const *texts, const char *what)
{
	struct size *sizes = layout_alloc(storage->ctx, storage->rank, sizeof(*sizes));
	bool ok = sizes;

	for (unsigned i = 0; ok && i < storage->rank; i++) {
		ok = size_read(storage->ctx, names, texts[i], &sizes[i]);
		if (ok && sizes[i].number && sizes[i].value < 0) {
			layout_fail(storage->ctx, LAYOUT_ERROR_INVALID, -1,
				"a %s cannot be negative: %s", what, texts[i]);
			ok = false;
		}
	}
	if (ok)
		return sizes;
	size_list_free(sizes, storage->rank);
	return NULL;
}

/* Sizes and strides have these names, which the storage takes. */
static bool name_sizes(layout_storage *storage, struct size_names names)
{
	storage->names = names.names;
	storage->name_count = names.count;
	bridge_enter(storage->ctx);
	if (storage->sizes)
		size_list_align(storage->ctx, storage->sizes, storage->rank, &names);
	if (storage->strides)
		size_list_align(storage->ctx, storage->strides, storage->rank, &names);
	return bridge_leave(storage->ctx, "name sizes");
}

/* Sizes, strides and the names in them. */
static bool read_texts(layout_storage *storage, const char *const *sizes,
	const char *const *strides)
{
	struct size_names names = { 0 };

	storage->sizes = read_sizes(storage, &names, sizes, "size");
	if (storage->sizes && strides)
		storage->strides = read_sizes(storage, &names, strides, "stride");
	return name_sizes(storage, names) && storage->sizes &&
		(storage->strides || !strides);
}

/* A storage of this kind that has no sizes yet, and slots to be filled in. */
static layout_storage *begin(layout_context *ctx, layout_storage_kind kind, unsigned rank,
	unsigned slot_count)
{
	layout_storage *storage = layout_alloc(ctx, 1, sizeof(*storage));

	if (!storage)
		return NULL;
	*storage = (struct layout_storage){ .ctx = ctx, .kind = kind, .rank = rank,
		.slot_count = slot_count,
		.slots = layout_alloc(ctx, slot_count, sizeof(struct storage_slot)) };
	if (storage->slots)
		return storage;
	layout_storage_free(storage);
	return NULL;
}

/* The same with sizes; finish() adds the rest. */
static layout_storage *start(layout_context *ctx, layout_storage_kind kind, unsigned rank,
	const char *const *sizes, const char *const *strides, unsigned slot_count)
{
	layout_storage *storage;

	if (!texts_given(ctx, sizes, rank, "size for a dimension") ||
	    (kind == LAYOUT_STORAGE_STRIDED &&
	     !texts_given(ctx, strides, rank, "stride for a dimension")))
		return NULL;
	storage = begin(ctx, kind, rank, slot_count);
	if (storage && read_texts(storage, sizes, strides))
		return storage;
	layout_storage_free(storage);
	return NULL;
}

static layout_storage *finish(layout_storage *storage)
{
	if (storage && storage_maps_build(storage))
		return storage;
	layout_storage_free(storage);
	return NULL;
}

/* Sizes that are numbers, which need no names. */
static layout_storage *start_numbers(layout_context *ctx, layout_storage_kind kind,
	unsigned rank, const int64_t *sizes, const int64_t *strides)
{
	layout_storage *storage = begin(ctx, kind, rank, rank);

	if (!storage)
		return NULL;
	storage->sizes = size_list_of_numbers(ctx, sizes, rank);
	if (storage->sizes && strides)
		storage->strides = size_list_of_numbers(ctx, strides, rank);
	if (storage->sizes && (storage->strides || !strides))
		return storage;
	layout_storage_free(storage);
	return NULL;
}

static layout_storage *finish_row_major(layout_storage *storage)
{
	for (unsigned i = 0; storage && i < storage->rank; i++)
		storage->slots[i] = (struct storage_slot){ .dim = i, .tile = 1 };
	return finish(storage);
}

layout_storage *layout_storage_row_major(layout_context *ctx, unsigned rank,
	const char *const *sizes)
{
	return finish_row_major(start(ctx, LAYOUT_STORAGE_ROW_MAJOR, rank, sizes, NULL, rank));
}

layout_storage *storage_of_box(layout_context *ctx, unsigned rank, const int64_t *box)
{
	return finish_row_major(start_numbers(ctx, LAYOUT_STORAGE_ROW_MAJOR, rank, box, NULL));
}

layout_storage *layout_storage_col_major(layout_context *ctx, unsigned rank,
	const char *const *sizes)
{
	layout_storage *storage = start(ctx, LAYOUT_STORAGE_COL_MAJOR, rank, sizes,
		NULL, rank);

	for (unsigned i = 0; storage && i < rank; i++)
		storage->slots[i] = (struct storage_slot){ .dim = rank - 1 - i,
			.tile = 1 };
	return finish(storage);
}

/* Named strides first, in order; then integer strides from the largest down. */
static void order_slots(layout_storage *storage)
{
	const struct size *strides = storage->strides;
	unsigned used = 0, named;

	for (unsigned i = 0; i < storage->rank; i++)
		if (!strides[i].number)
			storage->slots[used++] = (struct storage_slot){ .dim = i,
				.tile = 1 };
	named = used;
	for (unsigned i = 0; i < storage->rank; i++) {
		unsigned at = used;

		if (!strides[i].number)
			continue;
		for (; at > named && strides[storage->slots[at - 1].dim].value <
		       strides[i].value; at--)
			storage->slots[at] = storage->slots[at - 1];
		storage->slots[at] = (struct storage_slot){ .dim = i, .tile = 1 };
		used++;
	}
}

static layout_storage *finish_strided(layout_storage *storage)
{
	if (storage)
		order_slots(storage);
	return finish(storage);
}

layout_storage *layout_storage_strided(layout_context *ctx, unsigned rank,
	const char *const *sizes, const char *const *strides)
{
	return finish_strided(start(ctx, LAYOUT_STORAGE_STRIDED, rank, sizes, strides, rank));
}

layout_storage *storage_of_strides(layout_context *ctx, unsigned rank, const int64_t *box,
	const int64_t *strides)
{
	return finish_strided(start_numbers(ctx, LAYOUT_STORAGE_STRIDED, rank, box, strides));
}

unsigned storage_tensor_rank(const layout_storage *storage)
{
	return storage->rank - storage->units;
}

static int64_t tile_of(const layout_encoding *encoding, unsigned dim)
{
	for (unsigned i = 0; i < encoding->inner_count; i++)
		if (encoding->inner_dims_pos[i] == (int64_t)dim)
			return encoding->inner_tiles[i];
	return 1;
}

/* Outer slots of the tensor's dimensions in the encoding's order, then its inner parts
 * permuted. */
static void pack_slots(layout_storage *storage, const layout_encoding *encoding)
{
	unsigned rank = storage_tensor_rank(storage);

	for (unsigned i = 0; i < rank; i++) {
		unsigned dim = encoding->outer_dims_perm ?
			(unsigned)encoding->outer_dims_perm[i] : i;

		storage->slots[i] = (struct storage_slot){ dim,
			tile_of(encoding, dim), 0 };
	}
	for (unsigned i = rank; i < storage->slot_count; i++) {
		unsigned inner = i - rank;
		int64_t extent = encoding->group_sizes ?
			encoding->dims[encoding->permutation[inner]].size :
			encoding->inner_tiles[inner];

		storage->slots[i] = (struct storage_slot){ .constant = extent };
	}
}

static bool ranks_agree(layout_context *ctx, const layout_encoding *encoding,
	unsigned rank)
{
	if (encoding->outer_dims_perm && encoding->outer_count != rank) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the encoding packs a tensor of rank %u, not of rank %u",
			encoding->outer_count, rank);
		return false;
	}
	for (unsigned i = 0; i < encoding->inner_count; i++)
		if (encoding->inner_dims_pos[i] >= (int64_t)rank) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
				"the encoding tiles dimension %" PRId64
				" of a tensor of rank %u",
				encoding->inner_dims_pos[i], rank);
			return false;
		}
	return true;
}

/* A packed storage without slots, with dimensions for the tiles that are of none. */
static layout_storage *start_packed(const layout_encoding *encoding, unsigned rank,
	const char *const *sizes, unsigned slots)
{
	unsigned units = encoding_units(encoding);
	const char **all = layout_alloc(encoding->ctx, rank + units, sizeof(*all));
	layout_storage *storage;

	if (!all)
		return NULL;
	for (unsigned d = 0; d < rank + units; d++)
		all[d] = d >= rank ? "1" : sizes ? sizes[d] : NULL;
	storage = start(encoding->ctx, LAYOUT_STORAGE_PACKED, rank + units, all, NULL,
		slots);
	free(all);
	if (storage)
		storage->units = units;
	return storage;
}

layout_storage *layout_storage_packed(layout_encoding *encoding, unsigned rank,
	const char *const *sizes)
{
	layout_storage *storage = NULL;
	unsigned slots;

	if (!encoding || !encoding_says(encoding)) {
		layout_encoding_free(encoding);
		return NULL;
	}
	slots = rank + (encoding->group_sizes ?
		encoding->dim_count : encoding->inner_count);
	if (slots > LAYOUT_STORAGE_SLOTS)
		layout_fail(encoding->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a storage of %u dimensions is beyond %d", slots,
			LAYOUT_STORAGE_SLOTS);
	else if (ranks_agree(encoding->ctx, encoding, rank))
		storage = start_packed(encoding, rank, sizes, slots);
	if (!storage) {
		layout_encoding_free(encoding);
		return NULL;
	}
	storage->encoding = encoding;
	pack_slots(storage, encoding);
	return finish(storage);
}

layout_storage *storage_of_digits(layout_context *ctx, unsigned rank,
	const struct size *sizes, unsigned slot_count, const struct storage_slot *slots,
	const struct digit *parts)
{
	layout_storage *storage = begin(ctx, LAYOUT_STORAGE_PACKED, rank, slot_count);
	struct size_names names = { 0 };
	bool ok;

	if (!storage)
		return NULL;
	storage->sizes = size_list_copy(ctx, sizes, rank);
	storage->parts = layout_alloc(ctx, slot_count, sizeof(*storage->parts));
	ok = storage->sizes && storage->parts;
	for (unsigned d = 0; ok && d < rank; d++)
		ok = size_names_scan(ctx, &names, sizes[d].text);
	if (!name_sizes(storage, names) || !ok) {
		layout_storage_free(storage);
		return NULL;
	}
	for (unsigned k = 0; k < slot_count; k++) {
		storage->slots[k] = slots[k];
		storage->parts[k] = parts[k];
	}
	return finish(storage);
}

/* As many bytes, or NULL for none. */
static void *copy_bytes(layout_context *ctx, const void *bytes, size_t count, size_t size)
{
	void *copy = bytes ? layout_alloc(ctx, count, size) : NULL;

	return copy ? memcpy(copy, bytes, count * size) : NULL;
}

static bool copy_sizes(layout_storage *copy, const layout_storage *storage)
{
	layout_context *ctx = storage->ctx;

	copy->sizes = size_list_copy(ctx, storage->sizes, storage->rank);
	if (storage->strides)
		copy->strides = size_list_copy(ctx, storage->strides, storage->rank);
	copy->names = layout_texts_copy(ctx, (const char *const *)storage->names,
		storage->name_count);
	if (copy->names)
		copy->name_count = storage->name_count;
	return copy->sizes && copy->names && (copy->strides || !storage->strides);
}

static bool copy_swizzles(layout_storage *copy, const layout_storage *storage)
{
	copy->twists = copy_bytes(storage->ctx, storage->twists, storage->twist_count,
		sizeof(*copy->twists));
	if (copy->twists)
		copy->twist_count = storage->twist_count;
	copy->swizzles = layout_texts_copy(storage->ctx,
		(const char *const *)storage->swizzles,
		storage->swizzle_count);
	if (copy->swizzles)
		copy->swizzle_count = storage->swizzle_count;
	return copy->swizzles && (copy->twists || !storage->twists);
}

layout_storage *layout_storage_copy(layout_storage *storage)
{
	layout_storage *copy = storage ? begin(storage->ctx, storage->kind, storage->rank,
		storage->slot_count) : NULL;

	if (!copy)
		return NULL;
	copy->units = storage->units;
	copy->tag = storage->tag ? layout_strdup(storage->ctx, storage->tag) : NULL;
	memcpy(copy->slots, storage->slots, storage->slot_count * sizeof(*copy->slots));
	copy->encoding = layout_encoding_copy(storage->encoding);
	copy->parts = copy_bytes(storage->ctx, storage->parts, storage->slot_count,
		sizeof(*copy->parts));
	if (copy_sizes(copy, storage) && copy_swizzles(copy, storage) &&
	    storage_maps_copy(copy, storage) && (copy->encoding || !storage->encoding) &&
	    (copy->parts || !storage->parts) && (copy->tag || !storage->tag))
		return copy;
	layout_storage_free(copy);
	return NULL;
}

layout_context *layout_storage_context(layout_storage *storage)
{
	return storage ? storage->ctx : NULL;
}

layout_storage_kind layout_storage_get_kind(layout_storage *storage)
{
	return storage ? storage->kind : LAYOUT_STORAGE_ROW_MAJOR;
}

unsigned layout_storage_rank(layout_storage *storage)
{
	return storage ? storage_tensor_rank(storage) : 0;
}

const char *layout_storage_size_name(layout_storage *storage, unsigned i)
{
	return storage && i < storage->name_count ? storage->names[i] : NULL;
}

const char *layout_storage_size(layout_storage *storage, unsigned dim)
{
	return storage && dim < storage_tensor_rank(storage) ?
		storage->sizes[dim].text : NULL;
}

/* The slots of elements, as they are numbered. */
static isl_set *slots_of_elements(layout_storage *storage)
{
	return isl_set_intersect(isl_set_copy(storage->maps->slots),
		storage_beyond(storage, storage->rank, true));
}

/* logical -> cell without twists: to_slot has floors that isl would have to reverse. */
static isl_map *plain_map(layout_storage *storage)
{
	isl_map *map = isl_map_reverse(isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(storage->maps->from_slot)),
		slots_of_elements(storage)));

	if (storage->kind != LAYOUT_STORAGE_STRIDED)
		return map;
	return isl_map_apply_range(map,
		isl_map_from_multi_aff(isl_multi_aff_copy(storage->maps->to_cell)));
}

/* logical -> cell for a function of the logical index with the units, which are 0. */
static isl_multi_aff *of_tensor(layout_storage *storage, isl_multi_aff *function)
{
	isl_space *space;
	isl_multi_aff *index;

	if (!function || !storage->units)
		return function;
	space = isl_space_domain(isl_multi_aff_get_space(function));
	index = isl_multi_aff_identity_on_domain_space(isl_space_copy(space));
	for (unsigned d = storage_tensor_rank(storage); d < storage->rank; d++)
		index = isl_multi_aff_set_aff(index, (int)d, isl_aff_zero_on_domain_space(
			isl_space_copy(space)));
	isl_space_free(space);
	index = isl_multi_aff_drop_dims(index, isl_dim_in, storage_tensor_rank(storage),
		storage->units);
	index = isl_multi_aff_set_tuple_name(index, isl_dim_in, "logical");
	return isl_multi_aff_pullback_multi_aff(function, index);
}

/* cell -> logical */
static isl_multi_aff *to_tensor(layout_storage *storage, isl_multi_aff *function)
{
	if (!function || !storage->units)
		return function;
	function = isl_multi_aff_drop_dims(function, isl_dim_out,
		storage_tensor_rank(storage), storage->units);
	return isl_multi_aff_set_tuple_name(function, isl_dim_out, "logical");
}

static isl_map *map_of_tensor(layout_storage *storage, isl_map *map)
{
	if (!storage->units)
		return map;
	map = isl_map_project_out(map, isl_dim_in, storage_tensor_rank(storage),
		storage->units);
	return isl_map_set_tuple_name(map, isl_dim_in, "logical");
}

/* logical -> cell on the logical box, through the slots before or after the twists. */
static layout_relation *relation_of(layout_storage *storage, bool in_memory)
{
	struct storage_maps *maps = storage->maps;
	isl_multi_aff *forward = isl_multi_aff_copy(maps->to_slot);
	isl_multi_aff *backward = isl_multi_aff_copy(maps->from_slot);
	bool twisted = in_memory && storage->twist_count;
	isl_map *map;

	bridge_enter(storage->ctx);
	if (twisted) {
		forward = isl_multi_aff_pullback_multi_aff(
			storage_twist_function(storage, false), forward);
		backward = isl_multi_aff_pullback_multi_aff(backward,
			storage_twist_function(storage, true));
	}
	if (storage->kind == LAYOUT_STORAGE_STRIDED) {
		forward = isl_multi_aff_pullback_multi_aff(
			isl_multi_aff_copy(maps->to_cell), forward);
		backward = maps->from_cell ? isl_multi_aff_pullback_multi_aff(backward,
			isl_multi_aff_copy(maps->from_cell)) :
			isl_multi_aff_free(backward);
	}
	map = !twisted ? plain_map(storage) : isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(forward)),
		isl_set_copy(maps->logical));
	forward = of_tensor(storage, forward);
	backward = to_tensor(storage, backward);
	map = map_of_tensor(storage, map);
	if (storage->kind == LAYOUT_STORAGE_STRIDED)
		map = isl_map_intersect_params(map, isl_set_copy(maps->assumed));
	return bridge_give_relation(storage->ctx, "build a storage", map, forward,
		backward);
}

/* The domain of a storage's relation, which twists leave alone; and the range, which they
 * do if all slots are those of elements. */
static layout_relation *know_boxes(layout_relation *relation, layout_storage *storage)
{
	struct storage_maps *maps = storage->maps;
	isl_set *domain, *range;

	bridge_enter(storage->ctx);
	domain = isl_set_intersect_params(storage_tensor_box(storage),
		isl_set_copy(maps->assumed));
	range = storage_is_rounded(storage) ?
		storage_in_memory(storage, slots_of_elements(storage)) :
		storage_cells_of(storage, isl_set_copy(maps->slots));
	range = isl_set_intersect_params(range, isl_set_copy(maps->assumed));
	relation = bridge_know_sets(relation, domain, range);
	if (bridge_leave(storage->ctx, "build a storage"))
		return relation;
	layout_relation_free(relation);
	return NULL;
}

layout_relation *storage_unswizzled_relation(layout_storage *storage)
{
	return relation_of(storage, false);
}

layout_relation *layout_storage_relation(layout_storage *storage)
{
	layout_relation *relation;

	if (!storage)
		return NULL;
	relation = relation_of(storage, true);
	return storage->twist_count || !storage_is_rounded(storage) ?
		know_boxes(relation, storage) : relation;
}

/* For strided storages: from the first element to the last of the integer
 * strides, whole. */
layout_set *layout_storage_cells(layout_storage *storage)
{
	isl_set *cells;

	if (!storage)
		return NULL;
	bridge_enter(storage->ctx);
	cells = storage_cells_of(storage, isl_set_copy(storage->maps->slots));
	if (storage->kind == LAYOUT_STORAGE_STRIDED)
		cells = isl_set_from_basic_set(isl_set_simple_hull(cells));
	cells = isl_set_intersect_params(cells, isl_set_copy(storage->maps->assumed));
	return bridge_give_set(storage->ctx, "build a storage", cells);
}
