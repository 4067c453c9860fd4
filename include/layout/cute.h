/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts: "shape:stride" trees, colexicographic. */
#ifndef LAYOUT_CUTE_H
#define LAYOUT_CUTE_H

#include <layout/relation.h>

typedef struct layout_cute layout_cute;

/* Read "(4,8):(8,1)" or "((2,2),4):((1,8),2)".
 *
 * Shape and stride are congruent trees; shapes are >= 0, strides any integer. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);

/* Build from a tree written in prefix order: for each node its arity, or -1 for a
 * leaf; leaves take the next of "shape" and "stride".  A single leaf is { -1 }. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_new(LAYOUT_KEEP layout_context *ctx,
	const int *tree, unsigned node_count,
	const int64_t *shape, const int64_t *stride, unsigned leaf_count);

LAYOUT_API void layout_cute_free(LAYOUT_TAKE layout_cute *cute);
LAYOUT_API LAYOUT_GIVE char *layout_cute_str(LAYOUT_KEEP layout_cute *cute);

/* Number of coordinates, and 1 + the largest offset (0 for no coordinate). */
LAYOUT_API int64_t layout_cute_size(LAYOUT_KEEP layout_cute *cute);
LAYOUT_API int64_t layout_cute_cosize(LAYOUT_KEEP layout_cute *cute);

/* The map from the linear coordinate, first mode fastest, to the offset:
 * { [i] -> [offset] : 0 <= i < size }. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_cute_relation(
	LAYOUT_KEEP layout_cute *cute);

/* The same where the last mode has no end, CuTe's convention for the outer layout
 * of a composition: { [i] -> [offset] : 0 <= i }, 0 <= i < 0 for size 0. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_cute_unbounded_relation(
	LAYOUT_KEEP layout_cute *cute);

#endif
