/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffer operations: accesses that a descriptor bounds.
 *
 * Of a raw buffer the offset of the lane is checked against the descriptor's bytes;
 * the scalar offset comes on top.  Each word out of range by itself loads 0 or is not
 * stored.  What the descriptor lets through must lie in the allocation that its base
 * points into: a descriptor may well be larger. */
#include "sim/group.h"

#include <stdlib.h>

#define WORD 4

/* A new descriptor, or one left from an earlier workgroup. */
static struct sim_descriptor *add_descriptor(struct sim_group *group)
{
	struct sim_descriptor **all = group->descriptors;

	if (group->descriptor_count == group->descriptor_room) {
		all = realloc(all, (group->descriptor_room + 1) * sizeof(*all));
		if (!all)
			return NULL;
		group->descriptors = all;
		all[group->descriptor_room] = malloc(sizeof(**all));
		if (!all[group->descriptor_room])
			return NULL;
		group->descriptor_room++;
	}
	return all[group->descriptor_count++];
}

static struct sim_descriptor *find_descriptor(const struct sim_group *group,
	uint64_t base, uint64_t bytes, unsigned buffer)
{
	for (unsigned i = group->descriptor_count; i--; ) {
		struct sim_descriptor *d = group->descriptors[i];

		if (d->base == base && d->bytes == bytes && d->buffer == buffer)
			return d;
	}
	return NULL;
}

void sim_make_buffer(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	struct sim_group *group = state->group;
	uint64_t base = sim_u64(site, block, 0), bytes = sim_u64(site, block, 2);
	unsigned buffer = site->slot >= 0 ? (unsigned)site->slot :
		sim_nearest_buffer(group->launch, base);
	struct sim_descriptor *d = find_descriptor(group, base, bytes, buffer);

	if (sim_u32(site, block, 1))
		sim_fault(state, "a buffer with a stride");
	if (!d && (d = add_descriptor(group)))
		*d = (struct sim_descriptor){ base, bytes, buffer };
	if (!d)
		sim_fault(state, "no memory for a buffer's descriptor");
	sim_result(site, block, &d);
}

static void watch_masked(struct sim_state *state, const struct sim_site *site,
	const struct sim_descriptor *d)
{
	struct sim_group *group = state->group;
	struct sim_access access = {
		.site = (uint32_t)(site - group->sim->program.sites),
		.lane = (uint16_t)state->lane, .bytes = (uint16_t)site->bytes,
		.buffer = (uint16_t)d->buffer, .is_store = site->is_store,
		.masked = true };

	sim_watch_access(group->watcher, &access);
}

/* The bytes from the lane's offset on that are in range, in whole words. */
static unsigned in_range(const struct sim_descriptor *d, uint64_t offset, unsigned bytes)
{
	uint64_t room = offset < d->bytes ? d->bytes - offset : 0;

	if (room >= bytes)
		return bytes;
	room = (room + WORD - 1) / WORD * WORD;
	return room < bytes ? (unsigned)room : bytes;
}

/* The memory of an access, "*bytes" of it; NULL where it is nothing. */
static void *reach(struct sim_state *state, const struct sim_site *site,
	const struct sim_descriptor *d, uint64_t offset, uint64_t scalar, unsigned *bytes)
{
	uint64_t base;

	if (!d) {
		sim_fault(state, "a buffer access without a descriptor");
		return NULL;
	}
	*bytes = in_range(d, offset, site->bytes);
	if (!*bytes) {
		watch_masked(state, site, d);
		return NULL;
	}
	if (d->bytes - offset < *bytes) {
		sim_fault(state, "an access of %u bytes across the end of its buffer's "
			"descriptor", site->bytes);
		return NULL;
	}
	base = (uintptr_t)state->group->launch->buffers[d->buffer].base;
	return sim_touch(state, site, d->buffer,
		(int64_t)(d->base - base + offset + scalar), *bytes);
}

static const struct sim_descriptor *descriptor(const struct sim_site *site,
	unsigned char *block, unsigned i)
{
	const struct sim_descriptor *d;

	memcpy(&d, sim_operand(site, block, i), sizeof(d));
	return d;
}

void sim_buffer_fetch(struct sim_state *state, const struct sim_site *site,
	unsigned char *block, uint64_t offset, uint64_t scalar, void *to)
{
	unsigned bytes;
	void *from = reach(state, site, descriptor(site, block, 0), offset, scalar,
		&bytes);

	memset(to, 0, site->bytes);
	if (from)
		memcpy(to, from, bytes);
}

void sim_buffer_load(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	sim_buffer_fetch(state, site, block, sim_u32(site, block, 1),
		sim_u32(site, block, 2), block + site->result_offset);
}

void sim_buffer_store(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	unsigned bytes;
	void *to = reach(state, site, descriptor(site, block, 1),
		sim_u32(site, block, 2), sim_u32(site, block, 3), &bytes);

	if (to)
		memcpy(to, sim_operand(site, block, 0), bytes);
}
