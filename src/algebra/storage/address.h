/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What code needs to know of a storage to find its elements; holds no isl object. */
#ifndef LAYOUT_ALGEBRA_STORAGE_ADDRESS_H
#define LAYOUT_ALGEBRA_STORAGE_ADDRESS_H

#include "algebra/storage/storage.h"
#include "isl_bridge/index.h"

/* Over the sizes: the logical box, what a step of each slot is worth, the elements from
 * first to last, gaps included, and whether named strides nest.  Slot k of coordinates is
 * digits[k] of them, unless it is twisted; "slot" is the expression over coordinate d as
 * variable "first" + d, as it lies in memory. */
struct storage_access {
	unsigned rank, slot_count;
	bool twisted;
	struct index **size, **slot, **pitch;
	struct digit *digits;
	struct index *elements, *apart;
};

/* For sizes of these names and values; no coordinate is negative.  False with the error
 * on the context; free in both cases. */
LAYOUT_INTERNAL bool storage_access_build(struct storage_access *access,
	layout_storage *storage, unsigned count, const char *const *names,
	struct index *const *values, unsigned first) LAYOUT_SYMBOL(storage_access_build);
LAYOUT_INTERNAL void storage_access_free(struct storage_access *access)
	LAYOUT_SYMBOL(storage_access_free);

#endif
