/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/text.h"
#include "kernel/block/block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What both texts are made of. */
struct writer {
	struct layout_buffer out;
	const struct plan *plan;
	const struct choice *choice;
	const unsigned *dims;
	char *const *sizes;
	const layout_storage *destination;	/* of the owner's text */
};

static const struct factor_dim *dim_at(const struct writer *w, unsigned d)
{
	return &w->choice->factors->dims[w->dims[d]];
}

/* Of the k-th of the logical dimensions that are joined. */
static const struct size *size_of(const struct writer *w, const struct factor_dim *dim,
	unsigned k)
{
	return &w->destination->sizes[w->choice->factors->order[dim->first + k]];
}

/* Are all sizes but the outermost of a dimension numbers?  Then floors split it. */
static bool splits(const struct writer *w, const struct factor_dim *dim)
{
	for (unsigned k = 1; k < dim->count; k++)
		if (!size_of(w, dim, k)->number)
			return false;
	return true;
}

static bool all_split(const struct writer *w)
{
	bool all = true;

	for (unsigned d = 0; d < w->choice->factors->dim_count; d++)
		all = all && splits(w, &w->choice->factors->dims[d]);
	return all;
}

static void print_hw(struct writer *w)
{
	layout_buffer_printf(&w->out, "hw[");
	for (unsigned d = 0; d < w->plan->visit.dim_count; d++)
		layout_buffer_printf(&w->out, "%s, ", w->plan->visit.dims[d].name);
	layout_buffer_printf(&w->out, "register]");
}

static const char *lane_name(const struct writer *w)
{
	return w->plan->visit.dims[w->plan->visit.dim_count - 1].name;
}

/* "4*(floor(lane/16) mod 4)" */
static void print_piece(struct writer *w, const struct choice_piece *piece)
{
	bool lane = piece->where == CHOICE_LANE;
	int64_t numbers = lane ? w->choice->lanes : w->choice->registers;

	layout_buffer_printf(&w->out, " + %" PRId64 "*(", piece->step);
	layout_buffer_printf(&w->out, piece->place > 1 ? "floor(%s/%" PRId64 ")" : "%s",
		lane ? lane_name(w) : "register", piece->place);
	if (piece->place * piece->radix < numbers)
		layout_buffer_printf(&w->out, " mod %" PRId64, piece->radix);
	layout_buffer_printf(&w->out, ")");
}

/* The index into a dimension, joined or not. */
static void print_index(struct writer *w, unsigned d)
{
	const struct choice *choice = w->choice;

	layout_buffer_printf(&w->out, "%" PRId64 "*%s", w->plan->tile->dims[d].step,
		w->plan->visit.dims[d].name);
	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->where != CHOICE_GRID &&
		    choice->factors->digits[piece->digit].digit.dim == w->dims[d])
			print_piece(w, piece);
	}
}

/* The k-th of the logical dimensions that "d" of the plan joins. */
static void print_part(struct writer *w, unsigned d, unsigned k)
{
	const struct factor_dim *dim = dim_at(w, d);
	int64_t inside = 1;

	for (unsigned e = k + 1; e < dim->count; e++)
		inside *= size_of(w, dim, e)->value;
	layout_buffer_printf(&w->out, inside > 1 ? "floor((" : "((");
	print_index(w, d);
	layout_buffer_printf(&w->out, inside > 1 ? ")/%" PRId64 ")" : ")", inside);
	if (k)
		layout_buffer_printf(&w->out, " mod %" PRId64,
			size_of(w, dim, k)->value);
	layout_buffer_printf(&w->out, inside > 1 ? "" : ")");
}

/* Where a logical dimension is among the plan's; false for one that is always 0. */
static bool find_part(const struct writer *w, unsigned logical, unsigned *d, unsigned *k)
{
	for (*d = 0; *d < w->choice->factors->dim_count; ++*d)
		for (*k = 0; *k < dim_at(w, *d)->count; ++*k)
			if (w->choice->factors->order[dim_at(w, *d)->first + *k] ==
			    logical)
				return true;
	return false;
}

static void print_logical(struct writer *w)
{
	unsigned rank = w->destination->rank, d, k;

	layout_buffer_printf(&w->out, "logical[");
	for (unsigned i = 0; i < rank; i++) {
		layout_buffer_printf(&w->out, i ? ", " : "");
		if (find_part(w, i, &d, &k))
			print_part(w, d, k);
		else
			layout_buffer_printf(&w->out, "0");
	}
	layout_buffer_printf(&w->out, "]");
}

static void print_joined(struct writer *w)
{
	layout_buffer_printf(&w->out, "joined[");
	for (unsigned d = 0; d < w->choice->factors->dim_count; d++) {
		layout_buffer_printf(&w->out, d ? ", " : "");
		print_index(w, d);
	}
	layout_buffer_printf(&w->out, "]");
}

/* Where the destination ends in a dimension whose end is affine in the sizes. */
static void print_end(struct writer *w, unsigned d)
{
	const struct factor_dim *dim = dim_at(w, d);
	unsigned logical = w->choice->factors->order[dim->first];
	int64_t tile = 1;

	if (!splits(w, dim))
		return;
	for (unsigned k = 0; k < w->destination->slot_count; k++) {
		const struct storage_slot *slot = &w->destination->slots[k];

		if (!slot->constant && slot->dim == logical)
			tile = slot->tile;
	}
	layout_buffer_printf(&w->out, " and ");
	print_index(w, d);
	layout_buffer_printf(&w->out, tile > 1 ? " < %" PRId64 "*floor(((%s) + %" PRId64
		")/%" PRId64 ")" : " < %" PRId64 "*(%s)", tile, w->sizes[logical],
		tile - 1, tile);
	for (unsigned k = 1; k < dim->count; k++)
		layout_buffer_printf(&w->out, "*%" PRId64, size_of(w, dim, k)->value);
}

char *tile_owner_text(const struct plan *plan, const struct tile_account *account,
	const struct choice *choice, const struct tile_request *request)
{
	struct writer w = { { 0 }, plan, choice, account->dims, account->sizes,
		request->remap->destination };

	size_names_print(&w.out, plan->size_names, plan->size_count);
	layout_buffer_printf(&w.out, "{ ");
	print_hw(&w);
	layout_buffer_printf(&w.out, " -> ");
	if (all_split(&w))
		print_logical(&w);
	else
		print_joined(&w);
	layout_buffer_printf(&w.out, " : 0 <= %s < %" PRId64 " and 0 <= register < %" PRId64,
		lane_name(&w), choice->lanes, choice->registers);
	for (unsigned d = 0; d < choice->factors->dim_count; d++) {
		layout_buffer_printf(&w.out, " and 0 <= %s", plan->visit.dims[d].name);
		print_end(&w, d);
	}
	layout_buffer_printf(&w.out, " }");
	return layout_buffer_take(request->remap->ctx, &w.out);
}

/* Is the piece one that tiles of the source begin inside of? */
static bool is_carried_piece(const struct writer *w, const struct choice_piece *piece)
{
	return w->choice->factors->digits[piece->digit].carried;
}

/* Does the tile hold such a piece? */
static bool dim_is_carried(const struct writer *w, unsigned dim)
{
	const struct choice *choice = w->choice;

	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (piece->where != CHOICE_GRID && is_carried_piece(w, piece) &&
		    choice->factors->digits[piece->digit].digit.dim == dim)
			return true;
	}
	return false;
}

static bool is_carried(const struct writer *w)
{
	for (unsigned d = 0; d < w->choice->factors->dim_count; d++)
		if (dim_is_carried(w, d))
			return true;
	return false;
}

/* "dimension 1: logical 2 and 3, size (H) * (W), ..; tiles of 64 along x" */
static void explain_dim(struct writer *w, unsigned d)
{
	const struct factor_dim *dim = dim_at(w, d);

	layout_buffer_printf(&w->out, "dimension %u: logical ", d);
	for (unsigned k = 0; k < dim->count; k++)
		layout_buffer_printf(&w->out, k ? " and %u" : "%u",
			w->choice->factors->order[dim->first + k]);
	layout_buffer_printf(&w->out, ", size ");
	for (unsigned k = 0; k < dim->count; k++)
		layout_buffer_printf(&w->out, k ? " * (%s)" : dim->count > 1 ? "(%s)" :
			"%s", w->sizes[w->choice->factors->order[dim->first + k]]);
	layout_buffer_printf(&w->out, "%s; tiles of %" PRId64 " along %s",
		dim->count == 1 ? "" : !dim->run ? ", which lie together on both sides" :
		dim->run_side == FACTOR_STORE ? ", which lie together in the destination" :
		", which lie together in the source",
		choice_extent(w->choice, w->dims[d]), w->plan->visit.dims[d].name);
	if (dim->ragged && !dim->run)
		layout_buffer_printf(&w->out, dim_is_carried(w, w->dims[d]) ?
			"; they begin inside tiles of the source, which each access "
			"counts" : "; the tiles of source and destination do not divide "
			"each other, which ends the digits");
	if (dim->backward)
		layout_buffer_printf(&w->out, ", backwards in the source");
	if (w->plan->tile->dims[d].pitch[0])
		layout_buffer_printf(&w->out, ", the last one earlier to be whole");
	layout_buffer_printf(&w->out, "\n");
}

/* The dimension of the plan that a piece is of. */
static unsigned plan_dim_of(const struct writer *w, const struct choice_piece *piece)
{
	unsigned dim = w->choice->factors->digits[piece->digit].digit.dim, d = 0;

	while (w->dims[d] != dim)
		d++;
	return d;
}

static void explain_weight(struct writer *w, const struct choice_piece *piece,
	enum factor_side side)
{
	const struct factor_digit *digit = &w->choice->factors->digits[piece->digit];
	struct index *weight = index_binary(INDEX_MUL, index_copy(digit->weight[side]),
		index_int(piece->step / digit->digit.step));

	if (!weight) {
		w->out.failed = true;
		return;
	}
	index_print(&w->out, weight, (const char *const *)w->plan->size_names);
	index_free(weight);
}

/* What holds a digit in a move. */
static void explain_place(struct writer *w, const struct choice_piece *piece)
{
	static const char *const names[] = { "workgroup", "register", "lane" };

	layout_buffer_printf(&w->out, "%s", names[piece->where]);
	if (piece->where != CHOICE_GRID)
		layout_buffer_printf(&w->out, " number / %" PRId64, piece->place);
}

/* "before" is where the first of two moves has the digit; "own": only the second has
 * it. */
static void explain_digit(struct writer *w, const struct choice_piece *piece,
	const struct choice_piece *before, bool own)
{
	layout_buffer_printf(&w->out, "digit: dimension %u, step %" PRId64 ", ",
		plan_dim_of(w, piece), piece->step);
	layout_buffer_printf(&w->out, piece->radix ? "radix %" PRId64 : "to the end",
		piece->radix);
	layout_buffer_printf(&w->out, ", worth ");
	if (!own && !is_carried_piece(w, piece)) {
		explain_weight(w, piece, FACTOR_LOAD);
		layout_buffer_printf(&w->out, " in the source and ");
	}
	explain_weight(w, piece, FACTOR_STORE);
	layout_buffer_printf(&w->out, " in the destination: ");
	if (before && piece->where != CHOICE_GRID) {
		explain_place(w, before);
		layout_buffer_printf(&w->out, ", then ");
	}
	explain_place(w, piece);
	layout_buffer_printf(&w->out, "\n");
}

/* What the first of two moves has for a digit of the second. */
static const struct choice_piece *first_place(const struct stage *stage,
	const struct choice_piece *second)
{
	for (unsigned i = 0; i < stage->digit_count; i++)
		if (stage->digits[i].pieces[1] == second)
			return stage->digits[i].pieces[0];
	return NULL;
}

static void explain_moves(struct writer *w, const struct stage *stage,
	const struct choice_piece *piece)
{
	const struct choice_piece *before = stage ? first_place(stage, piece) : NULL;

	explain_digit(w, piece, before, stage && !before && piece->where != CHOICE_GRID);
}

/* A digit that only the first of two moves has. */
static void explain_own_digit(struct writer *w, const struct stage_digit *digit)
{
	unsigned d = 0;

	while (w->dims[d] != digit->digit.dim)
		d++;
	layout_buffer_printf(&w->out, "digit of the source: dimension %u, step %" PRId64
		", radix %" PRId64 ": ", d, digit->digit.step, digit->digit.radix);
	explain_place(w, digit->pieces[0]);
	layout_buffer_printf(&w->out, "\n");
}

/* Why no more than one vector of a side follows each other in a lane's registers. */
static void explain_end(struct writer *w, enum factor_side side)
{
	const struct choice *choice = w->choice;
	unsigned bits = choice->rules.bits[side];

	if (choice->vector[side] * bits >= 8 * choice->rules.max_bytes)
		return;
	layout_buffer_printf(&w->out, ", because ");
	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];

		if (choice_weight(choice, piece, side) != choice->run[side])
			continue;
		layout_buffer_printf(&w->out, "the next digit, of step %" PRId64
			" in dimension %u, %s", piece->step, plan_dim_of(w, piece),
			factor_is_mixed(choice->factors, side, piece->digit) ?
			"is swizzled" :
			side == FACTOR_LOAD && is_carried_piece(w, piece) ?
			"goes beyond a tile of the source" : piece->where == CHOICE_LANE ?
			"is of the lanes" : "would make the square too large or its part "
			"of an access no power of two");
		return;
	}
	layout_buffer_printf(&w->out, "no digit lies next to these %" PRId64 " elements",
		choice->run[side]);
}

static void explain_side(struct writer *w, enum factor_side side, const char *name)
{
	const struct choice *choice = w->choice;
	struct choice_segments segments = choice_segments(choice, side, 64);
	unsigned bits = choice->rules.bits[side], step = choice->step[side];

	layout_buffer_printf(&w->out, "%s: %u bytes a lane, %" PRId64 " accesses", name,
		choice_access_bytes(choice, side), choice_accesses(choice, side));
	if (side == FACTOR_STORE || !is_carried(w))
		layout_buffer_printf(&w->out, ", %" PRId64 " segments of 64 bytes for %"
			PRId64 " needed", segments.touched, segments.least);
	layout_buffer_printf(&w->out, "; %" PRId64 " bytes follow each other in a lane",
		choice->run[side] * bits / 8);
	if (step > 1 && choice->vector[side] > 1)
		layout_buffer_printf(&w->out, ", each element %u after the one before", step);
	explain_end(w, side);
	layout_buffer_printf(&w->out, "\n");
}

static void explain_conversion(struct layout_buffer *out, const struct plan *plan)
{
	const struct conversion *conversion = &plan->conversion;

	if (conversion_is_copy(conversion))
		return;
	layout_buffer_printf(out, "conversion: ");
	conversion_print_types(out, conversion);
	layout_buffer_printf(out, ", rounding %s",
		conversion_rounding_name(conversion->rounding));
	if (plan->scale)
		layout_buffer_printf(out, ", times %s", plan->scale);
	layout_buffer_printf(out, ", in registers%s\n", plan->tile &&
		plan->tile->move_count == 2 ? " before the LDS" : "");
}

double plan_predicted(const struct plan *plan)
{
	const struct tile_account *account = plan->account;
	struct shape_time time;

	return account && !account->none && account->memory &&
		shape_predict(&account->shape, account->memory, &time) ?
		1 / shape_time_all(&time) : 0;
}

double plan_predicted_at(const struct plan *plan, const int64_t *sizes)
{
	int64_t copied, cost;

	return plan->copied && index_eval(plan->copied, sizes, &copied) &&
		index_eval(plan->cost, sizes, &cost) && cost > 0 ?
		(double)copied / 8 / (double)cost : 0;
}

/* "memory: 0.94 of the rate of a copy, ..": of whole tiles. */
static void explain_memory(struct writer *w, const struct tile_account *account)
{
	static const char *const known[] = { "measured", "documented", "assumed" };
	const struct chip_memory *memory = account->memory;
	struct shape_time time;

	if (!memory || !shape_predict(&account->shape, memory, &time))
		return;
	layout_buffer_printf(&w->out, "memory: %.2f of the rate of a copy is predicted, held "
		"back by %s; lines of %u bytes, sectors of %u, %s costs\n",
		1 / shape_time_all(&time),
		time.memory > time.issue ? memory_cost_text(time.worst) :
		"what is issued", memory->line, memory->sector, known[memory->costs_known]);
}

/* "rotated in the source: dimension 0, step 8, radix 8, by 1 for each step 1 of dimension 1" */
static void explain_rotations(struct writer *w)
{
	static const char *const names[] = { "source", "destination" };
	const struct factors *factors = w->choice->factors;

	for (unsigned i = 0; i < factors->rotation_count; i++) {
		const struct factor_rotation *by = &factors->rotations[i];
		unsigned to = 0, from = 0;

		while (w->dims[to] != by->to.dim)
			to++;
		while (w->dims[from] != by->from.dim)
			from++;
		layout_buffer_printf(&w->out, "rotated in the %s: dimension %u, step %" PRId64
			", radix %" PRId64 ", by %" PRId64 " for each step %" PRId64
			" of dimension %u\n", names[by->side], to, by->to.step, by->to.radix,
			by->times, by->from.step, from);
	}
}

static void explain_tile(struct writer *w, const struct tile_account *account)
{
	const struct choice *choice = account->shape.choice;
	const struct stage *stage = shape_is_staged(&account->shape) ?
		&account->shape.stage : NULL;
	unsigned bits = choice->rules.bits[FACTOR_LOAD] > choice->rules.bits[FACTOR_STORE] ?
		choice->rules.bits[FACTOR_LOAD] : choice->rules.bits[FACTOR_STORE];

	for (unsigned d = 0; d < choice->factors->dim_count; d++)
		explain_dim(w, d);
	for (unsigned i = 0; i < choice->count; i++)
		explain_moves(w, stage, &choice->pieces[i]);
	for (unsigned i = 0; stage && i < stage->digit_count; i++)
		if (!stage->digits[i].pieces[1])
			explain_own_digit(w, &stage->digits[i]);
	explain_rotations(w);
	w->choice = stage ? &stage->moves[0] : choice;
	for (unsigned i = 0; i < choice->spare_count; i++)
		layout_buffer_printf(&w->out, "spare: lanes whose number / %" PRId64 " mod %"
			PRId64 " is not 0; others hold the same\n",
			choice->spares[i].place, choice->spares[i].radix);
	explain_side(w, FACTOR_LOAD, "load");
	w->choice = choice;
	explain_side(w, FACTOR_STORE, "store");
	layout_buffer_printf(&w->out, "tile: %" PRId64 " lanes, %" PRId64
		" elements a lane in %" PRId64 " registers\n", choice->lanes,
		choice->registers, (choice->registers * bits + 31) / 32);
	if (w->plan->whole) {
		layout_buffer_printf(&w->out, "bytes: the tile is for rows of whole bytes, where ");
		index_print(&w->out, w->plan->whole, (const char *const *)w->plan->size_names);
		layout_buffer_printf(&w->out, "; else each lane moves an element at a time\n");
	}
	explain_conversion(&w->out, w->plan);
	if (stage)
		stage_explain(&w->out, stage);
	else
		layout_buffer_printf(&w->out,
			"lds: none, a lane holds what both sides access\n");
	explain_memory(w, account);
}

const char *plan_explanation(layout_context *ctx, struct plan *plan)
{
	struct tile_account *account = plan ? plan->account : NULL;
	struct writer w = { .plan = plan };

	if (!plan || plan->explanation)
		return plan ? plan->explanation : NULL;
	if (plan->block) {
		plan_block_explain(&w.out, plan);
		explain_conversion(&w.out, plan);
	} else if (!account) {
		layout_buffer_printf(&w.out, "one element after the other\n");
	} else if (account->none) {
		layout_buffer_printf(&w.out,
			"no tile, each lane moves an element at a time: %s\n",
			account->none);
		explain_conversion(&w.out, plan);
	} else {
		w.choice = account->shape.choice;
		w.dims = account->dims;
		w.sizes = account->sizes;
		explain_tile(&w, account);
	}
	plan->explanation = layout_buffer_take(ctx, &w.out);
	return plan->explanation;
}
