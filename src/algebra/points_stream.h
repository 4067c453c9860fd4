/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of a set as they are found, in order. */
#ifndef LAYOUT_ALGEBRA_POINTS_STREAM_H
#define LAYOUT_ALGEBRA_POINTS_STREAM_H

#include "isl_bridge/objects.h"

/* Close a bridge_enter() with the points of the set, which it consumes: lexicographic, each
 * once, until "visit" returns false.  A portion of them is listed at a time, and has the quota
 * and the time for itself. */
bool points_stream(layout_context *ctx, isl_set *set, layout_visit_point visit, void *user);

#endif
