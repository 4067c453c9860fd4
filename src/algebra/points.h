/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of a set, listed. */
#ifndef LAYOUT_ALGEBRA_POINTS_H
#define LAYOUT_ALGEBRA_POINTS_H

#include "isl_bridge/objects.h"

/* "count" points of "rank" coordinates, lexicographically sorted. */
struct points {
	layout_context *ctx;
	unsigned rank;
	int64_t *values;
	size_t count, capacity, limit;
	bool full;			/* there are more */
};

/* List the points of a bounded set without parameters, at most "limit".  False
 * where there are more, or isl failed; only memory and 64-bit overflow are put on
 * the context.  Keeps the set; free in both cases. */
bool points_list(struct points *points, layout_context *ctx, isl_set *set, size_t limit);
void points_free(struct points *points);

/* The i-th point; and the order of two. */
const int64_t *points_at(const struct points *points, size_t i);
int points_compare(const int64_t *a, const int64_t *b, unsigned rank);

/* The same for qsort_r(): "rank" is an unsigned's address. */
int points_order(const void *a, const void *b, void *rank);

/* Call "visit" for every point of a set that isl can list, until it returns false;
 * in isl's order.  False where isl failed or the visit ended it. */
bool points_visit(isl_set *set, layout_context *ctx,
	bool (*visit)(void *user, const int64_t *point), void *user);

#endif
