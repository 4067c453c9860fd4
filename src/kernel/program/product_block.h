/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks of sums that a processor without lanes has in its vector registers. */
#ifndef LAYOUT_KERNEL_PROGRAM_PRODUCT_BLOCK_H
#define LAYOUT_KERNEL_PROGRAM_PRODUCT_BLOCK_H

#include <stdint.h>

/* Vectors that a row of a block has; bytes of the least vector, and rows of any block. */
enum { PRODUCT_VECTORS = 2, PRODUCT_LEAST_VECTOR = 16, PRODUCT_MOST_ROWS = 16 };

/* Rows of a block: registers hold its sums, a vector each of the columns, and an element of a
 * row in all lanes. */
static inline int64_t product_rows(unsigned registers)
{
	int64_t rows = ((int64_t)registers - PRODUCT_VECTORS - 1) / PRODUCT_VECTORS;

	return rows < 1 ? 1 : rows < PRODUCT_MOST_ROWS ? rows : PRODUCT_MOST_ROWS;
}

#endif
