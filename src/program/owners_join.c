/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where operands of several owners meet: each of them is a candidate for the owner of what
 * is made of them, and the one that takes least to bring all there wins. */
#include "algebra/owner/conversion.h"
#include "program/owners_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 8, NOT_THERE = 1 << 20 };

struct candidate {
	const char *as;		/* the operand whose owner it follows; NULL: blocked */
	struct owner *owner;
	unsigned cost;
};

struct join {
	struct program_owners *o;
	layout_tile *tile;
	unsigned count;
	struct candidate candidates[MOST_CANDIDATES];
};

/* The accesses that a load takes more. */
static unsigned reload_cost(struct program_owners *o, const layout_tile *tile,
	const struct owner *found, const struct owner *wanted)
{
	unsigned own = owners_accesses(o, tile, tile->memory, found);
	unsigned now = owners_accesses(o, tile, tile->memory, wanted);

	return now > own ? now - own : 0;
}

static unsigned conversion_cost_of(struct program_owners *o, const layout_tile *tile,
	const struct owner *found, const struct owner *wanted)
{
	unsigned bits = tile->type->bits < 8 ? 8 : tile->type->bits, cost = NOT_THERE;
	layout_conversion_plan *plan = conversion_plan_new(o->ctx, found, wanted, bits,
		o->chip);

	if (plan)
		cost = plan->kind == LAYOUT_CONVERT_LDS ?
			conversion_total(&plan->lds.cost) :
			conversion_total(&plan->lanes.cost);
	else if (layout_context_error(o->ctx) == LAYOUT_ERROR_UNSUPPORTED)
		layout_context_clear(o->ctx);
	layout_conversion_plan_free(plan);
	return cost;
}

/* Has a lane no registers for the tile? */
static bool is_too_much(const layout_tile *tile, const struct owner *owner)
{
	return owners_words(tile, owner) > OWNERS_MOST_WORDS;
}

/* The words of a contraction's factors under an owner of its sum; UINT32_MAX where that has no
 * letters. */
static int64_t factor_words(struct program_owners *o, const layout_tile *contract,
	const struct owner *sum)
{
	int64_t words = 0;

	for (unsigned i = 1; i <= 2; i++) {
		struct owner *factor = owner_copy(o->ctx, sum);

		words += factor && program_letters_owner(factor, contract) &&
			program_operand_owner(factor, contract, i) ?
			owners_words(contract->operands[i], factor) : UINT32_MAX;
		owner_free(factor);
	}
	return words;
}

/* Rows and columns of the sum a lane, as many of either as leaves its factors fewest words. */
static struct owner *square(struct program_owners *o, const layout_tile *contract)
{
	unsigned waves = (unsigned)program_tile_waves(contract), order[PROGRAM_RANK];
	unsigned rank = contract->rank, vector = o->max_bytes * 8 / contract->type->bits;
	struct owner_counts counts = { o->wave_size, 1, waves, 1 };
	struct owner *best = NULL;
	int64_t least = INT64_MAX;

	for (unsigned d = 0; d < rank; d++)
		order[d] = rank - 1 - d;
	for (; counts.first_lanes <= o->wave_size; counts.first_lanes *= 2)
		for (counts.first_subgroups = 1; counts.first_subgroups <= waves;
		     counts.first_subgroups *= 2) {
			struct owner *owner = owner_arranged(o->ctx, contract->box, rank, order,
				vector, &counts);
			int64_t words = owner ? factor_words(o, contract, owner) : INT64_MAX;

			if (words <= least) {
				owner_free(best);
				best = owner;
				least = words;
			} else {
				owner_free(owner);
			}
		}
	return best;
}

/* Of an operand to the owner that it is to have, which is taken.  What has no owner yet
 * gets any. */
static unsigned operand_cost(struct program_owners *o, const layout_tile *tile,
	struct owner *wanted, bool shares)
{
	const struct owner *found = owners_found(o, tile);
	bool parts = shares && wanted && is_too_much(tile, wanted);
	unsigned cost = !wanted || (is_too_much(tile, wanted) && !parts) ? NOT_THERE :
		!found || owner_equal(found, wanted) ? 0 :
		parts || owners_can_load_as(o, tile, wanted) ?
		reload_cost(o, tile, found, wanted) :
		conversion_cost_of(o, tile, found, wanted);

	owner_free(wanted);
	return cost;
}

/* The owner that operand i has where the tile has this one. */
static struct owner *wanted_of(const struct join *join, const struct owner *owner, unsigned i)
{
	struct owner *wanted = owner_copy(join->o->ctx, owner);
	const layout_tile *tile = join->tile;

	if (wanted && tile->op == TILE_MAP)
		program_broadcast_owner(wanted, tile->operands[i]->box,
			tile->operands[i]->rank);
	if (!wanted || tile->op == TILE_MAP || !i)
		return wanted;
	if (program_letters_owner(wanted, tile) && program_operand_owner(wanted, tile, i))
		return wanted;
	owner_free(wanted);
	return NULL;
}

/* "owner" is taken, unless it is there already. */
static void add(struct join *join, struct owner *owner, const char *as)
{
	struct candidate *candidate = &join->candidates[join->count];

	for (unsigned i = 0; owner && i < join->count; i++)
		if (owner_equal(owner, join->candidates[i].owner)) {
			owner_free(owner);
			return;
		}
	if (owner && join->count < MOST_CANDIDATES) {
		*candidate = (struct candidate){ .as = as, .owner = owner };
		join->count++;
	} else {
		owner_free(owner);
	}
}

static void count(struct join *join)
{
	for (unsigned n = 0; join->count > 1 && n < join->count; n++) {
		struct candidate *candidate = &join->candidates[n];

		/* where a factor stays where it is, the other one would be all in each lane */
		bool shares = join->tile->op == TILE_CONTRACT && !candidate->as &&
			owners_shares_terms(join->o, join->tile);

		candidate->cost += is_too_much(join->tile, candidate->owner) ? NOT_THERE : 0;
		for (unsigned i = 0; i < join->tile->operand_count; i++)
			candidate->cost += operand_cost(join->o, join->tile->operands[i],
				wanted_of(join, candidate->owner, i), shares && i);
	}
}

static void print_candidate(struct layout_buffer *out, const struct candidate *candidate,
	const char *before)
{
	if (candidate->as)
		layout_buffer_printf(out, "%sas `%s`, cost %u", before, candidate->as,
			candidate->cost);
	else
		layout_buffer_printf(out, "%sblocked, cost %u", before, candidate->cost);
}

/* "held as `a`, cost 0; not blocked, cost 90" */
static void explain(const struct join *join, unsigned best)
{
	struct layout_buffer out = { 0 };

	print_candidate(&out, &join->candidates[best], "held ");
	for (unsigned n = 0; n < join->count; n++)
		if (n != best)
			print_candidate(&out, &join->candidates[n], "; not ");
	free(join->tile->choice);
	join->tile->choice = layout_buffer_take(join->o->ctx, &out);
}

/* The first of the cheapest; NULL where there is none, or with an error. */
static struct owner *choose(struct join *join)
{
	struct owner *owner = NULL;
	unsigned best = 0;

	count(join);
	for (unsigned n = 1; n < join->count; n++)
		if (join->candidates[n].cost < join->candidates[best].cost)
			best = n;
	if (join->count > 1)
		explain(join, best);
	for (unsigned n = 0; n < join->count; n++)
		if (n == best && layout_context_error(join->o->ctx) == LAYOUT_ERROR_NONE)
			owner = join->candidates[n].owner;
		else
			owner_free(join->candidates[n].owner);
	return owner;
}

struct owner *owners_join_map(struct program_owners *o, layout_tile *tile)
{
	struct join join = { .o = o, .tile = tile };

	for (unsigned i = 0; i < tile->operand_count; i++) {
		const layout_tile *operand = tile->operands[i];
		const struct owner *owner = operand->rank == tile->rank &&
			!memcmp(operand->box, tile->box, tile->rank * sizeof(*tile->box)) ?
			owners_found(o, operand) : NULL;

		if (owner)
			add(&join, owner_copy(o->ctx, owner), operand->name);
	}
	return choose(&join);
}

/* The owner of the sum where a factor stays where it is: letters that it has not are in
 * registers.  NULL where there is no room. */
static struct owner *sum_of_factor(struct program_owners *o, const layout_tile *contract,
	unsigned operand)
{
	const layout_tile *tile = contract->operands[operand];
	const unsigned *map = contract->maps[operand - 1];
	const struct owner *found = owners_found(o, tile);
	struct owner *letters = found && contract->letter_count <= OWNER_RANK ?
		owner_copy(o->ctx, found) : NULL;
	uint64_t has = 0;
	bool ok = letters;

	for (unsigned n = 0; ok && n < contract->letter_count; n++) {
		letters->box[n] = contract->letters[n];
		letters->base[n] = 0;
	}
	for (unsigned d = 0; ok && d < tile->rank; d++) {
		letters->base[map[d]] = found->base[d];
		has |= (uint64_t)1 << map[d];
	}
	for (unsigned i = 0; ok && i < letters->term_count; i++)
		letters->terms[i].dim = map[found->terms[i].dim];
	if (ok)
		letters->rank = contract->letter_count;
	for (unsigned n = 0; ok && n < contract->letter_count; n++)
		if (!(has >> n & 1) && contract->letters[n] > 1)
			ok = owner_add_term(letters, n, (uint64_t)1 << letters->digit_count,
				1) && owner_add_digit(letters, OWNER_REGISTER,
				contract->letters[n]);
	if (ok) {
		program_operand_owner(letters, contract, 0);
		return letters;
	}
	owner_free(letters);
	return NULL;
}

struct owner *owners_join_contract(struct program_owners *o, layout_tile *contract,
	struct owner *blocked)
{
	struct join join = { .o = o, .tile = contract };

	for (unsigned i = 1; i < 3; i++)
		add(&join, sum_of_factor(o, contract, i), contract->operands[i]->name);
	if (blocked && owners_shares_terms(o, contract) &&
	    factor_words(o, contract, blocked) > OWNERS_MOST_WORDS) {
		owner_free(blocked);
		blocked = square(o, contract);
	}
	add(&join, blocked, NULL);
	return choose(&join);
}
