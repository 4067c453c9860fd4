/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of the expressions, each with a result in its notation; what they
 * refuse; and all of that with next to no operations allowed. */
#include "isl_bridge/relation.h"
#include "support/notations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))
#define NESTED(lists) "nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 1], " \
	"outer_tile = [1, 1], thread_tile = [4, 1], element_tile = [1, 2], " lists ">"
#define STRIDES "subgroup_strides = [0, 1], thread_strides = [1, 0], subgroup_size = 4"
#define PLAIN "nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], " \
	"thread_tile = [4], element_tile = [2], subgroup_strides = [0], " \
	"thread_strides = [1], subgroup_size = 4>"
/* Two subgroups of four and 16 threads of 128 make the others repeat them. */
#define GAPS "nested_layout<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], " \
	"thread_tile = [16], element_tile = [2], subgroup_strides = [2], " \
	"thread_strides = [8]>"
/* The operands of a product: rows and columns of threads, each beside its part of K. */
#define ROWS "nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 1], " \
	"outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 4], subgroup_strides = [0, 0], " \
	"thread_strides = [1, 0]>"
#define COLUMNS "nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 4], " \
	"outer_tile = [1, 1], thread_tile = [1, 4], element_tile = [4, 2], " \
	"subgroup_strides = [0, 0], thread_strides = [0, 16]>"
#define LHS "{ [r, k] -> [r, k] : 0 <= r < 2 and 0 <= k < 4 }"
#define RHS "{ [c, k] -> [k, c] : 0 <= c < 3 and 0 <= k < 4 }"
#define LHS_TURNED "{ [r, k] -> [r, (k + 1) mod 4] : 0 <= r < 2 and 0 <= k < 4 }"
#define RHS_TURNED "{ [c, k] -> [(k + 1) mod 4, c] : 0 <= c < 3 and 0 <= k < 4 }"
#define BLOCKED "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 1], " \
	"warpsPerCTA = [1, 1], order = [1, 0]}>"

/* What the result prints as; NULL: as it was written. */
static const struct result {
	const char *expression;
	layout_value_kind kind;
	const char *printed;
} results[] = {
	{ "compose((8,4):(1,8), (2,2):(1,4))", LAYOUT_VALUE_CUTE,
		"(2,2):(1,4)" },
	{ "compose((8,4):(1,8), <4:1, 2:2>)", LAYOUT_VALUE_CUTE,
		"(4,2):(1,16)" },
	{ "compose((8,4):(1,8), <_, 2>)", LAYOUT_VALUE_CUTE,
		"(8,2):(1,8)" },
	{ "compose((10,3):(1,20), <3:3, 2>)", LAYOUT_VALUE_CUTE,
		"(3,2):(3,20)" },
	{ "compose(Sw<1,0,1>, 4:1)", LAYOUT_VALUE_CUTE,
		"Sw<1,0,1>" },
	{ "coalesce(((2,2),4):((1,2),4))", LAYOUT_VALUE_CUTE,
		"16:1" },
	{ "coalesce(((2,2),4):((1,2),4), (1, 1))", LAYOUT_VALUE_CUTE,
		"(4,4):(1,4)" },
	{ "coalesce((2,(1,6)):(1,(6,2)), (1,1))", LAYOUT_VALUE_CUTE,
		"(2,6):(1,2)" },
	{ "filter((2,4,3):(0,1,4))", LAYOUT_VALUE_CUTE,
		"12:1" },
	{ "flatten(((2,2),(3,1)):((1,8),(2,0)))", LAYOUT_VALUE_CUTE,
		"(2,2,3,1):(1,8,2,0)" },
	{ "complement(4:2)", LAYOUT_VALUE_CUTE,
		"2:1" },
	{ "complement(4:1, 24)", LAYOUT_VALUE_CUTE,
		"6:4" },
	{ "left_inverse((4,8):(8,1))", LAYOUT_VALUE_CUTE,
		"(8,4):(4,1)" },
	{ "right_inverse((2,4):(4,1))", LAYOUT_VALUE_CUTE,
		"(4,2):(2,1)" },
	{ "right_inverse((2,4):(0,1))", LAYOUT_VALUE_CUTE,
		"4:2" },
	{ "left_inverse(4:2)", LAYOUT_VALUE_CUTE,
		"(2,4):(0,1)" },
	{ "logical_divide(16:1, 4:2)", LAYOUT_VALUE_CUTE,
		"(4,(2,2)):(2,(1,8))" },
	{ "logical_divide(16:1, <4:2>)", LAYOUT_VALUE_CUTE,
		"((4,(2,2))):((2,(1,8)))" },
	{ "logical_divide((4,8):(1,4), <2:2, 4>)", LAYOUT_VALUE_CUTE,
		"((2,2),(4,2)):((2,1),(4,16))" },
	{ "zipped_divide((4,8):(1,4), <2:2, 4>)", LAYOUT_VALUE_CUTE,
		"((2,4),(2,2)):((2,4),(1,16))" },
	{ "tiled_divide((4,8):(1,4), <2:2, 4>)", LAYOUT_VALUE_CUTE,
		"((2,4),2,2):((2,4),1,16)" },
	{ "flat_divide((4,8):(1,4), <2:2, 4>)", LAYOUT_VALUE_CUTE,
		"(2,4,2,2):(2,4,1,16)" },
	/* a number is as many elements in a row */
	{ "logical_product(4:1, 3)", LAYOUT_VALUE_CUTE, "(4,3):(1,4)" },
	{ "logical_divide((4,6):(6,1), 8)", LAYOUT_VALUE_CUTE, "((4,2),3):((6,1),2)" },
	{ "compose((6,2):(8,2), 12)", LAYOUT_VALUE_CUTE, "(6,2):(8,2)" },
	{ "zipped_divide(12:1, 3)", LAYOUT_VALUE_CUTE, "(3,4):(1,3)" },
	{ "tiled_product(4:1, 3)", LAYOUT_VALUE_CUTE, "(4,3):(1,4)" },
	{ "raked_product(4:1, 3)", LAYOUT_VALUE_CUTE, "((3,4)):((4,1))" },
	{ "blocked_product(4:1, 3)", LAYOUT_VALUE_CUTE, "((4,3)):((1,4))" },
	{ "logical_product(4:1, 2:1)", LAYOUT_VALUE_CUTE,
		"(4,2):(1,4)" },
	{ "zipped_product((2,2):(1,2), 2:1)", LAYOUT_VALUE_CUTE,
		"((2,2),2):((1,2),4)" },
	{ "tiled_product((2,2):(1,2), (2,3):(1,2))", LAYOUT_VALUE_CUTE,
		"((2,2),2,3):((1,2),4,8)" },
	{ "flat_product((2,2):(1,2), (2,3):(1,2))", LAYOUT_VALUE_CUTE,
		"(2,2,2,3):(1,2,4,8)" },
	{ "logical_product((4,2):(2,1), <4:2, 4:2>)", LAYOUT_VALUE_CUTE,
		"((4,4),(2,4)):((2,8),(1,4))" },
	{ "zipped_product((8,2):(1,8), <3:1>)", LAYOUT_VALUE_CUTE, "((8),(3,2)):((1),(8,8))" },
	{ "blocked_product((2,2):(1,2), (2,3):(1,2))", LAYOUT_VALUE_CUTE,
		"((2,2),(2,3)):((1,4),(2,8))" },
	{ "raked_product((2,2):(1,2), (2,3):(1,2))", LAYOUT_VALUE_CUTE,
		"((2,2),(3,2)):((4,1),(8,2))" },
	{ "max_common_vector((4,8):(1,4), (4,8):(1,8))", LAYOUT_VALUE_INTEGER,
		"4" },
	{ "max_common_layout((4,8):(1,4), (4,8):(1,8))", LAYOUT_VALUE_CUTE,
		"4:1" },
	{ "nullspace((2,4):(0,1))", LAYOUT_VALUE_CUTE,
		"2:1" },
	{ "upcast((4,8):(1,4), 2)", LAYOUT_VALUE_CUTE,
		"(2,8):(1,2)" },
	{ "downcast((4,8):(1,4), 2)", LAYOUT_VALUE_CUTE,
		"(8,8):(1,8)" },
	{ "recast((4,8):(1,4), 16, 8)", LAYOUT_VALUE_CUTE,
		"(8,8):(1,8)" },
	{ "Sw<1,0,1>", LAYOUT_VALUE_CUTE,
		NULL },
	{ "Sw<1,0,1> o 1 o (2,2):(2,1)", LAYOUT_VALUE_CUTE,
		NULL },
	{ "pack_map<(2,3):(3,1)>", LAYOUT_VALUE_CUTE,
		NULL },
	{ "xor_shuffle<2, 1>", LAYOUT_VALUE_SWIZZLE,
		NULL },
	{ "rotate_rows<3, 1>", LAYOUT_VALUE_SWIZZLE,
		NULL },
	{ "linear<{lane = [[0, 1], [1, 0]]}>", LAYOUT_VALUE_LINEAR,
		NULL },
	{ "compose(linear<{a = [[1], [2]]} -> {b = 4}>, linear<{x = [[2]]} -> {a "
		"= 4}>)", LAYOUT_VALUE_LINEAR,
		"linear<{x = [[2]]} -> {b = 4}>" },
	{ "inverse(linear<{a = [[2], [1]]} -> {b = 4}>)", LAYOUT_VALUE_LINEAR,
		"linear<{b = [[2], [1]]} -> {a = 4}>" },
	{ "product(linear<{a = [[1]]} -> {b = 2}>, linear<{a = [[1]]} -> {b = "
		"2}>)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1], [2]]} -> {b = 4}>" },
	{ "pseudo_inverse(linear<{a = [[1], [1], [2]]} -> {b = 4}>)",
		LAYOUT_VALUE_LINEAR, "linear<{b = [[1], [4]]} -> {a = 8}>" },
	{ "invert_and_compose(linear<{x = [[2], [1]]} -> {b = 4}>, linear<{y = "
		"[[1], [2]]} -> {b = 4}>)", LAYOUT_VALUE_LINEAR,
		"linear<{x = [[2], [1]]} -> {y = 4}>" },
	{ "least_squares(linear<{a = [[1], [2]]} -> {b = 4}>, linear<{x = [[3]]} "
		"-> {b = 4}>)", LAYOUT_VALUE_LINEAR,
		"linear<{x = [[3]]} -> {a = 4}>" },
	{ "divide_left(linear<{a = [[1], [2]]} -> {b = 4}>, linear<{a = [[1]]} "
		"-> {b = 2}>)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1]]} -> {b = 2}>" },
	{ "divide_right(linear<{a = [[1], [2]]} -> {b = 4}>, linear<{a = [[1]]} "
		"-> {b = 2}>)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1]]} -> {b = 2}>" },
	{ "sublayout(linear<{a = [[1, 0]], c = [[0, 1]]}>, [c], [dim1])",
		LAYOUT_VALUE_LINEAR, "linear<{c = [[1]]} -> {dim1 = 2}>" },
	{ "quotient(linear<{a = [[1, 0]], c = [[0, 1]]} -> {a = 2, d = 2}>, [a])",
		LAYOUT_VALUE_LINEAR, "linear<{c = [[1]]} -> {d = 2}>" },
	{ "reshape_ins(linear<{a = [[1], [2]]} -> {b = 4}>, [x = 2, y = 2])",
		LAYOUT_VALUE_LINEAR, "linear<{x = [[1]], y = [[2]]} -> {b = 4}>" },
	{ "reshape_outs(linear<{a = [[1], [2]]} -> {b = 4}>, [x = 2, y = 2])",
		LAYOUT_VALUE_LINEAR, "linear<{a = [[1, 0], [0, 1]]} -> {x = 2, y = 2}>" },
	{ "flatten_ins(linear<{a = [[1, 0]], c = [[0, 1]]}>)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1, 0], [0, 1]]}>" },
	{ "flatten_outs(linear<{a = [[1, 0]], c = [[0, 1]]}>)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1]], c = [[2]]}>" },
	{ "transpose_ins(linear<{a = [[1, 0]], c = [[0, 1]]}>, [c, a])",
		LAYOUT_VALUE_LINEAR, "linear<{c = [[0, 1]], a = [[1, 0]]}>" },
	{ "transpose_outs(linear<{a = [[1, 0]], c = [[0, 1]]}>, [dim1, dim0])",
		LAYOUT_VALUE_LINEAR,
		"linear<{a = [[0, 1]], c = [[1, 0]]} -> {dim1 = 2, dim0 = 2}>" },
	{ "concat_ins(linear<{a = [[1]]} -> {b = 4}>, linear<{c = [[2]]} -> {b = "
		"4}>)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1]], c = [[2]]} -> {b = 4}>" },
	{ "concat_outs(linear<{a = [[1]]} -> {b = 2}>, linear<{a = [[1]]} -> {c "
		"= 2}>)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1, 1]]} -> {b = 2, c = 2}>" },
	{ "resize_in(linear<{a = [[1]]} -> {b = 2}>, a, 4)", LAYOUT_VALUE_LINEAR,
		"linear<{a = [[1], [0]]} -> {b = 2}>" },
	{ "resize_out(linear<{a = [[1], [2]]} -> {b = 4}>, b, 2)",
		LAYOUT_VALUE_LINEAR, "linear<{a = [[1], [0]]} -> {b = 2}>" },
	{ "remove_zero_bases(linear<{a = [[0], [1]]} -> {b = 2}>, a)",
		LAYOUT_VALUE_LINEAR, "linear<{a = [[1]]} -> {b = 2}>" },
	{ "resize_in(linear<{max = [[1]]} -> {b = 2}>, max, 4)", LAYOUT_VALUE_LINEAR,
		"linear<{max = [[1], [0]]} -> {b = 2}>" },
	{ "consecutive(linear<{a = [[1], [2]], c = [[4]]} -> {b = 8}>)",
		LAYOUT_VALUE_INTEGER, "4" },
	{ "contiguous(linear<{a = [[1], [2]], c = [[8]]} -> {b = 16}>, b)",
		LAYOUT_VALUE_INTEGER, "4" },
	{ "distribute(#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, "
		"1], warpsPerCTA = [1, 1], order = [1, 0]}>, [2, 4])", LAYOUT_VALUE_LINEAR,
		"linear<{register = [[0, 1], [0, 2]], lane = [[1, 0]], warp = [], "
		"block = []}>" },
	{ "as(linear<{a = [[1]], c = [[2]]} -> {b = 4}>, in = [c, a])",
		LAYOUT_VALUE_LINEAR, "linear<{c = [[2]], a = [[1]]} -> {b = 4}>" },
	{ "as(linear<{a = [[1]], c = [[2]]} -> {b = 4}>, in = [x, y], out = [z = "
		"2, w = 2])", LAYOUT_VALUE_LINEAR,
		"linear<{x = [[1, 0]], y = [[0, 1]]} -> {z = 2, w = 2}>" },
	{ BLOCKED, LAYOUT_VALUE_TRITON, NULL },
	{ "mma<MFMA_F32_16x16x4_F32, lhs>", LAYOUT_VALUE_MMA, NULL },
	{ PLAIN, LAYOUT_VALUE_NESTED, NULL },
	{ "permute(" NESTED(STRIDES) ", [1, 0])", LAYOUT_VALUE_NESTED,
		"nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 1], "
		"outer_tile = [1, 1], thread_tile = [1, 4], element_tile = [2, 1], subgroup_strides = [1, 0], "
		"thread_strides = [0, 1], subgroup_size = 4>" },
	{ "project(" NESTED(STRIDES) ", [1])", LAYOUT_VALUE_NESTED,
		"nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], "
		"thread_tile = [4], element_tile = [1], subgroup_strides = [0], "
		"thread_strides = [1], subgroup_size = 4>" },
	{ "apply(" PLAIN ", [-1, 0])", LAYOUT_VALUE_NESTED,
		"nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], "
		"outer_tile = [1, 1], thread_tile = [1, 4], element_tile = [1, 2], subgroup_strides = [0, 0], "
		"thread_strides = [0, 1], subgroup_size = 4>" },
	{ "append(" PLAIN ", " PLAIN ")", LAYOUT_VALUE_NESTED,
		"nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], "
		"outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [2, 2], subgroup_strides = [0, 0], "
		"thread_strides = [1, 1], subgroup_size = 4>" },
	{ "reshape(" PLAIN ", [4, 2])", LAYOUT_VALUE_NESTED,
		"nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], "
		"outer_tile = [1, 1], thread_tile = [4, 1], element_tile = [1, 2], subgroup_strides = [0, 0], "
		"thread_strides = [1, 0], subgroup_size = 4>" },
	{ "recombine([" ROWS ", " COLUMNS "], [[0, 2], [2, 1]], [1, 0])",
		LAYOUT_VALUE_NESTED, "nested_layout<subgroup_tile = [1, 1], "
		"batch_tile = [4, 2], outer_tile = [1, 1], thread_tile = [4, 16], "
		"element_tile = [2, 1], subgroup_strides = [0, 0], "
		"thread_strides = [16, 1]>" },
	{ "recombine([" PLAIN "], [[3]], [3])", LAYOUT_VALUE_NESTED, PLAIN },
	{ "recombine([], [], [])", LAYOUT_VALUE_NESTED, "nested_layout<subgroup_tile = [], "
		"batch_tile = [], outer_tile = [], thread_tile = [], element_tile = [], "
		"subgroup_strides = [], thread_strides = []>" },
	{ "check_shape(" PLAIN ", [8])", LAYOUT_VALUE_NESTED, PLAIN },
	{ "check_shape(" PLAIN ", [-1])", LAYOUT_VALUE_NESTED, PLAIN },
	{ "needs_shared_memory(" PLAIN ", " PLAIN ")", LAYOUT_VALUE_INTEGER, "0" },
	{ "needs_shared_memory(permute(" ROWS ", [0, 1]), reshape(" ROWS ", [32, 4]))",
		LAYOUT_VALUE_INTEGER, "0" },
	{ "needs_shared_memory(" PLAIN ", nested_layout<subgroup_tile = [1], "
		"batch_tile = [2], outer_tile = [1], thread_tile = [4], "
		"element_tile = [1], subgroup_strides = [0], thread_strides = [1], "
		"subgroup_size = 4>)", LAYOUT_VALUE_INTEGER, "1" },
	{ "sublayout_is_zero(linear<{a = [[1, 0]], c = [[0, 1]]}>, [c], [dim0])",
		LAYOUT_VALUE_INTEGER, "1" },
	{ "sublayout_is_zero(linear<{a = [[1, 0]], c = [[0, 1]]}>, [c], [dim0, dim1])",
		LAYOUT_VALUE_INTEGER, "0" },
	{ "is_trivial_over(linear<{a = [[1, 0]], c = [[0, 1]]} -> {a = 2, d = 2}>, [a])",
		LAYOUT_VALUE_INTEGER, "1" },
	{ "is_trivial_over(linear<{a = [[1, 1]], c = [[0, 1]]} -> {a = 2, d = 2}>, [a])",
		LAYOUT_VALUE_INTEGER, "0" },
};

/* Results that have no notation of their own. */
static const struct {
	const char *expression, *equal;
} relations[] = {
	{ "owned(" PLAIN ", 2)", "{ [2, 0, 0, e] -> [4 + e] : 0 <= e < 2 }" },
	{ "owned(" NESTED(STRIDES) ", 7)", "{ [7, 0, 0, 0, 0, 0, e] -> [3, 2 + e] : "
		"0 <= e < 2 }" },
	{ "owned(" GAPS ", 255)", "{ [255, 0, 0, e] -> [62 + e] : 0 <= e < 2 }" },
	{ "owners(" PLAIN ", [5])", "{ [5] -> [2, 0, 0, 1] }" },
	{ "owners(" COLUMNS ", [3, 5])", "{ [3, 5] -> [t, 0, 0, 0, 0, 3, 1] : "
		"32 <= t < 48 }" },
	{ "equal_up_to_k(" LHS ", " RHS ", " LHS_TURNED ", " RHS_TURNED ")",
		"{ [k] -> [(k + 1) mod 4] : 0 <= k < 4 }" },
	{ "equal_up_to_k(mma<WMMAR4_F32_16x16x16_F16, lhs>, "
		"mma<WMMAR4_F32_16x16x16_F16, rhs>, "
		"mma<v_wmma_f32_16x16x16_f16, lhs, gfx1200>, "
		"mma<v_wmma_f32_16x16x16_f16, rhs, gfx1200>)",
		"{ [k] -> [k mod 4 + 8*(floor(k/4) mod 2) + 4*floor(k/8)] : 0 <= k < 16 }" },
	/* behind the box that it alone is on, a swizzle goes on, whatever it is composed with */
	{ "compose(Sw<3,4,3>, { [lane] -> [128*lane] : 0 <= lane < 64 })", "{ [lane] -> [128*lane "
		"+ 16*(lane mod 8)] : 0 <= lane < 64 }" },
	{ "compose(Sw<3,3,3>, linear<{a = [[8], [64], [128], [512]]}>)",
		"{ [a] -> [8*(a mod 2) + 72*(floor(a/2) mod 2) + 144*(floor(a/4) mod 2) + "
		"512*floor(a/8)] : 0 <= a < 16 and a mod 4 != 3; "
		"[a] -> [64 + 144*(floor(a/4) mod 2) + 512*floor(a/8)] : 0 <= a < 16 and "
		"a mod 4 = 3 }" },
	{ "compose(Sw<1,0,1>, [M] -> { [i] -> [i] : 0 <= i < M })", "[M] -> { [i] -> [i] : "
		"0 <= i < M and i mod 4 < 2; [i] -> [i + 1 - 2*(i mod 2)] : 0 <= i < M and "
		"i mod 4 >= 2 }" },
	{ "compose(Sw<1,0,1>, xor_shuffle<8, 1>)", "compose(Sw<1,0,1> o 0 o 64:1, "
		"simplify(xor_shuffle<8, 1>))" },
	/* one of a layout ends with that, as all layouts do before other relations */
	{ "compose(Sw<1,0,1> o 0 o 8:1, { [i] -> [i] : 0 <= i < 16 })",
		"compose(Sw<1,0,1>, { [i] -> [i] : 0 <= i < 8 })" },
	{ "compose(Sw<1,0,1> o 0 o 8:1, linear<{b = [[1], [2], [4], [8]]}>)",
		"compose(Sw<1,0,1>, { [b] -> [b] : 0 <= b < 8 })" },
};

static void check_result(const struct result *row, layout_value *value,
	layout_context *ctx)
{
	const char *expected = row->printed ? row->printed : row->expression;
	char *printed = layout_value_str(value);

	if (!printed || strcmp(printed, expected))
		fail_msg("%s\nprints %s\nand not %s: %s", row->expression, printed, expected,
			layout_context_message(ctx));
	if (layout_value_get_kind(value) != row->kind)
		fail_msg("%s is a %s", row->expression,
			layout_value_kind_str(layout_value_get_kind(value)));
	assert_null(layout_value_reason(value));
	layout_string_free(printed);
}

static void test_results(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(results); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, results[i].expression);

		check_result(&results[i], value, ctx);
		layout_value_free(value);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(layout_context_free(ctx));
	}
}

/* ((6,2),4):((1,7),100) where the coordinates of its modes are these of i. */
#define QUOTIENT(first, second) "{ [i] -> [o] : exists c : c = " first " and " \
	"o = c + floor(c/6) + 100*" second " and 0 <= i < 48 }"

/* No layout is the function: the value is the exact relation, and the reason. */
static const struct {
	const char *expression, *equal, *reason;
} without_layout[] = {
	{ "compose((6,2):(1,7), (3,2):(2,3))",
		"{ [0] -> [0]; [1] -> [2]; [2] -> [4]; [3] -> [3]; [4] -> [5]; [5] -> [8] }",
		"at (2,1) the value is 8, a layout would give 7" },
	{ "compose((5,7):(10,1), 6:2)", "{ [0] -> [0]; [1] -> [20]; [2] -> [40]; "
		"[3] -> [11]; [4] -> [31]; [5] -> [2] }", "(5,7):(10,1) o 6:2" },
	{ "compose(((6,2),2):((1,7),100), <(3,2):(2,3), 2>)",
		"{ [0] -> [0]; [1] -> [2]; [2] -> [4]; [3] -> [3]; [4] -> [5]; [5] -> [8]; "
		"[6] -> [100]; [7] -> [102]; [8] -> [104]; [9] -> [103]; [10] -> [105]; "
		"[11] -> [108] }", "at (2,1) the value is 8" },
	{ "right_inverse(Sw<2,0,4> o 0 o ((4,2),32):((64,32),1))",
		"inverse(Sw<2,0,4> o 0 o ((4,2),32):((64,32),1))",
		"there is no right inverse" },
	{ "compose(Sw<2,0,3>, Sw<2,0,4>)", "{ [i] -> [4*floor(i/4) + "
		"2*((floor(i/2) + floor(i/16) + floor(i/32)) mod 2) + "
		"(i + floor(i/8) + floor(i/16)) mod 2] : 0 <= i < 64 }",
		"shift 3 does not merge with shift 4" },
	{ "logical_divide((6,2):(1,7), 4:1)",
		"{ [i] -> [i + floor(i/6)] : 0 <= i < 12 }", "(6,2):(1,7) o (4,3):(1,4)" },
	{ "flat_divide((6,2):(1,7), 4:1)",
		"{ [i] -> [i + floor(i/6)] : 0 <= i < 12 }", "is no layout" },
	{ "logical_divide(((6,2),4):((1,7),100), <4:1, 2>)", QUOTIENT("i mod 12",
		"floor(i/12)"), "(6,2):(1,7) o (4,3):(1,4) is no layout" },
	/* the quotient of the first mode ends beyond it, at 15 */
	{ "logical_divide(((6,2),4):((1,7),100), <5, _>)", "{ [i] -> [o] : exists c : "
		"c = i mod 15 and o = c + floor(c/6) + 100*floor(i/15) and "
		"0 <= i < 60 }", "is no layout" },
	{ "logical_divide((4,(6,2)):(100,(1,7)), <_, 4:1>)", "{ [i] -> [o] : exists c : "
		"c = floor(i/4) and o = 100*(i mod 4) + c + floor(c/6) and "
		"0 <= i < 48 }", "is no layout" },
	{ "compose(((6,2),4):((1,7),100), <(4,4):(1,4), 2>)", "{ [i] -> [o] : exists c : "
		"c = i mod 16 and o = c + floor(c/6) + 100*floor(i/16) and "
		"0 <= i < 32 }", "is no layout" },
	{ "zipped_divide(((6,2),4):((1,7),100), <4:1, 2>)", QUOTIENT("i mod 4 + "
		"4*(floor(i/8) mod 3)", "(floor(i/4) mod 2 + 2*floor(i/24))"),
		"is no layout" },
	{ "tiled_divide(((6,2),4):((1,7),100), <4:1>)", QUOTIENT("i mod 12",
		"floor(i/12)"), "is no layout" },
	{ "flat_divide(((6,2),4):((1,7),100), <4:1, _>)", QUOTIENT("i mod 4 + "
		"4*floor(i/16)", "(floor(i/4) mod 4)"), "is no layout" },
};

/* What has bits is printed by them, within the limits of what is read. */
static void test_bits_without_layout(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, "Sw<2,0,27> o Sw<2,0,28>");
	char *printed = layout_value_str(value);

	(void)state;
	assert_string_equal(printed, "{ [i] -> [4*floor(i/4) + 2*((floor(i/2) + "
		"floor(i/268435456) + floor(i/536870912)) mod 2) + (i + floor(i/134217728) + "
		"floor(i/268435456)) mod 2] : 0 <= i <= 1073741823 }");
	layout_string_free(printed);
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
}

static layout_answer equal_to(layout_context *ctx, layout_value *value, const char *text)
{
	layout_value *other = layout_value_parse(ctx, text);
	layout_relation *a = layout_value_relation(value);
	layout_relation *b = layout_value_relation(other);
	layout_answer answer = layout_relation_equal(a, b, NULL);

	layout_relation_free(a);
	layout_relation_free(b);
	layout_value_free(other);
	return answer;
}

/* Numbers of points, as many as there is room for. */
struct numbers {
	size_t count;
	int64_t values[1000];
};

static bool add_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct numbers *numbers = user;

	assert_int_equal(in_rank, 1);
	assert_int_equal(image_rank, 1);
	assert_true(numbers->count + 2 <= COUNT(numbers->values));
	numbers->values[numbers->count++] = *in;
	numbers->values[numbers->count++] = *image;
	return true;
}

/* The points are those of the relation, in the same order. */
static void check_points(layout_value *value, const char *expression)
{
	static struct numbers own, of_relation;
	layout_relation *relation = layout_value_relation(value);

	own.count = of_relation.count = 0;
	assert_true(layout_value_for_each(value, NULL, 0, add_pair, &own));
	assert_true(layout_relation_for_each(relation, add_pair, &of_relation));
	if (own.count != of_relation.count || memcmp(own.values, of_relation.values,
			own.count * sizeof(*own.values)))
		fail_msg("%s: %zu numbers, or others than the relation's %zu", expression,
			own.count, of_relation.count);
	layout_relation_free(relation);
}

static void test_without_layout(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(without_layout); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx,
			without_layout[i].expression);
		const char *reason = layout_value_reason(value);

		if (!reason || !strstr(reason, without_layout[i].reason))
			fail_msg("%s: %s", without_layout[i].expression, reason);
		assert_int_equal(layout_value_get_kind(value), LAYOUT_VALUE_RELATION);
		assert_int_equal(equal_to(ctx, value, without_layout[i].equal),
			LAYOUT_YES);
		check_points(value, without_layout[i].expression);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

static void check_relation(layout_context *ctx, layout_value *value, size_t i)
{
	if (equal_to(ctx, value, relations[i].equal) != LAYOUT_YES)
		fail_msg("%s\nis not %s: %s", relations[i].expression,
			relations[i].equal, layout_context_message(ctx));
	assert_int_equal(layout_value_get_kind(value), LAYOUT_VALUE_RELATION);
	assert_null(layout_value_reason(value));
}

static void test_relations(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(relations); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, relations[i].expression);

		check_relation(ctx, value, i);
		layout_value_free(value);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(layout_context_free(ctx));
	}
}

/* Every listed name is that of a function, and of one only. */
static void test_names(void **state)
{
	layout_context *ctx = layout_context_new();
	const char *name;
	char text[64], *signature;
	unsigned count;

	(void)state;
	for (count = 0; (name = layout_value_function(count)); count++) {
		snprintf(text, sizeof(text), "%s(", name);
		assert_null(layout_value_parse(ctx, text));
		assert_null(strstr(layout_context_message(ctx), "unknown"));
		layout_context_clear(ctx);
		for (unsigned i = 0; i < count; i++)
			assert_string_not_equal(name, layout_value_function(i));
		signature = layout_value_function_signature(name);
		assert_non_null(signature);
		assert_null(strstr(signature, "(null)"));
		assert_string_equal(layout_similar_word(name, layout_value_function), name);
		layout_string_free(signature);
	}
	assert_true(count > 60);
	assert_null(layout_value_function(count + 1));
	assert_true(layout_context_free(ctx));
}

/* Each function has an example, a call of it that has a value. */
static void test_examples(void **state)
{
	layout_context *ctx = layout_context_new();
	const char *name;

	(void)state;
	for (unsigned i = 0; (name = layout_value_function(i)); i++) {
		const char *example = layout_value_function_example(name);
		layout_value *value;

		if (!example || strncmp(example, name, strlen(name)) ||
		    example[strlen(name)] != '(')
			fail_msg("%s has no example of its own", name);
		value = layout_value_parse(ctx, example);
		if (!value || layout_value_reason(value))
			fail_msg("%s: %s", example, layout_context_message(ctx));
		layout_value_free(value);
	}
	assert_null(layout_value_function_example("frob"));
	assert_true(layout_context_free(ctx));
}

static void count_error(void *user, layout_error kind, const char *message, long position)
{
	(void)kind, (void)message, (void)position;
	++*(unsigned *)user;
}

/* The reason is no error: an older one stays as it was, and nobody is called. */
static void test_reason_is_no_error(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *value;
	unsigned calls = 0;

	(void)state;
	assert_null(layout_value_parse(ctx, "4"));
	layout_context_on_error(ctx, count_error, &calls);
	value = layout_value_parse(ctx, without_layout[0].expression);
	assert_non_null(layout_value_reason(value));
	assert_int_equal(calls, 0);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
	layout_value_free(value);
	layout_context_clear(ctx);
	value = layout_value_parse(ctx, "inverse(compose((6,2):(1,7), (3,2):(2,3)))");
	assert_non_null(value);
	assert_null(layout_value_reason(value));
	layout_value_free(value);
	assert_null(layout_value_reason(NULL));
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *expression;
	layout_error kind;
	long position;
	const char *message;
} errors[] = {
	/* what an argument must be */
	{ "flatten(row_major[4])", LAYOUT_ERROR_SPACE, 8,
		"flatten: expected a CuTe layout, found a storage" },
	{ "coalesce({ [i] })", LAYOUT_ERROR_SPACE, 9, "found a set" },
	{ "compose({ [i] -> [i] }, 3)", LAYOUT_ERROR_SPACE, 8, "expected a CuTe layout" },
	{ "max_common_vector(8:1, 4)", LAYOUT_ERROR_PARSE, 24, "expected `:`" },
	{ "logical_product(4:1, row_major[4])", LAYOUT_ERROR_SPACE, 21, "a CuTe layout" },
	{ "pseudo_inverse(4:1)", LAYOUT_ERROR_SPACE, 15, "expected a linear layout" },
	{ "divide_left(linear<{a = [[1]]}>, 2:1)", LAYOUT_ERROR_SPACE, 33,
		"expected a linear layout, found a CuTe layout" },
	{ "reshape(4:1, [2, 2])", LAYOUT_ERROR_SPACE, 8, "expected a nested layout" },
	{ "distribute(4:1, [4])", LAYOUT_ERROR_SPACE, 11, "expected a Triton encoding" },
	{ "inverse(" BLOCKED ")", LAYOUT_ERROR_SPACE, 8,
		"until distribute(ENCODING, [sizes])" },
	{ "inverse(max_common_vector(4:1, 4:1))", LAYOUT_ERROR_SPACE, 8,
		"expected a relation, found a number" },
	{ "union(4:1, max_common_vector(4:1, 4:1))", LAYOUT_ERROR_SPACE, 11,
		"expected a relation or a set, found a number" },
	{ "coalesce(compose((6,2):(1,7), (3,2):(2,3)))", LAYOUT_ERROR_NO_ANSWER, 9,
		"expected a CuTe layout, found a relation: (6,2):(1,7) o (3,2):(2,3) is no" },
	{ "compose({ [i] -> [i] }, <4>)", LAYOUT_ERROR_SPACE, 8, "expected a CuTe layout" },
	{ "compose(<4>, 4:1)", LAYOUT_ERROR_PARSE, 8, "expected an expression, found `<`" },
	/* which isl takes for 8, and dies over */
	{ "{ [i] : i = 2^-3 }", LAYOUT_ERROR_PARSE, 14, "an exponent cannot be negative" },
	{ "{ [i] : i = 100^ -9223372036854775808 }", LAYOUT_ERROR_PARSE, 17,
		"an exponent cannot be negative" },

	/* how arguments are written */
	{ "complement(4:1, M)", LAYOUT_ERROR_PARSE, 16,
		"expected an integer for complement, found `M`" },
	{ "complement(4:1, 24, 1)", LAYOUT_ERROR_PARSE, 18, "expected `)`, found `,`" },
	{ "upcast(4:1)", LAYOUT_ERROR_PARSE, 10,
		"expected `,` and an integer for upcast, found `)`" },
	{ "upcast(4:1, 99999999999999999999)", LAYOUT_ERROR_OVERFLOW, 12, "64 bits" },
	{ "coalesce(4:1, [1])", LAYOUT_ERROR_PARSE, 14, "a profile for coalesce" },
	{ "coalesce(4:1, (1,)", LAYOUT_ERROR_PARSE, 17, "expected an integer" },
	{ "compose(4:1, <4:1)", LAYOUT_ERROR_PARSE, 17, "`,` or `>`" },
	{ "compose(4:1, <x>)", LAYOUT_ERROR_PARSE, 14, "a layout, an integer or `_`" },
	{ "transpose_ins(linear<{a = [[1]]}>, a)", LAYOUT_ERROR_PARSE, 35,
		"expected a list of names for transpose_ins, found `a`" },
	{ "resize_in(linear<{a = [[1]]}>, [a], 4)", LAYOUT_ERROR_PARSE, 31,
		"expected a name for resize_in, found `[`" },
	{ "recombine(4:1, [[0]], [0])", LAYOUT_ERROR_PARSE, 10,
		"expected a list of nested layouts for recombine, found `4`" },
	{ "recombine([4:1], [[0]], [0])", LAYOUT_ERROR_SPACE, 11,
		"recombine: expected a nested layout, found a CuTe layout" },
	{ "recombine([" PLAIN "], [0], [0])", LAYOUT_ERROR_PARSE, 189,
		"expected a list of numbers for recombine, found `0`" },
	{ "recombine([" PLAIN " [[0]], [0])", LAYOUT_ERROR_PARSE, 186, "`,` or `]`" },
	{ "recombine([" PLAIN "], [[0]", LAYOUT_ERROR_PARSE, 192, "`,` or `]`" },
	{ "equal_up_to_k(4:1, 4:1, 4:1)", LAYOUT_ERROR_PARSE, 27,
		"expected `,` and a relation for equal_up_to_k, found `)`" },
	{ "check_shape(4:1, [4])", LAYOUT_ERROR_SPACE, 12,
		"check_shape: expected a nested layout, found a CuTe layout" },
	{ "check_shape(" PLAIN ", 8)", LAYOUT_ERROR_PARSE, 188,
		"expected a list of numbers for check_shape, found `8`" },
	{ "check_shape(" PLAIN ", [-2])", LAYOUT_ERROR_INVALID, 189,
		"a dimension must be at least -1, not -2" },
	{ "transpose_ins(linear<{a = [[1]]}>, [1])", LAYOUT_ERROR_PARSE, 36, "a name" },
	{ "transpose_ins(linear<{a = [[1]]}>, [a = 2])", LAYOUT_ERROR_PARSE, 38,
		"`,` or `]`" },
	{ "transpose_ins(linear<{a = [[1]]}>, [a, a])", LAYOUT_ERROR_INVALID, 39,
		"`a` stands twice" },
	{ "reshape_ins(linear<{a = [[1]]}>, [a])", LAYOUT_ERROR_PARSE, 35, "expected `=`" },
	{ "reshape_ins(linear<{a = [[1]]}>, [2])", LAYOUT_ERROR_PARSE, 34, "NAME = SIZE" },
	{ "reshape_ins(linear<{a = [[1]]}>, [a = -2])", LAYOUT_ERROR_INVALID, 38,
		"a size must be at least 0, not -2" },
	{ "resize_in(linear<{a = [[1]]}>, 4, 4)", LAYOUT_ERROR_PARSE, 31, "a name" },
	{ "resize_in(linear<{a = [[1]]}>, a.b, 4)", LAYOUT_ERROR_PARSE, 31, "a name" },
	{ "as(4:1, in = mod)", LAYOUT_ERROR_PARSE, 13, "expected a name or a list" },
	{ "as(4:1, in = [floor])", LAYOUT_ERROR_PARSE, 14, "expected a name or a size" },
	{ "distribute(" BLOCKED ", [a])", LAYOUT_ERROR_PARSE, 115, "expected a size" },

	/* what has no answer, with its numbers */
	{ "complement((4,2):(1,2), 24)", LAYOUT_ERROR_NO_ANSWER, 0, "4:1" },
	{ "upcast(4:3, 2)", LAYOUT_ERROR_NO_ANSWER, 0, "stride 3" },
	{ "downcast(4:2, 2)", LAYOUT_ERROR_NO_ANSWER, 0, "no mode has stride 1" },
	{ "compose(4:1, <4:1, 2>)", LAYOUT_ERROR_SPACE, 0, "2 modes where the layout has 1" },
	{ "logical_divide(4:1, <4:1, 2>)", LAYOUT_ERROR_SPACE, 0, "the layout has 1" },
	{ "coalesce(4:1, (1,1))", LAYOUT_ERROR_SPACE, 0, "the profile has 2 modes" },
	{ "upcast(4:1, 0)", LAYOUT_ERROR_INVALID, 0, "at least 1, not 0" },
	{ "recast(4:1, 0, 8)", LAYOUT_ERROR_INVALID, 0, "at least 1, not 0" },
	{ "complement(4:1, -1)", LAYOUT_ERROR_INVALID, 0, "-1" },
	{ "pseudo_inverse(linear<{a = [[2]]} -> {b = 4}>)", LAYOUT_ERROR_NO_ANSWER, 0, "" },
	{ "quotient(linear<{a = [[1]]} -> {a = 2}>, [b])", LAYOUT_ERROR_SPACE, 41, "b" },
	{ "transpose_ins(linear<{a = [[1]]}>, [b])", LAYOUT_ERROR_SPACE, 35, "b" },
	{ "resize_in(linear<{a = [[1]]}>, a, 3)", LAYOUT_ERROR_INVALID, 31, "3" },
	{ "reshape_ins(linear<{a = [[1]]}>, [x = 4])", LAYOUT_ERROR_SPACE, 33, "2^1" },
	{ "distribute(" BLOCKED ", [4])", LAYOUT_ERROR_SPACE, 114, "1 dimensions" },
	{ "distribute(" BLOCKED ", [4, 3])", LAYOUT_ERROR_NO_ANSWER, 114, "3 elements" },
	{ "left_inverse({ [i] -> [floor(i/2)] })", LAYOUT_ERROR_NO_ANSWER, 0, "no bound" },
	{ "permute(" PLAIN ", [1])", LAYOUT_ERROR_SPACE, 184, "no dimension 1" },
	{ "reshape(" PLAIN ", [3])", LAYOUT_ERROR_SPACE, 184, "3" },

	{ "check_shape(" PLAIN ", [9])", LAYOUT_ERROR_SPACE, 188,
		"at dim 0. Dimension expected by layout: 8 actual: 9" },
	{ "check_shape(" PLAIN ", [8, 1])", LAYOUT_ERROR_SPACE, 188,
		"Rank of vector (2) does not match rank of layout (1)." },
	{ "recombine([" PLAIN "], [[0], [1]], [0])", LAYOUT_ERROR_SPACE, 188,
		"2 lists of loops for 1 operands" },
	{ "recombine([" PLAIN "], [[0, 1]], [0])", LAYOUT_ERROR_SPACE, 189,
		"2 loops for operand 0, which has 1 dimensions" },
	{ "recombine([" PLAIN "], [[4294967296]], [0])", LAYOUT_ERROR_INVALID, 189,
		"there is no coordinate 4294967296" },
	{ "recombine([" PLAIN "], [[0]], [1])", LAYOUT_ERROR_NO_ANSWER, 0,
		"no operand has loop 1" },
	{ "recombine([" ROWS ", " COLUMNS "], [[0, 2], [0, 1]], [0, 1])",
		LAYOUT_ERROR_NO_ANSWER, 0, "batch_tile of loop 0 is 2 in operand 0" },
	{ "needs_shared_memory(" PLAIN ", " ROWS ")", LAYOUT_ERROR_SPACE, 0,
		"rank 1 and 2" },
	{ "owned(" PLAIN ", 4)", LAYOUT_ERROR_INVALID, 182, "no thread 4 among 4" },
	{ "owned(" GAPS ", 256)", LAYOUT_ERROR_INVALID, 164,
		"no thread 256 among 256" },
	{ "owned(" PLAIN ", -1)", LAYOUT_ERROR_INVALID, 182, "no thread -1 among 4" },
	{ "owners(" PLAIN ", [8])", LAYOUT_ERROR_INVALID, 183,
		"coordinate 8 is outside dimension 0 of 8" },
	{ "owners(" PLAIN ", [1, 1])", LAYOUT_ERROR_SPACE, 183,
		"2 coordinates for a vector of 1 dimensions" },
	{ "sublayout_is_zero(linear<{a = [[1]]}>, [b], [dim0])", LAYOUT_ERROR_SPACE, 39,
		"no input b" },
	{ "sublayout(linear<{a = [[1]]} -> {a = 2}>, [b], [a])", LAYOUT_ERROR_SPACE, 42, "b" },
	{ "sublayout(linear<{a = [[1]]} -> {a = 2}>, [a], [b])", LAYOUT_ERROR_SPACE, 47, "b" },
	{ "linear<{lane = [[4611686018427387904]]}>", LAYOUT_ERROR_INVALID, 16,
		"basis 4611686018427387904 needs more than 2^62 points" },
	{ "inverse(Sw<1,0,60> o 9223372036854775807 o 2:1)", LAYOUT_ERROR_OVERFLOW, 8,
		"do not fit 64 bits" },
	{ "is_trivial_over(linear<{a = [[1]]}>, [b])", LAYOUT_ERROR_SPACE, 37, "b" },
	{ "equal_up_to_k(" LHS ", " RHS ", " LHS_TURNED ", " RHS ")", LAYOUT_ERROR_NO_ANSWER,
		0, "no permutation of K makes both operands equal, at [operand, input..] (" },
	{ "equal_up_to_k(4:1, 4:1, 4:1, 4:1)", LAYOUT_ERROR_SPACE, 0, "1 -> 1" },

	/* other coordinates */
	{ "as((4,6):(6,1), in = [4, 5])", LAYOUT_ERROR_SPACE, 21,
		"4 * 5 = 20 points cannot be seen as 24" },
	{ "as((4,6):(6,1), out = [5])", LAYOUT_ERROR_SPACE, 22,
		"24 points cannot be seen as 5" },
	{ "as(row_major[M], in = [4])", LAYOUT_ERROR_INVALID, 3, "no box of numbers" },
	{ "as(affine_map<(i) -> (i)>, out = [4])", LAYOUT_ERROR_INVALID, 3, "no box" },
	{ "as(4:1, in = [a, b])", LAYOUT_ERROR_SPACE, 13, "2 names for a tuple of 1" },
	{ "as(linear<{a = [[1]]}>, in = [a, b])", LAYOUT_ERROR_SPACE, 29, "2 names for 1" },
	{ "as(4:1, in = [a, 2])", LAYOUT_ERROR_PARSE, 17, "names and sizes are mixed" },
	{ "as(4:1, order = up)", LAYOUT_ERROR_INVALID, 16, "`up` is no order" },
	{ "as(4:1, of = [4])", LAYOUT_ERROR_PARSE, 8,
		"expected `in =`, `out =`, `order =`, found `of`" },
	{ "as(4:1, in = [4], in = [4])", LAYOUT_ERROR_PARSE, 18, "`in` is given twice" },
	{ "as(4:1, in = 4)", LAYOUT_ERROR_PARSE, 13, "expected a name or a list" },
	{ "as(4:1, in [4])", LAYOUT_ERROR_PARSE, 11, "expected `=`" },

	/* spaces */
	{ "compose(row_major[4, 4], row_major[4, 4])", LAYOUT_ERROR_SPACE, 25,
		"the images lie in cell[2], but the outer relation takes logical[2]" },
	{ "compose(4:1, row_major[4, 4])", LAYOUT_ERROR_SPACE, 13,
		"the images lie in cell[2], but the outer relation takes [1]" },
	{ "compose(linear<{a = [[1]]}>, linear<{b = [[1]]}>)", LAYOUT_ERROR_SPACE, 29,
		"dim0" },
	{ "compose(as(4:1, in = offset), as(4:1, out = cell))", LAYOUT_ERROR_SPACE, 30,
		"the images lie in cell[1], but the outer relation takes offset[1]" },
	{ "union({ A[i] -> B[i] }, { C[i] -> B[i] })", LAYOUT_ERROR_SPACE, 24,
		"the spaces A[1] and C[1] differ" },
	{ "restrict(row_major[4], { cell[i] })", LAYOUT_ERROR_SPACE, 23,
		"the spaces cell[1] and logical[1] differ" },
};

/* All rows that are wrong are shown. */
static void test_errors(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, errors[i].expression);

		if (value || layout_context_error(ctx) != errors[i].kind ||
				layout_context_position(ctx) != errors[i].position ||
				!strstr(layout_context_message(ctx), errors[i].message)) {
			print_error("%s: error %d at %ld: %s\n", errors[i].expression,
				layout_context_error(ctx), layout_context_position(ctx),
				layout_context_message(ctx));
			wrong++;
		}
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
	assert_int_equal(wrong, 0);
}

/* The value under so small a quota, or NULL where it says that this was too small. */
static layout_value *parse_under(layout_context *ctx, const char *expression,
	unsigned long quota)
{
	layout_value *value;

	layout_context_set_quota(ctx, quota);
	value = layout_value_parse(ctx, expression);
	layout_context_set_quota(ctx, LAYOUT_DEFAULT_QUOTA);
	if (!value && layout_context_error(ctx) != LAYOUT_ERROR_QUOTA)
		fail_msg("%s within %lu: error %d: %s", expression, quota,
			layout_context_error(ctx), layout_context_message(ctx));
	layout_context_clear(ctx);
	return value;
}

/* Whatever the quota, the answer is right, or that it ran out. */
static void test_quota(void **state)
{
	static const unsigned long quotas[] = { 1, 2, 5, 20, 100, 500, 3000 };

	(void)state;
	for (size_t q = 0; q < COUNT(quotas); q++) {
		layout_context *ctx = layout_context_new();

		for (size_t i = 0; i < COUNT(results); i++) {
			layout_value *value = parse_under(ctx, results[i].expression,
				quotas[q]);

			if (value)
				check_result(&results[i], value, ctx);
			layout_value_free(value);
		}
		for (size_t i = 0; i < COUNT(without_layout); i++) {
			layout_value *value = parse_under(ctx,
				without_layout[i].expression, quotas[q]);

			if (value)
				assert_int_equal(equal_to(ctx, value,
					without_layout[i].equal), LAYOUT_YES);
			layout_value_free(value);
		}
		for (size_t i = 0; i < COUNT(relations); i++) {
			layout_value *value = parse_under(ctx, relations[i].expression,
				quotas[q]);

			if (value)
				check_relation(ctx, value, i);
			layout_value_free(value);
		}
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_relations),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_without_layout),
		cmocka_unit_test(test_bits_without_layout),
		cmocka_unit_test(test_reason_is_no_error),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_quota),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
