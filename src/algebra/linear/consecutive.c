/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"

/* Is the image of "bit" 2^bit in output 0, and nothing else? */
static bool steps(const struct f2 *f2, unsigned bit)
{
	bool alone = f2_get(f2, bit, 0) == (uint64_t)1 << bit;

	for (unsigned out = 1; alone && out < f2->out_rank; out++)
		alone = !f2_get(f2, bit, out);
	return alone;
}

int64_t layout_linear_consecutive(layout_linear *linear)
{
	const struct f2 *f2 = linear ? linear->f2 : NULL;
	unsigned run = 0, aligned;
	uint64_t others = 0;

	if (!f2)
		return -1;
	if (!f2->in_rank || !f2->out_rank)
		return 1;
	while (run < f2->in_widths[0] && steps(f2, run))
		run++;
	for (unsigned bit = run; bit < f2->in_bits; bit++)
		others |= f2_get(f2, bit, 0);
	aligned = others ? (unsigned)__builtin_ctzll(others) : F2_WIDTH;
	return (int64_t)1 << (run < aligned ? run : aligned);
}
