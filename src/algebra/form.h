/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The two kinds of forms from the inside: form_f2.c, form_strided.c; forms.c asks them.
 * As in forms.h, NULL and LAYOUT_UNKNOWN without an error pass on. */
#ifndef LAYOUT_ALGEBRA_FORM_H
#define LAYOUT_ALGEBRA_FORM_H

#include "algebra/forms.h"

/* What the relation's form is made of; NULL where it is of another kind. */
const struct f2 *form_of_f2(const layout_relation *relation);
layout_cute *form_of_strided(const layout_relation *relation);

/* Questions to two of a kind; to one of it. */
layout_relation *form_f2_compose(layout_context *ctx, const struct f2 *outer,
	const struct f2 *inner);
layout_answer form_f2_is_injective(layout_context *ctx, const struct f2 *f2,
	layout_witness **witness);
layout_answer form_f2_equal(layout_context *ctx, const struct f2 *a, const struct f2 *b,
	layout_witness **witness);

layout_relation *form_strided_compose(layout_context *ctx, layout_cute *outer,
	layout_cute *inner);
layout_relation *form_strided_inverse(layout_context *ctx, layout_cute *cute);
layout_answer form_strided_is_injective(layout_context *ctx, layout_cute *cute,
	layout_witness **witness);
layout_answer form_strided_equal(const layout_cute *a, const layout_cute *b);

/* The first offset that nothing reaches, from 0 on; false where strides are negative, or
 * it is not found. */
bool form_strided_gap(const layout_cute *cute, int64_t *gap);

#endif
