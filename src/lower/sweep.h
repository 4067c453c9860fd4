/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The code of a point where the source owns the iteration. */
#ifndef LAYOUT_LOWER_SWEEP_H
#define LAYOUT_LOWER_SWEEP_H

#include "lower/pointwise.h"

/* Store the element that the point stands for, and the padding. */
void sweep_visit(const struct pointwise *points, const struct iteration *iteration);

#endif
