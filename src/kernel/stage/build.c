/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A staged tile as the two moves of a plan's tile, and for people. */
#include "kernel/stage/stage.h"

#include <inttypes.h>
#include <stdlib.h>

/* Does a move have the digits? */
static bool has_digits(const struct stage *stage, unsigned move, uint64_t digits)
{
	for (; digits; digits &= digits - 1)
		if (!stage->digits[__builtin_ctzll(digits)].pieces[move])
			return false;
	return true;
}

/* The LDS as a side of a move. */
static bool build_side(layout_context *ctx, const struct stage *stage, unsigned move,
	struct tile_side *side)
{
	side->base = index_int(0);
	side->vector = stage->vectors[move];
	side->step = 1;
	side->terms = layout_alloc(ctx, stage->term_count, sizeof(*side->terms));
	for (unsigned i = 0; side->terms && i < stage->term_count; i++) {
		struct index *weight;

		if (!has_digits(stage, move, stage->terms[i].digits))
			continue;
		weight = index_int(stage->terms[i].weight);
		if (!weight)
			return false;
		side->terms[side->term_count++] = (struct tile_term){
			stage->terms[i].digits, weight, false };
	}
	return side->base && side->terms;
}

static struct tile_place *build_places(layout_context *ctx, const struct stage *stage,
	unsigned move)
{
	struct tile_place *places = layout_alloc(ctx, stage->digit_count,
		sizeof(*places));

	for (unsigned i = 0; places && i < stage->digit_count; i++) {
		const struct choice_piece *piece = stage->digits[i].pieces[move];

		if (piece)
			places[i] = (struct tile_place){ piece->where == CHOICE_LANE,
				piece->place };
	}
	return places;
}

static struct digit *build_digits(layout_context *ctx, const struct stage *stage,
	const unsigned *dims)
{
	struct digit *digits = layout_alloc(ctx, stage->digit_count,
		sizeof(*digits));

	for (unsigned i = 0; digits && i < stage->digit_count; i++) {
		const struct stage_digit *digit = &stage->digits[i];
		unsigned d = 0;

		while (dims[d] != digit->digit.dim)
			d++;
		digits[i] = (struct digit){ d, digit->digit.step, digit->digit.radix };
	}
	return digits;
}

/* A digit of the first move and what it is xored with in the source. */
static uint64_t load_digits(const struct stage *stage, unsigned i)
{
	const struct factors *factors = stage->moves[0].factors;
	const struct choice_piece *piece = stage->digits[i].pieces[0];
	int64_t at = piece->step / factors->digits[piece->digit].digit.step;
	uint64_t digits = (uint64_t)1 << i;

	for (unsigned x = 0; x < factors->xor_count; x++) {
		const struct factor_xor *xor = &factors->xors[x];
		int64_t step = at * factors->digits[xor->from].digit.step;

		if (xor->side != FACTOR_LOAD || xor->to != piece->digit)
			continue;
		for (unsigned k = 0; k < stage->digit_count; k++)
			if (stage->digits[k].pieces[0] &&
			    stage->digits[k].pieces[0]->digit == xor->from &&
			    stage->digits[k].digit.step == step)
				digits ^= (uint64_t)1 << k;
	}
	return digits;
}

/* Is the digit one that tiles of the source begin inside of? */
static bool is_carried(const struct stage *stage, unsigned i)
{
	const struct choice_piece *piece = stage->digits[i].pieces[0];

	return piece && stage->moves[0].factors->digits[piece->digit].carried;
}

/* The digits that the source's carries are of. */
static void find_carried(const struct stage *stage, const struct plan_tile *tile,
	struct tile_side *side)
{
	for (unsigned k = 0; k < side->carry_count; k++)
		for (unsigned i = 0; i < stage->digit_count; i++)
			if (is_carried(stage, i) &&
			    tile->digits[i].dim == side->carries[k].dim)
				side->carries[k].counts[0].digits |= (uint64_t)1 << i;
}

/* The source as a side of the first move, whose digits the second may lack. */
static bool build_load(layout_context *ctx, const struct stage *stage,
	struct tile_side *side)
{
	const struct factors *factors = stage->moves[0].factors;

	side->vector = stage->moves[0].vector[FACTOR_LOAD];
	side->step = 1;
	side->terms = layout_alloc(ctx, stage->digit_count, sizeof(*side->terms));
	for (unsigned i = 0; side->terms && i < stage->digit_count; i++) {
		const struct choice_piece *piece = stage->digits[i].pieces[0];
		const struct factor_digit *digit;
		struct index *weight;

		if (!piece || is_carried(stage, i) ||
		    factor_rotation(factors, FACTOR_LOAD, piece->digit))
			continue;
		digit = &factors->digits[piece->digit];
		weight = index_binary(INDEX_MUL, index_copy(digit->weight[FACTOR_LOAD]),
			index_int(piece->step / digit->digit.step));
		if (!weight)
			return false;
		side->terms[side->term_count++] = (struct tile_term){
			load_digits(stage, i), weight,
			factors->dims[digit->digit.dim].backward };
	}
	return side->terms;
}

static void free_terms(struct tile_side *side)
{
	for (unsigned i = 0; i < side->term_count; i++)
		index_free(side->terms[i].weight);
	free(side->terms);
	side->terms = NULL;
	side->term_count = 0;
}

bool stage_apply(layout_context *ctx, const struct stage *stage, const unsigned *dims,
	struct plan_tile *tile)
{
	struct tile_move *first = &tile->moves[0], *second = &tile->moves[1];

	free(tile->digits);
	free(first->places);
	free_terms(&first->load);
	second->registers = first->registers;
	second->store = first->store;
	first->store = (struct tile_side){ 0 };
	tile->move_count = 2;
	tile->lds_elements = stage->elements;
	tile->digit_count = stage->digit_count;
	tile->digits = build_digits(ctx, stage, dims);
	first->places = build_places(ctx, stage, 0);
	second->places = build_places(ctx, stage, 1);
	if (tile->digits)
		find_carried(stage, tile, &first->load);
	return tile->digits && first->places && second->places &&
		build_load(ctx, stage, &first->load) &&
		build_side(ctx, stage, 0, &first->store) &&
		build_side(ctx, stage, 1, &second->load);
}

static void explain_accesses(struct layout_buffer *out, const struct stage *stage,
	bool store)
{
	static const char *const known[] = { "measured", "documented", "assumed" };
	unsigned move = store ? 0 : 1, bits = stage->bits * stage->vectors[move];
	unsigned candidates = layout_lds_candidates(stage->lds, bits, store);

	layout_buffer_printf(out, "; %s of %u bytes", store ? "stores" : "loads",
		bits / 8);
	if (stage->extra[move])
		layout_buffer_printf(out, " with %" PRIu64 " extra cycles of bank "
			"conflicts", stage->extra[move]);
	else
		layout_buffer_printf(out, " free of bank conflicts");
	layout_buffer_printf(out, " under the %s lane groups",
		known[layout_lds_known(stage->lds, bits, store)]);
	if (candidates > 1)
		layout_buffer_printf(out, ", each of the %u candidates", candidates);
}

bool stage_is_swizzled(const struct stage *stage)
{
	for (unsigned i = 0; i < stage->term_count; i++)
		if (stage->terms[i].digits & (stage->terms[i].digits - 1))
			return true;
	return false;
}

void stage_explain(struct layout_buffer *out, const struct stage *stage)
{
	layout_buffer_printf(out, "lds: %" PRId64 " bytes for a tile, ",
		stage->elements * stage->bits / 8);
	if (stage->skipped)
		layout_buffer_printf(out, "%" PRId64 " of them padding",
			stage->skipped * stage->bits / 8);
	else
		layout_buffer_printf(out, stage_is_swizzled(stage) ? "swizzled by xor" :
			"dense");
	explain_accesses(out, stage, true);
	explain_accesses(out, stage, false);
	layout_buffer_printf(out, "\n");
}
