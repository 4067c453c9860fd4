/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "files/output.h"
#include "files/open.h"
#include "files/pending.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static bool write_all(int file, const struct piece *pieces, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const char *data = pieces[i].data;
		size_t left = pieces[i].size;

		while (left) {
			ssize_t wrote = write(file, data, left);

			if (wrote < 0 && errno == EINTR)
				continue;
			if (wrote < 0)
				return false;
			data += wrote;
			left -= wrote;
		}
	}
	return true;
}

static bool write_stream(const struct piece *pieces, unsigned count,
	struct complaint *complaint)
{
	if (fflush(stdout) || !write_all(STDOUT_FILENO, pieces, count))
		return complain(complaint, WRONG_IO, "cannot write: %s", strerror(errno));
	return true;
}

static bool is_one(const char *a, const char *b)
{
	struct stat first, second;

	return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev &&
		first.st_ino == second.st_ino;
}

/* Where the name of a file begins in its path. */
static size_t name_at(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash + 1 - path) : 0;
}

bool output_is_same(const char *a, const char *b)
{
	size_t first = name_at(a), second = name_at(b);
	char *folder = NULL, *other = NULL;
	bool same;

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	if (is_one(a, b))
		return true;
	same = !strcmp(a + first, b + second) &&
		asprintf(&folder, "./%.*s", (int)first, a) >= 0 &&
		asprintf(&other, "./%.*s", (int)second, b) >= 0 &&
		is_one(*a == '/' ? folder + 2 : folder, *b == '/' ? other + 2 : other);
	free(folder);
	free(other);
	return same;
}

/* The name of a temporary file beside "path"; freed by the caller. */
static char *beside(const char *path)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash + 1 - path) : 0;
	char *name;

	if (asprintf(&name, "%.*s.%s.XXXXXX", folder, path, path + folder) < 0)
		return NULL;
	return name;
}

/* As what it replaces, or as open() would have made it: 0666 without the user's mask. */
static bool take_mode(int file, const char *path)
{
	mode_t mask = umask(0);
	struct stat before;

	umask(mask);
	return !fchmod(file, stat(path, &before) ? 0666 & ~mask : before.st_mode & 0777);
}

/* All of the file that is to be "path", on the disk, then closed; false with errno. */
static bool finish(int file, const char *path, const struct piece *pieces, unsigned count)
{
	bool good = write_all(file, pieces, count) && take_mode(file, path) && !fsync(file);
	int error = errno;

	if (close(file) && good)
		return false;
	errno = error;
	return good;
}

/* That the file has this name now is on the disk, too, where the folder's system can. */
static void keep_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
	int folder = name ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (folder >= 0) {
		fsync(folder);
		close(folder);
	}
	free(name);
}

/* With pending_begin() before there is a file: a signal may find the name alone. */
static bool replace_by(char *temporary, const char *path, const struct piece *pieces,
	unsigned count, struct complaint *complaint)
{
	int file;

	pending_begin(temporary);
	file = mkstemp(temporary);
	if (file >= 0 && finish(file, path, pieces, count) && !rename(temporary, path)) {
		pending_end();
		keep_name(path);
		return true;
	}
	complain(complaint, WRONG_IO, "cannot write: %s", strerror(errno));
	if (file >= 0)
		unlink(temporary);
	pending_end();
	return false;
}

static bool replace(const char *path, const struct piece *pieces, unsigned count,
	struct complaint *complaint)
{
	char *temporary = beside(path);
	bool good = temporary ?
		replace_by(temporary, path, pieces, count, complaint) :
		complain(complaint, WRONG_MEMORY, "no memory");

	free(temporary);
	return good;
}

/* A device or a pipe is written in place. */
static bool write_in_place(const char *path, const struct piece *pieces, unsigned count,
	struct complaint *complaint)
{
	int file = open_to_write(path, complaint);
	bool good;

	if (file < 0)
		return false;
	good = write_all(file, pieces, count) ||
		complain(complaint, WRONG_IO, "cannot write: %s", strerror(errno));
	close(file);
	return good;
}

/* Of a name that leads nowhere: the link is not replaced by a file. */
static bool is_link(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISLNK(status.st_mode);
}

bool output_write(const char *path, const struct piece *pieces, unsigned count,
	struct complaint *complaint)
{
	struct stat status;
	char *real;
	bool good;

	if (!strcmp(path, "-"))
		return write_stream(pieces, count, complaint);
	if (stat(path, &status) && is_link(path))
		return complain(complaint, WRONG_IO,
			"cannot write: it is a link to what does not exist");
	if (stat(path, &status))
		return replace(path, pieces, count, complaint);
	if (S_ISDIR(status.st_mode))
		return complain(complaint, WRONG_IO, "cannot write: it is a folder");
	if (!S_ISREG(status.st_mode))
		return write_in_place(path, pieces, count, complaint);
	real = access(path, W_OK) ? NULL : realpath(path, NULL);
	if (!real)
		return complain(complaint, WRONG_IO, "cannot write: %s", strerror(errno));
	good = replace(real, pieces, count, complaint);
	free(real);
	return good;
}

/* The name of the regular file that "path" is, or is to be; NULL where it is neither. */
static char *name_of_file(const char *path)
{
	struct stat status;

	if (!strcmp(path, "-"))
		return NULL;
	if (stat(path, &status))
		return is_link(path) ? NULL : strdup(path);
	return S_ISREG(status.st_mode) && !access(path, W_OK) ? realpath(path, NULL) : NULL;
}

/* Is there room for it, as far as that is known?  To try would take all there is from
 * others. */
static bool has_room(int file, size_t size)
{
	struct statvfs system;

	return fstatvfs(file, &system) || size / system.f_frsize < system.f_bavail;
}

/* Room on the disk for all of it: else there may be none when its memory is written. */
static bool take_room(int file, size_t size)
{
	if (!fallocate(file, 0, 0, (off_t)size))
		return true;
	return errno == EOPNOTSUPP && !ftruncate(file, (off_t)size);
}

static void forget(struct output *output)
{
	if (output->file >= 0) {
		unlink(output->temporary);
		close(output->file);
	}
	pending_end();
	free(output->temporary);
	free(output->path);
	*output = (struct output){ .file = -1 };
}

bool output_begin(struct output *output, const char *path, size_t size,
	struct complaint *complaint)
{
	void *map = MAP_FAILED;

	*output = (struct output){ .path = name_of_file(path), .file = -1, .size = size };
	if (!output->path)
		return true;
	output->temporary = beside(output->path);
	if (!output->temporary) {
		free(output->path);
		output->path = NULL;
		return complain(complaint, WRONG_MEMORY, "no memory");
	}
	pending_begin(output->temporary);
	output->file = mkstemp(output->temporary);
	if (output->file >= 0 && !has_room(output->file, size)) {
		forget(output);
		return true;
	}
	if (output->file >= 0 && take_room(output->file, size))
		map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, output->file, 0);
	if (map != MAP_FAILED) {
		output->map = map;
		return true;
	}
	complain(complaint, WRONG_IO, "cannot write: %s", strerror(errno));
	forget(output);
	return false;
}

bool output_finish(struct output *output, struct complaint *complaint)
{
	bool good;

	if (!output->map)
		return true;
	good = !msync(output->map, output->size, MS_SYNC) && take_mode(output->file, output->path) &&
		!fsync(output->file) && !rename(output->temporary, output->path);
	if (!good)
		complain(complaint, WRONG_IO, "cannot write: %s", strerror(errno));
	munmap(output->map, output->size);
	if (good) {
		pending_end();
		keep_name(output->path);
		close(output->file);
		output->file = -1;
	}
	forget(output);
	return good;
}

void output_drop(struct output *output)
{
	if (!output->map)
		return;
	munmap(output->map, output->size);
	forget(output);
}
