/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on the bits of indices.  A bit of x is floor(x / 2^k) mod 2, of numbers below 0 in
 * two's complement, too; so with a number on the other side
 *
 *	x AND c		the sum of 2^k * (floor(x / 2^k) mod 2^n) over the runs of n ones of c
 *	x OR c		x + c - (x AND c)
 *	x XOR c		x + c - 2 * (x AND c)
 *
 * Of two indices the XOR is the sum of 2^k * ((bit k of x + bit k of y) mod 2) over as many bits as
 * these have, which must be known. */
#include "algebra/body/parts.h"
#include "isl_bridge/arithmetic.h"

#include <isl/ilp.h>

enum { MOST_BITS = 24 };	/* of two indices: each is a floor that isl knows */

/* The lowest "count" bits of floor(x / 2^first), "scale" times; consumes x. */
static isl_pw_aff *bits_of(isl_pw_aff *x, unsigned first, unsigned count, int64_t scale)
{
	isl_ctx *isl = isl_pw_aff_get_ctx(x);

	x = isl_pw_aff_floor(isl_pw_aff_scale_down_val(x,
		isl_val_2exp(isl_val_int_from_ui(isl, first))));
	x = isl_pw_aff_mod_val(x, isl_val_2exp(isl_val_int_from_ui(isl, count)));
	return isl_pw_aff_scale_val(x, isl_val_int_from_si(isl, scale));
}

/* x AND mask, of a mask from 0 on; consumes x. */
static isl_pw_aff *masked(isl_pw_aff *x, int64_t mask)
{
	isl_pw_aff *sum = isl_pw_aff_scale_val(isl_pw_aff_copy(x),
		isl_val_zero(isl_pw_aff_get_ctx(x)));

	for (unsigned first = 0; mask >> first;) {
		unsigned count = 0;

		while (mask >> (first + count) & 1)
			count++;
		if (count)
			sum = isl_pw_aff_add(sum, bits_of(isl_pw_aff_copy(x), first, count,
				(int64_t)1 << first));
		first += count ? count : 1;
	}
	isl_pw_aff_free(x);
	return sum;
}

/* How many bits an index has at most, or -1: it may be negative, or as large as sizes are. */
static int width_of(const struct body *body, const struct body_value *index)
{
	isl_set *values;
	isl_val *most;
	int64_t value;
	int width = -1;

	if (body_may_be_negative(body, index->index))
		return -1;
	values = isl_set_apply(body_asked(body, isl_set_universe(body_space(body))),
		isl_map_from_pw_aff(isl_pw_aff_copy(index->index)));
	most = isl_set_dim_max_val(values, 0);
	if (isl_val_is_int(most) == isl_bool_true &&
	    bridge_int64(body->ctx, isl_val_copy(most), &value))
		for (width = 0; width < 63 && value >> width;)
			width++;
	isl_val_free(most);
	return width;
}

static isl_pw_aff *xor_of_both(isl_pw_aff *a, isl_pw_aff *b, unsigned width)
{
	isl_pw_aff *sum = isl_pw_aff_scale_val(isl_pw_aff_copy(a),
		isl_val_zero(isl_pw_aff_get_ctx(a)));

	for (unsigned k = 0; k < width; k++)
		sum = isl_pw_aff_add(sum, bits_of(isl_pw_aff_add(
			bits_of(isl_pw_aff_copy(a), k, 1, 1),
			bits_of(isl_pw_aff_copy(b), k, 1, 1)), 0, 1, (int64_t)1 << k));
	isl_pw_aff_free(a);
	isl_pw_aff_free(b);
	return sum;
}

/* x AND a number, of which one below 0 has the bits that -1 - it has not; consumes x. */
static isl_pw_aff *and_number(isl_pw_aff *x, int64_t number)
{
	return number < 0 ? isl_pw_aff_sub(isl_pw_aff_copy(x), masked(x, ~number)) :
		masked(x, number);
}

/* Half of what the sum and the XOR differ by.  NULL, and no error, where the bits are too many. */
static isl_pw_aff *and_of_both(const struct body *body, const struct body_value *a,
	const struct body_value *b)
{
	int width = width_of(body, a), other = width_of(body, b);
	isl_pw_aff *sum, *xor;

	if (width < 0 || other < 0 || width > MOST_BITS || other > MOST_BITS)
		return NULL;
	xor = xor_of_both(isl_pw_aff_copy(a->index), isl_pw_aff_copy(b->index),
		(unsigned)(width > other ? width : other));
	sum = isl_pw_aff_add(isl_pw_aff_copy(a->index), isl_pw_aff_copy(b->index));
	return isl_pw_aff_scale_down_val(isl_pw_aff_sub(sum, xor),
		isl_val_int_from_si(bridge_isl(body->ctx), 2));
}

/* a OR b is a + b less what both have, a XOR b less that twice; consumes the latter. */
static isl_pw_aff *from_and(enum body_operation operation, const struct body_value *a,
	const struct body_value *b, isl_pw_aff *and)
{
	isl_pw_aff *sum;

	if (operation == BODY_BITS_AND)
		return and;
	sum = isl_pw_aff_add(isl_pw_aff_copy(a->index), isl_pw_aff_copy(b->index));
	if (operation == BODY_BITS_XOR)
		sum = isl_pw_aff_sub(sum, isl_pw_aff_copy(and));
	return isl_pw_aff_sub(sum, and);
}

struct body_value *body_bits(struct body *body, enum body_operation operation,
	const struct body_value *a, const struct body_value *b)
{
	int64_t number;
	isl_pw_aff *and;
	bool first = body_constant(a, &number), one = first || body_constant(b, &number);

	bridge_enter(body->ctx);
	and = one ? and_number(isl_pw_aff_copy(first ? b->index : a->index), number) :
		and_of_both(body, a, b);
	if (and)
		return body_give(body, isl_pw_aff_coalesce(from_and(operation, a, b, and)));
	if (bridge_leave(body->ctx, "compute an index"))
		layout_fail(body->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the bits of two indices of "
			"which one is not known to be from 0 to below 2^%d", MOST_BITS);
	return NULL;
}
