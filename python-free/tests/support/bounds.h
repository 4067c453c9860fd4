/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TESTS_SUPPORT_BOUNDS_H
#define TESTS_SUPPORT_BOUNDS_H

/* The expression, what it is in each notation, and whether it is a function and injective,
 * under quotas 1, 3, 10, .. and hardly any time: as without them, or the error of the quota
 * or of the time. */
void bounds_sweep(const char *text);

#endif
