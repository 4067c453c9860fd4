/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The work of a kernel in parts. */
#include "host/code/host.h"
#include "lower/shared.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST_THREADS = 256, MOST_PARTS = 1 << 20 };

/* A part whose end is reported takes some milliseconds. */
#define PART_BYTES (8u << 20)

struct parts {
	const struct host_program *program;
	const struct kernel_buffer *buffers;
	const int64_t *sizes;
	int64_t turns;
	unsigned count;
	const struct host_threads *threads;
	pthread_t caller;
	atomic_uint done;
	atomic_bool failed;
};

/* The caller's thread speaks for all. */
static void report(struct parts *parts)
{
	unsigned done = atomic_fetch_add(&parts->done, 1) + 1;

	if (parts->threads->progress && done < parts->count &&
	    pthread_equal(pthread_self(), parts->caller))
		parts->threads->progress(parts->threads->progress_user,
			(double)done / parts->count);
}

/* Turns follow each other in the destination: threads share a page at most where one's end
 * meets the next one's beginning. */
static void run_part(void *arg, unsigned i)
{
	struct parts *parts = arg;
	int64_t whole = parts->turns / parts->count, rest = parts->turns % parts->count;
	int64_t first = whole * i + (i < rest ? i : rest);

	if (!parts->program->part(parts->buffers, parts->sizes, first,
	    first + whole + (i < rest)))
		atomic_store(&parts->failed, true);
	report(parts);
}

/* At least one a thread; more where they are reported. */
static unsigned count_parts(const struct host_threads *threads)
{
	uint64_t parts = threads->progress ? threads->bytes / PART_BYTES : 0;

	return parts > MOST_PARTS ? MOST_PARTS : parts > threads->count ? (unsigned)parts :
		threads->count;
}

static void run_alone(struct parts *parts)
{
	for (unsigned i = 0; i < parts->count; i++)
		run_part(parts, i);
}

bool host_execute(const struct host_program *program, const layout_kernel *kernel,
	const struct kernel_buffer *buffers, const int64_t *sizes,
	const struct host_threads *threads)
{
	struct parts parts = { program, buffers, sizes, 0, count_parts(threads), threads,
		pthread_self(), 0, false };

	if (parts.count < 2 || !program->part ||
	    !shared_turns(kernel, sizes, &parts.turns) || parts.turns < 2)
		return program->run(buffers, sizes);
	if (parts.turns < parts.count)
		parts.count = (unsigned)parts.turns;
	if (threads->count < 2)
		run_alone(&parts);
	else if (threads->parallel)
		threads->parallel(threads->user, parts.count, run_part, &parts);
	else
		pool_run(threads->pool, parts.count, run_part, &parts);
	return !atomic_load(&parts.failed);
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
