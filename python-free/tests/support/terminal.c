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
#include <termios.h>
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

/* Until the other side reads key by key: before, a terminal shows itself what is typed. */
static void await_keys(int terminal)
{
	struct termios mode;

	for (int waited = 0; waited < PATIENCE; waited++) {
		assert_int_equal(tcgetattr(terminal, &mode), 0);
		if (!(mode.c_lflag & ICANON))
			return;
		poll(NULL, 0, 1);
	}
	fail_msg("the terminal is not read key by key");
}

/* All that comes until the other side is closed, while the steps are typed. */
static char *read_all(int terminal, pid_t child, const struct terminal_step *step)
{
	struct pollfd wait = { .fd = terminal, .events = POLLIN };
	char *text = NULL, piece[4096];
	size_t length, seen = 0;
	FILE *out = open_memstream(&text, &length);
	const char *at;
	ssize_t got;

	assert_non_null(out);
	do {
		if (poll(&wait, 1, PATIENCE) <= 0) {
			kill(child, SIGKILL);
			fflush(out);
			fail_msg("the terminal is silent behind:\n%s", text);
		}
		got = read(terminal, piece, sizeof(piece));
		fwrite(piece, 1, got > 0 ? (size_t)got : 0, out);
		fflush(out);
		at = step->typed ? strstr(text + seen, step->after) : NULL;
		if (at) {
			seen = (size_t)(at - text) + strlen(step->after);
			await_keys(terminal);
			assert_int_equal(write(terminal, step->typed, strlen(step->typed)),
				strlen(step->typed));
			step++;
		}
	} while (got > 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

char *terminal_talk(const char *command, const struct terminal_step *steps, int *status)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), ended;
	pid_t child;
	char *text;

	assert_true(terminal >= 0);
	assert_int_equal(grantpt(terminal) + unlockpt(terminal), 0);
	child = fork();
	if (!child)
		become(ptsname(terminal), command);
	assert_true(child > 0);
	if (steps->typed && !*steps->after) {
		assert_int_equal(write(terminal, steps->typed, strlen(steps->typed)),
			strlen(steps->typed));
		steps++;
	}
	text = read_all(terminal, child, steps);
	assert_int_equal(waitpid(child, &ended, 0), child);
	close(terminal);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	return text;
}

char *terminal_run(const char *command, const char *typed, int *status)
{
	const struct terminal_step steps[] = { { "", typed }, { NULL, NULL } };

	return terminal_talk(command, steps, status);
}
