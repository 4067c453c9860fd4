/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A target with a resolver of the caller's own: whole rows of 8 for the left operand, none
 * for the others, as the library would ask one of its own. */
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define ENCODING(i, types) "#iree_encoding.encoding<operand_index = " i ", op_type = matmul, " \
	"element_types = [" types "], user_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, " \
	"affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>]>"
#define HALF "f16, f16, f32"

enum wrong { RIGHT, WRONG_RANK, WRONG_CONTEXT, WRONG_TILE };

struct own {
	layout_context *ctx;	/* that encodings are made in; NULL: the operand's */
	enum wrong wrong;
	unsigned asked;
};

/* Tiles of 8 along K; of the left operand alone. */
static layout_encoding *rows_of_8(layout_operand *operand, void *data)
{
	struct own *own = data;
	int64_t dim = layout_operand_dim(operand, LAYOUT_LOOP_K), tile = 8;
	const int64_t order[] = { 0, 1, 2 };
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;

	own->asked++;
	assert_string_equal(layout_operand_type(operand, 2), "f32");
	if (layout_operand_index(operand))
		return NULL;
	desc.inner_count = 1;
	desc.inner_dims_pos = &dim;
	desc.inner_tiles = &tile;
	desc.outer_count = layout_operand_rank(operand) + (own->wrong == WRONG_RANK);
	desc.outer_dims_perm = order;
	if (own->wrong == WRONG_TILE)
		tile = -1;
	return layout_encoding_new(own->ctx, &desc);
}

/* The encoding's text, "error: .." or "note: ..". */
static void resolve(layout_context *ctx, const layout_tiling_target *target, const char *text,
	layout_resolver resolver, char *answer, size_t size)
{
	layout_operand *operand = layout_operand_parse(ctx, text);
	layout_resolution *resolution = layout_encoding_resolve(operand, target, resolver);
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	char *printed = layout_encoding_str(encoding);

	if (!resolution)
		snprintf(answer, size, "error: %s", layout_context_message(ctx));
	else if (layout_resolution_note(resolution))
		snprintf(answer, size, "note: %s", layout_resolution_note(resolution));
	else
		snprintf(answer, size, "%s", printed);
	layout_string_free(printed);
	layout_encoding_free(encoding);
	layout_resolution_free(resolution);
	layout_operand_free(operand);
}

static void test_rows(void **state)
{
	static const struct {
		const char *operand;
		layout_resolver resolver;
		enum wrong wrong;
		const char *answer;
		unsigned asked;
	} rows[] = {
		{ ENCODING("0", HALF), LAYOUT_RESOLVER_DATA_TILING, RIGHT, "encoding_info<"
			"{innerDimsPos = [1], innerTileSizes = [8], outerDimsPerm = [0, 1]}>", 1 },
		{ ENCODING("1", HALF), LAYOUT_RESOLVER_DATA_TILING, RIGHT,
			"note: the target's own resolver leaves it", 1 },
		{ ENCODING("0", HALF), LAYOUT_RESOLVER_NONE, RIGHT,
			"note: no resolver was asked for", 0 },
		{ "tensor<?x?xf16, #iree_encoding.layout<[#iree_gpu.gpu_encoding_resolver<"
			"configuration = {encoding_info = {innerDimsPos = [1], "
			"innerTileSizes = [4], outerDimsPerm = [0, 1]}}>]>>",
			LAYOUT_RESOLVER_DATA_TILING, RIGHT, "encoding_info<{innerDimsPos = [1], "
			"innerTileSizes = [4], outerDimsPerm = [0, 1]}>", 0 },
		{ ENCODING("0", HALF), LAYOUT_RESOLVER_DATA_TILING, WRONG_RANK, "error: the "
			"resolver of gfx942 gave an encoding of rank 3, the tensor has 2", 1 },
		{ ENCODING("0", HALF), LAYOUT_RESOLVER_DATA_TILING, WRONG_CONTEXT,
			"error: an encoding of another context", 1 },
		{ ENCODING("0", HALF), LAYOUT_RESOLVER_DATA_TILING, WRONG_TILE,
			"error: innerTileSizes: a tile of -1 is not positive", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new(), *other = layout_context_new();
		struct own own = { rows[i].wrong == WRONG_CONTEXT ? other : ctx, rows[i].wrong,
			0 };
		layout_tiling_target target = *layout_tiling_target_find(ctx, "gfx942");
		char answer[512];

		target.resolver = rows_of_8;
		target.resolver_data = &own;
		resolve(ctx, &target, rows[i].operand, rows[i].resolver, answer,
			sizeof(answer));
		if (strncmp(answer, rows[i].answer, strlen(rows[i].answer)))
			fail_msg("row %zu: %s", i, answer);
		assert_int_equal(own.asked, rows[i].asked);
		layout_context_free(ctx);
		layout_context_free(other);
	}
}

/* Which dimension of its tensor each operand has for a loop. */
static void test_dims(void **state)
{
	static const struct {
		const char *operand;
		int64_t dims[5];	/* batch, M, N, K, KB */
	} rows[] = {
		{ ENCODING("0", HALF), { LAYOUT_NO_DIM, 0, LAYOUT_NO_DIM, 1, LAYOUT_NO_DIM } },
		{ ENCODING("1", HALF), { LAYOUT_NO_DIM, LAYOUT_NO_DIM, 1, 0, LAYOUT_NO_DIM } },
		{ ENCODING("2", HALF), { LAYOUT_NO_DIM, 1, 0, LAYOUT_NO_DIM, LAYOUT_NO_DIM } },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_operand *operand = layout_operand_parse(ctx, rows[i].operand);

		for (unsigned loop = LAYOUT_LOOP_BATCH; loop <= LAYOUT_LOOP_KB; loop++)
			assert_int_equal(layout_operand_dim(operand, loop), rows[i].dims[loop]);
		assert_int_equal(layout_operand_dim(operand, LAYOUT_LOOP_KB + 1),
			LAYOUT_NO_DIM);
		assert_int_equal(layout_operand_op_type(operand), LAYOUT_MATMUL);
		assert_int_equal(layout_operand_index(operand), i);
		assert_string_equal(layout_operand_type(operand, 0), "f16");
		assert_null(layout_operand_type(operand, 3));
		layout_operand_free(operand);
	}
	assert_int_equal(layout_operand_dim(NULL, LAYOUT_LOOP_M), LAYOUT_NO_DIM);
	assert_null(layout_operand_type(NULL, 0));
	layout_context_free(ctx);
}

/* Dispatches on two such devices share no kernel where their resolvers differ. */
static void test_specialize(void **state)
{
	layout_context *ctx = layout_context_new();
	struct own own = { .ctx = ctx };
	const layout_tiling_target *usual = layout_tiling_target_find(ctx, "gfx942");
	layout_tiling_target target = *usual;
	layout_operand *lhs = layout_operand_parse(ctx, ENCODING("0", HALF));
	const layout_dispatch_operand operands[] = { { 0 }, { .encoding = lhs } };
	const layout_dispatch_operand held[] = {
		{ .encoding = lhs, .held = LAYOUT_HELD_FOR_TARGET, .holder = &target },
	};
	const layout_dispatch dispatches[] = {
		{ "encode", usual, 2, operands }, { "encode", &target, 2, operands },
		{ "product", usual, 1, held },
	};
	layout_specialization *program;

	(void)state;
	target.resolver = rows_of_8;
	target.resolver_data = &own;
	program = layout_specialize(ctx, dispatches, 3, LAYOUT_RESOLVER_DATA_TILING);
	assert_non_null(program);
	assert_string_equal(layout_specialization_variant_of(program, 0)->name,
		"encode_gfx942");
	assert_string_equal(layout_specialization_variant_of(program, 1)->name,
		"encode_gfx942_1");
	assert_int_equal(layout_specialization_relayout(program, 0)->use_count, 1);
	assert_int_equal(layout_specialization_relayout(program, 0)->uses->dispatch, 2);
	layout_specialization_free(program);
	layout_operand_free(lhs);
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_dims),
		cmocka_unit_test(test_specialize),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
