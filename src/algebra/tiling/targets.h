/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_TARGETS_H
#define LAYOUT_ALGEBRA_TILING_TARGETS_H

#include "isl_bridge/context.h"
#include <layout/tiling.h>

/* Workgroup processors of a target that is no chip. */
#define TILING_PROCESSORS 512

/* A caller's row as one of ours: fields that it is too old for are 0.  False with the
 * error on the context where it cannot be gone by. */
bool tiling_target_check(layout_context *ctx, const layout_tiling_target *target,
	layout_tiling_target *row);

#endif
