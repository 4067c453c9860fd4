/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/build.h"
#include "program/sight.h"
#include "algebra/size/index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool build_name(layout_context *ctx, const char *name)
{
	if (*name && layout_is_plain_name(name, strlen(name)))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "`%s` cannot be a name here", name);
	return false;
}

static bool find_split(const layout_program *program, const char *name)
{
	unsigned i = 0;

	while (i < program->split_count && strcmp(program->splits[i].name, name))
		i++;
	return i < program->split_count;
}

bool build_new_name(const layout_program *program, const char *name)
{
	const layout_memory *memory = program_find_memory(program, name);
	const char *what = program_find_tile(program, name) ? "tile" :
		memory ? memory->local ? "object" : "argument" :
		program_find_owner(program, name) ? "owner" :
		program_find_variable(program, name) >= 0 ? "size or coordinate" :
		(program->workers_name && !strcmp(program->workers_name, name)) ||
		program_find_workers(program, name) ? "set of workers" :
		find_split(program, name) ? "split" : NULL;

	if (what)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is %s %s `%s` already", *what == 'a' || *what == 'o' ?
			"an" : "a", what, name);
	return !what && build_name(program->ctx, name);
}

void *build_grow(layout_context *ctx, void *list, unsigned count, size_t size)
{
	void *grown = list;

	if ((count & (count - 1)) == 0)
		grown = realloc(list, (count ? 2 * (size_t)count : 1) * size);
	if (!grown)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return grown;
}

bool build_seen(const layout_program *program, const layout_tile *tile)
{
	if (!program || !tile)
		return false;
	if (tile->program == program && !tile->hidden)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, tile->hidden ?
		"a tile of a loop or condition that was left" :
		"a tile of another program");
	return false;
}

bool build_given(const layout_program *program, const layout_tile *tile)
{
	return build_seen(program, tile) && build_can_hold(tile, program->on);
}

static void hold_indices(const struct program_place *place, unsigned set)
{
	for (unsigned d = 0; d < place->rank; d++)
		if (place->gather[d])
			build_hold(place->gather[d], set);
}

bool build_begun(const layout_program *program)
{
	if (!program)
		return false;
	if (program->workers_rank)
		return build_check_workers(program);
	layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
		"the program has no workers yet: the head comes before statements");
	return false;
}

int build_variable(layout_program *program, const char *name,
	enum program_variable_kind kind, struct program_index *extent)
{
	struct program_variable *grown;
	struct program_variable variable = { .kind = kind, .most = INT32_MAX,
		.tiles = program->tile_count,
		.name = layout_strdup(program->ctx, name) };

	grown = variable.name ? build_grow(program->ctx, program->variables,
		program->variable_count, sizeof(*grown)) : NULL;
	if (extent && grown) {
		variable.extent = *extent;
		*extent = (struct program_index){ 0 };
	}
	if (!grown) {
		free(variable.name);
		return -1;
	}
	program->variables = grown;
	grown[program->variable_count] = variable;
	return (int)program->variable_count++;
}

/* The most that a variable is, where the sizes are within their bounds. */
static int64_t most_of(const struct program_variable *variable)
{
	int64_t most = variable->kind == VARIABLE_SIZE ? variable->most : INT32_MAX;

	if (variable->kind != VARIABLE_SIZE && variable->extent.index->max <= most)
		most = variable->extent.index->max - 1;
	return most < 0 ? 0 : most;
}

/* The variables of these names that can be seen, with their bounds. */
static bool find_scope(const layout_program *program, const struct size_names *names,
	struct index **values)
{
	for (unsigned i = 0; i < names->count; i++) {
		int number = program_find_variable(program, names->names[i]);

		if (number < 0) {
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
				"`%s` is no size, coordinate or counter here",
				names->names[i]);
			return false;
		}
		values[i] = index_var((unsigned)number, program->variables[number].least,
			most_of(&program->variables[number]));
		if (!layout_is_made(program->ctx, values[i]))
			return false;
	}
	return true;
}

/* No value is beyond what code computes with; sizes and counters are below 2^31. */
static bool check_range(layout_context *ctx, const struct index *index, const char *text)
{
	const int64_t most = (int64_t)1 << 61;

	if (index->min >= -most && index->max <= most)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "`%s` may be beyond 2^61", text);
	return false;
}

bool program_index_read(layout_program *program, const char *text,
	struct program_index *index)
{
	struct size_names names = { 0 };
	struct index **values = NULL;

	*index = (struct program_index){ 0 };
	if (!layout_given(program->ctx, text, "index"))
		return false;
	if (size_read(program->ctx, &names, text, &index->size))
		values = layout_alloc(program->ctx, names.count, sizeof(struct index *));
	if (values && find_scope(program, &names, values))
		index->index = size_index(program->ctx, &index->size, names.count,
			(const char *const *)names.names, values);
	index_list_free(values, values ? names.count : 0);
	size_names_free(&names);
	if (index->index && check_range(program->ctx, index->index, text))
		return true;
	program_index_free(index);
	return false;
}

bool build_count(layout_program *program, const char *text, struct program_index *count)
{
	if (!program_index_read(program, text, count))
		return false;
	if (count->index->max >= 0)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
		"a count is at least 0, not `%s`", text);
	program_index_free(count);
	return false;
}

bool build_box(layout_context *ctx, const int64_t *box, unsigned rank)
{
	int64_t count = 1;

	if (!layout_given(ctx, box || !rank, "box"))
		return false;
	if (rank > PROGRAM_RANK) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tile has at most %d dimensions, not %u", PROGRAM_RANK, rank);
		return false;
	}
	for (unsigned d = 0; d < rank; d++) {
		if (box[d] < 1 || box[d] > PROGRAM_BOX / count) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the box: its extents "
				"are at least 1 and it has at most %d elements; dimension "
				"%u is %" PRId64, PROGRAM_BOX, d, box[d]);
			return false;
		}
		count *= box[d];
	}
	return true;
}

layout_tile *build_tile(layout_program *program, enum tile_op op, const int64_t *box,
	unsigned rank, const struct element_type *type)
{
	layout_tile *tile;

	if (!type || !build_begun(program) || !build_box(program->ctx, box, rank))
		return NULL;
	tile = layout_alloc(program->ctx, 1, sizeof(*tile));
	if (!tile)
		return NULL;
	tile->program = program;
	tile->op = op;
	tile->rank = rank;
	tile->type = type;
	tile->position = program->position;
	tile->workers = program->on;
	tile->loose = !program->on && (op == TILE_FILL || op == TILE_INDEX || op == TILE_CARRY);
	if (rank)
		memcpy(tile->box, box, rank * sizeof(*box));
	return tile;
}

bool build_name_tile(layout_tile *tile)
{
	layout_program *program = tile->program;
	unsigned number = program->tile_count;
	char name[16], *copy;

	do
		snprintf(name, sizeof(name), "_%u", number++);
	while (program_find_tile(program, name) || program_find_memory(program, name) ||
	       program_find_owner(program, name) ||
	       program_find_variable(program, name) >= 0);
	copy = layout_strdup(program->ctx, name);
	if (!copy)
		return false;
	free(tile->name);
	tile->name = copy;
	tile->unnamed = true;
	return true;
}

layout_tile *build_keep(layout_program *program, layout_tile *tile)
{
	layout_tile **grown = tile ? build_grow(program->ctx, program->tiles,
		program->tile_count, sizeof(*grown)) : NULL;

	if (grown) {
		program->tiles = grown;
		if (build_name_tile(tile)) {
			tile->number = program->tile_count++;
			return grown[tile->number] = tile;
		}
	}
	program_tile_free(tile);
	return NULL;
}

struct program_statement *build_statement(layout_program *program,
	enum statement_kind kind)
{
	struct program_body *body = program->depth ? program->open[program->depth - 1] :
		&program->body;
	struct program_statement *grown;

	if (program->statement_count == PROGRAM_STATEMENTS) {
		layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a program has at most %d statements", PROGRAM_STATEMENTS);
		return NULL;
	}
	grown = build_grow(program->ctx, body->statements, body->count, sizeof(*grown));
	if (!grown)
		return NULL;
	body->statements = grown;
	grown += body->count++;
	program->statement_count++;
	*grown = (struct program_statement){ .kind = kind, .position = program->position,
		.shift = program->shift };
	return grown;
}

layout_memory *build_memory(layout_program *program, const char *name, const char *type)
{
	layout_memory *memory = layout_alloc(program->ctx, 1, sizeof(*memory));

	if (!memory)
		return NULL;
	memory->program = program;
	memory->position = -1;
	memory->name = layout_strdup(program->ctx, name);
	memory->type = element_type_find(program->ctx, type);
	if (memory->name && memory->type)
		return memory;
	free(memory->name);
	free(memory);
	return NULL;
}

struct program_statement *build_write(layout_program *program, enum statement_kind kind,
	layout_tile *tile, layout_memory *to, struct program_place *place)
{
	struct program_statement *statement;

	if (to->type != tile->type)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` has %s, `%s` has %s: a cast is missing", tile->name,
			tile->type->name, to->name, to->type->name);
	else if ((statement = build_statement(program, kind))) {
		build_hold(tile, program->on);
		hold_indices(place, program->on);
		statement->tile = tile;
		statement->memory = to;
		statement->place = *place;
		return statement;
	}
	program_place_free(place);
	return NULL;
}

bool build_owner(const layout_tile *tile, layout_relation *owner)
{
	layout_context *ctx = tile->program->ctx;
	unsigned rank = owner ? layout_relation_out_rank(owner) : tile->rank;

	if (owner && layout_relation_context(owner) != ctx) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "an owner of another context");
		return false;
	}
	if (rank != tile->rank)
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the owner is of rank %u, the box of rank %u", rank, tile->rank);
	return rank == tile->rank;
}

layout_tile *build_add(layout_program *program, layout_tile *tile,
	layout_relation *owner)
{
	struct program_statement *statement = NULL;

	if (tile && build_owner(tile, owner)) {
		tile->owner = owner;
		owner = NULL;
		tile = build_keep(program, tile);
		statement = tile ? build_statement(program, STATEMENT_TILE) : NULL;
		if (!tile || !statement)
			return NULL;
		for (unsigned i = 0; i < tile->operand_count; i++)
			build_hold(tile->operands[i], tile->workers);
		hold_indices(&tile->place, tile->workers);
		statement->tile = tile;
		return tile;
	}
	layout_relation_free(owner);
	program_tile_free(tile);
	return NULL;
}

void build_drop(layout_program *program, layout_tile *tile)
{
	struct program_body *body = program->depth ? program->open[program->depth - 1] :
		&program->body;

	body->count--;
	program->statement_count--;
	program->tile_count--;
	program_tile_free(tile);
}

/* A coordinate that tiles of indices give, of the box of the access. */
static bool gather(const layout_tile *index, const layout_tile *tile)
{
	layout_context *ctx = tile->program->ctx;

	if (!build_given(tile->program, index))
		return false;
	if (strcmp(index->type->name, "i32")) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"a gather takes indices of i32, `%s` has %s", index->name,
			index->type->name);
		return false;
	}
	if (index->rank > tile->rank) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "the indices `%s` have more dimensions "
			"than the box of the access", index->name);
		return false;
	}
	for (unsigned i = 0; i < index->rank; i++) {
		int64_t has = index->box[index->rank - 1 - i], box = tile->box[tile->rank - 1 - i];

		if (has == 1 || has == box)
			continue;
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "the indices `%s` have %" PRId64 " in "
			"dimension %u, where the box of the access has %" PRId64 ": 1 or as many",
			index->name, has, index->rank - 1 - i, box);
		return false;
	}
	return true;
}

static bool refuse_gather(const layout_program *program, const layout_memory *memory)
{
	layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"`%s` is seen through a map: nothing is gathered from it", memory->name);
	return false;
}

bool build_place(layout_program *program, layout_memory *memory, const char *const *at,
	const layout_tile *tile, struct program_place *place)
{
	unsigned rank;

	*place = (struct program_place){ 0 };
	if (!memory || memory->program != program) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"an access needs an argument of the program");
		return false;
	}
	rank = program_memory_rank(memory);
	if (!layout_given(program->ctx, at || !rank, "position"))
		return false;
	if (rank != tile->rank) {
		layout_fail(program->ctx, LAYOUT_ERROR_SPACE, -1, "`%s` has %u dimensions, "
			"the box %u", memory->name, rank, tile->rank);
		return false;
	}
	for (unsigned d = 0; d < rank; d++) {
		layout_tile *index = at[d] ? program_find_tile(program, at[d]) : NULL;
		bool good = index ? !memory->sight ? gather(index, tile) :
			refuse_gather(program, memory) :
			program_index_read(program, at[d], &place->at[d]);

		place->rank = d + 1;
		place->gather[d] = index;
		if (!good) {
			program_place_free(place);
			return false;
		}
	}
	return true;
}
