/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The work of a kernel in parts. */
#include "host/code/host.h"
#include "lower/block.h"

#include <sched.h>
#include <stdlib.h>

enum { MOST_THREADS = 256 };

struct parts {
	const struct host_program *program;
	const struct kernel_buffer *buffers;
	const int64_t *sizes;
	int64_t turns;
	unsigned count;
};

/* Turns follow each other in the destination: threads share a page at most where one's end
 * meets the next one's beginning. */
static void run_part(void *arg, unsigned i)
{
	const struct parts *parts = arg;
	int64_t whole = parts->turns / parts->count, rest = parts->turns % parts->count;
	int64_t first = whole * i + (i < rest ? i : rest);

	parts->program->part(parts->buffers, parts->sizes, first,
		first + whole + (i < rest));
}

void host_execute(const struct host_program *program, const layout_kernel *kernel,
	const struct kernel_buffer *buffers, const int64_t *sizes,
	const struct host_threads *threads)
{
	struct parts parts = { program, buffers, sizes, 0, threads->count };

	if (parts.count < 2 || !program->part ||
	    !block_turns(kernel, sizes, &parts.turns) || parts.turns < 2) {
		program->run(buffers, sizes);
		return;
	}
	if (parts.turns < parts.count)
		parts.count = (unsigned)parts.turns;
	if (threads->parallel)
		threads->parallel(threads->user, parts.count, run_part, &parts);
	else
		pool_run(threads->pool, parts.count, run_part, &parts);
}

static unsigned processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return count > MOST_THREADS ? MOST_THREADS : (unsigned)count;
}

unsigned host_threads_for(layout_context *ctx, uint64_t bytes)
{
	const char *text = getenv("LAYOUT_THREADS");
	char *end;
	long count;

	if (!text || !*text)
		return bytes < HOST_LARGE_BYTES ? 1 : processors();
	count = strtol(text, &end, 10);
	if (!*end && count >= 1 && count <= MOST_THREADS)
		return (unsigned)count;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"LAYOUT_THREADS is '%s': it must be a number from 1 to %d", text,
		MOST_THREADS);
	return 0;
}
