/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages, cell by cell: every size in a table, against a model in plain C. */
#include "isl_bridge/relation.h"
#include "support/share.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_CELLS 12

/* A rank-2 storage of names M and K, and where its element (i, j) lies.  Models of
 * seven cell dimensions are the walk-through's; they alone are tried at its size. */
struct model {
	const char *text;
	unsigned cells;
	int64_t tile[2];	/* what M and K are rounded up to */
	void (*place)(int64_t i, int64_t j, int64_t *cell);
	const char *padding;	/* count, as a formula */
};

static void place_rows(int64_t i, int64_t j, int64_t *cell)
{
	cell[0] = i;
	cell[1] = j;
}

static void place_cols(int64_t i, int64_t j, int64_t *cell)
{
	cell[0] = j;
	cell[1] = i;
}

static void place_strided(int64_t i, int64_t j, int64_t *cell)
{
	cell[0] = 1024 * i + 2 * j;
}

/* Rows 128 = 4 x 8 x 4, columns 16 = 4 x 4, permuted 1 4 0 2 3. */
static void place_lhs(int64_t i, int64_t j, int64_t *cell)
{
	int64_t r = i % 128, c = j % 16;

	cell[0] = i / 128;
	cell[1] = j / 16;
	cell[2] = r / 4 % 8;
	cell[3] = c % 4;
	cell[4] = r / 32;
	cell[5] = r % 4;
	cell[6] = c / 4;
}

/* Dimension 1 outside: columns 128 = 4 x 16 x 2, rows 16 = 4 x 4, permuted 0 2 4 1 3. */
static void place_rhs(int64_t i, int64_t j, int64_t *cell)
{
	int64_t n = j % 128, k = i % 16;

	cell[0] = j / 128;
	cell[1] = i / 16;
	cell[2] = n / 32;
	cell[3] = n % 2;
	cell[4] = k % 4;
	cell[5] = n / 2 % 16;
	cell[6] = k / 4;
}

static void place_packed(int64_t i, int64_t j, int64_t *cell)
{
	cell[0] = j / 7;
	cell[1] = i / 3;
	cell[2] = i % 3;
	cell[3] = j % 7;
}

/* Only dimension 1 is tiled, in tiles of 1. */
static void place_unit(int64_t i, int64_t j, int64_t *cell)
{
	cell[0] = i;
	cell[1] = j;
	cell[2] = 0;
}

static const struct model models[] = {
	{ "row_major[M, K]", 2, { 1, 1 }, place_rows, "0" },
	{ "col_major[M, K]", 2, { 1, 1 }, place_cols, "0" },
	{ "strided[M, K : 1024, 2]", 1, { 1, 1 }, place_strided, "0" },
	{ "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], "
	  "outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], "
	  "[\"CrossIntrinsic\", 8 : i16], [\"CrossThread\", 4 : i16]], [[\"CrossIntrinsic\", "
	  "4 : i16], [\"CrossThread\", 4 : i16]]], permutation = [1, 4, 0, 2, 3]}}>, [M, K])",
	  7, { 128, 16 }, place_lhs, "128*ceil(M/128)*16*ceil(K/16) - M*K" },
	{ "packed(encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [128, 16], "
	  "outerDimsPerm = [1, 0], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], "
	  "[\"CrossThread\", 16 : i16], [\"CrossIntrinsic\", 2 : i16]], [[\"CrossIntrinsic\", "
	  "4 : i16], [\"CrossThread\", 4 : i16]]], permutation = [0, 2, 4, 1, 3]}}>, [M, K])",
	  7, { 16, 128 }, place_rhs, "16*ceil(M/16)*128*ceil(K/128) - M*K" },
	{ "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [3, 7], "
	  "outerDimsPerm = [1, 0]}>, [M, K])", 4, { 3, 7 }, place_packed,
	  "3*ceil(M/3)*7*ceil(K/7) - M*K" },
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [1]}>, [M, K])", 3,
	  { 1, 1 }, place_unit, "0" },
};

static const int64_t shapes[][2] = {
	{ 255, 513 }, { 1, 1 }, { 128, 16 }, { 127, 17 }, { 0, 5 }, { 5, 0 }, { 129, 3 },
};

struct check {
	const struct model *model;
	const int64_t *shape;
	size_t visited;
	char *taken;		/* a byte a cell of the rounded box, in logical order */
	bool padding;		/* now visiting padding boxes, not elements */
};

static int64_t round_up(int64_t size, int64_t tile)
{
	return (size + tile - 1) / tile * tile;
}

static bool check_element(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct check *check = user;
	int64_t cell[MAX_CELLS];

	assert_int_equal(in_rank, 2);
	assert_int_equal(image_rank, check->model->cells);
	assert_int_equal(in[0], (int64_t)check->visited / check->shape[1]);
	assert_int_equal(in[1], (int64_t)check->visited % check->shape[1]);
	check->model->place(in[0], in[1], cell);
	assert_memory_equal(cell, image, image_rank * sizeof(*cell));
	check->visited++;
	return true;
}

static bool check_box_point(void *user, const int64_t *point, unsigned rank)
{
	struct check *check = user;

	assert_int_equal(rank, 2);
	assert_true(point[0] >= check->shape[0] || point[1] >= check->shape[1]);
	assert_in_range(point[0], 0, round_up(check->shape[0], check->model->tile[0]) - 1);
	assert_in_range(point[1], 0, round_up(check->shape[1], check->model->tile[1]) - 1);
	check->visited++;
	return true;
}

/* Padding cells are the places of the points outside the shape. */
static bool check_padding_cell(void *user, const int64_t *point, unsigned rank)
{
	struct check *check = user;
	const int64_t *tile = check->model->tile;
	bool found = false;
	int64_t cell[MAX_CELLS];

	for (int64_t i = 0; i < round_up(check->shape[0], tile[0]) && !found; i++)
		for (int64_t j = i < check->shape[0] ? check->shape[1] : 0;
		     j < round_up(check->shape[1], tile[1]) && !found; j++) {
			check->model->place(i, j, cell);
			found = memcmp(cell, point, rank * sizeof(*cell)) == 0;
		}
	assert_true(found);
	check->visited++;
	return true;
}

static bool count_point(void *user, const int64_t *point, unsigned rank)
{
	(void)point;
	(void)rank;
	++*(size_t *)user;
	return true;
}

static void check_model(const struct model *model, const int64_t *shape)
{
	layout_context *ctx = layout_context_new();
	layout_size sizes[] = { { "M", shape[0] }, { "K", shape[1] } };
	layout_storage *storage = layout_storage_parse(ctx, model->text);
	layout_relation *relation = layout_relation_fix(layout_storage_relation(storage), sizes, 2);
	layout_set *boxes = layout_set_fix(layout_storage_padding_boxes(storage), sizes, 2);
	layout_set *padding = layout_set_fix(layout_storage_padding(storage), sizes, 2);
	layout_set *cells = layout_set_fix(layout_storage_cells(storage), sizes, 2);
	struct check check = { .model = model, .shape = shape };
	int64_t rounded = shape[0] && shape[1] ? round_up(shape[0], model->tile[0]) *
		round_up(shape[1], model->tile[1]) : 0;
	int64_t wanted = rounded - shape[0] * shape[1];
	bool large = rounded > 20000;	/* then padding cells are only counted */
	size_t count = 0;
	char *formula = layout_storage_padding_count(storage);

	assert_non_null(storage);
	assert_string_equal(formula, model->padding);
	assert_true(layout_relation_for_each(relation, check_element, &check));
	assert_int_equal(check.visited, shape[0] * shape[1]);
	check.visited = 0;
	assert_true(layout_set_for_each(boxes, check_box_point, &check));
	assert_int_equal(check.visited, wanted);
	check.visited = 0;
	assert_true(layout_set_for_each(padding, large ? count_point : check_padding_cell,
		large ? (void *)&check.visited : &check));
	assert_int_equal(check.visited, wanted);
	if (model->cells > 1 && !large) {
		assert_true(layout_set_for_each(cells, count_point, &count));
		assert_int_equal(count, rounded);
		assert_int_equal(layout_storage_elements(storage, sizes, 2), rounded);
	}
	layout_string_free(formula);
	layout_set_free(cells);
	layout_set_free(boxes);
	layout_set_free(padding);
	layout_relation_free(relation);
	layout_storage_free(storage);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

static void every_cell(void **state)
{
	(void)state;
	for (size_t m = 0; m < sizeof(models) / sizeof(*models); m++)
		for (size_t s = models[m].cells == 7 ? 0 : 1;
		     s < sizeof(shapes) / sizeof(*shapes); s++)
			if (share_has((unsigned)m, (unsigned)s, sizeof(shapes) / sizeof(*shapes)))
				check_model(&models[m], shapes[s]);
}

/* The questions of the walk-through's encoding, for all sizes at once. */
static void proofs_for_all_sizes(void **state)
{
	(void)state;
	for (size_t m = 0; m < sizeof(models) / sizeof(*models); m++) {
		layout_context *ctx = layout_context_new();
		layout_storage *storage = layout_storage_parse(ctx, models[m].text);
		layout_relation *relation = layout_storage_relation(storage);
		layout_set *used = layout_set_subtract(layout_storage_cells(storage),
			layout_storage_padding(storage));
		bool strided = models[m].cells == 1;

		assert_int_equal(layout_relation_is_function(relation, NULL), LAYOUT_YES);
		assert_int_equal(layout_relation_is_injective(relation, NULL),
			strided ? LAYOUT_NO : LAYOUT_YES);
		if (!strided)
			assert_int_equal(layout_relation_is_bijective(relation, used, NULL),
				LAYOUT_YES);
		layout_set_free(used);
		layout_relation_free(relation);
		layout_storage_free(storage);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	const char *text;
	int64_t elements;		/* for M = 5, K = 3, S = 9; -1: an error */
	int rank;
	int64_t shape[4];
	const char *padding;
	layout_storage_kind kind;
	const char *cells;		/* NULL: none */
} number_rows[] = {
	{ "row_major[M, K]", 15, 2, { 5, 3 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "M*K" },
	{ "col_major[M, K]", 15, 2, { 3, 5 }, "0", LAYOUT_STORAGE_COL_MAJOR,
	  "M*K" },
	{ "row_major[]", 1, 0, { 0 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "1" },
	{ "row_major[M + K, 2*M]", 80, 2, { 8, 10 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "2*(M + K)*M" },
	{ "row_major[M - 7]", -1, -1, { 0 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "max(0, M - 7)" },
	{ "row_major[floor((M + K)/3), 2*ceil(M/4)]", 8, 2, { 2, 4 }, "0",
	  LAYOUT_STORAGE_ROW_MAJOR, "2*floor((M + K)/3)*ceil(M/4)" },
	{ "row_major[floor((M - 9)/4)]", -1, -1, { 0 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "max(0, ceil(M/4) - 3)" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, [ceil(M/2)])", 4,
	  2, { 1, 4 }, "4*ceil(M/8) - ceil(M/2)", LAYOUT_STORAGE_PACKED,
	  "4*ceil(M/8)" },
	{ "strided[M, K : 2*ceil(K/2), 1]", 19, 1, { 19 }, "0", LAYOUT_STORAGE_STRIDED,
	  NULL },
	{ "row_major[X]", -1, -1, { 0 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "X" },
	{ "strided[M, K : S, 1]", 39, 1, { 39 }, "0", LAYOUT_STORAGE_STRIDED,
	  NULL },
	{ "strided[M, K : 1, S]", 23, 1, { 23 }, "0", LAYOUT_STORAGE_STRIDED,
	  NULL },
	{ "strided[M, K : K, 1]", 15, 1, { 15 }, "0", LAYOUT_STORAGE_STRIDED,
	  NULL },
	{ "strided[M, K : M, 2]", 25, 1, { 25 }, "0", LAYOUT_STORAGE_STRIDED,
	  NULL },
	{ "strided[K, M : K, 1]", -1, -1, { 0 }, "0", LAYOUT_STORAGE_STRIDED,
	  NULL },
	{ "strided[M, K : 0, 1]", 3, 1, { 3 }, "0", LAYOUT_STORAGE_STRIDED,
	  NULL },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, [M, 513])", 4104, 3,
	  { 2, 513, 4 }, "4*ceil(M/4)*513 - M*513", LAYOUT_STORAGE_PACKED,
	  "4*ceil(M/4)*513" },
	{ "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16]}>, [255, 513])",
	  135168, 4, { 2, 33, 128, 16 }, "4353", LAYOUT_STORAGE_PACKED,
	  "135168" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, [M + K])", 8, 2,
	  { 2, 4 }, "4*ceil((M + K)/4) - (M + K)", LAYOUT_STORAGE_PACKED,
	  "4*ceil((M + K)/4)" },
	{ "row_major[3000000000, 3000000000]", 9000000000000000000, 2,
	  { 3000000000, 3000000000 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "9000000000000000000" },
	{ "row_major[9000000000, 9000000000]", -1, 2, { 9000000000, 9000000000 }, "0", LAYOUT_STORAGE_ROW_MAJOR,
	  "81000000000000000000" },
};

static void numbers(void **state)
{
	static const layout_size sizes[] = { { "M", 5 }, { "S", 9 }, { "K", 3 } };

	(void)state;
	for (size_t i = 0; i < sizeof(number_rows) / sizeof(*number_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_storage *storage = layout_storage_parse(ctx, number_rows[i].text);
		int64_t shape[LAYOUT_STORAGE_SLOTS];
		char *padding = layout_storage_padding_count(storage);
		char *cells = layout_storage_cell_count(storage);

		assert_non_null(storage);
		assert_int_equal(layout_storage_get_kind(storage), number_rows[i].kind);
		assert_string_equal(padding, number_rows[i].padding);
		assert_int_equal(cells != NULL, number_rows[i].cells != NULL);
		if (cells)
			assert_string_equal(cells, number_rows[i].cells);
		if (layout_storage_elements(storage, sizes, 3) != number_rows[i].elements)
			fail_msg("%s: %lld elements", number_rows[i].text,
				(long long)layout_storage_elements(storage, sizes, 3));
		if (number_rows[i].elements < 0)
			assert_int_not_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_int_equal(layout_storage_memory_shape(storage, sizes, 3, shape),
			number_rows[i].rank);
		for (int d = 0; d < number_rows[i].rank; d++)
			assert_int_equal(shape[d], number_rows[i].shape[d]);
		layout_string_free(padding);
		layout_string_free(cells);
		layout_storage_free(storage);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	const char *text;
	layout_error kind;
	const char *message;
} bad_rows[] = {
	{ "row_major[-1]", LAYOUT_ERROR_INVALID, "not -1" },
	{ "row_major[99999999999999999999]", LAYOUT_ERROR_OVERFLOW, "64 bits" },
	{ "row_major[mod]", LAYOUT_ERROR_PARSE, "cannot be the name" },
	{ "strided[M : -2]", LAYOUT_ERROR_INVALID, "stride" },
	{ "row_major[M/2]", LAYOUT_ERROR_PARSE, "a quotient of sizes is floor(a/4)" },
	{ "row_major[floor(M + P/2)]", LAYOUT_ERROR_PARSE, "expected `/`" },
	{ "row_major[floor(M/0)]", LAYOUT_ERROR_INVALID, "divided by 1 or more" },
	{ "row_major[floor(M/K)]", LAYOUT_ERROR_PARSE, "expected an integer" },
	{ "row_major[ceil]", LAYOUT_ERROR_PARSE, "expected `(`" },
	{ "row_major[floor(-5/2)]", LAYOUT_ERROR_INVALID, "not -3" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [0]}>, [M])",
	  LAYOUT_ERROR_INVALID, "tile" },
	{ "packed(encoding_info<{innerDimsPos = [0, 0], innerTileSizes = [2, 2]}>, [M])",
	  LAYOUT_ERROR_INVALID, "twice" },
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [2]}>, [M])",
	  LAYOUT_ERROR_SPACE, "rank 1" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [2], "
	  "outerDimsPerm = [1, 0]}>, [M])", LAYOUT_ERROR_SPACE, "rank 2" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [2], "
	  "outerDimsPerm = [1, 1]}>, [M, K])", LAYOUT_ERROR_INVALID, "outerDimsPerm" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [8], swizzle = "
	  "{expandShape = [[[\"Internal\", 2], [\"Internal\", 2]]], permutation = [1, 0]}}>, [M])",
	  LAYOUT_ERROR_INVALID, "multiplies to 4" },
	{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4], swizzle = "
	  "{expandShape = [[[\"Internal\", 2], [\"Internal\", 2]]], permutation = [1, 1]}}>, [M])",
	  LAYOUT_ERROR_INVALID, "permutation" },
	{ "swizzled(row_major[M, 64], Sw<4,0,3>)", LAYOUT_ERROR_INVALID, "shift" },
	{ "swizzled(row_major[M, 64])", LAYOUT_ERROR_PARSE, "`,`" },
	{ "swizzled(row_major[M, 64], (4,8):(8,1))", LAYOUT_ERROR_PARSE, "xor_shuffle" },
	{ "swizzled(row_major[M, 64], Sw<3,3,3> o 0 o 64:1)", LAYOUT_ERROR_PARSE, "`)`" },
};

static void bad_storages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(*bad_rows); i++) {
		layout_context *ctx = layout_context_new();

		assert_null(layout_storage_parse(ctx, bad_rows[i].text));
		if (!strstr(layout_context_message(ctx), bad_rows[i].message))
			fail_msg("%s: %s", bad_rows[i].text, layout_context_message(ctx));
		assert_int_equal(layout_context_error(ctx), bad_rows[i].kind);
		assert_true(layout_context_free(ctx));
	}
}

/* Sizes in their normal form. */
static const struct {
	const char *text, *normal;
} size_rows[] = {
	{ "floor((M + P)/128)", "floor((M + P)/128)" },
	{ "ceil(2*M/3)", "ceil(2*M/3)" },
	{ "floor((128*A + 5)/128)", "A" },
	{ "floor((128*A + K)/128) + ceil(5/2)", "A + floor(K/128) + 3" },
	{ "3*ceil(M/16) - ceil((M)/16)", "2*ceil(M/16)" },
	{ "floor((M + ceil(K/2))/3)", "floor((M + ceil(K/2))/3)" },
	{ "floor(M/1)", "M" },
	{ "M floordiv 4 + (K + 3) ceildiv 4 - 2*K mod 8", "floor(M/4) + ceil((K + 3)/4) - 2*K + 8*floor(2*K/8)" },
	{ "-1 floordiv 4 + -1 ceildiv 4 + 8*A floordiv 4", "2*A - 1" },
	{ "8 - floor(-M/4)", "-floor((-M)/4) + 8" },
};

static void sizes_as_text(void **state)
{
	layout_context *ctx = layout_context_new();
	const char *rational = "M/2";

	(void)state;
	for (size_t i = 0; i < sizeof(size_rows) / sizeof(*size_rows); i++) {
		char text[200], wanted[200];
		layout_storage *storage, *again, *given;
		char *printed;

		snprintf(text, sizeof(text), "row_major[%s]", size_rows[i].text);
		snprintf(wanted, sizeof(wanted), "row_major[%s]", size_rows[i].normal);
		storage = layout_storage_parse(ctx, text);
		printed = layout_storage_str(storage);
		if (!printed)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		assert_string_equal(printed, wanted);
		again = layout_storage_parse(ctx, printed);
		assert_string_equal(layout_storage_size(again, 0),
			layout_storage_size(storage, 0));
		given = layout_storage_row_major(ctx, 1, &size_rows[i].text);
		assert_int_equal(layout_storage_same_memory(given, storage, NULL), LAYOUT_YES);
		layout_string_free(printed);
		layout_storage_free(storage);
		layout_storage_free(again);
		layout_storage_free(given);
	}
	assert_null(layout_storage_row_major(ctx, 1, &rational));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	assert_string_equal(layout_context_message(ctx),
		"\"M/2\" is no size: a quotient of sizes is floor(a/4) or ceil(a/4)");
	assert_true(layout_context_free(ctx));
}

#define LHS_16 "packed(encoding_info<{innerDimsPos = [0, 1], " \
	"innerTileSizes = [16, 16]}>, [M, K])"

/* "base" swizzled by "by": of an offset o, the digit o/to mod 2^bits is XOR-ed with
 * o/from mod 2^bits, or that is added to it. */
static const struct swizzle_row {
	const char *base, *by;
	int64_t from, to, bits;
	const char *message;		/* NULL: it can be done */
	bool adds;
} swizzle_rows[] = {
	{ "row_major[M, 64]", "xor_shuffle<64, 8>", 64, 8, 3, NULL },
	{ "row_major[M, 16]", "Sw<2,2,2>", 16, 4, 2, NULL },
	{ "row_major[M, 16]", "Sw<2,2,3>", 32, 4, 2, NULL },
	{ "row_major[M, 16]", "Sw<2,0,2>", 4, 1, 2, NULL },
	{ "row_major[M, 16]", "Sw<0,3,3>", 64, 8, 0, NULL },
	{ "row_major[4*M, 16]", "Sw<2,2,-2>", 4, 16, 2, NULL },
	{ "col_major[16, 2*K]", "xor_shuffle<16, 4, 32, 2>", 64, 4, 2, NULL },
	{ "row_major[M, 48]", "xor_shuffle<16, 4, 48>", 48, 4, 2, NULL },
	{ "row_major[M, 48]", "xor_shuffle<16, 4, 48, 2>", 96, 4, 2, NULL },
	{ "row_major[M, 4, 4, 4]", "Sw<4,0,4>", 16, 1, 4, NULL },
	{ "row_major[M, 4, 3, 8]", "Sw<1,2,3>", 32, 4, 1,
	  "the bit worth 32 of an offset" },
	{ "row_major[M, 4, 3, 8]", "xor_shuffle<8, 2, 24>", 24, 2, 2, NULL },
	{ "strided[M, 16 : 32, 1]", "Sw<2,2,3>", 32, 4, 2, NULL },
	{ "strided[M, 16 : 32, 1]", "Sw<2,2,2>", 16, 4, 2, NULL },
	{ "strided[M, 16 : 64, 2]", "Sw<2,3,3>", 64, 8, 2, NULL },
	{ "strided[M, 32 : 128, 2]", "Sw<2,0,7>", 128, 1, 2, "worth 1 of an offset" },
	{ "strided[M, 32 : 128, 1]", "Sw<3,3,4>", 128, 8, 3, "no multiple of 64" },
	{ "strided[M, 64 : K, 1]", "Sw<1,3,3>", 64, 8, 1, "known only at run time" },
	{ LHS_16, "Sw<3,1,4>", 32, 2, 3, NULL },
	{ LHS_16, "Sw<3,1,3>", 16, 2, 3, NULL },
	{ LHS_16, "Sw<2,1,6>", 128, 2, 2, "worth 256 of an offset" },
	{ "swizzled(row_major[M, 16], Sw<1,0,3>)", "Sw<2,2,2>", 16, 4, 2, NULL },
	{ "row_major[M, 96]", "xor_shuffle<64, 8>", 64, 8, 3, "no multiple of 128" },
	{ "row_major[M, K]", "xor_shuffle<64, 8>", 64, 8, 3, "known only at run time" },
	{ "row_major[M, 64]", "Sw<2,4,-2>", 16, 64, 2, "beyond the storage" },
	/* what is read is always 0: nothing moves */
	{ "row_major[8]", "xor_shuffle<16, 2>", 16, 2, 3, NULL },
	{ "row_major[8]", "rotate_rows<16, 2>", 16, 2, 3, NULL },
	{ "row_major[3, 7]", "Sw<2,2,4>", 64, 4, 2, NULL },
	{ "row_major[24]", "xor_shuffle<16, 2>", 16, 2, 3, NULL },
	{ "row_major[18]", "xor_shuffle<16, 2>", 16, 2, 3, "no multiple of 4" },
	{ "row_major[24]", "rotate_rows<16, 2>", 16, 2, 3, "no multiple of 16" },
	{ "row_major[M]", "xor_shuffle<16, 2>", 16, 2, 3,
		"no multiple of 4, or is one only at run time" },
	{ "row_major[M, 24]", "xor_shuffle<24, 3>", 24, 3, 3, NULL },
	{ "row_major[M, K]", "rotate_rows<64, 8>", 64, 8, 3, "of radix 8 worth 8 of an" },
	{ "row_major[M, 8]", "rotate_rows<8, 1>", 8, 1, 3, NULL, true },
	{ "row_major[M, 64]", "rotate_rows<8, 2>", 8, 2, 2, NULL, true },
	{ "row_major[2*M, 16]", "rotate_rows<8, 1>", 8, 1, 3, NULL, true },
	{ "row_major[M, 3, 4]", "rotate_rows<4, 1>", 4, 1, 2, NULL, true },
	{ "row_major[M, 8, 4]", "rotate_rows<8, 2>", 8, 2, 2, "in no one dimension", true },
	{ "col_major[16, K]", "rotate_rows<4, 1>", 4, 1, 2, NULL, true },
	{ "row_major[]", "Sw<1,0,1>", 2, 1, 1, "worth 1 of an offset" },
};

/* Offsets in the order of the logical points, which they are of; or of a set. */
struct offsets {
	layout_storage *storage;
	const layout_size *sizes;
	size_t count;
	int64_t *list;
};

static int64_t offset_of(const struct offsets *offsets, const int64_t *cell, unsigned rank)
{
	int64_t shape[LAYOUT_STORAGE_SLOTS], offset = 0;

	assert_int_equal(layout_storage_memory_shape(offsets->storage, offsets->sizes, 2,
		shape), rank);
	for (unsigned d = 0; d < rank; d++)
		offset = rank == 1 ? cell[d] : offset * shape[d] + cell[d];
	return offset;
}

static void add_offset(struct offsets *offsets, int64_t offset)
{
	offsets->list = realloc(offsets->list, (offsets->count + 1) * sizeof(int64_t));
	assert_non_null(offsets->list);
	offsets->list[offsets->count++] = offset;
}

static bool visit_element(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	(void)in;
	(void)in_rank;
	add_offset(user, offset_of(user, image, image_rank));
	return true;
}

static bool visit_cell(void *user, const int64_t *point, unsigned rank)
{
	add_offset(user, offset_of(user, point, rank));
	return true;
}

static int compare_offsets(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Where the elements are, and, sorted, the padding. */
static struct offsets find_elements(layout_storage *storage, const layout_size *sizes)
{
	layout_relation *relation = layout_relation_fix(
		layout_storage_relation(storage), sizes, 2);
	struct offsets offsets = { storage, sizes, 0, NULL };

	assert_true(layout_relation_for_each(relation, visit_element, &offsets));
	layout_relation_free(relation);
	return offsets;
}

static struct offsets find_padding(layout_storage *storage, const layout_size *sizes)
{
	layout_set *set = layout_set_fix(layout_storage_padding(storage), sizes, 2);
	struct offsets offsets = { storage, sizes, 0, NULL };

	assert_true(layout_set_for_each(set, visit_cell, &offsets));
	layout_set_free(set);
	return offsets;
}

static void swizzle_offsets(struct offsets *offsets, const struct swizzle_row *row)
{
	int64_t radix = (int64_t)1 << row->bits;

	for (size_t i = 0; i < offsets->count; i++) {
		int64_t offset = offsets->list[i], digit = offset / row->to % radix;
		int64_t by = offset / row->from % radix;
		int64_t other = row->adds ? (digit + by) % radix : digit ^ by;

		offsets->list[i] += (other - digit) * row->to;
	}
}

static void check_same_offsets(struct offsets *is, struct offsets *wanted, bool sorted)
{
	assert_int_equal(is->count, wanted->count);
	if (sorted && is->count) {
		qsort(is->list, is->count, sizeof(int64_t), compare_offsets);
		qsort(wanted->list, wanted->count, sizeof(int64_t), compare_offsets);
	}
	if (is->count)
		assert_memory_equal(is->list, wanted->list, is->count * sizeof(int64_t));
	free(is->list);
	free(wanted->list);
}

static void check_swizzled(layout_storage *base, layout_storage *swizzled,
	const struct swizzle_row *row, int64_t m, int64_t k)
{
	layout_size sizes[] = { { "M", m }, { "K", k } };
	struct offsets wanted = find_elements(base, sizes);
	struct offsets is = find_elements(swizzled, sizes);

	swizzle_offsets(&wanted, row);
	check_same_offsets(&is, &wanted, false);
	wanted = find_padding(base, sizes);
	is = find_padding(swizzled, sizes);
	swizzle_offsets(&wanted, row);
	check_same_offsets(&is, &wanted, true);
	assert_int_equal(layout_storage_elements(base, sizes, 2),
		layout_storage_elements(swizzled, sizes, 2));
}

static void check_swizzle_answers(layout_storage *base, layout_storage *swizzled)
{
	layout_relation *plain = layout_storage_relation(base);
	layout_relation *relation = layout_storage_relation(swizzled);
	layout_set *before = layout_storage_cells(base);
	layout_set *cells = layout_storage_cells(swizzled);

	assert_int_equal(layout_relation_is_function(relation, NULL), LAYOUT_YES);
	if (layout_storage_get_kind(base) != LAYOUT_STORAGE_STRIDED)
		assert_int_equal(layout_relation_is_injective(relation, NULL),
			layout_relation_is_injective(plain, NULL));
	assert_int_equal(layout_set_equal(before, cells, NULL), LAYOUT_YES);
	layout_set_free(before);
	layout_set_free(cells);
	layout_relation_free(plain);
	layout_relation_free(relation);
}

/* Storages with padding, and a swizzle of their indices. */
static const struct {
	const char *base, *by;
} index_rows[] = {
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [20], outerDimsPerm"
	  " = [0, 1]}>, [M, 16])", "xor_shuffle<16, 4>" },
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [20], outerDimsPerm"
	  " = [0, 1]}>, [M, 16])", "rotate_rows<16, 4>" },
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [24], outerDimsPerm"
	  " = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 3], [\"CrossThread\", 8]]],"
	  " permutation = [1, 0]}}>, [M, 16])", "Sw<2,2,2>" },
	{ "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 32],"
	  " outerDimsPerm = [0, 1]}>, [M, 16])", "xor_shuffle<16, 4>" },
};

/* An element's cell is that of another element, and padding stays padding. */
static void swizzled_indices_and_padding(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(index_rows) / sizeof(*index_rows); i++) {
		layout_storage *base = layout_storage_parse(ctx, index_rows[i].base);
		layout_storage *swizzled;
		char text[400];

		snprintf(text, sizeof(text), "swizzled(%s, %s, of = index)",
			index_rows[i].base, index_rows[i].by);
		swizzled = layout_storage_parse(ctx, text);
		for (int64_t m = 0; m < 10; m += 3) {
			layout_size sizes[] = { { "M", m }, { "K", 0 } };
			struct offsets wanted = find_padding(base, sizes);
			struct offsets is = find_padding(swizzled, sizes);

			check_same_offsets(&is, &wanted, true);
			wanted = find_elements(base, sizes);
			is = find_elements(swizzled, sizes);
			check_same_offsets(&is, &wanted, true);
		}
		layout_storage_free(swizzled);
		layout_storage_free(base);
	}
	assert_true(layout_context_free(ctx));
}

/* Text, copies, and the text of copies. */
static layout_storage *read_and_copy(layout_context *ctx, const char *text)
{
	layout_storage *read = layout_storage_parse(ctx, text);
	layout_storage *copy = layout_storage_copy(read);
	char *printed = layout_storage_str(copy);

	assert_non_null(printed);
	assert_string_equal(printed, text);
	layout_string_free(printed);
	layout_storage_free(read);
	return copy;
}

static void swizzled_storages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(swizzle_rows) / sizeof(*swizzle_rows); i++) {
		const struct swizzle_row *row = &swizzle_rows[i];
		layout_context *ctx = layout_context_new();
		layout_storage *base = layout_storage_parse(ctx, row->base), *swizzled;
		char text[400];

		snprintf(text, sizeof(text), "swizzled(%s, %s)", row->base, row->by);
		if (row->message) {
			assert_null(layout_storage_parse(ctx, text));
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
			if (!strstr(layout_context_message(ctx), row->message))
				fail_msg("%s: %s", text, layout_context_message(ctx));
		} else {
			swizzled = read_and_copy(ctx, text);
			check_swizzle_answers(base, swizzled);
			check_swizzled(base, swizzled, row, 3, 3);
			check_swizzled(base, swizzled, row, 0, 9);
			layout_storage_free(swizzled);
		}
		layout_storage_free(base);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swizzled_storages),
		cmocka_unit_test(swizzled_indices_and_padding),
		cmocka_unit_test(every_cell),
		cmocka_unit_test(proofs_for_all_sizes),
		cmocka_unit_test(sizes_as_text),
		cmocka_unit_test(numbers),
		cmocka_unit_test(bad_storages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
