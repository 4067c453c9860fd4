/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

#include <math.h>
#include <stdbool.h>

/* The same number, both none, or finite ones that differ by at most so much. */
static inline bool is_within(double a, double b, double most)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= most);
}

#endif
