/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The demo, from nothing: it checks itself; here that it says so, and leaves the
 * files that it promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

#include <stdlib.h>
#include <string.h>

static const char *const said[] = {
	"for all M, K >= 0: injective",
	"for all K, N >= 0: injective",
	" = 4353 cells, each of them 0.0",
	" = 15873 cells, each of them 0.0",
	"523260 bytes, unpacked again: the same byte for byte",
	"2099196 bytes, unpacked again: the same byte for byte",
	"GB/s",
	"the host's result",
};

/* How each file begins. */
static const struct {
	const char *name, *start;
} files[] = {
	{ "lhs.npy", "\x93NUMPY" },
	{ "rhs.npy", "\x93NUMPY" },
	{ "pack_lhs.gfx942.hsaco", "\x7f" "ELF" },
	{ "pack_lhs.gfx942.s", "\t" },
	{ "pack_lhs.gfx942.json", "{\n  \"kernel\": \"pack_lhs_shape1\",\n  \"target\": \"gfx942\"," },
	{ "pack_rhs.gfx942.hsaco", "\x7f" "ELF" },
};

static void test_demo(void **state)
{
	char *folder = shell_folder_new();
	char *output = shell_must("%s/demo '%s/demo'", BUILD_DIR, folder);

	(void)state;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (!strstr(output, said[i]))
			fail_msg("does not say \"%s\":\n%s", said[i], output);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char *start = shell_must("head -c %zu '%s/demo/%s'", strlen(files[i].start),
			folder, files[i].name);

		assert_string_equal(start, files[i].start);
		free(start);
	}
	free(output);
	shell_folder_remove(folder);
}

/* A folder that cannot be made: an error, not a report. */
static void test_unwritable(void **state)
{
	char *output;
	int status;

	(void)state;
	output = shell_output(&status, "%s/demo /nowhere/demo", BUILD_DIR);
	assert_int_equal(status, 1);
	assert_non_null(strstr(output, "demo: error: /nowhere/demo/lhs.npy: cannot write"));
	free(output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_demo),
		cmocka_unit_test(test_unwritable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
