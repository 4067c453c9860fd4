/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/plan/polynomial.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

#include <stdlib.h>
#include <string.h>

enum { TERMS = 32, DEGREE = 8, ATOMS = 24 };

/* factor times some atoms, by number, in order. */
struct term {
	int64_t factor;
	unsigned degree;
	unsigned char atoms[DEGREE];
};

/* A sum of terms with different atoms. */
struct polynomial {
	unsigned count;
	struct term terms[TERMS];
};

/* A variable or what has no other form here, "index"; or floor(of / by), where "index" is
 * NULL and the factors in "of" are in 0 .. by - 1. */
struct atom {
	const struct index *index;
	struct polynomial of;
	int64_t by;
};

/* "failed": too many terms or too large ones. */
struct reading {
	bool failed;
	unsigned atom_count;
	struct atom atoms[ATOMS];
};

static bool same_atoms(const struct term *a, const struct term *b)
{
	return a->degree == b->degree && !memcmp(a->atoms, b->atoms, a->degree);
}

static void add_term(struct reading *reading, struct polynomial *sum, struct term term)
{
	unsigned i = 0;

	while (i < sum->count && !same_atoms(&sum->terms[i], &term))
		i++;
	if (i < sum->count) {
		if (__builtin_add_overflow(sum->terms[i].factor, term.factor,
		    &sum->terms[i].factor))
			reading->failed = true;
		if (!sum->terms[i].factor)
			sum->terms[i] = sum->terms[--sum->count];
	} else if (i == TERMS) {
		reading->failed = true;
	} else if (term.factor) {
		sum->terms[sum->count++] = term;
	}
}

static void add_constant(struct reading *reading, struct polynomial *sum, int64_t value)
{
	add_term(reading, sum, (struct term){ .factor = value });
}

/* sum += factor * other */
static void add(struct reading *reading, struct polynomial *sum,
	const struct polynomial *other, int64_t factor)
{
	for (unsigned i = 0; i < other->count; i++) {
		struct term term = other->terms[i];

		if (__builtin_mul_overflow(term.factor, factor, &term.factor))
			reading->failed = true;
		add_term(reading, sum, term);
	}
}

/* The product of two terms, its atoms merged in order. */
static struct term times(struct reading *reading, const struct term *a,
	const struct term *b)
{
	struct term product = { .degree = a->degree + b->degree };
	unsigned i = 0, k = 0;

	if (product.degree > DEGREE ||
	    __builtin_mul_overflow(a->factor, b->factor, &product.factor)) {
		reading->failed = true;
		return (struct term){ 0 };
	}
	while (i + k < product.degree)
		if (k == b->degree || (i < a->degree && a->atoms[i] <= b->atoms[k])) {
			product.atoms[i + k] = a->atoms[i];
			i++;
		} else {
			product.atoms[i + k] = b->atoms[k];
			k++;
		}
	return product;
}

static void multiply(struct reading *reading, struct polynomial *product,
	const struct polynomial *a, const struct polynomial *b)
{
	*product = (struct polynomial){ 0 };
	for (unsigned i = 0; i < a->count; i++)
		for (unsigned k = 0; k < b->count && !reading->failed; k++)
			add_term(reading, product,
				times(reading, &a->terms[i], &b->terms[k]));
}

static bool same_polynomial(struct reading *reading, const struct polynomial *a,
	const struct polynomial *b)
{
	struct polynomial difference = *a;

	add(reading, &difference, b, -1);
	return !difference.count && !reading->failed;
}

/* The number of an atom like this one. */
static unsigned find_atom(struct reading *reading, const struct atom *wanted)
{
	unsigned i = 0;

	for (; i < reading->atom_count; i++) {
		const struct atom *atom = &reading->atoms[i];

		if (wanted->index ? index_equal(atom->index, wanted->index) :
		    !atom->index && atom->by == wanted->by &&
		    same_polynomial(reading, &atom->of, &wanted->of))
			return i;
	}
	if (i == ATOMS) {
		reading->failed = true;
		return 0;
	}
	reading->atoms[reading->atom_count++] = *wanted;
	return i;
}

static void add_atom(struct reading *reading, struct polynomial *sum,
	const struct atom *atom)
{
	struct term term = { 1, 1, { 0 } };

	term.atoms[0] = (unsigned char)find_atom(reading, atom);
	add_term(reading, sum, term);
}

/* What all terms but the constant have in common with "by". */
static int64_t common_divisor(const struct polynomial *of, int64_t by)
{
	for (unsigned i = 0; i < of->count; i++)
		if (of->terms[i].degree)
			by = int_gcd(by, of->terms[i].factor);
	return by;
}

/* floor((of + constant)/by), of factors in 0 .. by - 1: with what they share divided out,
 * floor((4x + 3)/8) = floor(x/2). */
static void reduce(struct atom *atom)
{
	int64_t by = common_divisor(&atom->of, atom->by);
	unsigned used = 0;

	for (unsigned i = 0; i < atom->of.count; i++) {
		struct term term = atom->of.terms[i];

		term.factor /= by;
		if (term.factor)
			atom->of.terms[used++] = term;
	}
	atom->of.count = used;
	atom->by /= by;
}

/* floor((floor(x/a) + k)/b), the atom, as floor((x + a*k)/(a*b)); false where it is no
 * such floor. */
static bool unnest(struct reading *reading, struct atom *atom)
{
	struct polynomial *of = &atom->of;
	const struct atom *inner;
	int64_t constant = 0, by;

	for (unsigned i = 0; i < of->count; i++)
		if (!of->terms[i].degree)
			constant = of->terms[i].factor;
	if (of->count != 1 + (constant != 0))
		return false;
	for (unsigned i = 0; i < of->count; i++) {
		const struct term *term = &of->terms[i];

		if (!term->degree)
			continue;
		inner = &reading->atoms[term->atoms[0]];
		if (term->degree > 1 || term->factor != 1 || inner->index ||
		    __builtin_mul_overflow(inner->by, atom->by, &by))
			return false;
		*of = inner->of;
		atom->by = by;
		add_constant(reading, of, inner->by * constant);
		return true;
	}
	return false;
}

/* sum += factor * floor(of/by): whole steps leave the floor. */
static void add_floor(struct reading *reading, struct polynomial *sum,
	const struct polynomial *of, int64_t by, int64_t factor)
{
	struct polynomial whole = { 0 };
	struct atom rest = { .by = by };

	for (unsigned i = 0; i < of->count; i++) {
		struct term term = of->terms[i], part = term;

		part.factor = (term.factor % by + by) % by;
		term.factor = (term.factor - part.factor) / by;
		add_term(reading, &whole, term);
		add_term(reading, &rest.of, part);
	}
	do
		reduce(&rest);
	while (rest.by > 1 && unnest(reading, &rest));
	if (rest.by > 1)
		add_atom(reading, &whole, &rest);
	add(reading, sum, &whole, factor);
}

static void read(struct reading *reading, struct polynomial *sum,
	const struct index *index);

/* sum += a op b */
static void read_binary(struct reading *reading, struct polynomial *sum,
	const struct index *index)
{
	struct polynomial a, b, product;

	read(reading, &a, index->arg[0]);
	read(reading, &b, index->arg[1]);
	switch (index->op) {
	case INDEX_ADD:
	case INDEX_SUB:
		add(reading, sum, &a, 1);
		add(reading, sum, &b, index->op == INDEX_ADD ? 1 : -1);
		return;
	case INDEX_MUL:
		multiply(reading, &product, &a, &b);
		add(reading, sum, &product, 1);
		return;
	case INDEX_PMOD:
		add(reading, sum, &a, 1);
		add_floor(reading, sum, &a, index->arg[1]->value,
			-index->arg[1]->value);
		return;
	default:
		add_floor(reading, sum, &a, index->arg[1]->value, 1);
	}
}

static void read(struct reading *reading, struct polynomial *sum,
	const struct index *index)
{
	struct atom atom = { .index = index };
	struct polynomial inner;

	*sum = (struct polynomial){ 0 };
	switch (reading->failed ? INDEX_INT : index->op) {
	case INDEX_INT:
		add_constant(reading, sum, index->value);
		return;
	case INDEX_NEG:
		read(reading, &inner, index->arg[0]);
		add(reading, sum, &inner, -1);
		return;
	case INDEX_ADD:
	case INDEX_SUB:
	case INDEX_MUL:
	case INDEX_DIV:
	case INDEX_FDIV:
	case INDEX_PDIV:
	case INDEX_PMOD:
		read_binary(reading, sum, index);
		return;
	default:
		add_atom(reading, sum, &atom);
	}
}

bool polynomial_same(layout_context *ctx, const struct index *a, const struct index *b)
{
	struct polynomial left, right;
	struct reading *reading;
	bool same;

	if (index_equal(a, b))
		return true;
	if (!a || !b || (a->op == INDEX_INT && b->op == INDEX_INT))
		return false;
	reading = layout_alloc(ctx, 1, sizeof(*reading));
	if (!reading)
		return false;
	read(reading, &left, a);
	read(reading, &right, b);
	same = !reading->failed && same_polynomial(reading, &left, &right);
	free(reading);
	return same;
}
