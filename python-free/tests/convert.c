/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions on the way, run for the host and in the simulator, against a model that
 * takes codes apart into numbers and rounds the numbers. */
#include "support/bit_array.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* "top" is what the codes with all ones in the exponent are. */
struct format {
	const char *name;
	unsigned bits, mantissa;
	int bias;
	enum { NUMBERS, ONE_NAN, SPECIAL } top;
	bool signed_zero;	/* else the code of -0 is the only NaN */
};

static const struct format formats[] = {
	{ "f4E2M1FN", 4, 1, 1, NUMBERS, true },
	{ "f6E2M3FN", 6, 3, 1, NUMBERS, true },
	{ "f6E3M2FN", 6, 2, 3, NUMBERS, true },
	{ "f8E4M3FN", 8, 3, 7, ONE_NAN, true },
	{ "f8E4M3FNUZ", 8, 3, 8, NUMBERS, false },
	{ "f8E5M2", 8, 2, 15, SPECIAL, true },
	{ "f8E5M2FNUZ", 8, 2, 16, NUMBERS, false },
	{ "f16", 16, 10, 15, SPECIAL, true },
	{ "bf16", 16, 7, 127, SPECIAL, true },
	{ "f32", 32, 23, 127, SPECIAL, true },
	{ "f64", 64, 52, 1023, SPECIAL, true },
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static uint64_t ones(unsigned bits)
{
	return bits ? UINT64_MAX >> (64 - bits) : 0;
}

static double decode(const struct format *f, uint64_t code)
{
	bool negative = code >> (f->bits - 1);
	uint64_t rest = code & ones(f->bits - 1);
	uint64_t exponent = rest >> f->mantissa, fraction = rest & ones(f->mantissa);
	bool is_top = exponent == ones(f->bits - 1 - f->mantissa);
	double value;

	if ((negative && !rest && !f->signed_zero) ||
	    (f->top == ONE_NAN && rest == ones(f->bits - 1)) ||
	    (f->top == SPECIAL && is_top && fraction))
		return NAN;
	if (f->top == SPECIAL && is_top)
		return negative ? -INFINITY : INFINITY;
	value = ldexp((double)(exponent ? fraction + ones(f->mantissa) + 1 : fraction),
		(exponent ? (int)exponent : 1) - f->bias - (int)f->mantissa);
	return negative ? -value : value;
}

/* The code of the largest number, without the sign. */
static uint64_t largest(const struct format *f)
{
	return ones(f->bits - 1) - (f->top == SPECIAL ? (uint64_t)1 << f->mantissa :
		f->top == ONE_NAN);
}

/* A magnitude as steps of the format around it, rounded, and made a code again. */
static uint64_t encode_magnitude(const struct format *f, double value, bool nearest)
{
	int exponent = 1 - f->bias, above;
	double steps, whole;

	if (value != 0 && (frexp(value, &above), above - 1 > exponent))
		exponent = above - 1;
	steps = ldexp(value, (int)f->mantissa - exponent);
	whole = floor(steps);
	if (nearest && (steps - whole > 0.5 ||
	    (steps - whole == 0.5 && fmod(whole, 2) == 1)))
		whole++;
	return ((uint64_t)(exponent - 1 + f->bias) << f->mantissa) + (uint64_t)whole;
}

static bool has_nan(const struct format *f)
{
	return f->top != NUMBERS || !f->signed_zero;
}

/* Does "code" stand for "value" in the format?  Any NaN stands for a NaN. */
static bool is_encoded(const struct format *f, double value, bool nearest, uint64_t code)
{
	uint64_t sign = signbit(value) ? (uint64_t)1 << (f->bits - 1) : 0;
	uint64_t most = largest(f), beyond = f->top == SPECIAL ? most + 1 : most, wanted;

	if (isnan(value) && has_nan(f))
		return isnan(decode(f, code));
	if (isnan(value))
		return code == most;
	if (isinf(value))
		return code == (beyond | sign);
	wanted = encode_magnitude(f, fabs(value), nearest);
	if (wanted > most)
		wanted = nearest ? beyond : most;
	if (!wanted && !f->signed_zero)
		sign = 0;
	return code == (wanted | sign);
}

static uint64_t random_bits(uint64_t *seed)
{
	return (uint64_t)random_wide(seed, INT64_MAX) << 1 ^ random_below(seed, 2);
}

/* A code of f32 or f64 in or near the middle of two neighbours of another format. */
static uint64_t near_a_tie(const struct format *from, const struct format *to,
	uint64_t *seed)
{
	uint64_t code = random_bits(seed) & ones(to->bits), bits;
	double here = decode(to, code), next = decode(to, code + 1), middle;
	float single;

	if (!isfinite(here) || !isfinite(next))
		return random_bits(seed) & ones(from->bits);
	middle = here + (next - here) / 2;
	single = (float)middle;
	bits = 0;
	if (from->bits == 32)
		memcpy(&bits, &single, sizeof(single));
	else
		memcpy(&bits, &middle, sizeof(middle));
	return (bits + random_below(seed, 3) - 1) & ones(from->bits);
}

/* All codes of a small format, else a mixture: anything, subnormals, infinities and
 * NaN, and ties of the other format. */
enum { CODES = 1 << 16, MIXED = 6000 };

static unsigned make_codes(const struct format *from, const struct format *to,
	uint64_t *seed, uint64_t *codes)
{
	unsigned count = from->bits <= 16 ? 1u << from->bits : MIXED;
	uint64_t sign = (uint64_t)1 << (from->bits - 1);

	for (unsigned i = 0; i < count; i++) {
		uint64_t any = random_bits(seed) & ones(from->bits);

		codes[i] = from->bits <= 16 ? i : i % 4 < 2 ? near_a_tie(from, to, seed) :
			i % 64 == 2 ? any & (sign | ones(from->mantissa)) :
			i % 64 == 6 ? any | (sign - 1 - ones(from->mantissa)) :
			i % 64 == 10 ? (sign - 1 - ones(from->mantissa)) | (any & sign) :
			any;
	}
	return count;
}

struct conversion_row {
	const char *target, *from, *to, *rounding, *scale;
};

/* Run a conversion of "count" codes. */
static void run_conversion(layout_context *ctx, const struct conversion_row *row,
	unsigned from_bits, unsigned to_bits, unsigned count, const uint64_t *codes,
	uint64_t *results)
{
	size_t from_bytes = bit_array_bytes(count, from_bits);
	size_t to_bytes = bit_array_bytes(count, to_bits);
	unsigned char *from = aligned_alloc(64, (from_bytes + 64) / 64 * 64);
	unsigned char *to = aligned_alloc(64, (to_bytes + 64) / 64 * 64);
	const layout_size size = { "N", count };
	layout_run run = LAYOUT_RUN_INIT;
	layout_kernel *kernel;
	layout_remap *remap;
	char text[200];

	assert_true(from && to);
	snprintf(text, sizeof(text), "remap(row_major[N] -> row_major[N], "
		"type = %s -> %s, rounding = %s%s%s)", row->from, row->to, row->rounding,
		row->scale ? ", scale = " : "", row->scale ? row->scale : "");
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, row->target, NULL);
	for (unsigned i = 0; i < count; i++)
		bit_array_set(from, i, from_bits, codes[i]);
	run.source = from;
	run.source_bytes = from_bytes;
	run.destination = to;
	run.destination_bytes = to_bytes;
	run.sizes = &size;
	run.size_count = 1;
	if (!kernel || !layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s for %s: %s", text, row->target, layout_context_message(ctx));
	for (unsigned i = 0; i < count; i++)
		results[i] = bit_array_get(to, i, to_bits);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	free(from);
	free(to);
}

static uint64_t codes[CODES], results[CODES];

static double scaled(const struct format *from, const struct format *to, double value,
	const char *scale)
{
	volatile float product;

	if (!scale)
		return value;
	if (from->bits == 64 || to->bits == 64)
		return value * strtod(scale, NULL);
	product = (float)value * strtof(scale, NULL);
	return product;
}

static void check_formats(layout_context *ctx, const struct format *from,
	const struct format *to, const struct conversion_row *row, uint64_t *seed)
{
	bool nearest = !strcmp(row->rounding, "nearest_even");
	unsigned count = make_codes(from, to, seed, codes);

	run_conversion(ctx, row, from->bits, to->bits, count, codes, results);
	for (unsigned i = 0; i < count; i++) {
		double value = decode(from, codes[i]);

		if (!is_encoded(to, scaled(from, to, value, row->scale), nearest,
		    results[i]))
			fail_msg("%s -> %s, %s, scale %s, for %s: 0x%" PRIx64
				" (%g) became 0x%" PRIx64 " (%g)", from->name, to->name,
				row->rounding, row->scale ? row->scale : "none",
				row->target, codes[i], value, results[i],
				decode(to, results[i]));
	}
}

/* Every pair of formats; those of eight bits and less with one rounding each. */
static void check_all_formats(const char *const *targets, unsigned target_count)
{
	static const char *const roundings[] = { "nearest_even", "toward_zero" };
	static const char *const scales[] = { NULL, NULL, "0.3", "-1.5e-6", "4096" };
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned turn = 0;

	for (unsigned a = 0; a < FORMATS; a++)
		for (unsigned b = 0; b < FORMATS; b++)
			for (unsigned r = 0; r < 2; r++) {
				const struct conversion_row row = {
					targets[turn % target_count], formats[a].name,
					formats[b].name, roundings[r], scales[turn % 5] };

				if (formats[a].bits <= 8 && (a + b) % 2 != r)
					continue;
				if (share_has(turn, 0, 3))
					check_formats(ctx, &formats[a], &formats[b], &row,
						&seed);
				turn++;
			}
	assert_true(layout_context_free(ctx));
}

static void test_host(void **state)
{
	static const char *const targets[] = { "host" };

	(void)state;
	check_all_formats(targets, 1);
}

static void test_simulator(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "gfx950", "gfx1200",
		"sm_90" };

	(void)state;
	check_all_formats(targets, 5);
}

/* Plain pairs that users mean first, on every row of the table, without a scale. */
static void test_usual_pairs(void **state)
{
	static const struct {
		unsigned from, to;
	} pairs[] = { { 9, 7 }, { 9, 8 }, { 7, 9 }, { 8, 9 }, { 9, 3 }, { 10, 9 }, { 9, 10 } };
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	const layout_target *target;

	(void)state;
	for (unsigned t = 0; (target = share_target(t)); t++)
		for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
			const struct format *from = &formats[pairs[i].from];
			const struct format *to = &formats[pairs[i].to];
			const struct conversion_row row = { target->name, from->name,
				to->name, "nearest_even", NULL };

			if (share_has(t, i, sizeof(pairs) / sizeof(pairs[0])))
				check_formats(ctx, from, to, &row, &seed);
		}
	assert_true(layout_context_free(ctx));
}

static const char *const integers[] = { "i2", "u2", "i4", "u4", "i8", "u8", "i16", "u16",
	"i32", "u32", "i64", "u64" };
#define INTEGERS (sizeof(integers) / sizeof(integers[0]))

static __int128 integer_of(const char *type, uint64_t code)
{
	unsigned bits = (unsigned)atoi(type + 1);

	if (*type == 'i' && code >> (bits - 1))
		return (__int128)code - ((__int128)1 << bits);
	return code;
}

static uint64_t clamped(const char *type, __int128 value)
{
	unsigned bits = (unsigned)atoi(type + 1);
	__int128 least = *type == 'i' ? -((__int128)1 << (bits - 1)) : 0;
	__int128 most = ((__int128)1 << (bits - (*type == 'i'))) - 1;

	value = value < least ? least : value > most ? most : value;
	return (uint64_t)value & ones(bits);
}

static void check_integers(layout_context *ctx, const char *target, const char *from,
	const char *to, uint64_t *seed)
{
	const struct conversion_row row = { target, from, to, "nearest_even", NULL };
	unsigned bits = (unsigned)atoi(from + 1), to_bits = (unsigned)atoi(to + 1);
	unsigned count = bits <= 8 ? 1u << bits : 2000;

	for (unsigned i = 0; i < count; i++) {
		uint64_t any = random_bits(seed);

		codes[i] = (bits <= 8 ? i : i % 2 ? any :
			(any & 1 ? 0 - any : any) >> random_below(seed, 64)) & ones(bits);
	}
	run_conversion(ctx, &row, bits, to_bits, count, codes, results);
	for (unsigned i = 0; i < count; i++)
		if (results[i] != clamped(to, integer_of(from, codes[i])))
			fail_msg("%s -> %s for %s: 0x%" PRIx64 " became 0x%" PRIx64, from, to,
				target, codes[i], results[i]);
}

static void test_integers(void **state)
{
	static const char *const targets[] = { "host", "gfx942", "host", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned turn = 0;

	(void)state;
	for (unsigned a = 0; a < INTEGERS; a++)
		for (unsigned b = 0; b < INTEGERS; b++)
			if (a != b && share_has(a, b, INTEGERS))
				check_integers(ctx, targets[turn++ % 5], integers[a],
					integers[b], &seed);
	assert_true(layout_context_free(ctx));
}

/* A conversion in text comes back as it was, normalised. */
static const char *const texts[][2] = {
	{ "type = f32 -> f16", "type = f32 -> f16" },
	{ "type = f32 -> f32", "type = f32" },
	{ "scale = 0.5, type = f32", "type = f32, scale = 0.5" },
	{ "type = f32 -> bf16, rounding = nearest_even", "type = f32 -> bf16" },
	{ "pad = 1.5, rounding = toward_zero, scale = -2e3, type = f64 -> f8E4M3FN",
		"type = f64 -> f8E4M3FN, rounding = toward_zero, scale = -2e3, pad = 1.5" },
	{ "type = i8 -> u4, pad = 15", "type = i8 -> u4, pad = 15" },
	{ "type = f8E8M0FNU, pad = 0.25", "type = f8E8M0FNU, pad = 0.25" },
};

static void test_texts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[200], wanted[200], *printed;
		layout_remap *remap, *copy;

		snprintf(text, sizeof(text), "remap(row_major[N] -> row_major[N], %s)",
			texts[i][0]);
		snprintf(wanted, sizeof(wanted), "remap(row_major[N] -> row_major[N], %s)",
			texts[i][1]);
		remap = layout_remap_parse(ctx, text);
		copy = layout_remap_copy(remap);
		printed = layout_remap_str(copy);
		assert_non_null(printed);
		assert_string_equal(printed, wanted);
		layout_string_free(printed);
		layout_remap_free(copy);
		layout_remap_free(remap);
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *arguments, *at, *message;
	layout_error error;
} errors[] = {
	{ "type = f32 -> f31", "f31", "no element type f31", LAYOUT_ERROR_INVALID },
	{ "type = f32 -> f16, rounding = up", "up", "no rounding up", LAYOUT_ERROR_INVALID },
	{ "type = f32 -> f16, scale = half", "half", "not a number", LAYOUT_ERROR_INVALID },
	{ "type = f32 -> f16, scale = 1e39", "1e39", "does not fit f32",
		LAYOUT_ERROR_INVALID },
	{ "type = f32 -> f16, pad = 1e5", "1e5", "does not fit f16", LAYOUT_ERROR_INVALID },
	{ "type = i32 -> f16", "i32", "do not convert", LAYOUT_ERROR_UNSUPPORTED },
	{ "type = f16 -> i8", "f16", "do not convert", LAYOUT_ERROR_UNSUPPORTED },
	{ "type = i8 -> i16, scale = 2", "i8", "floating point", LAYOUT_ERROR_UNSUPPORTED },
	{ "type = f8E8M0FNU -> f32", "f8E8M0FNU", "only copied", LAYOUT_ERROR_UNSUPPORTED },
	{ "type = f32 ->", ")", "an element type", LAYOUT_ERROR_PARSE },
	{ "type = f32, scale = 1, scale = 2", "scale = 2", "", LAYOUT_ERROR_PARSE },
	{ "type = f32, round = up", "round", "`rounding`", LAYOUT_ERROR_PARSE },
};

static void test_errors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		char text[200];
		long at;

		snprintf(text, sizeof(text), "remap(row_major[N] -> row_major[N], %s)",
			errors[i].arguments);
		at = strstr(strstr(text, errors[i].arguments), errors[i].at) - text;
		assert_null(layout_remap_parse(ctx, text));
		if (layout_context_error(ctx) != errors[i].error ||
		    layout_context_position(ctx) != at ||
		    !strstr(layout_context_message(ctx), errors[i].message))
			fail_msg("%s: error %d at %ld, not %ld: %s", text,
				(int)layout_context_error(ctx),
				layout_context_position(ctx), at,
				layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_simulator),
		cmocka_unit_test(test_usual_pairs),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
