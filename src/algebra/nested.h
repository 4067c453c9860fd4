/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_NESTED_H
#define LAYOUT_ALGEBRA_NESTED_H

#include "isl_bridge/context.h"
#include <layout/nested.h>

enum { NESTED_SUBGROUP, NESTED_BATCH, NESTED_OUTER, NESTED_THREAD, NESTED_ELEMENT,
	NESTED_LEVELS };

/* tile[level][dim]; strides of unit tiles are 0. */
struct layout_nested {
	layout_context *ctx;
	unsigned rank;
	int64_t *tile[NESTED_LEVELS];
	int64_t *subgroup_strides, *thread_strides;
	int64_t subgroup_size;
	int64_t *storage;	/* what the pointers above point into */
};

#endif
