/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* All of a stream, with a 0 byte after it. */
static char *read_all(FILE *stream)
{
	size_t length = 0, capacity = 4096;
	char *text = malloc(capacity);

	for (;;) {
		assert_non_null(text);
		length += fread(text + length, 1, capacity - length - 1, stream);
		if (length < capacity - 1)
			break;
		capacity *= 2;
		text = realloc(text, capacity);
	}
	text[length] = 0;
	return text;
}

/* Under the sanitizers a command leaves what it has to the system, as it may: to look for leaks
 * takes as long as all that a short one does, and the library's are looked for in the tests that
 * call it. */
#define NO_LEAKS "export ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\"; "

static char *run(int *status, const char *format, va_list args)
{
	char *command = NULL, *line = NULL, *output;
	FILE *pipe;
	int ended;

	assert_true(vasprintf(&command, format, args) >= 0);
	assert_true(asprintf(&line, NO_LEAKS "{ %s\n} 2>&1", command) >= 0);
	pipe = popen(line, "r");
	assert_non_null(pipe);
	output = read_all(pipe);
	ended = pclose(pipe);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	free(command);
	free(line);
	return output;
}

char *shell_output(int *status, const char *format, ...)
{
	va_list args;
	char *output;

	va_start(args, format);
	output = run(status, format, args);
	va_end(args);
	return output;
}

char *shell_must(const char *format, ...)
{
	va_list args;
	char *output;
	int status;

	va_start(args, format);
	output = run(&status, format, args);
	va_end(args);
	if (status) {
		fprintf(stderr, "%s\n", output);
		fail_msg("status %d of %s", status, format);
	}
	return output;
}

char *shell_folder_new(void)
{
	const char *parent = getenv("TMPDIR");
	char *folder = NULL;

	assert_true(asprintf(&folder, "%s/layout-XXXXXX", parent ? parent : "/tmp") >= 0);
	assert_non_null(mkdtemp(folder));
	return folder;
}

void shell_folder_remove(char *folder)
{
	free(shell_must("rm -rf '%s'", folder));
	free(folder);
}

char *shell_read(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text;

	if (!file)
		fail_msg("cannot read %s", path);
	text = read_all(file);
	fclose(file);
	return text;
}

void shell_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");

	if (!file)
		fail_msg("cannot write %s", path);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}
