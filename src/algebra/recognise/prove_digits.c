/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of isl's in the digits of their inputs: with x = sum of step * digit a floor
 * is affine, or not seen to be. */
#include "algebra/recognise/recognise.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

/* A sum over the digits: a factor for each, and the constant behind them. */
static int64_t *new_sum(const struct digits *form)
{
	return layout_alloc(form->ctx, (size_t)form->count + 1, sizeof(int64_t));
}

/* *sum += factor * term */
static bool add_sum(const struct digits *form, int64_t *sum, const int64_t *term,
	int64_t factor)
{
	for (unsigned i = 0; i <= form->count; i++)
		if (!int_add_product(&sum[i], term[i], factor))
			return false;
	return true;
}

/* sum = floor(sum / by): each factor leaves a rest in 0 .. by - 1, and if all of them
 * together stay below "by", the quotients are the floor. */
static bool divide(const struct digits *form, int64_t *sum, int64_t by)
{
	int64_t rests = 0;

	for (unsigned i = 0; i <= form->count; i++) {
		int64_t rest = (sum[i] % by + by) % by;
		int64_t most = i < form->count ? form->digits[i].radix - 1 : 1;

		if (__builtin_sub_overflow(sum[i], rest, &sum[i]) ||
		    !int_add_product(&rests, rest, most))
			return false;
		sum[i] /= by;
	}
	return rests < by;
}

static bool read_sum(const struct digits *form, isl_aff *function, int64_t *sum);

/* sum += factor * the function's floor number "div" */
static bool add_floor(const struct digits *form, isl_aff *function, int div,
	int64_t factor, int64_t *sum)
{
	isl_val *denominator;
	isl_aff *dividend = aff_dividend(function, div, &denominator);
	int64_t *floor = new_sum(form), by;
	bool good = bridge_int64(form->ctx, denominator, &by) && floor &&
		by > 0 && by < INT64_MAX / 2;

	good = good && read_sum(form, dividend, floor) && divide(form, floor, by) &&
		add_sum(form, sum, floor, factor);
	isl_aff_free(dividend);
	free(floor);
	return good;
}

/* The function of whole numbers as a sum over the digits, which is 0 before. */
static bool read_sum(const struct digits *form, isl_aff *function, int64_t *sum)
{
	isl_size divs = isl_aff_dim(function, isl_dim_div);
	int64_t factor;

	if (divs < 0 || !bridge_int64(form->ctx, isl_aff_get_constant_val(function),
			&sum[form->count]))
		return false;
	for (unsigned i = 0; i < form->count; i++) {
		const struct digit *digit = &form->digits[i];

		if (!bridge_int64(form->ctx, isl_aff_get_coefficient_val(function,
				isl_dim_in, (int)digit->dim), &factor) ||
		    !int_add_product(&sum[i], factor, digit->step))
			return false;
	}
	for (isl_size i = 0; i < divs; i++)
		if (!bridge_int64(form->ctx, isl_aff_get_coefficient_val(function,
				isl_dim_div, i), &factor) ||
		    (factor && !add_floor(form, function, i, factor, sum)))
			return false;
	return true;
}

/* Is the image what the digits add to it? */
static bool is_image(const struct digits *form, isl_aff *function, unsigned image)
{
	int64_t *sum = new_sum(form);
	bool good = sum && read_sum(form, function, sum) &&
		sum[form->count] == form->constant[image];

	for (unsigned i = 0; good && i < form->count; i++)
		good = sum[i] == digits_adds(form, i)[image];
	free(sum);
	return good;
}

bool seen_prove_digits(const struct seen *seen, isl_multi_aff *function)
{
	bool good = true;

	for (unsigned k = 0; good && k < seen->out_rank; k++) {
		isl_aff *image = isl_multi_aff_get_aff(function, (int)k);

		good = is_image(&seen->digits, image, k);
		isl_aff_free(image);
	}
	return good;
}
