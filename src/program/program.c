/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/build.h"
#include "program/matmul.h"
#include "program/sight.h"

#include <stdlib.h>
#include <string.h>

layout_program *layout_program_new(layout_context *ctx, const char *name)
{
	layout_program *program;

	if (!layout_given(ctx, name, "name of the program"))
		return NULL;
	if (!build_name(ctx, name))
		return NULL;
	program = layout_alloc(ctx, 1, sizeof(*program));
	if (!program)
		return NULL;
	program->ctx = ctx;
	program->position = program->denied = -1;
	program->name = layout_strdup(ctx, name);
	if (program->name)
		return program;
	layout_program_free(program);
	return NULL;
}

layout_context *layout_program_context(layout_program *program)
{
	return program ? program->ctx : NULL;
}

void program_index_free(struct program_index *index)
{
	size_free(&index->size);
	index_free(index->index);
	*index = (struct program_index){ 0 };
}

void program_place_free(struct program_place *place)
{
	for (unsigned d = 0; d < place->rank; d++)
		program_index_free(&place->at[d]);
	place->rank = 0;
}

void map_node_free(struct map_node *node)
{
	if (!node)
		return;
	for (unsigned i = 0; i < node->arg_count; i++)
		map_node_free(node->arg[i]);
	free(node->text);
	free(node);
}

void program_tile_free(layout_tile *tile)
{
	if (!tile)
		return;
	for (unsigned i = 0; i < tile->letter_count; i++)
		free(tile->letter_names[i]);
	program_place_free(&tile->place);
	map_node_free(tile->expression);
	layout_relation_free(tile->owner);
	free(tile->owner_text);
	free(tile->name);
	free(tile->text);
	free(tile->by);
	free(tile->choice);
	free(tile->elements);
	free(tile);
}

static void program_workers_free(layout_program *program)
{
	for (unsigned i = 0; i < program->split_count; i++) {
		free(program->splits[i].name);
		free(program->splits[i].text);
	}
	for (unsigned i = 0; i < program->set_count; i++) {
		free(program->sets[i].name);
		free(program->sets[i].text);
	}
	free(program->workers_name);
}

void program_conditions_free(struct program_condition *conditions, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		program_index_free(&conditions[i].a);
		program_index_free(&conditions[i].b);
	}
}

static void free_body(struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		struct program_statement *statement = &body->statements[i];

		program_place_free(&statement->place);
		free(statement->choice);
		program_conditions_free(statement->conditions, statement->condition_count);
		free_body(&statement->body);
	}
	free(body->statements);
}

static void free_variables(layout_program *program)
{
	for (unsigned i = 0; i < program->variable_count; i++) {
		free(program->variables[i].name);
		program_index_free(&program->variables[i].extent);
	}
	free(program->variables);
	layout_relation_free(program->order);
	free(program->order_text);
}

static void free_memories(layout_memory **memories, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		layout_storage_free(memories[i]->storage);
		sight_free(memories[i]->sight);
		free(memories[i]->name);
		free(memories[i]);
	}
	free(memories);
}

void layout_program_free(layout_program *program)
{
	if (!program)
		return;
	free_body(&program->body);
	program_conditions_free(program->assumed, program->assumed_count);
	for (unsigned i = 0; i < program->tile_count; i++)
		program_tile_free(program->tiles[i]);
	free_memories(program->memories, program->memory_count);
	free_memories(program->locals, program->local_count);
	for (unsigned i = 0; i < program->owner_count; i++) {
		layout_relation_free(program->owners[i].relation);
		free(program->owners[i].name);
		free(program->owners[i].text);
	}
	matmul_free(program->matmul);
	free_variables(program);
	free(program->tiles);
	free(program->owners);
	program_workers_free(program);
	free(program->name);
	free(program);
}

int program_find_variable(const layout_program *program, const char *name)
{
	for (unsigned i = program->variable_count; i-- > 0;)
		if (!program->variables[i].closed &&
		    !strcmp(program->variables[i].name, name))
			return (int)i;
	return -1;
}

layout_tile *program_find_tile(const layout_program *program, const char *name)
{
	for (unsigned i = program->tile_count; i-- > 0;) {
		layout_tile *tile = program->tiles[i];

		if (!tile->hidden && !strcmp(tile->name, name))
			return tile;
	}
	return NULL;
}

layout_memory *program_find_memory(const layout_program *program, const char *name)
{
	for (unsigned i = 0; i < program->memory_count; i++)
		if (!strcmp(program->memories[i]->name, name))
			return program->memories[i];
	for (unsigned i = 0; i < program->local_count; i++)
		if (!strcmp(program->locals[i]->name, name))
			return program->locals[i];
	return NULL;
}

struct program_owner *program_find_owner(const layout_program *program, const char *name)
{
	for (unsigned i = 0; i < program->owner_count; i++)
		if (!strcmp(program->owners[i].name, name))
			return &program->owners[i];
	return NULL;
}

int64_t program_elements(const layout_tile *tile)
{
	int64_t count = 1;

	for (unsigned d = 0; d < tile->rank; d++)
		count *= tile->box[d];
	return count;
}

int64_t program_local_elements(const layout_memory *local)
{
	int64_t count = 1;

	for (unsigned d = 0; d < local->rank; d++)
		count *= local->box[d];
	return count;
}

layout_memory *layout_program_argument_at(layout_program *program, unsigned i)
{
	return program && i < program->memory_count ? program->memories[i] : NULL;
}

const char *layout_program_size_name(layout_program *program, unsigned i)
{
	return program && i < program->size_count ? program->variables[i].name : NULL;
}

const char *layout_memory_name(layout_memory *memory)
{
	return memory ? memory->name : NULL;
}

const char *layout_memory_type(layout_memory *memory)
{
	return memory ? memory->type->name : NULL;
}

unsigned layout_memory_bits(layout_memory *memory)
{
	return memory ? memory->type->bits : 0;
}

layout_access layout_memory_access(layout_memory *memory)
{
	return memory ? memory->access : LAYOUT_ACCESS_IN;
}

layout_storage *layout_memory_storage(layout_memory *memory)
{
	return memory ? memory->storage : NULL;
}

const char *layout_tile_name(layout_tile *tile)
{
	return tile ? tile->name : NULL;
}

unsigned layout_tile_rank(layout_tile *tile)
{
	return tile ? tile->rank : 0;
}

int64_t layout_tile_extent(layout_tile *tile, unsigned dim)
{
	return tile && dim < tile->rank ? tile->box[dim] : -1;
}

const char *layout_tile_type(layout_tile *tile)
{
	return tile ? tile->type->name : NULL;
}

static bool rename_tile(layout_tile *tile, const char *name)
{
	char *copy = layout_strdup(tile->program->ctx, name);

	if (!copy)
		return false;
	free(tile->name);
	tile->name = copy;
	tile->unnamed = false;
	return true;
}

/* What is loaded without a name, as copies are, leaves another tile the one that it got. */
static bool give_way(const layout_program *program, const char *name)
{
	layout_tile *other = program_find_tile(program, name);

	return !other || !other->unnamed || other->op != TILE_LOAD || build_name_tile(other);
}

/* Are both of one box?  With the error. */
static bool may_be_like(const layout_tile *tile, const layout_tile *other)
{
	bool same = tile->rank == other->rank;
	const char *why = tile->owner || tile->like ? "`%s` has an owner already" :
		tile->number <= other->number ? "`%s` is to be like a tile behind it" :
		"`%s` has another box than the tile it is to be like";

	for (unsigned d = 0; same && d < tile->rank; d++)
		same = tile->box[d] == other->box[d];
	if (same && !tile->owner && !tile->like && tile->number > other->number)
		return true;
	layout_fail(tile->program->ctx, LAYOUT_ERROR_INVALID, -1, why, tile->name);
	return false;
}

bool layout_tile_set_like(layout_tile *tile, layout_tile *other)
{
	if (!tile || !build_seen(tile->program, other) || !may_be_like(tile, other))
		return false;
	tile->like = other;
	return true;
}

/* Does a text have other plans with what begins so, a statement, a value, or what may be
 * behind one? */
static bool is_word(const char *name)
{
	static const char *const words[] = { "and", "assume", "by", "contract", "convert",
		"copy", "fill", "for", "get", "in", "index", "inf", "keep", "lds", "load",
		"map", "nan", "on", "owner", "put", "reduce", "split", "store", "view",
		"when", "yield" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i], name))
			return true;
	return false;
}

/* Has a loop or condition that was left a thing of that name, in sight of the tile? */
static bool is_used_inside(const layout_program *program, const layout_tile *tile,
	const char *name)
{
	const layout_tile *first = tile->op == TILE_RESULT ? tile->operands[0] : tile;

	for (unsigned i = first->number + 1; i < program->tile_count; i++)
		if (program->tiles[i]->hidden && !strcmp(program->tiles[i]->name, name))
			return true;
	for (unsigned i = 0; i < program->variable_count; i++)
		if (program->variables[i].closed &&
		    (first != tile || program->variables[i].tiles > tile->number) &&
		    !strcmp(program->variables[i].name, name))
			return true;
	return false;
}

/* A name that what is printed can be read by.  With the error. */
static bool may_be_named(const layout_program *program, const layout_tile *tile,
	const char *name)
{
	const char *why = is_word(name) ? "`%s` cannot be the name of a tile" :
		is_used_inside(program, tile, name) ?
		"a loop or condition behind the tile has `%s`" : NULL;

	if (why)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, why, name);
	return !why;
}

/* A carry and what it is behind its loop have one name. */
bool layout_tile_set_name(layout_tile *tile, const char *name)
{
	layout_program *program = tile ? tile->program : NULL;

	return program && build_seen(program, tile) &&
		layout_given(program->ctx, name, "name of the tile") &&
		(program_find_tile(program, name) == tile || (give_way(program, name) &&
		build_new_name(program, name))) && may_be_named(program, tile, name) &&
		rename_tile(tile, name) &&
		(tile->op != TILE_RESULT || rename_tile(tile->operands[0], name));
}
