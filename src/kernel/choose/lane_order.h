/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbering lanes for the least work in finding their addresses. */
#ifndef LAYOUT_KERNEL_CHOOSE_LANE_ORDER_H
#define LAYOUT_KERNEL_CHOOSE_LANE_ORDER_H

#include "kernel/choose/choose.h"

/* Number the lanes again where the bits of their number then move in fewer ways and a
 * wave touches no more segments. */
void lane_order(struct choice *choice);

#endif
