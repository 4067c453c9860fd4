/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inverses of Sw o offset o L, solved bit by bit where the layout is a function of
 * bits. */
#include "algebra/cute/bits.h"
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"
#include "algebra/limit.h"

#include <stdlib.h>

/* The function as a layout of one top mode, or NULL. */
static layout_cute *as_layout(const layout_cute *cute, struct cute_bits bits)
{
	layout_cute *like = cute_line(cute->ctx, (int64_t)1 << bits.in, 1);
	layout_cute *result = like ?
		cute_bits_layout(&bits, like, cute->swizzle.shift) : NULL;

	layout_cute_free(like);
	return result;
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

	if (!cute_bits_right_inverse(bits, &inverse))
		return no_inverse(cute, LAYOUT_ERROR_NO_ANSWER, "right",
			"no coordinate has the offset 0");
	result = as_layout(cute, inverse);
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
	layout_cute *like = found && count ? cute_line(cute->ctx, count, 1) : NULL;
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
	if (cute->size <= limit_points(cute->ctx) && cute->size < cute_values_end(cute))
		return right_of_points(cute);
	return no_inverse(cute, LAYOUT_ERROR_QUOTA, "right",
		"there are too many points to look at each");
}

/* [0, size) through the swizzle alone, as many offsets as there are. */
static layout_cute *swizzle_alone(layout_cute *cute)
{
	layout_cute *alone;
	int64_t cosize, size = 1;

	if (!cute_swizzle_cosize(cute, &cosize))
		return NULL;
	while (size < cosize && size >> 61 == 0)
		size *= 2;
	alone = cute_line(cute->ctx, size, 1);
	if (alone)
		cute_swizzle_set(alone, cute->swizzle);
	return alone;
}

/* L(R(L(i))) = L(i) with R = left_inverse(L) o Sw, where that is a layout. */
static layout_cute *left_of_parts(layout_cute *cute)
{
	layout_cute *alone = swizzle_alone(cute), *plain, *result;
	struct layout_caught caught = { 0 }, *before;

	if (!alone) {
		layout_cute_free(cute);
		return NULL;
	}
	plain = layout_cute_copy(cute);
	if (plain)
		cute_swizzle_clear(plain);
	before = layout_context_catch(cute->ctx, &caught);
	result = layout_cute_compose(plain ? cute_inverse_left(plain, NULL) : NULL,
		alone);
	layout_context_catch(cute->ctx, before);
	free(caught.message);
	if (!result)
		return no_inverse(cute, caught.kind, "left", "the inverse of the "
			"layout alone, after the swizzle, gives none that is one swizzle "
			"of a layout");
	layout_cute_free(cute);
	return result;
}

layout_cute *cute_inverse_left_swizzled(layout_cute *cute, const void *unused)
{
	layout_cute *result = NULL;
	struct cute_bits bits;

	(void)unused;
	if (cute_bits_of_all(cute, &bits)) {
		for (int down = 0; !result && down < 2; down++)
			result = as_layout(cute, cute_bits_left_inverse(&bits, down));
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
