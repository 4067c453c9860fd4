/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings as relations; padding, which no linear layout has. */
#include "algebra/triton/cover.h"
#include "isl_bridge/objects.h"

#include <inttypes.h>

/* Different powers of two in 64 bits. */
#define STEPS 63

/* What padding does at each interval, from the largest to the smallest one. */
struct step {
	int64_t interval, pad;
	int64_t cells;		/* of an interval's elements with all that is padded */
};

/* The steps with their cells, and the last offset of "size" elements; false where that
 * does not fit.  Intervals divide one another. */
static bool find_steps(layout_context *ctx, const layout_triton_desc *desc, int64_t size,
	struct step *steps)
{
	unsigned count = desc->pad_count;
	int64_t last = size - 1, skipped;
	bool fits = true;

	for (unsigned i = 0; i < count; i++) {
		unsigned at = 0;

		for (unsigned k = 0; k < count; k++)
			at += desc->intervals[k] > desc->intervals[i];
		steps[at].interval = desc->intervals[i];
		steps[at].pad = desc->pads[i];
		fits = fits && !__builtin_mul_overflow((size - 1) / desc->intervals[i],
				desc->pads[i], &skipped) &&
			!__builtin_add_overflow(last, skipped, &last);
	}
	for (unsigned i = 0; i < count; i++) {
		steps[i].cells = steps[i].interval;
		for (unsigned k = i; k < count; k++) {
			int64_t times = steps[i].interval / steps[k].interval;

			fits = fits &&
				!__builtin_mul_overflow(steps[k].pad, times, &skipped) &&
				!__builtin_add_overflow(steps[i].cells, skipped,
					&steps[i].cells);
		}
	}
	if (!fits)
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"padded_shared: the offsets do not fit 64 bits");
	return fits;
}

/* The relation that "function" is, where "condition" holds; both texts are consumed. */
static layout_relation *read(layout_context *ctx, struct layout_buffer *function,
	struct layout_buffer *condition)
{
	char *text = layout_buffer_take(ctx, function);
	char *where = layout_buffer_take(ctx, condition);
	layout_relation *relation = NULL;

	if (text && where)
		relation = layout_relation_restrict(
			layout_relation_read_function(ctx, text),
			layout_set_read(ctx, where));
	layout_string_free(text);
	layout_string_free(where);
	return relation;
}

/* { [o, b] -> [o + pad*floor(o/interval) + .., b] } */
static layout_relation *pad(layout_context *ctx, const struct step *steps, unsigned count)
{
	struct layout_buffer function = { 0 }, everywhere = { 0 };

	layout_buffer_printf(&function, "{ [o, b] -> [o");
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(&function, " + %" PRId64 "*floor(o/%" PRId64 ")",
			steps[i].pad, steps[i].interval);
	layout_buffer_printf(&function, ", b] }");
	layout_buffer_printf(&everywhere, "{ [o, b] }");
	return read(ctx, &function, &everywhere);
}

/* "p mod 36", of the cells of one interval within those of the next larger one. */
static void print_rest(struct layout_buffer *out, const struct step *steps,
	unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "(");
	layout_buffer_printf(out, "p");
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, " mod %" PRId64 ")", steps[i].cells);
}

/* { [p, b] -> [32*floor(p/36) + p mod 36, b] : p mod 36 < 32 }, the same reversed. */
static layout_relation *unpad(layout_context *ctx, const struct step *steps,
	unsigned count)
{
	struct layout_buffer function = { 0 }, condition = { 0 };

	layout_buffer_printf(&function, "{ [p, b] -> [");
	layout_buffer_printf(&condition, "{ [p, b] : ");
	for (unsigned i = 0; i < count; i++) {
		layout_buffer_printf(&function, "%" PRId64 "*floor((", steps[i].interval);
		print_rest(&function, steps, i);
		layout_buffer_printf(&function, ")/%" PRId64 ") + ", steps[i].cells);
		layout_buffer_printf(&condition, "%s", i ? " and " : "");
		print_rest(&condition, steps, i + 1);
		layout_buffer_printf(&condition, " < %" PRId64,
			steps[i].cells - steps[i].pad);
	}
	print_rest(&function, steps, count);
	layout_buffer_printf(&function, ", b] }");
	layout_buffer_printf(&condition, " }");
	return read(ctx, &function, &condition);
}

/* element -> offset -> padded offset, where no element is in two blocks. */
static layout_relation *addresses(layout_context *ctx, const layout_triton_desc *desc,
	const struct step *steps, layout_linear *linear)
{
	layout_linear *inverse = layout_linear_invert(layout_linear_copy(linear));
	layout_relation *relation = layout_relation_compose(
		pad(ctx, steps, desc->pad_count), layout_linear_relation(inverse));

	layout_linear_free(inverse);
	return relation;
}

/* padded offset -> offset -> element, with the way back where it is a function. */
static layout_relation *padded(layout_context *ctx, const layout_triton_desc *desc,
	layout_linear *linear)
{
	struct step steps[STEPS];
	layout_relation *relation, *back;

	if (!find_steps(ctx, desc, layout_linear_in_size(linear, 0), steps))
		return NULL;
	relation = layout_relation_compose(layout_linear_relation(linear),
		unpad(ctx, steps, desc->pad_count));
	if (!relation || layout_linear_is_invertible(linear, NULL) != LAYOUT_YES)
		return relation;
	back = layout_relation_inverse(addresses(ctx, desc, steps, linear));
	if (back && !back->forward)
		back->forward = isl_multi_aff_copy(relation->forward);
	layout_relation_free(relation);
	return back;
}

layout_relation *layout_triton_relation(layout_triton *encoding, const int64_t *shape,
	unsigned rank)
{
	layout_linear *linear = triton_linear_unpadded(encoding, shape, rank);
	layout_relation *relation = NULL;

	if (linear && encoding->desc.kind == LAYOUT_TRITON_PADDED_SHARED)
		relation = padded(encoding->ctx, &encoding->desc, linear);
	else
		relation = layout_linear_relation(linear);
	layout_linear_free(linear);
	return relation;
}
