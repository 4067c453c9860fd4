/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The same elements under another shape.
 *
 * A layout writes the lexicographic index of an element in digits, each of one level
 * of one dimension.  Neighbours of one level are joined to one digit where they can
 * be; the new dimensions then cut the digits anew.  A cut inside a digit must divide
 * it, and a dimension has to find its digits in the order of the levels. */
#include "algebra/nested/nested.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>

/* size > 1; the stride is that of subgroups or threads, 0 elsewhere. */
struct level_digit {
	unsigned level;
	int64_t size, stride;
};

/* Levels from the innermost to the outermost. */
static const unsigned inner_first[NESTED_LEVELS] = {
	NESTED_ELEMENT, NESTED_THREAD, NESTED_OUTER, NESTED_BATCH, NESTED_SUBGROUP,
};

static bool is_id(unsigned level)
{
	return level == NESTED_SUBGROUP || level == NESTED_THREAD;
}

/* Can "outer" stand on "inner" in one digit?  Ids of one level do where the strides
 * go on, or both are of no thread. */
static bool joins(const struct level_digit *inner, const struct level_digit *outer)
{
	return inner->level == outer->level && (!is_id(inner->level) ||
		outer->stride == inner->stride * inner->size);
}

/* The digits of a layout, the innermost first; how many. */
static unsigned split(const layout_nested *nested, struct level_digit *digits)
{
	unsigned count = 0;

	for (unsigned d = nested->rank; d-- > 0;)
		for (unsigned i = 0; i < NESTED_LEVELS; i++) {
			unsigned level = inner_first[i];
			struct level_digit digit = { level, nested->tile[level][d],
				level == NESTED_SUBGROUP ? nested->subgroup_strides[d] :
				level == NESTED_THREAD ? nested->thread_strides[d] : 0 };

			if (digit.size == 1)
				continue;
			if (count && joins(&digits[count - 1], &digit))
				digits[count - 1].size *= digit.size;
			else
				digits[count++] = digit;
		}
	return count;
}

static const char *const names[NESTED_LEVELS] = {
	"subgroup", "batch", "outer", "thread", "element",
};

/* What a dimension of the new shape has so far. */
struct dim {
	layout_nested *result;
	unsigned number;
	int64_t extent, rest;	/* of the extent */
	struct level_digit last;	/* of the outermost level so far; size 0: nothing yet */
};

static unsigned height(unsigned level)
{
	return (unsigned)NESTED_LEVELS - 1 - level;
}

static bool refuse(const struct dim *dim, const struct level_digit *digit)
{
	layout_context *ctx = dim->result->ctx;

	if (digit->level == dim->last.level)
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cannot reshape: dimension %u of %" PRId64 " would have %s "
			"strides %" PRId64 " and %" PRId64 ", and %" PRId64 "*%" PRId64
			" is not %" PRId64, dim->number, dim->extent,
			names[digit->level], dim->last.stride, digit->stride,
			dim->last.stride, dim->last.size, digit->stride);
	else
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cannot reshape: dimension %u of %" PRId64
			" would have the %s tile of %" PRId64
			" outside the %s tile of %" PRId64, dim->number, dim->extent,
			names[digit->level], digit->size, names[dim->last.level],
			dim->last.size);
	return false;
}

/* Put a digit outside those that the dimension has. */
static bool place(struct dim *dim, const struct level_digit *digit)
{
	layout_nested *result = dim->result;
	unsigned d = dim->number;

	if (dim->last.size && (height(digit->level) < height(dim->last.level) ||
	    (digit->level == dim->last.level && !joins(&dim->last, digit))))
		return refuse(dim, digit);
	if (dim->last.size && digit->level == dim->last.level) {
		dim->last.size *= digit->size;
	} else {
		dim->last = *digit;
		if (digit->level == NESTED_SUBGROUP)
			result->subgroup_strides[d] = digit->stride;
		if (digit->level == NESTED_THREAD)
			result->thread_strides[d] = digit->stride;
	}
	result->tile[digit->level][d] = dim->last.size;
	dim->rest /= digit->size;
	return true;
}

/* Fill a dimension from the innermost digit that is left; "*digit" is cut where the
 * dimension ends inside it. */
static bool fill(struct dim *dim, struct level_digit **digit)
{
	while (dim->rest > 1) {
		struct level_digit *from = *digit, part = *from;

		part.size = int_gcd(dim->rest, from->size);
		if (part.size != dim->rest && part.size != from->size) {
			layout_fail(dim->result->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"cannot reshape: dimension %u of %" PRId64
				" ends inside the %s tile: of the %" PRId64
				" left of the tile, %" PRId64 " cannot be split off",
				dim->number, dim->extent, names[from->level],
				from->size, dim->rest);
			return false;
		}
		if (!place(dim, &part))
			return false;
		from->size /= part.size;
		from->stride *= part.size;
		if (from->size == 1)
			++*digit;
	}
	return true;
}

/* The shape has as many elements as the vector. */
static bool same_elements(layout_nested *nested, const int64_t *shape, unsigned rank)
{
	int64_t elements = 1, wanted = 1;
	bool fits = true;

	for (unsigned d = 0; d < nested->rank; d++)
		elements *= layout_nested_size(nested, d);
	for (unsigned d = 0; d < rank; d++) {
		if (shape[d] < 1) {
			layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
				"extent %" PRId64 " of dimension %u must be positive",
				shape[d], d);
			return false;
		}
		fits = fits && !__builtin_mul_overflow(wanted, shape[d], &wanted);
	}
	if (fits && wanted == elements)
		return true;
	if (fits)
		layout_fail(nested->ctx, LAYOUT_ERROR_SPACE, -1,
			"cannot reshape %" PRId64 " elements into %" PRId64, elements,
			wanted);
	else
		layout_fail(nested->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"a shape's elements do not fit 64 bits");
	return false;
}

static layout_nested *build(layout_nested *nested, struct level_digit *digits,
	const int64_t *shape, unsigned rank)
{
	layout_nested *result = nested_alloc(nested->ctx, rank, nested->subgroup_size,
		nested->subgroup_count);

	if (!result)
		return NULL;
	split(nested, digits);
	for (unsigned d = rank; d-- > 0;) {
		struct dim dim = { .result = result, .number = d, .extent = shape[d],
			.rest = shape[d] };

		nested_unit_dim(result, d);
		if (!fill(&dim, &digits)) {
			layout_nested_free(result);
			return NULL;
		}
	}
	return nested_finish(result);
}

layout_nested *layout_nested_reshape(layout_nested *nested, const int64_t *shape,
	unsigned rank)
{
	layout_nested *result = NULL;
	struct level_digit *digits;

	if (!nested)
		return NULL;
	if (layout_given(nested->ctx, shape || !rank, "shape") &&
	    same_elements(nested, shape, rank)) {
		digits = layout_alloc(nested->ctx, NESTED_LEVELS * (size_t)nested->rank,
			sizeof(*digits));
		if (digits)
			result = build(nested, digits, shape, rank);
		free(digits);
	}
	layout_nested_free(nested);
	return result;
}
