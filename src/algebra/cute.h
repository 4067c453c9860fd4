/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_CUTE_H
#define LAYOUT_ALGEBRA_CUTE_H

#include "isl_bridge/context.h"
#include <layout/cute.h>

/* The tree in prefix order, arities with -1 for a leaf, and the leaves' numbers. */
struct layout_cute {
	layout_context *ctx;
	unsigned node_count, leaf_count;
	int *tree;
	int64_t *shape, *stride;
	int64_t size, cosize;
};

#endif
