/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Groups of elements that fill whole bytes together. */
#ifndef LAYOUT_LOWER_GROUP_H
#define LAYOUT_LOWER_GROUP_H

#include "lower/pointwise.h"

/* Before the first group, where the sizes are known. */
void group_enter(struct pointwise *points, const struct iteration *iteration);

/* Copy the elements of the group that the iteration is at. */
void group_copy(const struct pointwise *points, const struct iteration *iteration);

#endif
