/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The words that notations begin with, for those who ask what one is. */
#include "text/words.h"

#include <string.h>

static const struct text_word words[] = {
	{ "affine_map", "affine_map<(DIM, ..)[SYMBOL, ..] -> (EXPRESSION, ..)>",
		"affine_map<(i, j) -> (i floordiv 16, j, i mod 16)>", "notation.md" },
	{ "chain", "chain(STORAGE, OPERATION, ..)",
		"chain(row_major[M, K], transpose([1, 0]))", "chains.md" },
	{ "col_major", "col_major[SIZE, ..]", "col_major[M, K]", "notation.md" },
	{ "contract", "contract(NAME: STORAGE TYPE, NAME: STORAGE TYPE -> NAME: STORAGE TYPE, maps = [..], "
		"config = #iree_gpu.lowering_config<{..}>)",
		"contract(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32, "
		"maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
		"affine_map<(m, n, k) -> (m, n)>], config = #iree_gpu.lowering_config<{"
		"workgroup = [2, 1, 0], partial_reduction = [0, 0, 512], thread = [0, 0, 8], "
		"lane_basis = [[1, 1, 64], [0, 1, 2]], expand_dims = [0, 0, 0, 8]}>)", "programs.md" },
	{ "convert_tile", "convert_tile(FROM -> TO, type = TYPE)",
		"convert_tile(mma<MFMA_F32_16x16x16_F16, acc> -> mma<MFMA_F32_16x16x16_F16, lhs>, "
		"type = f16)", "programs.md" },
	{ "encoding", "#iree_encoding.encoding<operand_index = N : index, op_type = matmul, "
		"element_types = [TYPE, TYPE, TYPE], ..>", "#iree_encoding.encoding<operand_index = "
		"0 : index, op_type = matmul, element_types = [f16, f16, f32]>", "data-tiling.md" },
	{ "encoding_info", "encoding_info<{innerDimsPos = [DIM, ..], innerTileSizes = [N, ..], "
		"outerDimsPerm = [DIM, ..], swizzle = {..}}>",
		"encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2]}>", "data-tiling.md" },
	{ "linear", "linear<{NAME = [[N, ..], ..], ..}>",
		"linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]]}>", "linear.md" },
	{ "matmul", "matmul(NAME: STORAGE TYPE, NAME: STORAGE TYPE -> NAME: STORAGE TYPE)",
		"matmul(A: row_major[M, K] f16, B: row_major[K, N] f16 -> C: row_major[M, N] f32)",
		"programs.md" },
	{ "memref", "memref<SIZExTYPE, strided<[N, ..]>>", "memref<4x8xf32, strided<[16, 1]>>",
		"notation.md" },
	{ "mma", "mma<INSTRUCTION, lhs|rhs|acc>", "mma<MFMA_F32_16x16x16_F16, lhs>", "mma.md" },
	{ "nested_layout", "#iree_vector_ext.nested_layout<subgroup_tile = [N, ..], ..>",
		"#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], "
		"outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], "
		"subgroup_strides = [0, 0], thread_strides = [1, 16]>", "nested.md" },
	{ "pack_map", "pack_map<SHAPE:STRIDE>", "pack_map<(4,8):(8,1)>", "cute.md" },
	{ "packed", "packed(ENCODING, [SIZE, ..])",
		"packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, [M])",
		"notation.md" },
	{ "program", "program NAME(NAME: in|out|inout STORAGE TYPE, ..) { STATEMENT .. }",
		"program copy(x: in row_major[N] f32, y: out row_major[N] f32) { grid (t) in "
		"(ceil(N/64)) workers w in 1 a = load x[64*t] : [64] store a -> y[64*t] }",
		"programs.md" },
	{ "remap", "remap(SOURCE -> DESTINATION, type = TYPE, map = RELATION, pad = VALUE)",
		"remap(row_major[M, K] -> col_major[M, K], type = f32)", "kernels.md" },
	{ "rotate_rows", "rotate_rows<ROW, ACCESS>", "rotate_rows<64, 8>", "notation.md" },
	{ "row_major", "row_major[SIZE, ..]", "row_major[M, 2*K]", "notation.md" },
	{ "strided", "strided[SIZE, .. : STRIDE, ..]", "strided[M, K : 1024, 1]", "notation.md" },
	{ "swizzled", "swizzled(STORAGE, SWIZZLE[, of = index])",
		"swizzled(row_major[M, 64], xor_shuffle<64, 8>)", "notation.md" },
	{ "tagged", "tagged(TAG, [SIZE, ..])", "tagged(nChw16c, [N, C, H, W])", "notation.md" },
	{ "tensor", "tensor<SIZExTYPE[, ENCODING]>", "tensor<?x8xf32>", "notation.md" },
	{ "xor_shuffle", "xor_shuffle<ROW, ACCESS[, ROW_STRIDE[, PER_PHASE]]>",
		"xor_shuffle<64, 8>", "notation.md" },
	{ NULL },
};

const struct text_word *text_word_at(unsigned i)
{
	return i + 1 < sizeof(words) / sizeof(*words) ? &words[i] : NULL;
}

const struct text_word *text_word_named(const char *name)
{
	const struct text_word *word = words;

	while (word->name && (!name || strcmp(word->name, name)))
		word++;
	return word->name ? word : NULL;
}
