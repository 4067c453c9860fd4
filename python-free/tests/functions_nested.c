/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* "owners" and "owned" of the expressions, which are relations, against what
 * layout_nested_owners() and layout_nested_owned() count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <layout/layout.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 4096
#define NUMBERS 16

/* A plain one, tiles that all threads hold, threads that replicate, no powers of two,
 * and more subgroups than the hardware has. */
static const char *const layouts[] = {
	"nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [2, 1], "
	"thread_tile = [2, 2], element_tile = [1, 2], subgroup_strides = [1, 0], "
	"thread_strides = [2, 1], subgroup_size = 4>",
	"nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 2], outer_tile = [1, 1], "
	"thread_tile = [3, 2], element_tile = [1, 2], subgroup_strides = [0, 0], "
	"thread_strides = [0, 1], subgroup_size = 2>",
	"nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], "
	"thread_tile = [4], element_tile = [1], subgroup_strides = [0], "
	"thread_strides = [4], subgroup_size = 16>",
	"nested_layout<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], "
	"thread_tile = [4], element_tile = [2], subgroup_strides = [2], "
	"thread_strides = [3], subgroup_size = 8>",
	"nested_layout<subgroup_tile = [3], batch_tile = [2], outer_tile = [1], "
	"thread_tile = [5], element_tile = [3], subgroup_strides = [1], "
	"thread_strides = [1], subgroup_size = 6>",
	"nested_layout<subgroup_tile = [4, 2], batch_tile = [1, 1], outer_tile = [1, 1], "
	"thread_tile = [1, 2], element_tile = [1, 1], subgroup_strides = [1, 4], "
	"thread_strides = [0, 1], subgroup_size = 2, subgroup_count = 4>",
	"nested_layout<subgroup_tile = [1, 2], batch_tile = [2, 1], outer_tile = [1, 1], "
	"thread_tile = [2, 4], element_tile = [1, 1], subgroup_strides = [0, 1], "
	"thread_strides = [1, 2], subgroup_size = 4, subgroup_count = 1>",
	"nested_layout<subgroup_tile = [4], batch_tile = [1], outer_tile = [2], "
	"thread_tile = [5], element_tile = [1], subgroup_strides = [1], "
	"thread_strides = [7], subgroup_size = 5, subgroup_count = 1>",
	"nested_layout<subgroup_tile = [], batch_tile = [], outer_tile = [], "
	"thread_tile = [], element_tile = [], subgroup_strides = [], "
	"thread_strides = [], subgroup_size = 4>",
};

/* Pairs as rows of numbers, the holder before the coordinate. */
struct pairs {
	unsigned count;
	int64_t rows[PAIRS][NUMBERS];
};

static int64_t *next_row(struct pairs *pairs)
{
	assert_true(pairs->count < PAIRS);
	return memset(pairs->rows[pairs->count++], 0, sizeof(*pairs->rows));
}

static bool add_holding(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	int64_t *row = next_row(user);

	memcpy(row, holder, (1 + 3 * rank) * sizeof(*row));
	memcpy(row + 1 + 3 * rank, coordinate, rank * sizeof(*row));
	return true;
}

static bool add_owned(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	int64_t *row = next_row(user);

	memcpy(row, in, in_rank * sizeof(*row));
	memcpy(row + in_rank, image, image_rank * sizeof(*row));
	return true;
}

static bool add_owner(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	return add_owned(user, image, image_rank, in, in_rank);
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	for (unsigned i = 0; i < NUMBERS; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* The pairs of an expression are those that were counted. */
static void expect_pairs(layout_context *ctx, const char *expression,
	layout_visit_pair add, struct pairs *counted)
{
	static struct pairs pairs;
	layout_value *value = layout_value_parse(ctx, expression);

	pairs.count = 0;
	if (!layout_value_for_each(value, NULL, 0, add, &pairs))
		fail_msg("%s: %s", expression, layout_context_message(ctx));
	layout_value_free(value);
	qsort(pairs.rows, pairs.count, sizeof(*pairs.rows), compare);
	qsort(counted->rows, counted->count, sizeof(*counted->rows), compare);
	if (pairs.count != counted->count || memcmp(pairs.rows, counted->rows,
			pairs.count * sizeof(*pairs.rows)))
		fail_msg("%s: %u pairs, %u counted, or others", expression, pairs.count,
			counted->count);
}

static void test_owners(void **state)
{
	static struct pairs counted;
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *nested = layout_nested_parse(ctx, layouts[i]);
		unsigned rank = layout_nested_rank(nested);
		int64_t columns = rank == 2 ? layout_nested_size(nested, 1) : 1;
		int64_t end = layout_nested_size(nested, 0) * columns;

		for (int64_t x = 0; x < end; x++) {
			int64_t point[] = { x / columns, x % columns };

			if (!rank)
				break;
			counted.count = 0;
			assert_true(layout_nested_owners(nested, point, add_holding,
				&counted));
			snprintf(text, sizeof(text), rank == 2 ? "owners(%s, [%" PRId64
				", %" PRId64 "])" : "owners(%s, [%" PRId64 "])",
				layouts[i], point[0], point[1]);
			expect_pairs(ctx, text, add_owner, &counted);
		}
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

static void test_owned(void **state)
{
	static struct pairs counted;
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *nested = layout_nested_parse(ctx, layouts[i]);

		for (int64_t t = 0; t < layout_nested_threads(nested); t++) {
			counted.count = 0;
			assert_true(layout_nested_owned(nested, t, add_holding,
				&counted));
			snprintf(text, sizeof(text), "owned(%s, %" PRId64 ")",
				layouts[i], t);
			expect_pairs(ctx, text, add_owned, &counted);
		}
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

/* The points of the layout are those of its relation, in its order. */
static void test_points(void **state)
{
	static struct pairs pairs[2];
	static char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		layout_context *ctx = layout_context_new();

		for (int k = 0; k < 2; k++) {
			layout_value *value;

			snprintf(text, sizeof(text), k ? "simplify(%s)" : "%s", layouts[i]);
			value = layout_value_parse(ctx, text);
			pairs[k].count = 0;
			assert_true(layout_value_for_each(value, NULL, 0, add_owned,
				&pairs[k]));
			layout_value_free(value);
		}
		if (pairs[0].count != pairs[1].count || memcmp(pairs[0].rows,
				pairs[1].rows, pairs[0].count * sizeof(*pairs[0].rows)))
			fail_msg("%s: %u points, or another order than of %u", layouts[i],
				pairs[0].count, pairs[1].count);
		assert_true(layout_context_free(ctx));
	}
}

static bool stop(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	(void)in, (void)in_rank, (void)image, (void)image_rank;
	return ++*(unsigned *)user < 3;
}

static void test_stop(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, layouts[0]);
	unsigned calls = 0;

	(void)state;
	assert_true(layout_value_for_each(value, NULL, 0, stop, &calls));
	assert_int_equal(calls, 3);
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
}

/* The relation's answer: by the layout that it is made from, and alone. */
static void check_relation(layout_relation *relation, layout_set *box,
	layout_answer answer, const layout_witness *expected)
{
	layout_witness *witness = NULL;

	assert_int_equal(layout_relation_is_surjective(relation, box, &witness), answer);
	assert_int_equal(!witness, !expected);
	if (witness)
		assert_string_equal(witness->text, expected->text);
	layout_witness_free(witness);
}

/* Whether all is owned, and what is not, as the relation has it. */
static void test_surjective(void **state)
{
	unsigned seen[2] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *nested = layout_nested_parse(ctx, layouts[i]);
		layout_relation *relation = layout_nested_relation(nested);
		layout_relation *alone = layout_relation_inverse(
			layout_relation_inverse(layout_nested_relation(nested)));
		layout_set *box = layout_nested_box(nested);
		layout_witness *a = NULL;
		layout_answer answer = layout_nested_is_surjective(nested, &a);

		assert_int_not_equal(answer, LAYOUT_UNKNOWN);
		check_relation(relation, box, answer, a);
		check_relation(alone, box, answer, a);
		seen[answer == LAYOUT_YES]++;
		assert_int_equal(!a, answer == LAYOUT_YES);
		layout_witness_free(a);
		layout_relation_free(alone);
		layout_set_free(box);
		layout_relation_free(relation);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
	assert_true(seen[0] && seen[1]);
	assert_int_equal(layout_nested_is_surjective(NULL, NULL), LAYOUT_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_owned),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_surjective),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
