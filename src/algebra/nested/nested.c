/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/nested/nested.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of threads below this can be rounded up, and added twice. */
#define THREADS_END (INT64_MAX / 4)

const char *const nested_list_names[NESTED_LISTS] = {
	"subgroup_tile", "batch_tile", "outer_tile", "thread_tile", "element_tile",
	"subgroup_strides", "thread_strides",
};

static bool tile_is_positive(const layout_nested *nested, unsigned level, unsigned dim)
{
	if (nested->tile[level][dim] > 0)
		return true;
	layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
		"%s of dimension %u must be positive, not %" PRId64,
		nested_list_names[level], dim, nested->tile[level][dim]);
	return false;
}

static bool dim_is_valid(const layout_nested *nested, unsigned dim)
{
	for (unsigned level = 0; level < NESTED_LEVELS; level++)
		if (!tile_is_positive(nested, level, dim))
			return false;
	if (nested->subgroup_strides[dim] >= 0 && nested->thread_strides[dim] >= 0)
		return true;
	layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
		"the strides of dimension %u cannot be negative", dim);
	return false;
}

/* How many threads or subgroups a tile repeats after. */
static int64_t span(int64_t tile, int64_t stride)
{
	return tile > 1 ? tile * stride : 0;
}

/* sum += span, with room left for rounding up. */
static bool add_span(int64_t tile, int64_t stride, int64_t *sum)
{
	return (tile == 1 || int_add_product(sum, tile, stride)) && *sum < THREADS_END;
}

/* The vector's elements fit 64 bits, and the threads with room for a rounding. */
static bool sizes_fit(const layout_nested *nested)
{
	int64_t subgroups = 1, threads = 0, elements = 1, all;

	for (unsigned d = 0; d < nested->rank; d++) {
		for (unsigned level = 0; level < NESTED_LEVELS; level++)
			if (__builtin_mul_overflow(elements, nested->tile[level][d],
				&elements))
				return false;
		if (!add_span(nested->tile[NESTED_SUBGROUP][d],
				nested->subgroup_strides[d], &subgroups) ||
		    !add_span(nested->tile[NESTED_THREAD][d],
				nested->thread_strides[d], &threads))
			return false;
	}
	if (nested->subgroup_count > subgroups)
		subgroups = nested->subgroup_count;
	return nested->subgroup_size < THREADS_END &&
		!__builtin_mul_overflow(subgroups, nested->subgroup_size, &all) &&
		all < THREADS_END;
}

static bool is_valid(const layout_nested *nested)
{
	const char *wrong = nested->subgroup_size < 1 ? "subgroup_size must be positive" :
		nested->subgroup_count < 0 ? "subgroup_count cannot be negative" : NULL;

	if (wrong) {
		layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1, "%s", wrong);
		return false;
	}
	for (unsigned d = 0; d < nested->rank; d++)
		if (!dim_is_valid(nested, d))
			return false;
	if (sizes_fit(nested))
		return true;
	layout_fail(nested->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the layout does not fit 64 bits");
	return false;
}

layout_nested *nested_alloc(layout_context *ctx, unsigned rank, int64_t subgroup_size,
	int64_t subgroup_count)
{
	layout_nested *nested = layout_alloc(ctx, 1, sizeof(*nested) +
		NESTED_LISTS * (size_t)rank * sizeof(*nested->lists));

	if (!nested)
		return NULL;
	nested->ctx = ctx;
	nested->rank = rank;
	for (unsigned level = 0; level < NESTED_LEVELS; level++)
		nested->tile[level] = nested_list(nested, level);
	nested->subgroup_strides = nested_list(nested, NESTED_SUBGROUP_STRIDES);
	nested->thread_strides = nested_list(nested, NESTED_THREAD_STRIDES);
	nested->subgroup_size = subgroup_size;
	nested->subgroup_count = subgroup_count;
	return nested;
}

layout_nested *nested_finish(layout_nested *nested)
{
	if (nested && !is_valid(nested)) {
		layout_nested_free(nested);
		return NULL;
	}
	for (unsigned d = 0; nested && d < nested->rank; d++) {
		if (nested->tile[NESTED_SUBGROUP][d] == 1)
			nested->subgroup_strides[d] = 0;
		if (nested->tile[NESTED_THREAD][d] == 1)
			nested->thread_strides[d] = 0;
	}
	return nested;
}

void nested_copy_dim(layout_nested *result, unsigned to, const layout_nested *nested,
	unsigned from)
{
	for (unsigned list = 0; list < NESTED_LISTS; list++)
		nested_list(result, list)[to] = nested_list(nested, list)[from];
}

void nested_unit_dim(layout_nested *result, unsigned dim)
{
	for (unsigned level = 0; level < NESTED_LEVELS; level++)
		result->tile[level][dim] = 1;
	result->subgroup_strides[dim] = result->thread_strides[dim] = 0;
}

int64_t nested_step(const layout_nested *nested, unsigned level, unsigned dim)
{
	return level == NESTED_SUBGROUP ?
		nested->subgroup_strides[dim] * nested->subgroup_size :
		nested->thread_strides[dim];
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Subgroups that tiles and strides name, with what a gap before or behind a step
 * repeats.  Threads that fit a subgroup need no other one. */
static int64_t named_subgroups(const layout_nested *nested)
{
	int64_t subgroups = 1, last = 0, subgroup_span = 1, thread_span = 1;

	for (unsigned d = 0; d < nested->rank; d++) {
		int64_t s = nested->tile[NESTED_SUBGROUP][d];
		int64_t t = nested->tile[NESTED_THREAD][d];

		subgroups += (s - 1) * nested->subgroup_strides[d];
		last += (t - 1) * nested->thread_strides[d];
		subgroup_span = most(subgroup_span,
			span(s, nested->subgroup_strides[d]));
		thread_span = most(thread_span, span(t, nested->thread_strides[d]));
	}
	subgroups = most(subgroups, subgroup_span);
	if (last < nested->subgroup_size)
		return subgroups;
	return most(subgroups, most(last, thread_span - 1) / nested->subgroup_size + 1);
}

int64_t nested_virtual_threads(const layout_nested *nested)
{
	int64_t named = named_subgroups(nested);

	return nested->subgroup_size *
		(nested->subgroup_count > named ? nested->subgroup_count : named);
}

int64_t nested_period(const layout_nested *nested)
{
	return nested->subgroup_size * (nested->subgroup_count ?
		nested->subgroup_count : named_subgroups(nested));
}

bool nested_subgroups_meet(const layout_nested *a, const layout_nested *b,
	const char *doing)
{
	if (a->subgroup_size == b->subgroup_size &&
	    a->subgroup_count == b->subgroup_count)
		return true;
	layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
		"cannot %s: subgroups of %" PRId64 " and of %" PRId64 " threads, %" PRId64
		" and %" PRId64 " of them", doing, a->subgroup_size, b->subgroup_size,
		a->subgroup_count, b->subgroup_count);
	return false;
}

static bool lists_given(layout_context *ctx, const layout_nested_desc *desc)
{
	return layout_given(ctx, !desc->rank ||
			(desc->subgroup_tile && desc->batch_tile &&
			desc->outer_tile && desc->thread_tile && desc->element_tile),
			"list for one of the tiles") &&
		layout_given(ctx, !desc->rank || (desc->subgroup_strides &&
			desc->thread_strides), "list for one of the strides");
}

static void copy_lists(layout_nested *nested, const layout_nested_desc *desc)
{
	const int64_t *const lists[NESTED_LISTS] = {
		desc->subgroup_tile, desc->batch_tile, desc->outer_tile,
		desc->thread_tile, desc->element_tile, desc->subgroup_strides,
		desc->thread_strides,
	};

	for (unsigned i = 0; nested->rank && i < NESTED_LISTS; i++)
		memcpy(nested_list(nested, i), lists[i],
			nested->rank * sizeof(**lists));
}

/* The description may be an older caller's, which lacks the last fields. */
layout_nested *layout_nested_new(layout_context *ctx, const layout_nested_desc *desc)
{
	layout_nested_desc own = LAYOUT_NESTED_DESC_INIT;
	layout_nested *nested;

	if (!layout_given(ctx, desc, "description of a nested layout"))
		return NULL;
	memcpy(&own, desc, desc->size < sizeof(own) ? desc->size : sizeof(own));
	if (!lists_given(ctx, &own))
		return NULL;
	nested = nested_alloc(ctx, own.rank, own.subgroup_size ? own.subgroup_size :
		NESTED_SUBGROUP_SIZE, own.subgroup_count);
	if (nested)
		copy_lists(nested, &own);
	return nested_finish(nested);
}

layout_nested *layout_nested_copy(layout_nested *nested)
{
	layout_nested *copy = nested ? nested_alloc(nested->ctx, nested->rank,
		nested->subgroup_size, nested->subgroup_count) : NULL;

	if (copy)
		memcpy(copy->lists, nested->lists,
			NESTED_LISTS * (size_t)nested->rank * sizeof(*nested->lists));
	return copy;
}

void layout_nested_free(layout_nested *nested)
{
	free(nested);
}

unsigned layout_nested_rank(layout_nested *nested)
{
	return nested ? nested->rank : 0;
}

int64_t layout_nested_size(layout_nested *nested, unsigned dim)
{
	int64_t extent = nested && dim < nested->rank;

	for (unsigned level = 0; extent && level < NESTED_LEVELS; level++)
		extent *= nested->tile[level][dim];
	return extent;
}

int64_t layout_nested_threads(layout_nested *nested)
{
	return nested ? nested_period(nested) : 0;
}
