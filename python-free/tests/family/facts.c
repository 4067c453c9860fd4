/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of the chip. */
#include "family/toy.h"

static const struct lds_grouping quarter = { 2, { 1, 2 } };
static const struct lds_grouping pair = { 1, { 1 } };
#define KNOWN(grouping) { LAYOUT_LDS_DOCUMENTED, { &grouping } }
#define WIDTHS { KNOWN(quarter), KNOWN(quarter), KNOWN(pair) }

static const struct mma_shape shape_8x8x4 = { 16, 1, 8, 8, 4, {
	[LAYOUT_MMA_LHS] = { "m0 m1 m2 k1", "k0" },
	[LAYOUT_MMA_RHS] = { "n0 n1 n2 k1", "k0" },
	[LAYOUT_MMA_ACC] = { "n0 n1 n2 m2", "m0 m1" },
} };

static const struct mma_row rows[] = {
	{ "TOY_F32_8x8x4_F16", { "toy.mma" }, 1, &shape_8x8x4, { "f16", "f16", "f32" } },
};
static const struct mma_table table = { rows, 1 };
static const struct mma_table *const matrix[] = { &table, NULL };

static const char *const instructions[] = { "TOY_F32_8x8x4_F16", NULL };
static const layout_tiling_target tiling[] = {
	{ sizeof(layout_tiling_target), "toy1", "toy1", 16, 64, 4096, 2, 0, 65536, 0, 0,
		instructions },
	{ sizeof(layout_tiling_target), "toybox", "toy1", 16, 64, 4096, 2, 12, 65536, 0, 0,
		instructions },
	{ 0 },
};

static const struct chip chips[] = {
	{ .target = { "toy1", "toy-1", 16, true, 65536, 8, 8, { 0 } },
	  .lds = { "toy1", 16, 65536, 8, WIDTHS, WIDTHS },
	  .family = &toy_family, .bit = 1, .tiling = tiling,
	  .code = { .lanes = 64, .full_lanes = 16, .reach = 512, .factor_bits = 31,
	  .words = 208 } },
};

const struct chip_family toy_family = { "toy", chips, 1, matrix, NULL };
