/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The maps of a storage, written as isl text: what stands here is what isl reads.
 *
 * Dimensions are i0', i1', .. and s0', s1', ..; the quote keeps them apart from
 * the names of sizes. */
#include "algebra/storage_maps.h"
#include "algebra/encoding.h"
#include "algebra/sizes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void storage_maps_free(struct storage_maps *maps)
{
	if (!maps)
		return;
	isl_multi_aff_free(maps->to_slot);
	isl_multi_aff_free(maps->from_slot);
	isl_multi_aff_free(maps->to_cell);
	isl_set_free(maps->logical);
	isl_set_free(maps->slots);
	isl_set_free(maps->assumed);
	free(maps);
}

/* "logical[i0', i1']" */
static void print_tuple(struct layout_buffer *out, const char *name, char letter,
	unsigned rank)
{
	layout_buffer_printf(out, "%s[", name);
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(out, "%s%c%u'", i ? ", " : "", letter, i);
	layout_buffer_printf(out, "]");
}

static const char *slot_tuple(const layout_storage *storage)
{
	return storage->kind == LAYOUT_STORAGE_STRIDED ? "slot" : "cell";
}

/* Where an inner slot's digit stands in its tile: x = .. + step*digit + .. */
struct part {
	unsigned dim;		/* logical */
	int64_t step, extent, tile;
};

/* The part that inner slot "inner" of a packed storage holds. */
static struct part find_part(const layout_encoding *encoding, unsigned inner)
{
	unsigned dim = 0, wanted, group = 0, end;
	struct part part = { .step = 1 };

	if (!encoding->group_sizes)
		return (struct part){ (unsigned)encoding->inner_dims_pos[inner], 1,
			encoding->inner_tiles[inner], encoding->inner_tiles[inner] };
	wanted = (unsigned)encoding->permutation[inner];
	while (dim + encoding->group_sizes[group] <= wanted)
		dim += encoding->group_sizes[group++];
	end = dim + encoding->group_sizes[group];
	part.dim = (unsigned)encoding->inner_dims_pos[group];
	part.tile = encoding->inner_tiles[group];
	part.extent = encoding->dims[wanted].size;
	for (unsigned k = wanted + 1; k < end; k++)
		part.step *= encoding->dims[k].size;
	return part;
}

/* "floor((i0' mod 128)/32)": the digit of "part" in its coordinate. */
static void print_digit(struct layout_buffer *out, struct part part)
{
	if (part.step == 1)
		layout_buffer_printf(out, "i%u' mod %" PRId64, part.dim, part.extent);
	else if (part.extent * part.step == part.tile)
		layout_buffer_printf(out, "floor((i%u' mod %" PRId64 ")/%" PRId64 ")",
			part.dim, part.tile, part.step);
	else
		layout_buffer_printf(out, "floor(i%u'/%" PRId64 ") mod %" PRId64,
			part.dim, part.step, part.extent);
}

/* { logical[i..] -> slot[..] } */
static char *to_slot_text(layout_storage *storage)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "{ ");
	print_tuple(&out, "logical", 'i', storage->rank);
	layout_buffer_printf(&out, " -> %s[", slot_tuple(storage));
	for (unsigned k = 0; k < storage->slot_count; k++) {
		const struct storage_slot *slot = &storage->slots[k];

		layout_buffer_printf(&out, k ? ", " : "");
		if (slot->constant)
			print_digit(&out,
				find_part(storage->encoding, k - storage->rank));
		else if (slot->tile == 1)
			layout_buffer_printf(&out, "i%u'", slot->dim);
		else
			layout_buffer_printf(&out, "floor(i%u'/%" PRId64 ")",
				slot->dim, slot->tile);
	}
	layout_buffer_printf(&out, "] }");
	return layout_buffer_take(storage->ctx, &out);
}

/* { slot[s..] -> logical[..] }: every slot of a coordinate times its step. */
static char *from_slot_text(layout_storage *storage)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "{ ");
	print_tuple(&out, slot_tuple(storage), 's', storage->slot_count);
	layout_buffer_printf(&out, " -> logical[");
	for (unsigned d = 0; d < storage->rank; d++) {
		layout_buffer_printf(&out, d ? ", 0" : "0");
		for (unsigned k = 0; k < storage->slot_count; k++) {
			const struct storage_slot *slot = &storage->slots[k];
			struct part part = { .dim = slot->dim, .step = slot->tile };

			if (slot->constant)
				part = find_part(storage->encoding, k - storage->rank);
			if (part.dim == d)
				layout_buffer_printf(&out, " + %" PRId64 "*s%u'",
					part.step, k);
		}
	}
	layout_buffer_printf(&out, "] }");
	return layout_buffer_take(storage->ctx, &out);
}

/* { slot[s..] -> cell[named.., one linear cell of the integer strides] }, or the
 * identity. */
static char *to_cell_text(layout_storage *storage)
{
	struct layout_buffer out = { 0 };
	bool linear = false;
	int64_t stride;

	layout_buffer_printf(&out, "{ ");
	print_tuple(&out, slot_tuple(storage), 's', storage->slot_count);
	layout_buffer_printf(&out, " -> ");
	if (storage->kind != LAYOUT_STORAGE_STRIDED)
		print_tuple(&out, "cell", 's', storage->slot_count);
	else
		layout_buffer_printf(&out, "cell[");
	for (unsigned k = 0; storage->strides && k < storage->slot_count; k++) {
		if (!size_is_integer(storage->strides[storage->slots[k].dim], &stride))
			layout_buffer_printf(&out, "%ss%u'", k ? ", " : "", k);
		else
			layout_buffer_printf(&out, "%s%" PRId64 "*s%u'",
				linear ? " + " : k ? ", " : "", stride, k);
		linear = size_is_integer(storage->strides[storage->slots[k].dim],
			&stride);
	}
	layout_buffer_printf(&out,
		storage->kind == LAYOUT_STORAGE_STRIDED ? "] }" : " }");
	return layout_buffer_take(storage->ctx, &out);
}

/* [M, K] -> { logical[i..] : 0 <= i < size and .. } */
static char *logical_text(layout_storage *storage)
{
	struct layout_buffer out = { 0 };

	size_names_print(&out, storage->names, storage->name_count);
	layout_buffer_printf(&out, "{ ");
	print_tuple(&out, "logical", 'i', storage->rank);
	for (unsigned d = 0; d < storage->rank; d++)
		layout_buffer_printf(&out, "%s 0 <= i%u' < (%s)", d ? " and" : " :", d,
			storage->sizes[d]);
	layout_buffer_printf(&out, " }");
	return layout_buffer_take(storage->ctx, &out);
}

/* [M, K] -> { slot[s..] : 0 <= s and tile*s < size and .. } */
static char *slots_text(layout_storage *storage)
{
	struct layout_buffer out = { 0 };

	size_names_print(&out, storage->names, storage->name_count);
	layout_buffer_printf(&out, "{ ");
	print_tuple(&out, slot_tuple(storage), 's', storage->slot_count);
	for (unsigned k = 0; k < storage->slot_count; k++) {
		const struct storage_slot *slot = &storage->slots[k];

		layout_buffer_printf(&out, "%s 0 <= s%u' and ", k ? " and" : " :", k);
		if (slot->constant)
			layout_buffer_printf(&out, "s%u' < %" PRId64, k, slot->constant);
		else
			layout_buffer_printf(&out, "%" PRId64 "*s%u' < (%s)",
				slot->tile, k, storage->sizes[slot->dim]);
	}
	layout_buffer_printf(&out, " }");
	return layout_buffer_take(storage->ctx, &out);
}

/* [K, S] -> { : 0 + stride*(K - 1) + .. < S }: the innermost named stride steps
 * over all that the integer strides reach.  How named strides nest is no affine
 * question; a launch checks it. */
static char *assumed_text(layout_storage *storage)
{
	struct layout_buffer out = { 0 };
	const char *named = NULL;
	int64_t stride;

	for (unsigned k = 0; storage->strides && k < storage->slot_count; k++)
		if (!size_is_integer(storage->strides[storage->slots[k].dim], &stride))
			named = storage->strides[storage->slots[k].dim];
	size_names_print(&out, storage->names, storage->name_count);
	layout_buffer_printf(&out, named ? "{ : 0" : "{ :");
	for (unsigned k = 0; named && k < storage->slot_count; k++) {
		unsigned dim = storage->slots[k].dim;

		if (size_is_integer(storage->strides[dim], &stride))
			layout_buffer_printf(&out, " + %" PRId64 "*((%s) - 1)", stride,
				storage->sizes[dim]);
	}
	if (named)
		layout_buffer_printf(&out, " < (%s)", named);
	layout_buffer_printf(&out, " }");
	return layout_buffer_take(storage->ctx, &out);
}

static isl_set *read_set(layout_context *ctx, char *text)
{
	isl_set *set = text ? isl_set_read_from_str(bridge_isl(ctx), text) : NULL;

	free(text);
	return set;
}

static isl_multi_aff *read_function(layout_context *ctx, char *text)
{
	isl_multi_aff *function = text ?
		isl_multi_aff_read_from_str(bridge_isl(ctx), text) : NULL;

	free(text);
	return function;
}

bool storage_maps_build(layout_storage *storage)
{
	layout_context *ctx = storage->ctx;
	struct storage_maps *maps = layout_alloc(ctx, 1, sizeof(*maps));

	storage->maps = maps;
	if (!maps)
		return false;
	bridge_enter(ctx);
	maps->logical = read_set(ctx, logical_text(storage));
	if (!maps->logical && !layout_context_error(ctx)) {
		if (!bridge_leave_reading(ctx))
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"a size is not an affine expression of names");
		return false;
	}
	maps->to_slot = read_function(ctx, to_slot_text(storage));
	maps->from_slot = read_function(ctx, from_slot_text(storage));
	maps->to_cell = read_function(ctx, to_cell_text(storage));
	maps->slots = read_set(ctx, slots_text(storage));
	maps->assumed = read_set(ctx, assumed_text(storage));
	return bridge_leave(ctx, "build a storage") && maps->logical && maps->to_slot &&
		maps->from_slot && maps->to_cell && maps->slots && maps->assumed;
}

isl_set *storage_rounded(layout_storage *storage)
{
	return isl_set_apply(isl_set_copy(storage->maps->slots),
		isl_map_from_multi_aff(isl_multi_aff_copy(storage->maps->from_slot)));
}
