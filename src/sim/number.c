/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sim/number.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct number_type types[] = {
	{ "f64", 64, 11, 52, 1023, false, false },
	{ "f32", 32, 8, 23, 127, false, false },
	{ "f16", 16, 5, 10, 15, false, false },
	{ "bf16", 16, 8, 7, 127, false, false },
	{ "f8E5M2", 8, 5, 2, 15, false, false },
	{ "f8E4M3FN", 8, 4, 3, 7, true, false },
	{ "f8E5M2FNUZ", 8, 5, 2, 16, true, true },
	{ "f8E4M3FNUZ", 8, 4, 3, 8, true, true },
	{ "f6E2M3FN", 6, 2, 3, 1, true, false },
	{ "f6E3M2FN", 6, 3, 2, 3, true, false },
	{ "f4E2M1FN", 4, 2, 1, 1, true, false },
	{ "i8", 8, 0, 0, 0, false, false },
	{ "iu8", 8, 0, 0, 0, false, false },
	{ "iu4", 4, 0, 0, 0, false, false },
	{ "i32", 32, 0, 0, 0, false, false },
};

const struct number_type *number_find(const char *name)
{
	for (unsigned i = 0; name && i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

static double decode_integer(const struct number_type *type, uint64_t bits,
	bool is_signed)
{
	uint64_t sign = (uint64_t)1 << (type->bits - 1);

	bits &= (sign << 1) - 1;
	return is_signed && bits & sign ? (double)bits - 2.0 * (double)sign :
		(double)bits;
}

static double decode_float(const struct number_type *type, uint64_t bits)
{
	uint64_t mantissa = bits & (((uint64_t)1 << type->mantissa) - 1);
	uint64_t top = ((uint64_t)1 << type->exponent) - 1;
	uint64_t exponent = bits >> type->mantissa & top;
	bool negative = bits >> (type->bits - 1) & 1;
	double one = ldexp(1.0, (int)type->mantissa), value;

	if (type->fnuz && negative && !exponent && !mantissa)
		return NAN;
	if (exponent == top && !type->finite)
		value = mantissa ? NAN : INFINITY;
	else if (exponent == top && !type->fnuz && type->bits >= 8 &&
		 mantissa == ((uint64_t)1 << type->mantissa) - 1)
		value = NAN;
	else
		value = ldexp((double)mantissa + (exponent ? one : 0.0),
			(int)(exponent ? exponent : 1) - type->bias -
			(int)type->mantissa);
	return negative ? -value : value;
}

double number_decode(const struct number_type *type, uint64_t bits, bool is_signed)
{
	return type->exponent ? decode_float(type, bits) :
		decode_integer(type, bits, is_signed);
}

/* A finite number's magnitude: rounded at the mantissa's last place, or at the
 * smallest number's; a carry runs into the exponent as it should. */
static uint64_t encode_magnitude(const struct number_type *type, double value)
{
	uint64_t infinity = (((uint64_t)1 << type->exponent) - 1) << type->mantissa;
	int exponent, place;
	uint64_t bits;

	if (value == 0)
		return 0;
	frexp(value, &exponent);
	place = exponent - 1 < 1 - type->bias ? 1 - type->bias : exponent - 1;
	bits = (uint64_t)nearbyint(ldexp(value, (int)type->mantissa - place));
	bits += (uint64_t)(place + type->bias - 1) << type->mantissa;
	return bits < infinity ? bits : infinity;
}

uint64_t number_encode(const struct number_type *type, double value)
{
	uint64_t sign = (uint64_t)(signbit(value) != 0) << (type->bits - 1);
	uint64_t infinity = (((uint64_t)1 << type->exponent) - 1) << type->mantissa;

	if (isnan(value))
		return sign | infinity | (uint64_t)1 << (type->mantissa - 1);
	if (isinf(value))
		return sign | infinity;
	return sign | encode_magnitude(type, fabs(value));
}
