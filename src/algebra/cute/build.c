/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

unsigned cute_skip(const int *tree, unsigned node_count, unsigned node, unsigned *leaves)
{
	unsigned open = 1;

	while (open && node < node_count) {
		open += tree[node] > 0 ? (unsigned)tree[node] : 0;
		if (leaves && tree[node] < 0)
			++*leaves;
		open--;
		node++;
	}
	return open ? 0 : node;
}

/* One tree in prefix order; "open" is how many subtrees each level still waits for. */
static bool is_tree(const int *tree, unsigned node_count)
{
	int open[CUTE_DEPTH];
	unsigned depth = 0, node = 0;

	do {
		if (node == node_count || tree[node] < -1 ||
				tree[node] >= (int)node_count || depth == CUTE_DEPTH)
			return false;
		if (tree[node] > 0)
			open[depth++] = tree[node];
		else
			while (depth && --open[depth - 1] == 0)
				depth--;
		node++;
	} while (depth);
	return node == node_count;
}

bool cute_check_tree(layout_context *ctx, const int *tree, unsigned node_count)
{
	if (is_tree(tree, node_count))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"the nodes do not form one tree of at most %d levels", CUTE_DEPTH);
	return false;
}

layout_cute *cute_alloc(layout_context *ctx, unsigned node_count, unsigned leaf_count)
{
	size_t bytes = sizeof(layout_cute) + 2 * (size_t)leaf_count * sizeof(int64_t) +
		(size_t)node_count * sizeof(int);
	layout_cute *cute = malloc(bytes);

	if (!cute) {
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		return NULL;
	}
	*cute = (struct layout_cute){ .ctx = ctx, .node_count = node_count,
		.leaf_count = leaf_count, .shape = cute->storage,
		.stride = cute->storage + leaf_count,
		.tree = (int *)(cute->storage + 2 * (size_t)leaf_count) };
	return cute;
}

/* The least and the largest offset. */
static bool measure_offsets(layout_cute *cute)
{
	int64_t least = 0, last = 0, span;
	bool fits = true;

	for (unsigned i = 0; i < cute->leaf_count && fits; i++) {
		fits = !__builtin_mul_overflow(cute->shape[i] - 1, cute->stride[i],
			&span);
		fits = fits && !__builtin_add_overflow(last, span > 0 ? span : 0,
			&last) &&
			!__builtin_add_overflow(least, span < 0 ? span : 0, &least);
	}
	return fits && !__builtin_add_overflow(last, 1, &cute->cosize);
}

layout_cute *cute_measure(layout_cute *cute)
{
	bool fits = true, empty = false;

	cute->size = 1;
	cute->cosize = 0;
	for (unsigned i = 0; i < cute->leaf_count; i++) {
		if (cute->shape[i] < 0) {
			layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
				"a shape cannot be negative: %" PRId64, cute->shape[i]);
			layout_cute_free(cute);
			return NULL;
		}
		empty = empty || !cute->shape[i];
		fits = fits &&
			!__builtin_mul_overflow(cute->size, cute->shape[i], &cute->size);
	}
	if (empty)
		cute->size = 0;
	if (empty || (fits && measure_offsets(cute)))
		return cute;
	layout_fail(cute->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the layout's size or its largest offset does not fit 64 bits");
	layout_cute_free(cute);
	return NULL;
}

void layout_cute_free(layout_cute *cute)
{
	free(cute);
}

void cute_begin(struct cute_builder *builder, layout_context *ctx)
{
	builder->ctx = ctx;
	builder->node_count = builder->leaf_count = 0;
	builder->node_room = CUTE_INLINE_NODES;
	builder->leaf_room = CUTE_INLINE_LEAVES;
	builder->tree = builder->inline_tree;
	builder->shape = builder->inline_shape;
	builder->stride = builder->inline_stride;
	builder->failed = false;
}

/* "list" with twice the room; the inline one stays where it is.  NULL, and the list
 * as it was, without memory. */
static void *grow(void *list, const void *inlined, size_t room, size_t size)
{
	void *larger = list == inlined ? malloc(2 * room * size) :
		realloc(list, 2 * room * size);

	if (larger && list == inlined)
		memcpy(larger, list, room * size);
	return larger;
}

static bool node_room(struct cute_builder *builder)
{
	int *tree;

	if (builder->node_count < builder->node_room)
		return true;
	tree = grow(builder->tree, builder->inline_tree, builder->node_room,
		sizeof(*tree));
	if (!tree)
		return false;
	builder->tree = tree;
	builder->node_room *= 2;
	return true;
}

static bool leaf_room(struct cute_builder *builder)
{
	int64_t *shape, *stride;

	if (builder->leaf_count < builder->leaf_room)
		return true;
	shape = grow(builder->shape, builder->inline_shape, builder->leaf_room,
		sizeof(*shape));
	if (!shape)
		return false;
	builder->shape = shape;
	stride = grow(builder->stride, builder->inline_stride, builder->leaf_room,
		sizeof(*stride));
	if (!stride)
		return false;
	builder->stride = stride;
	builder->leaf_room *= 2;
	return true;
}

unsigned cute_node(struct cute_builder *builder, int arity)
{
	if (!builder->failed && node_room(builder))
		builder->tree[builder->node_count++] = arity;
	else
		builder->failed = true;
	return builder->node_count ? builder->node_count - 1 : 0;
}

void cute_leaf(struct cute_builder *builder, int64_t shape, int64_t stride)
{
	cute_node(builder, -1);
	if (builder->failed || !leaf_room(builder)) {
		builder->failed = true;
		return;
	}
	builder->shape[builder->leaf_count] = shape;
	builder->stride[builder->leaf_count++] = stride;
}

void cute_subtree(struct cute_builder *builder, const layout_cute *cute,
	unsigned *node, unsigned *leaf)
{
	unsigned end = cute_skip(cute->tree, cute->node_count, *node, NULL);

	for (; *node < end; ++*node) {
		if (cute->tree[*node] >= 0) {
			cute_node(builder, cute->tree[*node]);
			continue;
		}
		cute_leaf(builder, cute->shape[*leaf], cute->stride[*leaf]);
		++*leaf;
	}
}

layout_cute *cute_end(struct cute_builder *builder)
{
	layout_cute *cute = NULL;

	if (builder->failed)
		layout_fail(builder->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	else if (!is_tree(builder->tree, builder->node_count))
		layout_fail(builder->ctx, LAYOUT_ERROR_INVALID, -1,
			"the result would have more than %d levels", CUTE_DEPTH);
	else
		cute = cute_alloc(builder->ctx, builder->node_count,
			builder->leaf_count);
	if (cute) {
		memcpy(cute->tree, builder->tree, builder->node_count * sizeof(int));
		memcpy(cute->shape, builder->shape,
			builder->leaf_count * sizeof(int64_t));
		memcpy(cute->stride, builder->stride,
			builder->leaf_count * sizeof(int64_t));
		cute = cute_measure(cute);
	}
	cute_drop(builder);
	return cute;
}

void cute_drop(struct cute_builder *builder)
{
	if (builder->tree != builder->inline_tree)
		free(builder->tree);
	if (builder->shape != builder->inline_shape)
		free(builder->shape);
	if (builder->stride != builder->inline_stride)
		free(builder->stride);
}

layout_cute *cute_line(layout_context *ctx, int64_t shape, int64_t stride)
{
	layout_cute *line = cute_alloc(ctx, 1, 1);

	if (!line)
		return NULL;
	line->tree[0] = -1;
	line->shape[0] = shape;
	line->stride[0] = stride;
	return cute_measure(line);
}

layout_cute *cute_part(const layout_cute *cute, unsigned *node, unsigned *leaf)
{
	struct cute_builder builder;
	layout_cute *result;

	cute_begin(&builder, cute->ctx);
	cute_subtree(&builder, cute, node, leaf);
	result = cute_end(&builder);
	if (result)
		result->lexicographic = cute->lexicographic;
	return result;
}
