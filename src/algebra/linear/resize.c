/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"

/* XOR "count" columns of "from" at "from_bit" into those at "to_bit"; the outputs are
 * the same but for their sizes, and a coordinate outside is left out. */
static void copy_columns(struct f2 *to, unsigned to_bit, const struct f2 *from,
	unsigned from_bit, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned out = 0; out < from->out_rank; out++) {
			uint64_t value = f2_get(from, from_bit + i, out);

			if (!(value >> to->out_widths[out]))
				f2_toggle(to, to_bit + i, out, value);
		}
}

/* The side with another size of one name. */
static bool resize(layout_context *ctx, struct linear_side *side, const char *name,
	int64_t size, const char *what)
{
	unsigned place;

	return linear_places(ctx, side, &name, 1, what, &place) &&
		linear_bits(ctx, name, size, &side->widths[place]);
}

layout_linear *layout_linear_resize_in(layout_linear *linear, const char *name,
	int64_t size)
{
	struct linear_side ins, outs, changed;
	layout_linear *result = NULL;
	unsigned from = 0, to = 0;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	changed = ins;
	if (resize(linear->ctx, &changed, name, size, "input"))
		result = linear_begin(linear->ctx, &changed, &outs);
	for (unsigned i = 0; result && i < ins.count; i++) {
		unsigned kept = changed.widths[i] < ins.widths[i] ?
			changed.widths[i] : ins.widths[i];

		copy_columns(result->f2, to, linear->f2, from, kept);
		from += ins.widths[i];
		to += changed.widths[i];
	}
	layout_linear_free(linear);
	return result;
}

layout_linear *layout_linear_resize_out(layout_linear *linear, const char *name,
	int64_t size)
{
	struct linear_side ins, outs;
	layout_linear *result = NULL;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	if (resize(linear->ctx, &outs, name, size, "output"))
		result = linear_begin(linear->ctx, &ins, &outs);
	if (result)
		copy_columns(result->f2, 0, linear->f2, 0, linear->f2->in_bits);
	layout_linear_free(linear);
	return result;
}

static bool is_zero(const struct f2 *f2, unsigned bit)
{
	for (unsigned out = 0; out < f2->out_rank; out++)
		if (f2_get(f2, bit, out))
			return false;
	return true;
}

layout_linear *layout_linear_remove_zero_bases(layout_linear *linear, const char *in)
{
	struct linear_side ins, outs;
	layout_linear *result = NULL;
	unsigned place, begin, end, to = 0;
	const struct f2 *f2;

	if (!linear)
		return NULL;
	f2 = linear->f2;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	if (!linear_places(linear->ctx, &ins, &in, 1, "input", &place))
		goto done;
	begin = f2_in_begin(f2, place);
	end = begin + ins.widths[place];
	for (unsigned bit = begin; bit < end; bit++)
		ins.widths[place] -= is_zero(f2, bit);
	result = linear_begin(linear->ctx, &ins, &outs);
	for (unsigned bit = 0; result && bit < f2->in_bits; bit++)
		if (bit < begin || bit >= end || !is_zero(f2, bit))
			copy_columns(result->f2, to++, f2, bit, 1);
done:
	layout_linear_free(linear);
	return result;
}
