/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The storages of the relayouts that have hand-written kernels, and a few more. */
#ifndef TESTS_SUPPORT_STORAGES_H
#define TESTS_SUPPORT_STORAGES_H

#include "support/storage_model.h"

extern const struct storage_model row2, row4, column2, xor_rows, nhwc, nchw16c;

/* Operands as the matrix instructions of gfx942 want them; "blocked" ones are of f16, and
 * one of them is for gfx950. */
extern const struct storage_model lhs_f32, lhs_f16, acc_f32, blocked_942, blocked_950;

/* Square tiles of 64, 12 and 8, as they come. */
extern const struct storage_model pad_both, tile12, tile8;

#endif
