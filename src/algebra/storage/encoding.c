/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/encoding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A copy of "count" elements of "size" bytes; NULL stays NULL. */
static void *duplicate(layout_context *ctx, const void *list, unsigned count, size_t size)
{
	void *copy = list ? layout_alloc(ctx, count, size) : NULL;

	if (copy && count)
		memcpy(copy, list, count * size);
	return copy;
}

/* The place of entry i, or -1. */
static long place(const long *places, unsigned i)
{
	return places ? places[i] : -1;
}

unsigned encoding_units(const layout_encoding *encoding)
{
	unsigned units = 0;

	for (unsigned i = 0; i < encoding->inner_count; i++)
		units += encoding->inner_dims_pos[i] == LAYOUT_NO_DIM;
	return units;
}

unsigned encoding_dim(const layout_encoding *encoding, unsigned tile, unsigned rank)
{
	unsigned dim = rank;

	if (encoding->inner_dims_pos[tile] != LAYOUT_NO_DIM)
		return (unsigned)encoding->inner_dims_pos[tile];
	for (unsigned i = 0; i < tile; i++)
		dim += encoding->inner_dims_pos[i] == LAYOUT_NO_DIM;
	return dim;
}

/* "list" names each of 0 .. limit-1 at most once; exactly once if it is as long.  Where it
 * "may_be_none", LAYOUT_NO_DIM names nothing. */
static bool check_distinct(layout_context *ctx, const char *what, const int64_t *list,
	unsigned count, int64_t limit, bool may_be_none, const long *places)
{
	for (unsigned i = 0; i < count; i++) {
		if (may_be_none && list[i] == LAYOUT_NO_DIM)
			continue;
		if (list[i] < 0 || list[i] >= limit) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, place(places, i),
				"%s: %" PRId64 " is not in 0 .. %" PRId64, what,
				list[i], limit - 1);
			return false;
		}
		for (unsigned k = 0; k < i; k++)
			if (list[k] == list[i]) {
				layout_fail(ctx, LAYOUT_ERROR_INVALID, place(places, i),
					"%s: %" PRId64 " stands twice", what, list[i]);
				return false;
			}
	}
	return true;
}

static bool check_tiles(layout_context *ctx, const layout_encoding *encoding)
{
	for (unsigned i = 0; i < encoding->inner_count; i++)
		if (encoding->inner_tiles[i] <= 0) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"innerTileSizes: a tile of %" PRId64 " is not positive",
				encoding->inner_tiles[i]);
			return false;
		}
	return true;
}

/* Multiply "product" by the size of "dim". */
static bool take_dim(layout_context *ctx, const layout_encoding_dim *dim,
	int64_t *product, long position)
{
	if (dim->kind < LAYOUT_DIM_INTERNAL || dim->kind > LAYOUT_DIM_CROSS_INTRINSIC)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, position,
			"expandShape: no kind of part is numbered %d", (int)dim->kind);
	else if (dim->size <= 0 || dim->factor <= 0)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, position,
			"expandShape: sizes and factors must be positive");
	else if (dim->factor != 1 && dim->kind != LAYOUT_DIM_CROSS_THREAD)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, position,
			"only a \"CrossThread\" part has a distribution factor");
	else if (__builtin_mul_overflow(*product, dim->size, product))
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, position,
			"expandShape: a group's product does not fit 64 bits");
	else
		return true;
	return false;
}

/* Every group multiplies to its tile. */
static bool check_groups(layout_context *ctx, const layout_encoding *encoding,
	const long *places)
{
	unsigned dim = 0;

	for (unsigned i = 0; i < encoding->inner_count; i++) {
		unsigned end = dim + encoding->group_sizes[i];
		int64_t product = 1;

		if (encoding->group_sizes[i] > encoding->dim_count - dim) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, place(places, i),
				"expandShape: group %u has more parts than there are", i);
			return false;
		}
		for (; dim < end; dim++)
			if (!take_dim(ctx, &encoding->dims[dim], &product,
			    place(places, i)))
				return false;
		if (product != encoding->inner_tiles[i]) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, place(places, i),
				"expandShape: group %u multiplies to %" PRId64
				", its tile is %" PRId64, i, product,
				encoding->inner_tiles[i]);
			return false;
		}
	}
	if (dim == encoding->dim_count)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"expandShape: more dimensions than groups hold");
	return false;
}

static bool check(layout_context *ctx, const layout_encoding *encoding,
	const struct encoding_places *places)
{
	int64_t rank = encoding->outer_dims_perm ? encoding->outer_count : INT64_MAX;

	return check_distinct(ctx, "innerDimsPos", encoding->inner_dims_pos,
			encoding->inner_count, rank,
			encoding->group_sizes, places->inner_dims_pos) &&
		(!encoding->outer_dims_perm || check_distinct(ctx, "outerDimsPerm",
			encoding->outer_dims_perm, encoding->outer_count, rank, false,
			places->outer_dims_perm)) &&
		check_tiles(ctx, encoding) &&
		(!encoding->group_sizes || (check_groups(ctx, encoding, places->groups) &&
			check_distinct(ctx, "permutation", encoding->permutation,
				encoding->dim_count, encoding->dim_count, false,
				places->permutation)));
}

/* Memory sufficed for all that was given. */
static bool complete(const layout_encoding *encoding, const layout_encoding_desc *desc)
{
	return !(desc->inner_dims_pos && !encoding->inner_dims_pos) &&
		!(desc->inner_tiles && !encoding->inner_tiles) &&
		!(desc->outer_dims_perm && !encoding->outer_dims_perm) &&
		!(desc->group_sizes && (!encoding->group_sizes ||
			(desc->dims && !encoding->dims) ||
			(desc->permutation && !encoding->permutation)));
}

/* Every list that has entries. */
static bool lists_given(layout_context *ctx, const layout_encoding_desc *desc)
{
	return layout_given(ctx, !desc->inner_count || (desc->inner_dims_pos &&
			desc->inner_tiles), "list of tiled dimensions or of tiles") &&
		layout_given(ctx, !desc->dim_count || (desc->group_sizes && desc->dims &&
			desc->permutation), "list for a part of the swizzle");
}

/* The description may be an older caller's, which lacks the last fields. */
layout_encoding *encoding_new_at(layout_context *ctx, const layout_encoding_desc *desc,
	const struct encoding_places *places)
{
	static const struct encoding_places nowhere;
	layout_encoding_desc own = LAYOUT_ENCODING_DESC_INIT;
	layout_encoding *encoding;
	bool swizzled;

	if (!layout_given(ctx, desc, "description of an encoding"))
		return NULL;
	desc = memcpy(&own, desc, desc->size < sizeof(own) ? desc->size : sizeof(own));
	encoding = lists_given(ctx, desc) ?
		layout_alloc(ctx, 1, sizeof(*encoding)) : NULL;
	if (!encoding)
		return NULL;
	swizzled = desc->group_sizes != NULL;
	*encoding = (struct layout_encoding){ .ctx = ctx,
		.inner_count = desc->inner_count,
		.outer_count = desc->outer_dims_perm ? desc->outer_count : 0,
		.dim_count = swizzled ? desc->dim_count : 0 };
	encoding->inner_dims_pos = duplicate(ctx, desc->inner_dims_pos, desc->inner_count,
		sizeof(int64_t));
	encoding->inner_tiles = duplicate(ctx, desc->inner_tiles, desc->inner_count,
		sizeof(int64_t));
	encoding->outer_dims_perm = duplicate(ctx, desc->outer_dims_perm,
		desc->outer_count, sizeof(int64_t));
	if (swizzled) {
		encoding->group_sizes = duplicate(ctx, desc->group_sizes,
			desc->inner_count, sizeof(unsigned));
		encoding->dims = duplicate(ctx, desc->dims, desc->dim_count,
			sizeof(layout_encoding_dim));
		encoding->permutation = duplicate(ctx, desc->permutation, desc->dim_count,
			sizeof(int64_t));
	}
	if (!complete(encoding, desc) ||
	    !check(ctx, encoding, places ? places : &nowhere)) {
		layout_encoding_free(encoding);
		return NULL;
	}
	return encoding;
}

layout_encoding *layout_encoding_new(layout_context *ctx,
	const layout_encoding_desc *desc)
{
	return encoding_new_at(ctx, desc, NULL);
}

layout_encoding *encoding_new_stand_in(layout_context *ctx, const char *text)
{
	layout_encoding *encoding = layout_alloc(ctx, 1, sizeof(*encoding));

	if (!encoding)
		return NULL;
	*encoding = (struct layout_encoding){ .ctx = ctx,
		.stand_in = layout_strdup(ctx, text) };
	if (encoding->stand_in)
		return encoding;
	layout_encoding_free(encoding);
	return NULL;
}

bool encoding_says(const layout_encoding *encoding)
{
	if (encoding->stand_in)
		layout_fail(encoding->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"%s stands for any layout in IREE's own tests: it says none; write "
			"what a resolver answers, #iree_encoding.layout<[#iree_gpu."
			"gpu_encoding_resolver<configuration = {encoding_info = {..}}>]>, "
			"or the encoding that is resolved", encoding->stand_in);
	return !encoding->stand_in;
}

bool layout_encoding_describe(layout_encoding *encoding, layout_encoding_desc *desc)
{
	layout_encoding_desc own = LAYOUT_ENCODING_DESC_INIT;

	if (!encoding || !layout_given(encoding->ctx, desc, "description of an encoding") ||
	    !encoding_says(encoding))
		return false;
	if (desc->size < own.size)
		own.size = desc->size;
	own.inner_count = encoding->inner_count;
	own.inner_dims_pos = encoding->inner_dims_pos;
	own.inner_tiles = encoding->inner_tiles;
	own.outer_count = encoding->outer_count;
	own.outer_dims_perm = encoding->outer_dims_perm;
	own.group_sizes = encoding->group_sizes;
	own.dim_count = encoding->dim_count;
	own.dims = encoding->dims;
	own.permutation = encoding->permutation;
	memcpy(desc, &own, own.size);
	return true;
}

layout_encoding *layout_encoding_copy(layout_encoding *encoding)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;

	if (encoding && encoding->stand_in)
		return encoding_new_stand_in(encoding->ctx, encoding->stand_in);
	return layout_encoding_describe(encoding, &desc) ?
		layout_encoding_new(encoding->ctx, &desc) : NULL;
}

void layout_encoding_free(layout_encoding *encoding)
{
	if (!encoding)
		return;
	free(encoding->inner_dims_pos);
	free(encoding->inner_tiles);
	free(encoding->outer_dims_perm);
	free(encoding->group_sizes);
	free(encoding->dims);
	free(encoding->permutation);
	free(encoding->stand_in);
	free(encoding);
}
