/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The WMMA and SWMMAC instructions of AMD's ISA.  The layouts of gfx11 and gfx12 are
 * those of AMD's matrix instruction calculator.  It lacks gfx1250, which has those of
 * gfx12, too: its own follow the manual of CDNA5 as rocjitsu and Triton quote it, those
 * of f8, f6 and f4 the tables of Composable Kernel's tests. */
#include "amdgpu/facts/matrix/f8f6f4.h"
#include "amdgpu/facts/matrix/shapes.h"

#define RDNA4_W64 (GFX1200_W64 | GFX1201_W64)
#define GFX12 (GFX1200 | GFX1201 | GFX1250)

#define ROW(name, targets, shape, lhs, rhs, acc) \
	{ "v_" name, { NULL }, targets, &shape, { lhs, rhs, acc } }

/* On gfx11, and on gfx12, with a wave of 32 and one of 64. */
#define ROWS_11(name, shape, lhs, rhs, acc) \
	ROW(name, GFX1100, shape, lhs, rhs, acc), \
	ROW(name, GFX1100_W64, shape##_w64, lhs, rhs, acc)
#define ROWS_12(name, shape, lhs, rhs, acc) \
	ROW(name, GFX12, shape, lhs, rhs, acc), \
	ROW(name, RDNA4_W64, shape##_w64, lhs, rhs, acc)

/* The four of 8 bits, through one of the macros above. */
#define FP8 "f8E4M3FN"
#define BF8 "f8E5M2"
#define F8_12(name, shape, acc) \
	ROWS_12(name "_fp8_fp8", shape, FP8, FP8, acc), \
	ROWS_12(name "_fp8_bf8", shape, FP8, BF8, acc), \
	ROWS_12(name "_bf8_fp8", shape, BF8, FP8, acc), \
	ROWS_12(name "_bf8_bf8", shape, BF8, BF8, acc)
#define F8_1250(name, shape, acc) \
	ROW(name "_fp8_fp8", GFX1250, shape, FP8, FP8, acc), \
	ROW(name "_fp8_bf8", GFX1250, shape, FP8, BF8, acc), \
	ROW(name "_bf8_fp8", GFX1250, shape, BF8, FP8, acc), \
	ROW(name "_bf8_bf8", GFX1250, shape, BF8, BF8, acc)

static const struct mma_row rows[] = {
	ROWS_11("wmma_f32_16x16x16_f16", wmma11, "f16", "f16", "f32"),
	ROWS_11("wmma_f32_16x16x16_bf16", wmma11, "bf16", "bf16", "f32"),
	ROWS_11("wmma_f16_16x16x16_f16", wmma11_half, "f16", "f16", "f16"),
	ROWS_11("wmma_bf16_16x16x16_bf16", wmma11_half, "bf16", "bf16", "bf16"),
	ROWS_11("wmma_i32_16x16x16_iu8", wmma11, "iu8", "iu8", "i32"),
	ROWS_11("wmma_i32_16x16x16_iu4", wmma11, "iu4", "iu4", "i32"),
	ROWS_12("wmma_f32_16x16x16_f16", wmma12_f16, "f16", "f16", "f32"),
	ROWS_12("wmma_f32_16x16x16_bf16", wmma12_f16, "bf16", "bf16", "f32"),
	ROWS_12("wmma_f16_16x16x16_f16", wmma12_f16, "f16", "f16", "f16"),
	ROWS_12("wmma_bf16_16x16x16_bf16", wmma12_f16, "bf16", "bf16", "bf16"),
	ROWS_12("wmma_i32_16x16x16_iu8", wmma12, "iu8", "iu8", "i32"),
	ROW("wmma_i32_16x16x16_iu4", GFX12, wmma12, "iu4", "iu4", "i32"),
	ROW("wmma_i32_16x16x16_iu4", RDNA4_W64, wmma12_iu4_w64, "iu4", "iu4", "i32"),
	ROWS_12("wmma_i32_16x16x32_iu4", wmma12_16x16x32, "iu4", "iu4", "i32"),
	F8_12("wmma_f32_16x16x16", wmma12, "f32"),
	ROWS_12("swmmac_f32_16x16x32_f16", swmmac_16x16x32_f16, "f16", "f16", "f32"),
	ROWS_12("swmmac_f32_16x16x32_bf16", swmmac_16x16x32_f16, "bf16", "bf16", "f32"),
	ROWS_12("swmmac_f16_16x16x32_f16", swmmac_16x16x32_f16, "f16", "f16", "f16"),
	ROWS_12("swmmac_bf16_16x16x32_bf16", swmmac_16x16x32_f16,
		"bf16", "bf16", "bf16"),
	ROWS_12("swmmac_i32_16x16x32_iu8", swmmac_16x16x32, "iu8", "iu8", "i32"),
	ROW("swmmac_i32_16x16x32_iu4", GFX12, swmmac_16x16x32, "iu4", "iu4", "i32"),
	ROW("swmmac_i32_16x16x32_iu4", RDNA4_W64, swmmac_16x16x32_iu4_w64,
		"iu4", "iu4", "i32"),
	ROWS_12("swmmac_i32_16x16x64_iu4", swmmac_16x16x64, "iu4", "iu4", "i32"),
	F8_12("swmmac_f32_16x16x32", swmmac_16x16x32, "f32"),
	ROW("wmma_f32_16x16x4_f32", GFX1250, wmma_16x16x4, "f32", "f32", "f32"),
	ROW("wmma_f32_16x16x32_f16", GFX1250, wmma_16x16x32_isa, "f16", "f16", "f32"),
	ROW("wmma_f16_16x16x32_f16", GFX1250, wmma_16x16x32_isa, "f16", "f16", "f16"),
	ROW("wmma_f32_16x16x32_bf16", GFX1250, wmma_16x16x32_isa,
		"bf16", "bf16", "f32"),
	ROW("wmma_bf16_16x16x32_bf16", GFX1250, wmma_16x16x32_isa,
		"bf16", "bf16", "bf16"),
	ROW("wmma_bf16f32_16x16x32_bf16", GFX1250, wmma_16x16x32_isa,
		"bf16", "bf16", "f32|bf16"),
	ROW("wmma_i32_16x16x64_iu8", GFX1250, wmma_16x16x64_isa, "iu8", "iu8", "i32"),
	F8_1250("wmma_f32_16x16x64", wmma_16x16x64_isa, "f32"),
	F8_1250("wmma_f16_16x16x64", wmma_16x16x64_isa, "f16"),
	F8_1250("wmma_f32_16x16x128", wmma_16x16x128_f8_f8, "f32"),
	F8_1250("wmma_f16_16x16x128", wmma_16x16x128_f8_f8, "f16"),
	F8F6F4("wmma_f32_16x16x128_f8f6f4", GFX1250, wmma_16x16x128),
	F8F6F4("wmma_scale_f32_16x16x128_f8f6f4", GFX1250, wmma_scale_16x16x128),
	F8F6F4("wmma_scale16_f32_16x16x128_f8f6f4", GFX1250, wmma_scale16_16x16x128),
	ROW("wmma_f32_32x16x128_f4", GFX1250, wmma_32x16x128, "f4", "f4", "f32"),
	ROW("wmma_scale_f32_32x16x128_f4", GFX1250, wmma_scale_32x16x128,
		"f4", "f4", "f32"),
	ROW("wmma_scale16_f32_32x16x128_f4", GFX1250, wmma_scale16_32x16x128,
		"f4", "f4", "f32"),
	ROW("swmmac_f32_16x16x64_f16", GFX1250, swmmac_16x16x64_f16,
		"f16", "f16", "f32"),
	ROW("swmmac_f16_16x16x64_f16", GFX1250, swmmac_16x16x64_f16,
		"f16", "f16", "f16"),
	ROW("swmmac_f32_16x16x64_bf16", GFX1250, swmmac_16x16x64_f16,
		"bf16", "bf16", "f32"),
	ROW("swmmac_bf16_16x16x64_bf16", GFX1250, swmmac_16x16x64_f16,
		"bf16", "bf16", "bf16"),
	ROW("swmmac_bf16f32_16x16x64_bf16", GFX1250, swmmac_16x16x64_f16,
		"bf16", "bf16", "f32|bf16"),
	ROW("swmmac_i32_16x16x128_iu8", GFX1250, swmmac_16x16x128, "iu8", "iu8", "i32"),
	F8_1250("swmmac_f32_16x16x128", swmmac_16x16x128, "f32"),
	F8_1250("swmmac_f16_16x16x128", swmmac_16x16x128, "f16"),
};

const struct mma_table matrix_wmma = { rows, sizeof(rows) / sizeof(*rows) };
