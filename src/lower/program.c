/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The statements of a program in their order.  What a loop carries is a phi a register;
 * everything else has its value where it was made. */
#include "lower/program.h"

#include "lower/branch.h"
#include "lower/program_parts.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

LLVMValueRef *program_make_values(program_scope *body, const layout_tile *tile)
{
	LLVMValueRef **values = &body->values[tile->number];

	free(*values);
	return *values = layout_alloc(body->ctx, program_registers_of(body, tile),
		sizeof(LLVMValueRef));
}

static bool lower_fill(program_scope *body, const layout_tile *tile)
{
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);

	for (unsigned r = 0; values && r < count; r++)
		values[r] = LLVMConstInt(program_type(body, tile->type), tile->bits, false);
	return values;
}

static bool lower_index(program_scope *body, const layout_tile *tile)
{
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);
	struct owner_coordinates at = program_coordinates(body, program_owner(body, tile));

	for (unsigned r = 0; values && r < count; r++)
		values[r] = owner_coordinate(&at, r, tile->dims[0]);
	return values;
}

/* The registers of another tile, which may be fewer where they are broadcast. */
static bool lower_view(program_scope *body, const layout_tile *tile)
{
	const layout_tile *operand = tile->operands[0];
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);
	bool renames = tile->op != TILE_VIEW || tile->view != VIEW_BROADCAST;
	unsigned *registers = values && !renames ?
		program_operand_registers(body, operand, tile) : NULL;

	for (unsigned r = 0; values && (renames || registers) && r < count; r++)
		values[r] = body->values[operand->number][renames ? r : registers[r]];
	free(registers);
	return values && (renames || registers);
}

static bool lower_tile(program_scope *body, const layout_tile *tile)
{
	switch (tile->op) {
	case TILE_FILL:
		return lower_fill(body, tile);
	case TILE_INDEX:
		return lower_index(body, tile);
	case TILE_LOAD:
		return program_lower_load(body, tile);
	case TILE_CONVERT:
		return program_lower_convert(body, tile);
	case TILE_MAP:
		return program_lower_map(body, tile);
	case TILE_REDUCE:
		return program_lower_reduce(body, tile);
	case TILE_CONTRACT:
		return program_lower_contract(body, tile);
	default:
		return lower_view(body, tile);
	}
}

static bool lower_body(program_scope *body, const struct program_body *statements);

/* A loop on its way: where the counter is, from where on there are no more steps, and whether
 * the carries have values of their own yet, not only those that they begin with. */
struct loop {
	const struct program_statement *of;
	LLVMValueRef counter, extent;
	bool begun;
};

static const layout_tile *value_of(const struct loop *loop, const layout_tile *carry)
{
	return loop->begun ? carry : carry->operands[0];
}

/* The registers of a carry become phis that begin with what they are before. */
static bool begin_carry(program_scope *body, const struct loop *loop,
	const layout_tile *carry, LLVMBasicBlockRef from)
{
	unsigned count = program_registers_of(body, carry);
	const layout_tile *first = value_of(loop, carry);
	LLVMValueRef *before = body->values[first->number], *values;

	if (first == carry)
		body->values[carry->number] = NULL;
	values = program_make_values(body, carry);
	for (unsigned r = 0; values && r < count; r++) {
		values[r] = LLVMBuildPhi(body->b, LLVMTypeOf(before[r]), "carried");
		LLVMAddIncoming(values[r], &before[r], &from, 1);
	}
	if (first == carry)
		free(before);
	return values;
}

/* Carries are yielded all at once: what is yielded may be another carry. */
static void end_carry(const program_scope *body, const layout_tile *carry,
	LLVMBasicBlockRef last)
{
	LLVMValueRef *next = body->values[carry->yield->number];
	LLVMValueRef *values = body->values[carry->number];

	for (unsigned r = 0; r < program_registers_of(body, carry); r++)
		LLVMAddIncoming(values[r], &next[r], &last, 1);
}

static LLVMValueRef merge(const program_scope *body, LLVMValueRef before,
	LLVMValueRef after, LLVMBasicBlockRef from[2])
{
	LLVMValueRef both[] = { before, after };
	LLVMValueRef phi = LLVMBuildPhi(body->b, LLVMTypeOf(after), "");

	LLVMAddIncoming(phi, both, from, 2);
	return phi;
}

/* Behind the steps: what a carry was before the first, or is after the last. */
static void leave_carry(const program_scope *body, const layout_tile *carry,
	LLVMBasicBlockRef from[2])
{
	LLVMValueRef *values = body->values[carry->number];

	for (unsigned r = 0; r < program_registers_of(body, carry); r++)
		values[r] = merge(body, LLVMGetIncomingValue(values[r], 0),
			LLVMGetIncomingValue(values[r], 1), from);
}

/* Steps behind those that are whole are few: what they test is not worth registers before
 * the loop. */
static void keep_inside(LLVMValueRef branch)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(branch));
	const char *hint = "llvm.licm.disable", *key = "llvm.loop";
	LLVMMetadataRef text = LLVMMDStringInContext2(llvm, hint, strlen(hint));
	LLVMMetadataRef own = LLVMTemporaryMDNode(llvm, NULL, 0);
	LLVMMetadataRef parts[] = { own, LLVMMDNodeInContext2(llvm, &text, 1) };
	LLVMMetadataRef loop = LLVMMDNodeInContext2(llvm, parts, 2);

	LLVMMetadataReplaceAllUsesWith(own, loop);
	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(llvm, key, (unsigned)strlen(key)),
		LLVMMetadataAsValue(llvm, loop));
}

/* The steps from the counter on to "end".  That is tested behind each of them, so that the
 * loop is one block, and before the first. */
static bool lower_steps(program_scope *body, struct loop *loop, LLVMValueRef end)
{
	const struct program_statement *of = loop->of;
	LLVMBasicBlockRef from[2] = { LLVMGetInsertBlock(body->b), NULL };
	LLVMBasicBlockRef inside = iteration_block(body->iteration, "step");
	LLVMBasicBlockRef after = iteration_block(body->iteration, "done");
	LLVMValueRef counter, next, again;
	bool rest = loop->begun, ok = true;

	body->before = from[0];
	LLVMBuildCondBr(body->b, LLVMBuildICmp(body->b, LLVMIntSLT, loop->counter, end, ""),
		inside, after);
	LLVMPositionBuilderAtEnd(body->b, inside);
	counter = LLVMBuildPhi(body->b, body->i32, "counter");
	body->vars[of->variable] = counter;
	for (unsigned i = 0; ok && i < of->carry_count; i++)
		ok = begin_carry(body, loop, of->carries[i], from[0]);
	body->read_local = true;
	if (!ok || !lower_body(body, &of->body))
		return false;
	next = LLVMBuildNUWAdd(body->b, counter, program_int(body->i32, 1), "next");
	from[1] = LLVMGetInsertBlock(body->b);
	LLVMAddIncoming(counter, (LLVMValueRef[]){ loop->counter, next }, from, 2);
	for (unsigned i = 0; i < of->carry_count; i++)
		end_carry(body, of->carries[i], from[1]);
	again = LLVMBuildCondBr(body->b, LLVMBuildICmp(body->b, LLVMIntSLT, next, end, ""),
		inside, after);
	if (rest)
		keep_inside(again);
	LLVMPositionBuilderAtEnd(body->b, after);
	loop->counter = merge(body, loop->counter, next, from);
	for (unsigned i = 0; i < of->carry_count; i++)
		leave_carry(body, of->carries[i], from);
	loop->begun = true;
	return true;
}

static bool is_access(const struct program_statement *statement)
{
	return statement->kind == STATEMENT_STORE ||
		(statement->kind == STATEMENT_TILE && statement->tile->op == TILE_LOAD);
}

/* As many steps as there are up to the first whose tiles are not all whole: an i32. */
static bool count_whole(program_scope *body, const struct loop *loop, LLVMValueRef *count)
{
	const struct program_body *statements = &loop->of->body;
	LLVMValueRef steps = LLVMBuildSExt(body->b, loop->extent, body->i64, "");
	bool ok = true;

	for (unsigned i = 0; ok && i < statements->count; i++)
		if (is_access(&statements->statements[i]))
			ok = program_whole_steps(body, &statements->statements[i], &steps);
	*count = LLVMBuildTrunc(body->b, steps, body->i32, "");
	return ok;
}

/* Does the loop have accesses, and no other loop? */
static bool can_be_whole(const struct program_body *statements)
{
	bool accesses = false;

	for (unsigned i = 0; i < statements->count; i++) {
		if (statements->statements[i].kind == STATEMENT_FOR)
			return false;
		accesses = accesses || is_access(&statements->statements[i]);
	}
	return accesses;
}

/* The steps up to the first whose tiles are not all whole: that one and those behind it are
 * another loop, which tests each access. */
static bool lower_whole(program_scope *body, struct loop *loop)
{
	LLVMValueRef count;
	bool ok;

	body->counter = (int)loop->of->variable;
	body->vars[body->counter] = loop->counter;
	ok = count_whole(body, loop, &count);
	body->whole = true;
	ok = ok && lower_steps(body, loop, count);
	body->whole = false;
	body->counter = -1;
	return ok;
}

/* for (counter = 0; counter < extent; counter++) */
static bool lower_for(program_scope *body, const struct program_statement *statement)
{
	const struct index *extent =
		body->plan->program->variables[statement->variable].extent.index;
	struct loop loop = { .of = statement, .counter = program_int(body->i32, 0),
		.extent = LLVMBuildTrunc(body->b, program_uniform(body, extent), body->i32,
			"") };
	bool whole = !body->whole && can_be_whole(&statement->body);

	if ((whole && !lower_whole(body, &loop)) || !lower_steps(body, &loop, loop.extent))
		return false;
	for (unsigned i = 0; i < statement->carry_count; i++) {
		const layout_tile *result = statement->results[i];
		LLVMValueRef *values = result ? program_make_values(body, result) : NULL;

		if (result && !values)
			return false;
		for (unsigned r = 0; values && r < program_registers_of(body, result); r++)
			values[r] = body->values[statement->carries[i]->number][r];
	}
	return true;
}

static LLVMValueRef lower_condition(const program_scope *body,
	const struct program_condition *condition)
{
	static const LLVMIntPredicate predicates[] = {
		[MAP_LT] = LLVMIntSLT, [MAP_LE] = LLVMIntSLE, [MAP_GT] = LLVMIntSGT,
		[MAP_GE] = LLVMIntSGE, [MAP_EQ] = LLVMIntEQ, [MAP_NE] = LLVMIntNE,
	};

	return LLVMBuildICmp(body->b, predicates[condition->op],
		program_uniform(body, condition->a.index),
		program_uniform(body, condition->b.index), "");
}

static bool lower_when(program_scope *body, const struct program_statement *when)
{
	LLVMValueRef holds = lower_condition(body, &when->conditions[0]);
	struct branch branch;
	bool whole = body->whole, ok;

	for (unsigned i = 1; i < when->condition_count; i++)
		holds = LLVMBuildAnd(body->b, holds,
			lower_condition(body, &when->conditions[i]), "");
	branch = branch_open(body->iteration, holds, "when");
	body->whole = false;
	ok = lower_body(body, &when->body);
	body->whole = whole;
	branch_close(body->iteration, &branch);
	return ok;
}

static bool lower_statement(program_scope *body, const struct program_statement *statement)
{
	switch (statement->kind) {
	case STATEMENT_TILE:
		return lower_tile(body, statement->tile);
	case STATEMENT_STORE:
		return program_lower_store(body, statement);
	case STATEMENT_FOR:
		return lower_for(body, statement);
	default:
		return lower_when(body, statement);
	}
}

static bool lower_body(program_scope *body, const struct program_body *statements)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < statements->count; i++)
		ok = lower_statement(body, &statements->statements[i]);
	return ok;
}

/* Sizes and the grid's coordinates are what the iteration has; the lane in its wave.  What is
 * computed of these is not computed before loops over the grid, which seldom turn. */
static void enter(program_scope *body)
{
	const layout_program *program = body->plan->program;
	unsigned known = program->size_count + program->grid_count;
	LLVMValueRef lane = body->iteration->scope.vars[known];
	const struct target_hooks *hooks = body->iteration->kernel->hooks;
	int64_t wave = body->plan->wave_size;
	bool loops = body->iteration->depth;

	if (loops)
		lane = hooks->await(body->b, lane);
	for (unsigned i = 0; i < known; i++) {
		body->vars[i] = body->iteration->scope.vars[i];
		if (loops && !LLVMIsConstant(body->vars[i]))
			body->vars[i] = hooks->pin(body->b, body->vars[i]);
	}
	body->hardware = (struct owner_hardware){
		.hooks = body->iteration->kernel->hooks, .wave_size = (unsigned)wave,
		.subgroups = body->plan->waves, .lane = lane,
		.subgroup = program_int(body->i32, 0) };
	if (body->plan->waves == 1)
		return;
	body->hardware.lane = LLVMBuildAnd(body->b, lane, program_int(body->i32, wave - 1),
		"");
	body->hardware.subgroup = body->hardware.hooks->uniform(body->b,
		LLVMBuildUDiv(body->b, lane, program_int(body->i32, wave), ""));
}

bool program_lower(layout_context *ctx, struct iteration *iteration)
{
	const struct program_plan *plan = iteration->kernel->plan->program;
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	program_scope body = { .ctx = ctx, .iteration = iteration, .plan = plan, .b = b, .counter = -1,
		.i8 = LLVMInt8TypeInContext(llvm), .i32 = LLVMInt32TypeInContext(llvm),
		.i64 = LLVMInt64TypeInContext(llvm),
		.vars = layout_alloc(ctx, plan->program->variable_count + OWNER_RANK,
			sizeof(LLVMValueRef)),
		.values = layout_alloc(ctx, plan->tile_count, sizeof(*body.values)) };
	bool ok = body.vars && body.values;

	if (ok) {
		iteration_open(iteration);
		enter(&body);
		body.read_local = iteration->depth;
		ok = lower_body(&body, &plan->program->body);
		iteration_close(iteration);
		LLVMBuildRetVoid(b);
	}
	for (unsigned i = 0; body.values && i < plan->tile_count; i++)
		free(body.values[i]);
	free(body.values);
	free(body.vars);
	return ok;
}
