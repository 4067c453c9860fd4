/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of a known length that follow each other in one memory and not in the other, channels last
 * and channels first: tiles have several of them, and leave no line in part. */
#include <layout/codegen.h>
#include <layout/layout.h>
#include "support/relayout.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* [A, pixels, channels] with channels last, or back; "joined": where the rows follow each other, of
 * 512 channels, NULL: nothing is gained by that. */
static const struct row {
	int64_t pixels;
	const char *type, *target;
	bool back;
	const char *joined;
} rows[] = {
	{ 49, "f32", "gfx942", false, "destination" },
	{ 49, "f16", "gfx942", false, "destination" },
	{ 49, "i8", "gfx942", false, "destination" },
	{ 49, "f64", "gfx90a", false, NULL },
	{ 49, "f32", "gfx1100", false, "destination" },
	{ 49, "i8", "gfx1201", true, NULL },
	{ 49, "f32", "sm_90", false, "destination" },
	{ 49, "f16", "sm_80", true, "source" },
	{ 196, "i8", "gfx950", false, NULL },
	{ 9, "f32", "gfx942", false, "destination" },
	{ 9, "i8", "sm_90", true, "source" },
	{ 63, "f16", "gfx1100:wave64", true, NULL },
	{ 50, "i4", "gfx942", false, NULL },
	{ 49, "f16 -> f32", "gfx942", false, "destination" },
	{ 49, "f32 -> f16", "gfx1100", true, "source" },
	{ 64, "f32", "gfx942", false, NULL },
	{ 3025, "f32", "gfx942", false, NULL },
};

static struct relayout relayout_of(const struct row *row, int64_t channels)
{
	const struct storage_model last = { .kind = MODEL_ROW, .rank = 3 };
	const struct storage_model first = { .kind = MODEL_PACKED, .rank = 3,
		.outer = { 0, 2, 1 } };
	struct relayout relayout = { .target = row->target, .element = relayout_element(row->type),
		.source = row->back ? first : last, .destination = row->back ? last : first,
		.size = { "A" } };

	snprintf(relayout.size[1], sizeof(relayout.size[1]), "%" PRId64, row->pixels);
	snprintf(relayout.size[2], sizeof(relayout.size[2]), "%" PRId64, channels);
	return relayout;
}

/* Around the ends of tiles of 8 to 128 rows. */
static void test_bytes(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++) {
		int64_t p = rows[i].pixels;
		const int64_t n[][MODEL_RANK] = { { 2, p, 1 }, { 1, p, 31 }, { 2, p, 65 },
			{ 1, p, 128 }, { 3, p, 130 }, { 2, p, 193 } };

		for (unsigned k = i % 2; k < (p > 1000 ? 2 : COUNT(n)); k += 2) {
			struct relayout relayout = relayout_of(&rows[i], n[k][2]);

			failures += relayout_check(ctx, &relayout, 1, &n[k]);
		}
	}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

static bool fills_lines(const layout_sim_traffic *traffic)
{
	return 4 * traffic->wave_segments_64 <= 5 * traffic->wave_least_64;
}

static void check_lines(const struct row *row, const layout_sim_stats *stats)
{
	if (!fills_lines(&stats->load) || !fills_lines(&stats->store))
		fail_msg("%" PRId64 " pixels of %s for %s: segments by wave, %" PRIu64
			" loaded, %" PRIu64 " needed, %" PRIu64 " stored, %" PRIu64 " needed",
			row->pixels, row->type, row->target, stats->load.wave_segments_64,
			stats->load.wave_least_64, stats->store.wave_segments_64,
			stats->store.wave_least_64);
}

static void test_lines(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++) {
		const int64_t n[MODEL_RANK] = { 1, rows[i].pixels, 512 };
		struct relayout relayout = relayout_of(&rows[i], n[2]);
		layout_kernel *kernel = relayout_kernel(ctx, &relayout);
		size_t length;
		char *text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0,
			&length);
		const char *joined = text ? strstr(text, "lie together in the ") : NULL;
		layout_sim_stats stats = { 0 };

		assert_non_null(text);
		if (!joined != !rows[i].joined || (joined && strncmp(joined +
		    strlen("lie together in the "), rows[i].joined, strlen(rows[i].joined))))
			fail_msg("row %u: %s", i, text);
		if (joined) {
			assert_true(relayout_run(ctx, &relayout, kernel, n, &stats));
			check_lines(&rows[i], &stats);
		}
		layout_string_free(text);
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
