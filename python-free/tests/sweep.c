/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* No cliffs: what a cell takes at a size is not far from what it takes at sizes beside it.
 * bench/sweep does the same at more sizes, and draws it. */
#include "support/sweep.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Tensors of fewer cells take as long as a launch.  Of others, no point is so many times as
 * dear as one beside it, and none takes more accesses a cell. */
#define FEWEST_CELLS 4096
#define CLIFF 4.0
#define MOST_ACCESSES 2.0

enum { STRIDE = 4 };

static void check_points(const struct sweep *sweep, int64_t size,
	const struct sweep_point *before, const struct sweep_point *here)
{
	if (here->cells < FEWEST_CELLS)
		return;
	if (here->accesses > MOST_ACCESSES)
		fail_msg("%s, %s = %" PRId64 ": %g accesses a cell", sweep->name,
			sweep->swept, size, here->accesses);
	if (before->cells >= FEWEST_CELLS && (here->accesses > CLIFF * before->accesses ||
	    before->accesses > CLIFF * here->accesses))
		fail_msg("%s, %s = %" PRId64 ": %g accesses a cell after %g", sweep->name,
			sweep->swept, size, here->accesses, before->accesses);
}

static void check_sweep(layout_context *ctx, const struct sweep *sweep, unsigned first)
{
	layout_kernel *kernel = sweep_kernel(ctx, sweep);
	struct sweep_point before = { 0 }, here = { 0 };
	bool ok = kernel;

	for (unsigned p = first; ok && p < SWEEP_POINTS && here.cells < 65536; p += STRIDE) {
		ok = sweep_run(ctx, sweep, kernel, sweep_points[p], &here);
		if (ok)
			check_points(sweep, sweep_points[p], &before, &here);
		before = here;
	}
	if (!ok)
		fail_msg("%s: %s", sweep->name, layout_context_message(ctx));
	layout_kernel_free(kernel);
}

static void test_sweep(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sweep_count; i++)
		check_sweep(ctx, &sweeps[i], 13 + i % STRIDE);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_sweep) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
