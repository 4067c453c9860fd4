/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sizes of a storage as index expressions over its names. */
#ifndef LAYOUT_ALGEBRA_STORAGE_INDEX_H
#define LAYOUT_ALGEBRA_STORAGE_INDEX_H

#include "algebra/storage/storage.h"
#include "isl_bridge/ast.h"

/* size[rank] of the logical box; extent[slot] steps of a slot; pitch[slot] elements
 * that one step is worth; elements from the first to the last, gaps included;
 * apart: 1 if named strides nest with the others in some order. */
struct storage_index {
	unsigned rank, slot_count;
	struct index **size, **extent, **pitch;
	struct index *elements, *apart;
};

/* False with the error on the context; free in both cases. */
bool storage_index_build(struct storage_index *index, layout_storage *storage,
	const struct ast_scope *scope, isl_set *context);
void storage_index_free(struct storage_index *index);

#endif
