/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "files/npy.h"
#include "files/npy_header.h"
#include "files/open.h"
#include "files/output.h"
#include "files/pending.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ONE_READ ((size_t)1 << 20)

/* Smaller arrays are made in memory. */
#define LARGE_BYTES ((size_t)64 << 20)

bool npy_count(const struct npy *array, int64_t *count)
{
	bool overflow = false;

	*count = 1;
	for (unsigned d = 0; d < array->rank; d++) {
		if (!array->shape[d]) {
			*count = 0;
			return true;
		}
		overflow |= __builtin_mul_overflow(*count, array->shape[d], count);
	}
	return !overflow;
}

void npy_type_str(const struct npy *array, char text[8])
{
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	char order = little ? '<' : '>';

	snprintf(text, 8, "%c%c%u",
		(array->element_bytes == 1 && array->kind != 'f') || array->kind == 'V' ?
		'|' : order,
		array->kind, array->element_bytes % 10);
}

static void *get_memory(size_t bytes, struct complaint *complaint)
{
	void *map = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map != MAP_FAILED)
		return map;
	complain(complaint, WRONG_MEMORY, "no memory for %zu bytes", bytes);
	return NULL;
}

/* Let "memory" be the array's elements. */
static void adopt(struct npy *array, void *memory, size_t bytes)
{
	npy_release(array);
	array->data = array->map = memory;
	array->bytes = bytes;
	array->map_bytes = bytes ? bytes : 1;
}

static bool byte_size(const struct npy *array, size_t *bytes, struct complaint *complaint)
{
	int64_t count;

	*bytes = 0;
	if (!npy_count(array, &count) ||
		__builtin_mul_overflow(count, array->element_bytes, bytes))
		return complain(complaint, WRONG_CONTENT,
			"the shape has too many elements");
	return true;
}

bool npy_allocate(struct npy *array, struct complaint *complaint)
{
	size_t bytes;
	void *memory;

	if (!byte_size(array, &bytes, complaint))
		return false;
	memory = get_memory(bytes, complaint);
	if (!memory)
		return false;
	adopt(array, memory, bytes);
	return true;
}

/* Let the array be the end of a file that begins with its header. */
static bool make_file(struct npy *array, const char *path, size_t bytes,
	struct complaint *complaint)
{
	size_t length;
	char *header = npy_header_write(array, &length);
	bool good;

	if (!header)
		return complain(complaint, WRONG_MEMORY, "no memory");
	good = output_begin(&array->output, path, length + bytes, complaint);
	if (array->output.map) {
		memcpy(array->output.map, header, length);
		array->data = (char *)array->output.map + length;
		array->bytes = bytes;
	}
	free(header);
	return good;
}

bool npy_create(struct npy *array, const char *path, struct complaint *complaint)
{
	size_t bytes;

	if (!byte_size(array, &bytes, complaint) || (bytes >= LARGE_BYTES &&
	    !make_file(array, path, bytes, complaint)))
		return false;
	return array->output.map || npy_allocate(array, complaint);
}

/* The whole of a pipe, in memory that free() returns. */
static bool slurp(int file, char **content, size_t *size,
	struct complaint *complaint)
{
	ssize_t got = 1;

	for (*content = NULL, *size = 0; got > 0; *size += got) {
		char *grown = realloc(*content, *size + ONE_READ);

		if (!grown)
			return complain(complaint, WRONG_MEMORY, "no memory to read it");
		*content = grown;
		do
			got = read(file, *content + *size, ONE_READ);
		while (got < 0 && errno == EINTR);
		if (got < 0)
			return complain(complaint, WRONG_IO, "cannot read: %s",
				strerror(errno));
	}
	return true;
}

/* Put the bytes of a pipe where those of a mapped file would be. */
static bool read_pipe(struct npy *array, int file, struct complaint *complaint)
{
	char *content = NULL;
	size_t size;
	void *memory;
	bool good = slurp(file, &content, &size, complaint);

	memory = good ? get_memory(size, complaint) : NULL;
	if (memory) {
		memcpy(memory, content, size);
		adopt(array, memory, size);
	}
	free(content);
	return memory;
}

static bool map_file(struct npy *array, int file, size_t size,
	struct complaint *complaint)
{
	void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);

	if (map == MAP_FAILED)
		return complain(complaint, WRONG_IO, "cannot read: %s", strerror(errno));
	pending_explain_cut_files();
	adopt(array, map, size);
	return true;
}

static bool load(struct npy *array, const char *path, struct complaint *complaint)
{
	bool is_stdin = !strcmp(path, "-");
	int file = is_stdin ? STDIN_FILENO : open_to_read(path, complaint);
	struct stat status;
	bool good;

	if (file < 0)
		return false;
	if (fstat(file, &status))
		good = complain(complaint, WRONG_IO, "cannot read: %s", strerror(errno));
	else if (S_ISREG(status.st_mode) && status.st_size > 0 && !is_stdin)
		good = map_file(array, file, status.st_size, complaint);
	else
		good = read_pipe(array, file, complaint);
	if (!is_stdin)
		close(file);
	return good;
}

/* Copy, each element's bytes the other way round if "reverse". */
static void copy_elements(unsigned char *to, const unsigned char *from, size_t bytes,
	unsigned element_bytes, bool reverse)
{
	if (!reverse) {
		memcpy(to, from, bytes);
		return;
	}
	for (size_t i = 0; i < bytes; i += element_bytes)
		for (unsigned b = 0; b < element_bytes; b++)
			to[i + b] = from[i + element_bytes - 1 - b];
}

/* The elements begin at "start" of the loaded file.  They are used in place if
 * this machine can. */
static bool find_elements(struct npy *array, size_t start, bool foreign,
	struct complaint *complaint)
{
	unsigned char *first = (unsigned char *)array->map + start;
	size_t bytes, there = array->bytes - start;
	void *memory;

	if (!byte_size(array, &bytes, complaint))
		return false;
	if (there < bytes)
		return complain(complaint, WRONG_IO,
			"cut short: %zu bytes of elements where the shape says %zu",
			there, bytes);
	if (there > bytes)
		return complain(complaint, WRONG_CONTENT,
			"too long: %zu bytes of elements where the shape says %zu",
			there, bytes);
	array->data = first;
	array->bytes = bytes;
	if (!foreign && (uintptr_t)first % NPY_ALIGN == 0)
		return true;
	memory = get_memory(bytes, complaint);
	if (!memory)
		return false;
	copy_elements(memory, first, bytes, array->element_bytes, foreign);
	adopt(array, memory, bytes);
	return true;
}

bool npy_read(struct npy *array, const char *path, struct complaint *complaint)
{
	size_t start;
	bool foreign;

	memset(array, 0, sizeof(*array));
	return load(array, path, complaint) &&
		npy_header_read(array, array->map, array->bytes, &start, &foreign,
			complaint) &&
		find_elements(array, start, foreign, complaint);
}

/* Copy the elements of a C-ordered array of "shape" so that the first index is
 * the fastest. */
static void reverse_order(const struct npy *array, const int64_t *shape, char *to)
{
	const char *from = array->data;
	unsigned bytes = array->element_bytes;
	int64_t index[NPY_MAX_RANK] = { 0 }, step[NPY_MAX_RANK];
	int64_t at = 0, count, stride = 1;

	npy_count(array, &count);
	for (unsigned d = 0; d < array->rank; d++) {
		step[d] = stride;
		stride *= shape[d];
	}
	for (int64_t i = 0; i < count; i++) {
		memcpy(to + at * bytes, from + i * bytes, bytes);
		for (unsigned d = array->rank; d-- > 0;) {
			at += step[d];
			if (++index[d] < shape[d])
				break;
			at -= shape[d] * step[d];
			index[d] = 0;
		}
	}
}

/* A Fortran-ordered array is the C-ordered one of the reversed shape, so both
 * directions are one copy. */
bool npy_reorder(struct npy *array, struct complaint *complaint)
{
	int64_t shape[NPY_MAX_RANK];
	unsigned rank = array->rank;
	size_t bytes = array->bytes;
	void *memory = get_memory(bytes, complaint);

	if (!memory)
		return false;
	for (unsigned d = 0; d < rank; d++)
		shape[d] = array->shape[array->fortran ? rank - 1 - d : d];
	reverse_order(array, shape, memory);
	adopt(array, memory, bytes);
	array->fortran = !array->fortran;
	return true;
}

bool npy_write(struct npy *array, const char *path, struct complaint *complaint)
{
	size_t length;
	char *header;
	struct piece pieces[2];
	bool good;

	if (array->output.map)
		return output_finish(&array->output, complaint);
	header = npy_header_write(array, &length);
	pieces[0] = (struct piece){ header, length };
	pieces[1] = (struct piece){ array->data, array->bytes };
	if (!header)
		return complain(complaint, WRONG_MEMORY, "no memory");
	good = output_write(path, pieces, 2, complaint);
	free(header);
	return good;
}

void npy_release(struct npy *array)
{
	output_drop(&array->output);
	if (array->map)
		munmap(array->map, array->map_bytes);
	array->map = array->data = NULL;
	array->map_bytes = array->bytes = 0;
}
