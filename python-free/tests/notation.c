/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every notation prints what it read, in its normal form, and reads that again. */
#include "isl_bridge/context.h"
#include "support/notations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIMS "\"CrossThread\", 4 : i16], [\"CrossIntrinsic\", 8 : i16], "
#define PACKED "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[" DIMS \
	"[\"CrossThread\", 4 : i16]], [[\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 4 : i16]]], permutation = [1, 4, 0, 2, 3]}}>"
#define PLAIN "encoding_info<{innerDimsPos = [1], innerTileSizes = [8]}>"
#define NESTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], " \
	"outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [1, 4], " \
	"subgroup_strides = [1, 0], thread_strides = [16, 1]"

static const struct row {
	char *(*print)(layout_context *ctx, const char *text);
	const char *text, *printed;	/* NULL: as "text" */
} rows[] = {
	{ print_cute, "(4,8):(8,1)", NULL },
	{ print_cute, "((2,2),4):((1,8),2)", NULL },
	{ print_cute, " ( ( 2 , 2 ) ,\n4):((1,8),\t2)", "((2,2),4):((1,8),2)" },
	{ print_cute, "7:1", NULL },
	{ print_cute, "(7):(1)", NULL },
	{ print_cute, "((((3)))):((((2))))", NULL },
	{ print_cute, "():()", NULL },
	{ print_cute, "((),3):((),1)", NULL },
	{ print_cute, "(4,0):(1,4)", NULL },
	{ print_cute, "4:-1", NULL },
	{ print_cute, "(4,2):(- 1,0004)", "(4,2):(-1,4)" },
	{ print_any, "(4,8):(8,1)", NULL },

	{ print_nested, NESTED ">", NULL },
	{ print_nested, "#iree_vector_ext." NESTED ">", NESTED ">" },
	{ print_nested, NESTED ", subgroup_size = 32>", NULL },
	{ print_nested, NESTED ", subgroup_size = 64>", NESTED ">" },
	{ print_nested, "nested_layout<thread_strides=[1],element_tile=[2],subgroup_size"
		"=32,thread_tile=[8],outer_tile=[1],\n batch_tile=[4],subgroup_strides=[7],"
		"subgroup_tile=[1]>",
		"nested_layout<subgroup_tile = [1], batch_tile = [4], outer_tile = [1], "
		"thread_tile = [8], element_tile = [2], subgroup_strides = [0], "
		"thread_strides = [1], subgroup_size = 32>" },
	{ print_nested, "nested_layout<subgroup_tile = [], batch_tile = [], outer_tile = "
		"[], thread_tile = [], element_tile = [], subgroup_strides = [], "
		"thread_strides = []>", NULL },
	{ print_any, NESTED ">", NULL },

	{ print_encoding, PACKED, NULL },
	{ print_encoding, PLAIN, NULL },
	{ print_encoding, "encoding_info<{innerDimsPos = [], innerTileSizes = [], "
		"outerDimsPerm = []}>", NULL },
	{ print_encoding, "encoding_info<{innerDimsPos = [], innerTileSizes = [], "
		"swizzle = {expandShape = [], permutation = []}}>", NULL },
	{ print_encoding, "#iree_gpu.gpu_encoding_resolver<configuration = "
		"{encoding_info = {innerDimsPos = [1], innerTileSizes = [8]}}>", PLAIN },
	{ print_encoding, "#iree_encoding.layout<[\n#iree_gpu.gpu_encoding_resolver<"
		"configuration = {encoding_info = {\ninnerDimsPos = [0, 1], innerTileSizes "
		"= [128, 16], outerDimsPerm = [0, 1],\nswizzle = {expandShape = [[[" DIMS
		"[\"CrossThread\", 4 : i16]], [[\"CrossIntrinsic\", 4 : i16], "
		"[\"CrossThread\", 4 : i16]]],\npermutation = [1, 4, 0, 2, 3]}}}>\n]>",
		PACKED },
	{ print_encoding, "#iree_encoding.layout<[" PLAIN "]>", PLAIN },
	{ print_encoding, "encoding_info<{swizzle={permutation=[1,0],expandShape=[[["
		"\"Internal\",2,\"One\"],[\"CrossThread\",4 : i32,2]]]},innerTileSizes=[8],"
		"innerDimsPos=[0]}>",
		"encoding_info<{innerDimsPos = [0], innerTileSizes = [8], swizzle = "
		"{expandShape = [[[\"Internal\", 2 : i16], [\"CrossThread\", 4 : i16, "
		"2 : i8]]], permutation = [1, 0]}}>" },
	{ print_encoding, "encoding_info<{innerDimsPos = [0], innerTileSizes = [65536], "
		"swizzle = {expandShape = [[[\"CrossThread\", 65536 : i64, 300 : i64]]], "
		"permutation = [0]}}>", NULL },
	{ print_any, PACKED, NULL },

	{ print_storage, "row_major[M, 513]", NULL },
	{ print_storage, "col_major[ M,K ]", "col_major[M, K]" },
	{ print_storage, "row_major[]", NULL },
	{ print_storage, "row_major[K + Q, 128*A, 2*M - 1]", NULL },
	{ print_storage, "row_major[K+K, (A + 1)*3, -(2 - M), M - M, 2*3]",
		"row_major[2*K, 3*A + 3, M - 2, 0, 6]" },
	{ print_storage, "strided[M, K : 1024, 1]", NULL },
	{ print_storage, "strided[M, 4 : S, 1]", NULL },
	{ print_storage, "packed(" PACKED ", [M, K])", NULL },
	{ print_storage, "packed(#iree_encoding.layout<[" PLAIN "]>,[255,513])",
		"packed(" PLAIN ", [255, 513])" },
	{ print_any, "strided[M, K : 1024, 1]", NULL },

	{ print_remap, "remap(row_major[M, K] -> packed(" PLAIN ", [M, K]), type = f32)",
		NULL },
	{ print_remap, "remap(row_major[M]->col_major[M],pad=-1.5e-3,type=bf16)",
		"remap(row_major[M] -> col_major[M], type = bf16, pad = -1.5e-3)" },
	{ print_remap, "remap(row_major[M] -> row_major[M], type = f32, pad = 0x7FC00000)",
		NULL },
	{ print_remap, "remap(row_major[M] -> row_major[M], type = f64, pad = -inf)", NULL },
	{ print_remap, "remap(row_major[M] -> row_major[M], type = i8, pad = -128)", NULL },
	{ print_remap, "remap(row_major[M] -> row_major[M], type = i8, pad = -3.0)", NULL },
	{ print_any, "remap(row_major[2] -> row_major[2], type = f16, pad = .5)", NULL },
	{ print_remap, "remap(row_major[M] -> row_major[M + 2], map = affine_map<(d0) -> "
		"(d0 + 2)>, type = i8)", "remap(row_major[M] -> row_major[M + 2], type = i8, "
		"map = { [d0] -> [d0 + 2] })" },
	{ print_remap, "remap(row_major[M] -> row_major[9], type = i8, pad = 1, map = "
		"[P] -> { [i] -> [i - P] : P <= i <= 4 })", NULL },
	{ print_storage, "swizzled(row_major[M, 64], Sw<3,3,3>)", NULL },
	{ print_storage, "swizzled(row_major[M, 64], Swizzle<3,3,3>)",
		"swizzled(row_major[M, 64], Sw<3,3,3>)" },
	{ print_any, "(_4,_8):(_8,_1)", "(4,8):(8,1)" },
	{ print_any, "((_2,2),_4):((_1,_8),_-2)", "((2,2),4):((1,8),-2)" },
	{ print_any, "Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,4,3> o 0 o (8,64):(64,1)" },
	{ print_any, "Swizzle<3,4,3>", "Sw<3,4,3>" },
	{ print_any, "#iree_map.pack_map<((4, 2), 8) : ((1, 0), 4)>", "pack_map<((4,2),8):((1,0),4)>" },
	{ print_any, "#iree_map.pack_layout<(4,8):(0,1)>", "pack_map<(4,8):(0,1)>" },
	{ print_any, "Sw<3,4,3> o 0 o pack_layout<(8,64):(64,1)>",
		"Sw<3,4,3> o 0 o pack_map<(8,64):(64,1)>" },
	{ print_any, "logical_divide((_4,_8):(_8,_1), <_2:_1, _>)", "((2,2),8):((8,16),1)" },
	{ print_storage, "swizzled(swizzled(strided[M, 64 : 64, 1], Sw<3,3,3>), "
		"#iree_codegen.xor_shuffle<64, 4, 64, 1>)",
		"swizzled(swizzled(strided[M, 64 : 64, 1], Sw<3,3,3>), xor_shuffle<64, 4>)" },

	{ print_any, "affine_map<(d0, d1)[s0] -> (d0 floordiv 4, d1 + s0)>", NULL },
	{ print_any, "affine_map<(a, b) -> (b, a)>", "affine_map<(d0, d1) -> (d1, d0)>" },
	{ print_any, "affine_map<() -> ()>", NULL },
	{ print_any, "affine_map<(d0) -> ()>", NULL },
	{ print_any, "affine_map<(d0)[s0] -> (d0 * 4611686018427387904 + 4294967296 "
		"- s0 * 9223372036854775807)>", NULL },
	{ print_any, "affine_map<(d0) -> (0, 3*4 - 5)>", "affine_map<(d0) -> (0, 7)>" },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		const char *expected = row->printed ? row->printed : row->text;
		layout_context *ctx = layout_context_new();
		char *printed = row->print(ctx, row->text);
		char *again;

		if (!printed)
			fail_msg("%s: %s", row->text, layout_context_message(ctx));
		assert_string_equal(printed, expected);
		again = row->print(ctx, printed);
		assert_non_null(again);
		assert_string_equal(again, printed);
		layout_string_free(printed);
		layout_string_free(again);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(layout_context_free(ctx));
	}
}

/* What the lines of affine maps mean, as isl says it. */
static void test_affine_maps(void **state)
{
	static const char *const maps[][2] = {
		{ "affine_map<(d0, d1)[s0] -> (d0 floordiv 4, d1 + s0)>",
			"[s0] -> { [a, b] -> [floor(a/4), b + s0] }" },
		{ "affine_map<(i) -> (i ceildiv 3, i mod 3, -i mod 3)>",
			"{ [i] -> [-floor(-i/3), i - 3*floor(i/3), -i - 3*floor(-i/3)] }" },
		{ "affine_map<(i, j) -> (2 * i mod 5 + j * 3 - 1)>",
			"{ [i, j] -> [k] : exists e: k = 2i - 5e + 3j - 1 and "
			"0 <= 2i - 5e < 5 }" },
		{ "affine_map<(i) -> (5 - i - -2, -(-7 floordiv 2) * (i + 1))>",
			"{ [i] -> [7 - i, 4i + 4] }" },
		{ "affine_map<(i) -> (i * 6 floordiv 4, i * (6 floordiv 4), 7 ceildiv 2, "
			"-7 mod 4)>", "{ [i] -> [floor(6i/4), i, 4, 1] }" },
		{ "affine_map<(mod, floor)[d0, d1, and.$] -> (mod + d0, floor + and.$)>",
			"[d0, d1, s2] -> { [a, b] -> [a + d0, b + s2] }" },
		{ "affine_map<(i, i.j) -> ((i + i.j) floordiv 2 floordiv 3)>",
			"{ [i, j] -> [floor((i + j)/6)] }" },
		{ "affine_map<() -> (3)>", "{ [] -> [3] }" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, maps[i][0]);
		layout_relation *map = layout_value_relation(value);
		layout_relation *expected = layout_relation_read(ctx, maps[i][1]);

		if (layout_relation_equal(map, expected, NULL) != LAYOUT_YES)
			fail_msg("%s is not %s %s", maps[i][0], maps[i][1],
				layout_context_message(ctx));
		layout_relation_free(map);
		layout_relation_free(expected);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

/* A random literal in its normal form. */
struct made {
	struct layout_buffer text;
	uint64_t random;
};

static void make_tree(struct made *made, uint64_t *shape, unsigned bound, unsigned depth)
{
	unsigned count = random_below(shape, 4);

	if (depth == 3 || random_below(shape, 2)) {
		layout_buffer_printf(&made->text, "%u", random_below(&made->random, bound));
		return;
	}
	layout_buffer_printf(&made->text, "(");
	for (unsigned i = 0; i < count; i++) {
		layout_buffer_printf(&made->text, "%s", i ? "," : "");
		make_tree(made, shape, bound, depth + 1);
	}
	layout_buffer_printf(&made->text, ")");
}

/* Both trees grow from the same numbers. */
static void make_cute(struct made *made)
{
	uint64_t shape = made->random, stride = made->random;

	make_tree(made, &shape, 9, 0);
	layout_buffer_printf(&made->text, ":");
	make_tree(made, &stride, 100, 0);
}

static void make_list(struct made *made, const char *name, const unsigned *items,
	unsigned count)
{
	layout_buffer_printf(&made->text, "%s = [", name);
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(&made->text, "%s%u", i ? ", " : "", items[i]);
	layout_buffer_printf(&made->text, "]");
}

static void make_nested(struct made *made)
{
	static const char *const names[] = { "subgroup_tile", ", batch_tile", ", outer_tile",
		", thread_tile", ", element_tile", ", subgroup_strides", ", thread_strides" };
	unsigned rank = random_below(&made->random, 4), items[7][4];

	layout_buffer_printf(&made->text, "nested_layout<");
	for (unsigned i = 0; i < 7; i++) {
		for (unsigned d = 0; d < rank; d++) {
			unsigned number = random_below(&made->random, 8);

			items[i][d] = i < 5 ? 1 + number / 2 :
				items[i == 5 ? 0 : 3][d] == 1 ? 0 : number;
		}
		make_list(made, names[i], items[i], rank);
	}
	if (random_below(&made->random, 2))
		layout_buffer_printf(&made->text, ", subgroup_size = 32");
	layout_buffer_printf(&made->text, ">");
}

static void shuffle(struct made *made, unsigned *items, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned other = random_below(&made->random, i + 1);

		items[i] = items[other];
		items[other] = i;
	}
}

static void make_encoding(struct made *made)
{
	static const char *const kinds[] = { "Internal", "CrossThread", "CrossIntrinsic" };
	unsigned rank = 1 + random_below(&made->random, 3), parts = 0;
	unsigned pos[4], perm[4], sizes[3][3], counts[3], tiles[3], order[9];

	shuffle(made, pos, rank);
	shuffle(made, perm, rank);
	for (unsigned i = 0; i < rank; i++) {
		tiles[i] = 1;
		counts[i] = random_below(&made->random, 4);
		for (unsigned k = 0; k < counts[i]; k++, parts++) {
			sizes[i][k] = 1 + random_below(&made->random, 9);
			tiles[i] *= sizes[i][k];
		}
	}
	shuffle(made, order, parts);
	layout_buffer_printf(&made->text, "encoding_info<{");
	make_list(made, "innerDimsPos", pos, rank);
	make_list(made, ", innerTileSizes", tiles, rank);
	if (random_below(&made->random, 2))
		make_list(made, ", outerDimsPerm", perm, rank);
	layout_buffer_printf(&made->text, ", swizzle = {expandShape = [");
	for (unsigned i = 0; i < rank; i++) {
		layout_buffer_printf(&made->text, "%s[", i ? ", " : "");
		for (unsigned k = 0; k < counts[i]; k++) {
			unsigned kind = random_below(&made->random, 3);

			layout_buffer_printf(&made->text, "%s[\"%s\", %u : i16%s]",
				k ? ", " : "", kinds[kind], sizes[i][k],
				kind == 1 && sizes[i][k] > 5 ? ", 2 : i8" : "");
		}
		layout_buffer_printf(&made->text, "]");
	}
	make_list(made, "], permutation", order, parts);
	layout_buffer_printf(&made->text, "}}>");
}

/* The text with white space wherever it means nothing. */
static char *spaced(layout_context *ctx, const char *text, uint64_t *random)
{
	struct layout_buffer out = { 0 };
	bool quoted = false;

	for (const char *at = text; *at; at++) {
		quoted ^= *at == '"';
		layout_buffer_append(&out, at, 1);
		if (!quoted && strchr("()[]{}<>,:=", *at) && !random_below(random, 3))
			layout_buffer_append(&out, "\t\n ", 1 + random_below(random, 3));
	}
	return layout_buffer_take(ctx, &out);
}

static void test_random(void **state)
{
	static void (*const makers[])(struct made *) = { make_cute, make_nested,
		make_encoding };
	static char *(*const printers[])(layout_context *, const char *) = {
		print_cute, print_nested, print_encoding };
	layout_context *ctx = layout_context_new();
	struct made made = { .random = random_seed() };

	(void)state;
	for (unsigned i = 0; i < 900; i++) {
		char *text, *loose, *printed;

		makers[i % 3](&made);
		text = layout_buffer_take(ctx, &made.text);
		loose = spaced(ctx, text, &made.random);
		printed = printers[i % 3](ctx, loose);
		random_below(&made.random, 2);
		if (!printed)
			fail_msg("%s: %s", loose, layout_context_message(ctx));
		assert_string_equal(printed, text);
		layout_string_free(printed);
		layout_string_free(loose);
		layout_string_free(text);
	}
	assert_true(layout_context_free(ctx));
}

/* Every good literal reads, and what it prints prints itself. */
static void test_good_literals(void **state)
{
	(void)state;
	for (unsigned i = 0; good_literal(i); i++) {
		layout_context *ctx = layout_context_new();
		char *printed = print_any(ctx, good_literal(i));
		char *again = printed ? print_any(ctx, printed) : NULL;

		if (!again)
			fail_msg("%s: %s", good_literal(i), layout_context_message(ctx));
		assert_string_equal(again, printed);
		layout_string_free(printed);
		layout_string_free(again);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_affine_maps),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_good_literals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
