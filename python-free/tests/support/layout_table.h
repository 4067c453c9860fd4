/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout as the list of all its points, and which notations have a form for such a
 * list, found by trying. */
#ifndef LAYOUT_TESTS_LAYOUT_TABLE_H
#define LAYOUT_TESTS_LAYOUT_TABLE_H

#include "support/layout_model.h"

enum { TABLE_POINTS = 4096 };

/* The image of the point of each colex number; no function: some point has several. */
struct layout_table {
	unsigned in_rank, out_rank;
	int64_t in[POINT_RANK], out[POINT_RANK];
	bool function;
	int64_t count;
	int64_t image[TABLE_POINTS][POINT_RANK];
};

void layout_tabulate(const struct layout_model *model, struct layout_table *table);

/* An image as one number, as value.h says for CuTe: of cells the place in memory, else
 * the colex number in the declared box. */
int64_t table_offset(const struct layout_table *table, bool cells, int64_t i);

/* Is there a CuTe layout with a mode for each input and these offsets; or one behind
 * a swizzle of up to 7 bits? */
bool offsets_are_cute(const int64_t *offsets, const int64_t *in, unsigned rank);
bool offsets_are_swizzled(const int64_t *offsets, const int64_t *in, unsigned rank);

/* Are the sizes powers of two and each image the XOR of those of single bits? */
bool table_is_linear(const struct layout_table *table);

#endif
