/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Modes chosen, put together and fixed. */
#include "algebra/cute/group.h"
#include "algebra/cute/swizzle.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>

unsigned layout_cute_depth(layout_cute *cute)
{
	unsigned depth = 0, deepest = 0;
	int open[CUTE_DEPTH];

	for (unsigned node = 0; cute && node < cute->node_count; node++) {
		if (cute->tree[node] >= 0 && depth + 1 > deepest)
			deepest = depth + 1;
		if (cute->tree[node] > 0) {
			open[depth++] = cute->tree[node];
			continue;
		}
		while (depth && --open[depth - 1] == 0)
			depth--;
	}
	return deepest;
}

/* Node and leaf of mode "mode" at the top. */
static void find_mode(const layout_cute *cute, unsigned mode, unsigned *node,
	unsigned *leaf)
{
	*node = cute->tree[0] >= 0;
	*leaf = 0;
	while (mode--)
		*node = cute_skip(cute->tree, cute->node_count, *node, leaf);
}

struct selection {
	const unsigned *modes;
	unsigned count;
};

static layout_cute *take_modes(layout_cute *cute, const void *argument)
{
	const struct selection *selection = argument;
	struct cute_builder builder;

	cute_begin(&builder, cute->ctx);
	if (selection->count != 1)
		cute_node(&builder, (int)selection->count);
	for (unsigned i = 0; i < selection->count; i++) {
		unsigned node, leaf;

		find_mode(cute, selection->modes[i], &node, &leaf);
		cute_subtree(&builder, cute, &node, &leaf);
	}
	layout_cute_free(cute);
	return cute_end(&builder);
}

layout_cute *layout_cute_select(layout_cute *cute, const unsigned *modes, unsigned count)
{
	struct selection selection = { modes, count };
	unsigned rank = layout_cute_rank(cute);

	if (!cute)
		return NULL;
	if (!layout_given(cute->ctx, modes || !count, "list of modes"))
		goto fail;
	for (unsigned i = 0; i < count; i++)
		if (modes[i] >= rank) {
			layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
				"there is no mode %u: the layout has %u", modes[i], rank);
			goto fail;
		}
	return cute_under_swizzle(cute, take_modes, &selection);
fail:
	layout_cute_free(cute);
	return NULL;
}

struct range {
	unsigned begin, end;
};

static layout_cute *group(layout_cute *cute, const void *argument)
{
	const struct range *range = argument;
	unsigned rank = layout_cute_rank(cute), node = cute->tree[0] >= 0, leaf = 0;
	struct cute_builder builder;

	cute_begin(&builder, cute->ctx);
	cute_node(&builder, (int)(rank - (range->end - range->begin) + 1));
	for (unsigned i = 0; i < rank; i++) {
		if (i == range->begin)
			cute_node(&builder, (int)(range->end - range->begin));
		cute_subtree(&builder, cute, &node, &leaf);
	}
	layout_cute_free(cute);
	return cute_end(&builder);
}

layout_cute *layout_cute_group_modes(layout_cute *cute, unsigned begin, unsigned end)
{
	struct range range = { begin, end };
	unsigned rank = layout_cute_rank(cute);

	if (!cute || (begin < end && end <= rank))
		return cute_under_swizzle(cute, group, &range);
	layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
		"modes %u to %u are no range of the %u there are", begin, end, rank);
	layout_cute_free(cute);
	return NULL;
}

/* Where the coordinate and the layout are, and what is fixed so far. */
struct slicing {
	const layout_cute *cute;
	const int *tree;
	const int64_t *at;
	unsigned node, leaf;		/* of the layout */
	unsigned place, number;		/* of the coordinate */
	int64_t offset;
	struct cute_builder *builder;
};

/* A mode at a number. */
static bool fix(struct slicing *slicing, int64_t number)
{
	layout_context *ctx = slicing->cute->ctx;
	layout_cute *mode = cute_part(slicing->cute, &slicing->node, &slicing->leaf);
	bool good = mode && mode->size && number >= 0;
	int64_t offset;

	if (mode && !good)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no coordinate %" PRId64 " of a mode of %" PRId64,
			number, mode->size);
	good = good && cute_offset(mode, number, &offset);
	if (good && __builtin_add_overflow(slicing->offset, offset, &slicing->offset)) {
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "the offset does not fit 64 bits");
		good = false;
	}
	layout_cute_free(mode);
	return good;
}

static bool slice(struct slicing *slicing)
{
	int arity = slicing->tree[slicing->place++];
	int64_t number;

	if (arity < 0) {
		number = slicing->at[slicing->number++];
		if (number != LAYOUT_CUTE_WHOLE)
			return fix(slicing, number);
		cute_subtree(slicing->builder, slicing->cute, &slicing->node,
			&slicing->leaf);
		return true;
	}
	if (slicing->cute->tree[slicing->node] != arity) {
		layout_fail(slicing->cute->ctx, LAYOUT_ERROR_SPACE, -1,
			"the coordinate has %d modes where the layout has %d", arity,
			slicing->cute->tree[slicing->node] < 0 ? 1 :
				slicing->cute->tree[slicing->node]);
		return false;
	}
	slicing->node++;
	for (int i = 0; i < arity; i++)
		if (!slice(slicing))
			return false;
	return true;
}

/* The modes that stay, at the top, and where they begin. */
static layout_cute *take_slice(const layout_cute *cute, const int *tree,
	const int64_t *at, unsigned kept, int64_t *offset)
{
	struct cute_builder builder;
	struct slicing slicing = { cute, tree, at, .builder = &builder };
	layout_cute *result;

	cute_begin(&builder, cute->ctx);
	if (kept > 1)
		cute_node(&builder, (int)kept);
	if (!slice(&slicing)) {
		cute_drop(&builder);
		return NULL;
	}
	if (!kept)
		cute_leaf(&builder, 1, 0);
	*offset = slicing.offset;
	result = cute_end(&builder);
	if (result)
		result->lexicographic = cute->lexicographic;
	return result;
}

layout_cute *layout_cute_slice(layout_cute *cute, const int *tree, unsigned node_count,
	const int64_t *at)
{
	layout_cute_swizzle swizzle = { 0 };
	layout_cute *result = NULL;
	unsigned leaf_count = 0, kept = 0;
	int64_t offset = 0;

	if (!cute || !layout_given(cute->ctx, tree && at, "coordinate") ||
	    !cute_check_tree(cute->ctx, tree, node_count))
		goto done;
	cute_skip(tree, node_count, 0, &leaf_count);
	for (unsigned i = 0; i < leaf_count; i++)
		kept += at[i] == LAYOUT_CUTE_WHOLE;
	result = take_slice(cute, tree, at, kept, &offset);
	layout_cute_swizzled(cute, &swizzle);
	if (result && __builtin_add_overflow(swizzle.offset, offset, &swizzle.offset)) {
		layout_fail(cute->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the offset does not fit 64 bits");
		layout_cute_free(result);
		result = NULL;
	}
	if (result && (cute->swizzled || offset))
		result = layout_cute_apply_swizzle(result, swizzle);
done:
	layout_cute_free(cute);
	return result;
}

layout_cute *layout_cute_concat(layout_context *ctx, layout_cute *const *parts,
	unsigned count)
{
	struct cute_builder builder;

	if (!layout_given(ctx, parts || !count, "list of layouts"))
		return NULL;
	for (unsigned i = 0; i < count; i++)
		if (!parts[i])
			return NULL;
	for (unsigned i = 0; i < count; i++)
		if (parts[i]->swizzled || parts[i]->lexicographic) {
			layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"mode %u is %s, which one mode of a layout cannot be", i,
				parts[i]->swizzled ? "swizzled" : "a pack_map");
			return NULL;
		}
	cute_begin(&builder, ctx);
	cute_node(&builder, (int)count);
	for (unsigned i = 0; i < count; i++) {
		unsigned node = 0, leaf = 0;

		cute_subtree(&builder, parts[i], &node, &leaf);
	}
	return cute_end(&builder);
}
