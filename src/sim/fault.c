/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every access of a lane comes by here: checked, watched; what must not be is
 * described, and its lane goes no further. */
#include "sim/fiber.h"
#include "sim/group.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_REASON 256

/* Memory that an access may reach. */
struct region {
	const char *name;
	uint64_t base, bytes, align;
	bool writable;
};

static struct region region_of(const struct sim_group *group, unsigned buffer)
{
	const struct sim_buffer *b;

	if (buffer == SIM_WATCH_LDS)
		return (struct region){ "the LDS", (uintptr_t)group->lds,
			group->sim->program.lds_bytes, 1u << 16, true };
	b = &group->launch->buffers[buffer];
	return (struct region){ b->name, (uintptr_t)b->base, b->bytes, b->align,
		b->writable };
}

/* Addresses that a buffer has to itself. */
enum { BUFFER_BITS = 40 };

uint64_t sim_base(const struct sim_launch *launch, unsigned buffer)
{
	return ((uint64_t)(buffer + 1) << BUFFER_BITS) + launch->buffers[buffer].align;
}

/* How far an address lies outside a buffer; 0 inside. */
static uint64_t distance(const struct sim_launch *launch, unsigned i, uint64_t address)
{
	const struct sim_buffer *buffer = &launch->buffers[i];
	uint64_t base = sim_base(launch, i);

	if (address < base)
		return base - address;
	return address - base < buffer->bytes ? 0 : address - base - buffer->bytes + 1;
}

unsigned sim_find_buffer(const struct sim_launch *launch, int slot, uint64_t address)
{
	unsigned nearest = 0;

	if (slot >= 0)
		return (unsigned)slot;
	for (unsigned i = 1; i < launch->buffer_count; i++)
		if (distance(launch, i, address) < distance(launch, nearest, address))
			nearest = i;
	return nearest;
}

void sim_fault(struct sim_state *state, const char *format, ...)
{
	struct sim_group *group = state->group;
	char reason[MAX_REASON];
	va_list args;

	if (group->faulted)
		return;
	group->faulted = true;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	layout_fail(group->ctx, LAYOUT_ERROR_FAULT, -1,
		"kernel '%s', workgroup (%u, %u, %u), lane %u: %s",
		group->sim->program.kernel, group->place[0], group->place[1],
		group->place[2], state->lane, reason);
}

/* What is wrong with an access, as the end of a sentence; false if nothing is. */
static bool find_fault(const struct region *region, const struct sim_site *site,
	bool is_store, uint64_t at, unsigned bytes, char *text)
{
	if (at > region->bytes || region->bytes - at < bytes)
		snprintf(text, MAX_REASON, "it has %" PRIu64 " bytes", region->bytes);
	else if (is_store && !region->writable)
		snprintf(text, MAX_REASON, "it is read-only");
	else if ((at + region->align) % site->align)
		snprintf(text, MAX_REASON, "not aligned to %u bytes", site->align);
	else
		return false;
	return true;
}

static void report(struct sim_state *state, const struct sim_site *site,
	const struct region *region, int64_t offset, unsigned bytes, const char *reason)
{
	const char *quote = region->base == (uintptr_t)state->group->lds ? "" : "'";

	sim_fault(state, "%s of %u bytes at byte %" PRId64 " of %s%s%s: %s",
		site->is_store ? "store" : "load", bytes, offset, quote, region->name,
		quote, reason);
}

static void *touch(struct sim_state *state, const struct sim_site *site, unsigned buffer,
	int64_t offset, unsigned bytes, enum sim_flight flight)
{
	struct sim_group *group = state->group;
	struct region region = region_of(group, buffer);
	struct sim_access access = { .offset = (uint64_t)offset,
		.site = (uint32_t)(site - group->sim->program.sites),
		.lane = (uint16_t)state->lane, .bytes = (uint16_t)bytes,
		.buffer = (uint16_t)buffer, .is_store = site->is_store,
		.flight = flight };
	char text[MAX_REASON];
	const char *reason = text;

	if (!find_fault(&region, site, site->is_store, access.offset, bytes, text))
		reason = sim_watch_access(group->watcher, &access);
	if (!reason)
		return (void *)(uintptr_t)(region.base + access.offset);
	report(state, site, &region, offset, bytes, reason);
	return NULL;
}

void *sim_touch(struct sim_state *state, const struct sim_site *site, unsigned buffer,
	int64_t offset, unsigned bytes)
{
	return touch(state, site, buffer, offset, bytes, SIM_AT_ONCE);
}

void *sim_touch_flight(struct sim_state *state, const struct sim_site *site, uint64_t at,
	enum sim_flight flight)
{
	return touch(state, site, SIM_WATCH_LDS, (int64_t)at, site->bytes, flight);
}

/* The memory that the site accesses at this address. */
static unsigned find_buffer(const struct sim_group *group, const struct sim_site *site,
	uint64_t address)
{
	uint64_t lds = (uintptr_t)group->lds;

	if (site->space == group->sim->program.isa->local_space)
		return SIM_WATCH_LDS;
	if (site->slot < 0 && !site->space && address - lds < group->sim->program.lds_bytes)
		return SIM_WATCH_LDS;
	return sim_find_buffer(group->launch, site->slot, address);
}

/* Tables are no memory that is watched. */
static uint64_t look_up(struct sim_state *state, const struct sim_site *site, uint64_t at)
{
	if (at <= site->table && site->table - at >= site->bytes)
		return at;
	sim_fault(state, "load of %u bytes at byte %" PRId64 " of a constant: it has %" PRIu64
		" bytes", site->bytes, (int64_t)at, site->table);
	fiber_yield(state->fiber);
	return 0;
}

static uint64_t access_memory(struct sim_state *state, const struct sim_site *site,
	uint64_t address)
{
	struct sim_group *group = state->group;
	unsigned buffer = find_buffer(group, site, address);
	uint64_t base = buffer == SIM_WATCH_LDS ? (uintptr_t)group->lds :
		sim_base(group->launch, buffer);
	void *there = sim_touch(state, site, buffer, (int64_t)(address - base),
		site->bytes);

	if (!there)
		fiber_yield(state->fiber);
	return (uintptr_t)there;
}

uint64_t sim_access(struct sim_state *state, uint64_t address, uint32_t number)
{
	const struct sim_site *site = &state->group->sim->program.sites[number];

	return (site->table ? look_up : access_memory)(state, site, address);
}

bool sim_check_lanes(struct sim_wave *wave, const char *what)
{
	for (unsigned i = 0; i < wave->size; i++) {
		if (sim_active(wave, i))
			continue;
		sim_fault(&wave->lanes[__builtin_ctzll(wave->active)],
			"%s without lane %u of its wave", what, i);
		return false;
	}
	return true;
}

const void *sim_fetch(struct sim_state *state, const struct sim_site *site, uint64_t address)
{
	const struct sim_launch *launch = state->group->launch;
	unsigned buffer = sim_find_buffer(launch, site->slot, address);
	uint64_t base = sim_base(launch, buffer);

	return sim_touch(state, site, buffer, (int64_t)(address - base), site->bytes);
}
