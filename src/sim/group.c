/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One workgroup: its memory, and its lanes one after the other. */
#include "sim/fiber.h"
#include "sim/group.h"

#include <stdlib.h>

#define POISON 0xcb
#define LDS_ALIGN 65536

static bool fill_slots(struct sim_group *group)
{
	const struct sim_launch *launch = group->launch;
	uint64_t *slot;

	group->slots = layout_alloc(group->ctx, launch->buffer_count + launch->arg_count,
		sizeof(*group->slots));
	if (!group->slots)
		return false;
	slot = group->slots;
	for (unsigned i = 0; i < launch->buffer_count; i++)
		*slot++ = sim_base(launch, i);
	for (unsigned i = 0; i < launch->arg_count; i++)
		*slot++ = (uint64_t)launch->args[i];
	return true;
}

/* Aligned as on the GPU, where it starts at address 0. */
static bool make_lds(struct sim_group *group)
{
	uintptr_t at;

	group->lds_block = layout_alloc(group->ctx,
		group->sim->program.lds_bytes + LDS_ALIGN, 1);
	if (!group->lds_block)
		return false;
	at = (uintptr_t)group->lds_block;
	group->lds = group->lds_block + (LDS_ALIGN - at % LDS_ALIGN) % LDS_ALIGN;
	return true;
}

static bool make_lanes(struct sim_group *group)
{
	unsigned count = group->sim->program.waits ? group->lane_count : 1;

	group->lanes = layout_alloc(group->ctx, count, sizeof(*group->lanes));
	if (!group->lanes)
		return false;
	for (unsigned i = 0; i < count; i++) {
		group->lanes[i].group = group;
		group->lanes[i].slots = group->slots;
		group->lanes[i].lds = group->lds;
	}
	group->fibers = fibers_new(group->ctx, count);
	return group->fibers;
}

bool sim_group_init(struct sim_group *group, layout_context *ctx, const struct sim *sim,
	const struct sim_launch *launch)
{
	const unsigned *size = launch->workgroup_size;

	*group = (struct sim_group){ .ctx = ctx, .sim = sim, .launch = launch };
	group->lane_count = size[0] * size[1] * size[2];
	group->wave_size = launch->target ? launch->target->wave_size : SIM_MAX_WAVE;
	group->kept = layout_alloc(ctx, sim->program.site_count, sizeof(*group->kept));
	return group->kept && fill_slots(group) && make_lds(group) &&
		sim_flights_init(group) && make_lanes(group);
}

void sim_group_free(struct sim_group *group)
{
	for (unsigned i = 0; group->kept && i < group->sim->program.site_count; i++)
		if (group->kept[i].free)
			group->kept[i].free(group->kept[i].memory);
	free(group->kept);
	sim_flights_free(group);
	fibers_free(group->fibers);
	free(group->lanes);
	free(group->lds_block);
	free(group->slots);
}

static void place_lane(struct sim_state *state, unsigned lane)
{
	const struct sim_group *group = state->group;
	const unsigned *size = group->launch->workgroup_size;
	uint32_t *item = &state->ids[SIM_WORKITEM_ID_X];

	state->lane = lane;
	item[0] = lane % size[0];
	item[1] = lane / size[0] % size[1];
	item[2] = lane / size[0] / size[1];
	memcpy(&state->ids[SIM_WORKGROUP_ID_X], group->place, sizeof(group->place));
}

/* On a fiber, too: a lane that faults is left where it is. */
static void run_in_turn(void *user)
{
	struct sim_group *group = user;

	for (unsigned i = 0; i < group->lane_count; i++) {
		place_lane(group->lanes, i);
		group->lanes_run++;
		group->sim->lane(group->lanes);
	}
}

static void run_at_once(struct sim_group *group)
{
	for (unsigned i = 0; i < group->lane_count; i++)
		place_lane(&group->lanes[i], i);
	group->lanes_run += group->lane_count;
	sim_schedule(group);
}

bool sim_group_run(struct sim_group *group, uint64_t number)
{
	const uint64_t x = (uint64_t)group->launch->grid[0];
	const uint64_t y = (uint64_t)group->launch->grid[1];

	group->place[0] = (uint32_t)(number % x);
	group->place[1] = (uint32_t)(number / x % y);
	group->place[2] = (uint32_t)(number / x / y);
	memset(group->lds, POISON, group->sim->program.lds_bytes);
	sim_watch_begin(group->watcher, number);
	sim_flights_clear(group);
	group->workgroups++;
	if (group->sim->program.waits) {
		run_at_once(group);
	} else {
		group->lanes->fiber = fiber_start(group->fibers, 0, run_in_turn, group);
		fiber_resume(group->lanes->fiber);
	}
	return sim_watch_end(group->watcher, group->ctx) && !group->faulted;
}
