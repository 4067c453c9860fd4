/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of watching: order, log, counting, each a file. */
#ifndef LAYOUT_SIM_WATCH_PARTS_H
#define LAYOUT_SIM_WATCH_PARTS_H

#include "sim/watch.h"

#include <layout/lds.h>
#include <stdatomic.h>

#define WATCH_LANES 64			/* of the largest wave */

/* What a wave does between two points that order its lanes.  Two intervals of one
 * workgroup are ordered where a barrier lies between, or a sync of their wave. */
struct watch_interval {
	uint64_t workgroup;
	uint32_t epoch;			/* barriers before it */
	uint32_t sync;			/* the wave's syncs before it */
	uint32_t wave;
};

/* A mark on a byte says who touched it last: an interval's number and a lane of its
 * wave, or one of two stand-ins for several who are not ordered among themselves, of
 * that wave or of the workgroup.  0 is nobody: interval 0 is never given away. */
#define MARK_BITS 7
#define MARK_SEVERAL_LANES 126u
#define MARK_SEVERAL_WAVES 127u

/* Intervals are numbered in blocks, each filled by one thread. */
#define INTERVAL_BLOCK 4096u
#define INTERVAL_BLOCKS (1u << (32 - MARK_BITS - 12))

/* The marks on the bytes of one memory, mapped as they are touched. */
struct watch_shadow {
	bool given;		/* bytes that nobody wrote can be read */
	bool repeated;		/* workgroups may store again what others have */
	uint64_t bytes;
	uint32_t *writers, *readers;
	atomic_bool was_read;		/* or there is no reader's mark */
};

/* Marks are looked at and changed under the lock of their part of the buffer. */
#define LOCK_COUNT 1024u
#define LOCK_SPAN 4096u

struct watch_lock {
	_Alignas(64) atomic_flag held;
};

struct sim_watch {
	struct sim_watch_setup setup;
	const layout_lds *lds;		/* NULL: no target */
	struct watch_shadow *shadows;	/* by buffer; none of those only read */
	atomic_uint block_count;
	_Atomic(struct watch_interval *) blocks[INTERVAL_BLOCKS];
	struct watch_lock locks[LOCK_COUNT];
};

/* An access in a wave's log. */
struct watch_record {
	uint64_t place;			/* buffer << 48 | offset */
	uint32_t site;
	uint16_t bytes;
	uint8_t lane;			/* in the wave */
	bool is_store : 1, masked : 1;
};

#define PLACE_BITS 48

struct watch_wave {
	unsigned lanes;
	uint32_t interval, sync;
	uint32_t open;			/* the interval since which accesses are; 0: none is */
	struct watch_record *log;
	size_t count, capacity;
};

/* A set of segments that is emptied at no cost. */
struct segment_set {
	uint64_t *keys;
	uint32_t *stamps;
	uint32_t stamp;
	size_t count, capacity;		/* a power of two */
};

/* Sets for both sizes of segment. */
struct segments {
	struct segment_set of_64, of_128;
};

/* Where a log is put in order. */
struct watch_sorter {
	uint32_t *executions;		/* by lane and site: so far */
	uint32_t *depths;		/* by site: the most executions of a lane */
	uint32_t *firsts;		/* by site: its first group */
	size_t capacity;
	uint32_t *groups;		/* by record */
	uint32_t *order;		/* records, group after group */
	uint32_t *ends;			/* by group */
};

enum watch_failure { WATCH_FINE, WATCH_NO_MEMORY, WATCH_NO_INTERVALS };

struct sim_watcher {
	layout_context *ctx;
	struct sim_watch *watch;
	unsigned wave_shift, wave_count;
	struct watch_wave *waves;

	uint64_t workgroup;
	uint32_t epoch;
	uint32_t next_interval, block_end;
	uint32_t first_mark;		/* of the workgroup */
	struct watch_shadow lds;
	uint8_t *flights;		/* by byte of the LDS: is a copy to it under way, or was */
					/* it the last that wrote it; NULL: no kernel with such */

	struct watch_sorter sorter;
	struct segments access_segments, wave_segments[2];
	layout_sim_stats stats;
	enum watch_failure failure;
	char reason[160];
};

enum { FLIGHT_NONE, FLIGHT_BEGUN, FLIGHT_LANDED };

/* The marks on "bytes" bytes, none yet.  False without memory. */
bool watch_shadow_init(struct watch_shadow *shadow, uint64_t bytes);
void watch_shadow_clear(struct watch_shadow *shadow);

/* Give a wave a new interval, in the present epoch and after its syncs. */
void watch_next_interval(struct sim_watcher *w, unsigned wave);

/* Look at an access in bounds and mark its bytes; NULL or what is wrong. */
const char *watch_order(struct sim_watcher *w, const struct sim_access *access);

/* Add an access to its wave's log. */
void watch_log(struct sim_watcher *w, const struct sim_access *access);

/* Count a wave's log, and empty it. */
void watch_count_wave(struct sim_watcher *w, struct watch_wave *wave);

bool watch_sorter_init(struct sim_watcher *w);
void watch_sorter_clear(struct watch_sorter *sorter);

/* Group a wave's log into wave accesses; their number, 0 without memory. */
size_t watch_sort(struct sim_watcher *w, const struct watch_wave *wave);

bool watch_segments_init(struct segments *segments);
void watch_segments_clear(struct segments *segments);
void watch_segments_empty(struct segments *segments);

/* Add a segment; sets "*added" if it is new.  False without memory. */
bool watch_segment_add(struct segment_set *set, uint64_t key, bool *added);

#endif
