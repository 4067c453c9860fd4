/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who owns a coordinate, and what a thread owns: counting through the formula. */
#include "algebra/limit.h"
#include "algebra/nested/threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where a question is: ids are those of the subgroup, then those of the thread; "steps"
 * are left before the next answer must be there.  It stops when the visitor does, or
 * on an error. */
struct search {
	layout_nested *nested;
	layout_visit_holding visit;
	void *user;
	int64_t *ids, *holder, *coordinate;	/* point into one block: "ids" */
	struct interval *intervals;
	int64_t steps;
	bool stopped, failed;
};

static bool search_begin(struct search *search, layout_nested *nested,
	layout_visit_holding visit, void *user)
{
	size_t rank = nested->rank;

	*search = (struct search){ .nested = nested, .visit = visit, .user = user };
	search->ids = layout_alloc(nested->ctx, 1 + 6 * rank, sizeof(int64_t));
	search->intervals = nested_intervals(nested);
	if (!search->ids || !search->intervals)
		return false;
	search->holder = search->ids + 2 * rank;
	search->coordinate = search->holder + 1 + 3 * rank;
	search->steps = limit_points(nested->ctx);
	return true;
}

static bool search_end(struct search *search, bool done)
{
	free(search->ids);
	free(search->intervals);
	return done;
}

static void report(struct search *search)
{
	search->stopped = !search->visit(search->user, search->holder,
		search->coordinate, search->nested->rank);
	search->steps = limit_points(search->nested->ctx);
}

static void give_up(struct search *search)
{
	layout_fail(search->nested->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: which threads hold what, after %" PRId64
		" steps without a further one", limit_points(search->nested->ctx));
	search->stopped = search->failed = true;
}

/* Report thread x of the formula, unless an earlier one does the same work. */
static void report_first(struct search *search, unsigned count, int64_t x,
	int64_t period, void (*visit)(struct search *search))
{
	switch (nested_is_first(search->intervals, count, x, period, &search->steps)) {
	case LAYOUT_YES:
		visit(search);
		break;
	case LAYOUT_UNKNOWN:
		give_up(search);
		break;
	case LAYOUT_NO:
		break;
	}
}

/* The ids and the place of a coordinate. */
static void take_apart(struct search *search)
{
	const layout_nested *nested = search->nested;
	unsigned rank = nested->rank;

	for (unsigned d = 0; d < rank; d++) {
		int64_t *digits[NESTED_LEVELS] = {
			search->ids + d, search->holder + 1 + d,
			search->holder + 1 + rank + d, search->ids + rank + d,
			search->holder + 1 + 2 * rank + d,
		};
		int64_t rest = search->coordinate[d];

		for (unsigned level = NESTED_LEVELS; level-- > 0;) {
			*digits[level] = rest % nested->tile[level][d];
			rest /= nested->tile[level][d];
		}
	}
}

static void put_together(struct search *search)
{
	const layout_nested *nested = search->nested;
	unsigned rank = nested->rank;

	for (unsigned d = 0; d < rank; d++) {
		const int64_t digits[NESTED_LEVELS] = {
			search->ids[d], search->holder[1 + d],
			search->holder[1 + rank + d], search->ids[rank + d],
			search->holder[1 + 2 * rank + d],
		};
		int64_t x = 0;

		for (unsigned level = 0; level < NESTED_LEVELS; level++)
			x = x * nested->tile[level][d] + digits[level];
		search->coordinate[d] = x;
	}
}

static bool is_inside(layout_nested *nested, const int64_t *coordinate)
{
	for (unsigned d = 0; d < nested->rank; d++) {
		int64_t size = layout_nested_size(nested, d);

		if (coordinate[d] >= 0 && coordinate[d] < size)
			continue;
		layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
			"coordinate %" PRId64 " is outside dimension %u of %" PRId64,
			coordinate[d], d, size);
		return false;
	}
	return true;
}

bool layout_nested_owners(layout_nested *nested, const int64_t *coordinate,
	layout_visit_holding visit, void *user)
{
	struct search search;
	int64_t limit, period, repeat;
	unsigned count;

	if (!nested || !layout_given(nested->ctx, visit && (coordinate || !nested->rank),
		"coordinate or visitor") || !is_inside(nested, coordinate))
		return false;
	if (!search_begin(&search, nested, visit, user))
		return search_end(&search, false);
	if (nested->rank)
		memcpy(search.coordinate, coordinate,
			nested->rank * sizeof(*coordinate));
	take_apart(&search);
	count = nested_id_intervals(nested, search.ids, search.intervals);
	limit = nested_virtual_threads(nested);
	period = nested_period(nested);
	repeat = nested_repeat(search.intervals, count);
	for (int64_t x = 0; !search.stopped; x++) {
		int64_t end = x < limit - repeat ? x + repeat : limit;

		x = nested_next(search.intervals, count, x, end, &search.steps);
		if (x == end)
			break;
		search.holder[0] = x % period;
		if (x < 0)
			give_up(&search);
		else
			report_first(&search, count, x, period, report);
	}
	return search_end(&search, !search.failed);
}

/* The next values of the ids that the thread does not decide; false after the last. */
static bool next_free_ids(struct search *search)
{
	static const unsigned levels[] = { NESTED_SUBGROUP, NESTED_THREAD };
	const layout_nested *nested = search->nested;

	for (unsigned d = nested->rank; d-- > 0;)
		for (unsigned i = 2; i-- > 0;) {
			int64_t *id = &search->ids[i * nested->rank + d];

			if (nested_step(nested, levels[i], d))
				continue;
			if (++*id < nested->tile[levels[i]][d])
				return true;
			*id = 0;
		}
	return false;
}

/* All coordinates with the holder's place and the ids that the thread decides; the
 * other ids take all values. */
static void visit_free_ids(struct search *search)
{
	do {
		put_together(search);
		report(search);
	} while (!search->stopped && next_free_ids(search));
}

/* The work of all threads that the holder stands for, each of it once. */
static void visit_work(struct search *search, int64_t limit, int64_t period)
{
	const layout_nested *nested = search->nested;

	for (int64_t x = search->holder[0]; !search->stopped; x += period) {
		unsigned count;

		nested_read_ids(nested, x, search->ids);
		count = nested_id_intervals(nested, search->ids, search->intervals);
		if (x == search->holder[0])
			visit_free_ids(search);
		else if (--search->steps < 0)
			give_up(search);
		else
			report_first(search, count, x, period, visit_free_ids);
		if (limit - x <= period)
			return;
	}
}

/* The next place b.., o.., e..; false after the last. */
static bool next_place(struct search *search)
{
	static const unsigned levels[] = { NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT };
	const layout_nested *nested = search->nested;

	for (unsigned i = 3 * nested->rank; i-- > 0;) {
		int64_t *digit = &search->holder[1 + i];

		if (++*digit < nested->tile[levels[i / nested->rank]][i % nested->rank])
			return true;
		*digit = 0;
	}
	return false;
}

bool layout_nested_owned(layout_nested *nested, int64_t thread,
	layout_visit_holding visit, void *user)
{
	struct search search;
	int64_t period, limit;

	if (!nested || !layout_given(nested->ctx, visit, "visitor"))
		return false;
	period = nested_period(nested);
	limit = nested_virtual_threads(nested);
	if (thread < 0 || (nested->subgroup_count && thread >= period)) {
		layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no thread %" PRId64 " among %" PRId64, thread, period);
		return false;
	}
	if (!search_begin(&search, nested, visit, user))
		return search_end(&search, false);
	search.holder[0] = thread;
	do
		visit_work(&search, limit, period);
	while (!search.stopped && next_place(&search));
	return search_end(&search, !search.failed);
}
