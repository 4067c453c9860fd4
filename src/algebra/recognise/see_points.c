/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function by its points: the steps of each digit are looked at, and then all. */
#include "algebra/recognise/example.h"
#include "algebra/recognise/recognise.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>
#include <string.h>

/* An input with two images is the reason why there is no layout. */
static void explain_images(struct seen *seen, const int64_t *first, const int64_t *second)
{
	struct layout_buffer text = { 0 };

	layout_buffer_printf(&text, "no function: ");
	recognise_print(&text, first, seen->in_rank, true);
	layout_buffer_printf(&text, " has the images ");
	recognise_print(&text, first + seen->in_rank, seen->out_rank, false);
	layout_buffer_printf(&text, " and ");
	recognise_print(&text, second + seen->in_rank, seen->out_rank, false);
	seen->why = (struct layout_caught){ LAYOUT_ERROR_NO_ANSWER,
		layout_buffer_take(seen->ctx, &text), -1 };
}

/* Pairs of input and image, sorted, as a table; false where they are no function. */
static bool take_pairs(struct seen *seen, const struct points *pairs)
{
	unsigned in = seen->in_rank, out = seen->out_rank;
	struct table *table = &seen->table;

	*table = (struct table){ .rank = out, .inputs = { .ctx = seen->ctx, .rank = in,
		.count = pairs->count } };
	table->inputs.values = layout_alloc(seen->ctx, pairs->count * in,
		sizeof(*table->images));
	table->images = layout_alloc(seen->ctx, pairs->count * out,
		sizeof(*table->images));
	if (!table->inputs.values || !table->images)
		return false;
	for (size_t i = 0; i < pairs->count; i++) {
		const int64_t *pair = points_at(pairs, i);

		if (i && !points_compare(pair, points_at(pairs, i - 1), in)) {
			explain_images(seen, points_at(pairs, i - 1), pair);
			return false;
		}
		memcpy(table->inputs.values + i * in, pair, in * sizeof(*pair));
		memcpy(table->images + i * out, pair + in, out * sizeof(*pair));
	}
	return true;
}

/* The pairs of a relation that is not known to be a function. */
static bool list_pairs(struct seen *seen)
{
	struct points pairs = { 0 };
	isl_set *set;
	bool good;

	bridge_enter(seen->ctx);
	bridge_begin_attempt(seen->ctx, BUDGET_NEXT_POINT);
	set = bridge_need_map(seen->relation) ? isl_set_make_disjoint(isl_set_flatten(
		isl_map_wrap(isl_map_copy(seen->relation->map)))) : NULL;
	good = set && isl_set_is_bounded(set) == isl_bool_true &&
		points_list(&pairs, seen->ctx, set, seen->most_points);
	isl_set_free(set);
	good = bridge_end_attempt(seen->ctx) && good;
	good = bridge_leave(seen->ctx, "list points") && good && take_pairs(seen, &pairs);
	points_free(&pairs);
	return good;
}

/* The number of points that one step of an input is worth. */
static size_t weight(const struct seen *seen, unsigned input)
{
	size_t rows = 1;

	for (unsigned d = input + 1; d < seen->in_rank; d++)
		rows *= (size_t)seen->box[d];
	return rows;
}

static const int64_t *image_of(const struct seen *seen, size_t row)
{
	return seen->table.images + row * seen->out_rank;
}

static const int64_t *image_at(const void *user, unsigned input, int64_t x)
{
	const struct seen *seen = user;

	return image_of(seen, (size_t)x * weight(seen, input));
}

/* Are the digits, or the bits, the function at all points?  The first where they are
 * not is the reason. */
static bool matches(const struct seen *seen, const struct digits *digits,
	const struct f2 *f2)
{
	struct recognise_example example = { .ctx = seen->ctx,
		.in_rank = seen->in_rank, .out_rank = seen->out_rank };

	if (!recognise_example_of(&example, NULL, NULL))
		return false;
	for (size_t row = 0; row < seen->table.inputs.count; row++) {
		const int64_t *in = points_at(&seen->table.inputs, row);

		if (f2)
			f2_apply(f2, in, example.other);
		else if (!digits_apply(digits, in, example.other))
			break;
		if (!memcmp(example.other, image_of(seen, row),
				seen->out_rank * sizeof(*in)))
			continue;
		memcpy(example.point, in, seen->in_rank * sizeof(*in));
		memcpy(example.image, image_of(seen, row),
			seen->out_rank * sizeof(*in));
		recognise_example_fail(&example);
		return false;
	}
	free(example.point);
	return true;
}

/* Errors go to "why". */
static bool probe_digits(struct seen *seen)
{
	struct layout_caught *previous = layout_context_catch(seen->ctx, &seen->why);
	struct digits *digits = &seen->digits;

	if (digits_begin(digits, seen->ctx, seen->in_rank, seen->out_rank)) {
		memcpy(digits->extents, seen->box, seen->in_rank * sizeof(*seen->box));
		memcpy(digits->constant, image_of(seen, 0),
			seen->out_rank * sizeof(*seen->box));
		seen->by_digits = digits_probe(digits, image_at, seen) &&
			matches(seen, digits, NULL);
	}
	layout_context_catch(seen->ctx, previous);
	if (!seen->by_digits)
		digits_free(digits);
	return seen->by_digits;
}

/* The boxes of a function over F2; false where there are none. */
static bool find_widths(const struct seen *seen, unsigned *widths)
{
	uint64_t all;

	for (unsigned d = 0; d < seen->in_rank; d++) {
		if (!int_is_power2(seen->box[d]))
			return false;
		widths[d] = (unsigned)int_log2(seen->box[d]);
	}
	for (unsigned k = 0; k < seen->out_rank; k++) {
		all = 0;
		for (size_t row = 0; row < seen->table.inputs.count; row++)
			all |= (uint64_t)image_of(seen, row)[k];
		if (all >> F2_WIDTH)
			return false;
		widths[seen->in_rank + k] = int_width(all);
	}
	return true;
}

static void fill(struct f2 *f2, const struct seen *seen)
{
	unsigned bit = 0;

	for (unsigned k = 0; k < seen->out_rank; k++)
		f2_toggle_constant(f2, k, (uint64_t)image_of(seen, 0)[k]);
	for (unsigned d = 0; d < seen->in_rank; d++)
		for (unsigned i = 0; i < f2->in_widths[d]; i++, bit++)
			for (unsigned k = 0; k < seen->out_rank; k++)
				f2_toggle(f2, bit, k, (uint64_t)(
					image_at(seen, d, INT64_C(1) << i)[k] ^
					image_of(seen, 0)[k]));
}

static bool probe_bits(struct seen *seen)
{
	struct layout_caught caught = { 0 }, *previous;
	unsigned *widths = layout_alloc(seen->ctx, (size_t)seen->in_rank + seen->out_rank,
		sizeof(*widths));

	previous = layout_context_catch(seen->ctx, &caught);
	if (widths && find_widths(seen, widths))
		seen->f2 = f2_new(seen->ctx, seen->in_rank, widths, seen->out_rank,
			widths + seen->in_rank);
	if (seen->f2)
		fill(seen->f2, seen);
	if (seen->f2 && !matches(seen, NULL, seen->f2)) {
		f2_free(seen->f2);
		seen->f2 = NULL;
	}
	layout_context_forget(seen->ctx, &caught, previous);
	free(widths);
	return seen->f2;
}

bool see_points(struct seen *seen)
{
	if (seen_points(seen) > seen->most_points)
		return false;
	seen->listed = seen->listed || table_build(&seen->table, seen->relation);
	if (!seen->listed) {
		table_free(&seen->table);
		seen->listed = list_pairs(seen);
	}
	if (!seen->listed)
		return false;
	if (!probe_digits(seen))
		probe_bits(seen);
	return true;
}
