/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The statements of a program in their order.  What a loop carries is a phi a register;
 * everything else has its value where it was made. */
#include "lower/program_lanes/program.h"

#include "lower/program_lanes/flow.h"
#include "lower/program_lanes/local.h"
#include "program/product.h"

#include <stdlib.h>

LLVMValueRef *program_make_values(program_scope *body, const layout_tile *tile)
{
	LLVMValueRef **values = &body->values[tile->number];

	free(*values);
	body->made[tile->number] = body->on;
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
	case TILE_GET:
		return program_lower_get(body, tile);
	case TILE_CONVERT:
		return program_lower_convert(body, tile);
	case TILE_MAP:
		return program_lower_map(body, tile);
	case TILE_REDUCE:
		return program_lower_reduce(body, tile);
	case TILE_CONTRACT:
		return tile->by && !product_is_declined(tile) ?
			program_lower_product(body, tile) :
			program_lower_contract(body, tile);
	default:
		return lower_view(body, tile);
	}
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
	ok = flow_body(body, &when->body);
	body->whole = whole;
	branch_close(body->iteration, &branch);
	return ok;
}

bool flow_statement(program_scope *body, const struct program_statement *statement)
{
	bool direct = body->direct && statement->tile && statement->tile->piece;

	program_lower_wait(body, statement);
	program_on(body, program_statement_set(statement));
	switch (statement->kind) {
	case STATEMENT_TILE:
		return direct || lower_tile(body, statement->tile);
	case STATEMENT_PUT:
		return (direct ? program_lower_direct : program_early_put)(body, statement);
	case STATEMENT_STORE:
		return program_lower_store(body, statement);
	case STATEMENT_FOR:
		return flow_for(body, statement);
	default:
		return lower_when(body, statement);
	}
}

bool flow_body(program_scope *body, const struct program_body *statements)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < statements->count; i++)
		ok = flow_statement(body, &statements->statements[i]);
	program_on(body, 0);
	return ok;
}

bool program_lower(layout_context *ctx, struct iteration *iteration)
{
	const struct program_plan *plan = iteration->kernel->plan->program;
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	program_scope body = { .ctx = ctx, .iteration = iteration, .plan = plan, .b = b, .counter = -1,
		.stage = -1, .i8 = LLVMInt8TypeInContext(llvm), .i32 = LLVMInt32TypeInContext(llvm),
		.i64 = LLVMInt64TypeInContext(llvm),
		.vars = layout_alloc(ctx, plan->program->variable_count + OWNER_RANK,
			sizeof(LLVMValueRef)),
		.opened = layout_alloc(ctx, plan->program->variable_count + 1,
			sizeof(LLVMValueRef)),
		.pointers = layout_alloc(ctx, plan->operand_count, sizeof(LLVMValueRef)),
		.values = layout_alloc(ctx, plan->tile_count, sizeof(*body.values)),
		.made = layout_alloc(ctx, plan->tile_count, sizeof(*body.made)) };
	bool ok = body.vars && body.opened && body.pointers && body.values && body.made;

	for (unsigned i = 0; ok && i < plan->operand_count; i++)
		body.pointers[i] = LLVMGetParam(iteration->function, i);

	ok = ok && program_local_begin(&body) && flow_ways(&body);
	for (unsigned i = 0; body.values && i < plan->tile_count; i++)
		free(body.values[i]);
	free(body.values);
	free(body.made);
	free(body.copies);
	free(body.opened);
	free(body.pointers);
	free(body.vars);
	return ok;
}
