/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_STORAGE_H
#define LAYOUT_ALGEBRA_STORAGE_H

#include "isl_bridge/context.h"
#include <layout/storage.h>

/* One dimension of memory, outermost first: as many steps as logical dimension
 * "dim" has tiles of "tile", or a constant number of them. */
struct storage_slot {
	unsigned dim;
	int64_t tile;
	int64_t constant;	/* > 0: the extent; 0: ceil(size[dim] / tile) */
};

/* Slot k of an index i: floor(i[dim] / step), mod extent unless that is 0. */
struct storage_part {
	unsigned dim;
	int64_t step, extent;
};

/* The bits [bit_to, bit_to + bits) of slot "slot_to" ^= the bits [bit_from, ..) of slot
 * "slot_from"; both in memory order, outermost first.  No bit is read and written. */
struct storage_xor {
	unsigned slot_to, bit_to, slot_from, bit_from, bits;
};

/* What isl knows about a storage; its struct is in maps.h. */
struct storage_maps;

/* Slots are memory before it is linearised.  For all kinds but strided they are
 * the cells.  In a swizzled storage, the slots of an element go through the XORs, first
 * to last, before they are linearised, and memory back to slots from last to first. */
struct layout_storage {
	layout_context *ctx;
	layout_storage_kind kind;
	unsigned rank;
	char **sizes, **strides;	/* as given; strides NULL unless strided */
	layout_encoding *encoding;	/* NULL unless packed */
	unsigned name_count;
	char **names;			/* order of first appearance: sizes, strides */
	unsigned slot_count;
	struct storage_slot *slots;
	struct storage_part *parts;	/* of its slots, in any order; NULL: the kind says */
	unsigned xor_count, swizzle_count;
	struct storage_xor *xors;
	char **swizzles;		/* as text, "xor_shuffle<64, 8>", innermost first */
	struct storage_maps *maps;
};

#endif
