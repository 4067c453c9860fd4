/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles that are not whole: accesses stay wide at sizes that no tile divides. */
#include <layout/codegen.h>
#include <layout/layout.h>
#include "support/relayout_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Bytes of an access on average, at least; 16 is all of them.  Cases by their number in
 * relayout_cases.c. */
static const struct edge {
	unsigned kase, flags;
	const char *target;
	int64_t n[MODEL_RANK];
	unsigned load, store;
} edges[] = {
	/* both sides even: the last tile begins earlier */
	{ 3, 0, "gfx942", { 130, 70 }, 16, 16 },
	{ 3, 0, "gfx90a", { 64, 65 }, 16, 16 },
	{ 3, RELAYOUT_THROUGH_LDS, "gfx942", { 391, 333 }, 16, 16 },
	{ 4, 0, "gfx950", { 391, 333 }, 16, 16 },
	{ 5, 0, "gfx1100", { 391, 333 }, 16, 16 },
	{ 6, 0, "gfx942", { 2, 67, 19, 27 }, 16, 16 },
	{ 7, 0, "gfx1200", { 2, 67, 19, 27 }, 16, 16 },

	/* packed tiles are stored, and nearly all of them loaded, as a whole */
	{ 0, 0, "gfx942", { 257, 129 }, 14, 16 },
	{ 1, 0, "gfx942", { 257, 130 }, 14, 16 },
	{ 2, 0, "gfx950", { 513, 257 }, 14, 8 },
	{ 0, RELAYOUT_INVERSE, "gfx1100", { 391, 333 }, 12, 8 },
	{ 1, RELAYOUT_INVERSE, "gfx942", { 391, 333 }, 12, 8 },

	/* accesses that have to be aligned */
	{ 3, 0, "sm_90", { 130, 70 }, 4, 4 },
	{ 4, 0, "sm_90", { 391, 333 }, 14, 11 },
	{ 5, 0, "sm_90", { 391, 333 }, 14, 10 },
	{ 7, 0, "sm_90", { 2, 257, 38, 54 }, 14, 8 },
	{ 7, 0, "sm_90", { 2, 63, 38, 54 }, 8, 7 },
	{ 1, 0, "sm_90", { 257, 130 }, 14, 16 },
	{ 1, RELAYOUT_INVERSE, "sm_90", { 391, 333 }, 14, 10 },
};

static void check_side(const struct edge *edge, const char *what, uint64_t bytes,
	const layout_sim_traffic *traffic, uint64_t count, unsigned least)
{
	if (bytes < least * count || (least == 16 && 16 * traffic->widths[5] != bytes))
		fail_msg("case %u for %s: %s of %.1f bytes on average, %u at least",
			edge->kase, edge->target, what, (double)bytes / (double)count,
			least);
}

static void test_edges(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(edges); i++) {
		const struct edge *edge = &edges[i];
		struct relayout relayout = relayout_case(edge->kase, edge->flags,
			edge->target);
		layout_kernel *kernel = relayout_kernel(ctx, &relayout);
		layout_sim_stats stats = { 0 };

		assert_non_null(kernel);
		assert_true(relayout_run(ctx, &relayout, kernel, edge->n, &stats));
		check_side(edge, "loads", stats.load_bytes, &stats.load, stats.loads,
			edge->load);
		check_side(edge, "stores", stats.store_bytes, &stats.store, stats.stores,
			edge->store);
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
