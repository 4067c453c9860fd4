/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Register layouts repeated in registers and over subgroups, against the layout of one
 * instruction, point by point. */
#include "isl_bridge/relation.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct row {
	const char *name, *target;
	layout_mma_operand operand;
	bool of_m, of_n;		/* rows are of M, columns of N */
	int64_t repeat[2], subgroups[2];
} rows[] = {
	{ "MFMA_F32_16x16x16_F16", NULL, LAYOUT_MMA_LHS, true, false, { 4, 2 }, { 2, 2 } },
	{ "MFMA_F32_16x16x16_F16", NULL, LAYOUT_MMA_RHS, false, true, { 2, 3 }, { 2, 3 } },
	{ "MFMA_F32_16x16x16_F16", NULL, LAYOUT_MMA_ACC, true, true, { 3, 2 }, { 3, 2 } },
	{ "MFMA_F32_32x32x8_F16", NULL, LAYOUT_MMA_ACC, true, true, { 1, 2 }, { 2, 1 } },
	{ "MFMA_F32_4x4x4x16B_F16", NULL, LAYOUT_MMA_LHS, true, false, { 2, 3 }, { 2, 1 } },
	{ "MFMA_F32_4x4x4x16B_F16", NULL, LAYOUT_MMA_ACC, true, true, { 2, 3 }, { 1, 2 } },
	{ "MFMA_SCALE_F32_16x16x128_B32", NULL, LAYOUT_MMA_LHS_SCALE, true, false,
		{ 2, 2 }, { 2, 2 } },
	{ "v_wmma_f32_16x16x16_f16", "gfx1100", LAYOUT_MMA_LHS, true, false, { 2, 2 },
		{ 1, 2 } },
	{ "v_wmma_f16_16x16x16_f16", "gfx1100", LAYOUT_MMA_ACC, true, true, { 2, 3 },
		{ 2, 1 } },
	{ "v_wmma_f16_16x16x16_f16", "gfx1100", LAYOUT_MMA_ACC_HI, true, true, { 2, 3 },
		{ 1, 1 } },
	{ "v_wmma_i32_16x16x16_iu4", "gfx1200:wave64", LAYOUT_MMA_LHS, true, false,
		{ 1, 3 }, { 2, 1 } },
	{ "v_wmma_f32_16x16x16_f16", "gfx1200", LAYOUT_MMA_RHS, false, true, { 5, 1 },
		{ 2, 2 } },
};

struct check {
	const struct row *row;
	layout_mma *mma;
	unsigned slots;		/* elements of one, those that are left out as well */
	size_t points;
};

/* The image that a point has: that of the instruction, moved by the repetition's rows
 * and columns and by those of all repetitions before the subgroup's. */
static unsigned expect(const struct check *check, const int64_t *in, int64_t image[3])
{
	const struct row *row = check->row;
	int64_t which = in[2] / check->slots;
	unsigned rank = layout_mma_apply(check->mma, (unsigned)in[1],
		(unsigned)(in[2] % check->slots), image);
	int64_t *at = image + rank - 2;
	int64_t m = in[0] / row->subgroups[1], n = in[0] % row->subgroups[1];

	at[0] += layout_mma_rows(check->mma) * (which / row->repeat[1] +
		(row->of_m ? m * row->repeat[0] : 0));
	at[1] += layout_mma_columns(check->mma) * (which % row->repeat[1] +
		(row->of_n ? n * row->repeat[1] : 0));
	return rank;
}

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned rank)
{
	struct check *check = user;
	int64_t expected[3];

	assert_int_equal(in_rank, 3);
	assert_in_range(in[0], 0, check->row->subgroups[0] * check->row->subgroups[1] - 1);
	assert_in_range(in[2], 0, check->slots * check->row->repeat[0] *
		check->row->repeat[1] - 1);
	if (expect(check, in, expected) != rank ||
	    memcmp(expected, image, rank * sizeof(*image)))
		fail_msg("%s: another image of (%lld, %lld, %lld)", check->row->name,
			(long long)in[0], (long long)in[1], (long long)in[2]);
	check->points++;
	return true;
}

/* Lanes that hold something have elements in all their subgroups and repetitions. */
static size_t count_points(const struct check *check)
{
	const struct row *row = check->row;
	int64_t image[3];
	size_t held = 0;

	for (unsigned lane = 0; lane < layout_mma_lanes(check->mma); lane++)
		for (unsigned slot = 0; slot < check->slots; slot++)
			held += layout_mma_apply(check->mma, lane, slot, image) != 0;
	return held * (size_t)(row->repeat[0] * row->repeat[1] * row->subgroups[0] *
		row->subgroups[1]);
}

static void check_row(layout_context *ctx, const struct row *row)
{
	layout_mma *mma = layout_mma_find(ctx, row->name, row->operand, row->target);
	layout_relation *relation = layout_mma_repeat(mma, row->repeat, row->subgroups);
	struct check check = { .row = row, .mma = mma };
	static const char *const names[] = { "subgroup", "lane", "element" };
	int64_t image[3];

	assert_non_null(relation);
	check.slots = layout_mma_elements(mma);
	if (!layout_mma_apply(mma, 0, 0, image) || !layout_mma_apply(mma, 0, 1, image))
		check.slots *= check.slots > 1 ? 2 : 1;
	for (unsigned i = 0; i < 3; i++)
		assert_string_equal(layout_relation_coordinate_name(relation, false, i),
			names[i]);
	assert_true(layout_relation_for_each(relation, visit, &check));
	assert_int_equal(check.points, count_points(&check));
	layout_relation_free(relation);
	layout_mma_free(mma);
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(*state, &rows[i]);
}

/* NULL are 1 x 1. */
static void test_once(void **state)
{
	layout_mma *mma = layout_mma_parse(*state, "mma<MFMA_F32_16x16x16_F16, lhs>");
	layout_relation *once = layout_mma_repeat(mma, NULL, NULL);
	layout_relation *expected = layout_relation_read(*state,
		"{ [0, lane, e] -> [lane mod 16, e + 4*floor(lane/16)] : "
		"0 <= lane <= 63 and 0 <= e <= 3 }");

	assert_int_equal(layout_relation_equal(once, expected, NULL), LAYOUT_YES);
	layout_relation_free(once);
	layout_relation_free(expected);
	layout_mma_free(mma);
}

/* The text is the function's relation, onto its box and not beyond. */
static void test_text(void **state)
{
	static const char *const texts[][2] = {
		{ "mma<MFMA_F32_16x16x16_F16, lhs> * [2, 1] over [2, 2]",
		  "{ [s, l, e] -> [32*floor(s/2) + 16*floor(e/4) + l mod 16, "
		  "4*floor(l/16) + e mod 4] : 0 <= s < 4 and 0 <= l < 64 and 0 <= e < 8 }" },
		{ "mma<MFMA_F32_16x16x16_F16, acc> over [1, 2]",
		  "{ [s, l, e] -> [4*floor(l/16) + e, 16s + l mod 16] : "
		  "0 <= s < 2 and 0 <= l < 64 and 0 <= e < 4 }" },
		{ "mma<MFMA_F32_16x16x16_F16, rhs> * [1, 3]",
		  "{ [0, l, e] -> [4*floor(l/16) + e mod 4, 16*floor(e/4) + l mod 16] : "
		  "0 <= l < 64 and 0 <= e < 12 }" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		layout_value *value = layout_value_parse(*state, texts[i][0]);
		layout_relation *read = layout_value_relation(value);
		layout_relation *expected = layout_relation_read(*state, texts[i][1]);
		layout_set *onto = layout_value_onto(value);
		layout_set *range = layout_relation_range(layout_relation_copy(read));

		assert_int_equal(layout_relation_equal(read, expected, NULL), LAYOUT_YES);
		assert_int_equal(layout_set_equal(onto, range, NULL), LAYOUT_YES);
		layout_set_free(range);
		layout_relation_free(read);
		layout_relation_free(expected);
		layout_set_free(onto);
		layout_value_free(value);
	}
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		long position;
	} wrong[] = {
		{ "mma<MFMA_F32_16x16x16_F16, lhs> * [2]", 34 },
		{ "mma<MFMA_F32_16x16x16_F16, lhs> * [2, 0]", 38 },
		{ "mma<MFMA_F32_16x16x16_F16, lhs> * [2, 2", 39 },
		{ "mma<MFMA_F32_16x16x16_F16, lhs> over [1, 2, 3]", 37 },
		{ "mma<MFMA_F32_16x16x16_F16, lhs> over 4", 37 },
		{ "mma<MFMA_F32_16x16x16_F16, lhs> * [70000, 1]", 32 },
		{ "mma<MFMA_F32_16x16x16_F16, lhs> * [9223372036854775807, 9] over [9, 9]", 32 },
	};
	const int64_t none[2] = { 0, 1 };
	layout_mma *mma = layout_mma_parse(*state, "mma<MFMA_F32_16x16x16_F16, lhs>");

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_null(layout_value_parse(*state, wrong[i].text));
		assert_int_equal(layout_context_position(*state), wrong[i].position);
		layout_context_clear(*state);
	}
	assert_null(layout_mma_repeat(mma, none, NULL));
	assert_int_equal(layout_context_error(*state), LAYOUT_ERROR_INVALID);
	layout_context_clear(*state);
	assert_null(layout_mma_repeat(mma, NULL, none));
	layout_context_clear(*state);
	assert_null(layout_mma_parse(*state, "mma<MFMA_F32_16x16x16_F16, lhs> * [2, 2]"));
	assert_int_equal(layout_context_error(*state), LAYOUT_ERROR_PARSE);
	layout_context_clear(*state);
	layout_mma_free(mma);
}

static int setup(void **state)
{
	*state = layout_context_new();
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	layout_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
