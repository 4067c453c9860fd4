/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A range of workgroups of kernels whose buffers are far larger than the memory: only
 * the pages that these workgroups touch come into being. */
#include <layout/layout.h>
#include <layout/codegen.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static const struct {
	const char *target, *remap;
	uint64_t rows, columns;
} rows[] = {
	{ "gfx942", "remap(row_major[M, K] -> col_major[M, K], type = i32)",
		70000, 50000 },
	{ "gfx1100", "remap(row_major[M, K] -> col_major[M, K], type = i32)",
		50000, 70001 },
	/* rows beyond 2 GiB */
	{ "gfx942", "remap(row_major[M, K] -> col_major[M, K], type = i32)",
		3, 1500000001 },
	{ "gfx942", "remap(col_major[M, K] -> row_major[M, K], type = i32)",
		3, 1500000001 },
	{ "sm_90", "remap(row_major[M, K] -> col_major[M, K], type = i32)",
		50000, 70001 },
};

/* The source repeats with a period that no power of two is a multiple of, so that
 * a wrong address of any kind shows: cell n is 1 + n % PERIOD. */
#define PERIOD ((uint64_t)1021 * 1024)
#define PERIOD_BYTES (PERIOD * 4)

static const int32_t *map_source(size_t bytes)
{
	int file = memfd_create("period", 0);
	int32_t *period;
	unsigned char *memory = mmap(NULL, bytes + PERIOD_BYTES, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_true(file >= 0 && memory != MAP_FAILED);
	assert_int_equal(ftruncate(file, PERIOD_BYTES), 0);
	period = mmap(NULL, PERIOD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	assert_true(period != MAP_FAILED);
	for (uint64_t i = 0; i < PERIOD; i++)
		period[i] = (int32_t)(1 + i);
	munmap(period, PERIOD_BYTES);
	for (size_t at = 0; at < bytes; at += PERIOD_BYTES)
		assert_true(mmap(memory + at, PERIOD_BYTES, PROT_READ,
			MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED);
	close(file);
	return (const int32_t *)memory;
}

static uint64_t count_workgroups(layout_context *ctx, layout_kernel *kernel,
	const layout_size *sizes)
{
	size_t length;
	char *json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, sizes, 2, &length);
	const char *grid = json ? strstr(json, "\"grid\": [") : NULL;
	uint64_t n[3] = { 0 };

	if (!grid || sscanf(grid, "\"grid\": [%" SCNu64 ", %" SCNu64 ", %" SCNu64,
			&n[0], &n[1], &n[2]) != 3)
		fail_msg("%s", layout_context_message(ctx));
	layout_string_free(json);
	return n[0] * n[1] * n[2];
}

/* The cell of the source that comes to cell "n" of the destination. */
static uint64_t cell_from(unsigned row, uint64_t n)
{
	bool to_columns = strstr(rows[row].remap, "row_major") <
		strstr(rows[row].remap, "col_major");
	uint64_t inner = to_columns ? rows[row].rows : rows[row].columns;
	uint64_t outer = to_columns ? rows[row].columns : rows[row].rows;

	return n % inner * outer + n / inner;
}

/* The cells that were written, which are not 0; all must be right. */
static uint64_t check_written(unsigned row, int file, const int32_t *destination)
{
	uint64_t written = 0;
	off_t from = 0, to;

	while ((from = lseek(file, from, SEEK_DATA)) >= 0) {
		to = lseek(file, from, SEEK_HOLE);
		for (uint64_t n = (uint64_t)from / 4; n < (uint64_t)to / 4; n++) {
			uint64_t expected = 1 + cell_from(row, n) % PERIOD;

			if (!destination[n])
				continue;
			if (destination[n] != (int32_t)expected)
				fail_msg("row %u: cell %" PRIu64 " is %d, not %" PRIu64,
					row, n, destination[n], expected);
			written++;
		}
		from = to;
	}
	return written;
}

/* Run some workgroups, from one of the first or up to the last. */
static void check_range(layout_context *ctx, layout_kernel *kernel, unsigned row,
	uint64_t first, uint64_t count)
{
	const layout_size sizes[] = { { "M", (int64_t)rows[row].rows },
		{ "K", (int64_t)rows[row].columns } };
	size_t bytes = rows[row].rows * rows[row].columns * 4;
	int file = memfd_create("destination", 0);
	const int32_t *source = map_source(bytes);
	layout_sim_stats stats;
	layout_run run = LAYOUT_RUN_INIT;
	int32_t *destination;

	assert_int_equal(ftruncate(file, (off_t)bytes), 0);
	destination = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	assert_true(destination != MAP_FAILED);
	run.source = source;
	run.destination = destination;
	run.source_bytes = run.destination_bytes = bytes;
	run.sizes = sizes;
	run.size_count = 2;
	run.stats = &stats;
	run.first_workgroup = first;
	run.workgroup_count = count;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	assert_int_equal(stats.workgroups, count);
	assert_true(stats.store_bytes > 0);
	assert_int_equal(stats.store_bytes, 4 * check_written(row, file, destination));
	munmap((void *)(uintptr_t)source, bytes + PERIOD_BYTES);
	munmap(destination, bytes);
	close(file);
}

static void check_row(unsigned row)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, rows[row].remap);
	layout_kernel *kernel = layout_kernel_new(remap, rows[row].target, NULL);
	const layout_size sizes[] = { { "M", (int64_t)rows[row].rows },
		{ "K", (int64_t)rows[row].columns } };
	uint64_t total;

	if (!kernel)
		fail_msg("%s", layout_context_message(ctx));
	total = count_workgroups(ctx, kernel, sizes);
	check_range(ctx, kernel, row, total - 1, 1);
	check_range(ctx, kernel, row, total / 2, 3);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

static void test_ranges(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++)
		check_row(i);
}

static void test_bad_ranges(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[64, 64] -> col_major[64, 64], type = i32)");
	layout_kernel *kernel = layout_kernel_new(remap, "gfx942", NULL);
	static int32_t source[64 * 64], destination[64 * 64];
	layout_run run = LAYOUT_RUN_INIT;

	(void)state;
	run.source = source;
	run.destination = destination;
	run.source_bytes = run.destination_bytes = sizeof(source);
	run.first_workgroup = 1000;
	assert_false(layout_kernel_run(ctx, kernel, &run));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_bad_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
