/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_STORAGE_H
#define LAYOUT_ALGEBRA_STORAGE_H

#include "algebra/digits/digit.h"
#include "algebra/size/size.h"
#include <layout/storage.h>

/* One dimension of memory, outermost first: as many steps as logical dimension
 * "dim" has tiles of "tile", or a constant number of them. */
struct storage_slot {
	unsigned dim;
	int64_t tile;
	int64_t constant;	/* > 0: the extent; 0: ceil(size[dim] / tile) */
};

/* The digit a = floor(slot[slot_to] / unit_to) mod radix becomes another one by the digit
 * b = floor(slot[slot_from] / unit_from) mod radix, of which no bit is part of a:
 *
 *	times = 0	a ^ b, an XOR, whose radix is a power of two
 *	times > 0	(a + times * b) mod radix, a rotation, with times < radix
 *
 * From step "limit" of slot_to on, there is padding alone, which stays where it is, as the
 * last digits there are not whole; 0: all digits are.
 *
 * Slots are numbered in memory order, outermost first. */
struct storage_twist {
	unsigned slot_to, slot_from;
	int64_t unit_to, unit_from, radix, times, limit;
};

/* What isl knows about a storage; its struct is in maps.h. */
struct storage_maps;

/* Slots are memory before it is linearised.  For all kinds but strided they are
 * the cells.  In a swizzled storage, the slots of an element go through the twists, first
 * to last, before they are linearised, and memory back to slots from last to first. */
struct layout_storage {
	layout_context *ctx;
	layout_storage_kind kind;
	unsigned rank;			/* with "units" */
	unsigned units;			/* dimensions of size 1 behind the tensor's own: of
					 * the encoding's tiles that are of none of those */
	struct size *sizes, *strides;	/* strides NULL unless strided */
	layout_encoding *encoding;	/* NULL unless packed */
	unsigned name_count;
	char **names;			/* order of first appearance: sizes, strides */
	unsigned slot_count;
	struct storage_slot *slots;
	struct digit *parts;		/* of its slots, in any order; NULL: the kind says */
	unsigned twist_count, swizzle_count;
	struct storage_twist *twists;
	char *tag;			/* that it was made of; NULL: none */
	char **swizzles;		/* as text, "xor_shuffle<64, 8>", innermost first */
	struct storage_maps *maps;
};

/* The numbers of a strided storage's strides, by dimension; false with the error on the
 * context. */
bool storage_strides(layout_storage *storage, const layout_size *sizes, unsigned count,
	int64_t *strides);

/* "row_major[8, 64]" and "strided[8, 64 : 66, 1]" of numbers that are at least 0. */
layout_storage *storage_of_box(layout_context *ctx, unsigned rank, const int64_t *box);
layout_storage *storage_of_strides(layout_context *ctx, unsigned rank, const int64_t *box,
	const int64_t *strides);

/* Are the letters before the blocks those of a tag? */
bool storage_is_tag(const char *text, size_t length);

/* A storage of the same memory that is made of its tag. */
layout_storage *storage_retagged(layout_storage *storage);

/* Slot k as a digit of the tensor's coordinates, and what dimension "dim" is rounded up to a
 * multiple of. */
struct digit storage_part(const layout_storage *storage, unsigned k);
int64_t storage_tile(const layout_storage *storage, unsigned dim);

/* The same memory, where padding is elements as all others: of a tensor that has whole tiles.
 * LAYOUT_ERROR_UNSUPPORTED where swizzles move padding, or a tile of no dimension has some. */
layout_storage *storage_whole(layout_storage *storage);

/* The rank of the tensor. */
unsigned storage_tensor_rank(const layout_storage *storage);

#endif
