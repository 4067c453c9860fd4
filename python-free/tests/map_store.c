/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bodies of map_store and map_load as maps: rows, those that chains are printed as, and what
 * is refused. */
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

#define OP(name) "%r = iree_linalg_ext." name " %s into %t {\n"
#define STORE OP("map_store") "^bb0(%i: index, %j: index):\n"
#define LOAD OP("map_load") "^bb0(%i: index, %j: index):\n"
#define YIELD_STORE "  iree_linalg_ext.yield %a, %b, %m : index, index, i1\n} : "
#define YIELD_LOAD "  iree_linalg_ext.yield %a, %b, %p : index, index, f32\n} : "
#define TYPES "tensor<4x6xf32> into tensor<8x8xf32> -> tensor<8x8xf32>"
#define TRUE "%m = arith.constant true\n"

/* One value "%a" of the arguments, and what it is. */
#define VALUE(code, is) { STORE code TRUE "  iree_linalg_ext.yield %a, %j, %m : index, " \
	"index, i1\n} : " TYPES, "{ [i, j] -> [" is ", j] : 0 <= i < 4 and 0 <= j < 6 }" }

/* One condition "%m", and what it is. */
#define CONDITION(code, is) { STORE code "  iree_linalg_ext.yield %i, %j, %m : index, " \
	"index, i1\n} : " TYPES, "{ [i, j] -> [i, j] : 0 <= i < 4 and 0 <= j < 6 and " is " }" }

static const struct row {
	const char *text, *map;
} rows[] = {
	VALUE("%a = arith.addi %i, %j : index\n", "i + j"),
	VALUE("%a = arith.addi %i, %j overflow<nsw> : index\n", "i + j"),
	VALUE("%a = arith.subi %i, %j : index\n", "i - j"),
	VALUE("%c3 = arith.constant 3 : index\n%a = arith.muli %c3, %j : index\n", "3j"),
	VALUE("%a = arith.muli %i, %c3 : index\n", "3i"),
	VALUE("%a = arith.muli %i, %c-3_0 : index\n", "-3i"),
	VALUE("%x = arith.subi %i, %c3 : index\n%a = arith.divsi %x, %c2 : index\n",
		"-floor((3 - i)/2)"),
	VALUE("%x = arith.subi %i, %c3 : index\n%a = arith.floordivsi %x, %c2 : index\n",
		"floor((i - 3)/2)"),
	VALUE("%x = arith.subi %i, %c3 : index\n%a = arith.ceildivsi %x, %c2 : index\n",
		"-floor((3 - i)/2)"),
	VALUE("%x = arith.subi %i, %c3 : index\n%a = arith.remsi %x, %c2 : index\n",
		"-((3 - i) mod 2)"),
	VALUE("%a = arith.divui %j, %c4 : index\n", "floor(j/4)"),
	VALUE("%a = arith.ceildivui %j, %c4 : index\n", "floor((j + 3)/4)"),
	VALUE("%a = arith.remui %j, %c4 : index\n", "j mod 4"),
	VALUE("%a = arith.minsi %j, %c4 : index\n", "j - floor(j/5)"),
	VALUE("%a = arith.maxsi %j, %c1 : index\n", "1 + j - floor((j + 5)/6)"),
	VALUE("%a = arith.minui %j, %c4 : index\n", "j - floor(j/5)"),
	VALUE("%a = arith.maxui %j, %c1 : index\n", "1 + j - floor((j + 5)/6)"),
	VALUE("%x = arith.cmpi sge, %j, %c3 : index\n"
		"%a = arith.select %x, %c7, %c1 : index\n", "1 + 6*floor(j/3)"),
	VALUE("%x = arith.index_cast %j : index to i64\n"
		"%a = arith.index_cast %x : i64 to index\n", "j"),
	VALUE("%a = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 2 + s0)>(%j)[%i]\n",
		"floor(j/2) + i"),
	VALUE("%a = affine.min affine_map<(d0) -> (d0, 4)>(%j)\n", "j - floor(j/5)"),
	VALUE("%a = affine.max affine_map<(d0) -> (d0, 1)>(%j)\n",
		"1 + j - floor((j + 5)/6)"),
	VALUE("%a = affine.linearize_index [%i, %j] by (4, 6) : index\n", "6i + j"),
	VALUE("%a = affine.linearize_index disjoint [%i, %j] by (6) : index\n", "6i + j"),
	VALUE("%x:2 = affine.delinearize_index %j into (3, 2) : index, index\n"
		"%a = arith.addi %x#0, %x#0 : index\n", "2*floor(j/2)"),
	VALUE("%x:2 = affine.delinearize_index %j into (2) : index, index\n"
		"%a = arith.addi %x#1, %x#0 : index\n", "(j mod 2) + floor(j/2)"),
	VALUE("%d = memref.dim %q, %c1 : memref<?x5xf32>\n%a = arith.addi %i, %d : index\n",
		"i + 5"),

	/* bits: of a number, of one below 0, of two indices of which i < 4 and j < 6 */
	VALUE("%a = arith.andi %j, %c5 : index\n", "(j mod 2) + 4*floor(j/4)"),
	VALUE("%a = arith.xori %c3, %j : index\n", "3 - (j mod 4) + 4*floor(j/4)"),
	VALUE("%a = arith.ori %j, %c8 : index\n", "j + 8"),
	VALUE("%x = arith.subi %j, %c4 : index\n%a = arith.andi %x, %c3 : index\n", "j mod 4"),
	VALUE("%a = arith.andi %j, %c-2 : index\n", "2*floor(j/2)"),
	VALUE("%a = arith.andi %c-1, %j : index\n", "j"),
	VALUE("%c = arith.constant 9223372036854775807 : index\n%a = arith.andi %j, %c : index\n", "j"),
	VALUE("%c = arith.constant -9223372036854775808 : index\n%a = arith.andi %j, %c : index\n", "0"),
	VALUE("%a = arith.ori %j, %c-2 : index\n", "(j mod 2) - 2"),
	VALUE("%a = arith.xori %j, %c-1 : index\n", "-1 - j"),
	VALUE("%a = arith.xori %j, %c-3 : index\n", "4*(floor(j/2) mod 2) - 3 - j"),
	VALUE("%a = arith.xori %i, %j : index\n", "((i + j) mod 2) + 2*((floor(i/2) + floor(j/2)) mod 2) "
		"+ 4*floor(j/4)"),
	VALUE("%x = arith.muli %i, %c8 : index\n%a = arith.ori %x, %j : index\n", "8i + j"),
	VALUE("%x = arith.muli %i, %c8 : index\n%a = arith.andi %x, %j : index\n", "0"),
	VALUE("%x = arith.shli %i, %c3 overflow<nsw> : index\n%y = arith.shrsi %j, %c1 : index\n"
		"%z = arith.shrui %j, %c2 : index\n%w = arith.addi %x, %y : index\n"
		"%a = arith.addi %w, %z : index\n", "8i + floor(j/2) + floor(j/4)"),

	CONDITION("%m = arith.cmpi eq, %i, %j : index\n", "i = j"),
	CONDITION("%m = arith.cmpi ne, %i, %c0 : index\n", "i > 0"),
	CONDITION("%m = arith.cmpi slt, %i, %j : index\n", "i < j"),
	CONDITION("%m = arith.cmpi ule, %i, %j : index\n", "i <= j"),
	CONDITION("%m = arith.cmpi sgt, %i, %j : index\n", "i > j"),
	CONDITION("%m = arith.cmpi uge, %i, %j : index\n", "i >= j"),
	CONDITION("%x = arith.subi %i, %j : index\n%m = arith.cmpi ult, %x, %c2 : index\n",
		"0 <= i - j <= 1"),
	CONDITION("%x = arith.subi %i, %j : index\n%m = arith.cmpi ugt, %x, %c2 : index\n",
		"(i - j < 0 or i - j > 2)"),
	CONDITION("%x = arith.cmpi slt, %i, %c2 : index\n%y = arith.cmpi slt, %j, %c2 : "
		"index\n%m = arith.andi %x, %y : i1\n", "i < 2 and j < 2"),
	CONDITION("%x = arith.cmpi slt, %i, %c2 : index\n%y = arith.cmpi slt, %j, %c2 : "
		"index\n%m = arith.ori %x, %y : i1\n", "(i < 2 or j < 2)"),
	CONDITION("%x = arith.cmpi slt, %i, %c2 : index\n%m = arith.xori %x, %true : i1\n",
		"i >= 2"),
	CONDITION("%x = arith.cmpi slt, %i, %c2 : index\n%y = arith.cmpi slt, %j, %c2 : "
		"index\n%m = arith.select %x, %y, %false : i1\n", "i < 2 and j < 2"),
	CONDITION("%m = arith.constant false\n", "i < 0"),

	/* the result's indices, and those of the source alone that are there */
	{ LOAD "%p = arith.constant 0.0 : f32\n%a = arith.subi %i, %c2 : index\n"
		"%b = arith.divui %j, %c1 : index\n" YIELD_LOAD TYPES,
		"{ [i, j] -> [i + 2, j] : 0 <= i < 4 and 0 <= j < 6 }" },
	{ LOAD "%p = ub.poison : f32\n%a = arith.subi %i, %c6 : index\n"
		"%b = arith.addi %j, %c4 : index\n" YIELD_LOAD TYPES,
		"{ [i, j] -> [i + 6, j - 4] : 0 <= i < 2 and 4 <= j < 6 }" },
	{ OP("map_gather") "^bb0(%i: index):\n  iree_linalg_ext.yield %i, %pad : index, f32\n}"
		" : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>",
		"[d0, r0] -> { [i] -> [i] : 0 <= i < d0 and i < r0 }" },

	/* sizes that are names, old names, memories and vectors */
	{ "%n = tensor.dim %s, %c0 : tensor<?x6xf32>\n" STORE
		"%m = arith.cmpi ult, %i, %k : index\n"
		"  iree_linalg_ext.yield %i, %j, %m : index, index, i1\n} : "
		"tensor<?x6xf32> into tensor<?x?xf32> -> tensor<?x?xf32>",
		"[n, k] -> { [i, j] -> [i, j] : 0 <= i < n and 0 <= j < 6 and i < k }" },
	{ OP("map_scatter") "^bb0(%i: index, %j: index):\n"
		"  iree_linalg_ext.yield %j, %i, %true : index, index, i1\n} : "
		"vector<4x6xf32> into memref<8x8xf32, strided<[8, 1], offset: ?>>",
		"{ [i, j] -> [j, i] : 0 <= i < 4 and 0 <= j < 6 }" },
	{ "#map = affine_map<(d0) -> (d0 + 1)>\n" STORE "%a = affine.apply #map(%i)\n"
		"  iree_linalg_ext.yield %a, %j, %true : index, index, i1\n} : " TYPES,
		"{ [i, j] -> [i + 1, j] : 0 <= i < 4 and 0 <= j < 6 }" },

	/* reshapes whose sizes are names go group by group */
	{ "%n = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%N]\n"
		"%e = tensor.empty(%M, %n) : tensor<?x?xf32>\n"
		OP("map_store") "^bb0(%i: index, %j: index):\n"
		"%x = affine.linearize_index disjoint [%i, %j] by (%M, %n) : index\n"
		"%y:3 = affine.delinearize_index %x into (%M, %N, 16) : index, index, index\n"
		"  iree_linalg_ext.yield %y#1, %y#0, %y#2, %true : index, index, index, i1\n} : "
		"tensor<?x?xf32> into tensor<?x?x16xf32> -> tensor<?x?x16xf32>",
		"[d0, d1] -> { [i, j] -> [floor(j/16), i, j mod 16] : 0 <= i < d0 and "
		"0 <= j < d1 }" },

	/* as the map of a remap */
	{ "remap(row_major[4, 6] -> row_major[6, 4], type = f32, map = " STORE
		"  iree_linalg_ext.yield %j, %i, %true : index, index, i1\n} : "
		"tensor<4x6xf32> into tensor<6x4xf32> -> tensor<6x4xf32>)",
		"{ [i, j] -> [j, i] : 0 <= i < 4 and 0 <= j < 6 }" },

	/* names that isl cannot have are others, each its own */
	{ "%12 = some.thing %q {a = [1]} : index\n" STORE
		"%x = arith.addi %12, %v12 : index\n%y = arith.addi %x, %z#1 : index\n"
		"%a = arith.addi %y, %i : index\n"
		"  iree_linalg_ext.yield %a, %j, %true : index, index, i1\n} : " TYPES,
		"[v12, v12_, vz_1] -> { [i, j] -> [i + v12 + v12_ + vz_1, j] : 0 <= i < 4 and "
		"0 <= j < 6 }" },
};

static layout_relation *parse(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);
	layout_relation *relation = layout_value_relation(value);

	if (!relation)
		fail_msg("%s\n%s", layout_context_message(ctx), text);
	layout_value_free(value);
	return relation;
}

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_relation *map = parse(ctx, rows[i].text);
		layout_relation *wanted = parse(ctx, rows[i].map);
		char *found = layout_relation_str(map);

		if (layout_relation_equal(map, wanted, NULL) != LAYOUT_YES)
			fail_msg("%s\n\tis %s\n\tnot %s", rows[i].text, found, rows[i].map);
		free(found);
		layout_relation_free(map);
		layout_relation_free(wanted);
	}
	layout_context_free(ctx);
}

/* Bit by bit, against C: of an index of 4 and one of 6, or of the latter and a number. */
static void test_bits(void **state)
{
	static const char *const names[] = { "andi", "ori", "xori" };
	static const int numbers[] = { -9, -4, -1, 0, 1, 5, 6, 12 };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (int operation = 0; operation < 3; operation++)
		for (size_t n = 0; n <= COUNT(numbers); n++) {
			char text[1000], points[2000] = "{ ", *end = points + 2;
			bool both = n == COUNT(numbers);
			layout_relation *map, *wanted;

			for (int i = 0; i < 4; i++)
				for (int j = 0; j < 6; j++) {
					int a = both ? i : numbers[n];

					end += sprintf(end, "[%d, %d] -> [%d, %d]; ", i, j, operation == 0 ?
						a & j : operation == 1 ? a | j : a ^ j, j);
				}
			strcpy(end, "}");
			sprintf(text, "%%c = arith.constant %d : index\n%s%%a = arith.%s %s, %%j : "
				"index\n  iree_linalg_ext.yield %%a, %%j, %%true : index, index, i1\n} : "
				TYPES, both ? 0 : numbers[n], STORE, names[operation], both ? "%i" : "%c");
			map = parse(ctx, text);
			wanted = parse(ctx, points);
			if (layout_relation_equal(map, wanted, NULL) != LAYOUT_YES)
				fail_msg("%s", text);
			layout_relation_free(map);
			layout_relation_free(wanted);
		}
	assert_true(layout_context_free(ctx));
}

/* Chains, both of whose bodies are read back as what they are. */
static const char *const chains[] = {
	"chain(row_major[6, 4], transpose([1, 0]))",
	"chain(row_major[60, 9], pack([0, 1], [16, 4], pad = 0.0))",
	"chain(row_major[60, 9], pad([2, 0], [2, 7], 1.0), expand_shape([[0], [1, 2]], "
		"[64, 4, 4]), transpose([2, 0, 1]))",
	"chain(row_major[8, 9, 2], extract_slice([1, 3, 0], [3, 4, 1], [2, 1, 1], "
		"drop = [2]), collapse_shape([[0, 1]]))",
	"chain(row_major[2, 3, 4, 4], unpack([0, 1], [7, 11]))",
};

static void test_round_trips(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(chains); i++)
		for (int loads = 0; loads < 2; loads++) {
			layout_chain *chain = layout_chain_parse(ctx, chains[i]);
			layout_relation *wanted = layout_chain_relation(chain);
			char *body = layout_chain_mlir(chain, loads ? LAYOUT_MAP_LOAD :
				LAYOUT_MAP_STORE, "f32");
			layout_relation *map;

			assert_non_null(body);
			map = parse(ctx, body);
			if (layout_relation_equal(map, wanted, NULL) != LAYOUT_YES)
				fail_msg("%s\n%s", chains[i], body);
			layout_relation_free(map);
			layout_relation_free(wanted);
			layout_chain_free(chain);
			free(body);
		}
	layout_context_free(ctx);
}

#define BAD(code) STORE code TRUE YIELD_STORE TYPES

/* "at" is found in the text, and begins where the error is. */
static const struct {
	const char *text, *at, *message;
} errors[] = {
	{ BAD("%a = arith.muli %i, %j : index\n"), "arith.muli",
		"not affine: neither factor is constant" },
	{ BAD("%a = arith.divsi %i, %j : index\n"), "arith.divsi",
		"not affine: the divisor is not constant" },
	{ BAD("%a = arith.divsi %i, %c0 : index\n"), "arith.divsi",
		"a divisor must be at least 1" },
	{ BAD("%x = arith.subi %i, %j : index\n%a = arith.remui %x, %c2 : index\n"),
		"arith.remui", "the index may be negative" },
	{ BAD("%a = arith.xori %i, %j : i1\n"), "%i, %j : i1\n%m",
		"%i is an index, and no condition" },
	{ BAD("%a = arith.xori %i, %n : index\n"), "arith.xori",
		"the bits of two indices of which one is not known to be" },
	{ BAD("%x = arith.subi %i, %j : index\n%a = arith.andi %x, %j : index\n"), "arith.andi",
		"the bits of two indices" },
	{ BAD("%a = arith.shli %i, %j : index\n"), "arith.shli", "a shift is by a number" },
	{ BAD("%x = arith.subi %i, %j : index\n%a = arith.shrui %x, %c1 : index\n"), "arith.shrui",
		"the index may be negative" },
	{ BAD("%a = memref.load %q[%i] : memref<4xindex>\n"), "memref.load",
		"expected an operation on indices" },
	{ BAD("%a = arith.cmpi oeq, %i, %j : index\n"), "oeq", "expected `eq`" },
	{ BAD("%a = arith.addi %i, %j : index\n%a = arith.addi %i, %j : index\n"),
		"%a = arith.addi %i, %j : index\n%m", "%a is given twice" },
	{ BAD("%x = arith.cmpi eq, %i, %j : index\n%a = arith.addi %x, %i : index\n"),
		"%x, %i", "%x is a condition, and no index" },
	{ BAD("%x = arith.constant 1.0 : f32\n%a = arith.addi %x, %i : index\n"),
		"%x, %i", "%x is no index and no condition" },
	{ BAD("%x = affine.linearize_index [%i, %j] by (%M, %N) : index\n"
		"%a = arith.addi %x, %i : index\n"), "%x, %i", "%x is not affine" },
	{ BAD("%x:2 = affine.delinearize_index %i into (%M, %N) : index, index\n"),
		"affine.delinearize_index", "not affine: the divisor is not constant" },
	{ BAD("%x:3 = affine.delinearize_index %i into (4) : index, index, index\n"),
		"affine.delinearize_index", "found 1 sizes of 3 indices" },
	{ BAD("%x:2 = affine.delinearize_index %i into (4, 2) : index, index\n"
		"%a = arith.addi %x#2, %i : index\n"), "%x#2", "%x is not that many values" },
	{ BAD("%a = affine.apply affine_map<(d0) -> (d0, d0)>(%i)\n"), "affine.apply",
		"a map of one result is applied, and this one has 2" },
	{ BAD("%a = affine.apply affine_map<(d0, d1) -> (d0)>(%i)\n"), "(%i)",
		"found 1 values, expected 2" },
	{ BAD("%d = tensor.dim %s, %c2 : tensor<4x6xf32>\n"), "%c2",
		"a dimension of a tensor of rank 2 is 0 .. 1" },
	{ STORE "iree_linalg_ext.yield %i, %j, %never : index, index, i1\n} : " TYPES,
		"%never", "nothing says what the condition %never is" },
	{ STORE "iree_linalg_ext.yield %i, %true : index, i1\n} : " TYPES, " : index, i1",
		"expected `,`" },
	{ OP("map_store") "^bb0(%i: index):\n  iree_linalg_ext.yield %i, %i, %true : index, "
		"index, i1\n} : " TYPES, "(%i: index)", "the body has 1 arguments, expected 2" },
	{ OP("map_store") "^bb0(%i: index, %j: index, %k: index):\n} : " TYPES, "(%i: index",
		"expected 2: one a dimension of the source" },
	{ STORE "  iree_linalg_ext.yield %i, %j, %true : index, index, i1\n}", "",
		"expected `:`, found the end of the text" },
	/* what is no block's name in front of the operation says nothing of its arguments */
	{ "%n = ^) " OP("map_store") "^bb0(%i: index, %j: index)\n} : " TYPES, "} : tensor",
		"expected `:`" },
	{ OP("map_store") "^bb0(%i: f32, %j: index):\n} : " TYPES, "f32, %j",
		"expected `index`" },
	{ STORE "%a = arith.addi %i, %j : index\n} : " TYPES, "} : tensor",
		"expected `iree_linalg_ext.yield`" },
};

static void test_errors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		const char *at = *errors[i].at ? strstr(errors[i].text, errors[i].at) :
			errors[i].text + strlen(errors[i].text);
		layout_value *value = layout_value_parse(ctx, errors[i].text);
		const char *message = layout_context_message(ctx);

		assert_non_null(at);
		at += *errors[i].at == ' ';
		if (value || !strstr(message, errors[i].message))
			fail_msg("%s\n\t%s\n\tnot %s", errors[i].text, message,
				errors[i].message);
		if (layout_context_position(ctx) != at - errors[i].text)
			fail_msg("%s\n\t%s\n\tat %ld, not %ld", errors[i].text, message,
				layout_context_position(ctx), (long)(at - errors[i].text));
		layout_context_clear(ctx);
	}
	layout_context_free(ctx);
}

/* Every part of a text up to some byte is an error, and nothing else. */
static void test_parts(void **state)
{
	layout_context *ctx = layout_context_new();
	char text[1024];

	(void)state;
	for (size_t i = 1; i < strlen(rows[0].text) - 30; i++) {
		layout_value *value;

		snprintf(text, sizeof(text), "%.*s", (int)i, rows[0].text);
		value = layout_value_parse(ctx, text);
		assert_null(value);
		layout_context_clear(ctx);
	}
	layout_context_free(ctx);
}

#define NESTED(s, b, o, t, e, ss, ts) "nested_layout<subgroup_tile = [" s "], batch_tile = [" b \
	"], outer_tile = [" o "], thread_tile = [" t "], element_tile = [" e "], " \
	"subgroup_strides = [" ss "], thread_strides = [" ts "]>"

/* What a thread holds as MLIR, put into the body of a map_store from all that there is; or why
 * there is none. */
static const struct {
	const char *nested, *arguments, *yield, *types, *refused;
} nested_rows[] = {
	{ NESTED("2, 1", "2, 4", "1, 1", "16, 4", "1, 4", "1, 0", "1, 16"),
		"%b0: index, %b1: index, %o0: index, %o1: index, %e0: index, %e1: index",
		"%x0, %x1, %true : index, index, i1",
		"tensor<128x2x4x1x1x1x4xi8> into tensor<64x64xi8> -> tensor<64x64xi8>", NULL },
	{ NESTED("4, 2", "1, 2", "3, 1", "2, 8", "1, 2", "2, 1", "32, 1"),
		"%b0: index, %b1: index, %o0: index, %o1: index, %e0: index, %e1: index",
		"%x0, %x1, %true : index, index, i1",
		"tensor<512x1x2x3x1x1x2xi8> into tensor<24x64xi8> -> tensor<24x64xi8>", NULL },
	{ NESTED("2", "1", "2", "4", "3", "2", "16"), "%b0: index, %o0: index, %e0: index",
		"%x0, %true : index, i1",
		"tensor<256x1x2x3xi8> into tensor<48xi8> -> tensor<48xi8>", NULL },
	{ NESTED("2, 1", "1, 1", "1, 1", "8, 4", "1, 1", "1, 0", "1, 4"), NULL, NULL, NULL,
		"overlapping strides" },
	{ NESTED("", "", "", "", "", "", ""), NULL, NULL, NULL, "there are no dimensions" },
	{ NESTED("1", "1", "1", "4", "1", "0", "0"), NULL, NULL, NULL, "several ids" },
};

static void nested_ids(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(nested_rows) / sizeof(*nested_rows); i++) {
		layout_value *nested = layout_value_parse(ctx, nested_rows[i].nested);
		char *lines = layout_nested_mlir(layout_value_nested(nested)), text[2000];
		layout_relation *is, *wanted;
		layout_value *body;

		if (nested_rows[i].refused) {
			assert_null(lines);
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
			assert_non_null(strstr(layout_context_message(ctx),
				nested_rows[i].refused));
			layout_context_clear(ctx);
			layout_value_free(nested);
			continue;
		}
		assert_non_null(lines);
		snprintf(text, sizeof(text), "%%r = iree_linalg_ext.map_store %%s into %%d {\n"
			"^bb0(%%thread: index, %s):\n%s\n%%true = arith.constant true\n"
			"iree_linalg_ext.yield %s\n} : %s", nested_rows[i].arguments, lines,
			nested_rows[i].yield, nested_rows[i].types);
		body = layout_value_parse(ctx, text);
		if (!body)
			fail_msg("%s\n%s", text, layout_context_message(ctx));
		is = layout_value_relation(body);
		wanted = layout_value_relation(nested);
		assert_int_equal(layout_relation_equal(is, wanted, NULL), LAYOUT_YES);
		layout_relation_free(is);
		layout_relation_free(wanted);
		layout_value_free(body);
		layout_value_free(nested);
		layout_string_free(lines);
	}
	assert_null(layout_nested_mlir(NULL));
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested_ids),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
