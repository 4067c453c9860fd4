/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/arrays.h"
#include "layoutc/report.h"
#include "layoutc/subject.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(NPY_MAX_RANK >= LAYOUT_STORAGE_SLOTS, "an array holds any storage");

/* Is its memory an array of the logical shape? */
static bool is_dense(layout_storage *storage)
{
	layout_storage_kind kind = layout_storage_get_kind(storage);

	return kind == LAYOUT_STORAGE_ROW_MAJOR || kind == LAYOUT_STORAGE_COL_MAJOR;
}

/* Is its memory an array of bytes, since numpy has no such elements? */
static bool is_packed_bits(const struct memory *memory)
{
	return memory->bits % 8;
}

static unsigned bytes_of(const struct memory *memory)
{
	return (memory->bits + 7) / 8;
}

/* The kinds of element that numpy may call a type of ours, the usual one first. */
static const char *kinds_of(const struct memory *memory)
{
	const char *type = memory->type;

	if (!strcmp(type, "f8E5M2"))
		return "uVf";
	if (!strncmp(type, "f8", 2) || !strcmp(type, "bf16") || is_packed_bits(memory))
		return "uV";
	if (!strcmp(type, "i1"))
		return "buiV";
	if (type[0] == 'i' && !memory->counts)
		return "iubV";
	return type[0] == 'i' || type[0] == 's' ? "iV" : type[0] == 'u' ? "ubV" : "fV";
}

static int check_type(const struct memory *memory, const char *path)
{
	const struct npy *array = &memory->array;
	bool same_bytes = array->element_bytes == bytes_of(memory);
	const char *type = memory->type;
	char text[8];

	if (strchr(kinds_of(memory), array->kind) && same_bytes)
		return 0;
	npy_type_str(array, text);
	if (array->kind == 'u' && type[0] == 'i' && type[1] != 'n' && same_bytes)
		return report(STATUS_USAGE, path, "elements are '%s' where the %s has %s, "
			"which converts as a signed type: say u%s for an unsigned one",
			text, memory->of, type, type + 1);
	return report(STATUS_USAGE, path, "elements are '%s' where the %s has %s", text,
		memory->of, type);
}

/* "(255, 513)" in "text". */
static const char *shape_str(const int64_t *shape, unsigned rank, char *text,
	size_t size)
{
	size_t at = snprintf(text, size, "(");

	for (unsigned d = 0; d < rank && at < size; d++)
		at += snprintf(text + at, size - at, "%s%" PRId64, d ? ", " : "",
			shape[d]);
	if (at < size)
		snprintf(text + at, size - at, rank == 1 ? ",)" : ")");
	return text;
}

static int wrong_shape(const struct memory *memory, const char *path,
	const int64_t *shape, unsigned rank)
{
	char there[160], wanted[160];

	return report(STATUS_USAGE, path, "shape %s where the %s has %s",
		shape_str(memory->array.shape, memory->array.rank, there, sizeof(there)),
		memory->name, shape_str(shape, rank, wanted, sizeof(wanted)));
}

static bool same_shape(const struct npy *array, const int64_t *shape, unsigned rank)
{
	return array->rank == rank &&
		(!rank || !memcmp(array->shape, shape, rank * sizeof(*shape)));
}

static bool is_name(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return !*text;
}

/* Let the array's shape say what the names among the storage's sizes are.  Sizes
 * that are no mere name are checked once all names are known. */
static int bind_sizes(struct job *job, const struct memory *memory, const char *path)
{
	unsigned rank = layout_storage_rank(memory->storage);

	if (memory->array.rank != rank)
		return report(STATUS_USAGE, path, "has %u dimensions where the %s has %u",
			memory->array.rank, memory->name, rank);
	for (unsigned d = 0; d < rank; d++) {
		const char *name = layout_storage_size(memory->storage, d);
		int64_t value = memory->array.shape[d];
		const layout_size *known = find_size(job->sizes, job->size_count, name);

		if (known && known->value != value)
			return report(STATUS_USAGE, path,
				"dimension %u is %" PRId64 " where %s = %" PRId64,
				d, value, name, known->value);
		if (!known && is_name(name))
			job->sizes[job->size_count++] = (layout_size){ name, value };
	}
	return 0;
}

int job_check(const struct job *job, const char *(*name)(void *of, unsigned i), void *of)
{
	const char *size;

	for (unsigned i = 0; (size = name(of, i)); i++)
		if (!find_size(job->sizes, job->size_count, size))
			return report(STATUS_USAGE, "-D", "the size '%s' is not known; "
				"give it with -D %s=VALUE", size, size);
	return 0;
}

static int64_t shape_elements(const int64_t *shape, unsigned rank)
{
	struct npy array = { .rank = rank };
	int64_t count;

	memcpy(array.shape, shape, rank * sizeof(*shape));
	return npy_count(&array, &count) ? count : -1;
}

/* A storage's elements as an array: the logical tensor, C or Fortran ordered; a packed
 * one's slots; a strided one's elements in a row.  Its rank, or -1 with an error on
 * the context. */
static int element_shape(const struct job *job, layout_storage *storage,
	int64_t shape[NPY_MAX_RANK])
{
	if (is_dense(storage))
		return layout_storage_shape(storage, job->sizes, job->size_count, shape) ?
			(int)layout_storage_rank(storage) : -1;
	return layout_storage_memory_shape(storage, job->sizes, job->size_count, shape);
}

/* The same of its memory: bytes in a row where elements are less.  Too many are more
 * than any array has. */
static int array_shape(const struct job *job, const struct memory *memory,
	int64_t shape[NPY_MAX_RANK])
{
	int rank = element_shape(job, memory->storage, shape);
	int64_t elements;

	if (rank < 0 || !is_packed_bits(memory))
		return rank;
	elements = shape_elements(shape, (unsigned)rank);
	shape[0] = elements < 0 ? INT64_MAX :
		elements / 8 * memory->bits + (elements % 8 * memory->bits + 7) / 8;
	return 1;
}

int memory_fit(struct job *job, struct memory *memory, const char *path)
{
	layout_storage_kind kind = layout_storage_get_kind(memory->storage);
	struct npy *array = &memory->array;
	bool fortran = kind == LAYOUT_STORAGE_COL_MAJOR, flat;
	struct complaint complaint;
	int64_t shape[NPY_MAX_RANK];
	int rank = array_shape(job, memory, shape);

	if (rank < 0)
		return report_error(job->ctx, path);
	flat = kind == LAYOUT_STORAGE_PACKED && array->rank == 1 &&
		array->shape[0] == shape_elements(shape, rank);
	if (!flat && !same_shape(array, shape, rank))
		return wrong_shape(memory, path, shape, rank);
	if (array->rank > 1 && array->fortran != fortran &&
		!npy_reorder(array, &complaint))
		return report_file(path, &complaint);
	return 0;
}

int memory_read(struct job *job, struct memory *memory, const char *path)
{
	struct complaint complaint;
	int status;

	if (!npy_read(&memory->array, path, &complaint))
		return report_file(path, &complaint);
	status = check_type(memory, path);
	if (!status && is_dense(memory->storage) && !is_packed_bits(memory))
		status = bind_sizes(job, memory, path);
	return status;
}

/* Gaps between strides are not the kernel's to write. */
static void fill_with(struct npy *array, uint64_t bits)
{
	unsigned bytes = array->element_bytes;
	union {
		uint8_t one;
		uint16_t two;
		uint32_t four;
		uint64_t eight;
	} pad = { .eight = 0 };

	switch (bytes) {
	case 1:
		pad.one = bits;
		break;
	case 2:
		pad.two = bits;
		break;
	case 4:
		pad.four = bits;
		break;
	default:
		pad.eight = bits;
	}
	for (size_t at = 0; bits && at < array->bytes; at += bytes)
		memcpy((char *)array->data + at, &pad, bytes);
}

int memory_make(struct job *job, struct memory *memory, char kind, uint64_t pad,
	const char *path)
{
	layout_storage_kind of = layout_storage_get_kind(memory->storage);
	const char *kinds = kinds_of(memory);
	struct npy *array = &memory->array;
	struct complaint complaint;
	int rank = array_shape(job, memory, array->shape);

	if (rank < 0)
		return report_error(job->ctx, path);
	array->rank = rank;
	array->fortran = of == LAYOUT_STORAGE_COL_MAJOR && !is_packed_bits(memory);
	array->kind = kind && strchr(kinds, kind) ? kind : *kinds;
	array->element_bytes = bytes_of(memory);
	if (!(memory->alone ? npy_create(array, path, &complaint) :
	      npy_allocate(array, &complaint)))
		return report_file(path, &complaint);
	if (of == LAYOUT_STORAGE_STRIDED && !is_packed_bits(memory))
		fill_with(array, pad);
	return 0;
}

int job_open(struct job *job, const struct memory *memories, unsigned count)
{
	const struct arguments *arguments = job->arguments;
	unsigned most = arguments->size_count;

	for (unsigned i = 0; i < count; i++) {
		unsigned rank = layout_storage_rank(memories[i].storage);

		if (rank > NPY_MAX_RANK)
			return report(STATUS_UNKNOWN, "run", "more than %d dimensions",
				NPY_MAX_RANK);
		most += rank;
	}
	job->sizes = calloc(most + 1, sizeof(*job->sizes));
	if (!job->sizes)
		return report(STATUS_UNKNOWN, "run", "no memory");
	if (arguments->size_count)
		memcpy(job->sizes, arguments->sizes,
			arguments->size_count * sizeof(*job->sizes));
	job->size_count = arguments->size_count;
	return 0;
}

void job_release(struct job *job)
{
	free(job->sizes);
}
