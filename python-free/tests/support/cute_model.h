/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts by their definition, in plain C; and random ones. */
#ifndef TESTS_SUPPORT_CUTE_MODEL_H
#define TESTS_SUPPORT_CUTE_MODEL_H

#include <layout/cute.h>

enum { CUTE_MODEL_LEAVES = 64, CUTE_MODEL_NODES = 160 };

/* Leaves in the order written. */
struct cute_model {
	unsigned node_count, count;
	int tree[CUTE_MODEL_NODES];
	int64_t shape[CUTE_MODEL_LEAVES], stride[CUTE_MODEL_LEAVES];
	bool lexicographic, swizzled;
	layout_cute_swizzle swizzle;
};

struct cute_model cute_model_of(layout_cute *cute);
int64_t cute_model_size(const struct cute_model *model);

/* The offset at linear coordinate x >= 0, the slowest leaf without end. */
int64_t cute_model_at(const struct cute_model *model, int64_t x);

/* The offset at a coordinate of each leaf, in the order written. */
int64_t cute_model_at_leaves(const struct cute_model *model, const int64_t *coordinate);

/* x as a coordinate of each leaf, and back. */
void cute_model_split(const struct cute_model *model, int64_t x, int64_t *coordinate);
int64_t cute_model_join(const struct cute_model *model, const int64_t *coordinate);

/* Is each leaf of "coarse" a subtree of "fine" of the same size? */
bool cute_model_refines(const struct cute_model *fine, const struct cute_model *coarse);

/* The leaves of mode "mode" of the top level: the first one, and how many. */
unsigned cute_model_mode(const struct cute_model *model, unsigned mode, unsigned *first);

/* Is there a layout with the function c -> a(b(c)) that refines b's shape?  By looking
 * at all its points: the first even run of offsets along a leaf must be a mode.  Neither
 * is empty, and b's strides are not negative. */
bool cute_model_composes(const struct cute_model *a, const struct cute_model *b);

/* A random tree up to 4 deep and 6 leaves, its size at most "most"; strides are those
 * of a compact layout in some order, any, negative ones where "negative", or such that
 * modes overlap or repeat one another; or steps of the modes of "along", if that is
 * given. */
struct cute_model cute_model_random(uint64_t *seed, int64_t most, bool negative,
	const struct cute_model *along);
layout_cute *cute_model_build(layout_context *ctx, const struct cute_model *model);

#endif
