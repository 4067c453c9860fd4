/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps that change nothing are recognised, however they are written. */
#include "support/random.h"
#include "support/storage_model.h"

#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define TILED(dims, tiles) \
	"packed(encoding_info<{innerDimsPos = [" dims "], " \
	"innerTileSizes = [" tiles "]}>, "
#define SPLIT(order) \
	"packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", " \
	"4 : i16], [\"Internal\", 4 : i16]]], permutation = [" order "]}}>, [M, K])"

static const struct {
	const char *source, *destination, *more;
	layout_answer answer;
} rows[] = {
	{ "row_major[M, K]", "row_major[M, K]", "", LAYOUT_YES },
	{ "row_major[M, K]", "col_major[M, K]", "", LAYOUT_NO },
	{ "row_major[1, K]", "col_major[1, K]", "", LAYOUT_YES },
	{ "row_major[M, K]", "row_major[M, K]", " -> f16", LAYOUT_NO },
	{ "row_major[M, K]", "strided[M, K : K, 1]", "", LAYOUT_YES },
	{ "row_major[M, 64]", "strided[M, 64 : 64, 1]", "", LAYOUT_YES },
	{ "row_major[M, 64]", "strided[M, 64 : 65, 1]", "", LAYOUT_NO },
	{ "row_major[M + K, K]", "row_major[K + M, K]", "", LAYOUT_YES },
	{ "row_major[M, 64]", TILED("1", "16") "[M, 64])", "", LAYOUT_YES },
	{ "row_major[M, 4*K]", TILED("1", "2") "[M, 4*K])", "", LAYOUT_YES },
	{ "row_major[M, 2*K]", TILED("1", "4") "[M, 2*K])", "", LAYOUT_NO },
	{ "row_major[M, K]", TILED("1", "16") "[M, K])", "", LAYOUT_NO },
	{ TILED("1", "16") "[M, K])", "row_major[M, K]", "", LAYOUT_NO },
	{ TILED("1", "16") "[M, K])", SPLIT("0, 1"), "", LAYOUT_YES },
	{ TILED("1", "16") "[M, K])", SPLIT("1, 0"), "", LAYOUT_NO },
	{ TILED("0, 1", "1, 16") "[M, K])", TILED("1", "16") "[M, K])", "",
	  LAYOUT_YES },
	{ TILED("1", "12") "[M, K])", TILED("1", "8") "[M, K])", "", LAYOUT_NO },
	{ "swizzled(row_major[M, 64], xor_shuffle<64, 8>)",
	  "swizzled(row_major[M, 64], Sw<3,3,3>)", "", LAYOUT_YES },
	{ "swizzled(row_major[M, 64], xor_shuffle<64, 8>)", "row_major[M, 64]", "",
	  LAYOUT_NO },
	{ "row_major[6]", "row_major[2, 3]", ", map = { [i] -> [floor(i/3), i mod 3] }",
	  LAYOUT_YES },
	{ "row_major[6]", "row_major[3, 2]", ", map = { [i] -> [i mod 3, floor(i/3)] }",
	  LAYOUT_NO },
	{ "row_major[M]", "row_major[M]", ", map = { [i] -> [i] }", LAYOUT_YES },
	{ "row_major[M]", "row_major[M + P]", ", map = { [i] -> [i] }", LAYOUT_NO },
	{ "row_major[M, 64]", "row_major[M, 64]",
	  ", map = [M] -> { [i, j] -> [i, (j + 5) mod 64] }", LAYOUT_NO },
	{ "row_major[M, 64]", "row_major[M, 64]",
	  ", map = [M] -> { [i, j] -> [i, (j + 64) mod 64] }", LAYOUT_UNKNOWN },
	{ "row_major[16]", TILED("1", "8") "[2, 8])",
	  ", map = { [i] -> [floor(i/8), i mod 8] }", LAYOUT_YES },
	{ "row_major[M, K]", "row_major[K, M]", ", map = [M, K] -> { [i, j] -> [j, i] }",
	  LAYOUT_NO },
	{ "row_major[M, K]", "col_major[K, M]", ", map = [M, K] -> { [i, j] -> [j, i] }",
	  LAYOUT_UNKNOWN },
};

static layout_remap *remap_of(layout_context *ctx, size_t i)
{
	char text[2000];

	snprintf(text, sizeof(text), "remap(%s -> %s, type = f32%s)", rows[i].source,
		rows[i].destination, rows[i].more);
	return layout_remap_parse(ctx, text);
}

static void answers(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_remap *remap = remap_of(ctx, i);

		assert_non_null(remap);
		if (layout_remap_is_identity(remap) != rows[i].answer)
			fail_msg("%s -> %s%s: %d", rows[i].source, rows[i].destination,
				rows[i].more, layout_remap_is_identity(remap));
		assert_int_equal(layout_context_error(ctx), rows[i].answer == LAYOUT_UNKNOWN ?
			LAYOUT_ERROR_NO_ANSWER : LAYOUT_ERROR_NONE);
		layout_context_clear(ctx);
		layout_remap_free(remap);
	}
	assert_int_equal(layout_remap_is_identity(NULL), LAYOUT_UNKNOWN);
	assert_true(layout_context_free(ctx));
}

static bool run(layout_context *ctx, layout_kernel *kernel, const void *from, void *to,
	size_t bytes)
{
	static const layout_size sizes[] = { { "M", 5 }, { "K", 37 }, { "P", 3 } };
	layout_run run = LAYOUT_RUN_INIT;

	run.source = from;
	run.source_bytes = run.destination_bytes = bytes;
	run.destination = to;
	run.sizes = sizes;
	run.size_count = COUNT(sizes);
	return layout_kernel_run(ctx, kernel, &run);
}

/* No kernel has such a map, whose elements the tiles have room for, and the index has not. */
static void beyond(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, "remap(row_major[16] -> " TILED("1", "8")
		"[2, 5]), type = f32, map = { [i] -> [floor(i/8), i mod 8] })");

	(void)state;
	assert_int_equal(layout_remap_is_identity(remap), LAYOUT_UNKNOWN);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

/* What the kernel wrote it would write again, and only an identity does. */
static void kernels(void **state)
{
	enum { MOST = 1 << 14 };
	layout_context *ctx = layout_context_new();
	unsigned char *data[3];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		data[i] = aligned_alloc(64, MOST);
		assert_non_null(data[i]);
	}
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_remap *remap = remap_of(ctx, i);
		layout_kernel *kernel = layout_kernel_new(remap, "host", NULL);
		size_t length;
		char *json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, NULL, 0,
			&length);

		assert_non_null(json);
		assert_int_equal(strstr(json, "\"identity\": true") != NULL,
			rows[i].answer == LAYOUT_YES);
		for (unsigned k = 0; k < MOST; k++)
			data[0][k] = (unsigned char)(k * 7 + k / 256);
		memset(data[1], 0, MOST);
		memset(data[2], 0, MOST);
		assert_true(run(ctx, kernel, data[0], data[1], MOST));
		assert_true(run(ctx, kernel, data[1], data[2], MOST));
		if (rows[i].answer == LAYOUT_YES)
			assert_memory_equal(data[1], data[2], MOST);
		layout_string_free(json);
		layout_kernel_free(kernel);
		layout_remap_free(remap);
	}
	for (unsigned i = 0; i < 3; i++)
		free(data[i]);
	assert_true(layout_context_free(ctx));
}

/* Tiles that are split in ways that often come to the same. */
static struct storage_model random_storage(uint64_t *state)
{
	static const struct storage_split splits[] = { { 2, { 4, 4 } }, { 1, { 16 } },
		{ 2, { 2, 8 } }, { 1, { 1 } }, { 2, { 1, 16 } }, { 3, { 4, 2, 2 } } };
	struct storage_model model = { .kind = MODEL_PACKED, .rank = 2 };
	unsigned first = random_below(state, 4) == 0;

	model.outer[0] = first;
	model.outer[1] = !first;
	if (random_below(state, 3) == 0) {
		model.kind = random_below(state, 4) ? MODEL_ROW : MODEL_COLUMN;
		return model;
	}
	storage_model_tile(&model, state, splits,
		sizeof(splits) / sizeof(*splits));
	return model;
}

/* All sizes of a few; a size that is a number has only that. */
static bool same_everywhere(const struct storage_model *a, const struct storage_model *b,
	const int64_t *fixed)
{
	static const int64_t sizes[] = { 1, 3, 8, 16, 17, 48 };
	int64_t n[MODEL_RANK] = { 0 };

	for (unsigned p = 0; p < COUNT(sizes); p++)
		for (unsigned q = 0; q < COUNT(sizes); q++) {
			n[0] = fixed[0] ? fixed[0] : sizes[p];
			n[1] = fixed[1] ? fixed[1] : sizes[q];
			if (!storage_model_agree(a, b, n))
				return false;
		}
	return true;
}

static void random_storages(void **state)
{
	static const struct {
		const char *text;
		int64_t fixed;		/* 0: a name */
	} sizes[] = { { "A", 0 }, { "B", 0 }, { "16", 16 }, { "1", 1 }, { "48", 48 },
		{ "3", 3 } };
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < 700; i++) {
		struct storage_model a = random_storage(&seed), b = random_storage(&seed);
		unsigned m = random_below(&seed, COUNT(sizes));
		unsigned n = (m + 1 + random_below(&seed, COUNT(sizes) - 1)) %
			COUNT(sizes);
		const char *const size[] = { sizes[m].text, sizes[n].text };
		const int64_t fixed[] = { sizes[m].fixed, sizes[n].fixed };
		char source[MODEL_TEXT], destination[MODEL_TEXT];
		char text[2 * MODEL_TEXT + 40];
		layout_remap *remap;

		storage_model_text(&a, size, source);
		storage_model_text(&b, size, destination);
		snprintf(text, sizeof(text), "remap(%s -> %s, type = f32)", source,
			destination);
		remap = layout_remap_parse(ctx, text);
		assert_non_null(remap);
		if (layout_remap_is_identity(remap) !=
		    (same_everywhere(&a, &b, fixed) ? LAYOUT_YES : LAYOUT_NO))
			fail_msg("%s: %d", text, layout_remap_is_identity(remap));
		layout_remap_free(remap);
	}
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers),
		cmocka_unit_test(beyond),
		cmocka_unit_test(kernels),
		cmocka_unit_test(random_storages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
