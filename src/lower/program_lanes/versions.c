/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Versions of a body: for tiles that are whole and others, for copies that are direct or not. */
#include "lower/program_lanes/flow.h"
#include "lower/grid.h"
#include "program/waits.h"

#include <stdlib.h>
#include <string.h>

/* Are there accesses, and no conditions, and loops that can be whole? */
static bool has_versions(const struct program_body *statements)
{
	bool accesses = false;

	for (unsigned i = 0; i < statements->count; i++) {
		const struct program_statement *of = &statements->statements[i];
		bool loop = of->kind == STATEMENT_FOR && flow_can_be_whole(&of->body);

		if (!loop && of->kind != STATEMENT_TILE && of->kind != STATEMENT_STORE &&
		    of->kind != STATEMENT_PUT)
			return false;
		accesses = accesses || loop || flow_is_access(of);
	}
	return accesses;
}

/* Is there no other turn on the axis?  A quotient is no more than n where what is divided
 * is less than n + 1 divisors. */
static void add_turns(const program_scope *body, unsigned axis, struct program_room *room)
{
	const layout_kernel *kernel = body->iteration->kernel;
	const struct index *extent = kernel->extent[axis];
	int64_t most = grid_cap(axis, kernel->lanes);
	LLVMValueRef count;

	if (extent->max <= most)
		return;
	for (; (extent->op == INDEX_FDIV || extent->op == INDEX_PDIV) &&
	     extent->arg[1]->value < INT32_MAX && most < INT32_MAX; extent = extent->arg[0])
		most = (most + 1) * extent->arg[1]->value - 1;
	count = expression_lower(&body->iteration->scope, extent);
	rooms_add_below(&room->rooms, extent->max - most <= INT32_MAX && most <= INT32_MAX ?
		LLVMBuildTrunc(body->b, count, body->i32, "") : count, most);
}

static bool find_rooms(program_scope *body, const struct program_body *statements,
	struct program_room *room);

/* Of the last step, and so of all; are there steps, and as many as there are in turns? */
static bool find_loop_room(program_scope *body, const struct program_statement *statement,
	struct program_room *room)
{
	const struct index *steps =
		body->plan->program->variables[statement->variable].extent.index;
	LLVMValueRef extent = flow_extent(body, statement);
	bool ok;

	body->counter = (int)statement->variable;
	body->vars[body->counter] = LLVMBuildNSWSub(body->b, extent,
		lower_int(body->i32, 1), "");
	ok = find_rooms(body, &statement->body, room);
	body->counter = -1;
	if (program_has_ahead(body, statement))
		return ok;
	if (steps->min < 1)
		rooms_add_above(&room->rooms, extent, 1);
	if (!statement->even && flow_steps(body, statement) == 2)
		rooms_add_below(&room->rooms, LLVMBuildAnd(body->b, extent,
			lower_int(body->i32, 1), ""), 0);
	return ok;
}

static bool find_rooms(program_scope *body, const struct program_body *statements,
	struct program_room *room)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < statements->count; i++) {
		const struct program_statement *of = &statements->statements[i];

		if (of->kind == STATEMENT_FOR)
			ok = find_loop_room(body, of, room);
		else if (flow_is_access(of))
			ok = program_find_room(body, of, room);
	}
	return ok;
}

/* Is the workgroup's first turn its last, and are all tiles whole?  NULL on an error. */
static LLVMValueRef find_whole(program_scope *body, const struct program_body *statements)
{
	struct program_room room = program_room_begin(body);
	bool ok = find_rooms(body, statements, &room);

	for (unsigned axis = 0; ok && axis < 3; axis++)
		add_turns(body, axis, &room);
	return ok ? program_room_holds(body, &room) : NULL;
}

/* All statements.  The LDS is another workgroup's, or the next turn's, once nothing is copied to
 * it any more. */
static bool lower_all(program_scope *body)
{
	const layout_program *program = body->plan->program;
	bool ok = flow_body(body, &program->body);

	if (body->direct && program_waits_leave_copies(program, program->body.count))
		body->iteration->kernel->hooks->land(body->b, 0, false);
	return ok;
}

static bool lower_whole_version(program_scope *body)
{
	bool read_local = body->read_local, ok;

	body->whole = true;
	ok = lower_all(body);
	LLVMBuildRetVoid(body->b);
	body->whole = false;
	body->read_local = read_local;
	return ok;
}

static bool lower_turns(program_scope *body)
{
	bool ok;

	iteration_open(body->iteration);
	flow_enter(body);
	if (body->edge)
		flow_renew(body);
	body->read_local = body->iteration->depth;
	if (body->iteration->depth && body->plan->access_count)
		body->hardware.hooks->barrier(body->b);
	ok = lower_all(body);
	flow_leave(body);
	LLVMBuildRetVoid(body->b);
	return ok;
}

/* Values that are the turns' own, for what they compute of the iteration's. */
static void separate_sizes(const program_scope *body)
{
	LLVMValueRef *vars = body->iteration->scope.vars;

	for (unsigned i = 0; i < body->plan->program->size_count; i++)
		vars[i] = LLVMBuildZExt(body->b, body->hardware.hooks->pin(body->b,
			LLVMBuildTrunc(body->b, vars[i], body->i32, "")), body->i64, "");
}

/* Twice: for workgroups whose tiles are all whole, where nothing is tested, and for others. */
static bool lower_versions(program_scope *body)
{
	const struct program_body *statements = &body->plan->program->body;
	LLVMValueRef whole;
	LLVMBasicBlockRef inside, edge;

	iteration_enter(body->iteration);
	flow_enter(body);
	whole = find_whole(body, statements);
	if (!whole || (LLVMIsAConstantInt(whole) && LLVMIsNull(whole)))
		return whole && lower_turns(body);
	inside = iteration_block(body->iteration, "whole");
	edge = iteration_block(body->iteration, "edge");
	body->before = LLVMGetInsertBlock(body->b);
	LLVMBuildCondBr(body->b, whole, inside, edge);
	LLVMPositionBuilderAtEnd(body->b, inside);
	if (!lower_whole_version(body))
		return false;
	LLVMPositionBuilderAtEnd(body->b, edge);
	if (LLVMIsConstant(whole)) {
		LLVMBuildUnreachable(body->b);
		return true;
	}
	body->edge = true;
	separate_sizes(body);
	return lower_turns(body);
}

static bool lower_either(program_scope *body)
{
	return (has_versions(&body->plan->program->body) ? lower_versions : lower_turns)(body);
}

/* One of two ways of the copies, from where the iteration is: what that changes is as it was
 * for the next.  Through the registers, each access finds out whether its tile is whole. */
static bool lower_way(program_scope *body, bool direct)
{
	unsigned sizes = body->plan->program->size_count, count = body->plan->operand_count;
	LLVMValueRef *vars = body->iteration->scope.vars, *kept = layout_alloc(body->ctx,
		sizes + count, sizeof(*kept));
	bool ok = kept;

	if (!ok)
		return false;
	memcpy(kept, vars, sizes * sizeof(*kept));
	memcpy(kept + sizes, body->pointers, count * sizeof(*kept));
	body->direct = direct;
	ok = direct ? lower_either(body) : lower_turns(body);
	body->direct = body->edge = body->read_local = false;
	memcpy(vars, kept, sizes * sizeof(*kept));
	memcpy(body->pointers, kept + sizes, count * sizeof(*kept));
	free(kept);
	return ok;
}

static bool has_direct(const layout_program *program)
{
	bool direct = false;

	for (unsigned i = 0; i < program->tile_count; i++)
		direct = direct || program->tiles[i]->piece;
	return direct;
}

/* Twice, where copies can be direct: if all of them are, or none. */
bool flow_ways(program_scope *body)
{
	LLVMBasicBlockRef direct, through;
	LLVMValueRef can;

	if (!has_direct(body->plan->program))
		return lower_either(body);
	iteration_enter(body->iteration);
	flow_enter(body);
	can = program_can_direct(body);
	direct = iteration_block(body->iteration, "direct");
	through = iteration_block(body->iteration, "through");
	LLVMBuildCondBr(body->b, can, direct, through);
	LLVMPositionBuilderAtEnd(body->b, direct);
	if (!lower_way(body, true))
		return false;
	LLVMPositionBuilderAtEnd(body->b, through);
	if (!LLVMIsConstant(can))
		return lower_way(body, false);
	LLVMBuildUnreachable(body->b);
	return true;
}
