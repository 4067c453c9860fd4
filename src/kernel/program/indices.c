/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/indices.h"
#include "program/owners.h"

static unsigned count_in(const struct program_place *place, const layout_tile *tile)
{
	unsigned count = 0;

	for (unsigned d = 0; d < place->rank; d++)
		count += place->gather[d] == tile;
	return count;
}

static unsigned count_in_body(const struct program_body *body, const layout_tile *tile)
{
	unsigned count = 0;

	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];

		count += (of->kind == STATEMENT_STORE || of->kind == STATEMENT_PUT) &&
			of->tile == tile;
		count += count_in(&of->place, tile) + count_in_body(&of->body, tile);
	}
	return count;
}

/* By whom a tile is used: operands, yields, indices, what is stored and put. */
static unsigned count_uses(const layout_program *program, const layout_tile *tile)
{
	unsigned count = count_in_body(&program->body, tile);

	for (unsigned i = 0; i < program->tile_count; i++) {
		const layout_tile *user = program->tiles[i];

		for (unsigned k = 0; k < user->operand_count; k++)
			count += user->operands[k] == tile;
		count += (user->yield == tile) + count_in(&user->place, tile);
	}
	return count;
}

static bool is_written(const layout_program *given, const layout_tile *tile)
{
	return tile->number < given->tile_count && (given->tiles[tile->number]->owner ||
		given->tiles[tile->number]->like);
}

/* The operand's owner of a view that is to have one; false where it is no view that renames. */
static bool find_seen(const layout_tile *view, const struct owner *wanted, struct owner *seen)
{
	*seen = *wanted;
	return view->op == TILE_VIEW && view->view == VIEW_EXPAND && owner_collapse(seen,
		view->dims[0], view->rank - view->operands[0]->rank + 1);
}

/* Has a tile that owner, or is it made for so many uses alone, and in lanes that nobody has
 * said? */
static bool can_have(const struct program_plan *plan, const layout_program *given,
	const layout_tile *tile, unsigned uses, const struct owner *wanted)
{
	bool gathers = count_in(&tile->place, NULL) < tile->place.rank;
	struct owner seen;

	if (owner_equal(wanted, plan->owners[tile->number]))
		return true;
	if (is_written(given, tile) || gathers || count_uses(plan->program, tile) != uses)
		return false;
	if (tile->op == TILE_VIEW)
		return find_seen(tile, wanted, &seen) && can_have(plan, given,
			tile->operands[0], 1, &seen);
	return tile->op == TILE_LOAD || tile->op == TILE_FILL || tile->op == TILE_INDEX ||
		tile->op == TILE_CONVERT;
}

const layout_tile *indices_missing(const struct program_plan *plan,
	const layout_program *given, const layout_tile *load, const struct owner *owner)
{
	for (unsigned d = 0; d < load->place.rank; d++) {
		const layout_tile *index = load->place.gather[d];
		struct owner wanted = *owner;

		if (!index)
			continue;
		program_broadcast_owner(&wanted, index->box, index->rank);
		if (!can_have(plan, given, index, count_in(&load->place, index), &wanted))
			return index;
	}
	return NULL;
}

static bool give(layout_context *ctx, struct program_plan *plan, const layout_tile *tile,
	const struct owner *wanted, const struct chip *chip)
{
	struct owner seen;

	if (owner_equal(wanted, plan->owners[tile->number]))
		return true;
	*plan->owners[tile->number] = *wanted;
	if (find_seen(tile, wanted, &seen))
		return give(ctx, plan, tile->operands[0], &seen, chip);
	return program_plan_renew(ctx, plan, tile, chip);
}

bool indices_move(layout_context *ctx, struct program_plan *plan, const layout_tile *load,
	const struct chip *chip)
{
	bool ok = true;

	for (unsigned d = 0; ok && d < load->place.rank; d++) {
		const layout_tile *index = load->place.gather[d];
		struct owner wanted = *plan->owners[load->number];

		if (!index)
			continue;
		program_broadcast_owner(&wanted, index->box, index->rank);
		ok = give(ctx, plan, index, &wanted, chip);
	}
	return ok;
}
