/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe compositions: rows, and random ones against A(B(c)) point by point.  Where one
 * is refused, no layout may exist: a leaf's modes are forced by its offsets. */
#include "support/cute_model.h"
#include "support/random.h"
#include "support/share.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MOST_POINTS 400

/* A layout, or NULL and a part of the message. */
static const struct {
	const char *outer, *inner, *result, *message;
	layout_error error;
} rows[] = {
	/* cutlass#2955 and #3177: accepted there, and wrong. */
	{ "(6,2):(1,7)", "(3,2):(2,3)", NULL,
		"at (2,1) the value is 8, a layout would give 7",
		LAYOUT_ERROR_NO_ANSWER },
	{ "(4,6,8):(2,3,5)", "6:3", NULL,
		"steps of 6 are 7 each for 2 coordinates, which does not divide 3: "
		"at 4 the value is 9, a layout would give 14", LAYOUT_ERROR_NO_ANSWER },
	/* Refused by CuTe's stride condition, and exact. */
	{ "(5,7):(10,1)", "2:2", "2:20", NULL, 0 },
	{ "(12,8):(8,1)", "(2,2):(4,16)", "(2,2):(32,33)", NULL, 0 },
	{ "((6,3),10):((4,480),48)", "4:45", "(2,2):(588,240)", NULL, 0 },
	{ "(1,((7,4),(10,3))):(848,((1,210),(21,7)))", "((28,1),5):((0,420),28)",
		"((28,1),5):((0,0),21)", NULL, 0 },
	{ "(5,7):(10,1)", "6:2", NULL,
		"is no layout: at 5 the value is 2, a layout would give 51",
		LAYOUT_ERROR_NO_ANSWER },
	{ "(4,3):(3,1)", "6:1", NULL, "4 coordinates, which does not divide 6",
		LAYOUT_ERROR_NO_ANSWER },
	{ "(2,2):(4611686018427387904,1)", "3:1", NULL,
		"a layout's offset at 2 does not fit 64 bits", LAYOUT_ERROR_OVERFLOW },
	/* The last mode has no end, also one of size 1. */
	{ "(4,1):(1,0)", "8:1", "(4,2):(1,0)", NULL, 0 },
	{ "4:2", "10:3", "10:6", NULL, 0 },
	{ "1:5", "4:2", "4:10", NULL, 0 },
	{ "():()", "(2,3):(7,1)", "(2,3):(0,0)", NULL, 0 },
	/* Sizes 0 and 1. */
	{ "8:2", "(4,0):(1,4)", "(4,0):(0,0)", NULL, 0 },
	{ "(4,0):(1,4)", "2:1", NULL, "the outer layout has size 0",
		LAYOUT_ERROR_NO_ANSWER },
	{ "(4,0):(1,4)", "(0,2):(1,1)", "(0,2):(0,0)", NULL, 0 },
	{ "(4,4):(1,4)", "(1,():()):(100,():())", NULL, "expected", LAYOUT_ERROR_PARSE },
	{ "(4,4):(1,4)", "(1,()):(100,())", "(1,()):(0,())", NULL, 0 },
	/* Negative offsets of the inner layout, and of the outer one. */
	{ "(4,4):(1,4)", "4:-1", NULL, "stride -1 of leaf 0", LAYOUT_ERROR_NO_ANSWER },
	{ "(4,4):(-1,4)", "(2,2):(1,4)", "(2,2):(-1,4)", NULL, 0 },
	/* A pack_map's coordinates are those it was given with. */
	{ "(7,2):(5,3)", "pack_map<(2,5):(5,1)>", NULL,
		"(7,2):(5,3) o pack_map<(2,5):(5,1)> is no layout: at (1,2) the value is 3, "
		"a layout would give 35", LAYOUT_ERROR_NO_ANSWER },
	{ "pack_map<(2,7):(3,5)>", "(5,2):(1,5)", NULL,
		"pack_map<(2,7):(3,5)> o (5,2):(1,5) is no layout: at (2,1) the value is 3",
		LAYOUT_ERROR_NO_ANSWER },
	{ "(4,8):(-1,2)", "pack_map<(2,2):(2,1)>", "(2,2):(-1,-2)", NULL, 0 },
	/* Not below the swizzle, but with it. */
	{ "Sw<2,3,3> o 0 o (4,8):(0,1)", "3:7", "Sw<1,0,1> o 0 o 3:1", NULL, 0 },
	{ "Sw<1,0,1> o 0 o (4,3):(3,1)", "6:1", NULL,
		"Sw<1,0,1> o 0 o (4,3):(3,1) after 6:1 is no single swizzle",
		LAYOUT_ERROR_NO_ANSWER },
	/* Offsets below 0 behind a swizzle. */
	{ "(1,2):(1,-1)", "Sw<2,3,3> o 0 o (4,2):(1,4)", "(4,2):(-1,-4)", NULL, 0 },
	/* Carries that cancel: over boundaries that are reached together, always, or at
	 * each of these coordinates. */
	{ "(3,4,5):(1,4,15)", "1000000000:4", "1000000000:5", NULL, 0 },
	{ "(2,2,8):(1,5,7)", "(2,2):(1,3)", "(2,2):(1,6)", NULL, 0 },
	{ "(2,2,8):(1,5,8)", "(2,2):(1,3)", NULL, "at (1,1) the value is 8, a layout "
		"would give 7", LAYOUT_ERROR_NO_ANSWER },
	{ "(1048576,2,4):(1,1048577,2097153)", "(131072,2):(1,2097151)", NULL,
		"unknown: whether carries over 2 modes cancel", LAYOUT_ERROR_QUOTA },
	/* Beyond 64 bits. */
	{ "2:4611686018427387904", "4:1", NULL, "does not fit", LAYOUT_ERROR_OVERFLOW },
	{ "2:4611686018427387904", "(2,2):(1,2)", NULL, "does not fit",
		LAYOUT_ERROR_OVERFLOW },
	{ "(4294967296,2):(1,4294967296)", "(3,2):(3000000000,1)",
		"(3,2):(3000000000,1)", NULL, 0 },
	/* The last mode fastest. */
	{ "pack_map<(4,8):(8,1)>", "pack_map<(4,8):(8,1)>", "pack_map<(4,8):(8,1)>",
		NULL, 0 },
	{ "pack_map<(3,4):(1,3)>", "6:2", "pack_map<(3,2):(1,6)>", NULL, 0 },
	{ "pack_map<(3,4):(1,3)>", "(2,3):(2,4)", "(2,3):(6,1)", NULL, 0 },
	/* A swizzle outside stays outside. */
	{ "Sw<2,0,3> o 1 o (8,8):(8,1)", "(4,8):(2,8)", "Sw<2,0,3> o 1 o (4,8):(16,1)",
		NULL, 0 },
};

static void check_row(layout_context *ctx, size_t i)
{
	layout_cute *result = layout_cute_compose(layout_cute_parse(ctx, rows[i].outer),
		layout_cute_parse(ctx, rows[i].inner));
	char *text = layout_cute_str(result);

	if (rows[i].result && (!text || strcmp(text, rows[i].result) != 0))
		fail_msg("%s o %s: %s (%s)", rows[i].outer, rows[i].inner,
			text ? text : "none", layout_context_message(ctx));
	if (!rows[i].result && (text || layout_context_error(ctx) != rows[i].error ||
			!strstr(layout_context_message(ctx), rows[i].message)))
		fail_msg("%s o %s: %s (%s)", rows[i].outer, rows[i].inner,
			text ? text : "none", layout_context_message(ctx));
	layout_string_free(text);
	layout_cute_free(result);
	layout_context_clear(ctx);
}

static void compositions_are_exact(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(ctx, i);
	assert_true(layout_context_free(ctx));
}

/* With a quota of 1 an answer is the same, or unknown. */
static void quotas_are_unknown(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	layout_context_set_quota(ctx, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_cute *result = layout_cute_compose(
			layout_cute_parse(ctx, rows[i].outer),
			layout_cute_parse(ctx, rows[i].inner));
		layout_error error = layout_context_error(ctx);

		layout_cute_free(result);
		layout_context_clear(ctx);
		if (error != LAYOUT_ERROR_QUOTA)
			check_row(ctx, i);
	}
	assert_true(layout_context_free(ctx));
}

/* Without a quota it takes as long as it takes. */
static void no_quota_decides(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_cute *result;
	char *text;

	(void)state;
	layout_context_set_quota(ctx, 0);
	result = layout_cute_compose(
		layout_cute_parse(ctx, "(1048576,2,4):(1,1048577,2097153)"),
		layout_cute_parse(ctx, "(131072,2):(1,2097151)"));
	text = layout_cute_str(result);
	assert_string_equal(text, "(131072,2):(1,2097152)");
	layout_string_free(text);
	layout_cute_free(result);
	assert_true(layout_context_free(ctx));
}

/* A(B(c)) is not defined everywhere. */
static bool is_undefined(const struct cute_model *a, const struct cute_model *b)
{
	bool negative = false;

	for (unsigned i = 0; i < b->count; i++)
		negative = negative || (b->shape[i] > 1 && b->stride[i] < 0);
	return cute_model_size(b) && (negative || !cute_model_size(a));
}

static bool is_composition(const struct cute_model *result, const struct cute_model *a,
	const struct cute_model *b)
{
	int64_t size = cute_model_size(b);

	if (is_undefined(a, b) || !cute_model_refines(result, b))
		return false;
	for (int64_t x = 0; x < size; x++)
		if (cute_model_at(result, x) != cute_model_at(a, cute_model_at(b, x)))
			return false;
	return true;
}

static void fail_random(layout_context *ctx, uint64_t seed, const struct cute_model *a,
	const struct cute_model *b, layout_cute *result)
{
	layout_cute *outer = cute_model_build(ctx, a), *inner = cute_model_build(ctx, b);

	fail_msg("seed %#" PRIx64 ": %s o %s: %s (%s)", seed, layout_cute_str(outer),
		layout_cute_str(inner), result ? layout_cute_str(result) : "none",
		layout_context_message(ctx));
}

/* Does the composition of A and B exist?  It is right either way. */
static bool check_random(layout_context *ctx, uint64_t seed, const struct cute_model *a,
	const struct cute_model *b)
{
	layout_cute *result = layout_cute_compose(cute_model_build(ctx, a),
		cute_model_build(ctx, b));
	bool right, accepted = result != NULL;

	if (result) {
		struct cute_model got = cute_model_of(result);

		right = is_composition(&got, a, b);
	} else {
		right = layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER &&
			(is_undefined(a, b) || !cute_model_composes(a, b));
	}
	if (!right)
		fail_random(ctx, seed, a, b, result);
	layout_cute_free(result);
	layout_context_clear(ctx);
	return accepted;
}

static void random_compositions(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned accepted = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(100000); i++) {
		uint64_t begin = seed;
		struct cute_model a = cute_model_random(&seed, 100000, true, NULL);
		struct cute_model b = cute_model_random(&seed, MOST_POINTS, true, &a);

		accepted += check_random(ctx, begin, &a, &b);
	}
	print_message("%u of 100000 have a layout\n", accepted);
	assert_true(accepted > share_count(20000) && accepted < share_count(95000));
	assert_true(layout_context_free(ctx));
}

/* "at (2,1) the value is 8, a layout would give 7": 8 is right, and not 7. */
static bool witness_is_true(const char *message, const struct cute_model *a,
	const struct cute_model *b)
{
	const char *at = strstr(message, " the value is ");
	int64_t coordinate[CUTE_MODEL_LEAVES], value, given;

	if (!at || sscanf(at, " the value is %" SCNd64 ", a layout would give %" SCNd64,
			&value, &given) != 2)
		return false;
	for (unsigned i = 0; i < b->count; i++) {
		while (at[-1] < '0' || at[-1] > '9')
			at--;
		while (at[-1] >= '0' && at[-1] <= '9')
			at--;
		coordinate[b->count - 1 - i] = strtoll(at, NULL, 10);
	}
	return value != given &&
		value == cute_model_at(a, cute_model_at_leaves(b, coordinate));
}

/* Layouts too large to look at each point: some, and the witness. */
static bool check_large(const struct cute_model *a, const struct cute_model *b,
	layout_context *ctx, layout_cute *result, uint64_t *seed)
{
	int64_t size = cute_model_size(b);
	struct cute_model got;

	if (!result)
		return layout_context_error(ctx) == LAYOUT_ERROR_QUOTA ||
			is_undefined(a, b) ||
			witness_is_true(layout_context_message(ctx), a, b);
	got = cute_model_of(result);
	if (is_undefined(a, b) || !cute_model_refines(&got, b))
		return false;
	for (int i = 0; i < 50 && size; i++) {
		int64_t x = i ? random_wide(seed, size) : size - 1;

		if (cute_model_at(&got, x) != cute_model_at(a, cute_model_at(b, x)))
			return false;
	}
	return true;
}

static void large_compositions(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned accepted = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(20000); i++) {
		uint64_t begin = seed;
		struct cute_model a = cute_model_random(&seed, 1 << 20, true, NULL);
		struct cute_model b = cute_model_random(&seed, 1 << 16, false, &a);
		layout_cute *result = layout_cute_compose(cute_model_build(ctx, &a),
			cute_model_build(ctx, &b));

		if (!check_large(&a, &b, ctx, result, &seed))
			fail_random(ctx, begin, &a, &b, result);
		accepted += result != NULL;
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	print_message("%u of 20000 have a layout\n", accepted);
	assert_true(accepted > share_count(4000) && accepted < share_count(19000));
	assert_true(layout_context_free(ctx));
}

/* Sw o k o (L o B) = (Sw o k o L) o B. */
static void swizzles_stay_outside(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(3000); i++) {
		uint64_t begin = seed;
		struct cute_model a = cute_model_random(&seed, 5000, false, NULL);
		struct cute_model b = cute_model_random(&seed, MOST_POINTS, false, &a);
		struct cute_model got;
		layout_cute *result;

		a.swizzled = true;
		a.swizzle = (layout_cute_swizzle){ 2, (int)random_wide(&seed, 3),
			random_wide(&seed, 2) ? 3 : -2,
			random_wide(&seed, 20) };
		result = layout_cute_compose(cute_model_build(ctx, &a),
			cute_model_build(ctx, &b));
		if (result) {
			got = cute_model_of(result);
			if (!is_composition(&got, &a, &b))
				fail_random(ctx, begin, &a, &b, result);
		}
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* Mode by mode; trailing modes stay. */
static void by_mode(void **state)
{
	static const struct {
		const char *outer, *tiles[3], *result;
		layout_error error;
	} tilers[] = {
		{ "(4,(2,4)):(8,(4,1))", { "2:2", "4:1" }, "(2,(2,2)):(16,(4,1))", 0 },
		{ "(4,8):(8,1)", { "2:2" }, "(2,8):(16,1)", 0 },
		{ "(4,8,3):(8,1,32)", { "_", "2:4" }, "(4,2,3):(8,4,32)", 0 },
		{ "8:3", { "4:2" }, "(4):(6)", 0 },
		{ "(4,8):(8,1)", { "2:1", "2:1", "2:1" }, NULL, LAYOUT_ERROR_SPACE },
		{ "(4,(3,4)):(8,(4,1))", { "_", "6:1" }, "(4,(3,2)):(8,(4,1))", 0 },
		{ "(4,(3,4)):(8,(4,1))", { "_", "4:1" }, NULL, LAYOUT_ERROR_NO_ANSWER },
		{ "(4,8):(8,1)", { "Sw<1,0,1>" }, NULL, LAYOUT_ERROR_UNSUPPORTED },
		{ "pack_map<(4,(2,4)):(8,(4,1))>", { "_", "2:1" },
			"pack_map<(4,2):(8,1)>", 0 },
		{ "pack_map<(4,(2,4)):(8,(4,1))>", { "_", "(2,2):(1,2)" }, NULL,
			LAYOUT_ERROR_SPACE },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(tilers) / sizeof(*tilers); i++) {
		layout_cute_tile tiles[3] = { { NULL, false } };
		unsigned count = 0;
		layout_cute *result;
		char *text;

		for (; count < 3 && tilers[i].tiles[count]; count++) {
			tiles[count].whole = *tilers[i].tiles[count] == '_';
			if (!tiles[count].whole)
				tiles[count].layout = layout_cute_parse(ctx,
					tilers[i].tiles[count]);
		}
		result = layout_cute_compose_by(layout_cute_parse(ctx, tilers[i].outer),
			tiles, count);
		text = layout_cute_str(result);
		if (layout_context_error(ctx) != tilers[i].error ||
		    (text ? !tilers[i].result || strcmp(text, tilers[i].result) != 0 :
				tilers[i].result != NULL))
			fail_msg("%s by mode: %s (%s)", tilers[i].outer,
				text ? text : "none", layout_context_message(ctx));
		layout_string_free(text);
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compositions_are_exact),
		cmocka_unit_test(quotas_are_unknown),
		cmocka_unit_test(no_quota_decides),
		cmocka_unit_test(random_compositions),
		cmocka_unit_test(large_compositions),
		cmocka_unit_test(swizzles_stay_outside),
		cmocka_unit_test(by_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
