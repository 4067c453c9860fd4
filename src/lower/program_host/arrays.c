/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which tiles are arrays: what is not elementwise, what is asked for more than once, or
 * from inside of a loop that it stands before, what is read from memory that the
 * program writes to, and what is turned.  All else is computed where it is used. */
#include "lower/program_host/parts.h"

static struct host_tile *of(const struct host *host, const layout_tile *tile)
{
	return &host->tiles[tile->number];
}

static void note(const struct host *host, const layout_tile *tile, unsigned times,
	unsigned depth)
{
	struct host_tile *known = of(host, tile);

	known->evaluations += times;
	if (known->evaluations > 2)
		known->evaluations = 2;
	if (depth > known->deepest)
		known->deepest = depth;
}

static void note_place(const struct host *host, const struct program_place *place,
	unsigned times, unsigned depth)
{
	for (unsigned d = 0; d < place->rank; d++)
		if (place->gather[d])
			note(host, place->gather[d], times, depth);
}

/* Depths, and what statements other than tiles ask for. */
static void walk(const struct host *host, const struct program_body *body, unsigned depth)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *s = &body->statements[i];
		unsigned inner = depth + (s->kind == STATEMENT_FOR);

		if (s->kind == STATEMENT_TILE)
			of(host, s->tile)->depth = depth;
		if (host_is_store_turned(host, s))
			of(host, s->tile)->is_turned = true;
		if (s->kind == STATEMENT_STORE || s->kind == STATEMENT_PUT) {
			note(host, s->tile, 1, depth);
			note_place(host, &s->place, 1, depth);
		}
		for (unsigned c = 0; c < s->carry_count; c++) {
			of(host, s->carries[c])->depth = inner;
			of(host, s->results[c])->depth = depth;
			note(host, s->carries[c]->operands[0], 1, depth);
			note(host, s->carries[c]->yield, 1, inner);
		}
		walk(host, &s->body, inner);
	}
}

static bool must_be_array(const struct host *host, const layout_tile *tile)
{
	const struct host_tile *known = of(host, tile);

	if (known->is_turned)
		return true;
	switch (tile->op) {
	case TILE_LOAD:
		return tile->memory->access != LAYOUT_ACCESS_IN ||
			host_is_load_turned(host, tile);
	case TILE_VIEW:
		return host_is_turned(host, tile);
	case TILE_MAP:
		return known->evaluations > 1 || known->deepest > known->depth;
	case TILE_GET:
	case TILE_REDUCE:
	case TILE_CONTRACT:
	case TILE_CARRY:
	case TILE_RESULT:
		return true;
	default:
		return false;
	}
}

/* How often an element of an operand is asked for by one of the tile: factors that are packed
 * once. */
static unsigned times(const struct host *host, const layout_tile *tile, unsigned operand)
{
	bool factor = tile->op == TILE_CONTRACT && operand;
	bool repeats = factor ? !of(host, tile)->product.is :
		program_elements(tile->operands[operand]) < program_elements(tile);

	return repeats ? 2 : 1;
}

/* What a tile asks of others, once all is known that is asked of it. */
static void spread(const struct host *host, const layout_tile *tile)
{
	struct host_tile *known = of(host, tile);
	unsigned depth, each;

	known->is_array = must_be_array(host, tile);
	depth = known->is_array ? known->depth : known->deepest;
	each = known->is_array ? 1 : known->evaluations;
	if (tile->op == TILE_CARRY || tile->op == TILE_RESULT)
		return;
	for (unsigned i = 0; i < tile->operand_count; i++) {
		struct host_tile *operand = of(host, tile->operands[i]);

		operand->is_turned = operand->is_turned ||
			(known->is_array && host_is_turned(host, tile));
		note(host, tile->operands[i], each * times(host, tile, i), depth);
	}
	note_place(host, &tile->place, each, depth);
}

/* A sum of products that goes on with a carry, of which nobody else knows. */
static bool continues_carry(const struct host *host, const layout_tile *tile)
{
	const layout_tile *carry = tile->operand_count ? tile->operands[0] : NULL;

	return tile->op == TILE_CONTRACT && carry->op == TILE_CARRY &&
		carry->yield == tile && of(host, carry)->evaluations == 1;
}

void host_choose_arrays(struct host *host)
{
	walk(host, &host->program->body, 0);
	for (unsigned i = host->program->tile_count; i-- > 0;)
		spread(host, host->program->tiles[i]);
	for (unsigned i = 0; i < host->program->tile_count; i++) {
		const layout_tile *tile = host->program->tiles[i];

		if (tile->op == TILE_RESULT || continues_carry(host, tile))
			of(host, tile)->same = tile->operands[0];
	}
}

bool host_is_reduced_next(const struct host *host, const struct program_body *body,
	unsigned i)
{
	const struct program_statement *s = &body->statements[i], *next = s + 1;

	return i + 1 < body->count && s->kind == STATEMENT_TILE && s->tile->op == TILE_MAP &&
		host->tiles[s->tile->number].is_array && next->kind == STATEMENT_TILE &&
		next->tile->op == TILE_REDUCE && next->tile->operands[0] == s->tile;
}

static bool is_carry_of(const struct program_statement *loop, const layout_tile *tile)
{
	for (unsigned i = 0; i < loop->carry_count; i++)
		if (loop->carries[i] == tile)
			return true;
	return false;
}

/* The same of a tile that is asked for at the carry's own element, or at any. */
static bool reads_in_place(const struct host *host, const struct program_statement *loop,
	const layout_tile *carry, const layout_tile *tile, bool own)
{
	bool good = true;

	if (is_carry_of(loop, tile))
		return own && tile == carry;
	if (of(host, tile)->is_array)
		return true;
	for (unsigned i = 0; i < tile->operand_count; i++)
		good = good && reads_in_place(host, loop, carry, tile->operands[i],
			own && tile->op != TILE_VIEW &&
			program_elements(tile->operands[i]) == program_elements(carry));
	for (unsigned d = 0; d < tile->place.rank; d++)
		if (tile->place.gather[d])
			good = good && reads_in_place(host, loop, carry,
				tile->place.gather[d], false);
	return good;
}

bool host_is_in_place(const struct host *host, const struct program_statement *loop,
	const layout_tile *carry)
{
	return reads_in_place(host, loop, carry, carry->yield, true);
}
