/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 60000	/* milliseconds */

static void become(const char *slave, const char *command)
{
	int terminal;

	setsid();
	terminal = open(slave, O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(terminal, fd);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* All that comes until the other side is closed. */
static char *read_all(int terminal, pid_t child)
{
	struct pollfd wait = { .fd = terminal, .events = POLLIN };
	char *text = NULL, piece[4096];
	size_t length;
	FILE *out = open_memstream(&text, &length);
	ssize_t got;

	assert_non_null(out);
	do {
		if (poll(&wait, 1, PATIENCE) <= 0) {
			kill(child, SIGKILL);
			fail_msg("the terminal is silent");
		}
		got = read(terminal, piece, sizeof(piece));
		fwrite(piece, 1, got > 0 ? (size_t)got : 0, out);
	} while (got > 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

char *terminal_run(const char *command, const char *typed, int *status)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), ended;
	size_t length = strlen(typed);
	pid_t child;
	char *text;

	assert_true(terminal >= 0);
	assert_int_equal(grantpt(terminal) + unlockpt(terminal), 0);
	child = fork();
	if (!child)
		become(ptsname(terminal), command);
	assert_true(child > 0);
	assert_int_equal(write(terminal, typed, length), length);
	text = read_all(terminal, child);
	assert_int_equal(waitpid(child, &ended, 0), child);
	close(terminal);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	return text;
}
