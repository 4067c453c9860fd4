/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/carry.h"

/* What a step of a digit adds to n in a count. */
static int64_t step_of(const struct form_carry *of, unsigned count, const struct digit *digit)
{
	return tile_count_step(&of->carry->counts[count], digit);
}

/* The most that n is. */
static int64_t most_of(const struct tile_form *form, const struct form_carry *of)
{
	int64_t most = of->carry->bound - 1;

	for (unsigned i = 0; i < CARRY_COUNTS; i++)
		for (uint64_t set = of->digits[i]; set; set &= set - 1) {
			const struct digit *digit = &form->digits[__builtin_ctzll(set)].digit;

			most += step_of(of, i, digit) * (digit->radix - 1);
		}
	return most;
}

int64_t carry_span(const struct tile_form *form, const struct form_carry *of)
{
	int64_t span = most_of(form, of) / of->carry->step;

	return of->carry->radix && span >= of->carry->radix ? of->carry->radix - 1 : span;
}

/* floor(n / 1) mod radix times the factor is n times it mod radix times it. */
static int64_t scale_of(const struct tile_form *form, const struct form_carry *of)
{
	int64_t most;

	return of->symbol == FORM_CONSTANT && of->carry->step == 1 &&
		!__builtin_mul_overflow(most_of(form, of), of->factor, &most) &&
		most <= INT32_MAX ? of->factor : 1;
}

static LLVMValueRef constant(const struct carry *carry, int64_t value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetBuilderContext(carry->builder)),
		(unsigned long long)value, false);
}

static LLVMValueRef add(const struct carry *carry, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildNUWAdd(carry->builder, a, b, "inside");
}

/* What a count's digits that lanes hold add to n; NULL: there are none. */
static LLVMValueRef add_lanes(const struct carry *carry, unsigned count,
	const struct lane_number *lane)
{
	struct lane_item items[LANE_ITEMS];
	unsigned used = 0;

	for (uint64_t set = carry->of->digits[count]; set; set &= set - 1) {
		const struct held_digit *digit = &carry->form->digits[__builtin_ctzll(set)];
		int64_t step = step_of(carry->of, count, &digit->digit);

		if (digit->lane && step)
			items[used++] = (struct lane_item){ digit->place,
				digit->digit.radix, step * carry->scale, false };
	}
	return lane_sum(carry->builder, lane, items, used);
}

void carry_open(struct carry *carry, const struct tile_form *form, const struct form_carry *of,
	const struct expression_scope *scope, const struct lane_number *lane)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(scope->builder));

	*carry = (struct carry){ .form = form, .of = of, .builder = scope->builder,
		.scale = scale_of(form, of) };
	carry->start = LLVMBuildNUWMul(scope->builder, expression_lower_as(scope,
		of->carry->first, i32), constant(carry, carry->scale), "first");
	for (unsigned i = 0; i < CARRY_COUNTS; i++) {
		LLVMValueRef lanes = add_lanes(carry, i, lane);

		if (lanes)
			carry->start = add(carry, carry->start, lanes);
	}
}

/* n with a count's register digits that are values; "sum" gets those that are constants. */
static LLVMValueRef add_count(const struct carry *carry, unsigned count, LLVMValueRef n,
	const int64_t *constants, const LLVMValueRef *values, int64_t *sum)
{
	for (uint64_t set = carry->of->digits[count]; set; set &= set - 1) {
		unsigned d = (unsigned)__builtin_ctzll(set);
		int64_t step = carry->scale *
			step_of(carry->of, count, &carry->form->digits[d].digit);

		if (values[d])
			n = add(carry, n, LLVMBuildNUWMul(carry->builder, values[d],
				constant(carry, step), "part"));
		else
			*sum += constants[d] * step;
	}
	return n;
}

LLVMValueRef carry_count(const struct carry *carry, const int64_t *constants,
	const LLVMValueRef *values)
{
	const struct tile_carry *of = carry->of->carry;
	LLVMValueRef n = carry->start;
	int64_t sum = 0, most = most_of(carry->form, carry->of);

	for (unsigned i = 0; i < CARRY_COUNTS; i++)
		n = add_count(carry, i, n, constants, values, &sum);
	if (sum)
		n = add(carry, n, constant(carry, sum));
	if (of->step > 1)
		n = LLVMBuildUDiv(carry->builder, n, constant(carry, of->step),
			"quotient");
	if (of->radix && most / of->step >= of->radix)
		n = LLVMBuildURem(carry->builder, n, constant(carry, of->radix * carry->scale),
			"digit");
	return n;
}
