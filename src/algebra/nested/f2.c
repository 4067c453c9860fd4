/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts of powers of two move bits from ids and places to coordinates. */
#include "algebra/nested/f2.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

static unsigned log2_of(int64_t power)
{
	return (unsigned)int_log2(power);
}

/* All ids are bits of the thread. */
static bool has_form(const layout_nested *nested)
{
	int64_t threads = nested_period(nested);

	if (!int_is_power2(threads) || threads != nested_virtual_threads(nested))
		return false;
	for (unsigned d = 0; d < nested->rank; d++)
		for (unsigned level = 0; level < NESTED_LEVELS; level++) {
			bool id = level == NESTED_SUBGROUP || level == NESTED_THREAD;
			int64_t tile = nested->tile[level][d];

			if (!int_is_power2(tile) || (id && tile > 1 &&
				!int_is_power2(nested_step(nested, level, d))))
				return false;
		}
	return true;
}

static struct f2 *empty(const layout_nested *nested)
{
	static const unsigned held[] = { NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT };
	unsigned rank = nested->rank, *in = layout_alloc(nested->ctx,
		1 + 4 * (size_t)rank, sizeof(*in)), *out;
	struct f2 *f2;

	if (!in)
		return NULL;
	out = in + 1 + 3 * rank;
	in[0] = log2_of(nested_period(nested));
	for (unsigned d = 0; d < rank; d++) {
		for (unsigned i = 0; i < 3; i++)
			in[1 + i * rank + d] = log2_of(nested->tile[held[i]][d]);
		for (unsigned level = 0; level < NESTED_LEVELS; level++)
			out[d] += log2_of(nested->tile[level][d]);
	}
	f2 = f2_new(nested->ctx, 1 + 3 * rank, in, rank, out);
	free(in);
	return f2;
}

/* The input bit where the digit of a level begins; a digit may reach beyond the
 * thread's bits, where it is 0. */
static unsigned digit_begin(const struct f2 *f2, const layout_nested *nested,
	unsigned level, unsigned dim)
{
	switch (level) {
	case NESTED_BATCH:
		return f2_in_begin(f2, 1 + dim);
	case NESTED_OUTER:
		return f2_in_begin(f2, 1 + nested->rank + dim);
	case NESTED_ELEMENT:
		return f2_in_begin(f2, 1 + 2 * nested->rank + dim);
	default:
		return log2_of(nested_step(nested, level, dim));
	}
}

static void fill_dim(struct f2 *f2, const layout_nested *nested, unsigned dim)
{
	unsigned at = 0;

	for (unsigned level = NESTED_LEVELS; level-- > 0;) {
		unsigned bits = log2_of(nested->tile[level][dim]), begin;
		bool id = level == NESTED_SUBGROUP || level == NESTED_THREAD;

		begin = bits ? digit_begin(f2, nested, level, dim) : 0;
		for (unsigned i = 0; i < bits; i++)
			if (!id || begin + i < f2->in_widths[0])
				f2_toggle(f2, begin + i, dim, (uint64_t)1 << (at + i));
		at += bits;
	}
}

struct f2 *nested_f2(const layout_nested *nested)
{
	struct f2 *f2 = has_form(nested) ? empty(nested) : NULL;

	for (unsigned d = 0; f2 && d < nested->rank; d++)
		fill_dim(f2, nested, d);
	return f2;
}
