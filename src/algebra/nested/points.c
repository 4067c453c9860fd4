/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pairs of a nested layout, thread by thread. */
#include "algebra/nested/nested.h"

#include <stdlib.h>
#include <string.h>

/* What one thread holds: rows of a holder and a coordinate. */
struct held {
	layout_context *ctx;
	unsigned width;
	int64_t *rows;
	size_t count, capacity;
	bool failed;
};

static bool add(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct held *held = user;
	size_t capacity = held->capacity ? 2 * held->capacity : 64;
	int64_t *rows = held->rows;

	if (held->count == held->capacity) {
		rows = realloc(rows, capacity * held->width * sizeof(*rows));
		if (!rows) {
			layout_fail(held->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
			held->failed = true;
			return false;
		}
		held->rows = rows;
		held->capacity = capacity;
	}
	rows += held->count++ * held->width;
	memcpy(rows, holder, (1 + 3 * rank) * sizeof(*rows));
	if (rank)
		memcpy(rows + 1 + 3 * rank, coordinate, rank * sizeof(*rows));
	return true;
}

static int compare(const void *a, const void *b, void *width)
{
	const int64_t *left = a, *right = b;

	for (unsigned i = 0; i < *(unsigned *)width; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* A thread that does the work of several holds the coordinates of one place in their
 * order, so the rows are sorted.  "stopped" is whether the visit ended it. */
static bool visit_thread(struct held *held, layout_nested *nested, int64_t thread,
	layout_visit_pair visit, void *user, bool *stopped)
{
	unsigned rank = layout_nested_rank(nested), ins = 1 + 3 * rank;

	held->count = 0;
	if (!layout_nested_owned(nested, thread, add, held) || held->failed)
		return false;
	qsort_r(held->rows, held->count, held->width * sizeof(*held->rows), compare,
		&held->width);
	for (size_t i = 0; !*stopped && i < held->count; i++) {
		const int64_t *row = held->rows + i * held->width;

		*stopped = !visit(user, row, ins, row + ins, rank);
	}
	return true;
}

bool nested_for_each(layout_nested *nested, layout_visit_pair visit, void *user)
{
	struct held held = {
		.ctx = nested->ctx, .width = 1 + 4 * layout_nested_rank(nested),
	};
	int64_t threads = layout_nested_threads(nested);
	bool good = true, stopped = false;

	for (int64_t thread = 0; good && !stopped && thread < threads; thread++)
		good = visit_thread(&held, nested, thread, visit, user, &stopped);
	free(held.rows);
	return good;
}
