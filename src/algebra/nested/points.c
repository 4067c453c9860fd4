/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pairs of a nested layout, thread by thread. */
#include "algebra/nested/nested.h"

#include <stdlib.h>
#include <string.h>

/* The coordinates that a thread holds at one place, "holder", which are visited when the
 * next place comes: a thread that does the work of several holds them in no order. */
struct held {
	layout_context *ctx;
	layout_visit_pair visit;
	void *user;
	unsigned rank;
	bool several;		/* else in order, and none is kept */
	int64_t *holder, *rows;
	size_t count, capacity;
	bool failed, stopped;
};

static unsigned holder_width(const struct held *held)
{
	return 1 + 3 * held->rank;
}

static size_t row_size(const struct held *held)
{
	return (held->rank ? held->rank : 1) * sizeof(*held->rows);
}

static int compare(const void *a, const void *b, void *rank)
{
	const int64_t *left = a, *right = b;

	for (unsigned i = 0; i < *(unsigned *)rank; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* Visit what is held at the place, in order. */
static void visit_place(struct held *held)
{
	qsort_r(held->rows, held->count, row_size(held), compare, &held->rank);
	for (size_t i = 0; !held->stopped && i < held->count; i++)
		held->stopped = !held->visit(held->user, held->holder, holder_width(held),
			held->rows + i * held->rank, held->rank);
	held->count = 0;
}

static bool grow(struct held *held)
{
	size_t capacity = held->capacity ? 2 * held->capacity : 64;
	int64_t *rows = realloc(held->rows, capacity * row_size(held));

	if (!rows) {
		layout_fail(held->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		held->failed = true;
		return false;
	}
	held->rows = rows;
	held->capacity = capacity;
	return true;
}

static bool keep(struct held *held, const int64_t *holder, const int64_t *coordinate)
{
	size_t size = holder_width(held) * sizeof(*holder);

	if (held->count && memcmp(held->holder, holder, size))
		visit_place(held);
	if (held->stopped || (held->count == held->capacity && !grow(held)))
		return false;
	memcpy(held->holder, holder, size);
	if (held->rank)
		memcpy(held->rows + held->count * held->rank, coordinate,
			held->rank * sizeof(*coordinate));
	held->count++;
	return true;
}

static bool take(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct held *held = user;

	if (held->several)
		return keep(held, holder, coordinate);
	held->stopped = !held->visit(held->user, holder, holder_width(held), coordinate,
		rank);
	return !held->stopped;
}

static bool visit_thread(struct held *held, layout_nested *nested, int64_t thread)
{
	if (!layout_nested_owned(nested, thread, take, held) || held->failed)
		return false;
	if (held->count && !held->stopped)
		visit_place(held);
	return true;
}

bool nested_for_each(layout_nested *nested, layout_visit_pair visit, void *user)
{
	struct held held = { .ctx = nested->ctx, .visit = visit, .user = user,
		.rank = layout_nested_rank(nested),
		.several = nested_virtual_threads(nested) > nested_period(nested) };
	int64_t threads = layout_nested_threads(nested);
	bool good;

	held.holder = layout_alloc(nested->ctx, holder_width(&held), sizeof(*held.holder));
	good = held.holder;
	for (int64_t thread = 0; good && !held.stopped && thread < threads; thread++)
		good = visit_thread(&held, nested, thread);
	free(held.holder);
	free(held.rows);
	return good;
}
