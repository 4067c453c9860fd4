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

/* One side of the remap: its storage, and the type of its elements. */
struct side {
	layout_storage *storage;
	const char *type;
	unsigned bits;
};

static struct side source_side(const struct job *job)
{
	return (struct side){ layout_remap_source(job->remap),
		layout_remap_type(job->remap), layout_remap_element_bits(job->remap) };
}

static struct side destination_side(const struct job *job)
{
	return (struct side){ layout_remap_destination(job->remap),
		layout_remap_destination_type(job->remap),
		layout_remap_destination_bits(job->remap) };
}

/* Is its memory an array of bytes, since numpy has no such elements? */
static bool is_packed_bits(const struct side *side)
{
	return side->bits % 8;
}

static unsigned bytes_of(const struct side *side)
{
	return (side->bits + 7) / 8;
}

/* Integers as MLIR has them, without a sign of their own; but where they are converted,
 * they have one. */
static bool is_signless(const struct job *job, const char *type)
{
	return type[0] == 'i' && !strcmp(layout_remap_type(job->remap),
		layout_remap_destination_type(job->remap));
}

/* The kinds of element that numpy may call a type of ours, the usual one first. */
static const char *kinds_of(const struct job *job, const struct side *side)
{
	const char *type = side->type;

	if (!strncmp(type, "f8", 2) || !strcmp(type, "bf16") || is_packed_bits(side))
		return "uV";
	if (!strcmp(type, "i1"))
		return "buiV";
	if (is_signless(job, type))
		return "iubV";
	return type[0] == 'i' || type[0] == 's' ? "iV" : type[0] == 'u' ? "ubV" : "fV";
}

static int check_type(const struct job *job, const char *path)
{
	struct side side = source_side(job);
	char text[8];

	if (strchr(kinds_of(job, &side), job->source.kind) &&
		job->source.element_bytes == bytes_of(&side))
		return 0;
	npy_type_str(&job->source, text);
	if (job->source.kind == 'u' && side.type[0] == 'i' && side.type[1] != 'n' &&
		job->source.element_bytes == bytes_of(&side))
		return report(STATUS_USAGE, path, "elements are '%s' where the remap has "
			"%s, which converts as a signed type: say u%s for an unsigned one",
			text, side.type, side.type + 1);
	return report(STATUS_USAGE, path, "elements are '%s' where the remap has %s",
		text, side.type);
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

static int wrong_shape(const struct job *job, const char *path, const int64_t *shape,
	unsigned rank)
{
	char there[160], wanted[160];

	return report(STATUS_USAGE, path, "shape %s where the source has %s",
		shape_str(job->source.shape, job->source.rank, there, sizeof(there)),
		shape_str(shape, rank, wanted, sizeof(wanted)));
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
static int bind_sizes(struct job *job, layout_storage *storage, const char *path)
{
	unsigned rank = layout_storage_rank(storage);

	if (job->source.rank != rank)
		return report(STATUS_USAGE, path,
			"has %u dimensions where the source has %u", job->source.rank,
			rank);
	for (unsigned d = 0; d < rank; d++) {
		const char *name = layout_storage_size(storage, d);
		int64_t value = job->source.shape[d];
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

static int check_known(const struct job *job)
{
	const char *name;

	for (unsigned i = 0; (name = layout_remap_size_name(job->remap, i)); i++)
		if (!find_size(job->sizes, job->size_count, name))
			return report(STATUS_USAGE, "-D", "the size '%s' is not known; "
				"give it with -D %s=VALUE", name, name);
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
static int array_shape(const struct job *job, const struct side *side,
	int64_t shape[NPY_MAX_RANK])
{
	int rank = element_shape(job, side->storage, shape);
	int64_t elements;

	if (rank < 0 || !is_packed_bits(side))
		return rank;
	elements = shape_elements(shape, (unsigned)rank);
	shape[0] = elements < 0 ? INT64_MAX :
		elements / 8 * side->bits + (elements % 8 * side->bits + 7) / 8;
	return 1;
}

/* Does the array fit, and does its memory have the storage's order? */
static int fit_source(struct job *job, const struct side *side, const char *path)
{
	layout_storage_kind kind = layout_storage_get_kind(side->storage);
	struct npy *array = &job->source;
	bool fortran = kind == LAYOUT_STORAGE_COL_MAJOR, flat;
	struct complaint complaint;
	int64_t shape[NPY_MAX_RANK];
	int rank = array_shape(job, side, shape);

	if (rank < 0)
		return report_error(job->ctx, path);
	flat = kind == LAYOUT_STORAGE_PACKED && array->rank == 1 &&
		array->shape[0] == shape_elements(shape, rank);
	if (!flat && !same_shape(array, shape, rank))
		return wrong_shape(job, path, shape, rank);
	if (array->rank > 1 && array->fortran != fortran &&
		!npy_reorder(array, &complaint))
		return report_file(path, &complaint);
	return 0;
}

static int open_source(struct job *job)
{
	const char *path = argument_value(job->arguments, OPTION_INPUT);
	struct side side = source_side(job);
	struct complaint complaint;
	int status;

	if (!npy_read(&job->source, path, &complaint))
		return report_file(path, &complaint);
	status = check_type(job, path);
	if (!status && is_dense(side.storage) && !is_packed_bits(&side))
		status = bind_sizes(job, side.storage, path);
	if (!status)
		status = check_known(job);
	return status ? status : fit_source(job, &side, path);
}

/* Gaps between strides are not the kernel's to write. */
static void fill_with_pad(const struct job *job, struct npy *array)
{
	uint64_t bits = layout_remap_pad_bits(job->remap);
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

static int open_destination(struct job *job)
{
	const char *path = argument_value(job->arguments, OPTION_OUTPUT);
	struct side side = destination_side(job);
	layout_storage_kind kind = layout_storage_get_kind(side.storage);
	struct npy *array = &job->destination;
	struct complaint complaint;
	int rank = array_shape(job, &side, array->shape);

	if (rank < 0)
		return report_error(job->ctx, path);
	array->rank = rank;
	array->fortran = kind == LAYOUT_STORAGE_COL_MAJOR && !is_packed_bits(&side);
	array->kind = side.type == layout_remap_type(job->remap) ? job->source.kind :
		*kinds_of(job, &side);
	array->element_bytes = bytes_of(&side);
	if (!npy_allocate(array, &complaint))
		return report_file(path, &complaint);
	if (kind == LAYOUT_STORAGE_STRIDED && !is_packed_bits(&side))
		fill_with_pad(job, array);
	return 0;
}

int arrays_open(struct job *job)
{
	const struct arguments *arguments = job->arguments;
	unsigned rank = layout_storage_rank(layout_remap_source(job->remap));
	int status;

	if (rank > NPY_MAX_RANK)
		return report(STATUS_UNKNOWN, "run", "more than %d dimensions",
			NPY_MAX_RANK);
	job->sizes = calloc(arguments->size_count + rank + 1, sizeof(*job->sizes));
	if (!job->sizes)
		return report(STATUS_UNKNOWN, "run", "no memory");
	if (arguments->size_count)
		memcpy(job->sizes, arguments->sizes,
			arguments->size_count * sizeof(*job->sizes));
	job->size_count = arguments->size_count;
	status = open_source(job);
	return status ? status : open_destination(job);
}

void arrays_release(struct job *job)
{
	npy_release(&job->source);
	npy_release(&job->destination);
	free(job->sizes);
}
