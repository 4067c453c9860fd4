/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/cute.h"
#include "algebra/cute/build.h"
#include "algebra/cute/swizzle.h"

static bool check_leaves(layout_context *ctx, const int *tree, unsigned node_count,
	unsigned leaf_count)
{
	unsigned leaves = 0;

	for (unsigned i = 0; i < node_count; i++)
		leaves += tree[i] == -1;
	if (leaves != leaf_count)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"the tree has %u leaves, not %u", leaves, leaf_count);
	return leaves == leaf_count;
}

layout_cute *layout_cute_new(layout_context *ctx, const int *tree, unsigned node_count,
	const int64_t *shape, const int64_t *stride, unsigned leaf_count)
{
	layout_cute *cute;

	if (!layout_given(ctx, tree || !node_count, "tree") ||
	    !layout_given(ctx, (shape && stride) || !leaf_count, "shape or stride") ||
	    !cute_check_tree(ctx, tree, node_count) ||
	    !check_leaves(ctx, tree, node_count, leaf_count))
		return NULL;
	cute = cute_alloc(ctx, node_count, leaf_count);
	if (!cute)
		return NULL;
	for (unsigned i = 0; i < node_count; i++)
		cute->tree[i] = tree[i];
	for (unsigned i = 0; i < leaf_count; i++) {
		cute->shape[i] = shape[i];
		cute->stride[i] = stride[i];
	}
	return cute_measure(cute);
}

layout_cute *layout_cute_copy(layout_cute *cute)
{
	layout_cute *copy = cute ?
		cute_alloc(cute->ctx, cute->node_count, cute->leaf_count) : NULL;

	if (!copy)
		return NULL;
	copy->size = cute->size;
	copy->cosize = cute->cosize;
	copy->lexicographic = cute->lexicographic;
	copy->swizzled = cute->swizzled;
	copy->swizzle = cute->swizzle;
	for (unsigned i = 0; i < cute->node_count; i++)
		copy->tree[i] = cute->tree[i];
	for (unsigned i = 0; i < cute->leaf_count; i++) {
		copy->shape[i] = cute->shape[i];
		copy->stride[i] = cute->stride[i];
	}
	return copy;
}

int64_t layout_cute_size(layout_cute *cute)
{
	return cute ? cute->size : -1;
}

int64_t layout_cute_cosize(layout_cute *cute)
{
	int64_t cosize;

	if (!cute)
		return -1;
	if (!cute->swizzled)
		return cute->cosize;
	return cute_swizzle_cosize(cute, &cosize) ? cosize : -1;
}
