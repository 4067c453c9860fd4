/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/element.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The eight-bit formats: OCP's E4M3 (FN, no infinity, NaN is all ones) and E5M2, and
 * the FNUZ ones of gfx942 (no infinity, no negative zero, NaN is 0x80). */
static const struct element_type types[] = {
	{ .name = "i8", .bytes = 1, .kind = 'i' },
	{ .name = "u8", .bytes = 1, .kind = 'u' },
	{ "f8E4M3FN", 1, 'f', 4, 3, 7, 0x7f, true },
	{ "f8E4M3FNUZ", 1, 'f', 4, 3, 8, 0x80, true },
	{ "f8E5M2", 1, 'f', 5, 2, 15, 0x7e, false },
	{ "f8E5M2FNUZ", 1, 'f', 5, 2, 16, 0x80, true },
	{ .name = "i16", .bytes = 2, .kind = 'i' },
	{ .name = "u16", .bytes = 2, .kind = 'u' },
	{ "f16", 2, 'f', 5, 10, 15, 0x7e00, false },
	{ "bf16", 2, 'f', 8, 7, 127, 0x7fc0, false },
	{ .name = "i32", .bytes = 4, .kind = 'i' },
	{ .name = "u32", .bytes = 4, .kind = 'u' },
	{ "f32", 4, 'f', 8, 23, 127, 0x7fc00000, false },
	{ .name = "i64", .bytes = 8, .kind = 'i' },
	{ .name = "u64", .bytes = 8, .kind = 'u' },
	{ "f64", 8, 'f', 11, 52, 1023, 0x7ff8000000000000, false },
};

const struct element_type *element_type_find(layout_context *ctx, const char *name)
{
	if (!layout_given(ctx, name, "element type"))
		return NULL;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "there is no element type %s", name);
	return NULL;
}

static uint64_t sign_bit(const struct element_type *type)
{
	return (uint64_t)1 << (8 * type->bytes - 1);
}

/* The largest finite number's bits, without the sign. */
static uint64_t largest(const struct element_type *type)
{
	uint64_t ones = sign_bit(type) - 1;

	if (!type->finite)
		return ones - ((uint64_t)1 << type->mantissa);
	return type->nan == ones ? ones - 1 : ones;
}

/* |value| as bits: the significand as an integer of the format's own step, rounded
 * to even by rint(); a carry into the exponent is right as it is. */
static uint64_t round_magnitude(const struct element_type *type, double value)
{
	int exponent, least = 1 - type->bias;
	double significand;

	if (value == 0)
		return 0;
	frexp(value, &exponent);
	exponent = exponent - 1 < least ? least : exponent - 1;
	significand = rint(ldexp(value, (int)type->mantissa - exponent));
	return ((uint64_t)(exponent - least) << type->mantissa) + (uint64_t)significand;
}

static bool float_bits(const struct element_type *type, double value, uint64_t *bits)
{
	uint64_t sign = signbit(value) ? sign_bit(type) : 0;

	if (isnan(value)) {
		*bits = type->nan;
		return true;
	}
	if (isinf(value)) {
		*bits = sign | (largest(type) + 1);
		return !type->finite;
	}
	*bits = round_magnitude(type, fabs(value));
	if (*bits > largest(type))
		return false;
	if (*bits || type->nan != sign_bit(type))
		*bits |= sign;
	return true;
}

static bool integer_bits(const struct element_type *type, const char *text, char **end,
	uint64_t *bits)
{
	unsigned width = 8 * type->bytes;
	int64_t number;

	errno = 0;
	if (type->kind == 'u') {
		*bits = strtoull(text, end, 10);
		return !errno && !strchr(text, '-') &&
			(width == 64 || *bits >> width == 0);
	}
	number = strtoll(text, end, 10);
	*bits = (uint64_t)number & (sign_bit(type) | (sign_bit(type) - 1));
	return !errno && (width == 64 ||
		(number >= -((int64_t)1 << (width - 1)) &&
			number < (int64_t)1 << (width - 1)));
}

/* As strtod() in the C locale, whatever the program has set. */
static double read_double(const char *text, char **end)
{
	locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	double value = plain ? strtod_l(text, end, plain) : strtod(text, end);

	if (plain)
		freelocale(plain);
	return value;
}

bool element_type_bits(layout_context *ctx, const struct element_type *type,
	const char *text, uint64_t *bits)
{
	char *end = NULL;
	bool fits;

	if (strncmp(text, "0x", 2) == 0) {
		errno = 0;
		*bits = strtoull(text, &end, 16);
		fits = !errno && (type->bytes == 8 || *bits >> 8 * type->bytes == 0);
	} else if (type->kind == 'f') {
		fits = float_bits(type, read_double(text, &end), bits);
	} else {
		fits = integer_bits(type, text, &end, bits);
	}
	if (fits && end != text && !*end)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, end != text && end && !*end ?
		"%s does not fit %s" : "%s is not a number of type %s", text, type->name);
	return false;
}
