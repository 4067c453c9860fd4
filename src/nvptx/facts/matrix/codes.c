/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What LLVM calls the instructions that kernels are made of.  Those of tf32 are none: they
 * leave out digits of an f32. */
#include "nvptx/facts/chips.h"

#define MMA(size, name, targets, m, n, k, lhs, rhs, acc) \
	{ "llvm.nvvm.mma." size ".row.col." name, targets, m, n, k, { lhs, rhs, acc }, false }
#define MMA_F8(name, lhs, rhs) \
	MMA("m16n8k32", "f32." name ".f32", ADA_UP, 16, 8, 32, lhs, rhs, "f32")

static const struct mma_code codes[] = {
	MMA("m16n8k8", "f32.f32", TURING_UP, 16, 8, 8, "f16", "f16", "f32"),
	MMA("m16n8k16", "f32.f32", AMPERE_UP, 16, 8, 16, "f16", "f16", "f32"),
	MMA("m16n8k8", "f16.f16", TURING_UP, 16, 8, 8, "f16", "f16", "f16"),
	MMA("m16n8k16", "f16.f16", AMPERE_UP, 16, 8, 16, "f16", "f16", "f16"),
	MMA("m16n8k8", "bf16", AMPERE_UP, 16, 8, 8, "bf16", "bf16", "f32"),
	MMA("m16n8k16", "bf16", AMPERE_UP, 16, 8, 16, "bf16", "bf16", "f32"),
	MMA("m8n8k16", "s8", TURING_UP, 8, 8, 16, "i8", "i8", "i32"),
	MMA("m16n8k16", "s8", AMPERE_UP, 16, 8, 16, "i8", "i8", "i32"),
	MMA("m16n8k32", "s8", AMPERE_UP, 16, 8, 32, "i8", "i8", "i32"),
	MMA("m8n8k16", "u8", TURING_UP, 8, 8, 16, "u8", "u8", "i32"),
	MMA("m16n8k16", "u8", AMPERE_UP, 16, 8, 16, "u8", "u8", "i32"),
	MMA("m16n8k32", "u8", AMPERE_UP, 16, 8, 32, "u8", "u8", "i32"),
	MMA_F8("e4m3.e4m3", "f8E4M3FN", "f8E4M3FN"), MMA_F8("e4m3.e5m2", "f8E4M3FN", "f8E5M2"),
	MMA_F8("e5m2.e4m3", "f8E5M2", "f8E4M3FN"), MMA_F8("e5m2.e5m2", "f8E5M2", "f8E5M2"),
	MMA("m8n8k4", "f64", AMPERE_UP, 8, 8, 4, "f64", "f64", "f64"),
	MMA("m16n8k4", "f64", HOPPER_UP, 16, 8, 4, "f64", "f64", "f64"),
	MMA("m16n8k8", "f64", HOPPER_UP, 16, 8, 8, "f64", "f64", "f64"),
	MMA("m16n8k16", "f64", HOPPER_UP, 16, 8, 16, "f64", "f64", "f64"),
};

const struct mma_codes nvptx_matrix_codes = { codes, sizeof(codes) / sizeof(*codes) };
