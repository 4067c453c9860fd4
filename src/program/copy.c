/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/copy.h"
#include "program/sight.h"

#include <stdlib.h>
#include <string.h>

/* A copy under way; "ok" until memory ran out. */
struct copy {
	layout_context *ctx;
	const layout_program *from;
	layout_program *to;
	bool ok;
};

static void *copy_alloc(struct copy *c, size_t count, size_t size)
{
	void *memory = c->ok ? layout_alloc(c->ctx, count, size) : NULL;

	c->ok = memory;
	return memory;
}

static char *copy_text(struct copy *c, const char *text)
{
	char *copy = text && c->ok ? layout_strdup(c->ctx, text) : NULL;

	c->ok = c->ok && (copy || !text);
	return copy;
}

static struct program_index copy_index(struct copy *c, const struct program_index *index)
{
	return (struct program_index){
		.size = { .text = copy_text(c, index->size.text),
			.number = index->size.number, .value = index->size.value },
		.index = index->index ? index_copy(index->index) : NULL };
}

static struct program_condition copy_condition(struct copy *c,
	const struct program_condition *condition)
{
	return (struct program_condition){ condition->op, copy_index(c, &condition->a),
		copy_index(c, &condition->b) };
}

static layout_tile *same_tile(const struct copy *c, const layout_tile *tile)
{
	return tile ? c->to->tiles[tile->number] : NULL;
}

static layout_memory *same_memory(const struct copy *c, const layout_memory *memory)
{
	for (unsigned i = 0; memory && i < c->from->memory_count; i++)
		if (c->from->memories[i] == memory)
			return c->to->memories[i];
	for (unsigned i = 0; memory && i < c->from->local_count; i++)
		if (c->from->locals[i] == memory)
			return c->to->locals[i];
	return NULL;
}

static struct program_place copy_place(struct copy *c, const struct program_place *place)
{
	struct program_place copy = { .rank = place->rank, .inside = place->inside };

	for (unsigned d = 0; d < place->rank; d++) {
		copy.at[d] = copy_index(c, &place->at[d]);
		copy.gather[d] = same_tile(c, place->gather[d]);
	}
	return copy;
}

static struct map_node *copy_node(struct copy *c, const struct map_node *node)
{
	struct map_node *copy = copy_alloc(c, 1, sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *node;
	copy->text = copy_text(c, node->text);
	for (unsigned i = 0; i < node->arg_count; i++)
		copy->arg[i] = copy_node(c, node->arg[i]);
	return copy;
}

static uint32_t *copy_numbers(struct copy *c, const uint32_t *numbers, size_t count)
{
	uint32_t *copy = copy_alloc(c, count, sizeof(*copy));

	return copy ? memcpy(copy, numbers, count * sizeof(*copy)) : NULL;
}

/* Tiles are there before what points to them is set. */
static void copy_tile(struct copy *c, const layout_tile *tile)
{
	layout_tile *copy = same_tile(c, tile);

	*copy = *tile;
	copy->program = c->to;
	copy->owner = NULL;
	copy->like = NULL;
	copy->name = copy_text(c, tile->name);
	copy->owner_text = copy_text(c, tile->owner_text);
	copy->text = copy_text(c, tile->text);
	copy->by = copy_text(c, tile->by);
	copy->choice = copy_text(c, tile->choice);
	copy->elements = tile->elements ? copy_numbers(c, tile->elements,
		(size_t)program_elements(tile)) : NULL;
	copy->memory = same_memory(c, tile->memory);
	copy->place = copy_place(c, &tile->place);
	copy->yield = same_tile(c, tile->yield);
	copy->expression = tile->expression ? copy_node(c, tile->expression) : NULL;
	for (unsigned i = 0; i < tile->operand_count; i++)
		copy->operands[i] = same_tile(c, tile->operands[i]);
	for (unsigned i = 0; i < tile->letter_count; i++)
		copy->letter_names[i] = copy_text(c, tile->letter_names[i]);
}

static void copy_body(struct copy *c, struct program_body *to,
	const struct program_body *from);

static void copy_statement(struct copy *c, struct program_statement *to,
	const struct program_statement *from)
{
	*to = *from;
	to->body = (struct program_body){ 0 };
	to->choice = copy_text(c, from->choice);
	to->tile = same_tile(c, from->tile);
	to->memory = same_memory(c, from->memory);
	to->place = copy_place(c, &from->place);
	for (unsigned i = 0; i < from->carry_count; i++) {
		to->carries[i] = same_tile(c, from->carries[i]);
		to->results[i] = same_tile(c, from->results[i]);
	}
	for (unsigned i = 0; i < from->condition_count; i++)
		to->conditions[i] = copy_condition(c, &from->conditions[i]);
	copy_body(c, &to->body, &from->body);
}

static void copy_body(struct copy *c, struct program_body *to,
	const struct program_body *from)
{
	to->statements = copy_alloc(c, from->count, sizeof(*to->statements));
	for (unsigned i = 0; to->statements && i < from->count; i++) {
		to->count = i + 1;
		copy_statement(c, &to->statements[i], &from->statements[i]);
	}
}

static void copy_variables(struct copy *c)
{
	const layout_program *from = c->from;

	c->to->variables = copy_alloc(c, from->variable_count, sizeof(*c->to->variables));
	for (unsigned i = 0; c->to->variables && i < from->variable_count; i++) {
		c->to->variable_count = i + 1;
		c->to->variables[i] = from->variables[i];
		c->to->variables[i].name = copy_text(c, from->variables[i].name);
		c->to->variables[i].extent = copy_index(c, &from->variables[i].extent);
	}
}

/* Those of a list, of which "count" says how many there are by now. */
static layout_memory **copy_memories(struct copy *c, layout_memory *const *from,
	unsigned from_count, unsigned *count)
{
	layout_memory **to = copy_alloc(c, from_count, sizeof(*to));

	for (unsigned i = 0; to && i < from_count; i++) {
		layout_memory *copy = copy_alloc(c, 1, sizeof(*copy));

		if (!copy)
			return to;
		*copy = *from[i];
		copy->program = c->to;
		copy->storage = NULL;
		copy->sight = copy->sight && c->ok ? sight_copy(c->ctx, copy->sight) : NULL;
		c->ok = c->ok && (copy->sight || !from[i]->sight);
		copy->name = copy_text(c, copy->name);
		to[i] = copy;
		*count = i + 1;
	}
	return to;
}

static void copy_tiles(struct copy *c)
{
	const layout_program *from = c->from;

	c->to->tiles = copy_alloc(c, from->tile_count, sizeof(layout_tile *));
	for (unsigned i = 0; c->ok && i < from->tile_count; i++) {
		c->to->tiles[i] = copy_alloc(c, 1, sizeof(layout_tile));
		c->to->tile_count = i + (c->to->tiles[i] != NULL);
	}
	for (unsigned i = 0; c->ok && i < from->tile_count; i++)
		copy_tile(c, from->tiles[i]);
}

static void copy_workers(struct copy *c)
{
	const layout_program *from = c->from;

	memcpy(c->to->workers, from->workers, sizeof(from->workers));
	c->to->workers_name = copy_text(c, from->workers_name);
	for (unsigned i = 0; i < from->split_count; i++)
		c->to->splits[c->to->split_count++] = (struct program_split){
			copy_text(c, from->splits[i].name), copy_text(c, from->splits[i].text),
			from->splits[i].value };
	for (unsigned i = 0; i < from->set_count; i++) {
		struct program_workers *set = &c->to->sets[c->to->set_count++];

		*set = from->sets[i];
		set->name = copy_text(c, set->name);
		set->text = copy_text(c, set->text);
	}
}

layout_program *program_copy_plain(layout_context *ctx, const layout_program *program)
{
	struct copy c = { ctx, program, layout_alloc(ctx, 1, sizeof(layout_program)), true };

	if (!c.to)
		return NULL;
	*c.to = (layout_program){ .size_count = program->size_count,
		.grid_count = program->grid_count,
		.workers_rank = program->workers_rank };
	c.to->name = copy_text(&c, program->name);
	c.to->order_text = copy_text(&c, program->order_text);
	copy_workers(&c);
	c.to->memories = copy_memories(&c, program->memories, program->memory_count,
		&c.to->memory_count);
	c.to->locals = copy_memories(&c, program->locals, program->local_count,
		&c.to->local_count);
	copy_variables(&c);
	copy_tiles(&c);
	for (unsigned i = 0; c.ok && i < program->assumed_count; i++) {
		c.to->assumed[i] = copy_condition(&c, &program->assumed[i]);
		c.to->assumed_count = i + 1;
	}
	if (c.ok)
		copy_body(&c, &c.to->body, &program->body);
	if (c.ok)
		return c.to;
	layout_program_free(c.to);
	return NULL;
}
