/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A storage as isl sees it. */
#ifndef LAYOUT_ALGEBRA_STORAGE_MAPS_H
#define LAYOUT_ALGEBRA_STORAGE_MAPS_H

#include "algebra/storage/storage.h"
#include "isl_bridge/objects.h"

/* Slots are memory before linearisation, padding included.
 *
 *	to_slot		logical -> slot, with floors
 *	from_slot	slot -> logical, affine: to_slot reversed on the slot box
 *	to_cell		slot -> cell, affine; the identity unless strided
 *	from_cell	cell -> slot of the cells of slots; NULL where integer strides may
 *			overlap
 *	logical		the logical box
 *	slots		the slot box
 *	assumed		conditions on the sizes: what is affine in how named strides nest
 *
 * The slot tuple is named "cell" where slots are the cells, else "slot". */
struct storage_maps {
	isl_multi_aff *to_slot, *from_slot, *to_cell, *from_cell;
	isl_set *logical, *slots, *assumed;
};

/* Build what "storage" describes; false with the error on the context. */
bool storage_maps_build(layout_storage *storage);
bool storage_maps_copy(layout_storage *copy, const layout_storage *storage);
void storage_maps_free(struct storage_maps *maps);

/* The logical indices, or the slots of logical indices, beyond the size in dimension
 * "dim" and within it in those before: all within for "dim" = rank.  Lower bounds are
 * not among the conditions. */
isl_set *storage_beyond(layout_storage *storage, unsigned dim, bool slots);

/* Is the slot of a cell a function?  Then no two elements share a cell. */
bool storage_finds_slots(const layout_storage *storage);

/* Can the storage have padding? */
bool storage_is_rounded(const layout_storage *storage);

/* The logical box of the tensor, without units. */
isl_set *storage_tensor_box(layout_storage *storage);

/* The cells of slots, which it consumes. */
isl_set *storage_cells_of(layout_storage *storage, isl_set *slots);

/* The logical index rounded up to whole tiles: the image of the slots. */
isl_set *storage_rounded(layout_storage *storage);

/* A storage of any digits as slots, in memory order, which no notation has: each dimension
 * has one slot that is no constant, and all digits inside of it once. */
layout_storage *storage_of_digits(layout_context *ctx, unsigned rank,
	const struct size *sizes, unsigned slot_count, const struct storage_slot *slots,
	const struct digit *parts);

#endif
