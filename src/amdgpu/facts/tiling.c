/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets of data tiling by the chip whose instructions they have: processors, and
 * products with their number of workgroup processors. */
#include "amdgpu/facts/chips.h"

static const char *const gfx908_instructions[] = {
	"MFMA_F32_16x16x4_F32", "MFMA_F32_16x16x16_F16", "MFMA_F32_32x32x8_F16",
	"MFMA_I32_16x16x16_I8", "MFMA_I32_32x32x8_I8", NULL,
};

static const char *const gfx90a_instructions[] = {
	"MFMA_F32_16x16x8_BF16", "MFMA_F32_32x32x4_BF16", "MFMA_F64_16x16x4_F64",
	"MFMA_F32_16x16x4_F32", "MFMA_F32_16x16x16_F16", "MFMA_F32_32x32x8_F16",
	"MFMA_I32_16x16x16_I8", "MFMA_I32_32x32x8_I8", NULL,
};

static const char *const gfx942_instructions[] = {
	"MFMA_F32_16x16x16_BF16", "MFMA_F32_32x32x8_BF16",
	"MFMA_F32_16x16x32_F8E5M2FNUZ", "MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ",
	"MFMA_F32_16x16x32_F8E4M3FNUZ", "MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ",
	"MFMA_F32_32x32x16_F8E5M2FNUZ", "MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ",
	"MFMA_F32_32x32x16_F8E4M3FNUZ", "MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ",
	"MFMA_I32_16x16x32_I8", "MFMA_I32_32x32x16_I8", "MFMA_F64_16x16x4_F64",
	"MFMA_F32_16x16x4_F32", "MFMA_F32_16x16x16_F16", "MFMA_F32_32x32x8_F16", NULL,
};

static const char *const gfx950_instructions[] = {
	"MFMA_F32_16x16x32_F16", "MFMA_F32_32x32x16_F16",
	"MFMA_F32_16x16x32_BF16", "MFMA_F32_32x32x16_BF16",
	"MFMA_F32_16x16x128_F8E5M2", "MFMA_F32_16x16x128_F8E5M2_F8E4M3FN",
	"MFMA_F32_16x16x128_F8E4M3FN", "MFMA_F32_16x16x128_F8E4M3FN_F8E5M2",
	"MFMA_F32_32x32x64_F8E5M2", "MFMA_F32_32x32x64_F8E5M2_F8E4M3FN",
	"MFMA_F32_32x32x64_F8E4M3FN", "MFMA_F32_32x32x64_F8E4M3FN_F8E5M2",
	"MFMA_I32_16x16x64_I8", "MFMA_I32_32x32x32_I8",
	"MFMA_F32_16x16x16_BF16", "MFMA_F32_32x32x8_BF16",
	"MFMA_F32_16x16x32_F8E5M2", "MFMA_F32_16x16x32_F8E5M2_F8E4M3FN",
	"MFMA_F32_16x16x32_F8E4M3FN", "MFMA_F32_16x16x32_F8E4M3FN_F8E5M2",
	"MFMA_F32_32x32x16_F8E5M2", "MFMA_F32_32x32x16_F8E5M2_F8E4M3FN",
	"MFMA_F32_32x32x16_F8E4M3FN", "MFMA_F32_32x32x16_F8E4M3FN_F8E5M2",
	"MFMA_I32_16x16x32_I8", "MFMA_I32_32x32x16_I8", "MFMA_F64_16x16x4_F64",
	"MFMA_F32_16x16x4_F32", "MFMA_F32_16x16x16_F16", "MFMA_F32_32x32x8_F16",
	"MFMA_SCALE_F32_16x16x128_B32", "MFMA_SCALE_F32_32x32x64_B32", NULL,
};

static const char *const gfx11_instructions[] = {
	"WMMAR3_F32_16x16x16_F16", "WMMAR3_F16_16x16x16_F16", "WMMAR3_F32_16x16x16_BF16",
	"WMMAR3_BF16_16x16x16_BF16", "WMMAR3_I32_16x16x16_I8", NULL,
};

static const char *const gfx12_instructions[] = {
	"WMMAR4_F32_16x16x16_F16", "WMMAR4_F16_16x16x16_F16", "WMMAR4_F32_16x16x16_BF16",
	"WMMAR4_BF16_16x16x16_BF16", "WMMAR4_F32_16x16x16_F8E5M2",
	"WMMAR4_F32_16x16x16_F8E5M2_F8E4M3FN", "WMMAR4_F32_16x16x16_F8E4M3FN",
	"WMMAR4_F32_16x16x16_F8E4M3FN_F8E5M2", "WMMAR4_I32_16x16x16_I8", NULL,
};

static const char *const gfx1250_instructions[] = {
	"WMMA_F32_16x16x4_F32", "WMMA_F32_16x16x32_F16", "WMMA_F16_16x16x32_F16",
	"WMMA_F32_16x16x32_BF16", "WMMA_BF16_16x16x32_BF16",
	"WMMA_F32_16x16x64_F8E5M2", "WMMA_F32_16x16x64_F8E5M2_F8E4M3FN",
	"WMMA_F32_16x16x64_F8E4M3FN", "WMMA_F32_16x16x64_F8E4M3FN_F8E5M2",
	"WMMA_F16_16x16x64_F8E5M2", "WMMA_F16_16x16x64_F8E5M2_F8E4M3FN",
	"WMMA_F16_16x16x64_F8E4M3FN", "WMMA_F16_16x16x64_F8E4M3FN_F8E5M2",
	"WMMA_I32_16x16x64_I8",
	"WMMA_F32_16x16x128_F8E5M2", "WMMA_F32_16x16x128_F8E5M2_F8E4M3FN",
	"WMMA_F32_16x16x128_F8E4M3FN", "WMMA_F32_16x16x128_F8E4M3FN_F8E5M2",
	"WMMA_F16_16x16x128_F8E5M2", "WMMA_F16_16x16x128_F8E5M2_F8E4M3FN",
	"WMMA_F16_16x16x128_F8E4M3FN", "WMMA_F16_16x16x128_F8E4M3FN_F8E5M2", NULL,
};

/* The lines and sets of the first level cache. */
#define CACHE_KNOWN 128, 4
#define CACHE_UNKNOWN 0, 0

/* What they have in common, as IREE 009c008 (2026) knows its targets; of workgroups as many as
 * a signed number of 32 bits counts. */
#define OF_ALL .max_workgroup_sizes = { 1024, 1024, 1024 }, .max_workgroup_threads = 1024, \
	.max_workgroup_counts = { INT32_MAX, INT32_MAX, INT32_MAX }, \
	.compute = "fp64|fp32|fp16|int64|int32|int16|int8", .storage = "b64|b32|b16|b8", \
	.subgroup_operations = "shuffle|arithmetic", .processor_features = ""

/* Name and workgroup processors, 0 for a processor; then what all of a kind have. */
#define ROW_OF(named, count, of, wave, other, dots, vgprs, lds, banks, line, sets, list) { \
	.size = sizeof(layout_tiling_target), .name = #named, .instructions_of = #of, \
	.wave_size = wave, .max_load_bits = 128, .vgpr_bits = (vgprs) * 32, .simds = 4, \
	.processors = count, .lds_bytes = lds, .cache_line_bytes = line, .cache_sets = sets, \
	.instructions = list, .subgroup_sizes = { wave, other }, .dot_products = dots, OF_ALL }
#define ROW(name, ...) ROW_OF(name, __VA_ARGS__)

#define DOT "dp4xi8toi32"
#define CDNA1 gfx908, 64, 0, DOT, 256, LDS_SIZE_GFX9, CACHE_UNKNOWN, gfx908_instructions
#define CDNA2 gfx90a, 64, 0, DOT, 256, LDS_SIZE_GFX9, CACHE_KNOWN, gfx90a_instructions
#define CDNA3 gfx942, 64, 0, DOT, 512, LDS_SIZE_GFX9, CACHE_KNOWN, gfx942_instructions
#define CDNA4 gfx950, 64, 0, DOT, 512, LDS_SIZE_GFX950, CACHE_UNKNOWN, gfx950_instructions
#define RDNA3(of) of, 32, 64, DOT, 256, LDS_SIZE_GFX11, CACHE_UNKNOWN, gfx11_instructions
#define RDNA4(of) of, 32, 64, DOT, 256, LDS_SIZE_GFX12, CACHE_UNKNOWN, gfx12_instructions
#define CDNA5 gfx1250, 32, 0, "none", 1024, LDS_SIZE_GFX1250, CACHE_UNKNOWN, \
	gfx1250_instructions

const layout_tiling_target amdgpu_tiling_gfx908[] = {
	ROW(gfx908, 0, CDNA1), ROW(mi100, 120, CDNA1), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx90a[] = {
	ROW(gfx90a, 0, CDNA2), ROW(mi210, 104, CDNA2), ROW(mi250, 208, CDNA2),
	ROW(mi250x, 220, CDNA2), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx942[] = {
	ROW(gfx942, 0, CDNA3), ROW(mi300a, 228, CDNA3), ROW(mi300x, 304, CDNA3),
	ROW(mi308x, 80, CDNA3), ROW(mi325x, 304, CDNA3), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx950[] = {
	ROW(gfx950, 0, CDNA4), ROW(mi350x, 256, CDNA4), ROW(mi355x, 256, CDNA4), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1100[] = {
	ROW(gfx1100, 0, RDNA3(gfx1100)), ROW(rx7900gre, 40, RDNA3(gfx1100)),
	ROW(rx7900xt, 42, RDNA3(gfx1100)), ROW(rx7900xtx, 48, RDNA3(gfx1100)),
	ROW(w7800, 35, RDNA3(gfx1100)), ROW(w7900, 48, RDNA3(gfx1100)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1101[] = {
	ROW(gfx1101, 0, RDNA3(gfx1101)), ROW(rx7700xt, 27, RDNA3(gfx1101)),
	ROW(rx7800xt, 30, RDNA3(gfx1101)), ROW(v710, 27, RDNA3(gfx1101)),
	ROW(w7700, 24, RDNA3(gfx1101)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1102[] = {
	ROW(gfx1102, 0, RDNA3(gfx1102)), ROW(rx7600, 16, RDNA3(gfx1102)),
	ROW(rx7600xt, 16, RDNA3(gfx1102)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1103[] = {
	ROW(gfx1103, 0, RDNA3(gfx1103)), ROW(phoenix, 6, RDNA3(gfx1103)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1150[] = {
	ROW(gfx1150, 0, RDNA3(gfx1150)), ROW(strix-point, 8, RDNA3(gfx1150)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1151[] = {
	ROW(gfx1151, 0, RDNA3(gfx1151)), ROW(strix-halo, 20, RDNA3(gfx1151)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1152[] = {
	ROW(gfx1152, 0, RDNA3(gfx1152)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1153[] = {
	ROW(gfx1153, 0, RDNA3(gfx1153)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1200[] = {
	ROW(gfx1200, 0, RDNA4(gfx1200)), ROW(rx9060xt, 16, RDNA4(gfx1200)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1201[] = {
	ROW(gfx1201, 0, RDNA4(gfx1201)), ROW(rx9070, 28, RDNA4(gfx1201)),
	ROW(rx9070xt, 32, RDNA4(gfx1201)), ROW(r9700, 32, RDNA4(gfx1201)), { 0 },
};

const layout_tiling_target amdgpu_tiling_gfx1250[] = {
	ROW(gfx1250, 0, CDNA5), { 0 },
};
