/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/bits.h"
#include "algebra/cute/build.h"

#include <stdlib.h>

static unsigned inputs(uint64_t row)
{
	return (unsigned)__builtin_popcountll(row & ~CUTE_BITS_ONE);
}

/* A layout without a swizzle has one bit of the coordinate at most in each bit of the
 * offset.  The rows that have more are the targets of the swizzle, and all between
 * them are, too; what they are without it goes to "plain". */
static bool unswizzle(const struct cute_bits *bits, int shift,
	layout_cute_swizzle *swizzle, struct cute_bits *plain)
{
	int first = -1, last = -1;

	*plain = *bits;
	for (int j = 0; j < (int)bits->out; j++) {
		if (inputs(bits->rows[j]) < 2)
			continue;
		first = first < 0 ? j : first;
		last = j;
	}
	*swizzle = (layout_cute_swizzle){ 0 };
	if (first < 0)
		return true;
	*swizzle = (layout_cute_swizzle){ last - first + 1,
		shift > 0 ? first : first + shift, shift, 0 };
	if (abs(shift) < swizzle->bits || first + shift < 0 ||
			last + shift >= CUTE_SWIZZLE_BITS)
		return false;
	for (int j = first; j <= last; j++) {
		plain->rows[j] ^= bits->rows[j + shift];
		if (inputs(plain->rows[j]) > 1)
			return false;
	}
	return true;
}

/* Strides of the bits of the coordinate, and the offset: a bit that begins as 1 goes
 * down. */
static int64_t find_strides(const struct cute_bits *plain, int64_t *strides)
{
	int64_t offset = 0;

	for (unsigned i = 0; i < plain->in; i++)
		strides[i] = 0;
	for (unsigned j = 0; j < plain->out; j++) {
		uint64_t row = plain->rows[j];
		int64_t value = (int64_t)1 << j;

		if (row & CUTE_BITS_ONE)
			offset += value;
		if (inputs(row))
			strides[__builtin_ctzll(row)] +=
				row & CUTE_BITS_ONE ? -value : value;
	}
	return offset;
}

/* A leaf of "width" bits: neighbours that continue each other are one mode. */
static void build_leaf(struct cute_builder *builder, const int64_t *strides,
	unsigned width, bool reversed)
{
	unsigned begins[CUTE_SWIZZLE_BITS + 1], count = 0;

	for (unsigned i = 0; i < width; i++)
		if (!i || strides[i] != 2 * strides[i - 1])
			begins[count++] = i;
	begins[count] = width;
	if (count != 1 && width)
		cute_node(builder, (int)count);
	for (unsigned k = 0; k < count; k++) {
		unsigned part = reversed ? count - 1 - k : k;

		cute_leaf(builder, (int64_t)1 << (begins[part + 1] - begins[part]),
			strides[begins[part]]);
	}
	if (!width)
		cute_leaf(builder, 1, 0);
}

static layout_cute *build(const layout_cute *like, const int64_t *strides, unsigned in)
{
	struct cute_builder builder;
	unsigned done = like->lexicographic ? in : 0, leaf = 0;
	layout_cute *cute;

	cute_begin(&builder, like->ctx);
	for (unsigned node = 0; node < like->node_count; node++) {
		unsigned width;

		if (like->tree[node] >= 0) {
			cute_node(&builder, like->tree[node]);
			continue;
		}
		width = (unsigned)__builtin_ctzll((uint64_t)like->shape[leaf++]);
		done -= like->lexicographic ? width : 0;
		build_leaf(&builder, strides + done, width, like->lexicographic);
		done += like->lexicographic ? 0 : width;
	}
	cute = cute_end(&builder);
	if (cute)
		cute->lexicographic = like->lexicographic;
	return cute;
}

layout_cute *cute_bits_layout(const struct cute_bits *bits, const layout_cute *like,
	int prefer)
{
	int64_t strides[CUTE_SWIZZLE_BITS];
	layout_cute_swizzle swizzle;
	struct cute_bits plain;
	bool found = unswizzle(bits, prefer, &swizzle, &plain);
	layout_cute *cute;

	for (int k = 2; !found && k < 2 * CUTE_SWIZZLE_BITS; k++)
		found = unswizzle(bits, k % 2 ? -k / 2 : k / 2, &swizzle, &plain);
	if (!found)
		return NULL;
	swizzle.offset = find_strides(&plain, strides);
	cute = build(like, strides, bits->in);
	if (cute)
		cute_swizzle_set(cute, swizzle);
	return cute;
}
