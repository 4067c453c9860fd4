/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	first = group * elements
 *	bytes = 0
 *	for j < elements
 *		if (first + j exists)
 *			bytes |= (inside ? convert(source[..]) : pad) << j * bits
 *	destination[group * count ..] = bytes
 *
 * without tests, and with one store, where the last one exists.
 *
 * The slots of the first element are found by division, those of the others by carries
 * from one to the next. */
#include "lower/group.h"
#include "lower/branch.h"

#include <string.h>

enum { MOST_ELEMENTS = 8 };	/* of a group */

/* The numbers of elements and what they are divided by fit 32 bits, or take 64. */
static LLVMTypeRef number_type(const struct iteration *iteration)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(iteration->scope.builder);
	const struct plan *plan = iteration->kernel->plan;

	return expression_is_narrow(plan->visit.store.elements) ?
		LLVMInt32TypeInContext(llvm) : LLVMInt64TypeInContext(llvm);
}

/* A number that is not negative, in the type of elements' numbers. */
static LLVMValueRef lower_number(const struct iteration *iteration,
	const struct index *index)
{
	return LLVMBuildIntCast2(iteration->scope.builder,
		expression_lower(&iteration->scope, index), number_type(iteration),
		false, "number");
}

void group_enter(struct pointwise *points, const struct iteration *iteration)
{
	const struct visit_group *group = &iteration->kernel->plan->visit.group;

	for (unsigned k = 0; k < group->rank; k++)
		points->extent[k] = lower_number(iteration, group->extent[k]);
}

/* A number of slot k, in 32 bits where what the slot is divided by fits these. */
static LLVMValueRef slot_value(const struct iteration *iteration, unsigned k,
	LLVMValueRef value)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct visit_group *group = &iteration->kernel->plan->visit.group;

	if (!expression_is_narrow(group->extent[k]))
		return value;
	return LLVMBuildIntCast2(b, value, LLVMInt32TypeInContext(LLVMGetBuilderContext(b)),
		false, "slot");
}

/* The slots of the group's first element: the digits of its number. */
static void split_number(const struct pointwise *points,
	const struct iteration *iteration, LLVMValueRef *slot)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct visit_group *group = &iteration->kernel->plan->visit.group;
	LLVMValueRef rest = lower_number(iteration, group->number);

	rest = LLVMBuildMul(builder, rest, lower_bits_like(rest, group->elements), "first");
	for (unsigned k = group->rank; k-- > 1;) {
		slot[k] = slot_value(iteration, k, LLVMBuildURem(builder, rest,
			points->extent[k], "slot"));
		rest = LLVMBuildUDiv(builder, rest, points->extent[k], "rest");
	}
	if (group->rank)
		slot[0] = slot_value(iteration, 0, rest);
}

/* On to the next element, which exists where the answer is true. */
static LLVMValueRef next_slot(const struct pointwise *points,
	const struct iteration *iteration, LLVMValueRef *slot)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct visit_group *group = &iteration->kernel->plan->visit.group;
	LLVMValueRef carry = LLVMConstInt(LLVMInt1TypeInContext(
		LLVMGetBuilderContext(b)), group->rank > 0, false), next, zero;

	for (unsigned k = group->rank; k-- > 0;) {
		zero = lower_bits_like(slot[k], 0);
		next = LLVMBuildAdd(b, slot[k], LLVMBuildZExt(b, carry,
			LLVMTypeOf(zero), ""), "next");
		carry = LLVMBuildICmp(b, k ? LLVMIntEQ : LLVMIntULT, next,
			slot_value(iteration, k, points->extent[k]), k ? "carry" :
			"exists");
		slot[k] = k ? LLVMBuildSelect(b, carry, zero, next, "slot") : next;
	}
	return carry;
}

/* Element "j" of a group at its place in the group's bytes; 0 where "exists", NULL for
 * always, is false. */
static LLVMValueRef place_element(const struct pointwise *points,
	const struct iteration *iteration, unsigned j, LLVMValueRef exists)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMTypeRef bytes = LLVMIntTypeInContext(LLVMGetBuilderContext(builder),
		8 * plan->visit.group.bytes);
	struct branch branch = { 0 };
	LLVMValueRef value;

	if (exists)
		branch = branch_open(iteration, exists, "element");
	value = pointwise_load(points, iteration);
	if (exists)
		value = branch_value(iteration, &branch, value, lower_bits_like(value, 0));
	value = LLVMBuildZExt(builder, value, bytes, "");
	return LLVMBuildShl(builder, value, lower_bits_like(value, j * plan->visit.store.bits),
		"placed");
}

/* Byte k exists where the element does that its first bit belongs to. */
static void store_bytes(const struct iteration *iteration, LLVMValueRef value,
	LLVMValueRef *exists)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(b));
	LLVMValueRef number = expression_lower(&iteration->scope, plan->visit.group.number);
	LLVMValueRef first = LLVMBuildMul(b, number,
		lower_bits_like(number, plan->visit.group.bytes), "byte");

	for (unsigned k = 0; k < plan->visit.group.bytes; k++) {
		LLVMValueRef at = LLVMBuildAdd(b, first, lower_bits_like(first, k), ""), one;
		struct branch branch = { 0 };

		if (k)
			branch = branch_open(iteration, exists[8 * k / plan->visit.store.bits],
				"byte");
		at = LLVMBuildInBoundsGEP2(b, byte,
			LLVMGetParam(iteration->function, PLAN_DESTINATION), &at, 1,
			"address");
		one = LLVMBuildLShr(b, value, lower_bits_like(value, 8 * k), "");
		one = LLVMBuildTrunc(b, one, byte, "");
		LLVMSetAlignment(LLVMBuildStore(b, one, at), 1);
		if (k)
			branch_close(iteration, &branch);
	}
}

/* The slots of all elements; which of them exist besides the first. */
struct group_elements {
	LLVMValueRef slots[MOST_ELEMENTS][LAYOUT_STORAGE_SLOTS];
	LLVMValueRef exists[MOST_ELEMENTS];
};

static void find_elements(const struct pointwise *points, const struct iteration *iteration,
	LLVMValueRef *slot, struct group_elements *found)
{
	const struct visit_group *group = &iteration->kernel->plan->visit.group;

	*found = (struct group_elements){ 0 };
	split_number(points, iteration, slot);
	for (unsigned j = 0; j < group->elements; j++) {
		if (j)
			found->exists[j] = next_slot(points, iteration, slot);
		memcpy(found->slots[j], slot, group->rank * sizeof(*slot));
	}
}

/* The group's bytes: of all elements, or of those that exist. */
static LLVMValueRef gather(const struct pointwise *points, const struct iteration *iteration,
	LLVMValueRef *slot, const struct group_elements *found, bool all)
{
	const struct visit_group *group = &iteration->kernel->plan->visit.group;
	LLVMValueRef value = NULL, next;

	for (unsigned j = 0; j < group->elements; j++) {
		memcpy(slot, found->slots[j], group->rank * sizeof(*slot));
		next = place_element(points, iteration, j, all ? NULL : found->exists[j]);
		value = value ? LLVMBuildOr(iteration->scope.builder, value, next, "bits") :
			next;
	}
	return value;
}

/* All bytes together, as aligned as the buffer and they are. */
static void store_word(const struct iteration *iteration, LLVMValueRef value)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct visit_group *group = &iteration->kernel->plan->visit.group;
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(b));
	LLVMValueRef number = expression_lower(&iteration->scope, group->number);
	LLVMValueRef at = LLVMBuildMul(b, number, lower_bits_like(number, group->bytes), "byte");
	unsigned bytes = group->bytes & -group->bytes, base = iteration->kernel->base_align;

	at = LLVMBuildInBoundsGEP2(b, byte, LLVMGetParam(iteration->function,
		PLAN_DESTINATION), &at, 1, "address");
	LLVMSetAlignment(LLVMBuildStore(b, value, at), bytes < base ? bytes : base);
}

void group_copy(const struct pointwise *points, const struct iteration *iteration)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef *slot = iteration->scope.vars + plan->size_count + plan->visit.dim_count;
	struct group_elements found;
	struct branch branch;

	find_elements(points, iteration, slot, &found);
	branch = branch_open(iteration, found.exists[plan->visit.group.elements - 1], "whole");
	store_word(iteration, gather(points, iteration, slot, &found, true));
	branch_otherwise(iteration, &branch);
	store_bytes(iteration, gather(points, iteration, slot, &found, false), found.exists);
	branch_close(iteration, &branch);
}
