/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Verbose encodings: read, printed, refused, and the loops of their contractions. */
#include "algebra/tiling/operand.h"
#include "support/encoding_rows.h"
#include "support/random.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PARSE LAYOUT_ERROR_PARSE
#define INVALID LAYOUT_ERROR_INVALID
#define OVERFLOW LAYOUT_ERROR_OVERFLOW
#define UNSUPPORTED LAYOUT_ERROR_UNSUPPORTED
#define DYNAMIC LAYOUT_DYNAMIC

#define BEGIN "#iree_encoding.encoding<operand_index = "
#define TYPES ", element_types = [f32, f32, f32]"
#define LHS_MAP "affine_map<(d0, d1, d2) -> (d0, d2)>"
#define RHS_MAP "affine_map<(d0, d1, d2) -> (d2, d1)>"
#define ACC_MAP "affine_map<(d0, d1, d2) -> (d0, d1)>"
#define MAPS ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP ", " ACC_MAP "]"
#define MATMUL ", op_type = matmul" TYPES
#define LHS BEGIN "0 : index" MATMUL

static const struct {
	const char *text, *printed;	/* NULL: the same */
	unsigned rank;
} good[] = {
	{ LHS ">", NULL, 0 },
	{ LHS MAPS ">", NULL, 2 },
	{ LHS MAPS ", iteration_sizes = [?, 255, 0]>", NULL, 2 },
	{ BEGIN "1 : index" MATMUL ", original_element_type = f16" MAPS
		", iteration_sizes = [1, 2, 9223372036854775807]>", NULL, 2 },
	{ BEGIN "2 : index" MATMUL ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP ", ["
		ACC_MAP ", affine_map<(d0, d1) -> (d1)>, "
		"affine_map<(d0) -> (0, d0)>]]>", NULL, 2 },
	{ BEGIN "2 : index, op_type = scaled_matmul, element_types = [f4E2M1FN, f4E2M1FN, "
		"f8E8M0FNU, f8E8M0FNU, f32], user_indexing_maps = ["
		"affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, "
		"affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, "
		"affine_map<(d0, d1, d2, d3) -> (d0, d2)>, "
		"affine_map<(d0, d1, d2, d3) -> (d1, d2)>, "
		"affine_map<(d0, d1, d2, d3) -> (d0, d1)>]>", NULL, 2 },
	/* no contractions, which is not for the reader to say */
	{ LHS ", user_indexing_maps = [affine_map<(d0, d1) -> (d0 + d1, d0 floordiv 4, "
		"7)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1)[s0] -> "
		"(d0 + s0)>]>", NULL, 3 },
	/* other spellings */
	{ "encoding<op_type=matmul,operand_index=0,element_types=[f32,f32,f32]>",
		LHS ">", 0 },
	{ BEGIN "0 : i64" MATMUL ">", LHS ">", 0 },
	{ "#map = " LHS_MAP "\n#map1 = affine_map<(m, n, k) -> (k, n)>\n"
		"#map2 = " ACC_MAP "\n#encoding1 = " LHS
		",\n  user_indexing_maps = [#map, #map1, [#map2]]>\n", LHS MAPS ">", 2 },
	{ "#map = " ACC_MAP " " LHS ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP
		", #map]>", LHS MAPS ">", 2 },
};

static void texts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		layout_operand *operand = layout_operand_parse(ctx, good[i].text), *copy;
		const char *printed = good[i].printed ? good[i].printed : good[i].text;
		char *text;

		if (!operand)
			fail_msg("row %zu: %s", i, layout_context_message(ctx));
		assert_int_equal(layout_operand_rank(operand), good[i].rank);
		copy = layout_operand_copy(operand);
		layout_operand_free(operand);
		text = layout_operand_str(copy);
		assert_string_equal(text, printed);
		assert_int_equal(layout_operand_rank(copy), good[i].rank);
		layout_operand_free(copy);
		operand = layout_operand_parse(ctx, text);
		free(text);
		text = layout_operand_str(operand);
		assert_string_equal(text, printed);
		free(text);
		layout_operand_free(operand);
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *text;
	layout_error kind;
	const char *at;			/* the error lies where this stands first */
	const char *message;		/* part of it */
} bad[] = {
	{ BEGIN "0, element_types = [f32]>", PARSE, BEGIN,
		"missing required parameter: `op_type`" },
	{ BEGIN "0, op_type = matmul>", PARSE, BEGIN,
		"missing required parameter: `element_types`" },
	{ "#iree_encoding.encoding<op_type = matmul" TYPES ">", PARSE, "#iree",
		"missing required parameter: `operand_index`" },
	{ BEGIN "0, operand_index = 1>", PARSE, "operand_index = 1", "is given twice" },
	{ BEGIN "0, round_up_to = 1>", PARSE, "round_up_to",
		"expected `operand_index`, `op_type`, " },
	{ BEGIN "0 : f32>", PARSE, "f32", "expected an integer type" },
	{ BEGIN "-1>", INVALID, "-1", "there is no operand -1" },
	{ BEGIN "99999999999999999999>", OVERFLOW, "9999", "does not fit 64 bits" },
	{ BEGIN "3" MATMUL ">", INVALID, "3,",
		"a matmul has no operand 3, its operands are lhs, rhs, acc" },
	{ BEGIN "2" MATMUL ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP "]>", INVALID,
		"2,", "`operandIndex` exceeds the size of `user_indexing_maps`" },
	{ BEGIN "0, op_type = conv" TYPES ">", UNSUPPORTED, "conv",
		"op_type conv is not supported" },
	{ BEGIN "0, op_type = fft" TYPES ">", PARSE, "fft",
		"expected `matmul` or `scaled_matmul`" },
	{ BEGIN "0, op_type = matmul, element_types = [f32, f32]>", INVALID, "[f32",
		"`element_types` has 2 entries, 3 wanted: lhs, rhs, acc" },
	{ BEGIN "0, op_type = scaled_matmul" TYPES ">", INVALID, "[f32",
		"`element_types` has 3 entries, 5 wanted: lhs, rhs, lhs_scale" },
	{ BEGIN "0, op_type = matmul, element_types = [f32, f33, f32]>", INVALID, "f33",
		"there is no element type f33" },
	{ LHS ", original_element_type = i3>", INVALID, "i3",
		"there is no element type i3" },
	{ LHS ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP "]>", INVALID, "[affine",
		"`user_indexing_maps` has 2 entries, 3 wanted: lhs, rhs, acc" },
	{ LHS ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP ", 1]>", PARSE, "1]",
		"expected `affine_map`, the name of one, or a list, found `1`" },
	{ LHS ", user_indexing_maps = [" LHS_MAP ", [], " ACC_MAP "]>", INVALID, "[]",
		"found a non-composable attribute in `user_indexing_maps` at index: 1: "
		"a list without a map" },
	{ LHS ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP ", [" ACC_MAP
		", affine_map<(d0) -> (d0)>]]>", INVALID, "affine_map<(d0) ->",
		"found a non-composable attribute in `user_indexing_maps` at index: 2: "
		"a map of 1 dimensions after one of 2 results" },
	{ LHS ", user_indexing_maps = [" LHS_MAP ", affine_map<(d0) -> (d0)>, " ACC_MAP
		"]>", INVALID, "affine_map<(d0) ->",
		"a map of 1 dimensions, the first operand's has 3" },
	{ LHS ", user_indexing_maps = [#map, " RHS_MAP ", " ACC_MAP "]>", PARSE, "#map",
		"#map is not defined here: write the map in its place, or "
		"`#map = affine_map<..>` before it" },
	{ LHS ", user_indexing_maps = [affine_map<(d0) -> (d1)>]>", PARSE, "d1",
		"expected a dimension or symbol of the map" },
	{ "#map = " LHS_MAP " #map = " LHS_MAP " " LHS ">", PARSE, "#map = " LHS_MAP " #ir",
		"#map` is given twice" },
	{ "#map = #hal.device " LHS ", user_indexing_maps = [#map]>", PARSE, "#hal",
		"expected `affine_map`" },
	{ LHS ", user_indexing_maps = [affine_map<(a, b, c, d, e, f, g, h, i, j, k, l, m, "
		"n, o, p, q) -> (a)>, " RHS_MAP ", " ACC_MAP "]>", UNSUPPORTED, "affine",
		"a map of more than 16 dimensions or results" },
	{ LHS ", iteration_sizes = [1]>", INVALID, "[1]", "found `iteration_sizes` "
		"without any corresponding `user_indexing_maps`" },
	{ LHS MAPS ", iteration_sizes = [1, ?]>", INVALID, "[1", "found an encoding with 2 "
		"iteration sizes, but expected 3 based on the user indexing maps" },
	{ LHS MAPS ", iteration_sizes = []>", INVALID, "[]>", "found an encoding with 0 "
		"iteration sizes, but expected 3 based on the user indexing maps" },
	{ LHS ", user_indexing_maps = []>", INVALID, "[]>",
		"`operandIndex` exceeds the size of `user_indexing_maps`" },
	{ BEGIN "0, op_type = matmul, element_types = []>", INVALID, "[]",
		"`element_types` has 0 entries, 3 wanted" },
	{ LHS MAPS ", iteration_sizes = [1, -2, ?]>", INVALID, "-2",
		"a size must be at least 0, not -2" },
	{ LHS MAPS ", iteration_sizes = [-9223372036854775807, 1, 1]>", INVALID, "-9",
		"a size must be at least 0" },
	{ LHS MAPS ", iteration_sizes = [1, M, ?]>", PARSE, "M,", "expected an integer" },
	{ LHS "> trailing", PARSE, "trailing", "expected the end of the text" },
	{ LHS, PARSE, "", "expected `,` or `>`, found the end of the text" },
	{ "encoding", PARSE, "", "" },
};

static void refused(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *text = bad[i].text, *message;
		const char *at = bad[i].at[0] ? strstr(text, bad[i].at) :
			text + strlen(text);

		assert_null(layout_operand_parse(ctx, text));
		message = layout_context_message(ctx);
		if (!strstr(message, bad[i].message) ||
		    layout_context_error(ctx) != bad[i].kind ||
		    layout_context_position(ctx) != at - text)
			fail_msg("row %zu: %d at %ld, not %ld: %s", i,
				layout_context_error(ctx), layout_context_position(ctx),
				(long)(at - text), message);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* Every beginning of a text is an error, and every byte of it may be another. */
static void damaged(void **state)
{
	const char *text = "#map = " LHS_MAP " " LHS ", original_element_type = f16, "
		"user_indexing_maps = [#map, " RHS_MAP ", [" ACC_MAP "]], "
		"iteration_sizes = [?, 255, 1]>";
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	char *copy = strdup(text);

	(void)state;
	assert_non_null(copy);
	for (size_t length = 0; length < strlen(text); length++) {
		copy[length] = '\0';
		assert_null(layout_operand_parse(ctx, copy));
		assert_int_not_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		layout_context_clear(ctx);
		copy[length] = text[length];
	}
	for (size_t i = 0; i < strlen(text); i++) {
		copy[i] = (char)(1 + random_below(&seed, 255));
		layout_operand_free(layout_operand_parse(ctx, copy));
		layout_context_clear(ctx);
		copy[i] = text[i];
	}
	free(copy);
	assert_true(layout_context_free(ctx));
}

/* As C gives it: older, smaller descriptions, missing lists, too much of everything. */
static void descriptions(void **state)
{
	static const char *const types[] = { "f16", "f16", "f32", NULL };
	static const char *const maps[] = { LHS_MAP, RHS_MAP, ACC_MAP, "affine_map<" };
	static const unsigned counts[] = { 1, 1, 1 }, many[] = { 1, 1, 17 };
	static const unsigned wrong[] = { 1, 1, 2 };
	static const int64_t sizes[] = { 4, LAYOUT_DYNAMIC, 5 };
	layout_operand_desc desc = LAYOUT_OPERAND_DESC_INIT;
	layout_context *ctx = layout_context_new();
	layout_operand *operand;
	char *text;

	(void)state;
	assert_null(layout_operand_new(ctx, NULL));
	assert_null(layout_operand_new(ctx, &desc));
	layout_context_clear(ctx);
	desc.type_count = 3;
	assert_null(layout_operand_new(ctx, &desc));
	assert_string_equal(layout_context_message(ctx), "there is no list of element types");
	layout_context_clear(ctx);
	desc.element_types = types;
	desc.operand_index = 1;
	desc.map_operands = 3;
	desc.map_counts = counts;
	desc.maps = maps;
	desc.size_count = 3;
	desc.sizes = sizes;
	operand = layout_operand_new(ctx, &desc);
	text = layout_operand_str(operand);
	assert_string_equal(text, BEGIN "1 : index, op_type = matmul, element_types = "
		"[f16, f16, f32]" MAPS ", iteration_sizes = [4, ?, 5]>");
	free(text);
	layout_operand_free(operand);
	desc.map_counts = many;
	assert_null(layout_operand_new(ctx, &desc));
	desc.map_counts = wrong;
	assert_null(layout_operand_new(ctx, &desc));
	desc.map_counts = NULL;
	assert_null(layout_operand_new(ctx, &desc));
	desc.map_counts = counts;
	desc.maps = NULL;
	assert_null(layout_operand_new(ctx, &desc));
	desc.maps = maps;
	desc.op_type = 7;
	assert_null(layout_operand_new(ctx, &desc));
	desc.op_type = LAYOUT_MATMUL;
	desc.element_types = types + 1;
	assert_null(layout_operand_new(ctx, &desc));
	layout_context_clear(ctx);
	desc.element_types = types;
	desc.size = offsetof(layout_operand_desc, map_operands);
	operand = layout_operand_new(ctx, &desc);
	assert_non_null(operand);
	assert_int_equal(layout_operand_rank(operand), 0);
	layout_operand_free(operand);
	layout_operand_free(NULL);
	assert_null(layout_operand_copy(NULL));
	assert_null(layout_operand_str(NULL));
	assert_int_equal(layout_operand_rank(NULL), 0);
	assert_true(layout_context_free(ctx));
}

#define MAP3(results) "affine_map<(d0, d1, d2) -> (" results ")>"
#define MAP4(results) "affine_map<(d0, d1, d2, d3) -> (" results ")>"
#define SCALED ", op_type = scaled_matmul, element_types = [f4E2M1FN, f4E2M1FN, " \
	"f8E8M0FNU, f8E8M0FNU, f32], user_indexing_maps = ["

/* What a contraction is: loops and tensor dimensions in the order B, M, N, K, KB. */
static const struct {
	const char *text;
	const char *why;		/* part of the reason; NULL: it is one */
	layout_mma_operand role;
	int64_t sizes[TILING_LOOPS];
	bool loops[TILING_LOOPS];
	int dims[TILING_LOOPS];
} contractions[] = {
	{ BEGIN "1" MATMUL MAPS ", iteration_sizes = [5, ?, 7]>", NULL, LAYOUT_MMA_RHS,
		{ 1, 5, DYNAMIC, 7, 1 }, { 0, 1, 1, 1, 0 }, { -1, -1, 1, 0, -1 } },
	/* batch, and other orders of the loops */
	{ BEGIN "2" MATMUL ", user_indexing_maps = [" MAP4("d3, d1, d0") ", "
		MAP4("d2, d3, d0") ", " MAP4("d2, d3, d1")
		"], iteration_sizes = [1, 2, 3, 4]>", NULL, LAYOUT_MMA_ACC,
		{ 4, 2, 3, 1, 1 }, { 1, 1, 1, 1, 0 }, { 1, 2, 0, -1, -1 } },
	/* matvec, vecmat, neither */
	{ BEGIN "0" MATMUL ", user_indexing_maps = [affine_map<(a, b) -> (a, b)>, "
		"affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a)>], "
		"iteration_sizes = [8, 9]>", NULL, LAYOUT_MMA_LHS, { 1, 8, 1, 9, 1 },
		{ 0, 1, 0, 1, 0 }, { -1, 0, -1, 1, -1 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [affine_map<(a, b) -> (b)>, "
		"affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a)>]>", NULL,
		LAYOUT_MMA_LHS, { 1, 1, DYNAMIC, DYNAMIC, 1 }, { 0, 0, 1, 1, 0 },
		{ -1, -1, -1, 0, -1 } },
	{ BEGIN "2" MATMUL ", user_indexing_maps = [affine_map<(a) -> (a)>, "
		"affine_map<(a) -> (a)>, affine_map<(a) -> ()>]>",
		"the tensor has no dimensions", LAYOUT_MMA_ACC, { 0 }, { 0 }, { 0 } },
	/* chains: transposed, a dimension dropped, both */
	{ BEGIN "0" MATMUL ", user_indexing_maps = [[" LHS_MAP
		", affine_map<(a, b) -> (b, a)>], " RHS_MAP ", " ACC_MAP "]>", NULL,
		LAYOUT_MMA_LHS, { 1, DYNAMIC, DYNAMIC, DYNAMIC, 1 }, { 0, 1, 1, 1, 0 },
		{ -1, 1, -1, 0, -1 } },
	{ BEGIN "2" MATMUL ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP ", [" ACC_MAP
		", affine_map<(a, b) -> (b)>]]>", NULL, LAYOUT_MMA_ACC,
		{ 1, DYNAMIC, DYNAMIC, DYNAMIC, 1 }, { 0, 1, 1, 1, 0 },
		{ -1, -1, 0, -1, -1 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [[" MAP4("d0, d1, d3")
		", affine_map<(a, b, c) -> (c, a, b)>, affine_map<(a, b, c) -> (c, a)>], "
		MAP4("d0, d3, d2") ", " MAP4("d0, d1, d2") "]>", NULL, LAYOUT_MMA_LHS,
		{ DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, 1 }, { 1, 1, 1, 1, 0 },
		{ -1, 0, -1, 1, -1 } },
	/* scaled, also with one scale for all rows */
	{ BEGIN "3" SCALED MAP4("d0, d2, d3") ", " MAP4("d1, d2, d3") ", " MAP4("d0, d2")
		", " MAP4("d1, d2") ", " MAP4("d0, d1") "]>", NULL,
		LAYOUT_MMA_RHS_SCALE, { 1, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC },
		{ 0, 1, 1, 1, 1 }, { -1, -1, 0, 1, -1 } },
	{ BEGIN "2" SCALED MAP4("d0, d2, d3") ", " MAP4("d1, d3, d2") ", " MAP4("d2")
		", " MAP4("d2, d1") ", " MAP4("d0, d1")
		"], iteration_sizes = [1, 2, 3, 32]>", NULL, LAYOUT_MMA_LHS_SCALE,
		{ 1, 1, 2, 3, 32 }, { 0, 1, 1, 1, 1 }, { -1, -1, -1, 0, -1 } },
	{ BEGIN "4" SCALED MAP4("d0, d2, d3") ", " MAP4("d1, d2, d3") ", " MAP4("d0, d2")
		", " MAP4("d1, d2") ", " MAP4("d0, d1") "]>", NULL, LAYOUT_MMA_ACC,
		{ 1, DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC }, { 0, 1, 1, 1, 1 },
		{ -1, 0, 1, -1, -1 } },
	/* none */
	{ BEGIN "0" MATMUL ">", "the encoding has no indexing maps", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [" MAP3("d0 + d1, d2") ", " RHS_MAP ", "
		ACC_MAP "]>", "a result of an indexing map is not one loop", 0,
		{ 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [" MAP3("d0, d0, d2") ", " RHS_MAP ", "
		ACC_MAP "]>", "a loop is there twice", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [affine_map<(d0, d1, d2)[s0] -> "
		"(d0, s0)>, " RHS_MAP ", " ACC_MAP "]>",
		"a result of an indexing map is not one loop", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [" MAP3("d0, d1, d2") ", "
		MAP3("d2, d1") ", " MAP3("d0") "]>", "two loops are in the lhs and the rhs",
		0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [" MAP4("d0, d1, d2") ", "
		MAP4("d2, d3") ", " MAP4("d0, d1, d3") "]>",
		"two loops are in the lhs and the acc", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [" MAP4("d0, d2") ", "
		MAP4("d1, d2, d3") ", " MAP4("d0, d1, d3") "]>",
		"two loops are in the rhs and the acc", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [" MAP3("d0, d1, d2") ", "
		MAP3("d0, d1, d2") ", " MAP3("d0, d1") "]>",
		"two loops are in all operands", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [" MAP4("d0, d2, d3") ", "
		MAP4("d2, d1") ", " MAP4("d0, d1") "]>",
		"a loop is in none of B, M, N and K", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" MATMUL ", user_indexing_maps = [affine_map<(a, b) -> (a)>, "
		"affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>]>",
		"there is no loop K", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "2" MATMUL ", user_indexing_maps = [" LHS_MAP ", " RHS_MAP ", [" ACC_MAP
		", affine_map<(a, b) -> (b, 0)>]]>",
		"no transpose and no broadcast", 0, { 0 }, { 0 }, { 0 } },
	{ BEGIN "0" SCALED MAP3("d0, d2") ", " MAP3("d1, d2") ", " MAP3("d0, d2") ", "
		MAP3("d1, d2") ", " MAP3("d0, d1") "]>",
		"no loop shares the elements of a scale", 0, { 0 }, { 0 }, { 0 } },
};

static void expect_contraction(size_t i, const struct tiling_contraction *found)
{
	unsigned rank = 0;

	for (unsigned k = 0; k < TILING_LOOPS; k++) {
		if (found->sizes[k] != contractions[i].sizes[k] ||
		    found->loops[k] != contractions[i].loops[k] ||
		    found->tensor_dims[k] != contractions[i].dims[k])
			fail_msg("row %zu, loop %u: size %lld, there %d, dimension %d", i,
				k, (long long)found->sizes[k], found->loops[k],
				found->tensor_dims[k]);
		rank += found->tensor_dims[k] >= 0;
	}
	assert_int_equal(found->rank, rank);
}

static void loops(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(contractions) / sizeof(*contractions); i++) {
		layout_operand *operand = layout_operand_parse(ctx, contractions[i].text);
		struct tiling_contraction found;
		const char *why = NULL;
		bool is_one;

		if (!operand)
			fail_msg("row %zu: %s", i, layout_context_message(ctx));
		is_one = operand_contraction(operand, &found, &why);
		if (is_one != !contractions[i].why ||
		    (!is_one && !strstr(why, contractions[i].why)))
			fail_msg("row %zu: %s", i, why ? why : "a contraction");
		if (is_one) {
			assert_int_equal(operand_role(operand), contractions[i].role);
			expect_contraction(i, &found);
		}
		layout_operand_free(operand);
	}
	assert_true(layout_context_free(ctx));
}

/* Every encoding of the vectors is read; its rank is that of the row's tensor, and all
 * but those without maps are contractions. */
static void check_row(const struct encoding_row *row, void *user)
{
	layout_context *ctx = user;
	struct tiling_contraction found;
	char text[ENCODING_TEXT], *printed;
	layout_operand *operand;
	const char *why;
	long shape[16];
	unsigned rank = encoding_row_shape(row->fields[ROW_SHAPE], shape);
	bool maps = strcmp(row->fields[ROW_MAPS], "-") != 0;

	if (strcmp(row->fields[ROW_OP_TYPE], "-") == 0)
		return;			/* serialised from the start */
	encoding_row_text(row, text);
	operand = layout_operand_parse(ctx, text);
	if (!operand)
		fail_msg("%s: %s", row->fields[ROW_ID], layout_context_message(ctx));
	assert_int_equal(layout_operand_rank(operand), maps ? rank : 0);
	if (operand_contraction(operand, &found, &why) != (maps && rank))
		fail_msg("%s: %s", row->fields[ROW_ID], why);
	printed = layout_operand_str(operand);
	layout_operand_free(operand);
	operand = layout_operand_parse(ctx, printed);
	assert_non_null(operand);
	free(printed);
	layout_operand_free(operand);
}

static void vectors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_int_equal(each_encoding_row(check_row, ctx), 78);
	assert_true(layout_context_free(ctx));
}

static void values(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, LHS MAPS ">");
	char *text = layout_value_str(value);

	(void)state;
	assert_string_equal(text, LHS MAPS ">");
	free(text);
	assert_int_equal(layout_value_get_kind(value), LAYOUT_VALUE_OPERAND);
	assert_string_equal(layout_value_kind_str(LAYOUT_VALUE_OPERAND), "operand");
	assert_non_null(layout_value_operand(value));
	assert_null(layout_value_relation(value));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	assert_non_null(strstr(layout_context_message(ctx), "resolve(OPERAND, target = gfx942)"));
	layout_value_free(value);
	layout_context_clear(ctx);
	value = layout_value_parse(ctx, "row_major[M, K]");
	assert_null(layout_value_operand(value));
	assert_non_null(strstr(layout_context_message(ctx), "expected an operand's"));
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(refused),
		cmocka_unit_test(damaged),
		cmocka_unit_test(descriptions),
		cmocka_unit_test(loops),
		cmocka_unit_test(vectors),
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
