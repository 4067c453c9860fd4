/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pictures as text: tables and graphs, what is refused, and the palette.  The cells of
 * images and pages are checked in show_cells.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "show/palette.h"

#include <layout/layout.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKED "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 2], " \
	"warpsPerCTA = [2, 1], order = [1, 0]}>"
#define ENCODING "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2]}>"
#define NESTED "nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], " \
	"thread_tile = [4], element_tile = [2], subgroup_strides = [0], " \
	"thread_strides = [1], subgroup_size = 4>"

static layout_context *ctx;

static int open_context(void **state)
{
	(void)state;
	ctx = layout_context_new();
	return !ctx;
}

static int close_context(void **state)
{
	(void)state;
	return !layout_context_free(ctx);
}

static const layout_size sizes[] = { { "M", 5 }, { "K", 7 } };

static char *draw(const char *text, layout_show_options options)
{
	layout_value *value = layout_value_parse(ctx, text);
	char *picture;

	if (!value)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	options.sizes = sizes;
	options.count = 2;
	picture = layout_show(value, &options);
	layout_value_free(value);
	return picture;
}

/* An expression, the width of the lines (80 unless said), and its table. */
static const struct row {
	const char *text;
	unsigned columns;
	const char *table;
} tables[] = {
	{ "(4,8):(8,1)", 0,
		"   0  1  2  3  4  5  6  7\n"
		"0  0  1  2  3  4  5  6  7\n"
		"1  8  9 10 11 12 13 14 15\n"
		"2 16 17 18 19 20 21 22 23\n"
		"3 24 25 26 27 28 29 30 31\n" },
	{ "((2,2),(2,4)):((1,4),(2,8))", 0,
		"   0  1    2  3    4  5    6  7\n"
		"0  0  2 |  8 10 | 16 18 | 24 26\n"
		"1  1  3 |  9 11 | 17 19 | 25 27\n"
		"  ------+-------+-------+------\n"
		"2  4  6 | 12 14 | 20 22 | 28 30\n"
		"3  5  7 | 13 15 | 21 23 | 29 31\n" },
	{ "((2,2),(2,4)):((1,4),(2,8))", 17,
		"   0  1    2  3\n"
		"0  0  2 |  8 10\n"
		"1  1  3 |  9 11\n"
		"  ------+------\n"
		"2  4  6 | 12 14\n"
		"3  5  7 | 13 15\n"
		"\n"
		"   4  5    6  7\n"
		"0 16 18 | 24 26\n"
		"1 17 19 | 25 27\n"
		"  ------+------\n"
		"2 20 22 | 28 30\n"
		"3 21 23 | 29 31\n" },
	{ "(2,3,4):(12,4,1)", 0,
		"  [:, :, 0]  [:, :, 1]  [:, :, 2]  [:, :, 3]\n"
		"   0  1  2    0  1  2    0  1  2    0  1  2\n"
		"0  0  4  8    1  5  9    2  6 10    3  7 11\n"
		"1 12 16 20   13 17 21   14 18 22   15 19 23\n" },
	{ "row_major[2, 2, 3]", 0,
		"  [0, :, :]  [1, :, :]\n"
		"   0  1  2    0  1  2\n"
		"0  0  1  2    6  7  8\n"
		"1  3  4  5    9 10 11\n" },
	{ "rotate_rows<4, 1>", 0,
		"   0  1  2  3    4  5  6  7    8  9 10 11   12 13 14 15\n"
		"0  0  1  2  3 |  5  6  7  4 | 10 11  8  9 | 15 12 13 14\n" },
	{ "40:2", 0,
		"    0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15\n"
		" 0  0  2  4  6  8 10 12 14 16 18 20 22 24 26 28 30\n"
		"32 64 66 68 70 72 74 76 78\n"
		"\n"
		"   16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31\n"
		" 0 32 34 36 38 40 42 44 46 48 50 52 54 56 58 60 62\n"
		"32\n" },
	{ "mma<MFMA_F32_4x4x4x16B_F16, lhs>", 40, NULL },
	{ "packed(" ENCODING ", [M, 4])", 0,
		"   0  1    2  3\n"
		"0  0  1 |  8  9\n"
		"1  2  3 | 10 11\n"
		"2  4  5 | 12 13\n"
		"3  6  7 | 14 15\n"
		"  ------+------\n"
		"4 16 17 | 24 25\n"
		"5  #  # |  #  #\n"
		"6  #  # |  #  #\n"
		"7  #  # |  #  #\n"
		"#: padding\n" },
	{ "remap(row_major[2, 3] -> packed(encoding_info<{innerDimsPos = [1], innerTileSizes = "
		"[2]}>, [2, 3]), type = f32)", 0,
		"  0 1 2 3\n"
		"0 0 1 2 #\n"
		"1 4 5 6 #\n"
		"#: padding\n" },
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [16]}>, [2, 3])", 0,
		"   0  1  2\n"
		"0  0  1  2\n"
		"1 16 17 18\n" },
	{ "remap(row_major[2, 3] -> row_major[2, 3], type = f32)", 0,
		"  0 1 2\n"
		"0 0 1 2\n"
		"1 3 4 5\n" },
	{ "distribute(" BLOCKED ", [4, 4])", 0,
		"      0     1       2     3\n"
		"0 T0:r0 T0:r1 : T1:r0 T1:r1\n"
		"1 T2:r0 T2:r1 : T3:r0 T3:r1\n"
		"  -------------------------\n"
		"2 T4:r0 T4:r1 : T5:r0 T5:r1\n"
		"3 T6:r0 T6:r1 : T7:r0 T7:r1\n" },
	{ NESTED, 0, NULL },
	{ "linear<{register = [[1]], lane = [[2], [0]]}>", 0,
		"        0       1         2       3\n"
		"0 T0:r0+1 T0:r1+1 | T1:r0+1 T1:r1+1\n"
		"+1: one more place holds the element\n" },
	{ "{ [i, j] -> [j, i] : 0 <= i < 2 and 0 <= j < 3 and i + j < 3 }", 0,
		"       0      1      2\n"
		"0 (0, 0) (1, 0) (2, 0)\n"
		"1 (0, 1) (1, 1)      -\n" },
	{ "[M] -> { [lane, reg] -> lds[M*0 + 64*lane + reg] : 0 <= lane < 3 and "
		"0 <= reg < 2 }", 0,
		"    r0  r1\n"
		"T0   0   1\n"
		"T1  64  65\n"
		"T2 128 129\n" },
	{ "row_major[2, 2, 1, 3]", 0,
		"  [0, 0, :, :]   [0, 1, :, :]\n"
		"   0  1  2        0  1  2\n"
		"0  0  1  2        3  4  5\n"
		"\n"
		"  [1, 0, :, :]   [1, 1, :, :]\n"
		"   0  1  2        0  1  2\n"
		"0  6  7  8        9 10 11\n" },
	{ "(1,2,2,2):(9,1,2,4)", 0,
		"  [:, :, 0, 0]   [:, :, 1, 0]\n"
		"  0 1            0 1\n"
		"0 0 1            2 3\n"
		"\n"
		"  [:, :, 0, 1]   [:, :, 1, 1]\n"
		"  0 1            0 1\n"
		"0 4 5            6 7\n" },
	{ "row_major[2, 1, 1, 1, 1, 1, 1, 2]", 0,
		"  [0, 0, 0, 0, 0, 0, :, :]\n  0 1\n0 0 1\n\n"
		"  [1, 0, 0, 0, 0, 0, :, :]\n  0 1\n0 2 3\n" },
	{ "row_major[]", 0, "  0\n0 0\n" },
	{ "row_major[1, 1]", 0, "  0\n0 0\n" },
	{ "strided[2, 3 : K, 2]", 0,
		"   0  1  2\n"
		"0  0  2  4\n"
		"1  7  9 11\n" },
};

static void test_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
		unsigned columns = tables[i].columns ? tables[i].columns : 80;
		char *table;

		options.columns = columns;
		table = draw(tables[i].text, options);
		if (!table)
			fail_msg("%s: %s", tables[i].text, layout_context_message(ctx));
		if (tables[i].table && strcmp(table, tables[i].table) != 0)
			fail_msg("%s is\n%s\nand not\n%s", tables[i].text, table,
				tables[i].table);
		for (const char *line = table; *line; line += strcspn(line, "\n") + 1)
			assert_true(strcspn(line, "\n") <= columns);
		layout_string_free(table);
	}
}

/* The banks of a layout of elements of so many bits, and what reading it takes. */
static const struct {
	const char *text;
	unsigned bits;
	const char *target, *table;
} banks[] = {
	/* A row takes all banks, and four of them are a phase of as many lanes. */
	{ "row_major[3, 32]", 32, NULL,
		"32 banks: 8 reads of 128 bits a lane, a lane a row, take 24 cycles, "
		"8 without conflicts (!)\n" },
	{ "(4,2):(8,1)", 32, NULL,
		"   0  1\n0  0  1\n1  8  9\n2 16 17\n3 24 25\n"
		"32 banks: 1 read of 64 bits a lane, a lane a row, takes 1 cycle, without "
		"conflicts\n" },
	{ "(4,2):(16,1)", 32, NULL,
		"    0   1\n0  0!  1!\n1 16! 17!\n2  0!  1!\n3 16! 17!\n"
		"32 banks: 1 read of 64 bits a lane, a lane a row, takes 2 cycles, 1 without "
		"conflicts (!)\n" },
	/* Columns that do not follow each other are an access each; one has a conflict. */
	{ "{ [i, j] -> [0] : 0 <= i < 2 and j = 0; [i, j] -> [32i + 5] : 0 <= i < 2 and j = 1 }",
		32, NULL,
		"   0  1\n0  0 5!\n1  0 5!\n"
		"32 banks: 2 reads of 32 bits a lane, a lane a row, take 3 cycles, 2 without "
		"conflicts (!)\n" },
	/* Two elements of 16 bits are a word, and lanes that want one share it. */
	{ "(4,1):(1,1)", 16, NULL,
		"  0\n0 0\n1 0\n2 1\n3 1\n"
		"32 banks: 1 read of 16 bits a lane, a lane a row, takes 1 cycle, without "
		"conflicts\n" },
	{ "(2,2):(-1,-2)", 32, NULL,
		"   0  1\n0  0 30\n1 31 29\n"
		"32 banks: 2 reads of 32 bits a lane, a lane a row, take 2 cycles, without "
		"conflicts\n" },
	{ "(1,4):(1,1)", 4, NULL,
		"  0 1 2 3\n0 0 0 0 0\n"
		"32 banks: 1 read of 16 bits a lane, a lane a row, takes 1 cycle, without "
		"conflicts\n" },
	{ "(1,2):(1,1)", 256, NULL,
		"  0 1\n0 0 8\n32 banks: no access has elements of 256 bits\n" },
	/* A wave of 64 lanes, in phases of 32; waves of 32 are two accesses. */
	{ "{ [lane, reg] -> lds[33lane] : 0 <= lane < 64 and reg = 0 }", 32, NULL,
		"32 banks: 1 read of 32 bits a lane, a lane a row, takes 2 cycles, without "
		"conflicts\n" },
	{ "{ [lane, reg] -> lds[32lane] : 0 <= lane < 64 and reg = 0 }", 32, "gfx942",
		"32 banks of gfx942: 1 read of 32 bits a lane, a lane a row, takes 64 cycles, "
		"2 without conflicts (!)\n" },
	{ "{ [lane, reg] -> lds[32lane] : 0 <= lane < 64 and reg = 0 }", 32, "gfx1100",
		"32 banks of gfx1100: 2 reads of 32 bits a lane, a lane a row, take 64 cycles, "
		"2 without conflicts (!)\n" },
	{ "row_major[8, 64]", 16, "gfx942",
		"32 banks of gfx942: 8 reads of 128 bits a lane, a lane a row, take 64 cycles, "
		"16 without conflicts (!)\n" },
	{ "swizzled(row_major[8, 64], Sw<3, 3, 3>)", 16, "gfx942",
		"32 banks of gfx942: 8 reads of 128 bits a lane, a lane a row, take 16 cycles, "
		"without conflicts\n" },
};

static void test_banks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(banks) / sizeof(*banks); i++) {
		layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
		const char *wanted = banks[i].table;
		char *table;

		options.color = LAYOUT_SHOW_BY_BANK;
		options.element_bits = banks[i].bits;
		options.lds = banks[i].target ? layout_lds_find(ctx, banks[i].target) : NULL;
		table = draw(banks[i].text, options);
		if (!table)
			fail_msg("%s: %s", banks[i].text, layout_context_message(ctx));
		if (strlen(table) < strlen(wanted) ||
		    strcmp(table + (*wanted == ' ' ? 0 : strlen(table) - strlen(wanted)),
				wanted))
			fail_msg("%s is\n%s\nand not\n%s", banks[i].text, table, wanted);
		layout_string_free(table);
	}
}

/* The conflicts of one access of a wave are those that the algebra counts. */
static void test_conflicts(void **state)
{
	(void)state;
	for (int stride = 1; stride <= 64; stride++) {
		const layout_lds *lds = layout_lds_find(ctx, "gfx942");
		layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
		uint64_t addresses[64];
		layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
		layout_lds_cost cost;
		char text[128], note[128], *table;

		for (unsigned i = 0; i < 64; i++)
			addresses[i] = 4u * i * (unsigned)stride;
		access.bits = 32;
		access.addresses = addresses;
		assert_true(layout_lds_cycles(ctx, lds, &access, &cost, NULL));
		snprintf(text, sizeof(text), "{ [lane, reg] -> lds[%d*lane] : 0 <= lane < 64 "
			"and reg = 0 }", stride);
		snprintf(note, sizeof(note), cost.cycles == cost.least ?
			"takes %u cycles, without conflicts\n" :
			"takes %u cycles, %u without conflicts (!)\n", cost.cycles, cost.least);
		options.color = LAYOUT_SHOW_BY_BANK;
		options.lds = lds;
		table = draw(text, options);
		assert_non_null(table);
		if (!strstr(table, note))
			fail_msg("stride %d is\n%s\nand not %s", stride, table, note);
		assert_int_equal(strstr(table, "T63 ") && strchr(strstr(table, "T63 "), '!'),
			cost.cycles > cost.least);
		layout_string_free(table);
	}
}

/* Above the picture stands what was typed, in lines and whole. */
static void test_title(void **state)
{
	layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
	char long_title[3000], *image;

	(void)state;
	options.format = LAYOUT_SHOW_SVG;
	options.title = " Sw<3,4, 3>\n o  0\to (2,2):(2,1)\n";
	image = draw("(2,2):(2,1)", options);
	assert_non_null(strstr(image, ">Sw&lt;3,4, 3&gt; o 0 o (2,2):(2,1)</text>"));
	layout_string_free(image);
	options.title = "one, two, three, four, five, six, seven, eight, nine, ten, eleven, "
		"twelve, thirteen";
	image = draw("(2,2):(2,1)", options);
	assert_non_null(strstr(image, "y=\"24\">one, two, three, four, five, six, seven, "
		"eight, nine, ten, eleven, twelve,</text>\n<text class=\"word\" x=\"20\" y=\"40\">"
		"thirteen</text>"));
	layout_string_free(image);
	memset(long_title, 'x', sizeof(long_title));
	long_title[sizeof(long_title) - 1] = 0;
	options.title = long_title;
	image = draw("(2,2):(2,1)", options);
	assert_non_null(image);
	layout_string_free(image);
}

/* Cells that are too small for labels have a few over them, with a word about that. */
static void test_labels(void **state)
{
	layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
	unsigned count = 0;
	char *image;

	(void)state;
	options.format = LAYOUT_SHOW_SVG;
	image = draw("row_major[128, 128]", options);
	assert_non_null(image);
	assert_non_null(strstr(image, ">A label a 8 x 16 cells, beginning in its own.</text>"));
	for (const char *at = image; (at = strstr(at, "<text class=\"over-cells\"")); at++) {
		assert_int_equal(atoi(strchr(at, '>') + 1), count / 8 * 8 * 128 + count % 8 * 16);
		count++;
	}
	assert_int_equal(count, 128);
	layout_string_free(image);
	image = draw("row_major[64, 64]", options);
	assert_null(strstr(image, "class=\"over-cells\""));
	layout_string_free(image);
	image = draw("row_major[65, 65]", options);
	assert_non_null(strstr(image, "class=\"over-cells\""));
	layout_string_free(image);
}

/* Nothing to ask of the caller. */
static void test_usual(void **state)
{
	layout_value *value = layout_value_parse(ctx, "2:3");
	char *table = layout_show(value, NULL);

	(void)state;
	assert_string_equal(table, "  0 1\n0 0 3\n");
	layout_string_free(table);
	layout_value_free(value);
	assert_null(layout_show(NULL, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
}

/* What cannot be shown, the error, and a part of its message. */
static const struct {
	const char *text;
	layout_error error;
	const char *message;
} refused[] = {
	{ "row_major[N, 4]", LAYOUT_ERROR_INVALID, "the size N has no value" },
	{ "row_major[1, 1, 1, 1, 1, 1, 1, 1, 1]", LAYOUT_ERROR_UNSUPPORTED,
		"up to 8 dimensions, and this layout has 9" },
	{ "(1,1,1,1,1,1,1,1,1):(1,1,1,1,1,1,1,1,1)", LAYOUT_ERROR_UNSUPPORTED,
		"this layout has 9 modes" },
	{ "nested_layout<subgroup_tile = [1, 1, 1, 1, 1, 1, 1, 1, 1], "
		"batch_tile = [1, 1, 1, 1, 1, 1, 1, 1, 1], "
		"outer_tile = [1, 1, 1, 1, 1, 1, 1, 1, 1], "
		"thread_tile = [1, 1, 1, 1, 1, 1, 1, 1, 1], "
		"element_tile = [1, 1, 1, 1, 1, 1, 1, 1, 1], "
		"subgroup_strides = [0, 0, 0, 0, 0, 0, 0, 0, 0], "
		"thread_strides = [0, 0, 0, 0, 0, 0, 0, 0, 0]>", LAYOUT_ERROR_UNSUPPORTED,
		"this layout has 9 dimensions" },
	{ "row_major[17, 16, 16, 16]", LAYOUT_ERROR_UNSUPPORTED, "65536 elements" },
	{ "row_major[2, 0, 2, 2]", LAYOUT_ERROR_INVALID, "no elements" },
	{ "{ [i] -> [i] : i >= 0 }", LAYOUT_ERROR_INVALID, "" },
	{ "{ [i] -> [i] : -3 <= i < 3 }", LAYOUT_ERROR_INVALID, "" },
	{ "affine_map<(d0) -> (d0)>", LAYOUT_ERROR_INVALID, "" },
	{ "{ lane[t] -> tile[t - 1] : 0 <= t < 4 }", LAYOUT_ERROR_INVALID, "negative" },
	{ "row_major[1000, 1000]", LAYOUT_ERROR_UNSUPPORTED, "65536 elements" },
	{ "row_major[1000000000, 1000000000]", LAYOUT_ERROR_UNSUPPORTED,
		"65536 elements" },
	{ "1000000:1", LAYOUT_ERROR_UNSUPPORTED, "65536 elements" },
	{ "{ lane[t] -> tile[100000t] : 0 <= t < 4 }", LAYOUT_ERROR_UNSUPPORTED,
		"65536 elements" },
	{ "{ [i] -> [j] : 0 <= i < 60000 and 0 <= j < 60000 }", LAYOUT_ERROR_UNSUPPORTED,
		"262144 pairs" },
	{ "linear<{register = [[0]], lane = [[1]]} -> {dim0 = 1048576}>",
		LAYOUT_ERROR_UNSUPPORTED, "65536 elements" },
	{ "row_major[0, 4]", LAYOUT_ERROR_INVALID, "no elements" },
	{ "0:1", LAYOUT_ERROR_INVALID, "no elements" },
	{ "{ [i] : 0 <= i < 4 }", LAYOUT_ERROR_SPACE,
		"expected a relation, found a set" },
	{ ENCODING, LAYOUT_ERROR_SPACE, "sizes" },
	{ BLOCKED, LAYOUT_ERROR_SPACE, "shape" },
	{ "max_common_vector(4:1, 4:1)", LAYOUT_ERROR_SPACE, "found a number" },
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
		char *picture = draw(refused[i].text, options);

		if (picture || layout_context_error(ctx) != refused[i].error ||
		    !strstr(layout_context_message(ctx), refused[i].message))
			fail_msg("%s: %s", refused[i].text, picture ? picture :
				layout_context_message(ctx));
		layout_context_clear(ctx);
	}
}

static void test_options(void **state)
{
	const layout_show_options usual = LAYOUT_SHOW_OPTIONS_INIT;
	layout_show_options wrong[5] = { usual, usual, usual, usual, usual };

	(void)state;
	wrong[0].format = 9;
	wrong[1].color = 9;
	wrong[2].element_bits = 0;
	wrong[3].banks = 0;
	wrong[4].columns = 1u << 30;
	for (size_t i = 0; i < 5; i++) {
		assert_null(draw("(4,8):(8,1)", wrong[i]));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
}

/* A graph, or lines of it. */
static const struct {
	const char *text;
	const char *lines[6];
} graphs[] = {
	{ "compose({ cell[i, j] -> lds[8i + j] }, compose(row_major[8, 8], "
		"{ hw[lane, reg] -> logical[lane, 2reg] : 0 <= lane < 8 and "
		"0 <= reg < 2 }))",
		{ "s0 [label=\"hw[lane, reg]\\n8 x 2\"];",
			"s1 [label=\"logical[",
			"s1 -> s2 [label=\"row_major[8, 8]\", "
			"tooltip=\"row_major[8, 8]\"];",
			"s2 [label=\"cell[i0, i1]\\n8 x 8\"];",
			"s2 -> s3 [label=\"{ cell[i, j]",
			"s3 [label=\"lds[" } },
	{ "(4,8):(8,1)",
		{ "s0 [label=\"[i0]\\n32\"];",
			"s0 -> s1 [label=\"(4,8):(8,1)\"" } },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f32)",
		{ "s0 [label=\"cell[i0, i1]\\n5 x 7\"];",
			"s0 -> s1 [label=\"row_major[M, K]\"",
			"s1 -> s2 [label=\"col_major[M, K]\"",
			"s2 [label=\"cell[i0, i1]\\n7 x 5" } },
	{ "remap(row_major[N] -> row_major[N + 2], type = f32, map = { [i] -> [i + 2] })",
		{ "s0 -> s1 [label=\"row_major[N]\"",
			"s1 -> s2 [label=\"{ [i] -> [i + 2] }\"",
			"s2 -> s3 [label=\"row_major[N + 2]\"" } },
	{ "chain(row_major[M, K], pad([0, 0], [P, 0]), transpose([1, 0]))",
		{ "s0 -> s1 [label=\"row_major[M, K]\"",
			"s1 -> s2 [label=\"pad([0, 0], [P, 0])\"",
			"s2 [label=\"logical[i0, i1]\\n(M + P) x K\"];",
			"s2 -> s3 [label=\"transpose([1, 0])\"" } },
};

static void test_graphs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(graphs) / sizeof(*graphs); i++) {
		layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
		char *graph;

		options.format = LAYOUT_SHOW_DOT;
		graph = draw(graphs[i].text, options);
		if (!graph)
			fail_msg("%s: %s", graphs[i].text, layout_context_message(ctx));
		assert_int_equal(strncmp(graph, "digraph layout {\n", 17), 0);
		assert_string_equal(graph + strlen(graph) - 2, "}\n");
		for (size_t k = 0; k < 6 && graphs[i].lines[k]; k++)
			if (!strstr(graph, graphs[i].lines[k]))
				fail_msg("%s has no %s:\n%s", graphs[i].text,
					graphs[i].lines[k], graph);
		layout_string_free(graph);
	}
}

/* WCAG's relative luminance. */
static double luminance(unsigned rgb)
{
	static const double weights[] = { 0.0722, 0.7152, 0.2126 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double part = (rgb >> 8 * i & 255) / 255.0;

		sum += weights[i] * (part <= 0.04045 ? part / 12.92 :
			pow((part + 0.055) / 1.055, 2.4));
	}
	return sum;
}

/* Brighter and brighter, so that the order is seen without hue; words on all of it have
 * the contrast of 4.5 that WCAG asks for. */
static void test_palette(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SHOW_COLORS; i++) {
		double bright = luminance(show_palette_rgb(i));
		double contrast = show_palette_is_dark(i) ? 1.05 / (bright + 0.05) :
			(bright + 0.05) / 0.05;

		assert_true(contrast >= 4.5);
		if (i)
			assert_true(bright > luminance(show_palette_rgb(i - 1)));
	}
	for (int64_t count = 2; count <= SHOW_COLORS; count++) {
		assert_int_equal(show_palette_of(0, count), 0);
		assert_int_equal(show_palette_of(count - 1, count), SHOW_COLORS - 1);
		for (int64_t id = 1; id < count; id++)
			assert_true(show_palette_of(id, count) >
				show_palette_of(id - 1, count));
	}
	assert_int_equal(show_palette_of(INT64_MAX - 1, INT64_MAX), SHOW_COLORS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_banks),
		cmocka_unit_test(test_conflicts),
		cmocka_unit_test(test_title),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_usual),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_palette),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
