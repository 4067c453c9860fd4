/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order in which a layout counts its coordinates. */
#ifndef LAYOUT_ALGEBRA_CUTE_ORDER_H
#define LAYOUT_ALGEBRA_CUTE_ORDER_H

#include "algebra/cute/cute.h"

/* The same function with the modes reversed at every level, and with it the order:
 * last mode fastest becomes first mode fastest, and back.  Consumes "cute". */
layout_cute *cute_order_reverse(layout_cute *cute);

#endif
