/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A file an entry, which its key names:
 *
 *	head	what it is, how long its parts are, and the sum of all behind the sum
 *	key	as text, with its 0 byte
 *	bytes
 *
 * A file is written under another name and then gets its own, so that it is whole or not
 * there.  Files are opened below the folder that was looked at, and looked at once they are
 * open: what others exchange in between is noticed. */
#include "host/code/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "layout code 1\n\0"
#define NAME_DIGITS 32
#define NOTED_FOR 3600		/* seconds after which a use is noted again */

struct head {
	char magic[16];
	uint64_t sum;
	uint64_t key_bytes, bytes;
};

/* FNV-1a: no byte can change alone without the sum. */
static uint64_t sum_of(const void *bytes, size_t length, uint64_t sum)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < length; i++)
		sum = (sum ^ at[i]) * 0x100000001b3u;
	return sum;
}

char *disk_folder(void)
{
	const char *off = getenv("LAYOUT_CACHE"), *base = getenv("XDG_CACHE_HOME"), *home;
	char *folder = NULL;
	int length;

	if ((off && !strcmp(off, "off")) || getauxval(AT_SECURE))
		return NULL;
	home = getenv("HOME");
	if (base && *base == '/')
		length = asprintf(&folder, "%s/layout", base);
	else if (home && *home == '/')
		length = asprintf(&folder, "%s/.cache/layout", home);
	else
		return NULL;
	return length < 0 ? NULL : folder;
}

/* Is it the user's, so that nobody else may write to it? */
static bool is_own(int file, mode_t type, struct stat *status)
{
	return !fstat(file, status) && (status->st_mode & S_IFMT) == type &&
		status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* All folders on the way, for this user alone. */
static void make_folders(char *path)
{
	for (char *at = path + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(path, 0700);
		*at = '/';
	}
	mkdir(path, 0700);
}

static int open_folder(bool make)
{
	const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	char *path = disk_folder();
	struct stat status;
	int folder = path ? open(path, how) : -1;

	if (path && folder < 0 && make && errno == ENOENT) {
		make_folders(path);
		folder = open(path, how);
	}
	free(path);
	if (folder < 0 || is_own(folder, S_IFDIR, &status))
		return folder;
	close(folder);
	return -1;
}

static void write_name(char name[NAME_DIGITS + 1], const char *key)
{
	size_t length = strlen(key);

	snprintf(name, NAME_DIGITS + 1, "%016llx%016llx",
		(unsigned long long)sum_of(key, length, 0xcbf29ce484222325u),
		(unsigned long long)sum_of(key, length, 0x9ae16a3b2f90404fu));
}

/* All of a file of ours; NULL where it is not one. */
static char *read_file(int folder, const char *name, size_t *length)
{
	int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char *bytes = NULL;
	size_t have = 0;
	ssize_t got = 1;

	if (file < 0)
		return NULL;
	if (is_own(file, S_IFREG, &status) && status.st_size > (off_t)sizeof(struct head) &&
	    status.st_size <= (off_t)DISK_MOST_BYTES)
		bytes = malloc((size_t)status.st_size);
	*length = bytes ? (size_t)status.st_size : 0;
	while (have < *length && got > 0) {
		got = read(file, bytes + have, *length - have);
		have += got > 0 ? (size_t)got : 0;
	}
	if (bytes && status.st_mtime < time(NULL) - NOTED_FOR)
		futimens(file, NULL);
	close(file);
	if (bytes && have == *length)
		return bytes;
	free(bytes);
	return NULL;
}

static bool is_whole(const char *file, size_t length, const char *key)
{
	struct head head;

	memcpy(&head, file, sizeof(head));
	return !memcmp(head.magic, MAGIC, sizeof(head.magic)) &&
		head.key_bytes == strlen(key) + 1 && head.key_bytes <= length - sizeof(head) &&
		head.bytes == length - sizeof(head) - head.key_bytes &&
		head.sum == sum_of(file + offsetof(struct head, key_bytes),
			length - offsetof(struct head, key_bytes), 0) &&
		!memcmp(file + sizeof(head), key, head.key_bytes);
}

char *disk_read(const char *key, size_t *length)
{
	char name[NAME_DIGITS + 1], *file = NULL;
	int folder = open_folder(false);
	size_t all, before = sizeof(struct head) + strlen(key) + 1;

	if (folder < 0)
		return NULL;
	write_name(name, key);
	file = read_file(folder, name, &all);
	close(folder);
	if (file && is_whole(file, all, key)) {
		*length = all - before;
		memmove(file, file + before, *length);
		return file;
	}
	free(file);
	return NULL;
}

static bool write_all(int file, const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length) {
		ssize_t wrote = write(file, at, length);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return false;
		at += wrote;
		length -= (size_t)wrote;
	}
	return true;
}

/* An entry, or one that was not finished: ".NAME.NUMBER". */
static bool is_entry(const char *name)
{
	const char *digits = *name == '.' ? name + 1 : name;
	size_t length = strspn(digits, "0123456789abcdef");

	return length == NAME_DIGITS && (*name == '.' ? digits[length] == '.' :
		!digits[length]);
}

struct entry {
	char name[64];
	struct timespec used;
	uint64_t bytes;
};

/* All that is there, in a list to be freed. */
static struct entry *list_entries(int folder, size_t *count)
{
	struct entry *list = NULL;
	struct dirent *row;
	size_t room = 0;
	DIR *rows;
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*count = 0;
	rows = copy < 0 ? NULL : fdopendir(copy);
	if (copy >= 0 && !rows)
		close(copy);
	while (rows && (row = readdir(rows))) {
		struct stat status;

		if (!is_entry(row->d_name) || strlen(row->d_name) >= sizeof(list->name) ||
		    fstatat(folder, row->d_name, &status, AT_SYMLINK_NOFOLLOW))
			continue;
		if (*count == room) {
			struct entry *more = realloc(list, (room = 2 * room + 64) * sizeof(*list));

			if (!more)
				break;
			list = more;
		}
		strcpy(list[*count].name, row->d_name);
		list[*count].used = status.st_mtim;
		list[(*count)++].bytes = (uint64_t)status.st_size;
	}
	if (rows)
		closedir(rows);
	return list;
}

static int by_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct entry *)a)->used;
	const struct timespec *y = &((const struct entry *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Where there is too much, a quarter of what there may be is free again. */
static void make_room(int folder)
{
	size_t count, left;
	struct entry *list = list_entries(folder, &count);
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += list[i].bytes;
	left = count;
	if (list && (bytes > DISK_MOST_BYTES || count > DISK_MOST_ENTRIES)) {
		qsort(list, count, sizeof(*list), by_use);
		for (size_t i = 0; i < count && (bytes > DISK_MOST_BYTES / 4 * 3 ||
		     left > DISK_MOST_ENTRIES / 4 * 3); i++, left--) {
			unlinkat(folder, list[i].name, 0);
			bytes -= list[i].bytes;
		}
	}
	free(list);
}

/* A name that no other process has. */
static int make_file(int folder, const char *name, char *temporary, size_t size)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(temporary, size, ".%s.%lx%lx", name, (long)getpid(), now.tv_nsec);
	return openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		0600);
}

static void write_entry(int folder, const char *name, const struct head *head,
	const char *key, const char *bytes)
{
	char temporary[64];
	int file = make_file(folder, name, temporary, sizeof(temporary));
	bool whole;

	if (file < 0)
		return;
	whole = write_all(file, head, sizeof(*head)) &&
		write_all(file, key, head->key_bytes) && write_all(file, bytes, head->bytes);
	whole = !close(file) && whole;
	if (!whole || renameat(folder, temporary, folder, name))
		unlinkat(folder, temporary, 0);
}

void disk_write(const char *key, const char *bytes, size_t length)
{
	struct head head = { .key_bytes = strlen(key) + 1, .bytes = length };
	char name[NAME_DIGITS + 1];
	int folder = length < DISK_MOST_BYTES / 8 ? open_folder(true) : -1;

	if (folder < 0)
		return;
	memcpy(head.magic, MAGIC, sizeof(head.magic));
	head.sum = sum_of(&head.key_bytes, sizeof(head) - offsetof(struct head, key_bytes), 0);
	head.sum = sum_of(key, head.key_bytes, head.sum);
	head.sum = sum_of(bytes, length, head.sum);
	write_name(name, key);
	write_entry(folder, name, &head, key, bytes);
	make_room(folder);
	close(folder);
}

void disk_measure(uint64_t *entries, uint64_t *bytes)
{
	int folder = open_folder(false);
	struct entry *list;
	size_t count = 0;

	*entries = *bytes = 0;
	if (folder < 0)
		return;
	list = list_entries(folder, &count);
	for (size_t i = 0; i < count; i++)
		*bytes += list[i].bytes;
	*entries = count;
	free(list);
	close(folder);
}

bool disk_clear(void)
{
	int folder = open_folder(false);
	struct entry *list;
	size_t count = 0;
	bool all = true;

	if (folder < 0)
		return true;
	list = list_entries(folder, &count);
	for (size_t i = 0; i < count; i++)
		all = (!unlinkat(folder, list[i].name, 0) || errno == ENOENT) && all;
	free(list);
	close(folder);
	return all;
}
