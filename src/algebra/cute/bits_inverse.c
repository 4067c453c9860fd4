/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of bits solved for their inputs. */
#include "algebra/cute/bits.h"
#include "isl_bridge/arithmetic.h"

/* Independent images, each with an input it comes from, by their highest bit. */
struct solver {
	uint64_t images[CUTE_SWIZZLE_BITS], inputs[CUTE_SWIZZLE_BITS];
};

/* The input of "image", or of the part that was removed from it: what is left is 0
 * where there is one. */
static uint64_t reduce(const struct solver *solver, uint64_t *image)
{
	uint64_t input = 0;

	for (int j = CUTE_SWIZZLE_BITS - 1; j >= 0; j--) {
		if (!(*image >> j & 1) || !solver->images[j])
			continue;
		*image ^= solver->images[j];
		input ^= solver->inputs[j];
	}
	return input;
}

/* Let "input" be one of "image", unless there is one already: then the input of 0 that
 * both make, else 0. */
static uint64_t add(struct solver *solver, uint64_t image, uint64_t input)
{
	input ^= reduce(solver, &image);
	if (!image)
		return input;
	solver->images[int_width(image) - 1] = image;
	solver->inputs[int_width(image) - 1] = input;
	return 0;
}

/* The solver of the columns; and the constant. */
static uint64_t begin(struct solver *solver, const struct cute_bits *bits)
{
	uint64_t origin = (uint64_t)cute_bits_apply(bits, 0);

	*solver = (struct solver){ 0 };
	for (unsigned i = 0; i < bits->in; i++)
		add(solver, origin ^ (uint64_t)cute_bits_apply(bits, (uint64_t)1 << i),
			(uint64_t)1 << i);
	return origin;
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
	struct solver solver;
	uint64_t left = begin(&solver, bits);

	*inverse = (struct cute_bits){ 0 };
	set_column(inverse, 63, reduce(&solver, &left));
	if (left)
		return false;
	for (; inverse->in < bits->in; inverse->in++) {
		uint64_t input;

		left = (uint64_t)1 << inverse->in;
		input = reduce(&solver, &left);
		if (left)
			break;
		set_column(inverse, inverse->in, input);
	}
	return true;
}

struct cute_bits cute_bits_left_inverse(const struct cute_bits *bits, bool down)
{
	struct cute_bits inverse = { .in = bits->out };
	struct solver solver;
	uint64_t origin = begin(&solver, bits);

	for (unsigned k = 0; k < bits->out; k++) {
		unsigned j = down ? bits->out - 1 - k : k;

		add(&solver, (uint64_t)1 << j, 0);
	}
	for (unsigned j = 0; j < bits->out; j++) {
		uint64_t image = (uint64_t)1 << j;

		set_column(&inverse, j, reduce(&solver, &image));
	}
	set_column(&inverse, 63, reduce(&solver, &origin));
	return inverse;
}

bool cute_bits_agree(const struct cute_bits *a, const struct cute_bits *b,
	struct cute_bits *domain)
{
	struct solver solver = { 0 };
	uint64_t origin = (uint64_t)(cute_bits_apply(a, 0) ^ cute_bits_apply(b, 0));
	uint64_t left = origin;

	*domain = (struct cute_bits){ 0 };
	for (unsigned i = 0; i < a->in; i++) {
		uint64_t bit = (uint64_t)1 << i, same, change = origin ^
			(uint64_t)(cute_bits_apply(a, bit) ^ cute_bits_apply(b, bit));

		same = add(&solver, change, bit);
		if (same)
			set_column(domain, domain->in++, same);
	}
	set_column(domain, 63, reduce(&solver, &left));
	return !left;
}
