/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which threads have given ids: numbers in several repeating intervals at once. */
#ifndef LAYOUT_ALGEBRA_NESTED_THREADS_H
#define LAYOUT_ALGEBRA_NESTED_THREADS_H

#include "algebra/nested/nested.h"

/* All x with  begin <= x mod period < begin + length. */
struct interval {
	int64_t period, begin, length;
};

/* Room for every interval of a layout, two a dimension and one more; NULL without
 * memory. */
struct interval *nested_intervals(const layout_nested *nested);

/* What the ids say, s_d = ids[d] and t_d = ids[rank + d], where the thread decides
 * them; how many intervals that is.  The longest periods come first. */
unsigned nested_id_intervals(const layout_nested *nested, const int64_t *ids,
	struct interval *intervals);

/* The ids of thread x of the formula; 0 where the thread decides none. */
void nested_read_ids(const layout_nested *nested, int64_t x, int64_t *ids);

/* After so many numbers the intervals meet as before; INT64_MAX if that is beyond. */
int64_t nested_repeat(const struct interval *intervals, unsigned count);

/* The least x >= from in all of the intervals; "limit" if that is not below it.  Periods
 * that do not divide one another may have it far away, or nowhere: each interval that
 * x is moved to takes one of the "*steps", and -1 is that there are none left. */
int64_t nested_next(const struct interval *intervals, unsigned count, int64_t from,
	int64_t limit, int64_t *steps);

/* Is x, which lies in all intervals, the first of those that lie in them and are a
 * multiple of "period" apart from it?  There is room for one more interval.
 * LAYOUT_UNKNOWN: no steps are left. */
layout_answer nested_is_first(struct interval *intervals, unsigned count, int64_t x,
	int64_t period, int64_t *steps);

#endif
