/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_parts.h"

LLVMValueRef program_int(LLVMTypeRef type, int64_t value)
{
	return LLVMConstInt(type, (unsigned long long)value, true);
}

static LLVMValueRef divide(const program_scope *body, LLVMValueRef value, int64_t by)
{
	return by == 1 ? value : LLVMBuildUDiv(body->b, value, program_int(body->i32, by),
		"");
}

static LLVMValueRef remainder_of(const program_scope *body, LLVMValueRef value,
	int64_t by)
{
	return LLVMBuildURem(body->b, value, program_int(body->i32, by), "");
}

/* How many points of a part the workgroup has: those beyond an owner's hold what others
 * do. */
static int64_t points_of(const program_scope *body, enum owner_part part)
{
	return part == OWNER_LANE ? body->plan->wave_size : body->plan->waves;
}

static LLVMValueRef digit_of(const program_scope *body, const struct owner_digit *digit)
{
	bool lane = digit->part == OWNER_LANE;
	LLVMValueRef value = divide(body, lane ? body->lane : body->subgroup,
		digit->place);

	if (digit->place * digit->radix == points_of(body, digit->part))
		return value;
	return remainder_of(body, value, digit->radix);
}

/* The XOR of the digits of a set: the hardware's, NULL for none, and the register's. */
static LLVMValueRef xor_of(const struct program_point *point, uint64_t set, int64_t r,
	int64_t *constant)
{
	LLVMValueRef value = NULL;

	*constant = 0;
	for (; set; set &= set - 1) {
		unsigned i = (unsigned)__builtin_ctzll(set);
		const struct owner_digit *digit = &point->owner->digits[i];

		if (digit->part == OWNER_REGISTER)
			*constant ^= r / digit->place % digit->radix;
		else
			value = value ? LLVMBuildXor(point->body->b, value,
				point->digits[i], "") : point->digits[i];
	}
	return value;
}

static bool has_registers(const struct owner *owner, uint64_t set)
{
	for (; set; set &= set - 1)
		if (owner->digits[__builtin_ctzll(set)].part == OWNER_REGISTER)
			return true;
	return false;
}

static LLVMValueRef add(const program_scope *body, LLVMValueRef sum, LLVMValueRef value,
	int64_t weight)
{
	if (weight != 1)
		value = LLVMBuildMul(body->b, value, program_int(body->i32, weight), "");
	return LLVMBuildAdd(body->b, sum, value, "");
}

struct program_point program_point_at(const program_scope *body, const struct owner *owner)
{
	struct program_point point = { .body = body, .owner = owner };
	int64_t none;

	for (unsigned i = 0; i < owner->digit_count; i++)
		if (owner->digits[i].part != OWNER_REGISTER)
			point.digits[i] = digit_of(body, &owner->digits[i]);
	for (unsigned d = 0; d < owner->rank; d++)
		point.hardware[d] = program_int(body->i32, owner->base[d]);
	for (unsigned i = 0; i < owner->term_count; i++) {
		const struct owner_term *term = &owner->terms[i];
		LLVMValueRef *sum = &point.hardware[term->dim];

		if (!has_registers(owner, term->digits))
			*sum = add(body, *sum, xor_of(&point, term->digits, 0, &none),
				term->weight);
	}
	return point;
}

LLVMValueRef program_coordinate(const struct program_point *point, unsigned dim, int64_t r)
{
	const program_scope *body = point->body;
	LLVMValueRef sum = point->hardware[dim];
	int64_t constants = 0;

	for (unsigned i = 0; i < point->owner->term_count; i++) {
		const struct owner_term *term = &point->owner->terms[i];
		LLVMValueRef value;
		int64_t constant;

		if (term->dim != dim || !has_registers(point->owner, term->digits))
			continue;
		value = xor_of(point, term->digits, r, &constant);
		if (value)
			sum = add(body, sum, LLVMBuildXor(body->b, value,
				program_int(body->i32, constant), ""), term->weight);
		else
			constants += term->weight * constant;
	}
	return constants ? LLVMBuildAdd(body->b, sum, program_int(body->i32, constants), "") :
		sum;
}

static LLVMValueRef both(const program_scope *body, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildAnd(body->b, a, b, "") : b;
}

LLVMValueRef program_guard(const struct program_point *point)
{
	const program_scope *body = point->body;
	const struct owner *owner = point->owner;
	LLVMValueRef guard = NULL, number[] = { body->subgroup, body->lane };
	uint64_t digits = 0;

	owner_guard(owner, &digits);
	for (unsigned i = 0; i < owner->digit_count; i++)
		if (digits >> i & 1 && owner->digits[i].part != OWNER_REGISTER)
			guard = both(body, guard, LLVMBuildICmp(body->b, LLVMIntEQ,
				point->digits[i], program_int(body->i32, 0), ""));
	for (unsigned part = OWNER_SUBGROUP; part <= OWNER_LANE; part++)
		if (owner->extent[part] < points_of(body, (enum owner_part)part))
			guard = both(body, guard, LLVMBuildICmp(body->b, LLVMIntULT,
				number[part], program_int(body->i32,
				owner->extent[part]), ""));
	return guard;
}

bool program_guard_register(const struct owner *owner, int64_t r)
{
	uint64_t digits = 0;

	owner_guard(owner, &digits);
	for (unsigned i = 0; i < owner->digit_count; i++)
		if (digits >> i & 1 && owner->digits[i].part == OWNER_REGISTER &&
		    r / owner->digits[i].place % owner->digits[i].radix)
			return false;
	return true;
}
