/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffer operations: accesses that a descriptor bounds.
 *
 * Of a raw buffer the offset of the lane is checked against the descriptor's bytes;
 * the scalar offset comes on top.  Each word out of range by itself loads 0 or is not
 * stored.  What the descriptor lets through must lie in the allocation that its base
 * points into: a descriptor may well be larger. */
#include "amdgpu/code/sim/operations.h"

#include <stdlib.h>

#define WORD 4

/* What a buffer operation finds behind its pointer to a descriptor. */
struct descriptor {
	uint64_t base, bytes;
	int slot;	/* the parameter that "base" was computed from, or -1 */
	struct descriptor *next;
};

/* The descriptors that a site made in this workgroup. */
struct made {
	struct descriptor *first;
	uint64_t workgroup;
};

static void forget(struct made *made)
{
	struct descriptor *d;

	while ((d = made->first)) {
		made->first = d->next;
		free(d);
	}
}

static void free_made(void *memory)
{
	forget(memory);
	free(memory);
}

/* The site's descriptor of this content; NULL without memory. */
static struct descriptor *describe(struct sim_group *group, const struct sim_site *site,
	uint64_t base, uint64_t bytes)
{
	struct sim_kept *kept = sim_keep(group, site);
	struct made *made = kept->memory ? kept->memory : calloc(1, sizeof(*made));
	struct descriptor *d;

	if (!made)
		return NULL;
	*kept = (struct sim_kept){ made, free_made };
	if (made->workgroup != group->workgroups)
		forget(made);
	made->workgroup = group->workgroups;
	for (d = made->first; d; d = d->next)
		if (d->base == base && d->bytes == bytes)
			return d;
	d = malloc(sizeof(*d));
	if (d)
		*d = (struct descriptor){ base, bytes, site->slot, made->first };
	return d ? made->first = d : NULL;
}

/* Operands: base, stride, bytes, flags. */
void amdgpu_make_buffer(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	struct descriptor *d = describe(state->group, site, sim_u64(site, block, 0),
		sim_u64(site, block, 2));

	if (sim_u32(site, block, 1))
		sim_fault(state, "a buffer with a stride");
	if (!d)
		sim_fault(state, "no memory for a buffer's descriptor");
	sim_result(site, block, &d);
}

static void watch_masked(struct sim_state *state, const struct sim_site *site,
	const struct descriptor *d)
{
	struct sim_group *group = state->group;
	struct sim_access access = {
		.site = (uint32_t)(site - group->sim->program.sites),
		.lane = (uint16_t)state->lane, .bytes = (uint16_t)site->bytes,
		.buffer = (uint16_t)sim_find_buffer(group->launch, d->slot, d->base),
		.is_store = site->is_store,
		.masked = true };

	sim_watch_access(group->watcher, &access);
}

/* The bytes from the lane's offset on that are in range, in whole words. */
static unsigned in_range(const struct descriptor *d, uint64_t offset, unsigned bytes)
{
	uint64_t room = offset < d->bytes ? d->bytes - offset : 0;

	if (room >= bytes)
		return bytes;
	room = (room + WORD - 1) / WORD * WORD;
	return room < bytes ? (unsigned)room : bytes;
}

/* The memory of an access, "*bytes" of it; NULL where it is nothing. */
static void *reach(struct sim_state *state, const struct sim_site *site,
	const struct descriptor *d, uint64_t offset, uint64_t scalar, unsigned *bytes)
{
	uint64_t address;
	unsigned buffer;

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
	address = d->base + offset + scalar;
	buffer = sim_find_buffer(state->group->launch, d->slot, address);
	return sim_touch(state, site, buffer, (int64_t)(address -
		sim_base(state->group->launch, buffer)), *bytes);
}

static const struct descriptor *descriptor(const struct sim_site *site,
	unsigned char *block, unsigned i)
{
	const struct descriptor *d;

	memcpy(&d, sim_operand(site, block, i), sizeof(d));
	return d;
}

void amdgpu_fetch_buffer(struct sim_state *state, const struct sim_site *site,
	unsigned char *block, uint64_t offset, uint64_t scalar, void *to)
{
	unsigned bytes;
	void *from = reach(state, site, descriptor(site, block, 0), offset, scalar,
		&bytes);

	memset(to, 0, site->bytes);
	if (from)
		memcpy(to, from, bytes);
}

/* Operands: buffer, offset, scalar offset, policy; of a store the value before them. */
void amdgpu_load_buffer(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	amdgpu_fetch_buffer(state, site, block, sim_u32(site, block, 1),
		sim_u32(site, block, 2), block + site->result_offset);
}

void amdgpu_store_buffer(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	unsigned bytes;
	void *to = reach(state, site, descriptor(site, block, 1),
		sim_u32(site, block, 2), sim_u32(site, block, 3), &bytes);

	if (to)
		memcpy(to, sim_operand(site, block, 0), bytes);
}

bool amdgpu_describe_buffer(struct rewrite *w, struct sim_site *site, LLVMValueRef call)
{
	site->slot = rewrite_find_slot(w, LLVMGetOperand(call, 0));
	return true;
}

bool amdgpu_describe_access(struct rewrite *w, struct sim_site *site, LLVMValueRef call)
{
	(void)w, (void)call;
	site->is_store = !site->result_size;
	site->bytes = site->is_store ? site->size[0] : site->result_size;
	return true;
}
