/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swizzled CuTe layouts: values, relations, compositions and casts, in rows and at
 * random against the definition, point by point. */
#include "isl_bridge/relation.h"
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

#define MOST_POINTS 256

static uint64_t seed;

static int below(int limit)
{
	return (int)random_wide(&seed, limit);
}

/* Offset, where there is one, and what follows from it: bits below 20. */
static layout_cute_swizzle random_swizzle(void)
{
	int shift = 1 + below(5), bits = below(shift + 1);

	return (layout_cute_swizzle){ bits, below(4), below(3) ? shift : -shift,
		below(3) ? 0 : below(40) };
}

/* Distinct powers of two as strides, shapes that are powers of two: a function of bits,
 * unless the swizzle's offset carries. */
static struct cute_model random_bits(void)
{
	struct cute_model model = { .node_count = 1 };
	unsigned used = 0;

	model.count = 1 + (unsigned)below(3);
	model.tree[0] = (int)model.count;
	for (unsigned i = 0; i < model.count; i++) {
		int width = below(4), first = below(10 - width);
		unsigned mask = ((1u << width) - 1) << first;

		model.tree[model.node_count++] = -1;
		model.shape[i] = used & mask ? 1 : 1 << width;
		model.stride[i] = used & mask ? 0 : 1 << first;
		used |= used & mask ? 0 : mask;
	}
	model.lexicographic = !below(8);
	return model;
}

/* Any layout, half of them functions of bits, most of them swizzled. */
static layout_cute *random_layout(layout_context *ctx)
{
	struct cute_model model = below(2) ? random_bits() :
		cute_model_random(&seed, MOST_POINTS, false, NULL);

	/* A pack_map has no shape of 0. */
	for (unsigned i = 0; i < model.count; i++)
		model.lexicographic = model.lexicographic && model.shape[i];
	model.swizzled = below(4);
	if (model.swizzled)
		model.swizzle = random_swizzle();
	/* Down instead of up, from an offset as far away. */
	for (unsigned i = 0; model.swizzled && i < model.count; i++) {
		if (below(5) || !model.shape[i] || model.lexicographic)
			continue;
		model.swizzle.offset += (model.shape[i] - 1) * model.stride[i];
		model.stride[i] = -model.stride[i];
	}
	return cute_model_build(ctx, &model);
}

/* Say which layouts failed. */
static void complain(const char *what, layout_context *ctx, layout_cute *a,
	layout_cute *b, layout_cute *result)
{
	char *text[] = { layout_cute_str(a), layout_cute_str(b),
		layout_cute_str(result) };

	fail_msg("%s: %s, %s: %s: %s", what, text[0] ? text[0] : "-",
		text[1] ? text[1] : "-", text[2] ? text[2] : "-",
		layout_context_message(ctx));
}

struct walk {
	const struct cute_text *layout;
	int64_t next;
	bool wrong;
};

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct walk *walk = user;

	walk->wrong = walk->wrong || in_rank != 1 || image_rank != 1 ||
		in[0] != walk->next || image[0] != cute_text_at(walk->layout, walk->next);
	walk->next++;
	return !walk->wrong;
}

/* Does the relation have the layout's offsets, and only these? */
static bool relates(layout_relation *relation, const struct cute_text *layout)
{
	struct walk walk = { .layout = layout };
	bool ok = relation && layout_relation_for_each(relation, visit, &walk) &&
		!walk.wrong && walk.next == layout->size;

	layout_relation_free(relation);
	return ok;
}

static const struct {
	const char *text;
	int64_t size, cosize;
	const char *printed;	/* NULL: as it was */
} layouts[] = {
	{ "Sw<3,4,3>", 1024, 1024, NULL },
	{ "Sw<3,4,3> o 0 o 1024:1", 1024, 1024, "Sw<3,4,3>" },
	{ "Sw<3,4,3> o 0 o (8,64):(64,1)", 512, 512, NULL },
	{ "Sw<3,4,3> o 16 o (8,64):(64,1)", 512, 592, NULL },
	{ "Sw<0,4,3>", 128, 128, "128:1" },
	{ "Sw<0,4,3> o 0 o (8,8):(8,1)", 64, 64, "(8,8):(8,1)" },
	{ "Sw<0,4,3> o 5 o (8,8):(8,1)", 64, 69, NULL },
	{ "Sw<1,0,-1> o 0 o 2:1", 2, 4, NULL },
	{ "Sw<2,1,-3> o 5 o (3,5):(7,1)", 15, 64, NULL },
	{ "Sw<1,0,1> o 4 o 4:-1", 4, 5, NULL },
	{ "Sw<1,60,1> o 0 o 2:2305843009213693952", 2, 3458764513820540929, NULL },
	{ "Sw<3,4,3> o 0 o (4,0):(1,4)", 0, 0, NULL },
	{ "Sw<3,4,3> o 0 o ():()", 1, 1, NULL },
	{ "Sw<1,0,1> o 0 o pack_map<(4,8):(8,1)>", 32, 32, NULL },
	{ "Sw<1,0,1> o 0 o (3,1000000):(1,3)", 3000000, 4194304, NULL },
	{ "pack_map<(4,8):(8,1)>", 32, 32, NULL },
	{ "pack_map<((2,2),4):((1,8),2)>", 16, 16, NULL },
	{ "pack_map<7:1>", 7, 7, NULL },
};

static void rows_of_layouts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		layout_cute *cute = layout_cute_parse(ctx, layouts[i].text);
		char *text = layout_cute_str(cute);
		struct cute_text read;

		assert_non_null(text);
		assert_string_equal(text,
			layouts[i].printed ? layouts[i].printed : layouts[i].text);
		assert_true(cute_text_read(layouts[i].text, &read));
		if (layout_cute_size(cute) != layouts[i].size ||
		    layout_cute_cosize(cute) != layouts[i].cosize ||
		    (layouts[i].size <= 1024 &&
		     !relates(layout_cute_relation(cute), &read)))
			complain("layout", ctx, cute, NULL, NULL);
		layout_string_free(text);
		layout_cute_free(cute);
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *text;
	layout_error kind;
	long position;
	const char *message;
} errors[] = {
	{ "Sw<3,4>", LAYOUT_ERROR_PARSE, 6, "expected `,`" },
	{ "Sw<3,4,3", LAYOUT_ERROR_PARSE, 8, "expected `>`" },
	{ "Sw 3", LAYOUT_ERROR_PARSE, 3, "expected `<`" },
	{ "Sw<x,4,3>", LAYOUT_ERROR_PARSE, 3, "expected an integer" },
	{ "Sw<3,4,2>", LAYOUT_ERROR_INVALID, 0,
		"no swizzle Sw<3,4,2>: it needs a shift" },
	{ "Sw<3,-4,3>", LAYOUT_ERROR_INVALID, 0, "cannot be negative" },
	{ "Sw<30,30,30>", LAYOUT_ERROR_INVALID, 0, "reaches beyond bit 61" },
	{ "Sw<3,4,300>", LAYOUT_ERROR_INVALID, 7, "not by 300" },
	{ "Sw<3,4,3> o", LAYOUT_ERROR_PARSE, 11, "expected an integer" },
	{ "Sw<3,4,3> o 0", LAYOUT_ERROR_PARSE, 13, "expected `:`" },
	{ "Sw<3,4,3> o x", LAYOUT_ERROR_PARSE, 10, "expected the end of the text" },
	{ "Sw<3,4,3> o 0 o 4", LAYOUT_ERROR_PARSE, 17, "expected `:`" },
	{ "Sw<3,4,3> o 0 o (4,4):4", LAYOUT_ERROR_SPACE, 22, "congruent" },
	{ "Sw<3,4,3> 4:1", LAYOUT_ERROR_PARSE, 10, "expected the end of the text" },
	{ "pack_map<(4,0):(8,1)>", LAYOUT_ERROR_INVALID, 12,
		"shape leaf values must be positive, got 0" },
	{ "pack_map<(4,8):(8,-1)>", LAYOUT_ERROR_INVALID, 18,
		"stride leaf values must be non-negative, got -1" },
	{ "pack_map<(4,8):8>", LAYOUT_ERROR_SPACE, 15,
		"shape and stride must be congruent (identical tree structure)" },
	{ "pack_map<(4,8):(8,1)", LAYOUT_ERROR_PARSE, 20, "expected `>`" },
	{ "pack_map (4,8):(8,1)", LAYOUT_ERROR_PARSE, 9, "expected `<`" },
};

static void rows_of_errors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		assert_null(layout_cute_parse(ctx, errors[i].text));
		if (layout_context_error(ctx) != errors[i].kind ||
		    layout_context_position(ctx) != errors[i].position ||
		    !strstr(layout_context_message(ctx), errors[i].message))
			fail_msg("%s: %d at %ld: %s", errors[i].text,
				layout_context_error(ctx), layout_context_position(ctx),
				layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* A NULL result is one without an answer, for the reason in "message". */
static const struct {
	const char *outer, *inner, *result, *message;
} compositions[] = {
	{ "Sw<3,4,3>", "(8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)", NULL },
	{ "Sw<3,4,3>", "Sw<3,4,3>", "1024:1", NULL },
	/* 166 35 32 29: by bits that none of them has. */
	{ "Sw<0,3,5> o 29 o (6,1):(1,6)", "Sw<2,3,-4> o 9 o (4):(-3)",
		"Sw<2,4,-3> o 422 o ((2,2)):((-131,-134))", NULL },
	{ "Sw<3,4,3>", "Sw<3,4,3> o 7 o (5,7):(7,1)", "Sw<0,0,0> o 7 o (5,7):(7,1)",
		NULL },
	{ "Sw<1,4,3>", "Sw<2,5,3> o 0 o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)",
		NULL },
	{ "Sw<3,4,3>", "Sw<1,6,3> o 0 o (3,5):(1,3)", "Sw<2,4,3> o 0 o (3,5):(1,3)",
		NULL },
	/* The target of the inner one is a source of the outer one. */
	{ "Sw<1,0,1>", "Sw<1,1,1>", NULL, "is no single swizzle of a layout" },
	{ "Sw<2,0,3>", "Sw<2,0,4>", NULL, "shift 3 does not merge with shift 4" },
	/* Different shifts, but no coordinate sets the bit that one of them reads. */
	{ "Sw<1,0,3>", "Sw<1,0,4> o 0 o 16:1", "Sw<1,0,3>", NULL },
	{ "Sw<1,0,3>", "Sw<1,0,4> o 0 o 12:1", "Sw<1,0,3> o 0 o 12:1", NULL },
	/* A layout that moves the bits of the swizzle, and with them the swizzle. */
	{ "64:4", "Sw<2,0,3>", "Sw<2,2,3> o 0 o 32:4", NULL },
	{ "(8,8):(8,1)", "Sw<2,0,3>", "Sw<2,0,-3> o 0 o (8,4):(8,1)", NULL },
	{ "(2,4,8):(1,0,2)", "Sw<1,0,3>", "Sw<1,0,1> o 0 o (2,4,2):(1,0,2)", NULL },
	{ "(2,2,8):(1,4,2)", "Sw<2,0,2>", NULL, "no single swizzle" },
	{ "2:0", "Sw<3,4,3> o 0 o (8,64):(64,1)", "(8,64):(0,0)", NULL },
	/* The offset as a constant. */
	{ "Sw<1,0,1> o 2 o 1:1", "Sw<1,0,2> o 0 o 2:1", "Sw<0,0,0> o 3 o 2:-1", NULL },
	{ "4:1", "Sw<1,0,1> o 4 o 4:-1", "Sw<1,0,1> o 4 o 4:-1", NULL },
	{ "(4,4):(1,4)", "Sw<1,0,1> o 2 o 4:-1", NULL, "no coordinate of the outer one" },
	{ "Sw<3,4,3>", "Sw<2,0,2> o 0 o (4,0):(1,4)", "Sw<2,0,2> o 0 o (4,0):(1,4)",
		NULL },
	{ "Sw<3,4,3>", "Sw<2,0,4> o 0 o (3,100000000):(1,3)", NULL, "unknown: whether" },
};

static void rows_of_compositions(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(compositions) / sizeof(*compositions); i++) {
		layout_cute *result = layout_cute_compose(
			layout_cute_parse(ctx, compositions[i].outer),
			layout_cute_parse(ctx, compositions[i].inner));
		char *text = layout_cute_str(result);
		const char *wanted = compositions[i].result;

		if (wanted ? !text || strcmp(text, wanted) != 0 : text ||
				!strstr(layout_context_message(ctx),
					compositions[i].message))
			fail_msg("%s after %s: %s: %s", compositions[i].outer,
				compositions[i].inner, text ? text : "-",
				layout_context_message(ctx));
		layout_string_free(text);
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* Printed, read, counted and related: all of one layout. */
static void random_layouts(void **state)
{
	layout_context *ctx = layout_context_new();
	int turns = 1500;

	(void)state;
	while (turns-- > 0) {
		layout_cute *cute = random_layout(ctx), *again;
		struct cute_text text = cute_text_of(cute);
		char *printed = layout_cute_str(cute), *second;
		int64_t last = -1;

		again = layout_cute_parse(ctx, printed);
		second = layout_cute_str(again);
		for (int64_t i = 0; i < text.size; i++) {
			int64_t offset = cute_text_at(&text, i), found;

			last = offset > last ? offset : last;
			if (!layout_cute_eval(again, i, &found) || found != offset)
				complain("eval", ctx, cute, again, NULL);
		}
		if (!second || strcmp(printed, second) != 0 ||
		    layout_cute_cosize(cute) != last + 1 ||
		    (turns % 4 == 0 && !relates(layout_cute_relation(cute), &text)))
			complain("layout", ctx, cute, again, NULL);
		layout_string_free(printed);
		layout_string_free(second);
		layout_cute_free(cute);
		layout_cute_free(again);
	}
	assert_true(layout_context_free(ctx));
}

static int64_t swizzled(int bits, int base, int shift, int64_t x)
{
	struct cute_text swizzle = { .bits = bits, .base = base, .shift = shift,
		.leaves = 1, .shape = { 1 }, .stride = { 1 } };

	return cute_text_at(&swizzle, x);
}

/* Do offsets add up over the bits of the coordinate, once that swizzle is taken off? */
static bool adds_up(const int64_t *offsets, int64_t size, int bits, int base, int shift)
{
	int64_t origin = swizzled(bits, base, shift, offsets[0]);

	for (int64_t i = 0; i < size; i++) {
		int64_t sum = origin;

		for (int64_t bit = 1; bit < size; bit *= 2)
			if (i & bit)
				sum += swizzled(bits, base, shift, offsets[bit]) - origin;
		if (swizzled(bits, base, shift, offsets[i]) != sum)
			return false;
	}
	return true;
}

/* A layout of as many points as a power of two is a swizzle of one where each bit of the
 * coordinate has its step.  Is there a swizzle of A(B(i))? */
static bool is_missed(const struct cute_text *outer, const struct cute_text *inner)
{
	int64_t offsets[MOST_POINTS * 4];

	for (int64_t i = 0; i < inner->size; i++)
		offsets[i] = cute_text_at(outer, cute_text_at(inner, i));
	for (int shift = -9; shift <= 9; shift++)
		for (int bits = shift ? 1 : 0; bits <= (shift ? abs(shift) : 0); bits++)
			for (int base = 0; base + bits <= 10; base++)
				if (adds_up(offsets, inner->size, bits, base, shift))
					return true;
	return false;
}

/* Compositions are A(B(i)), and the relations say the same also where there is no
 * layout. */
static void random_compositions(void **state)
{
	layout_context *ctx = layout_context_new();
	int found = 0, refused = 0;

	(void)state;
	for (int turn = 0; turn < 4000; turn++) {
		layout_cute *a = random_layout(ctx), *b = random_layout(ctx), *result;
		struct cute_text outer = cute_text_of(a), inner = cute_text_of(b), c;

		result = layout_cute_compose(layout_cute_copy(a), layout_cute_copy(b));
		found += result && layout_cute_swizzled(b, NULL);
		refused += !result;
		if (!result && layout_context_error(ctx) != LAYOUT_ERROR_NO_ANSWER &&
				layout_context_error(ctx) != LAYOUT_ERROR_QUOTA)
			complain("compose", ctx, a, b, NULL);
		if (!result && layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER &&
		    refused % 4 == 0 && outer.size && inner.bits && inner.size &&
		    (inner.size & (inner.size - 1)) == 0 &&
		    is_missed(&outer, &inner))
			complain("refused", ctx, a, b, NULL);
		if (result)
			c = cute_text_of(result);
		if (result && c.size != inner.size)
			complain("size", ctx, a, b, result);
		for (int64_t i = 0; result && i < inner.size; i++)
			if (cute_text_at(&c, i) !=
					cute_text_at(&outer, cute_text_at(&inner, i)))
				complain("compose", ctx, a, b, result);
		layout_cute_free(result);
		layout_cute_free(a);
		layout_cute_free(b);
		layout_context_clear(ctx);
	}
	printf("%d swizzled compositions, %d refused\n", found, refused);
	assert_true(found > 300 && refused > 300);
	assert_true(layout_context_free(ctx));
}

/* What only all points decide is decided as far as the quota goes. */
static void points_follow_the_quota(void **state)
{
	static const struct {
		const char *inner;
		unsigned long quota;
		layout_error error;
	} rows[] = {
		{ "Sw<1,0,1> o 0 o (6,16):(1,6)", 1000, LAYOUT_ERROR_NONE },
		{ "Sw<1,0,1> o 0 o (6,16):(1,6)", 95, LAYOUT_ERROR_QUOTA },
		{ "Sw<1,0,1> o 0 o (6,16384):(1,6)", LAYOUT_DEFAULT_QUOTA,
		  LAYOUT_ERROR_QUOTA },
		{ "Sw<1,0,1> o 0 o (6,16384):(1,6)", 0, LAYOUT_ERROR_NONE },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_cute *a = layout_cute_parse(ctx, "65536:2"), *result;

		layout_context_set_quota(ctx, rows[i].quota);
		result = layout_cute_compose(a, layout_cute_parse(ctx, rows[i].inner));
		assert_int_equal(layout_context_error(ctx), rows[i].error);
		assert_int_equal(result != NULL, rows[i].error == LAYOUT_ERROR_NONE);
		layout_cute_free(result);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* An outer layout without coordinates has no step that could overflow. */
static void nothing_after_a_swizzle(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_null(layout_cute_compose(layout_cute_parse(ctx,
			"(4611686018427387904,4611686018427387904,0):"
			"(1,4611686018427387904,1)"),
		layout_cute_parse(ctx, "Sw<1,0,1> o 0 o 4:1")));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
	assert_true(layout_context_free(ctx));
}

/* Two swizzles of a layout of bits, as relations: exactly both. */
static void relations_of_two_swizzles(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (int turn = 0; turn < 200; turn++) {
		layout_cute_swizzle s = random_swizzle();
		layout_cute *a = layout_cute_new_swizzle(ctx, s.bits, s.base, s.shift);
		layout_cute *b = random_layout(ctx);
		struct cute_text outer = cute_text_of(a), inner = cute_text_of(b);
		layout_relation *c = layout_relation_compose(
			layout_cute_unbounded_relation(a), layout_cute_relation(b));
		struct walk walk = { .layout = &inner };
		bool wrong = !c;

		for (int64_t i = 0; !wrong && i < inner.size; i++) {
			char text[80];
			layout_relation *point;

			if (i % 37)
				continue;
			snprintf(text, sizeof(text), "{ [%" PRId64 "] -> [%" PRId64 "] }",
				i, cute_text_at(&outer, cute_text_at(&inner, i)));
			point = layout_relation_subtract(
				layout_relation_read(ctx, text),
				layout_relation_copy(c));
			wrong = layout_relation_is_injective(point, NULL) != LAYOUT_YES ||
				!layout_relation_for_each(point, visit, &walk) ||
				walk.next;
			layout_relation_free(point);
		}
		if (wrong)
			complain("relations", ctx, a, b, NULL);
		layout_relation_free(c);
		layout_cute_free(a);
		layout_cute_free(b);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_layouts),
		cmocka_unit_test(rows_of_errors),
		cmocka_unit_test(rows_of_compositions),
		cmocka_unit_test(random_layouts),
		cmocka_unit_test(random_compositions),
		cmocka_unit_test(points_follow_the_quota),
		cmocka_unit_test(nothing_after_a_swizzle),
		cmocka_unit_test(relations_of_two_swizzles),
	};

	seed = random_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
