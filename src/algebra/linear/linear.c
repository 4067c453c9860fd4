/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts as objects: built, copied, looked at. */
#include "algebra/linear/linear.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The struct, its lists of names, and the text of the names. */
layout_linear *linear_around(layout_context *ctx, const struct linear_side *ins,
	const struct linear_side *outs, struct f2 *f2)
{
	size_t count = (size_t)ins->count + outs->count, bytes = 0;
	layout_linear *linear = NULL;
	char *text;

	for (size_t i = 0; i < count; i++)
		bytes += 1 + strlen(i < ins->count ? ins->names[i] :
			outs->names[i - ins->count]);
	if (f2)
		linear = layout_alloc(ctx, 1, sizeof(*linear) +
			count * sizeof(*linear->ins) + bytes);
	if (!linear) {
		f2_free(f2);
		return NULL;
	}
	linear->ctx = ctx;
	linear->f2 = f2;
	linear->ins = (const char **)(linear + 1);
	linear->outs = linear->ins + ins->count;
	text = (char *)(linear->ins + count);
	for (size_t i = 0; i < count; i++) {
		linear->ins[i] = text;
		text = stpcpy(text, i < ins->count ? ins->names[i] :
			outs->names[i - ins->count]) + 1;
	}
	return linear;
}

layout_linear *linear_begin(layout_context *ctx, const struct linear_side *ins,
	const struct linear_side *outs)
{
	return linear_around(ctx, ins, outs, f2_new(ctx, ins->count, ins->widths,
		outs->count, outs->widths));
}

static bool is_name(const char *name)
{
	static const char characters[] = "0123456789"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";

	return *name && !(*name >= '0' && *name <= '9') &&
		name[strspn(name, characters)] == '\0';
}

bool linear_side_of(layout_context *ctx, const layout_size *sizes, unsigned count,
	struct linear_side *side)
{
	unsigned width;

	side->count = 0;
	if (!layout_given_sizes(ctx, sizes, count))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (!is_name(sizes[i].name)) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"`%.40s` is not a name: letters, digits and `_`, "
				"no digit first",
				sizes[i].name);
			return false;
		}
		if (!linear_bits(ctx, sizes[i].name, sizes[i].value, &width) ||
		    !linear_append(ctx, side, sizes[i].name, width))
			return false;
	}
	return true;
}

static bool fill(layout_linear *linear, const int64_t *bases)
{
	struct f2 *f2 = linear->f2;

	for (unsigned bit = 0; bit < f2->in_bits; bit++)
		for (unsigned out = 0; out < f2->out_rank; out++, bases++) {
			if (*bases < 0 || *bases >> f2->out_widths[out]) {
				layout_fail(linear->ctx, LAYOUT_ERROR_INVALID, -1,
					"basis %" PRId64 " is outside %s, "
					"which has %" PRId64 " points", *bases,
					linear->outs[out],
					(int64_t)1 << f2->out_widths[out]);
				return false;
			}
			f2_toggle(f2, bit, out, (uint64_t)*bases);
		}
	return true;
}

layout_linear *layout_linear_new(layout_context *ctx, const layout_size *ins,
	unsigned in_count, const layout_size *outs, unsigned out_count,
	const int64_t *bases)
{
	struct linear_side in, out;
	layout_linear *linear;

	if (!linear_side_of(ctx, ins, in_count, &in) ||
	    !linear_side_of(ctx, outs, out_count, &out))
		return NULL;
	linear = linear_begin(ctx, &in, &out);
	if (linear && linear->f2->in_bits && out_count &&
	    !layout_given(ctx, bases, "basis")) {
		layout_linear_free(linear);
		return NULL;
	}
	if (!linear || fill(linear, bases))
		return linear;
	layout_linear_free(linear);
	return NULL;
}

layout_linear *layout_linear_copy(layout_linear *linear)
{
	struct linear_side ins, outs;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	return linear_around(linear->ctx, &ins, &outs, f2_share(linear->f2));
}

void layout_linear_free(layout_linear *linear)
{
	if (!linear)
		return;
	f2_free(linear->f2);
	free(linear);
}

layout_context *layout_linear_context(layout_linear *linear)
{
	return linear ? linear->ctx : NULL;
}

unsigned layout_linear_in_count(const layout_linear *linear)
{
	return linear ? linear->f2->in_rank : 0;
}

unsigned layout_linear_out_count(const layout_linear *linear)
{
	return linear ? linear->f2->out_rank : 0;
}

const char *layout_linear_in_name(const layout_linear *linear, unsigned i)
{
	return i < layout_linear_in_count(linear) ? linear->ins[i] : NULL;
}

const char *layout_linear_out_name(const layout_linear *linear, unsigned i)
{
	return i < layout_linear_out_count(linear) ? linear->outs[i] : NULL;
}

int64_t layout_linear_in_size(const layout_linear *linear, unsigned i)
{
	return i < layout_linear_in_count(linear) ?
		(int64_t)1 << linear->f2->in_widths[i] : 0;
}

int64_t layout_linear_out_size(const layout_linear *linear, unsigned i)
{
	return i < layout_linear_out_count(linear) ?
		(int64_t)1 << linear->f2->out_widths[i] : 0;
}

bool layout_linear_basis(layout_linear *linear, unsigned in, unsigned bit,
	int64_t *image)
{
	if (!linear ||
	    !layout_given(linear->ctx, image || !linear->f2->out_rank, "image"))
		return false;
	if (in >= linear->f2->in_rank || bit >= linear->f2->in_widths[in]) {
		layout_fail(linear->ctx, LAYOUT_ERROR_INVALID, -1,
			"input %u has no bit %u", in, bit);
		return false;
	}
	bit += f2_in_begin(linear->f2, in);
	for (unsigned out = 0; out < linear->f2->out_rank; out++)
		image[out] = (int64_t)f2_get(linear->f2, bit, out);
	return true;
}

bool layout_linear_eval(layout_linear *linear, const int64_t *point, int64_t *image)
{
	if (!linear ||
	    !layout_given(linear->ctx, point || !linear->f2->in_rank, "point") ||
	    !layout_given(linear->ctx, image || !linear->f2->out_rank, "image"))
		return false;
	for (unsigned i = 0; i < linear->f2->in_rank; i++)
		if (point[i] < 0 || point[i] >> linear->f2->in_widths[i]) {
			layout_fail(linear->ctx, LAYOUT_ERROR_INVALID, -1,
				"%s = %" PRId64 " is outside its %" PRId64 " points",
				linear->ins[i], point[i],
				(int64_t)1 << linear->f2->in_widths[i]);
			return false;
		}
	f2_apply(linear->f2, point, image);
	return true;
}
