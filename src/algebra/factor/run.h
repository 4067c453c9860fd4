/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dimensions that are one for one storage alone. */
#ifndef LAYOUT_ALGEBRA_FACTOR_RUN_H
#define LAYOUT_ALGEBRA_FACTOR_RUN_H

#include "algebra/factor/factor.h"

/* Join rows that follow each other on the side of the input, where that makes tiles of several.
 * False where memory ran out. */
bool run_dims(struct factors *factors, const struct factor_input *input);

#endif
