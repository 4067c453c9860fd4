/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes and pitches compared as polynomials. */
#ifndef LAYOUT_ALGEBRA_PLAN_POLYNOMIAL_H
#define LAYOUT_ALGEBRA_PLAN_POLYNOMIAL_H

#include "isl_bridge/index.h"

/* Are the two the same polynomial of their variables and of floors of such polynomials,
 * 16*ceil((64*K + 16)/16) and 64*K + 16?  Then they are equal for all values; false says
 * nothing. */
bool polynomial_same(layout_context *ctx, const struct index *a, const struct index *b);

#endif
