/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The head of a program: arguments, grid, what is assumed. */
#include "program/build.h"
#include "program/known.h"
#include "isl_bridge/relation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 32 };

bool build_open(const layout_program *program, bool grid)
{
	if (program && !(grid && program->grid_count) && !program->workers_rank)
		return true;
	if (program)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "the head of a program "
			"has its arguments, then its grid, then its workers");
	return false;
}

/* Sizes and arguments may share their names, as in B[B, K, N]: what a memory is called
 * stands where no number can. */
static bool new_size(const layout_program *program, const char *name)
{
	return program_find_memory(program, name) ? build_name(program->ctx, name) :
		build_new_name(program, name);
}

static bool new_argument(const layout_program *program, const char *name)
{
	return program_find_variable(program, name) >= 0 &&
		!program_find_memory(program, name) ? build_name(program->ctx, name) :
		build_new_name(program, name);
}

/* Names that are new become sizes. */
static bool add_sizes(layout_program *program, char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (program_find_variable(program, names[i]) >= 0)
			continue;
		if (!new_size(program, names[i]) ||
		    build_variable(program, names[i], VARIABLE_SIZE, NULL) < 0)
			return false;
		program->size_count++;
	}
	return true;
}

bool layout_program_size(layout_program *program, const char *name)
{
	char *names[] = { (char *)(uintptr_t)name };
	int before;

	if (!build_open(program, true) || !layout_given(program->ctx, name, "name of the size"))
		return false;
	before = program_find_variable(program, name);
	if (!add_sizes(program, names, 1))
		return false;
	if (before < 0)
		program->variables[program->variable_count - 1].declared = program->memory_count + 1;
	return true;
}

static bool check_argument(layout_program *program, const char *name,
	layout_storage *storage, const char *type)
{
	layout_context *ctx = program->ctx;

	if (!layout_given(ctx, name, "name of the argument") ||
	    !layout_given(ctx, type, "type of the argument") ||
	    !new_argument(program, name))
		return false;
	if (layout_storage_context(storage) != ctx) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "a storage of another context");
		return false;
	}
	if (program->memory_count == MOST_ARGUMENTS)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a program has at most %d arguments", MOST_ARGUMENTS);
	return program->memory_count < MOST_ARGUMENTS;
}

layout_memory *layout_program_argument(layout_program *program, const char *name,
	layout_storage *storage, const char *type, layout_access access)
{
	layout_memory *memory = NULL, **grown = NULL;

	if (storage && build_open(program, true) &&
	    check_argument(program, name, storage, type))
		memory = build_memory(program, name, type);
	if (memory)
		grown = build_grow(program->ctx, program->memories,
			program->memory_count, sizeof(*grown));
	if (grown)
		program->memories = grown;
	if (grown && add_sizes(program, storage->names, storage->name_count)) {
		memory->access = access;
		memory->storage = storage;
		return grown[program->memory_count++] = memory;
	}
	if (memory)
		free(memory->name);
	free(memory);
	layout_storage_free(storage);
	return NULL;
}

/* The names in a count are sizes. */
static bool add_count(layout_program *program, const char *text)
{
	struct size_names names = { 0 };
	bool good = layout_given(program->ctx, text, "count of workgroups") &&
		size_names_scan(program->ctx, &names, text) &&
		add_sizes(program, names.names, names.count);

	size_names_free(&names);
	return good;
}

bool layout_program_grid(layout_program *program, const char *const *names,
	const char *const *counts, unsigned rank)
{
	if (!build_open(program, true) ||
	    !layout_given(program->ctx, names && counts && rank, "grid"))
		return false;
	if (rank > PROGRAM_RANK) {
		layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a grid has at most %d dimensions", PROGRAM_RANK);
		return false;
	}
	for (unsigned d = 0; d < rank; d++)
		if (!add_count(program, counts[d]))
			return false;
	for (unsigned d = 0; d < rank; d++) {
		struct program_index count;
		bool good = layout_given(program->ctx, names[d], "name of a coordinate") &&
			build_new_name(program, names[d]) &&
			build_count(program, counts[d], &count);

		if (!good)
			return false;
		good = build_variable(program, names[d], VARIABLE_GRID, &count) >= 0;
		program_index_free(&count);
		if (!good)
			return false;
		program->grid_count++;
	}
	return true;
}

/* The sizes that an order names are the program's. */
static bool check_sizes(const layout_program *program, layout_relation *order)
{
	for (unsigned i = 0; i < layout_relation_param_count(order); i++) {
		const char *name = layout_relation_param_name(order, i);
		int number = program_find_variable(program, name);

		if (number >= 0 && program->variables[number].kind == VARIABLE_SIZE)
			continue;
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` is no size of the program", name);
		return false;
	}
	return true;
}

static bool check_order(const layout_program *program, layout_relation *order)
{
	if (!program->grid_count || program->order) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "a grid has one order");
		return false;
	}
	if (layout_relation_in_rank(order) == program->grid_count &&
	    layout_relation_out_rank(order) == program->grid_count)
		return check_sizes(program, order);
	layout_fail(program->ctx, LAYOUT_ERROR_SPACE, -1, "the order is of rank %u -> %u, the grid "
		"has %u coordinates", layout_relation_in_rank(order),
		layout_relation_out_rank(order), program->grid_count);
	return false;
}

bool layout_program_order(layout_program *program, layout_relation *order, const char *text)
{
	char *printed = NULL;

	if (!build_open(program, false) || !order || !check_order(program, order)) {
		layout_relation_free(order);
		return false;
	}
	printed = text ? layout_strdup(program->ctx, text) : layout_relation_str(order);
	if (!printed) {
		layout_relation_free(order);
		return false;
	}
	program->order = order;
	program->order_text = printed;
	program->order_position = program->position;
	return true;
}

static bool check_assumed(layout_program *program, unsigned count)
{
	if (program->assumed_count + count <= PROGRAM_OPERANDS)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"a program assumes at most %d things", PROGRAM_OPERANDS);
	return false;
}

static bool is_of_sizes(const layout_program *program, const struct index *index)
{
	if (index->op == INDEX_VAR && index->var >= program->size_count) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` is no size: only sizes are known at a launch",
			program->variables[index->var].name);
		return false;
	}
	for (unsigned i = 0; i < index->arg_count; i++)
		if (!is_of_sizes(program, index->arg[i]))
			return false;
	return true;
}

/* Indices that were read before know the sizes' bounds. */
static bool renew_grid(layout_program *program)
{
	for (unsigned d = 0; d < program->grid_count; d++) {
		struct program_index *extent =
			&program->variables[program->size_count + d].extent, again;

		if (!program_index_read(program, extent->size.text, &again))
			return false;
		program_index_free(extent);
		*extent = again;
	}
	return true;
}

static bool find_bounds(layout_program *program)
{
	struct known known;

	known_begin(&known, program);
	for (unsigned i = 0; i < program->size_count; i++)
		access_bounds(program->ctx, known.condition_count, known.conditions,
			program->variables[i].name, &program->variables[i].least,
			&program->variables[i].most);
	return renew_grid(program);
}

bool build_assume(layout_program *program, const struct program_condition *conditions,
	unsigned count)
{
	if (!build_begun(program) || !check_assumed(program, count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!is_of_sizes(program, conditions[i].a.index) ||
		    !is_of_sizes(program, conditions[i].b.index))
			return false;
	memcpy(program->assumed + program->assumed_count, conditions,
		count * sizeof(*conditions));
	program->assumed_count += count;
	if (find_bounds(program))
		return true;
	program->assumed_count -= count;
	return false;
}
