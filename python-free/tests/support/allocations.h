/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Allocations that fail on purpose: malloc and its like of the whole process are those
 * of allocations.c wherever it is linked in. */
#ifndef TESTS_SUPPORT_ALLOCATIONS_H
#define TESTS_SUPPORT_ALLOCATIONS_H

#include <stdbool.h>

/* Whose: those that isl's own code asks for, or all others, GMP's among them. */
enum allocations { ALLOCATIONS_OURS, ALLOCATIONS_ISL };

/* From now on the "nth" of these fails, 1 being the next and 0 none, and those behind it
 * too where "all".  False where they cannot be made to: the sanitizers have a malloc of their own. */
bool allocations_fail(enum allocations whose, unsigned long nth, bool all);

/* None fails any more, nor is counted. */
void allocations_pause(void);

/* No more; how many there were. */
unsigned long allocations_restore(void);

#endif
