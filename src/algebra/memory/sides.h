/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The two storages of a remap side by side: where elements lie in each of them. */
#ifndef LAYOUT_ALGEBRA_MEMORY_SIDES_H
#define LAYOUT_ALGEBRA_MEMORY_SIDES_H

#include "algebra/storage/contract.h"
#include "algebra/factor/factor.h"

/* As index expressions over the remap's names. */
struct sides {
	layout_remap *remap;
	layout_storage *storage[FACTOR_SIDES];
	struct digit part[FACTOR_SIDES][LAYOUT_STORAGE_SLOTS];
	struct storage_index index[FACTOR_SIDES];
	struct contract contract;
	struct index **names;
	struct index *valid;		/* the sizes that are allowed */
	struct index **low;		/* by how much elements are shifted; */
					/* NULL: they are not just shifted */
};

/* For the sizes that kernels take, or with "any" for all sizes >= 0.  Storages have at
 * most LAYOUT_STORAGE_SLOTS slots.  False with the error on the context; free in both
 * cases. */
bool sides_build(struct sides *sides, layout_remap *remap, bool any);
void sides_free(struct sides *sides);

/* The same in steps: contract and names; then storages and "low", of the remap or of one
 * that does the same; "valid" is up to the caller, as is a storage of more slots. */
bool sides_begin(struct sides *sides, layout_remap *remap, bool any);
bool sides_place(struct sides *sides, layout_remap *remap);

/* After the first step: the names in the set are multiples of "step". */
bool sides_assume(struct sides *sides, uint64_t set, int64_t step);

/* The names, for expressions. */
struct ast_scope sides_scope(const struct sides *sides);

/* Elements keep their index. */
bool sides_stay(const struct sides *sides);

/* The sides at some sizes.  "cells": from the first element to the last, gaps and padding
 * included. */
struct sides_at {
	const struct sides *sides;
	int64_t size[LAYOUT_STORAGE_SLOTS], low[LAYOUT_STORAGE_SLOTS];
	int64_t pitch[FACTOR_SIDES][LAYOUT_STORAGE_SLOTS], cells[FACTOR_SIDES];
};

/* False where the sizes are not allowed, or numbers are beyond 64 bits. */
bool sides_fix(struct sides_at *at, const struct sides *sides, const int64_t *values);

/* Where element "from" of the source lies, and "to" of the destination; false beyond 64
 * bits. */
bool sides_cells(const struct sides_at *at, const int64_t *from, const int64_t *to,
	int64_t cell[FACTOR_SIDES]);

/* Are the two of one kind, with the same sizes, slots and swizzles? */
bool sides_are_alike(const layout_storage *a, const layout_storage *b);

/* layout_remap_is_identity() of a remap whose sides are known, or else NULL. */
layout_answer remap_is_identity(layout_remap *remap, const struct sides *sides);

/* Are the sides the same for all sizes?  False also where that is not seen. */
bool sides_are_same(const struct sides *sides);

#endif
