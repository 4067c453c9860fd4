/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/build.h"
#include "kernel/given.h"
#include "kernel/shapes.h"
#include "kernel/tile/align.h"
#include "algebra/visit/owner.h"
#include "kernel/tile/text.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the narrowest access that is no worse than wider ones. */
#define WORD 4

/* Of a tile's row, where the next tile has one of so many in common with it. */
#define LEAST_SHARES 4

/* What a tile is built with.  dims[d] is the choice's dimension of the plan's d. */
struct build {
	layout_context *ctx;
	struct plan *plan;
	const struct tile_request *request;
	const struct factors *factors;
	const struct choice *choice;
	const struct stage *stage;	/* NULL: one move; else the choice is its second */
	unsigned *dims;
	unsigned shared_dim;		/* tiles that follow each other in it have so many */
	int64_t shared;			/* elements in common */
	struct tile_account *account;
};

static int64_t extent_of(const struct build *b, unsigned d)
{
	return choice_extent(b->choice, b->dims[d]);
}

/* From one tile of a dimension to the next. */
static int64_t step_in(const struct build *b, unsigned dim)
{
	return choice_extent(b->choice, dim) - (dim == b->shared_dim ? b->shared : 0);
}

/* How many tiles follow each other in a dimension.  The last one has all that it shares. */
static struct index *tile_count(const struct build *b, unsigned dim)
{
	struct index *end = index_copy(b->factors->dims[dim].end), *least;

	if (b->shared && dim == b->shared_dim) {
		least = index_binary(INDEX_MIN, index_copy(end), index_int(1));
		end = index_binary(INDEX_MAX, index_binary(INDEX_SUB, end,
			index_int(b->shared)), least);
	}
	return index_ceil_div(end, step_in(b, dim));
}

/* What the grid walks along in a dimension: a piece that is left to it, or what lies beyond
 * a tile that is kept short.  False for what never ends. */
static bool find_walk(const struct choice *choice, unsigned dim, struct choice_piece *walk)
{
	const struct factors *factors = choice->factors;
	bool found = false;

	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].where == CHOICE_GRID &&
		    factors->digits[choice->pieces[i].digit].digit.dim == dim) {
			*walk = choice->pieces[i];
			return true;
		}
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim && !factors->digits[i].most) {
			*walk = (struct choice_piece){ .digit = i,
				.step = choice_extent(choice, dim) };
			found = true;
		}
	return found;
}

/* Should grid axis x rather be "a" than "b"?  Where tiles follow each other in the
 * destination. */
static bool walks_nearer(const struct choice *choice, unsigned a, unsigned b)
{
	struct choice_piece x, y;
	bool x_walks = find_walk(choice, a, &x);

	if (!x_walks || !find_walk(choice, b, &y))
		return x_walks;
	return choice_is_nearer(choice, &x, &y, FACTOR_STORE);
}

/* The dimensions in the order of the plan: the nearest is x, the last. */
static void order_dims(struct build *b)
{
	unsigned count = b->factors->dim_count;

	for (unsigned d = 0; d < count; d++) {
		unsigned at = d;

		for (; at && walks_nearer(b->choice, b->dims[at - 1], d); at--)
			b->dims[at] = b->dims[at - 1];
		b->dims[at] = d;
	}
}

static bool name_dims(struct build *b)
{
	static const char *const names[] = { "x", "y", "z" };
	static const enum visit_level levels[] = { VISIT_GRID_X, VISIT_GRID_Y, VISIT_GRID_Z };
	const char *const *sizes = (const char *const *)b->plan->size_names;
	unsigned count = b->factors->dim_count, size_count = b->plan->size_count;
	bool ok = true;

	b->plan->visit.dims = layout_alloc(b->ctx, count + 1, sizeof(*b->plan->visit.dims));
	if (!b->plan->visit.dims)
		return false;
	for (unsigned d = 0; d < count; d++) {
		unsigned axis = count - d > 2 ? 2 : count - d - 1;

		b->plan->visit.dims[d] = (struct visit_dim){ visit_owner_name(b->ctx, names[axis],
			axis == 2 ? (int)d : -1, sizes, size_count), levels[axis],
			tile_count(b, b->dims[d]) };
	}
	b->plan->visit.dims[count] = (struct visit_dim){ visit_owner_name(b->ctx, "lane", -1, sizes,
		size_count), VISIT_LANE, index_int(b->choice->lanes) };
	b->plan->visit.dim_count = count + 1;
	for (unsigned d = 0; d <= count; d++)
		ok = ok && b->plan->visit.dims[d].name && b->plan->visit.dims[d].extent;
	return ok;
}

static bool is_zero(const struct index *index)
{
	return index->op == INDEX_INT && !index->value;
}

/* Tiles of so much end where the dimension does, whatever the sizes. */
static bool divides(int64_t extent, const struct index *end)
{
	return factor_divisor(end) % extent == 0;
}

/* May the last tile of a dimension begin earlier?  An owner that was given says where
 * tiles begin. */
static bool begins_earlier(const struct build *b, unsigned dim)
{
	return !b->request->target->owner &&
		b->factors->dims[dim].end->max >= choice_extent(b->choice, dim) &&
		choice_begins_anywhere(b->factors, &b->choice->rules, dim);
}

static bool is_backward(const struct build *b, enum factor_side side, unsigned dim)
{
	return side == FACTOR_LOAD && b->factors->dims[dim].backward;
}

/* What a step is worth in a dimension whose last tile begins earlier. */
static struct index *pitch_of(const struct build *b, enum factor_side side, unsigned dim)
{
	struct index *pitch = index_copy(factor_pitch(b->factors, side, dim));

	return is_backward(b, side, dim) ? index_binary(INDEX_SUB, index_int(0), pitch) :
		pitch;
}

static bool build_dims(struct build *b)
{
	struct plan_tile *tile = b->plan->tile;

	tile->dims = layout_alloc(b->ctx, b->factors->dim_count, sizeof(*tile->dims));
	if (!tile->dims)
		return false;
	tile->dim_count = b->factors->dim_count;
	for (unsigned d = 0; d < tile->dim_count; d++) {
		const struct factor_dim *dim = &b->factors->dims[b->dims[d]];
		int64_t extent = extent_of(b, d);

		tile->dims[d] = (struct tile_dim){ extent, step_in(b, b->dims[d]),
			index_copy(dim->low), index_copy(dim->high), index_copy(dim->end),
			!is_zero(dim->low) || !divides(extent, dim->high) ||
				!index_equal(dim->high, dim->end),
			!divides(extent, dim->end),
			int_gcd(factor_divisor(dim->low), factor_divisor(dim->high)),
			factor_divisor(dim->end), { NULL } };
		if (!tile->dims[d].some_unwritten || !begins_earlier(b, b->dims[d]))
			continue;
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			tile->dims[d].pitch[side] = pitch_of(b, (enum factor_side)side,
				b->dims[d]);
	}
	return true;
}

static unsigned plan_dim_of(const struct build *b, unsigned dim)
{
	unsigned d = 0;

	while (b->dims[d] != dim)
		d++;
	return d;
}

/* The digits of the tile and their places. */
static bool build_digits(struct build *b)
{
	const struct choice *choice = b->choice;
	struct plan_tile *tile = b->plan->tile;
	struct tile_move *move = &tile->moves[0];

	tile->digits = layout_alloc(b->ctx, choice->count, sizeof(*tile->digits));
	move->places = layout_alloc(b->ctx, choice->count, sizeof(*move->places));
	move->registers = choice->registers;
	move->spares = layout_alloc(b->ctx, choice->spare_count, sizeof(*move->spares));
	for (; move->spares && move->spare_count < choice->spare_count; move->spare_count++)
		move->spares[move->spare_count] = choice->spares[move->spare_count];
	tile->move_count = 1;
	for (unsigned i = 0; tile->digits && move->places && i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];

		if (piece->where == CHOICE_GRID)
			continue;
		tile->digits[tile->digit_count] = (struct digit){
			plan_dim_of(b, digit->digit.dim), piece->step, piece->radix };
		move->places[tile->digit_count++] = (struct tile_place){
			piece->where == CHOICE_LANE, piece->place };
	}
	return tile->digits && move->places && move->spares;
}

/* The digits of the tile that are pieces of "digit", "at" steps of it. */
static uint64_t digits_at(const struct build *b, unsigned digit, int64_t at)
{
	const struct choice *choice = b->choice;
	uint64_t bit = 1, found = 0;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->where == CHOICE_GRID)
			continue;
		if (piece->digit == digit &&
		    piece->step == at * b->factors->digits[digit].digit.step)
			found |= bit;
		bit <<= 1;
	}
	return found;
}

/* A piece and what it is xored with on a side. */
static uint64_t term_digits(const struct build *b, enum factor_side side,
	const struct choice_piece *piece)
{
	const struct factors *factors = b->factors;
	int64_t at = piece->step / factors->digits[piece->digit].digit.step;
	uint64_t digits = digits_at(b, piece->digit, at);

	for (unsigned x = 0; x < factors->xor_count; x++)
		if (factors->xors[x].side == side && factors->xors[x].to == piece->digit)
			digits ^= digits_at(b, factors->xors[x].from, at);
	return digits;
}

/* A term for each digit that is worth anything on a side. */
static bool build_terms(struct build *b, enum factor_side side, struct tile_side *out)
{
	const struct choice *choice = b->choice;

	out->terms = layout_alloc(b->ctx, choice->count, sizeof(*out->terms));
	out->vector = choice->vector[side];
	out->step = choice->step[side];
	for (unsigned i = 0; out->terms && i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];
		struct index *weight;

		if (piece->where == CHOICE_GRID || factor_rotation(b->factors, side, piece->digit))
			continue;
		weight = index_binary(INDEX_MUL, index_copy(digit->weight[side]),
			index_int(piece->step / digit->digit.step));
		if (!weight)
			return false;
		if (is_zero(weight))
			index_free(weight);
		else
			out->terms[out->term_count++] = (struct tile_term){
				term_digits(b, side, piece), weight,
				is_backward(b, side, digit->digit.dim) };
	}
	return out->terms;
}

/* How far a tile's digits count in a dimension of the source: those that lie behind its end, where
 * a tile of the destination is longer, are worth nothing there. */
static int64_t counted_extent(const struct build *b, unsigned dim)
{
	const struct choice *choice = b->choice;
	int64_t last = 0;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];

		if (piece->where != CHOICE_GRID && digit->digit.dim == dim &&
		    !is_zero(digit->weight[FACTOR_LOAD]))
			last += (piece->radix - 1) * piece->step;
	}
	return last + 1;
}

/* Where the source counts backwards, the last element of a tile is the first in memory. */
static struct index *backward_slot(const struct build *b, const struct factor_slot *slot,
	struct index *coordinate)
{
	unsigned dim = slot->digit.dim;
	struct index *next = index_binary(INDEX_ADD, index_binary(INDEX_MUL,
		index_copy(coordinate), index_int(choice_extent(b->choice, dim))),
		index_int(counted_extent(b, dim)));

	return index_binary(INDEX_SUB, index_binary(INDEX_ADD, index_int(1),
		index_copy(b->factors->dims[dim].low)), next);
}

/* The slot of the first element of a tile.  Tiles of a shifted source that end before its
 * first element are not read. */
static struct index *base_slot(const struct build *b, enum factor_side side,
	const struct factor_slot *slot, struct index *coordinate)
{
	int64_t extent = choice_extent(b->choice, slot->digit.dim);
	struct index *low = b->factors->dims[slot->digit.dim].low, *value;

	if (side == FACTOR_LOAD && b->factors->dims[slot->digit.dim].single)
		return index_int(0);
	if (is_backward(b, side, slot->digit.dim))
		return backward_slot(b, slot, coordinate);
	if (slot->digit.radix && extent % (slot->digit.step * slot->digit.radix) == 0)
		return index_int(0);
	value = index_binary(INDEX_MUL, index_copy(coordinate),
		index_int(step_in(b, slot->digit.dim)));
	if (side == FACTOR_LOAD && !is_zero(low))
		value = index_binary(INDEX_SUB, value, index_copy(low));
	if (side == FACTOR_LOAD && !is_zero(low) && divides(extent, low) &&
	    (slot->digit.step > 1 || slot->digit.radix))
		value = index_binary(INDEX_MAX, value, index_int(0));
	value = index_binary(INDEX_FDIV, value, index_int(slot->digit.step));
	return slot->digit.radix ? index_binary(INDEX_PMOD, value, index_int(slot->digit.radix)) :
		value;
}

/* Does the tile hold digits of a dimension that tiles of the source begin inside of? */
static bool is_carried(const struct build *b, unsigned dim)
{
	const struct choice *choice = b->choice;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct factor_digit *digit = &b->factors->digits[piece->digit];

		if (piece->where != CHOICE_GRID && digit->digit.dim == dim && digit->carried)
			return true;
	}
	return false;
}

/* Of so many elements are the source's tiles. */
static int64_t source_tile(const struct build *b, unsigned dim)
{
	int64_t tile = 1;

	for (unsigned k = 0; k < b->factors->slot_count[FACTOR_LOAD]; k++) {
		const struct factor_slot *slot = &b->factors->slots[FACTOR_LOAD][k];
		int64_t end = slot->digit.step * (slot->digit.radix ? slot->digit.radix : 1);

		if (slot->digit.dim == dim && end > tile)
			tile = end;
	}
	return tile;
}

/* The index in the source of the first element of a tile. */
static struct index *source_start(const struct build *b, unsigned dim,
	struct index *coordinate)
{
	return index_binary(INDEX_SUB, index_binary(INDEX_MUL, index_copy(coordinate),
		index_int(choice_extent(b->choice, dim))),
		index_copy(b->factors->dims[dim].low));
}

/* The part of that inside a tile of the source. */
static struct index *source_first(const struct build *b, unsigned dim,
	struct index *coordinate)
{
	struct index *start = source_start(b, dim, coordinate);
	struct index *tile = index_int(source_tile(b, dim));

	if (start && start->min >= 0)
		return index_binary(INDEX_PMOD, start, tile);
	return index_binary(INDEX_SUB, start, index_binary(INDEX_MUL,
		index_binary(INDEX_FDIV, index_copy(start), index_copy(tile)), tile));
}

/* A slot of the source in a dimension that is carried: what it is worth at the first
 * element of the source's tile; the rest is a carry. */
static struct index *carried_slot(const struct build *b, const struct factor_slot *slot,
	struct index *coordinate)
{
	if (slot->digit.radix)
		return index_int(0);
	return index_binary(INDEX_FDIV, source_start(b, slot->digit.dim, coordinate),
		index_int(slot->digit.step));
}

static bool build_carried(struct build *b, struct index **coordinates,
	struct tile_side *out)
{
	for (unsigned k = 0; k < b->factors->slot_count[FACTOR_LOAD]; k++) {
		const struct factor_slot *slot = &b->factors->slots[FACTOR_LOAD][k];
		struct tile_carry *carry = &out->carries[out->carry_count];
		unsigned d = plan_dim_of(b, slot->digit.dim);

		if (!is_carried(b, slot->digit.dim))
			continue;
		out->carry_count++;
		*carry = (struct tile_carry){ .dim = d, .counts = { { 0, 1, 1, 0 }, { 0, 1, 0, 0 } },
			.first = source_first(b, slot->digit.dim, coordinates[d]),
			.bound = source_tile(b, slot->digit.dim), .step = slot->digit.step,
			.radix = slot->digit.radix, .weight = index_copy(slot->pitch) };
		if (!carry->first || !carry->weight)
			return false;
	}
	return true;
}

/* The value of a digit at the first element of a tile. */
static struct index *first_value(const struct build *b, const struct digit *digit,
	struct index **coordinates)
{
	int64_t extent = choice_extent(b->choice, digit->dim);
	struct index *value;

	if (digit->radix && extent % (digit->step * digit->radix) == 0)
		return index_int(0);
	value = index_binary(INDEX_FDIV, index_binary(INDEX_MUL,
		index_copy(coordinates[plan_dim_of(b, digit->dim)]), index_int(extent)),
		index_int(digit->step));
	return digit->radix ? index_binary(INDEX_PMOD, value, index_int(digit->radix)) : value;
}

/* How far a rotated digit is at the first element of a tile. */
static struct index *first_turn(const struct build *b, const struct factor_rotation *by,
	struct index **coordinates)
{
	int64_t radix = by->to.radix, extent = choice_extent(b->choice, by->from.dim);
	struct index *turn;

	if (extent % (by->from.step * radix) == 0 && by->from.radix % radix == 0)
		return first_value(b, &by->to, coordinates);
	turn = index_binary(INDEX_PMOD, first_value(b, &by->from, coordinates), index_int(radix));
	return index_binary(INDEX_PMOD, index_binary(INDEX_ADD,
		first_value(b, &by->to, coordinates), index_binary(INDEX_MUL, turn,
		index_int(by->times))), index_int(radix));
}

/* A digit that is rotated. */
static bool build_rotated(struct build *b, struct index **coordinates,
	const struct factor_rotation *by, unsigned digit, struct tile_side *out)
{
	const struct factor_digit *of = &b->factors->digits[digit];
	struct tile_carry *carry = &out->carries[out->carry_count++];

	*carry = (struct tile_carry){ .dim = plan_dim_of(b, by->to.dim),
		.counts = { { 0, by->to.step, 1, by->to.radix },
			{ 0, by->from.step, by->times, by->to.radix } },
		.first = first_turn(b, by, coordinates),
		.bound = by->to.radix, .step = of->digit.step / by->to.step,
		.radix = of->digit.radix, .weight = index_copy(of->weight[by->side]) };
	return carry->first && carry->weight;
}

static bool build_carries(struct build *b, enum factor_side side, struct index **coordinates,
	struct tile_side *out)
{
	bool ok;

	out->carries = layout_alloc(b->ctx, (size_t)b->factors->slot_count[FACTOR_LOAD] +
		b->factors->digit_count, sizeof(*out->carries));
	ok = out->carries && (side == FACTOR_STORE || build_carried(b, coordinates, out));
	for (unsigned i = 0; ok && i < b->factors->digit_count; i++) {
		const struct factor_rotation *by = factor_rotation(b->factors, side, i);

		ok = !by || build_rotated(b, coordinates, by, i, out);
	}
	return ok;
}

/* What the digits that are rotated would add to a base: a carry has it. */
static struct index *less_rotated(const struct build *b, enum factor_side side,
	struct index **coordinates, struct index *base)
{
	for (unsigned i = 0; i < b->factors->digit_count; i++) {
		const struct factor_digit *digit = &b->factors->digits[i];

		if (factor_rotation(b->factors, side, i))
			base = index_binary(INDEX_SUB, base, index_binary(INDEX_MUL,
				first_value(b, &digit->digit, coordinates),
				index_copy(digit->weight[side])));
	}
	return base;
}

/* The address of the first element of a tile: as its extents neither cross a slot's
 * step nor part one, slots of the first element and digits of the others add up. */
static bool build_base(struct build *b, enum factor_side side, struct index **coordinates,
	struct tile_side *out)
{
	out->base = side == FACTOR_LOAD && b->request->start ?
		index_copy(b->request->start) : index_int(0);
	for (unsigned k = 0; k < b->factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &b->factors->slots[side][k];
		struct index *coordinate = coordinates[plan_dim_of(b, slot->digit.dim)];
		bool carried = side == FACTOR_LOAD && is_carried(b, slot->digit.dim);

		out->base = index_binary(INDEX_ADD, out->base, index_binary(INDEX_MUL,
			carried ? carried_slot(b, slot, coordinate) :
			base_slot(b, side, slot, coordinate), index_copy(slot->pitch)));
	}
	out->base = less_rotated(b, side, coordinates, out->base);
	return out->base;
}

static bool build_sides(struct build *b)
{
	struct tile_move *move = &b->plan->tile->moves[0];
	unsigned count = b->factors->dim_count;
	struct index **coordinates = layout_alloc(b->ctx, count, sizeof(*coordinates));
	bool ok = coordinates;

	for (unsigned d = 0; ok && d < count; d++) {
		coordinates[d] = index_counter(b->plan->size_count + d,
			b->plan->visit.dims[d].extent);
		ok = coordinates[d];
	}
	ok = ok && build_base(b, FACTOR_LOAD, coordinates, &move->load) &&
		build_base(b, FACTOR_STORE, coordinates, &move->store) &&
		build_carries(b, FACTOR_LOAD, coordinates, &move->load) &&
		build_carries(b, FACTOR_STORE, coordinates, &move->store) &&
		build_terms(b, FACTOR_LOAD, &move->load) &&
		build_terms(b, FACTOR_STORE, &move->store);
	index_list_free(coordinates, count);
	return ok;
}

static bool build_owner(struct build *b)
{
	const layout_storage *destination = b->request->remap->destination;
	struct tile_account *account = b->account;

	account->shape.choice = b->choice;
	account->sizes = layout_alloc(b->ctx, destination->rank, sizeof(char *));
	for (; account->sizes && account->rank < destination->rank; account->rank++)
		account->sizes[account->rank] = layout_strdup(b->ctx,
			destination->sizes[account->rank].text);
	b->plan->owner = tile_owner_text(b->plan, account, b->choice, b->request);
	if (!shape_is_staged(&account->shape))
		return b->plan->owner;
	b->plan->loader = tile_owner_text(b->plan, account, &account->shape.stage.moves[0],
		b->request);
	return b->plan->owner && b->plan->loader;
}

/* The digits of a move that the carries of rotated digits count. */
static void find_rotated(const struct build *b, enum factor_side side,
	const struct tile_move *move, struct tile_side *out)
{
	const struct plan_tile *tile = b->plan->tile;
	unsigned carry = out->carry_count;

	for (unsigned i = b->factors->digit_count; i--;) {
		const struct factor_rotation *by = factor_rotation(b->factors, side, i);
		struct tile_count *counts;

		if (!by)
			continue;
		counts = out->carries[--carry].counts;
		for (unsigned k = 0; k < tile->digit_count; k++) {
			struct digit digit = tile->digits[k];

			digit.dim = b->dims[digit.dim];
			if (!move->places[k].place)
				continue;
			if (factor_is_part(&by->to, &digit))
				counts[0].digits |= UINT64_C(1) << k;
			if (factor_is_part(&by->from, &digit))
				counts[1].digits |= UINT64_C(1) << k;
		}
	}
}

static void find_counts(const struct build *b)
{
	struct plan_tile *tile = b->plan->tile;
	struct tile_move *last = &tile->moves[tile->move_count - 1];

	find_rotated(b, FACTOR_LOAD, tile->moves, &tile->moves[0].load);
	find_rotated(b, FACTOR_STORE, last, &last->store);
}

static bool build(struct build *b)
{
	b->dims = layout_alloc(b->ctx, b->factors->dim_count, sizeof(*b->dims));
	b->account->dims = b->dims;
	b->plan->tile = layout_alloc(b->ctx, 1, sizeof(*b->plan->tile));
	if (!b->dims || !b->plan->tile)
		return false;
	order_dims(b);
	if (!name_dims(b) || !build_dims(b) || !build_digits(b) || !build_sides(b) ||
	    (b->stage && !stage_apply(b->ctx, b->stage, b->dims, b->plan->tile)))
		return false;
	find_counts(b);
	return build_owner(b);
}

/* Without a tile, an element at a time. */
static bool build_none(struct build *b, const char *why)
{
	b->account->none = why;
	return true;
}

/* The target's LDS; NULL where it has none. */
static const layout_lds *lds_of(const struct plan_target *target)
{
	const layout_lds *lds;

	for (unsigned i = 0; (lds = layout_lds_at(i)); i++)
		if (target->name && !strcmp(layout_lds_name(lds), target->name))
			return lds;
	return NULL;
}

static bool refuse(const struct build *b, const char *what, const char *why)
{
	layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s, since %s", what, why);
	return false;
}

/* The tile that the user wants: what cannot be done so is an error. */
static bool build_given(struct build *b, const struct choice_rules *rules, const char *why)
{
	layout_relation *owner = b->request->target->owner;
	struct choice *choice = &b->account->shape.direct;

	b->choice = choice;
	if (b->request->target->through_lds)
		why = "it says where elements are in one move, and the LDS takes two";
	if (why)
		return refuse(b, "the owner: it would go unused", why);
	return given_choose(choice, b->factors, rules, owner) && build(b);
}

/* The tiles that can be whole in a dimension. */
static struct index *whole_tiles(const struct build *b, unsigned d)
{
	struct index *end = b->factors->dims[b->dims[d]].end;
	struct index *whole = index_binary(INDEX_FDIV, index_copy(end),
		index_int(extent_of(b, d)));

	if (!begins_earlier(b, b->dims[d]))
		return whole;
	return index_binary(INDEX_MUL, index_binary(INDEX_MIN, whole, index_int(1)),
		index_copy(b->plan->visit.dims[d].extent));
}

/* All tiles' issue, those at the end of a dimension for more. */
static struct index *build_issue(const struct build *b, double cost)
{
	int64_t edge = shape_edge_issue(b->account->memory);
	struct index *all = index_int(edge), *whole = index_int(edge - 1);

	for (unsigned d = 0; d < b->factors->dim_count; d++) {
		all = index_binary(INDEX_MUL, all,
			index_copy(b->plan->visit.dims[d].extent));
		whole = index_binary(INDEX_MUL, whole, whole_tiles(b, d));
	}
	return index_binary(INDEX_MUL, index_binary(INDEX_SUB, all, whole),
		index_int((int64_t)ceil(cost)));
}

static struct index *times(struct index *index, int64_t by)
{
	return index_binary(INDEX_MUL, index, index_int(by));
}

/* The bits of all elements, on both sides. */
static struct index *build_copied(const struct build *b)
{
	struct index *bits = index_int(b->request->bits[0] + b->request->bits[1]);

	for (unsigned d = 0; d < b->factors->dim_count; d++)
		bits = index_binary(INDEX_MUL, bits,
			index_copy(b->factors->dims[b->dims[d]].end));
	return bits;
}

/* Are accesses that are not aligned to their bytes several? */
static bool is_aligned(const struct tile_request *request)
{
	return request->target->chip && request->target->chip->code.aligned;
}

/* Their target's tile of a plan. */
static struct tile_align align_of(const struct plan *plan, const struct tile_request *request)
{
	const struct plan_target *target = request->target;

	return (struct tile_align){ plan->tile, plan->size_count, plan->valid, target->wave_size,
		target->chip->lanes && plan_lanes(plan) % target->wave_size == 0,
		{ request->bits[0], request->bits[1] } };
}

/* The piece of the tile whose steps are worth so much in the destination, or the count. */
static unsigned find_weight(const struct choice *choice, int64_t weight)
{
	unsigned i = 0;

	while (i < choice->count && (choice->pieces[i].where == CHOICE_GRID ||
	       choice_weight(choice, &choice->pieces[i], FACTOR_STORE) != weight))
		i++;
	return i;
}

/* Elements of the tile that lie next to each other in the destination. */
static int64_t row_of(const struct choice *choice)
{
	int64_t row = 1;
	unsigned i;

	while ((i = find_weight(choice, row)) < choice->count)
		row *= choice->pieces[i].radix;
	return row;
}

/* 1 for sizes with rows that begin inside of sectors, and that tiles have parts of, else 0. */
static struct index *odd_rows(const struct build *b)
{
	unsigned i = find_weight(b->choice, 1), dim;
	struct index *beyond;
	struct tile_align align;

	if (b->shared || i == b->choice->count || !is_aligned(b->request))
		return index_int(0);
	dim = b->factors->digits[b->choice->pieces[i].digit].digit.dim;
	beyond = index_binary(INDEX_MAX, index_binary(INDEX_SUB, index_copy(
		b->factors->dims[dim].end), index_int(1)), index_int(0));
	beyond = index_binary(INDEX_FDIV, beyond, index_int(choice_extent(b->choice, dim)));
	align = align_of(b->plan, b->request);
	return index_binary(INDEX_MUL, tile_parts_sectors(&align, b->account->memory->sector * 8 /
		b->request->bits[FACTOR_STORE]), index_binary(INDEX_MIN, beyond, index_int(1)));
}

/* What such rows cost on top of the time of a copy. */
static double odd_time(const struct build *b)
{
	const struct choice *choice = b->choice;
	unsigned bits = choice->rules.bits[FACTOR_STORE];

	return memory_odd_time(b->account->memory, (double)row_of(choice) * bits / 8,
		choice->vector[FACTOR_STORE] * bits <= 8 * WORD);
}

/* The memory that all pieces take. */
static struct index *build_memory(const struct build *b, double cost)
{
	struct index *pieces = index_int(1);
	double odd = cost * odd_time(b);

	for (unsigned d = 0; d < b->factors->dim_count; d++) {
		int64_t extent = extent_of(b, d);
		int64_t piece = shape_piece(b->account->memory, extent);

		pieces = index_binary(INDEX_MUL, pieces, index_ceil_div(
			index_copy(b->factors->dims[b->dims[d]].end), piece));
		cost *= (double)piece / (double)extent;
		odd *= (double)piece / (double)extent;
	}
	return index_binary(INDEX_MUL, pieces, index_binary(INDEX_ADD,
		index_int((int64_t)ceil(cost)), index_binary(INDEX_MUL, odd_rows(b),
		index_int((int64_t)ceil(odd)))));
}

/* All tiles, of which each is issued "slow" times as long. */
static struct index *build_cost(const struct build *b, struct index *slow)
{
	const struct chip_memory *facts = b->account->memory;
	struct shape_cost cost = shape_cost(&b->account->shape, facts);
	struct index *issue = index_binary(INDEX_MUL, build_issue(b, cost.issue), slow), *memory;

	if (cost.memory == 0)
		return issue;
	memory = build_memory(b, cost.memory);
	issue = index_binary(INDEX_ADD, times(index_copy(memory), SHAPE_MEMORY_SHOWS),
		times(issue, facts->issue_shows));
	return index_binary(INDEX_MAX, memory, index_binary(INDEX_FDIV, issue,
		index_int(SHAPE_SHOWS)));
}

/* What rows that begin inside of vectors cost, where they are shifted or where they are split. */
static struct index *alignment_cost(const struct build *b, bool shifted)
{
	struct tile_align align;

	if (!is_aligned(b->request))
		return index_int(1);
	align = align_of(b->plan, b->request);
	return tile_is_shifted(&align) == shifted ? tile_align_cost(&align) : index_int(1);
}

/* Does a tile begin where digits do if it is a multiple of their steps, without a shift, a
 * swizzle or a carry? */
static bool is_straight(const struct build *b, unsigned dim)
{
	const struct factors *factors = b->factors;
	const struct factor_dim *of = &factors->dims[dim];

	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim && (factors->digits[i].carried ||
		    factor_is_mixed(factors, FACTOR_LOAD, i) ||
		    factor_is_mixed(factors, FACTOR_STORE, i)))
			return false;
	return !of->single && !of->ragged && !of->backward && is_zero(of->low) &&
		index_equal(of->high, of->end);
}

/* The least multiple of "count" that ends where tiles of both sides do. */
static int64_t whole_digits(const struct build *b, unsigned dim, int64_t count)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned k = 0; k < b->factors->slot_count[side]; k++) {
			const struct digit *digit = &b->factors->slots[side][k].digit;
			int64_t end = digit->step * digit->radix;

			if (digit->dim == dim && end && __builtin_mul_overflow(
			    count / int_gcd(count, end), end, &count))
				return INT64_MAX;
		}
	return count;
}

/* Tiles that are to share sectors do where there is more of them than these. */
static void find_shared(struct build *b)
{
	const struct choice *choice = b->choice;
	int64_t shared = b->account->memory ? b->account->memory->sector * INT64_C(8) /
		choice->rules.bits[FACTOR_STORE] : 0;
	unsigned i = find_weight(choice, 1), dim;

	if (!choice->rules.sharing || i == choice->count || shared < 1)
		return;
	dim = b->factors->digits[choice->pieces[i].digit].digit.dim;
	shared = whole_digits(b, dim, shared);
	if (!is_straight(b, dim) || choice_extent(choice, dim) / LEAST_SHARES < shared)
		return;
	b->shared_dim = dim;
	b->shared = shared;
}

/* The tile of the shape that was chosen. */
static bool build_shape(struct build *b)
{
	struct tile_shape *shape = &b->account->shape;

	b->choice = shape->choice;
	if (shape_is_staged(shape)) {
		b->stage = &shape->stage;
		b->factors = b->choice->factors;
	}
	find_shared(b);
	if (!build(b))
		return false;
	b->plan->tile->cost = index_binary(INDEX_MUL, build_cost(b, alignment_cost(b, true)),
		alignment_cost(b, false));
	if (b->account->memory)
		b->plan->tile->copied = build_copied(b);
	return b->plan->tile->cost && (b->plan->tile->copied || !b->account->memory);
}

/* Where all sizes are known, another shape may be better. */
static bool choose_better(struct build *b, struct shape_rules *rules)
{
	struct tile_shape *shape = &b->account->shape;
	struct shape_rules others[SHAPES_EXTENTS - 1];
	const char *why;
	int count;

	if (rules->through_lds || shapes_are_open(rules->factors))
		return true;
	count = shapes_find(b->ctx, rules, shape, others);
	if (count < 1)
		return !count;
	shape_free(shape);
	*shape = (struct tile_shape){ 0 };
	*rules = others[0];
	return shape_choose(shape, rules, &why);
}

static bool build_found(struct build *b, struct shape_rules *rules, const char *why)
{
	shapes_bound(rules);
	if (why || !shape_choose(&b->account->shape, rules, &why)) {
		if (rules->through_lds)
			return refuse(b, "no tile can go through the LDS", why);
		return build_none(b, why);
	}
	return choose_better(b, rules) && build_shape(b);
}

/* Why there are no digits; NULL where there are. */
static const char *obstacle(const layout_remap *remap, bool possible)
{
	if (!possible)
		return remap->source->twist_count || remap->destination->twist_count ?
			"a swizzle is not of digits that both sides have" :
			"there is nothing to split in digits";
	return remap->map && remap->source->twist_count ?
		"the source is swizzled and shifted" : NULL;
}

void tile_account_free(struct tile_account *account)
{
	if (!account)
		return;
	factors_free(&account->factors);
	shape_free(&account->shape);
	layout_texts_free(account->sizes, account->rank);
	free(account->dims);
	free(account);
}

/* What a target has for tiles of these factors. */
static struct shape_rules rules_for(const struct factors *factors,
	const struct tile_request *request)
{
	const struct plan_target *target = request->target;

	return (struct shape_rules){ factors, {
		{ request->bits[0], request->bits[1] }, target->max_bytes, target->wave_size,
		target->full_lanes, target->lanes, { 0 } }, lds_of(target),
		target->lds_bytes, target->through_lds,
		target->chip ? target->chip->memory : NULL };
}

static bool built(layout_context *ctx, bool ok)
{
	if (!ok && layout_context_error(ctx) == LAYOUT_ERROR_NONE)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return ok;
}

bool tile_build(struct plan *plan, const struct tile_request *request)
{
	layout_context *ctx = request->remap->ctx;
	struct factor_input input = { request->remap,
		{ request->source, request->destination }, request->low,
		request->target->owner, request->backward, request->dims };
	struct tile_account *account = layout_alloc(ctx, 1, sizeof(*account));
	struct build b = { ctx, plan, request, .account = account };
	struct shape_rules rules;
	const char *why;
	bool possible, ok;

	if (!account)
		return false;
	plan->account = account;
	b.factors = &account->factors;
	rules = rules_for(b.factors, request);
	account->memory = rules.memory;
	ok = factors_build(&account->factors, &input, &possible);
	why = ok ? obstacle(request->remap, possible) : NULL;
	ok = ok && (request->target->owner ? build_given(&b, &rules.rules, why) :
		build_found(&b, &rules, why));
	return built(ctx, ok);
}

/* A plan that has no tile yet, and borrows what the tile is not about. */
static struct plan *borrow(layout_context *ctx, const struct plan *plan)
{
	struct plan *shape = layout_alloc(ctx, 1, sizeof(*shape));

	if (!shape)
		return NULL;
	*shape = *plan;
	shape->borrows = true;
	shape->visit = (struct visit){ .load.bits = plan->visit.load.bits,
		.load.elements = index_copy(plan->visit.load.elements),
		.store.bits = plan->visit.store.bits,
		.store.elements = index_copy(plan->visit.store.elements) };
	shape->tile = NULL;
	shape->owner = shape->loader = NULL;
	shape->stores = shape->loads = NULL;
	shape->explanation = NULL;
	shape->shapes = NULL;
	shape->shape_count = 0;
	shape->account = layout_alloc(ctx, 1, sizeof(*shape->account));
	return shape;
}

static bool add_shape(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules)
{
	layout_context *ctx = request->remap->ctx;
	struct plan *shape = borrow(ctx, plan);
	struct build b = { ctx, shape, request, .factors = rules->factors };
	const char *why;

	if (!shape)
		return false;
	plan->shapes[plan->shape_count++] = shape;
	b.account = shape->account;
	if (b.account)
		b.account->memory = rules->memory;
	return b.account && shape_choose(&b.account->shape, rules, &why) &&
		build_shape(&b);
}

/* Is a tile worth it?  False in "ok" where memory ran out. */
static bool is_possible(layout_context *ctx, const struct shape_rules *rules, bool *ok)
{
	struct tile_shape *shape = layout_alloc(ctx, 1, sizeof(*shape));
	const char *why;
	bool possible;

	*ok = shape;
	possible = shape && shape_choose(shape, rules, &why);
	if (shape)
		shape_free(shape);
	free(shape);
	return possible;
}

/* Shapes whose accesses are narrower.  Where the first shape's vectors are shifted, a short one of
 * 8 bytes, for short rows of so many; else of words and of elements, which are aligned whatever
 * the sizes are. */
static bool add_narrow(struct plan *plan, const struct tile_request *request,
	struct shape_rules rules, bool shifted)
{
	unsigned bits = request->bits[0] > request->bits[1] ? request->bits[0] :
		request->bits[1];
	unsigned element = bits < 8 ? 1 : bits / 8, least = shifted ? 2 * WORD : WORD;
	unsigned bytes = element > least ? element : least;
	bool ok = true;

	if (shifted)
		shapes_keep_short(&rules);
	for (; ok && bytes; bytes = bytes > element && !shifted ? element : 0) {
		rules.rules.max_bytes = bytes;
		if (bytes < request->target->max_bytes &&
		    is_possible(request->remap->ctx, &rules, &ok))
			ok = add_shape(plan, request, &rules);
	}
	return ok;
}

/* No more of a row than a wave accesses at once. */
static void keep_rows(struct shape_rules *rules)
{
	const struct factors *factors = rules->factors;
	int64_t most = rules->rules.wave_size * INT64_C(8) * rules->rules.max_bytes /
		rules->rules.bits[FACTOR_STORE];

	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct index *weight = factors->digits[i].weight[FACTOR_STORE];
		unsigned dim = factors->digits[i].digit.dim;

		if (dim < CHOICE_DIMS && weight->op == INDEX_INT && weight->value == 1 &&
		    (!rules->rules.caps[dim] || rules->rules.caps[dim] > most))
			rules->rules.caps[dim] = most;
	}
}

/* A shape whose tiles share sectors, where rows of the destination may begin inside of these and
 * lanes can shift them: such as follow each other in a row, which the way through the LDS has. */
static bool add_sharing(struct plan *plan, const struct tile_request *request,
	struct shape_rules rules)
{
	struct tile_align align;
	struct plan *shape;
	bool ok;

	keep_rows(&rules);
	rules.rules.sharing = true;
	rules.through_lds = true;
	if (!rules.memory || !is_possible(request->remap->ctx, &rules, &ok))
		return !rules.memory || ok;
	if (!add_shape(plan, request, &rules))
		return false;
	shape = plan->shapes[plan->shape_count - 1];
	align = align_of(shape, request);
	if (!tile_can_share(&align) || tile_fills_sectors(&align, rules.memory->sector * 8 /
	    request->bits[FACTOR_STORE]))
		plan_free(plan->shapes[--plan->shape_count]);
	return true;
}

/* Those for rows that begin inside the first shape's vectors, if there are such rows. */
static bool add_unaligned(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules)
{
	struct tile_align align = align_of(plan, request);

	return add_sharing(plan, request, *rules) && (tile_always_aligned(&align) ||
		add_narrow(plan, request, *rules, tile_is_shifted(&align)));
}

bool tile_build_shapes(struct plan *plan, const struct tile_request *request)
{
	layout_context *ctx = request->remap->ctx;
	struct shape_rules rules = rules_for(&plan->account->factors, request);
	struct shape_rules others[SHAPES_EXTENTS - 1];
	int count;

	if (request->target->owner || rules.through_lds || !shapes_are_open(rules.factors))
		return true;
	shapes_bound(&rules);
	count = shapes_find(ctx, &rules, &plan->account->shape, others);
	if (count < 0)
		return false;
	plan->shapes = layout_alloc(ctx, (size_t)count + SHAPES_UNALIGNED,
		sizeof(struct plan *));
	for (int i = 0; plan->shapes && i < count; i++)
		if (!add_shape(plan, request, &others[i]))
			return built(ctx, false);
	if (plan->shapes && is_aligned(request) && !add_unaligned(plan, request, &rules))
		return built(ctx, false);
	return plan->shapes;
}
