/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Expressions: what they denote, the boxes they declare, their points in order. */
#include "isl_bridge/context.h"
#include "support/notations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PLAIN "encoding_info<{innerDimsPos = [1], innerTileSizes = [4]}>"
#define NESTED "nested_layout<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], " \
	"thread_tile = [2], element_tile = [2], subgroup_strides = [1], " \
	"thread_strides = [1], subgroup_size = 2>"

/* What an expression is equal to, as isl says it, and what it prints as where that is of
 * another kind: a result that is a relation may have the form of a layout. */
static const struct {
	const char *expression;
	layout_value_kind kind;
	const char *equal;
	layout_value_kind printed;
} results[] = {
	{ "{ [i] -> [2i] : 0 <= i < 4 }", LAYOUT_VALUE_RELATION,
		"{ [i] -> [2i] : 0 <= i < 4 }" },
	{ "[M] -> { [i] : 0 <= i < M }", LAYOUT_VALUE_SET, "[M] -> { [i] : 0 <= i < M }" },
	{ "{ [[i] -> [j]] : i = j }", LAYOUT_VALUE_SET, "{ [[i] -> [j]] : i = j }" },
	{ "{ A[i] : i > 0 # } -> [\n }", LAYOUT_VALUE_SET, "{ A[i] : i > 0 }" },
	{ "(4,8):(8,1)", LAYOUT_VALUE_CUTE,
		"{ [i] -> [8*(i mod 4) + floor(i/4)] : 0 <= i < 32 }" },
	{ NESTED, LAYOUT_VALUE_NESTED, "{ [t, b, o, e] -> [2t + e] : "
		"0 <= t < 4 and b = 0 and o = 0 and 0 <= e < 2 }" },
	{ "row_major[M, 3]", LAYOUT_VALUE_STORAGE,
		"[M] -> { logical[i, j] -> cell[i, j] : 0 <= i < M and 0 <= j < 3 }" },
	{ "col_major[M, 3]", LAYOUT_VALUE_STORAGE,
		"[M] -> { logical[i, j] -> cell[j, i] : 0 <= i < M and 0 <= j < 3 }" },
	{ "packed(" PLAIN ", [M, 9])", LAYOUT_VALUE_STORAGE,
		"[M] -> { logical[i, j] -> cell[i, floor(j/4), j mod 4] : "
		"0 <= i < M and 0 <= j < 9 }" },
	{ "remap(row_major[M, 3] -> col_major[M, 3], type = f32)", LAYOUT_VALUE_REMAP,
		"[M] -> { cell[i, j] -> cell[j, i] : 0 <= i < M and 0 <= j < 3 }" },
	{ "chain(row_major[M, 3], transpose([1, 0]))", LAYOUT_VALUE_CHAIN,
		"[M] -> { logical[i, j] -> logical[j, i] : 0 <= i < M and 0 <= j < 3 }" },
	{ "affine_map<(i)[s0] -> (i + s0)>", LAYOUT_VALUE_AFFINE_MAP,
		"[s0] -> { [i] -> [i + s0] }" },

	{ "compose({ [i] -> [i + 1] }, 4:2)", LAYOUT_VALUE_RELATION,
		"{ [i] -> [2i + 1] : 0 <= i < 4 }" },
	{ "compose(4:2, affine_map<(i, j) -> (2*i + j)>)", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [4i + 2j] : 0 <= 2i + j < 4 }" },
	{ "compose(row_major[M, K], inverse(col_major[M, K]))", LAYOUT_VALUE_RELATION,
		"[M, K] -> { cell[j, i] -> cell[i, j] : 0 <= i < M and 0 <= j < K }" },
	{ "inverse((4,2):(2,1))", LAYOUT_VALUE_RELATION,
		"{ [o] -> [floor(o/2) + 4*(o mod 2)] : 0 <= o < 8 }",
		LAYOUT_VALUE_CUTE },
	{ "product(2:1, { [i] -> [3i] })", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [i, 3j] : 0 <= i < 2 }" },
	{ "product({ [i] : i = 0 }, { [i] : i = 1 })", LAYOUT_VALUE_SET, "{ [0, 1] }" },
	{ "union(2:1, 4:1)", LAYOUT_VALUE_RELATION, "{ [i] -> [i] : 0 <= i < 4 }",
		LAYOUT_VALUE_CUTE },
	{ "union({ [0] }, { [1] })", LAYOUT_VALUE_SET, "{ [i] : 0 <= i < 2 }" },
	{ "intersect(4:1, { [i] -> [2] })", LAYOUT_VALUE_RELATION, "{ [2] -> [2] }" },
	{ "intersect({ [i] : i > 0 }, { [i] : i < 2 })", LAYOUT_VALUE_SET, "{ [1] }" },
	{ "subtract(4:1, 2:1)", LAYOUT_VALUE_RELATION, "{ [i] -> [i] : 2 <= i < 4 }" },
	{ "subtract({ [i] : 0 <= i < 3 }, { [1] })", LAYOUT_VALUE_SET, "{ [0]; [2] }" },
	{ "restrict(4:3, { [i] : i mod 2 = 0 })", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [2] -> [6] }" },
	{ "restrict(affine_map<(i) -> (-i)>, domain(3:1))", LAYOUT_VALUE_RELATION,
		"{ [i] -> [-i] : 0 <= i < 3 }" },
	{ "domain(row_major[M])", LAYOUT_VALUE_SET, "[M] -> { logical[i] : 0 <= i < M }" },
	{ "range(3:5)", LAYOUT_VALUE_SET, "{ [0]; [5]; [10] }" },
	{ "permute({ [i] -> [i, 2i, 3i] }, [2, 0, 1])", LAYOUT_VALUE_RELATION,
		"{ [i] -> [3i, i, 2i] }" },
	{ "permute({ [1, 2, 3] }, [2, 0, 1])", LAYOUT_VALUE_SET, "{ [3, 1, 2] }" },
	{ "project({ [i] -> [i, 2i, 3i] }, [0, 2])", LAYOUT_VALUE_RELATION,
		"{ [i] -> [2i] }" },
	{ "project({ [1, 2, 3] }, [1])", LAYOUT_VALUE_SET, "{ [1, 3] }" },
	{ "project({ [i] -> [i] }, [])", LAYOUT_VALUE_RELATION, "{ [i] -> [i] }" },
	{ "simplify(union(2:1, { [i] -> [i] : 2 <= i < 4 }))", LAYOUT_VALUE_RELATION,
		"{ [i] -> [i] : 0 <= i < 4 }" },
	{ "simplify({ [i] : i > 0 or i <= 0 })", LAYOUT_VALUE_SET, "{ [i] }" },
	{ "padding(packed(" PLAIN ", [M, 9]))", LAYOUT_VALUE_SET,
		"[M] -> { cell[i, 2, k] : 0 <= i < M and 1 <= k < 4 }" },
	{ "padding(row_major[M])", LAYOUT_VALUE_SET, "[M] -> { cell[i] : false }" },

	/* the other notations, and functions whose result is a relation */
	{ "linear<{a = [[1], [2]], b = [[3]]} -> {c = 4}>", LAYOUT_VALUE_LINEAR,
		"{ [a, 0] -> [a] : 0 <= a < 4; [a, 1] -> [3 - a] : 0 <= a < 4 }" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs>", LAYOUT_VALUE_MMA,
		"{ [lane, 0] -> [lane mod 16, floor(lane/16)] : 0 <= lane < 64 }" },
	{ "xor_shuffle<2, 1>", LAYOUT_VALUE_SWIZZLE,
		"{ [0] -> [0]; [1] -> [1]; [2] -> [3]; [3] -> [2] }" },
	{ "rotate_rows<3, 1>", LAYOUT_VALUE_SWIZZLE, "{ [x] -> [x - (x mod 3) + "
		"((x + floor(x/3)) mod 3)] : 0 <= x < 9 }" },
	{ "pack_map<(2,3):(3,1)>", LAYOUT_VALUE_CUTE, "{ [i] -> [i] : 0 <= i < 6 }" },
	{ "Sw<1,0,1>", LAYOUT_VALUE_CUTE,
		"{ [0] -> [0]; [1] -> [1]; [2] -> [3]; [3] -> [2] }" },
	{ "inverse(rotate_rows<3, 1>)", LAYOUT_VALUE_RELATION, "{ [x] -> [x - (x mod 3) + "
		"((x - floor(x/3)) mod 3)] : 0 <= x < 9 }" },
	{ "compose(xor_shuffle<2, 1>, 3:2)", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [3]; [2] -> [4] }",
		LAYOUT_VALUE_CUTE },
	{ "compose(xor_shuffle<2, 1>, (2,4):(1,4))", LAYOUT_VALUE_RELATION,
		"{ [i] -> [i mod 2 + 4*floor(i/2)] : 0 <= i < 8 }",
		LAYOUT_VALUE_CUTE },
	{ "compose(xor_shuffle<2, 1>, 4:3)", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [2]; [2] -> [7]; [3] -> [9] }",
		LAYOUT_VALUE_CUTE },
	{ "compose(xor_shuffle<2, 1>, linear<{a = [[6], [1]]} -> {b = 8}>)",
		LAYOUT_VALUE_RELATION, "{ [0] -> [0]; [1] -> [7]; [2] -> [1]; [3] -> [6] }",
		LAYOUT_VALUE_CUTE },
	{ "compose(xor_shuffle<2, 1>, rotate_rows<4, 1>)", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [1]; [2] -> [3]; [3] -> [2]; [4] -> [5]; [5] -> [7]; "
		"[6] -> [6]; [7] -> [4]; [8] -> [11]; [9] -> [10]; [10] -> [8]; [11] -> [9]; "
		"[12] -> [14]; [13] -> [12]; [14] -> [13]; [15] -> [15] }" },
	{ "compose(xor_shuffle<2, 1>, { [i] -> [i + 6] })", LAYOUT_VALUE_RELATION,
		"{ [i] -> [i + 6 - (i mod 2) + ((i + floor(i/2) + 1) mod 2)] : i >= -6 }" },
	{ "compose(rotate_rows<3, 1>, 2:10)", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [10 - 1 + (1 + 3) mod 3] }",
		LAYOUT_VALUE_CUTE },
	{ "compose({ [i, j] -> [i + 4j] }, linear<{a = [[0, 1], [1, 0]]}>)",
		LAYOUT_VALUE_RELATION, "{ [0] -> [0]; [1] -> [4]; [2] -> [1]; [3] -> [5] }" },
	{ "compose(linear<{a = [[2], [1]]} -> {b = 4}>, 4:1)", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [2]; [2] -> [1]; [3] -> [3] }",
		LAYOUT_VALUE_LINEAR },
	{ "inverse(linear<{a = [[1], [1]]} -> {b = 2}>)", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [1]; [1] -> [2]; [0] -> [3] }" },
	{ "product(linear<{a = [[1]]} -> {b = 2}>, 3:2)", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [i, 2j] : 0 <= i < 2 and 0 <= j < 3 }" },
	{ "left_inverse({ [i] -> [floor(i/2)] : 0 <= i < 6 })", LAYOUT_VALUE_RELATION,
		"{ [i] -> [2i] : 0 <= i < 3 }" },
	{ "right_inverse({ A[i, j] -> B[i + j] : 0 <= i < 3 and 0 <= j < 2 })",
		LAYOUT_VALUE_RELATION, "{ B[0] -> A[0, 0]; B[i] -> A[i - 1, 1] : 0 < i < 4 }" },
	{ "left_inverse(row_major[2, M])", LAYOUT_VALUE_RELATION,
		"[M] -> { cell[i, j] -> logical[i, j] : 0 <= i < 2 and 0 <= j < M }" },
	{ "right_inverse(xor_shuffle<2, 1>)", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [1]; [2] -> [3]; [3] -> [2] }",
		LAYOUT_VALUE_CUTE },
	{ "distribute(#ttg.padded_shared<[4:+2] {order = [0]}>, [8])",
		LAYOUT_VALUE_RELATION, "{ [i, 0] -> [i] : 0 <= i < 4; "
		"[i, 0] -> [i - 2] : 6 <= i < 10 }" },

	/* other coordinates */
	{ "as((4,6):(6,1), in = [4, 6])", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [6i + j] : 0 <= i < 4 and 0 <= j < 6 }" },
	{ "as((4,6):(6,1), in = [4, 6], out = [6, 4])", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [j, i] : 0 <= i < 4 and 0 <= j < 6 }" },
	{ "as(6:1, in = [3, 2])", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [i + 3j] : 0 <= i < 3 and 0 <= j < 2 }" },
	{ "as(6:1, in = [3, 2], order = lex)", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [2i + j] : 0 <= i < 3 and 0 <= j < 2 }" },
	{ "as(pack_map<(2,3):(1,2)>, in = [2, 3])", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [i + 2j] : 0 <= i < 2 and 0 <= j < 3 }" },
	{ "as(row_major[2, 3], in = [6], out = cells)", LAYOUT_VALUE_RELATION,
		"{ [i] -> cells[floor(i/3), i mod 3] : 0 <= i < 6 }" },
	{ "as(col_major[2, 3], in = element, out = [offset = 6])", LAYOUT_VALUE_RELATION,
		"{ element[i, j] -> [2j + i] : 0 <= i < 2 and 0 <= j < 3 }" },
	{ "as({ [i] -> [2i] : 0 <= i < 4 }, in = [2, 2])", LAYOUT_VALUE_RELATION,
		"{ [i, j] -> [4i + 2j] : 0 <= i < 2 and 0 <= j < 2 }" },
	{ "as(linear<{a = [[1]], c = [[2]]} -> {b = 4}>, in = [4], order = lex)",
		LAYOUT_VALUE_RELATION, "{ [0] -> [0]; [1] -> [2]; [2] -> [1]; [3] -> [3] }",
		LAYOUT_VALUE_LINEAR },
	{ "as(linear<{a = [[1]], c = [[2]]} -> {b = 4}>, in = [c, a])",
		LAYOUT_VALUE_LINEAR, "{ [c, a] -> [2c + a] : 0 <= c < 2 and 0 <= a < 2 }" },
	{ "as(compose((6,2):(1,7), (3,2):(2,3)), in = [3, 2])", LAYOUT_VALUE_RELATION,
		"{ [0, 0] -> [0]; [1, 0] -> [2]; [2, 0] -> [4]; [0, 1] -> [3]; [1, 1] -> [5]; "
		"[2, 1] -> [8] }" },
	{ "compose(2:10, compose((6,2):(1,7), (3,2):(2,3)))", LAYOUT_VALUE_RELATION,
		"{ [0] -> [0]; [1] -> [20]; [2] -> [40]; [3] -> [30]; [4] -> [50]; "
		"[5] -> [80] }" },
	{ "free_masks(linear<{a = [[1], [1], [2]], b = [[0]], c = []} -> {d = 4}>)",
		LAYOUT_VALUE_SET, "{ [2, 1, 0] }" },
	{ "free_masks(linear<{}>)", LAYOUT_VALUE_SET, "{ [] }" },
	{ "as(0:1, in = [4, 0])", LAYOUT_VALUE_RELATION, "{ [i, j] -> [k] : false }" },
};

static layout_answer equal_to(layout_context *ctx, layout_value *value, const char *text)
{
	layout_relation *a, *b;
	layout_set *s, *t;
	layout_answer answer;

	if (value && layout_value_get_kind(value) == LAYOUT_VALUE_SET) {
		s = layout_value_set(value);
		t = layout_set_read(ctx, text);
		answer = layout_set_equal(s, t, NULL);
		layout_set_free(s);
		layout_set_free(t);
		return answer;
	}
	a = layout_value_relation(value);
	b = layout_relation_read(ctx, text);
	answer = layout_relation_equal(a, b, NULL);
	layout_relation_free(a);
	layout_relation_free(b);
	return answer;
}

/* The printed form denotes the same, too. */
static void test_results(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, results[i].expression);
		char *printed = layout_value_str(value);
		layout_value *again = layout_value_parse(ctx, printed ? printed : "");

		if (equal_to(ctx, value, results[i].equal) != LAYOUT_YES ||
				equal_to(ctx, again, results[i].equal) != LAYOUT_YES)
			fail_msg("%s prints %s: %s", results[i].expression, printed,
				layout_context_message(ctx));
		assert_int_equal(layout_value_get_kind(value), results[i].kind);
		assert_int_equal(layout_value_get_kind(again), results[i].printed ?
			results[i].printed : results[i].kind);
		layout_string_free(printed);
		layout_value_free(value);
		layout_value_free(again);
		assert_true(layout_context_free(ctx));
	}
}

/* The value under a quota that may be too small: then that is the error. */
static void check_quota(layout_context *ctx, const char *expression, const char *equal,
	unsigned long quota)
{
	layout_value *value;

	layout_context_set_quota(ctx, quota);
	value = layout_value_parse(ctx, expression);
	if (!value && layout_context_error(ctx) != LAYOUT_ERROR_QUOTA)
		fail_msg("%s within %lu: %s", expression, quota,
			layout_context_message(ctx));
	if (value && equal_to(ctx, value, equal) == LAYOUT_NO)
		fail_msg("%s within %lu is not %s", expression, quota, equal);
	layout_context_clear(ctx);
	layout_context_set_quota(ctx, LAYOUT_DEFAULT_QUOTA);
	if (value && equal_to(ctx, value, equal) != LAYOUT_YES)
		fail_msg("%s within %lu: %s", expression, quota,
			layout_context_message(ctx));
	layout_context_clear(ctx);
	layout_value_free(value);
}

static void test_quotas(void **state)
{
	static const unsigned long quotas[] = { 1, 10, 100, 1000, 10000 };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++)
		for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++)
			check_quota(ctx, results[i].expression, results[i].equal, quotas[q]);
	assert_true(layout_context_free(ctx));
}

/* Literals print as their notation, and so do results of its form; others as isl text. */
static void test_printed(void **state)
{
	static const char *const rows[][2] = {
		{ "(4,8) : (8,1)", "(4,8):(8,1)" },
		{ "row_major[ M ]", "row_major[M]" },
		{ "affine_map<(i) -> (i+1)>", "affine_map<(d0) -> (d0 + 1)>" },
		{ "inverse({ A[i] -> B[j] : j = i + 1 and 0 <= i < 4 })",
			"{ B[j] -> A[j - 1] : 0 < j <= 4 }" },
		{ "range(3:1)", "{ [i0] : 0 <= i0 <= 2 }" },
		{ "inverse((4,2):(2,1))", "(2,4):(4,1)" },
		{ "compose(4:2, { [i] -> [2i] : 0 <= i < 2 })", "2:4" },
		{ "compose({ [i] -> [2i] }, 2:2)", "{ [i] -> [4i] : 0 <= i <= 1 }" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *printed = print_any(ctx, rows[i][0]);

		assert_non_null(printed);
		assert_string_equal(printed, rows[i][1]);
		layout_string_free(printed);
	}
	assert_true(layout_context_free(ctx));
}

/* The boxes of "surjective" and "total"; NULL: none. */
static const struct {
	const char *expression, *onto, *from;
} boxes[] = {
	{ "{ [i] -> [i] }", NULL, NULL },
	{ "{ [i] }", NULL, NULL },
	{ "affine_map<(i) -> (i)>", NULL, NULL },
	{ "inverse(4:1)", NULL, NULL },
	{ PLAIN, NULL, NULL },
	{ "(4,2):(3,1)", "{ [o] : 0 <= o < 11 }", "{ [i] : 0 <= i < 8 }" },
	{ "0:1", "{ [o] : false }", "{ [i] : false }" },
	{ "linear<{a = [[1, 0], [0, 2]], b = []} -> {c = 2, d = 4}>",
		"{ [c, d] : 0 <= c < 2 and 0 <= d < 4 }",
		"{ [a, b] : 0 <= a < 4 and b = 0 }" },
	{ "mma<MFMA_F32_16x16x4_F32, rhs>", "{ [k, n] : 0 <= k < 4 and 0 <= n < 16 }",
		"{ [lane, 0] : 0 <= lane < 64 }" },
	{ "xor_shuffle<64, 8>", "{ [x] : 0 <= x < 512 }", "{ [x] : 0 <= x < 512 }" },
	{ "rotate_rows<12, 4>", "{ [x] : 0 <= x < 36 }", "{ [x] : 0 <= x < 36 }" },
	{ NESTED, "{ [x] : 0 <= x < 8 }", "{ [t, b, o, e] : 0 <= t < 4 and b = 0 and "
		"o = 0 and 0 <= e < 2 }" },
	{ "packed(" PLAIN ", [M, 9])", "[M] -> { cell[i, j, k] : 0 <= i < M and "
		"0 <= j < 3 and 0 <= k < 4 }",
		"[M] -> { logical[i, j] : 0 <= i < M and 0 <= j < 9 }" },
	{ "remap(packed(" PLAIN ", [2, K]) -> row_major[2, K], type = u8)",
		"[K] -> { cell[i, j] : 0 <= i < 2 and 0 <= j < K }",
		"[K] -> { cell[i, j, k] : 0 <= i < 2 and 0 <= 4j + k < K and 0 <= k < 4 }" },
};

static void check_box(layout_context *ctx, const char *expression, layout_set *box,
	const char *text)
{
	layout_set *expected = text ? layout_set_read(ctx, text) : NULL;

	if (!text ? box != NULL : layout_set_equal(box, expected, NULL) != LAYOUT_YES)
		fail_msg("%s: not %s %s", expression, text, layout_context_message(ctx));
	layout_set_free(box);
	layout_set_free(expected);
}

static void test_boxes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(*boxes); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, boxes[i].expression);

		assert_non_null(value);
		check_box(ctx, boxes[i].expression, layout_value_onto(value), boxes[i].onto);
		check_box(ctx, boxes[i].expression, layout_value_from(value), boxes[i].from);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

/* The names of the sizes, each with a comma behind it; the count of the padding. */
static void test_names_and_counts(void **state)
{
	static const char *const rows[][3] = {
		{ "4:1", "", NULL },
		{ "{ [i] -> [i] }", "", NULL },
		{ "[M, K] -> { [i] : M <= i < K }", "M,K,", NULL },
		{ "affine_map<(i)[b, a] -> (i + a + b)>", "b,a,", NULL },
		{ "strided[K, 2*M + K : S, 1]", "K,M,S,", NULL },
		{ "remap(strided[M, N : T, 1] -> strided[M, N : S, 1], type = i8)",
			"M,N,T,S,", NULL },
		{ "padding(row_major[M])", "M,", "0" },
		{ "padding(packed(" PLAIN ", [M, K]))", "M,K,", "M*4*ceil(K/4) - M*K" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_value *value = layout_value_parse(ctx, rows[i][0]);
		struct layout_buffer names = { 0 };
		char *text;

		assert_non_null(value);
		for (unsigned k = 0; layout_value_size_name(value, k); k++)
			layout_buffer_printf(&names, "%s,", layout_value_size_name(value, k));
		text = layout_buffer_take(ctx, &names);
		assert_string_equal(text, rows[i][1]);
		if (rows[i][2])
			assert_string_equal(layout_value_count(value), rows[i][2]);
		else
			assert_null(layout_value_count(value));
		layout_string_free(text);
		layout_value_free(value);
	}
	assert_true(layout_context_free(ctx));
}

static void append_point(struct layout_buffer *out, const int64_t *point, unsigned rank)
{
	layout_buffer_printf(out, "(");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(out, "%s%lld", i ? "," : "", (long long)point[i]);
	layout_buffer_printf(out, ")");
}

static bool append_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	append_point(user, in, in_rank);
	if (image)
		append_point(user, image, image_rank);
	layout_buffer_printf(user, " ");
	return true;
}

static void test_points(void **state)
{
	static const layout_size sizes[] = { { "M", 2 }, { "K", 3 }, { "unused", 4 } };
	static const char *const rows[][2] = {
		{ "(2,3):(3,1)", "(0)(0) (1)(3) (2)(1) (3)(4) (4)(2) (5)(5) " },
		{ "col_major[M, K]", "(0,0)(0,0) (0,1)(1,0) (0,2)(2,0) (1,0)(0,1) "
			"(1,1)(1,1) (1,2)(2,1) " },
		{ "[M] -> { [i, j] : 0 <= i < M and -1 <= j < 1 }",
			"(0,-1) (0,0) (1,-1) (1,0) " },
		{ "inverse((2,2):(1,0))", "(0)(0) (0)(2) (1)(1) (1)(3) " },
		{ "0:1", "" },
		{ "pack_map<(2,2):(1,2)>", "(0)(0) (1)(2) (2)(1) (3)(3) " },
		{ "linear<{a = [[1], [2]], b = [[4]]}>", "(0,0)(0) (1,0)(1) (2,0)(2) "
			"(3,0)(3) (0,1)(4) (1,1)(5) (2,1)(6) (3,1)(7) " },
		{ "linear<{}>", "()() " },
		{ "restrict(mma<MFMA_F32_16x16x4_F32, lhs>, { [lane, e] : 15 <= lane < 18 })",
			"(15,0)(15,0) (16,0)(0,1) (17,0)(1,1) " },
		{ "rotate_rows<2, 1>", "(0)(0) (1)(1) (2)(3) (3)(2) " },
		{ "row_major[]", "()() " },
		{ "remap(row_major[M, 2] -> col_major[M, 2], type = f16)",
			"(0,0)(0,0) (0,1)(1,0) (1,0)(0,1) (1,1)(1,1) " },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_value *value = layout_value_parse(ctx, rows[i][0]);
		struct layout_buffer out = { 0 };
		char *text;

		if (!layout_value_for_each(value, sizes, 3, append_pair, &out))
			fail_msg("%s: %s", rows[i][0], layout_context_message(ctx));
		text = layout_buffer_take(ctx, &out);
		assert_string_equal(text, rows[i][1]);
		layout_string_free(text);
		layout_value_free(value);
	}
	assert_true(layout_context_free(ctx));
}

/* What has no points: unbounded, of unknown size, an encoding. */
static void test_no_points(void **state)
{
	static const char *const expressions[] = { "{ [i] -> [i] }", "{ [i] }",
		"row_major[M]", "[M] -> { [i] : 0 <= i < M }", PLAIN };

	(void)state;
	for (size_t i = 0; i < sizeof(expressions) / sizeof(*expressions); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, expressions[i]);
		struct layout_buffer out = { 0 };

		assert_non_null(value);
		assert_false(layout_value_for_each(value, NULL, 0, append_pair, &out));
		assert_int_not_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		free(out.text);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

/* A value is only what it is. */
static void test_wrong_kinds(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *set = layout_value_parse(ctx, "{ [i] }");
	layout_value *encoding = layout_value_parse(ctx, PLAIN);
	layout_value *cute = layout_value_parse(ctx, "4:1");
	layout_value *length = layout_value_parse(ctx, "max_common_vector(4:1, 4:1)");
	int64_t number;

	(void)state;
	assert_null(layout_value_relation(set));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	layout_context_clear(ctx);
	assert_null(layout_value_relation(encoding));
	assert_string_equal(layout_context_message(ctx), "an encoding has no cells "
		"until packed(ENCODING, [sizes]) gives it sizes");
	layout_context_clear(ctx);
	assert_null(layout_value_set(cute));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	layout_context_clear(ctx);
	assert_null(layout_value_storage(cute));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	layout_context_clear(ctx);
	assert_null(layout_value_remap(cute));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	layout_context_clear(ctx);
	assert_null(layout_value_nested(cute));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	layout_context_clear(ctx);
	assert_null(layout_value_linear(cute));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	layout_context_clear(ctx);
	assert_null(layout_value_mma(cute));
	assert_null(layout_value_swizzle(cute));
	assert_null(layout_value_triton(cute));
	assert_false(layout_value_integer(cute, &number));
	assert_string_equal(layout_context_message(ctx),
		"expected a matrix operand, found a CuTe layout");
	layout_context_clear(ctx);
	assert_false(layout_value_integer(length, NULL));
	layout_context_clear(ctx);
	assert_true(layout_value_integer(length, &number));
	assert_int_equal(number, 4);
	assert_null(layout_value_relation(length));
	layout_context_clear(ctx);
	assert_non_null(layout_value_cute(cute));
	assert_null(layout_value_cute(set));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	assert_string_equal(layout_value_kind_str(LAYOUT_VALUE_AFFINE_MAP), "affine_map");
	layout_value_free(set);
	layout_value_free(encoding);
	layout_value_free(cute);
	layout_value_free(length);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_quotas),
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_names_and_counts),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_no_points),
		cmocka_unit_test(test_wrong_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
