/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Maps that are followed forth: elements are stored where they go, and boxes of padding
 * swept, on the host and in the simulator, against a walk over the source. */
#include "support/bit_array.h"

#include "lower/kernel.h"
#include <layout/codegen.h>
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RADICES "35*floor(i/35) + 7*(i mod 5) + (floor(i/5) mod 7)"

/* The digits of i mod 35 in the other order. */
static int64_t radices(int64_t i)
{
	return i / 35 * 35 + i % 5 * 7 + i / 5 % 7;
}

/* Element (i, j) of a source of a*A x columns is at from(i, j), or nowhere where that is
 * negative, and goes to cell to(i, j), or nowhere.  The destination has cells(A, P). */
struct row {
	const char *source, *destination, *map, *type;
	unsigned bits, to_bits;
	int64_t rows, columns;
	int64_t (*from)(int64_t a, int64_t i, int64_t j);
	int64_t (*to)(int64_t a, int64_t p, int64_t i, int64_t j);
	int64_t (*elements)(int64_t a);
	int64_t (*cells)(int64_t a, int64_t p);
};

static int64_t from_rows3(int64_t a, int64_t i, int64_t j)
{
	(void)a;
	return 3 * i + j;
}

static int64_t from_line(int64_t a, int64_t i, int64_t j)
{
	(void)a;
	(void)j;
	return i;
}

static int64_t from_twice(int64_t a, int64_t i, int64_t j)
{
	(void)a;
	(void)j;
	return 2 * i;
}

static int64_t from_columns(int64_t a, int64_t i, int64_t j)
{
	return 35 * a * j + i;
}

static int64_t from_rows64(int64_t a, int64_t i, int64_t j)
{
	(void)a;
	return 64 * i + j;
}

static int64_t from_swizzled(int64_t a, int64_t i, int64_t j)
{
	(void)a;
	return 64 * i + (j / 8 ^ i % 8) * 8 + j % 8;
}

static int64_t to_rows64(int64_t a, int64_t p, int64_t i, int64_t j)
{
	(void)a;
	(void)p;
	return 64 * radices(i) + j;
}

static int64_t to_thirds(int64_t a, int64_t p, int64_t i, int64_t j)
{
	(void)a;
	(void)p;
	return i / 32 * 96 + 32 * j + i % 32;
}

static int64_t to_behind(int64_t a, int64_t p, int64_t i, int64_t j)
{
	(void)a;
	(void)p;
	(void)j;
	return radices(i) + 2;
}

static int64_t to_second(int64_t a, int64_t p, int64_t i, int64_t j)
{
	return (j + 1) * (35 * a + p) + radices(i);
}

static int64_t to_line(int64_t a, int64_t p, int64_t i, int64_t j)
{
	(void)a;
	(void)p;
	(void)j;
	return radices(i);
}

static int64_t to_late(int64_t a, int64_t p, int64_t i, int64_t j)
{
	return i < 35 ? -1 : to_line(a, p, i, j);
}

/* Columns of 8 are xored with the row. */
static int64_t to_swizzled(int64_t a, int64_t p, int64_t i, int64_t j)
{
	int64_t row = radices(i);

	(void)a;
	(void)p;
	return 64 * row + (j / 8 ^ row % 8) * 8 + j % 8;
}

static int64_t elements3(int64_t a)
{
	return 96 * a;
}

static int64_t elements1(int64_t a)
{
	return 35 * a;
}

static int64_t elements_tiles(int64_t a)
{
	return (35 * a + 3) / 4 * 4;
}

static int64_t elements_twice(int64_t a)
{
	return a ? 70 * a - 1 : 0;
}

static int64_t elements4(int64_t a)
{
	return 140 * a;
}

static int64_t elements64(int64_t a)
{
	return 64 * 35 * a;
}

static int64_t cells_thirds(int64_t a, int64_t p)
{
	return 96 * a + p;
}

static int64_t cells_behind(int64_t a, int64_t p)
{
	return 35 * a + p + 2;
}

static int64_t cells_rows(int64_t a, int64_t p)
{
	return 5 * (35 * a + p);
}

static int64_t cells_line(int64_t a, int64_t p)
{
	return 35 * a + p;
}

static int64_t cells_tiles(int64_t a, int64_t p)
{
	return (35 * a + p + 15) / 16 * 16;
}

static int64_t cells64(int64_t a, int64_t p)
{
	return 64 * (35 * a + p);
}

static const struct row rows[] = {
	{ "row_major[32*A, 3]", "row_major[96*A + P]",
	  "[A, P] -> { [i, j] -> [96*floor(i/32) + 32*j + i mod 32] }", "f32", 32, 32, 32, 3,
	  from_rows3, to_thirds, elements3, cells_thirds },
	{ "row_major[35*A]", "row_major[35*A + P + 2]",
	  "[A, P] -> { [i] -> [2 + " RADICES "] }", "i8", 8, 8, 35, 1, from_line, to_behind,
	  elements1, cells_behind },
	{ "col_major[35*A, 4]", "row_major[5, 35*A + P]",
	  "[A, P] -> { [i, j] -> [j + 1, " RADICES "] }", "f16", 16, 16, 35, 4, from_columns,
	  to_second, elements4, cells_rows },
	{ "row_major[35*A]", "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = "
	  "[16]}>, [35*A + P])", "[A, P] -> { [i] -> [" RADICES "] }", "i64", 64, 64, 35, 1,
	  from_line, to_line, elements1, cells_tiles },
	{ "row_major[35*A]", "row_major[35*A + P]", "[A, P] -> { [i] -> [" RADICES
	  "] : i >= 35 }", "u8 -> u16", 8, 16, 35, 1, from_line, to_late, elements1,
	  cells_line },
	{ "strided[35*A : 2]", "row_major[35*A + P]", "[A, P] -> { [i] -> [" RADICES "] }",
	  "u4 -> u8", 4, 8, 35, 1, from_twice, to_line, elements_twice, cells_line },
	{ "row_major[35*A, 64]", "swizzled(row_major[35*A + P, 64], xor_shuffle<64, 8>)",
	  "[A, P] -> { [i, j] -> [" RADICES ", j] }", "i8", 8, 8, 35, 64, from_rows64,
	  to_swizzled, elements64, cells64 },
	{ "swizzled(row_major[35*A, 64], xor_shuffle<64, 8>)", "row_major[35*A + P, 64]",
	  "[A, P] -> { [i, j] -> [" RADICES ", j] }", "i16", 16, 16, 35, 64, from_swizzled,
	  to_rows64, elements64, cells64 },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, [35*A])",
	  "row_major[35*A + P]", "[A, P] -> { [i] -> [" RADICES "] }", "u8 -> u16", 8, 16,
	  35, 1, from_line, to_line, elements_tiles, cells_line },
};

static const int64_t sizes[][2] = { { 0, 0 }, { 0, 5 }, { 1, 0 }, { 1, 1 }, { 2, 300 },
	{ 5, 3 }, { 9, 700 } };

static const char *const targets[] = { "host", "gfx942", "gfx1100", "sm_90" };
#define TARGET_COUNT (sizeof(targets) / sizeof(targets[0]))

static unsigned char *expected_bytes(const struct row *row, const unsigned char *from,
	int64_t a, int64_t p)
{
	int64_t cells = row->cells(a, p);
	unsigned char *bytes = bit_array_guarded(cells, row->to_bits, 0xa5);

	for (int64_t e = 0; e < cells; e++)
		bit_array_set(bytes + BIT_ARRAY_GUARD, e, row->to_bits, 9);
	for (int64_t i = 0; i < row->rows * a; i++)
		for (int64_t j = 0; j < row->columns; j++) {
			int64_t to = row->to(a, p, i, j);

			if (to >= 0)
				bit_array_set(bytes + BIT_ARRAY_GUARD, to, row->to_bits,
					bit_array_get(from + BIT_ARRAY_GUARD, row->from(a, i, j),
						row->bits));
		}
	return bytes;
}

static void check_sizes(layout_context *ctx, const struct row *row, layout_kernel *kernel,
	int64_t a, int64_t p, const char *target)
{
	layout_size list[] = { { "A", a }, { "P", p } };
	layout_run run = LAYOUT_RUN_INIT;
	int64_t elements = row->elements(a), cells = row->cells(a, p);
	unsigned char *from = bit_array_guarded(elements, row->bits, 0);
	unsigned char *to = bit_array_guarded(cells, row->to_bits, 0xa5), *expected;
	size_t size = bit_array_guarded_bytes(cells, row->to_bits);

	run.source = from + BIT_ARRAY_GUARD;
	run.source_bytes = bit_array_bytes(elements, row->bits);
	run.destination = to + BIT_ARRAY_GUARD;
	run.destination_bytes = bit_array_bytes(cells, row->to_bits);
	run.sizes = list;
	run.size_count = 2;
	for (size_t b = 0; b < run.source_bytes; b++)
		from[BIT_ARRAY_GUARD + b] = (unsigned char)(b * 167 + b / 256 * 31 + 11);
	expected = expected_bytes(row, from, a, p);
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s on %s: %s", row->map, target, layout_context_message(ctx));
	if (memcmp(to, expected, size))
		fail_msg("%s on %s at A = %" PRId64 ", P = %" PRId64 ": wrong bytes",
			row->map, target, a, p);
	free(from);
	free(to);
	free(expected);
}

static void elements_and_boxes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t t = 0; t < TARGET_COUNT; t++) {
			layout_context *ctx = layout_context_new();
			char text[800];
			layout_remap *remap;
			layout_kernel *kernel;

			snprintf(text, sizeof(text), "remap(%s -> %s, type = %s, pad = 0x9, "
				"map = %s)", rows[i].source, rows[i].destination,
				rows[i].type, rows[i].map);
			remap = layout_remap_parse(ctx, text);
			kernel = layout_kernel_new(remap, targets[t], NULL);
			if (!kernel)
				fail_msg("%s: %s", text, layout_context_message(ctx));
			assert_true(kernel->plan->visit.sweep.digits);
			for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
				check_sizes(ctx, &rows[i], kernel, sizes[s][0],
					sizes[s][1], targets[t]);
			layout_kernel_free(kernel);
			layout_remap_free(remap);
			assert_true(layout_context_free(ctx));
		}
}

/* What is in the way of both directions. */
static const struct {
	const char *text, *message;
} refused[] = {
	{ "remap(row_major[35*A] -> row_major[70*A], type = f32, map = [A] -> "
	  "{ [i] -> [2*(" RADICES ")] })", "no list of boxes" },
	{ "remap(row_major[35*A] -> row_major[35*A + P], type = i4, map = [A, P] -> "
	  "{ [i] -> [" RADICES "] })", "share bytes" },
};

static void no_direction(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		layout_context *ctx = layout_context_new();
		layout_remap *remap = layout_remap_parse(ctx, refused[i].text);

		assert_non_null(remap);
		assert_null(layout_kernel_new(remap, "gfx942", NULL));
		if (!strstr(layout_context_message(ctx), refused[i].message))
			fail_msg("%s: %s", refused[i].text, layout_context_message(ctx));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		layout_remap_free(remap);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_and_boxes),
		cmocka_unit_test(no_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
