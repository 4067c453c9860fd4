/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The relayouts that have hand-written kernels to compare with, and a few more. */
#ifndef TESTS_SUPPORT_RELAYOUT_CASES_H
#define TESTS_SUPPORT_RELAYOUT_CASES_H

#include "support/relayout.h"

#define RELAYOUT_CASES 13

enum { RELAYOUT_INVERSE = 1, RELAYOUT_THROUGH_LDS = 2 };

struct relayout relayout_case(unsigned i, unsigned flags, const char *target);

/* Sizes at, below and above tiles, of one element and of none, and large odd ones; and
 * sizes of whole tiles. */
const int64_t (*relayout_case_shapes(unsigned i, unsigned *count))[MODEL_RANK];
const int64_t *relayout_case_full(unsigned i);

#endif
