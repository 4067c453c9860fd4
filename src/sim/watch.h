/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the simulator sees: every access of every lane, looked at and counted.
 *
 * A "sim_watch" belongs to a launch and is shared by the threads that run its
 * workgroups; it remembers who wrote and read which byte of the writable buffers.
 * A "sim_watcher" belongs to one thread and follows one workgroup at a time: the
 * bytes of its LDS, and a log of its waves' accesses, grouped and counted when the
 * workgroup ends.
 *
 * Order.  What one lane does is ordered.  Lanes of one workgroup are ordered by a
 * barrier, lanes of one wave by a wave's sync as well, and by nothing else: that a
 * wave's lanes go in step or its LDS accesses in turn is not relied on.  Different
 * workgroups are never ordered.  Two accesses of one byte, at least one a store,
 * that are not ordered are a race, whichever runs first.
 *
 * Copies.  A load that goes to the LDS directly takes time: from when it begins until its wave
 * lands it, nothing may touch the bytes it writes.  In kernels that have such, accesses of the
 * LDS are open until their wave has waited for them: a barrier orders what is not open, and a
 * copy comes behind nothing that is, of its own wave either.
 *
 * Execution model of a thread:
 *
 *	sim_watch_begin(w, number)
 *		sim_watch_access(w, &access)	in any interleaving of the lanes
 *		sim_watch_barrier(w)		once, when the last lane arrives
 *		sim_watch_sync(w, wave)		once, when the wave's last lane arrives
 *		sim_watch_exchange(w, wave)	once a lane exchange of a wave
 *		sim_watch_close(w, wave)	when the wave has waited for its accesses
 *	sim_watch_end(w)
 *
 * Lanes are numbered in the workgroup, x fastest; a wave is wave_size of them in
 * order. */
#ifndef LAYOUT_SIM_WATCH_H
#define LAYOUT_SIM_WATCH_H

#include "isl_bridge/context.h"
#include <layout/codegen.h>

/* The buffer number of the LDS. */
#define SIM_WATCH_LDS 0xffffu

/* One access of one lane, checked to lie inside its buffer.  "masked" is one that a
 * bounds-checked buffer drops: its place may be anything, it is only counted.  One that
 * it drops the end of has fewer bytes than its wave's others.  A load that goes to the
 * LDS directly is two accesses at two sites. */
enum sim_flight { SIM_AT_ONCE, SIM_BEGINS, SIM_LANDS };

struct sim_access {
	uint64_t offset;		/* bytes from the buffer's or the LDS's base */
	uint32_t site;			/* below site_count; with how often this lane was
					 * here, what groups lanes to one wave access */
	uint16_t lane;			/* in the workgroup */
	uint16_t bytes;			/* at most SIM_MAX_ACCESS */
	uint16_t buffer;		/* by the launch's buffers, or SIM_WATCH_LDS */
	bool is_store;
	bool masked;
	enum sim_flight flight;		/* of a direct load's store to the LDS */
};

struct sim_watch_buffer {
	uint64_t bytes;
	bool writable;			/* an output: its bytes count as unwritten before, */
	bool given;			/* unless it is an input, too */
	bool repeated;			/* workgroups may store what others have stored */
};

struct sim_watch_setup {
	const layout_target *target;	/* its banks and lane groups; NULL: no LDS counts */
	unsigned wave_size;
	unsigned lanes;			/* of a workgroup */
	uint64_t grid[2];		/* workgroups along x and y, to name one by */
	unsigned lds_bytes;		/* that a workgroup has */
	bool copies;			/* some accesses are copies that take time */
	unsigned site_count;
	unsigned buffer_count;
	const struct sim_watch_buffer *buffers;
};

struct sim_watch;
struct sim_watcher;

/* NULL with LAYOUT_ERROR_MEMORY.  "setup" and what it points to is copied. */
struct sim_watch *sim_watch_new(layout_context *ctx, const struct sim_watch_setup *setup);
void sim_watch_free(struct sim_watch *watch);

/* Of one thread, with the context that it has for itself; "watch" outlives it. */
struct sim_watcher *sim_watcher_new(layout_context *ctx, struct sim_watch *watch);
void sim_watcher_free(struct sim_watcher *w);

/* A workgroup by its linear number in the launch, each run at most once. */
void sim_watch_begin(struct sim_watcher *w, uint64_t workgroup);

/* Look at an access, before or after it is done.  NULL if it may be; otherwise why
 * not, as the end of a sentence such as "load of 4 bytes at byte 8 of the LDS: ...",
 * in memory of "w" until its next access. */
const char *sim_watch_access(struct sim_watcher *w, const struct sim_access *access);

void sim_watch_barrier(struct sim_watcher *w);
void sim_watch_sync(struct sim_watcher *w, unsigned wave);
void sim_watch_exchange(struct sim_watcher *w, unsigned wave);
void sim_watch_close(struct sim_watcher *w, unsigned wave);

/* The workgroup is done, or given up.  False where memory or numbers ran out since
 * it began: an error on "ctx". */
bool sim_watch_end(struct sim_watcher *w, layout_context *ctx);

/* Add what this thread has counted: all but "workgroups" and "lanes", which the
 * runner knows.  "lds_bytes" is set. */
void sim_watch_add(const struct sim_watcher *w, layout_sim_stats *stats);

#endif
