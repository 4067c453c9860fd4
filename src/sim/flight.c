/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies to the LDS between their beginning and their landing. */
#include "sim/group.h"

#include <stdlib.h>

enum { MOST_PIECE = 16 };

/* What a lane copies, under the number of its copy among the wave's. */
struct piece {
	struct sim_state *state;
	const struct sim_site *store;
	uint64_t at;
	unsigned copy;
	unsigned char bytes[MOST_PIECE];
};

/* Of one wave, oldest first, from "first" on: those landed are left behind. */
struct sim_flights {
	unsigned begun, landed, grouped;
	size_t first, count, capacity;
	struct piece *pieces;
};

static unsigned wave_count(const struct sim_group *group)
{
	return (group->lane_count + group->wave_size - 1) / group->wave_size;
}

bool sim_flights_init(struct sim_group *group)
{
	group->flights = layout_alloc(group->ctx, wave_count(group), sizeof(*group->flights));
	return group->flights;
}

bool sim_flights_left(const struct sim_group *group, unsigned wave)
{
	return group->flights[wave].begun != group->flights[wave].landed;
}

void sim_flights_clear(struct sim_group *group)
{
	for (unsigned i = 0; i < wave_count(group); i++) {
		struct sim_flights *f = &group->flights[i];

		f->begun = f->landed = f->grouped = 0;
		f->first = f->count = 0;
	}
}

void sim_flights_free(struct sim_group *group)
{
	for (unsigned i = 0; group->flights && i < wave_count(group); i++)
		free(group->flights[i].pieces);
	free(group->flights);
}

static struct sim_flights *flights_of(const struct sim_wave *wave)
{
	return &wave->group->flights[wave->lanes->lane / wave->size];
}

void sim_flight_begin(struct sim_wave *wave)
{
	flights_of(wave)->begun++;
}

static bool reserve(struct sim_state *state, struct sim_flights *f)
{
	struct piece *pieces = f->pieces;
	size_t capacity = f->capacity ? 2 * f->capacity : SIM_MAX_WAVE;

	if (f->count < f->capacity)
		return true;
	pieces = realloc(pieces, capacity * sizeof(*pieces));
	if (!pieces) {
		sim_fault(state, "no memory for the copies under way");
		return false;
	}
	f->pieces = pieces;
	f->capacity = capacity;
	return true;
}

void sim_flight_add(struct sim_state *state, const struct sim_site *store, uint64_t at,
	const void *bytes)
{
	struct sim_group *group = state->group;
	struct sim_flights *f = &group->flights[state->lane / group->wave_size];
	struct piece *piece;

	if (!sim_touch_flight(state, store, at, SIM_BEGINS) || !reserve(state, f))
		return;
	piece = &f->pieces[f->count++];
	*piece = (struct piece){ state, store, at, f->begun, { 0 } };
	memcpy(piece->bytes, bytes, store->bytes);
}

void sim_flight_land(struct sim_wave *wave, unsigned left)
{
	struct sim_flights *f = flights_of(wave);

	if (f->begun - f->landed > left)
		f->landed = f->begun - left;
	for (; f->first < f->count && f->pieces[f->first].copy <= f->landed; f->first++) {
		const struct piece *piece = &f->pieces[f->first];
		void *to = sim_touch_flight(piece->state, piece->store, piece->at, SIM_LANDS);

		if (to)
			memcpy(to, piece->bytes, piece->store->bytes);
	}
	if (f->first == f->count)
		f->first = f->count = 0;
}

unsigned sim_flight_group(struct sim_wave *wave)
{
	struct sim_flights *f = flights_of(wave);
	unsigned count = f->begun - f->grouped;

	f->grouped = f->begun;
	return count;
}

void sim_flight_close(struct sim_wave *wave)
{
	sim_watch_close(wave->group->watcher, wave->lanes->lane / wave->size);
}

static void complete(struct sim_wave *wave)
{
	sim_flight_land(wave, 0);
	sim_flight_close(wave);
}

const struct sim_intrinsic sim_fence = { "fence", SIM_WAVE, .wave = complete };
