/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code objects: ld.lld, which starts while code is generated, reads the object and writes what
 * it makes of it through pipes.  No file is made. */
#include "amdgpu/code/amdgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Our ends of the linker's pipes, by its numbers for them; -1: closed.  "error": what made one
 * fail, but that the linker has gone. */
struct linking {
	const char *linker;
	pid_t pid;
	int ends[3], error;
};

static void close_end(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

static void linking_free(struct linking *linking)
{
	for (unsigned i = 0; i < 3; i++)
		close_end(&linking->ends[i]);
	free(linking);
}

static const char *find_linker(const layout_kernel *kernel)
{
	const char *named = getenv("LAYOUT_LD_LLD");

	if (kernel->linker)
		return kernel->linker;
	return named && *named ? named : LAYOUT_LD_LLD;
}

/* Start the linker with "theirs" as standard input, output and error. */
static int start(struct linking *linking, const int *theirs)
{
	const char *const args[] = { linking->linker, "-shared", "--no-undefined", "-o", "-",
		"/dev/stdin", NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	for (int i = 0; !error && i < 3; i++)
		error = posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	if (!error)
		error = posix_spawnp(&linking->pid, linking->linker, &actions, NULL,
			(char *const *)(uintptr_t)args, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* A pipe each, of which the linker reads the first. */
static bool open_pipes(struct linking *linking, int *theirs)
{
	for (unsigned i = 0; i < 3; i++) {
		int both[2];

		if (pipe2(both, O_CLOEXEC))
			return false;
		theirs[i] = both[i > 0];
		linking->ends[i] = both[i == 0];
	}
	return fcntl(linking->ends[0], F_SETFL, O_NONBLOCK) == 0;
}

void *amdgpu_link_open(layout_context *ctx, const layout_kernel *kernel)
{
	struct linking *linking = layout_alloc(ctx, 1, sizeof(*linking));
	int theirs[] = { -1, -1, -1 }, error;

	if (!linking)
		return NULL;
	*linking = (struct linking){ .linker = find_linker(kernel), .ends = { -1, -1, -1 } };
	error = open_pipes(linking, theirs) ? start(linking, theirs) : errno;
	for (unsigned i = 0; i < 3; i++)
		close_end(&theirs[i]);
	if (!error)
		return linking;
	layout_fail(ctx, LAYOUT_ERROR_IO, -1, "cannot run the linker '%s': %s",
		linking->linker, strerror(error));
	linking_free(linking);
	return NULL;
}

/* A linker that has gone reads no more; what is left is of no use then. */
static void feed(struct linking *linking, const char **object, size_t *size)
{
	ssize_t count = *size ? write(linking->ends[0], *object, *size) : 0;

	if (count > 0) {
		*object += count;
		*size -= (size_t)count;
	}
	if (*size && (count >= 0 || errno == EINTR || errno == EAGAIN))
		return;
	if (*size && errno != EPIPE)
		linking->error = errno;
	close_end(&linking->ends[0]);
}

/* Append what can be read; at the end, close. */
static void drain(struct linking *linking, int *end, struct layout_buffer *into)
{
	char chunk[16384];
	ssize_t count = read(*end, chunk, sizeof(chunk));

	if (count > 0)
		layout_buffer_append(into, chunk, (size_t)count);
	if (count > 0 || (count < 0 && errno == EINTR))
		return;
	if (count < 0)
		linking->error = errno;
	close_end(end);
}

/* Wait until one of them can go on; all are closed where that fails. */
static void wait_for_any(struct linking *linking, struct pollfd *polled)
{
	while (poll(polled, 3, -1) < 0)
		if (errno != EINTR && errno != EAGAIN) {
			linking->error = errno;
			for (unsigned i = 0; i < 3; i++)
				close_end(&linking->ends[i]);
			return;
		}
}

static void converse(struct linking *linking, const char *object, size_t size,
	struct layout_buffer *made, struct layout_buffer *said)
{
	while (linking->ends[1] >= 0 || linking->ends[2] >= 0) {
		struct pollfd polled[] = { { linking->ends[0], POLLOUT, 0 },
			{ linking->ends[1], POLLIN, 0 }, { linking->ends[2], POLLIN, 0 } };

		wait_for_any(linking, polled);
		if (polled[0].revents)
			feed(linking, &object, &size);
		if (polled[1].revents)
			drain(linking, &linking->ends[1], made);
		if (polled[2].revents)
			drain(linking, &linking->ends[2], said);
	}
}

/* Writing to a linker that has gone raises no signal of which the process would hear. */
static void converse_quietly(struct linking *linking, const char *object, size_t size,
	struct layout_buffer *made, struct layout_buffer *said)
{
	const struct timespec now = { 0, 0 };
	sigset_t broken, before, pending;

	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &broken, &before);
	converse(linking, object, size, made, said);
	if (!sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&broken, NULL, &now) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool wait_for(layout_context *ctx, struct linking *linking, const char *said)
{
	int status;

	while (waitpid(linking->pid, &status, 0) < 0)
		if (errno != EINTR) {
			linking->error = errno;
			break;
		}
	if (linking->error)
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "lost the linker '%s': %s",
			linking->linker, strerror(linking->error));
	else if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	else if (WIFEXITED(status))
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "the linker '%s' failed (%d): %.*s",
			linking->linker, WEXITSTATUS(status), (int)strcspn(said, "\n"), said);
	else
		layout_fail(ctx, LAYOUT_ERROR_IO, -1,
			"the linker '%s' ended by signal %d", linking->linker,
			WTERMSIG(status));
	return false;
}

static void give_up(struct linking *linking)
{
	int status;

	kill(linking->pid, SIGKILL);
	while (waitpid(linking->pid, &status, 0) < 0 && errno == EINTR)
		;
	linking_free(linking);
}

char *amdgpu_link_close(layout_context *ctx, void *opened, const char *object, size_t size,
	size_t *length)
{
	struct layout_buffer made = { 0 }, said = { 0 };
	struct linking *linking = opened;
	bool ok;

	*length = 0;
	if (!object) {
		give_up(linking);
		return NULL;
	}
	converse_quietly(linking, object, size, &made, &said);
	ok = wait_for(ctx, linking, said.text ? said.text : "");
	if (ok && !made.length && !made.failed) {
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "the linker '%s' wrote no code object",
			linking->linker);
		ok = false;
	}
	linking_free(linking);
	free(said.text);
	*length = made.length;
	if (ok)
		return layout_buffer_take(ctx, &made);
	free(made.text);
	return NULL;
}
