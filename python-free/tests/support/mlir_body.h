/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The body of a map_store or map_load, interpreted line by line from its text. */
#ifndef TESTS_SUPPORT_MLIR_BODY_H
#define TESTS_SUPPORT_MLIR_BODY_H

#include <layout/base.h>

#define MLIR_YIELDS 24

/* What it yields for the indices "arguments", where "sizes" are values outside of it: how
 * many indices there are before the last operand, which for map_store is the mask, and for
 * map_load the padding and read as 0.  -1 with a line on standard error where it cannot be
 * read, or relies on an index being in range that is not. */
int mlir_body_run(const char *text, const int64_t *arguments, const layout_size *sizes,
	unsigned size_count, int64_t yields[MLIR_YIELDS]);

#endif
