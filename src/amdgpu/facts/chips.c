/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The AMDGPU chips: a new one is a row and what the tests say about it. */
#include "amdgpu/facts/chips.h"

/* Lanes that the LDS serves together: in order, so many at a time. */
static const struct lds_grouping eight = { 3, { 1, 2, 4 } };
static const struct lds_grouping sixteen = { 4, { 1, 2, 4, 8 } };
static const struct lds_grouping half = { 5, { 1, 2, 4, 8, 16 } };
static const struct lds_grouping all = { 6, { 1, 2, 4, 8, 16, 32 } };

/* 0-3 and 20-23; 0-3, 12-15 and 20-27. */
static const struct lds_grouping crossed = { 3, { 1, 2, 20 } };
static const struct lds_grouping crossed_more = { 4, { 1, 2, 12, 20 } };

#define MEASURED(grouping) { LAYOUT_LDS_MEASURED, { &grouping } }
#define DOCUMENTED(grouping) { LAYOUT_LDS_DOCUMENTED, { &grouping } }
#define ASSUMED(grouping) { LAYOUT_LDS_ASSUMED, { &grouping } }
#define EITHER(likely, other) { LAYOUT_LDS_ASSUMED, { &likely, &other } }

/* A group wants as many words as there are banks where the wave is large enough.
 * Groups that are parts of a candidate's groups need no candidate of their own: what is
 * free under it is free under them. */
#define WORDS_32(known) known(half), known(sixteen)
#define WORDS_64(known) known(all), known(half)

static const struct amdgpu_chip gfx908 = { 0x00027000, true, true, false, 64 };
static const struct amdgpu_chip gfx9 = { 0x00027000, true, true, true, 64 };
static const struct amdgpu_chip gfx10_up = { 0x31027000, false, true, false, 32 };
static const struct amdgpu_chip gfx1250 = { 0x31027000, false, false, false, 32 };

/* The costs are those of an NVIDIA H100, fitted by a test to what was measured there.  Lines
 * are those of the vector caches, which the manuals have; counters of memory requests count
 * 32 bytes as their least.  issue_bytes is a compute unit's part of the peak rate of memory, by
 * the vector instructions that it issues at its peak clock; gfx1151's 40 have 256 GB/s.
 *
 * That little of the issue hides behind memory is assumed: waves that move a few rows are few.
 * Instructions of edges were counted in an emulator for gfx942, 1.3 to 4.3 times those of whole
 * tiles; that they are twice as many in waves of half as many lanes is assumed. */
#define MEMORY(line, line_known, sector_known, issue_bytes, edge) { line, 32, \
	LAYOUT_LDS_##line_known, LAYOUT_LDS_##sector_known, LAYOUT_LDS_ASSUMED, \
	{ 16, 70, 2, 500, 321, 3, 40 }, issue_bytes, 24, edge, 4, 0, 0 }

static const struct chip_memory memory_gfx908 = MEMORY(64, DOCUMENTED, DOCUMENTED, 7, 4);
static const struct chip_memory memory_gfx90a = MEMORY(64, DOCUMENTED, DOCUMENTED, 9, 4);
static const struct chip_memory memory_gfx942 = MEMORY(128, DOCUMENTED, DOCUMENTED, 8, 4);
static const struct chip_memory memory_gfx950 = MEMORY(128, DOCUMENTED, ASSUMED, 13, 4);
static const struct chip_memory memory_wave32 = MEMORY(128, DOCUMENTED, ASSUMED, 2, 8);
static const struct chip_memory memory_wave64 = MEMORY(128, DOCUMENTED, ASSUMED, 4, 8);
static const struct chip_memory memory_gfx1151_wave32 = MEMORY(128, DOCUMENTED, ASSUMED, 1, 8);
static const struct chip_memory memory_gfx1151_wave64 = MEMORY(128, DOCUMENTED, ASSUMED, 2, 8);
static const struct chip_memory memory_gfx1250 = MEMORY(128, ASSUMED, ASSUMED, 13, 4);

/* The last fields of a row.  The buffers of gfx1250 have another form. */
#define LANES 256, 64
#define WORDS 208
#define GFX9_OF(own, lanes) { LANES, 1 << 12, true, false, 24, true, WORDS, true }, &own, \
	amdgpu_lanes_##lanes
#define GFX9(lanes) GFX9_OF(gfx9, lanes)
#define GFX11(lanes) { LANES, 1 << 12, true, false, 24, false, WORDS }, &gfx10_up, amdgpu_lanes_##lanes
#define GFX12(lanes) { LANES, 1 << 23, true, false, 24, false, WORDS }, &gfx10_up, amdgpu_lanes_##lanes
#define GFX12_5(lanes) { LANES, 1 << 23, false, false, 24, false, WORDS }, &gfx1250, amdgpu_lanes_##lanes

/* The loads to the LDS are those that LLVM 22 assembles: on gfx9 "buffer_load_.. lds"
 * and "global_load_lds_..", a dword also where one or two bytes are loaded; none on
 * gfx11, gfx1200 and gfx1201; on gfx1250 "global_load_async_to_lds_b8" to "_b128", which
 * put each lane's where it says. */
#define NO_LOADS { 0 }
#define DWORDS { 4 }
#define WIDE_DWORDS { 4, 12, 16 }
#define EACH_LANES { 1, 4, 8, 16 }

/* Loads of halves that are turned round among 16 lanes: ds_read_b64_tr_b16, as LLVM 22
 * assembles it; that it takes the cycles of other loads of 8 bytes is assumed.  Those of
 * other widths, and gfx1250's, are not used. */
#define TURNED_LOADS true

/* Name, processor; lanes of a wave, and are they the default; bytes and banks of the
 * LDS; bytes of the loads that go to the LDS directly; what is known of the LDS's loads
 * and stores.
 *
 * The name is the processor's, with ":waveN" where N is not the default.  gfx1250
 * has no wave64. */
#define CHIP(name, processor, wave, usual, size, to_lds, ...) \
	{ name, processor, wave, usual, size, 16, to_lds }, \
	{ name, wave, size, __VA_ARGS__ }, &amdgpu_family

/* Products with the processor, which are those of data tiling whose "LLVM target name" is
 * the chip's: rocm.docs.amd.com, AMD GPU specifications, and the processors of LLVM's guide
 * to its AMDGPU backend (November 2026). */
#define PRODUCTS(...) .products = (const char *const[]){ __VA_ARGS__, NULL }
#define NO_PRODUCTS .products = NULL

/* The processors of gfx11.  To LLVM 22 they differ in the waves that a SIMD has registers
 * for, and gfx1150 to gfx1153 (RDNA 3.5) compute with scalar floats, too: in no column.  The
 * LDS was measured on gfx1100. */
#define GFX11_LDS { WORDS_32(ASSUMED), EITHER(crossed, eight) }, \
	{ WORDS_32(ASSUMED), EITHER(eight, crossed) }
#define GFX11_WAVE32(processor, costs, sold_as) \
	{ CHIP(#processor, #processor, 32, true, LDS_SIZE_GFX11, NO_LOADS, GFX11_LDS), \
	  GFX1100, amdgpu_tiling_##processor, GFX11(wave32), .memory = costs, sold_as }
#define GFX11_WAVE64(processor, costs) \
	{ CHIP(processor ":wave64", processor, 64, false, LDS_SIZE_GFX11, NO_LOADS, \
		GFX11_LDS), \
	  GFX1100_W64, NULL, GFX11(wave64), .memory = costs }

static const struct chip chips[] = {
	{ CHIP("gfx908", "gfx908", 64, true, LDS_SIZE_GFX9, DWORDS,
		{ WORDS_32(ASSUMED), EITHER(crossed, eight) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) }),
	  GFX908, amdgpu_tiling_gfx908, GFX9_OF(gfx908, gfx9), .memory = &memory_gfx908,
	  PRODUCTS("mi100") },
	{ CHIP("gfx90a", "gfx90a", 64, true, LDS_SIZE_GFX9, DWORDS,
		{ WORDS_32(ASSUMED), EITHER(crossed, eight) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) }),
	  GFX90A, amdgpu_tiling_gfx90a, GFX9(gfx9), .memory = &memory_gfx90a,
	  PRODUCTS("mi210", "mi250", "mi250x") },
	{ CHIP("gfx942", "gfx942", 64, true, LDS_SIZE_GFX9, DWORDS,
		{ WORDS_32(MEASURED), MEASURED(crossed) },
		{ WORDS_32(ASSUMED), DOCUMENTED(eight) }),
	  GFX942, amdgpu_tiling_gfx942, GFX9(gfx9), .memory = &memory_gfx942,
	  PRODUCTS("mi300a", "mi300x", "mi308x", "mi325x") },
	{ CHIP("gfx950", "gfx950", 64, true, LDS_SIZE_GFX950, WIDE_DWORDS,
		{ WORDS_64(MEASURED), MEASURED(crossed_more) },
		{ WORDS_64(ASSUMED), EITHER(sixteen, crossed_more) }),
	  GFX950, amdgpu_tiling_gfx950, GFX9(gfx950), 16 | 32,
	  TURNED_LOADS, .memory = &memory_gfx950,
	  PRODUCTS("mi350x", "mi355x") },
	{ CHIP("gfx1100", "gfx1100", 32, true, LDS_SIZE_GFX11, NO_LOADS,
		{ WORDS_32(MEASURED), MEASURED(crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) }),
	  GFX1100, amdgpu_tiling_gfx1100, GFX11(wave32), .memory = &memory_wave32,
	  PRODUCTS("rx7900gre", "rx7900xt", "rx7900xtx", "w7800", "w7900") },
	GFX11_WAVE64("gfx1100", &memory_wave64),
	GFX11_WAVE32(gfx1101, &memory_wave32,
		PRODUCTS("rx7700xt", "rx7800xt", "v710", "w7700")),
	GFX11_WAVE64("gfx1101", &memory_wave64),
	GFX11_WAVE32(gfx1102, &memory_wave32, PRODUCTS("rx7600", "rx7600xt")),
	GFX11_WAVE64("gfx1102", &memory_wave64),
	GFX11_WAVE32(gfx1103, &memory_wave32, PRODUCTS("phoenix")),
	GFX11_WAVE64("gfx1103", &memory_wave64),
	GFX11_WAVE32(gfx1150, &memory_wave32, PRODUCTS("strix-point")),
	GFX11_WAVE64("gfx1150", &memory_wave64),
	GFX11_WAVE32(gfx1151, &memory_gfx1151_wave32, PRODUCTS("strix-halo")),
	GFX11_WAVE64("gfx1151", &memory_gfx1151_wave64),
	GFX11_WAVE32(gfx1152, &memory_wave32, NO_PRODUCTS),
	GFX11_WAVE64("gfx1152", &memory_wave64),
	GFX11_WAVE32(gfx1153, &memory_wave32, NO_PRODUCTS),
	GFX11_WAVE64("gfx1153", &memory_wave64),
	{ CHIP("gfx1200", "gfx1200", 32, true, LDS_SIZE_GFX12, NO_LOADS,
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) }),
	  GFX1200, amdgpu_tiling_gfx1200, GFX12(wave32), .memory = &memory_wave32,
	  PRODUCTS("rx9060xt") },
	{ CHIP("gfx1200:wave64", "gfx1200", 64, false, LDS_SIZE_GFX12, NO_LOADS,
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) }),
	  GFX1200_W64, NULL, GFX12(wave64), .memory = &memory_wave64 },
	{ CHIP("gfx1201", "gfx1201", 32, true, LDS_SIZE_GFX12, NO_LOADS,
		{ WORDS_32(MEASURED), MEASURED(eight) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) }),
	  GFX1201, amdgpu_tiling_gfx1201, GFX12(wave32), .memory = &memory_wave32,
	  PRODUCTS("rx9070", "rx9070xt", "r9700") },
	{ CHIP("gfx1201:wave64", "gfx1201", 64, false, LDS_SIZE_GFX12, NO_LOADS,
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) }),
	  GFX1201_W64, NULL, GFX12(wave64), .memory = &memory_wave64 },
	{ CHIP("gfx1250", "gfx1250", 32, true, LDS_SIZE_GFX1250, EACH_LANES,
		{ WORDS_64(ASSUMED), EITHER(sixteen, crossed_more) },
		{ WORDS_64(ASSUMED), EITHER(sixteen, crossed_more) }),
	  GFX1250, amdgpu_tiling_gfx1250, GFX12_5(wave32), .memory = &memory_gfx1250 },
};

/* IREE's names first. */
static const struct mma_table *const matrix[] = { &matrix_iree, &matrix_mfma, &matrix_wmma,
	NULL };

const struct chip_family amdgpu_family = { "amdgpu", chips,
	sizeof(chips) / sizeof(*chips), matrix, &amdgpu_matrix_codes };
