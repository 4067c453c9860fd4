/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/watch.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *allocate_function(size_t size);
typedef void *reallocate_function(void *block, size_t old_size, size_t size);
typedef void free_function(void *block, size_t size);

/* Of GMP, where isl has it: no header of GMP's is needed to build. */
#pragma weak __gmp_get_memory_functions
#pragma weak __gmp_set_memory_functions
#pragma weak __gmp_default_allocate
void __gmp_get_memory_functions(allocate_function **allocate,
	reallocate_function **reallocate, free_function **release);
void __gmp_set_memory_functions(allocate_function *allocate,
	reallocate_function *reallocate, free_function *release);
void *__gmp_default_allocate(size_t size);

/* What the process had set before. */
static allocate_function *their_allocate;
static reallocate_function *their_reallocate;
static free_function *their_free;

/* For numbers while there is no memory: blocks one after the other, from the start again
 * once none is left. */
#define RESERVE ((size_t)1 << 18)
static _Alignas(max_align_t) unsigned char reserve[RESERVE];
static atomic_size_t reserve_used, reserve_blocks;

/* The call of this thread, and how often GMP has asked. */
static _Thread_local struct watch *current;
static _Thread_local unsigned asked;

/* Looking at the clock takes a fraction of a microsecond. */
#define LOOK_EVERY 1024u

/* Of this thread: an answer does not depend on what else the machine does. */
static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop(struct watch *watch, enum stop why)
{
	if (watch->stopped == STOP_NOT) {
		watch->stopped = why;
		watch->took = watch->granted;
	}
	if (!watch->paused)
		isl_ctx_abort(watch->isl);
}

void watch_lack(void)
{
	if (!current)
		return;
	stop(current, STOP_MEMORY);
	isl_ctx_set_error(current->isl, isl_error_abort);
}

static void look(void)
{
	struct watch *watch = current;

	if (++asked % LOOK_EVERY || !watch || watch->paused || watch->stopped)
		return;
	if (seconds_now() > watch->until)
		stop(watch, STOP_TIME);
}

/* Without a call to abort, and without a reserve, the process ends as GMP ends it. */
static void *take_reserve(size_t size)
{
	size_t whole = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	size_t at;

	if (current && whole >= size && whole <= RESERVE) {
		stop(current, STOP_MEMORY);
		atomic_fetch_add(&reserve_blocks, 1);
		at = atomic_fetch_add(&reserve_used, whole);
		if (at <= RESERVE - whole)
			return reserve + at;
	}
	fprintf(stderr, "GNU MP: Cannot allocate memory (size=%zu)\n", size);
	abort();
}

static bool is_reserve(const void *block)
{
	return (uintptr_t)block - (uintptr_t)reserve < RESERVE;
}

static void *allocate(size_t size)
{
	void *block;

	look();
	if (their_allocate)
		return their_allocate(size);
	block = malloc(size);
	return block ? block : take_reserve(size);
}

static void release(void *block, size_t size)
{
	if (is_reserve(block)) {
		if (atomic_fetch_sub(&reserve_blocks, 1) == 1)
			atomic_store(&reserve_used, 0);
	} else if (their_free) {
		their_free(block, size);
	} else {
		free(block);
	}
}

static void *reallocate(void *block, size_t old_size, size_t size)
{
	void *grown;

	look();
	if (their_reallocate && !is_reserve(block))
		return their_reallocate(block, old_size, size);
	grown = is_reserve(block) ? malloc(size) : realloc(block, size);
	if (grown && !is_reserve(block))
		return grown;
	grown = grown ? grown : take_reserve(size);
	memcpy(grown, block, old_size < size ? old_size : size);
	release(block, old_size);
	return grown;
}

static void install(void)
{
	allocate_function *allocates;
	reallocate_function *reallocates;
	free_function *frees;

	if (!__gmp_get_memory_functions)
		return;
	__gmp_get_memory_functions(&allocates, &reallocates, &frees);
	if (allocates != __gmp_default_allocate) {
		their_allocate = allocates;
		their_reallocate = reallocates;
		their_free = frees;
	}
	__gmp_set_memory_functions(allocate, reallocate, release);
}

void watch_install(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
}

static void grant_whole(struct watch *watch)
{
	watch->granted = watch->seconds;
	watch->until = watch->end;
}

void watch_begin_call(struct watch *watch)
{
	if (watch->depth++)
		return;
	isl_ctx_resume(watch->isl);
	watch->stopped = STOP_NOT;
	watch->end = watch->seconds > 0 ? seconds_now() + watch->seconds : HUGE_VAL;
	grant_whole(watch);
	watch->outer = current;
	current = watch;
}

void watch_end_call(struct watch *watch)
{
	if (--watch->depth)
		return;
	isl_ctx_resume(watch->isl);
	current = watch->outer;
}

void watch_grant(struct watch *watch, double seconds)
{
	double until = seconds_now() + seconds;

	if (until > watch->end)
		return;
	watch->granted = seconds;
	watch->until = until;
}

void watch_pause(struct watch *watch)
{
	watch->paused = true;
	isl_ctx_resume(watch->isl);
}

void watch_resume(struct watch *watch)
{
	watch->paused = false;
	grant_whole(watch);
	if (watch->stopped)
		isl_ctx_abort(watch->isl);
}

unsigned watch_leave_call(struct watch *watch)
{
	unsigned depth = watch->depth;

	watch->depth = 0;
	current = watch->outer;
	return depth;
}

void watch_return_to_call(struct watch *watch, unsigned depth)
{
	watch_begin_call(watch);
	watch->depth = depth;
}
