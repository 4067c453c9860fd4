/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* mma.sync and ldmatrix under PTX's names and, of mma.sync, CuTe's.
 *
 * Chips before sm_80 have no more than the first shape of f16 and of i8; sm_89 was the first
 * with f8. */
#include "nvptx/facts/matrix/shapes.h"

/* PTX: the size, the types of d, a, b and c.  CuTe: an architecture, the same. */
#define MMA(size, types, cute, targets, shape, lhs, rhs, acc) \
	{ "mma.sync.aligned." size ".row.col." types, { cute "_TN" }, targets, &shape, \
	  { lhs, rhs, acc } }
#define MMA_I8(size, cute, targets, shape) \
	MMA(size, "s32.s8.s8.s32", cute "_S32S8S8S32", targets, shape, "i8", "i8", "i32"), \
	MMA(size, "s32.u8.u8.s32", cute "_S32U8U8S32", targets, shape, "u8", "u8", "i32")
#define MMA_F8(lhs, rhs, cute, a, b) \
	MMA("m16n8k32", "f32." lhs "." rhs ".f32", "SM89_16x8x32_F32" cute "F32", ADA_UP, \
		mma_16x8x32_b8, a, b, "f32")
#define LDMATRIX(name, shape) \
	{ "ldmatrix.sync.aligned.m8n8." name ".shared.b16", { NULL }, TURING_UP, &shape, { "f16" } }

static const struct mma_row rows[] = {
	MMA("m16n8k8", "f32.f16.f16.f32", "SM75_16x8x8_F32F16F16F32", TURING_UP, mma_16x8x8_b16,
		"f16", "f16", "f32"),
	MMA("m16n8k8", "f16.f16.f16.f16", "SM80_16x8x8_F16F16F16F16", TURING_UP, mma_16x8x8_b16,
		"f16", "f16", "f16"),
	MMA("m16n8k16", "f32.f16.f16.f32", "SM80_16x8x16_F32F16F16F32", AMPERE_UP,
		mma_16x8x16_b16, "f16", "f16", "f32"),
	MMA("m16n8k16", "f16.f16.f16.f16", "SM80_16x8x16_F16F16F16F16", AMPERE_UP,
		mma_16x8x16_b16, "f16", "f16", "f16"),
	MMA("m16n8k8", "f32.bf16.bf16.f32", "SM80_16x8x8_F32BF16BF16F32", AMPERE_UP,
		mma_16x8x8_b16, "bf16", "bf16", "f32"),
	MMA("m16n8k16", "f32.bf16.bf16.f32", "SM80_16x8x16_F32BF16BF16F32", AMPERE_UP,
		mma_16x8x16_b16, "bf16", "bf16", "f32"),
	MMA("m16n8k4", "f32.tf32.tf32.f32", "SM80_16x8x4_F32TF32TF32F32", AMPERE_UP,
		mma_16x8x4_b32, "tf32", "tf32", "f32"),
	MMA("m16n8k8", "f32.tf32.tf32.f32", "SM80_16x8x8_F32TF32TF32F32", AMPERE_UP,
		mma_16x8x8_b32, "tf32", "tf32", "f32"),
	MMA_I8("m8n8k16", "SM80_8x8x16", TURING_UP, mma_8x8x16_b8),
	MMA_I8("m16n8k16", "SM80_16x8x16", AMPERE_UP, mma_16x8x16_b8),
	MMA_I8("m16n8k32", "SM80_16x8x32", AMPERE_UP, mma_16x8x32_b8),
	MMA_F8("e4m3", "e4m3", "E4M3E4M3", "f8E4M3FN", "f8E4M3FN"),
	MMA_F8("e4m3", "e5m2", "E4M3E5M2", "f8E4M3FN", "f8E5M2"),
	MMA_F8("e5m2", "e4m3", "E5M2E4M3", "f8E5M2", "f8E4M3FN"),
	MMA_F8("e5m2", "e5m2", "E5M2E5M2", "f8E5M2", "f8E5M2"),
	MMA("m8n8k4", "f64.f64.f64.f64", "SM80_8x8x4_F64F64F64F64", AMPERE_UP,
		mma_8x8x4_b64, "f64", "f64", "f64"),
	MMA("m16n8k4", "f64.f64.f64.f64", "SM90_16x8x4_F64F64F64F64", HOPPER_UP,
		mma_16x8x4_b64, "f64", "f64", "f64"),
	MMA("m16n8k8", "f64.f64.f64.f64", "SM90_16x8x8_F64F64F64F64", HOPPER_UP,
		mma_16x8x8_b64, "f64", "f64", "f64"),
	MMA("m16n8k16", "f64.f64.f64.f64", "SM90_16x8x16_F64F64F64F64", HOPPER_UP,
		mma_16x8x16_b64, "f64", "f64", "f64"),
	LDMATRIX("x1", ldmatrix_x1), LDMATRIX("x2", ldmatrix_x2),
	LDMATRIX("x4", ldmatrix_x4), LDMATRIX("x1.trans", ldmatrix_x1_trans),
	LDMATRIX("x2.trans", ldmatrix_x2_trans), LDMATRIX("x4.trans", ldmatrix_x4_trans),
};

const struct mma_table nvptx_matrix = { rows, sizeof(rows) / sizeof(*rows) };
