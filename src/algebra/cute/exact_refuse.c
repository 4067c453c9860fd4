/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/exact.h"

#include <inttypes.h>

/* The coordinate of each leaf, as the layout's tree. */
static void print_coordinate(struct layout_buffer *out, const layout_cute *cute,
	const struct cute_composition *composition, const int64_t *counts)
{
	int open[CUTE_DEPTH];
	unsigned depth = 0, leaf = 0;

	for (unsigned node = 0; node < cute->node_count; node++) {
		int64_t digit = 0;

		if (cute->tree[node] > 0) {
			layout_buffer_printf(out, "(");
			open[depth++] = cute->tree[node];
			continue;
		}
		for (unsigned q = 0; q < composition->part_count; q++)
			if (composition->parts[q].leaf == leaf)
				digit += counts[q] * composition->parts[q].place;
		if (cute->tree[node] < 0)
			layout_buffer_printf(out, "%" PRId64, digit);
		else
			layout_buffer_printf(out, "()");
		leaf += cute->tree[node] < 0;
		while (depth && --open[depth - 1] == 0) {
			layout_buffer_printf(out, ")");
			depth--;
		}
		if (depth)
			layout_buffer_printf(out, ",");
	}
}

/* The offset a layout with these parts has; false where it does not fit. */
static bool expected_at(const struct cute_composition *composition,
	const int64_t *counts, int64_t *sum)
{
	*sum = 0;
	for (unsigned q = 0; q < composition->part_count; q++) {
		int64_t term;

		if (__builtin_mul_overflow(counts[q], composition->parts[q].value,
				&term) || __builtin_add_overflow(*sum, term, sum))
			return false;
	}
	return true;
}

bool cute_exact_refuse(const struct cute_composition *composition, const char *why,
	const int64_t *counts)
{
	char *outer = layout_cute_str((layout_cute *)composition->outer);
	char *inner = layout_cute_str((layout_cute *)composition->inner);
	struct layout_buffer at = { 0 };
	int64_t x = 0, value, expected;
	char *coordinate;

	for (unsigned q = 0; q < composition->part_count; q++)
		x += counts[q] * composition->parts[q].step;
	print_coordinate(&at, composition->inner, composition, counts);
	coordinate = layout_buffer_take(composition->ctx, &at);
	if (!outer || !inner || !coordinate)
		goto done;
	if (!expected_at(composition, counts, &expected))
		layout_fail(composition->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"%s o %s: %sa layout's offset at %s does not fit 64 bits",
			outer, inner, why, coordinate);
	else if (cute_exact_at(composition, x, &value))
		layout_fail(composition->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"%s o %s is no layout: %sat %s the value is %" PRId64
			", a layout would give %" PRId64,
			outer, inner, why, coordinate, value, expected);
done:
	layout_string_free(outer);
	layout_string_free(inner);
	layout_string_free(coordinate);
	return false;
}
