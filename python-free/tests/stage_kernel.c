/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels through the LDS in the simulator: the bytes are those of the host's kernel, and
 * no access of the LDS by a full tile has a bank conflict. */
#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROW "row_major[A, B]"
#define COLUMN "col_major[A, B]"
#define LHS "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4], " \
	"[\"CrossThread\", 8], [\"CrossThread\", 4]], [[\"CrossThread\", 4], " \
	"[\"CrossThread\", 4]]], permutation = [1, 4, 0, 2, 3]}}>, [A, B])"
#define ODD "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [12, 20], " \
	"outerDimsPerm = [1, 0]}>, [A, B])"

/* A remap with its bytes of either side for the sizes.  "full": tiles only, so that
 * every access of the LDS is as planned. */
static const struct staged_row {
	const char *remap, *target;
	int64_t a, b;
	size_t source, destination;
	bool full;
} rows[] = {
	{ ROW " -> " COLUMN ", type = f32", "gfx942", 128, 192, 98304, 98304, true },
	{ ROW " -> " COLUMN ", type = f32", "gfx942", 131, 65, 34060, 34060, false },
	{ ROW " -> " COLUMN ", type = f16", "gfx950", 256, 256, 131072, 131072, true },
	{ ROW " -> " COLUMN ", type = f16", "gfx950", 63, 131, 16506, 16506, false },
	{ ROW " -> " COLUMN ", type = i8", "gfx1100", 256, 256, 65536, 65536, true },
	{ ROW " -> " COLUMN ", type = i8", "gfx1100", 129, 127, 16383, 16383, false },
	{ ROW " -> " COLUMN ", type = f64", "gfx1100:wave64", 128, 128, 131072, 131072,
		true },
	{ ROW " -> " COLUMN ", type = f64", "gfx90a", 1, 1, 8, 8, false },
	{ ROW " -> " COLUMN ", type = f32", "gfx1250", 128, 128, 65536, 65536, true },
	{ ROW " -> " COLUMN ", type = f32", "gfx1201", 128, 128, 65536, 65536, true },
	{ ROW " -> " LHS ", type = f32", "gfx942", 256, 256, 262144, 262144, true },
	{ ROW " -> " LHS ", type = f32", "gfx942", 100, 37, 14800, 24576, false },
	{ LHS " -> " ROW ", type = f32", "gfx1100", 100, 37, 24576, 14800, false },
	{ ROW " -> " ODD ", type = f32", "gfx942", 48, 640, 122880, 122880, true },
	{ ODD " -> " COLUMN ", type = f32", "gfx950", 50, 90, 24000, 18000, false },
};

static layout_kernel *make_kernel(layout_context *ctx, const struct staged_row *row,
	const char *target)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;
	layout_remap *remap;
	char text[1024];

	snprintf(text, sizeof(text), "remap(%s)", row->remap);
	options.through_lds = strcmp(target, "host") != 0;
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, target, &options);
	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	layout_remap_free(remap);
	return kernel;
}

static void run_kernel(layout_context *ctx, const struct staged_row *row,
	const char *target, const void *source, void *destination,
	layout_sim_stats *stats)
{
	layout_kernel *kernel = make_kernel(ctx, row, target);
	layout_size sizes[] = { { "A", row->a }, { "B", row->b } };
	layout_run run = LAYOUT_RUN_INIT;

	run.source = source;
	run.source_bytes = row->source;
	run.destination = destination;
	run.destination_bytes = row->destination;
	run.sizes = sizes;
	run.size_count = COUNT(sizes);
	run.stats = stats;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s for %s: %s", row->remap, target,
			layout_context_message(ctx));
	layout_kernel_free(kernel);
}

static void check_row(const struct staged_row *row)
{
	layout_context *ctx = layout_context_new();
	unsigned char *source = aligned_alloc(64, (row->source + 63) / 64 * 64);
	unsigned char *found = aligned_alloc(64, (row->destination + 63) / 64 * 64);
	unsigned char *wanted = aligned_alloc(64, (row->destination + 63) / 64 * 64);
	layout_sim_stats stats = { 0 };

	assert_true(source && found && wanted);
	for (size_t i = 0; i < row->source; i++)
		source[i] = (unsigned char)(i * 2654435761u >> 13);
	memset(found, 1, row->destination);
	memset(wanted, 2, row->destination);
	run_kernel(ctx, row, row->target, source, found, &stats);
	run_kernel(ctx, row, "host", source, wanted, NULL);
	if (memcmp(found, wanted, row->destination))
		fail_msg("%s for %s: other bytes than the host's", row->remap,
			row->target);
	assert_true(stats.lds_bytes > 0 && stats.barriers > 0);
	if (row->full) {
		assert_int_equal(stats.lds_store.extra_cycles, 0);
		assert_int_equal(stats.lds_load.extra_cycles, 0);
		assert_int_equal(16 * stats.lds_store.widths[5], row->destination);
		assert_int_equal(16 * stats.lds_load.widths[5], row->destination);
		assert_int_equal(16 * stats.load.widths[5], row->source);
		assert_int_equal(16 * stats.store.widths[5], row->destination);
		assert_int_equal(stats.barriers, stats.workgroups);
	}
	free(source);
	free(found);
	free(wanted);
	assert_true(layout_context_free(ctx));
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check_row(&rows[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
