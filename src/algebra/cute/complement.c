/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The gaps between the modes of a layout, sorted by stride, and what is above them. */
#include "algebra/cute/complement.h"
#include "algebra/cute/swizzle.h"

#include <inttypes.h>

static bool refuse_stride(const layout_cute *cute, int64_t shape, int64_t stride)
{
	layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"no complement: the stride of mode %" PRId64 ":%" PRId64 " is negative",
		shape, stride);
	return false;
}

/* The modes that move, sorted by stride. */
static bool sort_modes(const layout_cute *cute, struct cute_modes *sorted)
{
	sorted->count = 0;
	for (unsigned i = 0; i < cute->leaf_count; i++) {
		int64_t shape = cute->shape[i], stride = cute->stride[i];
		unsigned at = sorted->count;

		if (shape == 1 || !stride)
			continue;
		if (stride < 0)
			return refuse_stride(cute, shape, stride);
		for (; at && sorted->stride[at - 1] > stride; at--) {
			sorted->shape[at] = sorted->shape[at - 1];
			sorted->stride[at] = sorted->stride[at - 1];
		}
		sorted->shape[at] = shape;
		sorted->stride[at] = stride;
		sorted->count++;
	}
	return true;
}

static bool refuse_overlap(const layout_cute *cute, const struct cute_modes *sorted,
	unsigned at)
{
	int64_t shape = sorted->shape[at - 1], stride = sorted->stride[at - 1];

	layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"no complement: mode %" PRId64 ":%" PRId64 " ends at %" PRId64 " * %"
		PRId64 ", beyond the stride %" PRId64 " of mode %" PRId64 ":%" PRId64,
		shape, stride, shape, stride, sorted->stride[at], sorted->shape[at],
		sorted->stride[at]);
	return false;
}

static bool refuse_empty(const layout_cute *cute, int64_t cotarget)
{
	layout_fail(cute->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"no complement: a layout of size 0 reaches none of the %" PRId64
		" offsets, with whatever is beside it", cotarget);
	return false;
}

static void append_unless_one(struct cute_modes *modes, int64_t shape, int64_t stride)
{
	if (shape != 1)
		cute_modes_append(modes, shape, stride);
}

bool cute_find_gaps(const layout_cute *cute, int64_t cotarget, struct cute_gaps *gaps)
{
	struct cute_modes sorted;
	bool beyond = false;

	if (!cute->size)
		return refuse_empty(cute, cotarget);
	if (!sort_modes(cute, &sorted))
		return false;
	gaps->modes.count = 0;
	gaps->end = 1;
	gaps->reach = cute->cosize;
	for (unsigned i = 0; i < sorted.count; i++) {
		int64_t gap = sorted.stride[i] / gaps->end;

		if (beyond || !gap)
			return refuse_overlap(cute, &sorted, i);
		append_unless_one(&gaps->modes, gap, gaps->end);
		if (__builtin_add_overflow(gaps->reach, (gap - 1) * gaps->end,
				&gaps->reach))
			gaps->reach = INT64_MAX;
		beyond = __builtin_mul_overflow(sorted.shape[i], sorted.stride[i],
			&gaps->end);
	}
	if (beyond)
		gaps->end = INT64_MAX;
	return true;
}

void cute_repeat_gaps(struct cute_gaps *gaps, int64_t count)
{
	append_unless_one(&gaps->modes, count, gaps->end);
}

/* How often the layout and its gaps repeat until they reach "cotarget". */
static int64_t repetitions(const struct cute_gaps *gaps, int64_t cotarget)
{
	return cotarget > gaps->reach ? (cotarget - gaps->reach - 1) / gaps->end + 2 : 1;
}

static layout_cute *complement_plain(layout_cute *cute, const void *argument)
{
	int64_t cotarget = *(const int64_t *)argument;
	struct cute_builder builder;
	struct cute_gaps gaps;
	layout_cute *result = NULL;

	cute_begin(&builder, cute->ctx);
	if (!cotarget) {
		cute_leaf(&builder, 0, 0);
		result = cute_end(&builder);
	} else if (cute_find_gaps(cute, cotarget, &gaps)) {
		cute_repeat_gaps(&gaps, repetitions(&gaps, cotarget));
		cute_modes_build(&gaps.modes, &builder);
		result = cute_end(&builder);
	}
	layout_cute_free(cute);
	return result;
}

layout_cute *layout_cute_complement(layout_cute *cute, int64_t cotarget)
{
	if (cute && cotarget < 0)
		layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
			"a complement cannot reach up to %" PRId64, cotarget);
	else if (cute && cute_moves_offsets(cute))
		layout_fail(cute->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the complement of a swizzled layout is not defined");
	else if (cute) {
		cute_swizzle_clear(cute);
		return cute_on_domain(cute, complement_plain, &cotarget);
	}
	layout_cute_free(cute);
	return NULL;
}
