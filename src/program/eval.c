/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The meaning of a program: for each workgroup its statements in order, each on whole
 * tiles. */
#include "program/eval.h"

#include <stdlib.h>
#include <string.h>

#define WORK_LIMIT 0x1p33	/* operations on elements */

static bool holds(const struct eval *eval, const struct program_condition *conditions,
	unsigned count, bool *yes)
{
	*yes = true;
	for (unsigned i = 0; i < count && *yes; i++) {
		const struct program_condition *condition = &conditions[i];
		const struct element_type i64 = { .name = "i64", .bits = 64, .kind = 'i' };
		int64_t a, b;
		uint64_t sides[3] = { 0 };

		if (!eval_index(eval, &condition->a, &a) ||
		    !eval_index(eval, &condition->b, &b))
			return false;
		sides[0] = (uint64_t)a;
		sides[1] = (uint64_t)b;
		*yes = eval_apply(condition->op, &i64, sides);
	}
	return true;
}

static void copy_tile(const struct eval *eval, const layout_tile *to,
	const layout_tile *from)
{
	memmove(eval->tiles[to->number], eval->tiles[from->number],
		(size_t)program_elements(to) * sizeof(uint64_t));
}

/* The carries' next values, all at once: what is yielded may be another carry.  Results
 * lend their memory. */
static void step_carries(const struct eval *eval,
	const struct program_statement *statement)
{
	for (unsigned i = 0; i < statement->carry_count; i++)
		copy_tile(eval, statement->results[i], statement->carries[i]->yield);
	for (unsigned i = 0; i < statement->carry_count; i++)
		copy_tile(eval, statement->carries[i], statement->results[i]);
}

static bool run(struct eval *eval, const struct program_body *body);

static bool run_loop(struct eval *eval, const struct program_statement *statement)
{
	const struct program_variable *variable =
		&eval->program->variables[statement->variable];
	int64_t *counter = &eval->vars[statement->variable], count;

	if (!eval_index(eval, &variable->extent, &count))
		return false;
	for (unsigned i = 0; i < statement->carry_count; i++) {
		copy_tile(eval, statement->carries[i],
			statement->carries[i]->operands[0]);
		copy_tile(eval, statement->results[i], statement->carries[i]);
	}
	for (*counter = 0; *counter < count; ++*counter) {
		if (!run(eval, &statement->body))
			return false;
		step_carries(eval, statement);
	}
	return true;
}

static bool run_statement(struct eval *eval, const struct program_statement *statement)
{
	bool yes;

	switch (statement->kind) {
	case STATEMENT_TILE:
		return eval_tile(eval, statement->tile);
	case STATEMENT_STORE:
	case STATEMENT_PUT:
		return eval_store(eval, statement);
	case STATEMENT_FOR:
		return run_loop(eval, statement);
	case STATEMENT_WHEN:
		return holds(eval, statement->conditions,
			statement->condition_count, &yes) &&
			(!yes || run(eval, &statement->body));
	}
	return true;
}

static bool run(struct eval *eval, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++)
		if (!run_statement(eval, &body->statements[i]))
			return false;
	return true;
}

/* How many elements a tile makes or goes through. */
static double tile_work(const layout_tile *tile)
{
	double work = (double)program_elements(tile);

	if (tile->op == TILE_REDUCE)
		work = (double)program_elements(tile->operands[0]);
	for (unsigned i = 0; tile->op == TILE_CONTRACT && i < tile->letter_count; i++)
		work = (i ? work : 1) * (double)tile->letters[i];
	return work;
}

/* The work of a body where its loops count up to what they say for the variables' values;
 * what is under a condition is done. */
static bool body_work(struct eval *eval, const struct program_body *body, double *work)
{
	*work = 0;
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *statement = &body->statements[i];
		double inner = 0;
		int64_t count = 1;

		if (statement->tile)
			inner = tile_work(statement->tile);
		else if (!body_work(eval, &statement->body, &inner))
			return false;
		if (statement->kind == STATEMENT_FOR && !eval_index(eval,
			&eval->program->variables[statement->variable].extent, &count))
			return false;
		*work += inner * (double)(count > 0 ? count : 0);
	}
	return true;
}

/* Set the grid's coordinates to those of workgroup "number" of the grid. */
static void place_workgroup(struct eval *eval, const int64_t *grid, int64_t number)
{
	const layout_program *program = eval->program;

	for (unsigned i = program->grid_count; i-- > 0; number /= grid[i])
		eval->vars[program->size_count + i] = number % grid[i];
}

/* As many workgroups; an estimate of the work by the first one and the last one is within
 * the limit. */
static bool find_grid(struct eval *eval, int64_t *grid, int64_t *workgroups)
{
	const layout_program *program = eval->program;
	double all = 1, first = 0, last = 0;

	*workgroups = 1;
	for (unsigned i = 0; i < program->grid_count; i++) {
		if (!eval_index(eval, &program->variables[program->size_count + i].extent,
			&grid[i]))
			return false;
		grid[i] = grid[i] > 0 ? grid[i] : 0;
		all *= (double)grid[i];
	}
	for (unsigned i = 0; all < WORK_LIMIT && i < program->grid_count; i++)
		*workgroups *= grid[i];
	if (all == 0)
		return true;
	if (!body_work(eval, &program->body, &first))
		return false;
	if (all < WORK_LIMIT)
		place_workgroup(eval, grid, *workgroups - 1);
	if (!body_work(eval, &program->body, &last))
		return false;
	all *= first > last ? first : last;
	if (all <= WORK_LIMIT)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_QUOTA, -1, "point by point, the program %s "
		"takes about %.3g operations on elements: more than %.3g", program->name,
		all, WORK_LIMIT);
	return false;
}

static bool run_grid(struct eval *eval)
{
	int64_t grid[PROGRAM_RANK] = { 0 }, workgroups;

	if (!find_grid(eval, grid, &workgroups))
		return false;
	for (int64_t number = 0; number < workgroups; number++) {
		place_workgroup(eval, grid, number);
		if (!run(eval, &eval->program->body))
			return false;
	}
	return true;
}

static bool find_sizes(struct eval *eval, const layout_size *sizes, unsigned count)
{
	const layout_program *program = eval->program;

	if (!layout_given_sizes(program->ctx, sizes, count))
		return false;
	for (unsigned i = 0; i < program->size_count; i++) {
		const char *name = program->variables[i].name;
		unsigned k = 0;

		while (k < count && strcmp(sizes[k].name, name) != 0)
			k++;
		if (k == count || sizes[k].value < 0 || sizes[k].value > INT32_MAX) {
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, k == count ?
				"the size %s has no value" : sizes[k].value < 0 ?
				"the size %s is negative" : "the size %s is 2^31 or more",
				name);
			return false;
		}
		eval->vars[i] = sizes[k].value;
	}
	return true;
}

static bool check_assumed(const struct eval *eval)
{
	const layout_program *program = eval->program;
	bool yes;

	if (!holds(eval, program->assumed, program->assumed_count, &yes))
		return false;
	if (!yes)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"the sizes are not what the program assumes");
	return yes;
}

static bool make_tiles(struct eval *eval)
{
	const layout_program *program = eval->program;

	for (unsigned i = 0; i < program->tile_count; i++) {
		eval->tiles[i] = layout_alloc(program->ctx,
			(size_t)program_elements(program->tiles[i]), sizeof(uint64_t));
		if (!eval->tiles[i])
			return false;
	}
	return true;
}

/* An object in the LDS; what workgroups before have left there is never got. */
static bool make_local(struct eval_memory *to, const layout_memory *local)
{
	layout_context *ctx = local->program->ctx;
	int64_t bytes = layout_storage_bytes(local->storage, local->type->name, NULL, 0);

	to->memory = local;
	to->base = bytes < 0 ? NULL : layout_alloc(ctx, (size_t)bytes, 1);
	return to->base && eval_memory_place(to, local->storage, NULL, 0);
}

static bool eval_begin(struct eval *eval, const layout_size *sizes, unsigned size_count,
	const layout_buffer_argument *buffers, unsigned buffer_count)
{
	const layout_program *program = eval->program;
	bool ok;

	eval->vars = layout_alloc(program->ctx, program->variable_count,
		sizeof(*eval->vars));
	eval->memories = layout_alloc(program->ctx, program->memory_count +
		program->local_count, sizeof(*eval->memories));
	eval->tiles = layout_alloc(program->ctx, program->tile_count,
		sizeof(*eval->tiles));
	ok = eval->vars && eval->memories && eval->tiles &&
		find_sizes(eval, sizes, size_count) && check_assumed(eval);
	for (unsigned i = 0; ok && i < program->memory_count; i++)
		ok = eval_memory_find(&eval->memories[i], program->memories[i], sizes,
			size_count, buffers, buffer_count);
	for (unsigned i = 0; ok && i < program->local_count; i++)
		ok = make_local(&eval->memories[program->memory_count + i],
			program->locals[i]);
	return ok && make_tiles(eval);
}

static void eval_end(struct eval *eval)
{
	for (unsigned i = 0; eval->tiles && i < eval->program->tile_count; i++)
		free(eval->tiles[i]);
	for (unsigned i = 0; eval->memories && i < eval->program->local_count; i++)
		free(eval->memories[eval->program->memory_count + i].base);
	for (unsigned i = 0; eval->memories && i < eval->program->memory_count; i++)
		free(eval->memories[i].once);
	free(eval->tiles);
	free(eval->memories);
	free(eval->vars);
}

bool layout_program_eval(layout_program *program, const layout_size *sizes,
	unsigned size_count, const layout_buffer_argument *buffers, unsigned buffer_count)
{
	struct eval eval = { .program = program };
	bool ok;

	if (!program || !layout_given(program->ctx, buffers || !buffer_count,
		"list of buffers"))
		return false;
	ok = eval_begin(&eval, sizes, size_count, buffers, buffer_count) &&
		run_grid(&eval);
	eval_end(&eval);
	return ok;
}
