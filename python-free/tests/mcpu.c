/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of the host for a CPU by name.  What they do is tested by the tests of the host,
 * which run for such a CPU as well. */
#include "support/shell.h"
#include "support/skip.h"

#include <layout/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TURN "remap(row_major[M, K] -> col_major[M, K], type = i8)"

static void only_x86_64(void)
{
#ifndef __x86_64__
	skip_because("CPUs by name are those of x86-64");
#endif
}

/* What no kernel for a CPU has, and what one that turns bytes has. */
static const struct row {
	const char *cpu, *absent[3], *there;
} rows[] = {
	{ "x86-64", { "%ymm", "%zmm", "pshufb" }, "%xmm" },
	{ "x86-64-v2", { "%ymm", "%zmm" }, "%xmm" },
	{ "x86-64-v3", { "%zmm" }, "%ymm" },
	{ "x86-64-v4", { NULL }, "%zmm" },
};

static layout_kernel *kernel_for(layout_context *ctx, const char *target, const char *cpu)
{
	layout_remap *remap = layout_remap_parse(ctx, TURN);
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;

	options.cpu = cpu;
	kernel = layout_kernel_new(remap, target, &options);
	layout_remap_free(remap);
	return kernel;
}

static void code_is_for_the_cpu(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	only_x86_64();
	for (unsigned i = 0; i < COUNT(rows); i++) {
		layout_kernel *kernel = kernel_for(ctx, "host", rows[i].cpu);
		size_t length;
		char *text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);

		assert_non_null(text);
		for (unsigned k = 0; k < COUNT(rows[i].absent) && rows[i].absent[k]; k++)
			if (strstr(text, rows[i].absent[k]))
				fail_msg("%s has %s", rows[i].cpu, rows[i].absent[k]);
		if (!strstr(text, rows[i].there))
			fail_msg("%s has no %s", rows[i].cpu, rows[i].there);
		layout_string_free(text);
		layout_kernel_free(kernel);
	}
	layout_context_free(ctx);
}

static void other_cpus_are_refused(void **state)
{
	static const struct {
		const char *target, *cpu, *message;
	} refused[] = {
		{ "host", "8086", "no CPU '8086'" },
		{ "host", "", "no CPU ''" },
		{ "gfx942", "x86-64", "a CPU is for the target host, not for gfx942" },
	};

	(void)state;
	for (unsigned i = 0; i < COUNT(refused); i++) {
		layout_context *ctx = layout_context_new();

		assert_null(kernel_for(ctx, refused[i].target, refused[i].cpu));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		assert_non_null(strstr(layout_context_message(ctx), refused[i].message));
		layout_context_free(ctx);
	}
}

/* A context that has kept a remap for one CPU compiles it for another. */
static void handles_are_told_apart(void **state)
{
	static const char source[] = "abcdef";
	const int64_t sizes[] = { 2, 3 };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, TURN);

	(void)state;
	only_x86_64();
	for (unsigned i = 0; i < 2; i++) {
		layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
		layout_compiled *compiled;
		char destination[7] = "";

		options.cpu = i ? "x86-64" : NULL;
		compiled = layout_remap_compile(remap, &options);
		assert_int_equal(layout_compiled_run(compiled, destination, 6, source, 6, sizes),
			LAYOUT_RUN_DONE);
		assert_string_equal(destination, "adbecf");
		layout_compiled_free(compiled);
		options.cpu = "z80";
		assert_null(layout_remap_compile(remap, &options));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
	layout_remap_free(remap);
	layout_context_free(ctx);
}

static void the_command_has_them(void **state)
{
	int status;

	(void)state;
	only_x86_64();
	free(shell_must("test -z \"$(%s kernel '" TURN "' --target host --emit asm "
		"--mcpu x86-64 | grep ymm)\"", LAYOUTC_PATH));
	free(shell_output(&status, "%s kernel '" TURN "' --target host --mcpu x", LAYOUTC_PATH));
	assert_int_equal(status, 2);
	free(shell_output(&status, "%s run '" TURN "' --input a.npy -o b.npy --target gfx942 "
		"--mcpu x86-64", LAYOUTC_PATH));
	assert_int_equal(status, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_for_the_cpu),
		cmocka_unit_test(other_cpus_are_refused),
		cmocka_unit_test(handles_are_told_apart),
		cmocka_unit_test(the_command_has_them),
	};

	return skip_status(cmocka_run_group_tests(tests, NULL, NULL));
}
