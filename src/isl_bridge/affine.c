/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/affine.h"
#include "isl_bridge/aff.h"

#include <inttypes.h>
#include <stdlib.h>

/* Coefficients stay far from overflow. */
#define LARGEST ((int64_t)1 << 31)

static bool same_sum(const struct affine_sum *a, const struct affine_sum *b);

static int64_t *coefficient_of(struct affine *affine, struct affine_sum *sum,
	unsigned atom)
{
	for (unsigned i = 0; i < sum->count; i++)
		if (sum->terms[i].atom == atom)
			return &sum->terms[i].coefficient;
	if (sum->count == AFFINE_TERMS) {
		affine->failed = true;
		return &sum->terms[0].coefficient;
	}
	sum->terms[sum->count].coefficient = 0;
	sum->terms[sum->count].atom = atom;
	return &sum->terms[sum->count++].coefficient;
}

static void add_scaled(struct affine *affine, int64_t *to, int64_t factor, int64_t value)
{
	int64_t product;

	if (__builtin_mul_overflow(factor, value, &product) ||
	    __builtin_add_overflow(*to, product, to) || llabs(*to) > LARGEST)
		affine->failed = true;
}

static void drop_zeros(struct affine_sum *sum)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < sum->count; i++)
		if (sum->terms[i].coefficient)
			sum->terms[kept++] = sum->terms[i];
	sum->count = kept;
}

static bool has_negative(const struct affine_sum *sum)
{
	bool found = false;

	for (unsigned i = 0; i < sum->count; i++)
		found = found || sum->terms[i].coefficient < 0;
	return found;
}

/* sum += factor * other */
static void add_sum(struct affine *affine, struct affine_sum *sum, int64_t factor,
	const struct affine_sum *other)
{
	add_scaled(affine, &sum->constant, factor, other->constant);
	for (unsigned i = 0; i < other->count; i++)
		add_scaled(affine, coefficient_of(affine, sum, other->terms[i].atom),
			factor, other->terms[i].coefficient);
	drop_zeros(sum);
}

static bool same_sum(const struct affine_sum *a, const struct affine_sum *b)
{
	bool same = a->count == b->count && a->constant == b->constant;

	for (unsigned i = 0; same && i < a->count; i++) {
		unsigned k = 0;

		while (k < b->count && b->terms[k].atom != a->terms[i].atom)
			k++;
		same = k < b->count && b->terms[k].coefficient == a->terms[i].coefficient;
	}
	return same;
}

/* The number of the atom, the old one if there is one like it. */
static unsigned intern(struct affine *affine, enum affine_kind kind,
	const struct affine_sum *of, int64_t by)
{
	unsigned i;

	for (i = 0; i < affine->atom_count; i++)
		if (affine->atoms[i].kind == kind && affine->atoms[i].by == by &&
		    same_sum(&affine->atoms[i].of, of))
			return affine->variable_count + i;
	if (i == AFFINE_ATOMS) {
		affine->failed = true;
		return affine->variable_count;
	}
	affine->atoms[i] = (struct affine_atom){ .kind = kind, .of = *of, .by = by };
	affine->atoms[i].range = affine_atom_range(affine, &affine->atoms[i]);
	affine->atom_count++;
	return affine->variable_count + i;
}

/* value = quotient*by + the residue nearest to 0, of which by/2 counts as near. */
static int64_t split_near(int64_t value, int64_t by, int64_t *residue)
{
	int64_t quotient = value / by;

	*residue = value % by;
	if (2 * *residue > by || (2 * *residue == -by && by > 1)) {
		quotient += *residue > 0 ? 1 : -1;
		*residue += *residue > 0 ? -by : by;
	} else if (2 * *residue < -by) {
		quotient--;
		*residue += by;
	}
	return quotient;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

/* Move multiples of "by" out of "of": of = by*whole + of'. */
static struct affine_sum take_whole(struct affine_sum *of, int64_t by)
{
	struct affine_sum whole = { 0 };

	for (unsigned i = 0; i < of->count; i++) {
		int64_t quotient = split_near(of->terms[i].coefficient, by,
			&of->terms[i].coefficient);

		if (!quotient)
			continue;
		whole.terms[whole.count].coefficient = quotient;
		whole.terms[whole.count++].atom = of->terms[i].atom;
	}
	drop_zeros(of);
	whole.constant = floor_divide(of->constant, by);
	of->constant -= whole.constant * by;
	return whole;
}

/* Divide "of" and "by" by what the coefficients and "by" share. */
static void reduce(struct affine_sum *of, int64_t *by)
{
	int64_t shared = *by;

	for (unsigned i = 0; i < of->count; i++)
		shared = greatest_divisor(shared, of->terms[i].coefficient);
	if (shared <= 1)
		return;
	for (unsigned i = 0; i < of->count; i++)
		of->terms[i].coefficient /= shared;
	of->constant = floor_divide(of->constant, shared);
	*by /= shared;
}

/* sum += factor * floor(of / by), the floor in normal form: coefficients nearest
 * to 0, the first one positive, the constant in 0 .. by-1. */
static void add_floor(struct affine *affine, struct affine_sum *sum, int64_t factor,
	struct affine_sum of, int64_t by)
{
	struct affine_sum whole;

	do {
		reduce(&of, &by);
		whole = take_whole(&of, by);
		add_sum(affine, sum, factor, &whole);
	} while (!affine->failed && affine_divide(affine, &of, &by));
	if (!of.count || affine->failed)
		return;
	if (of.terms[0].coefficient < 0) {
		for (unsigned i = 0; i < of.count; i++)
			of.terms[i].coefficient = -of.terms[i].coefficient;
		of.constant = by - 1 - of.constant;
		factor = -factor;
	}
	add_scaled(affine, coefficient_of(affine, sum,
		intern(affine, AFFINE_FLOOR, &of, by)), factor, 1);
	drop_zeros(sum);
}

/* The coefficient as an integer of that size. */
static int64_t bounded(struct affine *affine, isl_val *value, int64_t largest)
{
	int64_t result = 0;

	if (isl_val_is_int(value) == isl_bool_true &&
	    isl_val_cmp_si(value, largest) <= 0 &&
	    isl_val_cmp_si(value, -largest) >= 0)
		result = isl_val_get_num_si(value);
	else
		affine->failed = true;
	isl_val_free(value);
	return result;
}

static int64_t small(struct affine *affine, isl_val *value)
{
	return bounded(affine, value, LARGEST);
}

/* The variables and the constant, of numbers up to "largest". */
static struct affine_sum plain_sum(struct affine *affine, isl_aff *aff, int64_t largest)
{
	static const enum isl_dim_type types[] = { isl_dim_in, isl_dim_param };
	struct affine_sum sum = { 0 };
	unsigned variable = 0;

	sum.constant = bounded(affine, isl_aff_get_constant_val(aff), largest);
	for (unsigned t = 0; t < 2; t++) {
		isl_size count = isl_aff_dim(aff, types[t]);

		for (isl_size i = 0; i < count; i++, variable++)
			*coefficient_of(affine, &sum, variable) = bounded(affine,
				isl_aff_get_coefficient_val(aff, types[t], i), largest);
	}
	drop_zeros(&sum);
	return sum;
}

struct affine_sum affine_plain_from_isl(struct affine *affine, isl_aff *aff)
{
	return plain_sum(affine, aff, INT64_MAX);
}

/* "aff" times its denominator. */
static struct affine_sum whole_sum(struct affine *affine, isl_aff *aff)
{
	struct affine_sum sum = plain_sum(affine, aff, LARGEST);
	isl_size count = isl_aff_dim(aff, isl_dim_div);

	for (isl_size i = 0; i < count && !affine->failed; i++) {
		int64_t factor = small(affine,
			isl_aff_get_coefficient_val(aff, isl_dim_div, i));
		isl_val *by;
		isl_aff *div = factor ? aff_dividend(aff, i, &by) : NULL;
		struct affine_sum of;
		int64_t divisor;

		if (!div)
			continue;
		of = whole_sum(affine, div);
		divisor = small(affine, by);
		if (!affine->failed)
			add_floor(affine, &sum, factor, of, divisor);
		isl_aff_free(div);
	}
	return sum;
}

/* May coefficient "factor" of a floor become "rest", when a remainder takes the other
 * part of it?  First where nothing is left, then where less is. */
static bool is_better(int64_t factor, int64_t rest, bool exact)
{
	return exact ? rest == 0 : llabs(rest) < llabs(factor);
}

/* q*floor(n/a) + c*floor(n/(a*b)) is q*(floor(n/a) mod b) + (c + q*b)*floor(n/(a*b)):
 * with term "at" as the second half. */
static bool pair_floors(struct affine *affine, struct affine_sum *sum, unsigned at,
	bool exact)
{
	struct affine_atom *atoms = affine->atoms;
	unsigned first = affine->variable_count, number = sum->terms[at].atom - first;
	int64_t factor = sum->terms[at].coefficient;

	for (unsigned i = 0; i < sum->count; i++) {
		unsigned atom = sum->terms[i].atom;
		int64_t q = sum->terms[i].coefficient, b, rest;
		struct affine_sum of = { .count = 1 };

		if (atom < first || i == at || atoms[atom - first].kind != AFFINE_FLOOR ||
		    atoms[number].by % atoms[atom - first].by ||
		    !same_sum(&atoms[number].of, &atoms[atom - first].of))
			continue;
		b = atoms[number].by / atoms[atom - first].by;
		if (__builtin_mul_overflow(q, b, &rest) ||
		    __builtin_add_overflow(rest, factor, &rest) ||
		    !is_better(factor, rest, exact))
			continue;
		of.terms[0].coefficient = 1;
		of.terms[0].atom = atom;
		sum->terms[i].coefficient = rest;
		sum->terms[i].atom = sum->terms[at].atom;
		sum->terms[at].coefficient = q;
		sum->terms[at].atom = intern(affine, AFFINE_MOD, &of, b);
		drop_zeros(sum);
		return true;
	}
	return false;
}

/* The floor that a term of the sum is a multiple of; NULL where it is of none. */
static const struct affine_atom *floor_at(const struct affine *affine,
	const struct affine_sum *sum, unsigned at)
{
	unsigned number = sum->terms[at].atom;
	const struct affine_atom *atom;

	if (number < affine->variable_count)
		return NULL;
	atom = &affine->atoms[number - affine->variable_count];
	return atom->kind == AFFINE_FLOOR ? atom : NULL;
}

/* q*n + c*floor(n/m) is q*(n mod m) + (c + q*m)*floor(n/m), where all terms of q*n are
 * in the sum. */
static bool restore_mod(struct affine *affine, struct affine_sum *sum, unsigned at,
	bool exact)
{
	const struct affine_atom *whole = floor_at(affine, sum, at);
	struct affine_sum rest = *sum;
	int64_t q, factor = sum->terms[at].coefficient;

	if (!whole)
		return false;
	if (pair_floors(affine, sum, at, exact))
		return true;
	q = *coefficient_of(affine, &rest, whole->of.terms[0].atom) /
		whole->of.terms[0].coefficient;
	add_scaled(affine, &rest.terms[at].coefficient, q, whole->by);
	if (!q || !is_better(factor, rest.terms[at].coefficient, exact))
		return false;
	drop_zeros(&rest);
	add_sum(affine, &rest, -q, &whole->of);
	if (affine->failed || rest.count + whole->of.count + exact > sum->count)
		return false;
	at = intern(affine, AFFINE_MOD, &whole->of, whole->by);
	add_scaled(affine, coefficient_of(affine, &rest, at), 1, q);
	*sum = rest;
	return true;
}

/* All terms of q*n but some are there: q*n + t - q*m*floor(n/m) is t + q*(n mod m),
 * where that is shorter. */
static bool restore_part(struct affine *affine, struct affine_sum *sum, unsigned at)
{
	const struct affine_atom *whole = floor_at(affine, sum, at);
	struct affine_sum rest = *sum;
	int64_t q, factor = sum->terms[at].coefficient;

	if (!whole || factor >= 0 || factor % whole->by)
		return false;
	q = -factor / whole->by;
	rest.terms[at].coefficient = 0;
	drop_zeros(&rest);
	add_sum(affine, &rest, -q, &whole->of);
	if (affine->failed || has_negative(&rest) || rest.count + 1 >= sum->count ||
	    (rest.constant && !sum->constant)) {
		affine->failed = false;
		return false;
	}
	at = intern(affine, AFFINE_MOD, &whole->of, whole->by);
	add_scaled(affine, coefficient_of(affine, &rest, at), 1, q);
	*sum = rest;
	return true;
}

static void restore_mods(struct affine *affine, struct affine_sum *sum)
{
	unsigned at;

	for (int exact = 1; exact >= 0; exact--) {
		at = 0;
		while (at < sum->count && !affine->failed)
			at = restore_mod(affine, sum, at, exact) ? 0 : at + 1;
	}
	at = 0;
	while (at < sum->count && !affine->failed)
		at = restore_part(affine, sum, at) ? 0 : at + 1;
}

/* The term of floor(v / by) with the least "by" above "above": the place in the sum, or
 * its count. */
static unsigned next_floor(const struct affine *affine, const struct affine_sum *sum,
	unsigned v, int64_t above)
{
	unsigned next = sum->count;
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < sum->count; i++) {
		const struct affine_atom *atom = floor_at(affine, sum, i);

		if (!atom || atom->of.count != 1 ||
		    atom->of.constant || atom->of.terms[0].atom != v ||
		    atom->of.terms[0].coefficient != 1 || atom->by <= above ||
		    atom->by >= least)
			continue;
		least = atom->by;
		next = i;
	}
	return next;
}

/* Variable "v" and its floors as digits:
 *
 *	c*v + d*floor(v/m) = c*(v mod m) + (d + c*m)*floor(v/m)
 *
 * and so on upwards. */
static void split_digits(struct affine *affine, struct affine_sum *sum, unsigned v)
{
	unsigned low = v, at;
	int64_t below = 1;

	while ((at = next_floor(affine, sum, v, below)) < sum->count) {
		struct affine_sum of = { .count = 1 };
		unsigned high = sum->terms[at].atom;
		int64_t by = affine->atoms[high - affine->variable_count].by;
		int64_t c = *coefficient_of(affine, sum, low);

		if (by % below)
			return;
		of.terms[0].coefficient = 1;
		of.terms[0].atom = low;
		add_scaled(affine, coefficient_of(affine, sum, high), by / below, c);
		for (unsigned i = 0; i < sum->count; i++)
			if (sum->terms[i].atom == low)
				sum->terms[i].atom = intern(affine, AFFINE_MOD, &of,
					by / below);
		low = high;
		below = by;
	}
}

/* Digits instead, where that leaves nothing negative and is no longer. */
static struct affine_sum shorter(struct affine *affine, const struct affine_sum *sum,
	struct affine_sum digits)
{
	bool good;

	for (unsigned v = 0; v < affine->variable_count; v++)
		split_digits(affine, &digits, v);
	drop_zeros(&digits);
	good = !affine->failed && digits.count <= sum->count && !has_negative(&digits);
	affine->failed = false;
	return good ? digits : *sum;
}

struct affine_sum affine_floors_from_isl(struct affine *affine, isl_aff *aff)
{
	struct affine_sum sum = whole_sum(affine, aff);
	isl_val *denominator = isl_aff_get_denominator_val(aff);

	if (isl_val_is_one(denominator) != isl_bool_true)
		affine->failed = true;
	isl_val_free(denominator);
	return sum;
}

struct affine_sum affine_from_isl(struct affine *affine, isl_aff *aff)
{
	struct affine_sum sum = affine_floors_from_isl(affine, aff), floors = sum;

	if (affine->failed)
		return sum;
	restore_mods(affine, &sum);
	if (!affine->failed && has_negative(&sum))
		sum = shorter(affine, &sum, floors);
	for (unsigned i = 0; i < affine->atom_count; i++) {
		struct affine_sum of = affine->atoms[i].of;

		restore_mods(affine, &of);
		affine->atoms[i].of = of;
	}
	return sum;
}
