/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparing: any two values, storages as memory, products up to the order of K; in C and
 * as "layoutc equal". */
#include "algebra/memory/polynomial.h"
#include "algebra/memory/sides.h"
#include "support/random.h"
#include "support/share.h"
#include "support/shell.h"
#include "support/storage_model.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define TILES(dims, tiles) \
	"encoding_info<{innerDimsPos = [" dims "], innerTileSizes = [" tiles "]}>"
#define OUTER(dims, tiles, outer) \
	"encoding_info<{innerDimsPos = [" dims "], innerTileSizes = [" tiles "], " \
	"outerDimsPerm = [" outer "]}>"
#define SPLIT(parts, order) \
	"encoding_info<{innerDimsPos = [1], innerTileSizes = [16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[" parts "]], " \
	"permutation = [" order "]}}>"
#define PART(size) "[\"Internal\", " #size " : i16]"
#define PACKED(encoding, sizes) "packed(" encoding ", [" sizes "])"
#define BLOCKED "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], " \
	"warpsPerCTA = [4, 1], order = [1, 0]}>"
#define ONE_WAVE(threads, elements, strides) "nested_layout<subgroup_tile = [1, 1], " \
	"batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = " threads ", " \
	"element_tile = " elements ", subgroup_strides = [0, 0], thread_strides = " strides ">"
#define OPERAND "encoding<operand_index = 0, op_type = matmul, " \
	"element_types = [f16, f16, f32], user_indexing_maps = [" \
	"affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, " \
	"affine_map<(m, n, k) -> (m, n)>]>"

/* "text": the witness or the message; a part of it for LAYOUT_UNKNOWN. */
struct row {
	const char *a, *b;
	layout_answer answer;
	const char *text;
};

static const struct row values[] = {
	{ "{ [i] : 0 <= i < 3 }", "{ [i] : -1 < i <= 2 }", LAYOUT_YES, NULL },
	{ "{ [i] : 0 <= i < 3 }", "{ [i] : 0 <= i < 4 }", LAYOUT_NO, "(3)" },
	{ "{ [i] : 0 <= i < 3 }", "{ a[i, j] }", LAYOUT_UNKNOWN,
		"cannot compare: the spaces" },
	{ "{ [i] : 0 <= i < 3 }", "4:1", LAYOUT_UNKNOWN,
		"expected a set, found a CuTe layout" },
	{ "4:1", "{ [i] : 0 <= i < 3 }", LAYOUT_UNKNOWN,
		"expected a relation, found a set" },
	{ "4:1", "max_common_vector(4:1, 4:1)", LAYOUT_UNKNOWN, "found a number" },
	{ "(4,2):(2,1)", "{ [i] -> [2*(i mod 4) + floor(i/4)] : 0 <= i < 8 }",
		LAYOUT_YES, NULL },
	{ "Sw<3,3,3>", "xor_shuffle<64, 8>", LAYOUT_YES, NULL },
	{ "(4,2):(2,1)", "(4,2):(1,4)", LAYOUT_NO, "at (1,0): 2, there 1" },
	{ "row_major[M, K]", "col_major[M, K]", LAYOUT_NO,
		"M = 1, K = 2: at (0, 1): (0, 1), there (1, 0)" },
	{ "linear<{a = [[1], [2]]}>", "4:1", LAYOUT_YES, NULL },
	{ "((2,2),4):((1,8),2)", "((2,2),4):((1,8),4)", LAYOUT_NO,
		"at ((0,0),1): 2, there 4" },
	{ "pack_map<(4,8):(8,1)>", "pack_map<(4,8):(8,2)>", LAYOUT_NO,
		"at (0,1): 1, there 2" },
	{ "4:1", "5:1", LAYOUT_NO, "at 4: nothing, there 4" },
	/* at sizes for which both are there, if they differ at any */
	{ "strided[M, K : P, 1]", "col_major[M, K]", LAYOUT_NO,
		"M = 1, K = 2, P = 0: at (0, 1): (0, 1), there (1, 0)" },
	{ "strided[M, K : P, 1]", "row_major[M, K]", LAYOUT_NO,
		"M = 2, K = 1, P = 0: at (0, 0): nothing, there (0, 0)" },
	{ "mma<MFMA_F32_16x16x16_F16, lhs>", ONE_WAVE("[16, 4]", "[1, 4]", "[1, 16]"),
		LAYOUT_YES, NULL },
	{ ONE_WAVE("[16, 4]", "[1, 4]", "[1, 16]"), "mma<MFMA_F32_16x16x16_F16, lhs>",
		LAYOUT_YES, NULL },
	{ ONE_WAVE("[4, 16]", "[4, 1]", "[16, 1]"), "mma<MFMA_F32_16x16x16_F16, lhs>",
		LAYOUT_NO, "at (0, 1): (1, 0), there (0, 1)" },
	{ "{ [i, 0] -> [i] : 0 <= i < 4 }", "4:1", LAYOUT_YES, NULL },
	{ "{ [i, 1] -> [i] : 0 <= i < 4 }", "4:1", LAYOUT_UNKNOWN,
		"the inputs are [2] and [1]" },
	{ "Sw<2,0,14> o 0 o (65536,4):(1,65536)", "262144:1", LAYOUT_NO,
		"at (16384,0): 16385, there 16384" },
	{ "linear<{a = [[4], [2]], b = [[1]]} -> {x = 8}>",
		"linear<{a = [[4], [1]], b = [[2]]} -> {x = 8}>", LAYOUT_NO,
		"at (2, 0): 2, there 1" },
	{ "linear<{a = [[1]], b = [[2]]}>", "{ [a, b] -> [2a + b] : 0 <= a < 2 and "
		"0 <= b < 2 }", LAYOUT_NO, "at (1, 0): 1, there 2" },
	{ "inverse(6:1)", "inverse((3,2):(2,1))", LAYOUT_NO, "at 1: 1, there 3" },
	{ "{ [i] -> [j] : 0 <= i, j < 2 }", "{ [i] -> [j] : 0 <= i < 2 and 0 <= j < 9 }",
		LAYOUT_NO, "at 0: 0 and 1, there 0 and 1 and 2 and 3 and others" },
	{ "{ [i] -> [j] : i >= 0 }", "{ [i] -> [i] : i >= 3 }", LAYOUT_NO,
		"at 0: any number, there nothing" },
	{ "row_major[M, K]", "row_major[M]", LAYOUT_UNKNOWN,
		"the inputs are logical[2] and logical[1]" },
	{ "row_major[4, 5]", "(4,5):(5,1)", LAYOUT_UNKNOWN,
		"the inputs are logical[2] and [1]; as(.., in = [sizes])" },
	{ "{ a[i] -> b[i] : 0 <= i < 4 }", "{ a[i] -> c[i] : 0 <= i < 4 }",
		LAYOUT_UNKNOWN, "the images are b[1] and c[1]; as(.., out = NAME)" },
	{ "{ a[i] -> b[i] : 0 <= i < 4 }", "{ [i] -> [i] : 0 <= i < 4 }", LAYOUT_YES,
		NULL },
	{ TILES("0, 1", "4, 8"), OUTER("0, 1", "4, 8", "0, 1"), LAYOUT_YES, NULL },
	{ TILES("0, 1", "4, 8"), OUTER("0, 1", "4, 8", "1, 0"), LAYOUT_NO,
		"s0 = 1, s1 = 9: at (0, 8): (0, 1, 0, 0), there (1, 0, 0, 0)" },
	{ TILES("0, 1", "4, 8"), TILES("1, 0", "8, 4"), LAYOUT_NO,
		"s0 = 1, s1 = 2: at (0, 1): (0, 0, 0, 1), there (0, 0, 1, 0)" },
	{ TILES("0", "4"), OUTER("0", "4", "0, 1, 2"), LAYOUT_YES, NULL },
	{ SPLIT(PART(4) ", " PART(4), "0, 1"), SPLIT(PART(4) ", " PART(4), "1, 0"),
		LAYOUT_NO, "s0 = 1, s1 = 2: at (0, 1): (0, 0, 0, 1), there (0, 0, 1, 0)" },
	{ SPLIT(PART(16), "0"), TILES("1", "16"), LAYOUT_YES, NULL },
	{ SPLIT(PART(4) ", " PART(4), "0, 1"), TILES("1", "16"), LAYOUT_UNKNOWN,
		"the images are cell[4] and cell[3]" },
	{ OUTER("0", "4", "0, 1"), OUTER("0", "4", "0, 1, 2"), LAYOUT_UNKNOWN,
		"the encodings are of tensors of rank 2 and 3" },
	{ TILES("2", "4"), OUTER("0", "4", "0, 1"), LAYOUT_UNKNOWN,
		"the encodings are of tensors of rank 3 and 2" },
	{ TILES("1", "4"), PACKED(TILES("1", "4"), "M, K"), LAYOUT_UNKNOWN,
		"an encoding has no cells until packed(" },
	{ BLOCKED, BLOCKED, LAYOUT_YES, NULL },
	{ BLOCKED, "4:1", LAYOUT_UNKNOWN, "until distribute(ENCODING, [sizes])" },
	{ OPERAND, OPERAND, LAYOUT_YES, NULL },
	{ OPERAND, TILES("1", "4"), LAYOUT_UNKNOWN, "until resolve(OPERAND" },
};

static const struct row memories[] = {
	{ "row_major[M, K]", "row_major[M, K]", LAYOUT_YES, NULL },
	{ "row_major[M, K]", "col_major[M, K]", LAYOUT_NO,
		"M = 2, K = 2: (0, 1): 1, 2" },
	{ "row_major[M, 64]", "strided[M, 64 : 64, 1]", LAYOUT_YES, NULL },
	{ "row_major[M, 64]", "strided[M, 64 : 65, 1]", LAYOUT_NO,
		"M = 2: (1, 0): 64, 65" },
	{ "row_major[M, K]", "strided[M, K : K, 1]", LAYOUT_YES, NULL },
	{ "row_major[M, K]", "strided[M, K : S, 1]", LAYOUT_NO,
		"M = 2, K = 1, S = 2: (1, 0): 1, 2" },
	{ "row_major[M, K]", PACKED(TILES("0, 1", "1, 1"), "M, K"), LAYOUT_YES, NULL },
	{ "row_major[M, 64]", PACKED(TILES("1", "16"), "M, 64"), LAYOUT_YES, NULL },
	{ "row_major[M, 64*K + 16]", PACKED(TILES("1", "16"), "M, 64*K + 16"),
		LAYOUT_YES, NULL },
	{ "row_major[M, 64*K + 16]", PACKED(TILES("1", "32"), "M, 64*K + 16"),
		LAYOUT_NO, "M = 1, K = 0: cell 16 is padding of the second alone" },
	{ "row_major[M, 16*ceil(K/16)]", PACKED(TILES("1", "8"), "M, 16*ceil(K/16)"),
		LAYOUT_YES, NULL },
	{ "row_major[M, 8*floor(floor(K/2)/3)]",
		"strided[M, 8*floor(K/6) : 8*floor(K/6), 1]", LAYOUT_YES, NULL },
	{ PACKED(TILES("1", "16"), "M, K"), "row_major[M, K]", LAYOUT_NO,
		"M = 1, K = 1: cell 1 is padding of the first alone" },
	{ PACKED(TILES("1", "12"), "M, K"), PACKED(TILES("1", "8"), "M, K"), LAYOUT_NO,
		"M = 1, K = 1: cell 8 is padding of the first alone" },
	{ PACKED(TILES("1", "16"), "M, K"),
		PACKED(SPLIT(PART(4) ", " PART(4), "0, 1"), "M, K"), LAYOUT_YES, NULL },
	{ PACKED(TILES("1", "16"), "M, K"),
		PACKED(SPLIT(PART(4) ", " PART(4), "1, 0"), "M, K"), LAYOUT_NO,
		"M = 1, K = 2: (0, 1): 1, 4" },
	{ PACKED(TILES("0, 1", "128, 16"), "M, K"),
		PACKED(OUTER("0, 1", "128, 16", "1, 0"), "M, K"), LAYOUT_NO,
		"M = 129, K = 17: (0, 16): 2048, 4096" },
	{ "strided[M, 60 : 64, 1]", PACKED(TILES("1", "64"), "M, 60"), LAYOUT_NO,
		"M = 1: cell 60 is padding of the second alone" },
	{ "swizzled(row_major[M, 64], xor_shuffle<64, 8>)",
		"swizzled(row_major[M, 64], Sw<3,3,3>)", LAYOUT_YES, NULL },
	{ "swizzled(strided[M, 64 : 64, 1], Sw<3,3,3>)",
		"swizzled(row_major[M, 64], Sw<3,3,3>)", LAYOUT_YES, NULL },
	{ "swizzled(row_major[M, 64], xor_shuffle<64, 8>)", "row_major[M, 64]",
		LAYOUT_NO, "M = 2: (1, 0): 72, 64" },
	{ "row_major[5000000000, 3]", "strided[5000000000, 3 : 3, 1]", LAYOUT_YES, NULL },
	{ "row_major[5000000000, 3]", "col_major[5000000000, 3]", LAYOUT_NO,
		"(0, 1): 1, 5000000000" },
	{ "row_major[]", "strided[ : ]", LAYOUT_YES, NULL },
	{ "row_major[0, M]", "col_major[0, M]", LAYOUT_YES, NULL },
	{ "row_major[1, M]", "col_major[1, M]", LAYOUT_YES, NULL },
	{ "strided[4 : 0]", "strided[4 : 0]", LAYOUT_YES, NULL },
	{ "strided[4 : 0]", "row_major[4]", LAYOUT_NO, "(1): 0, 1" },
	{ "strided[4, 5 : 0, 1]", "strided[4, 5 : 0, 2]", LAYOUT_NO, "(0, 1): 1, 2" },
	{ "row_major[M, K]", "row_major[M]", LAYOUT_UNKNOWN,
		"a tensor of rank 2, the other of rank 1" },
	{ "row_major[M, K]", "row_major[M, N]", LAYOUT_UNKNOWN,
		"of different tensors: size 1 is K and N" },
	{ "row_major[M + K, N]", "row_major[K + M, L]", LAYOUT_UNKNOWN,
		"of different tensors: size 1 is N and L" },
	{ "row_major[M, K + M]", "strided[M, M + K : M + K, 1]", LAYOUT_YES, NULL },
	{ "swizzled(" PACKED(TILES("0", "4"), "2") ", Sw<1,0,-1>)", "strided[2 : 3]",
		LAYOUT_NO, "cell 1 is padding of the first alone" },
	{ "row_major[floor(M/5000) + 1, K]", "col_major[floor(M/5000) + 1, K]", LAYOUT_NO,
		"M = 8192, K = 2: (0, 1): 1, 2" },
};

/* What C says is what is expected; "message" for an error. */
static void judge(layout_context *ctx, const struct row *row, layout_answer answer,
	layout_witness *witness)
{
	const char *said = answer == LAYOUT_UNKNOWN ? layout_context_message(ctx) :
		witness ? witness->text : "";

	if (answer != row->answer || (answer == LAYOUT_UNKNOWN ?
	    !strstr(said, row->text) : strcmp(said, row->text ? row->text : "")))
		fail_msg("%s, %s: %d, %s", row->a, row->b, answer, said);
	layout_witness_free(witness);
	layout_context_clear(ctx);
}

static void equal_values(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_witness *witness;

	(void)state;
	for (size_t i = 0; i < COUNT(values); i++) {
		layout_value *a = layout_value_parse(ctx, values[i].a);
		layout_value *b = layout_value_parse(ctx, values[i].b);
		layout_answer answer = layout_equal(a, b, &witness);

		if (!a || !b)
			fail_msg("%s, %s: %s", values[i].a, values[i].b,
				layout_context_message(ctx));
		judge(ctx, &values[i], answer, witness);
		assert_int_equal(layout_equal(a, b, NULL), answer);
		layout_context_clear(ctx);
		assert_int_equal(layout_equal(b, a, NULL), answer);
		layout_context_clear(ctx);
		layout_value_free(a);
		layout_value_free(b);
	}
	assert_int_equal(layout_equal(NULL, NULL, &witness), LAYOUT_UNKNOWN);
	assert_null(witness);
	assert_int_equal(layout_equal_memory(NULL, NULL, &witness), LAYOUT_UNKNOWN);
	assert_null(witness);
	assert_true(layout_context_free(ctx));
}

/* Nothing that lives in two contexts is compared. */
static void two_contexts(void **state)
{
	layout_context *ctx = layout_context_new(), *other = layout_context_new();
	layout_value *a = layout_value_parse(ctx, "row_major[4]");
	layout_value *b = layout_value_parse(other, "row_major[4]");

	(void)state;
	assert_int_equal(layout_equal(a, b, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_int_equal(layout_equal_memory(a, b, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_int_equal(layout_storage_same_memory(layout_value_storage(a),
		layout_value_storage(b), NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_value_free(a);
	layout_value_free(b);
	assert_true(layout_context_free(ctx));
	assert_true(layout_context_free(other));
}

static void equal_memories(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_witness *witness;

	(void)state;
	for (size_t i = 0; i < COUNT(memories); i++) {
		layout_storage *a = layout_storage_parse(ctx, memories[i].a);
		layout_storage *b = layout_storage_parse(ctx, memories[i].b);
		layout_answer answer = layout_storage_same_memory(a, b, &witness);

		assert_non_null(a);
		assert_non_null(b);
		judge(ctx, &memories[i], answer, witness);
		assert_int_equal(layout_storage_same_memory(a, b, NULL), answer);
		layout_context_clear(ctx);
		assert_int_equal(layout_storage_same_memory(b, a, NULL), answer);
		layout_context_clear(ctx);
		layout_storage_free(a);
		layout_storage_free(b);
	}
	assert_int_equal(layout_storage_same_memory(NULL, NULL, &witness),
		LAYOUT_UNKNOWN);
	assert_null(witness);
	assert_true(layout_context_free(ctx));
}

/* ceil((times * value of a name + plus) / by); name 0: none. */
struct written_size {
	const char *text;
	unsigned name;
	int64_t times, plus, by;
};

static int64_t size_at(const struct written_size *size, const int64_t names[2])
{
	int64_t value = size->plus + (size->name ?
		size->times * names[size->name - 1] : 0);

	return (value + size->by - 1) / size->by;
}

/* A tensor of two dimensions and two storages of it. */
struct pair {
	struct storage_model model[2];
	const struct written_size *size[2];
};

static struct storage_model random_model(uint64_t *state, const struct written_size *inner)
{
	static const struct storage_split splits[] = { { 2, { 4, 4 } }, { 1, { 16 } }, { 2, { 2, 8 } }, { 1, { 1 } },
		{ 2, { 1, 16 } }, { 3, { 4, 2, 2 } }, { 1, { 12 } }, { 1, { 3 } } };
	struct storage_model model = { .kind = MODEL_PACKED, .rank = 2 };
	unsigned first = random_below(state, 4) == 0, kind;

	model.outer[0] = first;
	model.outer[1] = !first;
	kind = random_below(state, 7);
	if (kind < 4) {
		model.kind = kind < 2 ? MODEL_ROW : kind < 3 ? MODEL_COLUMN :
			MODEL_STRIDED;
		model.stride[0] = inner->name ? 1 : inner->plus;
		model.stride[1] = inner->name ? 0 : 1;
		if (model.kind == MODEL_ROW && !strcmp(inner->text, "64") &&
		    random_below(state, 2)) {
			model.row = 64;
			model.access = 8;
		}
		return model;
	}
	storage_model_tile(&model, state, splits, COUNT(splits));
	return model;
}

/* Do both have the element, or the cells, alike at these sizes? */
static bool same_at(const struct pair *pair, const int64_t *n)
{
	const struct storage_model *a = &pair->model[0], *b = &pair->model[1];

	if (storage_model_pads(a) != storage_model_pads(b) &&
	    n[0] * n[1] < storage_model_elements(a, n))
		return false;
	return storage_model_agree(a, b, n);
}

static bool has_element(const struct storage_model *model, const int64_t *n, int64_t cell)
{
	int64_t i[MODEL_RANK] = { 0 };

	for (i[0] = 0; i[0] < n[0]; i[0]++)
		for (i[1] = 0; i[1] < n[1]; i[1]++)
			if (storage_model_offset(model, n, i) == cell)
				return true;
	return false;
}

static bool is_padding(const struct storage_model *model, const int64_t *n, int64_t cell)
{
	return storage_model_pads(model) && cell < storage_model_elements(model, n) &&
		!has_element(model, n, cell);
}

/* The witness is one. */
static bool is_right(const struct pair *pair, const layout_witness *witness)
{
	int64_t names[2] = { 0, 0 }, n[MODEL_RANK] = { 0 }, cell[2];

	for (unsigned i = 0; i < witness->size_count; i++)
		names[witness->sizes[i].name[0] - 'A'] = witness->sizes[i].value;
	for (unsigned d = 0; d < 2; d++)
		n[d] = size_at(pair->size[d], names);
	if (witness->point_count == 1) {
		int64_t at = witness->points[0][0];

		if (strstr(witness->text, "padding"))
			return is_padding(&pair->model[0], n, at) !=
				is_padding(&pair->model[1], n, at);
		return (at < storage_model_elements(&pair->model[0], n)) !=
			(at < storage_model_elements(&pair->model[1], n));
	}
	if (witness->ranks[0] != 2 || witness->ranks[1] != 2 ||
	    witness->points[0][0] >= n[0] || witness->points[0][1] >= n[1])
		return false;
	for (unsigned k = 0; k < 2; k++) {
		int64_t element[MODEL_RANK] = { witness->points[0][0],
			witness->points[0][1] };

		cell[k] = storage_model_offset(&pair->model[k], n, element);
		if (cell[k] != witness->points[1][k])
			return false;
	}
	return cell[0] != cell[1];
}

/* All elements at some sizes. */
static void check_same(const struct pair *pair, char text[2][MODEL_TEXT])
{
	static const int64_t tried[] = { 0, 1, 2, 3, 17 };

	for (unsigned i = 0; i < COUNT(tried) * COUNT(tried); i++) {
		const int64_t names[] = { tried[i / COUNT(tried)],
			tried[i % COUNT(tried)] };
		int64_t n[MODEL_RANK] = { size_at(pair->size[0], names),
			size_at(pair->size[1], names) };

		if (!same_at(pair, n))
			fail_msg("%s, %s: not the same", text[0], text[1]);
	}
}

/* The answer, against all elements at some sizes, and its witness. */
static void check_pair(layout_context *ctx, const struct pair *pair, unsigned answers[3])
{
	const char *const sizes[] = { pair->size[0]->text, pair->size[1]->text };
	char text[2][MODEL_TEXT];
	layout_storage *storage[2];
	layout_witness *witness;
	layout_answer answer;

	for (unsigned k = 0; k < 2; k++) {
		storage_model_text(&pair->model[k], sizes, text[k]);
		storage[k] = layout_storage_parse(ctx, text[k]);
		if (!storage[k])
			fail_msg("%s: %s", text[k], layout_context_message(ctx));
	}
	answer = layout_storage_same_memory(storage[0], storage[1], &witness);
	answers[answer]++;
	if (answer == LAYOUT_UNKNOWN)
		print_message("unknown: %s, %s\n", text[0], text[1]);
	if (answer == LAYOUT_NO && !is_right(pair, witness))
		fail_msg("%s, %s: %s", text[0], text[1], witness->text);
	if (answer != LAYOUT_NO)
		check_same(pair, text);
	layout_witness_free(witness);
	layout_context_clear(ctx);
	for (unsigned k = 0; k < 2; k++)
		layout_storage_free(storage[k]);
}

static void random_memories(void **state)
{
	static const struct written_size sizes[] = { { "A", 1, 1, 0, 1 }, { "B", 2, 1, 0, 1 },
		{ "16", 0, 0, 16, 1 }, { "1", 0, 0, 1, 1 }, { "48", 0, 0, 48, 1 },
		{ "3", 0, 0, 3, 1 }, { "64", 0, 0, 64, 1 }, { "16*B", 2, 16, 0, 1 },
		{ "64*B + 16", 2, 64, 16, 1 }, { "ceil(A/2)", 1, 1, 0, 2 },
		{ "12*A + 24", 1, 12, 24, 1 } };
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned answers[3] = { 0 };

	(void)state;
	for (unsigned i = 0; i < share_count(500); i++) {
		struct pair pair;

		for (unsigned d = 0; d < 2; d++)
			pair.size[d] = &sizes[random_below(&seed, COUNT(sizes))];
		for (unsigned k = 0; k < 2; k++)
			pair.model[k] = random_model(&seed, pair.size[1]);
		check_pair(ctx, &pair, answers);
	}
	print_message("%u no, %u yes, %u unknown\n", answers[LAYOUT_NO],
		answers[LAYOUT_YES], answers[LAYOUT_UNKNOWN]);
	assert_true(share_is_few() || (answers[LAYOUT_YES] >= 40 &&
		answers[LAYOUT_NO] >= 200));
	assert_true(answers[LAYOUT_UNKNOWN] <= 5);
	assert_true(layout_context_free(ctx));
}

/* The same with two digits of its tiles exchanged. */
static struct storage_model exchanged(uint64_t *state, const struct storage_model *model)
{
	struct storage_model other = *model;
	unsigned order[MODEL_DIGITS], a, b;

	if (!model->digit_count)
		return other;
	a = random_below(state, model->digit_count);
	b = random_below(state, model->digit_count);
	for (unsigned k = 0; k < model->digit_count; k++)
		order[k] = k == a ? b : k == b ? a : k;
	storage_model_order(&other, order);
	return other;
}

/* Proofs alone, without elements that tell storages apart first: they hold. */
static void proofs(void **state)
{
	static const struct written_size sizes[] = { { "A", 1, 1, 0, 1 }, { "B", 2, 1, 0, 1 },
		{ "16", 0, 0, 16, 1 }, { "1", 0, 0, 1, 1 }, { "16*B", 2, 16, 0, 1 },
		{ "64*B + 16", 2, 64, 16, 1 }, { "64", 0, 0, 64, 1 } };
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned proved = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(500); i++) {
		struct pair pair;
		const char *size[2];
		char text[2][MODEL_TEXT];
		layout_storage *storage[2];
		layout_remap *remap;
		struct sides sides;

		for (unsigned d = 0; d < 2; d++) {
			pair.size[d] = &sizes[random_below(&seed, COUNT(sizes))];
			size[d] = pair.size[d]->text;
		}
		for (unsigned k = 0; k < 2; k++) {
			if (!k || random_below(&seed, 2))
				pair.model[k] = random_model(&seed, pair.size[1]);
			else
				pair.model[k] = exchanged(&seed, &pair.model[0]);
			storage_model_text(&pair.model[k], size, text[k]);
			storage[k] = layout_storage_parse(ctx, text[k]);
		}
		remap = layout_remap_new(storage[0], storage[1], "u8", NULL);
		assert_non_null(remap);
		assert_true(sides_build(&sides, remap, true));
		if (sides_are_same(&sides)) {
			proved++;
			check_same(&pair, text);
		}
		sides_free(&sides);
		layout_remap_free(remap);
	}
	assert_true(share_is_few() || proved >= 40);
	assert_true(layout_context_free(ctx));
}

/* A sum, product or floor of x, y and numbers. */
static struct index *random_index(uint64_t *seed, unsigned depth)
{
	static const enum index_op ops[] = { INDEX_ADD, INDEX_SUB, INDEX_MUL, INDEX_FDIV,
		INDEX_FDIV };
	enum index_op op = ops[random_below(seed, COUNT(ops))];
	struct index *left;

	if (!depth || !random_below(seed, 5))
		return random_below(seed, 2) ? index_int(random_below(seed, 9)) :
			index_var(random_below(seed, 2), 0, INT64_MAX);
	left = random_index(seed, depth - 1);
	return index_binary(op, left, op == INDEX_FDIV ?
		index_int(2 + random_below(seed, 7)) : random_index(seed, depth - 1));
}

/* The polynomials that are the same have the same values. */
static void random_polynomials(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned same = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(60000); i++) {
		struct index *a = random_index(&seed, 3), *b = random_index(&seed, 3);
		bool equal = polynomial_same(ctx, a, b);

		same += equal && (a->op != INDEX_INT || b->op != INDEX_INT);
		for (unsigned k = 0; equal && k < 20; k++) {
			int64_t at[] = { random_below(&seed, 99),
				random_below(&seed, 99) }, x = 0, y = 0;

			assert_true(index_eval(a, at, &x) && index_eval(b, at, &y));
			assert_int_equal(x, y);
		}
		index_free(a);
		index_free(b);
	}
	assert_true(share_is_few() || same >= 100);
	assert_true(layout_context_free(ctx));
}

static struct index *floor_of(struct index *index, int64_t by)
{
	return index_binary(INDEX_FDIV, index, index_int(by));
}

/* times*x + plus */
static struct index *line(int64_t times, int64_t plus)
{
	return index_binary(INDEX_ADD, index_binary(INDEX_MUL,
		index_var(0, 0, INT64_MAX), index_int(times)), index_int(plus));
}

/* factor*index*y */
static struct index *times_y(struct index *index, int64_t factor)
{
	return index_binary(INDEX_MUL, index_binary(INDEX_MUL, index, index_int(factor)),
		index_var(1, 0, INT64_MAX));
}

/* Consumes both. */
static bool same_polynomials(layout_context *ctx, struct index *a, struct index *b)
{
	bool same = polynomial_same(ctx, a, b);

	index_free(a);
	index_free(b);
	return same;
}

static void polynomials(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_true(same_polynomials(ctx, floor_of(line(64, 31), 16),
		floor_of(line(8, 3), 2)));
	assert_true(same_polynomials(ctx, floor_of(floor_of(line(1, 0), 4), 8),
		floor_of(line(1, 0), 32)));
	assert_true(same_polynomials(ctx,
		floor_of(index_binary(INDEX_ADD, floor_of(line(1, 3), 4), index_int(7)),
			8), floor_of(line(1, 31), 32)));
	assert_true(same_polynomials(ctx, floor_of(line(-1, 0), 4),
		index_binary(INDEX_SUB, floor_of(line(3, 0), 4), line(1, 0))));
	assert_true(same_polynomials(ctx, times_y(floor_of(line(64, 31), 16), 16),
		times_y(line(64, 16), 1)));
	assert_true(same_polynomials(ctx, floor_of(times_y(line(1, 0), 1), 4),
		floor_of(times_y(line(1, 0), 1), 4)));
	assert_false(same_polynomials(ctx, times_y(line(1, 0), 1), line(1, 0)));
	assert_false(same_polynomials(ctx, floor_of(times_y(line(1, 0), 1), 4),
		floor_of(times_y(line(1, 0), 1), 5)));
	assert_false(same_polynomials(ctx, floor_of(line(1, 0), 4),
		floor_of(line(1, 1), 4)));
	assert_false(same_polynomials(ctx, line(2, 1), line(1, 2)));
	assert_true(layout_context_free(ctx));
}

#define WMMA "'mma<WMMAR4_F32_16x16x16_F16, lhs>' 'mma<WMMAR4_F32_16x16x16_F16, rhs>' "
#define ISA "'mma<v_wmma_f32_16x16x16_f16, lhs, gfx1200>' " \
	"'mma<v_wmma_f32_16x16x16_f16, rhs, gfx1200>'"
#define MIXED "'mma<v_wmma_f32_16x16x16_f16, lhs, gfx1200>' " \
	"'mma<WMMAR4_F32_16x16x16_F16, rhs>'"

/* The output; or what is part of the errors. */
static const struct {
	const char *arguments;
	int status;
	const char *output, *error;
} commands[] = {
	{ "'4:1' '{ [i] -> [i] : 0 <= i < 4 }'", 0, "equal\n", NULL },
	{ "'" TILES("1", "4") "' '" OUTER("1", "4", "0, 1") "'", 0, "equal\n", NULL },
	{ "'" TILES("0, 1", "4, 8") "' '" TILES("1, 0", "8, 4") "'", 1,
		"different: s0 = 1, s1 = 2: at (0, 1): (0, 0, 0, 1), there (0, 0, 1, 0)\n", NULL },
	{ "'" BLOCKED "' '" BLOCKED "'", 0, "equal\n", NULL },
	{ "'" BLOCKED "' 4:1", 2, NULL, "\n    #ttg.blocked" },
	{ "4:1 '" BLOCKED "'", 2, NULL, "\n    #ttg.blocked" },
	{ "4:1 4:1 4:1", 2, NULL, "two operands, found 3; four are for --up-to-k" },
	{ "4:1 4:1 4:1 4:1", 2, NULL, "two operands, found 4" },
	{ "4:1", 2, NULL, "needs EXPR EXPR" },
	{ "--memory 'row_major[M, K]' 'strided[M, K : K, 1]'", 0, "equal\n", NULL },
	{ "--memory 'row_major[M, K]' 'col_major[M, K]'", 1,
		"different: M = 2, K = 2: (0, 1): 1, 2\n", NULL },
	{ "--memory 'row_major[M, K]' '" PACKED(TILES("1", "16"), "M, K") "'", 1,
		"different: M = 1, K = 1: cell 1 is padding of the second alone\n", NULL },
	{ "--memory '" TILES("0, 1", "4, 8") "' '" TILES("1, 0", "8, 4") "'", 1,
		"different: s0 = 1, s1 = 2: (0, 1): 1, 4\n", NULL },
	{ "--memory '" TILES("0, 1", "4, 1") "' '" OUTER("0", "4", "0, 1") "'", 0,
		"equal\n", NULL },
	{ "--memory '" TILES("2", "4") "' '" OUTER("0", "4", "0, 1") "'", 2, NULL,
		"the encodings are of tensors of rank 3 and 2" },
	{ "--memory '" TILES("1", "4") "' 'row_major[M, K]'", 2, NULL,
		"an encoding has no cells until" },
	{ "--memory 'row_major[M, K]' 4:1", 2, NULL,
		"expected a storage, found a CuTe layout\n    4:1\n" },
	{ "--memory 4:1 'row_major[M, K]'", 2, NULL,
		"expected a storage, found a CuTe layout\n    4:1\n" },
	{ "--memory 'row_major[M, K]' 'row_major[M, N]'", 2, NULL,
		"size 1 is K and N\n    row_major[M, N]\n" },
	{ "--memory 'row_major[M, K]'", 2, NULL, "needs EXPR EXPR" },
	{ "--memory --up-to-k " WMMA ISA, 2, NULL, "one of them" },
	{ "--up-to-k " WMMA ISA, 0, "equal up to { [k] -> [k mod 4 + 8*(floor(k/4) mod 2) + "
		"4*floor(k/8)] : 0 <= k <= 15 }\n", NULL },
	{ "--up-to-k " WMMA WMMA, 0, "equal up to { [k] -> [k] : 0 <= k <= 15 }\n", NULL },
	{ "--up-to-k " WMMA MIXED, 1,
		"different: lhs (0, 4), rhs (0, 4): k = 4 becomes 8 and 4\n", NULL },
	{ "--up-to-k '{ [0] -> [0, 0]; [1] -> [0, 1] }' '{ [0] -> [0, 0] }' "
		"'{ [0] -> [0, 1]; [1] -> [0, 1] }' '{ [0] -> [1, 0] }'", 1,
		"different: lhs (0), lhs (1): k = 0 and k = 1 both become 1\n", NULL },
	{ "--up-to-k '{ [0] -> [0, 0] }' '{ [0] -> [0, 0] }' '{ [0] -> [1, 0] }' "
		"'{ [0] -> [0, 0] }'", 1, "different: lhs (0): (0, 0), (1, 0)\n", NULL },
	{ "--up-to-k '{ [0] -> [0, 0] }' '{ [0] -> [0, 0]; [3] -> [0, 0] }' "
		"'{ [0] -> [0, 0] }' '{ [0] -> [0, 0] }'", 1,
		"different: rhs (3): (0, 0), nothing\n", NULL },
	{ "--up-to-k " WMMA, 2, NULL, "four operands, found 2" },
	{ "--up-to-k " WMMA "4:1", 2, NULL, "four operands, found 3" },
	{ "--up-to-k 4:1 4:1 4:1 '{ [i] }'", 2, NULL, "found a set\n    { [i] }\n" },
};

static void command(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(commands); i++) {
		const char *out = commands[i].output;
		int status;
		char *text = shell_output(&status, "%s equal %s %s", LAYOUTC_PATH,
			commands[i].arguments, out ? "" : "2>&1 >/dev/null");

		if (status != commands[i].status || (out ? strcmp(text, out) :
		    !strstr(text, commands[i].error)))
			fail_msg("equal %s: %d, %s", commands[i].arguments, status, text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_values),
		cmocka_unit_test(two_contexts),
		cmocka_unit_test(equal_memories),
		cmocka_unit_test(random_memories),
		cmocka_unit_test(proofs),
		cmocka_unit_test(random_polynomials),
		cmocka_unit_test(polynomials),
		cmocka_unit_test(command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
