/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text that does not parse: the kind of the error, its position, its message; and
 * that no text at all does harm. */
#include "isl_bridge/context.h"
#include "support/notations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* isl tells where it stopped reading, not where the mistake is: up to 2 bytes off. */
#define NEAR(position) (-2 - (position))

#define LISTS(first) "nested_layout<subgroup_tile = [" first "], batch_tile = [1], " \
	"outer_tile = [1], thread_tile = [4], element_tile = [2], subgroup_strides = " \
	"[0], thread_strides = [1]>"
#define INFO(rest) "encoding_info<{innerDimsPos = [0], innerTileSizes = [8]" rest "}>"
#define SWIZZLE(rest) INFO(", swizzle = {expandShape = [[" rest)
#define UNITS(groups) INFO(", unitGroups = " groups ", swizzle = {expandShape = [[" \
	"[\"Internal\", 8]], [[\"Internal\", 2]]], permutation = [0, 1]}")

static const struct row {
	const char *text;
	layout_error kind;
	long position;
	const char *message;	/* part of it */
} rows[] = {
	/* of any notation */
	{ "", LAYOUT_ERROR_PARSE, 0, "expected an expression, found the end of the text" },
	{ "  \n", LAYOUT_ERROR_PARSE, 3, "expected an expression" },
	{ "frobnicate(4:1)", LAYOUT_ERROR_PARSE, 0, "unknown function `frobnicate`" },
	{ "complment(4:1)", LAYOUT_ERROR_PARSE, 0,
		"unknown function `complment`; did you mean `complement`?" },
	{ "invrese(4:1)", LAYOUT_ERROR_PARSE, 0,
		"unknown function `invrese`; did you mean `inverse`?" },
	{ "nestd_layout<>", LAYOUT_ERROR_PARSE, 0,
		"unknown notation `nestd_layout`; did you mean `nested_layout`?" },
	{ "row_majr[4]", LAYOUT_ERROR_PARSE, 0,
		"expected an expression, found `row_majr`; did you mean `row_major`?" },
	{ "let Apple = 4:1\nlet Pear = 4:2\nsize(Aple)", LAYOUT_ERROR_PARSE, 36,
		"expected an expression, found `Aple`; did you mean `Apple`?" },
	{ "#map = affine_map<(d0) -> (d0)>\n#mpa", LAYOUT_ERROR_PARSE, 32,
		"expected an expression, found `#mpa`; did you mean `#map`?" },
	{ "q(4:1)", LAYOUT_ERROR_PARSE, 0, "unknown function `q`" },
	{ "inverse(frob(4:1))", LAYOUT_ERROR_PARSE, 8, "unknown function `frob`" },
	{ "bilinear<{}>", LAYOUT_ERROR_PARSE, 0, "unknown notation `bilinear`" },
	{ "M", LAYOUT_ERROR_PARSE, 0, "expected an expression, found `M`" },
	{ "\xff\xfe", LAYOUT_ERROR_PARSE, 0, "found byte 0xff" },
	{ "4:1 4:1", LAYOUT_ERROR_PARSE, 4, "expected the end of the text, found `4`" },
	{ "inverse(4:1", LAYOUT_ERROR_PARSE, 11, "expected `)`, found the end" },
	{ "row_major[M, K // 4]", LAYOUT_ERROR_PARSE, 20, "expected `]`, found the end of the text; "
		"`//` begins a comment: write `floordiv`" },
	{ "strided[M, K : ceildiv(K, 4), 1]", LAYOUT_ERROR_PARSE, 22, "a quotient of sizes is floor(a/4)" },
	{ "row_major[M, K/4]", LAYOUT_ERROR_PARSE, 14, "a quotient of sizes is floor(a/4)" },
	{ "recast_layout<half_t, float>((8,4):(1,8))", LAYOUT_ERROR_PARSE, 0,
		"unknown notation `recast_layout`: of elements of other sizes, in bits, it is recast(A" },
	{ "inverse 4:1", LAYOUT_ERROR_PARSE, 8, "expected `(`, found `4`" },
	{ "compose(4:1)", LAYOUT_ERROR_PARSE, 11, "expected `,` and a relation for compose, found `)`" },
	{ "inverse(4:1, 4:1)", LAYOUT_ERROR_PARSE, 11, "expected `)`, found `,`" },
	{ "inverse()", LAYOUT_ERROR_PARSE, 8, "expected an expression, found `)`" },

	/* CuTe */
	/* caught on its way, it lies where it did */
	{ "Sw<2,0,2>o((0,8),12):((1,2),16)o ((7,8),12)", LAYOUT_ERROR_NO_ANSWER, 31,
		"nothing composes after 7 coordinates: the outer layout has size 0" },
	{ "(4,8):(8", LAYOUT_ERROR_PARSE, 8, "expected `,` or `)`, found the end" },
	{ "(4,8]:(8,1)", LAYOUT_ERROR_PARSE, 4, "expected `,` or `)`, found `]`" },
	{ "(4,8)", LAYOUT_ERROR_PARSE, 5, "expected `:`" },
	{ "(4,x):(8,1)", LAYOUT_ERROR_PARSE, 3, "expected an integer or `(`, found `x`" },
	{ "(4,8,):(8,1)", LAYOUT_ERROR_PARSE, 5, "expected an integer or `(`" },
	{ "(4,-):(8,1)", LAYOUT_ERROR_PARSE, 4, "expected an integer, found `)`" },
	{ "(4,-8):(8,1)", LAYOUT_ERROR_INVALID, 3, "at least 0, not -8" },
	{ "(4,8):(8)", LAYOUT_ERROR_SPACE, 6, "congruent" },
	{ "(4,8):8", LAYOUT_ERROR_SPACE, 6, "congruent" },
	{ "((4),8):(4,(8))", LAYOUT_ERROR_SPACE, 8, "congruent" },
	{ "9223372036854775808:1", LAYOUT_ERROR_OVERFLOW, 0, "9223372036854775808 does not" },
	{ "1:-9223372036854775809", LAYOUT_ERROR_OVERFLOW, 2, "-9223372036854775809 does" },
	{ "9223372036854775807:4", LAYOUT_ERROR_OVERFLOW, 0, "" },
	{ "(4294967296,4294967296):(1,1)", LAYOUT_ERROR_OVERFLOW, 0, "" },

	/* nested layouts */
	{ LISTS("1,"), LAYOUT_ERROR_PARSE, 33, "expected an integer, found `]`" },
	{ LISTS("1, 2"), LAYOUT_ERROR_SPACE, 51,
		"all fields must have the same rank as the layout" },
	{ LISTS("0"), LAYOUT_ERROR_INVALID, 31, "a tile must be at least 1, not 0" },
	{ LISTS("-1"), LAYOUT_ERROR_INVALID, 31, "a tile must be at least 1, not -1" },
	{ LISTS("1}"), LAYOUT_ERROR_PARSE, 32, "expected `,` or `]`, found `}`" },
	{ LISTS("99999999999999999999"), LAYOUT_ERROR_OVERFLOW, 31, "64 bits" },
	{ "nested_layout<batch_tile = [1]>", LAYOUT_ERROR_PARSE, 30,
		"expected `subgroup_tile`, found `>`" },
	{ "nested_layout<>", LAYOUT_ERROR_PARSE, 14, "expected a field of nested_layout" },
	{ "nested_layout<tile = [1]>", LAYOUT_ERROR_PARSE, 14, "found `tile`" },
	{ "nested_layout<batch_tile = [1], batch_tile = [1]>", LAYOUT_ERROR_PARSE, 32,
		"`batch_tile` is given twice" },
	{ "nested_layout<subgroup_size = 0>", LAYOUT_ERROR_INVALID, 30, "not 0" },
	{ "nested_layout<thread_strides = [-1]>", LAYOUT_ERROR_INVALID, 32, "a stride" },
	{ "nested_layout[]", LAYOUT_ERROR_PARSE, 13, "expected `<`, found `[`" },

	/* encodings */
	{ INFO(", innerDimsPos = [0]"), LAYOUT_ERROR_PARSE, 57, "given twice" },
	{ INFO(", frob = 1"), LAYOUT_ERROR_PARSE, 57,
		"expected a field of encoding_info, found `frob`" },
	{ INFO(", scalableTiles = [true]"), LAYOUT_ERROR_UNSUPPORTED, 57, "scalable" },
	{ INFO(", outerDimsPerm = [0, 0]"), LAYOUT_ERROR_INVALID, 77, "0 stands twice" },
	{ INFO(", outerDimsPerm = [1, 2]"), LAYOUT_ERROR_INVALID, 77, "2 is not in 0 .. 1" },
	{ INFO(", swizzle = {}"), LAYOUT_ERROR_PARSE, 68, "`expandShape` or `permutation`" },
	{ INFO(", swizzle = {permutation = []}"), LAYOUT_ERROR_PARSE, 84,
		"expected `expandShape`, found `}`" },
	{ SWIZZLE("[\"Foo\", 8]]], permutation = [0]}"), LAYOUT_ERROR_PARSE, 85,
		"expected \"Internal\", \"CrossThread\" or \"CrossIntrinsic\"" },
	{ SWIZZLE("[\"Internal, 8]]], permutation = [0]}"), LAYOUT_ERROR_PARSE, 85,
		"a string without its end" },
	{ SWIZZLE("[\"Internal\", 0]]], permutation = [0]}"), LAYOUT_ERROR_INVALID, 97,
		"at least 1, not 0" },
	{ SWIZZLE("[\"Internal\", 40000 : i16]]], permutation = [0]}"),
		LAYOUT_ERROR_INVALID, 97, "40000 does not fit i16" },
	{ SWIZZLE("[\"Internal\", 8 : f32]]], permutation = [0]}"), LAYOUT_ERROR_PARSE,
		101, "expected an integer type" },
	{ SWIZZLE("[\"Internal\", 8, 2]]], permutation = [0]}"), LAYOUT_ERROR_INVALID, 100,
		"only a \"CrossThread\" part" },
	{ SWIZZLE("[\"Internal\", 4]]], permutation = [0]}"), LAYOUT_ERROR_INVALID, 83,
		"group 0 multiplies to 4, its tile is 8" },
	{ SWIZZLE("[\"Internal\", 9223372036854775807], [\"Internal\", 2]]], "
		"permutation = [0, 1]}"), LAYOUT_ERROR_OVERFLOW, 83, "64 bits" },
	{ SWIZZLE("[\"Internal\", 8]]], permutation = [1]}"), LAYOUT_ERROR_INVALID, 118,
		"1 is not in 0 .. 0" },
	{ SWIZZLE("[\"Internal\", 8]]], permutation = [0, 1]}"), LAYOUT_ERROR_SPACE, 117,
		"`permutation` has 2 entries, 1 wanted: one for each part" },
	{ SWIZZLE("[\"Internal\", 8]], []], permutation = [0]}"), LAYOUT_ERROR_SPACE, 82,
		"`expandShape` has 2 entries, 1 wanted" },
	{ SWIZZLE("[\"Internal\", 8]], [[\"Internal\", 8]]], permutation = [0, 1]}"),
		LAYOUT_ERROR_SPACE, 82, "2 groups for 1 tiles, and their sizes do not tell "
		"which are of no dimension: `unitGroups = [..]` would" },
	{ INFO(", unitGroups = [0]"), LAYOUT_ERROR_SPACE, 70,
		"`unitGroups` has 1 entries, 0 wanted: one for each group of expandShape" },
	{ UNITS("[1, 2]"), LAYOUT_ERROR_SPACE, 103, "`expandShape` has 2 entries, 3 wanted: "
		"one for each dimension of innerDimsPos and of unitGroups" },
	{ UNITS("[2]"), LAYOUT_ERROR_INVALID, 71, "unitGroups: 2 is no group of" },
	{ UNITS("[-1]"), LAYOUT_ERROR_INVALID, 71,
		"a dimension must be at least 0" },
	{ "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [8]}>",
		LAYOUT_ERROR_SPACE, 55, "`innerTileSizes` has 1 entries, 2 wanted" },
	{ "encoding_info<{innerDimsPos = [0], innerTileSizes = [0]}>",
		LAYOUT_ERROR_INVALID, 53, "a tile must be at least 1" },
	{ "encoding_info<{innerDimsPos = [0, 0], innerTileSizes = [8, 8]}>",
		LAYOUT_ERROR_INVALID, 34, "0 stands twice" },
	{ "encoding_info<{innerTileSizes = [8]}>", LAYOUT_ERROR_PARSE, 35,
		"expected `innerDimsPos`" },
	{ "#iree_gpu.gpu_encoding_resolver<>", LAYOUT_ERROR_PARSE, 32,
		"expected `configuration`, found `>`" },
	{ "#iree_encoding.layout<[4:1]>", LAYOUT_ERROR_PARSE, 23, "`encoding_info`" },

	/* affine maps */
	{ "affine_map<(d0) -> (d1)>", LAYOUT_ERROR_PARSE, 20,
		"expected a dimension or symbol of the map, found `d1`" },
	{ "affine_map<(d0, d0) -> (d0)>", LAYOUT_ERROR_PARSE, 16, "`d0` is given twice" },
	{ "affine_map<(d0)[d0] -> (d0)>", LAYOUT_ERROR_PARSE, 16, "`d0` is given twice" },
	{ "affine_map<(d0, d1) -> (d0 * d1)>", LAYOUT_ERROR_PARSE, 27, "not affine" },
	{ "affine_map<(d0)[s] -> (d0 mod s)>", LAYOUT_ERROR_PARSE, 30, "not affine" },
	{ "affine_map<(d0) -> (4 floordiv d0)>", LAYOUT_ERROR_PARSE, 31, "not affine" },
	{ "affine_map<(d0) -> (d0 floordiv 0)>", LAYOUT_ERROR_INVALID, 32, "not 0" },
	{ "affine_map<(d0) -> (d0 mod -4)>", LAYOUT_ERROR_INVALID, 27, "not -4" },
	{ "affine_map<(d0) -> (d0 + )>", LAYOUT_ERROR_PARSE, 25, "an affine expression" },
	{ "affine_map<(d0) -> (d0 d0)>", LAYOUT_ERROR_PARSE, 23, "`,` or `)`" },
	{ "affine_map<(d0) -> (9223372036854775807 + 1)>", LAYOUT_ERROR_OVERFLOW, 43, "" },
	{ "affine_map<(d0) -> (d0 * 9223372036854775808)>", LAYOUT_ERROR_OVERFLOW, 25, "" },
	{ "affine_map<d0 -> d0>", LAYOUT_ERROR_PARSE, 11, "expected `(`, found `d0`" },

	/* storages */
	{ "row_major[M", LAYOUT_ERROR_PARSE, 11, "expected `]`" },
	{ "row_major(M)", LAYOUT_ERROR_PARSE, 9, "expected `[`, found `(`" },
	{ "row_major[M*K]", LAYOUT_ERROR_PARSE, 11, "a product of two names" },
	{ "row_major[-1]", LAYOUT_ERROR_INVALID, 10, "at least 0, not -1" },
	{ "row_major[M, mod]", LAYOUT_ERROR_PARSE, 13, "`mod` cannot be the name" },
	{ "row_major[a.b]", LAYOUT_ERROR_PARSE, 10, "`a.b` cannot be the name" },
	{ "row_major[2M]", LAYOUT_ERROR_PARSE, 11, "a size times a number is 2*M" },
	{ "row_major[M, ]", LAYOUT_ERROR_PARSE, 13, "expected a size, found `]`" },
	{ "row_major[9223372036854775807*2]", LAYOUT_ERROR_OVERFLOW, 31, "64 bits" },
	{ "row_major[9223372036854775808]", LAYOUT_ERROR_OVERFLOW, 10, "64 bits" },
	{ "strided[M, K]", LAYOUT_ERROR_PARSE, 12, "expected `:`" },
	{ "strided[M, K : 1]", LAYOUT_ERROR_SPACE, 16, "the sizes are 2, the strides 1" },
	{ "strided[M : -1]", LAYOUT_ERROR_INVALID, 12, "at least 0, not -1" },
	{ "packed(row_major[M], [M])", LAYOUT_ERROR_PARSE, 7, "`encoding_info`" },
	{ "packed(" INFO(", outerDimsPerm = [0, 1]") ", [M])", LAYOUT_ERROR_SPACE, 90,
		"a tensor of rank 2, not of rank 1" },
	{ "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [8]}>, [M])",
		LAYOUT_ERROR_SPACE, 66, "dimension 1 of a tensor of rank 1" },

	/* remaps */
	{ "remap(row_major[M] -> row_major[M])", LAYOUT_ERROR_PARSE, 34, "`, type =`" },
	{ "remap(row_major[M], row_major[M])", LAYOUT_ERROR_PARSE, 18, "expected `->`" },
	{ "remap(row_major[M + K, N] -> col_major[K + M, L], type = f32)",
	  LAYOUT_ERROR_SPACE, 29, "the source's size 1 is N, the destination's L" },
	{ "remap(row_major[M] -> row_major[M], type = 4)", LAYOUT_ERROR_PARSE, 43,
		"expected an element type, found `4`" },
	{ "remap(row_major[M] -> row_major[M], type = f33)",
		LAYOUT_ERROR_INVALID, 43, "f33" },
	{ "remap(row_major[M] -> row_major[M], type = f32, type = f32)",
		LAYOUT_ERROR_PARSE, 48, "`type` is given twice" },
	{ "remap(row_major[M] -> row_major[M], type = f32, pad = )", LAYOUT_ERROR_PARSE,
		54, "expected a number, found `)`" },
	{ "remap(row_major[M] -> row_major[M], type = f32, pad = 1e)", LAYOUT_ERROR_INVALID,
		54, "1e" },
	{ "remap(row_major[M] -> row_major[M], pad = 256, type = u8)", LAYOUT_ERROR_INVALID,
		42, "256" },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = 1)",
		LAYOUT_ERROR_PARSE, 54, "expected an affine_map or a relation, found `1`" },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { [i, j] -> [j] })",
		LAYOUT_ERROR_SPACE, 22, "rank 2" },
	{ "swizzled(row_major[M, K], xor_shuffle<64, 8>)", LAYOUT_ERROR_UNSUPPORTED, 26,
		"worth 8" },
	{ "swizzled(row_major[M, K], rotate_rows<64, 8>)", LAYOUT_ERROR_UNSUPPORTED, 26,
		"worth 8 of an offset" },
	{ "swizzled(row_major[M, 64], Sw<3,3,3>, of = cell)", LAYOUT_ERROR_PARSE, 43,
		"`index` or `offset`" },
	{ "remap(row_major[M] -> chain(row_major[M]), type = f32)", LAYOUT_ERROR_PARSE, 22,
		"" },
	{ "chain(row_major[M], transpose([1, 0]))", LAYOUT_ERROR_SPACE, 20, "rank 1" },
	{ "remap(row_major[M] -> row_major[K], type = f32)", LAYOUT_ERROR_SPACE, 22, "" },
	{ "remap(row_major[M] -> row_major[M, K], type = f32)", LAYOUT_ERROR_SPACE, 22,
		"has rank 1, the destination's 2" },
	{ "remap(4:1 -> row_major[K], type = f32)", LAYOUT_ERROR_PARSE, 6, "a storage" },

	/* isl */
	{ "{ [i] -> [2i ", LAYOUT_ERROR_PARSE, 13, "expected `]`, found the end" },
	{ "{ [i] -> [2i) }", LAYOUT_ERROR_PARSE, 12, "expected `]`, found `)`" },
	{ "[M] { [i] }", LAYOUT_ERROR_PARSE, 4, "expected `->`, found `{`" },
	{ "[M] -> [i]", LAYOUT_ERROR_PARSE, 7, "expected `{`, found `[`" },
	{ "inverse({ [i] -> [j j] })", LAYOUT_ERROR_PARSE, NEAR(20), "" },

	/* kinds that do not meet */
	{ "union({ [i] }, 4:1)", LAYOUT_ERROR_SPACE, 15, "found a set and a CuTe layout" },
	{ "domain({ [i] })", LAYOUT_ERROR_SPACE, 7, "expected a relation, found a set" },
	{ "restrict(4:1, 4:1)", LAYOUT_ERROR_SPACE, 14, "expected a set, found a CuTe" },
	{ "padding(4:1)", LAYOUT_ERROR_SPACE, 8,
		"expected a storage or a chain, found a CuTe" },
	{ "inverse(" INFO("") ")", LAYOUT_ERROR_SPACE, 8, "an encoding has no cells" },
	{ "permute(4:1, [0, 0])", LAYOUT_ERROR_INVALID, 13, "" },
	{ "project(4:1, [1])", LAYOUT_ERROR_INVALID, 13, "" },
	{ "permute(4:1, [-1])", LAYOUT_ERROR_INVALID, 14, "at least 0" },
	{ "permute(4:1, 0)", LAYOUT_ERROR_PARSE, 13, "expected a list of numbers for permute, found `0`" },
	{ "inverse(compose({ A[i] -> B[i] }, { C[i] -> D[i] }))", LAYOUT_ERROR_SPACE, 34,
		"the images lie in D[1], but the outer relation takes A[1]" },
};

static bool is_position(const struct row *row, long position)
{
	return row->position < -1 ? labs(position + row->position + 2) <= 2 :
		position == row->position;
}

/* All rows that are wrong are shown, not only the first. */
static void test_rows(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, row->text);
		layout_relation *relation;

		if (value && row->kind == LAYOUT_ERROR_SPACE) {
			relation = layout_value_relation(value);
			layout_relation_free(relation);
		}
		layout_value_free(value);
		if (layout_context_error(ctx) != row->kind ||
				!is_position(row, layout_context_position(ctx)) ||
				!strstr(layout_context_message(ctx), row->message)) {
			print_error("%s: error %d at %ld: %s\n", row->text,
				layout_context_error(ctx), layout_context_position(ctx),
				layout_context_message(ctx));
			wrong++;
		}
		assert_null(strchr(layout_context_message(ctx), '\n'));
		assert_true(layout_context_free(ctx));
	}
	assert_int_equal(wrong, 0);
}

/* Whatever the text, there is a value or an error, and never both. */
static void parse_safely(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);

	if (!value != (layout_context_error(ctx) != LAYOUT_ERROR_NONE))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	if (!value && layout_context_position(ctx) > (long)strlen(text))
		fail_msg("%s: %s at %ld", text, layout_context_message(ctx),
			layout_context_position(ctx));
	if (!value && layout_context_error(ctx) == LAYOUT_ERROR_PARSE)
		assert_true(layout_context_position(ctx) >= 0);
	layout_value_free(value);
	layout_context_clear(ctx);
}

static void test_truncated(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; good_literal(i); i++) {
		char *text = strdup(good_literal(i));

		for (size_t length = strlen(text); length > 0; length--) {
			text[length - 1] = '\0';
			parse_safely(ctx, text);
		}
		free(text);
	}
	assert_true(layout_context_free(ctx));
}

static void test_mutated(void **state)
{
	static const char bytes[] = "09(){}[]<>,:=-\"#.aM\x01\xff";
	layout_context *ctx = layout_context_new();
	uint64_t random = random_seed();

	(void)state;
	layout_context_set_quota(ctx, 20000);
	for (unsigned i = 0; good_literal(i); i++) {
		char *text = strdup(good_literal(i));

		for (size_t at = 0; text[at]; at++) {
			char was = text[at];

			for (unsigned k = 0; k < 3; k++) {
				text[at] = bytes[random_below(&random, sizeof(bytes) - 1)];
				parse_safely(ctx, text);
			}
			text[at] = was;
		}
		free(text);
	}
	assert_true(layout_context_free(ctx));
}

/* "before" so many times, then "after". */
static char *repeated(const char *before, size_t count, const char *after)
{
	size_t length = strlen(before);
	char *text = malloc(length * count + strlen(after) + 1);

	assert_non_null(text);
	for (size_t i = 0; i < count; i++)
		memcpy(text + i * length, before, length);
	strcpy(text + length * count, after);
	return text;
}

static void test_deep_and_long(void **state)
{
	static const struct {
		const char *before;
		size_t count;
		const char *after;
		layout_error kind;
	} cases[] = {
		{ "(", 65, "4:1", LAYOUT_ERROR_PARSE },
		{ "(", 1000000, "", LAYOUT_ERROR_PARSE },
		{ "{", 1000000, "", LAYOUT_ERROR_PARSE },
		{ "{[", 500000, "", LAYOUT_ERROR_PARSE },
		{ "inverse(", 100000, "4:1", LAYOUT_ERROR_PARSE },
		{ "row_major[(((((((", 10000, "", LAYOUT_ERROR_PARSE },
		{ "affine_map<() -> (-", 1, "", LAYOUT_ERROR_PARSE },
		{ " ", 1048577, "", LAYOUT_ERROR_PARSE },
		{ "9", 1000000, ":1", LAYOUT_ERROR_OVERFLOW },
		{ "a", 1000000, "", LAYOUT_ERROR_PARSE },
		{ "\"", 1000000, "", LAYOUT_ERROR_PARSE },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = repeated(cases[i].before, cases[i].count, cases[i].after);

		assert_null(layout_value_parse(ctx, text));
		assert_int_equal(layout_context_error(ctx), cases[i].kind);
		assert_true(strlen(layout_context_message(ctx)) < 200);
		layout_context_clear(ctx);
		free(text);
	}
	assert_true(layout_context_free(ctx));
}

/* Lists, and operators that need no brackets to nest. */
static void test_many(void **state)
{
	static const struct {
		const char *head, *part;
		size_t count;
		const char *tail;
		layout_error kind;
	} cases[] = {
		{ "permute({ [i] -> [i] }, [", "0, ", 300, "0])", LAYOUT_ERROR_UNSUPPORTED },
		{ "row_major[", "8, ", 64, "8]", LAYOUT_ERROR_UNSUPPORTED },
		{ "affine_map<(a) -> (a", " * 1", 100, ")>", LAYOUT_ERROR_PARSE },
		{ "affine_map<(a) -> (", "-", 100, "a)>", LAYOUT_ERROR_PARSE },
		{ "affine_map<(a) -> (a", " floordiv 2", 24, ")>", LAYOUT_ERROR_NONE },
		{ "affine_map<(a) -> (a", " floordiv 2", 25, ")>", LAYOUT_ERROR_UNSUPPORTED },
		{ "affine_map<(a) -> (a", " + a mod 2", 300, ")>", LAYOUT_ERROR_UNSUPPORTED },
		{ "affine_map<(a) -> (a", " + a - 1", 20000, ")>", LAYOUT_ERROR_NONE },
		{ "row_major[M", " + M - 1", 20000, "]", LAYOUT_ERROR_NONE },
		{ "row_major[", "-", 100, "1]", LAYOUT_ERROR_PARSE },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *parts = repeated(cases[i].part, cases[i].count, cases[i].tail);
		struct layout_buffer out = { 0 };
		char *text;

		layout_buffer_printf(&out, "%s%s", cases[i].head, parts);
		text = layout_buffer_take(ctx, &out);
		layout_value_free(layout_value_parse(ctx, text));
		if (layout_context_error(ctx) != cases[i].kind)
			fail_msg("case %zu: %s", i, layout_context_message(ctx));
		layout_context_clear(ctx);
		layout_string_free(text);
		free(parts);
	}
	assert_true(layout_context_free(ctx));
}

/* No text and no context are failures like others. */
static void test_null(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_null(layout_value_parse(ctx, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	assert_null(layout_value_parse(NULL, "4:1"));
	assert_null(print_any(NULL, "4:1"));
	assert_null(print_cute(NULL, "4:1"));
	assert_null(print_nested(NULL, ""));
	assert_null(print_encoding(NULL, ""));
	assert_null(print_storage(NULL, ""));
	assert_null(print_remap(NULL, ""));
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_mutated),
		cmocka_unit_test(test_deep_and_long),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
