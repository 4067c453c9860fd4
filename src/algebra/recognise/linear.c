/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts: the bits of the inputs are all powers of two of points, and 0 goes
 * to 0. */
#include "algebra/forms.h"
#include "algebra/linear/linear.h"
#include "algebra/recognise/digits_f2.h"
#include "algebra/recognise/example.h"
#include "algebra/recognise/recognise.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Does 0 go to 0, as far as it is known where it goes? */
static bool begins_at_0(const struct seen *seen)
{
	for (unsigned k = 0; k < seen->out_rank; k++) {
		int64_t image = seen->f2 ? (int64_t)f2_get_constant(seen->f2, k) :
			seen->by_digits ? seen->digits.constant[k] :
			seen->listed ? seen->table.images[k] : 0;

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
	struct digits made;
	unsigned clash[2];
	bool good;

	if (!seen->by_digits)
		return seen_prove(seen, form_f2_relation(seen->ctx,
			f2_share(linear->f2)));
	good = digits_of_f2(&made, seen->ctx, linear->f2, clash) &&
		seen_same_digits(seen, &made);
	digits_free(&made);
	return good;
}

/* The image of a point of the list, which has all of the box in lexicographic order. */
static const int64_t *image_at(const struct seen *seen, const int64_t *point)
{
	size_t row = 0;

	for (unsigned d = 0; d < seen->in_rank; d++)
		row = row * (size_t)seen->box[d] + (size_t)point[d];
	return seen->table.images + row * seen->out_rank;
}

/* The point as its first coordinate's lowest bit and the rest; false where it is 0. */
static bool split(struct recognise_example *example)
{
	unsigned d = 0;

	memset(example->parts[0], 0, example->in_rank * sizeof(*example->point));
	memcpy(example->parts[1], example->point,
		example->in_rank * sizeof(*example->point));
	while (d < example->in_rank && !example->point[d])
		d++;
	if (d == example->in_rank)
		return false;
	example->parts[0][d] = example->point[d] & -example->point[d];
	example->parts[1][d] -= example->parts[0][d];
	return true;
}

/* Is the image of the point that of its lowest bit and that of the rest, XORed? */
static bool is_xor(const struct seen *seen, struct recognise_example *example)
{
	size_t bytes = seen->out_rank * sizeof(*example->image);

	if (!split(example))
		return true;
	memcpy(example->image, image_at(seen, example->point), bytes);
	for (unsigned k = 0; k < seen->out_rank; k++)
		example->other[k] = image_at(seen, example->parts[0])[k] ^
			image_at(seen, example->parts[1])[k];
	return !memcmp(example->image, example->other, bytes);
}

/* Fail with the first listed point that is not what its bits are, else with what was
 * seen. */
static void fail_at_point(const struct seen *seen)
{
	struct recognise_example example = { .ctx = seen->ctx,
		.in_rank = seen->in_rank, .out_rank = seen->out_rank };
	static const unsigned none[2] = { 0, 0 };

	if (!seen->listed) {
		seen_fail(seen);
		return;
	}
	if (!recognise_example_of(&example, NULL, none))
		return;
	for (size_t row = 0; row < seen->table.inputs.count; row++) {
		memcpy(example.point, points_at(&seen->table.inputs, row),
			seen->in_rank * sizeof(*example.point));
		if (!is_xor(seen, &example)) {
			recognise_example_fail(&example);
			return;
		}
	}
	free(example.point);
	seen_fail(seen);
}

layout_linear *seen_linear(const struct seen *seen, const int64_t *sizes)
{
	layout_linear *linear = NULL;
	struct f2 *f2 = NULL;

	if (!can_be_linear(seen) || !begins_at_0(seen))
		return NULL;
	if (seen->f2)
		f2 = f2_share(seen->f2);
	else if (seen->by_digits)
		f2 = digits_f2(&seen->digits);
	else
		fail_at_point(seen);
	if (f2)
		linear = build(seen, f2, sizes);
	f2_free(f2);
	if (!linear || is_proved(seen, linear))
		return linear;
	layout_linear_free(linear);
	return NULL;
}
