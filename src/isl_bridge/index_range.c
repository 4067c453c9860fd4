/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/index_range.h"

#define INFINITE ((wide)1 << 100)

static const struct range anything = { -INFINITE, INFINITE };
static const struct range truth = { 0, 1 };

static wide smaller(wide a, wide b)
{
	return a < b ? a : b;
}

static wide larger(wide a, wide b)
{
	return a > b ? a : b;
}

static bool is_infinite(wide x)
{
	return x <= -INFINITE || x >= INFINITE;
}

struct range range_of(const struct index *index)
{
	return (struct range){
		index->min == INT64_MIN ? -INFINITE : index->min,
		index->max == INT64_MAX ? INFINITE : index->max,
	};
}

void range_store(struct range r, struct index *index)
{
	if (r.lo > INT64_MAX || r.hi < INT64_MIN)
		r = anything;
	index->min = r.lo < INT64_MIN ? INT64_MIN : (int64_t)r.lo;
	index->max = r.hi > INT64_MAX ? INT64_MAX : (int64_t)r.hi;
}

struct range range_point(wide x)
{
	return (struct range){ x, x };
}

struct range range_union(struct range a, struct range b)
{
	return (struct range){ smaller(a.lo, b.lo), larger(a.hi, b.hi) };
}

bool range_is_known(struct range r, wide x)
{
	return r.lo == x && r.hi == x;
}

bool range_has(struct range r, wide x)
{
	return r.lo <= x && x <= r.hi;
}

bool range_fits(struct range r)
{
	return r.lo >= INT64_MIN && r.hi <= INT64_MAX;
}

static wide floor_quotient(wide x, wide divisor)
{
	if (is_infinite(x))
		return x;
	return x / divisor - (x % divisor < 0);
}

/* The product of two bounds; 0 times infinity is 0. */
static wide product(wide x, wide y)
{
	if (x == 0 || y == 0)
		return 0;
	if (is_infinite(x) || is_infinite(y))
		return (x < 0) == (y < 0) ? INFINITE : -INFINITE;
	return x * y;
}

static struct range range_mul(struct range a, struct range b)
{
	struct range low = { product(a.lo, b.lo), product(a.lo, b.hi) };
	struct range high = { product(a.hi, b.lo), product(a.hi, b.hi) };

	return (struct range){
		smaller(smaller(low.lo, low.hi), smaller(high.lo, high.hi)),
		larger(larger(low.lo, low.hi), larger(high.lo, high.hi)),
	};
}

/* The part of a dividend's range that its operator admits. */
static struct range range_nonnegative(struct range a)
{
	return (struct range){ larger(a.lo, 0), larger(a.hi, 0) };
}

static struct range range_quotient(struct range a, struct range b)
{
	if (b.lo < 1 || b.lo != b.hi)
		return anything;
	return (struct range){ floor_quotient(a.lo, b.lo), floor_quotient(a.hi, b.lo) };
}

/* The remainder of a division that truncates: its sign is the dividend's. */
static struct range range_remainder(struct range a, struct range b)
{
	if (b.lo < 1 || b.lo != b.hi)
		return anything;
	if (a.lo > -b.lo && a.hi < b.lo)
		return a;
	return (struct range){
		a.lo < 0 ? larger(a.lo, 1 - b.lo) : 0,
		a.hi > 0 ? smaller(a.hi, b.lo - 1) : 0,
	};
}

/* Up to all ones, as many as the larger of two numbers that are not negative has. */
static struct range range_xor(struct range a, struct range b)
{
	wide most = larger(range_nonnegative(a).hi, range_nonnegative(b).hi), ones = 0;

	if (is_infinite(most))
		return (struct range){ 0, INFINITE };
	while (ones < most)
		ones = 2 * ones + 1;
	return (struct range){ 0, ones };
}

static struct range range_decided(bool yes, bool no)
{
	if (yes)
		return range_point(1);
	return no ? range_point(0) : truth;
}

static struct range range_arithmetic(enum index_op op, struct range a, struct range b)
{
	switch (op) {
	case INDEX_ADD:
		return (struct range){ a.lo + b.lo, a.hi + b.hi };
	case INDEX_SUB:
		return (struct range){ a.lo - b.hi, a.hi - b.lo };
	case INDEX_MUL:
		return range_mul(a, b);
	case INDEX_MIN:
		return (struct range){ smaller(a.lo, b.lo), smaller(a.hi, b.hi) };
	case INDEX_MAX:
		return (struct range){ larger(a.lo, b.lo), larger(a.hi, b.hi) };
	case INDEX_DIV:
	case INDEX_FDIV:
		return range_quotient(a, b);
	case INDEX_PDIV:
		return range_quotient(range_nonnegative(a), b);
	case INDEX_PMOD:
		return range_remainder(range_nonnegative(a), b);
	case INDEX_ZMOD:
		return range_remainder(a, b);
	case INDEX_XOR:
		return range_xor(a, b);
	default:
		return anything;
	}
}

struct range range_binary(enum index_op op, struct range a, struct range b)
{
	bool a_zero = range_is_known(a, 0), b_zero = range_is_known(b, 0);

	switch (op) {
	case INDEX_EQ:
		return range_decided(a.lo == a.hi && range_is_known(b, a.lo),
			a.hi < b.lo || b.hi < a.lo);
	case INDEX_LE:
		return range_decided(a.hi <= b.lo, a.lo > b.hi);
	case INDEX_LT:
		return range_decided(a.hi < b.lo, a.lo >= b.hi);
	case INDEX_GE:
		return range_decided(a.lo >= b.hi, a.hi < b.lo);
	case INDEX_GT:
		return range_decided(a.lo > b.hi, a.hi <= b.lo);
	case INDEX_AND:
		return range_decided(!range_has(a, 0) && !range_has(b, 0),
			a_zero || b_zero);
	case INDEX_OR:
		return range_decided(!range_has(a, 0) || !range_has(b, 0),
			a_zero && b_zero);
	default:
		return range_arithmetic(op, a, b);
	}
}
