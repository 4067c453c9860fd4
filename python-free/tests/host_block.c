/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps on the CPU at sizes around its vectors, blocks and tiles, against a reference that
 * walks the index space. */
#include "support/relayout_cases.h"
#include "support/storages.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static unsigned check_cases(unsigned flags)
{
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	for (unsigned i = 0; i < RELAYOUT_CASES; i++) {
		struct relayout relayout = relayout_case(i, flags, "host");
		unsigned count;
		const int64_t (*n)[MODEL_RANK] = relayout_case_shapes(i, &count);

		failures += relayout_check(ctx, &relayout, count, n);
	}
	return failures + !layout_context_free(ctx);
}

static void test_cases(void **state)
{
	(void)state;
	assert_int_equal(check_cases(0), 0);
	assert_int_equal(check_cases(RELAYOUT_INVERSE), 0);
}

static const char *const types[] = { "i8", "f16", "f32", "f64", "f32 -> f16", "f16 -> f32",
	"f32 -> bf16" };

/* Matrices and stacks of them, the other way round. */
static const struct turned {
	unsigned rank;
	unsigned outer[MODEL_RANK];
	unsigned shapes;
	int64_t n[8][MODEL_RANK];
} turned[] = {
	{ 2, { 1, 0 }, 8, { { 1, 1 }, { 64, 64 }, { 63, 65 }, { 17, 130 }, { 33, 31 },
		{ 0, 5 }, { 9, 200 }, { 300, 3 } } },
	{ 3, { 0, 2, 1 }, 3, { { 2, 65, 33 }, { 3, 16, 128 }, { 1, 7, 300 } } },
	{ 3, { 2, 0, 1 }, 4, { { 20, 5, 3 }, { 33, 64, 3 }, { 3, 70, 16 }, { 2, 2, 129 } } },
	{ 4, { 3, 1, 2, 0 }, 2, { { 17, 3, 5, 33 }, { 64, 2, 3, 16 } } },
};

/* The storage of dimensions in that order, the outermost first. */
static struct storage_model plain_model(const struct turned *row)
{
	struct storage_model model = { .kind = MODEL_PACKED, .rank = row->rank };

	for (unsigned d = 0; d < row->rank; d++)
		model.outer[d] = row->outer[d];
	return model;
}

static unsigned check_turned(layout_context *ctx, const struct turned *row, const char *type,
	bool inverse)
{
	struct relayout relayout = { .target = "host", .pad = 0x3a3b3c3d3e3f4041,
		.element = relayout_element(type) };
	struct storage_model plain = { .kind = MODEL_ROW, .rank = row->rank };

	for (unsigned d = 0; d < row->rank; d++)
		snprintf(relayout.size[d], sizeof(relayout.size[d]), "%c", 'A' + d);
	relayout.source = inverse ? plain_model(row) : plain;
	relayout.destination = inverse ? plain : plain_model(row);
	return relayout_check(ctx, &relayout, row->shapes, row->n);
}

static void test_turned(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	(void)state;
	for (unsigned t = 0; t < COUNT(types); t++)
		for (unsigned i = 0; i < COUNT(turned); i++) {
			failures += check_turned(ctx, &turned[i], types[t], false);
			failures += check_turned(ctx, &turned[i], types[t], true);
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

/* Elements that are parts of bytes, with sizes that are numbers or names: rows and columns
 * that begin with a byte or within one. */
static const struct storage_model nibble_tiles = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 16, 8 }, .outer = { 0, 1 }, .digit_count = 2,
	.digits = { { 1, 1, 8 }, { 0, 1, 16 } } };

static const struct parts_row {
	const char *type;
	const struct storage_model *sides[2];
	bool named;
} parts_rows[] = {
	{ "i4", { &row2, &pad_both }, false },
	{ "i4", { &pad_both, &row2 }, true },
	{ "u2", { &row2, &pad_both }, true },
	{ "i4", { &row2, &column2 }, true },
	{ "u2", { &column2, &row2 }, false },
	{ "i4", { &row2, &nibble_tiles }, true },
	{ "i4", { &nibble_tiles, &row2 }, true },
	{ "i4", { &row2, &row2 }, true },
};

/* Rows of known lengths that change places, as blocks, by memcpy() or by loops; some of them in tiles
 * with padding. */
static void test_short_rows(void **state)
{
	static const int64_t lengths[] = { 17, 48, 50, 72, 81, 100, 136, 255, 500, 1024, 1025 };
	static const struct storage_model plain = { .kind = MODEL_ROW, .rank = 3 }, ordered[] = {
		{ .kind = MODEL_PACKED, .rank = 3, .outer = { 1, 0, 2 } },
		{ .kind = MODEL_PACKED, .rank = 3, .outer = { 1, 0, 2 }, .tile = { 0, 4, 0 },
			.digit_count = 1, .digits = { { 1, 1, 4 } } } };
	static const char *const elements[] = { "i8", "f16", "f32", "f32 -> f16" };
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	(void)state;
	for (unsigned i = 0; i < COUNT(lengths); i++)
		for (unsigned t = i % 2; t < 2 * COUNT(elements); t += 2) {
			int64_t row = lengths[i];
			const int64_t n[][MODEL_RANK] = { { 3, 5, row }, { 17, 33, row },
				{ 1, 1, row }, { 40, 2, row } };
			struct relayout relayout = { plain, ordered[(t / 2 + i / 2) % 2], { "A", "B" },
				.target = "host", .pad = 0x3a,
				.element = relayout_element(elements[t / 2]) };

			snprintf(relayout.size[2], sizeof(relayout.size[2]), "%" PRId64, row);
			failures += relayout_check(ctx, &relayout, COUNT(n), n);
			relayout.source = relayout.destination;
			relayout.destination = plain;
			failures += relayout_check(ctx, &relayout, i % 3 ? 1 : COUNT(n), n);
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

static void test_parts_of_bytes(void **state)
{
	static const int64_t shapes[][MODEL_RANK] = { { 64, 64 }, { 62, 140 }, { 2, 4 },
		{ 136, 72 }, { 1, 5 }, { 67, 66 }, { 131, 67 }, { 66, 67 } };
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	(void)state;
	for (unsigned r = 0; r < COUNT(parts_rows); r++)
		for (unsigned i = 0; i < COUNT(shapes); i += 3) {
			const struct parts_row *row = &parts_rows[r];
			struct relayout relayout = { *row->sides[0], *row->sides[1],
				{ "A", "B" }, .target = "host", .pad = 1,
				.element = relayout_element(row->type) };

			for (unsigned d = 0; d < 2 && !row->named; d++)
				snprintf(relayout.size[d], sizeof(relayout.size[d]), "%d",
					(int)shapes[i][d]);
			failures += relayout_check(ctx, &relayout, row->named ?
				COUNT(shapes) : 1, &shapes[i]);
			if (row->named)
				break;
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

/* Columns become rows, or rows columns, of which one are XORed: with digits that the block has,
 * and with those that only loops go along. */
static void test_turned_swizzles(void **state)
{
	static const struct storage_model rows = { .kind = MODEL_ROW, .rank = 2, .row = 64,
		.access = 8 }, columns = { .kind = MODEL_COLUMN, .rank = 2, .row = 64,
		.access = 8 }, wide = { .kind = MODEL_COLUMN, .rank = 2, .row = 128,
		.access = 16 };
	static const struct {
		const struct storage_model *from, *to;
		int64_t shapes[3][MODEL_RANK];
	} pairs[] = {
		{ &row2, &columns, { { 64, 64 }, { 128, 130 }, { 1024, 33 } } },
		{ &rows, &column2, { { 64, 64 }, { 130, 128 }, { 33, 1024 } } },
		{ &row2, &wide, { { 128, 65 }, { 256, 64 }, { 2048, 7 } } },
	};
	static const char *const swizzled[] = { "i8", "f16", "f32" };
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	(void)state;
	for (unsigned t = 0; t < COUNT(swizzled) * COUNT(pairs); t++)
		for (unsigned i = 0; i < 3; i++) {
			struct relayout relayout = { *pairs[t / COUNT(swizzled)].from,
				*pairs[t / COUNT(swizzled)].to, .target = "host",
				.element = relayout_element(swizzled[t % COUNT(swizzled)]) };
			const int64_t (*n)[MODEL_RANK] = &pairs[t / COUNT(swizzled)].shapes[i];

			for (unsigned d = 0; d < 2; d++)
				snprintf(relayout.size[d], sizeof(relayout.size[d]), "%d",
					(int)(*n)[d]);
			failures += relayout_check(ctx, &relayout, 1, n);
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

/* Rows that both sides have in the same order, some of them cut off and padded, or with gaps
 * between them: each side is a kind of rows. */
static const struct storage_model long_tiles = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 4, 512 }, .outer = { 1, 0 } };
static const struct storage_model short_tiles = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 4, 32 }, .outer = { 0, 1 } };
static const struct storage_model gaps = { .kind = MODEL_STRIDED, .rank = 2,
	.stride = { 1400, 1 } };

static void test_copied_rows(void **state)
{
	static const char *const copied[] = { "i16", "f64" };
	static const struct storage_model *const sides[] = { &row2, &gaps, &long_tiles, &short_tiles };
	static const int64_t shapes[][MODEL_RANK] = { { 1, 1 }, { 4, 512 }, { 5, 511 },
		{ 3, 513 }, { 9, 1300 }, { 0, 600 }, { 33, 130 } };
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	(void)state;
	for (unsigned t = 0; t < COUNT(copied); t++)
		for (unsigned pair = 0; pair < COUNT(sides) * COUNT(sides); pair++) {
			struct relayout relayout = { *sides[pair / COUNT(sides)],
				*sides[pair % COUNT(sides)], { "A", "B" }, "B <= 1400", .target = "host",
				.pad = 0x3a3b3c3d3e3f4041,
				.element = relayout_element(copied[t]) };

			failures += relayout_check(ctx, &relayout, COUNT(shapes), shapes);
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_turned),
		cmocka_unit_test(test_short_rows),
		cmocka_unit_test(test_parts_of_bytes),
		cmocka_unit_test(test_turned_swizzles),
		cmocka_unit_test(test_copied_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
