/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on relations and sets: rows of isl text. */
#include "support/random.h"
#include "support/share.h"
#include "isl_bridge/relation.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

typedef layout_relation *binary(layout_relation *, layout_relation *);

struct row {
	const char *a, *b;
	const char *result;	/* NULL: the spaces do not meet */
};

static void expect_equal(layout_context *ctx, const char *what, layout_relation *got,
	const char *expected)
{
	layout_relation *wanted = layout_relation_read(ctx, expected);
	layout_witness *witness = NULL;

	assert_non_null(wanted);
	if (layout_relation_equal(got, wanted, &witness) != LAYOUT_YES)
		fail_msg("%s: differs from %s at %s", what, expected,
			witness ? witness->text : layout_context_message(ctx));
	layout_relation_free(wanted);
}

static void run_binary(binary *operation, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *a = layout_relation_read(ctx, rows[i].a);
		layout_relation *b = layout_relation_read(ctx, rows[i].b), *result;

		assert_non_null(a);
		assert_non_null(b);
		result = operation(a, b);
		if (rows[i].result) {
			assert_non_null(result);
			expect_equal(ctx, rows[i].a, result, rows[i].result);
		} else {
			assert_null(result);
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
		}
		layout_relation_free(result);
		assert_true(layout_context_free(ctx));
	}
}
#define RUN_BINARY(operation, rows) run_binary(operation, rows, sizeof(rows) / sizeof(*rows))

static const struct row compose_rows[] = {
	{ "{ B[i] -> C[2i] }", "{ A[i] -> B[i + 1] }", "{ A[i] -> C[2i + 2] }" },
	{ "{ B[i] -> C[i] : i < 4 }", "{ A[i] -> B[i] }", "{ A[i] -> C[i] : i < 4 }" },
	{ "{ C[i] -> D[i] }", "{ A[i] -> B[i] }", NULL },
	{ "{ B[i, j] -> C[i] }", "{ A[i] -> B[i] }", NULL },
	{ "{ [i] -> C[2i] }", "{ A[i] -> B[i + 1] }", "{ A[i] -> C[2i + 2] }" },
	{ "{ B[i] -> C[2i] }", "{ A[i] -> [i + 1] }", "{ A[i] -> C[2i + 2] }" },
	{ "{ [i] -> [j] : 0 <= j < 2 }", "{ [i] -> [i] : 0 <= i < 3 }",
		"{ [i] -> [j] : 0 <= i < 3 and 0 <= j < 2 }" },
	{ "[M] -> { [i] -> [i + M] }", "[K] -> { [i] -> [K * 1 + i] }",
		"[M, K] -> { [i] -> [i + M + K] }" },
	{ "{ [i] -> [i] : 1 = 0 }", "{ [i] -> [i] }", "{ [i] -> [i] : 1 = 0 }" },
	{ "{ [] -> [5] }", "{ [i] -> [] }", "{ [i] -> [5] }" },
};

static const struct row product_rows[] = {
	{ "{ A[i] -> B[2i] }", "{ C[j] -> D[j, j] }", "{ [i, j] -> [2i, j, j] }" },
	{ "{ [] -> [1] }", "{ [j] -> [] }", "{ [j] -> [1] }" },
};

static const struct row union_rows[] = {
	{ "{ A[i] -> B[i] : i < 0 }", "{ A[i] -> B[i] : i >= 0 }", "{ A[i] -> B[i] }" },
	{ "{ A[i] -> B[i] }", "{ A[i] -> C[i] }", NULL },
	{ "{ A[i] -> B[i] }", "{ A[i] -> B[i, i] }", NULL },
};

static const struct row intersect_rows[] = {
	{ "{ A[i] -> B[j] : i < j }", "{ A[i] -> B[j] : j < i + 2 }", "{ A[i] -> B[i + 1] }" },
	{ "{ [i] -> B[i] }", "{ A[i] -> B[i] : i > 3 }", "{ A[i] -> B[i] : i > 3 }" },
};

static const struct row subtract_rows[] = {
	{ "{ [i] -> [i] : 0 <= i < 9 }", "{ [i] -> [i] : i mod 2 = 0 }",
		"{ [i] -> [i] : 0 <= i < 9 and i mod 2 = 1 }" },
	{ "{ A[i] -> [i] }", "{ B[i] -> [i] }", NULL },
};

static void binary_operations(void **state)
{
	(void)state;
	RUN_BINARY(layout_relation_compose, compose_rows);
	RUN_BINARY(layout_relation_product, product_rows);
	RUN_BINARY(layout_relation_union, union_rows);
	RUN_BINARY(layout_relation_intersect, intersect_rows);
	RUN_BINARY(layout_relation_subtract, subtract_rows);
}

/* A space error names both spaces. */
static void space_errors_name_both(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_null(layout_relation_compose(layout_relation_read(ctx, "{ logical[i, j] -> [i] }"),
		layout_relation_read(ctx, "{ [i] -> cell[i] }")));
	assert_non_null(strstr(layout_context_message(ctx), "logical[2]"));
	assert_non_null(strstr(layout_context_message(ctx), "cell[1]"));
	assert_true(layout_context_free(ctx));
}

/* NULL passes through, releases what it meets and leaves the first error alone. */
static void null_is_an_earlier_failure(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_null(layout_relation_compose(layout_relation_read(ctx, "{ oh"),
		layout_relation_read(ctx, "{ [i] -> [i] }")));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
	assert_null(layout_relation_restrict(NULL, layout_set_read(ctx, "{ [i] }")));
	assert_null(layout_relation_inverse(NULL));
	assert_null(layout_relation_simplify(NULL));
	assert_int_equal(layout_relation_is_function(NULL, NULL), LAYOUT_UNKNOWN);
	assert_null(layout_relation_str(NULL));
	layout_relation_free(NULL);
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *relation, *set, *on_domain, *on_range;
} restrict_rows[] = {
	{ "{ [i] -> [i + 1] }", "{ [i] : 0 <= i < 4 }", "{ [i] -> [i + 1] : 0 <= i < 4 }",
		"{ [i] -> [i + 1] : -1 <= i < 3 }" },
	{ "{ A[i] -> A[2i] }", "[M] -> { [i] : i < M }", "[M] -> { A[i] -> A[2i] : i < M }",
		"[M] -> { A[i] -> A[2i] : 2i < M }" },
	{ "{ A[i] -> B[i] }", "{ C[i] }", NULL, NULL },
};

static void restricting(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(restrict_rows) / sizeof(*restrict_rows); i++)
		for (int range = 0; range < 2; range++) {
			layout_context *ctx = layout_context_new();
			layout_relation *relation = layout_relation_read(ctx,
				restrict_rows[i].relation);
			layout_set *set = layout_set_read(ctx, restrict_rows[i].set);
			const char *expected = range ? restrict_rows[i].on_range :
				restrict_rows[i].on_domain;

			relation = range ? layout_relation_restrict_range(relation, set) :
				layout_relation_restrict(relation, set);
			if (expected)
				expect_equal(ctx, restrict_rows[i].relation, relation, expected);
			else
				assert_null(relation);
			layout_relation_free(relation);
			assert_true(layout_context_free(ctx));
		}
}

static const struct {
	const char *relation;
	unsigned dims[3], count;
	const char *permuted, *projected;
} select_rows[] = {
	{ "{ A[i, j] -> B[i, j, 2i] }", { 2, 0, 1 }, 3, "{ A[i, j] -> [2i, i, j] }",
		"{ A[i, j] -> [] }" },
	{ "{ [i] -> [i, 7] }", { 1 }, 1, NULL, "{ [i] -> [i] }" },
	{ "{ [i] -> [i, 7] }", { 1, 1 }, 2, NULL, NULL },
	{ "{ [i] -> [i, 7] }", { 0, 2 }, 2, NULL, NULL },
	{ "{ [i] -> [] }", { 0 }, 0, "{ [i] -> [] }", "{ [i] -> [] }" },
};

static void selecting(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(select_rows) / sizeof(*select_rows); i++)
		for (int project = 0; project < 2; project++) {
			layout_context *ctx = layout_context_new();
			layout_relation *relation = layout_relation_read(ctx,
				select_rows[i].relation);
			const char *expected = project ? select_rows[i].projected :
				select_rows[i].permuted;

			relation = (project ? layout_relation_project : layout_relation_permute)(
				relation, select_rows[i].dims, select_rows[i].count);
			if (expected) {
				expect_equal(ctx, select_rows[i].relation, relation, expected);
			} else {
				assert_null(relation);
				assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
			}
			layout_relation_free(relation);
			assert_true(layout_context_free(ctx));
		}
}

static const struct {
	const char *text, *printed;
} print_rows[] = {
	{ "{ [i] -> [i mod 4] }", "{ [i] -> [i mod 4] }" },
	{ "{ [i] -> [floor(i/4) mod 8, i mod 4, floor((i mod 128)/32)] }",
		"{ [i] -> [floor(i/4) mod 8, i mod 4, floor(i/32) mod 4] }" },
	{ "{ [i] -> [floor((i + 3)/4)] }", "{ [i] -> [ceil(i/4)] }" },
	{ "{ A[i, j] -> B[j, 16i + j] : 0 <= i < 4 }",
		"{ A[i, j] -> B[j, 16i + j] : 0 <= i <= 3 }" },
	{ "{ [i, j] -> [(3i - 2j) mod 7] }", "{ [i, j] -> [(3i - 2j) mod 7] }" },
	{ "{ [i] -> [-i] }", "{ [i] -> [-i] }" },
	{ "{ [i] -> [-(i mod 4)] }", "{ [i] -> [-(i mod 4)] }" },
	{ "{ [i] -> [-floor(i/4)] }", "{ [i] -> [-floor(i/4)] }" },
	{ "{ [i] -> [5 - i] }", "{ [i] -> [5 - i] }" },
	{ "{ [i] -> [0] : i < 0 or i > 10 }", "{ [i] -> [0] : i < 0 or i >= 11 }" },
	{ "{ [i] -> [j] : 0 <= j <= i }", "{ [i] -> [j] : 0 <= j <= i }" },
	{ "[M] -> { [i] -> [i + 2M] : i < M }", "[M] -> { [i] -> [i + 2M] : i < M }" },
	{ "[i] -> { [j] -> [j + i] }", "[i] -> { [j] -> [j + i] }" },
	{ "{ [a, b, c, d, e] -> [4*(e mod 3) + 2*floor(b/5)] }",
		"{ [a, b, c, d, e] -> [2*floor(b/5) + 4*(e mod 3)] }" },
	{ "{ [] -> [3] }", "{ [] -> [3] }" },
	{ "{ [i] -> [i, i] : false }", "{ [i] -> [o0, o1] : false }" },
	{ "{ [i, j] -> [floor(i/4), 12*floor(j/12) + (3i + j) mod 12, i mod 4] : "
		"0 <= i < 4 and 0 <= j < 12 }",
		"{ [i, j] -> [0, (3i + j) mod 12, i] : 0 <= i <= 3 and 0 <= j <= 11 }" },
	{ "{ [i] -> [floor(i/4), i mod 4] : 4 <= i < 8 }",
		"{ [i] -> [1, i - 4] : 4 <= i <= 7 }" },
	{ "{ [i] -> [floor(i/4)] : -4 <= i < 0 }", "{ [i] -> [-1] : -4 <= i < 0 }" },
	{ "{ [i] -> [floor(i/4)] : 0 <= i <= 4 }",
		"{ [i] -> [floor(i/4)] : 0 <= i <= 4 }" },
	{ "{ [i, j] -> [floor((8i + j)/64)] : 0 <= j < 8 }",
		"{ [i, j] -> [floor(i/8)] : 0 <= j <= 7 }" },
	{ "{ [i, j] -> [floor((8i + j)/64)] : 0 <= j < 9 }",
		"{ [i, j] -> [floor((8i + j)/64)] : 0 <= j <= 8 }" },
	{ "[M] -> { [i] -> [i + floor(M/8)] : 0 <= M < 8 }",
		"[M] -> { [i] -> [i] : 0 <= M <= 7 }" },
	{ "{ [i] -> [floor(i/4)] : 0 <= i < 4 or 8 <= i < 12 }",
		"{ [i] -> [0] : 0 <= i <= 3; [i] -> [2] : 8 <= i <= 11 }" },
	{ "{ [i, j] -> [80i + j - 64*floor((8i + j)/64)] }",
		"{ [i, j] -> [72i + (8i + j) mod 64] }" },
	{ "{ [k] -> [k + 4*(floor(k/4) mod 2) - 4*floor(k/8)] }",
		"{ [k] -> [k mod 4 + 8*(floor(k/4) mod 2) + 4*floor(k/8)] }" },
	{ "{ [i] -> [j] : 2*floor(i/2) <= j <= i }", "{ [i] -> [j] : j <= i and 2*floor(i/2) <= j }" },
	{ "[M] -> { [i] -> [i] : 4*floor(i/4) < M - floor((i + 1)/3) }", 
		"[M] -> { [i] -> [i] : 12*floor(i/4) <= -2 + 3M - i }" },
};

/* What is printed is as written here, and reads back as the same relation. */
static void printing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(print_rows) / sizeof(*print_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *relation = layout_relation_read(ctx, print_rows[i].text);
		char *text = layout_relation_str(relation);

		assert_non_null(text);
		assert_string_equal(text, print_rows[i].printed);
		expect_equal(ctx, print_rows[i].text, relation, text);
		layout_string_free(text);
		layout_relation_free(relation);
		assert_true(layout_context_free(ctx));
	}
}

/* A random affine expression with floors and remainders, of bounded depth. */
static void random_expression(char *text, size_t size, uint64_t *seed, unsigned depth)
{
	char inner[400];
	size_t length;

	snprintf(text, size, "%dj + %d", (int)(random_below(seed, 7)) - 3,
		(int)(random_below(seed, 9)) - 4);
	for (unsigned i = 0; i < 2 && depth; i++) {
		random_expression(inner, sizeof(inner), seed, depth - 1);
		length = strlen(text);
		snprintf(text + length, size - length, random_below(seed, 2) ?
			" + %d*floor((%s + 2k)/%u)" : " - %d*((k + %s) mod %u)",
			(int)(random_below(seed, 5)), inner, (unsigned)(random_below(seed, 12)) + 1);
	}
}

struct pairs {
	int64_t values[64][3];
	size_t count;
};

static bool collect_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct pairs *pairs = user;

	assert_int_equal(in_rank, 2);
	assert_int_equal(image_rank, 1);
	assert_true(pairs->count < 64);
	pairs->values[pairs->count][0] = in[0];
	pairs->values[pairs->count][1] = in[1];
	pairs->values[pairs->count++][2] = image[0];
	return true;
}

/* The printed text has the same pairs. */
static void expect_printed_back(const char *text, size_t points)
{
	layout_context *ctx = layout_context_new();
	struct pairs before = { .count = 0 }, after = { .count = 0 };
	layout_relation *relation = layout_relation_read(ctx, text), *again;
	char *printed = layout_relation_str(relation);

	assert_non_null(printed);
	again = layout_relation_read(ctx, printed);
	assert_true(layout_relation_for_each(relation, collect_pair, &before));
	assert_true(layout_relation_for_each(again, collect_pair, &after));
	assert_int_equal(before.count, points);
	if (after.count != points || memcmp(&before, &after, sizeof(before)) != 0)
		fail_msg("%s printed as %s", text, printed);
	layout_string_free(printed);
	layout_relation_free(relation);
	layout_relation_free(again);
	assert_true(layout_context_free(ctx));
}

/* Printing never changes the meaning, point by point. */
static void random_functions_print_back(void **state)
{
	uint64_t seed = 0x9e3779b97f4a7c15;

	(void)state;
	print_message("seed 0x%llx\n", (unsigned long long)seed);
	for (unsigned round = 0; round < share_count(60); round++) {
		char expression[2000], text[2100];

		random_expression(expression, sizeof(expression), &seed, 1);
		snprintf(text, sizeof(text), "{ [j, k] -> [%s] : 0 <= j < 9 and 0 <= k < 7 }",
			expression);
		expect_printed_back(text, 63);
	}
}

/* "floor((8j - 3k + 5)/24)", or a remainder, of round numbers. */
static void random_quotient(char *text, size_t size, uint64_t *seed)
{
	static const int factors[] = { 1, 2, 3, 4, 6, 8, 12, -1, -4 };
	static const int divisors[] = { 2, 4, 6, 8, 12, 24, 64 };
	int j = factors[random_below(seed, 9)], k = factors[random_below(seed, 9)];
	int c = (int)(random_below(seed, 40)) - 20, by = divisors[random_below(seed, 7)];

	snprintf(text, size, random_below(seed, 3) ? "floor((%dj + %dk + %d)/%d)" :
		"(%dj + %dk + %d) mod %d", j, k, c, by);
}

/* Nor where floors are the same on all of a small box, or on its two parts. */
static void random_boxes_print_back(void **state)
{
	uint64_t seed = 0xd1b54a32d192ed03;

	(void)state;
	print_message("seed 0x%llx\n", (unsigned long long)seed);
	for (unsigned round = 0; round < share_count(150); round++) {
		int j = (int)(random_below(&seed, 40)) - 20;
		int k = (int)(random_below(&seed, 40)) - 20;
		int width = (int)(random_below(&seed, 8)) + 1;
		int height = (int)(random_below(&seed, 4)) + 1;
		bool two = random_below(&seed, 4) == 0;
		char a[80], b[80], text[500];

		random_quotient(a, sizeof(a), &seed);
		random_quotient(b, sizeof(b), &seed);
		snprintf(text, sizeof(text), "{ [j, k] -> [%d*(%s) + floor((%s + %d*(%s))/4)] : "
			"(%d <= j < %d%s) and %d <= k < %d }",
			(int)(random_below(&seed, 7)) - 3, a, b,
			(int)(random_below(&seed, 5)), a, j, j + width,
			two ? " or 40 <= j < 44" : "", k, k + height);
		expect_printed_back(text, (size_t)((width + 4 * two) * height));
	}
}

static const struct {
	const char *relation, *printed;		/* NULL: no affine map */
} affine_map_rows[] = {
	{ "[s] -> { [a, b] -> [floor(a/4), b + s] }",
		"affine_map<(d0, d1)[s0] -> (d0 floordiv 4, d1 + s0)>" },
	{ "{ [a] -> [a mod 4, ceil(a/8), 3a - 1] }",
		"affine_map<(d0) -> (d0 mod 4, d0 ceildiv 8, d0 * 3 - 1)>" },
	{ "{ [a] -> [-(a mod 4), -floor(a/3), 3 - (a mod 5)] }",
		"affine_map<(d0) -> (-(d0 mod 4), -(d0 floordiv 3), 3 - (d0 mod 5))>" },
	{ "{ [] -> [] }", "affine_map<() -> ()>" },
	{ "{ [a] -> [b] }", NULL },
	{ "{ [a] -> [a] : a < 0; [a] -> [-a] : a >= 0 }", NULL },
};

static void printing_affine_maps(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(affine_map_rows) / sizeof(*affine_map_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *relation = layout_relation_read(ctx, affine_map_rows[i].relation);
		char *text = layout_relation_affine_map_str(relation);

		if (affine_map_rows[i].printed) {
			assert_non_null(text);
			assert_string_equal(text, affine_map_rows[i].printed);
		} else {
			assert_null(text);
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
		}
		layout_string_free(text);
		layout_relation_free(relation);
		assert_true(layout_context_free(ctx));
	}
}

static void fixing_sizes(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *relation = layout_relation_fix(layout_relation_read(ctx,
		"[M, K] -> { [i] -> [i + K] : 0 <= i < M }"),
		(const layout_size[]){ { "K", 7 }, { "absent", 1 } }, 2);
	layout_set *set = layout_set_fix(layout_set_read(ctx, "[M] -> { [i] : 0 <= i < M }"),
		(const layout_size[]){ { "M", 3 } }, 1);
	char *text = layout_set_str(set);

	(void)state;
	expect_equal(ctx, "fix", relation, "[M] -> { [i] -> [i + 7] : 0 <= i < M }");
	assert_string_equal(text, "{ [i] : 0 <= i <= 2 }");
	layout_string_free(text);
	layout_set_free(set);
	layout_relation_free(relation);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(binary_operations),
		cmocka_unit_test(space_errors_name_both),
		cmocka_unit_test(null_is_an_earlier_failure),
		cmocka_unit_test(restricting),
		cmocka_unit_test(selecting),
		cmocka_unit_test(printing),
		cmocka_unit_test(random_functions_print_back),
		cmocka_unit_test(random_boxes_print_back),
		cmocka_unit_test(printing_affine_maps),
		cmocka_unit_test(fixing_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
