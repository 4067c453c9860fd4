/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function of isl's as digits: its floors are read (digits/number.h), cut where
 * any of them begins or ends, and added up for each image. */
#include "algebra/function.h"
#include "algebra/recognise/recognise.h"
#include "algebra/digits/number.h"

#include <stdlib.h>

/* The images as sums of terms. */
struct reading {
	struct seen *seen;
	struct digit_scope scope;
	struct digit_number *numbers;
	unsigned count;
};

/* The constant of an image, which is all that is left of it. */
static bool take_constant(struct reading *reading, unsigned k)
{
	isl_aff *rest = reading->numbers[k].rest;

	return isl_aff_is_cst(rest) == isl_bool_true &&
		bridge_int64(reading->seen->ctx, isl_aff_get_constant_val(rest),
			&reading->seen->digits.constant[k]);
}

/* A function without floors, of any numbers. */
static bool read_affine(struct reading *reading, struct digit_number *number,
	isl_aff *image)
{
	number->rest = isl_aff_copy(image);
	for (unsigned d = 0; d < reading->scope.rank; d++) {
		struct digit_term term = { .digit = { d, 1, 0 } };

		if (!bridge_int64(reading->seen->ctx, isl_aff_get_coefficient_val(image,
				isl_dim_in, (int)d), &term.factor))
			return false;
		number->rest = isl_aff_set_coefficient_si(number->rest, isl_dim_in,
			(int)d, 0);
		if (term.factor && number->count == DIGIT_TERMS)
			return false;
		if (term.factor)
			number->terms[number->count++] = term;
	}
	return true;
}

static bool read_image(struct reading *reading, struct digit_number *number,
	isl_aff *image)
{
	return isl_aff_dim(image, isl_dim_div) == 0 ?
		read_affine(reading, number, image) :
		digit_number_read(number, &reading->scope, image);
}

static bool read_images(struct reading *reading, isl_multi_aff *function)
{
	bool good = true;

	for (; good && reading->count < reading->seen->out_rank; reading->count++) {
		isl_aff *image = isl_multi_aff_get_aff(function, (int)reading->count);

		good = read_image(reading, &reading->numbers[reading->count], image) &&
			take_constant(reading, reading->count);
		isl_aff_free(image);
	}
	return good;
}

static bool cut(const struct reading *reading)
{
	struct digits *form = &reading->seen->digits;
	struct digit_term *parts = layout_alloc(form->ctx,
		(size_t)DIGIT_TERMS * reading->count, sizeof(*parts));
	size_t count = 0;
	bool good;

	for (unsigned k = 0; parts && k < reading->count; k++)
		for (unsigned i = 0; i < reading->numbers[k].count; i++) {
			parts[count] = reading->numbers[k].terms[i];
			parts[count++].image = k;
		}
	good = parts && digits_add_up(form, parts, count);
	free(parts);
	return good;
}

static bool begin_reading(struct reading *reading, isl_multi_aff *function)
{
	struct seen *seen = reading->seen;

	reading->scope.rank = seen->in_rank;
	reading->scope.low = layout_alloc(seen->ctx, seen->in_rank,
		sizeof(*reading->scope.low));
	reading->scope.most = layout_alloc(seen->ctx, seen->in_rank,
		sizeof(*reading->scope.most));
	reading->numbers = layout_alloc(seen->ctx, seen->out_rank,
		sizeof(*reading->numbers));
	if (!reading->scope.low || !reading->scope.most || !reading->numbers)
		return false;
	for (unsigned d = 0; d < seen->in_rank; d++) {
		reading->scope.low[d] = isl_aff_zero_on_domain_space(
			isl_multi_aff_get_domain_space(function));
		reading->scope.most[d] = seen->box[d] - 1;
		seen->digits.extents[d] = seen->box[d];
	}
	return true;
}

static void end_reading(struct reading *reading)
{
	if (reading->scope.low)
		digit_lows_free(reading->scope.low, reading->scope.rank);
	free(reading->scope.most);
	for (unsigned k = 0; k < reading->count; k++)
		digit_number_free(&reading->numbers[k]);
	free(reading->numbers);
}

bool see_function(struct seen *seen)
{
	struct reading reading = { .seen = seen };
	isl_multi_aff *function;

	bridge_enter(seen->ctx);
	find_function(seen->relation);
	function = seen->relation->forward;
	bridge_begin_attempt(seen->ctx, BUDGET_READ_FUNCTION);
	seen->by_digits = function &&
		isl_multi_aff_dim(function, isl_dim_param) == 0 &&
		digits_begin(&seen->digits, seen->ctx, seen->in_rank,
			seen->out_rank) &&
		begin_reading(&reading, function) && read_images(&reading, function) &&
		cut(&reading) && seen_prove_digits(seen, function);
	end_reading(&reading);
	seen->by_digits = bridge_end_attempt(seen->ctx) && seen->by_digits;
	if (!seen->by_digits)
		digits_free(&seen->digits);
	return bridge_leave(seen->ctx, "read digits") && seen->by_digits;
}
