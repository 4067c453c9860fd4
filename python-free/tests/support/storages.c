/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/storages.h"

#define ROW(r) { .kind = MODEL_ROW, .rank = r }
#define COLUMN(r) { .kind = MODEL_COLUMN, .rank = r }

const struct storage_model row2 = ROW(2), row4 = ROW(4), column2 = COLUMN(2);

const struct storage_model xor_rows = { .kind = MODEL_ROW, .rank = 2, .row = 64,
	.access = 8 };

const struct storage_model lhs_f32 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 16 }, .outer = { 0, 1 }, .digit_count = 5,
	.digits = { { 0, 4, 8 }, { 1, 1, 4 }, { 0, 32, 4 }, { 0, 1, 4 }, { 1, 4, 4 } } };

const struct storage_model lhs_f16 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 32 }, .outer = { 0, 1 }, .digit_count = 6,
	.digits = { { 0, 4, 8 }, { 1, 4, 4 }, { 0, 32, 4 }, { 0, 1, 4 }, { 1, 16, 2 },
		{ 1, 1, 4 } } };

const struct storage_model acc_f32 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 128 }, .outer = { 0, 1 }, .digit_count = 6,
	.digits = { { 1, 32, 4 }, { 0, 4, 8 }, { 1, 1, 2 }, { 0, 32, 4 }, { 1, 2, 16 },
		{ 0, 1, 4 } } };

/* Left operands of f16 for gfx942 and gfx950. */
const struct storage_model blocked_942 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 32 }, .outer = { 0, 1 }, .digit_count = 6,
	.digits = { { 0, 64, 2 }, { 0, 16, 4 }, { 1, 4, 4 }, { 0, 1, 16 }, { 1, 16, 2 },
		{ 1, 1, 4 } } };
const struct storage_model blocked_950 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 32 }, .outer = { 0, 1 }, .digit_count = 5,
	.digits = { { 0, 64, 2 }, { 0, 16, 4 }, { 1, 8, 4 }, { 0, 1, 16 }, { 1, 1, 8 } } };

const struct storage_model nhwc = { .kind = MODEL_PACKED, .rank = 4,
	.outer = { 0, 2, 3, 1 } };
const struct storage_model nchw16c = { .kind = MODEL_PACKED, .rank = 4,
	.tile = { 0, 16 }, .outer = { 0, 1, 2, 3 } };
const struct storage_model pad_both = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 64, 64 }, .outer = { 0, 1 } };
const struct storage_model tile12 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 12, 12 }, .outer = { 0, 1 } };
const struct storage_model tile8 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 8, 8 }, .outer = { 0, 1 } };
