/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/index_parts.h"
#include "isl_bridge/index_range.h"

static bool is_truth(const struct index *index)
{
	return index->min >= 0 && index->max <= 1;
}

static struct index *keep_first(struct index *a, struct index *b)
{
	index_free(b);
	return a;
}

/* A rewriting that worked. */
static bool become(struct index **result, struct index *index)
{
	*result = index;
	return true;
}

/* (x op c) op d is x op (c op d), for the operators where constants associate. */
static bool fuse_constants(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	struct index *inner;
	int64_t value;

	if (b->op != INDEX_INT || a->op != op || a->arg[1]->op != INDEX_INT)
		return false;
	if (!index_apply(op, a->arg[1]->value, b->value, &value))
		return false;
	inner = index_copy(a->arg[0]);
	index_free(a);
	index_free(b);
	return become(result, index_binary(op, inner, index_int(value)));
}

static bool simplify_add(struct index *a, struct index *b, struct index **result)
{
	struct index *negated;

	if (index_is(b, 0))
		return become(result, keep_first(a, b));
	if (b->op == INDEX_NEG) {
		negated = index_copy(b->arg[0]);
		index_free(b);
		return become(result, index_binary(INDEX_SUB, a, negated));
	}
	return fuse_constants(INDEX_ADD, a, b, result) ||
		index_simplify_digit(INDEX_ADD, a, b, result);
}

static bool simplify_sub(struct index *a, struct index *b, struct index **result)
{
	if (index_is(a, 0))
		return become(result, index_unary(INDEX_NEG, keep_first(b, a)));
	if (b->op == INDEX_NEG || (b->op == INDEX_INT && b->value != INT64_MIN))
		return become(result,
			index_binary(INDEX_ADD, a, index_unary(INDEX_NEG, b)));
	return index_simplify_digit(INDEX_SUB, a, b, result);
}

static bool simplify_mul(struct index *a, struct index *b, struct index **result)
{
	if (index_is(b, 1))
		return become(result, keep_first(a, b));
	if (index_is(b, -1))
		return become(result, index_unary(INDEX_NEG, keep_first(a, b)));
	return fuse_constants(INDEX_MUL, a, b, result);
}

static bool simplify_min_max(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	struct range x = range_of(a), y = range_of(b);
	bool a_below = x.hi <= y.lo, b_below = y.hi <= x.lo;

	if (op == INDEX_MIN ? a_below : b_below)
		return become(result, keep_first(a, b));
	if (op == INDEX_MIN ? b_below : a_below)
		return become(result, keep_first(b, a));
	return false;
}

static bool simplify_div(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	if (index_is(b, 1))
		return become(result, keep_first(a, b));
	return op != INDEX_DIV && index_simplify_quotient(op, a, b, result);
}

static bool simplify_mod(struct index *a, struct index *b, struct index **result)
{
	return b->op == INDEX_INT && a->min >= 0 && a->max < b->value &&
		become(result, keep_first(a, b));
}

/* x && 1 is x, x || 0 is x, where x is 0 or 1. */
static bool simplify_logic(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	int64_t neutral = op == INDEX_AND;

	if (index_is(b, neutral) && is_truth(a))
		return become(result, keep_first(a, b));
	if (index_is(a, neutral) && is_truth(b))
		return become(result, keep_first(b, a));
	return false;
}

static bool simplify_xor(struct index *a, struct index *b, struct index **result)
{
	if (index_is(b, 0))
		return become(result, keep_first(a, b));
	return index_is(a, 0) && become(result, keep_first(b, a));
}

bool index_simplify(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	switch (op) {
	case INDEX_ADD:
		return simplify_add(a, b, result);
	case INDEX_SUB:
		return simplify_sub(a, b, result);
	case INDEX_MUL:
		return simplify_mul(a, b, result);
	case INDEX_MIN:
	case INDEX_MAX:
		return simplify_min_max(op, a, b, result);
	case INDEX_DIV:
	case INDEX_FDIV:
	case INDEX_PDIV:
		return simplify_div(op, a, b, result);
	case INDEX_PMOD:
	case INDEX_ZMOD:
		return simplify_mod(a, b, result);
	case INDEX_AND:
	case INDEX_OR:
		return simplify_logic(op, a, b, result);
	case INDEX_XOR:
		return simplify_xor(a, b, result);
	default:
		return false;
	}
}
