/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The NVPTX chips: a new one is a row and what the tests say about it. */
#include "nvptx/facts/chips.h"

/* Lanes that shared memory serves together: a word a lane, the whole wave; two words, one
 * half of it, then the other; four, a quarter. */
static const struct lds_grouping quarter = { 3, { 1, 2, 4 } };
static const struct lds_grouping half = { 4, { 1, 2, 4, 8 } };
static const struct lds_grouping all = { 5, { 1, 2, 4, 8, 16 } };

/* That it has 32 banks of a word is in the CUDA programming guide; how accesses of more
 * than a word are parted is not. */
#define SHARED { { LAYOUT_LDS_DOCUMENTED, { &all } }, \
	{ LAYOUT_LDS_ASSUMED, { &half } }, { LAYOUT_LDS_ASSUMED, { &quarter } } }

/* Lines and sectors are NVIDIA's, documented for all of them.  The costs are fitted by a test
 * to what was measured on an H100, sm_90.  issue_bytes is a multiprocessor's part of the peak
 * rate of memory, by the instructions that its four schedulers issue at its peak clock: of a
 * T4, an A100, an RTX 4090, an H100, a B200 and an RTX 5090.
 *
 * What shows of the issue: Triton's transposes, which go by elements where rows are odd, take
 * 0.6, 0.3 and 0.1 of a copy more on an H100 than in whole vectors, for elements of 1, 2 and 4
 * bytes.  That edges take twice the issue of a whole tile is assumed.  That they take all its
 * memory's time was measured on an H200, and what rows take that begin inside of sectors:
 * docs/gpu-performance.md. */
#define MEMORY(costs_known, issue_bytes) { 128, 32, LAYOUT_LDS_DOCUMENTED, \
	LAYOUT_LDS_DOCUMENTED, LAYOUT_LDS_##costs_known, { 16, 70, 2, 500, 321, 3, 40 }, \
	issue_bytes, 6, 2, 1, 2400, 200 }

static const struct chip_memory memory_sm_75 = MEMORY(ASSUMED, 1);
static const struct chip_memory memory_sm_80 = MEMORY(ASSUMED, 3);
static const struct chip_memory memory_sm_89 = MEMORY(ASSUMED, 1);
static const struct chip_memory memory_sm_90 = MEMORY(MEASURED, 3);
static const struct chip_memory memory_sm_100 = MEMORY(ASSUMED, 7);
static const struct chip_memory memory_sm_120 = MEMORY(ASSUMED, 1);

/* A shuffle takes shared memory's way to the lanes, which is as wide as a wave. */
static const struct chip_lanes lanes[] = {
	{ "shfl.sync.bfly", 1, 31, 1, 1, NVPTX_BUTTERFLY },
	{ "shfl.sync.idx", 0, 31, 1, 1, NVPTX_INDEX },
	{ NULL },
};

/* A product of 32 bits is one instruction; constant offsets have 24 bits and a sign; addresses
 * have two registers each, of 255. */
#define CODE(direct) { 256, 64, 1 << 23, false, true, 32, direct, 176 }

/* Loads to shared memory that bypass the registers, cp.async: 4, 8 and 16 bytes a lane, aligned
 * to as many on both sides (PTX ISA, cp.async). */
#define NO_LOADS { 0 }
#define LOADS { 4, 8, 16 }

static const struct nvptx_chip own_sm_75 = { "+ptx65", NULL };
static const struct nvptx_chip own_sm_80 = { "+ptx70", NULL };
static const struct nvptx_chip own_sm_89 = { "+ptx78", "+ptx84" };
static const struct nvptx_chip own_sm_90 = { "+ptx78", "+ptx84" };
static const struct nvptx_chip own_sm_100 = { "+ptx86", NULL };
static const struct nvptx_chip own_sm_120 = { "+ptx87", NULL };

/* Bytes of shared memory that a launch may ask for: "maximum amount of shared memory per thread
 * block" of the CUDA programming guide's table of compute capabilities. */
enum { MOST_75 = 64 << 10, MOST_80 = 163 << 10, MOST_89 = 99 << 10, MOST_90 = 227 << 10,
	MOST_100 = 227 << 10, MOST_120 = 99 << 10 };

#define CHIP(name, bit, loads, direct, most) { { #name, #name, 32, true, NVPTX_SHARED, 16, loads }, \
	{ #name, 32, NVPTX_SHARED, SHARED, SHARED }, &nvptx_family, bit, NULL, CODE(direct), &own_##name, \
	lanes, .memory = &memory_##name, .lds_most = most }

static const struct chip chips[] = {
	CHIP(sm_75, SM_75, NO_LOADS, false, MOST_75), CHIP(sm_80, SM_80, LOADS, true, MOST_80),
	CHIP(sm_89, SM_89, LOADS, true, MOST_89), CHIP(sm_90, SM_90, LOADS, true, MOST_90),
	CHIP(sm_100, SM_100, LOADS, true, MOST_100), CHIP(sm_120, SM_120, LOADS, true, MOST_120),
};

static const struct mma_table *const matrix[] = { &nvptx_matrix, NULL };

const struct chip_family nvptx_family = { "nvptx", chips, sizeof(chips) / sizeof(*chips),
	matrix, &nvptx_matrix_codes };
