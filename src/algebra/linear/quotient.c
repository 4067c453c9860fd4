/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/linear/linear.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Which inputs and outputs are among "dims". */
struct chosen {
	bool ins[LAYOUT_LINEAR_RANK], outs[LAYOUT_LINEAR_RANK];
};

static bool choose(layout_linear *linear, const char *const *dims, unsigned count,
	struct chosen *chosen)
{
	struct linear_side ins = linear_ins(linear), outs = linear_outs(linear);
	unsigned in[LAYOUT_LINEAR_RANK], out[LAYOUT_LINEAR_RANK];

	*chosen = (struct chosen){ 0 };
	if (!linear_places(linear->ctx, &ins, dims, count, "input", in) ||
	    !linear_places(linear->ctx, &outs, dims, count, "output", out))
		return false;
	for (unsigned i = 0; i < count; i++) {
		chosen->ins[in[i]] = true;
		chosen->outs[out[i]] = true;
	}
	return true;
}

/* What column "bit" must be in output "out": bit "low" of input "in". */
static bool column_fits(const layout_linear *linear, const struct chosen *chosen,
	unsigned in, unsigned low, unsigned bit, unsigned out)
{
	uint64_t value = f2_get(linear->f2, bit, out);

	if (!chosen->ins[in] && !chosen->outs[out])
		return true;
	if (chosen->ins[in] && !strcmp(linear->ins[in], linear->outs[out]))
		return value == (uint64_t)1 << low;
	return !value;
}

/* Empty where the layout is the identity on what is chosen, and separable; else what
 * is in the way. */
static struct linear_text obstacle(const layout_linear *linear,
	const struct chosen *chosen)
{
	struct linear_side outs = linear_outs(linear);
	struct linear_text text = { "" };
	unsigned bit = 0;

	for (unsigned in = 0; in < linear->f2->in_rank; in++) {
		int out = linear_find(&outs, linear->ins[in]);
		unsigned width = linear->f2->in_widths[in];

		if (chosen->ins[in] && outs.widths[out] != width) {
			snprintf(text.text, sizeof(text.text), "%.40s has %" PRId64
				" points as input and %" PRId64 " as output",
				linear->ins[in], (int64_t)1 << width,
				(int64_t)1 << outs.widths[out]);
			return text;
		}
		for (unsigned low = 0; low < width; low++, bit++)
			for (unsigned i = 0; i < outs.count; i++) {
				if (column_fits(linear, chosen, in, low, bit, i))
					continue;
				snprintf(text.text, sizeof(text.text),
					"%.40s = %" PRId64 " goes to %.40s = %" PRIu64,
					linear->ins[in], (int64_t)1 << low,
					outs.names[i], f2_get(linear->f2, bit, i));
				return text;
			}
	}
	return text;
}

layout_answer layout_linear_is_trivial_over(layout_linear *linear,
	const char *const *dims, unsigned count)
{
	struct chosen chosen;

	if (!linear || !choose(linear, dims, count, &chosen))
		return LAYOUT_UNKNOWN;
	return obstacle(linear, &chosen).text[0] ? LAYOUT_NO : LAYOUT_YES;
}

/* The names that are not chosen. */
static struct linear_side without(layout_context *ctx, const struct linear_side *side,
	const bool *chosen)
{
	struct linear_side rest = { 0 };

	for (unsigned i = 0; i < side->count; i++)
		if (!chosen[i])
			linear_append(ctx, &rest, side->names[i], side->widths[i]);
	return rest;
}

layout_linear *layout_linear_quotient(layout_linear *linear, const char *const *dims,
	unsigned count)
{
	struct linear_side ins, outs;
	layout_linear *result = NULL;
	struct linear_text reason;
	struct chosen chosen;

	if (!linear || !choose(linear, dims, count, &chosen))
		goto done;
	reason = obstacle(linear, &chosen);
	if (reason.text[0]) {
		layout_fail(linear->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no quotient, since the layout is not the identity there: %s",
			reason.text);
		goto done;
	}
	ins = linear_ins(linear);
	outs = linear_outs(linear);
	ins = without(linear->ctx, &ins, chosen.ins);
	outs = without(linear->ctx, &outs, chosen.outs);
	result = linear_part(linear, &ins, &outs);
done:
	layout_linear_free(linear);
	return result;
}
