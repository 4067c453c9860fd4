/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"

static layout_cute *cut(layout_cute *cute, const void *argument)
{
	int64_t count = *(const int64_t *)argument;
	struct cute_builder builder;
	layout_cute *result;

	cute_begin(&builder, cute->ctx);
	cute_node(&builder, 0);
	for (unsigned i = 0; i < cute->leaf_count && (count || !i); i++) {
		int64_t shape = cute->shape[i] < count ? cute->shape[i] : count;

		cute_leaf(&builder, shape, cute->stride[i]);
		builder.tree[0]++;
		count /= cute->shape[i] ? cute->shape[i] : 1;
	}
	result = layout_cute_coalesce(cute_end(&builder));
	layout_cute_free(cute);
	return result;
}

layout_cute *cute_first(layout_cute *cute, int64_t count)
{
	if (!cute || cute->size <= count)
		return cute;
	return cute_on_domain(cute, cut, &count);
}
