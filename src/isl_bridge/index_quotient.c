/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/index_parts.h"
#include "isl_bridge/index_sum.h"
#include "isl_bridge/arithmetic.h"

/* Part "sum" into g times "multiples", and "rest". */
static void part(const struct index_sum *sum, int64_t g, struct index_sum *multiples,
	struct index_sum *rest)
{
	multiples->count = 0;
	rest->count = 0;
	for (unsigned i = 0; i < sum->count; i++) {
		const struct index_term *term = &sum->terms[i];

		if (term->factor % g)
			index_sum_append(rest, term->factor, term->base);
		else
			index_sum_append(multiples, term->factor / g, term->base);
	}
}

/* sum / divisor, where "g" divides the divisor and some of the terms.  Not where it
 * would lose that PDIV gives nothing negative. */
static bool reduce(enum index_op op, const struct index_sum *sum, int64_t divisor,
	int64_t g, struct index **result)
{
	struct index_sum multiples, rest;
	struct range range;

	part(sum, g, &multiples, &rest);
	range = index_sum_range(&rest);
	if (range.lo < 0 || (range.hi >= g && g < divisor) ||
	    (op == INDEX_PDIV && index_sum_range(&multiples).lo < 0))
		return false;
	if (range.hi < g)
		*result = index_binary(op, index_sum_build(&multiples),
			index_int(divisor / g));
	else
		*result = index_binary(INDEX_ADD, index_sum_build(&multiples),
			index_binary(INDEX_FDIV, index_sum_build(&rest),
				index_int(divisor)));
	return true;
}

bool index_simplify_quotient(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	struct index_sum sum = { 0 };

	if (b->op != INDEX_INT || b->value < 2 || !index_sum_add(&sum, a, 1) ||
	    (sum.count > 1 && !index_sum_fits(&sum)))
		return false;
	for (unsigned i = 0; i < sum.count; i++) {
		int64_t g = int_gcd(b->value, sum.terms[i].factor);

		if (!sum.terms[i].base || g == 1 ||
		    !reduce(op, &sum, b->value, g, result))
			continue;
		index_free(a);
		index_free(b);
		return true;
	}
	return false;
}
