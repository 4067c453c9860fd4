/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fast forms of relations, and what they answer without isl.
 *
 *	F2		an affine function over F2 between boxes of powers of two
 *	strided		a CuTe layout: linear coordinate -> offset
 *
 * A function here passes on with NULL, or LAYOUT_UNKNOWN, and nothing on the context,
 * where a form is missing or cannot tell; what it answers is exact. */
#ifndef LAYOUT_ALGEBRA_FORMS_H
#define LAYOUT_ALGEBRA_FORMS_H

#include "algebra/f2/f2.h"
#include "isl_bridge/objects.h"
#include <layout/cute.h>

/* { [x0, x1, ..] -> [y0, ..] }, anonymous tuples, on the box.  Consumes the form. */
layout_relation *form_f2_relation(layout_context *ctx, struct f2 *f2);

/* { [i] -> [offset] : 0 <= i < size } of a colexicographic layout without a swizzle.
 * Consumes the layout. */
layout_relation *form_strided_relation(layout_context *ctx, layout_cute *cute);

/* Keep their arguments; a relation with a form always has an inverse with one. */
layout_relation *form_compose(layout_relation *outer, layout_relation *inner);
layout_relation *form_inverse(layout_relation *relation);
layout_answer form_is_injective(layout_relation *relation, layout_witness **witness);

/* Are all points of the set images, and with "only", all images in it? */
layout_answer form_covers(layout_relation *relation, layout_set *onto, bool only,
	layout_witness **witness);
layout_answer form_equal(layout_relation *a, layout_relation *b,
	layout_witness **witness);

/* Set relation->backward where the relation is a function by a form, whose map is there,
 * and the form has an inverse: true if it is set.  Between bridge_enter() and
 * bridge_leave(). */
bool form_find_backward(layout_relation *relation);

/* Are the images all of a box?  Then the range is a matter for isl, and a quick one. */
bool form_fills_box(const layout_relation *relation);

/* Domain and range, of any relation, after bridge_enter(). */
isl_set *form_domain(layout_relation *relation);
isl_set *form_range(layout_relation *relation);

#endif
