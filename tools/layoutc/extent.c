/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/extent.h"
#include "layoutc/distribution.h"
#include "layoutc/json.h"

#include <inttypes.h>
#include <layout/count.h>
#include <stdlib.h>
#include <string.h>

/* The shape from "node" and "leaf" on, which move behind it: ((2,2),4) is
 * [[2, 2], 4]. */
static void print_tree(FILE *out, layout_cute *cute, unsigned *node, unsigned *leaf)
{
	int arity = layout_cute_arity(cute, (*node)++);

	if (arity < 0) {
		fprintf(out, "%" PRId64, layout_cute_shape(cute, (*leaf)++));
		return;
	}
	fputc('[', out);
	for (int i = 0; i < arity; i++) {
		fputs(i ? ", " : "", out);
		print_tree(out, cute, node, leaf);
	}
	fputc(']', out);
}

void extent_cute(FILE *out, layout_value *value, const struct arguments *arguments)
{
	layout_cute *cute = layout_value_cute(value);
	unsigned node = 0, leaf = 0;

	(void)arguments;
	fputs(", \"shape\": ", out);
	print_tree(out, cute, &node, &leaf);
	fprintf(out, ", \"size\": %" PRId64 ", \"cosize\": %" PRId64,
		layout_cute_size(cute), layout_cute_cosize(cute));
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

/* ["M", 513] and "M*513". */
static void print_names(FILE *out, layout_storage *storage, bool is_remap)
{
	char *elements = layout_storage_element_count(storage);
	unsigned rank = layout_storage_rank(storage);
	char *cells = is_remap ? NULL : layout_storage_cell_count(storage);

	fputs(", \"shape\": [", out);
	for (unsigned d = 0; d < rank; d++) {
		fputs(d ? ", " : "", out);
		print_size_text(out, layout_storage_size(storage, d));
	}
	fputs(elements ? "], \"size\": " : "]", out);
	if (elements)
		json_str(out, elements);
	if (cells) {
		fputs(", \"cosize\": ", out);
		json_str(out, cells);
	}
	layout_string_free(elements);
	layout_string_free(cells);
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
		print_names(out, storage, is_remap);
		return;
	}
	shape = calloc(rank + 1, sizeof(*shape));
	if (shape && layout_storage_shape(storage, sizes, count, shape))
		print_numbers(out, shape, rank,
			is_remap ? -1 : layout_storage_elements(storage, sizes, count));
	free(shape);
}

void extent_storage(FILE *out, layout_value *value, const struct arguments *arguments)
{
	print_storage(out, layout_value_storage(value), arguments, false);
}

void extent_chain(FILE *out, layout_value *value, const struct arguments *arguments)
{
	print_storage(out, layout_chain_source(layout_value_chain(value)), arguments, true);
}

void extent_remap(FILE *out, layout_value *value, const struct arguments *arguments)
{
	print_storage(out, layout_remap_source(layout_value_remap(value)), arguments, true);
}

void extent_nested(FILE *out, layout_value *value, const struct arguments *arguments)
{
	layout_nested *nested = layout_value_nested(value);
	unsigned rank = layout_nested_rank(nested);
	int64_t *shape = calloc(rank + 1, sizeof(*shape));

	(void)arguments;
	for (unsigned d = 0; shape && d < rank; d++)
		shape[d] = layout_nested_size(nested, d);
	if (shape)
		print_numbers(out, shape, rank, -1);
	free(shape);
	distribution_print(out, layout_value_context(value), nested);
}

/* The inputs' sizes; as many points as the outputs have is the cosize. */
void extent_linear(FILE *out, layout_value *value, const struct arguments *arguments)
{
	layout_linear *linear = layout_value_linear(value);
	int64_t shape[LAYOUT_LINEAR_RANK], cosize = 1;
	unsigned ins = layout_linear_in_count(linear);
	unsigned outs = layout_linear_out_count(linear);

	(void)arguments;
	for (unsigned i = 0; i < ins; i++)
		shape[i] = layout_linear_in_size(linear, i);
	for (unsigned i = 0; i < outs && cosize >= 0; i++)
		if (__builtin_mul_overflow(cosize, layout_linear_out_size(linear, i),
				&cosize))
			cosize = -1;
	print_numbers(out, shape, ins, cosize);
}

/* The matrix, with the blocks before it where there are several. */
void extent_mma(FILE *out, layout_value *value, const struct arguments *arguments)
{
	layout_mma *mma = layout_value_mma(value);
	layout_mma_shape extents = layout_mma_get_shape(mma);
	int64_t shape[] = { extents.blocks, layout_mma_rows(mma),
		layout_mma_columns(mma) };
	bool blocked = extents.blocks > 1;

	(void)arguments;
	print_numbers(out, shape + !blocked, 2 + blocked, -1);
}

void extent_swizzle(FILE *out, layout_value *value, const struct arguments *arguments)
{
	int64_t period = layout_swizzle_period(layout_value_swizzle(value));

	(void)arguments;
	print_numbers(out, &period, 1, period);
}
