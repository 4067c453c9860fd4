/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Register layouts of matrix instructions, against AMD's tables element by element and
 * against IREE's formula point by point. */
#include "isl_bridge/relation.h"
#include "support/shell.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define LANES 64
#define SLOTS 64
#define MAX_RANK 3
#define FIELDS 20

/* The image of every lane's every element; rank 0 where there is none. */
struct expected {
	unsigned rank, points;
	bool held[LANES][SLOTS];
	int64_t image[LANES][SLOTS][MAX_RANK];
};

static void expect(struct expected *expected, unsigned lane, unsigned slot,
	const int64_t *image)
{
	assert_true(lane < LANES && slot < SLOTS && !expected->held[lane][slot]);
	expected->held[lane][slot] = true;
	expected->points++;
	memcpy(expected->image[lane][slot], image, expected->rank * sizeof(*image));
}

/* Fail with the row that is being tested. */
static void fail_row(const char *row, const char *what)
{
	fail_msg("%.120s: %s", row, what);
}

struct visit {
	const char *row;
	const struct expected *expected;
	unsigned points;
};

static bool visit_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned rank)
{
	struct visit *visit = user;
	const struct expected *expected = visit->expected;

	if (in_rank != 2 || rank != expected->rank || in[0] < 0 || in[0] >= LANES ||
			in[1] < 0 || in[1] >= SLOTS || !expected->held[in[0]][in[1]] ||
			memcmp(expected->image[in[0]][in[1]], image,
				rank * sizeof(*image)))
		fail_row(visit->row, "the relation has another pair");
	visit->points++;
	return true;
}

static void check_relation(const char *row, layout_mma *mma,
	const struct expected *expected)
{
	layout_relation *relation = layout_mma_relation(mma);
	layout_set *box = layout_mma_box(mma);
	struct visit visit = { row, expected, 0 };

	assert_non_null(relation);
	assert_true(layout_relation_for_each(relation, visit_pair, &visit));
	if (visit.points != expected->points)
		fail_row(row, "the relation lacks pairs");
	if (layout_relation_is_function(relation, NULL) != LAYOUT_YES)
		fail_row(row, "not a function");
	if (layout_relation_is_surjective(relation, box, NULL) != LAYOUT_YES)
		fail_row(row, "not onto the matrix");
	layout_set_free(box);
	layout_relation_free(relation);
}

static void check_points(const char *row, layout_mma *mma,
	const struct expected *expected)
{
	unsigned counts[LANES] = { 0 };

	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned slot = 0; slot < SLOTS; slot++) {
			int64_t image[MAX_RANK];
			unsigned rank = layout_mma_apply(mma, lane, slot, image);

			if ((rank != 0) != expected->held[lane][slot])
				fail_row(row, "held by another lane");
			if (rank && (rank != expected->rank ||
					memcmp(image, expected->image[lane][slot],
						rank * sizeof(*image))))
				fail_row(row, "another element");
			counts[lane] += rank != 0;
		}
	for (unsigned lane = 0; lane < LANES; lane++)
		if (counts[lane] != (lane < layout_mma_lanes(mma) ?
				layout_mma_elements(mma) : 0))
			fail_row(row, "another number of elements");
}

/* The linear layout where every element is held. */
static void check_linear(const char *row, layout_context *ctx, layout_mma *mma,
	const struct expected *expected)
{
	layout_linear *linear = layout_mma_linear(mma);
	int64_t image[MAX_RANK];

	if (!expected->held[0][0] || !expected->held[0][1]) {
		if (expected->points > layout_mma_lanes(mma)) {
			assert_null(linear);
			assert_int_equal(layout_context_error(ctx),
				LAYOUT_ERROR_NO_ANSWER);
			layout_context_clear(ctx);
			return;
		}
	}
	assert_non_null(linear);
	assert_int_equal(layout_linear_out_count(linear), expected->rank);
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned slot = 0; slot < SLOTS; slot++) {
			int64_t point[] = { lane, slot };

			if (!expected->held[lane][slot])
				continue;
			assert_true(layout_linear_eval(linear, point, image));
			if (memcmp(image, expected->image[lane][slot],
					expected->rank * sizeof(*image)))
				fail_row(row, "the linear layout has another image");
		}
	layout_linear_free(linear);
}

static void check_all(const char *row, layout_context *ctx, layout_mma *mma,
	const struct expected *expected)
{
	check_points(row, mma, expected);
	check_relation(row, mma, expected);
	check_linear(row, ctx, mma, expected);
}

static void split(char *line, char *fields[FIELDS])
{
	for (unsigned i = 0; i < FIELDS; i++)
		fields[i] = strsep(&line, "\t\n");
}

static layout_mma_operand operand_of(const char *name)
{
	static const char *const isa[] = { "A", "B", "D", "", "", "D.hi" };

	for (unsigned i = 0; i < 6; i++)
		if (!strcmp(name, isa[i]) || !strcmp(name, layout_mma_operand_name(i)))
			return i;
	fail_msg("operand %s", name);
	return 0;
}

/* Calls "check" for every row of a file; "row" is for messages. */
static unsigned each_row(const char *file_name,
	void (*check)(const char *row, char *fields[FIELDS]))
{
	FILE *file = fopen(file_name, "r");
	char *line = NULL, *fields[FIELDS];
	size_t capacity = 0;
	unsigned rows = 0;

	assert_non_null(file);
	while (getline(&line, &capacity, file) > 0) {
		char *row;

		if (line[0] == '#')
			continue;
		row = strdup(line);
		split(line, fields);
		check(row, fields);
		free(row);
		rows++;
	}
	free(line);
	fclose(file);
	return rows;
}

/* "0+16:3 1+17:3 ..": block after block, row after row. */
static void read_table(struct expected *expected, char *table, unsigned rows,
	unsigned columns, bool blocked)
{
	char *entry;

	for (unsigned i = 0; (entry = strsep(&table, " ")); i++) {
		int64_t image[MAX_RANK] = { i / (rows * columns), i / columns % rows,
			i % columns };
		unsigned slot = (unsigned)atoi(strchr(entry, ':') + 1);
		char *lane;

		*strchr(entry, ':') = 0;
		while ((lane = strsep(&entry, "+")))
			expect(expected, (unsigned)atoi(lane), slot,
				blocked ? image : image + 1);
	}
}

/* What the calculator calls our types. */
static const char *const type_rows[][2] = {
	{ "fp16", "f16" }, { "fp32", "f32" }, { "fp64", "f64" }, { "bf16", "bf16" },
	{ "int8", "i8" }, { "int32", "i32" }, { "iu8", "iu8" },
	{ "amd_fp8", "f8E4M3FNUZ" },
};

static void check_type(const char *row, const char *theirs, const char *ours)
{
	for (size_t i = 0; i < sizeof(type_rows) / sizeof(*type_rows); i++)
		if (!strcmp(theirs, type_rows[i][0]) && !strcmp(ours, type_rows[i][1]))
			return;
	fail_row(row, ours);
}

/* 2 arch, 3 gfx, 4 instruction, 5 wave, 6 operand, 7 M N K blocks, 11 type, 12 bits,
 * 13 registers, 14 rows, 15 columns, 20 the table. */
static void check_isa(const char *row, char *fields[FIELDS])
{
	layout_context *ctx = layout_context_new();
	struct expected *expected = calloc(1, sizeof(*expected));
	char target[40];
	layout_mma *mma;
	layout_mma_shape shape;

	snprintf(target, sizeof(target), "%s:wave%s", fields[2], fields[4]);
	mma = layout_mma_find(ctx, fields[3], operand_of(fields[5]), target);
	if (!mma)
		fail_row(row, layout_context_message(ctx));
	shape = layout_mma_get_shape(mma);
	assert_int_equal(shape.m, atoi(fields[6]));
	assert_int_equal(shape.n, atoi(fields[7]));
	assert_int_equal(shape.k, atoi(fields[8]));
	assert_int_equal(shape.blocks, atoi(fields[9]));
	assert_int_equal(layout_mma_rows(mma), atoi(fields[13]));
	assert_int_equal(layout_mma_columns(mma), atoi(fields[14]));
	assert_int_equal(layout_mma_lanes(mma), atoi(fields[4]));
	check_type(row, fields[10], layout_mma_type(mma));
	expected->rank = shape.blocks > 1 ? 3 : 2;
	read_table(expected, fields[19], layout_mma_rows(mma), layout_mma_columns(mma),
		shape.blocks > 1);
	check_all(row, ctx, mma, expected);
	layout_mma_free(mma);
	free(expected);
	assert_true(layout_context_free(ctx));
}

static void published_isa_rows(void **state)
{
	(void)state;
	assert_int_equal(each_row(TEST_DATA_DIR "/vectors/mma.tsv", check_isa), 86);
}

/* "4x16" into numbers; how many. */
static unsigned read_list(const char *text, int64_t *list)
{
	unsigned count = 0;
	char *end;

	for (; *text && count < MAX_RANK; text = *end ? end + 1 : end)
		list[count++] = strtoll(text, &end, 10);
	return count;
}

/* outer, thread, tstrides, element */
struct lists {
	unsigned rank;
	int64_t of[4][MAX_RANK];
};

/* The coordinates of one lane's elements, in order: outer.., then element.., the last
 * fastest.  "merged" >= 0: that coordinate and the next are digits of one. */
static void expect_lane(struct expected *expected, const struct lists *lists,
	unsigned lane, int merged)
{
	const int64_t *outer = lists->of[0], *thread = lists->of[1];
	const int64_t *stride = lists->of[2], *element = lists->of[3];
	int64_t count = 1;

	for (unsigned d = 0; d < lists->rank; d++)
		count *= outer[d] * element[d];
	for (int64_t slot = 0; slot < count; slot++) {
		int64_t rest = slot, e[MAX_RANK], x[MAX_RANK];

		for (unsigned d = lists->rank; d-- > 0; rest /= element[d])
			e[d] = rest % element[d];
		for (unsigned d = lists->rank; d-- > 0; rest /= outer[d]) {
			int64_t id = stride[d] ? lane / stride[d] % thread[d] : 0;

			x[d] = (rest % outer[d] * thread[d] + id) * element[d] + e[d];
		}
		if (merged >= 0) {
			x[merged] = x[merged] * outer[merged + 1] * thread[merged + 1] *
				element[merged + 1] + x[merged + 1];
			for (unsigned d = (unsigned)merged + 1; d + 1 < lists->rank; d++)
				x[d] = x[d + 1];
		}
		expect(expected, lane, (unsigned)slot, x);
	}
}

/* The part of "f16,f16,f32" for an operand; of scaled ones anything will do. */
static void check_types(const char *row, char *types, layout_mma *mma,
	layout_mma_operand operand)
{
	if (!strcmp(types, "sc"))
		return;
	for (unsigned i = 0; i < (unsigned)operand; i++)
		assert_non_null(strsep(&types, ","));
	if (strcmp(strsep(&types, ","), layout_mma_type(mma)))
		fail_row(row, layout_mma_type(mma));
}

/* intrinsic, blocks, M, N, K, subgroup, types, operand, outer, thread, tstrides,
 * element, elements; K is "4x32" where scales are for 32 elements. */
static void check_iree(const char *row, char *fields[FIELDS])
{
	layout_context *ctx = layout_context_new();
	struct expected *expected = calloc(1, sizeof(*expected));
	layout_mma_operand operand = operand_of(fields[7]);
	layout_mma *mma = layout_mma_find(ctx, fields[0], operand, NULL);
	bool scaled = strchr(fields[4], 'x');
	struct lists lists = { 0 };
	layout_mma_shape shape;

	if (!mma)
		fail_row(row, layout_context_message(ctx));
	shape = layout_mma_get_shape(mma);
	assert_int_equal(shape.blocks, atoi(fields[1]));
	assert_int_equal(shape.m, atoi(fields[2]));
	assert_int_equal(shape.n, atoi(fields[3]));
	assert_int_equal(shape.k, atoi(fields[4]) * (scaled ? 32 : 1));
	assert_int_equal(layout_mma_lanes(mma), atoi(fields[5]));
	assert_int_equal(layout_mma_elements(mma), atoi(fields[12]));
	check_types(row, fields[6], mma, operand);
	for (unsigned i = 0; i < 4; i++)
		lists.rank = read_list(fields[8 + i], lists.of[i]);
	scaled = scaled && lists.rank == 3;
	expected->rank = scaled ? 2 : lists.rank;
	for (unsigned lane = 0; lane < layout_mma_lanes(mma); lane++)
		expect_lane(expected, &lists, lane,
			!scaled ? -1 : operand == LAYOUT_MMA_LHS ? 1 : 0);
	check_all(row, ctx, mma, expected);
	layout_mma_free(mma);
	free(expected);
	assert_true(layout_context_free(ctx));
}

static void published_iree_rows(void **state)
{
	(void)state;
	assert_int_equal(each_row(TEST_DATA_DIR "/vectors/mma_rows.tsv", check_iree),
		337);
}

/* The ISA's name and IREE's, and the order of K: NULL where it is the same. */
static const struct {
	const char *isa, *target, *iree, *permutation;
} k_rows[] = {
	{ "v_mfma_f32_16x16x4f32", "gfx908", "MFMA_F32_16x16x4_F32", NULL },
	{ "v_mfma_f32_32x32x4f16", "gfx908", "MFMA_F32_32x32x4x2B_F16", NULL },
	{ "v_mfma_f32_32x32x8f16", "gfx90a", "MFMA_F32_32x32x8_F16", NULL },
	{ "v_mfma_f32_16x16x16f16", "gfx90a", "MFMA_F32_16x16x16_F16", NULL },
	{ "v_mfma_i32_16x16x16i8", "gfx90a", "MFMA_I32_16x16x16_I8", NULL },
	{ "v_mfma_f32_16x16x16bf16_1k", "gfx90a", "MFMA_F32_16x16x16_BF16", NULL },
	{ "v_mfma_f32_16x16x4_f32", "gfx942", "MFMA_F32_16x16x4_F32", NULL },
	{ "v_mfma_f32_4x4x4_16b_f16", "gfx942", "MFMA_F32_4x4x4x16B_F16", NULL },
	{ "v_mfma_f32_32x32x8_f16", "gfx942", "MFMA_F32_32x32x8_F16", NULL },
	{ "v_mfma_f32_16x16x16_f16", "gfx942", "MFMA_F32_16x16x16_F16", NULL },
	{ "v_mfma_i32_16x16x32_i8", "gfx942", "MFMA_I32_16x16x32_I8", NULL },
	{ "v_mfma_f32_16x16x16_bf16", "gfx942", "MFMA_F32_16x16x16_BF16", NULL },
	{ "v_mfma_f64_16x16x4_f64", "gfx942", "MFMA_F64_16x16x4_F64", NULL },
	{ "v_mfma_f32_16x16x32_fp8_fp8", "gfx942", "MFMA_F32_16x16x32_F8E4M3FNUZ", NULL },
	{ "v_mfma_f32_16x16x32_fp8_fp8", "gfx942", "VMFMA_F32_16x16x32_F8E4M3FNUZ",
	  "{ [k] -> [8*(floor(k/4) mod 4) + 4*floor(k/16) + k mod 4] : 0 <= k < 32 }" },
	{ "v_mfma_f32_16x16x32_f16", "gfx950", "MFMA_F32_16x16x32_F16", NULL },
	{ "v_wmma_f32_16x16x16_f16", "gfx1100", "WMMAR3_F32_16x16x16_F16", NULL },
	{ "v_wmma_f16_16x16x16_f16", "gfx1100", "WMMAR3_F16_16x16x16_F16", NULL },
	{ "v_wmma_f32_16x16x16_f16", "gfx1200", "WMMAR4_F32_16x16x16_F16",
	  "{ [k] -> [4*floor(k/8) + 8*(floor(k/4) mod 2) + k mod 4] : 0 <= k < 16 }" },
	{ "v_wmma_i32_16x16x16_iu8", "gfx1200", "WMMAR4_I32_16x16x16_I8", NULL },
	{ "v_wmma_bf16_16x16x16_bf16", "gfx1200", "WMMAR4_BF16_16x16x16_BF16",
	  "{ [k] -> [4*floor(k/8) + 8*(floor(k/4) mod 2) + k mod 4] : 0 <= k < 16 }" },
	{ "v_wmma_f32_16x16x16_fp8_bf8", "gfx1200",
	  "WMMAR4_F32_16x16x16_F8E4M3FN_F8E5M2", NULL },
	{ "v_wmma_f32_16x16x16_bf16", "gfx1100", "WMMAR3_F32_16x16x16_BF16", NULL },
	{ "v_wmma_i32_16x16x16_iu8", "gfx1100", "WMMAR3_I32_16x16x16_I8", NULL },
	{ "v_wmma_f32_16x16x4_f32", "gfx1250", "WMMA_F32_16x16x4_F32", NULL },
	{ "v_wmma_f32_16x16x32_f16", "gfx1250", "WMMA_F32_16x16x32_F16",
	  "{ [k] -> [8*floor(k/16) + 16*(floor(k/8) mod 2) + k mod 8] : 0 <= k < 32 }" },
	{ "v_mfma_f32_16x16x128_f8f6f4", "gfx950", "MFMA_F32_16x16x128_F8E4M3FN",
	  "{ [k] -> [16*floor(k/32) + 64*(floor(k/16) mod 2) + k mod 16] : "
	  "0 <= k < 128 }" },
	{ "v_mfma_f32_16x16x128_f8f6f4_f4_f4", "gfx950", "MFMA_F32_16x16x128_F8E4M3FN",
	  NULL },
};

static layout_relation *relation_of(layout_context *ctx, const char *name,
	layout_mma_operand operand, const char *target)
{
	layout_mma *mma = layout_mma_find(ctx, name, operand, target);
	layout_relation *relation = layout_mma_relation(mma);

	layout_mma_free(mma);
	assert_non_null(relation);
	return relation;
}

/* { [k] -> [k] } on the columns of a lhs. */
static layout_relation *identity_on_k(layout_relation *lhs)
{
	unsigned others[] = { 0, 1 }, count = layout_relation_out_rank(lhs) - 1;
	layout_relation *k = layout_relation_project(layout_relation_copy(lhs), others,
		count);

	return layout_relation_restrict(layout_relation_read(layout_relation_context(lhs),
		"{ [k] -> [k] }"), layout_relation_range(k));
}

static void check_k_row(size_t i)
{
	layout_context *ctx = layout_context_new();
	layout_relation *isa[2], *iree[2], *permutation, *wanted;
	const char *text = k_rows[i].permutation;

	for (unsigned j = 0; j < 2; j++) {
		iree[j] = relation_of(ctx, k_rows[i].iree, j, NULL);
		isa[j] = relation_of(ctx, k_rows[i].isa, j, k_rows[i].target);
	}
	if (layout_mma_equal_up_to_k(iree[0], iree[1], isa[0], isa[1], &permutation,
			NULL) != LAYOUT_YES)
		fail_row(k_rows[i].isa, "differs in more than the order of K");
	wanted = text ? layout_relation_read(ctx, text) : identity_on_k(isa[0]);
	if (layout_relation_equal(permutation, wanted, NULL) != LAYOUT_YES)
		fail_row(k_rows[i].isa, layout_relation_str(permutation));
	for (unsigned j = 0; j < 2; j++) {
		assert_int_equal(layout_relation_equal(isa[j], iree[j], NULL),
			text ? LAYOUT_NO : LAYOUT_YES);
		layout_relation_free(iree[j]);
		layout_relation_free(isa[j]);
	}
	layout_relation_free(permutation);
	layout_relation_free(wanted);
	assert_true(layout_context_free(ctx));
}

static void orders_of_k(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(k_rows) / sizeof(*k_rows); i++)
		check_k_row(i);
}

/* lhs and rhs of one convention and of the other: the permutation, or the witness. */
static const struct {
	const char *lhs_a, *rhs_a, *lhs_b, *rhs_b;
	layout_answer answer;
	const char *result;
} convention_rows[] = {
	{ "{ [x] -> [0, x] : 0 <= x < 3 }", "{ [x] -> [x, 0] : 0 <= x < 3 }",
	  "{ [x] -> [0, (x + 1) mod 3] : 0 <= x < 3 }",
	  "{ [x] -> [(x + 1) mod 3, 0] : 0 <= x < 3 }",
	  LAYOUT_YES, "{ [k] -> [(k + 1) mod 3] : 0 <= k < 3 }" },
	{ "{ [x] -> [0, x] : 0 <= x < 4 }", "{ [x] -> [x, 0] : 0 <= x < 4 }",
	  "{ [x] -> [0, 3 - x] : 0 <= x < 4 }", "{ [x] -> [3 - x, 0] : 0 <= x < 4 }",
	  LAYOUT_YES, "{ [k] -> [3 - k] : 0 <= k < 4 }" },
	{ "{ [x] -> [x, 0, 2] : 0 <= x < 5 }", "{ [x] -> [0, 2, x] : 0 <= x < 2 }",
	  "{ [x] -> [x, 0, 7] : 0 <= x < 5 }", "{ [x] -> [0, 7, x] : 0 <= x < 2 }",
	  LAYOUT_YES, "{ [2] -> [7] }" },
	{ "{ [x] -> [x, x] : 0 <= x < 0 }", "{ [x] -> [x, x] : 0 <= x < 0 }",
	  "{ [x] -> [x, x] : 0 <= x < 0 }", "{ [x] -> [x, x] : 0 <= x < 0 }",
	  LAYOUT_YES, "{ [k] -> [k] : 0 <= k < 0 }" },
	/* each alone is a permutation of K, together they need two */
	{ "{ [x] -> [0, x] : 0 <= x < 4 }", "{ [x] -> [x, 0] : 0 <= x < 4 }",
	  "{ [x] -> [0, 3 - x] : 0 <= x < 4 }", "{ [x] -> [x, 0] : 0 <= x < 4 }",
	  LAYOUT_NO, "(0, 0), (1, 0)" },
	/* two k become one */
	{ "{ [x] -> [x, x] : 0 <= x < 4 }", "{ [x] -> [0, 0] : 0 <= x < 1 }",
	  "{ [x] -> [x, floor(x/2)] : 0 <= x < 4 }", "{ [x] -> [0, 0] : 0 <= x < 1 }",
	  LAYOUT_NO, "(0, 0), (0, 1)" },
	/* another row; another column; a point that one of them lacks */
	{ "{ [x] -> [x, 0] : 0 <= x < 4 }", "{ [x] -> [0, 0] : 0 <= x < 1 }",
	  "{ [x] -> [3 - x, 0] : 0 <= x < 4 }", "{ [x] -> [0, 0] : 0 <= x < 1 }",
	  LAYOUT_NO, "(0, 0)" },
	{ "{ [x] -> [0, 0] : 0 <= x < 1 }", "{ [x] -> [0, x] : 0 <= x < 3 }",
	  "{ [x] -> [0, 0] : 0 <= x < 1 }", "{ [x] -> [0, 2x mod 3] : 0 <= x < 3 }",
	  LAYOUT_NO, "(1, 1)" },
	{ "{ [x] -> [0, 0] : 0 <= x < 1 }", "{ [x] -> [0, x] : 0 <= x < 3 }",
	  "{ [x] -> [0, 0] : 0 <= x < 1 }", "{ [x] -> [0, x] : 0 <= x < 4 }",
	  LAYOUT_NO, "(1, 3)" },
};

static void check_convention(size_t i)
{
	layout_context *ctx = layout_context_new();
	const char *texts[] = { convention_rows[i].lhs_a, convention_rows[i].rhs_a,
		convention_rows[i].lhs_b, convention_rows[i].rhs_b };
	layout_relation *r[4], *permutation = NULL, *wanted;
	layout_witness *witness = NULL;

	for (unsigned j = 0; j < 4; j++)
		r[j] = layout_relation_read(ctx, texts[j]);
	assert_int_equal(layout_mma_equal_up_to_k(r[0], r[1], r[2], r[3], &permutation,
		&witness), convention_rows[i].answer);
	if (convention_rows[i].answer == LAYOUT_YES) {
		assert_null(witness);
		wanted = layout_relation_read(ctx, convention_rows[i].result);
		assert_int_equal(layout_relation_equal(permutation, wanted, NULL),
			LAYOUT_YES);
		layout_relation_free(wanted);
	} else {
		assert_null(permutation);
		assert_string_equal(witness->text, convention_rows[i].result);
	}
	assert_int_equal(layout_mma_equal_up_to_k(r[0], r[1], r[2], r[3], NULL, NULL),
		convention_rows[i].answer);
	for (unsigned j = 0; j < 4; j++)
		layout_relation_free(r[j]);
	layout_relation_free(permutation);
	layout_witness_free(witness);
	assert_true(layout_context_free(ctx));
}

static void conventions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(convention_rows) / sizeof(*convention_rows); i++)
		check_convention(i);
}

static const struct {
	const char *lhs_b;
	layout_error kind;
} bad_convention_rows[] = {
	{ "{ [x, y] -> [x, y] : 0 <= x, y < 2 }", LAYOUT_ERROR_SPACE },
	{ "{ [x] -> [x] : 0 <= x < 2 }", LAYOUT_ERROR_SPACE },
	{ "{ [x] -> [x, y] : 0 <= x, y < 2 }", LAYOUT_ERROR_INVALID },
	{ "{ [x] -> [x, x] }", LAYOUT_ERROR_INVALID },
	{ "[N] -> { [x] -> [x, x] : 0 <= x < N }", LAYOUT_ERROR_INVALID },
};

static void bad_conventions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_convention_rows) / sizeof(*bad_convention_rows);
			i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *good = layout_relation_read(ctx,
			"{ [x] -> [x, x] : 0 <= x < 2 }");
		layout_relation *bad = layout_relation_read(ctx,
			bad_convention_rows[i].lhs_b);

		assert_int_equal(layout_mma_equal_up_to_k(good, good, bad, good, NULL,
			NULL), LAYOUT_UNKNOWN);
		assert_int_equal(layout_context_error(ctx), bad_convention_rows[i].kind);
		layout_relation_free(good);
		layout_relation_free(bad);
		assert_true(layout_context_free(ctx));
	}
}

/* An answer is right, or unknown because of the quota. */
static void expect_or_quota(layout_context *ctx, layout_answer answer,
	layout_answer right)
{
	if (answer == LAYOUT_UNKNOWN)
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
	else
		assert_int_equal(answer, right);
	layout_context_clear(ctx);
}

/* Every operation under every small quota, until all have answered. */
static void quotas(void **state)
{
	bool all = false;

	(void)state;
	for (unsigned long quota = 1; !all; quota += 1 + quota / 8) {
		layout_context *ctx = layout_context_new();
		layout_mma *half = layout_mma_find(ctx, "v_wmma_f16_16x16x16_f16",
			LAYOUT_MMA_ACC_HI, NULL);
		layout_relation *r[4], *permutation;
		layout_relation *relation;
		layout_set *box;
		layout_answer answer;

		for (unsigned i = 0; i < 4; i++)
			r[i] = relation_of(ctx, i < 2 ? "WMMAR4_F32_16x16x16_F16" :
				"v_wmma_f32_16x16x16_f16", i % 2, "gfx1200");
		layout_context_set_quota(ctx, quota);
		relation = layout_mma_relation(half);
		box = layout_mma_box(half);
		answer = layout_relation_is_bijective(relation, box, NULL);
		all = answer == LAYOUT_YES;
		expect_or_quota(ctx, answer, LAYOUT_YES);
		answer = layout_mma_equal_up_to_k(r[0], r[1], r[2], r[3], &permutation,
			NULL);
		all = all && answer == LAYOUT_YES;
		if (quota < 16 * 16)
			assert_int_equal(answer, LAYOUT_UNKNOWN);
		expect_or_quota(ctx, answer, LAYOUT_YES);
		layout_relation_free(permutation);
		answer = layout_mma_equal_up_to_k(r[0], r[1], r[0], r[3], NULL, NULL);
		expect_or_quota(ctx, answer, LAYOUT_NO);
		layout_relation_free(relation);
		layout_set_free(box);
		for (unsigned i = 0; i < 4; i++)
			layout_relation_free(r[i]);
		layout_mma_free(half);
		assert_true(layout_context_free(ctx));
	}
}

/* A text and what it prints as; NULL: the same. */
static const struct {
	const char *text, *printed;
} text_rows[] = {
	{ "mma<MFMA_F32_16x16x4_F32, lhs>", NULL },
	{ "mma<MFMA_F32_16x16x4_F32, acc, gfx90a>", NULL },
	{ " mma < v_wmma_f32_16x16x16_f16,rhs , gfx1100 > ",
	  "mma<v_wmma_f32_16x16x16_f16, rhs, gfx1100>" },
	{ "mma<v_wmma_f32_16x16x16_f16, acc, gfx1100:wave64>", NULL },
	{ "mma<v_wmma_f32_16x16x16_f16, acc, gfx1100:wave32>",
	  "mma<v_wmma_f32_16x16x16_f16, acc, gfx1100>" },
	{ "mma<v_wmma_f32_16x16x16_f16, acc, gfx1101>", NULL },
	{ "mma<v_wmma_f32_16x16x16_f16, acc, gfx1151:wave64>", NULL },
	{ "mma<v_wmma_f32_16x16x16_f16, acc, strix-halo>",
	  "mma<v_wmma_f32_16x16x16_f16, acc, gfx1151>" },
	{ "mma<v_wmma_f32_16x16x16_f16, acc, rx7900xt:wave64>",
	  "mma<v_wmma_f32_16x16x16_f16, acc, gfx1100:wave64>" },
	{ "mma<v_wmma_f16_16x16x16_f16, acc_hi>", NULL },
	{ "mma<v_wmma_i32_16x16x16_iu8, lhs, gfx1201>", NULL },
	{ "mma<v_smfmac_f32_16x16x32_f16, index>", NULL },
	{ "mma<v_swmmac_f32_16x16x32_f16, index>", NULL },
	{ "mma<v_mfma_f32_16x16x128_f8f6f4_f8_f4, rhs>", NULL },
	{ "mma<MFMA_SCALE_F32_16x16x128_B32, lhs_scale>", NULL },
	{ "mma<MFMA_SCALE_F32_16x16x128_B32, rhs_scale, gfx950>", NULL },
	/* the older spelling is one of gfx942's, too */
	{ "mma<v_mfma_f32_16x16x4f32, lhs, gfx942>", NULL },
	{ "mma<v_mfma_f32_16x16x4f32, lhs>", NULL },
	{ "mma<v_mfma_f32_16x16x4_f32, lhs>", NULL },
	{ "mma<v_mfma_f32_16x16x32_fp8_fp8, lhs>", NULL },
};

static void texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(text_rows) / sizeof(*text_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_mma *mma = layout_mma_parse(ctx, text_rows[i].text);
		layout_mma *copy = layout_mma_copy(mma);
		char *text = layout_mma_str(copy);

		if (!text)
			fail_row(text_rows[i].text, layout_context_message(ctx));
		assert_string_equal(text, text_rows[i].printed ? text_rows[i].printed :
			text_rows[i].text);
		layout_string_free(text);
		layout_mma_free(mma);
		layout_mma_free(copy);
		assert_true(layout_context_free(ctx));
	}
}

/* A text, its error, and a part of the message. */
static const struct {
	const char *text;
	layout_error kind;
	long position;
	const char *message;
} bad_rows[] = {
	{ "mma", LAYOUT_ERROR_PARSE, 3, "`<`" },
	{ "mma<>", LAYOUT_ERROR_PARSE, 4, "name of a matrix instruction" },
	{ "mma<MFMA_F32_16x16x4_F32>", LAYOUT_ERROR_PARSE, 24, "`,`" },
	{ "mma<MFMA_F32_16x16x4_F32, left>", LAYOUT_ERROR_PARSE, 26, "lhs, rhs, acc" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs", LAYOUT_ERROR_PARSE, 29, "`,` or `>`" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs, >", LAYOUT_ERROR_PARSE, 31, "a target" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs, gfx942", LAYOUT_ERROR_PARSE, 37, "`>`" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs, gfx942:>", LAYOUT_ERROR_PARSE, 38, "wave64" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs> x", LAYOUT_ERROR_PARSE, 31, "x" },
	{ "mma<MFMA_F32_16x16x8_F32, lhs>", LAYOUT_ERROR_INVALID, 4,
	  "near it are MFMA_F32_16x16x4_F32" },
	{ "mma<mfma_f32_16x16x4_f32, lhs>", LAYOUT_ERROR_INVALID, 4,
	  "near it are MFMA_F32_16x16x4_F32" },
	{ "mma<wgmma, lhs>", LAYOUT_ERROR_INVALID, 4, "no matrix instruction 'wgmma'" },
	{ "mma<v_mfma_f32_16x16x4_f32, lhs, gfx90a>", LAYOUT_ERROR_UNSUPPORTED, 4,
	  "gfx90a has no v_mfma_f32_16x16x4_f32, but gfx942, gfx950" },
	{ "mma<wgmma, lhs, gfx942>", LAYOUT_ERROR_INVALID, 4, "'wgmma'" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs, gfx1100>", LAYOUT_ERROR_UNSUPPORTED, 4,
	  "gfx1100 has no MFMA_F32_16x16x4_F32, but gfx908, gfx90a, gfx942, gfx950" },
	{ "mma<WMMAR3_F32_16x16x16_F16, lhs, gfx1100:wave64>",
	  LAYOUT_ERROR_UNSUPPORTED, 4, "gfx1100:wave64 has no" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs, gfx900>", LAYOUT_ERROR_UNSUPPORTED, 31,
	  "there are those of gfx908" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs, gfx942:wave32>", LAYOUT_ERROR_UNSUPPORTED, 31,
	  "gfx942:wave32" },
	{ "mma<v_wmma_f32_16x16x16_f16, lhs>", LAYOUT_ERROR_INVALID, 4,
	  "say which of gfx1100, gfx1200, gfx1201, gfx1250" },
	{ "mma<v_wmma_i32_16x16x16_iu8, lhs>", LAYOUT_ERROR_INVALID, 4,
	  "say which of gfx1100, gfx1200, gfx1201, gfx1250" },
	{ "mma<v_wmma_f32_16x16x16_f16, acc_hi>", LAYOUT_ERROR_INVALID, 29,
	  "it has lhs, rhs, acc" },
	{ "mma<v_wmma_f16_16x16x16_f16, acc_hi, gfx1200>", LAYOUT_ERROR_INVALID, 29,
	  "it has lhs, rhs, acc" },
	{ "mma<v_smfmac_f32_16x16x32_f16, acc_hi>", LAYOUT_ERROR_INVALID, 31,
	  "it has lhs, rhs, acc, index" },
	{ "mma<MFMA_F32_16x16x4_F32, acc_hi>", LAYOUT_ERROR_INVALID, 26,
	  "it has lhs, rhs, acc" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs_scale>", LAYOUT_ERROR_INVALID, 26,
	  "no operand" },
};

static void bad_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(*bad_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_mma *mma = layout_mma_parse(ctx, bad_rows[i].text);

		if (mma || layout_context_error(ctx) != bad_rows[i].kind ||
				layout_context_position(ctx) != bad_rows[i].position ||
				!strstr(layout_context_message(ctx), bad_rows[i].message))
			fail_msg("%s: %d at %ld: %s", bad_rows[i].text,
				(int)layout_context_error(ctx),
				layout_context_position(ctx),
				layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

/* A name of 10,000 letters, and names near the limits. */
static void long_names(void **state)
{
	static const size_t lengths[] = { 47, 48, 49, 79, 80, 81, 10000 };
	char name[10001];

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		layout_context *ctx = layout_context_new();
		char *text = NULL;

		memset(name, 'M', lengths[i]);
		name[lengths[i]] = 0;
		assert_null(layout_mma_find(ctx, name, LAYOUT_MMA_LHS, NULL));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
		assert_null(layout_mma_find(ctx, "MFMA_F32_16x16x4_F32", LAYOUT_MMA_LHS,
			name));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		layout_context_clear(ctx);
		assert_true(asprintf(&text, "mma<%s, lhs, %s:%s>", name, name, name) > 0);
		assert_null(layout_mma_parse(ctx, text));
		free(text);
		assert_true(layout_context_free(ctx));
	}
}

/* Every name of a target is found there with every operand that it says it has. */
static const struct {
	const char *target;
	const char *some;	/* one of them */
} target_rows[] = {
	{ "gfx908", "v_mfma_f32_32x32x4f16" },
	{ "gfx90a", "v_mfma_f32_16x16x16bf16_1k" },
	{ "gfx942", "VMFMA_F32_16x16x32_F8E4M3FNUZ" },
	{ "gfx950", "MFMA_SCALE_F32_32x32x64_B32" },
	{ "gfx1100", "WMMAR3_I32_16x16x16_I8" },
	{ "gfx1100:wave64", "v_wmma_f16_16x16x16_f16" },
	{ "gfx1200", "WMMAR4_F32_16x16x16_F8E4M3FN" },
	{ "gfx1200:wave64", "v_wmma_i32_16x16x16_iu8" },
	{ "gfx1201", "v_wmma_f32_16x16x16_f16" },
	{ "gfx1201:wave64", "v_wmma_f32_16x16x16_f16" },
	{ "gfx1250", "WMMA_F16_16x16x128_F8E5M2" },
};

static void target_names(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(target_rows) / sizeof(*target_rows); i++) {
		const char *target = target_rows[i].target, *name;
		bool some = false;

		for (unsigned j = 0; (name = layout_mma_name_at(ctx, target, j)); j++) {
			layout_mma *lhs = layout_mma_find(ctx, name, LAYOUT_MMA_LHS,
				target);

			assert_non_null(lhs);
			some = some || !strcmp(name, target_rows[i].some);
			for (unsigned k = 0; layout_mma_operand_name(k); k++) {
				layout_mma *mma = layout_mma_find(ctx, name, k, target);

				assert_int_equal(mma != NULL, layout_mma_has(lhs, k));
				layout_mma_free(mma);
				layout_context_clear(ctx);
			}
			layout_mma_free(lhs);
		}
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(some);
	}
	assert_null(layout_mma_name_at(ctx, "gfx900", 0));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	assert_true(layout_context_free(ctx));
}

/* Inputs that need not lie alike: a sparse one and a full one, of 8 bits and of less,
 * of more rows than columns. */
static bool may_differ(layout_mma *lhs, layout_mma *rhs)
{
	bool small[] = { !strcmp(layout_mma_type(lhs), "f6") ||
		!strcmp(layout_mma_type(lhs), "f4"), !strcmp(layout_mma_type(rhs), "f6") ||
		!strcmp(layout_mma_type(rhs), "f4") };

	return layout_mma_has(lhs, LAYOUT_MMA_INDEX) || small[0] != small[1] ||
		layout_mma_elements(lhs) != layout_mma_elements(rhs);
}

/* What one lane holds as its inputs has the same k in both. */
static void inputs_share_k(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(target_rows) / sizeof(*target_rows); i++) {
		const char *target = target_rows[i].target, *name;

		for (unsigned j = 0; (name = layout_mma_name_at(ctx, target, j)); j++) {
			layout_mma *lhs = layout_mma_find(ctx, name, LAYOUT_MMA_LHS,
				target);
			layout_mma *rhs = layout_mma_find(ctx, name, LAYOUT_MMA_RHS,
				target);

			assert_int_equal(layout_mma_columns(lhs) *
				(layout_mma_has(lhs, LAYOUT_MMA_INDEX) ? 2 : 1),
				layout_mma_rows(rhs));
			for (unsigned lane = 0; !may_differ(lhs, rhs) &&
					lane < layout_mma_lanes(lhs); lane++)
				for (unsigned e = 0; e < layout_mma_elements(lhs); e++) {
					int64_t a[3], b[3];
					unsigned rank = layout_mma_apply(lhs, lane, e, a);

					if (layout_mma_apply(rhs, lane, e, b) != rank ||
							(rank && a[rank - 1] != b[rank - 2]))
						fail_row(name, "inputs differ in k");
				}
			layout_mma_free(lhs);
			layout_mma_free(rhs);
		}
	}
	assert_true(layout_context_free(ctx));
}

/* AMD's rule for the MFMA of 32 bits and less, where the calculator's output is not
 * among the files: k runs through a lane's elements, then through groups of M lanes;
 * the accumulator has rows in fours. */
static void expect_mfma(struct expected *expected, layout_mma_operand operand,
	layout_mma_shape shape, unsigned lane, unsigned elements)
{
	unsigned m = shape.m, block = lane / m % shape.blocks, group = lane / m;

	for (unsigned e = 0; e < elements; e++) {
		int64_t x[] = { block, lane % m, e };

		if (operand == LAYOUT_MMA_ACC) {
			unsigned each = elements / shape.blocks;

			x[0] = m == 4 ? block : e / each;
			x[1] = m == 4 ? e : e % each / 4 * 8 + group * 4 + e % 4;
			x[2] = lane % m;
		} else {
			x[2] = shape.blocks > 1 ? e : group * elements + e;
		}
		if (operand == LAYOUT_MMA_RHS) {
			x[1] = x[2];
			x[2] = lane % m;
		}
		expect(expected, lane, e, x + (shape.blocks == 1));
	}
}

/* The shape is that of the name, and the operands fill whole registers. */
static void check_name(const char *name, layout_mma *mma)
{
	layout_mma_shape shape = layout_mma_get_shape(mma);
	const char *type = layout_mma_type(mma);
	unsigned m, n, k, bits = (unsigned)atoi(type + strcspn(type, "0123456789"));

	assert_int_equal(sscanf(name, "v_mfma_%*c%*u_%ux%ux%u", &m, &n, &k), 3);
	if (shape.m != m || shape.n != n || shape.k != k)
		fail_row(name, "another shape");
	if (bits * layout_mma_elements(mma) % 32)
		fail_row(name, "a part of a register");
}

static void mfma_rule(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned count = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(target_rows) / sizeof(*target_rows); i++) {
		const char *target = target_rows[i].target, *name;

		for (unsigned j = 0; (name = layout_mma_name_at(ctx, target, j)); j++)
			for (unsigned k = 0; k <= LAYOUT_MMA_ACC; k++) {
				struct expected *expected;
				layout_mma_shape shape;
				layout_mma *mma;

				if (strncmp(name, "v_mfma_", 7) || strstr(name, "f64") ||
						strstr(name, "f8f6f4"))
					continue;
				mma = layout_mma_find(ctx, name, k, target);
				shape = layout_mma_get_shape(mma);
				check_name(name, mma);
				expected = calloc(1, sizeof(*expected));
				expected->rank = shape.blocks > 1 ? 3 : 2;
				for (unsigned lane = 0; lane < LANES; lane++)
					expect_mfma(expected, k, shape, lane,
						layout_mma_elements(mma));
				check_points(name, mma, expected);
				free(expected);
				layout_mma_free(mma);
				count++;
			}
	}
	assert_true(count > 300);
	assert_true(layout_context_free(ctx));
}

/* A command line, its status, and a part of what it prints. */
static const struct {
	const char *arguments;
	int status;
	const char *output;
} command_rows[] = {
	{ "--target gfx1100", 0,
	  "v_wmma_f16_16x16x16_f16    16x16x16     lhs 16 f16, rhs 16 f16, acc 8 f16, "
	  "acc_hi 8 f16\n" },
	{ "--target gfx942 MFMA_F32_4x4x4x16B_F16 lhs", 0,
	  "\nblock 15\nrow     0-3\n  0  60:0-3\n" },
	{ "--target gfx1100 v_wmma_f32_16x16x16_f16 rhs", 0,
	  "15+31:0-15\n" },
	{ "--target gfx1200 v_wmma_f32_16x16x16_f16 lhs", 0,
	  "\n  2    2:0-3   18:0-3    2:4-7   18:4-7\n" },
	{ "--target gfx1100 v_wmma_f16_16x16x16_f16 acc_hi", 0, "\n  2    0:3" },
	{ "--target gfx942 MFMA_F32_16x16x4_F32", 2, "needs an OPERAND" },
	{ "--target gfx942 MFMA_F32_16x16x4_F32 A", 2, "is no operand" },
	{ "--target gfx942 MFMA_F32_16x16x4_F16 lhs", 2, "near it are" },
	{ "--target gfx1100 MFMA_F32_16x16x4_F32 lhs", 3, "gfx1100 has no" },
	{ "--target gfx900", 3, "'gfx900'" },
	{ "--target host", 3, "'host'" },
	{ "", 2, "needs --target GPU" },
};

static void commands(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(command_rows) / sizeof(*command_rows); i++) {
		int status;
		char *output = shell_output(&status, "%s mma %s", LAYOUTC_PATH,
			command_rows[i].arguments);

		if (status != command_rows[i].status ||
				!strstr(output, command_rows[i].output))
			fail_msg("%s: status %d: %s", command_rows[i].arguments, status,
				output);
		free(output);
	}
}

static void nulls(void **state)
{
	layout_context *ctx = layout_context_new();
	int64_t image[3];
	layout_mma *mma;

	(void)state;
	assert_null(layout_mma_find(ctx, NULL, LAYOUT_MMA_LHS, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_mma_find(ctx, "MFMA_F32_16x16x4_F32", 77, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_mma_name_at(ctx, NULL, 0));
	assert_null(layout_mma_parse(ctx, NULL));
	layout_mma_free(NULL);
	assert_null(layout_mma_copy(NULL));
	assert_null(layout_mma_str(NULL));
	assert_null(layout_mma_relation(NULL));
	assert_null(layout_mma_box(NULL));
	assert_null(layout_mma_linear(NULL));
	assert_null(layout_mma_type(NULL));
	assert_false(layout_mma_has(NULL, LAYOUT_MMA_LHS));
	assert_int_equal(layout_mma_apply(NULL, 0, 0, image), 0);
	mma = layout_mma_parse(ctx, "mma<MFMA_F32_16x16x4_F32, lhs>");
	assert_int_equal(layout_mma_apply(mma, 0, 0, NULL), 0);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	layout_mma_free(mma);
	assert_int_equal(layout_mma_lanes(NULL) + layout_mma_elements(NULL) +
		layout_mma_rows(NULL) + layout_mma_columns(NULL) +
		layout_mma_get_shape(NULL).m, 0);
	assert_int_equal(layout_mma_equal_up_to_k(NULL, NULL, NULL, NULL, NULL, NULL),
		LAYOUT_UNKNOWN);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_isa_rows),
		cmocka_unit_test(published_iree_rows),
		cmocka_unit_test(orders_of_k),
		cmocka_unit_test(conventions),
		cmocka_unit_test(bad_conventions),
		cmocka_unit_test(quotas),
		cmocka_unit_test(texts),
		cmocka_unit_test(bad_texts),
		cmocka_unit_test(long_names),
		cmocka_unit_test(target_names),
		cmocka_unit_test(inputs_share_k),
		cmocka_unit_test(mfma_rule),
		cmocka_unit_test(commands),
		cmocka_unit_test(nulls),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
