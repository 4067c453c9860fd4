/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Boxes of numbers from 0 on, and other sets out of text in the making. */
#include "value/value.h"

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
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "{ [x] : 0 <= x < %lld }", (long long)end);
	return value_read_set(ctx, &out);
}

layout_set *value_box(layout_context *ctx, const int64_t *sizes, unsigned rank)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "{ [");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(&out, "%sx%u", i ? ", " : "", i);
	layout_buffer_printf(&out, "]");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(&out, "%s 0 <= x%u < %lld", i ? " and" : " :", i,
			(long long)sizes[i]);
	layout_buffer_printf(&out, " }");
	return value_read_set(ctx, &out);
}
