/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swizzled storages: the XORs on their slots.
 *
 *	X : slot -> slot	slots as they are numbered -> slots as they lie in memory
 *
 * X is a bijection of the box of slots: a swizzled storage is injective where it was,
 * and has the cells that it had. */
#ifndef LAYOUT_ALGEBRA_STORAGE_XOR_H
#define LAYOUT_ALGEBRA_STORAGE_XOR_H

#include "algebra/storage/maps.h"
#include "isl_bridge/index.h"

/* X, or X reversed, as a function of isl. */
isl_multi_aff *storage_xor_function(const layout_storage *storage, bool reversed);

/* The slots as they lie in memory; consumes the set. */
isl_set *storage_in_memory(const layout_storage *storage, isl_set *slots);

/* logical -> cell as it would be without X: two elements share a cell there where they
 * do in the storage. */
layout_relation *storage_unswizzled_relation(layout_storage *storage);

/* X, or X reversed, of the slots in "slot", in place; the expressions are >= 0. */
void storage_xor_index(const layout_storage *storage, struct index **slot, bool reversed);

#endif
