/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts: every offset, against the definition in plain C. */
#include "isl_bridge/relation.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_LEAVES 5

struct row {
	const char *text;
	unsigned leaves;
	int64_t shape[MAX_LEAVES], stride[MAX_LEAVES];
	int64_t size, cosize;
};

static const struct row rows[] = {
	{ "8:1", 1, { 8 }, { 1 }, 8, 8 },
	{ "(4,8):(8,1)", 2, { 4, 8 }, { 8, 1 }, 32, 32 },
	{ "((2,2),4):((1,8),2)", 3, { 2, 2, 4 }, { 1, 8, 2 }, 16, 16 },
	{ "(4,6,8):(2,3,5)", 3, { 4, 6, 8 }, { 2, 3, 5 }, 192, 57 },
	{ "(3,(5,1,2)):(0,(7,9,-1))", 4, { 3, 5, 1, 2 }, { 0, 7, 9, -1 }, 30, 29 },
	{ "1:0", 1, { 1 }, { 0 }, 1, 1 },
	{ "(4,0):(1,4)", 2, { 4, 0 }, { 1, 4 }, 0, 0 },
	{ "():()", 0, { 0 }, { 0 }, 1, 1 },
	{ "(2,2,2,2,2):(16,8,4,2,1)", 5, { 2, 2, 2, 2, 2 }, { 16, 8, 4, 2, 1 }, 32, 32 },
};

struct check {
	const struct row *row;
	int64_t next;
};

static bool check_offset(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct check *check = user;
	int64_t rest = check->next, offset = 0;

	assert_int_equal(in_rank, 1);
	assert_int_equal(image_rank, 1);
	assert_int_equal(in[0], check->next++);
	for (unsigned i = 0; i < check->row->leaves; i++) {
		offset += rest % check->row->shape[i] * check->row->stride[i];
		rest /= check->row->shape[i];
	}
	assert_int_equal(image[0], offset);
	return true;
}

static void every_offset(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_cute *cute = layout_cute_parse(ctx, rows[i].text);
		layout_relation *relation = layout_cute_relation(cute), *again;
		struct check check = { &rows[i], 0 };
		char *text;

		assert_non_null(relation);
		assert_int_equal(layout_cute_size(cute), rows[i].size);
		assert_int_equal(layout_cute_cosize(cute), rows[i].cosize);
		assert_true(layout_relation_for_each(relation, check_offset, &check));
		assert_int_equal(check.next, rows[i].size);
		assert_int_equal(layout_relation_is_function(relation, NULL), LAYOUT_YES);
		text = layout_relation_str(relation);
		again = layout_relation_read(ctx, text);
		assert_int_equal(layout_relation_equal(relation, again, NULL), LAYOUT_YES);
		layout_string_free(text);
		layout_relation_free(again);
		layout_relation_free(relation);
		layout_cute_free(cute);
		assert_true(layout_context_free(ctx));
	}
}

/* The compositions that are reported wrong elsewhere, pointwise A(B(i)):
 * cutlass#3177 and cutlass#2955. */
static void compositions_are_exact(void **state)
{
	static const struct {
		const char *a, *b;
		int64_t values[6];
		unsigned count;
	} compositions[] = {
		{ "(4,6,8):(2,3,5)", "6:3", { 0, 6, 7, 8, 9, 15 }, 6 },
		{ "(6,2):(1,7)", "(3,2):(2,3)", { 0, 2, 4, 3, 5, 8 }, 6 },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(compositions) / sizeof(*compositions); i++) {
		layout_cute *a = layout_cute_parse(ctx, compositions[i].a);
		layout_cute *b = layout_cute_parse(ctx, compositions[i].b);
		layout_relation *c = layout_relation_compose(layout_cute_relation(a),
			layout_cute_relation(b));
		const int64_t *v = compositions[i].values;
		char text[300];
		layout_relation *wanted;
		layout_witness *witness = NULL;

		snprintf(text, sizeof(text), "{ [0] -> [%d]; [1] -> [%d]; [2] -> [%d]; "
			"[3] -> [%d]; [4] -> [%d]; [5] -> [%d] }", (int)v[0], (int)v[1], (int)v[2],
			(int)v[3], (int)v[4], (int)v[5]);
		wanted = layout_relation_read(ctx, text);
		if (layout_relation_equal(c, wanted, &witness) != LAYOUT_YES)
			fail_msg("%s o %s: %s", compositions[i].a, compositions[i].b,
				witness ? witness->text : layout_context_message(ctx));
		layout_relation_free(wanted);
		layout_relation_free(c);
		layout_cute_free(a);
		layout_cute_free(b);
	}
	assert_true(layout_context_free(ctx));
}

struct values {
	const char *expected;	/* "0,3,6": what is left to see */
	int64_t next;
	bool wrong;
};

static bool check_value(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct values *values = user;
	char *end;

	(void)in_rank;
	(void)image_rank;
	if (!*values->expected)
		return false;	/* the table lists 256 at most */
	values->wrong = values->wrong || in[0] != values->next++ ||
		image[0] != strtoll(values->expected, &end, 10);
	values->expected = *end ? end + 1 : end;
	return true;
}

/* A row: id, operation, A, B, layout, values, size, ..: compose(A, B) point by point,
 * also where CuTe has no layout for it.  False if it is about swizzles. */
static bool check_composition(char *line)
{
	char *fields[7] = { NULL }, text[400];
	struct values values = { 0 };
	layout_context *ctx;
	layout_value *value;

	for (unsigned i = 0; i < 7; i++)
		fields[i] = strsep(&line, "\t\n");
	if (strcmp(fields[1], "compose") != 0 || strstr(fields[2], "Sw") || strstr(fields[3], "Sw"))
		return false;
	ctx = layout_context_new();
	values.expected = fields[5];
	snprintf(text, sizeof(text), "compose(%s, %s)", fields[2], fields[3]);
	value = layout_value_parse(ctx, text);
	if (!value || !layout_value_for_each(value, NULL, 0, check_value, &values) ||
	    values.wrong || *values.expected)
		fail_msg("%s: %s at %d: %s", fields[0], text, (int)values.next - 1,
			layout_context_message(ctx));
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
	return true;
}

static void published_compositions(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/cute.tsv", "r");
	char line[8000];
	unsigned rows_seen = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		rows_seen += check_composition(line);
	fclose(file);
	assert_true(rows_seen > 300);
}

static void bad_trees(void **state)
{
	static const int two_roots[] = { -1, -1 }, short_tree[] = { 2, -1 };
	static const int64_t one[] = { 1, 1 }, huge[] = { INT64_MAX, 2 };
	static const int pair[] = { 2, -1, -1 };
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_null(layout_cute_new(ctx, two_roots, 2, one, one, 2));
	assert_null(layout_cute_new(ctx, short_tree, 2, one, one, 1));
	assert_null(layout_cute_new(ctx, pair, 3, one, one, 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_cute_new(ctx, pair, 3, huge, one, 2));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_OVERFLOW);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_offset),
		cmocka_unit_test(compositions_are_exact),
		cmocka_unit_test(published_compositions),
		cmocka_unit_test(bad_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
