/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pairs of a layout, the first input fastest. */
#include "algebra/linear/linear.h"

/* The next point of the inputs' box, the first input fastest; false past the last. */
static bool next_point(layout_linear *linear, int64_t *point, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++) {
		if (++point[i] < layout_linear_in_size(linear, i))
			return true;
		point[i] = 0;
	}
	return false;
}

bool linear_for_each(layout_linear *linear, layout_visit_pair visit, void *user)
{
	unsigned ins = layout_linear_in_count(linear);
	unsigned outs = layout_linear_out_count(linear);
	int64_t point[LAYOUT_LINEAR_RANK] = { 0 }, image[LAYOUT_LINEAR_RANK];

	do {
		if (!layout_linear_eval(linear, point, image))
			return false;
		if (!visit(user, point, ins, image, outs))
			return true;
	} while (next_point(linear, point, ins));
	return true;
}
