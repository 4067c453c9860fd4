/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/bits.h"
#include "isl_bridge/arithmetic.h"

/* The carry of three bits, where it is one of them or a constant. */
static bool majority(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry)
{
	if (a == b || a == c)
		*carry = a;
	else if (b == c)
		*carry = b;
	else if (a == (b ^ CUTE_BITS_ONE))
		*carry = c;
	else if (a == (c ^ CUTE_BITS_ONE))
		*carry = b;
	else if (b == (c ^ CUTE_BITS_ONE))
		*carry = a;
	else
		return false;
	return true;
}

/* Add factor * bit, "bit" being the row of a single one. */
static bool add_multiple(uint64_t *rows, uint64_t factor, uint64_t bit)
{
	uint64_t carry = 0;

	for (unsigned j = 0; j < CUTE_SWIZZLE_BITS && (factor >> j || carry); j++) {
		uint64_t row = rows[j], term = factor >> j & 1 ? bit : 0;

		if (!term && !carry)
			continue;
		rows[j] = row ^ term ^ carry;
		if (!majority(row, term, carry, &carry))
			return false;
	}
	return !carry && !(factor >> CUTE_SWIZZLE_BITS);
}

static void apply_swizzle(uint64_t *rows, layout_cute_swizzle swizzle)
{
	int target = swizzle.shift < 0 ? swizzle.base - swizzle.shift : swizzle.base;

	for (int end = target + swizzle.bits; target < end; target++)
		rows[target] ^= rows[target + swizzle.shift];
}

/* How many bits of the coordinate are this leaf's, "rest" being left; -1 if it does not
 * end at a bit. */
static int leaf_width(int64_t shape, unsigned rest, bool last)
{
	if (shape < 1)
		return -1;
	if (last || int_width((uint64_t)shape) > rest)
		return (int)rest;
	return int_log2(shape);
}

/* What one bit of the coordinate adds. */
struct step {
	uint64_t size;
	bool negative;
};

/* The steps of all "in" bits; and to "least" what is added by bits of negative steps. */
static bool find_steps(const layout_cute *cute, unsigned in, struct step *steps,
	int64_t *least)
{
	unsigned done = 0;

	for (unsigned i = 0; i < cute->leaf_count; i++) {
		unsigned leaf = cute->lexicographic ? cute->leaf_count - 1 - i : i;
		int64_t stride = cute->stride[leaf];
		int width = leaf_width(cute->shape[leaf], in - done,
			i + 1 == cute->leaf_count);

		if (width < 0)
			return false;
		for (; width > 0; width--, done++) {
			steps[done] = (struct step){
				stride < 0 ? -(uint64_t)stride : (uint64_t)stride,
				stride < 0 };
			if ((stride < 0 &&
			     __builtin_add_overflow(*least, stride, least)) ||
			    (width > 1 && __builtin_mul_overflow(stride, 2, &stride)))
				return false;
		}
	}
	return done == in;
}

bool cute_bits_of(const layout_cute *cute, unsigned in, struct cute_bits *bits)
{
	struct step steps[CUTE_SWIZZLE_BITS];
	int64_t least = cute->swizzle.offset;

	if (in > CUTE_SWIZZLE_BITS || !find_steps(cute, in, steps, &least) ||
			least < 0 || least >> CUTE_SWIZZLE_BITS)
		return false;
	bits->in = in;
	for (unsigned j = 0; j < CUTE_SWIZZLE_BITS; j++)
		bits->rows[j] = least >> j & 1 ? CUTE_BITS_ONE : 0;
	for (unsigned i = 0; i < in; i++) {
		uint64_t bit = (uint64_t)1 << i;

		if (!add_multiple(bits->rows, steps[i].size,
				steps[i].negative ? bit ^ CUTE_BITS_ONE : bit))
			return false;
	}
	apply_swizzle(bits->rows, cute->swizzle);
	bits->out = CUTE_SWIZZLE_BITS;
	while (bits->out && !bits->rows[bits->out - 1])
		bits->out--;
	return true;
}

bool cute_bits_of_all(const layout_cute *cute, struct cute_bits *bits)
{
	int in = int_log2(cute->size);

	return in >= 0 && cute_bits_of(cute, (unsigned)in, bits);
}

struct cute_bits cute_bits_compose(const struct cute_bits *outer,
	const struct cute_bits *inner)
{
	struct cute_bits result = { .in = inner->in };

	for (unsigned j = 0; j < outer->out; j++) {
		uint64_t row = outer->rows[j] & CUTE_BITS_ONE;

		for (unsigned i = 0; i < inner->out; i++)
			if (outer->rows[j] >> i & 1)
				row ^= inner->rows[i];
		result.rows[j] = row;
		if (row)
			result.out = j + 1;
	}
	return result;
}

int64_t cute_bits_apply(const struct cute_bits *bits, uint64_t point)
{
	uint64_t image = 0;

	for (unsigned j = 0; j < bits->out; j++)
		image |= (uint64_t)(__builtin_popcountll(bits->rows[j] &
			(point | CUTE_BITS_ONE)) & 1) << j;
	return (int64_t)image;
}

/* The columns, of which the rows have a bit each; false: no memory. */
static bool f2_of(layout_context *ctx, const struct cute_bits *bits, struct f2 **f2)
{
	uint64_t origin = (uint64_t)cute_bits_apply(bits, 0);

	*f2 = f2_new(ctx, 1, &bits->in, 1, &bits->out);
	if (!*f2)
		return false;
	f2_toggle_constant(*f2, 0, origin);
	for (unsigned i = 0; i < bits->in; i++)
		f2_toggle(*f2, i, 0, origin ^
			(uint64_t)cute_bits_apply(bits, (uint64_t)1 << i));
	return true;
}

bool cute_f2(const layout_cute *cute, struct f2 **f2)
{
	struct cute_bits bits;

	*f2 = NULL;
	return cute_bits_of_all(cute, &bits) && f2_of(cute->ctx, &bits, f2);
}

bool cute_f2_composed(const layout_cute *outer, const layout_cute *inner, struct f2 **f2)
{
	struct cute_bits first, then;

	*f2 = NULL;
	if (!cute_bits_of_all(inner, &first) || !cute_bits_of(outer, first.out, &then))
		return false;
	then = cute_bits_compose(&then, &first);
	return f2_of(inner->ctx, &then, f2);
}
