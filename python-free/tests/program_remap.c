/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps as programs: what these mean, point by point, is what the remap's kernel does on a CPU.
 * relayout_random has those of random storages, as kernels. */
#include "support/program_data.h"

#include <layout/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define SHAPES 4
#define TILED "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1]}>, [M, K])"

/* Sizes are in the order of the program, which is that of the remap. */
static const struct row {
	const char *text, *assume;
	int64_t sizes[SHAPES][4];
} rows[] = {
	{ "remap(row_major[M, K] -> " TILED ", type = f16, pad = 1.5)", NULL,
		{ { 1, 1 }, { 129, 65 }, { 128, 16 }, { 0, 3 } } },
	{ "remap(" TILED " -> col_major[M, K], type = i32)", NULL,
		{ { 1, 17 }, { 130, 66 }, { 128, 64 }, { 3, 0 } } },
	{ "remap(nchw[N, C, H, W] -> nChw16c[N, C, H, W], type = i8, pad = 9)", NULL,
		{ { 1, 1, 1, 1 }, { 2, 17, 3, 65 }, { 1, 16, 1, 257 }, { 2, 3, 0, 5 } } },
	{ "remap(row_major[3, H, W] -> strided[3, H, W : 1, 3*W, 3], type = u8)", "W >= 1",
		{ { 1, 1 }, { 5, 70 }, { 2, 1030 }, { 3, 2 } } },
	{ "remap(row_major[M, 7, 5] -> col_major[M, 7, 5], type = f64)", NULL,
		{ { 1 }, { 64 }, { 65 }, { 0 } } },
	{ "remap(row_major[M, 0] -> col_major[M, 0], type = f32)", NULL, { { 1 }, { 0 }, { 7 }, { 64 } } },
	/* extents that lanes do not share */
	{ "remap(col_major[M, 67] -> row_major[M, 67], type = f32)", NULL,
		{ { 1 }, { 64 }, { 65 }, { 0 } } },
	{ "remap(row_major[M, 271, 3] -> row_major[M, 271, 3], type = u8)", NULL,
		{ { 1 }, { 5 }, { 9 }, { 0 } } },
	{ "remap(row_major[M, 5001] -> col_major[M, 5001], type = i16)", NULL,
		{ { 1 }, { 3 }, { 17 }, { 0 } } },
	/* shifts: padding on both sides, of a number that has a name, and what is cut off */
	{ "remap(row_major[M] -> row_major[M + 4], type = f32, pad = 7, map = { [i] -> [i + 2] })",
		NULL, { { 1 }, { 4093 }, { 70 }, { 0 } } },
	{ "remap(row_major[M, K] -> row_major[M + P, K], type = i16, pad = -3, "
		"map = [P] -> { [i, j] -> [i + P, j] })", NULL,
		{ { 1, 1, 0 }, { 3, 70, 2 }, { 65, 5, 66 }, { 0, 4, 3 } } },
	{ "remap(row_major[M] -> row_major[8], type = i32, map = { [i] -> [i - 2] : 2 <= i < 10 })",
		"M >= 10", { { 10 }, { 11 }, { 500 }, { 64 } } },
	{ "remap(chain(row_major[M, K], pad([1, 0], [2, 3], 4.0)) -> row_major[?, ?], "
		"type = f32)", NULL, { { 1, 1 }, { 3, 5 }, { 70, 61 }, { 0, 2 } } },
	/* conversions */
	{ "remap(row_major[M, K] -> " TILED ", type = f32 -> f16, scale = 0.3)", NULL,
		{ { 1, 1 }, { 129, 65 }, { 128, 16 }, { 0, 3 } } },
	{ "remap(row_major[M] -> row_major[M], type = f16 -> f8E4M3FN, scale = 300)", NULL,
		{ { 1 }, { 1000 }, { 4096 }, { 0 } } },
	{ "remap(row_major[M] -> row_major[M], type = f32 -> f64, scale = 0.1)", NULL,
		{ { 1 }, { 1000 }, { 4096 }, { 0 } } },
	{ "remap(row_major[M, 7] -> col_major[M, 7], type = f32 -> f16, pad = 0.5)", NULL,
		{ { 1 }, { 100 }, { 640 }, { 0 } } },
	{ "remap(row_major[M] -> row_major[M], type = i32 -> i8)", NULL,
		{ { 1 }, { 1000 }, { 4096 }, { 0 } } },
	{ "remap(row_major[M] -> row_major[M], type = i8 -> si8)", NULL,
		{ { 1 }, { 1000 }, { 4096 }, { 0 } } },
	{ "remap(row_major[] -> row_major[], type = index)", NULL, { { 0 }, { 0 }, { 0 }, { 0 } } },
	/* names that those of the program would be */
	{ "remap(row_major[d0, w] -> col_major[d0, w], type = f32)", NULL,
		{ { 1, 1 }, { 65, 70 }, { 64, 64 }, { 0, 3 } } },
	{ "remap(row_major[x, y] -> col_major[x, y], type = f32)", NULL,
		{ { 1, 1 }, { 65, 70 }, { 64, 64 }, { 0, 3 } } },
};

static layout_remap *read_row(layout_context *ctx, const struct row *row)
{
	layout_remap *remap = layout_remap_parse(ctx, row->text);

	return row->assume ? layout_remap_assume(remap, row->assume) : remap;
}

static layout_kernel *kernel_of(layout_context *ctx, layout_program *program, const char *text)
{
	layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);

	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return kernel;
}

/* The program as text, which is what it is when it is read; GPUs have registers for its tiles. */
static char *program_text(layout_context *ctx, layout_remap *remap)
{
	layout_program *made = layout_program_new_remap(remap), *read;
	char *text = layout_program_str(made), *again;

	if (!text)
		print_error("%s\n", layout_context_message(ctx));
	assert_non_null(text);
	assert_int_equal(layout_program_verify(made, NULL, NULL), LAYOUT_YES);
	read = layout_program_parse(ctx, text);
	layout_kernel_free(kernel_of(ctx, read, text));
	again = layout_program_str(read);
	assert_string_equal(again, text);
	layout_string_free(again);
	layout_program_free(read);
	layout_program_free(made);
	return text;
}

/* What the remap makes of what the program has in "x", in its "y". */
static void run_remap(layout_remap *remap, const struct program_data *data)
{
	layout_run run = LAYOUT_RUN_INIT;

	run.source = data->buffers[0].base;
	run.source_bytes = data->buffers[0].bytes;
	run.destination = data->buffers[1].base;
	run.destination_bytes = data->buffers[1].bytes;
	run.sizes = data->sizes;
	run.size_count = data->size_count;
	assert_true(layout_remap_run(remap, &run));
}

static bool does_the_same(layout_remap *remap, const char *text, const int64_t *sizes)
{
	static uint64_t seed = 17;
	struct program_data data = program_data_new(layout_remap_context(remap), text, sizes);
	struct program_data moved;
	bool same;

	program_data_random(&data, &seed);
	moved = program_data_copy(&data);
	program_data_eval(&data);
	run_remap(remap, &moved);
	same = !memcmp(data.buffers[1].base, moved.buffers[1].base, moved.buffers[1].bytes);
	program_data_free(&moved);
	program_data_free(&data);
	return same;
}

static void test_rows(void **state)
{
	layout_context *ctx = *state;

	for (unsigned i = 0; i < COUNT(rows); i++) {
		layout_remap *remap = read_row(ctx, &rows[i]);
		char *text = program_text(ctx, remap);

		for (unsigned k = 0; k < SHAPES; k++)
			if (!does_the_same(remap, text, rows[i].sizes[k]))
				fail_msg("%s, shape %u", rows[i].text, k);
		layout_string_free(text);
		layout_remap_free(remap);
	}
}

static const struct refused {
	const char *text, *message;
} refused[] = {
	{ "remap(row_major[M] -> row_major[M], type = f32, map = [M] -> { [i] -> [M - 1 - i] })",
		"a program has no map but one that adds to coordinates" },
	{ "remap(row_major[M] -> row_major[M], type = f32 -> f16, rounding = toward_zero)",
		"a program has no rounding toward zero" },
	{ "remap(row_major[M, K] -> " TILED ", type = f32 -> f16, pad = 1)",
		"a program has no padding that is no 0 behind a conversion" },
	{ "remap(row_major[M, K] -> swizzled(" TILED ", xor_shuffle<64, 8>), type = f32)",
		"swizzles move the padding of the storage" },
};

static void test_refused(void **state)
{
	layout_context *ctx = *state;

	for (unsigned i = 0; i < COUNT(refused); i++) {
		layout_remap *remap = layout_remap_parse(ctx, refused[i].text);

		assert_non_null(remap);
		assert_null(layout_program_new_remap(remap));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		assert_string_equal(layout_context_message(ctx), refused[i].message);
		layout_context_clear(ctx);
		layout_remap_free(remap);
	}
	assert_null(layout_program_new_remap(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, program_context_new, program_context_free);
}
