/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building CuTe layouts: subtree by subtree, then one allocation. */
#ifndef LAYOUT_ALGEBRA_CUTE_BUILD_H
#define LAYOUT_ALGEBRA_CUTE_BUILD_H

#include "algebra/cute/cute.h"

/* A layout under construction: nodes and leaves are appended in prefix order.  Starts
 * with cute_begin(); cute_end() gives the layout, or cute_drop() gives up.  That an
 * append failed is remembered, and cute_end() reports it. */
enum { CUTE_INLINE_NODES = 48, CUTE_INLINE_LEAVES = 24 };
struct cute_builder {
	layout_context *ctx;
	unsigned node_count, leaf_count, node_room, leaf_room;
	int *tree;
	int64_t *shape, *stride;
	bool failed;
	int inline_tree[CUTE_INLINE_NODES];
	int64_t inline_shape[CUTE_INLINE_LEAVES], inline_stride[CUTE_INLINE_LEAVES];
};
void cute_begin(struct cute_builder *builder, layout_context *ctx);

/* A node, which "arity" subtrees follow; returns its number, so that builder->tree
 * can be told the arity later.  A leaf. */
unsigned cute_node(struct cute_builder *builder, int arity);
void cute_leaf(struct cute_builder *builder, int64_t shape, int64_t stride);

/* Copy the subtree of "cute" that starts at node and leaf; both move behind it. */
void cute_subtree(struct cute_builder *builder, const layout_cute *cute,
	unsigned *node, unsigned *leaf);

/* A plain layout.  NULL with the error on the context where memory ran out, a shape
 * is negative, a number does not fit, or the tree is deeper than CUTE_DEPTH. */
layout_cute *cute_end(struct cute_builder *builder);
void cute_drop(struct cute_builder *builder);

/* Without the builder: a plain layout whose tree, shape and stride are still to be
 * written, and then measured.  The latter consumes the layout and gives it back, or
 * NULL with the error on the context. */
layout_cute *cute_alloc(layout_context *ctx, unsigned node_count, unsigned leaf_count);
layout_cute *cute_measure(layout_cute *cute);

/* One subtree in prefix order starts at "node"; the node after it, or 0 where the
 * tree ends too early.  "leaves", if given, grows by the number of its leaves. */
unsigned cute_skip(const int *tree, unsigned node_count, unsigned node,
	unsigned *leaves);

/* The nodes form one tree of at most CUTE_DEPTH levels; else LAYOUT_ERROR_INVALID.
 * No layout has more. */
enum { CUTE_DEPTH = 256 };
bool cute_check_tree(layout_context *ctx, const int *tree, unsigned node_count);

/* The subtree at node and leaf as a layout of its own, of the same order but without
 * the swizzle; both move behind it. */
layout_cute *cute_part(const layout_cute *cute, unsigned *node, unsigned *leaf);

/* shape:stride, a single leaf. */
layout_cute *cute_line(layout_context *ctx, int64_t shape, int64_t stride);

#endif
