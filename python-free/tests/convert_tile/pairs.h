/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TESTS_CONVERT_TILE_PAIRS_H
#define TESTS_CONVERT_TILE_PAIRS_H

void test_pairs(void **state);

#endif
