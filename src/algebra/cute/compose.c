/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/compose.h"
#include "algebra/cute/compose_exact.h"
#include "algebra/cute/group.h"
#include "algebra/cute/order.h"
#include "algebra/cute/swizzle.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>
#include <stdlib.h>

/* inner's offsets are coordinates of outer. */
static bool check_coordinates(const layout_cute *outer, const layout_cute *inner,
	struct cute_reversed reversed)
{
	if (!outer->size) {
		layout_fail(outer->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"nothing composes after %" PRId64 " coordinates: "
			"the outer layout has size 0", inner->size);
		return false;
	}
	for (unsigned i = 0; i < inner->leaf_count; i++)
		if (inner->shape[i] > 1 && inner->stride[i] < 0) {
			layout_fail(outer->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"stride %" PRId64 " of leaf %u of the inner layout leads "
				"to a negative coordinate of the outer one",
				inner->stride[i],
				reversed.inner ? inner->leaf_count - 1 - i : i);
			return false;
		}
	return true;
}

/* Outer's modes and where each begins. */
static void open_composition(struct cute_composition *composition,
	const layout_cute *outer, const layout_cute *inner, struct cute_reversed reversed)
{
	int64_t prefix = 1;

	composition->ctx = outer->ctx;
	composition->outer = outer;
	composition->inner = inner;
	composition->reversed = reversed;
	composition->part_count = 0;
	cute_modes_endless(&composition->modes, outer);
	for (unsigned j = 0; j < composition->modes.count; j++) {
		composition->prefix[j] = prefix;
		if (j + 1 < composition->modes.count)
			prefix *= composition->modes.shape[j];
	}
}

/* The parts of a leaf as a subtree: 1:0 for none. */
static void append_parts(struct cute_builder *builder,
	const struct cute_composition *composition, unsigned first)
{
	unsigned count = composition->part_count - first;

	if (!count)
		cute_leaf(builder, 1, 0);
	if (count > 1)
		cute_node(builder, (int)count);
	for (unsigned q = first; q < composition->part_count; q++)
		cute_leaf(builder, composition->parts[q].shape,
			composition->parts[q].value);
}

static bool append_leaves(struct cute_builder *builder,
	struct cute_composition *composition)
{
	const layout_cute *inner = composition->inner;
	unsigned leaf = 0;

	for (unsigned node = 0; node < inner->node_count; node++) {
		unsigned first = composition->part_count;

		if (inner->tree[node] >= 0) {
			cute_node(builder, inner->tree[node]);
			continue;
		}
		if (!cute_exact_split(composition, leaf++))
			return false;
		append_parts(builder, composition, first);
	}
	return true;
}

/* inner's shape without a coordinate: all strides are as good. */
static layout_cute *compose_empty(const layout_cute *inner)
{
	layout_cute *result = layout_cute_copy((layout_cute *)inner);

	for (unsigned i = 0; result && i < result->leaf_count; i++)
		result->stride[i] = 0;
	return result;
}

layout_cute *cute_compose_plain(const layout_cute *outer, const layout_cute *inner,
	struct cute_reversed reversed)
{
	struct cute_composition composition;
	struct cute_builder builder;

	if (!inner->size)
		return compose_empty(inner);
	if (!check_coordinates(outer, inner, reversed))
		return NULL;
	open_composition(&composition, outer, inner, reversed);
	cute_begin(&builder, outer->ctx);
	if (append_leaves(&builder, &composition) && cute_exact_sum(&composition))
		return cute_end(&builder);
	cute_drop(&builder);
	return NULL;
}

/* The inner layout, and what was reversed. */
struct behind {
	const layout_cute *inner;
	struct cute_reversed reversed;
};

static layout_cute *compose_plain(layout_cute *outer, const void *argument)
{
	const struct behind *behind = argument;
	layout_cute *result = cute_compose_plain(outer, behind->inner, behind->reversed);

	layout_cute_free(outer);
	return result;
}

/* Sw o k o L after a layout without a swizzle: L alone is composed, and if that is no
 * layout, its swizzle may be one.  Consumes "outer". */
static layout_cute *compose_swizzled(layout_cute *outer, const struct behind *behind)
{
	layout_context *ctx = outer->ctx;
	layout_cute *copy = layout_cute_copy(outer), *result;
	struct layout_caught caught = { 0 }, *before = layout_context_catch(ctx, &caught);

	result = cute_on_domain(outer, compose_plain, behind);
	layout_context_catch(ctx, before);
	if (caught.kind == LAYOUT_ERROR_NO_ANSWER && copy && copy->size) {
		if (copy->lexicographic)
			copy = cute_order_reverse(copy);
		result = copy ? cute_swizzle_compose(copy,
			layout_cute_copy((layout_cute *)behind->inner),
			behind->reversed) : NULL;
		copy = NULL;
		free(caught.message);
	} else {
		layout_context_raise(ctx, &caught);
	}
	layout_cute_free(copy);
	return result;
}

/* The inner layout with its first mode fastest.  Consumes both. */
static layout_cute *compose(layout_cute *outer, layout_cute *inner,
	struct cute_reversed reversed)
{
	const struct behind behind = { inner, reversed };
	layout_cute *result;

	if (cute_moves_offsets(inner)) {
		if (outer->lexicographic)
			outer = cute_order_reverse(outer);
		if (outer)
			return cute_swizzle_compose(outer, inner, reversed);
		layout_cute_free(inner);
		return NULL;
	}
	result = cute_moves_offsets(outer) ? compose_swizzled(outer, &behind) :
		cute_on_domain(outer, compose_plain, &behind);
	layout_cute_free(inner);
	return result;
}

/* The result counts as inner does; a single mode counts either way. */
layout_cute *layout_cute_compose(layout_cute *outer, layout_cute *inner)
{
	layout_cute *result = NULL;
	struct cute_reversed reversed;
	bool lexicographic;

	if (!outer || !inner || !bridge_contexts_meet(outer->ctx, inner->ctx)) {
		layout_cute_free(outer);
		layout_cute_free(inner);
		return NULL;
	}
	reversed = (struct cute_reversed){ outer->lexicographic, inner->lexicographic };
	lexicographic = inner->leaf_count <= 1 ? outer->lexicographic :
		inner->lexicographic;
	if (inner->lexicographic)
		inner = cute_order_reverse(inner);
	if (inner)
		result = compose(outer, inner, reversed);
	else
		layout_cute_free(outer);
	if (result && result->lexicographic != lexicographic)
		result = cute_order_reverse(result);
	return result;
}

layout_cute *layout_cute_compose_by(layout_cute *outer, const layout_cute_tile *tiles,
	unsigned count)
{
	return cute_by_mode(outer, tiles, count, layout_cute_compose);
}
