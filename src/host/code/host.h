/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_HOST_CODE_H
#define LAYOUT_HOST_CODE_H

#include "host/code/image.h"
#include "lower/kernel.h"
#include "lower/pool.h"

#include <layout/run.h>

/* A kernel's code: all of it, and part of its work where threads share that.  It was compiled, or
 * kept by a process that compiled it.  False where a program had no memory for its tiles. */
typedef bool host_entry(const struct kernel_buffer *buffers, const int64_t *sizes);
typedef bool host_part(const struct kernel_buffer *buffers, const int64_t *sizes,
	int64_t first, int64_t end);
struct host_program {
	struct jit *jit;		/* NULL: the code was kept */
	struct code code;
	host_entry *run;
	host_part *part;
};

/* Who does the work: at most so many threads, those of a pool or of a caller; and who wants to
 * know how far it is, for which it is done in parts of a few MiB. */
struct host_threads {
	unsigned count;
	struct pool *pool;		/* NULL: the caller's */
	layout_parallel parallel;
	void *user;
	void (*progress)(void *user, double done);	/* NULL: nobody */
	void *progress_user;
	uint64_t bytes;			/* of the run, where somebody does */
};

/* The kernel's program, compiled if this is its first use; it lives as long.  NULL with an
 * error. */
const struct host_program *host_program_of(layout_context *ctx, const layout_kernel *kernel);

/* Run it on buffers that were checked; allocates nothing, but for the tiles of a program: false
 * where there is no memory for these. */
bool host_execute(const struct host_program *program, const layout_kernel *kernel,
	const struct kernel_buffer *buffers, const int64_t *sizes,
	const struct host_threads *threads);

/* A run of less is done before another thread has begun. */
#define HOST_LARGE_BYTES (4u << 20)

/* How many threads a run of so many bytes has where nobody says.  0 with
 * LAYOUT_ERROR_INVALID where LAYOUT_THREADS is no number of them. */
unsigned host_threads_for(layout_context *ctx, uint64_t bytes);

/* Run a kernel for the host by JIT; a hook of the target. */
bool host_run(layout_context *ctx, const layout_kernel *kernel,
	const struct kernel_run *run);

extern const struct target_hooks host_target;

#endif
