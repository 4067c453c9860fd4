/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_lanes/parts.h"

LLVMBasicBlockRef program_go_before(const program_scope *body)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	if (body->whole)
		LLVMPositionBuilderBefore(body->b,
			LLVMGetBasicBlockTerminator(body->before));
	return here;
}

void program_go_back(const program_scope *body, LLVMBasicBlockRef here)
{
	LLVMPositionBuilderAtEnd(body->b, here);
}

struct owner_coordinates program_coordinates(const program_scope *body,
	const struct owner *owner)
{
	struct owner_coordinates coordinates;

	owner_coordinates(&coordinates, body->b, &body->hardware, owner);
	return coordinates;
}

/* The digits of a guard that are of registers, or are not. */
static uint64_t guard_digits(const struct owner *owner, bool registers)
{
	uint64_t digits = 0, kept = 0;

	owner_guard(owner, &digits);
	for (unsigned i = 0; i < owner->digit_count; i++)
		if ((owner->digits[i].part == OWNER_REGISTER) == registers)
			kept |= digits & (uint64_t)1 << i;
	return kept;
}

LLVMValueRef program_guard(const program_scope *body, const struct owner *owner)
{
	return owner_are_zero(body->b, &body->hardware, owner, guard_digits(owner, false));
}

bool program_guard_register(const struct owner *owner, int64_t r)
{
	for (uint64_t rest = guard_digits(owner, true); rest; rest &= rest - 1) {
		const struct owner_digit *digit = &owner->digits[__builtin_ctzll(rest)];

		if (r / digit->place % digit->radix)
			return false;
	}
	return true;
}
