/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/compose_exact.h"
#include "algebra/cute/coordinate.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>

/* The coordinate of a leaf of inner. */
static int64_t digit_of(const struct cute_composition *composition,
	const int64_t *counts, unsigned leaf)
{
	int64_t digit = 0;

	for (unsigned q = 0; q < composition->part_count; q++)
		if (composition->parts[q].leaf == leaf)
			digit += counts[q] * composition->parts[q].place;
	return digit;
}

/* Inner as its text has it. */
static layout_cute *inner_as_given(const struct cute_composition *composition)
{
	layout_cute *given = layout_cute_copy((layout_cute *)composition->inner);

	if (composition->reversed.inner)
		given = cute_order_reverse(given);
	return given && given->lexicographic && !cute_is_pack_map(given) ?
		cute_order_reverse(given) : given;
}

/* The coordinate of each leaf, as the tree of "cute", which is inner as it was given. */
static void print_coordinate(struct layout_buffer *out, const layout_cute *cute,
	const struct cute_composition *composition, const int64_t *counts)
{
	int64_t *leaves = layout_alloc(cute->ctx, cute->leaf_count, sizeof(*leaves));
	unsigned last = cute->leaf_count - 1;

	for (unsigned leaf = 0; leaves && leaf < cute->leaf_count; leaf++)
		leaves[leaf] = digit_of(composition, counts,
			cute->lexicographic ? last - leaf : leaf);
	if (leaves)
		cute_print_leaves(out, cute, leaves);
	free(leaves);
}

/* The offset a layout with these parts has; false where it does not fit. */
static bool expected_at(const struct cute_composition *composition,
	const int64_t *counts, int64_t *sum)
{
	*sum = 0;
	for (unsigned q = 0; q < composition->part_count; q++)
		if (!int_add_product(sum, counts[q], composition->parts[q].value))
			return false;
	return true;
}

bool cute_exact_refuse(const struct cute_composition *composition, const char *why,
	const int64_t *counts)
{
	char *outer = cute_order_str(composition->outer, composition->reversed.outer);
	layout_cute *given = inner_as_given(composition);
	char *inner = layout_cute_str(given), *coordinate;
	struct layout_buffer at = { 0 };
	int64_t x = 0, value, expected;

	for (unsigned q = 0; q < composition->part_count; q++)
		x += counts[q] * composition->parts[q].step;
	if (given)
		print_coordinate(&at, given, composition, counts);
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
	layout_cute_free(given);
	layout_string_free(outer);
	layout_string_free(inner);
	layout_string_free(coordinate);
	return false;
}
