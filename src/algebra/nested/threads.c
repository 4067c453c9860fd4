/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/nested/threads.h"
#include "isl_bridge/arithmetic.h"

struct interval *nested_intervals(const layout_nested *nested)
{
	return layout_alloc(nested->ctx, 2 * (size_t)nested->rank + 1,
		sizeof(struct interval));
}

static void insert(struct interval *intervals, unsigned count, struct interval new)
{
	for (; count && intervals[count - 1].period < new.period; count--)
		intervals[count] = intervals[count - 1];
	intervals[count] = new;
}

unsigned nested_id_intervals(const layout_nested *nested, const int64_t *ids,
	struct interval *intervals)
{
	static const unsigned levels[] = { NESTED_SUBGROUP, NESTED_THREAD };
	unsigned count = 0;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned d = 0; d < nested->rank; d++) {
			int64_t step = nested_step(nested, levels[i], d);

			if (step)
				insert(intervals, count++, (struct interval){
					step * nested->tile[levels[i]][d],
					step * ids[i * nested->rank + d], step });
		}
	return count;
}

void nested_read_ids(const layout_nested *nested, int64_t x, int64_t *ids)
{
	for (unsigned d = 0; d < nested->rank; d++) {
		int64_t subgroup = nested_step(nested, NESTED_SUBGROUP, d);
		int64_t thread = nested_step(nested, NESTED_THREAD, d);

		ids[d] = subgroup ?
			x / subgroup % nested->tile[NESTED_SUBGROUP][d] : 0;
		ids[nested->rank + d] = thread ?
			x / thread % nested->tile[NESTED_THREAD][d] : 0;
	}
}

int64_t nested_repeat(const struct interval *intervals, unsigned count)
{
	int64_t repeat = 1;

	for (unsigned i = 0; i < count; i++) {
		int64_t period = intervals[i].period;

		if (__builtin_mul_overflow(repeat, period / int_gcd(repeat, period),
				&repeat))
			return INT64_MAX;
	}
	return repeat;
}

int64_t nested_next(const struct interval *intervals, unsigned count, int64_t from,
	int64_t limit, int64_t *steps)
{
	for (unsigned i = 0; i < count && from < limit; i++) {
		int64_t past = from % intervals[i].period - intervals[i].begin;

		if (past >= 0 && past < intervals[i].length)
			continue;
		if (--*steps < 0)
			return -1;
		from += past < 0 ? -past : intervals[i].period - past;
		i = (unsigned)-1;
	}
	return from < limit ? from : limit;
}

layout_answer nested_is_first(struct interval *intervals, unsigned count, int64_t x,
	int64_t period, int64_t *steps)
{
	int64_t first;

	if (x < period)
		return LAYOUT_YES;
	intervals[count] = (struct interval){ period, x % period, 1 };
	first = nested_next(intervals, count + 1, 0, x, steps);
	if (first < 0)
		return LAYOUT_UNKNOWN;
	return first == x ? LAYOUT_YES : LAYOUT_NO;
}
