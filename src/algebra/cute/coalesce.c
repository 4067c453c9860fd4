/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts with fewer modes: coalesce, by profile, filter, flatten. */
#include "algebra/cute/modes.h"

/* Does the subtree of "count" leaves have no coordinates? */
static bool is_empty(const layout_cute *cute, unsigned leaf, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!cute->shape[leaf + i])
			return true;
	return false;
}

/* The leaves as they are, for sizes that need not fit 64 bits: the layout is empty,
 * though not by these. */
static void append_flat(struct cute_builder *builder, const layout_cute *cute,
	unsigned leaf, unsigned count)
{
	cute_node(builder, (int)count);
	for (unsigned i = 0; i < count; i++)
		cute_leaf(builder, cute->shape[leaf + i], cute->stride[leaf + i]);
}

/* "count" leaves from "leaf" on, coalesced, as one subtree: 0:0 where there are no
 * coordinates. */
static void append_coalesced(struct cute_builder *builder, const layout_cute *cute,
	unsigned leaf, unsigned count)
{
	struct cute_modes modes;

	if (is_empty(cute, leaf, count)) {
		cute_leaf(builder, 0, 0);
		return;
	}
	if (!cute->size) {
		append_flat(builder, cute, leaf, count);
		return;
	}
	modes.count = 0;
	for (unsigned i = 0; i < count; i++) {
		unsigned at = leaf + (cute->lexicographic ? count - 1 - i : i);

		if (cute->shape[at] != 1)
			cute_modes_append(&modes, cute->shape[at], cute->stride[at]);
	}
	if (cute->lexicographic)
		cute_modes_reverse(&modes);
	cute_modes_build(&modes, builder);
}

static layout_cute *coalesce(layout_cute *cute, const void *argument)
{
	struct cute_builder builder;

	(void)argument;
	cute_begin(&builder, cute->ctx);
	append_coalesced(&builder, cute, 0, cute->leaf_count);
	layout_cute_free(cute);
	return cute_end(&builder);
}

layout_cute *layout_cute_coalesce(layout_cute *cute)
{
	return cute_under_swizzle(cute, coalesce, NULL);
}

/* A walk through a layout and a profile at once. */
struct walk {
	struct cute_builder builder;
	const layout_cute *cute;
	unsigned node, leaf;
	const int *profile;
	unsigned at;
};

/* The subtree at hand, coalesced where the profile has a leaf. */
static bool coalesce_leaf(struct walk *walk)
{
	unsigned leaves = 0;

	walk->node = cute_skip(walk->cute->tree, walk->cute->node_count, walk->node,
		&leaves);
	append_coalesced(&walk->builder, walk->cute, walk->leaf, leaves);
	walk->leaf += leaves;
	walk->at++;
	return true;
}

static bool coalesce_node(struct walk *walk);

/* The profile's modes, then those that it does not have. */
static bool coalesce_modes(struct walk *walk, unsigned rank)
{
	unsigned wanted = (unsigned)walk->profile[walk->at++];

	if (wanted > rank) {
		layout_fail(walk->cute->ctx, LAYOUT_ERROR_SPACE, -1,
			"the profile has %u modes where the layout has %u", wanted, rank);
		return false;
	}
	for (unsigned i = 0; i < wanted; i++)
		if (!coalesce_node(walk))
			return false;
	for (unsigned i = wanted; i < rank; i++)
		cute_subtree(&walk->builder, walk->cute, &walk->node, &walk->leaf);
	return true;
}

/* A leaf is its own and only mode. */
static bool coalesce_node(struct walk *walk)
{
	int arity = walk->cute->tree[walk->node];

	if (walk->profile[walk->at] < 0)
		return coalesce_leaf(walk);
	if (arity < 0)
		return coalesce_modes(walk, 1);
	cute_node(&walk->builder, arity);
	walk->node++;
	return coalesce_modes(walk, (unsigned)arity);
}

static layout_cute *coalesce_by(layout_cute *cute, const void *argument)
{
	struct walk walk;
	layout_cute *result = NULL;

	cute_begin(&walk.builder, cute->ctx);
	walk.cute = cute;
	walk.profile = argument;
	walk.node = walk.leaf = walk.at = 0;
	if (coalesce_node(&walk))
		result = cute_end(&walk.builder);
	else
		cute_drop(&walk.builder);
	layout_cute_free(cute);
	return result;
}

layout_cute *layout_cute_coalesce_by(layout_cute *cute, const int *profile,
	unsigned node_count)
{
	if (!cute)
		return NULL;
	if (!layout_given(cute->ctx, profile, "profile") ||
	    !cute_check_tree(cute->ctx, profile, node_count)) {
		layout_cute_free(cute);
		return NULL;
	}
	return cute_under_swizzle(cute, coalesce_by, profile);
}

/* An empty layout stays empty. */
static layout_cute *filter(layout_cute *cute, const void *argument)
{
	for (unsigned i = 0; i < cute->leaf_count && cute->size; i++)
		if (!cute->stride[i])
			cute->shape[i] = 1;
	return coalesce(cute, argument);
}

layout_cute *layout_cute_filter(layout_cute *cute)
{
	return cute_under_swizzle(cute, filter, NULL);
}

static layout_cute *flatten(layout_cute *cute, const void *argument)
{
	struct cute_builder builder;

	(void)argument;
	cute_begin(&builder, cute->ctx);
	if (cute->tree[0] >= 0)
		cute_node(&builder, (int)cute->leaf_count);
	for (unsigned i = 0; i < cute->leaf_count; i++)
		cute_leaf(&builder, cute->shape[i], cute->stride[i]);
	layout_cute_free(cute);
	return cute_end(&builder);
}

layout_cute *layout_cute_flatten(layout_cute *cute)
{
	return cute_under_swizzle(cute, flatten, NULL);
}
