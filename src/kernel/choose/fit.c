/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dimensions that a tile has all of. */
#include "kernel/choose/parts.h"
#include "isl_bridge/index_sum.h"

/* Does a digit follow dimensions that are one digit each, the last of them "before"? */
static bool follows(const struct factors *factors, enum factor_side side, unsigned digit,
	unsigned before)
{
	const struct factor_digit *of = &factors->digits[before];
	struct index *next = index_binary(INDEX_MUL, index_copy(of->weight[side]),
		index_copy(factors->dims[of->digit.dim].end));
	bool equal = next && index_equal(next, factors->digits[digit].weight[side]);

	index_free(next);
	return equal;
}

/* The digit's weight, where a dimension that it follows fits and its rows are shorter than so many
 * bits; the choice's weights are those that were found before. */
static bool fit_digit(const struct choice *choice, enum factor_side side, unsigned digit,
	int64_t bits, struct choice_fit *fit)
{
	const struct factors *factors = choice->factors;

	if (choice_digit_weight(choice, digit, side) ||
	    choice_extent(choice, factors->digits[digit].digit.dim) == 1)
		return false;
	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct digit *before = &factors->digits[i].digit;
		int64_t weight = choice_digit_weight(choice, i, side);
		int64_t extent = choice_extent(choice, before->dim);

		if (!weight || extent == 1 || before->radix || before->step != 1 ||
		    before->dim >= CHOICE_DIMS ||
		    weight * extent * choice->rules.bits[side] >= bits ||
		    !follows(factors, side, digit, i))
			continue;
		fit->weights[digit] = weight * extent;
		fit->dims |= 1u << before->dim;
		return true;
	}
	return false;
}

bool choice_fit(const struct choice *choice, enum factor_side side, int64_t bytes,
	struct choice_fit *fit)
{
	struct choice fitted = *choice;
	bool found = true;

	*fit = (struct choice_fit){ 0 };
	fitted.fits[side] = fit;
	while (found) {
		found = false;
		for (unsigned i = 0; i < choice->factors->digit_count; i++)
			found = fit_digit(&fitted, side, i, 8 * bytes, fit) || found;
	}
	return fit->dims;
}
