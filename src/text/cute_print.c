/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/order.h"
#include "algebra/cute/swizzle.h"

#include <inttypes.h>
#include <stdlib.h>

/* "open" has room for every node: the entries still to come at each level. */
static void print_tree(struct layout_buffer *out, const layout_cute *cute,
	const int64_t *leaf, int *open)
{
	unsigned depth = 0;

	for (unsigned i = 0; i < cute->node_count; i++) {
		if (cute->tree[i] > 0) {
			layout_buffer_append(out, "(", 1);
			open[depth++] = cute->tree[i];
			continue;
		}
		if (cute->tree[i] < 0)
			layout_buffer_printf(out, "%" PRId64, *leaf++);
		else
			layout_buffer_append(out, "()", 2);
		while (depth && --open[depth - 1] == 0) {
			layout_buffer_append(out, ")", 1);
			depth--;
		}
		if (depth)
			layout_buffer_append(out, ",", 1);
	}
}

/* Shape and stride in their order. */
static void print_plain(struct layout_buffer *out, const layout_cute *cute, int *open)
{
	if (cute->lexicographic)
		layout_buffer_printf(out, "pack_map<");
	print_tree(out, cute, cute->shape, open);
	layout_buffer_append(out, ":", 1);
	print_tree(out, cute, cute->stride, open);
	if (cute->lexicographic)
		layout_buffer_append(out, ">", 1);
}

static char *print(const layout_cute *cute)
{
	struct layout_buffer out = { 0 };
	bool alone = cute_swizzle_is_alone(cute);
	int *open = layout_alloc(cute->ctx, cute->node_count, sizeof(*open));

	if (!open)
		return NULL;
	if (cute->swizzled)
		layout_buffer_printf(&out, "Sw<%d,%d,%d>", cute->swizzle.bits,
			cute->swizzle.base, cute->swizzle.shift);
	if (cute->swizzled && !alone)
		layout_buffer_printf(&out, " o %" PRId64 " o ", cute->swizzle.offset);
	if (!alone)
		print_plain(&out, cute, open);
	free(open);
	return layout_buffer_take(cute->ctx, &out);
}

char *layout_cute_str(layout_cute *cute)
{
	layout_cute *plain;
	char *text;

	if (!cute)
		return NULL;
	if (!cute->lexicographic || cute_is_pack_map(cute))
		return print(cute);
	plain = cute_order_reverse(layout_cute_copy(cute));
	text = plain ? print(plain) : NULL;
	layout_cute_free(plain);
	return text;
}
