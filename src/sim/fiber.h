/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that can stop midway and go on later: stacks that one thread switches
 * between. */
#ifndef LAYOUT_SIM_FIBER_H
#define LAYOUT_SIM_FIBER_H

#include "isl_bridge/context.h"

struct fiber;
struct fibers;

/* "count" stacks, each with a page before it that faults. */
struct fibers *fibers_new(layout_context *ctx, unsigned count);
void fibers_free(struct fibers *fibers);

/* Stack "i" for a call of function(user), which begins when it is resumed.  A fiber
 * that has returned can be started again. */
struct fiber *fiber_start(struct fibers *fibers, unsigned i, void (*function)(void *),
	void *user);

/* Run a fiber until it yields or has returned. */
void fiber_resume(struct fiber *fiber);

/* Called on the fiber: back to who resumed it. */
void fiber_yield(struct fiber *fiber);

#endif
