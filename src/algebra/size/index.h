/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes as index expressions. */
#ifndef LAYOUT_ALGEBRA_SIZE_INDEX_H
#define LAYOUT_ALGEBRA_SIZE_INDEX_H

#include "algebra/size/size.h"
#include "isl_bridge/index.h"

/* The size where each of its names is one of "names", of the value beside it; NULL with
 * the error on the context.  All names are values of at least 0. */
struct index *size_index(layout_context *ctx, const struct size *size, unsigned count,
	const char *const *names, struct index *const *values);

#endif
