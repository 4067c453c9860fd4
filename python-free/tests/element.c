/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pad values as bits: every format against a search over all its codes. */
#include "algebra/storage/element.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct format {
	const char *name;
	unsigned bits, mantissa;
	int bias;
	bool has_infinity;	/* exponent all ones: infinity and NaN */
	bool unsigned_zero;	/* the code of -0 is the NaN */
	bool no_nan;		/* all codes are numbers */
};

static const struct format formats[] = {
	{ "f4E2M1FN", 4, 1, 1, false, false, true },
	{ "f6E2M3FN", 6, 3, 1, false, false, true },
	{ "f6E3M2FN", 6, 2, 3, false, false, true },
	{ "f8E4M3FN", 8, 3, 7, false, false },
	{ "f8E4M3FNUZ", 8, 3, 8, false, true },
	{ "f8E5M2", 8, 2, 15, true, false },
	{ "f8E5M2FNUZ", 8, 2, 16, false, true },
	{ "f16", 16, 10, 15, true, false },
	{ "bf16", 16, 7, 127, true, false },
};

/* The value of a code, NaN where it has none. */
static double decode(const struct format *format, uint64_t code)
{
	uint64_t sign = code >> (format->bits - 1);
	uint64_t rest = code & (((uint64_t)1 << (format->bits - 1)) - 1);
	uint64_t exponent = rest >> format->mantissa;
	uint64_t fraction = rest & (((uint64_t)1 << format->mantissa) - 1);
	uint64_t ones = ((uint64_t)1 << (format->bits - 1 - format->mantissa)) - 1;
	double value;

	if (format->unsigned_zero && sign && !rest)
		return NAN;
	if (exponent == ones && format->has_infinity)
		return fraction ? NAN : sign ? -INFINITY : INFINITY;
	if (!format->unsigned_zero && !format->has_infinity && !format->no_nan &&
	    rest == ((uint64_t)1 << (format->bits - 1)) - 1)
		return NAN;
	value = exponent ? ldexp(1 + ldexp((double)fraction, -(int)format->mantissa),
		(int)exponent - format->bias) :
		ldexp((double)fraction, 1 - format->bias - (int)format->mantissa);
	return sign ? -value : value;
}

/* The finite code nearest to a value, the even one of two. */
static uint64_t nearest(const struct format *format, double value)
{
	uint64_t best = 0;
	double distance = INFINITY;

	for (uint64_t code = 0; code < (uint64_t)1 << format->bits; code++) {
		double there = decode(format, code);
		double off = fabs(there - value);

		if (isnan(there) || isinf(there) || signbit(there) != signbit(value))
			continue;
		if (off < distance || (off == distance && !(code & 1))) {
			distance = off;
			best = code;
		}
	}
	return best;
}

static uint64_t bits_of(layout_context *ctx, const char *type, const char *text)
{
	uint64_t bits = 0;

	if (!element_type_bits(ctx, element_type_find(ctx, type), text, &bits))
		fail_msg("%s as %s: %s", text, type, layout_context_message(ctx));
	return bits;
}

static void small_formats_round_to_nearest(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = 0x2545f4914f6cdd1d;

	(void)state;
	print_message("seed 0x%llx\n", (unsigned long long)seed);
	for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
		const struct format *format = &formats[f];
		unsigned rounds = format->bits <= 8 ? 2000 : 60;

		for (unsigned i = 0; i < rounds; i++) {
			uint64_t code = random_below(&seed, 1u << format->bits);
			double value = decode(format, code), next = decode(format, code + 1);
			char text[64];

			if (isnan(value) || isinf(value) || isnan(next) || isinf(next) ||
			    signbit(value) != signbit(next) || code + 1 == (uint64_t)1 << format->bits)
				continue;
			value += (next - value) * (double)(random_below(&seed, 9)) / 8;
			snprintf(text, sizeof(text), "%.17g", value);
			if (bits_of(ctx, format->name, text) != nearest(format, value))
				fail_msg("%s as %s: 0x%llx, not 0x%llx", text, format->name,
					(unsigned long long)bits_of(ctx, format->name, text),
					(unsigned long long)nearest(format, value));
		}
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *type, *text;
	uint64_t bits;
} rows[] = {
	{ "f32", "-1.5", 0xbfc00000 }, { "f32", "0.1", 0x3dcccccd },
	{ "f32", "1e-45", 1 }, { "f32", "inf", 0x7f800000 }, { "f32", "-inf", 0xff800000 },
	{ "f32", "-0.0", 0x80000000 }, { "f64", "0.1", 0x3fb999999999999a },
	{ "f64", "5e-324", 1 }, { "f16", "65504", 0x7bff }, { "f16", "65519.9", 0x7bff },
	{ "f8E4M3FN", "448", 0x7e }, { "f8E4M3FNUZ", "-0.0", 0 }, { "f8E4M3FNUZ", "240", 0x7f },
	{ "f8E5M2", "57344", 0x7b }, { "f8E5M2", "inf", 0x7c }, { "f8E5M2FNUZ", "57344", 0x7f },
	{ "i8", "-128", 0x80 }, { "u8", "255", 0xff }, { "i16", "-1", 0xffff },
	{ "i32", "2147483647", 0x7fffffff }, { "u64", "18446744073709551615", UINT64_MAX },
	{ "i64", "-9223372036854775808", 0x8000000000000000 }, { "f32", "0x7fc00001", 0x7fc00001 },
	{ "i8", "0x80", 0x80 }, { "i4", "-8", 8 }, { "i4", "7", 7 }, { "u4", "15", 15 },
	{ "si8", "-128", 0x80 }, { "ui8", "255", 0xff }, { "si4", "-8", 8 }, { "ui2", "3", 3 },
	{ "ui64", "18446744073709551615", UINT64_MAX }, { "index", "-1", UINT64_MAX },
	{ "i1", "1", 1 }, { "i1", "0", 0 }, { "i1", "true", 1 }, { "i1", "false", 0 },
	{ "i1", "0x01", 1 },
	{ "i2", "-1", 3 }, { "u2", "0x3", 3 }, { "f4E2M1FN", "-6", 0xf },
	{ "f4E2M1FN", "0.25", 0 }, { "f4E2M1FN", "0.75", 2 }, { "f4E2M1FN", "-0.0", 8 },
	{ "f6E2M3FN", "7.5", 0x1f }, { "f6E3M2FN", "28", 0x1f }, { "f6E3M2FN", "0.0625", 1 },
	{ "f8E8M0FNU", "1", 127 }, { "f8E8M0FNU", "0.25", 125 }, { "f8E8M0FNU", "nan", 255 },
	{ "f8E8M0FNU", "5.877471754111438e-39", 0 }, { "f8E8M0FNU", "1.7014118346046923e38", 254 },
};

static void known_bits(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (bits_of(ctx, rows[i].type, rows[i].text) != rows[i].bits)
			fail_msg("%s as %s: 0x%llx", rows[i].text, rows[i].type,
				(unsigned long long)bits_of(ctx, rows[i].type, rows[i].text));
	assert_true(layout_context_free(ctx));
}

static const char *const refused[][2] = {
	{ "f16", "65520" }, { "f8E4M3FN", "465" }, { "f8E4M3FN", "inf" }, { "f32", "1e39" },
	{ "f32", "" }, { "f32", "1.0x" }, { "i8", "128" }, { "i8", "1.5" }, { "u8", "-1" },
	{ "u16", "65536" }, { "i64", "9223372036854775808" }, { "i8", "0x100" },
	{ "i4", "8" }, { "u4", "16" }, { "u4", "-1" }, { "i2", "0x4" }, { "f4E2M1FN", "7" },
	{ "f4E2M1FN", "inf" }, { "f4E2M1FN", "nan" }, { "f6E2M3FN", "7.75" },
	{ "f6E3M2FN", "0x40" }, { "f8E8M0FNU", "3" }, { "f8E8M0FNU", "0" },
	{ "f8E8M0FNU", "-1" }, { "f8E8M0FNU", "inf" }, { "f8E8M0FNU", "1e39" },
	{ "i1", "2" }, { "i1", "-1" }, { "i1", "yes" }, { "i1", "" }, { "ui8", "-1" },
	{ "si8", "128" }, { "ui8", "256" }, { "index", "9223372036854775808" },
	{ "f32", "0x" }, { "f32", "0x100000000" }, { "i32", "nan" },
};

static void refusals(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t bits;

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		if (element_type_bits(ctx, element_type_find(ctx, refused[i][0]), refused[i][1],
				&bits))
			fail_msg("%s as %s is accepted", refused[i][1], refused[i][0]);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
	assert_null(element_type_find(ctx, "f31"));
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_formats_round_to_nearest),
		cmocka_unit_test(known_bits),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
