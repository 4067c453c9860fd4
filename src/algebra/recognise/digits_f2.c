/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Digits of powers of two are bits, and sums without a carry are XORs. */
#include "algebra/recognise/digits_f2.h"
#include "algebra/f2/bits.h"
#include "algebra/recognise/example.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>

/* The first two columns with a bit in common; false where there are none. */
static bool find_clash(const struct f2 *f2, unsigned clash[2])
{
	uint64_t used[F2_WORDS] = { 0 };

	for (unsigned bit = 0; bit < f2->in_bits; bit++) {
		const uint64_t *column = f2_column(f2, bit);

		for (unsigned word = 0; word < f2->words; word++) {
			if (!(used[word] & column[word])) {
				used[word] |= column[word];
				continue;
			}
			clash[1] = bit;
			for (clash[0] = 0; !(f2_column(f2, clash[0])[word] &
					column[word]);)
				clash[0]++;
			return true;
		}
	}
	return false;
}

/* What a column adds: bits that the constant has go down. */
static int64_t column_adds(const struct f2 *f2, unsigned bit, unsigned out)
{
	uint64_t column = f2_get(f2, bit, out), constant = f2_get_constant(f2, out);

	return (int64_t)(column & ~constant) - (int64_t)(column & constant);
}

bool digits_of_f2(struct digits *form, layout_context *ctx, const struct f2 *f2,
	unsigned clash[2])
{
	int64_t *adds = NULL;
	unsigned bit = 0;
	bool good = digits_begin(form, ctx, f2->in_rank, f2->out_rank) &&
		!find_clash(f2, clash) &&
		(adds = layout_alloc(ctx, f2->out_rank, sizeof(*adds)));

	for (unsigned k = 0; good && k < f2->out_rank; k++)
		form->constant[k] = (int64_t)f2_get_constant(f2, k);
	for (unsigned d = 0; good && d < f2->in_rank; d++) {
		form->extents[d] = INT64_C(1) << f2->in_widths[d];
		for (unsigned i = 0; good && i < f2->in_widths[d]; i++, bit++) {
			for (unsigned k = 0; k < f2->out_rank; k++)
				adds[k] = column_adds(f2, bit, k);
			good = digits_append(form,
				(struct digit){ d, INT64_C(1) << i, 2 }, adds);
		}
	}
	free(adds);
	return good;
}

/* The least and the largest value of image "out", by their signs. */
static bool find_reach(const struct digits *form, unsigned out, int64_t *least,
	int64_t *most)
{
	*least = *most = form->constant[out];
	for (unsigned i = 0; i < form->count; i++) {
		int64_t add = digits_adds(form, i)[out];

		if (!int_add_product(add < 0 ? least : most, add,
				form->digits[i].radix - 1))
			return false;
	}
	return true;
}

/* The bits of image "out"; false with the reason where it has none. */
static bool find_width(const struct digits *form, unsigned out, unsigned *width)
{
	int64_t least, most;

	if (!find_reach(form, out, &least, &most)) {
		layout_fail(form->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"image %u does not fit 64 bits", out);
		return false;
	}
	*width = int_width((uint64_t)most);
	if (least >= 0 && *width <= F2_WIDTH)
		return true;
	layout_fail(form->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "image %u goes from %" PRId64
		" to %" PRId64 ", and a linear layout's from 0 to 2^62 at most", out,
		least, most);
	return false;
}

/* The function that is 0 everywhere between the boxes. */
static struct f2 *empty(const struct digits *form)
{
	unsigned *widths = layout_alloc(form->ctx, (size_t)form->in_rank + form->out_rank,
		sizeof(*widths));
	struct f2 *f2 = NULL;
	bool good = widths;

	for (unsigned d = 0; good && d < form->in_rank; d++) {
		good = int_is_power2(form->extents[d]);
		if (good)
			widths[d] = (unsigned)int_log2(form->extents[d]);
		else
			layout_fail(form->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"input %u has %" PRId64 " points, which is no power of "
				"two", d, form->extents[d]);
	}
	for (unsigned k = 0; good && k < form->out_rank; k++)
		good = find_width(form, k, &widths[form->in_rank + k]);
	if (good)
		f2 = f2_new(form->ctx, form->in_rank, widths, form->out_rank,
			widths + form->in_rank);
	free(widths);
	return f2;
}

/* What the bit changes, taken by itself, in each image. */
static uint64_t column(const struct digits *form, unsigned i, int64_t part,
	unsigned k)
{
	int64_t constant = form->constant[k];

	return (uint64_t)(constant + digits_adds(form, i)[k] * part) ^
		(uint64_t)constant;
}

/* The point whose only digits are the bits of these two columns. */
static void fail_carries(const struct digits *form, const struct f2 *f2,
	const unsigned clash[2])
{
	struct recognise_example example = { .ctx = form->ctx, .in_rank = form->in_rank,
		.out_rank = form->out_rank };

	if (recognise_example_of(&example, f2, clash)) {
		f2_apply(f2, example.point, example.other);
		digits_apply(form, example.point, example.image);
	}
	recognise_example_fail(&example);
}

struct f2 *digits_f2(const struct digits *form)
{
	struct f2 *f2 = empty(form);
	unsigned clash[2];

	for (unsigned k = 0; f2 && k < form->out_rank; k++)
		f2_toggle_constant(f2, k, (uint64_t)form->constant[k]);
	for (unsigned i = 0; f2 && i < form->count; i++) {
		const struct digit *digit = &form->digits[i];
		unsigned bit = f2_in_begin(f2, digit->dim) +
			(unsigned)int_log2(digit->step);

		for (int64_t part = 1; part < digit->radix; part *= 2, bit++)
			for (unsigned k = 0; k < form->out_rank; k++)
				f2_toggle(f2, bit, k, column(form, i, part, k));
	}
	if (!f2 || !find_clash(f2, clash))
		return f2;
	fail_carries(form, f2, clash);
	f2_free(f2);
	return NULL;
}
