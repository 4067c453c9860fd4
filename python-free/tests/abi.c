/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs that were linked with the last release find all that they use: cmake/abi.txt has
 * its symbols with their versions. */
#include "support/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void symbols_of_the_last_release_are_there(void **state)
{
	char *missing = shell_must("nm -D --defined-only --with-symbol-versions "
		"'%s/liblayout.so' '%s/liblayout-codegen.so' | sed -n 's/^[0-9a-f]* [A-Z] //p' | "
		"LC_ALL=C sort -u | LC_ALL=C comm -13 - '%s/cmake/abi.txt'", BUILD_DIR, BUILD_DIR, SOURCE_DIR);

	(void)state;
	if (*missing)
		fail_msg("no longer there:\n%s", missing);
	free(missing);
}

static void symbols_have_a_version(void **state)
{
	char *without = shell_must("nm -D --defined-only --with-symbol-versions "
		"'%s/liblayout.so' '%s/liblayout-codegen.so' | "
		"sed -n 's/^[0-9a-f]* [TDBR] //p' | grep -v '@@LAYOUT_0\\.1$' || true",
		BUILD_DIR, BUILD_DIR);

	(void)state;
	assert_string_equal(without, "");
	free(without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_of_the_last_release_are_there),
		cmocka_unit_test(symbols_have_a_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
