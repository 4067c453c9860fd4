/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The context: errors, callbacks, leaks, and the quota where isl has sharp edges. */
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void first_error_stays(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_string_equal(layout_context_message(ctx), "");
	assert_null(layout_relation_read(ctx, "{ [i] -> [j"));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
	assert_null(layout_storage_row_major(ctx, 1, (const char *[]){ "-1" }));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
	layout_context_clear(ctx);
	assert_int_equal(layout_context_position(ctx), -1);
	assert_null(layout_storage_row_major(ctx, 1, (const char *[]){ "-1" }));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	assert_true(layout_context_free(ctx));
}

struct heard {
	unsigned count;
	layout_error kind;
};

static void hear(void *user, layout_error kind, const char *message, long position)
{
	struct heard *heard = user;

	assert_non_null(message);
	assert_true(position >= -1);
	heard->count++;
	heard->kind = kind;
}

static void callback_hears_every_error(void **state)
{
	layout_context *ctx = layout_context_new();
	struct heard heard = { 0, LAYOUT_ERROR_NONE };

	(void)state;
	layout_context_on_error(ctx, hear, &heard);
	assert_null(layout_relation_read(ctx, "{ nonsense"));
	assert_null(layout_storage_row_major(ctx, 1, (const char *[]){ "-1" }));
	assert_int_equal(heard.count, 2);
	assert_int_equal(heard.kind, LAYOUT_ERROR_INVALID);
	assert_true(layout_context_free(ctx));
}

static void leaks_are_told(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *relation = layout_relation_read(ctx, "{ [i] -> [i] }");

	(void)state;
	assert_false(layout_context_free(ctx));
	layout_relation_free(relation);
	assert_true(layout_context_free(ctx));
	assert_true(layout_context_free(NULL));
}

static void contexts_are_independent(void **state)
{
	layout_context *a = layout_context_new(), *b = layout_context_new();

	(void)state;
	layout_context_set_quota(a, 7);
	assert_null(layout_relation_read(a, "{"));
	assert_int_equal(layout_context_error(b), LAYOUT_ERROR_NONE);
	assert_int_equal(layout_context_quota(b), LAYOUT_DEFAULT_QUOTA);
	assert_true(layout_context_free(a));
	assert_true(layout_context_free(b));
}

static const struct {
	const char *text;
	long position;
} syntax_rows[] = {
	{ "", 0 },
	{ "{ [i] -> [j", 10 },
	{ "{ [i] -> [i + ] }", 14 },
	{ "{ [i] => [i] }", 7 },
	{ "[M] -> { [i] -> [k] : i < N }", 28 },
};

static void syntax_errors_have_positions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(syntax_rows) / sizeof(*syntax_rows); i++) {
		layout_context *ctx = layout_context_new();
		long position;

		assert_null(layout_relation_read(ctx, syntax_rows[i].text));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
		position = layout_context_position(ctx);
		if (position != syntax_rows[i].position)
			fail_msg("%s: position %ld, expected %ld", syntax_rows[i].text, position,
				syntax_rows[i].position);
		assert_true(layout_context_free(ctx));
	}
}

/* A 14-bit XOR swizzle: what plain isl cannot do quickly. */
static const char swizzle[] =
	"{ [r, c, d] -> [r, e, d] : 0 <= r < 64 and 0 <= c, e < 8 and 0 <= d < 32 and "
	"exists (r0, r1, r2, c0, c1, c2, e0, e1, e2, q : r = 8q + 4r2 + 2r1 + r0 and "
	"0 <= r0, r1, r2, c0, c1, c2, e0, e1, e2 <= 1 and c = 4c2 + 2c1 + c0 and "
	"e = 4e2 + 2e1 + e0 and (r0 + c0 + e0) mod 2 = 0 and (r1 + c1 + e1) mod 2 = 0 and "
	"(r2 + c2 + e2) mod 2 = 0) }";

static const unsigned long quotas[] = { 1, 10, 100, 1000, 3000, 10000, 30000, 100000 };

/* A question under a small quota is unknown, and says so; never "no". */
static void questions_run_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(quotas) / sizeof(*quotas); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *relation = layout_relation_read(ctx, swizzle);
		layout_witness *witness = NULL;
		layout_answer answer;

		assert_non_null(relation);
		layout_context_set_quota(ctx, quotas[i]);
		answer = layout_relation_is_injective(relation, &witness);
		assert_int_not_equal(answer, LAYOUT_NO);
		assert_null(witness);
		if (quotas[i] <= 1000)
			assert_int_equal(answer, LAYOUT_UNKNOWN);
		if (answer == LAYOUT_UNKNOWN) {
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
			assert_non_null(strstr(layout_context_message(ctx), "injective"));
		}
		layout_context_clear(ctx);
		layout_context_set_quota(ctx, LAYOUT_DEFAULT_QUOTA);
		layout_relation_free(relation);
		assert_true(layout_context_free(ctx));
	}
}

/* Reading and printing do not depend on the quota; isl alone would call the text
 * invalid, crash, or print an empty set. */
static void text_survives_a_small_quota(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(quotas) / sizeof(*quotas); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *relation;
		layout_set *set;
		char *text;

		layout_context_set_quota(ctx, quotas[i]);
		relation = layout_relation_read(ctx, swizzle);
		assert_non_null(relation);
		text = layout_relation_isl_str(relation);
		assert_non_null(strstr(text, "[r, c, d] -> [r"));
		layout_string_free(text);
		text = layout_relation_str(relation);
		assert_non_null(strstr(text, "[r, c, d] -> [r"));
		layout_string_free(text);
		layout_relation_free(relation);
		set = layout_set_read(ctx, "[M] -> { a[i] : 0 <= i < M and i mod 3 = 1 }");
		text = layout_set_str(set);
		assert_string_equal(text,
			"[M] -> { a[i] : (-1 + i) mod 3 = 0 and 0 <= i < M }");
		layout_string_free(text);
		layout_set_free(set);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(layout_context_free(ctx));
	}
}

static bool count_points(void *user, const int64_t *point, unsigned rank)
{
	(void)point;
	(void)rank;
	++*(size_t *)user;
	return true;
}

/* Enumerating gives all points or an error, never some. */
static void enumeration_is_whole_or_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(quotas) / sizeof(*quotas); i++) {
		layout_context *ctx = layout_context_new();
		layout_set *set = layout_set_read(ctx,
			"{ [i, j] : 0 <= i < 40 and 0 <= j < 40 and (i + j) mod 2 = 0 }");
		size_t count = 0;

		layout_context_set_quota(ctx, quotas[i]);
		if (layout_set_for_each(set, count_points, &count))
			assert_int_equal(count, 800);
		else
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
		layout_set_free(set);
		assert_true(layout_context_free(ctx));
	}
}

static layout_relation *try_compose(layout_relation *r)
{
	return layout_relation_compose(r, layout_relation_copy(r));
}

static layout_relation *try_union(layout_relation *r)
{
	return layout_relation_union(r, layout_relation_copy(r));
}

static layout_relation *try_subtract(layout_relation *r)
{
	return layout_relation_subtract(r, layout_relation_copy(r));
}

static layout_relation *try_product(layout_relation *r)
{
	return layout_relation_product(r, layout_relation_copy(r));
}

static layout_relation *try_restrict(layout_relation *r)
{
	return layout_relation_restrict(r, layout_relation_range(layout_relation_copy(r)));
}

static layout_relation *try_permute(layout_relation *r)
{
	return layout_relation_permute(r, (const unsigned[]){ 2, 0, 1 }, 3);
}

static layout_relation *try_project(layout_relation *r)
{
	return layout_relation_project(r, (const unsigned[]){ 1 }, 1);
}

static layout_relation *try_fix(layout_relation *r)
{
	return layout_relation_fix(r, (const layout_size[]){ { "M", 3 } }, 1);
}

/* Operations fail whole: NULL with a quota error, or a result without one.  The
 * quotas go up in small steps, so that every isl call runs out once. */
static void operations_run_out(void **state)
{
	static layout_relation *(*const operations[])(layout_relation *) = {
		try_compose, try_union, try_subtract, try_product, try_restrict, try_permute,
		try_project, try_fix, layout_relation_inverse, layout_relation_simplify,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		unsigned long quota = 1;
		bool done = false;

		for (unsigned round = 0; round < 200 && !done; round++, quota += 1 + quota / 16) {
			layout_context *ctx = layout_context_new();
			layout_relation *result, *relation = layout_relation_read(ctx,
				"[M] -> { [r, c, d] -> [r, floor((c + d)/3), d mod 4] : "
				"0 <= r < M and 0 <= c, d < 8 and (r + c) mod 2 = 0 }");

			layout_context_set_quota(ctx, quota);
			result = operations[i](layout_relation_copy(relation));
			done = result != NULL;
			assert_int_equal(layout_context_error(ctx), done ? LAYOUT_ERROR_NONE :
				LAYOUT_ERROR_QUOTA);
			layout_relation_free(result);
			layout_relation_free(relation);
			assert_true(layout_context_free(ctx));
		}
		assert_true(done);
	}
}

/* Text whose disjunctions multiply out is refused where that is seen, and else ends by the
 * quota, not never. */
static const struct {
	const char *begin, *opened, *middle, *closed;
	layout_error error;
} explosive_rows[] = {
	{ "{ [i] : i = 0", " and (i mod %u = 0 or i mod 3 = 1 or i > 5)", "", "",
	  LAYOUT_ERROR_UNSUPPORTED },
	{ "[M] -> { [i] : 0 <= i < ", "max(", "M", ", %u)", LAYOUT_ERROR_QUOTA },
};

#define EXPLOSIVE_PARTS 60u

static void append(char *text, size_t size, const char *part, unsigned count)
{
	for (unsigned k = 0; k < count; k++) {
		size_t length = strlen(text);

		snprintf(text + length, size - length, part, k + 2);
	}
}

static void explosive_text_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(explosive_rows) / sizeof(*explosive_rows); i++) {
		layout_context *ctx = layout_context_new();
		char text[4096];

		snprintf(text, sizeof(text), "%s", explosive_rows[i].begin);
		append(text, sizeof(text), explosive_rows[i].opened, EXPLOSIVE_PARTS);
		append(text, sizeof(text), explosive_rows[i].middle, 1);
		append(text, sizeof(text), explosive_rows[i].closed, EXPLOSIVE_PARTS);
		append(text, sizeof(text), " }", 1);
		layout_set_free(layout_set_read(ctx, text));
		if (layout_context_error(ctx) != explosive_rows[i].error)
			fail_msg("row %zu: %s", i, layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

/* A counter-example is found although the least one would take isl minutes. */
static void witnesses_do_not_hang(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *relation = layout_relation_read(ctx,
		"{ [i, j, k] -> [(5i + 3*floor((i + j)/3) + 7*floor((j + 2k)/5)) mod 1021, "
		"(j + 3*floor((3i + k)/7) + floor((k + j)/11)) mod 509, "
		"floor((i + 3j + 5k)/17)] : 0 <= i, j, k < 10000 }");
	layout_witness *witness = NULL;

	(void)state;
	assert_int_equal(layout_relation_is_injective(relation, &witness), LAYOUT_NO);
	assert_non_null(witness);
	layout_witness_free(witness);
	layout_relation_free(relation);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_error_stays),
		cmocka_unit_test(callback_hears_every_error),
		cmocka_unit_test(leaks_are_told),
		cmocka_unit_test(contexts_are_independent),
		cmocka_unit_test(syntax_errors_have_positions),
		cmocka_unit_test(questions_run_out),
		cmocka_unit_test(text_survives_a_small_quota),
		cmocka_unit_test(enumeration_is_whole_or_fails),
		cmocka_unit_test(operations_run_out),
		cmocka_unit_test(explosive_text_ends),
		cmocka_unit_test(witnesses_do_not_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
