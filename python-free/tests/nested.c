/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts: who owns what, against the published table and the formula. */
#include "isl_bridge/relation.h"
#include "support/nested_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct owned {
	const int64_t *input;
	unsigned in_rank, rank;
	int64_t image[MODEL_RANK];
	unsigned count;
};

static bool find_input(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct owned *owned = user;

	assert_int_equal(in_rank, owned->in_rank);
	if (memcmp(in, owned->input, in_rank * sizeof(*in)) == 0) {
		memcpy(owned->image, image, image_rank * sizeof(*image));
		owned->count++;
	}
	return true;
}

/* The one coordinate of (thread, b.., o.., e..). */
static void expect_owned(layout_context *ctx, layout_relation *relation,
	const int64_t *input, unsigned rank, const int64_t *expected)
{
	struct owned owned = { .input = input, .in_rank = 1 + 3 * rank, .rank = rank };
	char text[600] = "{ [";
	layout_relation *one;

	for (unsigned i = 0; i < owned.in_rank; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%lld",
			i ? ", " : "", (long long)input[i]);
	strcat(text, "] }");
	one = layout_relation_restrict(layout_relation_copy(relation),
		layout_set_read(ctx, text));
	assert_true(layout_relation_for_each(one, find_input, &owned));
	assert_int_equal(owned.count, 1);
	assert_memory_equal(owned.image, expected, rank * sizeof(*expected));
	layout_relation_free(one);
}

static void check_row(const struct model_row *row)
{
	layout_context *ctx = layout_context_new();
	const struct model *model = &row->model;
	int64_t input[1 + 3 * MODEL_RANK] = { 0 };
	layout_nested *nested = model_build(ctx, model);
	layout_relation *relation = layout_nested_relation(nested);

	assert_non_null(relation);
	input[0] = row->thread % model_threads(model);
	expect_owned(ctx, relation, input, model->rank, row->first);
	for (unsigned d = 0; d < model->rank; d++) {
		input[1 + d] = model->lists[B][d] - 1;
		input[1 + model->rank + d] = model->lists[O][d] - 1;
	}
	expect_owned(ctx, relation, input, model->rank, row->last);
	layout_relation_free(relation);
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

static void published_ownership(void **state)
{
	(void)state;
	assert_in_range(model_check_rows(TEST_DATA_DIR "/vectors/nested_ownership.tsv",
		check_row), 101, 100000);
}

static const struct {
	struct model model;
	layout_answer function, injective, bijective;
} property_rows[] = {
	/* the documentation's example */
	{ { 2, { { 2, 1 }, { 2, 4 }, { 1, 1 }, { 16, 4 }, { 1, 4 }, { 1, 0 }, { 1, 16 } },
	  64 },
	  LAYOUT_YES, LAYOUT_YES, LAYOUT_YES },
	/* a stride of 0 distributes nothing: every thread holds all four */
	{ { 1, { { 1 }, { 1 }, { 1 }, { 4 }, { 1 }, { 0 }, { 0 } }, 64 },
	  LAYOUT_NO, LAYOUT_NO, LAYOUT_NO },
	/* a gap: 16 of 64 threads in four copies */
	{ { 1, { { 1 }, { 1 }, { 1 }, { 4 }, { 1 }, { 0 }, { 16 } }, 64 },
	  LAYOUT_YES, LAYOUT_NO, LAYOUT_NO },
	/* overlapping strides: both ids read the same bits */
	{ { 2, { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 4, 4 }, { 1, 1 }, { 0, 0 }, { 1, 1 } },
	  64 },
	  LAYOUT_YES, LAYOUT_NO, LAYOUT_NO },
	/* odd sizes */
	{ { 2, { { 1, 1 }, { 3, 1 }, { 1, 5 }, { 7, 3 }, { 1, 2 }, { 0, 0 }, { 3, 1 } },
	  21 },
	  LAYOUT_YES, LAYOUT_YES, LAYOUT_YES },
	{ { 0, { { 0 } }, 1 }, LAYOUT_YES, LAYOUT_YES, LAYOUT_YES },
};

/* The extents are the products of the tiles. */
static void expect_sizes(layout_nested *nested, const struct model *l)
{
	assert_int_equal(layout_nested_rank(nested), l->rank);
	for (unsigned d = 0; d < l->rank; d++) {
		int64_t extent = 1;

		for (unsigned level = 0; level < 5; level++)
			extent *= l->lists[level][d];
		assert_int_equal(layout_nested_size(nested, d), extent);
	}
	assert_int_equal(layout_nested_size(nested, l->rank), 0);
}

static void properties(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(property_rows) / sizeof(*property_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &property_rows[i].model);
		layout_relation *relation = layout_nested_relation(nested);
		layout_set *box = layout_nested_box(nested);

		assert_int_equal(layout_relation_is_function(relation, NULL),
			property_rows[i].function);
		assert_int_equal(layout_relation_is_injective(relation, NULL),
			property_rows[i].injective);
		assert_int_equal(layout_relation_is_bijective(relation, box, NULL),
			property_rows[i].bijective);
		expect_sizes(nested, &property_rows[i].model);
		layout_set_free(box);
		layout_relation_free(relation);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	struct model model;
	layout_error kind;
} bad_rows[] = {
	{ { 1, { { 1 }, { 0 }, { 1 }, { 4 }, { 1 }, { 0 }, { 1 } }, 64 },
	  LAYOUT_ERROR_INVALID },
	{ { 1, { { 1 }, { 1 }, { 1 }, { -4 }, { 1 }, { 0 }, { 1 } }, 64 },
	  LAYOUT_ERROR_INVALID },
	{ { 1, { { 1 }, { 1 }, { 1 }, { 4 }, { 1 }, { 0 }, { -1 } }, 64 },
	  LAYOUT_ERROR_INVALID },
	{ { 1, { { 1 }, { 1 }, { 1 }, { 4 }, { 1 }, { 0 }, { 1 } }, -2 },
	  LAYOUT_ERROR_INVALID },
	{ { 1, { { 1 }, { INT64_MAX }, { 2 }, { 4 }, { 1 }, { 0 }, { 1 } }, 64 },
	  LAYOUT_ERROR_OVERFLOW },
	/* each extent fits, the vector does not; nor do the threads */
	{ { 2, { { 1, 1 }, { (int64_t)1 << 32, 1 }, { 1, 1 }, { 1, 1 },
	    { 1, (int64_t)1 << 32 }, { 0, 0 }, { 0, 0 } }, 64 }, LAYOUT_ERROR_OVERFLOW },
	{ { 1, { { 2 }, { 1 }, { 1 }, { 1 }, { 1 }, { (int64_t)1 << 55 }, { 0 } }, 64 },
	  LAYOUT_ERROR_OVERFLOW },
	{ { 1, { { 1 }, { 1 }, { 1 }, { 3 }, { 1 }, { 0 }, { INT64_MAX / 2 } }, 64 },
	  LAYOUT_ERROR_OVERFLOW },
};

static void bad_layouts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(*bad_rows); i++) {
		layout_context *ctx = layout_context_new();

		assert_null(model_build(ctx, &bad_rows[i].model));
		assert_int_equal(layout_context_error(ctx), bad_rows[i].kind);
		assert_true(layout_context_free(ctx));
	}
}

/* Little quota: the relation, or unknown. */
static void quotas(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(property_rows) / sizeof(*property_rows); i++)
		for (unsigned long quota = 1; quota < 5000; quota += quota / 3 + 1) {
			layout_context *ctx = layout_context_new();
			layout_nested *nested = model_build(ctx, &property_rows[i].model);
			layout_relation *relation;
			layout_set *box;

			layout_context_set_quota(ctx, quota);
			relation = layout_nested_relation(nested);
			box = layout_nested_box(nested);
			if (!relation || !box)
				assert_int_equal(layout_context_error(ctx),
					LAYOUT_ERROR_QUOTA);
			layout_set_free(box);
			layout_relation_free(relation);
			layout_nested_free(nested);
			assert_true(layout_context_free(ctx));
		}
}

#define ONE "nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], " \
	"thread_tile = [4], element_tile = [1], subgroup_strides = [0], " \
	"thread_strides = [1]"

static const struct {
	const char *text;
	const char *message;	/* NULL: prints as it is */
} text_rows[] = {
	{ ONE ">", NULL },
	{ ONE ", subgroup_size = 32>", NULL },
	{ ONE ", subgroup_count = 4>", NULL },
	{ ONE ", subgroup_size = 32, subgroup_count = 4>", NULL },
	{ ONE ", subgroup_count = 0>", "subgroup_count must be at least 1, not 0" },
	{ ONE ", subgroup_size = -1>", "subgroup_size must be at least 1, not -1" },
	{ ONE ", subgroup_count = 2, subgroup_count = 2>",
	  "`subgroup_count` is given twice" },
	{ ONE ", batch_tile = [1]>", "`batch_tile` is given twice" },
};

static void texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(text_rows) / sizeof(*text_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *nested = layout_nested_parse(ctx, text_rows[i].text);
		layout_nested *copy = layout_nested_copy(nested);
		char *text = layout_nested_str(copy);

		if (text_rows[i].message)
			assert_string_equal(layout_context_message(ctx),
				text_rows[i].message);
		else
			assert_string_equal(text, text_rows[i].text);
		layout_string_free(text);
		layout_nested_free(copy);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	size_t size;
	int64_t given;
	size_t threads;
} size_rows[] = {
	{ sizeof(layout_nested_desc), 32, 32 },
	{ sizeof(layout_nested_desc), 0, 64 },
	/* an older caller's description: what follows it is not looked at */
	{ offsetof(layout_nested_desc, subgroup_size), -7, 64 },
};

static bool count_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	(void)in, (void)in_rank, (void)image, (void)image_rank;
	++*(size_t *)user;
	return true;
}

/* One element, which each thread of the only subgroup holds. */
static void described_sizes(void **state)
{
	static const int64_t one[] = { 1 }, none[] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(size_rows) / sizeof(*size_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested_desc desc = { size_rows[i].size, 1, one, one, one, one, one,
			none, none, size_rows[i].given, 0 };
		layout_nested *nested = layout_nested_new(ctx, &desc);
		layout_relation *relation = layout_nested_relation(nested);
		size_t threads = 0;

		assert_true(layout_relation_for_each(relation, count_pair, &threads));
		assert_int_equal(threads, size_rows[i].threads);
		layout_relation_free(relation);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_ownership),
		cmocka_unit_test(properties),
		cmocka_unit_test(bad_layouts),
		cmocka_unit_test(described_sizes),
		cmocka_unit_test(quotas),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
