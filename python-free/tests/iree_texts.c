/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes, types and aliases as IREE's documents print them, and what they are here; what
 * says no layout is refused where it stands. */
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* Nested layouts of rank 2: the lists on several lines. */
#define LISTS "\n  subgroup_tile = [2, 1],\n  batch_tile = [2, 4],\n  outer_tile = [1, 1],\n" \
	"  thread_tile = [16, 4],\n  element_tile = [1, 4],\n  subgroup_strides = [1, 0],\n" \
	"  thread_strides = [1, 16]\n"
#define NESTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [2, 4], " \
	"outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], " \
	"subgroup_strides = [1, 0], thread_strides = [1, 16]>"
#define ONE(name) name "<subgroup_tile = [1], batch_tile = [3], outer_tile = [1], " \
	"thread_tile = [1], element_tile = [2], subgroup_strides = [0], thread_strides = [0]>"

#define MAPS "#map0 = affine_map<(m, n, k) -> (m, k)>\n" \
	"#map1 = affine_map<(m, n, k) -> (k, n)>\n#map2 = affine_map<(m, n, k) -> (m, n)>\n"
#define FIELDS "\noperand_index = 0 : index,\nop_type = matmul,\n" \
	"element_types = [f32, f32, f32]"
#define VERBOSE(more) "#iree_encoding.encoding<" FIELDS ",\n" \
	"user_indexing_maps = [#map0, #map1, #map2]" more "\n>"
#define VERBOSE_LHS "#iree_encoding.encoding<" FIELDS ", user_indexing_maps = [" \
	"affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, " \
	"affine_map<(m, n, k) -> (m, n)>]>"
#define PRINTED "#iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, " \
	"element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(d0, d1, d2) -> " \
	"(d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> " \
	"(d0, d1)>]>"
#define INFO "{innerDimsPos = [0, 1],\ninnerTileSizes = [1, 1],\nouterDimsPerm = [0, 1]}"
#define INFO_PRINTED "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [1, 1], " \
	"outerDimsPerm = [0, 1]}>"
#define OF_CPU "#iree_cpu.cpu_encoding_layout<configuration = {\nencoding_info = " INFO "\n}>"
#define SERIALISED "#iree_encoding.layout<[#iree_cpu.vmvx_encoding_resolver<configuration = " \
	"{encoding_info = " INFO "}>]>"

static const struct {
	const char *text, *printed;
} rows[] = {
	{ "NestedLayout : <" LISTS ">", NESTED },
	{ "#layout = #iree_vector_ext.nested_layout<" LISTS ">", NESTED },
	{ "#layout = NestedLayout : <" LISTS ">\ndomain(inverse(#layout))",
		"{ [i0, i1] : 0 <= i0 <= 63 and 0 <= i1 <= 63 }" },
	{ "append(" NESTED ", " ONE("NestedLayout :") ")", "nested_layout<subgroup_tile = "
		"[2, 1, 1], batch_tile = [2, 4, 3], outer_tile = [1, 1, 1], thread_tile = "
		"[16, 4, 1], element_tile = [1, 4, 2], subgroup_strides = [1, 0, 0], "
		"thread_strides = [1, 16, 0]>" },

	{ MAPS "#encoding = " VERBOSE(""), PRINTED },
	{ MAPS "#encoding = " VERBOSE("") "\ntensor<?x?xf32, #encoding>",
		"tensor<?x?xf32, " PRINTED ">" },
	{ MAPS "#encoding = " VERBOSE("") "\ntensor<255x?xf32, #encoding>",
		"tensor<255x?xf32, " PRINTED ">" },
	{ MAPS "#encoding1 = " VERBOSE(",\nround_dims_to = array<i64: 1, 32, 32>"), PRINTED },
	{ MAPS "#encoding1 = " VERBOSE(", round_dims_to = array<i64>"), PRINTED },
	{ "#encoding = #iree_encoding.encoding<" FIELDS ",\nlayouts = [" OF_CPU "]>",
		INFO_PRINTED },
	{ "#encoding = #iree_encoding.encoding<" FIELDS ",\nlayouts = [" OF_CPU "]>\n"
		"tensor<1x256xf32, #encoding>", "packed(" INFO_PRINTED ", [1, 256])" },
	{ "#encoding = #iree_encoding.encoding<" FIELDS ",\n"
		"layouts = [#iree_encoding.specialized_encoding<123, tensor<?x?xf32>>]\n>",
		"#iree_encoding.specialized<123, tensor<?x?xf32>>" },
	{ "#iree_encoding.testing<layouts = [#iree_encoding.specialized<123>]>",
		"#iree_encoding.specialized<123>" },
	{ "#iree_encoding.layout<[#iree_encoding.specialized<-2147483648, tensor<f32>>]>",
		"#iree_encoding.specialized<-2147483648, tensor<f32>>" },
	{ "#encoding = " SERIALISED "\ntensor<?x513xf32, #encoding>",
		"packed(" INFO_PRINTED ", [d0, 513])" },
	{ "tensor<?x513xf32, " SERIALISED ">", "packed(" INFO_PRINTED ", [d0, 513])" },
	{ "tensor<?x?x8x4x4x4x4xf32>", "row_major[d0, d1, 8, 4, 4, 4, 4]" },
	{ "memref<?x?x4x2x4x16x4xf32, strided<[?, 2048, 512, 256, 64, 4, 1], offset: ?>>",
		"strided[d0, d1, 4, 2, 4, 16, 4 : s0, 2048, 512, 256, 64, 4, 1]" },
};

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_value *value = layout_value_parse(ctx, rows[i].text);
		char *printed = layout_value_str(value);

		if (!printed)
			fail_msg("%s\n%s", layout_context_message(ctx), rows[i].text);
		assert_string_equal(printed, rows[i].printed);
		layout_string_free(printed);
		layout_value_free(value);
	}
	layout_context_free(ctx);
}

/* "at" begins where the error is. */
static const struct {
	const char *text, *at, *message;
	layout_error kind;
} errors[] = {
	{ "NestedLayout : nested", "nested", "expected `<`", LAYOUT_ERROR_PARSE },
	{ "NestedLayout", "", "expected `<`", LAYOUT_ERROR_PARSE },
	{ MAPS "#e = " VERBOSE(", round_dims_to = [1, 32, 32]"), "[1, 32", "expected `array`",
		LAYOUT_ERROR_PARSE },
	{ MAPS "#e = " VERBOSE(", round_dims_to = array<i64: 1, -32>"), "-32",
		"what is rounded to must be at least 0, not -32", LAYOUT_ERROR_INVALID },
	{ MAPS "#e = " VERBOSE(", round_dims_to = array<i32: 1>"), "i32", "expected `i64`",
		LAYOUT_ERROR_PARSE },
	{ "packed(#iree_encoding.specialized<123>, [M, K])", "#iree", "write what a resolver "
		"answers", LAYOUT_ERROR_UNSUPPORTED },
	{ "tensor<?x?xf32, #iree_encoding.specialized<123, tensor<?x?xf32>>>", "#iree",
		"it says none", LAYOUT_ERROR_UNSUPPORTED },
	{ "domain(#iree_encoding.specialized<123>)", "#iree", "an encoding has no cells",
		LAYOUT_ERROR_SPACE },
	{ "#iree_encoding.specialized<2147483648>", "21", "does not fit i32",
		LAYOUT_ERROR_INVALID },
	{ "#iree_encoding.specialized<1, memref<2xf32>>", "memref", "the type of a tensor",
		LAYOUT_ERROR_PARSE },
	{ "#iree_encoding.specialized<1, tensor<2xf32>, 3>", ", 3", "expected `>`",
		LAYOUT_ERROR_PARSE },
	{ "resolve(" VERBOSE_LHS ", target = #hal.executable.target<\"vmvx\", \"vmvx\", "
		"{iree.encoding.resolver = #iree_gpu.gpu_padding_resolver<>}>)", "#iree_gpu.gpu_p",
		"no resolver of data tiling: leave it out, and ask for the resolver `pad`",
		LAYOUT_ERROR_UNSUPPORTED },
	{ "#r = #iree_encoding.specialization_resolver<123>\nresolve(" VERBOSE_LHS ", target = "
		"#hal.executable.target<\"vmvx\", \"vmvx\", {iree.encoding.resolver = #r}>)",
		"#iree_encoding.specialization", "it stands for any", LAYOUT_ERROR_UNSUPPORTED },
};

/* Stand-ins are the same where their texts are, and not compared otherwise. */
static void test_stand_ins(void **state)
{
	static const char *const texts[] = { "#iree_encoding.specialized<1>",
		"#iree_encoding.layout<[#iree_encoding.specialized_encoding<1>]>",
		"#iree_encoding.specialized<2>" };
	layout_context *ctx = layout_context_new();
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	layout_value *values[COUNT(texts)];
	layout_encoding *encoding;
	layout_operand *operand;
	char *text;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		values[i] = layout_value_parse(ctx, texts[i]);
	assert_int_equal(layout_equal(values[0], values[1], NULL), LAYOUT_YES);
	assert_int_equal(layout_equal(values[0], values[2], NULL), LAYOUT_UNKNOWN);
	assert_non_null(strstr(layout_context_message(ctx), "specialized<1> stands for any"));
	layout_context_clear(ctx);
	encoding = layout_encoding_copy(layout_value_encoding(values[2]));
	assert_false(layout_encoding_describe(encoding, &desc));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	layout_context_clear(ctx);
	assert_null(layout_encoding_propagate_text(encoding, "[affine_map<(i) -> (i)>]", 0));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	layout_context_clear(ctx);
	operand = layout_operand_resolved(encoding, 2, "f16");
	assert_int_equal(layout_operand_rank(operand), 2);
	text = layout_operand_str(operand);
	layout_operand_free(operand);
	assert_string_equal(text, "tensor<?x?xf16, #iree_encoding.layout<["
		"#iree_encoding.specialized<2>]>>");
	operand = layout_operand_parse(ctx, text);
	assert_non_null(operand);
	layout_operand_free(layout_operand_copy(operand));
	layout_operand_free(operand);
	layout_string_free(text);
	assert_null(layout_operand_resolved(layout_encoding_parse(ctx, texts[0]), 1, "q7"));
	layout_context_clear(ctx);
	for (size_t i = 0; i < COUNT(texts); i++)
		layout_value_free(values[i]);
	assert_true(layout_context_free(ctx));
}

static void test_errors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		const char *text = errors[i].text;
		const char *at = *errors[i].at ? strstr(text, errors[i].at) :
			text + strlen(text);

		assert_non_null(at);
		assert_null(layout_value_parse(ctx, text));
		if (!strstr(layout_context_message(ctx), errors[i].message))
			assert_string_equal(layout_context_message(ctx), errors[i].message);
		assert_int_equal(layout_context_error(ctx), errors[i].kind);
		assert_int_equal(layout_context_position(ctx), at - text);
		layout_context_clear(ctx);
	}
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_stand_ins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
