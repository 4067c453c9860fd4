/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products of elements with scales: what they mean, by matrix instructions, on vector units
 * and on the CPU. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>
#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const formats[] = { "f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN",
	"f4E2M1FN" };

enum { TEXT = 2048, BIAS = 127, NAN_SCALE = 0xff };

/* A product of "extent" x "extent" tiles, in steps of "depth". */
static void print_program(char text[TEXT], const char *x, const char *y, int extent, int depth,
	const char *waves, const char *by)
{
	snprintf(text, TEXT, "program p(A: in row_major[M, K] %s, "
		"SA: in row_major[M, ceil(K/32)] f8E8M0FNU, B: in row_major[N, K] %s, "
		"SB: in row_major[N, ceil(K/32)] f8E8M0FNU, C: out row_major[M, N] f32) { "
		"grid (m, n) in (ceil(M/%d), ceil(N/%d)) workers w in %s "
		"for k in ceil(K/%d) carry s: [%d, %d] f32 = fill 0 { "
		"a = load A[%d*m, %d*k] : [%d, %d] b = load B[%d*n, %d*k] : [%d, %d] "
		"sa = load SA[%d*m, %d*k] : [%d, %d] sb = load SB[%d*n, %d*k] : [%d, %d] "
		"t = contract s, a * sa, b * sb : (i, j, k) -> (i, k), (j, k), (i, j) %s "
		"yield t } store s -> C[%d*m, %d*n] }", x, y, extent, extent, waves, depth,
		extent, extent, extent, depth, extent, depth, extent, depth, extent, depth,
		extent, depth / 32, extent, depth / 32, extent, depth / 32, extent, depth / 32,
		by, extent, extent);
}

/* Small integers with scales from 1/4 to 4, one of them NaN: sums are exact. */
static void fill(const struct program_data *data, uint64_t *seed)
{
	for (unsigned i = 0; i < data->count; i++) {
		bool scales = data->type[i]->kind == 'e';
		int64_t count = (int64_t)(data->buffers[i].bytes * 8 / data->type[i]->bits);

		for (int64_t e = 0; e < count; e++) {
			int value = (int)random_below(seed, 5) - 2;

			if (scales)
				program_data_set_bits(data, i, e, (uint64_t)(BIAS + value));
			else
				program_data_set(data, i, e, value);
		}
		if (scales && count > 40)
			program_data_set_bits(data, i, random_below(seed, (uint32_t)count),
				NAN_SCALE);
	}
}

static double scale_at(const struct program_data *data, unsigned argument, int64_t e)
{
	uint64_t bits = program_data_bits(data, argument, e);

	return bits == NAN_SCALE ? NAN : ldexp(1, (int)bits - BIAS);
}

/* One element of C from the numbers in memory. */
static double sum_of(const struct program_data *data, const int64_t *n, int64_t i, int64_t j)
{
	int64_t blocks = (n[1] + 31) / 32;
	double sum = 0;

	for (int64_t k = 0; k < n[1]; k++)
		sum += program_data_get(data, 0, i * n[1] + k) *
			scale_at(data, 1, i * blocks + k / 32) *
			program_data_get(data, 2, j * n[1] + k) *
			scale_at(data, 3, j * blocks + k / 32);
	return sum;
}

static void test_meaning(void **state)
{
	static const int64_t n[] = { 21, 100, 19 };
	uint64_t seed = random_seed();
	char text[TEXT];

	for (unsigned f = 0; f < COUNT(formats); f++) {
		struct program_data data;
		unsigned nans = 0;

		print_program(text, formats[f], formats[(f + 2) % 5], 16, 64, "1", "");
		data = program_data_new(*state, text, n);
		fill(&data, &seed);
		program_data_eval(&data);
		for (int64_t i = 0; i < n[0]; i++)
			for (int64_t j = 0; j < n[2]; j++) {
				double is = program_data_get(&data, 4, i * n[2] + j);
				double sum = sum_of(&data, n, i, j);

				nans += isnan(is);
				assert_true(is == sum || (isnan(is) && isnan(sum)));
			}
		assert_true(nans >= 19 && nans <= 40);
		program_data_free(&data);
	}
}

/* Formats of both factors on targets, in a step of "depth". */
static const struct row {
	const char *x, *y, *target, *waves;
	int extent, depth;
	const char *by, *intrinsic;
} rows[] = {
	{ "f8E4M3FN", "f8E5M2", "gfx950", "2", 32, 128, "", "scale.f32.16x16x128.f8f6f4" },
	{ "f8E5M2", "f8E4M3FN", "gfx950", "1", 32, 64, "", "scale.f32.32x32x64.f8f6f4" },
	{ "f8E5M2", "f6E3M2FN", "gfx950", "1", 16, 128, "", "scale.f32.16x16x128.f8f6f4" },
	{ "f6E2M3FN", "f8E4M3FN", "gfx950", "1", 16, 256, "", "scale.f32.16x16x128.f8f6f4" },
	{ "f6E3M2FN", "f6E2M3FN", "gfx950", "1", 32, 64, "", "scale.f32.32x32x64.f8f6f4" },
	{ "f4E2M1FN", "f4E2M1FN", "gfx950", "2", 32, 128,
	  "by v_mfma_scale_f32_16x16x128_f8f6f4_f4_f4", "scale.f32.16x16x128.f8f6f4" },
	{ "f4E2M1FN", "f8E5M2", "gfx950", "1", 32, 128,
	  "by v_mfma_scale_f32_32x32x64_f8f6f4_f4_f8", "scale.f32.32x32x64.f8f6f4" },
	{ "f8E4M3FN", "f4E2M1FN", "gfx950", "2", 16, 64, "by valu", NULL },
	{ "f8E4M3FN", "f8E4M3FN", "gfx942", "2", 16, 64, "", NULL },
	{ "f4E2M1FN", "f8E4M3FN", "gfx942", "8", 32, 128, "", NULL },
	{ "f8E5M2", "f6E2M3FN", "gfx1200", "4", 16, 32, "", NULL },
	{ "f4E2M1FN", "f4E2M1FN", "gfx1100", "4", 16, 32, "", NULL },
	{ "f6E3M2FN", "f8E5M2", "host", "1", 16, 64, "", NULL },
	{ "f4E2M1FN", "f8E4M3FN", "host", "1", 16, 128, "", NULL },
};

static void check(layout_context *ctx, const char *text, const char *target,
	const char *intrinsic, const int64_t *n, uint64_t *seed)
{
	struct program_data data = program_data_new(ctx, text, n);
	layout_kernel *kernel = layout_kernel_new_program(data.program, target, NULL);
	char *code = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_LLVM, NULL, 0,
		&(size_t){ 0 });

	if (!code)
		fail_msg("%s: %s", target, layout_context_message(ctx));
	if (intrinsic ? !strstr(code, intrinsic) : strstr(code, "mfma") != NULL)
		fail_msg("%s: %s", target, text);
	fill(&data, seed);
	program_check_kernel(&data, 1, kernel, target);
	layout_string_free(code);
	layout_kernel_free(kernel);
	program_data_free(&data);
}

static void test_targets(void **state)
{
	static const int64_t sizes[][3] = { { 37, 300, 35 }, { 32, 128, 32 }, { 1, 1, 1 },
		{ 17, 130, 33 }, { 3, 0, 2 } };
	uint64_t seed = random_seed();
	char text[TEXT];

	for (unsigned i = 0; i < COUNT(rows); i++)
		for (unsigned s = 0; s < 2; s++) {
			if (!share_has(i, s, 2))
				continue;
			print_program(text, rows[i].x, rows[i].y, rows[i].extent, rows[i].depth,
				rows[i].waves, rows[i].by);
			check(*state, text, rows[i].target, rows[i].intrinsic,
				sizes[s ? 1 + i % 4 : 0], &seed);
		}
}

/* Elements of less than a byte are loaded as words, and are what the instruction takes. */
static void test_words(void **state)
{
	static const struct {
		const char *type, *load;
	} wide[] = { { "f4E2M1FN", "global_load_dwordx4" }, { "f6E3M2FN", "global_load_dwordx3" } };
	char text[TEXT];

	for (unsigned i = 0; i < COUNT(wide); i++) {
		layout_program *program;
		layout_kernel *kernel;
		char *code;

		print_program(text, wide[i].type, wide[i].type, 32, 128, "1", "");
		program = layout_program_parse(*state, text);
		kernel = layout_kernel_new_program(program, "gfx950", NULL);
		code = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_ASM, NULL, 0,
			&(size_t){ 0 });
		assert_non_null(code);
		assert_non_null(strstr(code, wide[i].load));
		assert_non_null(strstr(code, ".private_segment_fixed_size: 0\n"));
		layout_string_free(code);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

/* Scales are applied to products: neither 448 * 2^127 nor 2^-140 * 2^127 is rounded alone; and a
 * scale of 2^-127, whose bits are 0, is one. */
static void test_rounding(void **state)
{
	static const int64_t n[] = { 16, 128, 16 };
	static const char *const targets[] = { "gfx950", "gfx942", "host" };
	char text[TEXT];

	for (unsigned t = 0; t < COUNT(targets); t++) {
		struct program_data data;

		print_program(text, "f8E4M3FN", "f8E5M2", 16, 128, "4", "");
		data = program_data_new(*state, text, n);
		for (int64_t e = 0; e < 16 * 128; e++) {
			program_data_set(&data, 0, e, e % 128 == 3 ? 448 : 0);
			program_data_set(&data, 2, e, e % 128 == 3 ? ldexp(1, -16) : 0);
		}
		for (int64_t e = 0; e < 16 * 4; e++) {
			program_data_set_bits(&data, 1, e, e / 4 % 2 ? 254 : 0);
			program_data_set_bits(&data, 3, e, e / 4 % 3 ? 0 : 254);
		}
		program_check(&data, targets[t], 0);
		program_data_eval(&data);
		assert_true(program_data_get(&data, 4, 16 + 1) == 448 * ldexp(1, -16));
		assert_true(program_data_get(&data, 4, 16) == ldexp(448, 254 - 16) ||
			isinf(program_data_get(&data, 4, 16)));
		assert_true(program_data_get(&data, 4, 1) == 0);
		program_data_free(&data);
	}
}

/* Factors and scales through the LDS; and scales that are made, whose bits are 0. */
static void test_local(void **state)
{
	static const char *const texts[] = {
		"program p(A: in row_major[M, K] f8E4M3FN, SA: in row_major[M, ceil(K/32)] "
		"f8E8M0FNU, B: in row_major[N, K] f4E2M1FN, SB: in row_major[N, ceil(K/32)] "
		"f8E8M0FNU, C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/32), ceil(N/32)) "
		"workers w in 2 lds la: [32, 128] f8E4M3FN lds ls: [32, 4] f8E8M0FNU "
		"for k in ceil(K/128) stages 2 carry s: [32, 32] f32 = fill 0 { "
		"copy A[32*m, 128*k] -> la copy SA[32*m, 4*k] -> ls "
		"sb = load SB[32*n, 4*k] : [32, 4] t = contract s, (get la[0, 0] : [32, 128]) * "
		"(get ls[0, 0] : [32, 4]), (load B[32*n, 128*k] : [32, 128]) * sb "
		": (i, j, k) -> (i, k), (j, k), (i, j) yield t } store s -> C[32*m, 32*n] }",
		"program p(A: in row_major[M, K] f8E5M2, B: in row_major[N, K] f8E4M3FN, "
		"C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/16), ceil(N/16)) "
		"workers w in 1 for k in ceil(K/128) carry s: [16, 16] f32 = fill 1 { "
		"sa: [16, 4] f8E8M0FNU = fill 0x0 sb: [16, 4] f8E8M0FNU = fill 0x0 "
		"t = contract s, (load A[16*m, 128*k] : [16, 128]) * sa, "
		"(load B[16*n, 128*k] : [16, 128]) * sb "
		": (i, j, k) -> (i, k), (j, k), (i, j) yield t } store s -> C[16*m, 16*n] }",
	};
	static const int64_t n[] = { 37, 300, 35 };
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < COUNT(texts); i++)
		check(*state, texts[i], "gfx950", "scale.f32.16x16x128.f8f6f4", n, &seed);
}

/* What is said of a program "contract s, TEXT .." where a and b are f8E4M3FN, h is f16, sa and
 * sb their scales, v those of a with another extent, and r scales of rows. */
static const struct refused {
	const char *operands, *by, *says;
} refused[] = {
	{ "a * sa, b", "", "`a` has scales, and `b` has none" },
	{ "a, b * sb", "", "`b` has scales, and `a` has none" },
	{ "a * h, b * sb", "", "summed in f32, not of f8E4M3FN with f16 in f32" },
	{ "h * sa, b * sb", "", "not of f16 with f8E8M0FNU in f32" },
	{ "a * v, b * sb", "", "`v` has the dimensions of `a`, but one scale for 32 elements of a "
	  "summed one" },
	{ "a * r, b * sb", "", "`r` has the dimensions of `a`, but one scale for 32" },
	{ "a * sa, b * sb", "by MFMA_F32_16x16x32_F8E4M3FN", "MFMA_F32_16x16x32_F8E4M3FN "
	  "multiplies f8E4M3FN by f8E4M3FN into f32, not f8E4M3FN by f8E4M3FN with scales into "
	  "f32; v_mfma_scale_f32_16x16x128_f8f6f4, v_mfma_scale_f32_32x32x64_f8f6f4 do" },
	{ "a, b", "by v_mfma_scale_f32_16x16x128_f8f6f4", "multiplies f8 by f8 with scales into f32, "
	  "not f8E4M3FN by f8E4M3FN into f32; v_mfma" },
};

static void test_refused(void **state)
{
	layout_context *ctx = *state;
	char text[TEXT];

	for (unsigned i = 0; i < COUNT(refused); i++) {
		snprintf(text, sizeof(text), "program p(C: out row_major[32, 32] f32) { grid (g) in (1) "
			"workers w in 1 a: [32, 128] f8E4M3FN = fill 1 b: [32, 128] f8E4M3FN = fill 1 "
			"h: [32, 128] f16 = fill 1 sa: [32, 4] f8E8M0FNU = fill 1 "
			"sb: [32, 4] f8E8M0FNU = fill 1 v: [32, 8] f8E8M0FNU = fill 1 "
			"r: [1, 128] f8E8M0FNU = fill 1 s: [32, 32] f32 = fill 0 "
			"t = contract s, %s : (i, j, k) -> (i, k), (j, k), (i, j) %s "
			"store t -> C[0, 0] }", refused[i].operands, refused[i].by);
		assert_null(layout_program_parse(ctx, text));
		if (!strstr(layout_context_message(ctx), refused[i].says))
			fail_msg("%s: %s", refused[i].operands, layout_context_message(ctx));
		layout_context_clear(ctx);
	}
}

/* From C, as text and back. */
static void test_build(void **state)
{
	static const int64_t box[] = { 16, 128 }, scales[] = { 16, 4 }, sums[] = { 16, 16 };
	layout_program *p = layout_program_new(*state, "p"), *again;
	const char *names[] = { "g" }, *counts[] = { "1" }, *at[] = { "0", "0" };
	layout_memory *c;
	layout_tile *tile, *x, *sx;
	char *text, *twice;

	c = layout_program_argument(p, "C", layout_storage_row_major(*state, 2,
		(const char *const[]){ "16", "16" }), "f32", LAYOUT_ACCESS_OUT);
	assert_true(layout_program_grid(p, names, counts, 1));
	assert_true(layout_program_workers(p, "w", (const int64_t[]){ 1 }, 1));
	x = layout_program_fill(p, box, 2, "f4E2M1FN", "3", NULL);
	sx = layout_program_fill(p, scales, 2, "f8E8M0FNU", "2", NULL);
	tile = layout_program_fill(p, sums, 2, "f32", "1", NULL);
	assert_null(layout_program_contract_scaled(p, tile, x, sx, x, NULL,
		"(i, j, k) -> (i, k), (j, k), (i, j)", NULL));
	tile = layout_program_contract_scaled(p, tile, x, sx, x, sx,
		"(i, j, k) -> (i, k), (j, k), (i, j)", NULL);
	assert_true(layout_program_store(p, tile, c, at));
	text = layout_program_str(p);
	again = layout_program_parse(*state, text);
	twice = layout_program_str(again);
	assert_string_equal(text, twice);
	assert_non_null(strstr(text, " * "));
	layout_string_free(text);
	layout_string_free(twice);
	layout_program_free(p);
	layout_program_free(again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_meaning, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_targets, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_words, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_rounding, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_local, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_refused, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_build, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
