/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/branch.h"
#include "lower/tile/path_parts.h"

#include <stdlib.h>

static LLVMValueRef small_constant(const struct way *way, int64_t value)
{
	return LLVMConstInt(LLVMTypeOf(way->path->lane.value),
		(unsigned long long)value, false);
}

/* The digits outside the block, from the number of the turn. */
static void loop_digits(const struct way *way, LLVMValueRef turn,
	struct address_digits *digits)
{
	const struct tile_form *form = way->path->form;
	LLVMBuilderRef builder = builder_of(way);
	int64_t place = 1;

	for (uint64_t set = way->looped; set; set &= set - 1) {
		unsigned d = (unsigned)__builtin_ctzll(set);
		LLVMValueRef quotient = LLVMBuildUDiv(builder, turn,
			small_constant(way, place), "quotient");

		digits->value[d] = LLVMBuildURem(builder, quotient,
			small_constant(way, form->digits[d].digit.radix), "digit");
		place *= form->digits[d].digit.radix;
	}
}

/* The block, where the wave has anything to store. */
static bool move_reached(layout_context *ctx, struct way *way,
	struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	LLVMValueRef reached = way->store.masked ?
		bounds_reach(&way->store.bounds, digits) : NULL;
	struct branch branch;
	bool ok;

	if (!reached)
		return way_move(ctx, way, digits);
	branch = branch_open(iteration, reached, "reached");
	ok = way_move(ctx, way, digits);
	branch_close(iteration, &branch);
	return ok;
}

static bool move_looped(layout_context *ctx, struct way *way,
	struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	int64_t turns = block_size(way->path->form, way->looped);
	LLVMBuilderRef builder = builder_of(way);
	LLVMBasicBlockRef before = LLVMGetInsertBlock(builder), body, exit;
	LLVMValueRef turn, next, first = small_constant(way, 0);
	bool ok;

	body = iteration_block(iteration, "turn");
	exit = iteration_block(iteration, "moved");
	LLVMBuildBr(builder, body);
	LLVMPositionBuilderAtEnd(builder, body);
	turn = LLVMBuildPhi(builder, LLVMTypeOf(first), "turn");
	LLVMAddIncoming(turn, &first, &before, 1);
	loop_digits(way, turn, digits);
	ok = move_reached(ctx, way, digits);
	next = LLVMBuildNUWAdd(builder, turn, small_constant(way, 1), "next");
	before = LLVMGetInsertBlock(builder);
	LLVMAddIncoming(turn, &next, &before, 1);
	LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, next,
		small_constant(way, turns), "more"), body, exit);
	LLVMPositionBuilderAtEnd(builder, exit);
	return ok;
}

bool path_lower(layout_context *ctx, const struct path *path, enum path_kind kind)
{
	struct way *way = layout_alloc(ctx, 1, sizeof(*way));
	struct address_digits digits = { { 0 }, { NULL } };
	bool ok;

	if (!way)
		return false;
	way->ctx = ctx;
	way->path = path;
	way->kind = kind;
	ok = way_open(ctx, way) && (way->looped ? move_looped : way_move)(ctx, way,
		&digits) && !way->failed;
	way_close(way);
	free(way);
	return ok;
}
