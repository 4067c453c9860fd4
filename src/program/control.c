/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops and conditions. */
#include "program/build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = sizeof(((layout_program *)0)->open) / sizeof(struct program_body *) };

/* What is open innermost is done by a set, and no statement of its own. */
static bool is_on(const layout_program *program)
{
	return program->on && program->on_depth == program->depth;
}

/* The statement that is open, innermost. */
static struct program_statement *opened(const layout_program *program)
{
	struct program_body *outer = program->depth > 1 ? program->open[program->depth - 2] :
		(struct program_body *)&program->body;

	return program->depth && !is_on(program) ? &outer->statements[outer->count - 1] : NULL;
}

static bool check_depth(layout_program *program)
{
	if (program->depth < MOST_DEPTH)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"loops and conditions are nested more than %d deep", (int)MOST_DEPTH);
	return false;
}

/* Statements go into this one from now on. */
static void open_body(layout_program *program, struct program_statement *statement)
{
	program->open[program->depth++] = &statement->body;
}

static bool check_stages(layout_program *program, unsigned stages)
{
	if (stages >= 1 && stages <= PROGRAM_STAGES)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "a loop has 1 to %d stages, not %u",
		PROGRAM_STAGES, stages);
	return false;
}

bool layout_program_for(layout_program *program, const char *counter, const char *count,
	unsigned stages)
{
	struct program_statement *statement;
	struct program_index extent;
	int variable;

	if (!build_begun(program) || !check_depth(program) || !check_stages(program, stages) ||
	    !layout_given(program->ctx, counter, "counter") ||
	    !build_new_name(program, counter) ||
	    !build_count(program, count, &extent))
		return false;
	variable = build_variable(program, counter, VARIABLE_LOOP, &extent);
	program_index_free(&extent);
	if (variable < 0)
		return false;
	statement = build_statement(program, STATEMENT_FOR);
	if (!statement)
		return false;
	statement->variable = (unsigned)variable;
	statement->stages = stages;
	open_body(program, statement);
	return true;
}

/* What is carried begins as something in front of the loop. */
static bool check_first(layout_program *program, const struct program_statement *loop,
	const layout_tile *first)
{
	if (first->number < program->variables[loop->variable].tiles)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
		"`%s` is of the loop itself: a carry begins as a tile in front of it",
		first->name);
	return false;
}

/* Who uses a carry holds what it begins as, unless others do. */
static bool can_begin(layout_tile *carry, const layout_tile *first)
{
	if (!carry->loose)
		return build_can_hold(first, carry->workers);
	carry->workers = first->workers;
	carry->loose = first->loose;
	return true;
}

layout_tile *layout_program_carry(layout_program *program, layout_tile *first,
	layout_relation *owner)
{
	struct program_statement *loop = NULL;
	layout_tile *tile = NULL;

	if (build_seen(program, first))
		loop = opened(program);
	if (loop && loop->kind == STATEMENT_FOR && loop->carry_count < PROGRAM_OPERANDS)
		tile = build_tile(program, TILE_CARRY, first->box, first->rank,
			first->type);
	else if (program && first)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "a carry begins in a "
			"loop, which has at most %d", PROGRAM_OPERANDS);
	if (tile && (!check_first(program, loop, first) || !build_owner(tile, owner) ||
	    !can_begin(tile, first))) {
		program_tile_free(tile);
		tile = NULL;
	}
	if (tile) {
		tile->operand_count = 1;
		tile->operands[0] = first;
		tile->owner = owner;
		owner = NULL;
		tile = build_keep(program, tile);
	}
	if (tile && !tile->loose)
		build_hold(first, tile->workers);
	layout_relation_free(owner);
	return tile ? loop->carries[loop->carry_count++] = tile : NULL;
}

/* What was made in there cannot be seen any more. */
static void hide(const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++)
		if (body->statements[i].kind == STATEMENT_TILE)
			body->statements[i].tile->hidden = true;
		else
			for (unsigned k = 0; k < body->statements[i].carry_count; k++)
				body->statements[i].results[k]->hidden = true;
}

/* A carry is of the waves that yield it. */
static unsigned set_of(const layout_tile *carry, const layout_tile *value)
{
	return carry->loose && !value->loose ? value->workers : carry->workers;
}

static bool check_yield(layout_program *program, const layout_tile *carry,
	const layout_tile *value)
{
	if (!build_seen(program, value))
		return false;
	if (value->type != carry->type || value->rank != carry->rank ||
	    memcmp(value->box, carry->box, carry->rank * sizeof(*carry->box)) != 0) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` is carried, `%s` yielded: box or type differ", carry->name,
			value->name);
		return false;
	}
	return build_can_hold(carry, set_of(carry, value)) &&
		build_can_hold(value, set_of(carry, value));
}

/* What a carry is behind its loop, by its name, which is free by then. */
static layout_tile *add_result(layout_program *program, layout_tile *carry)
{
	layout_tile *tile = build_tile(program, TILE_RESULT, carry->box, carry->rank,
		carry->type);
	char *name = layout_strdup(program->ctx, carry->name);

	if (tile) {
		tile->operand_count = 1;
		tile->operands[0] = carry;
		tile->workers = carry->workers;
		tile = build_keep(program, tile);
	}
	if (!tile || !name) {
		free(name);
		return NULL;
	}
	free(tile->name);
	tile->name = name;
	return tile;
}

static bool close_loop(layout_program *program, struct program_statement *loop,
	layout_tile *const *yields, unsigned count)
{
	if (count != loop->carry_count) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"the loop carries %u values, %u are yielded", loop->carry_count,
			count);
		return false;
	}
	for (unsigned i = 0; i < count; i++)
		if (!layout_given(program->ctx, yields && yields[i], "yielded value") ||
		    !check_yield(program, loop->carries[i], yields[i]))
			return false;
	/* a value may be yielded for two carries, and then is of one set */
	for (unsigned i = 0; i < count; i++) {
		unsigned set = set_of(loop->carries[i], yields[i]);

		build_hold(loop->carries[i], set);
		build_hold(yields[i], set);
		if (!check_yield(program, loop->carries[i], yields[i]))
			return false;
	}
	for (unsigned i = 0; i < count; i++) {
		loop->carries[i]->yield = yields[i];
		loop->carries[i]->hidden = true;
		loop->results[i] = add_result(program, loop->carries[i]);
		if (!loop->results[i])
			return false;
	}
	program->variables[loop->variable].closed = true;
	return true;
}

static bool yields_nothing(layout_program *program, const char *what, unsigned count)
{
	if (count)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "%s yields nothing", what);
	return !count;
}

/* What was made there can be seen on the same set. */
static bool leave_set(layout_program *program, unsigned count)
{
	if (!yields_nothing(program, "what a set of workers does", count))
		return false;
	program->depth--;
	program->on = program->shift = 0;
	return true;
}

/* The number of a set that can be on; 0 with the error. */
static unsigned find_set(layout_program *program, const char *name)
{
	unsigned set = program_find_workers(program, name);

	if (!set)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no set of workers `%s`", name);
	else if (program->on == set)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` is on already", name);
	else if (program->on)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"of the waves of `%s`, which are on, none is of `%s`",
			program->sets[program->on - 1].name, name);
	return program->on ? 0 : set;
}

bool layout_program_on(layout_program *program, const char *name, unsigned shift)
{
	unsigned set;

	if (!build_begun(program) || !check_depth(program) ||
	    !layout_given(program->ctx, name, "set of workers") ||
	    !build_shift(program->ctx, shift))
		return false;
	set = find_set(program, name);
	if (!set)
		return false;
	program->open[program->depth] = program->depth ? program->open[program->depth - 1] :
		&program->body;
	program->on_depth = ++program->depth;
	program->on = set;
	program->shift = shift;
	return true;
}

bool layout_program_end(layout_program *program, layout_tile *const *yields,
	unsigned count)
{
	struct program_statement *statement;

	if (program && is_on(program))
		return leave_set(program, count);
	statement = program ? opened(program) : NULL;
	if (program && !statement)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no loop or condition to end");
	if (!statement)
		return false;
	if (statement->kind == STATEMENT_FOR &&
	    !close_loop(program, statement, yields, count))
		return false;
	if (statement->kind == STATEMENT_WHEN && !yields_nothing(program, "a condition", count))
		return false;
	hide(&statement->body);
	program->depth--;
	return true;
}

layout_tile *layout_program_result(layout_program *program, layout_tile *carry)
{
	for (unsigned i = 0; program && carry && i < program->tile_count; i++)
		if (program->tiles[i]->op == TILE_RESULT &&
		    program->tiles[i]->operands[0] == carry)
			return program->tiles[i];
	if (program && carry)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` is no carry of a loop that has ended", carry->name);
	return NULL;
}

bool build_when(layout_program *program, const struct program_condition *conditions,
	unsigned count)
{
	struct program_statement *statement = build_begun(program) && check_depth(program) ?
		build_statement(program, STATEMENT_WHEN) : NULL;

	if (!statement)
		return false;
	memcpy(statement->conditions, conditions, count * sizeof(*conditions));
	statement->condition_count = count;
	open_body(program, statement);
	return true;
}

layout_tile *build_close_loops(layout_program *program, layout_tile *value, unsigned loops)
{
	for (; value && loops; loops--) {
		layout_tile *carry;

		if (!layout_program_end(program, &value, 1))
			return NULL;
		carry = program->tiles[program->tile_count - 1]->operands[0];
		value = layout_program_result(program, carry);
	}
	return value;
}
