/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layouts of one input and one output. */
#include "algebra/linear/linear.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>

/* 0 everywhere; NULL with the error on the context for bad sizes and names. */
static layout_linear *begin_1d(layout_context *ctx, int64_t size, const char *in,
	const char *out, int64_t out_size)
{
	layout_size ins = { in, size }, outs = { out, out_size };
	struct linear_side in_side, out_side;

	if (!linear_side_of(ctx, &ins, 1, &in_side) ||
	    !linear_side_of(ctx, &outs, 1, &out_side))
		return NULL;
	return linear_begin(ctx, &in_side, &out_side);
}

layout_linear *layout_linear_strided(layout_context *ctx, int64_t size, int64_t stride,
	const char *in, const char *out)
{
	layout_linear *result;
	int64_t out_size;

	if (!ctx)
		return NULL;
	if (int_log2(stride) < 0) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"the stride must be a power of two, not %" PRId64, stride);
		return NULL;
	}
	if (__builtin_mul_overflow(size, stride, &out_size)) {
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "%" PRId64
			" points in steps of %" PRId64 " do not fit 64 bits", size,
			stride);
		return NULL;
	}
	result = begin_1d(ctx, size, in, out, out_size);
	for (unsigned bit = 0; result && bit < result->f2->in_bits; bit++)
		f2_toggle(result->f2, bit, 0, (uint64_t)stride << bit);
	return result;
}

layout_linear *layout_linear_identity(layout_context *ctx, int64_t size, const char *in,
	const char *out)
{
	return layout_linear_strided(ctx, size, 1, in, out);
}

layout_linear *layout_linear_zeros(layout_context *ctx, int64_t size, const char *in,
	const char *out, int64_t out_size)
{
	return begin_1d(ctx, size, in, out, out_size);
}
