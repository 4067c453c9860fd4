/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions over F2 as isl sees them. */
#ifndef LAYOUT_ALGEBRA_F2_ISL_H
#define LAYOUT_ALGEBRA_F2_ISL_H

#include "algebra/f2/f2.h"
#include "isl_bridge/bridge.h"

/* [x0, x1, ..] -> [y0, y1, ..] for all integers, agreeing with "f2" on its box: bits
 * that go to consecutive bits of one image are one digit floor(x/2^a) mod 2^n, bits
 * that meet others are sums mod 2.  NULL where isl failed. */
isl_multi_aff *f2_isl_function(layout_context *ctx, const struct f2 *f2);

#endif
