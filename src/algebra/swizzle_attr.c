/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/swizzle_attr.h"

#include "algebra/forms.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>

/* A failure that stands for the swizzle. */
static void *invalid(layout_context *ctx, const char *what, int64_t a, int64_t b)
{
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "%s, found %lld and %lld", what,
		(long long)a, (long long)b);
	return NULL;
}

/* What both kinds have in common; the period is still to be found. */
static layout_swizzle *swizzle_new(layout_context *ctx, int64_t row_width,
	int64_t access_width)
{
	layout_swizzle *swizzle;

	if (row_width < 1 || access_width < 1)
		return invalid(ctx, "expected widths of at least 1", row_width,
			access_width);
	if (row_width % access_width)
		return invalid(ctx, "expected access width to divide row width",
			access_width, row_width);
	swizzle = layout_alloc(ctx, 1, sizeof(*swizzle));
	if (!swizzle)
		return NULL;
	*swizzle = (layout_swizzle){
		.ctx = ctx,
		.row_width = row_width, .access_width = access_width,
		.columns = row_width / access_width,
		.row_stride = row_width, .per_phase = 1,
	};
	return swizzle;
}

/* Fill in the period, the end of making a swizzle. */
static layout_swizzle *close_period(layout_swizzle *swizzle)
{
	if (!__builtin_mul_overflow(swizzle->row_stride, swizzle->per_phase,
			&swizzle->period) &&
	    !__builtin_mul_overflow(swizzle->period, swizzle->columns,
			&swizzle->period))
		return swizzle;
	layout_fail(swizzle->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the period %lld * %lld * %lld does not fit 64 bits",
		(long long)swizzle->row_stride, (long long)swizzle->per_phase,
		(long long)swizzle->columns);
	free(swizzle);
	return NULL;
}

static bool xor_is_valid(const layout_swizzle *swizzle)
{
	if (!int_is_power2(swizzle->columns))
		return invalid(swizzle->ctx, "expected a power of two of accesses in a "
			"row: row width and access width", swizzle->row_width,
			swizzle->access_width);
	if (swizzle->per_phase < 1 || swizzle->per_phase > swizzle->columns)
		return invalid(swizzle->ctx, "expected per_phase to be at most the accesses of a row",
			swizzle->per_phase, swizzle->columns);
	if (swizzle->row_stride < 1 || swizzle->row_stride % swizzle->row_width)
		return invalid(swizzle->ctx, "expected row width to divide row stride",
			swizzle->row_width, swizzle->row_stride);
	return true;
}

layout_swizzle *layout_swizzle_xor_shuffle(layout_context *ctx, int64_t row_width,
	int64_t access_width, int64_t row_stride, int64_t per_phase)
{
	layout_swizzle *swizzle = ctx ? swizzle_new(ctx, row_width, access_width) : NULL;

	if (!swizzle)
		return NULL;
	if (row_stride)
		swizzle->row_stride = row_stride;
	if (per_phase)
		swizzle->per_phase = per_phase;
	if (xor_is_valid(swizzle))
		return close_period(swizzle);
	free(swizzle);
	return NULL;
}

layout_swizzle *layout_swizzle_rotate_rows(layout_context *ctx, int64_t row_width,
	int64_t access_width)
{
	layout_swizzle *swizzle = ctx ? swizzle_new(ctx, row_width, access_width) : NULL;

	if (!swizzle)
		return NULL;
	swizzle->rotates = true;
	return close_period(swizzle);
}

layout_swizzle *layout_swizzle_copy(layout_swizzle *swizzle)
{
	layout_swizzle *copy = swizzle ?
		layout_alloc(swizzle->ctx, 1, sizeof(*copy)) : NULL;

	if (copy)
		*copy = *swizzle;
	return copy;
}

void layout_swizzle_free(layout_swizzle *swizzle)
{
	free(swizzle);
}

int64_t layout_swizzle_period(layout_swizzle *swizzle)
{
	return swizzle ? swizzle->period : 0;
}

int64_t layout_swizzle_apply(layout_swizzle *swizzle, int64_t offset)
{
	int64_t phase, column, moved;

	if (!swizzle)
		return -1;
	if (offset < 0) {
		layout_fail(swizzle->ctx, LAYOUT_ERROR_INVALID, -1,
			"an offset must be at least 0, not %lld", (long long)offset);
		return -1;
	}
	phase = offset / swizzle->row_stride / swizzle->per_phase % swizzle->columns;
	column = offset % swizzle->row_width / swizzle->access_width;
	moved = swizzle->rotates ? (int64_t)(((uint64_t)column + (uint64_t)phase) %
		(uint64_t)swizzle->columns) : column ^ phase;
	return offset + (moved - column) * swizzle->access_width;
}

/* The function for all integers, of "space", or its inverse. */
static isl_multi_aff *one_way(const layout_swizzle *swizzle, isl_space *space, bool inverse)
{
	isl_aff *by = aff_coordinate(space, 0);
	isl_aff *image = aff_twist(isl_aff_copy(by), swizzle->access_width, by,
		swizzle->rotates ? swizzle->row_width :
		swizzle->row_stride * swizzle->per_phase, swizzle->columns,
		!swizzle->rotates ? 0 : inverse ? swizzle->columns - 1 : 1);

	isl_aff_free(by);
	return isl_multi_aff_from_aff(image);
}

/* { [x] -> [..] : x >= 0 }, a bijection, or for all integers. */
static layout_relation *relation_of(const layout_swizzle *swizzle, bool all)
{
	isl_space *space;
	isl_set *offsets;
	isl_multi_aff *forth;
	layout_relation *relation;

	bridge_enter(swizzle->ctx);
	space = isl_space_set_dim_name(isl_space_set_alloc(bridge_isl(swizzle->ctx), 0, 1),
		isl_dim_set, 0, "x");
	offsets = isl_set_universe(isl_space_copy(space));
	if (!all)
		offsets = isl_set_lower_bound_si(offsets, isl_dim_set, 0, 0);
	forth = one_way(swizzle, space, false);
	relation = bridge_give_relation(swizzle->ctx, "build a swizzle",
		isl_map_intersect_domain(isl_map_from_multi_aff(isl_multi_aff_copy(forth)),
			isl_set_copy(offsets)), forth, one_way(swizzle, space, true));
	isl_space_free(space);
	if (all) {
		isl_set_free(offsets);
		return relation;
	}
	return bridge_know_sets(relation, offsets, isl_set_copy(offsets));
}

layout_relation *layout_swizzle_unbounded_relation(layout_swizzle *swizzle)
{
	return swizzle ? relation_of(swizzle, false) : NULL;
}

/* The XOR of powers of two on [0, end), whole periods, as a function of bits. */
static struct f2 *as_bits(const layout_swizzle *swizzle, int64_t end)
{
	unsigned width = (unsigned)int_log2(end), row = (unsigned)int_log2(swizzle->columns);
	unsigned low = (unsigned)int_log2(swizzle->access_width);
	unsigned high = (unsigned)int_log2(swizzle->row_stride * swizzle->per_phase);
	struct f2 *f2 = f2_new(swizzle->ctx, 1, &width, 1, &width);

	for (unsigned bit = 0; f2 && bit < width; bit++)
		f2_toggle(f2, bit, 0, (uint64_t)1 << bit);
	for (unsigned bit = 0; f2 && bit < row; bit++)
		f2_toggle(f2, high + bit, 0, (uint64_t)1 << (low + bit));
	return f2;
}

layout_relation *layout_swizzle_relation_up_to(layout_swizzle *swizzle, int64_t offsets)
{
	int64_t end;

	if (!swizzle)
		return NULL;
	for (end = swizzle->period; end < offsets; )
		if (__builtin_mul_overflow(end, 2, &end))
			return layout_swizzle_unbounded_relation(swizzle);
	if (!swizzle->rotates && int_is_power2(end))
		return form_f2_relation(swizzle->ctx, as_bits(swizzle, end));
	return layout_relation_restrict(relation_of(swizzle, true), layout_set_of_box(swizzle->ctx,
		(const char *const[]){ "x" }, &end, 1));
}

layout_relation *layout_swizzle_relation(layout_swizzle *swizzle)
{
	return layout_swizzle_relation_up_to(swizzle, 0);
}
