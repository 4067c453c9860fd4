/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/f2.h"
#include "algebra/f2/bits.h"

#include <stdlib.h>
#include <string.h>

static bool measure(layout_context *ctx, unsigned rank, const unsigned *widths,
	const char *side, unsigned *bits)
{
	*bits = 0;
	for (unsigned i = 0; i < rank; i++) {
		if (widths[i] > F2_WIDTH) {
			layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"%s coordinate %u has %u bits, at most %d fit",
				side, i, widths[i], F2_WIDTH);
			return false;
		}
		*bits += widths[i];
		if (*bits > F2_BITS) {
			layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"more than %d %s bits", F2_BITS, side);
			return false;
		}
	}
	return true;
}

struct f2 *f2_new(layout_context *ctx, unsigned in_rank, const unsigned *in_widths,
	unsigned out_rank, const unsigned *out_widths)
{
	unsigned in_bits, out_bits, words;
	struct f2 *f2;

	if (!measure(ctx, in_rank, in_widths, "input", &in_bits) ||
	    !measure(ctx, out_rank, out_widths, "output", &out_bits))
		return NULL;
	words = bits_words(out_bits);
	f2 = layout_alloc(ctx, 1, sizeof(*f2) +
		((size_t)in_bits + 1) * words * sizeof(uint64_t) +
		((size_t)in_rank + out_rank) * sizeof(unsigned));
	if (!f2)
		return NULL;
	f2->references = 1;
	f2->in_rank = in_rank;
	f2->out_rank = out_rank;
	f2->in_bits = in_bits;
	f2->out_bits = out_bits;
	f2->in_words = bits_words(in_bits);
	f2->words = words;
	f2->constant = (uint64_t *)(f2 + 1);
	f2->columns = f2->constant + words;
	f2->in_widths = (unsigned *)(f2->columns + (size_t)in_bits * words);
	f2->out_widths = f2->in_widths + in_rank;
	for (unsigned i = 0; i < in_rank; i++)
		f2->in_widths[i] = in_widths[i];
	for (unsigned i = 0; i < out_rank; i++)
		f2->out_widths[i] = out_widths[i];
	return f2;
}

struct f2 *f2_share(struct f2 *f2)
{
	if (f2)
		f2->references++;
	return f2;
}

void f2_free(struct f2 *f2)
{
	if (f2 && !--f2->references)
		free(f2);
}

static unsigned begin_of(const unsigned *widths, unsigned coordinate)
{
	unsigned begin = 0;

	for (unsigned i = 0; i < coordinate; i++)
		begin += widths[i];
	return begin;
}

unsigned f2_in_begin(const struct f2 *f2, unsigned coordinate)
{
	return begin_of(f2->in_widths, coordinate);
}

void f2_toggle(struct f2 *f2, unsigned bit, unsigned out, uint64_t value)
{
	bits_add_field(f2_column(f2, bit), begin_of(f2->out_widths, out),
		f2->out_widths[out], value);
}

void f2_toggle_constant(struct f2 *f2, unsigned out, uint64_t value)
{
	bits_add_field(f2->constant, begin_of(f2->out_widths, out),
		f2->out_widths[out], value);
}

uint64_t f2_get(const struct f2 *f2, unsigned bit, unsigned out)
{
	return bits_field(f2_column(f2, bit), begin_of(f2->out_widths, out),
		f2->out_widths[out]);
}

uint64_t f2_get_constant(const struct f2 *f2, unsigned out)
{
	return bits_field(f2->constant, begin_of(f2->out_widths, out),
		f2->out_widths[out]);
}

void f2_apply(const struct f2 *f2, const int64_t *in, int64_t *out)
{
	const uint64_t *column = f2->columns;
	uint64_t image[F2_WORDS];
	unsigned begin = 0;

	memcpy(image, f2->constant, f2->words * sizeof(*image));
	for (unsigned i = 0; i < f2->in_rank; i++)
		for (unsigned bit = 0; bit < f2->in_widths[i]; bit++) {
			if ((uint64_t)in[i] >> bit & 1)
				bits_add(image, column, f2->words);
			column += f2->words;
		}
	for (unsigned i = 0; i < f2->out_rank; i++) {
		out[i] = (int64_t)bits_field(image, begin, f2->out_widths[i]);
		begin += f2->out_widths[i];
	}
}
