/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc on a terminal: colours, and none where none are wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RED "\033[1;31m"
#define GREEN "\033[1;32m"
#define PLAIN "\033[0m"

static void expect(const char *before, const char *words, int status, const char *wanted)
{
	char command[4096], *found;
	int ended;

	snprintf(command, sizeof(command), "%s %s %s", before, LAYOUTC_PATH, words);
	found = terminal_run(command, "", &ended);
	if (ended != status || strcmp(found, wanted))
		fail_msg("%s\nexits with %d and shows:\n%s", command, ended, found);
	free(found);
}

static void colours(void **state)
{
	(void)state;
	expect("NO_COLOR= TERM=xterm", "eval '(4,8):(8'", 2, "layoutc: " RED "error:" PLAIN
		" expr:9: expected `,` or `)`, found the end of the text\r\n"
		"    (4,8):(8\r\n            " GREEN "^" PLAIN "\r\n");
	expect("NO_COLOR= TERM=xterm", "frobnicate", 2, "layoutc: " RED "error:" PLAIN
		" frobnicate: no such command; see layoutc --help\r\n");
	expect("NO_COLOR= TERM=xterm", "eval 4:1", 0, "4:1\r\n");
}

static void no_colours(void **state)
{
	static const char *const plain[] = { "NO_COLOR=1 TERM=xterm", "NO_COLOR= TERM=dumb",
		"env -u TERM -u NO_COLOR" };

	(void)state;
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		expect(plain[i], "frobnicate", 2, "layoutc: error: frobnicate: no such command; "
			"see layoutc --help\r\n");
	expect("NO_COLOR= TERM=xterm", "frobnicate 2>&1 | cat", 0, "layoutc: error: frobnicate: "
		"no such command; see layoutc --help\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours),
		cmocka_unit_test(no_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
