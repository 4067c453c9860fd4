/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc on a terminal: colours, and none where none are wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/folder.h"
#include "support/shell.h"
#include "support/skip.h"
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

/* All of them are there, one behind the other. */
static void expect_in_order(const char *text, const char *const *parts)
{
	const char *at = text;

	for (; *parts; parts++) {
		at = strstr(at, *parts);
		if (!at)
			fail_msg("no \"%s\" where it should be in:\n%s", *parts, text);
		at += strlen(*parts);
	}
}

/* A prompt: values, pictures, definitions, texts of several lines, errors, and its end; as
 * lines come, and pasted all at once, with and without the library that edits them. */
static void prompts(void **state)
{
	static const char *const parts[] = { "layoutc> ", "(4,8):(8,1)\r\n", "layoutc> ",
		"32\r\n", "layoutc> ", "    ...> ", "{ [i] -> [i] : i <= 3 }\r\n",
		"  0 1\r\n0 0 1\r\n1 2 3\r\n", "injective: yes\r\n", "`A` is given twice",
		"expected a field of nested_layout", "layoutc> ", "size(CUTE", "layoutc> ",
		NULL };
	static const char typed[] = "let A = (4,8):(8,1)\nsize(A)\n{ [i] ->\n\t[i] : i < 4 }\n"
		"show (2,2):(2,1)\ncheck A\nlet A = 4:1\nnested_layout<\n\nhelp size\nquit\n";
	static const char *const programs[] = { "TERM=dumb " LAYOUTC_PATH,
		"TERM=xterm " LAYOUTC_PATH, "TERM=xterm " LAYOUTC_PLAIN_PATH };
	char command[4096], *found;
	int status;

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		snprintf(command, sizeof(command), "stty -echo; sleep 0.2; HOME=%s NO_COLOR=1 "
			"%s repl", folder, programs[i]);
		found = terminal_run(command, typed, &status);
		assert_int_equal(status, 0);
		expect_in_order(found, parts);
		free(found);
	}
}

/* Words are completed, to functions, names and files, and lines are there again. */
static void editing(void **state)
{
#ifdef LAYOUT_EDITLINE
	static const struct terminal_step first[] = {
		{ "layoutc> ", "let Apple = (4,8):(8,1)\n" },
		{ "(4,8):(8,1)\r\nlayoutc> ", "cosi" }, { "cosi", "\t" }, { "cosize", "(Ap" },
		{ "(Ap", "\t" }, { "Apple", ")\n" },
		{ "32\r\nlayoutc> ", "logical_" }, { "logical_", "\t" },
		{ "layoutc> logical_", "\t" }, { "logical_product", "\025@a_fi" },
		{ "@a_fi", "\t" }, { "@a_file_here", "\n" },
		{ "layoutc> ", "quit\n" }, { NULL, NULL },
	};
	static const struct terminal_step second[] = {
		{ "layoutc> ", "\020" }, { "quit", "\020" }, { "@a_file_here", "\001\013" },
		{ "\033[K", "siz" }, { "siz", "\t" }, { "size", "(4:2)\n" },
		{ "4\r\nlayoutc> ", "frobnicate\003" }, { "layoutc> ", "{ [i] ->\n" },
		{ "    ...> ", "\003" }, { "layoutc> ", "size(7:1)\n" },
		{ "7\r\nlayoutc> ", "\004" }, { NULL, NULL },
	};
	char command[4096], *found;
	int status;

	(void)state;
	snprintf(command, sizeof(command), "cd %s; echo 4:1 > a_file_here; HOME=. NO_COLOR=1 "
		"TERM=xterm %s repl", folder, LAYOUTC_PATH);
	found = terminal_talk(command, first, &status);
	assert_int_equal(status, 0);
	assert_non_null(strstr(found, "4:1\r\n"));
	free(found);
	snprintf(command, sizeof(command), "cd %s; exec env HOME=. NO_COLOR=1 TERM=xterm %s repl",
		folder, LAYOUTC_PATH);
	free(terminal_talk(command, second, &status));
	assert_int_equal(status, 0);
#else
	(void)state;
	skip_because("lines are not edited: libedit is not installed");
#endif
}

/* The same from a file, without prompts; errors stay errors, and the rest is done. */
static void scripts(void **state)
{
	char *found;
	int status;

	(void)state;
	found = terminal_run("printf 'let A = 4:2\\nA(\\ncosize(A)\\n' | NO_COLOR=1 " LAYOUTC_PATH
		" repl", "", &status);
	assert_int_equal(status, 0);
	assert_null(strstr(found, "layoutc> "));
	assert_non_null(strstr(found, "4:2\r\n"));
	free(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours),
		cmocka_unit_test(no_colours),
		cmocka_unit_test(prompts),
		cmocka_unit_test(editing),
		cmocka_unit_test(scripts),
	};

	return skip_status(cmocka_run_group_tests(tests, folder_open, folder_close));
}
