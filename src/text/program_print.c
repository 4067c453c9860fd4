/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs as text, each value a statement of its own. */
#include "text/program.h"
#include "program/map.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const access_names[] = { "in", "out", "inout" };

static void print_dims(struct layout_buffer *out, const unsigned *dims, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%u", i ? ", " : "[", dims[i]);
	layout_buffer_printf(out, count ? "]" : "[]");
}

static void print_box(struct layout_buffer *out, const layout_tile *tile)
{
	text_print_integers(out, tile->box, tile->rank);
}

static void indent(struct layout_buffer *out, unsigned depth)
{
	layout_buffer_printf(out, "\n%*s", 2 * (int)depth, "");
}

/* One that was found is a text alone. */
static bool has_owner(const layout_tile *tile)
{
	return tile->owner || tile->like || tile->owner_text;
}

/* An owner as it was written or found, or as isl has it. */
static void print_owner(struct layout_buffer *out, const layout_tile *tile)
{
	char *text;

	if (!has_owner(tile))
		return;
	if (tile->owner_text) {
		layout_buffer_printf(out, " @ %s", tile->owner_text);
		return;
	}
	if (tile->like) {
		layout_buffer_printf(out, " @ like %s", tile->like->name);
		return;
	}
	text = layout_relation_str(tile->owner);
	if (text)
		layout_buffer_printf(out, " @ %s", text);
	else
		out->failed = true;
	layout_string_free(text);
}

static void print_type(struct layout_buffer *out, const layout_tile *tile)
{
	layout_buffer_printf(out, ": ");
	print_box(out, tile);
	layout_buffer_printf(out, " %s", tile->type->name);
	print_owner(out, tile);
}

static void print_place(struct layout_buffer *out, const layout_memory *memory,
	const struct program_place *place)
{
	layout_buffer_printf(out, "%s[", memory->name);
	for (unsigned d = 0; d < place->rank; d++)
		layout_buffer_printf(out, "%s%s", d ? ", " : "", place->gather[d] ?
			place->gather[d]->name : place->at[d].size.text);
	layout_buffer_printf(out, "]");
}

/* How tightly an operation binds its operands: comparisons, sums, products, the rest. */
static int level(const struct map_node *node)
{
	switch (node->op) {
	case MAP_LT: case MAP_LE: case MAP_GT: case MAP_GE: case MAP_EQ: case MAP_NE:
		return 0;
	case MAP_ADD: case MAP_SUB:
		return 1;
	case MAP_MUL: case MAP_DIV:
		return 2;
	default:
		return 3;
	}
}

static void print_map(struct layout_buffer *out, const layout_tile *tile,
	const struct map_node *node, int least);

/* An argument: a number takes its type from those beside it that have one. */
static void print_argument(struct layout_buffer *out, const layout_tile *tile,
	const struct map_node *node, unsigned which, int least)
{
	const struct map_node *arg = node->arg[which];
	bool typed = false;

	for (unsigned i = node->op == MAP_SELECT; i < node->arg_count; i++)
		typed = typed || (node->arg[i]->op != MAP_NUMBER && node->op != MAP_CAST);
	if (arg->op == MAP_NUMBER && typed)
		layout_buffer_printf(out, "%s", arg->text);
	else
		print_map(out, tile, arg, least);
}

static void print_call(struct layout_buffer *out, const layout_tile *tile,
	const struct map_node *node)
{
	const struct map_function *function = map_functions;

	while (function->name && function->op != node->op)
		function++;
	layout_buffer_printf(out, "%s(", function->name ? function->name :
		node->type->name);
	for (unsigned i = 0; i < node->arg_count; i++) {
		layout_buffer_printf(out, i ? ", " : "");
		print_argument(out, tile, node, i, 0);
	}
	layout_buffer_printf(out, ")");
}

static void print_operation(struct layout_buffer *out, const layout_tile *tile,
	const struct map_node *node, int least)
{
	bool nested = level(node) < least;

	layout_buffer_printf(out, nested ? "(" : "");
	print_argument(out, tile, node, 0, level(node) + !level(node));
	layout_buffer_printf(out, " %s ", map_operator(node->op));
	print_argument(out, tile, node, 1, level(node) + 1);
	layout_buffer_printf(out, nested ? ")" : "");
}

/* A number without another to take its type from says it. */
static void print_map(struct layout_buffer *out, const layout_tile *tile,
	const struct map_node *node, int least)
{
	switch (node->op) {
	case MAP_OPERAND:
		layout_buffer_printf(out, "%s", tile->operands[node->number]->name);
		break;
	case MAP_NUMBER:
		layout_buffer_printf(out, "%s(%s)", node->type->name, node->text);
		break;
	case MAP_INDEX:
		layout_buffer_printf(out, "%s",
			tile->program->variables[node->number].name);
		break;
	case MAP_NEG:
		layout_buffer_printf(out, "-");
		print_map(out, tile, node->arg[0], 3);
		break;
	default:
		if (map_operator(node->op))
			print_operation(out, tile, node, least);
		else
			print_call(out, tile, node);
	}
}

static void print_view(struct layout_buffer *out, const layout_tile *tile)
{
	const layout_tile *from = tile->operands[0];

	layout_buffer_printf(out, "view %s %s ", from->name,
		program_view_names[tile->view]);
	if (tile->elements) {
		layout_buffer_printf(out, "%s : ", tile->text);
		print_box(out, tile);
	} else if (tile->view == VIEW_BROADCAST)
		print_box(out, tile);
	else if (tile->view != VIEW_EXPAND)
		print_dims(out, tile->dims, tile->dim_count);
	else {
		layout_buffer_printf(out, "%u into ", tile->dims[0]);
		text_print_integers(out, tile->box + tile->dims[0],
			tile->rank - from->rank + 1);
	}
}

static void print_letters(struct layout_buffer *out, const layout_tile *tile,
	const unsigned *letters, unsigned count)
{
	layout_buffer_printf(out, "(");
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%s", i ? ", " : "",
			tile->letter_names[letters ? letters[i] : i]);
	layout_buffer_printf(out, ")");
}

static void print_contract(struct layout_buffer *out, const layout_tile *tile)
{
	layout_tile *const *of = tile->operands;

	layout_buffer_printf(out, "contract %s", of[0]->name);
	for (unsigned i = 1; i < 3; i++) {
		layout_buffer_printf(out, ", %s", of[i]->name);
		if (program_has_scales(tile))
			layout_buffer_printf(out, " * %s", of[i + 2]->name);
	}
	layout_buffer_printf(out, " : ");
	print_letters(out, tile, NULL, tile->letter_count);
	layout_buffer_printf(out, " -> ");
	print_letters(out, tile, tile->maps[0], of[1]->rank);
	layout_buffer_printf(out, ", ");
	print_letters(out, tile, tile->maps[1], of[2]->rank);
	layout_buffer_printf(out, ", ");
	print_letters(out, tile, tile->maps[2], of[0]->rank);
	if (tile->by)
		layout_buffer_printf(out, " by %s", tile->by);
}

static void print_reduce(struct layout_buffer *out, const layout_tile *tile)
{
	layout_buffer_printf(out, "reduce %s %s over ", program_reduce_names[tile->reduce],
		tile->operands[0]->name);
	print_dims(out, tile->dims, tile->dim_count);
	if (tile->keep)
		layout_buffer_printf(out, " keep");
	if (tile->sum_type)
		layout_buffer_printf(out, " in %s", tile->sum_type->name);
}

static void print_load(struct layout_buffer *out, const layout_tile *tile)
{
	layout_buffer_printf(out, tile->op == TILE_GET ? "get " : "load ");
	print_place(out, tile->memory, &tile->place);
	layout_buffer_printf(out, " : ");
	print_box(out, tile);
	print_owner(out, tile);
	if (tile->op == TILE_LOAD && tile->bits)
		layout_buffer_printf(out, " (pad = %s)", tile->text);
}

static void print_value(struct layout_buffer *out, const layout_tile *tile)
{
	switch (tile->op) {
	case TILE_FILL:
		layout_buffer_printf(out, "fill %s", tile->text);
		break;
	case TILE_INDEX:
		layout_buffer_printf(out, "index %u", tile->dims[0]);
		break;
	case TILE_LOAD:
	case TILE_GET:
		print_load(out, tile);
		break;
	case TILE_CONVERT:
		layout_buffer_printf(out, "convert %s", tile->operands[0]->name);
		print_owner(out, tile);
		break;
	case TILE_MAP:
		layout_buffer_printf(out, "map ");
		print_map(out, tile, tile->expression, 0);
		break;
	case TILE_VIEW:
		print_view(out, tile);
		break;
	case TILE_REDUCE:
		print_reduce(out, tile);
		break;
	case TILE_CONTRACT:
		print_contract(out, tile);
		break;
	case TILE_CARRY:
	case TILE_RESULT:
		break;
	}
}

/* The type is written where it says something that the value does not. */
static void print_tile(struct layout_buffer *out, const layout_tile *tile)
{
	bool says_owner = tile->op == TILE_LOAD || tile->op == TILE_GET ||
		tile->op == TILE_CONVERT;

	layout_buffer_printf(out, "%s", tile->name);
	if (tile->op == TILE_FILL || tile->op == TILE_INDEX || (has_owner(tile) && !says_owner))
		print_type(out, tile);
	layout_buffer_printf(out, " = ");
	print_value(out, tile);
}

static void print_body(struct layout_buffer *out, const layout_program *program,
	const struct program_body *body, unsigned depth);

static void print_for(struct layout_buffer *out, const layout_program *program,
	const struct program_statement *loop, unsigned depth)
{
	const struct program_variable *counter = &program->variables[loop->variable];

	layout_buffer_printf(out, "for %s in %s", counter->name, counter->extent.size.text);
	if (loop->stages > 1)
		layout_buffer_printf(out, " stages %u", loop->stages);
	for (unsigned i = 0; i < loop->carry_count; i++) {
		layout_buffer_printf(out, i ? ", %s" : " carry %s", loop->carries[i]->name);
		print_type(out, loop->carries[i]);
		layout_buffer_printf(out, " = %s", loop->carries[i]->operands[0]->name);
	}
	layout_buffer_printf(out, " {");
	print_body(out, program, &loop->body, depth + 1);
	for (unsigned i = 0; i < loop->carry_count; i++) {
		if (!i)
			indent(out, depth + 1);
		layout_buffer_printf(out, i ? ", %s" : "yield %s",
			loop->carries[i]->yield->name);
	}
	indent(out, depth);
	layout_buffer_printf(out, "}");
}

static void print_conditions(struct layout_buffer *out,
	const struct program_condition *conditions, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%s %s %s", i ? " and " : "",
			conditions[i].a.size.text, map_operator(conditions[i].op),
			conditions[i].b.size.text);
}

static void print_when(struct layout_buffer *out, const layout_program *program,
	const struct program_statement *when, unsigned depth)
{
	layout_buffer_printf(out, "when ");
	print_conditions(out, when->conditions, when->condition_count);
	layout_buffer_printf(out, " {");
	print_body(out, program, &when->body, depth + 1);
	indent(out, depth);
	layout_buffer_printf(out, "}");
}

/* Is the statement a copy as one writes it: one that has no owner, or none that matters? */
static bool is_copy(const struct program_body *body, unsigned i)
{
	return i < body->count && body->statements[i].copy &&
		(body->statements[i].tile->piece || !has_owner(body->statements[i].tile));
}

static void print_copy(struct layout_buffer *out, const struct program_statement *copy)
{
	static const char *const ways[] = { [LAYOUT_COPY_BEST] = "",
		[LAYOUT_COPY_DIRECT] = " by direct", [LAYOUT_COPY_REGISTERS] = " by registers" };

	layout_buffer_printf(out, "copy ");
	print_place(out, copy->tile->memory, &copy->tile->place);
	layout_buffer_printf(out, " -> %s%s", copy->memory->name, copy->tile->piece ?
		ways[LAYOUT_COPY_DIRECT] : ways[copy->way]);
}

static void print_put(struct layout_buffer *out, const struct program_statement *statement)
{
	layout_buffer_printf(out, "%s %s -> ", statement->kind == STATEMENT_PUT ? "put" :
		"store", statement->tile->name);
	print_place(out, statement->memory, &statement->place);
	layout_buffer_printf(out, statement->unique ? " (unique)" : "");
}

/* Which set a statement is done by, and how late, are the one of those before it, or come here:
 * the depth that it is printed at. */
static unsigned print_set(struct layout_buffer *out, const layout_program *program,
	const struct program_statement *last, const struct program_statement *next,
	unsigned depth)
{
	unsigned before = last ? program_statement_set(last) : 0;
	unsigned set = next ? program_statement_set(next) : 0;
	bool same = before == set && (!set || last->shift == next->shift);

	if (before && !same) {
		indent(out, depth);
		layout_buffer_printf(out, "}");
	}
	if (set && !same) {
		indent(out, depth);
		layout_buffer_printf(out, "on %s", program->sets[set - 1].name);
		if (next->shift)
			layout_buffer_printf(out, " shift %u", next->shift);
		layout_buffer_printf(out, " {");
	}
	return depth + (set > 0);
}

static void print_body(struct layout_buffer *out, const layout_program *program,
	const struct program_body *body, unsigned outside)
{
	const struct program_statement *last = NULL;

	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *statement = &body->statements[i];
		unsigned depth;

		if (is_copy(body, i + 1))
			continue;
		depth = print_set(out, program, last, statement, outside);
		last = statement;
		indent(out, depth);
		switch (statement->kind) {
		case STATEMENT_TILE:
			print_tile(out, statement->tile);
			break;
		case STATEMENT_STORE:
		case STATEMENT_PUT:
			if (is_copy(body, i))
				print_copy(out, statement);
			else
				print_put(out, statement);
			break;
		case STATEMENT_FOR:
			print_for(out, program, statement, depth);
			break;
		case STATEMENT_WHEN:
			print_when(out, program, statement, depth);
			break;
		}
	}
	print_set(out, program, last, NULL, outside);
}

/* The sizes behind so many of the others. */
static void print_sizes(struct layout_buffer *out, const layout_program *program, unsigned before,
	const char **comma)
{
	for (unsigned i = 0; i < program->size_count; i++) {
		if (program->variables[i].declared != before + 1)
			continue;
		layout_buffer_printf(out, "%s%s: size", *comma, program->variables[i].name);
		*comma = ", ";
	}
}

static void print_arguments(struct layout_buffer *out, const layout_program *program)
{
	const char *comma = "";

	for (unsigned i = 0; i < program->memory_count; i++) {
		const layout_memory *memory = program->memories[i];
		char *storage = layout_storage_str(memory->storage);

		if (!storage)
			out->failed = true;
		print_sizes(out, program, i, &comma);
		layout_buffer_printf(out, "%s%s: %s ", comma, memory->name,
			access_names[memory->access]);
		comma = ", ";
		if (memory->sight)
			text_print_sight(out, memory->sight, storage ? storage : "");
		else
			layout_buffer_printf(out, "%s", storage ? storage : "");
		layout_buffer_printf(out, " %s", memory->type->name);
		layout_string_free(storage);
	}
	print_sizes(out, program, program->memory_count, &comma);
}

static void print_sets(struct layout_buffer *out, const layout_program *program)
{
	for (unsigned i = 0; i < program->split_count; i++)
		layout_buffer_printf(out, "%s %s = %s", i ? "," : " split",
			program->splits[i].name, program->splits[i].text);
	for (unsigned i = 0; i < program->set_count; i++)
		layout_buffer_printf(out, "%s %s = %s", i ? "," : program->split_count ? " {" :
			" split {", program->sets[i].name, program->sets[i].text);
	layout_buffer_printf(out, program->set_count ? " }" : "");
}

static void print_head(struct layout_buffer *out, const layout_program *program)
{
	const struct program_variable *grid = program->variables + program->size_count;

	indent(out, 1);
	for (unsigned d = 0; d < program->grid_count; d++)
		layout_buffer_printf(out, d ? ", %s" : "grid (%s", grid[d].name);
	for (unsigned d = 0; d < program->grid_count; d++)
		layout_buffer_printf(out, d ? ", %s" : ") in (%s", grid[d].extent.size.text);
	layout_buffer_printf(out, program->order_text ? ") order %s" : ")", program->order_text);
	layout_buffer_printf(out, " workers %s in", program->workers_name);
	for (unsigned d = 0; d < program->workers_rank; d++)
		layout_buffer_printf(out, d ? " x %" PRId64 : " %" PRId64,
			program->workers[d]);
	print_sets(out, program);
	if (program->assumed_count) {
		indent(out, 1);
		layout_buffer_printf(out, "assume ");
		print_conditions(out, program->assumed, program->assumed_count);
	}
	for (unsigned i = 0; i < program->owner_count; i++) {
		indent(out, 1);
		layout_buffer_printf(out, "owner %s = %s", program->owners[i].name,
			program->owners[i].text);
	}
}

static void print_locals(struct layout_buffer *out, const layout_program *program)
{
	for (unsigned i = 0; i < program->local_count; i++) {
		const layout_memory *local = program->locals[i];
		char *place = local->searched ? NULL : layout_storage_str(local->storage);

		indent(out, 1);
		layout_buffer_printf(out, "lds %s: ", local->name);
		text_print_integers(out, local->box, local->rank);
		layout_buffer_printf(out, " %s", local->type->name);
		if (place)
			layout_buffer_printf(out, " @ %s", place);
		else
			out->failed = out->failed || !local->searched;
		layout_string_free(place);
	}
}

char *layout_program_str(layout_program *program)
{
	struct layout_buffer out = { 0 };

	if (!program)
		return NULL;
	if (!program->workers_rank || program->depth) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"the program is not complete");
		return NULL;
	}
	layout_buffer_printf(&out, "program %s(", program->name);
	print_arguments(&out, program);
	layout_buffer_printf(&out, ") {");
	print_head(&out, program);
	print_locals(&out, program);
	print_body(&out, program, &program->body, 1);
	layout_buffer_printf(&out, "\n}");
	return layout_buffer_take(program->ctx, &out);
}
