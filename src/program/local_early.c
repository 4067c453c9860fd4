/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which loads are made ahead: their registers are free once they were put.  Where an object has
 * more than two copies, the put is ahead, too, of what is got, by all but two; and the load is a
 * step more. */
#include "program/local.h"

/* How often a tile is used by others than puts. */
static unsigned count_uses(const struct program_body *body, const layout_tile *tile)
{
	unsigned count = 0;

	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];

		count += of->kind == STATEMENT_STORE && of->tile == tile;
		for (unsigned d = 0; d < of->place.rank; d++)
			count += of->place.gather[d] == tile;
		count += count_uses(&of->body, tile);
	}
	return count;
}

static bool is_used(const layout_program *program, const layout_tile *tile)
{
	for (unsigned i = 0; i < program->tile_count; i++) {
		const layout_tile *user = program->tiles[i];

		for (unsigned k = 0; k < user->operand_count; k++)
			if (user->operands[k] == tile)
				return true;
		for (unsigned d = 0; d < user->place.rank; d++)
			if (user->place.gather[d] == tile)
				return true;
		if (user->yield == tile)
			return true;
	}
	return count_uses(&program->body, tile);
}

/* What the load takes is there before the loop. */
static bool is_free(const layout_tile *load)
{
	return !program_gathers(&load->place) && load->op == TILE_LOAD &&
		load->memory->access == LAYOUT_ACCESS_IN;
}

static unsigned count_puts(const struct program_body *body, const layout_memory *local)
{
	unsigned count = 0;

	for (unsigned i = 0; i < body->count; i++)
		count += (body->statements[i].kind == STATEMENT_PUT &&
			body->statements[i].memory == local) +
			count_puts(&body->statements[i].body, local);
	return count;
}

static bool is_put_of(const struct program_statement *of, const layout_tile *tile)
{
	return of->kind == STATEMENT_PUT && of->tile == tile;
}

/* Steps that the puts of a tile can be ahead: only they write their objects. */
static unsigned count_ahead(const layout_program *program,
	const struct program_statement *loop, const layout_tile *tile)
{
	bool alone = true;

	for (unsigned i = 0; i < loop->body.count; i++) {
		const struct program_statement *of = &loop->body.statements[i];

		if (is_put_of(of, tile))
			alone = alone && of->memory->loop == loop &&
				count_puts(&program->body, of->memory) == 1;
	}
	return alone ? loop->stages - 2 : 0;
}

static void find_in(const layout_program *program, const struct program_statement *loop,
	struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		unsigned ahead;
		struct program_statement *load = &body->statements[i];

		load->early = 0;
		if (load->kind != STATEMENT_TILE || !is_free(load->tile) ||
		    is_used(program, load->tile))
			continue;
		ahead = count_ahead(program, loop, load->tile);
		for (unsigned k = i + 1; k < body->count; k++)
			if (is_put_of(&body->statements[k], load->tile)) {
				load->early = k + 1;
				load->early_steps = ahead + 1;
				body->statements[k].early_steps = ahead;
			}
	}
}

static void walk(const layout_program *program, struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		struct program_statement *of = &body->statements[i];

		if (of->kind == STATEMENT_FOR && of->stages > 1)
			find_in(program, of, &of->body);
		walk(program, &of->body);
	}
}

void local_find_early(layout_program *program)
{
	walk(program, &program->body);
}
