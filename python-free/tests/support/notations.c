/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/notations.h"

#define PRINT_AND_FREE(type) \
	char *print_##type(layout_context *ctx, const char *text) \
	{ \
		layout_##type *object = layout_##type##_parse(ctx, text); \
		char *printed = layout_##type##_str(object); \
\
		layout_##type##_free(object); \
		return printed; \
	}

PRINT_AND_FREE(cute)
PRINT_AND_FREE(nested)
PRINT_AND_FREE(encoding)
PRINT_AND_FREE(storage)
PRINT_AND_FREE(remap)

char *print_any(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);
	char *printed = layout_value_str(value);

	layout_value_free(value);
	return printed;
}

const char *good_literal(unsigned i)
{
	static const char *const literals[] = {
		"((2,2),4):((1,8),2)",
		"{ [i, j] -> [j, i] : 0 <= i < 4 }",
		"[M] -> { [i] : 0 <= i < M }",
		"affine_map<(d0, d1)[s0] -> (d0 floordiv 4, -(d1 + s0)*2 mod 3)>",
		"nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = "
		"[1, 1], thread_tile = [4, 16], element_tile = [1, 4], subgroup_strides "
		"= [1, 0], thread_strides = [16, 1], subgroup_size = 32>",
		"#iree_encoding.layout<[#iree_gpu.gpu_encoding_resolver<configuration = "
		"{encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [8, 4], "
		"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 "
		": i16], [\"Internal\", 2]], [[\"CrossIntrinsic\", 4 : i16]]], "
		"permutation = [2, 0, 1]}}}>]>",
		"encoding_info<{innerDimsPos = [1], innerTileSizes = [8], "
		"outerDimsPerm = [1, 0]}>",
		"row_major[M, 2*K - 1]",
		"strided[M, 4 : S, 1]",
		"packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [8]}>, [M, 9])",
		"tensor<?x?xf32, #iree_encoding.encoding<operand_index = 0 : index, op_type = "
		"matmul, element_types = [f16, f16, f32], original_element_type = f16, "
		"user_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, "
		"d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]>>",
		"packed(resolve(encoding<operand_index = 1, op_type = matmul, element_types = "
		"[i8, i8, i32], user_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, "
		"affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], "
		"iteration_sizes = [?, 255, 9]>, target = gfx942{simds = 1, mma = "
		"[MFMA_I32_16x16x32_I8]}, resolver = data_tiling), [M, 9])",
		"remap(row_major[M, 3] -> col_major[M, 3], type = f32, pad = -1.5)",
		"program p(A: in row_major[M] f16, B: out row_major[M] f32) { grid (m) in "
		"(ceil(M/4)) workers w in 1 a = load A[4*m] : [4] @ 4:1 (pad = 1) b = map "
		"max(f32(a), 0) store b -> B[4*m] }",
		"remap(row_major[M, 3] -> row_major[M + P, 5], type = f32, map = "
		"affine_map<(d0, d1)[P] -> (d0 + P, d1 + 1)>)",
		"remap(row_major[M] -> row_major[M], map = [S] -> { [i] -> [i] : i < S }, "
		"type = i8)",
		"chain(row_major[M, 2*K], pad([1, 0], [P, K], -1.5), expand_shape([[0, 1], "
		"[2]], [?, 4, 3*K]), transpose([1, 0, 2]), collapse_shape([[0], [1], [2]]))",
		"chain(row_major[M, 9], pack([0, 1], [4, 2], outer_dims_perm = [1, 0], "
		"pad = 0), unpack([0, 1], [M, 9], outer_dims_perm = [1, 0]), broadcast([0], "
		"[2]), extract_slice([1, 0, 3], [1, M, 2], [1, 1, 2], drop = [0]))",
		"swizzled(swizzled(row_major[M, 64], xor_shuffle<64, 8>), Sw<2,1,5>)",
		"compose({ [i] -> [i + 1] }, (4,8):(8,1))",
		"permute(intersect({ [i, j] : i <= j }, { [i, j] : 0 <= i }), [1, 0])",
		"xor_shuffle<64, 8, 128, 2>",
		"mma<MFMA_F32_16x16x4_F32, lhs>",
		"reshape_ins(linear<{a = [[0, 1]], b = [[1, 0]]}>, [x = 2, y = 2])",
		"distribute(#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], "
		"warpsPerCTA = [2, 2], order = [1, 0]}>, [64, 32])",
		"as(compose((8,4):(1,8), <8:1, _>), in = [i = 8, j = 4], out = cell)",
		"coalesce(Sw<1,0,1> o 0 o ((2,2),4):((1,2),4), (1, 1))",
		"func.func @f(%a: tensor<?x6xf32>) { %c = arith.constant 0.0 : f32 %n = tensor.dim %a, "
		"%c0 : tensor<?x6xf32> %0 = tensor.pad %a low[0, 1] high[%n, 0] { tensor.yield %c : f32 } "
		": tensor<?x6xf32> to tensor<?x7xf32> %1 = tensor.extract_slice %0[0, 2] [%n, 1] [1, 1] : "
		"tensor<?x7xf32> to tensor<?xf32> return %1 : tensor<?xf32> }",
		"%r = iree_linalg_ext.map_store %s into %d { ^bb0(%i: index): %x = arith.xori %i, %c3 : "
		"index iree_linalg_ext.yield %x, %true : index, i1 } : tensor<8xf32> into tensor<8xf32>",
		"%1 = ttg.local_load %0 : !ttg.memdesc<4x4xf32, #ttg.shared_linear<{offset = [[0, 1], [0, 2], "
		"[1, 0], [2, 2]]}, alignment = 16>, #smem> -> tensor<4x4xf32, #ttg.linear<{register = "
		"[[0, 1], [0, 2]], lane = [[1, 0], [2, 0]], warp = [], block = []}>>",
		"- lane=1 -> (0, 1) - warp is a size 1 dimension where out dims are: [dim0 (size 1), "
		"dim1 (size 2)]",
		"#tensor_ext.layout<\"{ [i] -> [ct, slot] : ct = 0 and (slot - i) mod 4 = 0 and 0 <= i < 4 and "
		"0 <= slot < 8 }\">",
	};

	return i < sizeof(literals) / sizeof(*literals) ? literals[i] : NULL;
}
