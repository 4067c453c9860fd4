/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers, which functions answer with: there are no literals. */
#include "text/kind.h"

static char *print(layout_value *value)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%lld", (long long)value->integer);
	return layout_buffer_take(value->ctx, &out);
}

const struct value_kind kind_integer = {
	.name = "integer", .noun = "a number", .print = print,
};
