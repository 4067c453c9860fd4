/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes and pitches compared as polynomials. */
#ifndef LAYOUT_ALGEBRA_MEMORY_POLYNOMIAL_H
#define LAYOUT_ALGEBRA_MEMORY_POLYNOMIAL_H

#include "isl_bridge/index.h"

/* Are the two the same quasi-polynomial of their variables, as 16*ceil((64*K + 16)/16)*M
 * and (64*K + 16)*M are?  Then they are equal for all values; false says nothing.
 * Between bridge_enter() and bridge_leave(). */
bool polynomial_same(layout_context *ctx, const struct index *a, const struct index *b);

#endif
