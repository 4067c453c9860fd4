/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code objects: ld.lld run on a folder of our own, which goes away again. */
#include "amdgpu/code/amdgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct workspace {
	char folder[PATH_MAX];
	char object[PATH_MAX + 16];
	char output[PATH_MAX + 16];
};

static bool workspace_open(layout_context *ctx, struct workspace *workspace)
{
	const char *parent = getenv("TMPDIR");
	int length;

	if (!parent || !*parent)
		parent = "/tmp";
	length = snprintf(workspace->folder, sizeof(workspace->folder),
		"%s/liblayout-XXXXXX", parent);
	if (length < 0 || (size_t)length >= sizeof(workspace->folder) ||
	    !mkdtemp(workspace->folder)) {
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "no temporary folder in '%s': %s",
			parent, strerror(errno));
		return false;
	}
	snprintf(workspace->object, sizeof(workspace->object), "%s/kernel.o",
		workspace->folder);
	snprintf(workspace->output, sizeof(workspace->output), "%s/kernel.hsaco",
		workspace->folder);
	return true;
}

static void workspace_close(struct workspace *workspace)
{
	unlink(workspace->object);
	unlink(workspace->output);
	rmdir(workspace->folder);
}

static bool write_file(layout_context *ctx, const char *path, const char *bytes,
	size_t size)
{
	FILE *file = fopen(path, "wbe");
	bool ok = file && fwrite(bytes, 1, size, file) == size;

	if (file && fclose(file))
		ok = false;
	if (!ok)
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "cannot write '%s': %s", path,
			strerror(errno));
	return ok;
}

/* Append all that can be read; false with errno. */
static bool drain(int fd, struct layout_buffer *into)
{
	char chunk[4096];
	ssize_t count;

	while ((count = read(fd, chunk, sizeof(chunk)))) {
		if (count > 0)
			layout_buffer_append(into, chunk, (size_t)count);
		else if (errno != EINTR)
			return false;
	}
	return true;
}

static char *read_file(layout_context *ctx, const char *path, size_t *length)
{
	struct layout_buffer content = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && drain(fd, &content);

	if (!ok)
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "cannot read '%s': %s", path,
			strerror(errno));
	if (fd >= 0)
		close(fd);
	*length = content.length;
	if (ok)
		return layout_buffer_take(ctx, &content);
	free(content.text);
	return NULL;
}

static const char *find_linker(const layout_kernel *kernel)
{
	const char *named = getenv("LAYOUT_LD_LLD");

	if (kernel->linker)
		return kernel->linker;
	return named && *named ? named : LAYOUT_LD_LLD;
}

/* Start the linker with nothing to read, and what it says going to "out". */
static int start(const char *linker, const struct workspace *workspace, int out,
	pid_t *pid)
{
	const char *const args[] = { linker, "-shared", "--no-undefined", "-o",
		workspace->output, workspace->object, NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
		O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
	if (!error)
		error = posix_spawnp(pid, linker, &actions, NULL,
			(char *const *)(uintptr_t)args, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static bool wait_for(layout_context *ctx, const char *linker, pid_t pid, const char *said)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno == EINTR)
			continue;
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "lost the linker '%s': %s", linker,
			strerror(errno));
		return false;
	}
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	if (WIFEXITED(status))
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "the linker '%s' failed (%d): %.*s",
			linker, WEXITSTATUS(status), (int)strcspn(said, "\n"), said);
	else
		layout_fail(ctx, LAYOUT_ERROR_IO, -1,
			"the linker '%s' ended by signal %d", linker, WTERMSIG(status));
	return false;
}

static bool run_linker(layout_context *ctx, const char *linker,
	const struct workspace *workspace)
{
	struct layout_buffer said = { 0 };
	int ends[2], error;
	pid_t pid;
	bool ok;

	if (pipe2(ends, O_CLOEXEC)) {
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "no pipe to the linker '%s': %s",
			linker, strerror(errno));
		return false;
	}
	error = start(linker, workspace, ends[1], &pid);
	close(ends[1]);
	if (error) {
		close(ends[0]);
		layout_fail(ctx, LAYOUT_ERROR_IO, -1, "cannot run the linker '%s': %s",
			linker, strerror(error));
		return false;
	}
	drain(ends[0], &said);
	close(ends[0]);
	ok = wait_for(ctx, linker, pid, said.text ? said.text : "");
	free(said.text);
	return ok;
}

char *amdgpu_link(layout_context *ctx, const layout_kernel *kernel,
	const char *object, size_t size, size_t *length)
{
	struct workspace workspace;
	char *output = NULL;

	if (!workspace_open(ctx, &workspace))
		return NULL;
	if (write_file(ctx, workspace.object, object, size) &&
	    run_linker(ctx, find_linker(kernel), &workspace))
		output = read_file(ctx, workspace.output, length);
	workspace_close(&workspace);
	return output;
}
