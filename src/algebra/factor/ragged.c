/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/factor/ragged.h"
#include "algebra/digits/cuts.h"
#include "isl_bridge/arithmetic.h"

#define FARTHEST 4096		/* where digits must have met again */

bool ragged_is_needed(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].ragged)
			return true;
	return false;
}

static int64_t common_multiple(int64_t a, int64_t b, int64_t farthest)
{
	if (!a || b > farthest)
		return 0;
	a = a / int_gcd(a, b) * b;
	return a > farthest ? 0 : a;
}

int64_t ragged_end(const struct factors *factors, unsigned dim)
{
	int64_t run = factors->dims[dim].run, end = run ? run : 1;
	int64_t farthest = run ? run : FARTHEST;

	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned k = 0; k < factors->slot_count[side]; k++) {
			const struct factor_slot *slot = &factors->slots[side][k];

			if (slot->digit.dim != dim)
				continue;
			end = common_multiple(end, slot->digit.step, farthest);
			if (slot->digit.radix)
				end = common_multiple(end, slot->digit.step * slot->digit.radix,
					farthest);
		}
	return end;
}

/* The common digits, the side's own, and the end. */
static bool find_cuts(struct cuts *cuts, const struct factors *factors,
	enum factor_side side, unsigned dim)
{
	int64_t end = ragged_end(factors, dim);

	cuts->count = 0;
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim)
			cuts_add_digit(cuts, &factors->digits[i].digit, INT64_MAX);
	for (unsigned k = 0; k < factors->slot_count[side]; k++)
		if (factors->slots[side][k].digit.dim == dim)
			cuts_add(cuts, factors->slots[side][k].digit.step);
	cuts_add(cuts, end);
	return end > 0 && cuts_are_digits(cuts);
}

/* The slot of a side that holds a digit from "step" up to "end", 0: without one, or the
 * count. */
static unsigned slot_of(const struct factors *factors, enum factor_side side,
	unsigned dim, int64_t step, int64_t end)
{
	for (unsigned k = 0; k < factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &factors->slots[side][k];
		int64_t last = slot->digit.step * slot->digit.radix;

		if (slot->digit.dim == dim && step % slot->digit.step == 0 && (!last ||
		    (end && step < last && last % end == 0)))
			return k;
	}
	return factors->slot_count[side];
}

/* Steps of the digit are worth steps of slot k, or nothing without one. */
static bool add_weight(struct ragged *ragged, struct factor_digit *digit,
	const struct factors *factors, enum factor_side side, unsigned k)
{
	struct index *weight;

	if (ragged->weight_count == RAGGED_WEIGHTS)
		return false;
	if (k < factors->slot_count[side]) {
		const struct factor_slot *slot = &factors->slots[side][k];

		digit->slot[side] = k;
		weight = index_binary(INDEX_MUL, index_copy(slot->pitch),
			index_int(digit->digit.step / slot->digit.step));
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
	struct cuts cuts;

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
		*digit = (struct factor_digit){ { dim, cuts.at[i], radix },
			.most = radix };
		for (unsigned s = 0; s < FACTOR_SIDES; s++)
			if (!add_weight(ragged, digit, factors, (enum factor_side)s,
			    slot_of(factors, (enum factor_side)s, dim, cuts.at[i],
			    end)))
				return false;
	}
	return true;
}

/* Up to where the digits of a dimension are those of both sides. */
static int64_t common_end(const struct factors *factors, unsigned dim)
{
	int64_t end = 1;

	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct factor_digit *digit = &factors->digits[i];

		if (digit->digit.dim == dim && digit->digit.step * digit->digit.radix > end)
			end = digit->digit.step * digit->digit.radix;
	}
	return end;
}

/* The boundaries of the destination, and the common ones. */
static bool find_stored_cuts(struct cuts *cuts, const struct factors *factors,
	unsigned dim)
{
	cuts->count = 0;
	cuts_add(cuts, 1);
	cuts_add(cuts, common_end(factors, dim));
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim)
			cuts_add(cuts, factors->digits[i].digit.step);
	for (unsigned k = 0; k < factors->slot_count[FACTOR_STORE]; k++)
		if (factors->slots[FACTOR_STORE][k].digit.dim == dim)
			cuts_add_digit(cuts, &factors->slots[FACTOR_STORE][k].digit,
				INT64_MAX);
	return cuts_are_digits(cuts);
}

/* The slot of the source that counts whole steps of so many elements, or the count. */
static unsigned counting_slot(const struct factors *factors, unsigned dim, int64_t step)
{
	unsigned found = factors->slot_count[FACTOR_LOAD];

	for (unsigned k = 0; k < factors->slot_count[FACTOR_LOAD]; k++) {
		const struct factor_slot *slot = &factors->slots[FACTOR_LOAD][k];

		if (slot->digit.dim == dim && slot->digit.step <= step &&
		    (found == factors->slot_count[FACTOR_LOAD] ||
		     slot->digit.step > factors->slots[FACTOR_LOAD][found].digit.step))
			found = k;
	}
	return found;
}

/* Is it beyond the common digits and no multiple of the source's tiles? */
static bool is_carried(const struct factors *factors, const struct factor_digit *digit,
	int64_t end)
{
	unsigned k = slot_of(factors, FACTOR_LOAD, digit->digit.dim, digit->digit.step, 0);

	return !factors->dims[digit->digit.dim].single &&
		(!end || end > common_end(factors, digit->digit.dim)) &&
		k == factors->slot_count[FACTOR_LOAD];
}

/* The weights of a digit of the destination, up to "end", 0: without one. */
static bool weigh_stored(struct ragged *ragged, struct factor_digit *digit,
	const struct factors *factors, int64_t end)
{
	unsigned k = slot_of(factors, FACTOR_STORE, digit->digit.dim, digit->digit.step, end);

	if (k == factors->slot_count[FACTOR_STORE] ||
	    !add_weight(ragged, digit, factors, FACTOR_STORE, k))
		return false;
	digit->carried = is_carried(factors, digit, end);
	k = digit->carried ? counting_slot(factors, digit->digit.dim, digit->digit.step) :
		factors->dims[digit->digit.dim].single ? factors->slot_count[FACTOR_LOAD] :
		slot_of(factors, FACTOR_LOAD, digit->digit.dim, digit->digit.step, end);
	return add_weight(ragged, digit, factors, FACTOR_LOAD, k);
}

/* The digits of the destination in a dimension. */
static bool add_stored_digits(struct ragged *ragged, const struct factors *factors,
	unsigned dim)
{
	struct factors *out = &ragged->sides[FACTOR_STORE];
	const struct index *last = factors->dims[dim].end;
	struct cuts cuts;

	if (!find_stored_cuts(&cuts, factors, dim))
		return false;
	for (unsigned i = 0; i < cuts.count; i++) {
		int64_t end = i + 1 == cuts.count ? 0 : cuts.at[i + 1];
		int64_t radix = end / cuts.at[i], most = radix;

		if (!end && last->op == INDEX_INT)
			most = last->value / cuts.at[i];
		if (cuts.at[i] >= factor_reach(factors, dim))
			break;
		if (out->digit_count == FACTOR_DIGITS)
			return false;
		out->digits[out->digit_count] = (struct factor_digit){
			{ dim, cuts.at[i], radix }, .most = most };
		if (!weigh_stored(ragged, &out->digits[out->digit_count++], factors,
		    end))
			return false;
	}
	return true;
}

static bool copy_digits(struct factors *out, const struct factors *factors, unsigned dim)
{
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim)
			out->digits[out->digit_count++] = factors->digits[i];
	return true;
}

bool ragged_build(struct ragged *ragged, const struct factors *factors)
{
	bool ok = true;

	ragged->weight_count = 0;
	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		struct factors *out = &ragged->sides[side];

		*out = *factors;
		out->digit_count = 0;
		for (unsigned d = 0; ok && d < factors->dim_count; d++)
			ok = factors->dims[d].ragged ?
				add_digits(ragged, factors, (enum factor_side)side, d) :
				copy_digits(out, factors, d);
	}
	return ok;
}

bool ragged_carry(struct ragged *ragged, const struct factors *factors)
{
	struct factors *out = &ragged->sides[FACTOR_STORE];
	bool ok = true;

	ragged->weight_count = 0;
	*out = *factors;
	out->digit_count = 0;
	for (unsigned d = 0; ok && d < factors->dim_count; d++)
		ok = !factors->dims[d].run && (factors->dims[d].ragged ?
			add_stored_digits(ragged, factors, d) : copy_digits(out, factors, d));
	ragged->sides[FACTOR_LOAD] = *out;
	return ok;
}

void ragged_free(struct ragged *ragged)
{
	for (unsigned i = 0; i < ragged->weight_count; i++)
		index_free(ragged->weights[i]);
	ragged->weight_count = 0;
}
