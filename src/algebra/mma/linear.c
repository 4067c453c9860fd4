/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/mma/mma.h"

/* The most bits of a lane and of an element. */
#define MOST_BITS 16

layout_linear *layout_mma_linear(layout_mma *mma)
{
	static const char *const outs[] = { "block", "row", "column" };
	unsigned extents[MMA_COORDINATES], count;
	char names[MMA_COORDINATES];
	layout_size in[2], out[MMA_COORDINATES];
	int64_t bases[MMA_COORDINATES * MOST_BITS];
	layout_linear *linear = NULL;
	struct f2 *f2;

	if (!mma)
		return NULL;
	if (mma_is_half(mma)) {
		layout_fail(mma->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"a linear layout holds all elements, %s of %s every second one",
			layout_mma_operand_name(mma->operand), mma->name);
		return NULL;
	}
	count = mma_coordinates(mma, names, extents);
	in[0] = (layout_size){ "lane", 1 << mma_lane_bits(mma) };
	in[1] = (layout_size){ "element", layout_mma_elements(mma) };
	for (unsigned i = 0; i < count; i++)
		out[i] = (layout_size){ outs[3 - count + i], extents[i] };
	f2 = mma_f2(mma);
	if (!f2)
		return NULL;
	for (unsigned bit = 0; bit < f2->in_bits; bit++)
		for (unsigned i = 0; i < count; i++)
			bases[bit * count + i] = (int64_t)f2_get(f2, bit, i);
	linear = layout_linear_new(mma->ctx, in, 2, out, count, bases);
	f2_free(f2);
	return linear;
}
