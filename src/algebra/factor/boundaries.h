/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the digits of a dimension begin. */
#ifndef LAYOUT_ALGEBRA_FACTOR_BOUNDARIES_H
#define LAYOUT_ALGEBRA_FACTOR_BOUNDARIES_H

#include <stdbool.h>
#include <stdint.h>

/* Room for the slots of both sides, each with its begin and its end. */
enum { BOUNDARIES = 256 };

/* In ascending order, each once. */
struct boundaries {
	unsigned count;
	int64_t at[BOUNDARIES];
};

/* False where it was there, or there is no room. */
bool boundaries_add(struct boundaries *boundaries, int64_t at);

#endif
