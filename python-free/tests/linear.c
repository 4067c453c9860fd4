/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts: the published operations, row by row, judged point by point. */
#include "support/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* "[a,b]" as names, "[a:4,b:2]" as sizes, at most one after the other. */
struct list {
	unsigned count;
	const char *names[MAX_RANK];
	layout_size sizes[MAX_RANK];
};

static struct list read_list(char **args)
{
	struct list list = { 0 };
	char *begin = strchr(*args, '[') + 1, *end = strchr(begin, ']'), *entry;

	*end = '\0';
	*args = end + 1;
	while ((entry = next_entry(&begin, ","))) {
		char *colon = strchr(entry, ':');

		if (colon)
			*colon = '\0';
		list.names[list.count] = entry;
		list.sizes[list.count++] =
			(layout_size){ entry, colon ? strtoll(colon + 1, NULL, 10) : 0 };
	}
	return list;
}

/* A row of the file, cut into fields. */
struct row {
	char *id, *source, *op, *a, *b, *args, *result;
	layout_context *ctx;
	struct written left, right;
};

static layout_linear *left(struct row *row)
{
	return linear_of(row->ctx, &row->left);
}

static layout_linear *right(struct row *row)
{
	return linear_of(row->ctx, &row->right);
}

static layout_linear *row_compose(struct row *row)
{
	return layout_linear_compose(right(row), left(row));
}

static layout_linear *row_invert(struct row *row)
{
	return layout_linear_invert(left(row));
}

static layout_linear *row_pseudo_inverse(struct row *row)
{
	return layout_linear_pseudo_inverse(left(row));
}

static layout_linear *row_invert_and_compose(struct row *row)
{
	return layout_linear_invert_and_compose(left(row), right(row));
}

static layout_linear *row_least_squares(struct row *row)
{
	return layout_linear_least_squares(left(row), right(row));
}

static layout_linear *row_product(struct row *row)
{
	return layout_linear_product(left(row), right(row));
}

static layout_linear *row_divide_left(struct row *row)
{
	return layout_linear_divide_left(left(row), right(row));
}

static layout_linear *row_divide_right(struct row *row)
{
	return layout_linear_divide_right(left(row), right(row));
}

static layout_linear *row_sublayout(struct row *row)
{
	char *args = row->args;
	struct list ins = read_list(&args), outs = read_list(&args);

	return layout_linear_sublayout(left(row), ins.names, ins.count, outs.names,
		outs.count);
}

static layout_linear *row_quotient(struct row *row)
{
	char *args = row->args;
	struct list dims = read_list(&args);

	return layout_linear_quotient(left(row), dims.names, dims.count);
}

static layout_linear *row_reshape_ins(struct row *row)
{
	char *args = row->args;
	struct list list = read_list(&args);

	return layout_linear_reshape_ins(left(row), list.sizes, list.count);
}

static layout_linear *row_reshape_outs(struct row *row)
{
	char *args = row->args;
	struct list list = read_list(&args);

	return layout_linear_reshape_outs(left(row), list.sizes, list.count);
}

static layout_linear *row_transpose_ins(struct row *row)
{
	char *args = row->args;
	struct list list = read_list(&args);

	return layout_linear_transpose_ins(left(row), list.names, list.count);
}

static layout_linear *row_transpose_outs(struct row *row)
{
	char *args = row->args;
	struct list list = read_list(&args);

	return layout_linear_transpose_outs(left(row), list.names, list.count);
}

static layout_linear *row_concat_ins(struct row *row)
{
	return layout_linear_concat_ins(left(row), right(row));
}

static layout_linear *row_concat_outs(struct row *row)
{
	return layout_linear_concat_outs(left(row), right(row));
}

static layout_linear *row_resize_in(struct row *row)
{
	char *size = row->args, *name = strsep(&size, " ");

	return layout_linear_resize_in(left(row), name, strtoll(size, NULL, 10));
}

static layout_linear *row_resize_out(struct row *row)
{
	char *size = row->args, *name = strsep(&size, " ");

	return layout_linear_resize_out(left(row), name, strtoll(size, NULL, 10));
}

static layout_linear *row_remove_zero_bases(struct row *row)
{
	return layout_linear_remove_zero_bases(left(row), row->args);
}

/* Rows whose result is a layout, or NONE. */
static const struct {
	const char *op;
	layout_linear *(*apply)(struct row *row);
} layouts[] = {
	{ "compose", row_compose },
	{ "invert", row_invert },
	{ "pseudoinvert", row_pseudo_inverse },
	{ "invertAndCompose", row_invert_and_compose },
	{ "lstsq", row_least_squares },
	{ "product", row_product },
	{ "divideLeft", row_divide_left },
	{ "divideRight", row_divide_right },
	{ "sublayout", row_sublayout },
	{ "quotient", row_quotient },
	{ "reshapeIns", row_reshape_ins },
	{ "reshapeOuts", row_reshape_outs },
	{ "transposeIns", row_transpose_ins },
	{ "transposeOuts", row_transpose_outs },
	{ "concatIns", row_concat_ins },
	{ "concatOuts", row_concat_outs },
	{ "resizeInDim", row_resize_in },
	{ "resizeOutDim", row_resize_out },
	{ "removeZeroBasesAlongDim", row_remove_zero_bases },
};

static const char *answer_text(layout_answer answer)
{
	return answer == LAYOUT_YES ? "true" : answer == LAYOUT_NO ? "false" : "unknown";
}

static void row_sublayout_is_zero(struct row *row, layout_linear *linear, char *text)
{
	char *args = row->args;
	struct list ins = read_list(&args), outs = read_list(&args);

	strcpy(text, answer_text(layout_linear_sublayout_is_zero(linear, ins.names,
		ins.count, outs.names, outs.count)));
}

static void row_is_trivial_over(struct row *row, layout_linear *linear, char *text)
{
	char *args = row->args;
	struct list dims = read_list(&args);

	strcpy(text, answer_text(layout_linear_is_trivial_over(linear, dims.names,
		dims.count)));
}

static void row_consecutive(struct row *row, layout_linear *linear, char *text)
{
	(void)row;
	sprintf(text, "%lld", (long long)layout_linear_consecutive(linear));
}

static void row_contiguous(struct row *row, layout_linear *linear, char *text)
{
	sprintf(text, "%lld", (long long)layout_linear_contiguous(linear, row->args));
}

static void row_properties(struct row *row, layout_linear *linear, char *text)
{
	uint64_t masks[MAX_RANK];

	(void)row;
	assert_true(layout_linear_free_masks(linear, masks));
	text += sprintf(text, "surjective=%d injective=%d invertible=%d free=",
		layout_linear_is_surjective(linear, NULL) == LAYOUT_YES,
		layout_linear_is_injective(linear, NULL) == LAYOUT_YES,
		layout_linear_is_invertible(linear, NULL) == LAYOUT_YES);
	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		text += sprintf(text, "%s%s:%llu", i ? "," : "",
			layout_linear_in_name(linear, i), (unsigned long long)masks[i]);
}

/* Rows whose result is something else. */
static const struct {
	const char *op;
	void (*ask)(struct row *row, layout_linear *linear, char *text);
} questions[] = {
	{ "sublayoutIsZero", row_sublayout_is_zero },
	{ "isTrivialOver", row_is_trivial_over },
	{ "getNumConsecutiveInOut", row_consecutive },
	{ "contiguousElemsAlongOutputDim", row_contiguous },
	{ "props", row_properties },
};

/* What the file leaves to other tests. */
static const char *const elsewhere[] = {
	"toLinearLayout", "sameLayout", "optimalSwizzlingLdSt", "bankConflictsMemDesc",
};

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static bool check_layout(struct row *row, layout_linear *(*apply)(struct row *row))
{
	layout_linear *result = apply(row);
	struct written expected;
	bool ok;

	if (!strcmp(row->result, "NONE")) {
		ok = !result && layout_context_error(row->ctx) == LAYOUT_ERROR_NO_ANSWER;
	} else {
		assert_true(read_written(&expected, row->result));
		ok = is_written(result, &expected);
	}
	layout_linear_free(result);
	return ok;
}

static bool check_question(struct row *row,
	void (*ask)(struct row *row, layout_linear *linear, char *text))
{
	layout_linear *linear = left(row);
	char text[400];

	assert_non_null(linear);
	ask(row, linear, text);
	layout_linear_free(linear);
	if (strcmp(text, row->result))
		print_error("got %s\n", text);
	return !strcmp(text, row->result);
}

enum outcome { PASSED, FAILED, ELSEWHERE, NOT_POWERS };

static enum outcome check_fields(struct row *row)
{
	bool powers;

	for (size_t i = 0; i < LENGTH(elsewhere); i++)
		if (!strcmp(row->op, elsewhere[i]))
			return ELSEWHERE;
	powers = read_written(&row->left, row->a) &&
		(!strcmp(row->b, "-") || read_written(&row->right, row->b));
	if (!powers || !strcmp(row->source, "npot"))
		return NOT_POWERS;
	for (size_t i = 0; i < LENGTH(layouts); i++)
		if (!strcmp(row->op, layouts[i].op))
			return check_layout(row, layouts[i].apply) ? PASSED : FAILED;
	for (size_t i = 0; i < LENGTH(questions); i++)
		if (!strcmp(row->op, questions[i].op))
			return check_question(row, questions[i].ask) ? PASSED : FAILED;
	return FAILED;
}

/* The row's first layout as a relation: what that answers is right, or unknown. */
static void check_relation(struct row *row)
{
	layout_linear *linear = left(row);
	layout_relation *relation = layout_linear_relation(linear);
	layout_answer answer = layout_relation_is_injective(relation, NULL);

	if (answer != LAYOUT_UNKNOWN)
		assert_int_equal(answer, layout_linear_is_injective(linear, NULL));
	layout_string_free(layout_relation_str(relation));
	relation = layout_relation_inverse(relation);
	layout_string_free(layout_relation_str(relation));
	layout_relation_free(relation);
	layout_linear_free(linear);
}

static enum outcome check_row(const char *line, unsigned long quota)
{
	static struct row row;
	char fields[MAX_LINE], *rest = fields;
	enum outcome outcome;

	row = (struct row){ .ctx = layout_context_new() };
	layout_context_set_quota(row.ctx, quota);
	snprintf(fields, sizeof(fields), "%s", line);
	row.id = strsep(&rest, "\t\n");
	row.source = strsep(&rest, "\t\n");
	row.op = strsep(&rest, "\t\n");
	row.a = strsep(&rest, "\t\n");
	row.b = strsep(&rest, "\t\n");
	row.args = strsep(&rest, "\t\n");
	row.result = strsep(&rest, "\t\n");
	assert_non_null(row.result);
	outcome = check_fields(&row);
	if (outcome == FAILED)
		print_error("%s%s\n", line, layout_context_message(row.ctx));
	if (outcome == PASSED && quota < LAYOUT_DEFAULT_QUOTA)
		check_relation(&row);
	assert_true(layout_context_free(row.ctx));
	return outcome;
}

static void check_file(unsigned long quota)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/triton.tsv", "r");
	unsigned counts[4] = { 0 };
	char line[MAX_LINE];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		assert_non_null(strchr(line, '\n'));
		if (line[0] != '#')
			counts[check_row(line, quota)]++;
	}
	fclose(file);
	print_message("%u rows passed, %u with sizes that are no powers of two skipped\n",
		counts[PASSED], counts[NOT_POWERS]);
	assert_int_equal(counts[FAILED], 0);
	assert_int_equal(counts[PASSED], 440);
	assert_int_equal(counts[NOT_POWERS], 17);
}

static void published_rows(void **state)
{
	(void)state;
	check_file(LAYOUT_DEFAULT_QUOTA);
}

/* Operations on layouts need no isl, and relations say so where they do. */
static void published_rows_under_tiny_quotas(void **state)
{
	(void)state;
	check_file(1);
	check_file(100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_rows),
		cmocka_unit_test(published_rows_under_tiny_quotas),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
