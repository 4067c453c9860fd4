/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/cost.h"
#include "program/access.h"
#include "program/bytes.h"
#include "program/eval.h"
#include "program/owners.h"
#include "program/product.h"

#include <stdlib.h>

/* A compute unit (assumed): its SIMDs, the lanes of an access that are addressed in a cycle,
 * those for which an instruction is issued, how long waves that meet wait, how long memory takes to
 * answer, and the registers of all lanes. */
enum { SIMDS = 4, ADDRESSED = 16, ISSUED = 16, BARRIER = 32, ANSWER = 800, REGISTERS = 131072 };

enum { MOST_LANES = 64, LINE = 64 };

struct counting {
	layout_context *ctx;
	const layout_program *given;
	const struct program_plan *plan;
	const struct plan_target *target;
	struct program_cost *cost;
};

/* All sizes, those without a number as COST_SIZE. */
static bool place_memory(const struct counting *c, const layout_memory *memory,
	struct eval_memory *at)
{
	layout_storage *storage =
		c->given->memories[program_memory_number(c->plan->program, memory)]->storage;
	layout_size sizes[2 * PROGRAM_RANK];
	unsigned count = 0;

	while (count < 2 * PROGRAM_RANK &&
	       (sizes[count].name = layout_storage_size_name(storage, count))) {
		sizes[count].value = COST_SIZE;
		count++;
	}
	return eval_memory_place(at, storage, sizes, count);
}

/* The lines that the lanes of subgroup 0 touch, each "bytes" from its register r on. */
static unsigned count_lines(const struct counting *c, const struct eval_memory *at,
	const struct owner *owner, unsigned r, unsigned bits, int64_t bytes)
{
	unsigned line = c->target->chip->memory ? c->target->chip->memory->line : LINE;
	int64_t seen[2 * MOST_LANES];
	unsigned count = 0;

	for (int64_t lane = 0; lane < owner->extent[OWNER_LANE] && lane < MOST_LANES; lane++) {
		int64_t hw[OWNER_PARTS] = { 0, lane, r }, x[OWNER_RANK] = { 0 };
		int64_t offset, last;

		owner_point(owner, hw, x);
		offset = eval_memory_offset(at, x) * bits / 8;
		last = (offset + bytes - 1) / line;
		for (int64_t n = offset / line; n <= last && count < 2 * MOST_LANES; n++) {
			unsigned i = 0;

			while (i < count && seen[i] != n)
				i++;
			seen[i] = n;
			count += i == count;
		}
	}
	return count;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* An access of memory by all waves: cycles, and the instructions of one. */
static bool count_access(const struct counting *c, const layout_tile *tile,
	const layout_memory *memory, int64_t *cycles, int64_t *issue)
{
	const struct storage_access *access =
		&c->plan->memories[program_memory_number(c->plan->program, memory)];
	const struct owner *owner = program_plan_access(c->plan, memory, tile);
	unsigned bits = tile->type->bits, vector = 1;
	unsigned line = c->target->chip->memory ? c->target->chip->memory->line : LINE;
	struct access_split split;
	struct eval_memory at;
	bool ok = access_split_build(c->ctx, &split, access, owner) &&
		place_memory(c, memory, &at);

	if (ok && split.apart && (bits % 8 == 0 || (tile->op == TILE_LOAD &&
	    program_fills_bytes(&split, access, owner, &tile->place, tile->type))))
		vector = access_split_vector(&split, access, c->target->max_bytes * 8 / bits);
	for (unsigned i = 0; ok && i < split.count; i += vector) {
		int64_t lines = count_lines(c, &at, owner, split.order[i], bits,
			((int64_t)vector * bits + 7) / 8);

		*cycles += c->plan->waves * most(lines * line / COST_BYTES,
			owner->extent[OWNER_LANE] / ADDRESSED);
		++*issue;
	}
	access_split_free(&split);
	return ok;
}

/* What is less than a word is put together from, or taken apart into, words. */
static bool count_local(const struct counting *c, const layout_tile *tile, unsigned number)
{
	const struct local_access *access = &c->plan->accesses[number];
	unsigned bytes = local_bytes_of(tile->type);
	layout_lds_cost lds;

	if (!local_access_cycles(c->ctx, access, &c->target->chip->lds, bytes, &lds))
		return false;
	c->cost->lds += (int64_t)c->plan->waves * lds.cycles;
	c->cost->issue += access->count / access->vector;
	if (access->vector * bytes < 4)
		c->cost->issue += access->count * bytes / 4;
	return true;
}

/* Instructions that make a number of eight bits or less one of f32, about. */
enum { WIDEN = 8 };

/* What a lane has of the factors becomes what is multiplied, number by number. */
static int64_t count_widened(const struct counting *c, const layout_tile *tile)
{
	int64_t count = 0;

	for (unsigned i = 1; i <= 2; i++) {
		const layout_tile *factor = tile->operands[i];

		if (factor->type->bits < 16 && factor->type->kind == 'f')
			count += WIDEN *
				c->plan->owners[factor->number]->extent[OWNER_REGISTER];
	}
	return count;
}

/* Products of a wave by an instruction, or one a lane. */
static bool count_product(const struct counting *c, const layout_tile *tile)
{
	int64_t products = 1, each = c->plan->wave_size, waves = c->plan->waves;
	const struct mma_row *row;

	for (unsigned n = 0; n < tile->letter_count; n++)
		products *= tile->letters[n];
	if (tile->by && !product_is_declined(tile)) {
		row = mma_find_row(c->ctx, tile->by, LAYOUT_MMA_ACC, c->target->chip);
		if (!row)
			return false;
		each = (int64_t)row->shape->m * row->shape->n * row->shape->k;
		c->cost->matrix += products / each *
			mma_code_of(c->target->chip, row)->cycles / SIMDS;
	} else {
		c->cost->widened += count_widened(c, tile);
	}
	c->cost->issue += products / each / waves;
	return true;
}

/* The way that a conversion's plan goes; all waves meet before what they put is overwritten,
 * and before it is got. */
static void count_conversion(const struct counting *c, const layout_tile *tile)
{
	const layout_conversion_plan *plan = c->plan->conversions[tile->number];
	const struct conversion_cost *cost = plan->kind == LAYOUT_CONVERT_LDS ?
		&plan->lds.cost : &plan->lanes.cost;

	c->cost->issue += cost->issue;
	c->cost->lds += (int64_t)c->plan->waves * cost->lds;
	c->cost->barriers += program_plan_synchronizes(c->plan, tile) ? 2 : 0;
}

/* What is loaded at the end of a memory comes element by element. */
static int64_t words_of(const struct counting *c, const layout_tile *tile)
{
	unsigned bits = tile->type->bits < 32 && tile->op == TILE_LOAD ? 32 :
		tile->type->bits < 8 ? 8 : tile->type->bits;

	return (c->plan->owners[tile->number]->extent[OWNER_REGISTER] * bits + 31) / 32;
}

static bool count_statement(const struct counting *c, const struct program_statement *of)
{
	const layout_tile *tile = of->tile;
	struct program_cost *cost = c->cost;

	cost->barriers += of->wait == WAIT_WORKGROUP;
	if (of->kind == STATEMENT_PUT)
		return count_local(c, tile, of->access);
	if (of->kind != STATEMENT_TILE)
		return true;
	if (tile->op == TILE_LOAD || tile->op == TILE_GET || tile->op == TILE_CONVERT)
		cost->words += words_of(c, tile);
	if (tile->op == TILE_LOAD)
		return count_access(c, tile, tile->memory, &cost->memory, &cost->issue);
	if (tile->op == TILE_GET)
		return count_local(c, tile, tile->access);
	if (tile->op == TILE_CONTRACT)
		return count_product(c, tile);
	if (tile->op == TILE_CONVERT)
		count_conversion(c, tile);
	return true;
}

/* Behind a loop: what is loaded there, and stored. */
static bool count_behind(const struct counting *c, const struct program_statement *of)
{
	int64_t none = 0;

	if (of->kind == STATEMENT_STORE)
		return count_access(c, of->tile, of->memory, &c->cost->behind, &none);
	return of->kind != STATEMENT_TILE || of->tile->op != TILE_LOAD ||
		count_access(c, of->tile, of->tile->memory, &c->cost->behind, &none);
}

static bool has_loops(const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++)
		if (body->statements[i].kind == STATEMENT_FOR)
			return true;
	return false;
}

/* Loops around one have what it carries in the same registers. */
static bool count_body(const struct counting *c, const struct program_body *body, bool inside)
{
	bool innermost = inside && !has_loops(body), ok = true;

	for (unsigned i = 0; ok && i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];

		ok = innermost ? count_statement(c, of) : inside || count_behind(c, of);
		if (ok && of->kind == STATEMENT_FOR)
			ok = count_body(c, &of->body, true);
		for (unsigned k = 0; k < of->carry_count && !has_loops(&of->body); k++)
			c->cost->words += words_of(c, of->carries[k]);
	}
	return ok;
}

bool program_cost_count(const layout_program *given, const struct program_plan *plan,
	const struct plan_target *target, struct program_cost *cost)
{
	struct counting c = { given->ctx, given, plan, target, cost };
	bool ok;

	*cost = (struct program_cost){ 0 };
	ok = count_body(&c, &plan->program->body, false);
	cost->issue += cost->widened;
	cost->instructions = cost->issue;
	cost->issue = cost->issue * plan->waves * (plan->wave_size / ISSUED) / SIMDS;
	cost->groups = program_cost_groups(target, plan->object_bytes + plan->local_bytes,
		cost->words * plan->waves * plan->wave_size);
	return ok;
}

int64_t program_cost_groups(const struct plan_target *target, int64_t bytes, int64_t words)
{
	int64_t groups = REGISTERS / most(words, 1);
	int64_t by_bytes = (int64_t)target->chip->lds.bytes / most(bytes, 1);

	return most(groups < by_bytes ? groups : by_bytes, 1);
}

int64_t program_cost_step(const struct program_cost *cost, unsigned stages)
{
	int64_t busy = most(most(cost->matrix, cost->memory), most(cost->lds, cost->issue)) +
		BARRIER * cost->barriers;
	int64_t alone = stages == 1 ? busy + ANSWER : ANSWER / (stages > 2 ? stages - 1 : 1);

	return most(busy, alone / most(cost->groups, 1));
}
