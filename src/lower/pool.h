/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A few threads that wait for work. */
#ifndef LAYOUT_LOWER_POOL_H
#define LAYOUT_LOWER_POOL_H

#include "isl_bridge/context.h"

struct pool;

/* The context's pool, which has "threads" of them besides the caller's, or as many as were
 * asked for first, and starts them when they are needed.  Drop it; it outlives the
 * context. */
struct pool *pool_of(layout_context *ctx, unsigned threads);
void pool_drop(struct pool *pool);

/* work(arg, i) for all i < count, on all threads; on the caller's alone while another
 * caller has the pool, and in a process forked from that of the threads. */
void pool_run(struct pool *pool, unsigned count, void (*work)(void *arg, unsigned i),
	void *arg);

#endif
