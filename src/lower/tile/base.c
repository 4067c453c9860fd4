/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/base.h"

#include "isl_bridge/index_sum.h"
#include "isl_bridge/arithmetic.h"

enum { BASE_TERMS = 16, BASE_FACTORS = 16 };

/* constant * the product of the factors */
struct base_term {
	int64_t constant;
	unsigned count;
	const struct index *factors[BASE_FACTORS];
};

struct base_sum {
	unsigned count;
	struct base_term terms[BASE_TERMS];
};

/* Variables in their order, before everything else. */
static bool comes_before(const struct index *a, const struct index *b)
{
	if (a->op != INDEX_VAR || b->op != INDEX_VAR)
		return a->op == INDEX_VAR && b->op != INDEX_VAR;
	return a->var < b->var;
}

static bool add_factor(struct base_term *term, const struct index *factor)
{
	unsigned i = term->count;

	if (i == BASE_FACTORS)
		return false;
	for (; i && comes_before(factor, term->factors[i - 1]); i--)
		term->factors[i] = term->factors[i - 1];
	term->factors[i] = factor;
	term->count++;
	return true;
}

/* Multiply a term by "index". */
static bool add_product(struct base_term *term, const struct index *index)
{
	if (index->op == INDEX_INT)
		return !__builtin_mul_overflow(term->constant, index->value,
			&term->constant);
	if (index->op == INDEX_MUL)
		return add_product(term, index->arg[0]) &&
			add_product(term, index->arg[1]);
	return add_factor(term, index);
}

/* Add constant * index. */
static bool add_terms(struct base_sum *sum, const struct index *index, int64_t constant)
{
	int64_t product;

	if (index->op == INDEX_ADD)
		return add_terms(sum, index->arg[0], constant) &&
			add_terms(sum, index->arg[1], constant);
	for (unsigned i = 0; index->op == INDEX_MUL && i < 2; i++)
		if (index->arg[i]->op == INDEX_INT)
			return !__builtin_mul_overflow(constant, index->arg[i]->value,
				&product) && add_terms(sum, index->arg[!i], product);
	if (sum->count == BASE_TERMS || constant <= 0 || index->min < 0)
		return false;
	sum->terms[sum->count] = (struct base_term){ .constant = constant };
	return add_product(&sum->terms[sum->count++], index);
}

bool base_same_product(const struct index *a, const struct index *b)
{
	struct base_term terms[2] = { { .constant = 1 }, { .constant = 1 } };

	if (!add_product(&terms[0], a) || !add_product(&terms[1], b) ||
	    terms[0].constant != terms[1].constant || terms[0].count != terms[1].count)
		return false;
	for (unsigned i = 0; i < terms[0].count; i++)
		if (!index_equal(terms[0].factors[i], terms[1].factors[i]))
			return false;
	return true;
}

static bool has_factor(const struct base_term *term, const struct index *factor,
	unsigned *at)
{
	for (*at = 0; *at < term->count; (*at)++)
		if (index_equal(term->factors[*at], factor))
			return true;
	return false;
}

/* Take the factors of a product out of a term and put the product first, if the term has
 * them all. */
static void fold_product(struct base_term *term, const struct index *product)
{
	struct base_term rest = *term, parts = { .constant = 1 };
	unsigned at;

	if (!add_product(&parts, product) || parts.count < 2 || parts.constant != 1)
		return;
	for (unsigned i = 0; i < parts.count; i++) {
		if (!has_factor(&rest, parts.factors[i], &at))
			return;
		for (rest.count--; at < rest.count; at++)
			rest.factors[at] = rest.factors[at + 1];
	}
	for (unsigned i = rest.count++; i; i--)
		rest.factors[i] = rest.factors[i - 1];
	rest.factors[0] = product;
	*term = rest;
}

/* Can the last factor take the constant in 32 bits? */
static bool takes_constant(const struct expression_scope *scope,
	const struct base_term *term, int64_t constant)
{
	int64_t most;

	return term->count && !__builtin_mul_overflow(
		expression_most(scope, term->factors[term->count - 1]), constant,
		&most) && most <= INT32_MAX;
}

/* What is left for one multiplication of the whole: nothing if every term can take its
 * constant in 32 bits, for then the operations are cheap and perhaps done already. */
static int64_t find_common(const struct expression_scope *scope,
	const struct base_sum *sum)
{
	int64_t common = 0;
	bool cheap = true;

	for (unsigned i = 0; i < sum->count; i++) {
		cheap = cheap && takes_constant(scope, &sum->terms[i],
			sum->terms[i].constant);
		common = int_gcd(sum->terms[i].constant, common);
	}
	return cheap || !common ? 1 : common;
}

static LLVMValueRef times(const struct expression_scope *scope, LLVMValueRef value,
	int64_t by)
{
	if (by == 1)
		return value;
	return LLVMBuildMul(scope->builder, value, LLVMConstInt(LLVMTypeOf(value),
		(unsigned long long)by, false), "product");
}

/* A factor as an i64, times a constant that it can take, or 1. */
static LLVMValueRef lower_factor(const struct expression_scope *scope,
	const struct index *factor, int64_t by)
{
	LLVMTypeRef i64 = lower_int_type(scope->builder, 64);
	LLVMValueRef value;

	if (expression_most(scope, factor) > INT32_MAX)
		return times(scope, expression_lower_as(scope, factor, i64), by);
	value = times(scope, expression_lower_as(scope, factor, lower_int_type(scope->builder, 32)), by);
	return LLVMBuildZExt(scope->builder, value, i64, "wide");
}

static LLVMValueRef lower_term(const struct expression_scope *scope,
	const struct base_term *term, int64_t constant)
{
	bool takes = takes_constant(scope, term, constant);
	LLVMValueRef product = NULL, factor;

	for (unsigned i = 0; i < term->count; i++) {
		bool last = i + 1 == term->count;

		factor = lower_factor(scope, term->factors[i], last && takes ?
			constant : 1);
		product = product ? LLVMBuildMul(scope->builder, product, factor,
			"product") : factor;
	}
	if (!product)
		return LLVMConstInt(lower_int_type(scope->builder, 64), (unsigned long long)constant,
			false);
	return takes ? product : times(scope, product, constant);
}

static LLVMValueRef to_bytes(const struct expression_scope *scope, LLVMValueRef value,
	int64_t common, unsigned bits)
{
	if (bits >= 8)
		return times(scope, value, common * (bits / 8));
	return LLVMBuildAShr(scope->builder, times(scope, value, common),
		LLVMConstInt(LLVMTypeOf(value), (unsigned)__builtin_ctz(8 / bits), false),
		"bytes");
}

/* Do the terms have the same factors? */
static bool same_factors(const struct base_term *a, const struct base_term *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (!index_equal(a->factors[i], b->factors[i]))
			return false;
	return true;
}

static bool has_product(const struct base_sum *sum, const struct base_term *term)
{
	for (unsigned i = 0; i < sum->count; i++)
		if (same_factors(&sum->terms[i], term))
			return true;
	return false;
}

/* Move the terms with the factor, which is taken out of them, from "sum" to "group". */
static void take_factor(struct base_sum *sum, const struct index *factor,
	struct base_sum *group)
{
	unsigned kept = 0, at;

	group->count = 0;
	for (unsigned i = 0; i < sum->count; i++) {
		struct base_term *term = &sum->terms[i];

		if (!has_factor(term, factor, &at)) {
			sum->terms[kept++] = *term;
			continue;
		}
		for (term->count--; at < term->count; at++)
			term->factors[at] = term->factors[at + 1];
		group->terms[group->count++] = *term;
	}
	sum->count = kept;
}

/* The factor of a product of three or more that another term has too, and that is worth
 * taking out: a product that the other side has is there already. */
static const struct index *find_factor(const struct base_sum *sum,
	const struct base_sum *other)
{
	unsigned at;

	for (unsigned i = 0; i < sum->count; i++) {
		const struct base_term *term = &sum->terms[i];

		if (term->count < 3 || has_product(other, term))
			continue;
		for (unsigned f = 0; f < term->count; f++)
			for (unsigned k = 0; k < sum->count; k++)
				if (k != i && has_factor(&sum->terms[k],
				    term->factors[f], &at))
					return term->factors[f];
	}
	return NULL;
}

static LLVMValueRef sum_of(const struct expression_scope *scope, LLVMValueRef a,
	LLVMValueRef b)
{
	return a && b ? LLVMBuildAdd(scope->builder, a, b, "sum") : a ? a : b;
}

/* The sum with its constants divided by "common"; it is used up. */
static LLVMValueRef lower_sum(const struct expression_scope *scope, struct base_sum *sum,
	const struct base_sum *other, int64_t common)
{
	const struct index *factor;
	struct base_sum group;
	LLVMValueRef value = NULL;

	while ((factor = find_factor(sum, other))) {
		take_factor(sum, factor, &group);
		value = sum_of(scope, value, LLVMBuildMul(scope->builder,
			lower_sum(scope, &group, other, common),
			lower_factor(scope, factor, 1), "product"));
	}
	for (unsigned i = 0; i < sum->count; i++)
		value = sum_of(scope, value, lower_term(scope, &sum->terms[i],
			sum->terms[i].constant / common));
	return value;
}

/* False where the index is not a sum of products. */
static bool build_sum(const struct expression_scope *scope, struct base_sum *sum,
	const struct index *index)
{
	*sum = (struct base_sum){ 0 };
	if (!add_terms(sum, index, 1))
		return false;
	for (unsigned i = 0; i < sum->count; i++)
		for (unsigned k = 0; k < scope->assumed_count; k++)
			fold_product(&sum->terms[i], scope->assumed[k]);
	return true;
}

LLVMValueRef base_bytes(const struct expression_scope *scope, const struct index *index,
	const struct index *other, unsigned bits)
{
	struct base_sum sum, others;
	int64_t common;

	if (!build_sum(scope, &sum, index))
		return to_bytes(scope, expression_lower(scope, index), 1, bits);
	if (!build_sum(scope, &others, other))
		others.count = 0;
	common = find_common(scope, &sum);
	return to_bytes(scope, lower_sum(scope, &sum, &others, common), common, bits);
}
