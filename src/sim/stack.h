/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stacks for fibers.  Mapping one and touching it first takes longer than many a lane runs:
 * those that are given back are kept for who asks next. */
#ifndef LAYOUT_SIM_STACK_H
#define LAYOUT_SIM_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* What a lane has, and as a number for LLVM what of that its own function may take. */
#define STACK_BYTES ((size_t)512 << 10)
#define STACK_MOST_LANE "458752"

/* Memory of STACK_BYTES, with a page before it that faults; NULL without memory. */
unsigned char *stack_take(void);
void stack_give(unsigned char *stack);

#endif
