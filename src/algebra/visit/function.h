/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A relation that is a function, as index expressions. */
#ifndef LAYOUT_ALGEBRA_VISIT_FUNCTION_H
#define LAYOUT_ALGEBRA_VISIT_FUNCTION_H

#include "isl_bridge/index.h"
#include <layout/relation.h>

/* The coordinates of an image into "out", where those of the input are "inputs" and sizes have
 * these names and values.  False with the error on the context, and nothing made. */
LAYOUT_INTERNAL bool visit_function(layout_relation *relation, unsigned size_count,
	const char *const *names, struct index *const *sizes, struct index *const *inputs,
	struct index **out) LAYOUT_SYMBOL(visit_function);

#endif
