/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that would keep in memory what does not fit a lane's registers.  PTX has as many as it
 * likes: what fits is for its assembler to say, in the test `ptxas`. */
#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Each tile alone fits; of those that live at once, gfx942 holds what gfx1100 does not. */
#define TEXT "program sums(A: in row_major[256, 128] f32, B: in row_major[256, 128] f32, " \
	"C: out row_major[256, 128] f32) { grid (m) in (4) workers w in 1 " \
	"a = load A[64*m, 0] : [64, 128] b = load B[64*m, 0] : [64, 128] " \
	"x = reduce add a over [1] keep y = reduce add b over [1] keep " \
	"c = map a * y + b * x store c -> C[64*m, 0] }"

static layout_kernel *kernel_for(layout_context *ctx, const char *target)
{
	layout_program *program = layout_program_parse(ctx, TEXT);
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;

	options.name = "sums";
	kernel = layout_kernel_new_program(program, target, &options);
	layout_program_free(program);
	assert_non_null(kernel);
	return kernel;
}

/* The bytes that are missing, as the assembly says. */
static unsigned scratch_of(layout_context *ctx, const layout_kernel *kernel)
{
	static const char key[] = ".private_segment_fixed_size: ";
	size_t length;
	char *text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);
	const char *at = text ? strstr(text, key) : NULL;
	unsigned bytes = at ? (unsigned)strtoul(at + strlen(key), NULL, 10) : 0;

	assert_non_null(at);
	layout_string_free(text);
	return bytes;
}

static void test_refused(void **state)
{
	static const layout_emit objects[] = { LAYOUT_EMIT_OBJ, LAYOUT_EMIT_HSACO };
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = kernel_for(ctx, "gfx1100");
	unsigned bytes = scratch_of(ctx, kernel);
	char wanted[64];

	(void)state;
	assert_true(bytes);
	snprintf(wanted, sizeof(wanted), "a lane needs %u bytes beyond its registers", bytes);
	for (unsigned i = 0; i < 2; i++) {
		size_t length;

		assert_null(layout_kernel_emit(ctx, kernel, objects[i], NULL, 0, &length));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		if (!strstr(layout_context_message(ctx), wanted))
			fail_msg("%s", layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

static void test_fits(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = kernel_for(ctx, "gfx942");
	size_t length;
	char *object = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_OBJ, NULL, 0, &length);

	(void)state;
	assert_int_equal(scratch_of(ctx, kernel), 0);
	if (!object)
		fail_msg("%s", layout_context_message(ctx));
	layout_string_free(object);
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* What would miss registers, and does not where as few as can be are taken: rows in registers, as
 * many elements a lane. */
static void test_spared(void **state)
{
	static const char text[] = "program softmax(X: in row_major[M, K] f32, Y: out row_major[M, K] f32) { "
		"grid (m) in (M) workers w in 4 assume K <= 8192 x = load X[m, 0] : [1, 8192] (pad = -inf) "
		"top = reduce max x over [1] keep e = map exp(x - top) s = reduce add e over [1] keep "
		"y = map e / s store y -> Y[m, 0] }";
	layout_context *ctx = layout_context_new();
	layout_program *program = layout_program_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new_program(program, "gfx1201", NULL);
	size_t length;
	char *object = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_OBJ, NULL, 0, &length);

	(void)state;
	if (!object)
		fail_msg("%s", layout_context_message(ctx));
	assert_int_equal(scratch_of(ctx, kernel), 0);
	layout_string_free(object);
	layout_kernel_free(kernel);
	layout_program_free(program);
	assert_true(layout_context_free(ctx));
}

/* Elements of less than a byte become bytes without memory in between. */
static void test_parts(void **state)
{
	static const char *const remaps[] = {
		"remap(row_major[4096] -> row_major[4096], type = i32 -> i4)",
		"remap(row_major[M] -> A4a[M], type = i4, pad = 1)",
		"remap(BA16b32a[129, 5] -> BA8b8a[129, 5], type = i4, pad = 0x8)",
		"remap(row_major[M] -> A8a[M], type = i2, pad = 1)",
		"remap(row_major[4096] -> row_major[4096], type = f16 -> f4E2M1FN)",
		"remap(row_major[M] -> row_major[M], type = i4 -> i8)",
		"remap(row_major[M] -> row_major[M], type = u4 -> i4)",
		"remap(row_major[M] -> row_major[M], type = f4E2M1FN -> f16)",
		"remap(row_major[M] -> row_major[M], type = i2 -> i32)",
		"remap(row_major[M, K] -> row_major[M, K], type = u4 -> i8, pad = 1)",
	};
	static const char *const targets[] = { "gfx90a", "gfx942", "gfx1100", "gfx1200", "gfx1250",
		"sm_90" };

	(void)state;
	for (unsigned i = 0; i < sizeof(remaps) / sizeof(*remaps); i++)
		for (unsigned t = 0; t < 6; t++) {
			layout_context *ctx = layout_context_new();
			layout_remap *remap = layout_remap_parse(ctx, remaps[i]);
			layout_kernel *kernel = layout_kernel_new(remap, targets[t], NULL);
			layout_emit emit = *targets[t] == 's' ? LAYOUT_EMIT_ASM : LAYOUT_EMIT_OBJ;
			size_t length;
			char *code = layout_kernel_emit(ctx, kernel, emit, NULL, 0, &length);

			if (!code || (emit == LAYOUT_EMIT_ASM && strstr(code, "__local_depot")))
				fail_msg("%s for %s: %s", remaps[i], targets[t],
					layout_context_message(ctx));
			layout_string_free(code);
			layout_kernel_free(kernel);
			layout_remap_free(remap);
			assert_true(layout_context_free(ctx));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_spared),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
