/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A notation is a row: one that is made up here, "steps<COUNT, BY>", works wherever
 * values do, and few files know which kinds there are. */
#include "support/printed.h"
#include "isl_bridge/lexer.h"
#include "value/value.h"

#include <ftw.h>
#include <layout/show.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MADE_UP ((layout_value_kind)100)

struct steps {
	int64_t count, by;
};

static bool at_steps(const struct text_cursor *cursor)
{
	return text_at(cursor, "steps");
}

static bool read_steps(struct text_cursor *cursor, layout_value *value)
{
	struct steps *steps = layout_alloc(cursor->ctx, 1, sizeof(*steps));

	value->object = steps;
	return steps && text_take(cursor, "steps") && text_take(cursor, "<") &&
		text_integer(cursor, &steps->count) && text_take(cursor, ",") &&
		text_integer(cursor, &steps->by) && text_take(cursor, ">");
}

static char *print_steps(layout_value *value)
{
	const struct steps *steps = value->object;
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "steps<%d, %d>", (int)steps->count, (int)steps->by);
	return layout_buffer_take(value->ctx, &out);
}

static void free_steps(layout_value *value)
{
	free(value->object);
}

static layout_relation *steps_relation(layout_value *value)
{
	const struct steps *steps = value->object;
	char text[80];

	snprintf(text, sizeof(text), "{ [i] -> [%di] : 0 <= i < %d }", (int)steps->by,
		(int)steps->count);
	return layout_relation_read(value->ctx, text);
}

static layout_set *steps_from(layout_value *value)
{
	return value_interval(value->ctx, ((struct steps *)value->object)->count);
}

static const struct value_kind kind_steps = {
	.name = "steps", .noun = "a flight of steps", .at = at_steps, .read = read_steps,
	.print = print_steps, .free = free_steps, .relation = steps_relation,
	.from = steps_from,
};

/* In place of the library's own table, which stays in the archive. */
const struct value_kind_row value_kinds[] = {
	{ MADE_UP, &kind_steps },
	{ LAYOUT_VALUE_RELATION, &kind_relation },
	{ LAYOUT_VALUE_CUTE, &kind_cute },
	{ LAYOUT_VALUE_SET, &kind_set },
	{ LAYOUT_VALUE_INTEGER, &kind_integer },
	{ .kind = NULL },
};

/* What an expression prints as, or its error. */
static const struct {
	const char *expression, *text;
} rows[] = {
	{ "steps< 4,3 >", "steps<4, 3>" },
	{ "convert(steps<4, 3>, to = cute)", "4:3" },
	{ "compose(steps<4, 3>, 2:1)", "2:3" },
	{ "simplify(steps<4, 3>)", "{ [i] -> [3i] : 0 <= i <= 3 }" },
	{ "inverse(steps<4, 1>)", "4:1" },
	{ "domain(steps<4, 3>)", "{ [i] : 0 <= i <= 3 }" },
	{ "as(steps<4, 3>, in = [2, 2], order = colex)",
		"{ [i, j] -> [3i + 6j] : 0 <= i <= 1 and 0 <= j <= 1 }" },
	{ "steps<4; 3>", "expected `,`, found `;`" },
	{ "flatten(steps<4, 3>)",
		"flatten: expected a CuTe layout, found a flight of steps" },
	{ "union(steps<4, 3>, domain(4:1))", "union: expected two relations or two sets, "
		"found a flight of steps and a set" },
};

static void test_expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_printed(rows[i].expression, rows[i].text);
}

static bool add_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	assert_int_equal(in_rank, 1);
	assert_int_equal(image_rank, 1);
	*(int64_t *)user += 100 * *in + *image;
	return true;
}

/* Its kind, its points, its picture, and what it is equal to. */
static void test_value(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *steps = layout_value_parse(ctx, "steps<4, 3>");
	layout_value *cute = layout_value_parse(ctx, "4:3");
	layout_set *from = layout_value_from(steps);
	char *picture = layout_show(steps, NULL);
	int64_t sum = 0, size;

	(void)state;
	assert_int_equal(layout_value_get_kind(steps), MADE_UP);
	assert_string_equal(layout_value_kind_str(MADE_UP), "steps");
	assert_string_equal(layout_value_kind_str((layout_value_kind)99), "unknown");
	assert_true(layout_value_for_each(steps, NULL, 0, add_pair, &sum));
	assert_int_equal(sum, 618);
	assert_true(layout_set_box(from, &size));
	assert_int_equal(size, 4);
	assert_int_equal(layout_equal(steps, cute, NULL), LAYOUT_YES);
	assert_non_null(picture);
	assert_non_null(strstr(picture, "0 0 3 6 9"));
	assert_null(layout_value_cute(steps));
	assert_string_equal(layout_context_message(ctx),
		"expected a CuTe layout, found a flight of steps");
	layout_string_free(picture);
	layout_set_free(from);
	layout_value_free(cute);
	layout_value_free(steps);
	layout_context_free(ctx);
}

/* The API, the table of all kinds, and what the command does of its own with some. */
static unsigned naming;

static int count_naming(const char *path, const struct stat *status, int kind,
	struct FTW *place)
{
	FILE *file = kind == FTW_F ? fopen(path, "r") : NULL;
	char line[4096];
	bool names = false;

	(void)status, (void)place;
	while (file && fgets(line, sizeof(line), file))
		names |= strstr(line, "LAYOUT_VALUE_") != NULL;
	if (file)
		fclose(file);
	naming += names;
	return 0;
}

static void test_files(void **state)
{
	(void)state;
	assert_int_equal(nftw(SOURCE_DIR "/include", count_naming, 16, FTW_PHYS), 0);
	assert_int_equal(nftw(SOURCE_DIR "/src", count_naming, 16, FTW_PHYS), 0);
	assert_int_equal(nftw(SOURCE_DIR "/tools", count_naming, 16, FTW_PHYS), 0);
	assert_in_range(naming, 3, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_value),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
