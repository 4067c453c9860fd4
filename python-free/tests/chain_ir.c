/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sequences of MLIR's operations on a tensor: the chains that they are, and what is wrong
 * where. */
#include "support/random.h"
#include "support/share.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CST "%cst = arith.constant 0.0 : f32\n"
#define YIELD "{ ^bb0(%i: index): tensor.yield %cst : f32 } "

static const struct {
	const char *text, *printed;
} good[] = {
	{ "%0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [4, 16, 8] : tensor<64x8xf32> into "
		"tensor<4x16x8xf32>", "chain(row_major[64, 8], expand_shape([[0, 1], [2]], [4, 16, 8]))" },
	{ "%0 = tensor.expand_shape %a [[0, 1]] : tensor<?xf32> into tensor<?x16xf32>",
		"chain(row_major[d0], expand_shape([[0, 1]], [?, 16]))" },
	{ "%0 = tensor.expand_shape %a [[0, 1, 2]] output_shape [%m, %n, 4] : tensor<?xf32> into "
		"tensor<?x?x4xf32>", NULL },
	{ "%0 = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [%m, 1, 1, %n] : tensor<?x?xf32> "
		"into tensor<?x?x1x?xf32>", "chain(row_major[d0, d1], expand_shape([[0, 1], [2, 3]], "
		"[m, 1, 1, ?]))" },
	{ "%0 = tensor.expand_shape %a [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>",
		"chain(row_major[], expand_shape([], [1, 1]))" },
	{ "%0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<?x16x4xf32> into tensor<?x4xf32>",
		"chain(row_major[d0, 16, 4], collapse_shape([[0, 1], [2]]))" },
	{ "%0 = tensor.collapse_shape %a [] : tensor<1x1xf32> into tensor<f32>",
		"chain(row_major[1, 1], collapse_shape([]))" },
	{ "%0 = tensor.extract_slice %a[%o, 2] [%n, 4] [1, 2] : tensor<?x16xf32> to tensor<?x4xf32>",
		"chain(row_major[d0, 16], extract_slice([o, 2], [n, 4], [1, 2]))" },
	/* rank-reduced: ones that the result has not */
	{ "%0 = tensor.extract_slice %a[0, 2, 0] [1, 4, 1] [1, 1, 1] : tensor<8x16x3xf32> to "
		"tensor<4x1xf32>", "chain(row_major[8, 16, 3], extract_slice([0, 2, 0], [1, 4, 1], "
		"[1, 1, 1], drop = [0]))" },
	/* only a size that is written as one is */
	{ "%c1 = arith.constant 1 : index\n%0 = tensor.extract_slice %a[0, 0, 0] [%c1, 3, 1] [1, 1, 1] : "
		"tensor<5x10x4xf32> to tensor<?x3xf32>", "chain(row_major[5, 10, 4], extract_slice("
		"[0, 0, 0], [1, 3, 1], [1, 1, 1], drop = [2]))" },
	{ "%0 = tensor.extract_slice %a[0, 0, 0] [%c1, %n, 1] [1, 1, 1] : tensor<5x10x4xf32> to "
		"tensor<?x?xf32>", "chain(row_major[5, 10, 4], extract_slice([0, 0, 0], [1, n, 1], "
		"[1, 1, 1], drop = [2]))" },
	{ "%0 = memref.subview %a[2, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], "
		"offset: 8>>", "chain(row_major[8, 4], extract_slice([2, 0], [1, 4], [1, 1], "
		"drop = [0]))" },
	{ "%c4 = arith.constant 4 : index\n%0 = tensor.extract_slice %a[0, 2] [1, %c4] [1, 1] : "
		"tensor<8x16xf32> to tensor<?xf32>", "chain(row_major[8, 16], extract_slice([0, 2], "
		"[1, 4], [1, 1], drop = [0]))" },
	{ CST "%0 = tensor.pad %a low[%l] high[3] " YIELD ": tensor<?xf32> to tensor<?xf32>",
		"chain(row_major[d0], pad([l], [3], 0.0))" },
	{ "%0 = tensor.pad %a nofold low[0] high[3] {\n^bb0(%i: index):\n  %c = arith.constant -1 : i8\n"
		"  tensor.yield %c : i8\n} : tensor<5xi8> to tensor<8xi8>",
		"chain(row_major[5], pad([0], [3], -1))" },
	{ "%f = arith.constant false\n%0 = tensor.pad %a low[1] high[0] { ^bb0(%i: index): tensor.yield %f "
		": i1 } : tensor<5xi1> to tensor<6xi1>", "chain(row_major[5], pad([1], [0], 0))" },
	{ "%p = ub.poison : f32\n%0 = tensor.pad %a low[1] high[0] { ^bb0(%i: index): tensor.yield %p "
		": f32 } : tensor<5xf32> to tensor<6xf32>", "chain(row_major[5], pad([1], [0]))" },
	/* names of values that are those of sizes otherwise; sizes are from 0 on */
	{ CST "%0 = tensor.pad %a low[%d0] high[0] " YIELD ": tensor<?xf32> to tensor<?xf32>",
		"chain(row_major[d0_], pad([d0], [0], 0.0))" },
	{ "%d = tensor.dim %a, %c0 : tensor<?xf32>\n%0 = arith.divsi %d, %c2 : index\n%i = arith.constant 1 "
		": i32\n%j = arith.index_cast %i : i32 to index\n" CST "%1 = tensor.pad %a low[%0] high[%j] "
		YIELD ": tensor<?xf32> to tensor<?xf32>", "chain(row_major[d], pad([floor(d/2)], [1], 0.0))" },
	{ "%0 = linalg.transpose ins(%a : tensor<16x?xf32>) outs(%b : tensor<?x16xf32>) "
		"permutation = [1, 0]", "chain(row_major[16, d1], transpose([1, 0]))" },
	{ "linalg.transpose ins(%a : memref<16x?xf32>) outs(%b : memref<?x16xf32>) permutation = [1, 0]",
		"chain(row_major[16, d1], transpose([1, 0]))" },
	{ "%0 = linalg.broadcast ins(%a : tensor<16xf32>) outs(%b : tensor<?x16x4xf32>) dimensions = "
		"[0, 2]", "chain(row_major[16], broadcast([0, 2], [r0, 4]))" },
	{ "%e = tensor.empty(%n) : tensor<?x16xf32>\n%0 = linalg.broadcast ins(%a : tensor<16xf32>) "
		"outs(%e : tensor<?x16xf32>) dimensions = [0]", "chain(row_major[16], "
		"broadcast([0], [n]))" },
	{ "%0 = linalg.copy {x = 1} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>",
		"chain(row_major[4])" },

	{ "%0 = tensor.cast %a : tensor<?x4xf32> to tensor<8x4xf32>", "chain(row_major[d0, 4])" },
	{ "%0 = memref.collapse_shape %a [[0, 1]] {x} : memref<2x3xf32, strided<[3, 1], offset: ?>> into "
		"memref<6xf32>", "chain(strided[2, 3 : 3, 1], collapse_shape([[0, 1]]))" },
	{ "linalg.transpose ins(%a : memref<?x8xf32, strided<[16, 1], offset: ?>, 1>) outs(%b : "
		"memref<8x?xf32>) permutation = [1, 0]", "chain(strided[d0, 8 : 16, 1], "
		"transpose([1, 0]))" },
	{ "%q = some.op %a {x = %} : f32\n" CST "%0 = linalg.transpose ins(%a : tensor<2x3xf32, #enc>) "
		"outs(%b : tensor<3x2xf32>) permutation = [1, 0] {y = 1}\n%1 = tensor.pad %0 low[0, 0] "
		"high[0, 1] " YIELD "{z} : tensor<3x2xf32> to tensor<3x3xf32>",
		"chain(row_major[2, 3], transpose([1, 0]), pad([0, 0], [0, 1], 0.0))" },

	/* what moves elements and computes nothing */
	{ "%0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> "
		"(d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%a : tensor<4x8xf32>) "
		"outs(%e : tensor<8x4xf32>) {\n^bb0(%in: f32, %out: f32):\n  linalg.yield %in : f32\n} -> "
		"tensor<8x4xf32>\n%1 = tensor.collapse_shape %0 [[0, 1]] : tensor<8x4xf32> into "
		"tensor<32xf32>", "chain(row_major[4, 8], transpose([1, 0]), collapse_shape([[0, 1]]))" },
	{ "#map = affine_map<(d0, d1, d2) -> (d2, d0)>\n#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>\n"
		"%e = tensor.empty(%m, %n) : tensor<?x?x8xf32>\n%0 = linalg.generic {indexing_maps = [#map, "
		"#map1], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]} ins(%a : "
		"tensor<8x?xf32>) outs(%e : tensor<?x?x8xf32>) attrs = {x} { ^bb0(%in: f32, %out: f32): "
		"linalg.yield %in : f32 } -> tensor<?x?x8xf32>", "chain(row_major[8, d1], transpose([1, 0]), "
		"broadcast([1], [n]))" },
	{ "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], "
		"iterator_types = [\"parallel\", \"parallel\"]} ins(%a : memref<4x8xf32>) outs(%b : "
		"memref<8x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }",
		"chain(row_major[4, 8], transpose([1, 0]))" },
	{ "%0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
		"iterator_types = [\"parallel\"]} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) { "
		"^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>\n"
		"iree_codegen.store_to_buffer %0, %m : tensor<4xf32> into memref<4xf32, #hal.x>\nreturn",
		"chain(row_major[4])" },
	{ "%0 = vector.transpose %v, [2, 0, 1] : vector<4x8x2xf32> to vector<2x4x8xf32>\n"
		"%1 = vector.shape_cast %0 : vector<2x4x8xf32> to vector<8x8xf32>",
		"chain(row_major[4, 8, 2], transpose([2, 0, 1]), collapse_shape([[0, 1, 2]]), "
		"expand_shape([[0, 1]], [8, 8]))" },
	{ "%16 = vector.shape_cast %15 : vector<8xindex> to vector<1x1x8xindex>",
		"chain(row_major[8], expand_shape([[0, 1, 2]], [1, 1, 8]))" },
	{ "%0 = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>",
		"chain(row_major[2, 4], collapse_shape([[0, 1]]))" },
	{ "%0 = vector.shape_cast %v : vector<1x1xf32> to vector<f32>",
		"chain(row_major[1, 1], collapse_shape([]))" },
	{ "%0 = vector.shape_cast %v : vector<f32> to vector<1x1xf32>",
		"chain(row_major[], expand_shape([], [1, 1]))" },
	/* what computes is the tensor that the next one takes */
	{ "%0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
		"iterator_types = [\"parallel\"]} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) { "
		"^bb0(%x: f32, %y: f32): %z = arith.negf %x : f32\n linalg.yield %z : f32 } -> tensor<4xf32>\n"
		"%1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>", "chain(row_major[4])" },

	/* of the tensor before */
	{ "%u = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [16, 8] "
		"into %d : tensor<?x?x16x8xf32> -> tensor<?x30xf32>\n"
		"%0 = linalg.transpose ins(%u : tensor<?x30xf32>) outs(%e : tensor<30x?xf32>) "
		"permutation = [1, 0]", "chain(row_major[4, ceil(d0/16), 16, 8], unpack([0, 1], "
		"[d0, 30], outer_dims_perm = [1, 0]), transpose([1, 0]))" },
	{ "%n = tensor.dim %a, %c0 : tensor<?x6xf32>\n" CST
		"%0 = linalg.transpose ins(%a : tensor<?x6xf32>) outs(%e : tensor<6x?xf32>) permutation = "
		"[1, 0]\n%t = arith.addi %n, %n : index\n%1 = tensor.extract_slice %0[0, 0] [3, %n] "
		"[2, 1] : tensor<6x?xf32> to tensor<3x?xf32>\n%2 = linalg.pack %1 padding_value(%cst : f32) "
		"inner_dims_pos = [1] inner_tiles = [4] into %e : tensor<3x?xf32> -> tensor<3x?x4xf32>",
		"chain(row_major[n, 6], transpose([1, 0]), extract_slice([0, 0], [3, n], [2, 1]), "
		"pack([1], [4], pad = 0.0))" },
	{ "%0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<8xf32> -> "
		"tensor<2x4xf32>\n%d = tensor.empty(%c7) : tensor<?xf32>\n%1 = linalg.unpack %0 "
		"inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<2x4xf32> -> tensor<?xf32>",
		"chain(row_major[8], pack([0], [4]), unpack([0], [7]))" },
	{ "%0 = linalg.transpose ins(%a : tensor<?x6xf32>) outs(%e : tensor<6x?xf32>) permutation = "
		"[1, 0]\n%c1 = arith.constant 1 : index\n%n = tensor.dim %0, %c1 : tensor<6x?xf32>\n"
		"%h = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%n]\n"
		"%1 = tensor.extract_slice %0[0, 0] [6, %h] [1, 1] : tensor<6x?xf32> to tensor<6x?xf32>",
		"chain(row_major[d0, 6], transpose([1, 0]), extract_slice([0, 0], [6, ceil(d0/2)], "
		"[1, 1]))" },
	{ "%m = arith.addi %n, %c8 : index\n%e = tensor.empty(%m) : tensor<?xf32>\n%0 = linalg.unpack %a "
		"inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<?x4xf32> -> tensor<?xf32>\n"
		"return %0 : tensor<?xf32>", "chain(row_major[ceil((n + 8)/4), 4], unpack([0], [n + 8]))" },
	{ "%e = tensor.empty(%c48) : tensor<?xf32>\n%0 = linalg.unpack %a inner_dims_pos = [0] "
		"inner_tiles = [4] into %e : tensor<?x4xf32> -> tensor<?xf32>",
		"chain(row_major[12, 4], unpack([0], [48]))" },
	{ "%0 = linalg.transpose ins(%a : tensor<4x6xf32>) outs(%b : tensor<6x4xf32>) permutation = [1, 0]\n"
		"%cast = tensor.cast %0 : tensor<6x4xf32> to tensor<?x4xf32>\n%1 = tensor.extract_slice "
		"%cast[0, 0] [3, 4] [1, 1] : tensor<?x4xf32> to tensor<3x4xf32>", "chain(row_major[4, 6], "
		"transpose([1, 0]), extract_slice([0, 0], [3, 4], [1, 1]))" },
	{ "module attributes {a = 1 : i32} {\n  func.func @f(%arg0: tensor<4x6xf32> {x}, %n: index) -> "
		"tensor<6x4xf32> attributes {b} {\n    %e = tensor.empty() : tensor<6x4xf32>\n    "
		"%0 = linalg.transpose ins(%arg0 : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = "
		"[1, 0]\n    return %0 : tensor<6x4xf32>\n  }\n}\n", "chain(row_major[4, 6], "
		"transpose([1, 0]))" },
	{ "func.func @f(%arg0: memref<2x3xf32>, %arg1: memref<3x2xf32>) {\n  linalg.transpose ins(%arg0 : "
		"memref<2x3xf32>) outs(%arg1 : memref<3x2xf32>) permutation = [1, 0]\n  return\n}", "chain(row_major[2, 3], transpose([1, 0]))" },
	{ "remap(%0 = linalg.transpose ins(%a : tensor<2x3xi8>) outs(%b : tensor<3x2xi8>) permutation = [1, 0] "
		"{x} -> row_major[3, 2], type = i8)", "remap(chain(row_major[2, 3], transpose([1, 0])) -> "
		"row_major[3, 2], type = i8)" },
	{ "remap(%0 = linalg.copy ins(%a : tensor<3xi8>) outs(%b : tensor<3xi8>) -> tensor<3xi8> -> "
		"tensor<3xi8>, type = i8)", "remap(chain(row_major[3]) -> row_major[3], type = i8)" },
	{ "remap(linalg.copy ins(%a : memref<3xi8>) outs(%b : memref<3xi8>) -> row_major[3], type = i8)",
		"remap(chain(row_major[3]) -> row_major[3], type = i8)" },
	/* what the source had is known behind, too */
	{ "%0 = linalg.transpose ins(%a : tensor<?x6xf32>) outs(%e : tensor<6x?xf32>) permutation = "
		"[1, 0]\n%n = tensor.dim %a, %c0 : tensor<?x6xf32>\n%1 = tensor.extract_slice %0[0, 0] "
		"[6, %n] [1, 1] : tensor<6x?xf32> to tensor<6x?xf32>", "chain(row_major[d0, 6], "
		"transpose([1, 0]), extract_slice([0, 0], [6, d0], [1, 1]))" },
	{ "linalg.transpose ins(%a : memref<2x3xf32>) outs(%b : memref<3x2xf32>) permutation = [1, 0]\n"
		"%1 = tensor.collapse_shape %b [[0, 1]] : memref<3x2xf32> into memref<6xf32>",
		"chain(row_major[2, 3], transpose([1, 0]), collapse_shape([[0, 1]]))" },
	{ "let P = %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>) "
		"permutation = [1, 0] %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<3x2xf32> into "
		"tensor<6xf32>\nP", "chain(row_major[2, 3], transpose([1, 0]), collapse_shape([[0, 1]]))" },
};

static char *print(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);
	char *printed = layout_value_str(value);

	layout_value_free(value);
	return printed;
}

static void sequences(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		char *printed = print(ctx, good[i].text);

		if (good[i].printed ? !printed || strcmp(printed, good[i].printed) : printed != NULL)
			fail_msg("%s: %s %s", good[i].text, printed ? printed : "",
				layout_context_message(ctx));
		layout_string_free(printed);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* What is wrong, and the text where it is. */
static const struct {
	const char *text, *at, *message;
} bad[] = {
	{ "%0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<7xf32>", "tensor<7",
		"dimension 0 of the result is 6, not 7" },
	{ "%0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3x4xf32> into tensor<6xf32>", "[[0, 1]]",
		"found 2 dimensions, expected 3" },
	{ "%0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> to tensor<6xf32>", "to tensor",
		"expected `into`" },
	{ "%0 = tensor.collapse_shape %a [[0, 1]] : f32", "f32", "the type of a tensor" },
	{ "%0 = tensor.expand_shape %a [[0, 1]] : tensor<?xf32> into tensor<?x?xf32>", "tensor<?x?",
		"2 dimensions of a group have no size" },
	{ "%0 = tensor.expand_shape %a [[0, 1]] output_shape [4] : tensor<8xf32> into tensor<4x2xf32>",
		"[[0, 1]]", "found 1 sizes of output_shape, expected 2" },
	{ "%0 = tensor.expand_shape %a [[0, 1]] : tensor<9xf32> into tensor<4x2xf32>", "tensor.expand",
		"do not multiply" },
	{ "%0 = tensor.extract_slice %a[0] [4] [1] : tensor<8x2xf32> to tensor<4xf32>", "[0]",
		"found 1 sizes, expected 2" },
	{ "%0 = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4x1xf32>", "tensor<4x1",
		"found 2 dimensions that the slice has, expected 1" },
	{ "%0 = tensor.extract_slice %a[5] [4] [1] : tensor<8xf32> to tensor<4xf32>", "tensor.extract",
		"a slice ends with" },
	{ "%n = affine.min affine_map<()[s0] -> (s0, 4)>()[%m]\n"
		"%0 = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>", "%n] [1]",
		"no one expression" },
	{ "%0 = tensor.pad %a low[0] high[1] " YIELD ": tensor<5xf32> to tensor<6xf32>", "cst",
		"expected `%cst = arith.constant ..` before it" },
	{ "%0 = tensor.pad %a low[0] high[1] : tensor<5xf32> to tensor<6xf32>", ": tensor",
		"expected `{`" },
	{ CST "%0 = tensor.pad %a low[0, 0] high[1, 0] " YIELD ": tensor<5xf32> to tensor<6xf32>",
		"low", "found 2 sizes, expected 1" },
	{ "%0 = tensor.pad %a low[0] high[1] {} : tensor<5xf32> to tensor<6xf32>", ": tensor",
		"expected a value" },
	{ "%0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>) permutation = [0]",
		"permutation", "found 1 dimensions, expected 2" },
	{ "%0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<2x3xf32>) permutation = "
		"[1, 0]", "tensor<2x3xf32>) perm", "dimension 0 of the result is 3, not 2" },
	{ "%0 = linalg.broadcast ins(%a : tensor<2xf32>) outs(%b : tensor<2x3xf32>) dimensions = [7]",
		"7]", "there is no dimension 7" },
	{ "%0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>) permutation = "
		"[1, 0]\n%1 = tensor.collapse_shape %0 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>",
		"tensor<3x4", "dimension 1 of the tensor before is 2, not 4" },
	{ "%0 = tensor.expand_shape %a [[0, 1]] output_shape [4, 3] : tensor<8xf32> into tensor<4x2xf32>",
		"tensor<4x2", "dimension 1 of the result is 3, not 2" },
	{ "%0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>\n%1 = math.exp %0 : tensor<?xf32>\n"
		"%2 = tensor.cast %1 : tensor<?xf32> to tensor<4xf32>", "%0 : tensor<?xf32>\n",
		"an operation that is no relayout takes this" },
	{ "func.func @f(%a: tensor<4xf32>) { %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>", "",
		"expected `}`" },
	{ "func.func @f() { %0 = tensor.empty() : tensor<4xf32> } linalg.copy", "}", "" },
	{ "%0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>\nreturn %b : tensor<4xf32>",
		"%b", "expected the last value" },
	{ "%0 = linalg.generic {indexing_maps = [affine_map<(i) -> (2 * i)>, affine_map<(i) -> (i)>], "
		"iterator_types = []} ins(%a : tensor<8xf32>) outs(%b : tensor<4xf32>) { ^bb0(%x: f32, "
		"%y: f32): linalg.yield %x : f32 } -> tensor<4xf32>", "{indexing_maps",
		"result 0 of a map is no dimension" },
	{ "%0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>]} ins(%a : tensor<8xf32>) outs(%b : "
		"tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>",
		"{indexing_maps", "found 1 maps, expected 2" },
	{ "%0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} "
		"ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : "
		"f32 } -> tensor<8xf32>", "{indexing_maps", "found 2 loops, expected 1" },
	{ "%0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} "
		"ins(%a : tensor<8xf32>) outs(%b : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : "
		"f32 } -> tensor<4xf32>", "tensor<4xf32>) {", "dimension 0 of the result is 8, not 4" },
	{ "%0 = vector.transpose %v, [0] : vector<4x8xf32> to vector<8x4xf32>", "[0]",
		"found 1 dimensions, expected 2" },
	{ "%0 = vector.shape_cast %v : vector<4x8xf32> to vector<5x7xf32>", "vector.shape",
		"do not multiply" },
	{ "%0 = vector.shape_cast %v : vector<?x8xf32> to vector<8xf32>", "vector<?",
		"the size of a vector is a number" },
	{ "%0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>\niree_codegen.store_to_buffer %b, %m : "
		"tensor<4xf32> into memref<4xf32>", "%b", "expected the last value" },
	/* another tensor is no further operation */
	{ "%0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<3x2xf32>) permutation = "
		"[1, 0]\n%1 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>",
		"%1", "" },
	{ "%0 = linalg.transpose", "", "expected `ins`" },
	{ "%-linalg.pack = .q", "", "" },
	{ "%a linalg.copy", "linalg.copy", "expected `=`" },
};

static void errors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		const char *text = bad[i].text, *at = *bad[i].at ? strstr(text, bad[i].at) :
			text + strlen(text);
		char *printed = print(ctx, text);

		if (printed || layout_context_position(ctx) != at - text ||
		    !strstr(layout_context_message(ctx), bad[i].message))
			fail_msg("%s: %s, at %ld: %s", text, printed ? printed : "",
				layout_context_position(ctx), layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* A text that ends anywhere is an error, or a chain that has ended before. */
static void broken(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++)
		for (size_t length = 0; length < strlen(good[i].text); length++) {
			char text[1000];
			char *printed;

			if (!share_has((unsigned)i, (unsigned)length, 4))
				continue;
			snprintf(text, sizeof(text), "%.*s", (int)length, good[i].text);
			printed = print(ctx, text);
			assert_true(printed || layout_context_error(ctx));
			layout_string_free(printed);
			layout_context_clear(ctx);
		}
	assert_true(layout_context_free(ctx));
}

/* Random operations on tensors of known sizes, as MLIR and as chains have them. */
struct pair {
	uint64_t *random;
	char ir[4000], chain[2000];
	unsigned rank, values;
	int64_t sizes[6];
};

static void add(char *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsprintf(text + strlen(text), format, arguments);
	va_end(arguments);
}

static void add_list(char *text, const int64_t *list, unsigned count)
{
	add(text, "[");
	for (unsigned i = 0; i < count; i++)
		add(text, "%s%" PRId64, i ? ", " : "", list[i]);
	add(text, "]");
}

static void add_type(char *text, const int64_t *sizes, unsigned rank)
{
	add(text, "tensor<");
	for (unsigned d = 0; d < rank; d++)
		add(text, "%" PRId64 "x", sizes[d]);
	add(text, "f32>");
}

/* " : T into T", of the sizes before and now */
static void add_types(struct pair *pair, const int64_t *before, unsigned rank, const char *between)
{
	add(pair->ir, " : ");
	add_type(pair->ir, before, rank);
	add(pair->ir, " %s ", between);
	add_type(pair->ir, pair->sizes, pair->rank);
	add(pair->ir, "\n");
}

/* "ins(..) outs(..)", of the sizes before and now */
static void add_sides(struct pair *pair, const int64_t *before)
{
	add(pair->ir, "ins(%%%u : ", pair->values);
	add_type(pair->ir, before, pair->rank);
	add(pair->ir, ") outs(%%e : ");
	add_type(pair->ir, pair->sizes, pair->rank);
	add(pair->ir, ")");
}

/* "affine_map<(d0, d1) -> (d1, d0)>": dimension i is loop loops[i]. */
static void add_map(struct pair *pair, const unsigned *loops)
{
	add(pair->ir, "affine_map<(");
	for (unsigned i = 0; i < pair->rank; i++)
		add(pair->ir, "%sd%u", i ? ", " : "", i);
	add(pair->ir, ") -> (");
	for (unsigned i = 0; i < pair->rank; i++)
		add(pair->ir, "%sd%u", i ? ", " : "", loops[i]);
	add(pair->ir, ")>");
}

/* The transposition as a generic operation, whose loops are in any order. */
static void add_generic(struct pair *pair, const int64_t *permutation)
{
	unsigned from[6] = { 0 }, to[6] = { 0 };

	for (unsigned i = 0; i < pair->rank; i++) {
		unsigned k = random_below(pair->random, i + 1);

		to[i] = to[k];
		to[k] = i;
	}
	for (unsigned i = 0; i < pair->rank; i++)
		from[permutation[i]] = to[i];
	add(pair->ir, "linalg.generic {indexing_maps = [");
	add_map(pair, from);
	add(pair->ir, ", ");
	add_map(pair, to);
	add(pair->ir, "], iterator_types = []} ");
}

static void random_transpose(struct pair *pair)
{
	int64_t permutation[6], before[6];
	bool moves = false;

	memcpy(before, pair->sizes, sizeof(before));
	for (unsigned i = 0; i < pair->rank; i++) {
		unsigned k = random_below(pair->random, i + 1);

		permutation[i] = permutation[k];
		permutation[k] = i;
	}
	for (unsigned i = 0; i < pair->rank; i++) {
		pair->sizes[i] = before[permutation[i]];
		moves = moves || permutation[i] != i;
	}
	if (random_below(pair->random, 2)) {
		add(pair->ir, "linalg.transpose ");
		add_sides(pair, before);
		add(pair->ir, " permutation = ");
		add_list(pair->ir, permutation, pair->rank);
		moves = true;
	} else {
		add_generic(pair, permutation);
		add_sides(pair, before);
		add(pair->ir, " { ^bb0(%%in: f32, %%out: f32): linalg.yield %%in : f32 } -> ");
		add_type(pair->ir, pair->sizes, pair->rank);
	}
	add(pair->ir, "\n");
	/* a generic operation that only copies is no operation of a chain */
	if (!moves)
		return;
	add(pair->chain, ", transpose(");
	add_list(pair->chain, permutation, pair->rank);
	add(pair->chain, ")");
}

static void random_pad(struct pair *pair)
{
	int64_t low[6], high[6], before[6];

	memcpy(before, pair->sizes, sizeof(before));
	for (unsigned d = 0; d < pair->rank; d++) {
		low[d] = random_below(pair->random, 3);
		high[d] = random_below(pair->random, 3);
		pair->sizes[d] += low[d] + high[d];
	}
	add(pair->ir, "tensor.pad %%%u low", pair->values);
	add_list(pair->ir, low, pair->rank);
	add(pair->ir, " high");
	add_list(pair->ir, high, pair->rank);
	add(pair->ir, " { tensor.yield %%cst : f32 }");
	add_types(pair, before, pair->rank, "to");
	add(pair->chain, ", pad(");
	add_list(pair->chain, low, pair->rank);
	add(pair->chain, ", ");
	add_list(pair->chain, high, pair->rank);
	add(pair->chain, ", 0.0)");
}

static void random_slice(struct pair *pair)
{
	int64_t offsets[6], strides[6], before[6];

	memcpy(before, pair->sizes, sizeof(before));
	for (unsigned d = 0; d < pair->rank; d++) {
		int64_t size = before[d];

		offsets[d] = random_below(pair->random, (unsigned)size);
		strides[d] = 1 + random_below(pair->random, 2);
		pair->sizes[d] = 1 + random_below(pair->random,
			(unsigned)((size - offsets[d] + strides[d] - 1) / strides[d]));
	}
	add(pair->ir, "tensor.extract_slice %%%u", pair->values);
	add_list(pair->ir, offsets, pair->rank);
	add_list(pair->ir, pair->sizes, pair->rank);
	add_list(pair->ir, strides, pair->rank);
	add_types(pair, before, pair->rank, "to");
	add(pair->chain, ", extract_slice(");
	add_list(pair->chain, offsets, pair->rank);
	add(pair->chain, ", ");
	add_list(pair->chain, pair->sizes, pair->rank);
	add(pair->chain, ", ");
	add_list(pair->chain, strides, pair->rank);
	add(pair->chain, ")");
}

/* The last two dimensions become one, or the last one two. */
static void random_reshape(struct pair *pair)
{
	int64_t before[6];
	unsigned rank = pair->rank, last = rank - 1;
	bool expands = rank < 2 || (rank < 6 && random_below(pair->random, 2));
	char groups[100] = "[";

	memcpy(before, pair->sizes, sizeof(before));
	for (unsigned d = 0; d < last - !expands; d++)
		add(groups, "[%u], ", d);
	add(groups, "[%u, %u]]", last - !expands, last + expands);
	if (expands) {
		pair->sizes[last + 1] = before[last] % 2 ? 1 : 2;
		pair->sizes[last] = before[last] / pair->sizes[last + 1];
		pair->rank++;
	} else {
		pair->sizes[last - 1] *= before[last];
		pair->rank--;
	}
	add(pair->ir, "tensor.%s_shape %%%u %s", expands ? "expand" : "collapse", pair->values,
		groups);
	if (expands && random_below(pair->random, 2)) {
		add(pair->ir, " output_shape ");
		add_list(pair->ir, pair->sizes, pair->rank);
	}
	add_types(pair, before, rank, "into");
	add(pair->chain, ", %s_shape(%s", expands ? "expand" : "collapse", groups);
	if (expands) {
		add(pair->chain, ", ");
		add_list(pair->chain, pair->sizes, pair->rank);
	}
	add(pair->chain, ")");
}

static void random_sequence(struct pair *pair)
{
	static void (*const operations[])(struct pair *) = { random_transpose, random_pad,
		random_slice, random_reshape };

	pair->rank = 1 + random_below(pair->random, 4);
	for (unsigned d = 0; d < pair->rank; d++)
		pair->sizes[d] = 1 + random_below(pair->random, 12);
	strcpy(pair->ir, CST);
	strcpy(pair->chain, "chain(row_major");
	add_list(pair->chain, pair->sizes, pair->rank);
	for (unsigned steps = 1 + random_below(pair->random, 6); pair->values < steps;
	     pair->values++) {
		add(pair->ir, "%%%u = ", pair->values + 1);
		operations[random_below(pair->random, 4)](pair);
	}
	add(pair->chain, ")");
}

static void random_sequences(void **state)
{
	uint64_t random = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(300); i++) {
		struct pair pair = { .random = &random };
		char *found, *wanted;

		random_sequence(&pair);
		found = print(ctx, pair.ir);
		if (!found)
			fail_msg("%s: %s", pair.ir, layout_context_message(ctx));
		wanted = print(ctx, pair.chain);
		assert_string_equal(found, wanted);
		layout_string_free(found);
		layout_string_free(wanted);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences),
		cmocka_unit_test(errors),
		cmocka_unit_test(broken),
		cmocka_unit_test(random_sequences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
