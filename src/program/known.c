/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/known.h"

static void enter_variable(struct known *known, const struct program_variable *variable)
{
	known->variables[known->variable_count++] = (struct access_variable){
		variable->name, &variable->extent.size };
}

/* a OP b as isl has it: greater is less the other way round. */
static void enter_condition(struct known *known, const struct program_condition *of)
{
	bool turned = of->op == MAP_GT || of->op == MAP_GE;

	known->conditions[known->condition_count++] = (struct access_condition){
		of->op == MAP_LT || of->op == MAP_GT ? ACCESS_LESS :
		of->op == MAP_LE || of->op == MAP_GE ? ACCESS_AT_MOST :
		of->op == MAP_EQ ? ACCESS_EQUAL : ACCESS_OTHER,
		turned ? &of->b.size : &of->a.size, turned ? &of->a.size : &of->b.size };
}

void known_begin(struct known *known, const layout_program *program)
{
	*known = (struct known){ 0 };
	for (unsigned d = 0; d < program->grid_count; d++)
		enter_variable(known, &program->variables[program->size_count + d]);
	for (unsigned i = 0; i < program->assumed_count; i++)
		enter_condition(known, &program->assumed[i]);
}

bool known_enter(struct known *known, const layout_program *program,
	const struct program_statement *statement)
{
	if (statement->kind == STATEMENT_FOR)
		enter_variable(known, &program->variables[statement->variable]);
	if (known->condition_count + statement->condition_count > KNOWN_CONDITIONS)
		return false;
	for (unsigned i = 0; i < statement->condition_count; i++)
		enter_condition(known, &statement->conditions[i]);
	return true;
}

struct access known_access(const struct known *known, const layout_memory *memory,
	const struct program_place *place, const layout_tile *tile, const struct size **at)
{
	for (unsigned d = 0; d < place->rank; d++)
		at[d] = place->gather[d] ? NULL : &place->at[d].size;
	return (struct access){ memory->storage, known->variable_count, known->condition_count,
		known->variables, known->conditions, tile->box, at };
}

static void find_inside(const struct known *known, const layout_memory *memory,
	struct program_place *place, const layout_tile *tile)
{
	const struct size *at[PROGRAM_RANK];
	struct access access = known_access(known, memory, place, tile, at);

	if (!memory->local && !memory->sight)
		place->inside = access_inside(memory->storage->ctx, &access);
}

static void find_in(struct known *known, layout_program *program, struct program_body *body);

static void find_at(struct known *known, layout_program *program, struct program_statement *of)
{
	unsigned variables = known->variable_count, conditions = known->condition_count;
	struct access nowhere = { NULL, variables, conditions, known->variables,
		known->conditions, NULL, NULL };

	if (of->kind == STATEMENT_TILE && of->tile->op == TILE_LOAD)
		find_inside(known, of->tile->memory, &of->tile->place, of->tile);
	else if (of->kind == STATEMENT_STORE)
		find_inside(known, of->memory, &of->place, of->tile);
	else if (of->kind == STATEMENT_FOR)
		of->even = access_divides(program->ctx, &nowhere,
			&program->variables[of->variable].extent.size, 2);
	if (known_enter(known, program, of))
		find_in(known, program, &of->body);
	known->variable_count = variables;
	known->condition_count = conditions;
}

static void find_in(struct known *known, layout_program *program, struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++)
		find_at(known, program, &body->statements[i]);
}

void known_find(layout_program *program)
{
	struct known known;

	if (!program->assumed_count)
		return;
	known_begin(&known, program);
	find_in(&known, program, &program->body);
}
