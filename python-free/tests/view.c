/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations seen through other coordinates, against numbering point by point. */
#include "isl_bridge/relation.h"
#include "support/random.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANK 5
#define RANDOM_VIEWS 250

struct box {
	unsigned rank;
	int64_t sizes[RANK];
};

static layout_box as_box(const struct box *box)
{
	return (layout_box){ box->rank, box->sizes };
}

/* The number of a point, by counting one coordinate after the other. */
static int64_t number_of(const struct box *box, layout_order order, const int64_t *point)
{
	int64_t number = 0;

	for (unsigned k = box->rank; k-- > 0;) {
		unsigned i = order == LAYOUT_ORDER_COLEX ? k : box->rank - 1 - k;

		assert_in_range(point[i], 0, box->sizes[i] - 1);
		number = number * box->sizes[i] + point[i];
	}
	return number;
}

/* "points" as a product of random factors in a random number of sizes, some 1. */
static struct box random_box(uint64_t *random, int64_t points)
{
	struct box box = { .rank = 1 + random_below(random, RANK) };

	for (unsigned i = 0; i < box.rank; i++)
		box.sizes[i] = 1;
	for (int64_t factor = 2; points > 1; factor++)
		for (; points % factor == 0; points /= factor)
			box.sizes[random_below(random, box.rank)] *= factor;
	return box;
}

struct expected {
	const struct box *from, *to;
	layout_order order;
	layout_cute *cute;	/* between the numbers, or NULL for the identity */
	int64_t count;
};

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct expected *expected = user;
	int64_t before, after;

	assert_int_equal(in_rank, expected->from->rank);
	assert_int_equal(image_rank, expected->to->rank);
	before = number_of(expected->from, expected->order, in);
	if (expected->cute)
		assert_true(layout_cute_eval(expected->cute, before, &before));
	after = number_of(expected->to, expected->order, image);
	assert_int_equal(before, after);
	expected->count++;
	return true;
}

static void print_box(const char *what, const struct box *box)
{
	print_error("%s", what);
	for (unsigned i = 0; i < box->rank; i++)
		print_error(" %" PRId64, box->sizes[i]);
	print_error("\n");
}

/* Each point of "from" once; says which boxes if not all is well. */
static void check_relation(layout_context *ctx, layout_relation *relation,
	struct expected *expected, int64_t count)
{
	if (!relation || !layout_relation_for_each(relation, visit, expected) ||
			expected->count != count) {
		print_box("from", expected->from);
		print_box("to", expected->to);
		fail_msg("%" PRId64 " of %" PRId64 " points: %s", expected->count, count,
			layout_context_message(ctx));
	}
	assert_int_equal(layout_relation_is_function(relation, NULL), LAYOUT_YES);
	layout_relation_free(relation);
}

static const int64_t counts[] = { 1, 2, 7, 12, 16, 24, 36, 48, 64, 96, 160 };

static void test_renumber(void **state)
{
	uint64_t random = random_seed();

	(void)state;
	for (unsigned i = 0; i < RANDOM_VIEWS; i++) {
		layout_context *ctx = layout_context_new();
		int64_t count = counts[random_below(&random, 11)];
		struct box from = random_box(&random, count);
		struct box to = random_box(&random, count);
		struct expected expected = { &from, &to, random_below(&random, 2) ?
			LAYOUT_ORDER_LEX : LAYOUT_ORDER_COLEX, NULL, 0 };

		check_relation(ctx, layout_relation_renumber(ctx, as_box(&from),
			as_box(&to), expected.order), &expected, count);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(layout_context_free(ctx));
	}
}

/* A bijective CuTe layout of "count" points in a random order of modes. */
static layout_cute *random_cute(layout_context *ctx, uint64_t *random, int64_t count)
{
	struct box box = random_box(random, count);
	int64_t strides[RANK], stride = 1;
	int tree[RANK + 1] = { (int)box.rank, -1, -1, -1, -1, -1 };
	unsigned first = random_below(random, box.rank);

	for (unsigned k = 0; k < box.rank; k++) {
		unsigned i = (first + 2 * k + (box.rank % 2 ? 0 : k / (box.rank / 2))) %
			box.rank;

		strides[i] = stride;
		stride *= box.sizes[i];
	}
	return layout_cute_new(ctx, tree, box.rank + 1, box.sizes, strides, box.rank);
}

static void test_views(void **state)
{
	uint64_t random = random_seed();

	(void)state;
	for (unsigned i = 0; i < RANDOM_VIEWS; i++) {
		layout_context *ctx = layout_context_new();
		int64_t count = counts[random_below(&random, 11)];
		struct box from = random_box(&random, count);
		struct box to = random_box(&random, count);
		layout_box line = { 1, &count };
		struct expected expected = { &from, &to, LAYOUT_ORDER_COLEX,
			random_cute(ctx, &random, count), 0 };
		layout_relation *relation = layout_cute_relation(expected.cute);

		relation = layout_relation_view_ins(relation, line, as_box(&from),
			LAYOUT_ORDER_COLEX);
		relation = layout_relation_view_outs(relation, line, as_box(&to),
			LAYOUT_ORDER_COLEX);
		check_relation(ctx, relation, &expected, count);
		layout_cute_free(expected.cute);
		assert_true(layout_context_free(ctx));
	}
}

static void expect_error(layout_context *ctx, layout_relation *relation,
	layout_error kind, const char *message)
{
	assert_null(relation);
	if (layout_context_error(ctx) != kind ||
			!strstr(layout_context_message(ctx), message))
		fail_msg("%d: %s", layout_context_error(ctx), layout_context_message(ctx));
	layout_context_clear(ctx);
}

static void test_refused(void **state)
{
	static const int64_t huge[] = { INT64_C(1) << 40, INT64_C(1) << 40 };
	static const int64_t sizes[] = { 4, 6, -1, 0 };
	layout_context *ctx = layout_context_new();
	layout_order lex = LAYOUT_ORDER_LEX;

	(void)state;
	expect_error(ctx, layout_relation_renumber(ctx, (layout_box){ 2, sizes },
		(layout_box){ 1, sizes }, lex), LAYOUT_ERROR_SPACE,
		"4 * 6 = 24 points cannot be seen as 4");
	expect_error(ctx, layout_relation_renumber(ctx, (layout_box){ 0, NULL },
		(layout_box){ 2, sizes }, lex), LAYOUT_ERROR_SPACE,
		"1 points cannot be seen as 4 * 6 = 24");
	expect_error(ctx, layout_relation_renumber(ctx, (layout_box){ 3, sizes },
		(layout_box){ 1, sizes }, lex), LAYOUT_ERROR_INVALID, "not -1");
	expect_error(ctx, layout_relation_renumber(ctx, (layout_box){ 2, huge },
		(layout_box){ 1, sizes }, lex), LAYOUT_ERROR_OVERFLOW, "64 bits");
	expect_error(ctx, layout_relation_renumber(ctx, (layout_box){ 1, NULL },
		(layout_box){ 1, sizes }, lex), LAYOUT_ERROR_INVALID, "list of sizes");
	expect_error(ctx, layout_relation_name_ins(layout_relation_read(ctx,
		"{ [i] -> [i] }"), "a b"), LAYOUT_ERROR_INVALID, "`a b`");
	expect_error(ctx, layout_relation_name_outs(layout_relation_read(ctx,
		"{ [i] -> [i] }"), NULL), LAYOUT_ERROR_INVALID, "cannot be the name");
	expect_error(ctx, layout_relation_name_in_coordinates(layout_relation_read(ctx,
		"{ [i] -> [i] }"), NULL, 1), LAYOUT_ERROR_INVALID, "list of names");
	assert_null(layout_relation_view_ins(NULL, (layout_box){ 0, NULL },
		(layout_box){ 0, NULL }, lex));
	assert_null(layout_relation_view_outs(NULL, (layout_box){ 0, NULL },
		(layout_box){ 0, NULL }, lex));
	assert_null(layout_relation_name_ins(NULL, "a"));
	assert_null(layout_relation_renumber(NULL, (layout_box){ 0, NULL },
		(layout_box){ 0, NULL }, lex));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

/* The least boxes from 0 on, where there is one. */
static void test_boxes(void **state)
{
	static const struct {
		const char *set;
		bool boxed;
		int64_t sizes[2];
	} rows[] = {
		{ "{ [i, j] : 0 <= i < 4 and 2 <= j < 9 and (j mod 2) = 0 }",
			true, { 4, 9 } },
		{ "{ [i] : i = 3 or i = 7 }", true, { 8 } },
		{ "{ [i, j] : false }", true, { 0, 0 } },
		{ "{ [] }", true, { 0 } },
		{ "{ [i] : i >= 0 }", false, { 0 } },
		{ "{ [i] : -1 <= i < 4 }", false, { 0 } },
		{ "[M] -> { [i] : 0 <= i < M }", false, { 0 } },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_set *set = layout_set_read(ctx, rows[i].set);
		int64_t sizes[2] = { 0 };
		bool good = layout_set_box(set, sizes);

		if (good != rows[i].boxed)
			fail_msg("%s: %s", rows[i].set, layout_context_message(ctx));
		for (unsigned d = 0; good && d < layout_set_rank(set); d++)
			assert_int_equal(sizes[d], rows[i].sizes[d]);
		if (!good)
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
		layout_set_free(set);
	}
	assert_false(layout_set_box(NULL, NULL));
	assert_true(layout_context_free(ctx));
}

/* The least inputs, against looking at all of them. */
static bool visit_least(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	layout_cute *cute = user;
	int64_t offset, least = 0;

	assert_int_equal(in_rank, 1);
	assert_int_equal(image_rank, 1);
	while (layout_cute_eval(cute, least, &offset) && offset != *in)
		least++;
	assert_int_equal(image[0], least);
	return true;
}

/* What one way has no quota for, another has. */
static void least_behind_the_quota(layout_context *ctx)
{
	layout_relation *least;

	layout_context_set_quota(ctx, 20000);
	least = layout_relation_least_inverse(layout_relation_read(ctx,
		"{ [r, l, w, 0] -> [r mod 4 + 4*(l mod 2), floor(r/4) mod 4, floor(r/32)] : "
		"0 <= r < 128 and 0 <= l < 8 and 0 <= w < 32 }"));
	assert_non_null(least);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_relation_free(least);
	layout_context_set_quota(ctx, LAYOUT_DEFAULT_QUOTA);
}

static void test_least_inverse(void **state)
{
	static const char *const layouts[] = { "(4,8):(8,1)", "(2,3,4):(1,0,2)",
		"(3,5):(2,3)", "8:0", "(4,6):(1,4)", "(2,2,2):(4,1,4)", "(3,4):(-1,2)",
		"Sw<2,0,2> o 0 o (9,8):(14,1)", "Sw<2,2,3> o 0 o (12,5):(9,4)",
		"(2,(3,2)):(5,(0,5))", "0:1" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		layout_cute *cute = layout_cute_parse(ctx, layouts[i]);
		layout_relation *relation = layout_cute_relation(cute);
		layout_set *images = layout_relation_range(layout_relation_copy(relation));
		layout_relation *least = layout_relation_least_inverse(relation);

		assert_true(layout_relation_for_each(least, visit_least, cute));
		assert_int_equal(layout_relation_is_total(least, images, NULL), LAYOUT_YES);
		assert_int_equal(layout_relation_is_function(least, NULL), LAYOUT_YES);
		layout_relation_free(least);
		layout_set_free(images);
		layout_cute_free(cute);
	}
	assert_null(layout_relation_least_inverse(NULL));
	least_behind_the_quota(ctx);
	expect_error(ctx, layout_relation_least_inverse(layout_relation_read(ctx,
		"{ [i] -> [0] }")), LAYOUT_ERROR_NO_ANSWER, "no bound");
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_renumber),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_least_inverse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
