/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/layout_model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t box_size(const int64_t *sizes, unsigned rank)
{
	int64_t size = 1;

	for (unsigned i = 0; i < rank; i++)
		size *= sizes[i];
	return size;
}

int64_t colex_number(const int64_t *sizes, unsigned rank, const int64_t *point)
{
	int64_t number = 0;

	for (unsigned i = rank; i-- > 0;)
		number = number * sizes[i] + point[i];
	return number;
}

int64_t lex_number(const int64_t *sizes, unsigned rank, const int64_t *point)
{
	int64_t number = 0;

	for (unsigned i = 0; i < rank; i++)
		number = number * sizes[i] + point[i];
	return number;
}

void colex_point(const int64_t *sizes, unsigned rank, int64_t number, int64_t *point)
{
	for (unsigned i = 0; i < rank; i++) {
		point[i] = number % sizes[i];
		number /= sizes[i];
	}
}

void lex_point(const int64_t *sizes, unsigned rank, int64_t number, int64_t *point)
{
	for (unsigned i = rank; i-- > 0;) {
		point[i] = number % sizes[i];
		number /= sizes[i];
	}
}

/* Go past "word" and the blanks around it; false where something else stands. */
static bool skip(const char **at, const char *word)
{
	const char *here = *at;

	while (isspace((unsigned char)*here))
		here++;
	if (strncmp(here, word, strlen(word)) != 0)
		return false;
	*at = here + strlen(word);
	return true;
}

/* "[1, 2]"; how many, or -1. */
static int read_list(const char **at, int64_t *list, unsigned room)
{
	unsigned count = 0;

	if (!skip(at, "["))
		return -1;
	while (!skip(at, "]")) {
		char *end;

		skip(at, ",");
		if (count == room)
			return -1;
		list[count++] = strtoll(*at, &end, 10);
		if (end == *at)
			return -1;
		*at = end;
	}
	return (int)count;
}

static bool read_name(const char **at, char name[32])
{
	unsigned length = 0;

	while (isspace((unsigned char)**at))
		++*at;
	while (isalnum((unsigned char)**at) || **at == '_') {
		if (length == 31)
			return false;
		name[length++] = *(*at)++;
	}
	name[length] = 0;
	return length && skip(at, "=");
}

/* The sizes of the top level: the leaves between its commas. */
static void read_modes(const char *text, struct layout_model *model)
{
	const char *tree = strstr(text, " o ") ? strrchr(text, 'o') + 2 : text;
	int depth = 0, level = *tree == '(';

	model->mode_count = 1;
	model->modes[0] = 1;
	for (const char *at = tree; *at && *at != ':'; at++) {
		depth += (*at == '(') - (*at == ')');
		if (*at == ',' && depth == level)
			model->modes[model->mode_count++] = 1;
		if (isdigit((unsigned char)*at) &&
				(at == tree || !isdigit((unsigned char)at[-1])))
			model->modes[model->mode_count - 1] *=
				strtoll(at, NULL, 10);
	}
}

static bool read_cute(const char *text, struct layout_model *model)
{
	if (!cute_text_read(text, &model->cute))
		return false;
	read_modes(text, model);
	model->in_rank = model->out_rank = 1;
	model->in[0] = model->cute.size;
	model->out[0] = model->cute.size > 0;
	for (int64_t i = 0; i < model->cute.size; i++) {
		int64_t offset = cute_text_at(&model->cute, i);

		if (offset >= model->out[0])
			model->out[0] = offset + 1;
	}
	return true;
}

/* Is it "name = [..]" or "name = 4"? */
static bool read_nested_list(const char **at, struct model *nested)
{
	static const char *const names[MODEL_LISTS] = {
		"subgroup_tile", "batch_tile", "outer_tile", "thread_tile",
		"element_tile", "subgroup_strides", "thread_strides",
	};
	char name[32];
	int rank;

	if (!read_name(at, name))
		return false;
	if (!strcmp(name, "subgroup_size")) {
		nested->subgroup_size = strtoll(*at, (char **)at, 10);
		return true;
	}
	if (!strcmp(name, "subgroup_count")) {
		nested->subgroup_count = strtoll(*at, (char **)at, 10);
		return true;
	}
	for (unsigned list = 0; list < MODEL_LISTS; list++)
		if (!strcmp(name, names[list])) {
			rank = read_list(at, nested->lists[list], MODEL_RANK);
			nested->rank = (unsigned)rank;
			return rank >= 0;
		}
	return false;
}

static bool read_nested(const char *text, struct layout_model *model)
{
	struct model *nested = &model->nested;
	const char *at = text;
	unsigned rank;

	nested->subgroup_size = 64;
	if (!skip(&at, "nested_layout<"))
		return false;
	while (!skip(&at, ">")) {
		skip(&at, ",");
		if (!read_nested_list(&at, nested))
			return false;
	}
	rank = nested->rank;
	model->in_rank = 1 + 3 * rank;
	model->out_rank = rank;
	model->in[0] = model_threads(nested);
	for (unsigned d = 0; d < rank; d++) {
		model->in[1 + d] = nested->lists[B][d];
		model->in[1 + rank + d] = nested->lists[O][d];
		model->in[1 + 2 * rank + d] = nested->lists[E][d];
		model->out[d] = model_extent(nested, d);
	}
	return true;
}

/* "name = [[0, 1], [2, 0]]" */
static bool read_linear_in(const char **at, struct layout_model *model, unsigned *bits)
{
	struct linear_parts *linear = &model->linear;
	unsigned in = model->in_rank++;
	int rank;

	if (in == POINT_RANK || !read_name(at, linear->in_name[in]) || !skip(at, "["))
		return false;
	model->in[in] = 1;
	while (!skip(at, "]")) {
		skip(at, ",");
		if (*bits == POINT_BITS)
			return false;
		rank = read_list(at, linear->bases[(*bits)++], POINT_RANK);
		if (rank < 0)
			return false;
		model->out_rank = (unsigned)rank;
		model->in[in] *= 2;
	}
	return true;
}

/* The outputs where the text has none: dim0, .. of the least sizes. */
static void infer_outs(struct layout_model *model, unsigned bits)
{
	for (unsigned out = 0; out < model->out_rank; out++) {
		snprintf(model->linear.out_name[out], 32, "dim%u", out);
		model->out[out] = 1;
		for (unsigned bit = 0; bit < bits; bit++)
			while (model->out[out] <= model->linear.bases[bit][out])
				model->out[out] *= 2;
	}
}

static bool read_linear(const char *text, struct layout_model *model)
{
	unsigned bits = 0, outs = 0;
	const char *at = text;

	if (!skip(&at, "linear<{"))
		return false;
	while (!skip(&at, "}")) {
		skip(&at, ",");
		if (!read_linear_in(&at, model, &bits))
			return false;
	}
	infer_outs(model, bits);
	if (skip(&at, "->")) {
		skip(&at, "{");
		while (!skip(&at, "}")) {
			skip(&at, ",");
			if (outs == POINT_RANK ||
					!read_name(&at, model->linear.out_name[outs]))
				return false;
			model->out[outs++] = strtoll(at, (char **)&at, 10);
		}
		model->out_rank = outs;
	}
	return skip(&at, ">") && !*at;
}

/* The parts of one inner tile, outermost first: [["CrossThread", 4 : i16, 2 : i8], ..] */
static bool read_group(const char **at, unsigned dim, int64_t tile,
	struct encoding_parts *parts, unsigned *count)
{
	int64_t step = tile;

	if (!skip(at, "["))
		return false;
	while (!skip(at, "]")) {
		skip(at, ",");
		if (*count == POINT_RANK || !(*at = strchr(*at, ',')))
			return false;
		parts->dim[*count] = dim;
		parts->radix[*count] = strtoll(*at + 1, NULL, 10);
		if (parts->radix[*count] <= 0)
			return false;
		step /= parts->radix[*count];
		parts->step[(*count)++] = step;
		if (!(*at = strchr(*at, ']')))
			return false;
		++*at;
	}
	return step == 1;
}

/* Where the swizzle puts the parts. */
static bool permute_parts(const char **at, struct encoding_parts *parts, unsigned count)
{
	struct encoding_parts before = *parts;
	int64_t order[POINT_RANK];

	if (!skip(at, ",") || !skip(at, "permutation") || !skip(at, "=") ||
			read_list(at, order, POINT_RANK) != (int)count || !skip(at, "}"))
		return false;
	for (unsigned i = 0; i < count; i++) {
		parts->dim[i] = before.dim[order[i]];
		parts->step[i] = before.step[order[i]];
		parts->radix[i] = before.radix[order[i]];
	}
	return true;
}

/* The digits inside the tiles: those of the swizzle, or each tile one. */
static bool read_parts(const char **at, const int64_t *dims, unsigned tiles,
	struct encoding_parts *parts, unsigned *count)
{
	*count = 0;
	if (!skip(at, ",")) {
		for (unsigned i = 0; i < tiles; i++) {
			parts->dim[i] = (unsigned)dims[i];
			parts->step[i] = 1;
			parts->radix[i] = parts->tile[dims[i]];
		}
		*count = tiles;
		return true;
	}
	if (!skip(at, "swizzle") || !skip(at, "=") || !skip(at, "{") ||
			!skip(at, "expandShape") || !skip(at, "=") || !skip(at, "["))
		return false;
	for (unsigned i = 0; i < tiles; i++) {
		skip(at, ",");
		if (!read_group(at, (unsigned)dims[i], parts->tile[dims[i]], parts,
				count))
			return false;
	}
	return skip(at, "]") && permute_parts(at, parts, *count);
}

/* innerDimsPos, innerTileSizes and outerDimsPerm; how many tiles, or -1. */
static int read_tiles(const char **at, int64_t *dims, struct encoding_parts *parts,
	int *rank)
{
	int64_t tiles[POINT_RANK];
	int count;

	if (!skip(at, "packed(") || !skip(at, "encoding_info<{") ||
			!skip(at, "innerDimsPos") || !skip(at, "="))
		return -1;
	count = read_list(at, dims, POINT_RANK);
	if (!skip(at, ",") || !skip(at, "innerTileSizes") || !skip(at, "=") ||
			read_list(at, tiles, POINT_RANK) != count)
		return -1;
	for (int i = 0; i < POINT_RANK; i++) {
		parts->tile[i] = 1;
		parts->outer[i] = i;
	}
	for (int i = 0; i < count; i++)
		parts->tile[dims[i]] = tiles[i];
	*rank = -1;
	if (strncmp(*at, ", outerDimsPerm", 15) == 0) {
		*at = strchr(*at, '=') + 1;
		*rank = read_list(at, parts->outer, POINT_RANK);
	}
	return count;
}

static bool read_encoding(const char *text, struct layout_model *model)
{
	struct encoding_parts *parts = &model->encoding;
	int64_t dims[POINT_RANK];
	const char *at = text;
	int rank, count = read_tiles(&at, dims, parts, &rank), sizes;
	unsigned digits;

	if (count < 0 || !read_parts(&at, dims, (unsigned)count, parts, &digits) ||
			!skip(&at, "}>") || !skip(&at, ","))
		return false;
	sizes = read_list(&at, model->in, POINT_RANK);
	if (sizes < 0 || (rank >= 0 && sizes != rank) || !skip(&at, ")"))
		return false;
	model->in_rank = (unsigned)sizes;
	model->out_rank = model->in_rank + digits;
	for (unsigned i = 0; i < model->in_rank; i++) {
		int64_t dim = parts->outer[i], tile = parts->tile[dim];

		model->out[i] = (model->in[dim] + tile - 1) / tile;
	}
	for (unsigned i = 0; i < digits; i++)
		model->out[model->in_rank + i] = parts->radix[i];
	return true;
}

bool layout_model_read(const char *text, struct layout_model *model)
{
	static bool (*const readers[])(const char *, struct layout_model *) = {
		[LAYOUT_NOTATION_NESTED] = read_nested,
		[LAYOUT_NOTATION_LINEAR] = read_linear,
		[LAYOUT_NOTATION_ENCODING] = read_encoding,
		[LAYOUT_NOTATION_CUTE] = read_cute,
	};
	static const layout_notation order[] = { LAYOUT_NOTATION_NESTED,
		LAYOUT_NOTATION_LINEAR, LAYOUT_NOTATION_ENCODING, LAYOUT_NOTATION_CUTE };

	for (unsigned i = 0; i < 4; i++) {
		memset(model, 0, sizeof(*model));
		model->notation = order[i];
		if (readers[order[i]](text, model))
			return true;
	}
	return false;
}

/* The coordinate of one of the formula's threads in a dimension. */
static int64_t nested_at(const struct model *nested, int64_t thread, unsigned d,
	const int64_t *in)
{
	int64_t s_step = nested->lists[S_STRIDES][d] * nested->subgroup_size;
	int64_t t_step = nested->lists[T_STRIDES][d];
	int64_t x = s_step ? thread / s_step % nested->lists[S][d] : 0;

	x = x * nested->lists[B][d] + in[1 + d];
	x = x * nested->lists[O][d] + in[1 + nested->rank + d];
	x *= nested->lists[T][d];
	x += t_step ? thread / t_step % nested->lists[T][d] : 0;
	return x * nested->lists[E][d] + in[1 + 2 * nested->rank + d];
}

static bool nested_image(const struct model *nested, const int64_t *in, int64_t *image)
{
	int64_t threads = model_threads(nested), all = model_virtual_threads(nested);

	for (unsigned d = 0; d < nested->rank; d++) {
		if ((!nested->lists[S_STRIDES][d] && nested->lists[S][d] > 1) ||
		    (!nested->lists[T_STRIDES][d] && nested->lists[T][d] > 1))
			return false;
		image[d] = nested_at(nested, in[0], d, in);
		for (int64_t x = in[0] + threads; x < all; x += threads)
			if (nested_at(nested, x, d, in) != image[d])
				return false;
	}
	return true;
}

static void linear_image(const struct layout_model *model, const int64_t *in,
	int64_t *image)
{
	unsigned bit = 0;

	memset(image, 0, model->out_rank * sizeof(*image));
	for (unsigned i = 0; i < model->in_rank; i++)
		for (int64_t mask = 1; mask < model->in[i]; mask *= 2, bit++)
			for (unsigned out = 0; out < model->out_rank; out++)
				if (in[i] & mask)
					image[out] ^= model->linear.bases[bit][out];
}

static void encoding_image(const struct layout_model *model, const int64_t *in,
	int64_t *image)
{
	const struct encoding_parts *parts = &model->encoding;

	for (unsigned i = 0; i < model->in_rank; i++)
		image[i] = in[parts->outer[i]] / parts->tile[parts->outer[i]];
	for (unsigned i = 0; model->in_rank + i < model->out_rank; i++)
		image[model->in_rank + i] =
			in[parts->dim[i]] / parts->step[i] % parts->radix[i];
}

bool layout_model_at(const struct layout_model *model, const int64_t *in,
	int64_t *image)
{
	switch (model->notation) {
	case LAYOUT_NOTATION_CUTE:
		image[0] = cute_text_at(&model->cute, in[0]);
		return true;
	case LAYOUT_NOTATION_NESTED:
		return nested_image(&model->nested, in, image);
	case LAYOUT_NOTATION_LINEAR:
		linear_image(model, in, image);
		return true;
	case LAYOUT_NOTATION_ENCODING:
		encoding_image(model, in, image);
		return true;
	}
	return false;
}
