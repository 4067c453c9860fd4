/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/element.h"

#include <math.h>
#include <string.h>

bool element_is_float(const struct element_type *type)
{
	return type->kind == 'f' || type->kind == 'e';
}

static uint64_t ones(unsigned bits)
{
	return bits ? UINT64_MAX >> (64 - bits) : 0;
}

static bool is_nan(const struct element_type *type, uint64_t bits, uint64_t magnitude)
{
	if (!type->finite)
		return magnitude > element_type_largest(type) + 1;
	return type->nan &&
		(type->nan >> (type->bits - 1) ? bits : magnitude) == type->nan;
}

static double small_double(const struct element_type *type, uint64_t bits)
{
	uint64_t magnitude = bits & ones(type->bits - 1), sign = bits ^ magnitude;
	uint64_t fraction = magnitude & ones(type->mantissa);
	int exponent = (int)(magnitude >> type->mantissa);
	double value;

	if (is_nan(type, bits, magnitude))
		return NAN;
	if (exponent)
		fraction += (uint64_t)1 << type->mantissa;
	value = ldexp((double)fraction,
		(exponent ? exponent : 1) - type->bias - (int)type->mantissa);
	if (!type->finite && magnitude > element_type_largest(type))
		value = INFINITY;
	return sign ? -value : value;
}

double element_double(const struct element_type *type, uint64_t bits)
{
	uint32_t word = (uint32_t)bits;
	double value;
	float single;

	if (type->kind == 'e')
		return bits == type->nan ? NAN : ldexp(1, (int)bits - type->bias);
	if (type->bits < 32)
		return small_double(type, bits);
	memcpy(&value, &bits, sizeof(value));
	memcpy(&single, &word, sizeof(single));
	return type->bits == 64 ? value : (double)single;
}

int64_t element_integer(const struct element_type *type, uint64_t bits)
{
	unsigned above = 64 - type->bits;

	if (type->kind == 'b')
		return bits != 0;
	return type->kind == 'i' ? (int64_t)(bits << above) >> above : (int64_t)bits;
}

/* The power of 2 that is nearest. */
static uint64_t power_of_double(const struct element_type *type, double value)
{
	int exponent;
	double fraction = frexp(value, &exponent);

	if (!(value > 0) || isinf(value))
		return type->nan;
	exponent += type->bias - 1 + (fraction > 0.75);
	return exponent < 0 ? 0 : (uint64_t)exponent < type->nan ? (uint64_t)exponent :
		type->nan - 1;
}

static uint64_t small_of_double(const struct element_type *type, double value)
{
	uint64_t sign_bit = (uint64_t)1 << (type->bits - 1);
	uint64_t largest = element_type_largest(type), most = largest + !type->finite;
	uint64_t bits = most;

	if (isnan(value))
		return type->nan ? type->nan : largest;
	if (!isinf(value))
		bits = element_type_round(type, fabs(value));
	if (bits > most)
		bits = most;
	return signbit(value) && (bits || type->nan != sign_bit) ? bits | sign_bit : bits;
}

uint64_t element_of_double(const struct element_type *type, double value)
{
	float single = (float)value;
	uint32_t word;
	uint64_t bits;

	if (type->kind == 'e')
		return power_of_double(type, value);
	if (type->bits < 32)
		return small_of_double(type, value);
	if (isnan(value))
		return type->nan;
	memcpy(&bits, &value, sizeof(bits));
	memcpy(&word, &single, sizeof(word));
	return type->bits == 64 ? bits : word;
}

double element_rounded(const struct element_type *type, double value)
{
	if (type->bits < 32)
		return element_double(type, element_of_double(type, value));
	return type->bits == 64 ? value : (double)(float)value;
}

uint64_t element_of_integer(const struct element_type *type, int64_t value)
{
	return type->kind == 'b' ? value != 0 : (uint64_t)value & ones(type->bits);
}

/* A sum that was rounded to nearest, so that rounding it again rounds what it was once:
 * where something is left, its last bit is odd. */
static double round_to_odd(double sum, double left)
{
	uint64_t bits;

	memcpy(&bits, &sum, sizeof(bits));
	return left == 0 || !isfinite(sum) || bits & 1 ? sum :
		nextafter(sum, left > 0 ? INFINITY : -INFINITY);
}

static uint64_t integer_to_float(const struct element_type *to,
	const struct element_type *from, uint64_t bits)
{
	int64_t number = element_integer(from, bits);
	__int128 exact = from->kind == 'u' ? (__int128)bits : number;
	double value = (double)exact;

	if (to->bits < 64)
		value = round_to_odd(value, (double)(exact - (__int128)value));
	return element_of_double(to, value);
}

static uint64_t float_to_integer(const struct element_type *to, double value)
{
	unsigned digits = to->bits - (to->kind == 'i');
	double end = ldexp(1, (int)digits);

	if (to->kind == 'b')
		return value != 0;
	value = rint(value);
	if (isnan(value))
		return 0;
	if (value >= end)
		return ones(digits);
	if (to->kind == 'u')
		return value > 0 ? (uint64_t)value : 0;
	return element_of_integer(to, value <= -end ? -(int64_t)ones(digits) - 1 :
		(int64_t)value);
}

static uint64_t saturate(const struct element_type *to, const struct element_type *from,
	uint64_t bits)
{
	int64_t number = element_integer(from, bits);
	bool negative = from->kind == 'i' && number < 0;
	uint64_t largest = ones(to->bits - (to->kind == 'i'));

	if (to->kind == 'b')
		return number != 0;
	if (!negative)
		return (uint64_t)number < largest ? (uint64_t)number : largest;
	if (to->kind == 'u')
		return 0;
	return element_of_integer(to, number < -(int64_t)largest - 1 ?
		-(int64_t)largest - 1 : number);
}

uint64_t element_cast(const struct element_type *to, const struct element_type *from,
	uint64_t bits)
{
	if (to == from)
		return bits;
	if (element_is_float(from))
		return element_is_float(to) ?
			element_of_double(to, element_double(from, bits)) :
			float_to_integer(to, element_double(from, bits));
	return element_is_float(to) ? integer_to_float(to, from, bits) :
		saturate(to, from, bits);
}

uint64_t element_fma(const struct element_type *type, uint64_t a, uint64_t b, uint64_t c)
{
	double x = element_double(type, a), y = element_double(type, b);
	double z = element_double(type, c), product = x * y, sum = product + z, back;

	if (type->bits == 64)
		return element_of_double(type, fma(x, y, z));
	back = sum - product;
	return element_of_double(type, round_to_odd(sum,
		(product - (sum - back)) + (z - back)));
}

uint64_t element_get(const struct element_type *type, const unsigned char *memory,
	int64_t e)
{
	uint64_t value = 0;

	if (type->bits % 8 == 0) {
		memcpy(&value, memory + e * (type->bits / 8), type->bits / 8);
		return value;
	}
	for (unsigned b = 0; b < type->bits; b++) {
		int64_t at = e * type->bits + b;

		value |= (uint64_t)(memory[at / 8] >> at % 8 & 1) << b;
	}
	return value;
}

void element_set(const struct element_type *type, unsigned char *memory, int64_t e,
	uint64_t bits)
{
	if (type->bits % 8 == 0) {
		memcpy(memory + e * (type->bits / 8), &bits, type->bits / 8);
		return;
	}
	for (unsigned b = 0; b < type->bits; b++) {
		int64_t at = e * type->bits + b;
		unsigned bit = 1u << at % 8;

		memory[at / 8] = (unsigned char)((memory[at / 8] & ~bit) |
			(bits >> b & 1 ? bit : 0));
	}
}
