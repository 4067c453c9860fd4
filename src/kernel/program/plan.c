/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/plan.h"
#include "kernel/program/choose.h"
#include "algebra/size/index.h"
#include "algebra/visit/function.h"
#include "program/build.h"
#include "program/bytes.h"
#include "program/copy.h"
#include "program/epochs.h"
#include "program/known.h"
#include "program/owners.h"
#include "program/sight.h"
#include "program/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plan under way; "values" are the sizes, within what a launch allows. */
struct builder {
	layout_context *ctx;
	layout_program *given;
	const struct plan_target *target;
	struct plan *plan;
	const char **names;
	struct index **values;
};

void program_plan_free(struct program_plan *plan)
{
	if (!plan)
		return;
	for (unsigned i = 0; plan->memories && i < plan->program->memory_count +
	     plan->program->local_count; i++)
		storage_access_free(&plan->memories[i]);
	for (unsigned i = 0; plan->conversions && i < plan->tile_count; i++)
		layout_conversion_plan_free(plan->conversions[i]);
	for (unsigned i = 0; plan->owners && i < plan->tile_count; i++)
		owner_free(plan->owners[i]);
	for (unsigned i = 0; plan->seen && i < plan->tile_count; i++) {
		owner_free(plan->seen[i].owner);
		program_place_free(&plan->seen[i].place);
	}
	free(plan->seen);
	for (unsigned i = 0; plan->accesses && i < plan->access_count; i++)
		local_access_free(&plan->accesses[i]);
	for (unsigned i = 0; plan->locals && i < plan->program->local_count; i++) {
		free(plan->locals[i].offsets);
		layout_string_free(plan->locals[i].place);
	}
	index_list_free(plan->order, plan->order ? plan->program->grid_count : 0);
	free(plan->accesses);
	free(plan->scratch);
	free(plan->locals);
	free(plan->conversions);
	layout_program_free(plan->program);
	free(plan->memories);
	free(plan->owners);
	layout_texts_free(plan->storages, plan->operand_count);
	free(plan->text);
	free(plan->choice);
	free(plan);
}

static bool build_sizes(struct builder *b)
{
	unsigned count = b->given->size_count;

	b->names = layout_alloc(b->ctx, count, sizeof(*b->names));
	b->values = layout_alloc(b->ctx, count, sizeof(*b->values));
	for (unsigned i = 0; b->names && b->values && i < count; i++) {
		b->names[i] = b->given->variables[i].name;
		b->values[i] = index_var(i, b->given->variables[i].least,
			b->given->variables[i].most);
		if (!b->values[i])
			return false;
	}
	b->plan->size_names = b->names && b->values ?
		layout_texts_copy(b->ctx, b->names, count) : NULL;
	b->plan->size_count = b->plan->size_names ? count : 0;
	return b->plan->size_names;
}

/* 0 <= value < 2^31, once for each text. */
static bool require(struct builder *b, struct index *value, const char *text)
{
	struct plan *plan = b->plan;
	struct layout_buffer out = { 0 };
	char *words;

	layout_buffer_printf(&out, "0 <= %s < 2147483648", text);
	words = layout_buffer_take(b->ctx, &out);
	for (unsigned i = 0; words && i < plan->requirement_count; i++)
		if (!strcmp(plan->requirements[i], words)) {
			free(words);
			index_free(value);
			return true;
		}
	if (words)
		plan->requirements[plan->requirement_count++] = words;
	plan->valid = index_binary(INDEX_AND, plan->valid, index_binary(INDEX_AND,
		index_binary(INDEX_GE, index_copy(value), index_int(0)),
		index_binary(INDEX_LE, value, index_int(INT32_MAX))));
	return words && plan->valid;
}

/* Of sizes that may be anything. */
static bool require_size(struct builder *b, const struct size *size)
{
	unsigned count = b->given->size_count;
	struct index **any = layout_alloc(b->ctx, count, sizeof(*any));
	struct index *value = NULL;

	for (unsigned i = 0; any && i < count; i++)
		any[i] = index_var(i, INT64_MIN, INT64_MAX);
	if (any)
		value = size_index(b->ctx, size, count, b->names, any);
	index_list_free(any, any ? count : 0);
	return value && require(b, value, size->text);
}

static struct index *compare(const struct program_condition *condition)
{
	static const enum index_op ops[] = { [MAP_LT] = INDEX_LT, [MAP_LE] = INDEX_LE,
		[MAP_GT] = INDEX_GT, [MAP_GE] = INDEX_GE, [MAP_EQ] = INDEX_EQ,
		[MAP_NE] = INDEX_EQ };
	struct index *holds = index_binary(ops[condition->op],
		index_copy(condition->a.index), index_copy(condition->b.index));

	return condition->op == MAP_NE ? index_binary(INDEX_EQ, holds, index_int(0)) : holds;
}

/* What is assumed of the sizes. */
static bool build_assumed(struct builder *b)
{
	static const char *const signs[] = { [MAP_LT] = "<", [MAP_LE] = "<=", [MAP_GT] = ">",
		[MAP_GE] = ">=", [MAP_EQ] = "=", [MAP_NE] = "!=" };
	struct plan *plan = b->plan;
	bool ok = true;

	for (unsigned i = 0; ok && i < b->given->assumed_count; i++) {
		const struct program_condition *assumed = &b->given->assumed[i];
		struct layout_buffer out = { 0 };
		char *words;

		layout_buffer_printf(&out, "%s %s %s", assumed->a.size.text,
			signs[assumed->op], assumed->b.size.text);
		words = layout_buffer_take(b->ctx, &out);
		if (words)
			plan->requirements[plan->requirement_count++] = words;
		plan->valid = index_binary(INDEX_AND, plan->valid, compare(assumed));
		ok = words && plan->valid;
	}
	return ok;
}

/* Every size, every extent of a memory and of the grid. */
static bool build_valid(struct builder *b)
{
	const layout_program *given = b->given;
	struct plan *plan = b->plan;
	unsigned most = given->size_count + given->grid_count + given->assumed_count;
	bool ok;

	for (unsigned i = 0; i < given->memory_count; i++)
		most += 2 + given->memories[i]->storage->rank;
	plan->requirements = layout_alloc(b->ctx, most, sizeof(char *));
	plan->valid = index_int(1);
	ok = plan->requirements && plan->valid;
	for (unsigned i = 0; ok && i < given->size_count; i++)
		ok = require(b, index_var(i, INT64_MIN, INT64_MAX), b->names[i]);
	for (unsigned i = 0; ok && i < given->memory_count; i++)
		for (unsigned d = 0; ok && d < given->memories[i]->storage->rank; d++)
			ok = given->memories[i]->storage->sizes[d].number ||
				require_size(b, &given->memories[i]->storage->sizes[d]);
	for (unsigned i = 0; ok && i < given->grid_count; i++) {
		const struct program_variable *grid =
			&given->variables[given->size_count + i];

		ok = grid->extent.size.number || require_size(b, &grid->extent.size);
	}
	return ok && build_assumed(b);
}

/* Where lanes store less than bytes, rows begin with one. */
static bool add_rows(struct builder *b, unsigned i)
{
	const layout_memory *memory = b->given->memories[i];
	struct plan *plan = b->plan;
	struct layout_buffer out = { 0 };
	struct index *rows;
	char *words;

	if (!b->target->lanes || memory->access == LAYOUT_ACCESS_IN ||
	    memory->type->bits % 8 == 0)
		return true;
	rows = program_rows_are_bytes(&plan->program->memories[i], memory->type);
	if (index_is(rows, 0)) {
		layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, memory->position,
			"a store of %s is of whole bytes: rows of `%s` share some",
			memory->type->name, memory->name);
		index_free(rows);
		return false;
	}
	plan->valid = index_binary(INDEX_AND, plan->valid, rows);
	layout_buffer_printf(&out, "rows of %s are whole bytes", memory->name);
	words = layout_buffer_take(b->ctx, &out);
	if (words)
		plan->requirements[plan->requirement_count++] = words;
	return words && plan->valid;
}

static bool print_storage(struct builder *b, unsigned i)
{
	layout_relation *relation = layout_storage_relation(b->given->memories[i]->storage);

	b->plan->program->storages[i] = layout_relation_str(relation);
	layout_relation_free(relation);
	return b->plan->program->storages[i];
}

static bool build_operands(struct builder *b)
{
	static const char *const roles[] = { "in", "out", "inout" };
	struct program_plan *program = b->plan->program;
	struct plan *plan = b->plan;
	unsigned count = b->given->memory_count;
	bool ok;

	plan->operands = layout_alloc(b->ctx, count, sizeof(*plan->operands));
	program->memories = layout_alloc(b->ctx, count + b->given->local_count,
		sizeof(*program->memories));
	program->storages = layout_alloc(b->ctx, count, sizeof(char *));
	ok = plan->operands && program->memories && program->storages;
	plan->operand_count = program->operand_count = ok ? count : 0;
	for (unsigned i = 0; ok && i < count; i++) {
		const layout_memory *memory = program->program->memories[i];
		struct storage_access *access = &program->memories[i];

		ok = storage_access_build(access, b->given->memories[i]->storage,
			b->given->size_count, b->names, b->values,
			b->given->variable_count);
		plan->operands[i] = (struct plan_operand){ .name = memory->name,
			.type = memory->type->name, .role = roles[memory->access],
			.read = memory->access != LAYOUT_ACCESS_OUT,
			.written = memory->access != LAYOUT_ACCESS_IN,
			.elements = access->elements, .bits = memory->type->bits };
		ok = ok && plan_add_strides(plan, &plan->operands[i],
				b->given->memories[i]->storage, access->apart) &&
			add_rows(b, i) && print_storage(b, i);
	}
	for (unsigned i = 0; ok && i < b->given->local_count; i++)
		ok = storage_access_build(&program->memories[count + i],
			b->given->locals[i]->storage, b->given->size_count, b->names,
			b->values, b->given->variable_count);
	return ok;
}

/* The last coordinate is fastest; the first of more than three share an axis. */
static enum visit_level grid_level(const struct builder *b, unsigned i)
{
	unsigned behind = b->given->grid_count - 1 - i;

	if (!b->target->lanes)
		return VISIT_LOOP;
	return behind == 0 ? VISIT_GRID_X : behind == 1 ? VISIT_GRID_Y : VISIT_GRID_Z;
}

static bool add_dim(struct builder *b, const char *name, enum visit_level level,
	struct index *extent)
{
	struct visit *visit = &b->plan->visit;
	char *copy = layout_strdup(b->ctx, name);

	if (copy && extent)
		visit->dims[visit->dim_count++] = (struct visit_dim){ copy, level, extent };
	return copy && extent;
}

static bool build_dims(struct builder *b)
{
	const layout_program *given = b->given;
	unsigned lanes = b->plan->program->waves * b->plan->program->wave_size;
	bool ok;

	b->plan->visit.dims = layout_alloc(b->ctx, given->grid_count + 1,
		sizeof(*b->plan->visit.dims));
	ok = b->plan->visit.dims;
	for (unsigned i = 0; ok && i < given->grid_count; i++) {
		const struct program_variable *grid =
			&given->variables[given->size_count + i];

		ok = add_dim(b, grid->name, grid_level(b, i), index_binary(INDEX_MAX,
			index_int(0), index_copy(grid->extent.index)));
	}
	return ok && (!b->target->lanes || add_dim(b, "lane", VISIT_LANE,
		index_int(lanes)));
}

/* Where workgroups come in another order than that of their places. */
static bool build_order(struct builder *b)
{
	const layout_program *given = b->given;
	struct program_plan *program = b->plan->program;
	struct index *places[PROGRAM_RANK];
	bool ok;

	if (!given->order || !b->target->lanes)
		return true;
	for (unsigned d = 0; d < given->grid_count; d++)
		places[d] = index_var(given->size_count + d, 0, INT32_MAX);
	program->order = layout_alloc(b->ctx, given->grid_count, sizeof(*program->order));
	ok = program->order && visit_function(given->order, given->size_count, b->names,
		b->values, places, program->order);
	for (unsigned d = 0; d < given->grid_count; d++)
		index_free(places[d]);
	return ok;
}

static bool find_owners(struct builder *b)
{
	struct program_plan *program = b->plan->program;
	struct program_owners owners = { b->ctx, b->given, program->program,
		program->memories, b->target->chip, program->wave_size,
		b->target->max_bytes };
	bool ok = !b->target->lanes || program_owners_find(&owners);

	program->owners = owners.owners;
	program->tile_count = owners.owners ? program->program->tile_count : 0;
	return ok;
}

static bool see(layout_context *ctx, struct program_plan *plan, const layout_tile *load)
{
	struct plan_seen *seen = &plan->seen[load->number];

	owner_free(seen->owner);
	seen->owner = owner_copy(ctx, plan->owners[load->number]);
	return seen->owner && sight_owner(ctx, load->memory->sight, seen->owner);
}

/* What loads see through maps. */
static bool find_seen(struct builder *b)
{
	struct program_plan *program = b->plan->program;
	bool ok;

	program->seen = layout_alloc(b->ctx, program->tile_count, sizeof(*program->seen));
	ok = program->seen;
	for (unsigned i = 0; ok && i < program->tile_count; i++) {
		const layout_tile *tile = program->program->tiles[i];

		if (tile->op == TILE_LOAD && tile->memory->sight)
			ok = see(b->ctx, program, tile) && sight_place(b->ctx,
				tile->memory->sight, &tile->place, tile->box,
				&program->seen[i].place);
	}
	return ok;
}

const struct owner *program_plan_access(const struct program_plan *plan,
	const layout_memory *memory, const layout_tile *tile)
{
	return memory->sight ? plan->seen[tile->number].owner : plan->owners[tile->number];
}

const struct program_place *program_plan_place(const struct program_plan *plan,
	const layout_memory *memory, const layout_tile *tile, const struct program_place *place)
{
	return memory->sight ? &plan->seen[tile->number].place : place;
}

/* Do waves hold different parts of what is reduced? */
static bool crosses_waves(const struct owner *owner, const layout_tile *tile)
{
	for (unsigned i = 0; i < owner->term_count; i++)
		for (unsigned k = 0; k < tile->dim_count; k++)
			for (uint64_t set = owner->terms[i].digits; set &&
			     owner->terms[i].dim == tile->dims[k]; set &= set - 1)
				if (owner->digits[__builtin_ctzll(set)].part ==
				    OWNER_SUBGROUP)
					return true;
	return false;
}

/* Elements of less than a byte are converted as bytes. */
static bool plan_conversion(layout_context *ctx, struct program_plan *program,
	const layout_tile *tile, const struct chip *chip)
{
	unsigned bits = tile->type->bits < 8 ? 8 : tile->type->bits;
	layout_conversion_plan **plan = &program->conversions[tile->number];

	layout_conversion_plan_free(*plan);
	*plan = conversion_plan_new(ctx, program->owners[tile->operands[0]->number],
		program->owners[tile->number], bits, chip);
	return *plan;
}

bool program_plan_renew(layout_context *ctx, struct program_plan *plan, const layout_tile *tile,
	const struct chip *chip)
{
	if (tile->op == TILE_CONVERT)
		return plan_conversion(ctx, plan, tile, chip);
	return tile->op != TILE_LOAD || !tile->memory->sight || see(ctx, plan, tile);
}

static bool plan_conversions(struct builder *b)
{
	struct program_plan *program = b->plan->program;
	bool ok;

	program->conversions = layout_alloc(b->ctx, program->tile_count,
		sizeof(*program->conversions));
	ok = program->conversions;
	for (unsigned i = 0; ok && i < program->tile_count; i++)
		ok = program->program->tiles[i]->op != TILE_CONVERT ||
			plan_conversion(b->ctx, program, program->program->tiles[i],
			b->target->chip);
	return ok;
}

bool program_plan_synchronizes(const struct program_plan *plan, const layout_tile *tile)
{
	const layout_conversion_plan *conversion = plan->conversions[tile->number];

	if (conversion)
		return conversion->kind == LAYOUT_CONVERT_LDS && (!conversion->lds.slices ||
			program_tile_waves(tile) > conversion->from.extent[OWNER_SUBGROUP]);
	return tile->op == TILE_REDUCE &&
		crosses_waves(plan->owners[tile->operands[0]->number], tile);
}

/* The LDS that a tile takes while it is made: a conversion what its plan says, a reduction
 * 8 bytes for each value of each lane. */
static int64_t local_bytes(const struct program_plan *program, const layout_tile *tile)
{
	int64_t lanes = program_tile_waves(tile) * program->wave_size;
	const layout_conversion_plan *plan = program->conversions[tile->number];

	if (plan)
		return plan->kind == LAYOUT_CONVERT_LDS ? plan->lds.bytes : 0;
	if (tile->op != TILE_REDUCE || !crosses_waves(
	    program->owners[tile->operands[0]->number], tile))
		return 0;
	return 8 * lanes * program->owners[tile->number]->extent[OWNER_REGISTER] *
		(tile->reduce >= REDUCE_ARGMIN ? 2 : 1);
}

/* Of so many words, the tile having "parts" that lanes hold each another one of. */
static void refuse_registers(struct builder *b, const layout_tile *tile, int64_t words,
	int64_t parts)
{
	int64_t lanes = program_tile_waves(tile) * b->plan->program->wave_size;

	if (2 * parts > lanes)
		layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position, "`%s` needs %lld "
			"registers a lane, there are %d: a smaller box, or more waves",
			tile->name, (long long)words, OWNERS_MOST_WORDS);
	else
		layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position, "`%s` needs %lld "
			"registers a lane, there are %d: its owner has parts for %lld of %lld "
			"lanes; extents of small factors, and padding, make more", tile->name,
			(long long)words, OWNERS_MOST_WORDS, (long long)parts, (long long)lanes);
}

/* No tile alone is more than a lane's registers hold. */
static bool fits_registers(struct builder *b, const layout_tile *tile)
{
	int64_t registers = b->plan->program->owners[tile->number]->extent[OWNER_REGISTER];
	int64_t words = owners_words(tile, b->plan->program->owners[tile->number]) /
		(tile->parts ? tile->parts : 1);

	if (words <= OWNERS_MOST_WORDS)
		return true;
	refuse_registers(b, tile, words, (program_elements(tile) - 1) / registers + 1);
	return false;
}

static void refuse_bytes(struct builder *b, const layout_tile *tile, int64_t bytes)
{
	int64_t objects = b->plan->program->scratch[tile->number];
	char besides[64] = "";

	if (objects)
		snprintf(besides, sizeof(besides), ", besides %lld of objects",
			(long long)objects);
	layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position,
		"`%s` needs %lld bytes of LDS%s, %s has %u", tile->name, (long long)bytes,
		besides, b->target->name, b->target->lds_most);
}

/* Is an object accessed in a statement? */
static bool has_access(const struct program_statement *of, const layout_memory *local)
{
	bool has = (of->kind == STATEMENT_PUT && of->memory == local) ||
		(of->kind == STATEMENT_TILE && of->tile->op == TILE_GET &&
		of->tile->memory == local);

	for (unsigned i = 0; !has && i < of->body.count; i++)
		has = has_access(&of->body.statements[i], local);
	return has;
}

/* Where what a statement takes begins: behind all objects that are accessed from the "first" of
 * the program's own statements on, and where direct copies may be under way behind all. */
static int64_t end_of_objects(const struct program_plan *program, unsigned first)
{
	const struct program_body *body = &program->program->body;
	int64_t end = 0;

	if (program_waits_leave_copies(program->program, first))
		first = 0;
	for (unsigned i = first; i < body->count; i++)
		for (unsigned k = 0; k < program->program->local_count; k++) {
			const struct plan_local *local = &program->locals[k];
			int64_t stages = program->program->locals[k]->stages;

			if (local->at + stages * local->bytes > end && has_access(
			    &body->statements[i], program->program->locals[k]))
				end = local->at + stages * local->bytes;
		}
	return end;
}

/* For the tiles that are made in a statement, one of the program's own or inside of it. */
static void place_scratch(struct program_plan *program, const struct program_statement *of,
	int64_t at)
{
	if (of->kind == STATEMENT_TILE)
		program->scratch[of->tile->number] = at;
	for (unsigned i = 0; i < of->body.count; i++)
		place_scratch(program, &of->body.statements[i], at);
}

static bool find_local(struct builder *b)
{
	struct program_plan *program = b->plan->program;
	const struct program_body *body = &program->program->body;

	program->scratch = layout_alloc(b->ctx, program->tile_count,
		sizeof(*program->scratch));
	for (unsigned i = 0; program->scratch && i < body->count; i++)
		place_scratch(program, &body->statements[i], end_of_objects(program, i));
	for (unsigned i = 0; program->scratch && i < program->tile_count; i++) {
		const layout_tile *tile = program->program->tiles[i];
		int64_t bytes = local_bytes(program, tile), end = bytes +
			program->scratch[i];

		if (!fits_registers(b, tile))
			return false;
		if (bytes && end > b->target->lds_most) {
			refuse_bytes(b, tile, bytes);
			return false;
		}
		program->scratch_count += bytes > 0;
		if (bytes && end - program->object_bytes > program->local_bytes)
			program->local_bytes = end - program->object_bytes;
	}
	return program->scratch;
}

/* The plain program lends the context and the storages; objects in the LDS have those of the
 * places that were found. */
static bool print_program(struct builder *b)
{
	struct program_plan *plan = b->plan->program;
	layout_program *program = plan->program;
	bool ok = true;

	for (unsigned i = 0; ok && i < plan->tile_count; i++) {
		char **text = &program->tiles[i]->owner_text;

		free(*text);
		*text = owner_str(b->ctx, plan->owners[i]);
		ok = *text;
	}
	program->ctx = b->ctx;
	for (unsigned i = 0; i < program->memory_count; i++)
		program->memories[i]->storage = b->given->memories[i]->storage;
	for (unsigned i = 0; ok && i < program->local_count; i++) {
		layout_memory *local = program->locals[i];

		local->searched = !plan->locals;
		if (!plan->locals)
			local->storage = layout_storage_copy(b->given->locals[i]->storage);
		ok = local->storage;
	}
	plan->text = ok ? layout_program_str(program) : NULL;
	for (unsigned i = 0; i < program->memory_count; i++)
		program->memories[i]->storage = NULL;
	for (unsigned i = 0; i < program->local_count; i++) {
		layout_storage_free(program->locals[i]->storage);
		program->locals[i]->storage = NULL;
	}
	program->ctx = NULL;
	return plan->text;
}

static bool build(struct builder *b)
{
	struct program_plan *program = layout_alloc(b->ctx, 1, sizeof(*program));

	b->plan->program = program;
	if (!program || !build_sizes(b) || !build_valid(b))
		return false;
	program->program = program_copy_plain(b->ctx, b->given);
	program->wave_size = b->target->wave_size;
	program->waves = (unsigned)program_waves(b->given);
	if (!program->program || !program_order_epochs(b->ctx, program->program) ||
	    !build_operands(b) || !build_dims(b))
		return false;
	if (program->waves * program->wave_size > 1024) {
		layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "a workgroup has at most "
			"1024 lanes; %u waves of %u are more", program->waves,
			program->wave_size);
		return false;
	}
	return build_order(b) && find_owners(b) && (!b->target->lanes || (find_seen(b) &&
		plan_conversions(b) && program_plan_locals(b->ctx, b->given, program,
		b->target) && find_local(b))) && print_program(b);
}

static struct plan *plan_given(layout_program *program, const struct plan_target *target)
{
	struct builder b = { .ctx = program->ctx, .given = program, .target = target,
		.plan = layout_alloc(program->ctx, 1, sizeof(*b.plan)) };
	bool ok;

	known_find(program);
	ok = b.plan && build(&b);
	free(b.names);
	index_list_free(b.values, b.values ? program->size_count : 0);
	if (ok)
		return b.plan;
	plan_free(b.plan);
	return NULL;
}

/* A product whose tiles are for vector registers and caches. */
static struct plan *plan_blocks(layout_program *product, const struct plan_target *target)
{
	struct matmul_shape shape;
	layout_program *made;
	struct plan *plan;
	char *choice;

	if (!program_choose_blocks(product->matmul, target, &shape, &choice))
		return NULL;
	if (!choice)
		return plan_given(product, target);
	made = matmul_program(product->matmul, &shape);
	plan = made ? plan_given(made, target) : NULL;
	layout_program_free(made);
	if (plan)
		plan->program->choice = choice;
	else
		free(choice);
	return plan;
}

struct plan *program_plan_new(layout_program *program, const struct plan_target *target)
{
	return !program->matmul ? plan_given(program, target) :
		target->lanes ? program_plan_choose(program, target) :
		plan_blocks(program, target);
}
