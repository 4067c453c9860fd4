/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/build.h"

unsigned layout_cute_node_count(layout_cute *cute)
{
	return cute ? cute->node_count : 0;
}

unsigned layout_cute_leaf_count(layout_cute *cute)
{
	return cute ? cute->leaf_count : 0;
}

unsigned layout_cute_rank(layout_cute *cute)
{
	if (!cute)
		return 0;
	return cute->tree[0] < 0 ? 1 : (unsigned)cute->tree[0];
}

int layout_cute_arity(layout_cute *cute, unsigned node)
{
	return cute && node < cute->node_count ? cute->tree[node] : 0;
}

int64_t layout_cute_shape(layout_cute *cute, unsigned leaf)
{
	return cute && leaf < cute->leaf_count ? cute->shape[leaf] : 0;
}

int64_t layout_cute_stride(layout_cute *cute, unsigned leaf)
{
	return cute && leaf < cute->leaf_count ? cute->stride[leaf] : 0;
}

bool layout_cute_swizzled(layout_cute *cute, layout_cute_swizzle *swizzle)
{
	if (!cute || !cute->swizzled)
		return false;
	if (swizzle)
		*swizzle = cute->swizzle;
	return true;
}

bool layout_cute_is_lexicographic(layout_cute *cute)
{
	return cute && cute->lexicographic;
}
