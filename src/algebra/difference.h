/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where two relations differ, for readers. */
#ifndef LAYOUT_ALGEBRA_DIFFERENCE_H
#define LAYOUT_ALGEBRA_DIFFERENCE_H

#include "isl_bridge/context.h"
#include <layout/view.h>

/* How the points of a notation are numbered and written. */
struct point_style {
	layout_order order;
	void (*print)(void *user, struct layout_buffer *out, const int64_t *point);
	void *user;		/* for "print", which is NULL for tuples */
};

/* layout_relation_equal() with any pair as the witness. */
layout_answer relation_equal_somewhere(layout_relation *a, layout_relation *b,
	layout_witness **witness);

/* The same, where the first point in the order of "style" is looked for,
 * and written in it. */
layout_answer relation_equal_in(layout_relation *a, layout_relation *b,
	const struct point_style *style, layout_witness **witness);

#endif
