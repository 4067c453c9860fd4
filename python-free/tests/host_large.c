/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps on the CPU whose destination no cache holds: rows that begin and end anywhere, and
 * buffers that do. */
#include <layout/codegen.h>
#include <layout/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define PACKED "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 32], " \
	"outerDimsPerm = [0, 1]}>, [M, K])"

enum { GUARD = 128, FILL = 0xa5, PAD = 0x5a };

#define SPLIT "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [512], " \
	"outerDimsPerm = [1, 0]}>, [M, K])"

/* SPLIT: columns by 512, those that follow each other in rows of their own. */
enum way { ROWS, COLUMNS, TILES, SPLITS };

static const char *const texts[] = { "row_major[M, K]", "col_major[M, K]", PACKED, SPLIT };

/* Buffers begin so far behind a line. */
static const struct row {
	const char *type;
	int64_t bytes, m;
	enum way from, to;
	size_t behind[2];
} rows[] = {
	{ "f32", 4, 2901, ROWS, COLUMNS, { 0, 0 } },
	{ "f32", 4, 2944, ROWS, COLUMNS, { 4, 16 } },
	{ "i8", 1, 5903, ROWS, COLUMNS, { 13, 1 } },
	{ "i16", 2, 4111, COLUMNS, ROWS, { 2, 62 } },
	{ "f64", 8, 2048, ROWS, COLUMNS, { 8, 24 } },
	{ "f32", 4, 3001, TILES, ROWS, { 0, 4 } },
	{ "i16", 2, 4111, COLUMNS, TILES, { 30, 6 } },
	{ "i8", 1, 3001, ROWS, ROWS, { 3, 61 } },
	{ "f32", 4, 2901, ROWS, SPLITS, { 4, 0 } },
	{ "i16", 2, 3001, SPLITS, ROWS, { 0, 10 } },
};

/* More bytes than the caches that a kernel counts on. */
static int64_t least(void)
{
	long own = sysconf(_SC_LEVEL2_CACHE_SIZE);

	return (own > 0 ? 16 * own : 8 << 20) + (1 << 20);
}

static int64_t tiles(int64_t size, int64_t tile)
{
	return (size + tile - 1) / tile;
}

static int64_t elements(enum way way, int64_t m, int64_t k)
{
	return way == TILES ? tiles(m, 16) * tiles(k, 32) * 512 : way == SPLITS ?
		m * tiles(k, 512) * 512 : m * k;
}

static int64_t place(enum way way, int64_t m, int64_t k, int64_t i, int64_t j)
{
	if (way == TILES)
		return ((i / 16 * tiles(k, 32) + j / 32) * 16 + i % 16) * 32 + j % 32;
	if (way == SPLITS)
		return (j / 512 * m + i) * 512 + j % 512;
	return way == ROWS ? i * k + j : j * m + i;
}

static void set(unsigned char *at, int64_t bytes, uint64_t value)
{
	value *= 0x9e3779b97f4a7c15u;
	memcpy(at, (unsigned char *)&value + 8 - bytes, (size_t)bytes);
}

/* A buffer of "bytes" so far behind a line, with a guard on both sides. */
static unsigned char *buffer_new(size_t bytes, size_t behind, unsigned char **whole)
{
	size_t all = (bytes + behind + 2 * GUARD + 63) / 64 * 64;

	*whole = aligned_alloc(64, all);
	assert_non_null(*whole);
	memset(*whole, FILL, all);
	return *whole + GUARD + behind;
}

static void check_guards(const unsigned char *at, size_t bytes)
{
	for (int i = 1; i <= GUARD; i++)
		if (at[-i] != FILL || at[bytes + (size_t)i - 1] != FILL)
			fail_msg("byte %d outside of the destination was written", i);
}

static void check_elements(const struct row *row, const unsigned char *to, int64_t k)
{
	for (int64_t i = 0; i < row->m; i++)
		for (int64_t j = 0; j < k; j++) {
			unsigned char want[8];

			set(want, row->bytes, (uint64_t)(i * k + j));
			if (memcmp(to + place(row->to, row->m, k, i, j) * row->bytes,
			    want, (size_t)row->bytes) != 0)
				fail_msg("element [%d, %d] of %d x %d %s is wrong", (int)i,
					(int)j, (int)row->m, (int)k, row->type);
		}
}

/* All bytes of a destination that has more than the elements. */
static void check_padding(const struct row *row, unsigned char *to, int64_t k,
	size_t bytes)
{
	for (int64_t i = 0; i < row->m; i++)
		for (int64_t j = 0; j < k; j++)
			memset(to + place(row->to, row->m, k, i, j) * row->bytes, PAD,
				(size_t)row->bytes);
	for (size_t i = 0; i < bytes; i++)
		if (to[i] != PAD)
			fail_msg("byte %d is no padding", (int)i);
}

static layout_compiled *compile(layout_context *ctx, const struct row *row, unsigned threads)
{
	layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
	char text[512], pad[20] = "0x";
	layout_remap *remap;
	layout_compiled *compiled;

	for (int64_t i = 0; i < row->bytes; i++)
		strcat(pad, "5a");
	snprintf(text, sizeof(text), "remap(%s -> %s, type = %s, pad = %s)",
		texts[row->from], texts[row->to], row->type, pad);
	remap = layout_remap_parse(ctx, text);
	options.threads = threads;
	compiled = layout_remap_compile(remap, &options);
	layout_remap_free(remap);
	if (!compiled)
		fail_msg("%s", layout_context_message(ctx));
	return compiled;
}

static void check(layout_context *ctx, const struct row *row, unsigned threads)
{
	int64_t k = least() / (row->m * row->bytes) + 1, sizes[] = { row->m, k };
	size_t from_bytes = (size_t)(elements(row->from, row->m, k) * row->bytes);
	size_t to_bytes = (size_t)(elements(row->to, row->m, k) * row->bytes);
	unsigned char *whole[2], *from = buffer_new(from_bytes, row->behind[0], &whole[0]);
	unsigned char *to = buffer_new(to_bytes, row->behind[1], &whole[1]);
	layout_compiled *compiled = compile(ctx, row, threads);

	for (int64_t i = 0; i < row->m; i++)
		for (int64_t j = 0; j < k; j++)
			set(from + place(row->from, row->m, k, i, j) * row->bytes,
				row->bytes, (uint64_t)(i * k + j));
	assert_int_equal(layout_compiled_run(compiled, to, to_bytes, from, from_bytes,
		sizes), LAYOUT_RUN_DONE);
	check_elements(row, to, k);
	check_padding(row, to, k, to_bytes);
	check_guards(to, to_bytes);
	layout_compiled_free(compiled);
	free(whole[0]);
	free(whole[1]);
}

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++)
		check(ctx, &rows[i], i % 3 ? 1 : 3);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
