/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random numbers that a failing test can be given again. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* LAYOUT_TEST_SEED of the environment, else the time; printed as "seed N". */
uint64_t random_seed(void);

/* A number below "bound" (> 0). */
unsigned random_below(uint64_t *state, unsigned bound);
int64_t random_wide(uint64_t *state, int64_t bound);

/* Bytes of all values, the same for the same "count". */
void random_fill(unsigned char *bytes, size_t count);

#endif
