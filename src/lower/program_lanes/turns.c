/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Turns over the grid, of which there is seldom a second. */
#include "lower/program_lanes/flow.h"

#include <string.h>

unsigned flow_known(const program_scope *body)
{
	return body->plan->program->size_count + body->plan->program->grid_count;
}

static void split_lane(program_scope *body, LLVMValueRef lane)
{
	struct owner_hardware *hardware = &body->hardware;
	int64_t wave = body->plan->wave_size;

	body->lane = hardware->lane = lane;
	hardware->subgroup = lower_int(body->i32, 0);
	if (body->plan->waves > 1) {
		hardware->lane = LLVMBuildAnd(body->b, lane, lower_int(body->i32, wave - 1), "");
		hardware->subgroup = hardware->hooks->uniform(body->b, LLVMBuildUDiv(body->b,
			lane, lower_int(body->i32, wave), ""));
	}
	program_workers_find(body);
}

/* From here on, nothing is what was computed before. */
void flow_renew(program_scope *body)
{
	for (unsigned i = 0; i < flow_known(body); i++)
		if (!LLVMIsConstant(body->vars[i]))
			body->vars[i] = body->hardware.hooks->pin(body->b, body->vars[i]);
	for (unsigned i = 0; i < body->plan->operand_count; i++)
		body->pointers[i] = body->hardware.hooks->pin(body->b, body->pointers[i]);
	split_lane(body, body->hardware.hooks->await(body->b, body->lane));
}

static struct iteration_loop *turns_of(const program_scope *body)
{
	return &body->iteration->loops[body->iteration->depth - 1];
}

/* What the turns over the grid do not change begins as it was before them, and is another's
 * in each: what is computed of it stays inside, and takes no registers from turn to turn,
 * of which there is seldom a second. */
static LLVMValueRef open_turn(const program_scope *body, LLVMValueRef value)
{
	struct iteration_loop *turns;
	LLVMValueRef phi;

	if (!body->iteration->depth || LLVMIsConstant(value))
		return value;
	turns = turns_of(body);
	if (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == turns->header)
		return value;
	LLVMPositionBuilderBefore(body->b, LLVMGetFirstInstruction(turns->header));
	phi = LLVMBuildPhi(body->b, LLVMTypeOf(value), "");
	LLVMAddIncoming(phi, &value, &turns->before, 1);
	LLVMPositionBuilderAtEnd(body->b, turns->header);
	return phi;
}

/* "first" is what opening made, "last" what it has become. */
static void close_turn(const program_scope *body, LLVMValueRef first, LLVMValueRef last)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	if (LLVMIsAPHINode(first) && LLVMGetInstructionParent(first) ==
	    turns_of(body)->header && LLVMCountIncoming(first) == 1 &&
	    first != turns_of(body)->counter)
		LLVMAddIncoming(first, &last, &here, 1);
}

/* Of sizes and the grid's coordinates, which the iteration has, those that are narrow. */
static LLVMValueRef known(const program_scope *body, unsigned i)
{
	LLVMValueRef value = body->iteration->scope.vars[i], narrow;
	bool size = i < body->plan->program->size_count;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	if (!size || LLVMIsConstant(value))
		return value;
	if (body->iteration->depth)
		LLVMPositionBuilderBefore(body->b, LLVMGetBasicBlockTerminator(
			body->iteration->loops[0].before));
	narrow = LLVMBuildTrunc(body->b, value, body->i32, "");
	LLVMPositionBuilderAtEnd(body->b, here);
	return narrow;
}

/* The lane of the workgroup, before all turns where there are some. */
static LLVMValueRef find_lane(const program_scope *body)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);
	LLVMValueRef lane = body->iteration->scope.vars[flow_known(body)];

	if (!body->iteration->depth)
		return lane;
	LLVMPositionBuilderBefore(body->b, LLVMGetBasicBlockTerminator(
		body->iteration->loops[0].before));
	lane = body->hardware.hooks->lane_id(body->b);
	LLVMPositionBuilderAtEnd(body->b, here);
	return lane;
}

/* From a workgroup's place in the grid to its coordinates. */
static void reorder(program_scope *body)
{
	unsigned sizes = body->plan->program->size_count;
	unsigned count = body->plan->program->grid_count;
	LLVMValueRef coordinates[PROGRAM_RANK];

	for (unsigned d = 0; d < count; d++)
		coordinates[d] = LLVMBuildTrunc(body->b, program_uniform(body,
			body->plan->order[d]), body->i32, "coordinate");
	memcpy(body->vars + sizes, coordinates, count * sizeof(*coordinates));
}

void flow_enter(program_scope *body)
{
	body->hardware = (struct owner_hardware){
		.hooks = body->iteration->kernel->hooks,
		.wave_size = body->plan->wave_size, .subgroups = body->plan->waves };
	for (unsigned i = 0; i < flow_known(body); i++)
		body->vars[i] = body->opened[i] = open_turn(body, known(body, i));
	body->opened[flow_known(body)] = open_turn(body, find_lane(body));
	split_lane(body, body->opened[flow_known(body)]);
	if (body->plan->order)
		reorder(body);
}

void flow_leave(program_scope *body)
{
	if (body->iteration->depth) {
		if (body->plan->order)
			memcpy(body->vars, body->opened, flow_known(body) *
				sizeof(*body->vars));
		flow_renew(body);
		for (unsigned i = 0; i < flow_known(body); i++)
			close_turn(body, body->opened[i], body->vars[i]);
		close_turn(body, body->opened[flow_known(body)], body->lane);
	}
	iteration_close(body->iteration);
}
