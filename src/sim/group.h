/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A workgroup under way: its lanes and what they share.  One thread has one and runs
 * workgroup after workgroup in it. */
#ifndef LAYOUT_SIM_GROUP_H
#define LAYOUT_SIM_GROUP_H

#include "sim/program.h"
#include "sim/watch.h"

#include <string.h>

#define SIM_MAX_WAVE 64

struct fibers;

/* What a site's operation keeps from one execution to the next. */
struct sim_kept {
	void *memory;
	void (*free)(void *memory);
};

struct sim_group {
	layout_context *ctx;		/* of this thread */
	const struct sim *sim;
	const struct sim_launch *launch;
	struct sim_watcher *watcher;
	uint64_t *slots;
	unsigned wave_size, lane_count;
	unsigned char *lds, *lds_block;
	struct sim_state *lanes;	/* all of them, or one for all */
	struct fibers *fibers;
	uint32_t place[3];		/* in the grid */
	bool faulted;
	uint64_t workgroups, lanes_run;

	struct sim_kept *kept;		/* by site */
	struct sim_flights *flights;	/* by wave */
};

bool sim_group_init(struct sim_group *group, layout_context *ctx, const struct sim *sim,
	const struct sim_launch *launch);
void sim_group_free(struct sim_group *group);

/* Run a workgroup by its number in the launch; false after a fault or without
 * memory, with an error on the group's context. */
bool sim_group_run(struct sim_group *group, uint64_t number);

/* All lanes at once, until they have ended or one has faulted. */
void sim_schedule(struct sim_group *group);

/* Operand "i" of an operation, and the place of its result. */
static inline void *sim_operand(const struct sim_site *site, unsigned char *block,
	unsigned i)
{
	return block + site->offset[i];
}

static inline uint32_t sim_u32(const struct sim_site *site, unsigned char *block,
	unsigned i)
{
	uint32_t value = 0;
	unsigned size = site->size[i] < 4 ? site->size[i] : 4;

	memcpy(&value, sim_operand(site, block, i), size);
	return value;
}

static inline uint64_t sim_u64(const struct sim_site *site, unsigned char *block,
	unsigned i)
{
	uint64_t value = 0;
	unsigned size = site->size[i] < 8 ? site->size[i] : 8;

	memcpy(&value, sim_operand(site, block, i), size);
	return value;
}

static inline void sim_result(const struct sim_site *site, unsigned char *block,
	const void *value)
{
	memcpy(block + site->result_offset, value, site->result_size);
}

/* The lanes that are at an operation of a wave together. */
struct sim_wave {
	struct sim_group *group;
	const struct sim_site *site;
	struct sim_state *lanes;	/* the wave's first */
	unsigned size;			/* of a whole wave */
	uint64_t active;		/* a bit a lane */
};

static inline bool sim_active(const struct sim_wave *wave, unsigned lane)
{
	return lane < wave->size && wave->active >> lane & 1;
}

/* What a site keeps. */
static inline struct sim_kept *sim_keep(const struct sim_group *group,
	const struct sim_site *site)
{
	return &group->kept[site - group->sim->program.sites];
}

/* Check and watch an access of "bytes" bytes, "offset" bytes into a buffer of the
 * launch or SIM_WATCH_LDS.  The host's address; NULL after a fault. */
void *sim_touch(struct sim_state *state, const struct sim_site *site, unsigned buffer,
	int64_t offset, unsigned bytes);

/* Copies to the LDS that are under way.  A wave begins one, in which lanes have their pieces; and
 * lands all but the last so many, oldest first. */
void sim_flight_begin(struct sim_wave *wave);
void sim_flight_add(struct sim_state *state, const struct sim_site *store, uint64_t at,
	const void *bytes);
void sim_flight_land(struct sim_wave *wave, unsigned left);

/* What has begun since the last time is a group: how many copies. */
unsigned sim_flight_group(struct sim_wave *wave);
void sim_flight_close(struct sim_wave *wave);

/* Is a copy of a wave under way?  All of a group's; and free them. */
bool sim_flights_init(struct sim_group *group);
bool sim_flights_left(const struct sim_group *group, unsigned wave);
void sim_flights_clear(struct sim_group *group);
void sim_flights_free(struct sim_group *group);

/* All is done that the wave has begun: the operation of a fence. */
extern const struct sim_intrinsic sim_fence;

/* Check and watch a part of a copy. */
void *sim_touch_flight(struct sim_state *state, const struct sim_site *site, uint64_t at,
	enum sim_flight flight);

/* What a site loads from an address of the buffers; NULL after a fault. */
const void *sim_fetch(struct sim_state *state, const struct sim_site *site, uint64_t address);

/* Where a kernel finds a buffer: aligned as it may assume, and no more. */
uint64_t sim_base(const struct sim_launch *launch, unsigned buffer);

/* The buffer of the launch that an address means: that of the parameter "slot" it was computed
 * from; where several may be (-1), the one that it lies in or next to. */
unsigned sim_find_buffer(const struct sim_launch *launch, int slot, uint64_t address);

/* LAYOUT_ERROR_FAULT, "kernel 'k', workgroup (x, y, z), lane n: ..."; the first of
 * the group stays. */
void sim_fault(struct sim_state *state, const char *format, ...) LAYOUT_PRINTF(2, 3);

/* Are all lanes of the wave there, for "what" takes the registers of all?  Else a fault. */
bool sim_check_lanes(struct sim_wave *wave, const char *what);

#endif
