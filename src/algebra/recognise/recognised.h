/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the texts ask of the recognisers; needs no isl header. */
#ifndef LAYOUT_ALGEBRA_RECOGNISED_H
#define LAYOUT_ALGEBRA_RECOGNISED_H

#include <layout/value.h>

/* One of these, or none. */
struct recognised {
	layout_cute *cute;
	layout_nested *nested;
	layout_linear *linear;
};

/* The layout of the first of the notations "first", CuTe, nested, linear that the
 * relation is, in the very same coordinates: of anonymous tuples, one input for CuTe and
 * 1 + 3r of them for nested.  An invalid nested layout will do where that is "first".
 * Lists so many points at most.  All NULL, perhaps with an error, where there is none. */
struct recognised recognise_any(layout_relation *relation, layout_notation first,
	size_t most_points);

/* As layout_linear_from_relation(), with the sizes that are declared of the outputs where
 * they are larger powers of two; NULL: none. */
layout_linear *recognise_linear(layout_relation *relation, const int64_t *sizes);

/* As layout_nested_from_relation(); one that layout_nested_verify() refuses only where
 * "invalid_too". */
layout_nested *recognise_nested(layout_relation *relation, int64_t subgroup_size,
	bool invalid_too);

#endif
