/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The algebra of CuTe layouts but for composition: rows, and what each operation
 * promises, point by point on random layouts. */
#include "support/cute_model.h"
#include "support/random.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROUNDS 4000
#define MOST_POINTS 4096

#define FORM(name) LAYOUT_CUTE_ ## name

typedef enum { COALESCE, FILTER, FLATTEN, COMPLEMENT, DIVIDE, PRODUCT } operation;

/* "a" and "b", a number for complements; a layout, or NULL and a part of the message. */
static const struct {
	operation operation;
	layout_cute_form form;
	const char *a, *b, *result, *message;
	layout_error error;
} rows[] = {
	{ COALESCE, 0, "(2,(1,6)):(1,(6,2))", NULL, "12:1", NULL, 0 },
	{ COALESCE, 0, "(4,1,8):(8,7,1)", NULL, "(4,8):(8,1)", NULL, 0 },
	{ COALESCE, 0, "(1,1):(3,4)", NULL, "1:0", NULL, 0 },
	{ COALESCE, 0, "(4,(3,0)):(1,(4,1))", NULL, "0:0", NULL, 0 },
	{ COALESCE, 0, "(2,2,2):(-1,-2,4)", NULL, "(4,2):(-1,4)", NULL, 0 },
	{ COALESCE, 0, "pack_map<(2,6):(6,1)>", NULL, "pack_map<12:1>", NULL, 0 },
	{ COALESCE, 0, "pack_map<((2,1),6,2):((9,5),2,1)>", NULL,
		"pack_map<(2,12):(9,1)>", NULL, 0 },
	{ COALESCE, 0, "(4611686018427387904,2):(1,4611686018427387904)", NULL, NULL,
		"does not fit 64 bits", LAYOUT_ERROR_OVERFLOW },
	{ FILTER, 0, "(2,(3,4)):(0,(1,0))", NULL, "3:1", NULL, 0 },
	{ FILTER, 0, "(2,3):(0,0)", NULL, "1:0", NULL, 0 },
	{ FILTER, 0, "(2,0):(0,0)", NULL, "0:0", NULL, 0 },
	{ FLATTEN, 0, "((2,(3)),4):((1,(2)),6)", NULL, "(2,3,4):(1,2,6)", NULL, 0 },
	{ FLATTEN, 0, "7:2", NULL, "7:2", NULL, 0 },
	{ FLATTEN, 0, "(():())", NULL, NULL, "", LAYOUT_ERROR_PARSE },
	{ FLATTEN, 0, "pack_map<(2,(3,4)):(12,(4,1))>", NULL,
		"pack_map<(2,3,4):(12,4,1)>", NULL, 0 },
	{ COMPLEMENT, 0, "4:1", "24", "6:4", NULL, 0 },
	{ COMPLEMENT, 0, "(4,2):(2,16)", "64", "(2,2,2):(1,8,32)", NULL, 0 },
	{ COMPLEMENT, 0, "(3,6):(1,10)", "60", "(3,2):(3,60)", NULL, 0 },
	{ COMPLEMENT, 0, "(3,6):(1,10)", "59", "3:3", NULL, 0 },
	{ COMPLEMENT, 0, "3:1", "10", "4:3", NULL, 0 },
	{ COMPLEMENT, 0, "(4,5):(0,0)", "7", "7:1", NULL, 0 },
	{ COMPLEMENT, 0, "4:1", "0", "0:0", NULL, 0 },
	{ COMPLEMENT, 0, "1:0", "9223372036854775807", "9223372036854775807:1", NULL, 0 },
	{ COMPLEMENT, 0, "2:4611686018427387904", "9", "4611686018427387904:1", NULL, 0 },
	{ COMPLEMENT, 0, "2:9223372036854775806", "9", "9223372036854775806:1", NULL, 0 },
	{ COMPLEMENT, 0, "(2,4):(2,1)", "8", NULL, "mode 4:1 ends at 4 * 1, beyond the "
		"stride 2 of mode 2:2", LAYOUT_ERROR_NO_ANSWER },
	{ COMPLEMENT, 0, "4:-3", "8", NULL, "the stride of mode 4:-3 is negative",
		LAYOUT_ERROR_NO_ANSWER },
	{ COMPLEMENT, 0, "0:1", "8", NULL, "a layout of size 0 reaches none of the 8",
		LAYOUT_ERROR_NO_ANSWER },
	{ COMPLEMENT, 0, "4:1", "-1", NULL, "cannot reach up to -1",
		LAYOUT_ERROR_INVALID },
	{ COMPLEMENT, 0, "Sw<1,0,1> o 0 o 4:1", "8", NULL, "swizzled",
		LAYOUT_ERROR_UNSUPPORTED },
	{ COMPLEMENT, 0, "pack_map<(4,2):(2,16)>", "64", "pack_map<(2,2,2):(32,8,1)>",
		NULL, 0 },
	{ DIVIDE, FORM(LOGICAL), "16:3", "4:1", "(4,4):(3,12)", NULL, 0 },
	{ DIVIDE, FORM(LOGICAL), "(4,2,3):(2,1,8)", "4:2", "((2,2),(2,3)):((4,1),(2,8))",
		NULL, 0 },
	{ DIVIDE, FORM(ZIPPED), "(4,2,3):(2,1,8)", "4:2", "((2,2),(2,3)):((4,1),(2,8))",
		NULL, 0 },
	{ DIVIDE, FORM(TILED), "(4,2,3):(2,1,8)", "4:2", "((2,2),2,3):((4,1),2,8)",
		NULL, 0 },
	{ DIVIDE, FORM(FLAT), "(4,2,3):(2,1,8)", "4:2", "(2,2,2,3):(4,1,2,8)", NULL, 0 },
	{ DIVIDE, FORM(BLOCKED), "16:3", "4:1", NULL, "no such form",
		LAYOUT_ERROR_INVALID },
	{ DIVIDE, FORM(LOGICAL), "(3,4):(4,1)", "2:1", NULL, "(2,6):(1,2) is no layout",
		LAYOUT_ERROR_NO_ANSWER },
	{ DIVIDE, FORM(LOGICAL), "(9,4):(4,1)", "4:1", NULL,
		"(4,9):(1,4) is no layout: at (1,2) the value is 1, a layout would give "
		"36",
		LAYOUT_ERROR_NO_ANSWER },
	{ DIVIDE, FORM(LOGICAL), "15:1", "10:1", "(10,2):(1,10)", NULL, 0 },
	{ DIVIDE, FORM(LOGICAL), "(5,10):(64,5)", "1:8", "(1,(5,10)):(0,(64,5))", NULL,
		0 },
	{ DIVIDE, FORM(LOGICAL), "60:1", "(3,6):(1,10)", "((3,6),3):((1,10),3)", NULL,
		0 },
	{ DIVIDE, FORM(LOGICAL), "0:1", "4:1", "(4,0):(0,0)", NULL, 0 },
	{ DIVIDE, FORM(LOGICAL), "4:1", "0:1", NULL, "size 0", LAYOUT_ERROR_NO_ANSWER },
	{ DIVIDE, FORM(LOGICAL), "Sw<2,0,2> o 0 o 16:1", "4:1",
		"Sw<2,0,2> o 0 o (4,4):(1,4)", NULL, 0 },
	{ DIVIDE, FORM(LOGICAL), "16:1", "Sw<1,0,1> o 0 o 4:1", NULL, "swizzled tiler",
		LAYOUT_ERROR_UNSUPPORTED },
	{ DIVIDE, FORM(LOGICAL), "pack_map<(2,4,3):(12,5,1)>", "3:1",
		"pack_map<(3,(2,4)):(1,(12,5))>", NULL, 0 },
	{ PRODUCT, FORM(LOGICAL), "(2,2):(4,1)", "6:1", "((2,2),(2,3)):((4,1),(2,8))",
		NULL, 0 },
	{ PRODUCT, FORM(TILED), "(2,2):(4,1)", "6:1", "((2,2),2,3):((4,1),2,8)", NULL,
		0 },
	{ PRODUCT, FORM(FLAT), "(2,2):(4,1)", "6:1", "(2,2,2,3):(4,1,2,8)", NULL, 0 },
	{ PRODUCT, FORM(BLOCKED), "(2,5):(5,1)", "(3,4):(1,3)",
		"((2,3),(5,4)):((5,10),(1,30))", NULL, 0 },
	{ PRODUCT, FORM(RAKED), "(2,5):(5,1)", "(3,4):(1,3)",
		"((3,2),(4,5)):((10,5),(30,1))", NULL, 0 },
	{ PRODUCT, FORM(BLOCKED), "(2,5):(5,1)", "3:1",
		"((2,3),(5,1)):((5,10),(1,0))", NULL, 0 },
	{ PRODUCT, FORM(BLOCKED), "(16,3):(64,12)", "12:64",
		"((16,(3,4)),(3,1)):((64,(5124,16384)),(12,0))", NULL, 0 },
	{ PRODUCT, FORM(LOGICAL), "3:4", "7:1", NULL, "7:1 is no layout",
		LAYOUT_ERROR_NO_ANSWER },
	{ PRODUCT, FORM(LOGICAL), "(0,2):(1,1)", "3:5", "((0,2),3):((1,1),0)", NULL, 0 },
	{ PRODUCT, FORM(LOGICAL), "3:5", "0:1", "(3,0):(5,0)", NULL, 0 },
	{ PRODUCT, FORM(LOGICAL), "4:1", "2:4611686018427387904", NULL,
		"size 4 times cosize", LAYOUT_ERROR_OVERFLOW },
	{ PRODUCT, FORM(LOGICAL), "Sw<2,0,2> o 0 o 16:1", "2:1",
		"Sw<2,0,2> o 0 o (16,2):(1,16)", NULL, 0 },
	{ PRODUCT, FORM(LOGICAL), "pack_map<(2,2):(1,2)>", "pack_map<(3,5):(5,1)>",
		"pack_map<((2,2),(3,5)):((1,2),(20,4))>", NULL, 0 },
	{ PRODUCT, FORM(LOGICAL), "pack_map<(2,2):(1,2)>", "(3,5):(5,1)", NULL,
		"same mode fastest", LAYOUT_ERROR_SPACE },
};

static layout_cute *run(layout_context *ctx, size_t i)
{
	layout_cute *a = layout_cute_parse(ctx, rows[i].a);

	switch (rows[i].operation) {
	case COALESCE:
		return layout_cute_coalesce(a);
	case FILTER:
		return layout_cute_filter(a);
	case FLATTEN:
		return layout_cute_flatten(a);
	case COMPLEMENT:
		return layout_cute_complement(a, strtoll(rows[i].b, NULL, 10));
	case DIVIDE:
		return layout_cute_divide(a, layout_cute_parse(ctx, rows[i].b),
			rows[i].form);
	default:
		return layout_cute_product(a, layout_cute_parse(ctx, rows[i].b),
			rows[i].form);
	}
}

static void check_row(layout_context *ctx, size_t i)
{
	layout_cute *result = run(ctx, i);
	char *text = layout_cute_str(result);
	bool right = rows[i].result ? text && strcmp(text, rows[i].result) == 0 :
		!text && layout_context_error(ctx) == rows[i].error &&
		strstr(layout_context_message(ctx), rows[i].message);

	if (!right)
		fail_msg("row %zu, %s, %s: %s (%s)", i, rows[i].a,
			rows[i].b ? rows[i].b : "", text ? text : "none",
			layout_context_message(ctx));
	layout_string_free(text);
	layout_cute_free(result);
	layout_context_clear(ctx);
}

/* No answer of these rows depends on the quota. */
static void rows_are_right(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (int quota = 0; quota < 2; quota++) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
			check_row(ctx, i);
		layout_context_set_quota(ctx, 1);
	}
	assert_true(layout_context_free(ctx));
}

/* By mode: "divide" of "a", with the tiles in a layout's notation or "_". */
static void by_mode(void **state)
{
	static const struct {
		bool divide;
		layout_cute_form form;
		const char *a, *tiles[3], *result;
		layout_error error;
	} by_mode_rows[] = {
		{ true, FORM(LOGICAL), "(9,(4,8)):(59,(13,1))", { "3:3", "(2,4):(1,8)" },
			"((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))", 0 },
		{ true, FORM(ZIPPED), "(9,(4,8)):(59,(13,1))", { "3:3", "(2,4):(1,8)" },
			"((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))", 0 },
		{ true, FORM(TILED), "(9,(4,8)):(59,(13,1))", { "3:3", "(2,4):(1,8)" },
			"((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))", 0 },
		{ true, FORM(FLAT), "(9,(4,8)):(59,(13,1))", { "3:3", "(2,4):(1,8)" },
			"(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))", 0 },
		{ true, FORM(LOGICAL), "(8,6,5):(1,8,48)", { "_", "2:1" },
			"(8,(2,3),5):(1,(8,16),48)", 0 },
		{ true, FORM(ZIPPED), "(8,6,5):(1,8,48)", { "_", "2:1" },
			"((8,2),(1,3,5)):((1,8),(0,16,48))", 0 },
		{ true, FORM(ZIPPED), "(8,6):(1,8)", { NULL },
			"((),(8,6)):((),(1,8))", 0 },
		{ true, FORM(LOGICAL), "(2,(3,4),12,1):(12,(4,288),24,288)",
			{ "_", "5:1" }, NULL, LAYOUT_ERROR_NO_ANSWER },
		{ true, FORM(LOGICAL), "8:1", { "2:1", "2:1" }, NULL,
			LAYOUT_ERROR_SPACE },
		{ true, FORM(RAKED), "8:1", { "2:1" }, NULL, LAYOUT_ERROR_INVALID },
		{ false, FORM(TILED), "(2,5):(5,1)", { "3:5", "4:6" },
			"((2,5),3,4):((5,1),10,30)", 0 },
		{ false, FORM(LOGICAL), "(2,5):(5,1)", { "_", "4:6" },
			"(2,(5,4)):(5,(1,30))", 0 },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(by_mode_rows) / sizeof(*by_mode_rows); i++) {
		layout_cute *a = layout_cute_parse(ctx, by_mode_rows[i].a), *result;
		layout_cute_tile tiles[3] = { { NULL, false } };
		unsigned count = 0;
		char *text;

		for (; count < 3 && by_mode_rows[i].tiles[count]; count++) {
			tiles[count].whole = *by_mode_rows[i].tiles[count] == '_';
			if (!tiles[count].whole)
				tiles[count].layout = layout_cute_parse(ctx,
					by_mode_rows[i].tiles[count]);
		}
		result = (by_mode_rows[i].divide ? layout_cute_divide_by :
			layout_cute_product_by)(a, tiles, count, by_mode_rows[i].form);
		text = layout_cute_str(result);
		if (layout_context_error(ctx) != by_mode_rows[i].error || (text ?
				!by_mode_rows[i].result ||
				strcmp(text, by_mode_rows[i].result) != 0 :
				by_mode_rows[i].result != NULL))
			fail_msg("%s by mode: %s (%s)", by_mode_rows[i].a,
				text ? text : "none", layout_context_message(ctx));
		layout_string_free(text);
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

static void profiles(void **state)
{
	static const struct {
		const char *a;
		int profile[8];
		unsigned count;
		const char *result;
	} profile_rows[] = {
		{ "((16,2,8),2):((8,128,1),256)", { 2, -1, -1 }, 3,
			"((32,8),2):((8,1),256)" },
		{ "((4,2),(2,2)):((2,8),(1,2))", { 1, -1 }, 2, "(8,(2,2)):(2,(1,2))" },
		{ "((4,2),(2,2)):((2,8),(16,32))", { -1 }, 1, "32:2" },
		{ "(2,((3,2),(1,4))):(1,((1,3),(7,1)))", { 2, -1, 2, -1, -1 }, 5,
			"(2,(6,4)):(1,(1,1))" },
		{ "(2,3):(1,2)", { 0 }, 1, "(2,3):(1,2)" },
		{ "8:1", { 1, -1 }, 2, "8:1" },
		{ "8:1", { 2, -1, -1 }, 3, NULL },
		{ "(2,3):(1,2)", { 3, -1, -1, -1 }, 4, NULL },
		{ "(2,3):(1,2)", { 2, -1 }, 2, NULL },
		{ "Sw<1,0,1> o 3 o ((2,2),3):((1,2),4)", { 1, -1 }, 2,
			"Sw<1,0,1> o 3 o (4,3):(1,4)" },
		{ "pack_map<((2,2),3):((2,1),4)>", { 1, -1 }, 2,
			"pack_map<(4,3):(1,4)>" },
		{ "((4611686018427387904,4611686018427387904),0):((1,1),1)", { 1, -1 }, 2,
			"((4611686018427387904,4611686018427387904),0):((1,1),1)" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(profile_rows) / sizeof(*profile_rows); i++) {
		layout_cute *result = layout_cute_coalesce_by(
			layout_cute_parse(ctx, profile_rows[i].a),
			profile_rows[i].profile, profile_rows[i].count);
		char *text = layout_cute_str(result);

		if (text ? !profile_rows[i].result ||
				strcmp(text, profile_rows[i].result) != 0 :
				profile_rows[i].result || !layout_context_error(ctx))
			fail_msg("%s: %s (%s)", profile_rows[i].a, text ? text : "none",
				layout_context_message(ctx));
		layout_string_free(text);
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

static void fail_random(layout_context *ctx, uint64_t seed, const char *what,
	const struct cute_model *a, const struct cute_model *b)
{
	layout_cute *first = cute_model_build(ctx, a);
	layout_cute *second = b ? cute_model_build(ctx, b) : NULL;

	fail_msg("seed %#" PRIx64 ": %s of %s, %s (%s)", seed, what,
		layout_cute_str(first), second ? layout_cute_str(second) : "",
		layout_context_message(ctx));
}

static bool same_function(const struct cute_model *a, const struct cute_model *b)
{
	int64_t size = cute_model_size(a);

	for (int64_t x = 0; x < size; x++)
		if (cute_model_at(a, x) != cute_model_at(b, x))
			return false;
	return size == cute_model_size(b);
}

/* No mode of size 1 but a lone one, and none that continues the one before. */
static bool is_coalesced(const struct cute_model *model)
{
	if (model->count == 1)
		return model->node_count == 1;
	for (unsigned i = 0; i < model->count; i++) {
		unsigned next = model->lexicographic ? i - 1 : i + 1;

		if (model->shape[i] == 1 || (next < model->count && model->stride[next] ==
				model->shape[i] * model->stride[i]))
			return false;
	}
	return model->node_count == model->count + 1;
}

static bool has_offset(const struct cute_model *model, int64_t offset)
{
	int64_t size = cute_model_size(model);

	for (int64_t x = 0; x < size; x++)
		if (cute_model_at(model, x) == offset)
			return true;
	return false;
}

/* The same offsets, and no stride 0 among more than one coordinate. */
static bool is_filtered(const struct cute_model *filtered, const struct cute_model *a)
{
	for (int64_t x = cute_model_size(filtered); x-- > 0;)
		if (!has_offset(a, cute_model_at(filtered, x)))
			return false;
	for (int64_t x = cute_model_size(a); x-- > 0;)
		if (!has_offset(filtered, cute_model_at(a, x)))
			return false;
	for (unsigned i = 0; i < filtered->count; i++)
		if (!filtered->stride[i] && filtered->shape[i] > 1)
			return false;
	return true;
}

static void fewer_modes(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t begin = seed;
		struct cute_model a = cute_model_random(&seed, 100, true, NULL);
		layout_cute *coalesced = layout_cute_coalesce(cute_model_build(ctx, &a));
		layout_cute *filtered = layout_cute_filter(cute_model_build(ctx, &a));
		layout_cute *flat = layout_cute_flatten(cute_model_build(ctx, &a));
		struct cute_model model = cute_model_of(coalesced);

		if (!same_function(&model, &a) || !is_coalesced(&model))
			fail_random(ctx, begin, "coalesce", &a, NULL);
		model = cute_model_of(filtered);
		if (!is_filtered(&model, &a) || !is_coalesced(&model))
			fail_random(ctx, begin, "filter", &a, NULL);
		model = cute_model_of(flat);
		if (!same_function(&model, &a) || model.count != a.count ||
				model.node_count > 1 + a.count)
			fail_random(ctx, begin, "flatten", &a, NULL);
		layout_cute_free(coalesced);
		layout_cute_free(filtered);
		layout_cute_free(flat);
	}
	assert_true(layout_context_free(ctx));
}

static int64_t cosize(const struct cute_model *model)
{
	int64_t largest = -1;

	for (int64_t x = cute_model_size(model); x-- > 0;)
		if (cute_model_at(model, x) > largest)
			largest = cute_model_at(model, x);
	return largest + 1;
}

/* Some mode begins before another one of smaller or equal stride ends, or is negative. */
static bool has_no_complement(const struct cute_model *a)
{
	bool none = !cute_model_size(a);

	for (unsigned i = 0; i < a->count; i++) {
		if (a->shape[i] < 2 || !a->stride[i])
			continue;
		none = none || a->stride[i] < 0;
		for (unsigned j = 0; j < a->count; j++)
			none = none || (j != i && a->shape[j] > 1 && a->stride[j] > 0 &&
				a->stride[j] <= a->stride[i] &&
				a->shape[j] * a->stride[j] > a->stride[i]);
	}
	return none;
}

/* The end of the mode that ends last. */
static int64_t last_end(const struct cute_model *a)
{
	int64_t end = 1;

	for (unsigned i = 0; i < a->count; i++)
		if (a->shape[i] > 1 && a->shape[i] * a->stride[i] > end)
			end = a->shape[i] * a->stride[i];
	return end;
}

/* Ordered, apart from a but for 0, and both together reach cotarget, no further than
 * one more repetition. */
static bool is_complement(const struct cute_model *r, const struct cute_model *a,
	int64_t cotarget)
{
	int64_t reach = cosize(r) + cosize(a) - 1, last = -1;

	for (int64_t x = 0; x < cute_model_size(r); x++) {
		int64_t offset = cute_model_at(r, x);

		if (offset <= last || (offset && has_offset(a, offset)))
			return false;
		last = offset;
	}
	return reach >= cotarget && reach < cotarget + last_end(a);
}

static void complements(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned accepted = 0;

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t begin = seed;
		struct cute_model a = cute_model_random(&seed, 60, true, NULL), model;
		int64_t cotarget = 1 + random_wide(&seed, 400);
		layout_cute *result = layout_cute_complement(cute_model_build(ctx, &a),
			cotarget);
		bool right = has_no_complement(&a) &&
			layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER;

		if (result) {
			model = cute_model_of(result);
			right = is_complement(&model, &a, cotarget);
			accepted++;
		}
		if (!right)
			fail_random(ctx, begin, "complement", &a, NULL);
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(accepted > ROUNDS / 3 && accepted < ROUNDS);
	assert_true(layout_context_free(ctx));
}

/* The model of complement(a, cotarget), or false. */
static bool complement_model(layout_context *ctx, const struct cute_model *a,
	int64_t cotarget, struct cute_model *complement)
{
	layout_cute *cute = layout_cute_complement(cute_model_build(ctx, a), cotarget);

	layout_context_clear(ctx);
	if (cute)
		*complement = cute_model_of(cute);
	layout_cute_free(cute);
	return cute != NULL;
}

/* Linear coordinate of (x, y) in a pair whose modes have these sizes. */
static int64_t pair_at(const struct cute_model *pair, int64_t x, int64_t x_size,
	int64_t y, int64_t y_size)
{
	return cute_model_at(pair, pair->lexicographic ? x * y_size + y : x + x_size * y);
}

/* Q(t, r) = A(B(t) + C(r)) */
static bool is_quotient(const struct cute_model *q, const struct cute_model *a,
	const struct cute_model *b, const struct cute_model *c)
{
	int64_t tile = cute_model_size(b), rest = cute_model_size(c);

	for (int64_t t = 0; t < tile; t++)
		for (int64_t r = 0; r < rest; r++)
			if (pair_at(q, t, tile, r, rest) != cute_model_at(a,
					cute_model_at(b, t) + cute_model_at(c, r)))
				return false;
	return q->tree[0] == 2 && cute_model_size(q) == tile * rest;
}

/* (b, c) as one model. */
static struct cute_model pair_model(const struct cute_model *b,
	const struct cute_model *c)
{
	struct cute_model pair = { .node_count = 1, .tree = { 2 },
		.lexicographic = b->lexicographic };
	const struct cute_model *halves[] = { b, c };

	for (unsigned half = 0; half < 2; half++) {
		for (unsigned i = 0; i < halves[half]->node_count; i++)
			pair.tree[pair.node_count++] = halves[half]->tree[i];
		for (unsigned i = 0; i < halves[half]->count; i++) {
			pair.shape[pair.count] = halves[half]->shape[i];
			pair.stride[pair.count++] = halves[half]->stride[i];
		}
	}
	return pair;
}

/* Other forms are the same leaves under other nodes. */
static bool regroups(layout_context *ctx, const struct cute_model *q,
	const struct cute_model *a, const struct cute_model *b)
{
	unsigned second = 1;
	bool same = true;
	int ranks[2];

	ranks[0] = q->tree[second] < 0 ? 1 : q->tree[second];
	for (int open = 1; open; second++)
		open += q->tree[second] < 0 ? -1 : q->tree[second] - 1;
	ranks[1] = q->tree[second] < 0 ? 1 : q->tree[second];
	for (layout_cute_form form = FORM(ZIPPED); form <= FORM(FLAT); form++) {
		layout_cute *cute = layout_cute_divide(cute_model_build(ctx, a),
			cute_model_build(ctx, b), form);
		struct cute_model model = cute_model_of(cute);
		int rank = form == FORM(ZIPPED) ? 2 : form == FORM(TILED) ?
			1 + ranks[1] : ranks[0] + ranks[1];

		same = same && model.tree[0] == rank && model.count == q->count &&
			!memcmp(model.shape, q->shape, sizeof(q->shape)) &&
			!memcmp(model.stride, q->stride, sizeof(q->stride));
		layout_cute_free(cute);
	}
	return same;
}

/* Leave only the repetitions of b that begin below "size". */
static void cut(struct cute_model *complement, const struct cute_model *b, int64_t size)
{
	unsigned last = complement->lexicographic ? 0 : complement->count - 1;
	int64_t gaps = 0, end = last_end(b), all = cute_model_size(complement);

	for (int64_t x = 0; x < all; x++)
		gaps += cute_model_at(complement, x) < end;
	if (all)
		complement->shape[last] = gaps * ((size + end - 1) / end) /
			(all / complement->shape[last]);
}

static bool check_quotient(layout_context *ctx, const struct cute_model *a,
	const struct cute_model *b, layout_cute *result)
{
	struct cute_model complement, q, pair;

	if (!complement_model(ctx, b, cute_model_size(a), &complement))
		return !result;
	cut(&complement, b, cute_model_size(a));
	if (result) {
		q = cute_model_of(result);
		return is_quotient(&q, a, b, &complement) && regroups(ctx, &q, a, b);
	}
	pair = pair_model(b, &complement);
	return cute_model_size(&pair) > MOST_POINTS || !cute_model_composes(a, &pair);
}

static void quotients(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned accepted = 0;

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t begin = seed;
		struct cute_model a = cute_model_random(&seed, 200, true, NULL);
		struct cute_model b = cute_model_random(&seed, 30, false, &a);
		layout_cute *result = layout_cute_divide(cute_model_build(ctx, &a),
			cute_model_build(ctx, &b), FORM(LOGICAL));
		layout_error error = layout_context_error(ctx);

		if ((!result && error != LAYOUT_ERROR_NO_ANSWER) ||
				!check_quotient(ctx, &a, &b, result))
			fail_random(ctx, begin, "divide", &a, &b);
		accepted += result != NULL;
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	print_message("%u of %d have a quotient\n", accepted, ROUNDS);
	assert_true(accepted > ROUNDS / 6);
	assert_true(layout_context_free(ctx));
}

/* P(x, y) = A(x) + C(B(y)) */
static bool is_product(const struct cute_model *p, const struct cute_model *a,
	const struct cute_model *b, const struct cute_model *c)
{
	int64_t tile = cute_model_size(a), rest = cute_model_size(b);

	for (int64_t x = 0; x < tile; x++)
		for (int64_t y = 0; y < rest; y++)
			if (pair_at(p, x, tile, y, rest) != cute_model_at(a, x) +
					cute_model_at(c, cute_model_at(b, y)))
				return false;
	return p->tree[0] == 2 && cute_model_size(p) == tile * rest;
}

/* (x, y), mode by mode with x's or y's first, as a coordinate of the product. */
static int64_t interleaved(const struct cute_model *a, int64_t x,
	const struct cute_model *b, int64_t y, bool raked)
{
	const struct cute_model *of[] = { raked ? b : a, raked ? a : b };
	int64_t at[] = { raked ? y : x, raked ? x : y };
	int64_t linear = 0, step = 1;
	int ranks[2];

	for (unsigned i = 0; i < 2; i++)
		ranks[i] = of[i]->tree[0] < 0 ? 1 : of[i]->tree[0];
	for (int mode = 0; mode < ranks[0] || mode < ranks[1]; mode++)
		for (unsigned i = 0; i < 2; i++) {
			unsigned first, count = 0;
			int64_t size = 1;

			if (mode < ranks[i])
				count = cute_model_mode(of[i], (unsigned)mode, &first);
			for (unsigned leaf = 0; leaf < count; leaf++)
				size *= of[i]->shape[first + leaf];
			linear += at[i] % size * step;
			at[i] /= size;
			step *= size;
		}
	return linear;
}

static bool is_interleaved(layout_context *ctx, const struct cute_model *a,
	const struct cute_model *b, const struct cute_model *c, bool raked)
{
	layout_cute *cute = layout_cute_product(cute_model_build(ctx, a),
		cute_model_build(ctx, b), raked ? FORM(RAKED) : FORM(BLOCKED));
	struct cute_model p;
	bool same = cute != NULL;

	if (cute)
		p = cute_model_of(cute);
	for (int64_t x = 0; same && x < cute_model_size(a); x++)
		for (int64_t y = 0; y < cute_model_size(b); y++)
			same = same && cute_model_at(a, x) +
				cute_model_at(c, cute_model_at(b, y)) ==
				cute_model_at(&p, interleaved(a, x, b, y, raked));
	layout_cute_free(cute);
	return same;
}

static bool check_product(layout_context *ctx, const struct cute_model *a,
	const struct cute_model *b, layout_cute *result)
{
	struct cute_model complement, p;

	if (!cute_model_size(a) || !cute_model_size(b))
		return !result || !layout_cute_size(result);
	if (!complement_model(ctx, a, cute_model_size(a) * cosize(b), &complement))
		return !result;
	if (!result)
		return !cute_model_composes(&complement, b);
	p = cute_model_of(result);
	return is_product(&p, a, b, &complement) && (a->lexicographic ||
		(is_interleaved(ctx, a, b, &complement, false) &&
		 is_interleaved(ctx, a, b, &complement, true)));
}

static void products(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned accepted = 0;

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t begin = seed;
		struct cute_model a = cute_model_random(&seed, 30, false, NULL);
		struct cute_model b = cute_model_random(&seed, 30, false, NULL);
		layout_cute *result;
		layout_error error;

		b.lexicographic = a.lexicographic;
		result = layout_cute_product(cute_model_build(ctx, &a),
			cute_model_build(ctx, &b), FORM(LOGICAL));
		error = layout_context_error(ctx);
		if ((!result && error != LAYOUT_ERROR_NO_ANSWER) ||
				!check_product(ctx, &a, &b, result))
			fail_random(ctx, begin, "product", &a, &b);
		accepted += result != NULL;
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	print_message("%u of %d have a product\n", accepted, ROUNDS);
	assert_true(accepted > ROUNDS / 6);
	assert_true(layout_context_free(ctx));
}

/* Evaluation, copies and accessors against the definition. */
static void objects_agree(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct cute_model a = cute_model_random(&seed, 200, true, NULL), copy;
		layout_cute *cute = cute_model_build(ctx, &a);
		layout_cute *other = layout_cute_copy(cute);
		int64_t x = random_wide(&seed, 500), offset = 0;

		copy = cute_model_of(other);
		assert_memory_equal(&a, &copy, sizeof(a));
		assert_int_equal(layout_cute_size(other), cute_model_size(&a));
		assert_int_equal(layout_cute_cosize(other), cosize(&a));
		if (layout_cute_eval(cute, x, &offset))
			assert_int_equal(offset, cute_model_at(&a, x));
		else
			assert_int_equal(cute_model_size(&a), 0);
		layout_context_clear(ctx);
		layout_cute_free(cute);
		layout_cute_free(other);
	}
	assert_true(layout_context_free(ctx));
}

/* A tree of "depth" levels is one layout, or refused. */
static void deep_trees(void **state)
{
	enum { DEEP = 100000 };
	layout_context *ctx = layout_context_new();
	int *tree = malloc((DEEP + 1) * sizeof(*tree));
	int64_t one = 1;
	layout_cute *cute;

	(void)state;
	for (unsigned i = 0; i < DEEP; i++)
		tree[i] = 1;
	tree[DEEP] = tree[100] = -1;
	assert_null(layout_cute_new(ctx, tree, DEEP + 1, &one, &one, 1));
	layout_context_clear(ctx);
	cute = layout_cute_new(ctx, tree, 101, &one, &one, 1);
	assert_non_null(cute);
	cute = layout_cute_coalesce_by(cute, tree, 101);
	assert_int_equal(layout_cute_node_count(cute), 101);
	layout_cute_free(cute);
	tree[100] = 1;
	assert_null(layout_cute_new(ctx, tree, DEEP + 1, &one, &one, 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	free(tree);
	assert_true(layout_context_free(ctx));
}

/* No result is deeper than what can be built and printed. */
static void results_stay_shallow(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_cute *deep = layout_cute_parse(ctx, "15:1"), *next;
	unsigned levels = 1;

	(void)state;
	while ((next = layout_cute_product(layout_cute_copy(deep),
			layout_cute_parse(ctx, "1:0"), FORM(LOGICAL)))) {
		layout_cute_free(deep);
		deep = next;
		levels++;
	}
	assert_string_equal(layout_context_message(ctx),
		"the result would have more than 256 levels");
	assert_in_range(levels, 200, 256);
	layout_context_clear(ctx);
	assert_null(layout_cute_compose(layout_cute_parse(ctx, "(4,5):(1,7)"), deep));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
	assert_true(layout_context_free(ctx));
}

/* NULL passes through and takes the other argument along. */
static void null_passes_through(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_cute_tile tiles[2];
	int64_t offset;

#define EIGHT layout_cute_parse(ctx, "8:1")
	(void)state;
	assert_null(layout_cute_compose(NULL, EIGHT));
	assert_null(layout_cute_compose(EIGHT, NULL));
	assert_null(layout_cute_divide(NULL, EIGHT, FORM(FLAT)));
	assert_null(layout_cute_divide(EIGHT, NULL, FORM(FLAT)));
	assert_null(layout_cute_product(NULL, EIGHT, FORM(BLOCKED)));
	assert_null(layout_cute_product(EIGHT, NULL, FORM(LOGICAL)));
	assert_null(layout_cute_complement(NULL, -1));
	assert_null(layout_cute_coalesce(NULL));
	assert_null(layout_cute_coalesce_by(NULL, NULL, 0));
	assert_null(layout_cute_filter(NULL));
	assert_null(layout_cute_flatten(NULL));
	assert_null(layout_cute_copy(NULL));
	tiles[0] = (layout_cute_tile){ EIGHT, false };
	tiles[1] = (layout_cute_tile){ NULL, false };
	assert_null(layout_cute_compose_by(NULL, tiles, 1));
	tiles[0].layout = EIGHT;
	assert_null(layout_cute_divide_by(EIGHT, tiles, 2, FORM(ZIPPED)));
	assert_false(layout_cute_eval(NULL, 0, &offset));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_null(layout_cute_coalesce_by(EIGHT, NULL, 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	assert_null(layout_cute_product_by(EIGHT, NULL, 1, FORM(LOGICAL)));
	assert_int_equal(layout_cute_size(NULL), -1);
	assert_int_equal(layout_cute_cosize(NULL), -1);
	assert_int_equal(layout_cute_rank(NULL), 0);
	assert_int_equal(layout_cute_arity(NULL, 0), 0);
#undef EIGHT
	assert_true(layout_context_free(ctx));
}

static void contexts_do_not_mix(void **state)
{
	layout_context *one = layout_context_new(), *two = layout_context_new();

	(void)state;
	assert_null(layout_cute_compose(layout_cute_parse(one, "8:1"),
		layout_cute_parse(two, "4:1")));
	assert_int_equal(layout_context_error(one), LAYOUT_ERROR_INVALID);
	layout_context_clear(one);
	assert_null(layout_cute_divide(layout_cute_parse(one, "8:1"),
		layout_cute_parse(two, "4:1"), FORM(LOGICAL)));
	assert_int_equal(layout_context_error(one), LAYOUT_ERROR_INVALID);
	assert_true(layout_context_free(one));
	assert_true(layout_context_free(two));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_right),
		cmocka_unit_test(by_mode),
		cmocka_unit_test(profiles),
		cmocka_unit_test(fewer_modes),
		cmocka_unit_test(complements),
		cmocka_unit_test(quotients),
		cmocka_unit_test(products),
		cmocka_unit_test(objects_agree),
		cmocka_unit_test(deep_trees),
		cmocka_unit_test(results_stay_shallow),
		cmocka_unit_test(null_passes_through),
		cmocka_unit_test(contexts_do_not_mix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
