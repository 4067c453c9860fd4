/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each call of the command to the system fails in turn: it says so and leaves nothing behind,
 * or goes on and does all of what it was to do. */
#include "support/folder.h"
#include "support/shell.h"
#include "support/skip.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>


/* Files are read and written by the first of them, where "out.svg" is there before, and
 * standard output by the others; the last has a linker make a file. */
static const char *const commands[] = {
	"run 'remap(row_major[M] -> strided[M : 2], type = i8, pad = 7)' --input in.npy "
		"-o out.svg",
	"run 'remap(row_major[M] -> strided[M : 2], type = i8, pad = 7)' --input - "
		"-o out.svg < in.npy",
	"show '(4,8):(8,1)' -o out.svg",
#define COMMANDS_OF_FILES 3
	"eval '(4,8):(8,1)' --values",
	"eval @text",
	"eval --batch text",
	"check '(4,8):(8,1)' --is injective",
	"--help",
	"kernel 'remap(row_major[M] -> strided[M : 2], type = i8)' --target gfx942 "
		"--emit hsaco -o out.svg",
#define COMMAND_OF_LINKS 8
};

/* What fails, with which errno, and what of it is tried: as many calls, each of so many.
 * The last ones are for the commands that print, and for the one that links. */
static const struct {
	const char *function;
	int error;
	unsigned most, step;
} faults[] = {
	{ "write", EIO, 9, 1 }, { "write", ENOSPC, 9, 1 }, { "write", EINTR, 9, 1 },
	{ "write", -1, 9, 1 }, { "read", EIO, 9, 1 }, { "read", EINTR, 9, 1 },
	{ "read", -1, 9, 1 }, { "open", EMFILE, 9, 1 }, { "mkstemp", ENOSPC, 9, 1 },
	{ "fsync", EIO, 1, 1 }, { "fchmod", EPERM, 9, 1 }, { "close", EIO, 9, 1 },
	{ "rename", EIO, 9, 1 }, { "mmap", ENOMEM, 9, 1 },
#define FAULTS_OF_FILES 14
	{ "stdout", EIO, 4, 3 },
	{ "stdout", ENOSPC, 4, 3 }, { "stdout", -1, 4, 3 }, { "malloc", ENOMEM, 12, 9 },
#define FAULTS_OF_LINKS 18
	{ "pipe2", EMFILE, 9, 1 }, { "fcntl", EIO, 9, 1 }, { "spawn", EAGAIN, 9, 1 },
	{ "write", EIO, 1, 1 }, { "write", EINTR, 1, 1 }, { "write", -1, 1, 1 },
	{ "read", EIO, 3, 1 }, { "read", EINTR, 2, 1 }, { "read", -1, 2, 1 },
	{ "poll", EINTR, 2, 1 }, { "poll", EINVAL, 3, 1 }, { "waitpid", EINTR, 9, 1 },
	{ "waitpid", ECHILD, 9, 1 },
};

/* What a command left: its status, whether the call came to be, whether the file is as
 * before, and it and standard output as they are without a fault; whether anything was
 * said, and what is there else. */
struct left {
	int status, fired, as_before, as_usual, said_usual, complained;
	char else_there[512];
};

/* All of a file in the folder, "" where there is none, and its size. */
static char *slurp(const char *name, size_t *size)
{
	char *path, *text = NULL;
	FILE *file;

	assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
	file = fopen(path, "rb");
	*size = 0;
	for (size_t room = 4096; ; room *= 2) {
		text = realloc(text, room);
		assert_non_null(text);
		*size += file ? fread(text + *size, 1, room - 1 - *size, file) : 0;
		if (*size < room - 1)
			break;
	}
	text[*size] = 0;
	if (file)
		fclose(file);
	free(path);
	return text;
}

/* Are they not alike, as cmp would answer? */
static int differ(const char *a, const char *b)
{
	size_t x, y;
	char *first = slurp(a, &x), *second = slurp(b, &y);
	int unlike = x != y || memcmp(first, second, x);

	free(first);
	free(second);
	return unlike;
}

/* What is in the folder besides. */
static void list_others(char *names, size_t room)
{
	static const char *const ours[] = { ".", "..", "in.npy", "text", "before", "out.svg",
		"said", "errors", "fired" };
	DIR *open = opendir(folder);
	struct dirent *entry;

	assert_non_null(open);
	while ((entry = readdir(open))) {
		size_t i = 0, used = strlen(names);

		while (i < sizeof(ours) / sizeof(*ours) && strcmp(entry->d_name, ours[i]))
			i++;
		if (i == sizeof(ours) / sizeof(*ours) && strncmp(entry->d_name, "usual", 5))
			snprintf(names + used, room - used, "%s ", entry->d_name);
	}
	closedir(open);
}

static void copy(const char *from, const char *to)
{
	char *path, *text;
	size_t size;
	FILE *file;

	assert_true(asprintf(&path, "%s/%s", folder, to) > 0);
	unlink(path);
	text = slurp(from, &size);
	file = fopen(path, "wb");
	assert_true(file && fwrite(text, 1, size, file) == size && !fclose(file));
	free(text);
	free(path);
}

/* "layoutc: error: something: why", in a line of its own? */
static int is_silent(void)
{
	regex_t error;
	size_t size;
	char *text = slurp("errors", &size);
	int missed;

	assert_int_equal(regcomp(&error, "^layoutc: error: [^:]*: .", REG_NEWLINE | REG_NOSUB), 0);
	missed = regexec(&error, text, 0, NULL, 0) != 0;
	regfree(&error);
	free(text);
	return missed;
}

static struct left run(size_t command, const char *fault, const char *as)
{
	struct left left = { 0 };
	char *path;

	assert_true(asprintf(&path, "%s/fired", folder) > 0);
	copy("before", "out.svg");
	unlink(path);
	free(shell_output(&left.status, "cd %s && %s LAYOUT_TEST_FIRED=fired %s %s "
		"> %s 2> errors", folder, fault, LAYOUTC_PATH, commands[command], as));
	left.fired = access(path, F_OK) != 0;
	left.as_before = differ("out.svg", "before");
	left.as_usual = differ("out.svg", "usual.out");
	left.said_usual = differ("said", "usual.said");
	left.complained = is_silent();
	list_others(left.else_there, sizeof(left.else_there));
	free(path);
	return left;
}

/* Does the command go on after this one?  Calls are made anew, what was only read is
 * closed all the same, memory may be had in another way, and a folder that cannot be
 * opened is not written. */
static bool goes_on(size_t i)
{
	return faults[i].error == EINTR || faults[i].error < 0 ||
		faults[i].error == ENOMEM || !strcmp(faults[i].function, "close") ||
		!strcmp(faults[i].function, "open");
}

/* NULL, or what is wrong; tests answer 0 for yes. */
static const char *wrong(const struct left *left, size_t i)
{
	if (*left->else_there)
		return left->else_there;
	if (!left->status && !goes_on(i))
		return "it said all is well";
	if (!left->status)
		return left->as_usual || left->said_usual ? "it is not all there" : NULL;
	if (left->status < 0 || left->status > 4)
		return "it crashed";
	if (left->complained)
		return "it said nothing";
	return left->as_before ? "the file is not as before" : NULL;
}

/* False where the call does not come to be. */
static bool try_fault(size_t command, size_t i, unsigned nth, bool *good)
{
	const char *what;
	char fault[200];
	struct left left;

	snprintf(fault, sizeof(fault), "LD_PRELOAD=" FAULTS_LIBRARY
		" LAYOUT_TEST_FAULT=%s:%u:%d", faults[i].function, nth, faults[i].error);
	left = run(command, fault, "said");
	what = left.fired ? NULL : wrong(&left, i);
	if (what)
		print_message("%s: %s number %u, error %d: status %d: %s\n",
			commands[command], faults[i].function, nth, faults[i].error,
			left.status, what);
	*good = *good && !what;
	return !left.fired;
}

static size_t first_fault(size_t command)
{
	if (command == COMMAND_OF_LINKS)
		return FAULTS_OF_LINKS;
	return command < COMMANDS_OF_FILES ? 0 : FAULTS_OF_FILES;
}

static size_t end_of_faults(size_t command)
{
	if (command == COMMAND_OF_LINKS)
		return sizeof(faults) / sizeof(*faults);
	return command < COMMANDS_OF_FILES ? FAULTS_OF_FILES : FAULTS_OF_LINKS;
}

static void every_call_fails_once(void **state)
{
	unsigned fired = 0;
	bool good = true;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip_because("a sanitizer does not start behind a preloaded library");
#endif
	for (size_t command = 0; command < sizeof(commands) / sizeof(*commands); command++) {
		struct left usual = run(command, "", "usual.said");

		assert_int_equal(usual.status, 0);
		copy("out.svg", "usual.out");
		for (size_t i = first_fault(command); i < end_of_faults(command); i++)
			for (unsigned n = 0; n < faults[i].most &&
			    try_fault(command, i, 1 + n * faults[i].step, &good); n++)
				fired++;
	}
	print_message("%u faults\n", fired);
	assert_true(good);
	assert_true(fired > 60);
}

/* Where /proc is missing, layoutc-codegen is found as layoutc was. */
static void path_finds_the_generator(void **state)
{
	char *text;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip_because("a sanitizer does not start behind a preloaded library");
#endif
	text = shell_must("LD_PRELOAD=" FAULTS_LIBRARY " LAYOUT_TEST_FAULT=readlink:1:2 "
		"PATH=" BUILD_DIR ":$PATH layoutc --version");
	assert_int_equal(strncmp(text, "layoutc ", 8), 0);
	free(text);
}

static int set_up(void **state)
{
	setenv("LAYOUT_CACHE", "off", 1);
	folder_open(state);
	shell_write(folder_path("text"), "(4,8):(8,1)\n");
	free(shell_must("cd %s && echo before > before && cp before out.svg && printf '\\223NUMPY\\001\\000v\\000%%-117s\\n%%8s' \"{'descr': "
		"'|i1', 'fortran_order': False, 'shape': (8,), }\" abcdefgh > in.npy", folder));
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_fails_once),
		cmocka_unit_test(path_finds_the_generator),
	};

	return skip_status(cmocka_run_group_tests(tests, set_up, folder_close));
}
