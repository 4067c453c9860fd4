/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How CPUs tile products, and which of their features matter for that.
 *
 * Tiles: IREE 05ebe2e (2025), its external models of the CPU's and of VMVX's encodings,
 * without microkernels; RISC-V's of 64 bits are those of its later versions.  Looked up on
 * 2026-11-23. */
#include "host/facts/chips.h"


static const struct cpu_tile tiles[] = {
	{ "aarch64", "bf16", "bf16", "bf16", "bf16|f32", 8, 8, 4 },
	{ "aarch64", "", "float", "float", "f32|f16|bf16", 8, 8, 1 },
	{ "aarch64", "i8mm", "i8", "i8", "i32", 8, 8, 8 },
	{ "aarch64", "dotprod", "i8", "i8", "i32", 8, 8, 4 },
	{ "aarch64", "i8mm", "i8", "i4", "i32", 4, 8, 16 },
	{ "aarch64", "dotprod", "i8", "i4", "i32", 8, 8, 8 },
	{ "aarch64", "", "i8", "i4", "i32", 4, 16, 2 },
	{ "x86_64", "avx512bf16", "bf16", "bf16", "bf16|f32", 16, 16, 2 },
	{ "x86_64", "avx512f", "float", "float", "f32|f16|bf16", 16, 16, 1 },
	{ "x86_64", "avx", "float", "float", "f32|f16|bf16", 8, 8, 1 },
	{ "x86_64", "", "float", "float", "f32|f16|bf16", 8, 4, 1 },
	{ "x86_64", "avx512vnni", "i8", "i8", "i32", 16, 16, 2 },
	{ "x86_64", "avx512bw", "i8", "i8", "i32", 16, 16, 2 },
	{ "x86_64", "avx2", "i8", "i8", "i32", 8, 8, 2 },
	{ "x86_64", "", "i8", "i8", "i32", 8, 4, 2 },
	{ "x86_64", "avx512vnni", "i16", "i16", "i32", 16, 16, 2 },
	{ "x86_64", "avx512bw", "i16", "i16", "i32", 16, 16, 2 },
	{ "x86_64", "avx2", "i16", "i16", "i32", 8, 8, 2 },
	{ "x86_64", "", "i16", "i16", "i32", 8, 4, 2 },
	{ "x86_64", "avx512vnni", "i16", "u4|ui4", "i32", 1, 32, 8 },
	{ "riscv64", "v", "f32", "f32", "f32", 7, 0, 1 },
	{ "vmvx", "", "", "", "", 8, 8, 4 },
	{ .architecture = NULL },
};

#define ROW(called, of) { .size = sizeof(layout_tiling_target), .name = called, \
	.instructions_of = of, .wave_size = 1, .simds = 1, .features = "" }

const layout_tiling_target host_tiling[] = {
	ROW("host", "native"), ROW("x86_64", "x86_64"), ROW("aarch64", "aarch64"),
	ROW("riscv64", "riscv64"), ROW("vmvx", "vmvx"), { .name = NULL },
};

#if defined(__x86_64__)
static void native(const char **architecture, const char **features)
{
	__builtin_cpu_init();
	*architecture = "x86_64";
	*features = __builtin_cpu_supports("avx512bf16") ?
			"+avx,+avx2,+avx512f,+avx512bw,+avx512vnni,+avx512bf16" :
		__builtin_cpu_supports("avx512vnni") ? "+avx,+avx2,+avx512f,+avx512bw,+avx512vnni" :
		__builtin_cpu_supports("avx512bw") ? "+avx,+avx2,+avx512f,+avx512bw" :
		__builtin_cpu_supports("avx512f") ? "+avx,+avx2,+avx512f" :
		__builtin_cpu_supports("avx2") ? "+avx,+avx2" :
		__builtin_cpu_supports("avx") ? "+avx" : "";
}
#elif defined(__aarch64__)
#include <sys/auxv.h>

#define HWCAP_DOTPROD (1ul << 20)
#define HWCAP2_MATRIX (1ul << 13 | 1ul << 14)	/* i8mm, bf16 */

static void native(const char **architecture, const char **features)
{
	bool dot = getauxval(AT_HWCAP) & HWCAP_DOTPROD;
	bool matrix = (getauxval(AT_HWCAP2) & HWCAP2_MATRIX) == HWCAP2_MATRIX;

	*architecture = "aarch64";
	*features = dot && matrix ? "+dotprod,+i8mm,+bf16" : dot ? "+dotprod" : "";
}
#else
static void native(const char **architecture, const char **features)
{
	*architecture = "another CPU";
	*features = "";
}
#endif

const struct cpu_facts host_cpu = { tiles, native };
