/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products as expressions: what they mean, in the simulator, under the tiles that are chosen. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200", "sm_90" };

#define ENCODING(which, dims, rows) "packed(encoding_info<{innerDimsPos = " dims \
	", innerTileSizes = [128, 16], outerDimsPerm = " dims ", swizzle = {expandShape = " \
	"[[[\"CrossThread\", 2 : i16" which "], [\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 16 : i16]], [[\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 4 : i16]]], permutation = [0, 1, 4, 2, 3]}}>, " rows ")"

#define LHS(rows) ENCODING(", 2 : i8", "[0, 1]", rows)
#define RHS(rows) ENCODING("", "[1, 0]", rows)

#define CONVOLUTION(map) "matmul(X: through(row_major[N, H, W, C], " \
	"affine_map<(N, P, Q, R, S, C) -> (N, " map ", C)>) f16, F: row_major[R, S, C, O] f16 -> " \
	"Y: row_major[N, P, Q, O] f32)"

/* A product, sizes in the order of their names, and what is said of its choice on gfx942. */
static const struct row {
	const char *text;
	int64_t sizes[4][9];
	const char *chosen;
} rows[] = {
	{ "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32)",
	  { { 130, 70, 33 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } },
	  "128 x 128 x 64, 2 x 2 waves, through the LDS in 2 stages" },
	{ "matmul(A: row_major[K, M] f16, B: row_major[K, N] f16 -> C: col_major[M, N] f16)",
	  { { 70, 130, 33 }, { 1, 1, 1 }, { 0, 3, 5 }, { 7, 0, 5 } }, "128 x 128 x 64" },
	{ "matmul(A: row_major[M, K] bf16, B: row_major[K, N] bf16 -> C: row_major[N, M] f32)",
	  { { 33, 70, 130 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "128 x 128 x" },
	/* what each factor takes to become one of f32 counts, too */
	{ "matmul(A: row_major[M, K] f8E5M2, B: row_major[K, N] f8E4M3FN -> C: row_major[M, N] f32)",
	  { { 19, 18, 33 }, { 1, 1, 1 }, { 3, 0, 5 } }, "16 x 16 x 16, 1 x 1 waves" },
	{ "matmul(A: " LHS("[M, K]") " f32, B: " RHS("[K, N]") " f32 -> "
	  "C: row_major[M, N] f32)",
	  { { 130, 70, 33 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "straight from memory" },
	{ "matmul(A: row_major[M, K] i8, B: row_major[N, K] i8, S: row_major[N] f32 -> "
	  "C: row_major[M, N] i8, epilogue = i8(f32(C) * S * 0.25))",
	  { { 130, 70, 33 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "through the LDS in 2 stages" },
	{ "matmul(A: row_major[M, K] f64, B: row_major[N, K] f64 -> C: row_major[M, N] f64)",
	  { { 33, 18, 34 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "waves" },
	/* no instruction: vector units; a vector; a number alone */
	{ "matmul(A: row_major[M, K] u8, B: row_major[N, K] u8 -> C: row_major[M, N] i32)",
	  { { 33, 18, 34 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "0 of matrix" },
	{ "matmul(A: row_major[M, K] f16, x: row_major[K] f16 -> y: row_major[M] f32)",
	  { { 130, 70 }, { 1, 1 }, { 3, 0 }, { 0, 7 } }, "0 of matrix" },
	{ "matmul(x: row_major[K] f32, y: row_major[K] f32 -> z: row_major[1] f32)",
	  { { 70 }, { 1 }, { 0 }, { 3 } }, "0 of matrix" },
	/* tensors, whose sizes are by their places */
	{ "matmul(A: tensor<?x?xf16>, B: tensor<?x?xf16>, D: tensor<?xf32> -> C: tensor<?x?xf32>, "
	  "epilogue = C + D)", { { 33, 40, 20 }, { 1, 1, 1 }, { 3, 0, 5 } }, "waves" },
	{ "matmul(A: tensor<?xf16>, B: tensor<?x?xf16> -> C: tensor<?xf32>)",
	  { { 70, 33 }, { 1, 1 }, { 0, 3 } }, "0 of matrix" },
	{ "matmul(A: tensor<?x20xf16>, B: tensor<20xf16> -> C: tensor<?xf32>)",
	  { { 33 }, { 1 }, { 0 } }, "0 of matrix" },
	{ "matmul(A: tensor<2x?x?xf16>, B: tensor<2x?x20xf16> -> C: tensor<2x?x20xf16>)",
	  { { 33, 40 }, { 1, 1 }, { 2, 0 } }, "waves" },
	/* batches, sizes that are numbers, several that are summed or kept */
	{ "matmul(A: row_major[B, M, K] f16, B: row_major[B, K, N] f16 -> C: row_major[B, M, N] "
	  "f32)", { { 3, 33, 40, 20 }, { 1, 1, 1, 1 }, { 2, 0, 3, 4 }, { 0, 3, 4, 5 } },
	  "128 x 128" },
	{ "matmul(A: row_major[16, K] f16, B: row_major[N, K] f16 -> C: row_major[16, N] f32)",
	  { { 70, 140 }, { 1, 1 }, { 0, 3 }, { 3, 0 } },
	  "16 x 32 x 64, 1 x 1 waves, through the LDS in 1 stage:" },
	{ "matmul(A: row_major[32, K] f16, B: row_major[N, K] f16 -> C: row_major[32, N] f32)",
	  { { 200, 140 }, { 1, 1 }, { 0, 3 }, { 3, 0 } },
	  "32 x 128 x 64, 1 x 4 waves, through the LDS in 3 stages" },
	{ "matmul(A: row_major[40, 40] f16, B: row_major[40, 40] f16, R: row_major[40, 40] f32 -> "
	  "C: row_major[40, 40] f32, epilogue = C + R)", { { 0 } }, "16 x 16 x 64, 1 x 1" },
	{ "matmul(A: row_major[M, P, K] f16, B: row_major[P, N, K] f16 -> C: row_major[N, M] "
	  "f32)", { { 33, 3, 40, 20 }, { 1, 1, 1, 1 }, { 2, 0, 3, 4 }, { 0, 3, 4, 5 } },
	  "128 x 128" },
	/* convolutions: N, H, W, C, R, S, O, P, Q */
	{ CONVOLUTION("2*P + R - 1, 2*Q + S - 1"), { { 2, 9, 11, 20, 3, 3, 24, 5, 6 },
	  { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 1, 0, 4, 5, 3, 3, 4, 2, 2 },
	  { 1, 5, 5, 3, 0, 3, 4, 3, 3 } }, "128 x 128" },
	{ CONVOLUTION("P + 2*R - 2, 3*Q + S"), { { 1, 9, 60, 33, 3, 2, 17, 9, 20 },
	  { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 1, 3, 4, 0, 3, 3, 4, 2, 2 },
	  { 0, 5, 5, 3, 2, 3, 4, 3, 3 } }, "128 x 128" },
	/* names that ours could be, and those of sizes, where a tensor is meant */
	{ "matmul(A: row_major[M, K] f16, K: row_major[K, N] f16, N: row_major[N] f32 -> "
	  "M: row_major[M, N] f32, epilogue = M - N)",
	  { { 17, 5, 33 }, { 1, 1, 1 }, { 3, 5, 0 }, { 0, 5, 7 } }, "128 x 128" },
	{ "matmul(x: row_major[n, k] f16, w: row_major[m, k] f16 -> _0: row_major[n, m] f32)",
	  { { 17, 33, 5 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "128 x 128" },
	{ "matmul(lA: row_major[M + 2, k] f16, A: row_major[n + 1, k] f16 -> "
	  "o: row_major[M + 2, n + 1] f32)",
	  { { 17, 33, 5 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "128 x 128" },
	/* what follows a product */
	{ "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16, D: row_major[N] f32, "
	  "R: row_major[M, N] f16, S: row_major[1] f32, T: row_major[M] f16 -> "
	  "C: row_major[M, N] f16, epilogue = f16(max(C * S + D, 0)) + R * T)",
	  { { 130, 70, 33 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "128 x 128" },
	{ "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16, R: row_major[N, M] f32 -> "
	  "C: " LHS("[M, N]") " f16, epilogue = C - R)",
	  { { 130, 70, 33 }, { 1, 1, 1 }, { 3, 0, 5 }, { 0, 7, 5 } }, "through the LDS" },
};

static void check(layout_context *ctx, const struct row *row, const char *target,
	unsigned first, uint64_t *seed)
{
	struct program_data data[2];

	for (unsigned s = 0; s < 2; s++) {
		data[s] = program_data_new(ctx, row->text, row->sizes[(first + s) % 4]);
		program_data_random(&data[s], seed);
	}
	program_check_all(data, 2, &target, 1, 0);
	for (unsigned s = 0; s < 2; s++)
		program_data_free(&data[s]);
}

/* The example of a product that is unpacked, its sizes M, K, N. */
static void test_example(void **state)
{
	static struct row row = { NULL, { { 130, 21, 33 }, { 1, 1, 1 }, { 5, 0, 3 }, { 0, 7, 5 } },
		NULL };
	uint64_t seed = random_seed();
	char text[4096] = "";
	FILE *file = fopen(SOURCE_DIR "/examples/programs/matmul_unpack_bias.txt", "r");

	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	row.text = text;
	check(*state, &row, "gfx942", 0, &seed);
	check(*state, &row, "gfx90a", 2, &seed);
}

/* Every second of them, from the first or the second on, on a target that is random and at
 * two sizes: all would take too long. */
static void test_rows(void **state)
{
	const char *only = getenv("LAYOUT_TEST_FILTER");
	uint64_t seed = random_seed();

	for (unsigned r = only ? 0 : random_below(&seed, 2); r < COUNT(rows); r += only ? 1 : 2)
		if (only ? !!strstr(rows[r].text, only) : share_has(r / 2, 0, COUNT(rows)))
			check(*state, &rows[r], targets[random_below(&seed, COUNT(targets))],
				random_below(&seed, 4), &seed);
}

static char *emit(layout_context *ctx, layout_kernel *kernel, layout_emit kind)
{
	char *text = layout_kernel_emit(ctx, kernel, kind, NULL, 0, &(size_t){ 0 });

	if (!text)
		fail_msg("%s", layout_context_message(ctx));
	return text;
}

static void check_read_back(layout_context *ctx, layout_kernel *kernel)
{
	char *text = emit(ctx, kernel, LAYOUT_EMIT_PROGRAM), *again;
	layout_program *program = layout_program_parse(ctx, text);
	layout_kernel *other = layout_kernel_new_program(program, "gfx942", NULL);

	if (!other)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	again = emit(ctx, other, LAYOUT_EMIT_PROGRAM);
	assert_string_equal(text, again);
	layout_string_free(text);
	layout_string_free(again);
	layout_kernel_free(other);
	layout_program_free(program);
}

/* What is chosen is said first, then what it was better than; the program that is printed
 * is read as the same. */
static void test_choice(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned r = random_below(&seed, 2); r < COUNT(rows); r += 2) {
		layout_program *program;

		if (!share_has(r / 2, 1, COUNT(rows)))
			continue;
		program = layout_program_parse(*state, rows[r].text);
		layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);
		char *text = emit(*state, kernel, LAYOUT_EMIT_EXPLAIN);

		assert_non_null(strstr(text, "\n  not "));
		*strstr(text, "\n  not") = 0;
		if (!strstr(text, rows[r].chosen))
			fail_msg("%s: %s", rows[r].text, text);
		check_read_back(*state, kernel);
		layout_string_free(text);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

/* LLVM takes what is chosen, and finds registers for it. */
static void test_objects(void **state)
{
	static const char *const on[] = { "gfx1100", "gfx1100:wave64" };

	for (unsigned t = 0; t < COUNT(on); t++) {
		layout_program *program = layout_program_parse(*state, rows[t].text);
		layout_kernel *kernel = layout_kernel_new_program(program, on[t], NULL);

		layout_string_free(emit(*state, kernel, LAYOUT_EMIT_HSACO));
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

#define AB "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32"

static const struct refused {
	const char *text, *says;
	long position;
} refused[] = {
	{ "matmul(A: row_major[M, M] f16, B: row_major[N, M] f16 -> C: row_major[M, N] f32)",
	  "dimensions 0 and 1 of `A` are both M", 0 },
	{ "matmul(A: row_major[8, 16] f16, B: row_major[8, 16] f16 -> C: row_major[8, 8] f32)",
	  "dimensions 0 and 1 of `C` are both 8", 0 },
	{ "matmul(A: row_major[8, 16] f16, B: row_major[16, 8] f16, D: row_major[8] f32 -> "
	  "C: row_major[8, 8] f32, epilogue = C + D)", "sizes that are the same number do not tell "
	  "which dimensions of `C` those of `D` are", 0 },
	{ "matmul(A: row_major[M, K] f16, B: row_major[N, P] f16 -> C: row_major[M, N] f32)",
	  "only `A` has a dimension of size K: it is neither summed nor kept", 0 },
	{ "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16, D: row_major[P] f32 -> "
	  "C: row_major[M, N] f32, epilogue = C + D)", "`C` has no dimension of size P", 0 },
	{ "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16, D: row_major[N] f32 -> "
	  "C: row_major[M, N] f32)", "expected `,`, found `)`", 100 },
	{ "matmul(A: row_major[M, K] f16 -> C: row_major[M, N] f32)",
	  "expected `,`, found `->`", 30 },
	{ "matmul(A: row_major[M, K] f16, B: row_major[N, K] i8 -> C: row_major[M, N] f32)",
	  "products of i8 are not summed in f32", 0 },
	{ AB ", epilogue = )", "expected an expression", 92 },
	{ AB ", epilogue = C + X)", "`X` is no tile", 96 },
	{ AB ", epilogue = max(C, 0)", "expected `)`", 101 },
	{ AB ", epilogue = C, C)", "expected the end of the text, found `,`", 93 },
};

static void test_refused(void **state)
{
	for (unsigned i = 0; i < COUNT(refused); i++) {
		assert_null(layout_program_parse(*state, refused[i].text));
		if (!strstr(layout_context_message(*state), refused[i].says))
			fail_msg("%s: %s", refused[i].text, layout_context_message(*state));
		if (layout_context_position(*state) != refused[i].position)
			fail_msg("%s: at %ld", refused[i].text,
				layout_context_position(*state));
		layout_context_clear(*state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_example,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_choice,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_objects,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_refused,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
