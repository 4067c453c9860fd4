/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles whose last dimension is another's.  Element by element, vectors would be made of what lies
 * apart: of views that move the last dimension, and where memory is contiguous along another one.
 *
 *	a view	squares of the array that it is of are loaded in vectors, turned in registers and
 *		stored in vectors
 *	a load	the box with two dimensions exchanged, along memory, to an array; that turned
 *	a store	the same, turned before */
#include "lower/block/turn.h"
#include "lower/program_host/parts.h"

#include <stddef.h>

/* A square that is worth it has as many rows, and what is contiguous in memory as many elements. */
enum { LEAST_SIDE = 4, LEAST_RUN = 16 };

/* Dimension d of the result is dimension order[d] of what is given, arrays both; "last" and "other"
 * are the result's which are the last one of either. */
struct turning {
	const layout_tile *given, *result;
	LLVMValueRef from, to;
	const unsigned *order;
	unsigned last, other, bytes, side;
};

/* How many rows and columns squares have, of these dimensions of a box. */
static unsigned side_of(const struct host *host, const layout_tile *tile, unsigned a, unsigned b)
{
	const layout_kernel *kernel = host->iteration->kernel;
	unsigned side = kernel->hooks->vector_bytes(kernel->cpu) / host_array_bytes(tile->type);

	while (side && (tile->box[a] % side || tile->box[b] % side))
		side /= 2;
	return side;
}

/* Row "i" of a square that begins at x, in which rows follow each other in "dim". */
static LLVMValueRef row(const struct host *host, LLVMValueRef array, const layout_tile *box,
	const LLVMValueRef *x, unsigned dim, unsigned i)
{
	LLVMValueRef at[PROGRAM_RANK];

	for (unsigned d = 0; d < box->rank; d++)
		at[d] = d == dim ? LLVMBuildNSWAdd(host->b, x[d], host_number(host, i), "") : x[d];
	return host_array_element(host, array, box, box->type, at);
}

static void turn_square(struct host *host, const LLVMValueRef *number, void *user)
{
	const struct turning *t = user;
	LLVMTypeRef type = LLVMVectorType(LLVMIntTypeInContext(host->llvm, 8 * t->bytes), t->side);
	LLVMValueRef x[PROGRAM_RANK], y[PROGRAM_RANK], values[TURN_ELEMENTS];
	struct turn turn = { host->b, t->side * t->side, t->bytes, t->side, t->side, { 0 }, NULL,
		NULL, NULL };

	for (unsigned d = 0; d < t->result->rank; d++) {
		x[d] = d == t->last || d == t->other ? LLVMBuildNSWMul(host->b, number[d],
			host_number(host, t->side), "") : number[d];
		y[t->order[d]] = x[d];
	}
	for (unsigned i = 0; i < turn.elements; i++)
		turn.from[i] = i % t->side * t->side + i / t->side;
	for (unsigned i = 0; i < t->side; i++) {
		values[i] = LLVMBuildLoad2(host->b, type, row(host, t->from, t->given, y,
			t->order[t->last], i), "");
		LLVMSetAlignment(values[i], t->bytes);
	}
	turn_lower(&turn, values);
	for (unsigned i = 0; i < t->side; i++)
		LLVMSetAlignment(LLVMBuildStore(host->b, values[i], row(host, t->to, t->result, x,
			t->other, i)), t->bytes);
}

/* The dimension that is the last one of what is given. */
static unsigned find_last(const unsigned *order, unsigned rank)
{
	unsigned d = 0;

	while (order[d] != rank - 1)
		d++;
	return d;
}

static void turn(struct host *host, struct turning *t)
{
	const layout_tile *tile = t->result;
	int64_t box[PROGRAM_RANK];
	struct host_nest nest = { .rank = tile->rank, .box = box, .point = turn_square,
		.whole = LLVMConstInt(LLVMInt1TypeInContext(host->llvm), 1, false), .user = t };

	t->last = tile->rank - 1;
	t->other = find_last(t->order, tile->rank);
	t->bytes = host_array_bytes(tile->type);
	t->side = side_of(host, tile, t->last, t->other);
	for (unsigned d = 0; d < tile->rank; d++)
		box[d] = tile->box[d] / (d == t->last || d == t->other ? t->side : 1);
	host_loops(host, &nest);
}

bool host_is_turned(const struct host *host, const layout_tile *tile)
{
	unsigned last = tile->rank - 1;

	return tile->op == TILE_VIEW && tile->view == VIEW_PERMUTE && tile->dims[last] != last &&
		tile->operands[0]->op != TILE_FILL && tile->operands[0]->op != TILE_INDEX &&
		side_of(host, tile, last, find_last(tile->dims, tile->rank)) >= LEAST_SIDE;
}

void host_turn(struct host *host, const layout_tile *tile)
{
	struct turning t = { .given = tile->operands[0], .result = tile,
		.from = host_array(host, tile->operands[0]), .to = host_array(host, tile),
		.order = tile->dims };

	turn(host, &t);
}

/* The dimension of a tile that goes along memory at a place, if it is to be turned for that; else
 * the last one. */
static unsigned nearest_of(const struct host *host, const layout_memory *memory,
	const struct program_place *place, const layout_tile *tile)
{
	const struct storage_access *access = host_access(host, memory);
	unsigned nearest = tile->rank - 1;

	if (!tile->rank || memory->sight || access->twisted || program_gathers(place))
		return nearest;
	for (unsigned k = 0; k < access->slot_count; k++) {
		const struct digit *digit = &access->digits[k];

		if (digit->dim < tile->rank && digit->step == 1 && index_is(access->pitch[k], 1) &&
		    (!digit->radix || digit->radix >= LEAST_RUN) && tile->box[digit->dim] > 1)
			nearest = digit->dim;
	}
	return side_of(host, tile, nearest, tile->rank - 1) >= LEAST_SIDE ? nearest : tile->rank - 1;
}

bool host_is_load_turned(const struct host *host, const layout_tile *tile)
{
	return tile->op == TILE_LOAD && nearest_of(host, tile->memory, &tile->place, tile) !=
		tile->rank - 1;
}

bool host_is_store_turned(const struct host *host, const struct program_statement *s)
{
	return s->kind == STATEMENT_STORE && s->tile->op != TILE_FILL &&
		s->tile->op != TILE_INDEX && nearest_of(host, s->memory, &s->place, s->tile) !=
		s->tile->rank - 1;
}

/* A place whose last dimension and the nearest one in memory are exchanged, that memory, and a tile
 * of that box. */
struct exchanged {
	unsigned order[PROGRAM_RANK];
	layout_tile tile;
	struct host_alias alias;
	struct program_place place;
	struct index *size[PROGRAM_RANK];
	struct digit digits[LAYOUT_STORAGE_SLOTS];
};

static void exchange(struct host *host, struct exchanged *e, const layout_tile *tile,
	const layout_memory *memory, const struct program_place *place)
{
	const struct storage_access *access = host_access(host, memory);
	unsigned nearest = nearest_of(host, memory, place, tile), last = tile->rank - 1;

	e->tile = *tile;
	e->place = *place;
	e->alias = (struct host_alias){ *memory, host_argument(host, memory), *access };
	for (unsigned d = 0; d < tile->rank; d++) {
		e->order[d] = d == nearest ? last : d == last ? nearest : d;
		e->tile.box[d] = tile->box[e->order[d]];
		e->place.at[d] = place->at[e->order[d]];
		e->size[d] = access->size[e->order[d]];
	}
	for (unsigned k = 0; k < access->slot_count; k++) {
		e->digits[k] = access->digits[k];
		if (e->digits[k].dim < tile->rank)
			e->digits[k].dim = e->order[e->digits[k].dim];
	}
	e->alias.access.size = e->size;
	e->alias.access.digits = e->digits;
	e->tile.memory = &e->alias.memory;
	e->tile.place = e->place;
	host->alias = &e->alias;
}

/* What was known of a tile is of the other one until this is undone. */
static struct host_tile know(const struct host *host, const struct exchanged *e)
{
	struct host_tile *known = &host->tiles[e->tile.number], was = *known;

	for (unsigned d = 0; d < e->tile.rank; d++)
		known->asked[d] = was.asked[e->order[d]];
	known->same = NULL;
	known->array = was.turned;
	return was;
}

void host_load_turned(struct host *host, const layout_tile *tile)
{
	struct exchanged e;
	struct host_tile was;
	struct turning t = { .given = &e.tile, .result = tile, .to = host_array(host, tile),
		.order = e.order };

	exchange(host, &e, tile, tile->memory, &tile->place);
	was = know(host, &e);
	t.from = was.turned;
	host_compute_array(host, &e.tile, t.from);
	host->tiles[tile->number] = was;
	host->alias = NULL;
	turn(host, &t);
}

void host_store_turned(struct host *host, const struct program_statement *s)
{
	struct program_statement exchanged = *s;
	struct exchanged e;
	struct host_tile was;
	struct turning t = { .given = s->tile, .result = &e.tile, .from = host_array(host, s->tile),
		.order = e.order };

	exchange(host, &e, s->tile, s->memory, &s->place);
	t.to = host->tiles[s->tile->number].turned;
	turn(host, &t);
	was = know(host, &e);
	exchanged.tile = &e.tile;
	exchanged.memory = &e.alias.memory;
	exchanged.place = e.place;
	host_store_array(host, &exchanged);
	host->tiles[s->tile->number] = was;
	host->alias = NULL;
}
