/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/layout_table.h"

#include <stdlib.h>
#include <string.h>

void layout_tabulate(const struct layout_model *model, struct layout_table *table)
{
	int64_t in[POINT_RANK];

	table->in_rank = model->in_rank;
	table->out_rank = model->out_rank;
	memcpy(table->in, model->in, sizeof(table->in));
	memcpy(table->out, model->out, sizeof(table->out));
	table->count = box_size(model->in, model->in_rank);
	table->function = true;
	if (table->count > TABLE_POINTS)
		abort();
	for (int64_t i = 0; i < table->count; i++) {
		colex_point(model->in, model->in_rank, i, in);
		if (!layout_model_at(model, in, table->image[i]))
			table->function = false;
	}
}

int64_t table_offset(const struct layout_table *table, bool cells, int64_t i)
{
	return (cells ? lex_number : colex_number)(table->out, table->out_rank,
		table->image[i]);
}

/* Is each value the sum of what its coordinates add by themselves? */
static bool is_sum(const int64_t *values, const int64_t *in, unsigned rank)
{
	int64_t count = box_size(in, rank), point[POINT_RANK];

	for (int64_t i = 0; i < count; i++) {
		int64_t sum = values[0], step = 1;

		colex_point(in, rank, i, point);
		for (unsigned d = 0; d < rank; step *= in[d++])
			sum += values[point[d] * step] - values[0];
		if (sum != values[i])
			return false;
	}
	return true;
}

/* One input, whose values are "step" apart: its first even run must be a mode, and then
 * the starts of the runs have one again; all of them are forced. */
static bool is_leaves(const int64_t *values, int64_t step, int64_t count)
{
	int64_t sizes[POINT_RANK], along[TABLE_POINTS], rest = count, place = step;
	unsigned rank = 0;

	for (int64_t i = 0; i < count; i++)
		along[i] = values[i * step];
	while (rest > 1) {
		int64_t stride = values[place] - values[0], run = 1;

		while (run < rest && values[run * place] - values[0] == run * stride)
			run++;
		if (rest % run)
			return false;
		sizes[rank++] = run;
		place *= run;
		rest /= run;
	}
	return is_sum(along, sizes, rank);
}

bool offsets_are_cute(const int64_t *values, const int64_t *in, unsigned rank)
{
	int64_t step = 1;

	if (values[0] != 0 || !is_sum(values, in, rank))
		return false;
	for (unsigned d = 0; d < rank; step *= in[d++])
		if (!is_leaves(values, step, in[d]))
			return false;
	return true;
}

static int64_t swizzled(int64_t x, int bits, int base, int shift)
{
	int64_t mask = (((int64_t)1 << bits) - 1) << (base + (shift > 0 ? shift : 0));

	return x ^ (shift > 0 ? (x & mask) >> shift : (x & mask) << -shift);
}

bool offsets_are_swizzled(const int64_t *values, const int64_t *in, unsigned rank)
{
	int64_t plain[TABLE_POINTS], count = box_size(in, rank);

	for (int bits = 1; bits < 8; bits++)
		for (int base = 0; base < 8; base++)
			for (int shift = -8; shift <= 8; shift++) {
				if (abs(shift) < bits)
					continue;
				for (int64_t i = 0; i < count; i++)
					plain[i] = swizzled(values[i], bits, base, shift);
				for (int64_t i = count; i-- > 0;)
					plain[i] -= plain[0];
				if (offsets_are_cute(plain, in, rank))
					return true;
			}
	return false;
}

bool table_is_linear(const struct layout_table *table)
{
	int64_t highest;

	for (unsigned d = 0; d < table->in_rank; d++)
		if (table->in[d] < 1 || table->in[d] & (table->in[d] - 1))
			return false;
	for (int64_t i = 0; i < table->count; i++) {
		for (highest = 1; highest * 2 <= i; highest *= 2)
			;
		for (unsigned out = 0; out < table->out_rank; out++)
			if (table->image[i][out] < 0 || table->image[i][out] !=
					(i ? table->image[highest][out] ^
					table->image[i - highest][out] : 0))
				return false;
	}
	return true;
}

