/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations recognised as layouts: rows of text, layouts there and back against formulas
 * of their own, and all matrix instructions point by point. */
#include "support/nested_model.h"
#include "support/share.h"

#include <layout/layout.h>
#include <layout/view.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM_CASES 300
#define MAX_RANK 3

/* Two dimensions have the same digit of the thread, which no layout should. */
#define OVERLAP \
	"nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], " \
	"outer_tile = [1, 3], thread_tile = [2, 2], element_tile = [1, 1], " \
	"subgroup_strides = [0, 0], thread_strides = [1, 1], subgroup_size = 4>"

/* A nested layout by thread and value, and then by one number of both. */
#define HARD(threads, values, points, subgroups, outer, thread, far, near, size) \
	"as(as(nested_layout<subgroup_tile = " subgroups ", batch_tile = [1], " \
	"outer_tile = " outer ", thread_tile = " thread ", element_tile = [5], " \
	"subgroup_strides = " far ", thread_strides = " near ", subgroup_size = " size \
	">, in = [" threads ", " values "], order = lex), in = [" points "], " \
	"order = colex)"

/* What convert(EXPRESSION, to = ..) prints; or why it has no answer, behind "! ". */
static const struct {
	const char *expression;
	layout_notation to;
	const char *result;
} rows[] = {
	/* digits of isl's functions */
	{ "{ [i] -> [8*(i mod 4) + floor(i/4)] : 0 <= i < 32 }", LAYOUT_NOTATION_CUTE,
		"(4,8):(8,1)" },
	{ "{ [i] -> [2i] : 0 <= i < 5 }", LAYOUT_NOTATION_CUTE, "5:2" },
	/* other words of the same notation */
	{ "pack_map<(4,(6,2)):(1,(4,24))>", LAYOUT_NOTATION_CUTE, "((2,6),4):((24,4),1)" },
	{ "nChw16c[N, C, H, W]", LAYOUT_NOTATION_ENCODING, "packed(encoding_info<{innerDimsPos = [1], "
		"innerTileSizes = [16], outerDimsPerm = [0, 1, 2, 3]}>, [N, C, H, W])" },
	{ "{ [i] -> [-2i] : 0 <= i < 5 }", LAYOUT_NOTATION_CUTE, "5:-2" },
	{ "{ [i] -> [0] : 0 <= i < 5 }", LAYOUT_NOTATION_CUTE, "5:0" },
	{ "{ [i] -> [i mod 3] : 0 <= i < 12 }", LAYOUT_NOTATION_CUTE, "(3,4):(1,0)" },
	{ "{ [i] -> [floor(i/3)] : 0 <= i < 12 }", LAYOUT_NOTATION_CUTE, "(3,4):(0,1)" },
	{ "{ [i] -> [floor(i/3) mod 2] : 0 <= i < 12 }", LAYOUT_NOTATION_CUTE,
		"(3,2,2):(0,1,0)" },
	{ "{ [i] -> [i + 5] : 0 <= i < 4 }", LAYOUT_NOTATION_CUTE,
		"Sw<0,0,0> o 5 o 4:1" },
	{ "{ [i] -> [3i] : 0 <= i < 2; [i] -> [3i] : -1 <= i < 14 and i mod 2 = 0 }",
		LAYOUT_NOTATION_CUTE, "! no box: (3) has no image" },
	{ "{ [i] -> [3 - i] : 0 <= i < 4 }", LAYOUT_NOTATION_CUTE,
		"Sw<0,0,0> o 3 o 4:-1" },
	{ "{ [i, j] -> [8i + j] : 0 <= i < 4 and 0 <= j < 8 }", LAYOUT_NOTATION_CUTE,
		"(4,8):(8,1)" },
	{ "{ [i, j] -> [8*(i mod 2) + 20*floor(i/2) + j] : 0 <= i < 6 and 0 <= j < 5 }",
		LAYOUT_NOTATION_CUTE, "((2,3),5):((8,20),1)" },
	{ "{ [i, j, k] -> [k] : 0 <= i < 3 and j = 0 and 0 <= k < 7 }",
		LAYOUT_NOTATION_CUTE, "(3,1,7):(0,0,1)" },
	{ "{ [0] -> [0] }", LAYOUT_NOTATION_CUTE, "1:0" },
	{ "{ [i] -> [i] : 0 <= i < 0 }", LAYOUT_NOTATION_CUTE, "0:0" },
	{ "{ [i, j] -> [i] : false }", LAYOUT_NOTATION_CUTE, "(0,0):(0,0)" },
	{ "{ [i] -> [3000000000i] : 0 <= i < 3000000000 }", LAYOUT_NOTATION_CUTE,
		"3000000000:3000000000" },
	{ "{ [i] -> [i] : 0 <= i < 4611686018427387904 }", LAYOUT_NOTATION_CUTE,
		"4611686018427387904:1" },
	{ "{ [i] -> [3*floor(i/3) + floor((8*(i mod 3))/20)] : 0 <= i < 3000000 }",
		LAYOUT_NOTATION_CUTE, "(3,1000000):(0,3)" },

	{ "{ [i] -> [i mod 1000 + 2000*floor(i/1000)] : 0 <= i < 1000000007 }",
		LAYOUT_NOTATION_CUTE, "! unknown: the function is not seen to be one of "
		"digits, and has more than the 131072 points that are looked at" },

	/* points, where isl has pieces, or where the whole is too hard for it */
	{ HARD("36", "15", "540", "[3]", "[3]", "[3]", "[3]", "[2]",
		"4, subgroup_count = 9"), LAYOUT_NOTATION_CUTE,
		"(2,3,2,3,5,3):(0,5,0,45,1,15)" },
	{ HARD("24", "20", "480", "[3]", "[4]", "[4]", "[1]", "[1]", "8"),
		LAYOUT_NOTATION_CUTE, "(4,2,3,5,4):(5,0,80,1,20)" },
	{ "{ [0] -> [0]; [1] -> [3]; [2] -> [1]; [3] -> [4] }", LAYOUT_NOTATION_CUTE,
		"(2,2):(3,1)" },
	{ "{ [0] -> [0]; [1] -> [1]; [2] -> [3]; [3] -> [2] }", LAYOUT_NOTATION_CUTE,
		"Sw<1,0,1>" },
	{ "{ [0] -> [0]; [1] -> [1]; [2] -> [3]; [3] -> [2] }", LAYOUT_NOTATION_LINEAR,
		"linear<{in0 = [[1], [3]]}>" },
	{ "{ [0] -> [0]; [1] -> [3]; [2] -> [7]; [3] -> [9]; [4] -> [14]; [5] -> [12] }",
		LAYOUT_NOTATION_CUTE,
		"! at (3) the value is 9, where its digits give 10" },

	/* swizzles */
	{ "Sw<2,1,3>", LAYOUT_NOTATION_CUTE, "Sw<2,1,3>" },
	{ "xor_shuffle<64, 8>", LAYOUT_NOTATION_CUTE, "Sw<3,3,3>" },
	{ "as(Sw<2,0,2> o 0 o 16:1, in = [4, 4])", LAYOUT_NOTATION_CUTE,
		"Sw<2,0,2> o 0 o (4,4):(1,4)" },
	{ "linear<{offset = [[1], [3], [7]]}>", LAYOUT_NOTATION_CUTE,
		"! at (3) the value is 2, where (1) and (2) give 4" },
	{ "rotate_rows<64, 8>", LAYOUT_NOTATION_CUTE,
		"! at (120) the value is 64, where its digits give 128" },

	{ "rotate_rows<512, 8>", LAYOUT_NOTATION_CUTE,
		"! unknown: no digits: at (1016) the value is 512, where its digits give "
		"1024; a swizzle is looked for among 4096 points at most" },

	/* what is no box, no function, no number */
	{ "{ [i] -> [i] : i >= 0 }", LAYOUT_NOTATION_CUTE,
		"! no box: input 0 has no end" },
	{ "{ [i] -> [i] : 1 <= i < 4 }", LAYOUT_NOTATION_CUTE,
		"! no box: input 0 does not begin at 0" },
	{ "{ [i, j] -> [i] : 0 <= i <= j < 3 }", LAYOUT_NOTATION_CUTE,
		"! no box: (1, 0) has no image" },
	{ "{ [i] -> [i] : 0 <= i < 9 and i mod 2 = 0 }", LAYOUT_NOTATION_LINEAR,
		"! no box: (1) has no image" },
	{ "{ [i] -> [j] : 0 <= j <= i < 4 }", LAYOUT_NOTATION_CUTE,
		"! no function: (1) has the images 0 and 1" },
	{ "[M] -> { [i] -> [i] : 0 <= i < M }", LAYOUT_NOTATION_CUTE,
		"! the size M is no number: a CuTe layout has none" },
	{ "row_major[M, 8]", LAYOUT_NOTATION_LINEAR,
		"! the size M is no number: a linear layout has none" },
	{ "{ [i] -> [floor(i/4)] : 0 <= i < 10 }", LAYOUT_NOTATION_CUTE,
		"! input 0 goes in even steps for 4 points, and 4 does not divide its 10 "
		"points" },
	{ "{ [] -> [0] }", LAYOUT_NOTATION_CUTE, "! no input: a CuTe layout has a "
		"coordinate" },

	/* several images as one offset */
	{ "mma<MFMA_F32_16x16x16_F16, lhs>", LAYOUT_NOTATION_CUTE,
		"((16,4),4):((1,64),16)" },
	{ "row_major[16, 8]", LAYOUT_NOTATION_CUTE, "(16,8):(8,1)" },
	{ "col_major[16, 6]", LAYOUT_NOTATION_CUTE, "(16,6):(1,16)" },
	{ "strided[16, 6 : 10, 1]", LAYOUT_NOTATION_CUTE, "(16,6):(10,1)" },
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [4]}>, [8, 15])",
		LAYOUT_NOTATION_CUTE, "(8,15):(16,1)" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, [8, 15])",
		LAYOUT_NOTATION_CUTE, "((4,2),15):((1,60),4)" },
	{ "remap(row_major[8, 16] -> col_major[8, 16], type = f32)", LAYOUT_NOTATION_CUTE,
		"(8,16):(1,8)" },
	{ "{ [i] -> [i mod 2, floor(i/2)] : 0 <= i < 6 }", LAYOUT_NOTATION_CUTE, "6:1" },
	{ "{ [i] -> [i - 1, i] : 0 <= i < 6 }", LAYOUT_NOTATION_CUTE,
		"! 2 images, and no box of numbers from 0 on in which they are one "
		"offset" },

	/* linear */
	{ "(4,8):(8,1)", LAYOUT_NOTATION_LINEAR,
		"linear<{in0 = [[8], [16], [1], [2], [4]]}>" },
	{ "{ [i, j] -> [j, 2i] : 0 <= i < 4 and 0 <= j < 2 }", LAYOUT_NOTATION_LINEAR,
		"linear<{i = [[0, 2], [0, 4]], j = [[1, 0]]}>" },
	{ "{ [i] -> [row, column] : row = i and column = 0 and 0 <= i < 4 }",
		LAYOUT_NOTATION_LINEAR,
		"linear<{i = [[1, 0], [2, 0]]} -> {row = 4, column = 1}>" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs>", LAYOUT_NOTATION_LINEAR,
		"linear<{lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], "
		"element = []} -> {row = 16, column = 4}>" },
	{ "{ [i] -> [i mod 2] : 0 <= i < 4 }", LAYOUT_NOTATION_LINEAR,
		"linear<{i = [[1], [0]]}>" },
	{ "{ [] -> [0] }", LAYOUT_NOTATION_LINEAR, "linear<{} -> {dim0 = 1}>" },
	{ "{ [i] -> [2i] : 0 <= i < 12 }", LAYOUT_NOTATION_LINEAR,
		"! input 0 has 12 points, which is no power of two" },
	{ "{ [i] -> [3i] : 0 <= i < 4 }", LAYOUT_NOTATION_LINEAR,
		"! at (3) the value is 9, where (1) and (2) give 5" },
	{ "{ [i] -> [i + 4] : 0 <= i < 4 }", LAYOUT_NOTATION_LINEAR,
		"! image 0 of 0 is 4, where a linear layout has 0" },
	{ "{ [i] -> [i + 1] : 0 <= i < 4 }", LAYOUT_NOTATION_LINEAR,
		"! image 0 of 0 is 1, where a linear layout has 0" },
	{ "Sw<1,1,3> o 5 o (2,2,2):(3,5,1)", LAYOUT_NOTATION_LINEAR,
		"! image 0 of 0 is 5, where a linear layout has 0" },
	{ "Sw<1,0,2> o 0 o ((2,2),(8,1,1)):((3,1),(12,0,8))", LAYOUT_NOTATION_LINEAR,
		"! at (3) the value is 5, where (1) and (2) give 2" },
	{ "swizzled(row_major[512, 64], rotate_rows<64, 8>)", LAYOUT_NOTATION_LINEAR,
		"! at (1, 8) the value is (1, 16), where (1, 0) and (0, 8) give (1, 0)" },
	{ "{ [i] -> [i mod 1000 + 2000*floor(i/1000)] : 0 <= i < 1000000007 }",
		LAYOUT_NOTATION_LINEAR,
		"! input 0 has 1000000007 points, which is no power of two" },
	{ "{ [i] -> [-i] : 0 <= i < 4 }", LAYOUT_NOTATION_LINEAR,
		"! image 0 goes from -3 to 0, and a linear layout's from 0 to 2^62 at "
		"most" },

	/* nested */
	{ "{ [t, v] -> [t mod 16, 4*floor(t/16) + v] : 0 <= t < 64 and 0 <= v < 4 }",
		LAYOUT_NOTATION_NESTED, "nested_layout<subgroup_tile = [1, 1], "
		"batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], "
		"element_tile = [1, 4], subgroup_strides = [0, 0], "
		"thread_strides = [1, 16]>" },
	{ "{ [t, v] -> [4*(t mod 32) + (v mod 4) + 128*floor(v/4)] : 0 <= t < 64 and "
		"0 <= v < 8 }", LAYOUT_NOTATION_NESTED,
		"nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [2], "
		"thread_tile = [32], element_tile = [4], subgroup_strides = [0], "
		"thread_strides = [1]>" },
	{ "{ [t, b, o, e] -> [32t + 16b + 8o + e] : 0 <= t < 3 and 0 <= b < 2 and "
		"0 <= o < 2 and 0 <= e < 8 }", LAYOUT_NOTATION_NESTED,
		"nested_layout<subgroup_tile = [3], batch_tile = [2], outer_tile = [2], "
		"thread_tile = [1], element_tile = [8], subgroup_strides = [1], "
		"thread_strides = [0], subgroup_size = 1>" },
	{ "{ [t] -> [] : 0 <= t < 96 }", LAYOUT_NOTATION_NESTED,
		"nested_layout<subgroup_tile = [], batch_tile = [], outer_tile = [], "
		"thread_tile = [], element_tile = [], subgroup_strides = [], "
		"thread_strides = [], subgroup_size = 32, subgroup_count = 3>" },
	{ "{ [t, v] -> [t mod 8] : 0 <= t < 64 and v = 0 }", LAYOUT_NOTATION_NESTED,
		"nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], "
		"thread_tile = [8], element_tile = [1], subgroup_strides = [0], "
		"thread_strides = [1]>" },
	{ "linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [1, 0], [2, 0]], "
		"warp = [[4, 0]]}>", LAYOUT_NOTATION_NESTED,
		"! in subgroups of 8 dimension 0 steps by 4 from subgroup to subgroup, "
		"which is inside of its outer_tile 2 in steps of 8" },
	{ "{ [t, v] -> [t mod 3, floor(t/3) + 3*v] : 0 <= t < 9 and 0 <= v < 5 }",
		LAYOUT_NOTATION_NESTED, "nested_layout<subgroup_tile = [1, 1], "
		"batch_tile = [1, 1], outer_tile = [1, 5], thread_tile = [3, 3], "
		"element_tile = [1, 1], subgroup_strides = [0, 0], "
		"thread_strides = [1, 3], subgroup_size = 9>" },
	{ "{ [t, v] -> [t mod 3, 5*floor(t/3) + v] : 0 <= t < 9 and 0 <= v < 5 }",
		LAYOUT_NOTATION_NESTED, "nested_layout<subgroup_tile = [3, 3], "
		"batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1], "
		"element_tile = [1, 5], subgroup_strides = [1, 3], "
		"thread_strides = [0, 0], subgroup_size = 1>" },
	{ "{ [t, v] -> [15*floor(t/10) + t mod 5 + 5*v] : 0 <= t < 60 and 0 <= v < 3 }",
		LAYOUT_NOTATION_NESTED, "nested_layout<subgroup_tile = [6], "
		"batch_tile = [1], outer_tile = [3], thread_tile = [5], "
		"element_tile = [1], subgroup_strides = [2], thread_strides = [1], "
		"subgroup_size = 5>" },
	{ "{ [t, v] -> [t + 10*v] : 0 <= t < 10 and 0 <= v < 3 }",
		LAYOUT_NOTATION_NESTED, "nested_layout<subgroup_tile = [1], "
		"batch_tile = [1], outer_tile = [3], thread_tile = [10], "
		"element_tile = [1], subgroup_strides = [0], thread_strides = [1], "
		"subgroup_size = 10>" },
	{ "{ [t, v] -> [t + 128*v] : 0 <= t < 128 and 0 <= v < 3 }",
		LAYOUT_NOTATION_NESTED, "nested_layout<subgroup_tile = [1], "
		"batch_tile = [1], outer_tile = [3], thread_tile = [128], "
		"element_tile = [1], subgroup_strides = [0], thread_strides = [1], "
		"subgroup_size = 128>" },
	{ "simplify(" OVERLAP ")", LAYOUT_NOTATION_NESTED,
		"! warp or thread tiles have overlapping strides: thread ids (0, 1) name "
		"thread 1, which reads (1, 1)" },
	{ "inverse(inverse(" OVERLAP "))", LAYOUT_NOTATION_NESTED, OVERLAP },
	{ "distribute(#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], "
		"warpsPerCTA = [2, 1], order = [1, 0]}>, [32, 64])",
		LAYOUT_NOTATION_NESTED, "! in subgroups of 64 dimension 0 steps by 8 "
		"from subgroup to subgroup, which is inside of its outer_tile 2 in steps "
		"of 16" },
	{ "distribute(#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4294967296, 8], "
		"warpsPerCTA = [2, 4294967296], order = [1, 0]}>, [64, 32])",
		LAYOUT_NOTATION_NESTED, "! the layout is of 2^63 threads or more, a nested layout of fewer" },
	{ "linear<{lane = [[1]], block = [[2]]}>", LAYOUT_NOTATION_NESTED,
		"! the layout is of 2 blocks, a nested layout of one" },
	{ "(4,8):(8,1)", LAYOUT_NOTATION_NESTED,
		"! 1 input for 1 coordinate: a nested layout has a thread and a value, "
		"or 4 inputs" },
	{ "{ [t, v] -> [3t] : 0 <= t < 4 and v = 0 }", LAYOUT_NOTATION_NESTED,
		"! dimension 0 steps by 3, of thread_tile 4, where the tiles inside of "
		"it have 1 points" },
	{ "{ [t, v] -> [t] : 0 <= t < 4 and 0 <= v < 2 }", LAYOUT_NOTATION_NESTED,
		"! the value's step of 1 moves no coordinate" },
	{ "{ [t, v] -> [t, v, v] : 0 <= t < 4 and 0 <= v < 2 }", LAYOUT_NOTATION_NESTED,
		"! the value's step of 1 adds 1 to coordinate 1 and 1 to coordinate 2" },
	{ "{ [t, v] -> [(v mod 2) + 4*(floor(v/2) mod 2) + 16 * floor(v/4), t + "
		"0*floor(v/2)] : 0 <= t < 4 and 0 <= v < 8 }", LAYOUT_NOTATION_NESTED,
		"! dimension 0 steps by 4, of outer_tile 2, where the tiles inside of it "
		"have 2 points" },
	{ "{ [t, v] -> [t + 1, v] : 0 <= t < 4 and 0 <= v < 2 }", LAYOUT_NOTATION_NESTED,
		"! coordinate 0 of 0 is 1, where a nested layout has 0" },
	{ "{ [t, b, o, e] -> [4t + b + o + 2e] : 0 <= t < 4 and 0 <= b < 2 and o = 0 and "
		"0 <= e < 2 }", LAYOUT_NOTATION_NESTED,
		"! dimension 0 steps by 2, of element_tile 2, where the tiles inside of "
		"it have 1 points" },
	{ "Sw<1,0,1> o 0 o 4:1", LAYOUT_NOTATION_NESTED,
		"! 1 input for 1 coordinate: a nested layout has a thread and a value, "
		"or 4 inputs" },
};

static void check_row(layout_context *ctx, size_t i)
{
	layout_value *value = layout_value_parse(ctx, rows[i].expression), *made;
	bool wanted = strncmp(rows[i].result, "! ", 2) != 0;
	char *text;

	if (!value)
		fail_msg("%s: %s", rows[i].expression, layout_context_message(ctx));
	made = layout_value_convert(value, rows[i].to);
	text = layout_value_str(made);
	if (!made != !wanted || (wanted && strcmp(text, rows[i].result)) ||
	    (!wanted && strcmp(layout_context_message(ctx), rows[i].result + 2)))
		fail_msg("%s to %s\n%s\nand not\n%s", rows[i].expression,
			layout_notation_str(rows[i].to),
			made ? text : layout_context_message(ctx), rows[i].result);
	if (!wanted)
		assert_int_equal(layout_context_error(ctx),
			strncmp(rows[i].result, "! unknown", 9) ?
			LAYOUT_ERROR_NO_ANSWER : LAYOUT_ERROR_QUOTA);
	layout_context_clear(ctx);
	layout_string_free(text);
	layout_value_free(made);
	layout_value_free(value);
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();

		check_row(ctx, i);
		assert_true(layout_context_free(ctx));
	}
}

/* What results of operations print as: in their very coordinates alone. */
static void test_shown(void **state)
{
	static const char *const shown[][2] = {
		{ "inverse((4,8):(8,1))", "(8,4):(4,1)" },
		{ "compose(xor_shuffle<64, 8>, (8,64):(64,1))",
			"Sw<3,3,3> o 0 o (8,64):(64,1)" },
		{ "compose(linear<{a = [[2], [1]]} -> {b = 4}>, 4:1)",
			"linear<{in0 = [[2], [1]]}>" },
		{ "as((4,8):(8,1), in = [4, 8])",
			"linear<{in0 = [[8], [16]], in1 = [[1], [2], [4]]}>" },
		{ "as(mma<MFMA_F32_16x16x4_F32, lhs>, in = [warp = 2, lane = 32, "
			"register = 1], out = [dim0 = 4, dim1 = 16], order = lex)",
			"linear<{warp = [[0, 2]], lane = [[0, 4], [0, 8], [1, 0], "
			"[2, 0], [0, 1]], register = []}>" },
		{ "inverse(inverse(" OVERLAP "))", OVERLAP },
		{ "as((4,8):(8,1), in = lane)",
			"{ lane[i] -> [floor(i/4) + 8*(i mod 4)] : 0 <= i <= 31 }" },
		{ "compose(4:2, { [[i] -> [j]] -> [i] : 0 <= i < 2 and j = 0 })",
			"{ [[i] -> [j = 0]] -> [2i] : 0 <= i <= 1 }" },
		{ "simplify(4:2)", "{ [i] -> [2i] : 0 <= i <= 3 }" },
		{ "compose(2:3, simplify(2:1))", "2:3" },
		{ "compose(simplify(2:3), 2:1)", "{ [i] -> [3i] : 0 <= i <= 1 }" },
		{ "compose({ [i] -> [2i] }, 4:1)", "{ [i] -> [2i] : 0 <= i <= 3 }" },
		{ "compose(affine_map<(i) -> (2*i)>, 4:1)",
			"{ [i] -> [2i] : 0 <= i <= 3 }" },
		{ "restrict(8:2, { [i] : i > 2 })", "{ [i] -> [2i] : 3 <= i <= 7 }" },
		{ "restrict(row_major[M, 8], { logical[i, j] : j < 4 })",
			"row_major[M, 4]" },
		{ "intersect(col_major[M, 8], col_major[M, 4])", "col_major[M, 4]" },
		{ "restrict(packed(encoding_info<{innerDimsPos = [1], innerTileSizes = "
			"[4]}>, [M, 9]), { logical[i, j] : j < 8 })",
			"packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [4], "
			"outerDimsPerm = [0, 1]}>, [M, 8])" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		layout_value *value = layout_value_parse(ctx, shown[i][0]);
		char *text = layout_value_str(value);

		assert_non_null(text);
		assert_string_equal(text, shown[i][1]);
		assert_int_equal(layout_value_get_kind(value), LAYOUT_VALUE_RELATION);
		layout_string_free(text);
		layout_value_free(value);
	}
	assert_true(layout_context_free(ctx));
}

/* Text in the making. */
struct text {
	char *content;
	size_t length;
	FILE *out;
};

static void text_begin(struct text *text)
{
	text->out = open_memstream(&text->content, &text->length);
	assert_non_null(text->out);
}

static layout_relation *text_read(struct text *text, layout_context *ctx)
{
	layout_relation *relation;

	assert_int_equal(fclose(text->out), 0);
	relation = layout_relation_read(ctx, text->content);
	if (!relation)
		fail_msg("%s: %s", text->content, layout_context_message(ctx));
	free(text->content);
	return relation;
}

/* A function of a box by digits, the tests' own: input d has "count" digits, of which
 * each adds its multiple to the one image. */
#define DIGITS 3
struct digits {
	unsigned rank, count[MAX_RANK];
	int64_t size[MAX_RANK], shape[MAX_RANK][DIGITS], stride[MAX_RANK][DIGITS];
};

static struct digits random_digits(uint64_t *random)
{
	struct digits digits = { .rank = 1 + random_below(random, MAX_RANK) };

	for (unsigned d = 0; d < digits.rank; d++) {
		digits.size[d] = 1;
		digits.count[d] = random_below(random, DIGITS + 1);
		for (unsigned i = 0; i < digits.count[d]; i++) {
			digits.shape[d][i] = 1 + random_below(random, 5);
			digits.stride[d][i] = (int)random_below(random, 40) - 8;
			digits.size[d] *= digits.shape[d][i];
		}
	}
	return digits;
}

static int64_t digits_at(const struct digits *digits, const int64_t *in)
{
	int64_t sum = 0;

	for (unsigned d = 0; d < digits->rank; d++) {
		int64_t rest = in[d];

		for (unsigned i = 0; i < digits->count[d]; i++) {
			sum += rest % digits->shape[d][i] * digits->stride[d][i];
			rest /= digits->shape[d][i];
		}
	}
	return sum;
}

/* The point of a number, first coordinate fastest. */
static void point_of(const struct digits *digits, int64_t number, int64_t *in)
{
	for (unsigned d = 0; d < digits->rank; d++) {
		in[d] = number % digits->size[d];
		number /= digits->size[d];
	}
}

static int64_t points_of(const struct digits *digits)
{
	int64_t points = 1;

	for (unsigned d = 0; d < digits->rank; d++)
		points *= digits->size[d];
	return points;
}

static void print_in(FILE *out, const struct digits *digits)
{
	fprintf(out, "{ [");
	for (unsigned d = 0; d < digits->rank; d++)
		fprintf(out, "%sx%u", d ? ", " : "", d);
	fprintf(out, "] -> [");
}

static void print_bounds(FILE *out, const struct digits *digits)
{
	for (unsigned d = 0; d < digits->rank; d++)
		fprintf(out, "%s 0 <= x%u < %" PRId64, d ? " and" : "] :", d,
			digits->size[d]);
	fprintf(out, " }");
}

/* As floors and remainders. */
static layout_relation *by_formula(layout_context *ctx, const struct digits *digits)
{
	struct text text;

	text_begin(&text);
	print_in(text.out, digits);
	fprintf(text.out, "0");
	for (unsigned d = 0; d < digits->rank; d++) {
		int64_t step = 1;

		for (unsigned i = 0; i < digits->count[d]; i++) {
			fprintf(text.out, " + %" PRId64 "*(floor(x%u/%" PRId64 ") mod %"
				PRId64 ")", digits->stride[d][i], d, step,
				digits->shape[d][i]);
			step *= digits->shape[d][i];
		}
	}
	print_bounds(text.out, digits);
	return text_read(&text, ctx);
}

/* Point by point. */
static layout_relation *by_points(layout_context *ctx, const struct digits *digits)
{
	struct text text;

	text_begin(&text);
	fprintf(text.out, "{ ");
	for (int64_t n = 0; n < points_of(digits); n++) {
		int64_t in[MAX_RANK];

		point_of(digits, n, in);
		fprintf(text.out, "%s[", n ? "; " : "");
		for (unsigned d = 0; d < digits->rank; d++)
			fprintf(text.out, "%s%" PRId64, d ? ", " : "", in[d]);
		fprintf(text.out, "] -> [%" PRId64 "]", digits_at(digits, in));
	}
	fprintf(text.out, " }");
	return text_read(&text, ctx);
}

/* A mode at the top for each input, of its size. */
static void check_modes(layout_cute *cute, const struct digits *digits)
{
	unsigned node = 1, leaf = 0;

	if (digits->rank == 1)
		return;
	assert_int_equal(layout_cute_rank(cute), digits->rank);
	for (unsigned d = 0; d < digits->rank; d++) {
		int arity = layout_cute_arity(cute, node++);
		int64_t size = 1;

		for (int i = 0; i < (arity < 0 ? 1 : arity); i++) {
			size *= layout_cute_shape(cute, leaf++);
			node += arity >= 0;
		}
		assert_int_equal(size, digits->size[d]);
	}
}

static void check_digits(layout_context *ctx, const struct digits *digits, bool points)
{
	layout_relation *relation = points ? by_points(ctx, digits) :
		by_formula(ctx, digits);
	layout_cute *cute = layout_cute_from_relation(relation);

	if (!cute)
		fail_msg("%s: %s", layout_relation_str(relation),
			layout_context_message(ctx));
	assert_int_equal(layout_cute_size(cute), points_of(digits));
	check_modes(cute, digits);
	for (int64_t n = 0; n < points_of(digits); n++) {
		int64_t in[MAX_RANK], offset;

		point_of(digits, n, in);
		assert_true(layout_cute_eval(cute, n, &offset));
		assert_int_equal(offset, digits_at(digits, in));
	}
	layout_cute_free(cute);
	layout_relation_free(relation);
}

static void test_random_digits(void **state)
{
	uint64_t random = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(RANDOM_CASES); i++) {
		struct digits digits = random_digits(&random);

		check_digits(ctx, &digits, points_of(&digits) <= 60 && i % 3 == 0);
	}
	assert_true(layout_context_free(ctx));
}

/* Are values[0 .. n - 1], less the first, sums of the digits of some factors of n?  Of
 * the digits from "step" on, those inside of it being right. */
static bool is_layout(const int64_t *values, int64_t n, int64_t step)
{
	if (step == n)
		return true;
	for (int64_t shape = 2; step * shape <= n; shape++) {
		bool good = n % (step * shape) == 0;

		for (int64_t i = 0; good && i < step * shape; i++)
			good = values[i] - values[0] == values[i % step] - values[0] +
				i / step * (values[step] - values[0]);
		if (good && is_layout(values, n, step * shape))
			return true;
	}
	return false;
}

/* A layout is the function; and there is one where any shape has it. */
static void check_values(layout_context *ctx, const int64_t *values, int64_t n)
{
	layout_relation *relation;
	layout_cute *cute;
	struct text text;

	text_begin(&text);
	fprintf(text.out, "{ ");
	for (int64_t i = 0; i < n; i++)
		fprintf(text.out, "%s[%" PRId64 "] -> [%" PRId64 "]", i ? "; " : "", i,
			values[i]);
	fprintf(text.out, " }");
	relation = text_read(&text, ctx);
	cute = layout_cute_from_relation(relation);
	if (!cute) {
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
		assert_false(is_layout(values, n, 1));
	}
	for (int64_t i = 0; cute && i < n; i++) {
		int64_t offset;

		assert_true(layout_cute_eval(cute, i, &offset));
		assert_int_equal(offset, values[i]);
	}
	assert_int_equal(!cute || !layout_cute_swizzled(cute, NULL) || values[0] ||
		!is_layout(values, n, 1), true);
	layout_context_clear(ctx);
	layout_cute_free(cute);
	layout_relation_free(relation);
}

/* Layouts with one value or none changed, and swizzled ones. */
static void test_random_values(void **state)
{
	static const int64_t sizes[] = { 2, 3, 4, 6, 8, 12, 16 };
	uint64_t random = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned k = 0; k < share_count(RANDOM_CASES); k++) {
		int64_t n = sizes[random_below(&random, 7)], values[16];
		int64_t inner = 1 + random_below(&random, 4);
		int64_t a = random_below(&random, 9), b = random_below(&random, 9);

		for (int64_t i = 0; i < n; i++) {
			values[i] = i % inner * a + i / inner * b;
			if (k % 3 == 0)
				values[i] ^= values[i] >> 1 & 3;
		}
		if (k % 4 == 0)
			values[random_below(&random, (unsigned)n)] += 1;
		check_values(ctx, values, n);
	}
	assert_true(layout_context_free(ctx));
}

/* Random bases of two inputs and two outputs. */
struct bases {
	unsigned bits[2];
	int64_t of[8][2];
};

static struct bases random_bases(uint64_t *random)
{
	struct bases bases = { .bits = { random_below(random, 4),
		random_below(random, 3) } };

	for (unsigned i = 0; i < bases.bits[0] + bases.bits[1]; i++)
		for (unsigned k = 0; k < 2; k++)
			bases.of[i][k] = random_below(random, 16);
	return bases;
}

static int64_t bases_points(const struct bases *bases)
{
	return INT64_C(1) << (bases->bits[0] + bases->bits[1]);
}

/* The XOR of the bases of a point's bits, those of the first input lowest. */
static void bases_at(const struct bases *bases, int64_t x, int64_t in[2], int64_t out[2])
{
	in[0] = x & ((1 << bases->bits[0]) - 1);
	in[1] = x >> bases->bits[0];
	out[0] = out[1] = 0;
	for (unsigned i = 0; x >> i; i++)
		for (unsigned k = 0; k < 2 && x >> i & 1; k++)
			out[k] ^= bases->of[i][k];
}

/* All points, one of them changed unless that is -1. */
static layout_relation *bases_relation(layout_context *ctx, const struct bases *bases,
	int64_t changed)
{
	struct text text;

	text_begin(&text);
	fprintf(text.out, "{ ");
	for (int64_t x = 0; x < bases_points(bases); x++) {
		int64_t in[2], out[2];

		bases_at(bases, x, in, out);
		fprintf(text.out, "%s[%" PRId64 ", %" PRId64 "] -> [%" PRId64 ", %" PRId64
			"]", x ? "; " : "", in[0], in[1], out[0] ^ (x == changed),
			out[1]);
	}
	fprintf(text.out, " }");
	return text_read(&text, ctx);
}

static void check_bases(layout_linear *linear, const struct bases *bases)
{
	for (int64_t x = 0; x < bases_points(bases); x++) {
		int64_t in[2], out[2], image[2];

		bases_at(bases, x, in, out);
		assert_true(layout_linear_eval(linear, in, image));
		assert_memory_equal(image, out, sizeof(out));
	}
}

/* With a point changed there is no layout, unless there is one bit only. */
static void test_random_bases(void **state)
{
	uint64_t random = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(RANDOM_CASES); i++) {
		struct bases bases = random_bases(&random);
		bool broken = i % 3 == 0 && bases_points(&bases) > 2;
		layout_relation *relation = bases_relation(ctx, &bases, broken ?
			random_wide(&random, bases_points(&bases)) : -1);
		layout_linear *linear = layout_linear_from_relation(relation);

		if (!linear != broken)
			fail_msg("%s", layout_context_message(ctx));
		if (linear)
			check_bases(linear, &bases);
		layout_context_clear(ctx);
		layout_linear_free(linear);
		layout_relation_free(relation);
	}
	assert_true(layout_context_free(ctx));
}

/* Dimensions in a random order: the digits of the threads, or of the subgroups. */
static int64_t random_strides(uint64_t *random, struct model *model, unsigned tiles,
	unsigned strides)
{
	int64_t step = 1;
	unsigned first = random_below(random, model->rank);

	for (unsigned i = 0; i < model->rank; i++) {
		unsigned d = (first + i) % model->rank;

		step *= random_below(random, 4) ? 1 : 2;
		model->lists[strides][d] = step;
		step *= model->lists[tiles][d];
	}
	return step;
}

/* A layout whose digits are those of a mixed radix, with threads that repeat others. */
static struct model random_model(uint64_t *random)
{
	struct model model = { .rank = 1 + random_below(random, 2) };

	for (unsigned list = S; list <= E; list++)
		for (unsigned d = 0; d < model.rank; d++)
			model.lists[list][d] = 1 + random_below(random, 3);
	model.subgroup_size = random_strides(random, &model, T, T_STRIDES) *
		(1 + random_below(random, 2));
	model.subgroup_count = random_strides(random, &model, S, S_STRIDES) *
		(1 + random_below(random, 2));
	return model;
}

/* Coordinate d of a thread's place b.., o.., e.. */
static int64_t formula(const struct model *model, int64_t thread, const int64_t *place,
	unsigned d)
{
	unsigned r = model->rank;
	int64_t s = thread / (model->subgroup_size * model->lists[S_STRIDES][d]) %
		model->lists[S][d];
	int64_t t = thread / model->lists[T_STRIDES][d] % model->lists[T][d];

	s = (s * model->lists[B][d] + place[d]) * model->lists[O][d] + place[r + d];
	return (s * model->lists[T][d] + t) * model->lists[E][d] + place[2 * r + d];
}

/* The value's place in sizes b.., o.., e.., the last fastest. */
static void place_of(const int64_t *sizes, unsigned count, int64_t value, int64_t *place)
{
	for (unsigned i = count; i-- > 0; value /= sizes[i])
		place[i] = value % sizes[i];
}

static void sizes_of(const struct model *model, int64_t *sizes)
{
	for (unsigned i = 0; i < 3 * model->rank; i++)
		sizes[i] = model->lists[i < model->rank ? B : i < 2 * model->rank ? O : E]
			[i % model->rank];
}

static int64_t product(const int64_t *sizes, unsigned count)
{
	int64_t all = 1;

	for (unsigned i = 0; i < count; i++)
		all *= sizes[i];
	return all;
}

/* "name" of a place's digit: a variable of its own, or a part of v. */
static void print_place(FILE *out, const int64_t *sizes, unsigned count, unsigned i,
	bool by_value)
{
	if (by_value)
		fprintf(out, "(floor(v/%" PRId64 ") mod %" PRId64 ")",
			product(sizes + i + 1, count - i - 1), sizes[i]);
	else
		fprintf(out, "p%u", i);
}

static void print_coordinate(FILE *out, const struct model *model, const int64_t *sizes,
	unsigned d, bool by_value)
{
	unsigned r = model->rank;
	int64_t e = model->lists[E][d], t = e * model->lists[T][d];
	int64_t o = t * model->lists[O][d], b = o * model->lists[B][d];

	fprintf(out, "%s%" PRId64 "*(floor(t/%" PRId64 ") mod %" PRId64 ") + %" PRId64
		"*(floor(t/%" PRId64 ") mod %" PRId64 ") + ", d ? ", " : "", b,
		model->subgroup_size * model->lists[S_STRIDES][d], model->lists[S][d], e,
		model->lists[T_STRIDES][d], model->lists[T][d]);
	fprintf(out, "%" PRId64 "*", o);
	print_place(out, sizes, 3 * r, d, by_value);
	fprintf(out, " + %" PRId64 "*", t);
	print_place(out, sizes, 3 * r, r + d, by_value);
	fprintf(out, " + ");
	print_place(out, sizes, 3 * r, 2 * r + d, by_value);
}

static layout_relation *model_relation(layout_context *ctx, const struct model *model,
	bool by_value)
{
	unsigned count = 3 * model->rank;
	int64_t sizes[3 * MODEL_RANK];
	struct text text;

	sizes_of(model, sizes);
	text_begin(&text);
	fprintf(text.out, by_value ? "{ [t, v" : "{ [t");
	for (unsigned i = 0; i < count && !by_value; i++)
		fprintf(text.out, ", p%u", i);
	fprintf(text.out, "] -> [");
	for (unsigned d = 0; d < model->rank; d++)
		print_coordinate(text.out, model, sizes, d, by_value);
	fprintf(text.out, "] : 0 <= t < %" PRId64,
		model->subgroup_size * model->subgroup_count);
	if (by_value)
		fprintf(text.out, " and 0 <= v < %" PRId64, product(sizes, count));
	for (unsigned i = 0; i < count && !by_value; i++)
		fprintf(text.out, " and 0 <= p%u < %" PRId64, i, sizes[i]);
	fprintf(text.out, " }");
	return text_read(&text, ctx);
}

/* What a thread of the layout that was found holds, against the model. */
struct held {
	const struct model *model;
	int64_t thread, sizes[3 * MODEL_RANK], found[3 * MODEL_RANK];
	unsigned points;
	bool by_value;
};

static bool visit_held(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct held *held = user;
	unsigned count = 3 * held->model->rank;
	int64_t there[3 * MODEL_RANK], value = 0;

	assert_int_equal(rank, held->model->rank);
	assert_int_equal(holder[0], held->thread);
	for (unsigned i = 0; i < count; i++) {
		there[i] = holder[1 + i];
		value = value * held->found[i] + there[i];
	}
	if (held->by_value)
		place_of(held->sizes, count, value, there);
	for (unsigned d = 0; d < held->model->rank; d++)
		assert_int_equal(coordinate[d],
			formula(held->model, held->thread, there, d));
	held->points++;
	return true;
}

static void check_nested(layout_nested *nested, const struct model *model, bool by_value)
{
	struct held held = { .model = model, .by_value = by_value };
	unsigned r = model->rank;

	sizes_of(model, held.sizes);
	for (unsigned d = 0; d < r; d++) {
		int64_t shape[5];

		assert_true(layout_nested_packed_dim(nested, d, shape));
		for (unsigned i = 0; i < 3; i++)
			held.found[i * r + d] = shape[i < 2 ? 1 + i : 4];
	}
	assert_int_equal(layout_nested_threads(nested),
		model->subgroup_size * model->subgroup_count);
	for (; held.thread < layout_nested_threads(nested); held.thread++) {
		held.points = 0;
		assert_true(layout_nested_owned(nested, held.thread, visit_held, &held));
		assert_int_equal(held.points, product(held.sizes, 3 * r));
	}
}

/* The size of the subgroups is said, or found. */
static void test_random_nested(void **state)
{
	uint64_t random = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(RANDOM_CASES); i++) {
		struct model model = random_model(&random);
		bool by_value = i % 2, said = i % 3;
		layout_relation *relation = model_relation(ctx, &model, by_value);
		layout_nested *nested = layout_nested_from_relation(relation,
			said ? model.subgroup_size : 0);
		char text[600];

		model_print(&model, text, sizeof(text));
		if (!nested)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		check_nested(nested, &model, by_value);
		layout_context_clear(ctx);
		layout_nested_free(nested);
		layout_relation_free(relation);
	}
	assert_true(layout_context_free(ctx));
}

/* A matrix operand in other notations, against its own images. */
struct operand {
	layout_mma *mma;
	unsigned lanes, elements, rank;
	int64_t sizes[3];
	const char *text;
};

static void check_operand_linear(layout_value *value, const struct operand *operand)
{
	layout_linear *linear = layout_value_linear(value);

	for (unsigned lane = 0; lane < operand->lanes; lane++)
		for (unsigned e = 0; e < operand->elements; e++) {
			int64_t point[2] = { lane, e }, image[3], wanted[3];

			assert_int_equal(layout_mma_apply(operand->mma, lane, e, wanted),
				operand->rank);
			assert_true(layout_linear_eval(linear, point, image));
			assert_memory_equal(image, wanted,
				operand->rank * sizeof(*image));
		}
}

static void check_operand_cute(layout_value *value, const struct operand *operand)
{
	layout_cute *cute = layout_value_cute(value);

	assert_int_equal(layout_cute_rank(cute), 2);
	assert_int_equal(layout_cute_size(cute), operand->lanes * operand->elements);
	for (unsigned lane = 0; lane < operand->lanes; lane++)
		for (unsigned e = 0; e < operand->elements; e++) {
			int64_t image[3], offset, number = 0;

			layout_mma_apply(operand->mma, lane, e, image);
			for (unsigned k = operand->rank; k-- > 0;)
				number = number * operand->sizes[k] + image[k];
			assert_true(layout_cute_eval(cute, lane + operand->lanes * e,
				&offset));
			assert_int_equal(offset, number);
		}
}

/* What a lane holds comes in the order of its elements. */
struct lane {
	const struct operand *operand;
	unsigned next;
};

static bool visit_lane(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct lane *lane = user;
	int64_t image[3];

	assert_int_equal(rank, lane->operand->rank);
	assert_int_equal(layout_mma_apply(lane->operand->mma, (unsigned)holder[0],
		lane->next++, image), rank);
	assert_memory_equal(coordinate, image, rank * sizeof(*image));
	return true;
}

static void check_operand_nested(layout_value *value, const struct operand *operand)
{
	layout_nested *nested = layout_value_nested(value);

	assert_int_equal(layout_nested_threads(nested), operand->lanes);
	for (unsigned thread = 0; thread < operand->lanes; thread++) {
		struct lane lane = { operand, 0 };

		assert_true(layout_nested_owned(nested, thread, visit_lane, &lane));
		assert_int_equal(lane.next, operand->elements);
	}
}

static void check_operand(layout_context *ctx, const char *text)
{
	static void (*const checks[])(layout_value *, const struct operand *) = {
		check_operand_cute, check_operand_nested, check_operand_linear,
	};
	layout_value *value = layout_value_parse(ctx, text);
	struct operand operand = { .mma = layout_value_mma(value), .text = text };
	layout_set *box = layout_mma_box(operand.mma);

	operand.lanes = layout_mma_lanes(operand.mma);
	operand.elements = layout_mma_elements(operand.mma);
	operand.rank = layout_set_rank(box);
	assert_true(layout_set_box(box, operand.sizes));
	for (unsigned to = 0; to < sizeof(checks) / sizeof(*checks); to++) {
		layout_value *made = layout_value_convert(value, (layout_notation)to);

		if (!made)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		checks[to](made, &operand);
		layout_value_free(made);
	}
	layout_set_free(box);
	layout_value_free(value);
}

/* All rows of the table of matrix instructions. */
static void test_mma_rows(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/mma_rows.tsv", "r");
	layout_context *ctx = layout_context_new();
	char line[512], name[80], operand[32], text[160];
	unsigned count = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%79s %*s %*s %*s %*s %*s %*s %31s", name,
			operand), 2);
		snprintf(text, sizeof(text), "mma<%s, %s>", name, operand);
		check_operand(ctx, text);
		count++;
	}
	fclose(file);
	assert_int_equal(count, 337);
	assert_true(layout_context_free(ctx));
}

/* convert() as a function of the expressions: names and reasons. */
static void test_calls(void **state)
{
	static const struct {
		const char *text;
		layout_error error;
		const char *message;
	} wrong[] = {
		{ "convert(4:1)", LAYOUT_ERROR_INVALID,
			"convert(A, to = cute|nested|linear|encoding) needs the "
			"notation" },
		{ "convert(4:1, to = shape)", LAYOUT_ERROR_INVALID,
			"`shape` is no notation: cute, nested, linear or encoding" },
		{ "convert(encoding_info<{innerDimsPos = [1], innerTileSizes = [4]}>, "
			"to = cute)", LAYOUT_ERROR_SPACE, "an encoding has no cells "
			"until packed(ENCODING, [sizes]) gives it sizes" },
	};
	layout_context *ctx = layout_context_new();
	layout_value *value;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_null(layout_value_parse(ctx, wrong[i].text));
		assert_int_equal(layout_context_error(ctx), wrong[i].error);
		assert_string_equal(layout_context_message(ctx), wrong[i].message);
		layout_context_clear(ctx);
	}
	value = layout_value_parse(ctx, "convert(6:1, to = linear)");
	assert_string_equal(layout_value_reason(value),
		"input 0 has 6 points, which is no power of two");
	assert_int_equal(layout_value_get_kind(value), LAYOUT_VALUE_RELATION);
	layout_value_free(value);
	value = layout_value_parse(ctx,
		"compose(4:3, convert((2,2):(2,1), to = linear))");
	assert_null(layout_value_reason(value));
	layout_value_free(value);
	assert_null(layout_value_convert(NULL, LAYOUT_NOTATION_CUTE));
	assert_null(layout_notation_str((layout_notation)4));
	assert_string_equal(layout_notation_str(LAYOUT_NOTATION_ENCODING), "encoding");
	assert_null(layout_cute_from_relation(NULL));
	assert_null(layout_linear_from_relation(NULL));
	assert_null(layout_nested_from_relation(NULL, 0));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_random_digits),
		cmocka_unit_test(test_random_values),
		cmocka_unit_test(test_random_bases),
		cmocka_unit_test(test_random_nested),
		cmocka_unit_test(test_mma_rows),
		cmocka_unit_test(test_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
