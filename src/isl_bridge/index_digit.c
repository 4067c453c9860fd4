/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/index_parts.h"
#include "isl_bridge/index_sum.h"

/* A search for the terms of one digit in a sum: with quotient = a / (p * q), and
 * whole = a / p, these are
 *
 *	k * whole - k * q * quotient  =  k * (whole % q) */
struct search {
	const struct index_sum *sum;
	unsigned quotient;		/* its place in the sum */
	int64_t k, q;
	struct index *whole;
};

/* The divisor of a quotient that is not negative; else 0. */
static int64_t divisor_of(const struct index *index)
{
	if (!index || index->op != INDEX_PDIV || index->arg[1]->op != INDEX_INT)
		return 0;
	return index->arg[1]->value;
}

/* Find k times each of "parts" in the sum, the quotient aside.  Into "rest" goes
 * the sum with the digit in the place of the first of them, without the others. */
static bool exchange(const struct search *search, const struct index_sum *parts,
	struct index *digit, struct index_sum *rest)
{
	const struct index_term *terms = search->sum->terms;
	bool gone[INDEX_SUM_TERMS] = { false };
	unsigned first = INDEX_SUM_TERMS, at;
	int64_t factor;

	gone[search->quotient] = true;
	for (unsigned i = 0; i < parts->count; i++) {
		if (__builtin_mul_overflow(parts->terms[i].factor, search->k, &factor))
			return false;
		for (at = 0; at < search->sum->count; at++)
			if (!gone[at] && terms[at].factor == factor &&
			    index_equal(terms[at].base, parts->terms[i].base))
				break;
		if (at == search->sum->count)
			return false;
		gone[at] = true;
		first = at < first ? at : first;
	}
	rest->count = 0;
	for (at = 0; at < search->sum->count; at++)
		if (at == first)
			index_sum_append(rest, search->k, digit);
		else if (!gone[at])
			index_sum_append(rest, terms[at].factor, terms[at].base);
	return rest->count == 1 || index_sum_fits(rest);
}

/* "whole" is in the sum as it is, or term by term. */
static bool take_digit(const struct search *search, struct index **result)
{
	struct index *digit = index_binary(INDEX_PMOD, index_copy(search->whole),
		index_int(search->q));
	struct index_sum one = { 1, { { 1, search->whole } } }, terms = { 0 }, rest;
	bool found = true;

	if (!digit)
		*result = NULL;
	else if (exchange(search, &one, digit, &rest) ||
		 (index_sum_add(&terms, search->whole, 1) &&
		  exchange(search, &terms, digit, &rest)))
		*result = index_sum_build(&rest);
	else
		found = false;
	index_free(digit);
	return found;
}

/* Try a digit that begins at "p", which divides the quotient's divisor. */
static bool try_digit(const struct index_sum *sum, unsigned quotient, int64_t p,
	struct index **result)
{
	const struct index_term *term = &sum->terms[quotient];
	struct search search = { sum, quotient, .q = divisor_of(term->base) / p };
	bool found;

	if (term->factor % search.q)
		return false;
	search.k = -(term->factor / search.q);
	search.whole = index_binary(INDEX_PDIV, index_copy(term->base->arg[0]),
		index_int(p));
	if (!search.whole) {
		*result = NULL;
		return true;
	}
	found = take_digit(&search, result);
	index_free(search.whole);
	return found;
}

/* The digit below the quotient begins at 1, or where another quotient in the sum
 * does. */
static bool find_digit(const struct index_sum *sum, unsigned quotient,
	struct index **result)
{
	int64_t divisor = divisor_of(sum->terms[quotient].base);

	if (divisor < 2)
		return false;
	if (try_digit(sum, quotient, 1, result))
		return true;
	for (unsigned i = 0; i < sum->count; i++) {
		int64_t p = divisor_of(sum->terms[i].base);

		if (p > 1 && p < divisor && divisor % p == 0 &&
		    try_digit(sum, quotient, p, result))
			return true;
	}
	return false;
}

bool index_simplify_digit(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	struct index_sum sum = { 0 };

	if (!index_sum_add(&sum, a, 1) ||
	    !index_sum_add(&sum, b, op == INDEX_ADD ? 1 : -1))
		return false;
	for (unsigned i = 0; i < sum.count; i++) {
		if (!find_digit(&sum, i, result))
			continue;
		index_free(a);
		index_free(b);
		return true;
	}
	return false;
}
