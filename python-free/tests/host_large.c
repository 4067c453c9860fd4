/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps on the CPU between buffers that begin or end where memory does: of sizes around those
 * of vectors, blocks and tiles, and whose destination no cache holds. */
#include <layout/codegen.h>
#include <layout/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define PACKED_OF(sizes) "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = " \
	"[16, 32], outerDimsPerm = [0, 1]}>, " sizes ")"
#define PACKED PACKED_OF("[M, K]")

enum { PAGE = 4096, GUARD = 128, FILL = 0xa5, PAD = 0x5a };

#define SPLIT "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [512], " \
	"outerDimsPerm = [1, 0]}>, [M, K])"

/* SPLIT: columns by 512, those that follow each other in rows of their own.  FRAMED: the same as
 * ROWS, COLUMNS and TILES, of a matrix with padding around it. */
enum way { ROWS, COLUMNS, TILES, SPLITS, FRAMED };

static const char *const texts[] = { "row_major[M, K]", "col_major[M, K]", PACKED, SPLIT,
	"row_major[M + 7, K + 26]", "col_major[M + 7, K + 26]", PACKED_OF("[M + 7, K + 26]") };

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
	{ "i16", 2, 4096, ROWS, COLUMNS, { 2, 62 } },
	{ "f64", 8, 2048, ROWS, COLUMNS, { 8, 24 } },
	{ "i16", 2, 4096, ROWS, COLUMNS, { 0, 0 } },
	{ "f32", 4, 3001, TILES, ROWS, { 0, 4 } },
	{ "i16", 2, 4111, COLUMNS, TILES, { 30, 6 } },
	{ "i8", 1, 3001, ROWS, ROWS, { 3, 61 } },
	{ "f32", 4, 2901, ROWS, SPLITS, { 4, 0 } },
	{ "i16", 2, 3001, SPLITS, ROWS, { 0, 10 } },
	{ "i8", 1, 3001, ROWS, FRAMED, { 3, 61 } },
	{ "f32", 4, 1001, ROWS, FRAMED, { 4, 0 } },
	{ "f32", 4, 2901, ROWS, FRAMED + COLUMNS, { 0, 0 } },
	{ "i8", 1, 5903, ROWS, FRAMED + COLUMNS, { 13, 1 } },
	{ "i16", 2, 3008, COLUMNS, FRAMED, { 2, 64 } },
	{ "i16", 2, 4111, ROWS, FRAMED + TILES, { 30, 6 } },
	{ "f32", 4, 3001, COLUMNS, FRAMED + TILES, { 0, 64 } },
};

/* More bytes than half of the caches that a kernel counts on. */
static int64_t least(void)
{
	long own = sysconf(_SC_LEVEL2_CACHE_SIZE);

	return (own > 0 ? 8 * own : 4 << 20) + (1 << 20);
}

static int64_t tiles(int64_t size, int64_t tile)
{
	return (size + tile - 1) / tile;
}

static int64_t elements(enum way way, int64_t m, int64_t k)
{
	return way == TILES ? tiles(m, 16) * tiles(k, 32) * 512 : way == SPLITS ?
		m * tiles(k, 512) * 512 : way >= FRAMED ?
		elements(way - FRAMED, m + 7, k + 26) : m * k;
}

static int64_t place(enum way way, int64_t m, int64_t k, int64_t i, int64_t j)
{
	if (way == TILES)
		return ((i / 16 * tiles(k, 32) + j / 32) * 16 + i % 16) * 32 + j % 32;
	if (way == SPLITS)
		return (j / 512 * m + i) * 512 + j % 512;
	if (way >= FRAMED)
		return place(way - FRAMED, m + 7, k + 26, i + 5, j + 19);
	return way == ROWS ? i * k + j : j * m + i;
}

static void set(unsigned char *at, int64_t bytes, uint64_t value)
{
	value *= 0x9e3779b97f4a7c15u;
	memcpy(at, (unsigned char *)&value + 8 - bytes, (size_t)bytes);
}

/* A buffer between pages that nobody may touch: it begins so far behind the first one, or ends
 * where the last one begins.  What lies between them and the buffer is filled. */
struct buffer {
	unsigned char *pages, *at;
	size_t body, bytes;
};

static struct buffer buffer_new(size_t bytes, size_t behind, bool at_end)
{
	struct buffer buffer = { .bytes = bytes };

	buffer.body = (bytes + behind + PAGE - 1) / PAGE * PAGE;
	buffer.pages = mmap(NULL, buffer.body + 2 * PAGE, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(buffer.pages, MAP_FAILED);
	assert_int_equal(mprotect(buffer.pages + PAGE, buffer.body, PROT_READ | PROT_WRITE), 0);
	memset(buffer.pages + PAGE, FILL, buffer.body);
	buffer.at = buffer.pages + PAGE + (at_end ? buffer.body - bytes : behind);
	return buffer;
}

static void buffer_free(const struct buffer *buffer)
{
	munmap(buffer->pages, buffer->body + 2 * PAGE);
}

/* What is near the buffer is as it was. */
static void check_guards(const struct buffer *buffer)
{
	const unsigned char *first = buffer->pages + PAGE, *end = first + buffer->body;
	const unsigned char *behind = buffer->at + buffer->bytes;

	for (size_t i = 1; i <= GUARD; i++)
		if ((i <= (size_t)(buffer->at - first) && buffer->at[-(ptrdiff_t)i] != FILL) ||
		    (i <= (size_t)(end - behind) && behind[i - 1] != FILL))
			fail_msg("byte %d outside of the destination was written", (int)i);
}

static void check_elements(const struct row *row, const unsigned char *to, int64_t m,
	int64_t k)
{
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < k; j++) {
			unsigned char want[8];

			set(want, row->bytes, (uint64_t)(i * k + j));
			if (memcmp(to + place(row->to, m, k, i, j) * row->bytes,
			    want, (size_t)row->bytes) != 0)
				fail_msg("element [%d, %d] of %d x %d %s is wrong, from %s to "
					"%s", (int)i, (int)j, (int)m, (int)k, row->type,
					texts[row->from], texts[row->to]);
		}
}

/* All bytes of a destination that has more than the elements. */
static void check_padding(const struct row *row, unsigned char *to, int64_t m, int64_t k,
	size_t bytes)
{
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < k; j++)
			memset(to + place(row->to, m, k, i, j) * row->bytes, PAD,
				(size_t)row->bytes);
	for (size_t i = 0; i < bytes; i++)
		if (to[i] != PAD)
			fail_msg("byte %d is no padding", (int)i);
}

static layout_compiled *compile(layout_context *ctx, const struct row *row, unsigned threads)
{
	layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
	char text[512], pad[20] = "0x0";
	layout_remap *remap;
	layout_compiled *compiled;

	for (int64_t i = 0; i < row->bytes; i++)
		strcat(pad, "5a");
	snprintf(text, sizeof(text), "remap(%s%s%s -> %s, type = %s, pad = %s)",
		row->to < FRAMED ? "" : "chain(",
		texts[row->from], row->to < FRAMED ? "" : ", pad([5, 19], [2, 7]))", texts[row->to], row->type, pad);
	remap = layout_remap_parse(ctx, text);
	options.threads = threads;
	compiled = layout_remap_compile(remap, &options);
	layout_remap_free(remap);
	if (!compiled)
		fail_msg("%s", layout_context_message(ctx));
	return compiled;
}

static void check(const layout_compiled *compiled, const struct row *row, int64_t m, int64_t k,
	bool at_end)
{
	int64_t sizes[] = { m, k };
	struct buffer from = buffer_new((size_t)(elements(row->from, m, k) * row->bytes),
		row->behind[0], at_end);
	struct buffer to = buffer_new((size_t)(elements(row->to, m, k) * row->bytes),
		row->behind[1], at_end);

	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < k; j++)
			set(from.at + place(row->from, m, k, i, j) * row->bytes, row->bytes,
				(uint64_t)(i * k + j));
	assert_int_equal(layout_compiled_run(compiled, to.at, to.bytes, from.at, from.bytes,
		sizes), LAYOUT_RUN_DONE);
	check_elements(row, to.at, m, k);
	check_padding(row, to.at, m, k, to.bytes);
	check_guards(&to);
	buffer_free(&from);
	buffer_free(&to);
}

/* Of those that are large, some by several threads. */
static void test_large(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];
		layout_compiled *compiled = compile(ctx, row, i % 3 ? 1 : 3);

		check(compiled, row, row->m, least() / (row->m * row->bytes) + 1, i % 2);
		layout_compiled_free(compiled);
	}
	assert_true(layout_context_free(ctx));
}

/* Images whose pixels are few, channels last to channels first and back: element [n, p, c] is where
 * [n, c, p] would be. */
static const struct images {
	const char *type;
	int64_t bytes, pixels, channels;
	bool back;
	size_t behind;
} images[] = {
	{ "i8", 1, 49, 2048, false, 0 }, { "i8", 1, 49, 200, false, 3 },
	{ "i8", 1, 196, 256, false, 1 }, { "i16", 2, 196, 256, false, 2 },
	{ "i16", 2, 49, 96, true, 6 }, { "f32", 4, 49, 64, false, 4 },
	{ "f32", 4, 100, 33, false, 0 }, { "f32", 4, 30, 169, true, 8 },
	{ "f64", 8, 49, 64, false, 8 },
};

/* Runs what has no size but N, "count", from and to as many elements; "moved" is where each is
 * in the end, for those numbers. */
static void check_text(layout_context *ctx, const char *text, int64_t bytes, int64_t count,
	int64_t all, int64_t (*moved)(int64_t i, const int64_t *sizes), const int64_t *sizes,
	size_t behind, bool at_end)
{
	struct buffer from = buffer_new((size_t)(all * bytes), behind, at_end);
	struct buffer to = buffer_new((size_t)(all * bytes), behind, at_end);
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_compiled *compiled = layout_remap_compile(remap, NULL);

	if (!compiled)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	for (int64_t i = 0; i < all; i++)
		set(from.at + i * bytes, bytes, (uint64_t)i);
	assert_int_equal(layout_compiled_run(compiled, to.at, to.bytes, from.at, from.bytes,
		&count), LAYOUT_RUN_DONE);
	for (int64_t i = 0; i < all; i++)
		if (memcmp(to.at + moved(i, sizes) * bytes, from.at + i * bytes,
		    (size_t)bytes) != 0)
			fail_msg("%s: element %d is wrong", text, (int)i);
	check_guards(&to);
	layout_compiled_free(compiled);
	layout_remap_free(remap);
	buffer_free(&from);
	buffer_free(&to);
}

/* [n, high, wide] -> [n, wide, high] */
static int64_t turned(int64_t i, const int64_t *sizes)
{
	int64_t high = sizes[0], wide = sizes[1];

	return i / (high * wide) * (high * wide) + i % wide * high + i / wide % high;
}

static void check_images(layout_context *ctx, const struct images *row, bool at_end)
{
	int64_t count = least() / (row->pixels * row->channels * row->bytes) + 1;
	const int64_t sizes[] = { row->back ? row->channels : row->pixels,
		row->back ? row->pixels : row->channels };
	char text[256];

	snprintf(text, sizeof(text), "remap(chain(row_major[N, %d, %d], transpose([0, 2, 1])) -> "
		"row_major[N, %d, %d], type = %s)", (int)sizes[0], (int)sizes[1], (int)sizes[1],
		(int)sizes[0], row->type);
	check_text(ctx, text, row->bytes, count, count * sizes[0] * sizes[1], turned, sizes,
		row->behind, at_end);
}

static void test_images(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(images); i++)
		check_images(ctx, &images[i], i % 2);
	assert_true(layout_context_free(ctx));
}

/* [n, k, row] -> [k, n, row] */
static int64_t exchanged(int64_t i, const int64_t *sizes)
{
	int64_t count = sizes[0], k = sizes[1], row = sizes[2];

	return (i / row % k * count + i / (row * k)) * row + i % row;
}

/* Rows of the destination that follow each other, whose bytes are a multiple of nothing. */
static void test_rows(void **state)
{
	static const struct {
		const char *type;
		int64_t bytes, row;
	} short_rows[] = { { "i8", 1, 33 }, { "i16", 2, 17 }, { "f32", 4, 38 }, { "i8", 1, 152 },
		{ "i8", 1, 200 }, { "i8", 1, 255 }, { "i16", 2, 49 }, { "f32", 4, 250 },
		{ "i8", 1, 1025 } };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(short_rows); i++) {
		int64_t row = short_rows[i].row, bytes = short_rows[i].bytes;
		const int64_t sizes[] = { least() / (60 * row * bytes) + 1, 60, row };
		char text[256];

		snprintf(text, sizeof(text), "remap(chain(row_major[N, 60, %d], transpose([1, 0, "
			"2])) -> row_major[60, N, %d], type = %s)", (int)row, (int)row,
			short_rows[i].type);
		check_text(ctx, text, bytes, sizes[0], sizes[0] * 60 * row, exchanged, sizes,
			(size_t)(i % 3 * (unsigned)bytes), i % 2);
	}
	assert_true(layout_context_free(ctx));
}

/* Sizes around those of vectors, blocks and tiles; every pair of them, but not with all types
 * and places. */
static void test_boundaries(void **state)
{
	static const int64_t sizes[] = { 1, 3, 15, 17, 31, 33, 63, 64, 65, 129, 257 };
	static const char *const types[] = { "i8", "i16", "f32", "f64" };
	static const enum way ways[][2] = { { ROWS, COLUMNS }, { ROWS, TILES }, { TILES, ROWS },
		{ ROWS, ROWS }, { COLUMNS, TILES }, { SPLITS, COLUMNS }, { ROWS, SPLITS },
		{ ROWS, FRAMED }, { ROWS, FRAMED + COLUMNS }, { COLUMNS, FRAMED + TILES },
		{ ROWS, FRAMED + TILES } };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned t = 0; t < COUNT(types) * COUNT(ways); t++) {
		struct row row = { types[t % COUNT(types)], 1 << t % COUNT(types), 0,
			ways[t / COUNT(types)][0], ways[t / COUNT(types)][1], { 0, 0 } };
		layout_compiled *compiled = compile(ctx, &row, t % 2 ? 1 : 3);

		for (unsigned i = 0; i < COUNT(sizes) * COUNT(sizes); i++) {
			row.behind[i % 2] = (size_t)(i % 7 * row.bytes + t % 3);
			check(compiled, &row, sizes[i / COUNT(sizes)], sizes[i % COUNT(sizes)],
				(i + t) % 2);
		}
		layout_compiled_free(compiled);
	}
	assert_true(layout_context_free(ctx));
}

/* Elements that are parts of bytes, turned: rows begin anywhere in these. */
static unsigned get_bits(const unsigned char *from, int64_t i, unsigned bits)
{
	return from[i * bits / 8] >> i * bits % 8 & ((1u << bits) - 1);
}

static void check_parts(const layout_compiled *compiled, unsigned bits, int64_t m, int64_t k,
	bool at_end)
{
	int64_t sizes[] = { m, k }, room = (m * k * bits + 7) / 8 * 8 / bits;
	size_t bytes = (size_t)(m * k * bits + 7) / 8;
	struct buffer from = buffer_new(bytes, 0, at_end), to = buffer_new(bytes, 0, at_end);

	for (size_t i = 0; i < bytes; i++)
		set(from.at + i, 1, i);
	assert_int_equal(layout_compiled_run(compiled, to.at, bytes, from.at, bytes, sizes),
		LAYOUT_RUN_DONE);
	for (int64_t i = 0; i < m * k; i++)
		if (get_bits(to.at, i % k * m + i / k, bits) != get_bits(from.at, i, bits))
			fail_msg("element [%d, %d] of %d x %d of %u bits is wrong", (int)(i / k),
				(int)(i % k), (int)m, (int)k, bits);
	for (int64_t i = m * k; i < room; i++)
		assert_int_equal(get_bits(to.at, i, bits), 0);
	check_guards(&to);
	buffer_free(&from);
	buffer_free(&to);
}

static void test_parts(void **state)
{
	static const int64_t sizes[] = { 1, 3, 15, 31, 63, 64, 65, 67, 129, 191, 257 };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned bits = 4; bits > 1; bits /= 2) {
		struct row row = { bits == 4 ? "u4" : "u2", 0, 0, ROWS, COLUMNS, { 0, 0 } };
		layout_compiled *compiled = compile(ctx, &row, bits == 4 ? 3 : 1);

		for (unsigned i = 0; i < COUNT(sizes) * COUNT(sizes); i++)
			check_parts(compiled, bits, sizes[i / COUNT(sizes)],
				sizes[i % COUNT(sizes)], i % 2);
		layout_compiled_free(compiled);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_boundaries),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
