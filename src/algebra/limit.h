/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_LIMIT_H
#define LAYOUT_ALGEBRA_LIMIT_H

#include "isl_bridge/context.h"

/* How many points a question may look at one by one before its answer is "unknown",
 * LAYOUT_ERROR_QUOTA: the quota's number, but LIMIT_POINTS at most where there is
 * one; without a quota, as many as it takes. */
#define LIMIT_POINTS ((int64_t)1 << 16)
int64_t limit_points(layout_context *ctx);

#endif
