/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Boxes of numbers from 0 on. */
#include "value/value.h"
#include "isl_bridge/relation.h"

layout_set *value_interval(layout_context *ctx, int64_t end)
{
	return layout_set_of_box(ctx, (const char *const[]){ "x" }, &end, 1);
}

layout_set *value_box(layout_context *ctx, const int64_t *sizes, unsigned rank)
{
	return layout_set_of_box(ctx, NULL, sizes, rank);
}
