/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts: the bits of the inputs are all powers of two of points, and 0 goes
 * to 0. */
#include "algebra/forms.h"
#include "algebra/linear/linear.h"
#include "algebra/recognise/recognise.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A side's own names, "in0", "in1", .. */
struct numbered {
	char names[LAYOUT_LINEAR_RANK][8];
};

/* The names of the coordinates, where all have one, of letters that may be one, and no
 * two the same. */
static bool take_names(struct linear_side *side, layout_relation *relation, bool images)
{
	for (unsigned i = 0; i < side->count; i++) {
		const char *name = layout_relation_coordinate_name(relation, images, i);

		if (!name || !layout_is_plain_name(name, strlen(name)))
			return false;
		side->names[i] = name;
		for (unsigned k = 0; k < i; k++)
			if (!strcmp(side->names[k], name))
				return false;
	}
	return true;
}

static void name_side(struct linear_side *side, struct numbered *own,
	layout_relation *relation, bool images)
{
	if (take_names(side, relation, images))
		return;
	for (unsigned i = 0; i < side->count; i++) {
		snprintf(own->names[i], sizeof(own->names[i]), images ? "dim%u" : "in%u",
			i);
		side->names[i] = own->names[i];
	}
}

/* The least box of the images, or the declared one where it is a larger one of powers
 * of two. */
static void size_outs(struct linear_side *side, const struct f2 *f2, const int64_t *sizes)
{
	for (unsigned k = 0; k < side->count; k++) {
		uint64_t all = 0;

		for (unsigned bit = 0; bit < f2->in_bits; bit++)
			all |= f2_get(f2, bit, k);
		side->widths[k] = int_width(all);
		if (sizes && int_log2(sizes[k]) > (int)side->widths[k])
			side->widths[k] = (unsigned)int_log2(sizes[k]);
	}
}

/* Nothing but what it is. */
static layout_linear *build(const struct seen *seen, const struct f2 *f2,
	const int64_t *sizes)
{
	struct linear_side ins = { .count = seen->in_rank };
	struct linear_side outs = { .count = seen->out_rank };
	struct numbered in_names, out_names;
	layout_linear *linear;

	memcpy(ins.widths, f2->in_widths, ins.count * sizeof(*ins.widths));
	size_outs(&outs, f2, sizes);
	name_side(&ins, &in_names, seen->relation, false);
	name_side(&outs, &out_names, seen->relation, true);
	linear = linear_begin(seen->ctx, &ins, &outs);
	for (unsigned bit = 0; linear && bit < f2->in_bits; bit++)
		for (unsigned k = 0; k < f2->out_rank; k++)
			f2_toggle(linear->f2, bit, k, f2_get(f2, bit, k));
	return linear;
}

static bool can_be_linear(const struct seen *seen)
{
	if (seen->in_rank > LAYOUT_LINEAR_RANK || seen->out_rank > LAYOUT_LINEAR_RANK) {
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"%u inputs and %u images: a linear layout has at most %d",
			seen->in_rank, seen->out_rank, LAYOUT_LINEAR_RANK);
		return false;
	}
	for (unsigned d = 0; d < seen->in_rank; d++)
		if (!int_is_power2(seen->box[d])) {
			layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"input %u has %" PRId64 " points, which is no power of "
				"two", d, seen->box[d]);
			return false;
		}
	return true;
}

/* Does 0 go to 0? */
static bool begins_at_0(const struct seen *seen, const struct f2 *f2)
{
	for (unsigned k = 0; k < seen->out_rank; k++) {
		int64_t image = (int64_t)f2_get_constant(f2, k);

		if (!image)
			continue;
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "image %u of 0 is %"
			PRId64 ", where a linear layout has 0", k, image);
		return false;
	}
	return true;
}

/* By its digits where they are known, else as a relation. */
static bool is_proved(const struct seen *seen, const layout_linear *linear)
{
	struct digit_form made;
	unsigned clash[2];
	bool good;

	if (!seen->by_digits)
		return seen_prove(seen, form_f2_relation(seen->ctx,
			f2_share(linear->f2)));
	good = digit_form_of_f2(&made, seen->ctx, linear->f2, clash) &&
		seen_same_digits(seen, &made);
	digit_form_free(&made);
	return good;
}

layout_linear *seen_linear(const struct seen *seen, const int64_t *sizes)
{
	layout_linear *linear = NULL;
	struct f2 *f2 = NULL;

	if (!can_be_linear(seen))
		return NULL;
	if (seen->f2)
		f2 = f2_share(seen->f2);
	else if (seen->by_digits)
		f2 = digit_form_f2(&seen->digits);
	else
		seen_fail(seen);
	if (f2 && begins_at_0(seen, f2))
		linear = build(seen, f2, sizes);
	f2_free(f2);
	if (!linear || is_proved(seen, linear))
		return linear;
	layout_linear_free(linear);
	return NULL;
}
