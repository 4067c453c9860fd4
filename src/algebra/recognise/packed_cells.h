/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells of a packed storage as digits of the logical index, and the encoding that has
 * them. */
#ifndef LAYOUT_ALGEBRA_RECOGNISE_PACKED_CELLS_H
#define LAYOUT_ALGEBRA_RECOGNISE_PACKED_CELLS_H

#include "algebra/digits/digit.h"
#include "isl_bridge/bridge.h"
#include <layout/storage.h>

/* logical[..rank] -> cell[..count]; size[d] is INT64_MAX where it is no number.  A cell of
 * radix 1 holds nothing but 0.  `struct digits` have extents that are numbers, and no two
 * digits in one place. */
struct packed_cells {
	layout_context *ctx;
	unsigned rank, count;
	int64_t size[LAYOUT_STORAGE_SLOTS];
	struct digit cell[LAYOUT_STORAGE_SLOTS];
};

/* Read the cells of a function logical -> cell, kept; rank, count and sizes are filled
 * in.  False with LAYOUT_ERROR_NO_ANSWER where one is no digit. */
bool packed_cells_read(struct packed_cells *cells, isl_multi_aff *function);

/* The same out of the points of a relation, of sizes that are numbers.  False, perhaps
 * with an error, where it cannot be looked at, or one is no digit. */
bool packed_cells_probe(struct packed_cells *cells, layout_relation *relation);

/* The encoding that packs into these cells; NULL with LAYOUT_ERROR_NO_ANSWER where none
 * does. */
layout_encoding *packed_encoding(const struct packed_cells *cells);

#endif
