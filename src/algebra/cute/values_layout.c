/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts from their offsets, one by one. */
#include "algebra/cute/bits.h"
#include "algebra/cute/build.h"
#include "isl_bridge/arithmetic.h"

/* The offsets, as a swizzle that is to be taken off them makes them. */
struct sequence {
	const int64_t *values;
	layout_cute_swizzle swizzle;
};

static int64_t at(const struct sequence *sequence, int64_t i)
{
	return cute_swizzle_apply(sequence->swizzle, sequence->values[i]);
}

/* One mode's offsets as leaves: they are 0, d, 2d, .. up to the first that is not, which
 * begins the next leaf.  How many leaves, 0 where they are no layout. */
static unsigned find_leaves(const struct sequence *sequence, int64_t shape, int64_t step,
	int64_t *shapes, int64_t *strides)
{
	int64_t origin = at(sequence, 0), done = 1;
	unsigned count = 0;

	while (done < shape) {
		int64_t stride = at(sequence, done * step) - origin, size = 2;

		while (size * done < shape && at(sequence, size * done * step) ==
				origin + size * stride)
			size++;
		if (shape % (size * done))
			return 0;
		shapes[count] = size;
		strides[count++] = stride;
		done *= size;
	}
	if (!count) {
		shapes[0] = shape;
		strides[0] = 0;
	}
	return count ? count : 1;
}

/* The layout that the first steps of each leaf of "like" give. */
static layout_cute *candidate(const struct sequence *sequence, const layout_cute *like)
{
	struct cute_builder builder;
	unsigned leaf = 0;
	int64_t step = 1;

	cute_begin(&builder, like->ctx);
	for (unsigned node = 0; node < like->node_count; node++) {
		int64_t shapes[CUTE_SWIZZLE_BITS], strides[CUTE_SWIZZLE_BITS];
		unsigned count;

		if (like->tree[node] >= 0) {
			cute_node(&builder, like->tree[node]);
			continue;
		}
		count = find_leaves(sequence, like->shape[leaf], step, shapes, strides);
		if (!count) {
			cute_drop(&builder);
			return NULL;
		}
		if (count > 1)
			cute_node(&builder, (int)count);
		for (unsigned i = 0; i < count; i++)
			cute_leaf(&builder, shapes[i], strides[i]);
		step *= like->shape[leaf++];
	}
	return cute_end(&builder);
}

static bool matches(const struct sequence *sequence, const layout_cute *cute)
{
	int64_t origin = at(sequence, 0);

	for (int64_t i = 0; i < cute->size; i++) {
		int64_t offset;

		if (!cute_offset(cute, i, &offset) || at(sequence, i) - origin != offset)
			return false;
	}
	return true;
}

/* The layout whose swizzle is that of "sequence". */
static layout_cute *try(const struct sequence *sequence, const layout_cute *like)
{
	layout_cute *cute = candidate(sequence, like);
	layout_cute_swizzle swizzle = sequence->swizzle;

	if (!cute)
		return NULL;
	if (!matches(sequence, cute)) {
		layout_cute_free(cute);
		return NULL;
	}
	swizzle.offset = at(sequence, 0);
	cute_swizzle_set(cute, swizzle);
	return cute;
}

/* All swizzles of that shift by some of "width" bits, within "top" bits. */
static layout_cute *try_shift(struct sequence *sequence, const layout_cute *like,
	int shift, int width, int top)
{
	int distance = shift < 0 ? -shift : shift;
	layout_cute *cute = NULL;

	for (int bits = 1; !cute && bits <= distance; bits++) {
		for (int base = 0; !cute && base + bits <= width &&
		     base + bits + distance <= top; base++) {
			sequence->swizzle = (layout_cute_swizzle){ bits, base, shift, 0 };
			cute = try(sequence, like);
		}
	}
	return cute;
}

layout_cute *cute_values_layout(const int64_t *values, layout_cute *like, int prefer)
{
	struct sequence sequence = { .values = values };
	layout_cute *cute = try(&sequence, like);
	uint64_t all = 0;
	int width;

	for (int64_t i = 0; i < like->size; i++)
		all |= (uint64_t)values[i];
	if (cute || all >> 63)
		return cute;
	width = (int)int_width(all);
	if (prefer)
		cute = try_shift(&sequence, like, prefer, width, width);
	for (int k = 2; !cute && k / 2 <= width; k++)
		cute = try_shift(&sequence, like, k % 2 ? -k / 2 : k / 2, width, width);
	/* Bits that no offset has may be those that a swizzle upwards took away. */
	for (int k = 1; !cute && k <= width; k++)
		cute = try_shift(&sequence, like, -k, width,
			(int)int_width((uint64_t)cute_values_end(like)) - 1);
	return cute;
}
