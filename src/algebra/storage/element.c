/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/element.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The eight-bit formats: OCP's E4M3 (FN, no infinity, NaN is all ones) and E5M2, and
 * the FNUZ ones (no infinity, no negative zero, NaN is 0x80).  OCP's formats
 * of four and six bits have neither infinities nor NaN; E8M0 is the scale of a block.
 *
 * Integers are named as MLIR names them, and "u8" for "ui8": "i8" has no sign of its own
 * and converts as one that has.  i1 is a byte in memory, and index has 64 bits. */
static const struct element_type types[] = {
	{ .name = "i2", .bits = 2, .kind = 'i' },
	{ .name = "u2", .bits = 2, .kind = 'u' },
	{ .name = "si2", .bits = 2, .kind = 'i' },
	{ .name = "ui2", .bits = 2, .kind = 'u' },
	{ .name = "i4", .bits = 4, .kind = 'i' },
	{ .name = "u4", .bits = 4, .kind = 'u' },
	{ .name = "si4", .bits = 4, .kind = 'i' },
	{ .name = "ui4", .bits = 4, .kind = 'u' },
	{ "f4E2M1FN", 4, 'f', 2, 1, 1, 0, true },
	{ "f6E2M3FN", 6, 'f', 2, 3, 1, 0, true },
	{ "f6E3M2FN", 6, 'f', 3, 2, 3, 0, true },
	{ .name = "i1", .bits = 8, .kind = 'b' },
	{ .name = "i8", .bits = 8, .kind = 'i' },
	{ .name = "u8", .bits = 8, .kind = 'u' },
	{ .name = "si8", .bits = 8, .kind = 'i' },
	{ .name = "ui8", .bits = 8, .kind = 'u' },
	{ "f8E4M3FN", 8, 'f', 4, 3, 7, 0x7f, true },
	{ "f8E4M3FNUZ", 8, 'f', 4, 3, 8, 0x80, true },
	{ "f8E5M2", 8, 'f', 5, 2, 15, 0x7e, false },
	{ "f8E5M2FNUZ", 8, 'f', 5, 2, 16, 0x80, true },
	{ "f8E8M0FNU", 8, 'e', 8, 0, 127, 0xff, true },
	{ .name = "i16", .bits = 16, .kind = 'i' },
	{ .name = "u16", .bits = 16, .kind = 'u' },
	{ .name = "si16", .bits = 16, .kind = 'i' },
	{ .name = "ui16", .bits = 16, .kind = 'u' },
	{ "f16", 16, 'f', 5, 10, 15, 0x7e00, false },
	{ "bf16", 16, 'f', 8, 7, 127, 0x7fc0, false },
	{ .name = "i32", .bits = 32, .kind = 'i' },
	{ .name = "u32", .bits = 32, .kind = 'u' },
	{ .name = "si32", .bits = 32, .kind = 'i' },
	{ .name = "ui32", .bits = 32, .kind = 'u' },
	{ "f32", 32, 'f', 8, 23, 127, 0x7fc00000, false },
	{ .name = "i64", .bits = 64, .kind = 'i' },
	{ .name = "u64", .bits = 64, .kind = 'u' },
	{ .name = "si64", .bits = 64, .kind = 'i' },
	{ .name = "ui64", .bits = 64, .kind = 'u' },
	{ .name = "index", .bits = 64, .kind = 'i' },
	{ "f64", 64, 'f', 11, 52, 1023, 0x7ff8000000000000, false },
};

const struct element_type *element_type_find(layout_context *ctx, const char *name)
{
	if (!layout_given(ctx, name, "element type"))
		return NULL;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "there is no element type %s: f32, f16, bf16, "
		"f8E4M3FN, i32, u8, i4, i1 and others are as MLIR names them", name);
	return NULL;
}

static uint64_t sign_bit(const struct element_type *type)
{
	return (uint64_t)1 << (type->bits - 1);
}

uint64_t element_type_largest(const struct element_type *type)
{
	uint64_t ones = sign_bit(type) - 1;

	if (!type->finite)
		return ones - ((uint64_t)1 << type->mantissa);
	return type->nan == ones ? ones - 1 : ones;
}

/* The significand as an integer of the format's own step, rounded to even by rint(); a
 * carry into the exponent is right as it is. */
uint64_t element_type_round(const struct element_type *type, double value)
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
		return type->nan;
	}
	if (isinf(value)) {
		*bits = sign | (element_type_largest(type) + 1);
		return !type->finite;
	}
	*bits = element_type_round(type, fabs(value));
	if (*bits > element_type_largest(type))
		return false;
	if (*bits || type->nan != sign_bit(type))
		*bits |= sign;
	return true;
}

/* 2^(bits - bias), and nothing else. */
static bool power_bits(const struct element_type *type, double value, uint64_t *bits)
{
	int exponent;

	*bits = type->nan;
	if (isnan(value))
		return true;
	if (!isfinite(value) || frexp(value, &exponent) != 0.5)
		return false;
	*bits = (uint64_t)(exponent - 1 + type->bias);
	return exponent > -type->bias && *bits < type->nan;
}

static bool integer_bits(const struct element_type *type, const char *text, char **end,
	uint64_t *bits)
{
	unsigned width = type->bits;
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

static bool truth_bits(const char *text, char **end, uint64_t *bits)
{
	static const char *const names[] = { "0", "1", "false", "true", "0.0", "1.0" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(text, names[i]) == 0) {
			*end = (char *)text + strlen(text);
			*bits = i % 2;
			return true;
		}
	(void)strtoll(text, end, 10);
	return false;
}

/* Past ".0", which an integer may have. */
static char *skip_fraction(char *at)
{
	size_t zeros = *at == '.' ? strspn(at + 1, "0") : 0;

	return zeros ? at + 1 + zeros : at;
}

bool element_type_bits(layout_context *ctx, const struct element_type *type,
	const char *text, uint64_t *bits)
{
	char *end = NULL;
	bool fits;

	if (strncmp(text, "0x", 2) == 0) {
		errno = 0;
		*bits = strtoull(text, &end, 16);
		fits = !errno && (type->bits == 64 || *bits >> type->bits == 0);
	} else if (type->kind == 'f') {
		fits = float_bits(type, read_double(text, &end), bits);
	} else if (type->kind == 'e') {
		fits = power_bits(type, read_double(text, &end), bits);
	} else if (type->kind == 'b') {
		fits = truth_bits(text, &end, bits);
	} else {
		fits = integer_bits(type, text, &end, bits);
		end = end == text ? end : skip_fraction(end);
	}
	if (fits && end != text && !*end)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, end != text && end && !*end ?
		"%s does not fit %s" : "%s is not a number of type %s", text, type->name);
	return false;
}
