/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names for parts of a text, as MLIR and as people write them, and the types of tensors and
 * memories that they stand in. */
#include "support/notations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))
#define NESTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [2, 4], " \
	"outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], " \
	"subgroup_strides = [1, 0], thread_strides = [1, 16]>"
#define INFO "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [8, 1], " \
	"outerDimsPerm = [0, 1]}>"
#define RESOLVER(name) name "<configuration = {encoding_info = {innerDimsPos = [0, 1], " \
	"innerTileSizes = [8, 1], outerDimsPerm = [0, 1]}}>"
#define CST "%cst = arith.constant 0.000000e+00 : f32\n"
#define RESOLVED(fields) "#iree_encoding.encoding<operand_index = 0 : index, " \
	"op_type = matmul, " fields ">"
#define LAYOUTS(of) "#iree_encoding.layout<[" of "]>"

static const struct {
	const char *text, *printed;
} rows[] = {
	{ "#layout = #iree_vector_ext." NESTED, NESTED },
	{ "#layout = #iree_vector_ext." NESTED "\n// a comment\n#layout", NESTED },
	{ "#layout = #iree_vector_ext." NESTED " #layout", NESTED },
	{ "#layout = #iree_vector_ext.nested_layout<\n  subgroup_tile = [2, 1],\n"
		"  batch_tile = [2, 4], outer_tile = [1, 1], thread_tile = [16, 4],\n"
		"element_tile = [1, 4], subgroup_strides = [1, 0],\nthread_strides = [1, 16]\n"
		">\nproject(#layout, [])", NESTED },
	{ "let A = (4,8):(8,1)\nlet B = compose(A, (2,4))\ncompose(B, B)",
		"(2,(2,2)):(4,(8,1))" },
	{ "let A = 4:1", "4:1" },
	{ "let M = 4\nrow_major[M, 8]", "row_major[4, 8]" },
	{ "let A = 4\nrow_major[K floordiv A, floor(K/A), K mod A]",
		"row_major[floor(K/4), floor(K/4), K - 4*floor(K/4)]" },
	{ "let M = 2*K + 4\nlet N = floor(M/2)\nstrided[M, N : 3*N, 1]",
		"strided[2*K + 4, K + 2 : 3*K + 6, 1]" },
	{ "let M = M + 1\nrow_major[M, M]", "row_major[M + 1, M + 1]" },
	{ "let A = { [i] -> [i + 1] : 0 <= i and\n i < 4 }\ncompose(A, A)",
		"{ [i] -> [i + 2] : 0 <= i <= 2 }" },
	{ "#unused = #hal.pipeline.layout<bindings = [#hal.b<storage_buffer>]>\n"
		"#map = affine_map<(d0) -> (d0)>\n#map", "affine_map<(d0) -> (d0)>" },
	{ "#map = affine_map<(d0) -> (d0 + 1)>\nremap(row_major[4] -> row_major[5], "
		"type = f32, pad = 0.0, map = #map)",
		"remap(row_major[4] -> row_major[5], type = f32, pad = 0.0, "
		"map = { [d0] -> [d0 + 1] })" },
	{ "#encoding = " LAYOUTS(RESOLVER("#iree_gpu.gpu_encoding_resolver"))
		"\n#encoding1 = " LAYOUTS(RESOLVER("#iree_cpu.cpu_encoding_resolver"))
		"\n#encoding1", INFO },
	{ "#r = " RESOLVER("#iree_cpu.vmvx_encoding_resolver") "\n" LAYOUTS("#r"), INFO },
	{ "#e = " INFO "\npacked(#e, [M, 4])", "packed(" INFO ", [M, 4])" },
	{ "let S = packed(" INFO ", [M, K])\nremap(row_major[M, K] -> S, type = f32, "
		"pad = 0.0)", "remap(row_major[M, K] -> packed(" INFO ", [M, K]), "
		"type = f32, pad = 0.0)" },
	{ "#enc = " LAYOUTS(RESOLVER("#iree_gpu.gpu_encoding_resolver"))
		"\ntensor<?x513xf32, #enc>", "packed(" INFO ", [d0, 513])" },
	{ "#encoding = " RESOLVED("layouts = [" RESOLVER("#iree_cpu.cpu_encoding_layout") "]")
		"\ntensor<?x4xf32, #encoding>", "packed(" INFO ", [d0, 4])" },
	{ RESOLVED("layouts = [" RESOLVER("#iree_cpu.vmvx_encoding_layout") "], "
		"element_types = [f32, f32, f32]"), INFO },
	{ "#r = " RESOLVER("#iree_gpu.gpu_encoding_layout") "\n"
		RESOLVED("user_indexing_maps = [affine_map<(d0) -> (d0)>], layouts = [#r]"),
		INFO },
	{ "let C = chain(row_major[M, 4], transpose([1, 0]))\nremap(C -> row_major[?, ?], "
		"type = f32)", "remap(chain(row_major[M, 4], transpose([1, 0])) -> "
		"row_major[4, M], type = f32)" },
	{ "let C = chain(row_major[8], pad([2], [0]))\nlet D = C\nremap(D -> row_major[?], "
		"type = i8, pad = 7)", "remap(chain(row_major[8], pad([2], [0])) -> "
		"row_major[10], type = i8, pad = 7)" },
	{ "%p = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [16, 8] into %d : "
		"tensor<32x?xf32> -> tensor<2x?x16x8xf32>",
		"chain(row_major[32, d1], pack([0, 1], [16, 8]))" },
	{ "%c0 = arith.constant 5 : index\n" CST "%p = linalg.pack %t padding_value(%cst : f32) "
		"outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 8] "
		"into %d : tensor<?x?xf32> -> tensor<?x?x16x8xf32>",
		"chain(row_major[d0, d1], pack([1, 0], [16, 8], outer_dims_perm = [1, 0], "
		"pad = 0.000000e+00))" },
	{ "tensor.pack %0 inner_dims_pos = [0] inner_tiles = [4] into %1 : memref<8xi8> -> "
		"memref<2x4xi8>", "chain(row_major[8], pack([0], [4]))" },
	{ "%c16 = arith.constant 16 : index\n" CST "%c8 = arith.constant 8 : index\n"
		"%p = tensor.pack %t padding_value(%cst : f32) inner_dims_pos = [1, 0] "
		"inner_tiles = [%c8, %c16] into %d : tensor<100x20xf32> -> tensor<7x3x?x?xf32>",
		"chain(row_major[100, 20], pack([1, 0], [8, 16], pad = 0.000000e+00))" },
	{ CST "%0 = tensor.empty() : tensor<7x20x16x1xf32>\n%pack = linalg.pack %arg0 "
		"padding_value(%cst : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] "
		"inner_tiles = [16, 1] into %0 : tensor<100x20xf32> -> tensor<7x20x16x1xf32>",
		"chain(row_major[100, 20], pack([0, 1], [16, 1], outer_dims_perm = [0, 1], "
		"pad = 0.000000e+00))" },
	{ "%0 = tensor.empty(%n, %m) : tensor<?x?x16xf32>\n%c16 = arith.constant 16 : index\n"
		"%1 = tensor.empty() : tensor<4xf32>\n%p = linalg.pack %t inner_dims_pos = [0] "
		"inner_tiles = [%c16] into %0 : tensor<32x?xf32> -> tensor<2x?x16xf32>",
		"chain(row_major[32, d1], pack([0], [16]))" },
	{ "%c16 = arith.constant 16 : index\n%u = linalg.unpack %t inner_dims_pos = [1] "
		"inner_tiles = [%c16] into %d : tensor<3x2x16xf32> -> tensor<3x17xf32>",
		"chain(row_major[3, 2, 16], unpack([1], [3, 17]))" },
	{ "%u = tensor.unpack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] "
		"inner_tiles = [16, 8] into %d : tensor<?x?x16x8xf32> -> tensor<?x30xf32>",
		"chain(row_major[4, ceil(d0/16), 16, 8], unpack([0, 1], [d0, 30], "
		"outer_dims_perm = [1, 0]))" },
	{ "%u = linalg.unpack %t inner_dims_pos = [1] inner_tiles = [16] into %d : "
		"tensor<3x2x16xf32> -> tensor<3x17xf32>",
		"chain(row_major[3, 2, 16], unpack([1], [3, 17]))" },
	{ "let P = linalg.pack %t inner_dims_pos = [0] inner_tiles = [4] into %d : "
		"tensor<8xi8> -> tensor<2x4xi8>\nremap(P -> row_major[?, ?], type = i8)",
		"remap(chain(row_major[8], pack([0], [4])) -> row_major[2, 4], type = i8)" },
	{ "#layout = #tensor_ext.layout<\"{ [i0] -> [ct, slot] : ct = 0 and slot = i0 and 0 <= i0 <= 3 }\">\n"
		"inverse(#layout)", "{ [ct = 0, slot] -> [slot] : 0 <= slot <= 3 }" },
	{ "tensor<4x8xf32>", "row_major[4, 8]" },
	{ "tensor<?x8x?xi8>", "row_major[d0, 8, d2]" },
	{ "tensor<f32>", "row_major[]" },
	{ "memref<4x8xf32>", "row_major[4, 8]" },
	{ "memref<4x?xf32, strided<[16, 1]>>", "strided[4, d1 : 16, 1]" },
	{ "memref<4x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>",
		"strided[4, d1 : s0, 1]" },
	{ "memref<4x8xf32, strided<[16, 1], offset: 5>, 3>", "strided[4, 8 : 16, 1]" },
	{ "memref<4x8xf16, 3>", "row_major[4, 8]" },
	{ "remap(tensor<?x8xf32> -> memref<?x8xf32, strided<[16, 1]>>, type = f32)",
		"remap(row_major[d0, 8] -> strided[d0, 8 : 16, 1], type = f32)" },

	/* tensors say what their elements are */
	{ "remap(tensor<4x8xf16> -> col_major[4, 8])",
		"remap(row_major[4, 8] -> col_major[4, 8], type = f16)" },
	{ "#t = tensor<4x8xf16>\nremap(#t -> memref<4x8xf32, strided<[1, 4]>>, scale = 2)",
		"remap(row_major[4, 8] -> strided[4, 8 : 1, 4], type = f16 -> f32, scale = 2)" },
	{ "remap(row_major[4, 8] -> tensor<4x8xi8>, pad = 3)",
		"remap(row_major[4, 8] -> row_major[4, 8], type = i8, pad = 3)" },
	{ "remap(tensor<4x8xf16> -> tensor<4x8xf32>, type = i32)",
		"remap(row_major[4, 8] -> row_major[4, 8], type = i32)" },
	{ "remap(chain(row_major[M, K], transpose([1, 0])) -> tensor<?x?xf32>)",
		"remap(chain(row_major[M, K], transpose([1, 0])) -> row_major[K, M], type = f32)" },
	{ "program p(X: in through(tensor<4xf32>, affine_map<(i) -> (i + 1)>) f32, Y: out "
		"memref<4xi8>) { grid (g) in (1) workers w in 1 y: [4] i8 = fill 1 store y -> Y[0] }",
		"program p(X: in through(row_major[4], affine_map<(i) -> (i + 1)>) f32, Y: out "
		"row_major[4] i8) {\n  grid (g) in (1) workers w in 1\n  y: [4] i8 = fill 1\n"
		"  store y -> Y[0]\n}" },
};

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = print_any(ctx, rows[i].text);

		if (!text || strcmp(text, rows[i].printed))
			fail_msg("%s: %s (%s)", rows[i].text, text ? text : "nothing",
				layout_context_message(ctx));
		layout_string_free(text);
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *text, *at, *message;
} errors[] = {
	{ RESOLVED("layouts = []"), "]>", "expected `encoding_info`, found `]`" },
	{ RESOLVED("layouts = [" INFO ", " INFO "]"), ", encoding_info<{innerDimsPos = [0, 1], "
		"innerTileSizes = [8, 1], outerDimsPerm = [0, 1]}>]", "expected `]`, found `,`" },
	{ RESOLVED("layouts [" INFO "]"), "[enc", "expected `=`, found `[`" },
	{ "let A = A\nA", "A\nA", "expected an expression, found `A`" },
	{ "let A = B\nlet B = 4:1\nA", "B\nlet", "expected an expression, found `B`" },
	{ "let A = 4:1\nlet A = 5:1\nA", "A = 5", "`A` is given twice" },
	{ "let A = (4,8):(8,1))\nA", ")\nA", "expected the end of the definition" },
	{ "let A = 4:1 5:1\nA", "5", "expected the end of the definition, found `5`" },
	{ "let M = K\nrow_major[8 floordiv M]", "M]", "a size is divided by a number" },
	{ "let M = 2 - 4\nrow_major[8 floordiv M]", "M]", "divided by 1 or more, not by -2" },
	{ "let M = 4 K\nrow_major[M]", "K", "expected the end of the definition, found `K`" },
	{ "let M = (4,8):(8,1)\nrow_major[M]", ",8", "expected `)`, found `,`" },
	{ "let A = 4:x\nA", "x", "expected an integer or `(`, found `x`" },
	{ "let C = chain(row_major[8]) 4:1\nremap(C -> row_major[?], type = i8)", "4:1\n",
		"expected the end of the definition, found `4`" },
	{ "let C = chain(row_major[8], frob())\nremap(C -> row_major[?], type = i8)", "frob",
		"expected an operation of a chain" },
	{ "linalg.pack %t inner_dims_pos = [1] inner_tiles = [16] into %d : tensor<3x32xf32> -> "
		"tensor<3x3x16xf32>", "tensor<3x3x", "dimension 1 of the packed tensor is 2, not 3" },
	{ "linalg.unpack %t inner_dims_pos = [1] inner_tiles = [16] into %d : "
		"tensor<3x3x16xf32> -> tensor<3x20xf32>", "tensor<3x3",
		"dimension 1 of the packed tensor is 2, not 3" },
	{ "linalg.unpack %t inner_dims_pos = [1] inner_tiles = [16] into %d : "
		"tensor<3x2x8xf32> -> tensor<3x20xf32>", "tensor<3x2",
		"dimension 2 of the packed tensor is 16, not 8" },
	{ "linalg.pack %t padding_value(%c : f32) inner_dims_pos = [0] inner_tiles = [4] into %d "
		": tensor<7xf32> -> tensor<2x4xf32>", "c : f32",
		"expected `%c = arith.constant ..` before it" },
	{ "linalg.pack %t inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<7xf32> -> "
		"tensor<2x4xf32>", "linalg", "it needs padding by 1" },
	{ "linalg.pack %t inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<8xf32> -> "
		"tensor<2x4x1xf32>", "tensor<2x4", "found 3 dimensions, expected 2" },
	{ "linalg.pack %t inner_dims_pos = [0, 0] inner_tiles = [4] into %d : tensor<8xf32>",
		"linalg", "found 1 sizes, expected 2" },
	{ "linalg.unpack %t outer_dims_perm = [7] inner_dims_pos = [9] inner_tiles = [4] into %d "
		": tensor<2x4xf32> -> tensor<8xf32>", "9]", "there is no dimension 9 of a tensor of rank 1" },
	{ "linalg.unpack %t outer_dims_perm = [7] inner_dims_pos = [0] inner_tiles = [4] into %d "
		": tensor<2x4xf32> -> tensor<8xf32>", "7]", "there is no dimension 7" },
	{ "linalg.unpack %t outer_dims_perm = [0, 0] inner_dims_pos = [0] inner_tiles = [4] into %d "
		": tensor<2x2x4xf32> -> tensor<8x2xf32>", "linalg", "" },
	{ "linalg.unpack %t padding_value(%c : f32)", "padding", "expected `inner_dims_pos`" },
	{ "linalg.pack %t inner_dims_pos = [0] inner_tiles = [0] into %d : tensor<8xf32> -> "
		"tensor<2x4xf32>", "linalg", "a tile must be at least 1, not 0" },
	{ "linalg.pack x", "x", "expected a value, `%..`" },
	{ "#tensor_ext.layout<\"{ [i] -> [i] } x\">", "x\"", "expected the end of the string" },
	{ "#tensor_ext.layout<{ [i] -> [i] }>", "{", "expected a relation in quotes" },
	{ "#tensor_ext.layout<\"4:1\">", "4:1", "expected `{`" },
	{ "lambda n, c: [n, c]", "lambda", "expected an expression, found `lambda`: an index map is "
		"affine_map<(n, c) -> (n, c floordiv 16, c mod 16)>" },
	{ "shape((4,8):(8,1))", "shape", "unknown function `shape`: a layout has size(A)" },
	{ "#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>", "#iree", "unknown notation "
		"`#iree_gpu.mma_layout`: an operand of the instruction is mma<MFMA" },
	{ "compose(4:1, #iree_encoding.identity)", "#iree", "is row_major[M, K]" },
	{ "tensor<512x320xf16, #iree_encoding.padding<[0, 64]>>", "#iree",
		"no encoding that packs: rows of 320 with 64 more behind them are "
		"strided[M, 320 : 384, 1]" },
	{ "tensor<4x4xf16, #iree_encoding.identity>", "#iree", "is row_major[M, K]" },
	{ "select(layout<1>(4:1), [0])", "layout<", "is select<1>(A)" },
	{ "resolve(" RESOLVED("element_types = [f32, f32, f32], user_indexing_maps = "
		"[affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
		"affine_map<(m, n, k) -> (m, n)>]") ", target = #hal.device.target<\"hip\", "
		"[#iree_gpu.target<arch = \"gfx942\", features = \"\", wgp = <>>, "
		"#iree_gpu.target<arch = \"gfx90a\", features = \"\", wgp = <>>]>)",
		"#iree_gpu.target<arch = \"gfx90a\"", "expected one target: name the "
		"one that is meant, found `#iree_gpu.target`" },
	{ "%c4 = arith.constant 4 : index\nlinalg.pack %t inner_dims_pos = [0, 1] "
		"inner_tiles = [%c4, %n] into %d : tensor<8x8xf32> -> tensor<2x?x4x?xf32>", "n] into",
		"expected `%n = arith.constant ..` before it" },
	{ "%c4 = arith.constant 4.0 : f32\nlinalg.pack %t inner_dims_pos = [0] "
		"inner_tiles = [%c4] into %d : tensor<8xf32> -> tensor<2x4xf32>", ".0",
		"expected the constant `index` of a tile" },
	{ "%c4 = arith.constant 4 : i32\nlinalg.pack %t inner_dims_pos = [0] "
		"inner_tiles = [%c4] into %d : tensor<8xf32> -> tensor<2x4xf32>", "i32",
		"expected the constant `index` of a tile" },
	{ "%c4 = arith.constant -4 : index\nlinalg.pack %t inner_dims_pos = [0] "
		"inner_tiles = [%c4] into %d : tensor<8xf32> -> tensor<2x4xf32>", "-4",
		"a tile must be at least 1" },
	{ "#A", "#A", "expected an expression, found `#A`" },
	{ "let A 4:1", "let", "expected an expression, found `let`" },
	{ "memref<4x8xf32, strided<[16], offset: ?>>", "strided",
		"the sizes are 2, the strides 1" },
	{ "memref<4x8xf32, strided<[16, 1]>, strided<[16, 1]>>", "strided<[16, 1]>>",
		"expected `>`" },
	{ "memref<4x8xf32, 4:1>", ":", "expected `,` or `>`" },
	{ "tensor<4x8x>", ">", "expected the shape and element type of a tensor" },
	{ "tensor<99999999999999999999x8xf32>", "99", "expected the shape" },
	{ "tensor<4x8xf32, 4:1>", "4:1", "expected `encoding_info`" },
};

static void test_errors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		const char *text = errors[i].text, *at = strstr(text, errors[i].at);
		char *printed = print_any(ctx, text);

		if (printed || layout_context_position(ctx) != at - text ||
		    !strstr(layout_context_message(ctx), errors[i].message))
			fail_msg("%s: %s, at %ld: %s", text, printed ? printed : "",
				layout_context_position(ctx), layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* Statements one after another, by "; "; an error ends them: "!POSITION message". */
static const struct {
	const char *text, *printed;
} statements[] = {
	{ "4:1", "4:1; " },
	{ "// first\n4:1\n\n  (2,4):(4,1) // last\n", "4:1; (2,4):(4,1); " },
	{ "(4,8):(8,1)\n(8,4):(1,8)\n", "(4,8):(8,1); (8,4):(1,8); " },
	{ "((4,8):(8,1))(9)\n(2:1)\n(3)\n", "10; 2:1; !27 expected `:`, found the end of the text" },
	{ "((4,8):(8,1))(9)\n(4,8):(8,1)\n  o (8,4):(1,8)\n", "10; ((4,2),4):((8,1),2); " },
	{ "let A = (4,8):(8,1)\nA\nlet B = compose(A,\n (2,4))\nsize(B)\nA(9)\n",
		"(4,8):(8,1); 8; 10; " },
	{ "4:1\n#map = affine_map<(i, j) -> (j, i)>\ncompose(#map, { [i] -> [i, 2i] })\n#map\n",
		"4:1; { [i] -> [2i, i] }; affine_map<(d0, d1) -> (d1, d0)>; " },
	{ "let A = 4:1\nlet B = 5:1", "5:1; " },
	{ "{ [i] -> [i] :\n 0 <= i\n and i < 4 }\n4:1",
		"{ [i] -> [i] : 0 <= i <= 3 }; 4:1; " },
	{ "4:1\nA\nlet A = 4:1", "4:1; !4 expected an expression, found `A`" },
	{ "let A = 4:1\nA\nlet A = 5:1\nA", "4:1; !18 `A` is given twice" },
	{ "4:1 5:1", "!4 expected the end of the text, found `5`" },
	{ "4:1\n(5:1\n", "4:1; !6 expected `,` or `)`, found `:`" },
	{ "", "!0 expected an expression, found the end of the text" },
};

static void test_statements(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(statements); i++) {
		const char *text = statements[i].text;
		char found[500] = "";
		size_t at = 0, length = 0;

		do {
			layout_value *value = layout_value_parse_next(ctx, text, &at);
			char *printed = layout_value_str(value);

			if (printed)
				length += (size_t)snprintf(found + length, sizeof(found) - length,
					"%s; ", printed);
			layout_string_free(printed);
			layout_value_free(value);
		} while (text[at] && layout_context_error(ctx) == LAYOUT_ERROR_NONE);
		if (layout_context_error(ctx) != LAYOUT_ERROR_NONE)
			snprintf(found + length, sizeof(found) - length, "!%ld %s",
				layout_context_position(ctx), layout_context_message(ctx));
		layout_context_clear(ctx);
		assert_string_equal(found, statements[i].printed);
	}
	assert_null(layout_value_parse_next(ctx, "4:1", NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_value_parse_next(ctx, "4:1", &(size_t){ 99 }));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
	assert_true(layout_context_free(ctx));
}

/* Each name stands for two of the one before: 2^30 of the first. */
static void test_doubling(void **state)
{
	layout_context *ctx = layout_context_new();
	char text[2048] = "let a0 = 2:1\n";

	(void)state;
	for (unsigned i = 1; i <= 30; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			"let a%u = compose(a%u, a%u)\n", i, i - 1, i - 1);
	assert_null(layout_value_parse(ctx, text));
	assert_non_null(strstr(layout_context_message(ctx),
		"names are used more than 4096 times"));
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_statements),
		cmocka_unit_test(test_doubling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
