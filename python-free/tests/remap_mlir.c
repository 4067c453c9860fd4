/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps as map_load and map_store: the bodies, interpreted line by line, at each cell of the
 * destination; and what is refused. */
#include "support/mlir_body.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))
#define TILES "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2], " \
	"outerDimsPerm = [1, 0]}>"
#define PARTS "encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [4, 6], " \
	"outerDimsPerm = [1, 0], swizzle = {expandShape = [[[\"Internal\", 2 : i16], " \
	"[\"Internal\", 2 : i16]], [[\"Internal\", 3 : i16], [\"Internal\", 2 : i16]]], " \
	"permutation = [2, 0, 3, 1]}}>"

#define MOST_CELLS 4096
#define MOST_RANK 8

/* Shapes are for M = 5, K = 7. */
static const struct row {
	const char *text;
	const char *pad;		/* in the body; NULL: none */
	unsigned rank, source_rank;
	int64_t shape[MOST_RANK], source[MOST_RANK];
} rows[] = {
	{ "remap(row_major[M, K] -> row_major[M, K], type = f32)", NULL, 2, 2,
		{ 5, 7 }, { 5, 7 } },
	{ "remap(row_major[M, K] -> packed(" TILES ", [M, K]), type = f32, pad = 1.5)",
		"arith.constant 1.5 : f32", 4, 2, { 4, 2, 4, 2 }, { 5, 7 } },
	{ "remap(row_major[M, K] -> packed(" PARTS ", [M, K]), type = i8)",
		"arith.constant 0 : i8", 6, 2, { 2, 1, 3, 2, 2, 2 }, { 5, 7 } },
	{ "remap(packed(" TILES ", [M, K]) -> row_major[M, K], type = f16)", NULL, 2, 4,
		{ 5, 7 }, { 4, 2, 4, 2 } },
	{ "remap(packed(" PARTS ", [M, K]) -> row_major[M, K], type = f16)", NULL, 2, 6,
		{ 5, 7 }, { 2, 1, 3, 2, 2, 2 } },
	{ "remap(chain(row_major[M, K], transpose([1, 0]), pad([1, 0], [0, 2], 3.0)) "
		"-> row_major[K + 1, M + 2], type = f32)", "arith.constant 3.0 : f32", 2, 2,
		{ 8, 7 }, { 5, 7 } },
};

static int64_t number_of(const int64_t *point, const int64_t *shape, unsigned rank)
{
	int64_t number = 0;

	for (unsigned i = 0; i < rank; i++) {
		assert_in_range(point[i], 0, shape[i] - 1);
		number = number * shape[i] + point[i];
	}
	return number;
}

/* By number of the destination's cell, the source's cell, or -1. */
struct wanted {
	const struct row *row;
	int64_t source[MOST_CELLS];
};

static bool note_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct wanted *wanted = user;

	assert_int_equal(in_rank, wanted->row->source_rank);
	assert_int_equal(image_rank, wanted->row->rank);
	wanted->source[number_of(image, wanted->row->shape, image_rank)] =
		number_of(in, wanted->row->source, in_rank);
	return true;
}

static void check_cell(const struct wanted *wanted, const char *body, int64_t number,
	const layout_size *sizes)
{
	const struct row *row = wanted->row;
	int64_t point[MOST_RANK], yields[MLIR_YIELDS], rest = number, found = 0;

	for (unsigned i = row->rank; i-- > 0; rest /= row->shape[i])
		point[i] = rest % row->shape[i];
	assert_int_equal(mlir_body_run(body, point, sizes, 2, yields), row->source_rank);
	for (unsigned i = 0; i < row->source_rank; i++) {
		if (yields[i] < 0 || yields[i] >= row->source[i])
			found = -1;
		if (found >= 0)
			found = found * row->source[i] + yields[i];
	}
	if (found != wanted->source[number])
		fail_msg("%s: cell %d is loaded from %d, not %d\n%s", row->text, (int)number,
			(int)found, (int)wanted->source[number], body);
}

static void test_loads(void **state)
{
	static const layout_size sizes[] = { { "M", 5 }, { "K", 7 } };
	static struct wanted wanted;
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_value *value = layout_value_parse(ctx, rows[i].text);
		char *body = layout_remap_mlir(layout_value_remap(value), LAYOUT_MAP_LOAD);
		int64_t cells = 1;

		if (!body)
			fail_msg("%s: %s", rows[i].text, layout_context_message(ctx));
		assert_non_null(strstr(body, rows[i].pad ? rows[i].pad : "ub.poison"));
		for (unsigned d = 0; d < rows[i].rank; d++)
			cells *= rows[i].shape[d];
		wanted.row = &rows[i];
		for (int64_t k = 0; k < cells; k++)
			wanted.source[k] = -1;
		assert_true(layout_value_for_each(value, sizes, 2, note_pair, &wanted));
		for (int64_t k = 0; k < cells; k++)
			check_cell(&wanted, body, k, sizes);
		layout_string_free(body);
		layout_value_free(value);
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *text;
	layout_map_direction direction;
	const char *message;
} refused[] = {
	{ "remap(row_major[M, K] -> packed(" TILES ", [M, K]), type = f32)", LAYOUT_MAP_STORE,
		"map_store writes no padding, and this remap has some" },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f32)", LAYOUT_MAP_LOAD,
		"between row-major and packed tensors" },
	{ "remap(row_major[M, K] -> row_major[M, K], type = f32 -> f16)", LAYOUT_MAP_LOAD,
		"this remap converts them" },
	{ "remap(row_major[M] -> row_major[M + 3], type = f32, map = { [i] -> [i + 2] })",
		LAYOUT_MAP_LOAD, "between row-major and packed tensors" },
	{ "remap(swizzled(row_major[M, 64], xor_shuffle<64, 8>) -> row_major[M, 64], "
		"type = f32)", LAYOUT_MAP_LOAD, "between row-major and packed tensors" },
};

static void test_refused(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		layout_remap *remap = layout_remap_parse(ctx, refused[i].text);

		assert_non_null(remap);
		assert_null(layout_remap_mlir(remap, refused[i].direction));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		assert_non_null(strstr(layout_context_message(ctx), refused[i].message));
		layout_context_clear(ctx);
		layout_remap_free(remap);
	}
	assert_null(layout_remap_mlir(NULL, LAYOUT_MAP_LOAD));
	assert_true(layout_context_free(ctx));
}

/* Whole tiles: nothing is padded, and a store does. */
static void test_store(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[8, 6] -> packed(" TILES ", [8, 6]), type = f32)");
	char *body = layout_remap_mlir(remap, LAYOUT_MAP_STORE);

	(void)state;
	assert_non_null(body);
	assert_non_null(strstr(body, "iree_linalg_ext.map_store"));
	assert_non_null(strstr(body, "tensor<8x6xf32> into tensor<3x2x4x2xf32>"));
	layout_string_free(body);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
