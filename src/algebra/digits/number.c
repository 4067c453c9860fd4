/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/digits/number.h"
#include "algebra/digits/cuts.h"
#include "isl_bridge/aff.h"

#include <stdlib.h>

void digit_number_free(struct digit_number *number)
{
	isl_aff_free(number->rest);
	*number = (struct digit_number){ 0 };
}

static bool add_term(struct digit_number *number, struct digit_term term)
{
	if (!term.factor)
		return true;
	if (number->count == DIGIT_TERMS)
		return false;
	number->terms[number->count++] = term;
	return true;
}

/* The largest digit; INT64_MAX where it is not known. */
static int64_t largest(const struct digit_scope *scope, const struct digit *digit)
{
	int64_t most = scope->most[digit->dim];

	if (most < INT64_MAX)
		most /= digit->step;
	return digit->radix && digit->radix - 1 < most ? digit->radix - 1 : most;
}

/* Split term "i" where x has "cut", if that is inside of it.  False where its digit has
 * no digits there. */
static bool split_at(struct digit_number *number, unsigned i, int64_t cut)
{
	struct digit_term *term = &number->terms[i], outer = *term;
	struct digit *digit = &term->digit;
	int64_t part = cut / digit->step;

	if (cut <= digit->step || cut >= digit_end(digit))
		return true;
	if (cut % digit->step || digit->radix % part ||
	    __builtin_mul_overflow(term->factor, part, &outer.factor))
		return false;
	outer.digit = digit_above(digit, part);
	digit->radix = part;
	return add_term(number, outer);
}

/* Split all terms of a dimension at each other's begins and ends. */
static bool refine(struct digit_number *number)
{
	for (unsigned i = 0; i < number->count; i++) {
		unsigned dim = number->terms[i].digit.dim;
		struct cuts cuts = { 0 };

		for (unsigned k = 0; k < number->count; k++)
			if (number->terms[k].digit.dim == dim)
				cuts_add_digit(&cuts, &number->terms[k].digit, INT64_MAX);
		for (unsigned c = 0; c < cuts.count; c++)
			if (!split_at(number, i, cuts.at[c]))
				return false;
	}
	return true;
}

/* Terms of one digit become one; what is always 0 goes. */
static bool add_up(struct digit_number *number, const struct digit_scope *scope)
{
	unsigned used = 0;

	for (unsigned i = 0; i < number->count; i++) {
		struct digit_term term = number->terms[i];
		unsigned k = 0;

		while (k < used && (number->terms[k].digit.dim != term.digit.dim ||
		       number->terms[k].digit.step != term.digit.step))
			k++;
		if (k == used)
			number->terms[used++] = term;
		else if (number->terms[k].digit.radix != term.digit.radix ||
			 __builtin_add_overflow(number->terms[k].factor, term.factor,
				&number->terms[k].factor))
			return false;
	}
	number->count = 0;
	for (unsigned i = 0; i < used; i++)
		if (number->terms[i].factor && largest(scope, &number->terms[i].digit))
			number->terms[number->count++] = number->terms[i];
	return true;
}

static bool normalise(struct digit_number *number, const struct digit_scope *scope)
{
	return refine(number) && add_up(number, scope);
}

static bool coefficient(isl_aff *aff, enum isl_dim_type type, int at, int64_t *value)
{
	isl_val *factor = isl_aff_get_coefficient_val(aff, type, at);
	bool good = isl_val_is_int(factor) == isl_bool_true &&
		isl_val_cmp_si(factor, INT32_MAX) < 0 &&
		isl_val_cmp_si(factor, -INT32_MAX) > 0;

	if (good)
		*value = isl_val_get_num_si(factor);
	isl_val_free(factor);
	return good;
}

/* rest = by * quotient + (constant in 0 .. by - 1), which is the answer; -1: it is not. */
static int64_t divide_rest(isl_aff **rest, int64_t by)
{
	isl_val *divisor = isl_val_int_from_si(isl_aff_get_ctx(*rest), by);
	isl_val *constant = isl_val_mod(isl_aff_get_constant_val(*rest),
		isl_val_copy(divisor));
	isl_val *denominator;
	int64_t left = isl_val_is_int(constant) == isl_bool_true ?
		isl_val_get_num_si(constant) : -1;

	*rest = isl_aff_add_constant_val(*rest, isl_val_neg(constant));
	*rest = isl_aff_scale_down_val(*rest, divisor);
	denominator = isl_aff_get_denominator_val(*rest);
	if (isl_val_is_one(denominator) != isl_bool_true)
		left = -1;
	isl_val_free(denominator);
	return left;
}

/* One term of floor(number / by): what is whole goes to "quotient", and "left" grows by
 * the largest value of what is not. */
static bool divide_term(struct digit_number *quotient, const struct digit_scope *scope,
	struct digit_term term, int64_t by, int64_t *left)
{
	struct digit *digit = &term.digit;
	int64_t most = largest(scope, digit), part;

	if (term.factor % by == 0) {
		term.factor /= by;
		return add_term(quotient, term);
	}
	if (term.factor < 0)
		return false;
	if (by % term.factor == 0 && most >= (part = by / term.factor)) {
		if (digit->radix % part || digit->step > INT64_MAX / part)
			return false;
		*left += term.factor * (part - 1);
		return add_term(quotient, (struct digit_term){ .factor = 1,
			.digit = digit_above(digit, part) });
	}
	return most < INT64_MAX && !__builtin_mul_overflow(most, term.factor, &most) &&
		!__builtin_add_overflow(*left, most, left);
}

/* floor(number / by) */
static bool divide(struct digit_number *number, const struct digit_scope *scope,
	int64_t by)
{
	struct digit_number quotient = { 0 };
	int64_t left = divide_rest(&number->rest, by);

	if (left < 0)
		return false;
	for (unsigned i = 0; i < number->count; i++)
		if (!divide_term(&quotient, scope, number->terms[i], by, &left))
			return false;
	if (left >= by)
		return false;
	quotient.rest = number->rest;
	*number = quotient;
	return true;
}

/* The dividend of a floor, and what it is divided by. */
static isl_aff *dividend_of(isl_aff *function, int div, int64_t *by)
{
	isl_val *denominator;
	isl_aff *dividend = aff_dividend(function, div, &denominator);

	*by = isl_val_is_int(denominator) == isl_bool_true &&
		isl_val_cmp_si(denominator, INT32_MAX) < 0 ?
		isl_val_get_num_si(denominator) : 0;
	isl_val_free(denominator);
	return dividend;
}

static bool is_of_sizes(isl_aff *function)
{
	isl_size rank = isl_aff_dim(function, isl_dim_in);

	return rank >= 0 && isl_aff_involves_dims(function, isl_dim_in, 0,
		(unsigned)rank) == isl_bool_false;
}

/* number += factor * floor(..) */
static bool add_floor(struct digit_number *number, const struct digit_scope *scope,
	isl_aff *function, int div, int64_t factor)
{
	struct digit_number floor = { 0 };
	int64_t by;
	isl_aff *dividend = dividend_of(function, div, &by);
	bool good = by > 0 && digit_number_read(&floor, scope, dividend) &&
		divide(&floor, scope, by);

	isl_aff_free(dividend);
	for (unsigned i = 0; good && i < floor.count; i++)
		good = !__builtin_mul_overflow(floor.terms[i].factor, factor,
				&floor.terms[i].factor) &&
			add_term(number, floor.terms[i]);
	if (good)
		number->rest = aff_add_scaled(number->rest, floor.rest, factor);
	else
		isl_aff_free(floor.rest);
	return good;
}

/* What the function has of sizes alone and the constant. */
static isl_aff *read_rest(isl_aff *function)
{
	isl_size divs = isl_aff_dim(function, isl_dim_div);
	isl_aff *rest = aff_of_parameters(function, isl_aff_get_domain_space(function));

	for (isl_size i = 0; i < divs; i++) {
		isl_aff *div = isl_aff_get_div(function, i);

		if (is_of_sizes(div))
			rest = isl_aff_add(rest, isl_aff_scale_val(isl_aff_floor(div),
				isl_aff_get_coefficient_val(function, isl_dim_div, i)));
		else
			isl_aff_free(div);
	}
	return rest;
}

static bool add_index(struct digit_number *number, const struct digit_scope *scope,
	unsigned d, int64_t factor)
{
	number->rest = aff_add_scaled(number->rest, isl_aff_copy(scope->low[d]), -factor);
	return add_term(number, (struct digit_term){ .factor = factor,
		.digit = { d, 1, 0 } });
}

bool digit_number_read(struct digit_number *number, const struct digit_scope *scope,
	isl_aff *function)
{
	isl_size divs = isl_aff_dim(function, isl_dim_div);
	int64_t factor = 0;
	bool good = divs >= 0;

	*number = (struct digit_number){ .rest = read_rest(function) };
	for (unsigned d = 0; good && d < scope->rank; d++) {
		good = coefficient(function, isl_dim_in, (int)d, &factor);
		if (good && factor)
			good = add_index(number, scope, d, factor);
	}
	for (isl_size i = 0; good && i < divs; i++) {
		isl_aff *div = isl_aff_get_div(function, i);
		bool known = is_of_sizes(div);

		isl_aff_free(div);
		good = known || coefficient(function, isl_dim_div, i, &factor);
		if (good && !known && factor)
			good = add_floor(number, scope, function, i, factor);
	}
	return good && number->rest && normalise(number, scope);
}

/* The low of a function i[d] + low of one dimension alone, unless one is there. */
static void take_low(isl_aff **low, isl_aff *function)
{
	isl_size rank = isl_aff_dim(function, isl_dim_in), found = -1;
	isl_size divs = isl_aff_dim(function, isl_dim_div);
	int64_t factor;

	for (isl_size d = 0; d < rank; d++) {
		if (!coefficient(function, isl_dim_in, d, &factor))
			return;
		if (factor && (factor != 1 || found >= 0))
			return;
		if (factor)
			found = d;
	}
	for (isl_size i = 0; i < divs; i++) {
		isl_aff *div = isl_aff_get_div(function, i);
		bool known = is_of_sizes(div);

		isl_aff_free(div);
		if (!known && (!coefficient(function, isl_dim_div, i, &factor) || factor))
			return;
	}
	if (found >= 0 && !low[found])
		low[found] = read_rest(function);
}

/* The low of the dimension that the function weighs most, where what it has of sizes is
 * worth whole steps of that: P of 64i + j + 64P.  Unless one is there. */
static void take_outermost_low(isl_aff **low, isl_aff *function)
{
	isl_size rank = isl_aff_dim(function, isl_dim_in), found = -1;
	int64_t factor, most = 0;
	isl_val *denominator;
	isl_aff *rest;

	for (isl_size d = 0; d < rank; d++) {
		if (!coefficient(function, isl_dim_in, d, &factor))
			return;
		if (factor > most) {
			most = factor;
			found = d;
		}
	}
	if (found < 0 || low[found])
		return;
	rest = isl_aff_scale_down_val(read_rest(function),
		isl_val_int_from_si(isl_aff_get_ctx(function), most));
	denominator = isl_aff_get_denominator_val(rest);
	if (isl_val_is_one(denominator) == isl_bool_true)
		low[found] = rest;
	else
		isl_aff_free(rest);
	isl_val_free(denominator);
}

/* Of the dividends, or of the functions themselves. */
static void take_lows(isl_aff **low, isl_multi_aff *functions, bool dividends,
	void (*take)(isl_aff **low, isl_aff *function))
{
	isl_size count = isl_multi_aff_dim(functions, isl_dim_out);

	for (isl_size k = 0; k < count; k++) {
		isl_aff *function = isl_multi_aff_get_aff(functions, k);
		isl_size divs = isl_aff_dim(function, isl_dim_div);

		for (isl_size i = 0; dividends && i < divs; i++) {
			int64_t by;
			isl_aff *dividend = dividend_of(function, i, &by);

			take(low, dividend);
			isl_aff_free(dividend);
		}
		if (!dividends)
			take(low, function);
		isl_aff_free(function);
	}
}

void digit_lows_free(isl_aff **low, unsigned rank)
{
	for (unsigned d = 0; low && d < rank; d++)
		isl_aff_free(low[d]);
	free(low);
}

/* Of dividends first: where floors are cut is what matters. */
isl_aff **digit_lows(layout_context *ctx, isl_multi_aff *functions)
{
	isl_size rank = isl_multi_aff_dim(functions, isl_dim_in);
	isl_aff **low = rank < 0 ? NULL : layout_alloc(ctx, (size_t)rank, sizeof(*low));
	bool good = low;

	if (!good)
		return NULL;
	for (unsigned pass = 0; pass < 4; pass++)
		take_lows(low, functions, pass % 2 == 0,
			pass < 2 ? take_low : take_outermost_low);
	for (isl_size d = 0; d < rank; d++) {
		if (!low[d])
			low[d] = isl_aff_zero_on_domain_space(isl_space_domain(
				isl_multi_aff_get_space(functions)));
		good = good && low[d];
	}
	if (good)
		return low;
	digit_lows_free(low, (unsigned)rank);
	return NULL;
}
