/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products that are rounded to 16 bits, in AMD's instructions: one that multiplies, adds +0 and
 * rounds would lose the sign of -0, which the simulator, before there are instructions, cannot
 * see. */
#include "support/share.h"

#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MIX "_fma_mix"
#define PROGRAM(map) "program p(A: in row_major[N] f32, B: in row_major[N] f32, Y: out " \
	"row_major[N] f16) { grid (n) in (ceil(N/64)) workers w in 1 x = load A[64*n] : [64] " \
	"z = load B[64*n] : [64] y = map " map " store y -> Y[64*n] }"

static const struct {
	const char *text;
	bool mixes;	/* a sum that is rounded may be one instruction */
} rows[] = {
	{ "remap(row_major[M] -> row_major[M], type = f8E5M2 -> f16, scale = 3.0)", false },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f32 -> f16, scale = 0.1)", false },
	{ "remap(row_major[64] -> row_major[64], type = f6E2M3FN -> f16, scale = 0.1)", false },
	{ "remap(row_major[5] -> row_major[5], type = bf16 -> f16, scale = -2.0)", false },
	{ PROGRAM("f16(x * 3)"), false },
	{ PROGRAM("f16(x * z)"), false },
	{ PROGRAM("f16(-(x * z))"), false },
	{ PROGRAM("f16(x / 2)"), false },
	{ PROGRAM("f16(fma(x, z, z))"), true },
};

static char *assembly(layout_context *ctx, const char *text, const char *target)
{
	layout_kernel *kernel;
	char *code = NULL;
	size_t length;

	if (*text == 'r') {
		layout_remap *remap = layout_remap_parse(ctx, text);

		kernel = layout_kernel_new(remap, target, NULL);
		layout_remap_free(remap);
	} else {
		layout_program *program = layout_program_parse(ctx, text);

		kernel = layout_kernel_new_program(program, target, NULL);
		layout_program_free(program);
	}
	if (kernel)
		code = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);
	layout_kernel_free(kernel);
	return code;
}

static void test_signs(void **state)
{
	const layout_target *target;

	(void)state;
	for (unsigned t = 0; (target = share_target(t)); t++)
		for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			layout_context *ctx;
			char *code;

			if (strncmp(target->name, "gfx", 3) || !share_has(i, t, 16))
				continue;
			ctx = layout_context_new();
			code = assembly(ctx, rows[i].text, target->name);
			if (!code || !strstr(code, "s_endpgm") ||
			    !strstr(code, MIX) == rows[i].mixes)
				fail_msg("%s: %s: %s", target->name, rows[i].text,
					layout_context_message(ctx));
			layout_string_free(code);
			assert_true(layout_context_free(ctx));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
