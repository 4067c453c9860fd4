/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages: making, checking, freeing.  What isl knows of one is built in
 * maps.c, its numbers in shape.c, its padding in padding.c. */
#include "algebra/storage/encoding.h"
#include "algebra/storage/sizes.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/twist.h"

#include <inttypes.h>
#include <stdlib.h>

static void free_texts(char **texts, unsigned count)
{
	for (unsigned i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

static char **copy_texts(layout_context *ctx, const char *const *texts, unsigned count)
{
	char **copy = layout_alloc(ctx, count, sizeof(*copy));

	for (unsigned i = 0; copy && i < count; i++)
		if (!(copy[i] = layout_strdup(ctx, texts[i]))) {
			free_texts(copy, i);
			return NULL;
		}
	return copy;
}

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
	free_texts(storage->sizes, storage->rank);
	free_texts(storage->strides, storage->rank);
	free_texts(storage->names, storage->name_count);
	layout_encoding_free(storage->encoding);
	free(storage->slots);
	free(storage->parts);
	free(storage->twists);
	free_texts(storage->swizzles, storage->swizzle_count);
	storage_maps_free(storage->maps);
	free(storage);
}

/* The names in sizes and strides, and whether these are sizes at all. */
static bool scan_names(layout_storage *storage)
{
	struct size_names names = { 0 };
	bool ok = true;

	for (unsigned i = 0; ok && i < storage->rank; i++) {
		int64_t value = 0;

		ok = size_names_scan(storage->ctx, &names, storage->sizes[i]);
		if (ok && size_is_integer(storage->sizes[i], &value) && value < 0) {
			layout_fail(storage->ctx, LAYOUT_ERROR_INVALID, -1,
				"a size cannot be negative: %s", storage->sizes[i]);
			ok = false;
		}
	}
	for (unsigned i = 0; ok && storage->strides && i < storage->rank; i++)
		ok = size_names_scan(storage->ctx, &names, storage->strides[i]);
	storage->names = names.names;
	storage->name_count = names.count;
	return ok;
}

/* A storage of this kind without slots; "storage_finish" adds the rest. */
static layout_storage *start(layout_context *ctx, layout_storage_kind kind, unsigned rank,
	const char *const *sizes, const char *const *strides, unsigned slot_count)
{
	layout_storage *storage;

	if (!texts_given(ctx, sizes, rank, "size for a dimension") ||
	    (kind == LAYOUT_STORAGE_STRIDED &&
	     !texts_given(ctx, strides, rank, "stride for a dimension")))
		return NULL;
	storage = layout_alloc(ctx, 1, sizeof(*storage));
	if (!storage)
		return NULL;
	*storage = (struct layout_storage){ .ctx = ctx, .kind = kind, .rank = rank,
		.slot_count = slot_count,
		.sizes = copy_texts(ctx, sizes, rank),
		.strides = strides ? copy_texts(ctx, strides, rank) : NULL,
		.slots = layout_alloc(ctx, slot_count, sizeof(struct storage_slot)) };
	if (storage->sizes && (storage->strides || !strides) && storage->slots &&
	    scan_names(storage))
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

layout_storage *layout_storage_row_major(layout_context *ctx, unsigned rank,
	const char *const *sizes)
{
	layout_storage *storage = start(ctx, LAYOUT_STORAGE_ROW_MAJOR, rank, sizes,
		NULL, rank);

	for (unsigned i = 0; storage && i < rank; i++)
		storage->slots[i] = (struct storage_slot){ .dim = i, .tile = 1 };
	return finish(storage);
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
static bool order_slots(layout_storage *storage)
{
	unsigned used = 0, named;

	for (unsigned i = 0; i < storage->rank; i++) {
		int64_t stride;

		if (!size_is_integer(storage->strides[i], &stride))
			storage->slots[used++] = (struct storage_slot){ .dim = i,
				.tile = 1 };
	}
	named = used;
	for (unsigned i = 0; i < storage->rank; i++) {
		int64_t stride = 0, other = 0;
		unsigned at;

		if (!size_is_integer(storage->strides[i], &stride))
			continue;
		if (stride < 0) {
			layout_fail(storage->ctx, LAYOUT_ERROR_INVALID, -1,
				"a stride cannot be negative: %" PRId64, stride);
			return false;
		}
		for (at = used; at > named; at--) {
			size_is_integer(storage->strides[storage->slots[at - 1].dim],
				&other);
			if (other >= stride)
				break;
			storage->slots[at] = storage->slots[at - 1];
		}
		storage->slots[at] = (struct storage_slot){ .dim = i, .tile = 1 };
		used++;
	}
	return true;
}

layout_storage *layout_storage_strided(layout_context *ctx, unsigned rank,
	const char *const *sizes, const char *const *strides)
{
	layout_storage *storage = start(ctx, LAYOUT_STORAGE_STRIDED, rank, sizes,
		strides, rank);

	if (storage && !order_slots(storage)) {
		layout_storage_free(storage);
		return NULL;
	}
	return finish(storage);
}

static int64_t tile_of(const layout_encoding *encoding, unsigned dim)
{
	for (unsigned i = 0; i < encoding->inner_count; i++)
		if (encoding->inner_dims_pos[i] == (int64_t)dim)
			return encoding->inner_tiles[i];
	return 1;
}

/* Outer slots in the encoding's order, then its inner parts permuted. */
static void pack_slots(layout_storage *storage, const layout_encoding *encoding)
{
	for (unsigned i = 0; i < storage->rank; i++) {
		unsigned dim = encoding->outer_dims_perm ?
			(unsigned)encoding->outer_dims_perm[i] : i;

		storage->slots[i] = (struct storage_slot){ dim,
			tile_of(encoding, dim), 0 };
	}
	for (unsigned i = storage->rank; i < storage->slot_count; i++) {
		unsigned inner = i - storage->rank;
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

layout_storage *layout_storage_packed(layout_encoding *encoding, unsigned rank,
	const char *const *sizes)
{
	layout_storage *storage = NULL;
	unsigned slots;

	if (!encoding)
		return NULL;
	slots = rank + (encoding->group_sizes ?
		encoding->dim_count : encoding->inner_count);
	if (slots > LAYOUT_STORAGE_SLOTS)
		layout_fail(encoding->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a storage of %u dimensions is beyond %d", slots,
			LAYOUT_STORAGE_SLOTS);
	else if (ranks_agree(encoding->ctx, encoding, rank))
		storage = start(encoding->ctx, LAYOUT_STORAGE_PACKED, rank, sizes,
			NULL, slots);
	if (!storage) {
		layout_encoding_free(encoding);
		return NULL;
	}
	storage->encoding = encoding;
	pack_slots(storage, encoding);
	return finish(storage);
}

layout_storage *storage_of_digits(layout_context *ctx, unsigned rank,
	const char *const *sizes, unsigned slot_count, const struct storage_slot *slots,
	const struct storage_part *parts)
{
	layout_storage *storage = start(ctx, LAYOUT_STORAGE_PACKED, rank, sizes, NULL,
		slot_count);

	if (!storage)
		return NULL;
	storage->parts = layout_alloc(ctx, slot_count, sizeof(*storage->parts));
	if (!storage->parts) {
		layout_storage_free(storage);
		return NULL;
	}
	for (unsigned k = 0; k < slot_count; k++) {
		storage->slots[k] = slots[k];
		storage->parts[k] = parts[k];
	}
	return finish(storage);
}

/* Without the swizzles. */
static layout_storage *copy_plain(layout_storage *storage)
{
	const char *const *sizes, *const *strides;

	sizes = (const char *const *)storage->sizes;
	strides = (const char *const *)storage->strides;
	switch (storage->kind) {
	case LAYOUT_STORAGE_ROW_MAJOR:
		return layout_storage_row_major(storage->ctx, storage->rank, sizes);
	case LAYOUT_STORAGE_COL_MAJOR:
		return layout_storage_col_major(storage->ctx, storage->rank, sizes);
	case LAYOUT_STORAGE_STRIDED:
		return layout_storage_strided(storage->ctx, storage->rank, sizes,
			strides);
	case LAYOUT_STORAGE_PACKED:
		return layout_storage_packed(layout_encoding_copy(storage->encoding),
			storage->rank, sizes);
	}
	return NULL;
}

layout_storage *layout_storage_copy(layout_storage *storage)
{
	layout_storage *copy = storage ? copy_plain(storage) : NULL;

	if (!copy || !storage->swizzle_count)
		return copy;
	copy->twists = layout_alloc(copy->ctx, storage->twist_count,
		sizeof(*copy->twists));
	copy->swizzles = copy_texts(copy->ctx, (const char *const *)storage->swizzles,
		storage->swizzle_count);
	if (copy->swizzles)
		copy->swizzle_count = storage->swizzle_count;
	if (!copy->twists || !copy->swizzles) {
		layout_storage_free(copy);
		return NULL;
	}
	for (unsigned i = 0; i < storage->twist_count; i++)
		copy->twists[copy->twist_count++] = storage->twists[i];
	return copy;
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
	return storage ? storage->rank : 0;
}

const char *layout_storage_size_name(layout_storage *storage, unsigned i)
{
	return storage && i < storage->name_count ? storage->names[i] : NULL;
}

const char *layout_storage_size(layout_storage *storage, unsigned dim)
{
	return storage && dim < storage->rank ? storage->sizes[dim] : NULL;
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
	domain = isl_set_intersect_params(isl_set_copy(maps->logical),
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
