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

/* What isl knows about a storage; its struct is in maps.h. */
struct storage_maps;

/* Slots are memory before it is linearised.  For all kinds but strided they are
 * the cells. */
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
	struct storage_maps *maps;
};

#endif
