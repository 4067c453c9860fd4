/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/memory/polynomial.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/bridge.h"
#include "isl_bridge/index_sum.h"

#include <isl/polynomial.h>

/* Variables, and what isl has no form for, as coordinates of "space". */
enum { ATOMS = 24 };
struct reading {
	isl_space *space;
	unsigned count;
	const struct index *atoms[ATOMS];
};

/* The coordinate that the expression is; NULL where there are too many. */
static isl_aff *atom(struct reading *reading, const struct index *index)
{
	unsigned i = 0;

	while (i < reading->count && !index_equal(reading->atoms[i], index))
		i++;
	if (i == ATOMS)
		return NULL;
	if (i == reading->count)
		reading->atoms[reading->count++] = index;
	return aff_coordinate(reading->space, i);
}

/* Consumes both; NULL where neither is a number. */
static isl_aff *multiply(isl_aff *a, isl_aff *b)
{
	if (isl_aff_is_cst(a) == isl_bool_true || isl_aff_is_cst(b) == isl_bool_true)
		return isl_aff_mul(a, b);
	isl_aff_free(a);
	isl_aff_free(b);
	return NULL;
}

/* NULL where the expression is not quasi-affine. */
static isl_aff *read_affine(struct reading *reading, const struct index *index)
{
	struct index *const *arg = index->arg;

	switch (index->op) {
	case INDEX_INT:
		return aff_number(reading->space, index->value);
	case INDEX_NEG:
		return isl_aff_neg(read_affine(reading, arg[0]));
	case INDEX_ADD:
		return isl_aff_add(read_affine(reading, arg[0]),
			read_affine(reading, arg[1]));
	case INDEX_SUB:
		return isl_aff_sub(read_affine(reading, arg[0]),
			read_affine(reading, arg[1]));
	case INDEX_MUL:
		return multiply(read_affine(reading, arg[0]),
			read_affine(reading, arg[1]));
	case INDEX_DIV:
	case INDEX_FDIV:
	case INDEX_PDIV:
		return aff_floor(read_affine(reading, arg[0]), arg[1]->value);
	case INDEX_PMOD:
		return aff_mod(read_affine(reading, arg[0]), arg[1]->value);
	default:
		return atom(reading, index);
	}
}

/* Floors of products are atoms: sizes and strides are quasi-affine, and only pitches are
 * products of them. */
static isl_qpolynomial *read(struct reading *reading, const struct index *index)
{
	isl_aff *affine = read_affine(reading, index);

	if (affine)
		return isl_qpolynomial_from_aff(affine);
	switch (index->op) {
	case INDEX_NEG:
		return isl_qpolynomial_neg(read(reading, index->arg[0]));
	case INDEX_ADD:
		return isl_qpolynomial_add(read(reading, index->arg[0]),
			read(reading, index->arg[1]));
	case INDEX_SUB:
		return isl_qpolynomial_sub(read(reading, index->arg[0]),
			read(reading, index->arg[1]));
	case INDEX_MUL:
		return isl_qpolynomial_mul(read(reading, index->arg[0]),
			read(reading, index->arg[1]));
	default:
		return isl_qpolynomial_from_aff(atom(reading, index));
	}
}

bool polynomial_same(layout_context *ctx, const struct index *a, const struct index *b)
{
	struct reading reading = { .count = 0 };
	isl_qpolynomial *difference;
	bool same;

	if (index_equal(a, b))
		return true;
	if (!a || !b || (a->op == INDEX_INT && b->op == INDEX_INT))
		return false;
	reading.space = isl_space_set_alloc(bridge_isl(ctx), 0, ATOMS);
	difference = isl_qpolynomial_sub(read(&reading, a), read(&reading, b));
	same = isl_qpolynomial_is_zero(difference) == isl_bool_true;
	isl_qpolynomial_free(difference);
	isl_space_free(reading.space);
	return same;
}
