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
 * every access of the LDS is as planned; "waits": some of them for each other. */
static const struct staged_row {
	const char *remap, *target;
	int64_t a, b;
	size_t source, destination;
	bool full, waits;
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
	{ ROW " -> " ODD ", type = f32", "gfx942", 48, 640, 122880, 122880, true, true },
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
	layout_kernel *kernel, const void *source, void *destination,
	layout_sim_stats *stats)
{
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
		fail_msg("%s of %d x %d for %s: %s", row->remap, (int)row->a,
			(int)row->b, row->target, layout_context_message(ctx));
}

/* The kernel's bytes are those of the host's. */
static void check_bytes(layout_context *ctx, const struct staged_row *row,
	layout_kernel *kernel, layout_kernel *host, layout_sim_stats *stats)
{
	unsigned char *source = aligned_alloc(64, (row->source + 64) / 64 * 64);
	unsigned char *found = aligned_alloc(64, (row->destination + 64) / 64 * 64);
	unsigned char *wanted = aligned_alloc(64, (row->destination + 64) / 64 * 64);

	assert_true(source && found && wanted);
	for (size_t i = 0; i < row->source; i++)
		source[i] = (unsigned char)(i * 2654435761u >> 13);
	memset(found, 1, row->destination);
	memset(wanted, 2, row->destination);
	run_kernel(ctx, row, kernel, source, found, stats);
	run_kernel(ctx, row, host, source, wanted, NULL);
	if (memcmp(found, wanted, row->destination))
		fail_msg("%s of %d x %d for %s: other bytes than the host's", row->remap,
			(int)row->a, (int)row->b, row->target);
	assert_true(!row->destination || (stats->lds_bytes > 0 && stats->barriers > 0));
	free(source);
	free(found);
	free(wanted);
}

static void check_row(const struct staged_row *row)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = make_kernel(ctx, row, row->target);
	layout_kernel *host = make_kernel(ctx, row, "host");
	layout_sim_stats stats = { 0 };

	check_bytes(ctx, row, kernel, host, &stats);
	if (row->full) {
		assert_int_equal(stats.lds_store.extra_cycles +
			stats.lds_load.extra_cycles > 0, row->waits);
		assert_int_equal(16 * stats.lds_store.widths[5], row->destination);
		assert_int_equal(16 * stats.lds_load.widths[5], row->destination);
		assert_int_equal(16 * stats.load.widths[5], row->source);
		assert_int_equal(16 * stats.store.widths[5], row->destination);
		assert_int_equal(stats.barriers, stats.workgroups);
	}
	layout_kernel_free(kernel);
	layout_kernel_free(host);
	assert_true(layout_context_free(ctx));
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check_row(&rows[i]);
}

/* From source[unit*A, unit*B] in tiles of "from" to destination[low + unit*A + high, ..]
 * in tiles of "to"; no tiles: in rows, or in columns. */
enum { ROWS = 0, COLUMNS = -1 };

static const struct shifted_row {
	int64_t from[2], to[2], low[2], high[2];
	const char *type;
	int64_t bits, unit;
} shifted_rows[] = {
	/* tiles that begin anywhere in those of the source */
	{ { 20, 6 }, { 16, 64 }, { 0, 0 }, { 0, 0 }, "f32", 32, 1 },
	{ { 12, 10 }, { 64, 96 }, { 0, 0 }, { 0, 0 }, "f32", 32, 1 },
	{ { 64, 96 }, { 12, 10 }, { 0, 0 }, { 0, 0 }, "f32", 32, 1 },
	{ { 12, 10 }, { 64, 96 }, { 0, 0 }, { 0, 0 }, "i8", 8, 1 },
	{ { 9, 28 }, { 64, 96 }, { 0, 0 }, { 0, 0 }, "f64", 64, 1 },
	{ { 8, 8 }, { 16, 16 }, { 2, 3 }, { 0, 0 }, "f32", 32, 1 },
	{ { 8, 8 }, { 16, 16 }, { 2, 3 }, { 1, 5 }, "f16", 16, 1 },
	{ { 16, 64 }, { ROWS }, { 2, 3 }, { 0, 1 }, "f32", 32, 1 },
	{ { ROWS }, { 16, 64 }, { 2, 3 }, { 0, 1 }, "f32", 32, 1 },
	{ { 20, 6 }, { 16, 64 }, { 4, 5 }, { 3, 0 }, "i8", 8, 1 },
	{ { 4, 4 }, { 64, 8 }, { 70, 0 }, { 0, 9 }, "f64", 64, 1 },
	{ { 2, 4 }, { ROWS }, { 2, 12 }, { 2, 0 }, "i8", 8, 1 },
	/* parts of bytes */
	{ { ROWS }, { COLUMNS }, { 0, 0 }, { 0, 0 }, "i4", 4, 2 },
	{ { COLUMNS }, { ROWS }, { 0, 0 }, { 0, 0 }, "f4E2M1FN", 4, 2 },
	{ { ROWS }, { COLUMNS }, { 2, 4 }, { 0, 2 }, "i4", 4, 2 },
	{ { ROWS }, { COLUMNS }, { 0, 0 }, { 0, 0 }, "i2", 2, 4 },
	{ { ROWS }, { 16, 32 }, { 0, 0 }, { 0, 0 }, "i4", 4, 2 },
	{ { 16, 32 }, { COLUMNS }, { 0, 0 }, { 0, 0 }, "u4", 4, 2 },
	{ { 12, 10 }, { COLUMNS }, { 0, 0 }, { 0, 0 }, "i4", 4, 2 },
	{ { 12, 10 }, { 64, 96 }, { 0, 0 }, { 0, 0 }, "i4", 4, 2 },
	{ { 8, 8 }, { 16, 16 }, { 2, 6 }, { 0, 0 }, "i4", 4, 2 },
	/* and rows that end inside a byte */
	{ { ROWS }, { ROWS }, { 0, 0 }, { 0, 0 }, "i4", 4, 1 },
	{ { ROWS }, { ROWS }, { 0, 0 }, { 0, 0 }, "i2", 2, 1 },
	{ { 16, 32 }, { 32, 64 }, { 0, 0 }, { 0, 0 }, "i4", 4, 1 },
	{ { 16, 32 }, { 32, 64 }, { 1, 2 }, { 3, 0 }, "i4", 4, 1 },
	{ { 12, 10 }, { 64, 96 }, { 2, 2 }, { 0, 0 }, "i4", 4, 1 },
	{ { 16, 32 }, { 32, 64 }, { 0, 0 }, { 0, 0 }, "i2", 2, 1 },
};

static const int64_t shifted_sizes[][2] = { { 160, 192 }, { 161, 191 }, { 159, 193 },
	{ 1, 1 }, { 0, 5 }, { 5, 0 }, { 67, 301 }, { 13, 11 }, { 64, 96 }, { 300, 7 } };

static int64_t rounded(int64_t size, int64_t tile)
{
	return tile > 0 ? (size + tile - 1) / tile * tile : size;
}

static void shifted_storage(char *text, size_t room, const int64_t *tile,
	const char *sizes)
{
	if (tile[0] > 0)
		snprintf(text, room, "packed(encoding_info<{innerDimsPos = [0, 1], "
			"innerTileSizes = [%d, %d], outerDimsPerm = [0, 1]}>, [%s])",
			(int)tile[0], (int)tile[1], sizes);
	else
		snprintf(text, room, "%s_major[%s]", tile[0] == ROWS ? "row" : "col",
			sizes);
}

static void shifted_text(const struct shifted_row *shifted, char *text, size_t room)
{
	char sizes[64], source[256], destination[256];
	int unit = (int)shifted->unit;

	snprintf(sizes, sizeof(sizes), "%d*A, %d*B", unit, unit);
	shifted_storage(source, sizeof(source), shifted->from, sizes);
	snprintf(sizes, sizeof(sizes), "%d*A + %d, %d*B + %d", unit,
		(int)(shifted->low[0] + shifted->high[0]), unit,
		(int)(shifted->low[1] + shifted->high[1]));
	shifted_storage(destination, sizeof(destination), shifted->to, sizes);
	snprintf(text, room, "%s -> %s, type = %s, pad = 1, map = { [i, j] -> "
		"[i + %d, j + %d] }", source, destination, shifted->type,
		(int)shifted->low[0], (int)shifted->low[1]);
}

/* The row's sizes are A and B. */
static void set_bytes(const struct shifted_row *shifted, struct staged_row *row)
{
	const int64_t n[] = { row->a, row->b };
	int64_t source = shifted->bits, destination = shifted->bits;

	for (unsigned d = 0; d < 2; d++) {
		int64_t size = shifted->unit * n[d];

		source *= rounded(size, shifted->from[d]);
		destination *= rounded(size + shifted->low[d] + shifted->high[d],
			shifted->to[d]);
	}
	row->source = (size_t)(source + 7) / 8;
	row->destination = (size_t)(destination + 7) / 8;
}

static void check_shifted(const struct shifted_row *shifted, const char *target)
{
	char text[700];
	struct staged_row row = { .remap = text, .target = target };
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel, *host;

	shifted_text(shifted, text, sizeof(text));
	kernel = make_kernel(ctx, &row, target);
	host = make_kernel(ctx, &row, "host");
	for (size_t k = 0; k < COUNT(shifted_sizes); k++) {
		layout_sim_stats stats = { 0 };

		row.a = shifted_sizes[k][0];
		row.b = shifted_sizes[k][1];
		set_bytes(shifted, &row);
		check_bytes(ctx, &row, kernel, host, &stats);
	}
	layout_kernel_free(kernel);
	layout_kernel_free(host);
	assert_true(layout_context_free(ctx));
}

static void test_shifted(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "gfx950", "gfx1250",
		"gfx90a", "sm_90" };

	(void)state;
	for (size_t i = 0; i < COUNT(shifted_rows); i++)
		check_shifted(&shifted_rows[i], targets[i % COUNT(targets)]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_shifted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
