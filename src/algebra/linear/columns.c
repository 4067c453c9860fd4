/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Columns of one layout as columns of another. */
#include "algebra/linear/linear.h"

void linear_add_column(struct f2 *to, unsigned to_bit, const struct f2 *from,
	unsigned from_bit, const int *places, const unsigned *shifts)
{
	for (unsigned i = 0; i < from->out_rank; i++) {
		if (places[i] < 0)
			continue;
		f2_toggle(to, to_bit, (unsigned)places[i],
			f2_get(from, from_bit, i) << (shifts ? shifts[i] : 0));
	}
}

layout_linear *linear_part(const layout_linear *linear, const struct linear_side *ins,
	const struct linear_side *outs)
{
	struct linear_side all_ins = linear_ins(linear), all_outs = linear_outs(linear);
	layout_linear *result = linear_begin(linear->ctx, ins, outs);
	int places[LAYOUT_LINEAR_RANK];
	unsigned bit = 0;

	linear_match(&all_outs, outs, places);
	for (unsigned i = 0; result && i < ins->count; i++) {
		int in = linear_find(&all_ins, ins->names[i]);
		unsigned from = f2_in_begin(linear->f2, (unsigned)in);

		for (unsigned j = 0; j < ins->widths[i]; j++)
			linear_add_column(result->f2, bit++, linear->f2, from + j,
				places, NULL);
	}
	return result;
}
