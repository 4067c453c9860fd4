/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/isl.h"
#include "algebra/f2/piece.h"
#include "isl_bridge/aff.h"

static int64_t power(unsigned exponent)
{
	return (int64_t)1 << exponent;
}

/* floor(x/2^bit) mod 2^length, or 2^length - 1 less that. */
static isl_aff *digit(const struct f2 *f2, isl_space *domain,
	const struct f2_piece *piece)
{
	int64_t radix = f2_piece_is_last(f2, piece) ? 0 : power(piece->length);
	isl_aff *aff = aff_coordinate_digit(domain, piece->in, power(piece->bit), radix);

	return piece->flipped ?
		isl_aff_sub(aff_number(domain, power(piece->length) - 1), aff) : aff;
}

/* The sum mod 2 of the bits that meet in bit "begin" of the image; below the mod
 * a bit is as good as all bits from it on. */
static isl_aff *parity(const struct f2 *f2, isl_space *domain, unsigned out,
	const struct f2_piece *piece)
{
	isl_aff *sum = aff_number(domain, 0);
	unsigned number = 0;

	for (unsigned i = 0; i < f2->in_rank; i++)
		for (unsigned bit = 0; bit < f2->in_widths[i]; bit++)
			if (f2_get(f2, number++, out) >> piece->begin & 1)
				sum = isl_aff_add(sum, aff_coordinate_digit(domain, i,
					power(bit), 0));
	return aff_mod(isl_aff_add_constant_si(sum, piece->flipped), 2);
}

static isl_aff *value(const struct f2 *f2, isl_space *domain, unsigned out,
	const struct f2_piece *piece)
{
	if (piece->sources > 1)
		return parity(f2, domain, out, piece);
	if (piece->sources)
		return digit(f2, domain, piece);
	return aff_number(domain, piece->flipped ? power(piece->length) - 1 : 0);
}

/* Coordinate "out" of the image. */
static isl_aff *coordinate(const struct f2 *f2, isl_space *domain, unsigned out)
{
	isl_aff *sum = aff_number(domain, 0);

	for (unsigned bit = 0; bit < f2->out_widths[out];) {
		struct f2_piece piece = f2_piece_at(f2, out, bit);

		sum = aff_add_scaled(sum, value(f2, domain, out, &piece), power(bit));
		bit += piece.length;
	}
	return sum;
}

isl_multi_aff *f2_isl_function(layout_context *ctx, const struct f2 *f2)
{
	isl_space *space = isl_space_alloc(bridge_isl(ctx), 0, f2->in_rank, f2->out_rank);
	isl_space *domain = isl_space_domain(isl_space_copy(space));
	isl_multi_aff *function = isl_multi_aff_zero(space);

	for (unsigned i = 0; i < f2->out_rank; i++)
		function = isl_multi_aff_set_aff(function, (int)i,
			coordinate(f2, domain, i));
	isl_space_free(domain);
	return function;
}
