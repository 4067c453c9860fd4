/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/index_sum.h"

bool index_equal(const struct index *a, const struct index *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->op != b->op || a->value != b->value || a->var != b->var ||
	    a->arg_count != b->arg_count)
		return false;
	for (unsigned i = 0; i < a->arg_count; i++)
		if (!index_equal(a->arg[i], b->arg[i]))
			return false;
	return true;
}

bool index_sum_append(struct index_sum *sum, int64_t factor, struct index *base)
{
	if (sum->count == INDEX_SUM_TERMS)
		return false;
	sum->terms[sum->count++] = (struct index_term){ factor, base };
	return true;
}

/* A term under minus signs and a constant factor.  A sum in there stays whole. */
static bool add_multiple(struct index_sum *sum, struct index *index, int64_t factor)
{
	if (index->op == INDEX_NEG)
		return !__builtin_mul_overflow(factor, -1, &factor) &&
			add_multiple(sum, index->arg[0], factor);
	if (index->op == INDEX_MUL && index->arg[1]->op == INDEX_INT)
		return !__builtin_mul_overflow(factor, index->arg[1]->value, &factor) &&
			add_multiple(sum, index->arg[0], factor);
	return index_sum_append(sum, factor, index);
}

bool index_sum_add(struct index_sum *sum, struct index *index, int sign)
{
	int64_t value;

	switch (index->op) {
	case INDEX_INT:
		return !__builtin_mul_overflow(index->value, sign, &value) &&
			index_sum_append(sum, value, NULL);
	case INDEX_NEG:
		return index_sum_add(sum, index->arg[0], -sign);
	case INDEX_ADD:
		return index_sum_add(sum, index->arg[0], sign) &&
			index_sum_add(sum, index->arg[1], sign);
	case INDEX_SUB:
		return index_sum_add(sum, index->arg[0], sign) &&
			index_sum_add(sum, index->arg[1], -sign);
	default:
		return add_multiple(sum, index, sign);
	}
}

static struct range term_range(const struct index_term *term)
{
	struct range factor = range_point(term->factor);

	if (!term->base)
		return factor;
	return range_binary(INDEX_MUL, range_of(term->base), factor);
}

struct range index_sum_range(const struct index_sum *sum)
{
	struct range total = range_point(0);

	for (unsigned i = 0; i < sum->count; i++)
		total = range_binary(INDEX_ADD, total, term_range(&sum->terms[i]));
	return total;
}

bool index_sum_fits(const struct index_sum *sum)
{
	struct range total = range_point(0);

	for (unsigned i = 0; i < sum->count; i++)
		total = range_binary(INDEX_ADD, total,
			range_union(range_point(0), term_range(&sum->terms[i])));
	return range_fits(total);
}

static struct index *build_term(int64_t factor, struct index *base)
{
	if (!base)
		return index_int(factor);
	return index_binary(INDEX_MUL, index_copy(base), index_int(factor));
}

struct index *index_sum_build(const struct index_sum *sum)
{
	struct index *result = index_int(0);

	for (unsigned i = 0; i < sum->count; i++) {
		const struct index_term *term = &sum->terms[i];
		bool minus = i && term->factor < 0 && term->factor != INT64_MIN;
		int64_t factor = minus ? -term->factor : term->factor;

		result = index_binary(minus ? INDEX_SUB : INDEX_ADD, result,
			build_term(factor, term->base));
	}
	return result;
}
