/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every public function, with nothing for each of its arguments: a failure that already
 * happened, which none crashes at; and with a context, where that is its first, and nothing
 * else. */
#include "support/children.h"
#include "support/shell.h"
#include <layout/context.h>

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* As many zeros as the longest list of arguments has; what a function does not take, it does
 * not look at.  Nothing may be said of the answer but that there is one. */
typedef uintptr_t of_nothing(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
	uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static void *library;
static const char *first, *last;
static bool with_context;

static of_nothing *find(const char *name)
{
	of_nothing *function;

	*(void **)&function = dlsym(library, name);
	if (!function)
		_exit(99);
	return function;
}

/* Call those from "first" to "last", which are lines of one text. */
static void call_them(void)
{
	const char *name = first;

	signal(SIGSEGV, SIG_DFL);
	signal(SIGFPE, SIG_DFL);
	while (name < last) {
		layout_context *ctx = NULL;
		char symbol[100];
		size_t length = strcspn(name, "\n");

		snprintf(symbol, sizeof(symbol), "%.*s", (int)length, name);
		if (with_context)
			ctx = (layout_context *)find("layout_context_new")(0, 0, 0, 0, 0, 0, 0,
				0, 0, 0);
		find(symbol)((uintptr_t)ctx, 0, 0, 0, 0, 0, 0, 0, 0, 0);
		name += length + 1;
	}
	_exit(0);
}

/* All in one process, and one by one where one of them ends it. */
static void survive(const char *names, bool given, size_t least)
{
	size_t count = 0;

	first = names;
	last = names + strlen(names);
	with_context = given;
	for (const char *at = names; (at = strchr(at, '\n')); at++)
		count++;
	assert_true(count >= least);
	if (!child_status(call_them))
		return;
	for (first = names; *first; first = last) {
		int status;

		last = strchr(first, '\n') + 1;
		status = child_status(call_them);
		if (status)
			print_message("%.*s: %d\n", (int)(last - first - 1), first, status);
	}
	fail();
}

static void nothing_crashes(void **state)
{
	char *names = shell_must("nm -D --defined-only '%s/liblayout.so' "
		"'%s/liblayout-codegen.so' | sed -n 's/^[0-9a-f]* T \\(layout_[^@]*\\).*/\\1/p' | "
		"LC_ALL=C sort > names.$$; cat '%s'/include/layout/*.h | "
		"tr -c 'a-z0-9_' '\\n' | LC_ALL=C sort -u | LC_ALL=C comm -12 - names.$$; "
		"rm names.$$", BUILD_DIR, BUILD_DIR, SOURCE_DIR);

	(void)state;
	survive(names, false, 400);
	free(names);
}

static void a_context_alone_does_not_crash(void **state)
{
	char *names = shell_must("sed -n 's/.*[ *]\\(layout_[a-z0-9_]*\\)(LAYOUT_KEEP "
		"layout_context \\*.*/\\1/p' %s/include/layout/*.h | "
		"grep -v '^layout_context_'", SOURCE_DIR);

	(void)state;
	survive(names, true, 19);
	free(names);
}

static int set_up(void **state)
{
	(void)state;
	library = dlopen(BUILD_DIR "/liblayout-codegen.so", RTLD_NOW | RTLD_GLOBAL);
	return !library;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_crashes),
		cmocka_unit_test(a_context_alone_does_not_crash),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
