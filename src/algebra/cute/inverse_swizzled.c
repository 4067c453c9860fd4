/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inverses of Sw o offset o L, solved bit by bit where the layout is a function of
 * bits. */
#include "algebra/cute/bits.h"
#include "algebra/cute/inverse.h"
#include "algebra/limit.h"

#include <inttypes.h>
#include <stdlib.h>

/* Independent images, each with an input it comes from, by their highest bit. */
struct solver {
	uint64_t images[CUTE_SWIZZLE_BITS], inputs[CUTE_SWIZZLE_BITS];
};

/* The input of "image", or of the part that was removed from it: what is left is 0
 * where there is one. */
static uint64_t reduce(const struct solver *solver, uint64_t *image)
{
	uint64_t input = 0;

	for (int j = CUTE_SWIZZLE_BITS - 1; j >= 0; j--) {
		if (!(*image >> j & 1) || !solver->images[j])
			continue;
		*image ^= solver->images[j];
		input ^= solver->inputs[j];
	}
	return input;
}

/* Let "input" be one of "image", unless there is one already. */
static void add(struct solver *solver, uint64_t image, uint64_t input)
{
	input ^= reduce(solver, &image);
	if (!image)
		return;
	solver->images[63 - __builtin_clzll(image)] = image;
	solver->inputs[63 - __builtin_clzll(image)] = input;
}

/* The solver of the columns; and the constant. */
static uint64_t begin(struct solver *solver, const struct cute_bits *bits)
{
	uint64_t origin = (uint64_t)cute_bits_apply(bits, 0);

	*solver = (struct solver){ 0 };
	for (unsigned i = 0; i < bits->in; i++)
		add(solver, origin ^ (uint64_t)cute_bits_apply(bits, (uint64_t)1 << i),
			(uint64_t)1 << i);
	return origin;
}

/* Column i of a function becomes "image"; i = 63 is the constant. */
static void set_column(struct cute_bits *bits, unsigned i, uint64_t image)
{
	for (unsigned j = 0; j < CUTE_SWIZZLE_BITS; j++) {
		if (!(image >> j & 1))
			continue;
		bits->rows[j] |= (uint64_t)1 << i;
		bits->out = j + 1 > bits->out ? j + 1 : bits->out;
	}
}

/* "width" bits of coordinate as one mode. */
static layout_cute *line(layout_context *ctx, int64_t size)
{
	static const int leaf[] = { -1 };

	return layout_cute_new(ctx, leaf, 1, &size, &(int64_t){ 1 }, 1);
}

/* The function as a layout of one top mode, or NULL. */
static layout_cute *as_layout(const layout_cute *cute, const struct cute_bits *bits)
{
	layout_cute *like = line(cute->ctx, (int64_t)1 << bits->in);
	layout_cute *result = like ?
		cute_bits_layout(bits, like, cute->swizzle.shift) : NULL;

	layout_cute_free(like);
	return result;
}

/* The inputs of the offsets 0, 1, .., 2^in - 1, as many as there are; false if there is
 * none of 0. */
static bool right_bits(const struct cute_bits *bits, struct cute_bits *inverse)
{
	struct solver solver;
	uint64_t left = begin(&solver, bits);

	*inverse = (struct cute_bits){ 0 };
	set_column(inverse, 63, reduce(&solver, &left));
	if (left)
		return false;
	for (; inverse->in < bits->in; inverse->in++) {
		uint64_t input;

		left = (uint64_t)1 << inverse->in;
		input = reduce(&solver, &left);
		if (left)
			break;
		set_column(inverse, inverse->in, input);
	}
	return true;
}

/* Bits of the offset that no coordinate has come from none; which of two dependent ones
 * is said to, the lower or the higher, decides whether the result is a layout. */
static layout_cute *left_of_bits(const layout_cute *cute, const struct cute_bits *bits,
	bool down)
{
	struct cute_bits inverse = { .in = bits->out };
	struct solver solver;
	uint64_t origin = begin(&solver, bits);

	for (unsigned k = 0; k < bits->out; k++) {
		unsigned j = down ? bits->out - 1 - k : k;

		add(&solver, (uint64_t)1 << j, 0);
	}
	for (unsigned j = 0; j < bits->out; j++) {
		uint64_t image = (uint64_t)1 << j;

		set_column(&inverse, j, reduce(&solver, &image));
	}
	set_column(&inverse, 63, reduce(&solver, &origin));
	return as_layout(cute, &inverse);
}

static layout_cute *no_inverse(layout_cute *cute, layout_error kind, const char *side,
	const char *why)
{
	char *text = layout_cute_str(cute);

	if (text)
		layout_fail(cute->ctx, kind, -1, "%s%s inverse of %s: %s",
			kind == LAYOUT_ERROR_QUOTA ? "unknown: a " : "there is no ",
			side, text, why);
	layout_string_free(text);
	layout_cute_free(cute);
	return NULL;
}

static layout_cute *right_of_bits(layout_cute *cute, const struct cute_bits *bits)
{
	struct cute_bits inverse;
	layout_cute *result;

	if (!right_bits(bits, &inverse))
		return no_inverse(cute, LAYOUT_ERROR_NO_ANSWER, "right",
			"no coordinate has the offset 0");
	result = as_layout(cute, &inverse);
	if (!result)
		return no_inverse(cute, LAYOUT_ERROR_NO_ANSWER, "right",
			"its inverse is no single swizzle of a layout");
	layout_cute_free(cute);
	return result;
}

/* The least coordinate of each offset below the size, -1 where there is none; how many
 * there are from 0 on.  NULL without memory. */
static int64_t *find_coordinates(layout_cute *cute, int64_t *count)
{
	int64_t *found = layout_alloc(cute->ctx, (size_t)cute->size, sizeof(*found));

	for (int64_t i = 0; found && i < cute->size; i++)
		found[i] = -1;
	for (int64_t i = cute->size; found && i-- > 0;) {
		int64_t offset;

		if (cute_at(cute, i, &offset) && offset >= 0 &&
				offset < cute->size)
			found[offset] = i;
	}
	*count = 0;
	while (found && *count < cute->size && found[*count] >= 0)
		++*count;
	return found;
}

static layout_cute *right_of_points(layout_cute *cute)
{
	int64_t count, *found = find_coordinates(cute, &count);
	layout_cute *like = found && count ? line(cute->ctx, count) : NULL;
	layout_cute *result = like ?
		cute_values_layout(found, like, cute->swizzle.shift) : NULL;

	free(found);
	layout_cute_free(like);
	if (!result)
		return no_inverse(cute, LAYOUT_ERROR_NO_ANSWER, "right", count ?
			"its inverse is no single swizzle of a layout" :
			"no coordinate has the offset 0");
	layout_cute_free(cute);
	return result;
}

layout_cute *cute_inverse_right_swizzled(layout_cute *cute, const void *unused)
{
	struct cute_bits bits;

	(void)unused;
	if (cute_bits_of_all(cute, &bits))
		return right_of_bits(cute, &bits);
	if (cute->size <= limit_points(cute->ctx))
		return right_of_points(cute);
	return no_inverse(cute, LAYOUT_ERROR_QUOTA, "right",
		"there are too many points to look at each");
}

/* L(R(L(i))) = L(i) with R = left_inverse(L) o Sw, where that is a layout on as many
 * offsets as there are. */
static layout_cute *left_of_parts(layout_cute *cute)
{
	layout_cute_swizzle swizzle = cute->swizzle;
	layout_cute *swizzled;
	int64_t cosize, size = 1;

	if (!cute_swizzle_cosize(cute, &cosize)) {
		layout_cute_free(cute);
		return NULL;
	}
	while (size < cosize && size >> 61 == 0)
		size *= 2;
	swizzled = line(cute->ctx, size);
	if (swizzled)
		cute_swizzle_set(swizzled, swizzle);
	cute_swizzle_take(cute);
	return layout_cute_compose(cute_inverse_left(cute, NULL), swizzled);
}

layout_cute *cute_inverse_left_swizzled(layout_cute *cute, const void *unused)
{
	layout_cute *result = NULL;
	struct cute_bits bits;

	(void)unused;
	if (cute_bits_of_all(cute, &bits)) {
		for (int down = 0; !result && down < 2; down++)
			result = left_of_bits(cute, &bits, down);
		if (!result)
			return no_inverse(cute, LAYOUT_ERROR_NO_ANSWER, "left",
				"none was found that is one swizzle of a layout");
		layout_cute_free(cute);
		return result;
	}
	if (cute->swizzle.offset)
		return no_inverse(cute, LAYOUT_ERROR_QUOTA, "left",
			"its offset carries from bit to bit");
	return left_of_parts(cute);
}
