/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Boxes of numbers from 0 on, and sets out of text in the making. */
#include "value/value.h"
#include "isl_bridge/relation.h"

#include <stdlib.h>

layout_set *value_read_set(layout_context *ctx, struct layout_buffer *out)
{
	char *text = layout_buffer_take(ctx, out);
	layout_set *set = text ? layout_set_read(ctx, text) : NULL;

	free(text);
	return set;
}

layout_set *value_interval(layout_context *ctx, int64_t end)
{
	return layout_set_of_box(ctx, (const char *const[]){ "x" }, &end, 1);
}

layout_set *value_box(layout_context *ctx, const int64_t *sizes, unsigned rank)
{
	return layout_set_of_box(ctx, NULL, sizes, rank);
}
