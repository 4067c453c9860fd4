/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts as text: what reads back, what does not parse, and what operations
 * say when they refuse. */
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/* Read and printed; NULL: as it was. */
static const char *const good[][2] = {
	{ "linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>" },
	{ "#ttg.linear<{register=[[0,1]],lane=[[1,0],[2,0]],warp=[],block=[]}>",
	  "linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>" },
	{ "linear<{offset = [[1], [2]]} -> {dim0 = 4}>",
	  "linear<{offset = [[1], [2]]}>" },
	{ "linear<{offset = [[1], [2]]} -> {dim0 = 8}>" },
	{ "linear<{offset = [[1], [2]]} -> {row = 4}>" },
	{ "linear<{offset = [[1, 0]]} -> {dim1 = 2, dim0 = 1}>" },
	{ "linear<{offset = [[0, 0]]}>" },
	{ "linear<{offset = []} -> {dim0 = 1}>" },
	{ "linear<{offset = []}>" },
	{ "linear<{offset = []} -> {}>", "linear<{offset = []}>" },
	{ "linear<{offset = [[], []]}>" },
	{ "linear<{}>" },
	{ "linear<{} -> {x = 4}>" },
	{ "linear<{x = [[2305843009213693952]]}>" },
	{ "linear<{x = [[3], [3]]}>" },
	{ "gl.DistributedLinearLayout(reg_bases=[[0, 1]], lane_bases=[[0, 2], [1, 0]], "
	  "warp_bases=[[2, 0]], block_bases=[], shape=[4, 4])",
	  "linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [[2, 0]], block = []}>" },
	{ "DistributedLinearLayout([[0, 1]], [[0, 2]], [], [], [8, 4])",
	  "linear<{register = [[0, 1]], lane = [[0, 2]], warp = [], block = []} -> {dim0 = 8, "
	  "dim1 = 4}>" },
	{ "gl.DistributedLinearLayout([], [], [], [], [1, 1])",
	  "linear<{register = [], lane = [], warp = [], block = []} -> {dim0 = 1, dim1 = 1}>" },
	{ "\n - register=1 -> (0, 1)\n - lane=1 -> (1, 0)\n   lane=2 -> (2, 0)\n"
	  " - warp is a size 1 dimension\nwhere out dims are: [dim0 (size 4), dim1 (size 2)]",
	  "linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []}>" },
	{ "- offset=1 -> (3)\nwhere out dims are: [bank (size 32)]",
	  "linear<{offset = [[3]]} -> {bank = 32}>" },
	{ "- x is a size 1 dimension\nwhere out dims are: []", "linear<{x = []}>" },
	{ "gl.SharedLinearLayout([[0, 1], [1, 0]])", "linear<{offset = [[0, 1], [1, 0]], "
	  "block = []}>" },
	{ "gl.SharedLinearLayout(offset_bases=[[0, 1]], block_bases=[[0, 2]], alignment=16)",
	  "linear<{offset = [[0, 1]], block = [[0, 2]]}>" },
	{ "gl.SharedLinearLayout(offset_bases=[[0, 1]], alignment=16)",
	  "linear<{offset = [[0, 1]], block = []}>" },
};

static void reads_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(good); i++) {
		layout_context *ctx = layout_context_new();
		layout_linear *linear = layout_linear_parse(ctx, good[i][0]);
		char *text = layout_linear_str(linear);

		if (!text)
			fail_msg("%s: %s", good[i][0], layout_context_message(ctx));
		assert_string_equal(text, good[i][good[i][1] ? 1 : 0]);
		layout_string_free(text);
		layout_linear_free(linear);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	const char *text;
	layout_error kind;
	long position;
	const char *message;	/* part of it */
} bad[] = {
	{ "- lane=1 -> (0, 1)\n  lane=4 -> (0, 2)", LAYOUT_ERROR_INVALID, 26,
		"the image of 2 is to follow, not of 4" },
	{ "- lane=1 -> (0, 1)\n- lane=1 -> (0, 2)", LAYOUT_ERROR_PARSE, 21, "lane" },
	{ "- lane=1 -> (0, 1)\n- warp is a size 2 dimension", LAYOUT_ERROR_PARSE, 38,
		"the images of its points" },
	{ "- lane=1 -> (0, 1)", LAYOUT_ERROR_PARSE, 18, "expected `where`" },
	{ "- lane=1 -> (0, 3)\nwhere out dims are: [dim0 (size 1), dim1 (size 2)]",
		LAYOUT_ERROR_INVALID, 12, "basis 3 is outside dim1" },
	{ "- lane=1 -> (0, 1)\nwhere out dims are: [dim0 (size 1)]", LAYOUT_ERROR_SPACE, 12,
		"a basis of 2 coordinates for 1 outputs" },
	{ "- lane=1 -> (1)\nwhere out dims are: [dim0 (size 3)]", LAYOUT_ERROR_INVALID, 48, "not 3" },
	{ "gl.DistributedLinearLayout([[0, 1]], [[0, 2]], [], [], [4])", LAYOUT_ERROR_SPACE, 55,
		"a shape of 1 sizes, the bases have 2 coordinates" },
	{ "gl.DistributedLinearLayout([[0, 1]], [[0, 2]], [], [], [1, 2])", LAYOUT_ERROR_INVALID,
		38, "basis 2 is outside dim1" },
	{ "gl.DistributedLinearLayout([[0, 1]], [], [], [], [1, 3])", LAYOUT_ERROR_INVALID, 53,
		"a power of two, not 3" },
	{ "gl.DistributedLinearLayout([[0, 1]], [], shape=[1, 2])", LAYOUT_ERROR_PARSE, 41,
		"expected `[`, found `shape`" },
	{ "gl.DistributedLinearLayout([], [], [], [])", LAYOUT_ERROR_PARSE, 41, "expected `,`" },
	{ "gl.SharedLinearLayout([[0, 1]], [], 5, 6)", LAYOUT_ERROR_PARSE, 37, "expected `)`" },
	{ "linear", LAYOUT_ERROR_PARSE, 6, "expected `<`" },
	{ "liner<{}>", LAYOUT_ERROR_PARSE, 0, "expected `linear`, found `liner`" },
	{ "linear<", LAYOUT_ERROR_PARSE, 7, "expected `{`" },
	{ "linear<{}", LAYOUT_ERROR_PARSE, 9, "expected `>`" },
	{ "linear<{}> x", LAYOUT_ERROR_PARSE, 11, "expected the end" },
	{ "linear<{x}>", LAYOUT_ERROR_PARSE, 9, "expected `=`" },
	{ "linear<{x = 1}>", LAYOUT_ERROR_PARSE, 12, "expected `[`" },
	{ "linear<{x = [1]}>", LAYOUT_ERROR_PARSE, 13, "expected `[`" },
	{ "linear<{x = [[1]}>", LAYOUT_ERROR_PARSE, 16, "expected `,` or `]`" },
	{ "linear<{x = [[1],]}>", LAYOUT_ERROR_PARSE, 17, "expected `[`" },
	{ "linear<{x = [] y = []}>", LAYOUT_ERROR_PARSE, 15, "expected `,` or `}`" },
	{ "linear<{x = [], x = []}>", LAYOUT_ERROR_PARSE, 16, "`x` is given twice" },
	{ "linear<{a.b = []}>", LAYOUT_ERROR_PARSE, 8, "expected a name" },
	{ "linear<{#a = []}>", LAYOUT_ERROR_PARSE, 8, "expected a name" },
	{ "linear<{1 = []}>", LAYOUT_ERROR_PARSE, 8, "expected a name, found `1`" },
	{ "linear<{x = [[-1]]}>", LAYOUT_ERROR_INVALID, 14, "at least 0, not -1" },
	{ "linear<{x = [[1, 0], [2]]}>", LAYOUT_ERROR_SPACE, 21,
	  "1 coordinates, where the first one has 2" },
	{ "linear<{x = [[1]]} -> {y = 3}>", LAYOUT_ERROR_INVALID, 27,
	  "power of two, not 3" },
	{ "linear<{x = [[1]]} -> {y = 0}>", LAYOUT_ERROR_INVALID, 27,
	  "power of two, not 0" },
	{ "linear<{x = [[1]]} -> {y = -2}>", LAYOUT_ERROR_INVALID, 27, "not -2" },
	{ "linear<{x = [[1]]} -> {y = 2, y = 2}>", LAYOUT_ERROR_PARSE, 30,
	  "given twice" },
	{ "linear<{x = [[1], [5]]} -> {y = 4}>", LAYOUT_ERROR_INVALID, 18,
	  "basis 5 is outside y, which has 4 points" },
	{ "linear<{x = [[1]]} -> {}>", LAYOUT_ERROR_SPACE, 13,
	  "1 coordinates for 0 outputs" },
	{ "linear<{x = [[1]]} -> {y = 2, z = 2}>", LAYOUT_ERROR_SPACE, 13,
	  "for 2 outputs" },
	{ "linear<{x = [[9223372036854775807]]}>", LAYOUT_ERROR_INVALID, 13,
	  "needs more than 2^62 points, the most of an output" },
	{ "linear<{x = [[9223372036854775808]]}>", LAYOUT_ERROR_OVERFLOW, 14, "64 bits" },
	{ "linear<{x = []} -> {y = 9223372036854775807}>", LAYOUT_ERROR_INVALID, 24,
	  "power" },
};

static void expect_error(layout_context *ctx, const char *text, layout_error kind,
	long position, const char *message)
{
	if (layout_context_error(ctx) != kind ||
	    layout_context_position(ctx) != position ||
	    !strstr(layout_context_message(ctx), message))
		fail_msg("%s: error %d at %ld, %s", text, layout_context_error(ctx),
			layout_context_position(ctx), layout_context_message(ctx));
}

static void does_not_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		layout_context *ctx = layout_context_new();

		assert_null(layout_linear_parse(ctx, bad[i].text));
		expect_error(ctx, bad[i].text, bad[i].kind, bad[i].position,
			bad[i].message);
		assert_true(layout_context_free(ctx));
	}
}

/* "count" times a text between two others. */
static void expect_too_much(const char *begin, const char *middle, unsigned count,
	const char *end, layout_error kind, const char *message)
{
	size_t length = strlen(begin), size = length + count * (strlen(middle) + 2) + 100;
	layout_context *ctx = layout_context_new();
	char *text = malloc(size);

	assert_non_null(text);
	memcpy(text, begin, length + 1);
	for (unsigned i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s",
			i ? ", " : "", middle);
	snprintf(text + length, size - length, "%s", end);
	assert_null(layout_linear_parse(ctx, text));
	assert_int_equal(layout_context_error(ctx), kind);
	if (!strstr(layout_context_message(ctx), message))
		fail_msg("%s", layout_context_message(ctx));
	free(text);
	assert_true(layout_context_free(ctx));
}

static void is_bounded(void **state)
{
	(void)state;
	expect_too_much("linear<{x = [", "[1]", 63, "]}>", LAYOUT_ERROR_OVERFLOW,
		"more than 62 bases of one input");
	expect_too_much("linear<{x = [[", "1", 65, "]]}>", LAYOUT_ERROR_UNSUPPORTED,
		"more than 64 entries");
	expect_too_much("linear<{x = [[", "1", 300, "]]}>", LAYOUT_ERROR_UNSUPPORTED,
		"more than 256 entries");
	expect_too_much("linear<{x = [[", "4611686018427387903", 9, "]]}>",
		LAYOUT_ERROR_UNSUPPORTED, "more than 512 output bits");
	expect_too_much("linear<{x = ", "[", 100000, "", LAYOUT_ERROR_PARSE, "expected");
}

/* As many bits of the output as there may be; what is asked of an input or an output that
 * there is not has an answer. */
static void reaches_its_bounds(void **state)
{
	layout_context *ctx = layout_context_new();
#define BIG "2305843009213693952, "
	layout_linear *linear = layout_linear_parse(ctx, "linear<{x = [["
		BIG BIG BIG BIG BIG BIG BIG BIG "32768]]}>");

	(void)state;
	assert_non_null(linear);
	assert_int_equal(layout_linear_out_size(linear, 7), (int64_t)1 << 62);
	assert_int_equal(layout_linear_out_size(linear, 8), 65536);
	assert_int_equal(layout_linear_out_size(linear, 9), 0);
	assert_int_equal(layout_linear_in_size(linear, 0), 2);
	assert_int_equal(layout_linear_in_size(linear, 1), 0);
	assert_null(layout_linear_in_name(linear, 1));
	assert_null(layout_linear_out_name(linear, 9));
	layout_linear_free(linear);
	assert_true(layout_context_free(ctx));
}

static void has_many_inputs(void **state)
{
	layout_context *ctx = layout_context_new();
	char text[6000] = "linear<{";
	layout_linear *linear;

	(void)state;
	for (unsigned i = 0; i < 64; i++)
		sprintf(text + strlen(text), "%sx%u = [[1], [2], [3]]", i ? ", " : "", i);
	strcat(text, "}>");
	linear = layout_linear_parse(ctx, text);
	assert_non_null(linear);
	assert_int_equal(layout_linear_in_count(linear), 64);
	layout_linear_free(linear);
	strcpy(text + strlen(text) - 2, ", last = []}>");
	assert_null(layout_linear_parse(ctx, text));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	assert_true(layout_context_free(ctx));
}

static layout_linear *invert(layout_linear *a, layout_linear *b)
{
	layout_linear_free(b);
	return layout_linear_invert(a);
}

static layout_linear *pseudo_inverse(layout_linear *a, layout_linear *b)
{
	layout_linear_free(b);
	return layout_linear_pseudo_inverse(a);
}

static layout_linear *quotient(layout_linear *a, layout_linear *b)
{
	const char *dim = "x";

	layout_linear_free(b);
	return layout_linear_quotient(a, &dim, 1);
}

static layout_linear *reshape_ins(layout_linear *a, layout_linear *b)
{
	const layout_size sizes[] = { { "u", 4 }, { "v", 4 } };

	layout_linear_free(b);
	return layout_linear_reshape_ins(a, sizes, 2);
}

static layout_linear *transpose_twice(layout_linear *a, layout_linear *b)
{
	const char *const names[] = { "x", "x" };

	layout_linear_free(b);
	return layout_linear_transpose_ins(a, names, 2);
}

static layout_linear *flatten(layout_linear *a, layout_linear *b)
{
	layout_linear_free(b);
	return layout_linear_flatten_outs(a);
}

static layout_linear *resize_nothing(layout_linear *a, layout_linear *b)
{
	layout_linear_free(b);
	return layout_linear_resize_in(a, "nothing", 4);
}

static layout_linear *resize_to_3(layout_linear *a, layout_linear *b)
{
	layout_linear_free(b);
	return layout_linear_resize_out(a, "dim0", 3);
}

/* What is refused, and the names and numbers in the reason. */
static const struct {
	layout_linear *(*operation)(layout_linear *a, layout_linear *b);
	const char *a, *b;
	layout_error kind;
	const char *message;
} refusals[] = {
	{ invert, "linear<{x = [[1, 0], [0, 4]]} -> {dim0 = 2, dim1 = 8}>", NULL,
	  LAYOUT_ERROR_NO_ANSWER,
	  "no inverse: dim1 has 8 points but only 2 are reached" },
	{ invert, "linear<{x = [[1], [1]]}>", NULL, LAYOUT_ERROR_NO_ANSWER,
	  "no inverse: (x) = [0] and [3] have one image" },
	{ invert, "linear<{x = [[1, 1]]}>", NULL, LAYOUT_ERROR_NO_ANSWER,
	  "no inverse: no point goes to (dim0, dim1) = [0, 1]" },
	{ pseudo_inverse, "linear<{x = [[1], [1]]} -> {y = 4}>", NULL,
	  LAYOUT_ERROR_NO_ANSWER, "no right inverse: y has 4 points but only 2" },
	{ layout_linear_compose, "linear<{y = [[1]]}>", "linear<{x = [[1]]} -> {z = 2}>",
	  LAYOUT_ERROR_SPACE, "the outputs of the inner layout (z) are not the inputs of "
	  "the outer one (y)" },
	{ layout_linear_compose, "linear<{y = [[1]]}>", "linear<{x = [[1]]} -> {y = 4}>",
	  LAYOUT_ERROR_SPACE,
	  "y of the inner layout has 4 points, input y of the outer one "
	  "only 2" },
	{ layout_linear_invert_and_compose, "linear<{x = [[1], [2]]}>",
	  "linear<{y = [[1]]} -> {dim0 = 4}>", LAYOUT_ERROR_NO_ANSWER,
	  "takes (x) = [2] to (dim0) = [2], which the other one does not reach" },
	{ layout_linear_least_squares, "linear<{y = [[1]]}>", "linear<{x = [[1], [2]]}>",
	  LAYOUT_ERROR_NO_ANSWER, "takes (x) = [2] to (dim0) = [2]" },
	{ layout_linear_least_squares, "linear<{y = [[1]]}>", "linear<{x = [[1, 2]]}>",
	  LAYOUT_ERROR_SPACE, "(dim0, dim1) are not the outputs of the other (dim0)" },
	{ layout_linear_product, "linear<{x = [[1]], y = []}>",
	  "linear<{y = [], x = []}>",
	  LAYOUT_ERROR_SPACE, "no order of inputs agrees with (x, y) and (y, x)" },
	{ layout_linear_divide_left, "linear<{x = [[2], [1]]}>", "linear<{x = [[1]]}>",
	  LAYOUT_ERROR_NO_ANSWER,
	  "no quotient: [1] goes to [2], where a product with the "
	  "divisor takes it to [1]" },
	{ layout_linear_divide_left, "linear<{x = [[1]]}>", "linear<{x = [[1], [2]]}>",
	  LAYOUT_ERROR_NO_ANSWER, "no quotient: x has 2 points and the divisor's has 4" },
	{ layout_linear_divide_right, "linear<{x = [[1]]}>", "linear<{y = [[1]]}>",
	  LAYOUT_ERROR_NO_ANSWER, "inputs (y) are not among (x)" },
	{ quotient, "linear<{x = [[2], [1]]} -> {x = 4}>", NULL, LAYOUT_ERROR_NO_ANSWER,
	  "x = 1 goes to x = 2" },
	{ quotient, "linear<{x = [[1]]} -> {x = 4}>", NULL, LAYOUT_ERROR_NO_ANSWER,
	  "x has 2 points as input and 4 as output" },
	{ quotient, "linear<{x = [[1, 0]], y = [[1, 1]]} -> {x = 2, z = 2}>", NULL,
	  LAYOUT_ERROR_NO_ANSWER, "y = 1 goes to x = 1" },
	{ quotient, "linear<{y = [[1]]}>", NULL, LAYOUT_ERROR_SPACE,
	  "there is no input x among (y)" },
	{ reshape_ins, "linear<{x = [[1], [2]], y = [[4]]}>", NULL,
	  LAYOUT_ERROR_SPACE,
	  "the inputs (x, y) have 2^3 points altogether, (u, v) would have 2^4" },
	{ transpose_twice, "linear<{x = [[1]], y = [[2]]}>", NULL, LAYOUT_ERROR_SPACE,
	  "input x is there twice, of (x, y)" },
	{ flatten, "linear<{x = [[4294967296, 4294967296]]}>", NULL,
	  LAYOUT_ERROR_OVERFLOW,
	  "the outputs (dim0, dim1) have 2^66 points" },
	{ layout_linear_concat_ins, "linear<{x = [[1]]}>", "linear<{x = [[1]]}>",
	  LAYOUT_ERROR_SPACE, "both layouts have an input x" },
	{ layout_linear_concat_ins, "linear<{x = [[1]]}>", "linear<{y = [[3]]}>",
	  LAYOUT_ERROR_SPACE, "dim0 has 2 points in one layout and 4 in the other" },
	{ layout_linear_concat_outs, "linear<{x = [[1]]}>", "linear<{x = [[1]]}>",
	  LAYOUT_ERROR_SPACE, "both layouts have an output dim0" },
	{ resize_nothing, "linear<{x = [[1]]}>", NULL, LAYOUT_ERROR_SPACE,
	  "there is no input nothing among (x)" },
	{ resize_to_3, "linear<{x = [[1]]}>", NULL, LAYOUT_ERROR_INVALID,
	  "the size of dim0 must be a power of two, not 3" },
};

static void refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(refusals); i++) {
		layout_context *ctx = layout_context_new();
		layout_linear *a = layout_linear_parse(ctx, refusals[i].a);
		layout_linear *b = refusals[i].b ?
			layout_linear_parse(ctx, refusals[i].b) : NULL;

		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_null(refusals[i].operation(a, b));
		expect_error(ctx, refusals[i].a, refusals[i].kind, -1,
			refusals[i].message);
		assert_true(layout_context_free(ctx));
	}
}

/* Every list that is NULL where something must be in it, and points outside. */
static void refuses_missing_lists(layout_context *ctx)
{
	layout_linear *linear = layout_linear_parse(ctx, "linear<{x = [[1], [2]]}>");
	const char *missing = NULL, *name = "x";
	int64_t point = 4, image;
	layout_answer answer;

	assert_false(layout_linear_eval(linear, &point, &image));
	expect_error(ctx, "eval", LAYOUT_ERROR_INVALID, -1,
		"x = 4 is outside its 4 points");
	layout_context_clear(ctx);
	assert_false(layout_linear_eval(linear, NULL, &image));
	expect_error(ctx, "eval", LAYOUT_ERROR_INVALID, -1, "there is no point");
	layout_context_clear(ctx);
	assert_false(layout_linear_eval(linear, &point, NULL));
	expect_error(ctx, "eval", LAYOUT_ERROR_INVALID, -1, "there is no image");
	layout_context_clear(ctx);
	assert_false(layout_linear_basis(linear, 0, 2, &image));
	expect_error(ctx, "basis", LAYOUT_ERROR_INVALID, -1, "input 0 has no bit 2");
	layout_context_clear(ctx);
	assert_false(layout_linear_basis(linear, 0, 1, NULL));
	expect_error(ctx, "basis", LAYOUT_ERROR_INVALID, -1, "there is no image");
	layout_context_clear(ctx);
	assert_true(layout_linear_basis(linear, 0, 1, &image));
	assert_int_equal(image, 2);
	assert_false(layout_linear_free_masks(linear, NULL));
	expect_error(ctx, "free_masks", LAYOUT_ERROR_INVALID, -1, "there is no mask");
	layout_context_clear(ctx);
	answer = layout_linear_sublayout_is_zero(linear, &name, 1, &missing, 1);
	assert_int_equal(answer, LAYOUT_UNKNOWN);
	expect_error(ctx, "is_zero", LAYOUT_ERROR_INVALID, -1, "there is no name");
	layout_context_clear(ctx);
	assert_int_equal(layout_linear_consecutive(NULL), -1);
	assert_int_equal(layout_linear_contiguous(linear, NULL), -1);
	expect_error(ctx, "contiguous", LAYOUT_ERROR_INVALID, -1, "there is no name");
	layout_context_clear(ctx);
	assert_null(layout_linear_reshape_ins(linear, NULL, 1));
	expect_error(ctx, "reshape", LAYOUT_ERROR_INVALID, -1,
		"there is no list of sizes");
	layout_context_clear(ctx);
}

/* Names that are wrong, and sizes; what is NULL passes through. */
static void refuses_arguments(void **state)
{
	static const struct {
		layout_size size;
		const char *message;
	} rows[] = {
		{ { "a b", 4 }, "`a b` is not a name" },
		{ { "", 4 }, "is not a name" },
		{ { "1a", 4 }, "`1a` is not a name: letters, digits and `_`, no digit first" },
		{ { NULL, 4 }, "there is no name" },
		{ { "x", 0 }, "power of two, not 0" },
		{ { "x", 48 }, "power of two, not 48" },
		{ { "x", INT64_MIN }, "power of two, not -9223372036854775808" },
	};
	layout_context *ctx = layout_context_new();
	const layout_size twice[] = { { "x", 2 }, { "x", 2 } };
	const int64_t bases[] = { 1, 2, 4 };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		assert_null(layout_linear_new(ctx, NULL, 0, &rows[i].size, 1, NULL));
		expect_error(ctx, "new", LAYOUT_ERROR_INVALID, -1, rows[i].message);
		layout_context_clear(ctx);
	}
	assert_null(layout_linear_new(ctx, twice, 2, NULL, 0, NULL));
	expect_error(ctx, "new", LAYOUT_ERROR_INVALID, -1, "x is there twice");
	layout_context_clear(ctx);
	assert_null(layout_linear_new(ctx, twice, 1, twice, 1, NULL));
	expect_error(ctx, "new", LAYOUT_ERROR_INVALID, -1, "there is no basis");
	layout_context_clear(ctx);
	assert_null(layout_linear_new(ctx, twice, 1, twice, 1, bases + 1));
	expect_error(ctx, "new", LAYOUT_ERROR_INVALID, -1, "basis 2 is outside x");
	layout_context_clear(ctx);
	assert_null(layout_linear_strided(ctx, 4, 3, "x", "y"));
	expect_error(ctx, "strided", LAYOUT_ERROR_INVALID, -1, "stride");
	layout_context_clear(ctx);
	assert_null(layout_linear_strided(ctx, (int64_t)1 << 40, (int64_t)1 << 40, "x",
		"y"));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_OVERFLOW);
	layout_context_clear(ctx);
	refuses_missing_lists(ctx);
	assert_null(layout_linear_copy(NULL));
	assert_null(layout_linear_str(NULL));
	assert_null(layout_linear_relation(NULL));
	assert_null(layout_linear_invert(NULL));
	assert_int_equal(layout_linear_equal(NULL, NULL, NULL), LAYOUT_UNKNOWN);
	assert_null(layout_linear_in_name(NULL, 0));
	assert_int_equal(layout_linear_out_size(NULL, 0), 0);
	assert_true(layout_context_free(ctx));
}

/* An operand that failed releases the other one. */
static void passes_failures_on(void **state)
{
	static layout_linear *(*const operations[])(layout_linear *, layout_linear *) = {
		layout_linear_compose, layout_linear_invert_and_compose,
		layout_linear_least_squares, layout_linear_product,
		layout_linear_divide_left, layout_linear_divide_right,
		layout_linear_concat_ins, layout_linear_concat_outs,
	};
	layout_context *ctx = layout_context_new(), *other = layout_context_new();

	(void)state;
	for (size_t i = 0; i < LENGTH(operations); i++) {
		assert_null(operations[i](layout_linear_identity(ctx, 4, "x", "y"),
			NULL));
		assert_null(operations[i](NULL,
			layout_linear_identity(ctx, 4, "x", "y")));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_null(operations[i](layout_linear_identity(ctx, 4, "x", "y"),
			layout_linear_identity(other, 4, "x", "y")));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
	assert_true(layout_context_free(other));
}

static void makes_simple_ones(void **state)
{
	layout_context *ctx = layout_context_new();
	const struct {
		layout_linear *linear;
		const char *text;
	} rows[] = {
		{ layout_linear_identity(ctx, 4, "lane", "dim0"),
		  "linear<{lane = [[1], [2]]}>" },
		{ layout_linear_strided(ctx, 4, 8, "lane", "dim0"),
		  "linear<{lane = [[8], [16]]}>" },
		{ layout_linear_zeros(ctx, 4, "lane", "dim0", 1),
		  "linear<{lane = [[0], [0]]}>" },
		{ layout_linear_zeros(ctx, 2, "lane", "dim0", 4),
		  "linear<{lane = [[0]]} -> {dim0 = 4}>" },
		{ layout_linear_identity(ctx, 1, "lane", "dim0"),
		  "linear<{lane = []} -> {dim0 = 1}>" },
		{ layout_linear_identity(ctx, (int64_t)1 << 62, "a", "b"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char *text = layout_linear_str(rows[i].linear);
		layout_linear *read = layout_linear_parse(ctx, text);

		if (rows[i].text)
			assert_string_equal(text, rows[i].text);
		assert_int_equal(layout_linear_equal(read, rows[i].linear, NULL),
			LAYOUT_YES);
		layout_string_free(text);
		layout_linear_free(read);
		layout_linear_free(rows[i].linear);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_back),
		cmocka_unit_test(does_not_parse),
		cmocka_unit_test(is_bounded),
		cmocka_unit_test(reaches_its_bounds),
		cmocka_unit_test(has_many_inputs),
		cmocka_unit_test(refuses),
		cmocka_unit_test(refuses_arguments),
		cmocka_unit_test(passes_failures_on),
		cmocka_unit_test(makes_simple_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
