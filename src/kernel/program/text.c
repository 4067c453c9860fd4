/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/text.h"
#include "program/direct.h"
#include "program/access.h"
#include "program/bytes.h"
#include "program/owners.h"
#include "program/waits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A text under way; "ok" until memory ran out. */
struct writer {
	layout_context *ctx;
	const struct program_plan *plan;
	unsigned max_bytes;
	const layout_lds *lds;
	struct layout_buffer out;
	unsigned set;			/* of workers, whose statements these are */
	bool ok;
};

static const struct owner *owner_of(const struct writer *w, const layout_tile *tile)
{
	return w->plan->owners[tile->number];
}

static void print_box(struct writer *w, const layout_tile *tile)
{
	layout_buffer_printf(&w->out, "[");
	for (unsigned d = 0; d < tile->rank; d++)
		layout_buffer_printf(&w->out, "%s%" PRId64, d ? ", " : "", tile->box[d]);
	layout_buffer_printf(&w->out, "] %s", tile->type->name);
}

static void print_owner(struct writer *w, const layout_tile *tile)
{
	char *text = owner_str(w->ctx, owner_of(w, tile));

	w->ok = w->ok && text;
	if (text)
		layout_buffer_printf(&w->out, "%s", text);
	layout_string_free(text);
}

/* "x: [16, 64] f32, 4 registers, lanes hold what others hold @ { .. }" */
static void explain_tile(struct writer *w, const layout_tile *tile)
{
	const struct owner *owner = owner_of(w, tile);

	layout_buffer_printf(&w->out, "%s: ", tile->name);
	print_box(w, tile);
	layout_buffer_printf(&w->out, ", %" PRId64 " registers%s @ ",
		owner->extent[OWNER_REGISTER], owner_is_replicated(owner) ?
		", several hold the same" : "");
	print_owner(w, tile);
	layout_buffer_printf(&w->out, "\n");
	if (tile->choice)
		layout_buffer_printf(&w->out, "  %s\n", tile->choice);
}

static void explain_split(struct writer *w, const struct storage_access *memory,
	const struct access_split *split, const layout_tile *tile, const char *name)
{
	unsigned bits = tile->type->bits;
	unsigned vector = access_split_vector(split, memory, w->max_bytes * 8 / bits);

	layout_buffer_printf(&w->out, "  whole tile of %s: %u bytes a lane, %u accesses",
		name, vector * bits / 8, split->count / vector);
	for (unsigned d = 0; d < memory->rank; d++)
		if (split->align[d] > 1)
			layout_buffer_printf(&w->out, ", where position %u is a multiple "
				"of %" PRId64, d, split->align[d]);
	layout_buffer_printf(&w->out, "\n  else elements, masked by the box, by a "
		"bounds-checked buffer where offsets fit 32 bits\n");
}

/* Of less than a byte. */
static void explain_words(struct writer *w, const struct storage_access *memory,
	const struct access_split *split, const layout_tile *tile)
{
	unsigned bits = tile->type->bits;
	unsigned vector = access_split_vector(split, memory, w->max_bytes * 8 / bits);

	layout_buffer_printf(&w->out, "  whole tile of %s: %u bytes a lane, %u accesses, where "
		"rows are whole bytes\n  else elements\n", tile->memory->name,
		vector * bits / 8, split->count / vector);
}

/* How wide an access is, and why. */
static void explain_access(struct writer *w, const layout_tile *tile,
	const layout_memory *memory, const struct program_place *place)
{
	const struct storage_access *access =
		&w->plan->memories[program_memory_number(w->plan->program, memory)];
	struct access_split split;

	w->ok = access_split_build(w->ctx, &split, access,
		program_plan_access(w->plan, memory, tile)) && w->ok;
	if (program_gathers(place))
		layout_buffer_printf(&w->out, "  elements of %s, each where its index "
			"says\n", memory->name);
	else if (w->ok && split.apart && tile->type->bits % 8 == 0)
		explain_split(w, access, &split, tile, memory->name);
	else if (w->ok && place == &tile->place && program_fills_bytes(&split, access,
		program_plan_access(w->plan, memory, tile), place, tile->type))
		explain_words(w, access, &split, tile);
	else
		layout_buffer_printf(&w->out, "  elements of %s: the parts of an offset "
			"do not go apart\n", memory->name);
	access_split_free(&split);
}

static void explain_conversion(struct writer *w, const layout_tile *tile)
{
	const char *line = w->plan->conversions[tile->number]->text;

	layout_buffer_printf(&w->out, "  from %s:\n", tile->operands[0]->name);
	while (*line) {
		size_t length = strcspn(line, "\n");

		layout_buffer_printf(&w->out, "    %.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

/* The instruction of a product, and the factors that are computed where it takes them. */
static void explain_product(struct writer *w, const layout_tile *tile)
{
	if (!tile->by)
		return;
	layout_buffer_printf(&w->out, "  by %s", tile->by);
	for (unsigned i = 1; i < 3; i++)
		if (tile->operands[i]->op == TILE_MAP)
			layout_buffer_printf(&w->out, ": factor %s is in its registers as it "
				"is", tile->operands[i]->name);
	layout_buffer_printf(&w->out, "\n");
}

/* An access of an object in the LDS, and what banks make of it. */
static void explain_local(struct writer *w, const layout_tile *tile, unsigned number)
{
	const struct local_access *access = &w->plan->accesses[number];
	unsigned bytes = local_bytes_of(tile->type);
	layout_lds_cost cost;

	w->ok = w->ok && local_access_cycles(w->ctx, access, w->lds, bytes, &cost);
	if (w->ok)
		layout_buffer_printf(&w->out, "  LDS: %u bytes a lane%s, %u accesses, "
			"%u cycles, %u of them for bank conflicts\n",
			access->vector * bytes, access->turned ?
			", turned round among 16 lanes" : "", access->count / access->vector,
			cost.cycles, cost.cycles - cost.least);
}

/* "all but 8 copies of a wave landed, its gets and puts done: a barrier, for la" */
static void explain_landing(struct writer *w, const struct program_landing *landing)
{
	if (landing->wait == WAIT_NONE)
		return;
	if (landing->copies >= 0)
		layout_buffer_printf(&w->out, landing->copies ? "all but %d copies of a wave "
			"landed, " : "all copies of a wave landed, ", landing->copies);
	if (landing->accesses)
		layout_buffer_printf(&w->out, "its gets and puts done, ");
	layout_buffer_printf(&w->out, "%s, for %s\n", landing->wait == WAIT_WAVE ?
		"a fence of each wave" : "a barrier", landing->waited->name);
}

static bool has_direct(const struct writer *w)
{
	bool direct = false;

	for (unsigned i = 0; i < w->plan->tile_count; i++)
		direct = direct || w->plan->program->tiles[i]->piece;
	return direct;
}

static void explain_wait(struct writer *w, const struct program_statement *statement)
{
	if (has_direct(w))
		explain_landing(w, &statement->direct);
	else if (statement->wait != WAIT_NONE)
		layout_buffer_printf(&w->out, "%s, for %s\n",
			statement->wait == WAIT_WAVE ? "a fence of each wave" :
			"a barrier", statement->waited->name);
}

/* "lds la: 2 x 16384 bytes @ swizzled(..)" */
static void explain_objects(struct writer *w)
{
	for (unsigned i = 0; w->plan->locals && i < w->plan->program->local_count; i++) {
		const layout_memory *local = w->plan->program->locals[i];

		layout_buffer_printf(&w->out, "lds %s: %u x %" PRId64 " bytes @ %s\n",
			local->name, local->stages, w->plan->locals[i].bytes,
			w->plan->locals[i].place);
	}
}

/* What a direct copy asks of the sizes. */
static void explain_direct(struct writer *w, const layout_tile *tile)
{
	const struct storage_access *access = &w->plan->memories[program_memory_number(
		w->plan->program, tile->memory)];

	if (direct_goes_apart(access, program_plan_place(w->plan, tile->memory, tile,
	    &tile->place)))
		layout_buffer_printf(&w->out, "  where rows begin with words and end with "
			"pieces, and else through the registers\n");
	else
		layout_buffer_printf(&w->out, "  each lane finds its place in %s, which has less "
			"than 2 GiB, and else through the registers\n", tile->memory->name);
}

/* Copies say how they go. */
static void explain_put(struct writer *w, const struct program_statement *put)
{
	const layout_tile *tile = put->tile;

	if (put->copy)
		layout_buffer_printf(&w->out, "copy %s to %s%s\n  %s\n", tile->memory->name,
			put->memory->name, put->ahead == 1 ? ", a step ahead" : put->ahead ?
			", several steps ahead" : "", put->choice);
	else
		layout_buffer_printf(&w->out, "put %s\n", tile->name);
	if (!tile->piece)
		explain_local(w, tile, put->access);
	else
		explain_direct(w, tile);
}

/* "on producer:", where others did what was before. */
static void explain_set(struct writer *w, const struct program_statement *statement)
{
	const layout_program *program = w->plan->program;
	unsigned set = program_statement_set(statement);

	if (set != w->set)
		layout_buffer_printf(&w->out, "on %s:\n", set ? program->sets[set - 1].name :
			"all waves");
	w->set = set;
}

static void explain_statement(struct writer *w, const struct program_statement *statement)
{
	const layout_tile *tile = statement->tile;

	explain_wait(w, statement);
	explain_set(w, statement);
	if (statement->kind == STATEMENT_TILE) {
		explain_tile(w, tile);
		if (tile->op == TILE_LOAD)
			explain_access(w, tile, tile->memory, &tile->place);
		if (tile->op == TILE_CONTRACT)
			explain_product(w, tile);
		if (tile->op == TILE_GET)
			explain_local(w, tile, tile->access);
		if (tile->op == TILE_CONVERT)
			explain_conversion(w, tile);
	} else if (statement->kind == STATEMENT_PUT) {
		explain_put(w, statement);
	} else if (statement->kind == STATEMENT_STORE) {
		layout_buffer_printf(&w->out, "store %s%s\n", tile->name,
			owner_is_replicated(owner_of(w, tile)) ?
			", by the first of those that hold the same" : "");
		explain_access(w, tile, statement->memory, &statement->place);
	}
	for (unsigned i = 0; i < statement->carry_count; i++)
		explain_tile(w, statement->carries[i]);
}

static void explain_body(struct writer *w, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		explain_statement(w, &body->statements[i]);
		explain_body(w, &body->statements[i].body);
	}
}

char *program_plan_explanation(layout_context *ctx, const struct program_plan *plan,
	unsigned max_bytes, const layout_lds *lds)
{
	struct writer w = { .ctx = ctx, .plan = plan, .max_bytes = max_bytes, .lds = lds,
		.ok = true };

	if (plan->choice)
		layout_buffer_printf(&w.out, "%s", plan->choice);
	if (!plan->owners)
		layout_buffer_printf(&w.out, "without lanes, tiles are loops, and owners do "
			"not matter\n");
	else {
		explain_objects(&w);
		explain_body(&w, &plan->program->body);
		if (has_direct(&w) && program_waits_leave_copies(plan->program,
		    plan->program->body.count))
			layout_buffer_printf(&w.out, "all copies of a wave landed, at the end\n");
	}
	layout_buffer_printf(&w.out, "%" PRId64 " bytes of LDS\n", plan->local_bytes +
		plan->object_bytes);
	if (w.ok)
		return layout_buffer_take(ctx, &w.out);
	free(w.out.text);
	return NULL;
}

char *program_plan_relations(layout_context *ctx, const struct program_plan *plan)
{
	struct writer w = { .ctx = ctx, .plan = plan, .ok = true };

	for (unsigned i = 0; i < plan->operand_count; i++)
		layout_buffer_printf(&w.out, "%s  %s\n", plan->program->memories[i]->name,
			plan->storages[i]);
	for (unsigned i = 0; plan->owners && i < plan->tile_count; i++) {
		layout_buffer_printf(&w.out, "%s  ", plan->program->tiles[i]->name);
		print_owner(&w, plan->program->tiles[i]);
		layout_buffer_printf(&w.out, "\n");
	}
	if (w.ok)
		return layout_buffer_take(ctx, &w.out);
	free(w.out.text);
	return NULL;
}
