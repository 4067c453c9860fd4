/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "files/pending.h"

#include <signal.h>
#include <unistd.h>

#define STATUS_IO 4

static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU };
#define END_COUNT (sizeof(ends) / sizeof(*ends))

static const char *volatile pending;
static struct sigaction before[END_COUNT], before_size;

static void remove_pending(void)
{
	if (pending)
		unlink(pending);
	pending = NULL;
}

/* As the signal would have, had nobody caught it. */
static void end(int signal_number)
{
	remove_pending();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* What is ignored stays so. */
static void catch(int signal_number, struct sigaction *previous)
{
	struct sigaction action = { .sa_handler = end };

	sigemptyset(&action.sa_mask);
	sigaction(signal_number, NULL, previous);
	if (previous->sa_handler != SIG_IGN)
		sigaction(signal_number, &action, NULL);
}

void pending_begin(const char *path)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	pending = path;
	for (size_t i = 0; i < END_COUNT; i++)
		catch(ends[i], &before[i]);
	sigaction(SIGXFSZ, &ignore, &before_size);
}

void pending_end(void)
{
	pending = NULL;
	for (size_t i = 0; i < END_COUNT; i++)
		sigaction(ends[i], &before[i], NULL);
	sigaction(SIGXFSZ, &before_size, NULL);
}

void pending_exit(const char *message, size_t length, int status)
{
	ssize_t wrote = write(STDERR_FILENO, message, length);

	(void)wrote;
	remove_pending();
	_exit(status);
}

static void explain_cut(int signal_number)
{
	static const char message[] = "layoutc: error: an input was cut short, or cannot be "
		"read, while it was in use\n";

	(void)signal_number;
	pending_exit(message, sizeof(message) - 1, STATUS_IO);
}

void pending_explain_cut_files(void)
{
	signal(SIGBUS, explain_cut);
}
