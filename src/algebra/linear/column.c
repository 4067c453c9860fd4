/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
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
