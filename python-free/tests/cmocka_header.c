/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layout/cmocka.h: assertions that hold are silent; each of those that fail is a test of
 * its own, which this program runs by itself to read what it prints. */
#include <layout/cmocka.h>
#include <layout/layout.h>

#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OVERLAPPING "strided[M, K : 4, 1]"

static layout_context *ctx;

static int open_context(void **state)
{
	(void)state;
	ctx = layout_context_new();
	return !ctx;
}

/* Nothing that an assertion made is left, also where it failed. */
static int close_context(void **state)
{
	(void)state;
	return !layout_context_free(ctx);
}

static layout_relation *relation_of(const char *text)
{
	layout_relation *relation = layout_relation_read(ctx, text);

	assert_non_null(relation);
	return relation;
}

static void test_texts(void **state)
{
	(void)state;
	assert_layout_injective("(4,8):(8,1)");
	assert_layout_injective("packed(encoding_info<{innerDimsPos = [0, 1], "
		"innerTileSizes = [8, 4]}>, [M, K])");
	assert_layout_bijective("Sw<3,3,3> o 0 o (8,64):(64,1)");
	assert_layout_bijective("{ [i] -> [2i] : 0 <= i < 4 }");
	assert_layouts_equal("row_major[M, 8]",
		"compose({ cell[i, j] -> cell[j, i] }, col_major[M, 8])");
	assert_layout_covers("(4,8):(8,1)", "{ [i] : 0 <= i < 32 }");
}

static void test_objects(void **state)
{
	layout_relation *relation = relation_of("{ [i] -> [2i] : 0 <= i < 4 }");
	layout_value *value = layout_value_parse(ctx, "4:2");
	layout_set *even = layout_set_read(ctx, "{ [i] : 0 <= i < 8 and i mod 2 = 0 }");
	char text[] = "4:2";

	(void)state;
	assert_layout_injective(relation);
	assert_layout_bijective(relation);
	assert_layout_injective(value);
	assert_layouts_equal(relation, value);
	assert_layouts_equal(value, text);
	assert_layouts_equal(text, relation);
	assert_layout_covers(relation, even);
	assert_layout_covers(value, "{ [i] : i = 4 }");
	assert_layout_covers("4:2", even);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_relation_free(relation);
	layout_value_free(value);
	layout_set_free(even);
}

static void fail_injective(void **state)
{
	(void)state;
	assert_layout_injective(OVERLAPPING);
}

static void fail_bijective(void **state)
{
	(void)state;
	assert_layout_bijective("(4,8):(8,2)");
}

static void fail_function(void **state)
{
	(void)state;
	assert_layout_bijective("{ [i] -> [j] : 0 <= i < 2 and 0 <= j < 2 }");
}

static void fail_equal(void **state)
{
	(void)state;
	assert_layouts_equal("(4,8):(8,1)", "(4,8):(1,4)");
}

static void fail_covers(void **state)
{
	(void)state;
	assert_layout_covers("(4,8):(8,2)", "{ [i] : 0 <= i < 8 }");
}

static void fail_parse(void **state)
{
	(void)state;
	assert_layout_injective("(4,8:(8,1)");
}

static void fail_parse_second(void **state)
{
	(void)state;
	assert_layouts_equal("4:1", "4:1 4");
}

static void fail_parse_set(void **state)
{
	(void)state;
	assert_layout_covers("4:1", "{ [i] : 0 <= }");
}

static void fail_relations(void **state)
{
	layout_relation *a = relation_of("[M] -> { [i] -> [i] : 0 <= i < M }");
	layout_relation *b = relation_of("[M] -> { [i] -> [2i] : 0 <= i < M }");

	(void)state;
	assert_layouts_equal(a, b);
}

static void fail_spaces(void **state)
{
	(void)state;
	assert_layouts_equal("row_major[4, 4]", "4:1");
}

static void fail_null(void **state)
{
	layout_relation *none = NULL;

	(void)state;
	assert_layout_injective(none);
}

/* A test that fails, and a part of what it prints. */
static const struct row {
	const char *name;
	CMUnitTestFunction run;
	const char *message;
} rows[] = {
	{ "injective", fail_injective,
		OVERLAPPING " is not injective: M = 2, K = 5: (0, 4), (1, 0)\n" },
	{ "bijective", fail_bijective, "(4,8):(8,2) is not bijective: (" },
	{ "function", fail_function, " is not bijective: (0), (1)\n" },
	{ "equal", fail_equal, "(4,8):(8,1) is not (4,8):(1,4): at (1,0): 8, there 1\n" },
	{ "covers", fail_covers,
		"(4,8):(8,2) does not cover { [i] : 0 <= i <= 7 }: (1)\n" },
	{ "relations", fail_relations, ": M = 2: at 1: 1, there 2\n" },
	{ "parse", fail_parse, "there is no answer: column 5: expected `,` or `)`, found `:`"
		"\n    (4,8:(8,1)\n        ^" },
	{ "second", fail_parse_second, "there is no answer: column 5: expected the end" },
	{ "set", fail_parse_set, "\n    { [i] : 0 <= }\n    " },
	{ "spaces", fail_spaces, "row_major[4, 4]: there is no answer: " },
	{ "null", fail_null, "there is no answer: " },
};

static void test_failures(void **state)
{
	char self[4096] = { 0 };

	(void)state;
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int status;
		char *output = shell_output(&status, "'%s' %s", self, rows[i].name);

		assert_int_equal(status, 1);
		if (!strstr(output, rows[i].message) ||
		    !strstr(output, "cmocka_header.c:"))
			fail_msg("%s prints\n%s\nand not\n%s", rows[i].name, output,
				rows[i].message);
		free(output);
	}
}

/* One failing test, by itself. */
static int run_row(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct CMUnitTest tests[] = {
			{ .name = name, .test_func = rows[i].run } };

		if (!strcmp(rows[i].name, name))
			return cmocka_run_group_tests(tests, open_context, close_context);
	}
	return 2;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_failures),
	};

	if (argc > 1)
		return run_row(argv[1]);
	return cmocka_run_group_tests(tests, open_context, close_context);
}
