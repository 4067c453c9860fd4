/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	first = the workgroup's first element, with its slots
 *	for every turn
 *		for j < elements
 *			element = first + the lane's place + j
 *			if (element exists)
 *				bytes |= (inside ? convert(source[..]) : pad) << j * bits
 *		destination[..] = bytes
 *
 * without tests, and with one store, where all that the workgroup has exist.
 *
 * Division finds the slots of the first element, once for all lanes, and from these those of a
 * lane's first group; those of its other elements, and of the group a turn later, are found by
 * carries.  A loop has one group a turn, of which the first element is the first.  Where rows are
 * whole groups, a group is loaded as one. */
#include "lower/group.h"
#include "lower/branch.h"

#include <string.h>

enum { MOST_ELEMENTS = 16 };	/* of a group */

/* Elements are those of a workgroup, or of one group of a loop: their number and the slots of the
 * first, and how many there are to the destination's end. */
struct range {
	LLVMValueRef first, left;
	LLVMValueRef slots[LAYOUT_STORAGE_SLOTS];
};

static const struct visit_group *group_of(const struct iteration *iteration)
{
	return &iteration->kernel->plan->visit.group;
}

static LLVMTypeRef word_type(const struct iteration *iteration)
{
	return LLVMInt32TypeInContext(LLVMGetBuilderContext(iteration->scope.builder));
}

static LLVMTypeRef long_type(const struct iteration *iteration)
{
	return LLVMInt64TypeInContext(LLVMGetBuilderContext(iteration->scope.builder));
}

static LLVMValueRef resize(const struct iteration *iteration, LLVMValueRef value,
	LLVMTypeRef type)
{
	return LLVMBuildIntCast2(iteration->scope.builder, value, type, false, "number");
}

/* Of slot k, and of what it is divided by. */
static LLVMTypeRef slot_type(const struct iteration *iteration, unsigned k)
{
	return expression_is_narrow(group_of(iteration)->extent[k]) ? word_type(iteration) :
		long_type(iteration);
}

void group_enter(struct pointwise *points, const struct iteration *iteration)
{
	const struct visit_group *group = group_of(iteration);

	for (unsigned k = 0; k < group->rank; k++)
		points->extent[k] = expression_lower_as(&iteration->scope, group->extent[k],
			slot_type(iteration, k));
}

/* The digits of an element's number, each in the type of its slot. */
static void split_number(const struct pointwise *points, const struct iteration *iteration,
	LLVMValueRef number, LLVMValueRef *slots)
{
	LLVMBuilderRef b = iteration->scope.builder;
	unsigned rank = group_of(iteration)->rank;
	LLVMValueRef extent;

	for (unsigned k = rank; k-- > 1;) {
		extent = resize(iteration, points->extent[k], LLVMTypeOf(number));
		slots[k] = resize(iteration, LLVMBuildURem(b, number, extent, "slot"),
			slot_type(iteration, k));
		number = LLVMBuildUDiv(b, number, extent, "rest");
	}
	if (rank)
		slots[0] = resize(iteration, number, slot_type(iteration, 0));
}

/* Do all slots but the first, which is what remains, fit 32 bits? */
static bool is_narrow(const struct iteration *iteration)
{
	for (unsigned k = 1; k < group_of(iteration)->rank; k++)
		if (slot_type(iteration, k) != word_type(iteration))
			return false;
	return true;
}

static LLVMValueRef upper_of(const struct iteration *iteration, LLVMValueRef number)
{
	LLVMBuilderRef b = iteration->scope.builder;

	return LLVMBuildTrunc(b, LLVMBuildLShr(b, number, lower_bits_like(number, 32), ""),
		word_type(iteration), "upper");
}

/* A number of 64 bits is divided by words where it is one. */
static void split_long(const struct pointwise *points, const struct iteration *iteration,
	LLVMValueRef number, LLVMValueRef *slots)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMValueRef wide[LAYOUT_STORAGE_SLOTS], upper;
	struct branch branch;

	upper = iteration->kernel->hooks->pin(b, upper_of(iteration, number));
	branch = branch_open_seldom(iteration, LLVMBuildICmp(b, LLVMIntNE, upper,
		lower_bits_like(upper, 0), "long"), "long");
	split_number(points, iteration, number, wide);
	branch_otherwise(iteration, &branch);
	split_number(points, iteration, resize(iteration, number, word_type(iteration)), slots);
	branch_values(iteration, &branch, slots, wide, group_of(iteration)->rank);
}

/* What is the same for all lanes stays in one place. */
static void pin(const struct iteration *iteration, LLVMValueRef *slots)
{
	for (unsigned k = 0; k < group_of(iteration)->rank; k++)
		slots[k] = iteration->kernel->hooks->pin(iteration->scope.builder, slots[k]);
}

static LLVMValueRef least_word(const struct iteration *iteration, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef builder = iteration->scope.builder;

	return LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntULT, a, b, ""), a, b, "least");
}

/* The least of a number and a constant, as a word: scalar units do not compare 64 bits. */
static LLVMValueRef least_of(const struct iteration *iteration, LLVMValueRef number, unsigned most)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMValueRef least = LLVMConstInt(word_type(iteration), most, false), upper;

	least = least_word(iteration, resize(iteration, number, word_type(iteration)), least);
	if (LLVMTypeOf(number) == word_type(iteration))
		return iteration->kernel->hooks->pin(b, least);
	upper = iteration->kernel->hooks->pin(b, upper_of(iteration, number));
	least = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntEQ, upper, lower_bits_like(upper, 0),
		""), least, lower_bits_like(least, most), "least");
	return iteration->kernel->hooks->pin(b, least);
}

/* Numbers of elements fit 32 bits, or take 64. */
static LLVMTypeRef number_type(const struct iteration *iteration)
{
	return expression_is_narrow(iteration->kernel->plan->visit.store.elements) ?
		word_type(iteration) : long_type(iteration);
}

/* The elements from one on. */
static LLVMValueRef elements_from(const struct iteration *iteration, LLVMValueRef first)
{
	return LLVMBuildSub(iteration->scope.builder, expression_lower_as(&iteration->scope,
		iteration->kernel->plan->visit.store.elements, LLVMTypeOf(first)), first, "left");
}

/* From the workgroup's first element on: on x, "step" elements each. */
static struct range workgroup_range(const struct pointwise *points,
	const struct iteration *iteration, unsigned step)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMTypeRef type = number_type(iteration);
	LLVMValueRef x = resize(iteration, iteration->scope.vars[plan->size_count], type);
	struct range range = { 0 };

	range.first = LLVMBuildMul(b, x, lower_bits_like(x, step), "first");
	(type == word_type(iteration) || !is_narrow(iteration) ? split_number : split_long)(points,
		iteration, range.first, range.slots);
	pin(iteration, range.slots);
	range.left = least_of(iteration, elements_from(iteration, range.first), step);
	return range;
}

/* A group of a loop. */
static struct range group_range(const struct pointwise *points,
	const struct iteration *iteration)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMTypeRef type = number_type(iteration);
	struct range range = { 0 };

	range.first = LLVMBuildMul(b, expression_lower_as(&iteration->scope,
		group_of(iteration)->number, type), LLVMConstInt(type,
		group_of(iteration)->elements, false), "first");
	split_number(points, iteration, range.first, range.slots);
	range.left = elements_from(iteration, range.first);
	return range;
}

/* The slots of the element "offset" behind a range's first. */
static void find_slots(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, LLVMValueRef offset, LLVMValueRef *slots)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMValueRef sum;

	for (unsigned k = group_of(iteration)->rank; k-- > 0;) {
		offset = resize(iteration, offset, LLVMTypeOf(range->slots[k]));
		sum = LLVMBuildAdd(b, range->slots[k], offset, "sum");
		slots[k] = k ? LLVMBuildURem(b, sum, points->extent[k], "slot") : sum;
		offset = k ? LLVMBuildUDiv(b, sum, points->extent[k], "carry") : NULL;
	}
}

/* The digits of the elements from one turn to the next, the same for all lanes. */
static void turn_step(const struct pointwise *points, const struct iteration *iteration,
	LLVMValueRef *step)
{
	unsigned elements = group_of(iteration)->elements * iteration->kernel->lanes;

	split_number(points, iteration, LLVMConstInt(word_type(iteration), elements, false), step);
	pin(iteration, step);
}

/* On by so many. */
static void add_slots(const struct pointwise *points, const struct iteration *iteration,
	const LLVMValueRef *step, LLVMValueRef *slots)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMValueRef carry = NULL, sum;

	for (unsigned k = group_of(iteration)->rank; k-- > 0;) {
		sum = LLVMBuildAdd(b, slots[k], step[k], "sum");
		if (carry)
			sum = LLVMBuildAdd(b, sum, LLVMBuildZExt(b, carry, LLVMTypeOf(sum), ""),
				"sum");
		carry = k ? LLVMBuildICmp(b, LLVMIntUGE, sum, points->extent[k], "carry") : NULL;
		slots[k] = k ? LLVMBuildSelect(b, carry, LLVMBuildSub(b, sum, points->extent[k],
			""), sum, "slot") : sum;
	}
}

/* On to the next element. */
static void next_slots(const struct pointwise *points, const struct iteration *iteration,
	LLVMValueRef *slots)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMValueRef carry = NULL, next, zero;

	for (unsigned k = group_of(iteration)->rank; k-- > 0;) {
		zero = lower_bits_like(slots[k], 0);
		next = LLVMBuildAdd(b, slots[k], carry ? LLVMBuildZExt(b, carry,
			LLVMTypeOf(zero), "") : lower_bits_like(zero, 1), "next");
		carry = k ? LLVMBuildICmp(b, LLVMIntEQ, next, points->extent[k], "carry") : NULL;
		slots[k] = k ? LLVMBuildSelect(b, carry, zero, next, "slot") : next;
	}
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

/* The group's bytes, from the slots of its first element on: of all elements, or of those that
 * exist. */
static LLVMValueRef gather(const struct pointwise *points, const struct iteration *iteration,
	LLVMValueRef *slots, const LLVMValueRef *exists)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef *vars = iteration->scope.vars + plan->size_count + plan->visit.dim_count;
	LLVMValueRef value = NULL, next;

	for (unsigned j = 0; j < plan->visit.group.elements; j++) {
		if (j)
			next_slots(points, iteration, slots);
		memcpy(vars, slots, plan->visit.group.rank * sizeof(*slots));
		next = place_element(points, iteration, j, exists ? exists[j] : NULL);
		value = value ? LLVMBuildOr(iteration->scope.builder, value, next, "bits") :
			next;
	}
	return value;
}

/* The byte of an element of a group's first. */
static LLVMValueRef byte_of(const struct iteration *iteration, LLVMValueRef element)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct visit_group *group = group_of(iteration);
	LLVMValueRef number = LLVMBuildUDiv(b, element, lower_bits_like(element,
		group->elements), "group");

	return resize(iteration, LLVMBuildMul(b, number, lower_bits_like(number, group->bytes),
		"byte"), long_type(iteration));
}

/* Where the group goes whose first element is "offset" behind a range's first. */
static LLVMValueRef place_of(const struct iteration *iteration, const struct range *range,
	LLVMValueRef offset)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(b));
	LLVMValueRef at = LLVMGetParam(iteration->function, PLAN_DESTINATION), number;

	number = byte_of(iteration, range->first);
	at = LLVMBuildInBoundsGEP2(b, byte, at, &number, 1, "first");
	number = byte_of(iteration, offset);
	return LLVMBuildInBoundsGEP2(b, byte, at, &number, 1, "address");
}

/* All bytes together, as aligned as the buffer and they are. */
static void store_word(const struct iteration *iteration, LLVMValueRef value, LLVMValueRef at)
{
	const struct visit_group *group = group_of(iteration);
	unsigned bytes = group->bytes & -group->bytes, base = iteration->kernel->base_align;

	LLVMSetAlignment(LLVMBuildStore(iteration->scope.builder, value, at),
		bytes < base ? bytes : base);
}

/* Byte k exists where the element does that its first bit belongs to. */
static void store_bytes(const struct iteration *iteration, LLVMValueRef value, LLVMValueRef at,
	LLVMValueRef *exists)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(b));

	for (unsigned k = 0; k < plan->visit.group.bytes; k++) {
		LLVMValueRef number = LLVMConstInt(word_type(iteration), k, false), to, one;
		struct branch branch = branch_open(iteration,
			exists[8 * k / plan->visit.store.bits], "byte");

		to = LLVMBuildInBoundsGEP2(b, byte, at, &number, 1, "address");
		one = LLVMBuildLShr(b, value, lower_bits_like(value, 8 * k), "");
		one = LLVMBuildTrunc(b, one, byte, "");
		LLVMSetAlignment(LLVMBuildStore(b, one, to), 1);
		branch_close(iteration, &branch);
	}
}

/* The bytes of elements that exist: together where all do. */
static void store_part(const struct iteration *iteration, LLVMValueRef value, LLVMValueRef at,
	LLVMValueRef *exists)
{
	struct branch branch = branch_open(iteration, exists[group_of(iteration)->elements - 1],
		"whole");

	store_word(iteration, value, at);
	branch_otherwise(iteration, &branch);
	store_bytes(iteration, value, at, exists);
	branch_close(iteration, &branch);
}

/* A group that lies in a row of the source, from these slots on. */
static LLVMValueRef load_row(const struct pointwise *points, const struct iteration *iteration,
	const LLVMValueRef *slots)
{
	const struct plan *plan = iteration->kernel->plan;
	unsigned bytes = plan->visit.group.bytes;

	memcpy(iteration->scope.vars + plan->size_count + plan->visit.dim_count, slots,
		plan->visit.group.rank * sizeof(*slots));
	return pointwise_words(points, iteration, LLVMVectorType(word_type(iteration), bytes / 4),
		bytes);
}

/* A group of which all elements exist, from these slots on: in a row, or wherever they are. */
static void copy_whole(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, LLVMValueRef offset, const LLVMValueRef *first, bool row)
{
	LLVMValueRef slots[LAYOUT_STORAGE_SLOTS];

	memcpy(slots, first, sizeof(slots));
	store_word(iteration, row ? load_row(points, iteration, slots) : gather(points, iteration,
		slots, NULL), place_of(iteration, range, offset));
}

/* A group of which some elements may not exist. */
static void copy_part(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, LLVMValueRef offset)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct visit_group *group = group_of(iteration);
	LLVMValueRef slots[LAYOUT_STORAGE_SLOTS], exists[MOST_ELEMENTS], at;

	for (unsigned j = 0; j < group->elements; j++) {
		at = LLVMBuildAdd(b, offset, lower_bits_like(offset, j), "");
		exists[j] = LLVMBuildICmp(b, LLVMIntULT, resize(iteration, at,
			LLVMTypeOf(range->left)), range->left, "exists");
	}
	find_slots(points, iteration, range, offset, slots);
	store_part(iteration, gather(points, iteration, slots, exists),
		place_of(iteration, range, offset), exists);
}

/* One group of a loop. */
static void copy_serial(const struct pointwise *points, const struct iteration *iteration)
{
	LLVMBuilderRef b = iteration->scope.builder;
	struct range range = group_range(points, iteration);
	LLVMValueRef elements = lower_bits_like(range.left, group_of(iteration)->elements);
	LLVMValueRef none = LLVMConstNull(word_type(iteration));
	struct branch branch = branch_open(iteration, LLVMBuildICmp(b, LLVMIntUGE, range.left,
		elements, "whole"), "whole");

	copy_whole(points, iteration, &range, none, range.slots, false);
	branch_otherwise(iteration, &branch);
	copy_part(points, iteration, &range, none);
	branch_close(iteration, &branch);
}

/* The first of a lane's elements in a turn, behind the workgroup's first. */
static LLVMValueRef lane_offset(const struct iteration *iteration, LLVMValueRef turn)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef lane = iteration->scope.vars[plan->size_count + plan->visit.dim_count - 1];
	LLVMValueRef number = resize(iteration, lane, word_type(iteration));

	number = LLVMBuildAdd(b, LLVMBuildMul(b, turn, lower_bits_like(turn,
		iteration->kernel->lanes), ""), number, "");
	return LLVMBuildMul(b, number, lower_bits_like(number, plan->visit.group.elements),
		"offset");
}

/* How a workgroup's groups are copied. */
enum way {
	WHOLE,		/* all elements exist, wherever they are in the source */
	PART,		/* some may not */
	ROW,		/* each lies in a row, and exists or does not */
};

/* A group in a row, which exists where its first element does. */
static void copy_row(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, LLVMValueRef offset)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMValueRef slots[LAYOUT_STORAGE_SLOTS];
	struct branch branch = branch_open(iteration, LLVMBuildICmp(b, LLVMIntULT, offset,
		range->left, "exists"), "exists");

	find_slots(points, iteration, range, offset, slots);
	copy_whole(points, iteration, range, offset, slots, true);
	branch_close(iteration, &branch);
}

/* A lane's group in a turn. */
static void copy_turn(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, LLVMValueRef turn, enum way way)
{
	LLVMValueRef offset = lane_offset(iteration, turn), slots[LAYOUT_STORAGE_SLOTS];

	if (way == WHOLE) {
		find_slots(points, iteration, range, offset, slots);
		copy_whole(points, iteration, range, offset, slots, false);
	} else {
		(way == PART ? copy_part : copy_row)(points, iteration, range, offset);
	}
}

/* All turns in a loop, whose code is short. */
static void loop_turns(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, enum way way)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMBasicBlockRef before = LLVMGetInsertBlock(b), turn = iteration_block(iteration, "turn");
	LLVMBasicBlockRef exit = iteration_block(iteration, "exit"), last;
	LLVMValueRef none = LLVMConstNull(word_type(iteration)), count, next;

	LLVMBuildBr(b, turn);
	LLVMPositionBuilderAtEnd(b, turn);
	count = LLVMBuildPhi(b, LLVMTypeOf(none), "turn");
	LLVMAddIncoming(count, &none, &before, 1);
	copy_turn(points, iteration, range, count, way);
	next = LLVMBuildAdd(b, count, lower_bits_like(count, 1), "next");
	last = LLVMGetInsertBlock(b);
	LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, lower_bits_like(next,
		group_of(iteration)->turns), "more"), turn, exit);
	LLVMAddIncoming(count, &next, &last, 1);
	LLVMPositionBuilderAtEnd(b, exit);
}

/* All turns, one behind the other: of elements that all exist. */
static void list_turns(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, bool row)
{
	LLVMValueRef slots[LAYOUT_STORAGE_SLOTS], steps[LAYOUT_STORAGE_SLOTS], offset;

	turn_step(points, iteration, steps);
	for (unsigned turn = 0; turn < group_of(iteration)->turns; turn++) {
		offset = lane_offset(iteration, LLVMConstInt(word_type(iteration), turn, false));
		if (turn)
			add_slots(points, iteration, steps, slots);
		else
			find_slots(points, iteration, range, offset, slots);
		copy_whole(points, iteration, range, offset, slots, row);
	}
}

/* The turns of a workgroup all of whose elements exist, or else. */
static void copy_range(const struct pointwise *points, const struct iteration *iteration,
	const struct range *range, enum way other)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct visit_group *group = group_of(iteration);
	unsigned all = group->elements * iteration->kernel->lanes * group->turns;
	struct branch branch = branch_open(iteration, LLVMBuildICmp(b, LLVMIntEQ, range->left,
		lower_bits_like(range->left, all), "whole"), "whole");

	if (group->rows && other == PART)
		loop_turns(points, iteration, range, WHOLE);
	else
		list_turns(points, iteration, range, other == ROW);
	branch_otherwise(iteration, &branch);
	loop_turns(points, iteration, range, other);
	branch_close(iteration, &branch);
}

/* The turns of a workgroup. */
static void copy_turns(const struct pointwise *points, const struct iteration *iteration)
{
	const struct visit_group *group = group_of(iteration);
	struct range range = workgroup_range(points, iteration, group->elements *
		iteration->kernel->lanes * group->turns);
	struct branch branch;

	if (!group->rows) {
		copy_range(points, iteration, &range, PART);
		return;
	}
	branch = branch_open(iteration, expression_lower_condition(&iteration->scope,
		group->rows), "rows");
	copy_range(points, iteration, &range, ROW);
	branch_otherwise(iteration, &branch);
	copy_range(points, iteration, &range, PART);
	branch_close(iteration, &branch);
}

void group_copy(const struct pointwise *points, const struct iteration *iteration)
{
	(iteration->kernel->lanes > 1 ? copy_turns : copy_serial)(points, iteration);
}
