/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A buffer reaches 2^31 bytes.  Where a tile's rows are further apart, the lanes of one row go
 * together, and the buffer begins where that row does: round i is row i, of all that lanes can
 * be at. */
#include "lower/program_lanes/access.h"

#include <stdlib.h>

/* Is the digit one of rows: lanes differ in it, by what is known at launch? */
static bool is_lane_row(const struct program_access *access, unsigned k)
{
	return !LLVMIsAConstantInt(access->pitch[k]) && program_access_slot(access, k);
}

static int64_t row_count(const struct program_access *access)
{
	int64_t count = 1;

	for (unsigned k = 0; k < access->memory->slot_count; k++)
		if (is_lane_row(access, k))
			count *= program_access_most(access, k) + 1;
	return count;
}

static LLVMValueRef row_bytes(const struct program_access *access, unsigned k,
	LLVMValueRef slot)
{
	const program_scope *body = access->body;

	return LLVMBuildMul(body->b, LLVMBuildMul(body->b, LLVMBuildZExt(body->b, slot,
		body->i64, ""), access->pitch[k], ""), lower_int(body->i64,
		access->type->bits / 8), "");
}

/* Where the round's row begins, and is the lane in it? */
static LLVMValueRef find_row(const struct program_access *access, LLVMValueRef round,
	LLVMValueRef near, LLVMValueRef *bytes)
{
	const program_scope *body = access->body;
	LLVMValueRef mine = NULL;

	for (unsigned k = 0; k < access->memory->slot_count; k++) {
		LLVMValueRef slot, here, radix;

		if (!is_lane_row(access, k))
			continue;
		radix = lower_int(body->i32, program_access_most(access, k) + 1);
		slot = LLVMBuildURem(body->b, round, radix, "");
		round = LLVMBuildUDiv(body->b, round, radix, "");
		here = LLVMBuildICmp(body->b, LLVMIntEQ, slot,
			program_access_slot(access, k), "");
		mine = mine ? LLVMBuildAnd(body->b, mine, here, "") : here;
		*bytes = LLVMBuildAdd(body->b, *bytes, row_bytes(access, k, slot), "");
	}
	return LLVMBuildOr(body->b, mine, near, "mine");
}

/* A loop over the rows; every lane is in one of them.  For all that LLVM knows the lane's offset is
 * another one in each round: else all registers' would be there before the first. */
static LLVMValueRef open_loop(struct program_access *access, struct program_rounds *rounds,
	LLVMValueRef near, LLVMValueRef *bytes)
{
	const program_scope *body = access->body;
	LLVMBasicBlockRef before = LLVMGetInsertBlock(body->b);
	LLVMValueRef zero = lower_int(body->i32, 0), none;

	rounds->head = iteration_block(body->iteration, "round");
	rounds->mine = iteration_block(body->iteration, "row");
	rounds->join = iteration_block(body->iteration, "rows");
	rounds->count = LLVMBuildSelect(body->b, near, lower_int(body->i32, 1),
		lower_int(body->i32, row_count(access)), "");
	LLVMBuildBr(body->b, rounds->head);
	LLVMPositionBuilderAtEnd(body->b, rounds->head);
	rounds->round = LLVMBuildPhi(body->b, body->i32, "round");
	LLVMAddIncoming(rounds->round, &zero, &before, 1);
	rounds->lane = LLVMBuildPhi(body->b, body->i32, "lane");
	LLVMAddIncoming(rounds->lane, &access->lane, &before, 1);
	access->lane = rounds->lane;
	none = LLVMGetPoison(program_type(body, access->type));
	for (unsigned r = 0; r < rounds->value_count; r++) {
		rounds->carried[r] = LLVMBuildPhi(body->b, LLVMTypeOf(none), "");
		LLVMAddIncoming(rounds->carried[r], &none, &before, 1);
	}
	return find_row(access, rounds->round, near, bytes);
}

bool program_rounds_open(struct program_access *access, struct program_rounds *rounds,
	unsigned value_count)
{
	const program_scope *body = access->body;
	LLVMValueRef near = program_access_is_near(access), mine;
	LLVMValueRef none = lower_int(body->i64, 0), bytes = none;

	*rounds = (struct program_rounds){ .value_count = value_count };
	if (row_count(access) == 1)
		return true;
	rounds->carried = layout_alloc(body->ctx, value_count + 1, sizeof(LLVMValueRef));
	if (!rounds->carried)
		return false;
	access->lane = LLVMBuildSelect(body->b, near, access->lane,
		program_access_lane(access, false), "");
	mine = open_loop(access, rounds, near, &bytes);
	access->further = LLVMBuildSelect(body->b, near, none, bytes, "");
	LLVMBuildCondBr(body->b, mine, rounds->mine, rounds->join);
	LLVMPositionBuilderAtEnd(body->b, rounds->mine);
	return true;
}

/* What the lane has when the round is over. */
static void carry(const struct program_access *access, const struct program_rounds *rounds,
	LLVMBasicBlockRef last, LLVMValueRef *values)
{
	LLVMBasicBlockRef join = rounds->join;

	for (unsigned i = 0; i < rounds->value_count; i++) {
		LLVMValueRef *value = &values[access->split.order[i]];
		LLVMValueRef either[] = { rounds->carried[i], *value };
		LLVMBasicBlockRef from[] = { rounds->head, last };

		*value = LLVMBuildPhi(access->body->b, LLVMTypeOf(either[0]), "");
		LLVMAddIncoming(*value, either, from, 2);
		LLVMAddIncoming(rounds->carried[i], value, &join, 1);
	}
}

void program_rounds_close(struct program_access *access, struct program_rounds *rounds,
	LLVMValueRef *values)
{
	const program_scope *body = access->body;
	LLVMBasicBlockRef last = LLVMGetInsertBlock(body->b), after;
	LLVMValueRef next, lane;

	access->further = NULL;
	if (rounds->head) {
		after = iteration_block(body->iteration, "all");
		LLVMBuildBr(body->b, rounds->join);
		LLVMPositionBuilderAtEnd(body->b, rounds->join);
		carry(access, rounds, last, values);
		next = LLVMBuildAdd(body->b, rounds->round, lower_int(body->i32, 1), "");
		LLVMAddIncoming(rounds->round, &next, &rounds->join, 1);
		lane = body->hardware.hooks->await(body->b, rounds->lane);
		LLVMAddIncoming(rounds->lane, &lane, &rounds->join, 1);
		LLVMBuildCondBr(body->b, LLVMBuildICmp(body->b, LLVMIntULT, next,
			rounds->count, ""), rounds->head, after);
		LLVMPositionBuilderAtEnd(body->b, after);
	}
	free(rounds->carried);
}
