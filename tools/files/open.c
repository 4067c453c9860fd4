/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "files/open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* That it comes is all: open() ends with EINTR. */
static void wake(int signal_number)
{
	(void)signal_number;
}

static int open_within(const char *path, int how)
{
	struct sigaction action = { .sa_handler = wake }, before;
	int file, error;

	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, &before);
	alarm(PIPE_SECONDS);
	file = open(path, how | O_CLOEXEC);
	error = errno;
	alarm(0);
	sigaction(SIGALRM, &before, NULL);
	errno = error;
	return file;
}

static int open_or_complain(const char *path, int how, const char *what,
	struct complaint *complaint)
{
	int file = open_within(path, how);

	if (file < 0)
		complain(complaint, WRONG_IO, "cannot %s: %s", what, errno == EINTR ?
			"it is a named pipe, with nobody at its other end" :
			strerror(errno));
	return file;
}

int open_to_read(const char *path, struct complaint *complaint)
{
	return open_or_complain(path, O_RDONLY, "read", complaint);
}

int open_to_write(const char *path, struct complaint *complaint)
{
	return open_or_complain(path, O_WRONLY, "write", complaint);
}
