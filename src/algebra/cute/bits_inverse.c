/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of bits solved for their inputs. */
#include "algebra/cute/bits.h"
#include "algebra/f2/word_span.h"

/* The span of the columns, each with the input that it comes from; and the constant. */
static uint64_t begin(struct word_span *span, const struct cute_bits *bits)
{
	uint64_t origin = (uint64_t)cute_bits_apply(bits, 0);

	*span = (struct word_span){ 0 };
	for (unsigned i = 0; i < bits->in; i++) {
		uint64_t input = (uint64_t)1 << i;

		word_span_add_sum(span, origin ^ (uint64_t)cute_bits_apply(bits, input),
			&input);
	}
	return origin;
}

/* The input of "image", into "input"; false where there is none, and then that of a part. */
static bool find(const struct word_span *span, uint64_t image, uint64_t *input)
{
	*input = 0;
	return !word_span_solve(span, image, input);
}

/* Column i of a function becomes "image"; i = 63 is the constant. */
static void set_column(struct cute_bits *bits, unsigned i, uint64_t image)
{
	for (unsigned j = 0; j < CUTE_SWIZZLE_BITS; j++) {
		if (!(image >> j & 1))
			continue;
		bits->rows[j] |= (uint64_t)1 << i;
		bits->out = j + 1 > bits->out ? j + 1 : bits->out;
	}
}

bool cute_bits_right_inverse(const struct cute_bits *bits, struct cute_bits *inverse)
{
	struct word_span span;
	uint64_t origin = begin(&span, bits), input;
	bool reached = find(&span, origin, &input);

	*inverse = (struct cute_bits){ 0 };
	set_column(inverse, 63, input);
	if (!reached)
		return false;
	while (inverse->in < bits->in && find(&span, (uint64_t)1 << inverse->in, &input))
		set_column(inverse, inverse->in++, input);
	return true;
}

struct cute_bits cute_bits_left_inverse(const struct cute_bits *bits, bool down)
{
	struct cute_bits inverse = { .in = bits->out };
	struct word_span span;
	uint64_t origin = begin(&span, bits), input;

	for (unsigned k = 0; k < bits->out; k++) {
		unsigned j = down ? bits->out - 1 - k : k;

		input = 0;
		word_span_add_sum(&span, (uint64_t)1 << j, &input);
	}
	for (unsigned j = 0; j < bits->out; j++) {
		find(&span, (uint64_t)1 << j, &input);
		set_column(&inverse, j, input);
	}
	find(&span, origin, &input);
	set_column(&inverse, 63, input);
	return inverse;
}

bool cute_bits_agree(const struct cute_bits *a, const struct cute_bits *b,
	struct cute_bits *domain)
{
	struct word_span span = { 0 };
	uint64_t origin = (uint64_t)(cute_bits_apply(a, 0) ^ cute_bits_apply(b, 0)), input;
	bool reached;

	*domain = (struct cute_bits){ 0 };
	for (unsigned i = 0; i < a->in; i++) {
		uint64_t bit = (uint64_t)1 << i, change = origin ^
			(uint64_t)(cute_bits_apply(a, bit) ^ cute_bits_apply(b, bit));

		input = bit;
		if (!word_span_add_sum(&span, change, &input))
			set_column(domain, domain->in++, input);
	}
	reached = find(&span, origin, &input);
	set_column(domain, 63, input);
	return reached;
}
