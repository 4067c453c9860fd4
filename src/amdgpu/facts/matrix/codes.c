/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What LLVM calls the instructions that kernels are made of, and the cycles in which a SIMD
 * issues no other one: of MFMA 4 for each pass of LLVM's model of the scheduler (documented),
 * of WMMA what the peak rates of their products lead to (assumed). */
#include "amdgpu/facts/matrix/shapes.h"

#define MFMA(name, targets, m, n, k, lhs, rhs, acc, cycles) \
	{ "llvm.amdgcn.mfma." name, targets, m, n, k, { lhs, rhs, acc }, false, cycles }
#define WMMA(name, targets, lhs, rhs, acc, spread, cycles) \
	{ "llvm.amdgcn.wmma." name, targets, 16, 16, 16, { lhs, rhs, acc }, spread, cycles }

/* Eight bits, of two formats each. */
#define MFMA_F8(targets, size, m, n, k, fp8, bf8) \
	MFMA("f32." size ".fp8.fp8", targets, m, n, k, fp8, fp8, "f32", (m)), \
	MFMA("f32." size ".fp8.bf8", targets, m, n, k, fp8, bf8, "f32", (m)), \
	MFMA("f32." size ".bf8.fp8", targets, m, n, k, bf8, fp8, "f32", (m)), \
	MFMA("f32." size ".bf8.bf8", targets, m, n, k, bf8, bf8, "f32", (m))

/* Inputs of 8, 6 and 4 bits, in half the time where neither has 8. */
#define MFMA_F8F6F4(size, m, n, k, cycles) \
	MFMA("scale.f32." size ".f8f6f4", GFX950, m, n, k, "f6f4", "f6f4", "f32", cycles), \
	MFMA("scale.f32." size ".f8f6f4", GFX950, m, n, k, "f8f6f4", "f8f6f4", "f32", \
		2 * (cycles))

#define CDNA (GFX908 | GFX90A | GFX942 | GFX950)
#define CDNA_2 (GFX908 | GFX90A)
#define CDNA3_UP (GFX942 | GFX950)
#define RDNA3 (GFX1100 | GFX1100_W64)
#define RDNA4 (GFX1200 | GFX1200_W64 | GFX1201 | GFX1201_W64)

static const struct mma_code codes[] = {
	MFMA("f32.16x16x4f32", CDNA, 16, 16, 4, "f32", "f32", "f32", 32),
	MFMA("f32.32x32x2f32", CDNA, 32, 32, 2, "f32", "f32", "f32", 64),
	MFMA("f32.16x16x16f16", CDNA_2, 16, 16, 16, "f16", "f16", "f32", 32),
	MFMA("f32.16x16x16f16", CDNA3_UP, 16, 16, 16, "f16", "f16", "f32", 16),
	MFMA("f32.32x32x8f16", CDNA_2, 32, 32, 8, "f16", "f16", "f32", 64),
	MFMA("f32.32x32x8f16", CDNA3_UP, 32, 32, 8, "f16", "f16", "f32", 32),
	MFMA("f32.16x16x32.f16", GFX950, 16, 16, 32, "f16", "f16", "f32", 16),
	MFMA("f32.32x32x16.f16", GFX950, 32, 32, 16, "f16", "f16", "f32", 32),
	MFMA("f32.16x16x8bf16", CDNA_2, 16, 16, 8, "bf16", "bf16", "f32", 32),
	MFMA("f32.32x32x4bf16", CDNA_2, 32, 32, 4, "bf16", "bf16", "f32", 64),
	MFMA("f32.16x16x16bf16.1k", GFX90A, 16, 16, 16, "bf16", "bf16", "f32", 32),
	MFMA("f32.16x16x16bf16.1k", CDNA3_UP, 16, 16, 16, "bf16", "bf16", "f32", 16),
	MFMA("f32.32x32x8bf16.1k", GFX90A, 32, 32, 8, "bf16", "bf16", "f32", 64),
	MFMA("f32.32x32x8bf16.1k", CDNA3_UP, 32, 32, 8, "bf16", "bf16", "f32", 32),
	MFMA("f32.16x16x32.bf16", GFX950, 16, 16, 32, "bf16", "bf16", "f32", 16),
	MFMA("f32.32x32x16.bf16", GFX950, 32, 32, 16, "bf16", "bf16", "f32", 32),
	MFMA("i32.16x16x16i8", CDNA_2, 16, 16, 16, "i8", "i8", "i32", 32),
	MFMA("i32.32x32x8i8", CDNA_2, 32, 32, 8, "i8", "i8", "i32", 64),
	MFMA("i32.16x16x32.i8", CDNA3_UP, 16, 16, 32, "i8", "i8", "i32", 16),
	MFMA("i32.32x32x16.i8", CDNA3_UP, 32, 32, 16, "i8", "i8", "i32", 32),
	MFMA("i32.16x16x64.i8", GFX950, 16, 16, 64, "i8", "i8", "i32", 16),
	MFMA("i32.32x32x32.i8", GFX950, 32, 32, 32, "i8", "i8", "i32", 32),
	MFMA("f64.16x16x4f64", GFX90A | GFX942, 16, 16, 4, "f64", "f64", "f64", 32),
	MFMA("f64.16x16x4f64", GFX950, 16, 16, 4, "f64", "f64", "f64", 64),
	MFMA_F8(GFX942, "16x16x32", 16, 16, 32, "f8E4M3FNUZ", "f8E5M2FNUZ"),
	MFMA_F8(GFX942, "32x32x16", 32, 32, 16, "f8E4M3FNUZ", "f8E5M2FNUZ"),
	MFMA_F8(GFX950, "16x16x32", 16, 16, 32, "f8E4M3FN", "f8E5M2"),
	MFMA_F8(GFX950, "32x32x16", 32, 32, 16, "f8E4M3FN", "f8E5M2"),
	MFMA_F8F6F4("16x16x128", 16, 16, 128, 16),
	MFMA_F8F6F4("32x32x64", 32, 32, 64, 32),
	WMMA("f32.16x16x16.f16", RDNA3, "f16", "f16", "f32", false, 32),
	WMMA("f32.16x16x16.f16", RDNA4, "f16", "f16", "f32", false, 16),
	WMMA("f32.16x16x16.bf16", RDNA3, "bf16", "bf16", "f32", false, 32),
	WMMA("f32.16x16x16.bf16", RDNA4, "bf16", "bf16", "f32", false, 16),
	WMMA("f16.16x16x16.f16", RDNA3, "f16", "f16", "f16", true, 32),
	WMMA("bf16.16x16x16.bf16", RDNA3, "bf16", "bf16", "bf16", true, 32),
	WMMA("f16.16x16x16.f16", RDNA4, "f16", "f16", "f16", false, 16),
	WMMA("bf16.16x16x16.bf16", RDNA4, "bf16", "bf16", "bf16", false, 16),
	WMMA("i32.16x16x16.iu8", RDNA3, "iu8", "iu8", "i32", false, 32),
	WMMA("i32.16x16x16.iu8", RDNA4, "iu8", "iu8", "i32", false, 8),
	WMMA("f32.16x16x16.fp8.fp8", RDNA4, "f8E4M3FN", "f8E4M3FN", "f32", false, 8),
	WMMA("f32.16x16x16.fp8.bf8", RDNA4, "f8E4M3FN", "f8E5M2", "f32", false, 8),
	WMMA("f32.16x16x16.bf8.fp8", RDNA4, "f8E5M2", "f8E4M3FN", "f32", false, 8),
	WMMA("f32.16x16x16.bf8.bf8", RDNA4, "f8E5M2", "f8E5M2", "f32", false, 8),
};

const struct mma_codes amdgpu_matrix_codes = { codes, sizeof(codes) / sizeof(*codes) };
