/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is behind the range of an innermost loop, where loads have pads: tiles that have one
 * value all over it, and arrays that nobody asks for elements there. */
#include "isl_bridge/index_sum.h"
#include "lower/program_host/parts.h"

static const struct host_range everywhere = { NULL, NULL };

/* Until nothing more is known. */
struct asking {
	const struct host *host;
	bool changed;
};

static struct host_tile *of(const struct host *host, const layout_tile *tile)
{
	return &host->tiles[tile->number];
}

static int64_t last_extent(const layout_tile *tile)
{
	return tile->rank ? tile->box[tile->rank - 1] : 1;
}

bool host_is_same(const struct host_range *a, const struct host_range *b)
{
	return a->at && b->at && index_equal(a->at, b->at) && index_equal(a->size, b->size);
}

/* Others ask for elements in these ranges; NULL: everywhere. */
static void ask(struct asking *a, const layout_tile *tile, const struct host_range *ranges)
{
	struct host_tile *known = of(a->host, tile);

	for (unsigned d = 0; d < tile->rank; d++) {
		const struct host_range *range = ranges ? &ranges[d] : &everywhere;

		if (known->is_asked && !host_is_same(&known->asked[d], range))
			range = &everywhere;
		if (!known->is_asked || !range->at) {
			a->changed = a->changed || known->asked[d].at != range->at;
			known->asked[d] = *range;
		}
	}
	a->changed = a->changed || !known->is_asked;
	known->is_asked = true;
}

static void ask_place(struct asking *a, const struct program_place *place)
{
	for (unsigned d = 0; d < place->rank; d++)
		if (place->gather[d])
			ask(a, place->gather[d], NULL);
}

static void ask_store(struct asking *a, const struct program_statement *s)
{
	struct host_range ranges[PROGRAM_RANK];

	for (unsigned d = 0; d < s->place.rank; d++)
		ranges[d] = s->kind == STATEMENT_STORE ? host_place_range(a->host, s->memory,
			&s->place, d) : everywhere;
	ask(a, s->tile, ranges);
	ask_place(a, &s->place);
}

/* What statements other than tiles ask for, and which reductions ask while there is more
 * than the array. */
static void ask_body(struct asking *a, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *s = &body->statements[i];

		if (s->kind == STATEMENT_STORE || s->kind == STATEMENT_PUT)
			ask_store(a, s);
		if (host_is_reduced_next(a->host, body, i))
			of(a->host, s[1].tile)->is_with = true;
		ask_body(a, &s->body);
	}
}

/* An operand of the same box but for dimensions that repeat. */
static void ask_broadcast(struct asking *a, const layout_tile *tile,
	const layout_tile *operand)
{
	unsigned before = tile->rank - operand->rank;
	struct host_range ranges[PROGRAM_RANK];

	for (unsigned d = 0; d < operand->rank; d++)
		ranges[d] = operand->box[d] == tile->box[before + d] ?
			of(a->host, tile)->asked[before + d] : everywhere;
	ask(a, operand, ranges);
}

static void ask_permuted(struct asking *a, const layout_tile *tile)
{
	struct host_range ranges[PROGRAM_RANK];

	for (unsigned d = 0; d < tile->rank; d++)
		ranges[tile->dims[d]] = of(a->host, tile)->asked[d];
	ask(a, tile->operands[0], ranges);
}

/* Where the result's dimension of a letter is asked for. */
static struct host_range letter_range(const struct host *host, const layout_tile *tile,
	unsigned letter)
{
	const unsigned *map = program_letters_of(tile, 0);
	struct host_range range = everywhere;

	for (unsigned d = 0; d < tile->rank; d++)
		if (map[d] == letter)
			range = of(host, tile)->asked[d];
	return range;
}

static void ask_factors(struct asking *a, const layout_tile *tile)
{
	for (unsigned i = 1; i < tile->operand_count; i++) {
		const layout_tile *factor = tile->operands[i];
		struct host_range ranges[PROGRAM_RANK];

		for (unsigned d = 0; d < factor->rank; d++)
			ranges[d] = letter_range(a->host, tile, program_letters_of(tile, i)[d]);
		ask(a, factor, of(a->host, tile)->product.is ? ranges : NULL);
	}
}

static bool is_fixed(const struct host *host, const struct index *index)
{
	bool fixed = index->op != INDEX_VAR ||
		index->var < host->program->size_count + host->program->grid_count;

	for (unsigned i = 0; i < index->arg_count; i++)
		fixed = fixed && is_fixed(host, index->arg[i]);
	return fixed;
}

bool host_is_fixed(const struct host *host, const struct host_range *range)
{
	return range->at && is_fixed(host, range->at);
}

/* What is carried is asked for in other steps. */
static void ask_carried(struct asking *a, const layout_tile *carry)
{
	struct host_range ranges[PROGRAM_RANK];

	for (unsigned d = 0; d < carry->rank; d++) {
		ranges[d] = of(a->host, carry)->asked[d];
		if (!host_is_fixed(a->host, &ranges[d]))
			ranges[d] = everywhere;
	}
	ask(a, carry->operands[0], ranges);
	ask(a, carry->yield, ranges);
}

/* What a tile asks of others, by what is known to be asked of it. */
static void ask_operands(struct asking *a, const layout_tile *tile)
{
	const struct host_tile *known = of(a->host, tile);

	ask_place(a, &tile->place);
	switch (tile->op) {
	case TILE_CARRY:
		ask_carried(a, tile);
		return;
	case TILE_CONTRACT:
		ask_factors(a, tile);
		ask(a, tile->operands[0], known->asked);
		return;
	case TILE_RESULT:
		ask(a, tile->operands[0], known->asked);
		return;
	default:
		break;
	}
	for (unsigned i = 0; i < tile->operand_count && !known->is_with; i++)
		if (tile->op == TILE_VIEW && tile->view == VIEW_PERMUTE)
			ask_permuted(a, tile);
		else if (!known->is_array && (tile->op == TILE_MAP || tile->op == TILE_CONVERT))
			ask_broadcast(a, tile, tile->operands[i]);
		else
			ask(a, tile->operands[i], NULL);
}

/* What nobody asks for asks for nothing; what is asked of a carry may be known behind what asks
 * by its yield. */
void host_find_asked(const struct host *host)
{
	struct asking a = { host, true };

	ask_body(&a, &host->program->body);
	while (a.changed) {
		a.changed = false;
		for (unsigned i = host->program->tile_count; i-- > 0;)
			if (host->tiles[i].is_asked)
				ask_operands(&a, host->program->tiles[i]);
	}
}

bool host_is_asked_behind(const struct host *host, const layout_tile *tile)
{
	return !host_is_same(&of(host, tile)->asked[tile->rank - 1], &host->range);
}

static bool is_value_uniform(const struct host *host, const layout_tile *tile)
{
	return last_extent(tile) == 1 || (!of(host, tile)->is_array &&
		host_is_uniform_behind(host, tile));
}

bool host_is_uniform_behind(const struct host *host, const layout_tile *tile)
{
	struct host_range range;
	bool uniform = true;

	switch (tile->op) {
	case TILE_FILL:
		return true;
	case TILE_LOAD:
		range = host_place_range(host, tile->memory, &tile->place, tile->rank - 1);
		return host_is_same(&range, &host->range);
	case TILE_MAP:
	case TILE_CONVERT:
		for (unsigned i = 0; i < tile->operand_count; i++)
			uniform = uniform && is_value_uniform(host, tile->operands[i]);
		return uniform;
	default:
		return false;
	}
}
