/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is behind the range of an innermost loop, where loads have pads: tiles that have one
 * value all over it, and arrays that nobody asks for elements there. */
#include "isl_bridge/index_sum.h"
#include "lower/program_host/parts.h"

static const struct host_range everywhere = { NULL, NULL };

static struct host_tile *of(const struct host *host, const layout_tile *tile)
{
	return &host->tiles[tile->number];
}

static int64_t last_extent(const layout_tile *tile)
{
	return tile->rank ? tile->box[tile->rank - 1] : 1;
}

static bool is_same(const struct host_range *a, const struct host_range *b)
{
	return a->at && b->at && index_equal(a->at, b->at) && index_equal(a->size, b->size);
}

/* Others ask for elements in a range, or everywhere. */
static void ask(const struct host *host, const layout_tile *tile,
	const struct host_range *range)
{
	struct host_tile *known = of(host, tile);

	if (!known->is_asked)
		known->asked = *range;
	else if (!is_same(&known->asked, range))
		known->asked = everywhere;
	known->is_asked = true;
}

static void ask_place(const struct host *host, const struct program_place *place)
{
	for (unsigned d = 0; d < place->rank; d++)
		if (place->gather[d])
			ask(host, place->gather[d], &everywhere);
}

static void ask_store(const struct host *host, const struct program_statement *s)
{
	struct host_range range = everywhere;

	if (s->kind == STATEMENT_STORE && s->place.rank)
		range = host_place_range(host, s->memory, &s->place, s->place.rank - 1);
	ask(host, s->tile, &range);
	ask_place(host, &s->place);
}

/* What statements other than tiles ask for, and which reductions ask while there is more
 * than the array. */
static void ask_body(const struct host *host, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *s = &body->statements[i];

		if (s->kind == STATEMENT_STORE || s->kind == STATEMENT_PUT)
			ask_store(host, s);
		for (unsigned c = 0; c < s->carry_count; c++) {
			ask(host, s->carries[c]->operands[0], &everywhere);
			ask(host, s->carries[c]->yield, &everywhere);
		}
		if (host_is_reduced_next(host, body, i))
			of(host, s[1].tile)->is_with = true;
		ask_body(host, &s->body);
	}
}

/* What a tile asks of others, once all is known that is asked of it. */
static void ask_operands(const struct host *host, const layout_tile *tile)
{
	const struct host_tile *known = of(host, tile);

	ask_place(host, &tile->place);
	for (unsigned i = 0; i < tile->operand_count && !known->is_with; i++) {
		const layout_tile *operand = tile->operands[i];
		bool same = !known->is_array && last_extent(operand) == last_extent(tile) &&
			(tile->op == TILE_MAP || tile->op == TILE_CONVERT);

		ask(host, operand, same ? &known->asked : &everywhere);
	}
}

void host_find_asked(const struct host *host)
{
	ask_body(host, &host->program->body);
	for (unsigned i = host->program->tile_count; i-- > 0;)
		ask_operands(host, host->program->tiles[i]);
}

bool host_is_asked_behind(const struct host *host, const layout_tile *tile)
{
	return !is_same(&of(host, tile)->asked, &host->range);
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
		return is_same(&range, &host->range);
	case TILE_MAP:
	case TILE_CONVERT:
		for (unsigned i = 0; i < tile->operand_count; i++)
			uniform = uniform && is_value_uniform(host, tile->operands[i]);
		return uniform;
	default:
		return false;
	}
}
