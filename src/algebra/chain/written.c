/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations as they were written: "pack([0, 1], [128, 16], outer_dims_perm = [1, 0])". */
#include "algebra/chain/chain.h"

#include <inttypes.h>

static void print_groups(struct layout_buffer *out, const struct chain_list *list)
{
	unsigned dim = 0;

	for (unsigned g = 0; g < list->count; g++) {
		layout_buffer_printf(out, "%s[", g ? ", " : "");
		for (unsigned k = 0; k < list->groups[g]; k++)
			layout_buffer_printf(out, "%s%u", k ? ", " : "", dim++);
		layout_buffer_printf(out, "]");
	}
}

static void print_list(struct layout_buffer *out, const struct chain_list *list)
{
	if (list->name)
		layout_buffer_printf(out, "%s = ", list->name);
	layout_buffer_printf(out, "[");
	if (list->groups)
		print_groups(out, list);
	for (unsigned i = 0; list->numbers && i < list->count; i++)
		layout_buffer_printf(out, "%s%" PRId64, i ? ", " : "", list->numbers[i]);
	for (unsigned i = 0; list->texts && i < list->count; i++)
		layout_buffer_printf(out, "%s%s", i ? ", " : "", list->texts[i]);
	layout_buffer_printf(out, "]");
}

layout_chain *chain_written(layout_chain *chain, const char *operation,
	const struct chain_list *lists, unsigned count, const char *value,
	const char *value_name)
{
	struct layout_buffer out = { 0 };

	if (!chain)
		return NULL;
	layout_buffer_printf(&out, "%s(", operation);
	for (unsigned i = 0; i < count; i++) {
		layout_buffer_printf(&out, "%s", i ? ", " : "");
		print_list(&out, &lists[i]);
	}
	if (value)
		layout_buffer_printf(&out, ", %s%s%s", value_name ? value_name : "",
			value_name ? " = " : "", value);
	layout_buffer_printf(&out, ")");
	chain->written = layout_buffer_take(chain->ctx, &out);
	if (chain->written)
		return chain;
	layout_chain_free(chain);
	return NULL;
}
