/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The MFMA and SMFMAC instructions of AMD's ISA, under the names that AMD's assembler
 * takes: gfx908 and gfx90a have "v_mfma_f32_16x16x4f32", gfx942 and gfx950
 * "v_mfma_f32_16x16x4_f32" and the older spellings as well.
 *
 * The layouts are those of AMD's matrix instruction calculator.  An MFMA of one block
 * has k = K/(64/M) * floor(lane / M) + element in both inputs.  The calculator lacks
 * gfx950: its dense ones follow that rule, its sparse ones the manual of CDNA4, those
 * of f8, f6 and f4 the tables of Composable Kernel's tests. */
#include "amdgpu/facts/matrix/f8f6f4.h"
#include "amdgpu/facts/matrix/shapes.h"

/* A name, its other spelling, targets, the shape, the types. */
#define ROW(name, also, targets, shape, lhs, rhs, acc) \
	{ "v_" name, { also }, targets, &shape, { lhs, rhs, acc } }

/* The same instruction before gfx942 and from there on. */
#define BOTH(old, name, targets, shape, lhs, rhs, acc) \
	ROW(old, NULL, targets, shape, lhs, rhs, acc), \
	ROW(name, "v_" old, CDNA3_UP, shape, lhs, rhs, acc)

/* Of bf16 "_1k", which gfx942 can leave out. */
#define BF16_1K(old, name, shape) \
	ROW(old "_1k", NULL, GFX90A, shape, "bf16", "bf16", "f32"), \
	{ "v_" name, { "v_" old "_1k", "v_" old }, CDNA3_UP, &shape, \
	  { "bf16", "bf16", "f32" } }

/* A sparse one with one type of inputs, whose older spelling lacks the last "_"; and
 * the four of 8 bits on a target that calls them so. */
#define SPARSE(name, type, targets, shape, acc) \
	ROW("smfmac_" name "_" type, "v_smfmac_" name type, targets, shape, type, type, acc)
#define SPARSE_F8(size, target, shape, fp8, bf8) \
	ROW("smfmac_f32_" size "_bf8_bf8", NULL, target, shape, bf8, bf8, "f32"), \
	ROW("smfmac_f32_" size "_bf8_fp8", NULL, target, shape, bf8, fp8, "f32"), \
	ROW("smfmac_f32_" size "_fp8_bf8", NULL, target, shape, fp8, bf8, "f32"), \
	ROW("smfmac_f32_" size "_fp8_fp8", NULL, target, shape, fp8, fp8, "f32")
#define FNUZ "f8E4M3FNUZ", "f8E5M2FNUZ"
#define OCP "f8E4M3FN", "f8E5M2"
#define SPARSE_F8_OF(size, target, shape, types) SPARSE_F8(size, target, shape, types)

#define CDNA1_2 (GFX908 | GFX90A)
#define CDNA3_UP (GFX942 | GFX950)

static const struct mma_row rows[] = {
	BOTH("mfma_f32_32x32x1f32", "mfma_f32_32x32x1_2b_f32", CDNA1_2, mfma_32x32x1_2b,
		"f32", "f32", "f32"),
	BOTH("mfma_f32_16x16x1f32", "mfma_f32_16x16x1_4b_f32", CDNA1_2, mfma_16x16x1_4b,
		"f32", "f32", "f32"),
	BOTH("mfma_f32_4x4x1f32", "mfma_f32_4x4x1_16b_f32", CDNA1_2, mfma_4x4x1_16b,
		"f32", "f32", "f32"),
	BOTH("mfma_f32_32x32x2f32", "mfma_f32_32x32x2_f32", CDNA1_2, mfma_32x32x2,
		"f32", "f32", "f32"),
	BOTH("mfma_f32_16x16x4f32", "mfma_f32_16x16x4_f32", CDNA1_2, mfma_16x16x4,
		"f32", "f32", "f32"),
	BOTH("mfma_f32_32x32x4f16", "mfma_f32_32x32x4_2b_f16", CDNA1_2, mfma_32x32x4_2b,
		"f16", "f16", "f32"),
	BOTH("mfma_f32_16x16x4f16", "mfma_f32_16x16x4_4b_f16", CDNA1_2, mfma_16x16x4_4b,
		"f16", "f16", "f32"),
	BOTH("mfma_f32_4x4x4f16", "mfma_f32_4x4x4_16b_f16", CDNA1_2, mfma_4x4x4_16b,
		"f16", "f16", "f32"),
	BOTH("mfma_f32_32x32x8f16", "mfma_f32_32x32x8_f16", CDNA1_2, mfma_32x32x8,
		"f16", "f16", "f32"),
	BOTH("mfma_f32_16x16x16f16", "mfma_f32_16x16x16_f16", CDNA1_2, mfma_16x16x16,
		"f16", "f16", "f32"),
	ROW("mfma_f32_32x32x2bf16", NULL, CDNA1_2, mfma_32x32x2_2b,
		"bf16", "bf16", "f32"),
	ROW("mfma_f32_16x16x2bf16", NULL, CDNA1_2, mfma_16x16x2_4b,
		"bf16", "bf16", "f32"),
	ROW("mfma_f32_4x4x2bf16", NULL, CDNA1_2, mfma_4x4x2_16b, "bf16", "bf16", "f32"),
	ROW("mfma_f32_32x32x4bf16", NULL, CDNA1_2, mfma_32x32x4, "bf16", "bf16", "f32"),
	ROW("mfma_f32_16x16x8bf16", NULL, CDNA1_2, mfma_16x16x8, "bf16", "bf16", "f32"),
	BF16_1K("mfma_f32_32x32x4bf16", "mfma_f32_32x32x4_2b_bf16", mfma_32x32x4_2b),
	BF16_1K("mfma_f32_16x16x4bf16", "mfma_f32_16x16x4_4b_bf16", mfma_16x16x4_4b),
	BF16_1K("mfma_f32_4x4x4bf16", "mfma_f32_4x4x4_16b_bf16", mfma_4x4x4_16b),
	BF16_1K("mfma_f32_32x32x8bf16", "mfma_f32_32x32x8_bf16", mfma_32x32x8),
	BF16_1K("mfma_f32_16x16x16bf16", "mfma_f32_16x16x16_bf16", mfma_16x16x16),
	BOTH("mfma_i32_32x32x4i8", "mfma_i32_32x32x4_2b_i8", CDNA1_2, mfma_32x32x4_2b,
		"i8", "i8", "i32"),
	BOTH("mfma_i32_16x16x4i8", "mfma_i32_16x16x4_4b_i8", CDNA1_2, mfma_16x16x4_4b,
		"i8", "i8", "i32"),
	BOTH("mfma_i32_4x4x4i8", "mfma_i32_4x4x4_16b_i8", CDNA1_2, mfma_4x4x4_16b,
		"i8", "i8", "i32"),
	ROW("mfma_i32_32x32x8i8", NULL, CDNA1_2, mfma_32x32x8, "i8", "i8", "i32"),
	ROW("mfma_i32_16x16x16i8", NULL, CDNA1_2, mfma_16x16x16, "i8", "i8", "i32"),
	ROW("mfma_i32_32x32x16_i8", "v_mfma_i32_32x32x16i8", CDNA3_UP, mfma_32x32x16,
		"i8", "i8", "i32"),
	ROW("mfma_i32_16x16x32_i8", "v_mfma_i32_16x16x32i8", CDNA3_UP, mfma_16x16x32,
		"i8", "i8", "i32"),
	BOTH("mfma_f64_16x16x4f64", "mfma_f64_16x16x4_f64", GFX90A, mfma_16x16x4_f64,
		"f64", "f64", "f64"),
	BOTH("mfma_f64_4x4x4f64", "mfma_f64_4x4x4_4b_f64", GFX90A, mfma_4x4x4_4b_f64,
		"f64", "f64", "f64"),
	ROW("mfma_f32_32x32x4_xf32", "v_mfma_f32_32x32x4xf32", GFX942, mfma_32x32x4,
		"xf32", "xf32", "f32"),
	ROW("mfma_f32_16x16x8_xf32", "v_mfma_f32_16x16x8xf32", GFX942, mfma_16x16x8,
		"xf32", "xf32", "f32"),
	ROW("mfma_f32_32x32x16_bf8_bf8", NULL, GFX942, mfma_32x32x16,
		"f8E5M2FNUZ", "f8E5M2FNUZ", "f32"),
	ROW("mfma_f32_16x16x32_bf8_bf8", NULL, GFX942, mfma_16x16x32,
		"f8E5M2FNUZ", "f8E5M2FNUZ", "f32"),
	ROW("mfma_f32_32x32x16_bf8_fp8", NULL, GFX942, mfma_32x32x16,
		"f8E5M2FNUZ", "f8E4M3FNUZ", "f32"),
	ROW("mfma_f32_16x16x32_bf8_fp8", NULL, GFX942, mfma_16x16x32,
		"f8E5M2FNUZ", "f8E4M3FNUZ", "f32"),
	ROW("mfma_f32_32x32x16_fp8_bf8", NULL, GFX942, mfma_32x32x16,
		"f8E4M3FNUZ", "f8E5M2FNUZ", "f32"),
	ROW("mfma_f32_16x16x32_fp8_bf8", NULL, GFX942, mfma_16x16x32,
		"f8E4M3FNUZ", "f8E5M2FNUZ", "f32"),
	ROW("mfma_f32_32x32x16_fp8_fp8", NULL, GFX942, mfma_32x32x16,
		"f8E4M3FNUZ", "f8E4M3FNUZ", "f32"),
	ROW("mfma_f32_16x16x32_fp8_fp8", NULL, GFX942, mfma_16x16x32,
		"f8E4M3FNUZ", "f8E4M3FNUZ", "f32"),
	ROW("mfma_f32_32x32x16_bf8_bf8", NULL, GFX950, mfma_32x32x16,
		"f8E5M2", "f8E5M2", "f32"),
	ROW("mfma_f32_16x16x32_bf8_bf8", NULL, GFX950, mfma_16x16x32,
		"f8E5M2", "f8E5M2", "f32"),
	ROW("mfma_f32_32x32x16_bf8_fp8", NULL, GFX950, mfma_32x32x16,
		"f8E5M2", "f8E4M3FN", "f32"),
	ROW("mfma_f32_16x16x32_bf8_fp8", NULL, GFX950, mfma_16x16x32,
		"f8E5M2", "f8E4M3FN", "f32"),
	ROW("mfma_f32_32x32x16_fp8_bf8", NULL, GFX950, mfma_32x32x16,
		"f8E4M3FN", "f8E5M2", "f32"),
	ROW("mfma_f32_16x16x32_fp8_bf8", NULL, GFX950, mfma_16x16x32,
		"f8E4M3FN", "f8E5M2", "f32"),
	ROW("mfma_f32_32x32x16_fp8_fp8", NULL, GFX950, mfma_32x32x16,
		"f8E4M3FN", "f8E4M3FN", "f32"),
	ROW("mfma_f32_16x16x32_fp8_fp8", NULL, GFX950, mfma_16x16x32,
		"f8E4M3FN", "f8E4M3FN", "f32"),
	ROW("mfma_f32_32x32x16_f16", "v_mfma_f32_32x32x16f16", GFX950, mfma_32x32x16,
		"f16", "f16", "f32"),
	ROW("mfma_f32_16x16x32_f16", "v_mfma_f32_16x16x32f16", GFX950, mfma_16x16x32,
		"f16", "f16", "f32"),
	ROW("mfma_f32_32x32x16_bf16", "v_mfma_f32_32x32x16bf16", GFX950, mfma_32x32x16,
		"bf16", "bf16", "f32"),
	ROW("mfma_f32_16x16x32_bf16", "v_mfma_f32_16x16x32bf16", GFX950, mfma_16x16x32,
		"bf16", "bf16", "f32"),
	ROW("mfma_i32_32x32x32_i8", "v_mfma_i32_32x32x32i8", GFX950, mfma_32x32x32,
		"i8", "i8", "i32"),
	ROW("mfma_i32_16x16x64_i8", "v_mfma_i32_16x16x64i8", GFX950, mfma_16x16x64,
		"i8", "i8", "i32"),
	F8F6F4("mfma_f32_16x16x128_f8f6f4", GFX950, mfma_16x16x128),
	F8F6F4("mfma_f32_32x32x64_f8f6f4", GFX950, mfma_32x32x64),
	F8F6F4("mfma_scale_f32_16x16x128_f8f6f4", GFX950, mfma_scale_16x16x128),
	F8F6F4("mfma_scale_f32_32x32x64_f8f6f4", GFX950, mfma_scale_32x32x64),
	SPARSE("f32_16x16x32", "f16", CDNA3_UP, smfmac_16x16x32, "f32"),
	SPARSE("f32_32x32x16", "f16", CDNA3_UP, smfmac_32x32x16, "f32"),
	SPARSE("f32_16x16x32", "bf16", CDNA3_UP, smfmac_16x16x32, "f32"),
	SPARSE("f32_32x32x16", "bf16", CDNA3_UP, smfmac_32x32x16, "f32"),
	SPARSE("i32_16x16x64", "i8", CDNA3_UP, smfmac_16x16x64, "i32"),
	SPARSE("i32_32x32x32", "i8", CDNA3_UP, smfmac_32x32x32, "i32"),
	SPARSE_F8_OF("16x16x64", GFX942, smfmac_16x16x64, FNUZ),
	SPARSE_F8_OF("32x32x32", GFX942, smfmac_32x32x32, FNUZ),
	SPARSE_F8_OF("16x16x64", GFX950, smfmac_16x16x64, OCP),
	SPARSE_F8_OF("32x32x32", GFX950, smfmac_32x32x32, OCP),
	SPARSE("f32_16x16x64", "f16", GFX950, smfmac_16x16x64_f16, "f32"),
	SPARSE("f32_32x32x32", "f16", GFX950, smfmac_32x32x32_f16, "f32"),
	SPARSE("f32_16x16x64", "bf16", GFX950, smfmac_16x16x64_f16, "f32"),
	SPARSE("f32_32x32x32", "bf16", GFX950, smfmac_32x32x32_f16, "f32"),
	SPARSE("i32_16x16x128", "i8", GFX950, smfmac_16x16x128, "i32"),
	SPARSE("i32_32x32x64", "i8", GFX950, smfmac_32x32x64, "i32"),
	SPARSE_F8_OF("16x16x128", GFX950, smfmac_16x16x128, OCP),
	SPARSE_F8_OF("32x32x64", GFX950, smfmac_32x32x64, OCP),
};

const struct mma_table matrix_mfma = { rows, sizeof(rows) / sizeof(*rows) };
