/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library to preload: one call of a program fails on purpose.
 *
 *	LAYOUT_TEST_FAULT	FUNCTION:N:ERROR, the N-th call of write, say, with the
 *				number ERROR as errno; or -1: of half of what was asked
 *	LAYOUT_TEST_FIRED	a file that is there then
 *
 * Only calls that the code of the program and of liblayout makes count, until the program
 * ends: one with counters for coverage writes them then.
 * Standard output is a stream here, whose writes are those of "stdout". */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define HALF (-1)

static struct {
	char function[16];
	long nth, seen;
	int error;
} fault;

/* Where code is whose calls count. */
static struct range {
	uintptr_t begin, end;
} ours[8];
static unsigned our_count;
static bool over;

static int find_ours(struct dl_phdr_info *info, size_t size, void *user)
{
	(void)size;
	(void)user;
	if (*info->dlpi_name && !strstr(info->dlpi_name, "/liblayout"))
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum && our_count < 8; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && part->p_flags & PF_X)
			ours[our_count++] = (struct range){ begin, begin + part->p_memsz };
	}
	return 0;
}

static bool is_ours(const void *caller)
{
	for (unsigned i = 0; i < our_count && !over; i++)
		if ((uintptr_t)caller >= ours[i].begin && (uintptr_t)caller < ours[i].end)
			return true;
	return false;
}

/* 0 where the call goes through, else the error, or HALF. */
static int fires(const char *function)
{
	const char *fired = getenv("LAYOUT_TEST_FIRED");

	if (strcmp(fault.function, function) || ++fault.seen != fault.nth)
		return 0;
	if (fired)
		syscall(SYS_close, syscall(SYS_open, fired, O_CREAT | O_WRONLY, 0600));
	return fault.error;
}

static int fires_for(const char *function, const void *caller)
{
	return is_ours(caller) ? fires(function) : 0;
}

#define CALLER __builtin_return_address(0)

/* Of a call that answers -1 and an errno. */
static bool failed(int error)
{
	if (error > 0)
		errno = error;
	return error > 0;
}

ssize_t write(int file, const void *data, size_t size)
{
	int error = fires_for("write", CALLER);

	if (failed(error))
		return -1;
	return syscall(SYS_write, file, data, error == HALF ? (size + 1) / 2 : size);
}

ssize_t read(int file, void *data, size_t size)
{
	int error = fires_for("read", CALLER);

	if (failed(error))
		return -1;
	return syscall(SYS_read, file, data, error == HALF ? (size + 1) / 2 : size);
}

int open(const char *path, int how, ...)
{
	if (failed(fires_for("open", CALLER)))
		return -1;
	return (int)syscall(SYS_open, path, how, 0666);
}

ssize_t readlink(const char *path, char *into, size_t size)
{
	return failed(fires_for("readlink", CALLER)) ? -1 :
		syscall(SYS_readlink, path, into, size);
}

int mkstemp(char *name)
{
	char *end = name + strlen(name) - 6;

	if (failed(fires_for("mkstemp", CALLER)))
		return -1;
	memcpy(end, "abcdef", 6);
	return (int)syscall(SYS_open, name, O_RDWR | O_CREAT | O_EXCL, 0600);
}

int fsync(int file)
{
	return failed(fires_for("fsync", CALLER)) ? -1 : (int)syscall(SYS_fsync, file);
}

int fchmod(int file, mode_t mode)
{
	return failed(fires_for("fchmod", CALLER)) ? -1 :
		(int)syscall(SYS_fchmod, file, mode);
}

/* The file is closed all the same. */
int close(int file)
{
	int error = fires_for("close", CALLER);
	int result = (int)syscall(SYS_close, file);

	return failed(error) ? -1 : result;
}

int rename(const char *from, const char *to)
{
	return failed(fires_for("rename", CALLER)) ? -1 :
		(int)syscall(SYS_rename, from, to);
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
	if (failed(fires_for("mmap", CALLER)))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}

int pipe2(int both[2], int flags)
{
	return failed(fires_for("pipe2", CALLER)) ? -1 :
		(int)syscall(SYS_pipe2, both, flags);
}

int fcntl(int file, int command, ...)
{
	va_list list;
	void *argument;

	va_start(list, command);
	argument = va_arg(list, void *);
	va_end(list);
	return failed(fires_for("fcntl", CALLER)) ? -1 :
		(int)syscall(SYS_fcntl, file, command, argument);
}

int poll(struct pollfd *polled, nfds_t count, int milliseconds)
{
	return failed(fires_for("poll", CALLER)) ? -1 :
		(int)syscall(SYS_poll, polled, count, milliseconds);
}

pid_t waitpid(pid_t child, int *status, int flags)
{
	return failed(fires_for("waitpid", CALLER)) ? -1 :
		(pid_t)syscall(SYS_wait4, child, status, flags, NULL);
}

/* Answers its error, and glibc's is behind this one. */
int posix_spawnp(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const *args, char *const *environment)
{
	int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
		const posix_spawnattr_t *, char *const *, char *const *);
	int error = fires_for("spawn", CALLER);

	if (error > 0)
		return error;
	*(void **)&spawn = dlsym(RTLD_NEXT, "posix_spawnp");
	return spawn(child, path, actions, attributes, args, environment);
}

/* What the program's destructors begin with. */
void __cxa_finalize(void *of);
void __cxa_finalize(void *of)
{
	void (*finalize)(void *);

	over = true;
	*(void **)&finalize = dlsym(RTLD_NEXT, "__cxa_finalize");
	finalize(of);
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
	return failed(fires_for("malloc", CALLER)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return failed(fires_for("malloc", CALLER)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return failed(fires_for("malloc", CALLER)) ? NULL : __libc_realloc(block, size);
}

char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = failed(fires_for("malloc", CALLER)) ? NULL : __libc_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

/* A stream's write function answers 0 for an error. */
static ssize_t write_stdout(void *user, const char *data, size_t size)
{
	int error = fires("stdout");

	(void)user;
	if (failed(error))
		return 0;
	return syscall(SYS_write, STDOUT_FILENO, data, error == HALF ? (size + 1) / 2 : size);
}

static char buffer[64];

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("LAYOUT_TEST_FAULT");
	cookie_io_functions_t functions = { .write = write_stdout };

	if (!text || sscanf(text, "%15[^:]:%ld:%d", fault.function, &fault.nth,
	    &fault.error) != 3)
		return;
	dl_iterate_phdr(find_ours, NULL);
	if (strcmp(fault.function, "stdout"))
		return;
	stdout = fopencookie(NULL, "w", functions);
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}
