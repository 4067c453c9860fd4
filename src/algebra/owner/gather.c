/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions inside a wave for digits of any radix: each register is read from the lane
 * that an index says, once for each of the registers that lanes want, and selected. */
#include "algebra/owner/conversion.h"

#include <string.h>

/* The part of a coordinate of the pull that registers give, or lanes and subgroups. */
static int64_t part_of(const struct owner *pull, unsigned dim, bool registers,
	const int64_t hw[OWNER_PARTS])
{
	int64_t sum = registers ? pull->base[dim] : 0;

	for (unsigned i = 0; i < pull->term_count; i++) {
		const struct owner_term *term = &pull->terms[i];
		const struct owner_digit *digit =
			&pull->digits[__builtin_ctzll(term->digits)];

		if (term->dim == dim && (digit->part == OWNER_REGISTER) == registers)
			sum += term->weight * (hw[digit->part] / digit->place %
				digit->radix);
	}
	return sum;
}

static bool are_single(const struct owner *pull)
{
	for (unsigned i = 0; i < pull->term_count; i++)
		if (pull->terms[i].digits & (pull->terms[i].digits - 1))
			return false;
	return true;
}

/* The index of lanes: without the registers' terms.  Is it another than the own lane? */
static bool find_index(layout_conversion_plan *plan)
{
	const struct owner *pull = &plan->pull;
	struct owner *index = &plan->lanes.index;
	int64_t hw[OWNER_PARTS] = { 0 };

	*index = *pull;
	index->rank = 1;
	index->box[0] = plan->from.extent[OWNER_LANE];
	index->base[0] = 0;
	index->term_count = 0;
	for (unsigned i = 0; i < pull->term_count; i++)
		if (pull->terms[i].dim == OWNER_LANE && pull->digits[__builtin_ctzll(
				pull->terms[i].digits)].part != OWNER_REGISTER)
			owner_add_term(index, 0, pull->terms[i].digits,
				pull->terms[i].weight);
	do {
		int64_t lane;

		owner_point(index, hw, &lane);
		if (lane != hw[OWNER_LANE])
			return true;
	} while (owner_next(index, hw));
	return false;
}

/* What lanes and subgroups add to the register; false where it is too many numbers. */
struct wanted {
	unsigned count;
	int64_t values[CONVERSION_CONDITIONS];
};

static bool find_wanted(const struct owner *pull, struct wanted *wanted)
{
	int64_t hw[OWNER_PARTS] = { 0 };

	wanted->count = 0;
	for (hw[0] = 0; hw[0] < pull->extent[0]; hw[0]++)
		for (hw[1] = 0; hw[1] < pull->extent[1]; hw[1]++) {
			int64_t value = part_of(pull, OWNER_REGISTER, false, hw);
			unsigned i = 0;

			while (i < wanted->count && wanted->values[i] != value)
				i++;
			if (i == CONVERSION_CONDITIONS)
				return false;
			wanted->values[i] = value;
			wanted->count += i == wanted->count;
		}
	return true;
}

/* So many elements a word: the registers of one that follow each other are read from one
 * lane. */
static unsigned find_pieces(const layout_conversion_plan *plan)
{
	unsigned pieces = plan->bits < 32 ? 32 / plan->bits : 1;
	int64_t registers = plan->to.extent[OWNER_REGISTER];

	if (registers % pieces)
		return 1;
	for (int64_t r = 0; r < registers; r++)
		if (part_of(&plan->pull, OWNER_LANE, true, (int64_t[]){ 0, 0, r }) !=
		    part_of(&plan->pull, OWNER_LANE, true,
				(int64_t[]){ 0, 0, r - r % pieces }))
			return 1;
	return pieces;
}

/* The word of register r and those after it. */
static bool gather_word(layout_conversion_plan *plan, const struct wanted *wanted,
	bool moves, int64_t r)
{
	int64_t offset = part_of(&plan->pull, OWNER_LANE, true, (int64_t[]){ 0, 0, r });
	unsigned value = 0;

	for (unsigned i = 0; i < wanted->count; i++) {
		struct conversion_piece pieces[CONVERSION_PIECES] = { { 0 } };
		unsigned read, condition;

		for (unsigned k = 0; k < plan->lanes.pieces; k++) {
			int64_t source = wanted->values[i] + part_of(&plan->pull,
				OWNER_REGISTER, true, (int64_t[]){ 0, 0, r + k });

			if (source < 0 || source >= plan->from.extent[OWNER_REGISTER])
				return false;
			pieces[k].value = (unsigned)source;
		}
		read = conversion_exchange(plan, conversion_pack(plan, pieces),
			moves || offset, offset);
		if (!conversion_condition(plan, (struct conversion_condition){
				.value = wanted->values[i] }, &condition))
			return false;
		value = i ? conversion_select(plan, condition, read, value) : read;
	}
	for (unsigned k = 0; k < plan->lanes.pieces; k++)
		plan->lanes.result[r + k] = (struct conversion_piece){ value, k };
	return !plan->lanes.failed;
}

bool conversion_gather(layout_conversion_plan *plan)
{
	struct wanted wanted;
	bool moves;

	if (!are_single(&plan->pull) || !find_wanted(&plan->pull, &wanted))
		return false;
	if (!conversion_begin(plan))
		return false;
	plan->lanes.f2 = false;
	plan->lanes.pieces = find_pieces(plan);
	moves = find_index(plan);
	for (int64_t r = 0; r < plan->to.extent[OWNER_REGISTER]; r += plan->lanes.pieces)
		if (!gather_word(plan, &wanted, moves, r))
			return false;
	conversion_count(plan);
	return true;
}
