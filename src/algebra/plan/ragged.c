/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/plan/ragged.h"
#include "algebra/plan/boundaries.h"
#include "isl_bridge/arithmetic.h"

#define FARTHEST 4096		/* where digits must have met again */

bool ragged_is_needed(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].ragged)
			return true;
	return false;
}

static int64_t common_multiple(int64_t a, int64_t b)
{
	if (!a || b > FARTHEST)
		return 0;
	a = a / int_gcd(a, b) * b;
	return a > FARTHEST ? 0 : a;
}

int64_t ragged_end(const struct factors *factors, unsigned dim)
{
	int64_t end = 1;

	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned k = 0; k < factors->slot_count[side]; k++) {
			const struct factor_slot *slot = &factors->slots[side][k];

			if (slot->dim != dim)
				continue;
			end = common_multiple(end, slot->step);
			if (slot->extent)
				end = common_multiple(end, slot->step * slot->extent);
		}
	return end;
}

/* The common digits, the side's own, and the end. */
static bool find_cuts(struct boundaries *cuts, const struct factors *factors,
	enum factor_side side, unsigned dim)
{
	int64_t end = ragged_end(factors, dim);
	bool ok;

	cuts->count = 0;
	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct factor_digit *digit = &factors->digits[i];

		if (digit->dim != dim)
			continue;
		boundaries_add(cuts, digit->step);
		if (digit->radix)
			boundaries_add(cuts, digit->step * digit->radix);
	}
	for (unsigned k = 0; k < factors->slot_count[side]; k++)
		if (factors->slots[side][k].dim == dim)
			boundaries_add(cuts, factors->slots[side][k].step);
	boundaries_add(cuts, end);
	ok = end > 0 && cuts->count < BOUNDARIES;
	for (unsigned i = 0; ok && i + 1 < cuts->count; i++)
		ok = cuts->at[i + 1] % cuts->at[i] == 0;
	return ok;
}

/* The slot of a side that holds a digit from "step" up to "end", 0: without one, or the
 * count. */
static unsigned slot_of(const struct factors *factors, enum factor_side side,
	unsigned dim, int64_t step, int64_t end)
{
	for (unsigned k = 0; k < factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &factors->slots[side][k];
		int64_t last = slot->step * slot->extent;

		if (slot->dim == dim && step % slot->step == 0 && (!last ||
		    (end && step < last && last % end == 0)))
			return k;
	}
	return factors->slot_count[side];
}

static bool add_weight(struct ragged *ragged, struct factor_digit *digit,
	const struct factors *factors, enum factor_side side, int64_t end)
{
	unsigned k = slot_of(factors, side, digit->dim, digit->step, end);
	struct index *weight;

	if (ragged->weight_count == RAGGED_WEIGHTS)
		return false;
	if (k < factors->slot_count[side]) {
		const struct factor_slot *slot = &factors->slots[side][k];

		digit->slot[side] = k;
		weight = index_binary(INDEX_MUL, index_copy(slot->pitch),
			index_int(digit->step / slot->step));
	} else {
		weight = index_int(0);
	}
	digit->weight[side] = weight;
	if (weight)
		ragged->weights[ragged->weight_count++] = weight;
	return weight;
}

/* The digits of a dimension for one side, each of them in one of its slots. */
static bool add_digits(struct ragged *ragged, const struct factors *factors,
	enum factor_side side, unsigned dim)
{
	struct factors *out = &ragged->sides[side];
	struct boundaries cuts;

	if (!find_cuts(&cuts, factors, side, dim))
		return false;
	for (unsigned i = 0; i < cuts.count; i++) {
		bool last = i + 1 == cuts.count;
		int64_t end = last ? 0 : cuts.at[i + 1];
		int64_t radix = last ? 0 : end / cuts.at[i];
		struct factor_digit *digit = &out->digits[out->digit_count];

		if (out->digit_count == FACTOR_DIGITS || slot_of(factors, side, dim,
		    cuts.at[i], end) == factors->slot_count[side])
			return false;
		out->digit_count++;
		*digit = (struct factor_digit){ dim, cuts.at[i], radix, radix, { 0, 0 },
			{ NULL, NULL } };
		for (unsigned s = 0; s < FACTOR_SIDES; s++)
			if (!add_weight(ragged, digit, factors, (enum factor_side)s, end))
				return false;
	}
	return true;
}

bool ragged_build(struct ragged *ragged, const struct factors *factors)
{
	ragged->weight_count = 0;
	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		struct factors *out = &ragged->sides[side];

		*out = *factors;
		out->digit_count = 0;
		for (unsigned d = 0; d < factors->dim_count; d++) {
			if (factors->dims[d].ragged) {
				if (!add_digits(ragged, factors, (enum factor_side)side,
				    d))
					return false;
				continue;
			}
			for (unsigned i = 0; i < factors->digit_count; i++)
				if (factors->digits[i].dim == d)
					out->digits[out->digit_count++] =
						factors->digits[i];
		}
	}
	return true;
}

void ragged_free(struct ragged *ragged)
{
	for (unsigned i = 0; i < ragged->weight_count; i++)
		index_free(ragged->weights[i]);
}
