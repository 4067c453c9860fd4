/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/count/formula.h"

#include <stdlib.h>

void factor_free(struct factor *factor)
{
	for (unsigned i = 0; i < factor->count; i++)
		isl_aff_free(factor->bounds[i]);
	*factor = (struct factor){ 0 };
}

static struct factor factor_copy(const struct factor *factor)
{
	struct factor copy = *factor;

	for (unsigned i = 0; i < copy.count; i++)
		copy.bounds[i] = isl_aff_copy(copy.bounds[i]);
	return copy;
}

isl_pw_aff *factor_least(const struct factor *factor)
{
	isl_pw_aff *least = isl_pw_aff_from_aff(isl_aff_copy(factor->bounds[0]));

	for (unsigned i = 1; i < factor->count; i++)
		least = isl_pw_aff_min(least,
			isl_pw_aff_from_aff(isl_aff_copy(factor->bounds[i])));
	return least;
}

bool factor_is_negative(const struct factor *factor)
{
	isl_set *good = isl_pw_aff_nonneg_set(factor_least(factor));
	isl_set *all = bridge_nonnegative(isl_set_get_space(good));
	isl_bool never = isl_set_is_subset(all, good);

	isl_set_free(good);
	isl_set_free(all);
	return never == isl_bool_false;
}

void term_start(struct term *term, layout_context *ctx)
{
	*term = (struct term){ .number = isl_val_one(bridge_isl(ctx)) };
}

void term_free(struct term *term)
{
	isl_val_free(term->number);
	for (unsigned i = 0; i < term->count; i++)
		factor_free(&term->factors[i]);
	*term = (struct term){ 0 };
}

struct term term_copy(const struct term *term)
{
	struct term copy = *term;

	copy.number = isl_val_copy(term->number);
	for (unsigned i = 0; i < copy.count; i++)
		copy.factors[i] = factor_copy(&term->factors[i]);
	return copy;
}

void term_times_number(struct term *term, isl_val *number)
{
	if (isl_val_is_one(term->number) == isl_bool_true)
		term->at = term->count;
	term->number = isl_val_mul(term->number, number);
}

/* The number that the factor is; NULL where it is none. */
static isl_val *constant(const struct factor *factor)
{
	isl_val *value = factor->count == 1 &&
		isl_aff_is_cst(factor->bounds[0]) == isl_bool_true ?
		isl_aff_get_constant_val(factor->bounds[0]) : NULL;

	if (value && factor->clipped && isl_val_is_neg(value) == isl_bool_true)
		value = isl_val_set_si(value, 0);
	return value;
}

bool term_times(struct term *term, struct factor *factor)
{
	isl_val *number = constant(factor);
	bool room = number || term->count < TERM_FACTORS;

	if (number) {
		term_times_number(term, number);
		factor_free(factor);
	} else if (room) {
		term->factors[term->count++] = *factor;
		*factor = (struct factor){ 0 };
	} else {
		factor_free(factor);
	}
	return room;
}

/* The names of two expressions in one order. */
static void align(isl_aff **a, isl_aff **b)
{
	*a = isl_aff_align_params(*a, isl_aff_get_domain_space(*b));
	*b = isl_aff_align_params(*b, isl_aff_get_domain_space(*a));
}

static bool same_bound(const isl_aff *a, const isl_aff *b)
{
	isl_aff *left = isl_aff_copy((isl_aff *)(uintptr_t)a);
	isl_aff *right = isl_aff_copy((isl_aff *)(uintptr_t)b);
	isl_aff *rest;
	bool same;

	align(&left, &right);
	rest = isl_aff_sub(left, right);
	same = isl_aff_plain_is_zero(rest) == isl_bool_true;
	isl_aff_free(rest);
	return same;
}

/* In whatever order the bounds are, each of which is there once. */
static bool same_factor(const struct factor *a, const struct factor *b)
{
	bool same = a->count == b->count && a->clipped == b->clipped;

	for (unsigned i = 0; same && i < a->count; i++) {
		unsigned k = 0;

		while (k < b->count && !same_bound(a->bounds[i], b->bounds[k]))
			k++;
		same = k < b->count;
	}
	return same;
}

/* Pair equal factors of two terms; how many stay alone in each, and the last of them. */
struct pairing {
	unsigned alone[2], last[2];
};

static struct pairing pair(const struct term *a, const struct term *b)
{
	bool taken[TERM_FACTORS] = { false };
	struct pairing pairing = { { 0 }, { 0 } };

	for (unsigned i = 0; i < a->count; i++) {
		unsigned k = 0;

		while (k < b->count &&
		       (taken[k] || !same_factor(&a->factors[i], &b->factors[k])))
			k++;
		if (k < b->count) {
			taken[k] = true;
		} else {
			pairing.alone[0]++;
			pairing.last[0] = i;
		}
	}
	for (unsigned k = 0; k < b->count; k++)
		if (!taken[k]) {
			pairing.alone[1]++;
			pairing.last[1] = k;
		}
	return pairing;
}

static void drop_term(struct formula *formula, unsigned at)
{
	term_free(&formula->terms[at]);
	for (unsigned i = at + 1; i < formula->count; i++)
		formula->terms[i - 1] = formula->terms[i];
	formula->count--;
}

static bool append(struct formula *formula, struct term *term)
{
	unsigned capacity = formula->capacity ? 2 * formula->capacity : 4;
	struct term *grown = formula->terms;

	if (formula->count == formula->capacity) {
		grown = realloc(grown, capacity * sizeof(*grown));
		if (!grown)
			return false;
		formula->terms = grown;
		formula->capacity = capacity;
	}
	formula->terms[formula->count++] = *term;
	return true;
}

void formula_add(struct formula *formula, struct term *term)
{
	if (isl_val_is_zero(term->number) == isl_bool_true) {
		term_free(term);
		return;
	}
	for (unsigned i = 0; i < formula->count; i++) {
		struct term *old = &formula->terms[i];
		struct pairing pairing = pair(old, term);

		if (pairing.alone[0] || pairing.alone[1])
			continue;
		old->number = isl_val_add(old->number, isl_val_copy(term->number));
		if (isl_val_is_zero(old->number) == isl_bool_true)
			drop_term(formula, i);
		term_free(term);
		return;
	}
	if (!append(formula, term)) {
		layout_fail(formula->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		formula->failed = true;
		term_free(term);
	}
	*term = (struct term){ 0 };
}

void formula_free(struct formula *formula)
{
	for (unsigned i = 0; i < formula->count; i++)
		term_free(&formula->terms[i]);
	free(formula->terms);
	*formula = (struct formula){ .ctx = formula->ctx };
}

static bool is_plain(const struct factor *factor)
{
	return factor->count == 1 && !factor->clipped;
}

/* The one factor that a term has alone, times the number; NULL where it is not plain. */
static isl_aff *alone(const struct term *term, const struct pairing *pairing,
	unsigned side, isl_space *space)
{
	const struct factor *factor = &term->factors[pairing->last[side]];

	if (!pairing->alone[side])
		return isl_aff_val_on_domain_space(isl_space_copy(space),
			isl_val_copy(term->number));
	return is_plain(factor) ? isl_aff_scale_val(isl_aff_copy(factor->bounds[0]),
		isl_val_copy(term->number)) : NULL;
}

/* The two terms as one product; false where they are none. */
static bool merge(layout_context *ctx, const struct term *a, const struct term *b,
	struct term *both)
{
	struct pairing pairing = pair(a, b);
	const struct term *some = pairing.alone[0] ? a : b;
	unsigned side = some == b;
	struct factor sum = { 1, { NULL }, false };
	isl_space *space;
	isl_aff *left, *right;

	if (pairing.alone[0] > 1 || pairing.alone[1] > 1)
		return false;
	space = isl_aff_get_domain_space(some->factors[pairing.last[side]].bounds[0]);
	left = alone(a, &pairing, 0, space);
	right = alone(b, &pairing, 1, space);
	isl_space_free(space);
	if (!left || !right) {
		isl_aff_free(left);
		isl_aff_free(right);
		return false;
	}
	align(&left, &right);
	sum.bounds[0] = isl_aff_add(left, right);
	term_start(both, ctx);
	for (unsigned i = 0; i < some->count; i++) {
		struct factor next = i == pairing.last[side] ? sum :
			factor_copy(&some->factors[i]);

		term_times(both, &next);
	}
	return true;
}

/* Merge one pair of terms, if there is one. */
static bool merge_once(struct formula *formula)
{
	for (unsigned i = 0; i < formula->count; i++)
		for (unsigned k = i + 1; k < formula->count; k++) {
			struct term both;

			if (!merge(formula->ctx, &formula->terms[i],
					&formula->terms[k], &both))
				continue;
			drop_term(formula, k);
			drop_term(formula, i);
			formula_add(formula, &both);
			return true;
		}
	return false;
}

void formula_merge(struct formula *formula)
{
	while (!formula->failed && merge_once(formula))
		;
	for (unsigned i = 0; i < formula->count && formula->count > 1; i++)
		formula->terms[i].at = 0;
}

void formula_subtract(struct formula *a, struct formula *b)
{
	for (unsigned i = 0; i < b->count; i++) {
		struct term term = term_copy(&b->terms[i]);

		term.number = isl_val_neg(term.number);
		formula_add(a, &term);
	}
	a->failed = a->failed || b->failed;
	formula_free(b);
}

isl_val *formula_number(const struct formula *formula)
{
	if (!formula->count)
		return isl_val_zero(bridge_isl(formula->ctx));
	return formula->count == 1 && !formula->terms[0].count ?
		isl_val_copy(formula->terms[0].number) : NULL;
}
