/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Logical dimensions that are one for both storages. */
#ifndef LAYOUT_ALGEBRA_FACTOR_JOIN_H
#define LAYOUT_ALGEBRA_FACTOR_JOIN_H

#include "algebra/factor/factor.h"

/* Fill in the dimensions, their order, and the slots.  An index of joined dimensions
 * is no affine expression of theirs, so this comes before any question to isl.  False
 * where memory ran out. */
bool join_dims(struct factors *factors, const struct factor_input *input);

#endif
