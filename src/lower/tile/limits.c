/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/limits.h"

#include "lower/tile/base.h"

/* floor(x / n) <= most where x <= n * most + n - 1, c * x <= most where
 * x <= floor(most / c), and x + c <= most where x <= most - c: what is left of "what"
 * after such steps, and its limit. */
static const struct index *peel(const struct index *what, int64_t *most)
{
	int64_t limit;

	for (;;) {
		const struct index *constant = what->arg_count == 2 ? what->arg[1] : NULL;

		if (!constant || constant->op != INDEX_INT)
			return what;
		if (what->op == INDEX_ADD)
			limit = *most - constant->value;
		else if (what->op == INDEX_MUL && constant->value > 0 && *most >= 0)
			limit = *most / constant->value;
		else if ((what->op != INDEX_FDIV && what->op != INDEX_PDIV) ||
			__builtin_mul_overflow(*most + 1, constant->value, &limit))
			return what;
		else
			limit--;
		*most = limit;
		what = what->arg[0];
	}
}

void limits_assume(const struct limits *limits, struct expression_scope *scope)
{
	for (unsigned i = 0; i < limits->count; i++) {
		const struct index *what = limits->tests[i].what;

		if (what->op == INDEX_VAR &&
		    limits->tests[i].most < scope->most[what->var])
			scope->most[what->var] = limits->tests[i].most;
		if (!expression_is_narrow(what) && what->min >= 0 &&
		    limits->tests[i].most <= INT32_MAX &&
		    scope->assumed_count < EXPRESSION_ASSUMED)
			scope->assumed[scope->assumed_count++] = what;
	}
}

bool limits_add(struct limits *limits, const struct index *what, int64_t most)
{
	what = peel(what, &most);
	if (what->max <= most)
		return true;
	for (unsigned i = 0; i < limits->count; i++)
		if (base_same_product(limits->tests[i].what, what)) {
			if (most < limits->tests[i].most)
				limits->tests[i].most = most;
			return true;
		}
	if (limits->count == LIMITS)
		return false;
	limits->tests[limits->count].what = what;
	limits->tests[limits->count++].most = most;
	return true;
}

static bool is_narrow(const struct index *what, int64_t most)
{
	return what->min >= 0 && what->max <= INT32_MAX && most >= -1 &&
		most <= INT32_MAX;
}

/* One less than the largest power of two that is at most "most" + 1. */
static int64_t mask_below(int64_t most)
{
	int64_t power = 1;

	while (power <= (most + 1) / 2)
		power *= 2;
	return power - 1;
}

/* Limits that may as well be lower. */
#define HIGH_LIMIT (INT64_C(1) << 21)

/* A limit whose sum with that of the rooms fits an i32. */
static int64_t narrow_limit(const struct rooms *rooms, int64_t most)
{
	return most < INT32_MAX - rooms->limit ? most : INT32_MAX - rooms->limit;
}

/* Narrow expressions with high limits are tested at once: their bits together are at
 * most a mask. */
static void test_together(const struct limits *limits,
	const struct expression_scope *scope, struct rooms *rooms)
{
	LLVMValueRef bits = NULL, value;
	int64_t most = INT64_MAX;
	unsigned count = 0;

	for (unsigned i = 0; i < limits->count; i++) {
		const struct index *what = limits->tests[i].what;

		if (!is_narrow(what, limits->tests[i].most) ||
		    limits->tests[i].most < HIGH_LIMIT)
			continue;
		value = expression_lower_as(scope, what, lower_int_type(scope->builder, 32));
		bits = bits ? LLVMBuildOr(scope->builder, bits, value, "bits") : value;
		most = limits->tests[i].most < most ? limits->tests[i].most : most;
		count++;
	}
	if (!bits)
		return;
	most = narrow_limit(rooms, most);
	rooms_add_below(rooms, bits, count > 1 ? mask_below(most) : most);
}

static void test_alone(const struct expression_scope *scope, struct rooms *rooms,
	const struct index *what, int64_t most, bool narrow)
{
	rooms_add_below(rooms,
		expression_lower_as(scope, what, lower_int_type(scope->builder, narrow ? 32 : 64)), most);
}

void limits_test(const struct limits *limits, const struct expression_scope *scope,
	struct rooms *rooms)
{
	test_together(limits, scope, rooms);
	for (unsigned i = 0; i < limits->count; i++) {
		const struct index *what = limits->tests[i].what;
		int64_t most = limits->tests[i].most;

		if (!is_narrow(what, most))
			test_alone(scope, rooms, what, most, false);
		else if (most < HIGH_LIMIT)
			test_alone(scope, rooms, what, narrow_limit(rooms, most), true);
	}
}

void limits_test_exactly(const struct limits *limits, const struct expression_scope *scope,
	struct rooms *rooms)
{
	for (unsigned i = 0; i < limits->count; i++) {
		const struct index *what = limits->tests[i].what;
		int64_t most = limits->tests[i].most;

		test_alone(scope, rooms, what, most, is_narrow(what, most) &&
			most == narrow_limit(rooms, most));
	}
}
