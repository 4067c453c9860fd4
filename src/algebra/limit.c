/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/limit.h"

int64_t limit_points(layout_context *ctx)
{
	unsigned long quota = layout_context_quota(ctx);

	if (!quota)
		return INT64_MAX;
	return quota < (unsigned long)LIMIT_POINTS ? (int64_t)quota : LIMIT_POINTS;
}
