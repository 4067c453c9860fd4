/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whose digits the digits of a function are: the subgroup's, the thread's, or a level's
 * of what a thread holds. */
#include "algebra/recognise/nested.h"

#include <inttypes.h>

void nested_set_digit(struct nested_making *making, unsigned level, unsigned d,
	int64_t tile, int64_t adds)
{
	making->nested->tile[level][d] = tile;
	making->adds[level * making->rank + d] = adds;
}

/* One digit of the thread, in whole subgroups or inside of one. */
static bool take_thread_digit(struct nested_making *making, unsigned d, int64_t step,
	int64_t extent, int64_t adds)
{
	layout_nested *nested = making->nested;
	bool first = nested->tile[NESTED_THREAD][d] == 1;
	bool is_subgroup = step % making->subgroup_size == 0 &&
		!(making->whole && first);
	unsigned level = is_subgroup ? NESTED_SUBGROUP : NESTED_THREAD;
	int64_t *strides = is_subgroup ? nested->subgroup_strides :
		nested->thread_strides;

	if (nested->tile[level][d] > 1) {
		layout_fail(nested->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"dimension %u takes two digits of the %s, of steps %" PRId64
			" and %" PRId64, d, is_subgroup ? "subgroup" : "thread",
			strides[d], is_subgroup ? step / making->subgroup_size : step);
		return false;
	}
	strides[d] = is_subgroup ? step / making->subgroup_size : step;
	nested_set_digit(making, level, d, extent, adds);
	return true;
}

/* Cut a digit where the subgroup ends. */
static bool take_cut_digit(struct nested_making *making, unsigned d, struct digit digit,
	int64_t adds)
{
	int64_t size = making->subgroup_size, inside = size / digit.step;

	if (making->whole || size % digit.step || inside <= 1 || inside >= digit.radix ||
	    digit.radix % inside)
		return take_thread_digit(making, d, digit.step, digit.radix, adds);
	return take_thread_digit(making, d, digit.step, inside, adds) &&
		take_thread_digit(making, d, size, digit.radix / inside, adds * inside);
}

bool nested_take_thread(struct nested_making *making)
{
	for (unsigned d = 0; d < making->rank; d++)
		for (unsigned i = 0; i < making->parts[d].count; i++) {
			const struct digit *digit = &making->parts[d].digits[i];
			int64_t adds = *digits_adds(&making->parts[d], i);

			if (digit->dim == 0 && adds &&
			    !take_cut_digit(making, d, *digit, adds))
				return false;
		}
	return true;
}

static const unsigned held_levels[] = { NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT };

/* Input 1 + group * rank + d moves coordinate d alone, in equal steps. */
static bool take_place(struct nested_making *making, unsigned group, unsigned d)
{
	const struct digits *digits = &making->seen->digits;
	unsigned input = 1 + group * making->rank + d;

	for (unsigned i = 0; i < digits->count; i++) {
		const int64_t *adds = digits_adds(digits, i);

		if (digits->digits[i].dim != input)
			continue;
		for (unsigned k = 0; k < making->rank; k++)
			if ((k == d) != (adds[k] != 0)) {
				layout_fail(making->seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
					"one step of input %u adds %" PRId64
					" to coordinate %u", input, adds[k], k);
				return false;
			}
		if (digits->digits[i].radix != making->seen->box[input]) {
			layout_fail(making->seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"input %u does not go in equal steps: the first %" PRId64
				" of its %" PRId64 " points do", input,
				digits->digits[i].radix, making->seen->box[input]);
			return false;
		}
		nested_set_digit(making, held_levels[group], d, digits->digits[i].radix,
			adds[d]);
	}
	return true;
}

bool nested_take_places(struct nested_making *making)
{
	for (unsigned group = 0; group < 3; group++)
		for (unsigned d = 0; d < making->rank; d++)
			if (!take_place(making, group, d))
				return false;
	return true;
}

/* The one coordinate that a digit of the value moves; -1, with the reason. */
static int moved(const struct nested_making *making, unsigned i)
{
	const int64_t *adds = digits_adds(&making->seen->digits, i);
	int64_t step = making->seen->digits.digits[i].step;
	int found = -1;

	for (unsigned k = 0; k < making->rank; k++) {
		if (adds[k] && found >= 0) {
			layout_fail(making->seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"the value's step of %" PRId64 " adds %" PRId64
				" to coordinate %d and %" PRId64 " to coordinate %u",
				step, adds[found], found, adds[k], k);
			return -1;
		}
		if (adds[k])
			found = (int)k;
	}
	if (found < 0)
		layout_fail(making->seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"the value's step of %" PRId64 " moves no coordinate", step);
	return found;
}

/* The value's digits so far: the level of the last one, counted from the element's
 * outwards, and its dimension, below which the next one of the level has to be. */
struct walk {
	unsigned level, below;
};

/* Outside of the thread's digit is outside of the elements. */
static bool take_value_digit(struct nested_making *making, struct walk *walk, unsigned i)
{
	const struct digit *digit = &making->seen->digits.digits[i];
	int64_t adds, inner = 0;
	unsigned d;
	int found = moved(making, i);

	if (found < 0)
		return false;
	d = (unsigned)found;
	adds = digits_adds(&making->seen->digits, i)[d];
	if (making->nested->tile[NESTED_THREAD][d] > 1)
		inner = nested_adds(making, NESTED_THREAD, d);
	if (d >= walk->below || (inner && adds > inner && !walk->level))
		*walk = (struct walk){ walk->level + 1, d };
	walk->below = d;
	if (walk->level < 3 && !(walk->level && inner && adds < inner)) {
		nested_set_digit(making, held_levels[2 - walk->level], d, digit->radix,
			adds);
		return true;
	}
	layout_fail(making->seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1, walk->level < 3 ?
		"the value's step of %" PRId64 " adds %" PRId64 " to coordinate %u, "
		"which is inside of its threads, but outer digits are inside of it in the "
		"value" : "the value's step of %" PRId64 ", which adds %" PRId64
		" to coordinate %u, would need a fourth level", digit->step, adds, d);
	return false;
}

bool nested_take_value(struct nested_making *making)
{
	const struct digits *digits = &making->seen->digits;
	struct walk walk = { 0, making->rank };

	for (unsigned i = 0; i < digits->count; i++)
		if (digits->digits[i].dim == 1 && !take_value_digit(making, &walk, i))
			return false;
	return true;
}
