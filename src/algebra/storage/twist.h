/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swizzled storages: P . X . D, where D finds the slots of an element, X permutes digits of
 * the slots, one twist after the other, and P places slots in memory.
 *
 *	X : slot -> slot	slots as they are numbered -> slots as they lie in memory
 *
 * X is a bijection of the box of slots, and of those of elements: a swizzled storage is
 * injective where it was, and has the cells that it had. */
#ifndef LAYOUT_ALGEBRA_STORAGE_TWIST_H
#define LAYOUT_ALGEBRA_STORAGE_TWIST_H

#include "algebra/storage/maps.h"
#include "isl_bridge/index.h"

/* X, or X reversed, of the slots of elements, as a function of isl. */
isl_multi_aff *storage_twist_function(const layout_storage *storage, bool reversed);

/* The slots as they lie in memory; consumes the set. */
isl_set *storage_in_memory(const layout_storage *storage, isl_set *slots);

/* logical -> cell as it would be without X: two elements share a cell there where they
 * do in the storage. */
layout_relation *storage_unswizzled_relation(layout_storage *storage);

/* X, or X reversed, of the slots in "slot", in place; the expressions are >= 0. */
void storage_twist_index(const layout_storage *storage, struct index **slot,
	bool reversed);

/* The same of numbers. */
void storage_twist_slots(const layout_storage *storage, int64_t *slot,
	bool reversed);

/* Twists as they are found; they are freed by who takes them. */
struct twist_list {
	layout_context *ctx;
	unsigned count;
	struct storage_twist *twists;
};

/* Append a twist, or where it may be part of the last one, an XOR of the bits that it
 * continues, make that one larger.  False where memory ran out. */
bool twist_list_add(struct twist_list *list, struct storage_twist twist, bool part);

#endif
