/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/extent.h"
#include "layoutc/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The shape's tree with JSON's brackets: ((2,2),4) is [[2, 2], 4]. */
static void print_tree(FILE *out, const char *text)
{
	for (; *text && *text != ':'; text++) {
		if (*text == '(')
			fputc('[', out);
		else if (*text == ')')
			fputc(']', out);
		else if (*text == ',')
			fputs(", ", out);
		else if (*text != ' ')
			fputc(*text, out);
	}
}

static void print_cute(FILE *out, layout_context *ctx, layout_value *value)
{
	char *text = layout_value_str(value);
	layout_cute *cute = text ? layout_cute_parse(ctx, text) : NULL;

	if (cute) {
		fputs(", \"shape\": ", out);
		print_tree(out, text);
		fprintf(out, ", \"size\": %" PRId64 ", \"cosize\": %" PRId64,
			layout_cute_size(cute), layout_cute_cosize(cute));
	}
	layout_cute_free(cute);
	layout_string_free(text);
}

static void print_numbers(FILE *out, const int64_t *shape, unsigned rank, int64_t cosize)
{
	int64_t size = 1;
	bool overflow = false;

	fputs(", \"shape\": ", out);
	json_ints(out, shape, rank);
	for (unsigned d = 0; d < rank; d++)
		overflow |= __builtin_mul_overflow(size, shape[d], &size);
	if (!overflow)
		fprintf(out, ", \"size\": %" PRId64, size);
	if (cosize >= 0)
		fprintf(out, ", \"cosize\": %" PRId64, cosize);
}

static void print_size_text(FILE *out, const char *text)
{
	bool is_number = !text[strspn(text, "0123456789")];

	if (is_number)
		fputs(text, out);
	else
		json_str(out, text);
}

/* ["M", 513] and "M*513"; a sum among the factors is put in parentheses. */
static void print_names(FILE *out, layout_storage *storage)
{
	unsigned rank = layout_storage_rank(storage);

	fputs(", \"shape\": [", out);
	for (unsigned d = 0; d < rank; d++) {
		fputs(d ? ", " : "", out);
		print_size_text(out, layout_storage_size(storage, d));
	}
	fputs("], \"size\": \"", out);
	for (unsigned d = 0; d < rank; d++) {
		const char *size = layout_storage_size(storage, d);
		bool sum = rank > 1 && strpbrk(size, "+-");

		fprintf(out, "%s%s%s%s", d ? "*" : "", sum ? "(" : "", size, sum ? ")" : "");
	}
	fputc('"', out);
}

static bool all_known(layout_storage *storage, const struct arguments *arguments)
{
	const char *name;

	for (unsigned i = 0; (name = layout_storage_size_name(storage, i)); i++)
		if (!find_size(arguments->sizes, arguments->size_count, name))
			return false;
	return true;
}

static void print_storage(FILE *out, layout_storage *storage,
	const struct arguments *arguments, bool is_remap)
{
	unsigned rank = layout_storage_rank(storage);
	const layout_size *sizes = arguments->sizes;
	unsigned count = arguments->size_count;
	int64_t *shape;

	if (!all_known(storage, arguments)) {
		print_names(out, storage);
		return;
	}
	shape = calloc(rank + 1, sizeof(*shape));
	if (shape && layout_storage_shape(storage, sizes, count, shape))
		print_numbers(out, shape, rank,
			is_remap ? -1 : layout_storage_elements(storage, sizes, count));
	free(shape);
}

static bool count_point(void *user, const int64_t *point, unsigned rank)
{
	int64_t *count = user;

	(void)point, (void)rank;
	++*count;
	return true;
}

/* The extent of a box of numbers along dimension d: project the others away. */
static int64_t box_extent(layout_set *box, unsigned d)
{
	unsigned rank = layout_set_rank(box), others = 0;
	unsigned *dims = calloc(rank, sizeof(*dims));
	layout_set *line;
	int64_t count = 0;

	if (!dims)
		return -1;
	for (unsigned i = 0; i < rank; i++)
		if (i != d)
			dims[others++] = i;
	line = layout_set_project(layout_set_copy(box), dims, others);
	if (!layout_set_for_each(line, count_point, &count))
		count = -1;
	layout_set_free(line);
	free(dims);
	return count;
}

/* A nested layout's shape is the vector's. */
static void print_nested(FILE *out, layout_value *value)
{
	layout_set *box = layout_value_onto(value);
	unsigned rank = box ? layout_set_rank(box) : 0;
	int64_t *shape = calloc(rank + 1, sizeof(*shape));
	bool good = box && shape;

	for (unsigned d = 0; good && d < rank; d++) {
		shape[d] = box_extent(box, d);
		good = shape[d] >= 0;
	}
	if (good)
		print_numbers(out, shape, rank, -1);
	free(shape);
	layout_set_free(box);
}

void extent_print(FILE *out, layout_context *ctx, layout_value *value,
	const struct arguments *arguments)
{
	switch (layout_value_get_kind(value)) {
	case LAYOUT_VALUE_CUTE:
		print_cute(out, ctx, value);
		break;
	case LAYOUT_VALUE_NESTED:
		print_nested(out, value);
		break;
	case LAYOUT_VALUE_STORAGE:
		print_storage(out, layout_value_storage(value), arguments, false);
		break;
	case LAYOUT_VALUE_REMAP:
		print_storage(out, layout_remap_source(layout_value_remap(value)),
			arguments, true);
		break;
	default:
		break;
	}
	layout_context_clear(ctx);
}
