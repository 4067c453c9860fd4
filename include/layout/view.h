/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Views: the same relation seen through other coordinates.
 *
 * The points of a box of sizes n_0, n_1, .. are numbered from 0 on, the first
 * coordinate (colexicographic) or the last one (lexicographic) fastest.  Two boxes of
 * as many points name the same point by the same number. */
#ifndef LAYOUT_VIEW_H
#define LAYOUT_VIEW_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
	LAYOUT_ORDER_LEX,	/* last coordinate fastest */
	LAYOUT_ORDER_COLEX,	/* first coordinate fastest */
} layout_order;

/* A box: its sizes, each >= 0. */
typedef struct {
	unsigned rank;
	const int64_t *sizes;
} layout_box;

/* { [x0, x1, ..] -> [y0, ..] } from the points of one box to those of another.
 * LAYOUT_ERROR_SPACE where they have not as many points, LAYOUT_ERROR_OVERFLOW where
 * these are too many for 64 bits. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_renumber(
	LAYOUT_KEEP layout_context *ctx, layout_box from, layout_box to,
	layout_order order);

/* X -> Y, the inputs (images) being in the box "old": what it is for those of the box
 * "new" in an anonymous tuple.  Pairs outside "old" are left out.  Errors as above. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_view_ins(
	LAYOUT_TAKE layout_relation *relation, layout_box old, layout_box new_box,
	layout_order order);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_view_outs(
	LAYOUT_TAKE layout_relation *relation, layout_box old, layout_box new_box,
	layout_order order);

/* The tuple of the inputs (images) under another name, which makes it another space;
 * and other names for its coordinates, "count" of them, which are for readers only.
 * LAYOUT_ERROR_INVALID: a name that isl cannot hold; LAYOUT_ERROR_SPACE: another
 * number of coordinates. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_name_ins(
	LAYOUT_TAKE layout_relation *relation, const char *name);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_name_outs(
	LAYOUT_TAKE layout_relation *relation, const char *name);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_name_in_coordinates(
	LAYOUT_TAKE layout_relation *relation, const char *const *names, unsigned count);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_name_out_coordinates(
	LAYOUT_TAKE layout_relation *relation, const char *const *names, unsigned count);

/* The least box from 0 on that holds a set without sizes: as many numbers as it has
 * dimensions.  False with LAYOUT_ERROR_INVALID where it has none: a coordinate is
 * negative, has no bound, or one that depends on sizes. */
LAYOUT_API bool layout_set_box(LAYOUT_KEEP layout_set *set, int64_t *sizes);

#ifdef __cplusplus
}
#endif

#endif
