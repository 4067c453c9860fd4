/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inverses, nullspaces, what two layouts have in common, casts and the order of
 * coordinates: rows, and at random against the definition, point by point. */
#include "algebra/cute/order.h"
#include "support/cute_model.h"
#include "support/cute_text.h"
#include "support/random.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MOST_POINTS 300

static uint64_t seed;

/* Say which layout failed. */
static void complain(const char *what, layout_cute *a, layout_cute *result)
{
	char *text = layout_cute_str(a), *second = layout_cute_str(result);

	fail_msg("%s: %s: %s", what, text ? text : "-", second ? second : "-");
}

static layout_cute *upcast(layout_cute *cute)
{
	return layout_cute_upcast(cute, 4);
}

static layout_cute *upcast_by_3(layout_cute *cute)
{
	return layout_cute_upcast(cute, 3);
}

static layout_cute *downcast(layout_cute *cute)
{
	return layout_cute_downcast(cute, 4);
}

static layout_cute *recast(layout_cute *cute)
{
	return layout_cute_recast(cute, 6, 8);
}

/* A result, or a part of the reason why there is none. */
static const struct {
	layout_cute *(*run)(layout_cute *);
	const char *text, *result, *message;
} rows[] = {
	{ layout_cute_right_inverse, "(2,4):(0,1)", "4:2", NULL },
	{ layout_cute_right_inverse, "(4,8):(8,1)", "(8,4):(4,1)", NULL },
	{ layout_cute_right_inverse, "(4,8):(1,5)", "4:1", NULL },
	{ layout_cute_right_inverse, "(4,8):(-1,1)", "8:4", NULL },
	{ layout_cute_right_inverse, "8:2", "1:0", NULL },
	{ layout_cute_right_inverse, "(4,8):(1,2)", "(2,8):(1,4)", NULL },
	{ layout_cute_right_inverse, "(2,4,8):(1,1,4)", "32:2", NULL },
	{ layout_cute_right_inverse, "(4,0):(1,4)", "0:0", NULL },
	{ layout_cute_right_inverse, "():()", "1:0", NULL },
	{ layout_cute_right_inverse, "(2,4611686018427387903):(4611686018427387903,1)",
		"(4611686018427387903,2):(2,1)", NULL },
	{ layout_cute_right_inverse, "pack_map<(4,8):(8,1)>", "pack_map<32:1>", NULL },
	{ layout_cute_right_inverse, "pack_map<(4,8):(1,4)>", "pack_map<(8,4):(1,8)>",
		NULL },
	{ layout_cute_right_inverse, "Sw<3,4,3>", "Sw<3,4,3>", NULL },
	{ layout_cute_right_inverse, "Sw<3,4,3> o 3 o 4:1", NULL,
		"no coordinate has the offset 0" },
	{ layout_cute_right_inverse, "Sw<0,0,0> o 3 o 4:-1", "Sw<0,0,0> o 3 o 4:-1",
		NULL },
	{ layout_cute_right_inverse, "Sw<2,0,4> o 0 o ((4,2),32):((64,32),1)", NULL,
		"its inverse is no single swizzle of a layout" },
	{ layout_cute_right_inverse, "Sw<1,0,1> o 0 o (3,4):(4,1)", NULL,
		"no single swizzle" },
	{ layout_cute_right_inverse, "Sw<1,4,1> o 0 o (3,4):(4,1)", "(4,3):(3,1)", NULL },
	{ layout_cute_right_inverse, "Sw<1,0,1> o 1 o (3,4):(4,1)", NULL,
		"no coordinate has the offset 0" },
	{ layout_cute_right_inverse, "Sw<1,0,1> o 0 o (3,1000000):(1,3)", NULL,
		"unknown: a right inverse" },
	{ layout_cute_left_inverse, "4:2", "(2,4):(0,1)", NULL },
	{ layout_cute_left_inverse, "(4,8):(8,1)", "(8,4):(4,1)", NULL },
	{ layout_cute_left_inverse, "(2,2):(2,5)", "(2,4):(0,1)", NULL },
	{ layout_cute_left_inverse, "(6,2):(9,2)", "(9,6):(3,1)", NULL },
	{ layout_cute_left_inverse, "(2,2):(3,5)", "(2,3,2):(0,1,2)", NULL },
	{ layout_cute_left_inverse, "(2,2):(9,8)", "(8,3):(-1,2)", NULL },
	{ layout_cute_left_inverse, "(2,2):(2,5000000001)",
		"(2,2500000002):(-2499999998,1)", NULL },
	{ layout_cute_left_inverse, "2:4611686018427387904",
		"(4611686018427387904,1):(0,1)", NULL },
	{ layout_cute_left_inverse, "(4,(4,8)):(1,(5,24))", NULL,
		"no layout leads from each of the 128 offsets 0 to 186 back" },
	{ layout_cute_left_inverse, "(1000,60):(3,4000)", NULL,
		"unknown: whether a layout leads from each of the 60000 offsets" },
	{ layout_cute_left_inverse, "(3,4):(4,2)", "(2,4):(0,3)", NULL },
	{ layout_cute_left_inverse, "(16,32):(128,16)", "(16,32):(0,16)", NULL },
	{ layout_cute_left_inverse, "(7,(4,16,2)):(12,(12,1,1))", "2:448", NULL },
	{ layout_cute_left_inverse, "((5,4),(1,10,7)):((1,5),(64,1,1))", "7:200", NULL },
	{ layout_cute_left_inverse, "(3,4,1):(64,128,4)", "513:3", NULL },
	{ layout_cute_left_inverse, "(3,4,1):(64,128,0)", "(43,12):(0,1)", NULL },
	{ layout_cute_left_inverse, "(1024,1024,1024):(1024,1024,1)", "1024:1048576",
		NULL },
	{ layout_cute_left_inverse, "pack_map<(32,16):(16,128)>",
		"pack_map<(32,16):(16,0)>", NULL },
	{ layout_cute_left_inverse, "((4,4),4):((2,3),59)", NULL, "coordinates 3 and 8 "
		"share the offset 6, and no layout leads from each of the 56 offsets 0 "
		"to 192 back to a coordinate of it" },
	{ layout_cute_left_inverse, "Sw<2,2,3> o 0 o (12,5):(9,4)", NULL,
		"a left inverse of Sw<2,2,3> o 0 o (12,5):(9,4): the inverse of the layout "
		"alone" },
	{ layout_cute_left_inverse, "4:-2", NULL, "stride -2 leads to offsets below 0" },
	{ layout_cute_left_inverse, "(3,2,2):(1,2,16)", "(3,5,2):(1,4,5)", NULL },
	{ layout_cute_left_inverse, "((9,3),7):((59,12),1)", "7:27", NULL },
	{ layout_cute_left_inverse, "(1000,1000,1000):(1,500,500000)",
		"(500,1000000):(1,1000)", NULL },
	{ layout_cute_left_inverse, "(1000,1000,1000):(1,500,500001)", NULL,
		"unknown: whether" },
	{ layout_cute_left_inverse, "(4,3):(0,0)", "1:0", NULL },
	{ layout_cute_left_inverse, "pack_map<(4,8):(8,1)>", "pack_map<32:1>", NULL },
	{ layout_cute_left_inverse, "Sw<3,4,3> o 0 o 8:64", "(64,8):(0,1)", NULL },
	{ layout_cute_left_inverse, "Sw<0,0,0> o 6 o 4:-2",
		"Sw<0,0,0> o 3 o (2,4):(0,-1)", NULL },
	{ layout_cute_nullspace, "(2,2,2):(1,0,2)", "2:2", NULL },
	{ layout_cute_nullspace, "pack_map<(2,3,2):(1,0,2)>", "pack_map<3:2>", NULL },
	{ layout_cute_nullspace, "(4,8):(1,4)", "1:0", NULL },
	{ layout_cute_nullspace, "Sw<1,0,1> o 0 o (4,8):(1,0)", "8:4", NULL },
	{ layout_cute_nullspace, "Sw<1,0,1> o 6 o (4,8):(1,0)", NULL,
		"coordinate 0 has the offset Sw<1,0,1>(6), which is not 0" },
	{ layout_cute_nullspace, "(4,0,2):(0,1,0)", "(4,2):(1,0)", NULL },
	{ layout_cute_nullspace,
		"(4611686018427387904,4611686018427387904,0,5):(0,0,0,0)", NULL,
		"the coordinates of mode 5:0 do not fit 64 bits" },
	{ upcast, "(8,6):(1,8)", "(2,6):(1,2)", NULL },
	{ upcast, "(8,6):(-1,8)", "(2,6):(-1,2)", NULL },
	{ upcast, "(5,6):(1,0)", "(2,6):(1,0)", NULL },
	{ upcast, "4:3", NULL, "of stride 3 and 4 neither divides the other" },
	{ upcast, "Sw<2,1,3> o 8 o 64:1", "Sw<1,0,3> o 2 o 16:1", NULL },
	{ upcast, "Sw<1,0,3> o 0 o 64:1", "16:1", NULL },
	{ upcast, "Sw<1,0,-2> o 0 o 64:1", NULL, "it tears the elements apart" },
	{ upcast, "Sw<1,0,-1> o 0 o 64:1", "16:1", NULL },
	{ upcast, "Sw<1,2,-2> o 0 o 64:1", "Sw<1,0,-2> o 0 o 16:1", NULL },
	{ upcast, "Sw<1,2,-2> o 6 o 64:1", NULL, "its offset is no multiple" },
	{ upcast_by_3, "Sw<1,2,-2> o 6 o 64:1", NULL, "that is no power of two" },
	{ upcast_by_3, "Sw<0,2,-2> o 6 o (6,2):(1,6)", "Sw<0,2,-2> o 2 o (2,2):(1,2)",
		NULL },
	{ downcast, "(8,6):(1,8)", "(32,6):(1,32)", NULL },
	{ downcast, "8:2", NULL, "no mode has stride 1" },
	{ downcast, "8:4611686018427387904", NULL, "does not fit 64 bits" },
	{ downcast, "(1,2):(1,2305843009213693952)", NULL,
		"2305843009213693952 times 4 does not fit 64 bits" },
	{ downcast, "Sw<2,1,3> o 8 o 16:1", "Sw<2,3,3> o 32 o 64:1", NULL },
	{ recast, "((4,2),2):((4,2),1)", "((12,3),3):((1,1),1)", NULL },
};

static void every_row(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_cute *result = rows[i].run(layout_cute_parse(ctx, rows[i].text));
		char *text = layout_cute_str(result);

		if (rows[i].result ? !text || strcmp(text, rows[i].result) != 0 : text ||
				layout_context_position(ctx) < -1 ||
				!strstr(layout_context_message(ctx), rows[i].message))
			fail_msg("row %zu, %s: %s: %s", i, rows[i].text,
				text ? text : "-", layout_context_message(ctx));
		layout_string_free(text);
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

static int below(int limit)
{
	return (int)random_wide(&seed, limit);
}

/* Compact, odd, or of powers of two; a quarter of them swizzled. */
static layout_cute *random_layout(layout_context *ctx)
{
	struct cute_model model = cute_model_random(&seed, MOST_POINTS, !below(6), NULL);

	for (unsigned i = 0; below(3) == 0 && i < model.count; i++)
		while (model.shape[i] & (model.shape[i] - 1))
			model.shape[i]--;
	model.swizzled = !below(4);
	if (model.swizzled) {
		int bits = below(4), shift = bits + below(3);

		model.swizzle = (layout_cute_swizzle){ bits, below(4),
			below(2) ? shift : -shift, below(4) ? 0 : below(20) };
	}
	/* Down instead of up, from an offset as far away. */
	for (unsigned i = 0; model.swizzled && i < model.count; i++) {
		if (model.stride[i] < 0 || below(4) || !model.shape[i])
			continue;
		model.swizzle.offset += (model.shape[i] - 1) * model.stride[i];
		model.stride[i] = -model.stride[i];
	}
	return cute_model_build(ctx, &model);
}

/* The same strides, but fewer coordinates along one mode. */
static layout_cute *shortened(layout_context *ctx, layout_cute *cute)
{
	struct cute_model model = cute_model_of(cute);
	unsigned leaf = (unsigned)below((int)model.count);

	if (model.shape[leaf])
		model.shape[leaf] = 1 + below((int)model.shape[leaf]);
	return cute_model_build(ctx, &model);
}

/* How many offsets 0, 1, .. the layout has. */
static int64_t run_of(const struct cute_text *layout)
{
	bool seen[4 * MOST_POINTS] = { false };
	int64_t count = 0;

	for (int64_t i = 0; i < layout->size; i++) {
		int64_t offset = cute_text_at(layout, i);

		if (offset >= 0 && offset < 4 * MOST_POINTS)
			seen[offset] = true;
	}
	while (count < layout->size && seen[count])
		count++;
	return count;
}

static bool is_injective(const struct cute_text *layout)
{
	for (int64_t i = 0; i < layout->size; i++)
		for (int64_t k = 0; k < i; k++)
			if (cute_text_at(layout, i) == cute_text_at(layout, k))
				return false;
	return true;
}

/* L(R(i)) = i; and all of a bijection onto 0, 1, .., where there is no swizzle. */
static bool check_right(layout_cute *cute, layout_cute *result)
{
	struct cute_text l = cute_text_of(cute), r;
	bool ok = true;

	if (!result)
		return layout_cute_swizzled(cute, NULL);
	r = cute_text_of(result);
	for (int64_t i = 0; ok && i < r.size; i++) {
		int64_t coordinate = cute_text_at(&r, i);

		ok = coordinate >= 0 && coordinate < l.size &&
			cute_text_at(&l, coordinate) == i;
	}
	return ok && r.size <= run_of(&l) && (run_of(&l) < l.size || r.size == l.size);
}

/* L(R(L(i))) = L(i), R(L(i)) = i save where the last mode stands for others. */
static bool check_left(layout_cute *cute, layout_cute *result)
{
	struct cute_text l = cute_text_of(cute), r;
	bool ok = true;

	if (!result)
		return true;
	r = cute_text_of(result);
	for (int64_t i = 0; ok && i < l.size; i++) {
		int64_t offset = cute_text_at(&l, i);
		int64_t coordinate = cute_text_at(&r, offset);

		ok = coordinate >= 0 && cute_text_at(&l, coordinate) == offset &&
			(coordinate == i || coordinate >= l.size || !is_injective(&l));
	}
	return ok;
}

/* The coordinates with the offset of coordinate 0 along modes of stride 0. */
static bool check_nullspace(layout_cute *cute, layout_cute *result)
{
	struct cute_text l = cute_text_of(cute), r;
	int64_t size = 1;
	bool ok = true;

	if (!result)
		return l.offset != 0;
	r = cute_text_of(result);
	for (unsigned i = 0; i < l.leaves; i++)
		size *= l.stride[i] || !l.shape[i] ? 1 : l.shape[i];
	for (int64_t i = 0; ok && l.size && i < r.size; i++)
		ok = cute_text_at(&l, cute_text_at(&r, i)) == 0 &&
			(!i || cute_text_at(&r, i) > cute_text_at(&r, i - 1));
	return ok && r.size == size;
}

/* Elements 4 times larger: the first of each 4, where the 4 lie side by side. */
static bool check_upcast(layout_cute *cute, layout_cute *result)
{
	struct cute_text l = cute_text_of(cute), r;
	bool ok = !l.lexicographic && l.leaves && l.stride[0] == 1 &&
		l.shape[0] % 4 == 0 && l.offset % 4 == 0;

	for (unsigned i = 1; i < l.leaves; i++)
		ok = ok && l.stride[i] % 4 == 0;
	if (!ok || !l.size)
		return true;
	if (!result)
		return l.shift < 0;
	r = cute_text_of(result);
	for (int64_t i = 0; ok && i < r.size; i++) {
		int64_t least = INT64_MAX;

		for (int64_t k = 0; k < 4; k++) {
			int64_t offset = cute_text_at(&l, 4 * i + k);

			least = offset < least ? offset : least;
		}
		ok = cute_text_at(&r, i) == least / 4 && least % 4 == 0;
	}
	return ok && 4 * r.size == l.size;
}

/* Elements 4 times smaller, one after another. */
static bool check_downcast(layout_cute *cute, layout_cute *result)
{
	struct cute_text l = cute_text_of(cute), r;
	bool ok = !l.lexicographic && l.leaves && l.stride[0] == 1;

	for (unsigned i = 1; i < l.leaves; i++)
		ok = ok && labs(l.stride[i]) != 1;
	if (!ok || !l.size)
		return true;
	if (!result)
		return false;
	r = cute_text_of(result);
	for (int64_t i = 0; ok && i < r.size; i++)
		ok = cute_text_at(&r, i) == 4 * cute_text_at(&l, i / 4) + i % 4;
	return ok && r.size == 4 * l.size;
}

/* First mode fastest instead of last, or the other way round: the same offsets. */
static bool check_order(layout_cute *cute, layout_cute *result)
{
	struct cute_text l = cute_text_of(cute), r = cute_text_of(result);
	bool ok = l.size == r.size && layout_cute_is_lexicographic(cute) !=
		layout_cute_is_lexicographic(result);

	for (int64_t i = 0; ok && i < l.size; i++)
		ok = cute_text_at(&l, i) == cute_text_at(&r, i);
	return ok;
}

static const struct {
	const char *name;
	layout_cute *(*run)(layout_cute *);
	bool (*check)(layout_cute *cute, layout_cute *result);
} checks[] = {
	{ "right inverse", layout_cute_right_inverse, check_right },
	{ "left inverse", layout_cute_left_inverse, check_left },
	{ "nullspace", layout_cute_nullspace, check_nullspace },
	{ "upcast", upcast, check_upcast },
	{ "downcast", downcast, check_downcast },
	{ "order", cute_order_reverse, check_order },
};

static void random_layouts(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned found[sizeof(checks) / sizeof(*checks)] = { 0 };

	(void)state;
	/* Enough for all points; a search for a left inverse may end earlier. */
	layout_context_set_quota(ctx, 16 * MOST_POINTS);
	for (int turn = 0; turn < 3000; turn++) {
		layout_cute *cute = random_layout(ctx);

		for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
			layout_cute *result = checks[i].run(layout_cute_copy(cute));

			found[i] += result != NULL;
			if (!checks[i].check(cute, result))
				complain(checks[i].name, cute, result);
			layout_cute_free(result);
			layout_context_clear(ctx);
		}
		layout_cute_free(cute);
	}
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		assert_true(found[i] > 500);
	assert_true(layout_context_free(ctx));
}

/* How many offsets 0, 1, .. both have at a coordinate of both. */
static int64_t common_of(const struct cute_text *a, const struct cute_text *b)
{
	bool seen[MOST_POINTS] = { false };
	int64_t count = 0;

	for (int64_t i = 0; i < a->size && i < b->size; i++) {
		int64_t offset = cute_text_at(a, i);

		if (offset >= 0 && offset < MOST_POINTS && cute_text_at(b, i) == offset)
			seen[offset] = true;
	}
	while (count < MOST_POINTS && seen[count])
		count++;
	return count;
}

/* "count" elements are in common, and "common" has the coordinates of some. */
static bool check_common(layout_cute *a, layout_cute *b, int64_t count,
	layout_cute *common)
{
	struct cute_text l = cute_text_of(a), m = cute_text_of(b);
	struct cute_text c = cute_text_of(common);
	bool ok = count == common_of(&l, &m) && c.size <= count && (c.size || !count);

	for (int64_t i = 0; ok && i < c.size; i++) {
		int64_t coordinate = cute_text_at(&c, i);

		ok = coordinate >= 0 && coordinate < l.size && coordinate < m.size &&
			cute_text_at(&l, coordinate) == i &&
			cute_text_at(&m, coordinate) == i;
	}
	return ok;
}

static void random_pairs(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned more = 0;

	(void)state;
	for (int turn = 0; turn < 3000; turn++) {
		layout_cute *b = random_layout(ctx);
		layout_cute *a = below(2) ? random_layout(ctx) : shortened(ctx, b);
		layout_cute *common = layout_cute_max_common_layout(layout_cute_copy(a),
			layout_cute_copy(b));
		int64_t count = 0;

		if (!common || !layout_cute_max_common_vector(a, b, &count) ||
		    !check_common(a, b, count, common))
			complain("common", a, b);
		more += count > 1;
		layout_cute_free(a);
		layout_cute_free(b);
		layout_cute_free(common);
	}
	assert_true(more > 300);
	assert_true(layout_context_free(ctx));
}

/* How many elements, and the layout; -1: unknown. */
static void common_rows(void **state)
{
	static const struct {
		const char *a, *b, *layout;
		int64_t count;
	} pairs[] = {
		{ "(8,2):(1,24)", "12:1", "8:1", 8 },
		{ "(5,4):(8,7)", "6:1", "1:0", 1 },
		{ "(5,4):(1,1)", "8:1", "5:1", 5 },
		{ "2:1", "Sw<2,1,2> o 30 o 2:1", "0:0", 0 },
		{ "0:1", "4:1", "0:0", 0 },
		{ "4:1", "0:1", "0:0", 0 },
		{ "(9,8):(9,1)", "(9,8):(4,1)", "8:9", 8 },
		{ "(9,8):(4,1)", "(9,8):(9,1)", "8:9", 8 },
		{ "4:1", "(4,6):(1,2)", "4:1", 4 },
		{ "(2,2):(1,2)", "(2,2):(1,1)", "2:1", 2 },
		{ "(9,6):(2,1)", "(9,6):(2,1)", "(2,9):(9,1)", 22 },
		{ "Sw<0,0,0> o 3 o 4:-1", "Sw<0,0,0> o 3 o 4:-1",
			"Sw<0,0,0> o 3 o 4:-1", 4 },
		{ "Sw<1,0,2> o 0 o (3,8):(8,1)", "(3,8):(8,1)", "4:3", 4 },
		/* Too large to look at each point. */
		{ "(1000000,1000000):(1,0)", "(1000000,1000000):(1,1000000)",
			"1000000:1", 1000000 },
		{ "(1000000,1000000):(1,1000000)", "(1000000,500000):(1,1000000)",
			"500000000000:1", 500000000000 },
		{ "(1000000,1000000):(1000000,1)", "(1000000,1000000):(1,1000000)",
			"1:0", 1 },
		{ "(1048576,1048576):(1048576,1)",
			"Sw<3,4,3> o 0 o (1048576,1048576):(1048576,1)",
			"128:1048576", 128 },
		{ "(1024,1048576):(0,1)", "(1048576,1024):(0,1)", "1:0", 1 },
		{ "(1000000,1000000):(1,-1)", "(1000000,1000000):(1,-1)", NULL, -1 },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		layout_cute *a = layout_cute_parse(ctx, pairs[i].a);
		layout_cute *b = layout_cute_parse(ctx, pairs[i].b), *common;
		int64_t count = -1;
		bool known = layout_cute_max_common_vector(a, b, &count);
		char *text;

		common = layout_cute_max_common_layout(a, b);
		text = layout_cute_str(common);
		if (count != pairs[i].count || known != (pairs[i].layout != NULL) ||
		    (known && (!text || strcmp(text, pairs[i].layout) != 0)) ||
		    (!known && layout_context_error(ctx) != LAYOUT_ERROR_QUOTA))
			fail_msg("row %zu, %s and %s: %" PRId64 ", %s", i, pairs[i].a,
				pairs[i].b, count, text ? text : "-");
		layout_string_free(text);
		layout_cute_free(common);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row),
		cmocka_unit_test(random_layouts),
		cmocka_unit_test(random_pairs),
		cmocka_unit_test(common_rows),
	};

	seed = random_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
