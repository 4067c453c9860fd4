/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lanes that wait for each other.
 *
 * Each wave goes on until its lanes have ended or wait for the workgroup; then the
 * barriers decide.  A lane passes its n-th barrier once every lane has arrived n
 * times, by waiting there or by a signal. */
#include "sim/fiber.h"
#include "sim/group.h"

void sim_operate(struct sim_state *state, unsigned char *block, uint32_t number)
{
	const struct sim_site *site = &state->group->sim->program.sites[number];

	if (site->op == SIM_LANE)
		site->row->lane(state, site, block);
	else if (site->op == SIM_SIGNAL)
		state->arrived++;
	if (site->op >= SIM_BARRIER) {
		state->waits = site;
		state->block = block;
		state->arrived += site->op == SIM_BARRIER;
	} else if (!state->group->faulted) {
		return;
	}
	fiber_yield(state->fiber);
}

static void run_lane(void *user)
{
	struct sim_state *state = user;

	state->group->sim->lane(state);
	state->ended = true;
}

static bool waits_for_group(const struct sim_state *lane)
{
	return lane->waits && (lane->waits->op == SIM_BARRIER ||
		lane->waits->op == SIM_BARRIER_WAIT);
}

/* Let a wave's lanes go on as far as each gets alone. */
static void advance(struct sim_group *group, struct sim_state *lanes, unsigned count)
{
	for (unsigned i = 0; i < count && !group->faulted; i++)
		if (!lanes[i].ended && !lanes[i].waits)
			fiber_resume(lanes[i].fiber);
}

/* The lanes at the operation that comes first in the program. */
static bool find_meeting(struct sim_wave *wave, unsigned count)
{
	wave->site = NULL;
	wave->active = 0;
	for (unsigned i = 0; i < count; i++) {
		const struct sim_site *site = wave->lanes[i].waits;

		if (!site || waits_for_group(&wave->lanes[i]))
			continue;
		if (!wave->site || site < wave->site) {
			wave->site = site;
			wave->active = 0;
		}
		if (site == wave->site)
			wave->active |= (uint64_t)1 << i;
	}
	return wave->site;
}

static void meet(struct sim_wave *wave, unsigned number)
{
	struct sim_watcher *watcher = wave->group->watcher;

	if (wave->site->op == SIM_WAVE_BARRIER && wave->group->sim->program.isa->barriers_wait)
		sim_watch_close(watcher, number);
	if (wave->site->op == SIM_WAVE_BARRIER)
		sim_watch_sync(watcher, number);
	else
		wave->site->row->wave(wave);
	if (wave->site->op == SIM_EXCHANGE)
		sim_watch_exchange(watcher, number);
	for (unsigned i = 0; i < wave->size; i++)
		if (sim_active(wave, i))
			wave->lanes[i].waits = NULL;
}

static void run_wave(struct sim_group *group, unsigned number)
{
	unsigned first = number * group->wave_size;
	unsigned count = group->lane_count - first;
	struct sim_wave wave = { .group = group, .lanes = &group->lanes[first],
		.size = group->wave_size };

	if (count > group->wave_size)
		count = group->wave_size;
	for (;;) {
		advance(group, wave.lanes, count);
		if (group->faulted || !find_meeting(&wave, count))
			return;
		meet(&wave, number);
	}
}

/* The lane that arrived at the fewest barriers. */
static const struct sim_state *find_last(const struct sim_group *group)
{
	const struct sim_state *last = &group->lanes[0];

	for (unsigned i = 1; i < group->lane_count; i++)
		if (group->lanes[i].arrived < last->arrived)
			last = &group->lanes[i];
	return last;
}

/* Lanes of one wave go through one barrier: two are two for the hardware. */
static bool waves_agree(struct sim_group *group)
{
	struct sim_state *first = NULL;

	for (unsigned i = 0; i < group->lane_count; i++) {
		struct sim_state *lane = &group->lanes[i];

		if (i % group->wave_size == 0)
			first = NULL;
		if (!waits_for_group(lane))
			continue;
		if (!first)
			first = lane;
		if (lane->waits == first->waits)
			continue;
		sim_fault(lane, "waits at a barrier, and lane %u of its wave at another",
			first->lane);
		return false;
	}
	return true;
}

/* Let the lanes pass that may; false where some wait and none may. */
static bool open_barrier(struct sim_group *group)
{
	const struct sim_state *last = find_last(group);
	struct sim_state *stuck = NULL;
	bool opened = false;

	for (unsigned i = 0; i < group->lane_count; i++) {
		struct sim_state *lane = &group->lanes[i];

		if (!waits_for_group(lane))
			continue;
		if (last->arrived > lane->passed) {
			lane->passed++;
			lane->waits = NULL;
			opened = true;
		} else if (!stuck) {
			stuck = lane;
		}
	}
	for (unsigned i = 0; opened && group->sim->program.isa->barriers_wait &&
	     i < group->lane_count; i += group->wave_size)
		sim_watch_close(group->watcher, i / group->wave_size);
	if (opened)
		sim_watch_barrier(group->watcher);
	else if (stuck)
		sim_fault(stuck, "waits at a barrier that lane %u never reaches",
			last->lane);
	return opened;
}

/* The LDS of a workgroup that has ended is another's. */
static void check_landed(struct sim_group *group, unsigned waves)
{
	for (unsigned i = 0; i < waves && !group->faulted; i++)
		if (sim_flights_left(group, i))
			sim_fault(&group->lanes[i * group->wave_size],
				"ends while a copy to the LDS is under way");
}

void sim_schedule(struct sim_group *group)
{
	unsigned waves = (group->lane_count + group->wave_size - 1) / group->wave_size;

	for (unsigned i = 0; i < group->lane_count; i++) {
		struct sim_state *lane = &group->lanes[i];

		lane->waits = NULL;
		lane->arrived = lane->passed = 0;
		lane->ended = false;
		lane->fiber = fiber_start(group->fibers, i, run_lane, lane);
	}
	do {
		for (unsigned i = 0; i < waves && !group->faulted; i++)
			run_wave(group, i);
	} while (!group->faulted && waves_agree(group) && open_barrier(group));
	check_landed(group, waves);
}
