/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Accesses that must not be: found, described, redirected. */
#include "sim/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How far an address lies outside a buffer; 0 inside. */
static uint64_t distance(const struct sim_buffer *buffer, uint64_t address)
{
	uint64_t base = (uintptr_t)buffer->base;

	if (address < base)
		return base - address;
	return address - base < buffer->bytes ? 0 : address - base - buffer->bytes + 1;
}

static const struct sim_buffer *nearest_buffer(const struct sim_launch *launch,
	uint64_t address)
{
	const struct sim_buffer *nearest = &launch->buffers[0];

	for (unsigned i = 1; i < launch->buffer_count; i++)
		if (distance(&launch->buffers[i], address) < distance(nearest, address))
			nearest = &launch->buffers[i];
	return nearest;
}

/* What is wrong with the access, as the end of a sentence; 0 if nothing is. */
static int describe_fault(const struct sim_buffer *buffer, const struct sim_site *site,
	int64_t offset, char *text, size_t size)
{
	uint64_t at = (uint64_t)offset;

	if (at > buffer->bytes || buffer->bytes - at < site->bytes)
		return snprintf(text, size, "it has %" PRIu64 " bytes", buffer->bytes);
	if (site->is_store && !buffer->writable)
		return snprintf(text, size, "it is read-only");
	if ((at + buffer->align) % site->align)
		return snprintf(text, size, "not aligned to %u bytes", site->align);
	return 0;
}

static void report_fault(struct sim_state *state, const struct sim_site *site,
	const struct sim_buffer *buffer, int64_t offset, const char *reason)
{
	const struct sim_launch *launch = state->launch;
	const uint32_t *item = &state->ids[SIM_WORKITEM_ID_X];
	const uint32_t *group = &state->ids[SIM_WORKGROUP_ID_X];
	uint32_t lane = item[0] + launch->workgroup_size[0] *
		(item[1] + launch->workgroup_size[1] * item[2]);

	layout_fail(state->ctx, LAYOUT_ERROR_FAULT, -1,
		"kernel '%s', workgroup (%u, %u, %u), lane %u: "
		"%s of %u bytes at byte %" PRId64 " of '%s': %s",
		state->program->kernel, group[0], group[1], group[2], lane,
		site->is_store ? "store" : "load", site->bytes, offset, buffer->name,
		reason);
}

uint64_t sim_check_access(struct sim_state *state, uint64_t address, uint32_t number)
{
	static _Thread_local _Alignas(64) unsigned char elsewhere[SIM_MAX_ACCESS];
	const struct sim_site *site = &state->program->sites[number];
	const struct sim_buffer *buffer;
	char reason[64];
	int64_t offset;

	if (site->slot >= 0)
		buffer = &state->launch->buffers[site->slot];
	else
		buffer = nearest_buffer(state->launch, address);
	offset = (int64_t)(address - (uintptr_t)buffer->base);
	if (!describe_fault(buffer, site, offset, reason, sizeof(reason)))
		return address;
	if (!state->faulted)
		report_fault(state, site, buffer, offset, reason);
	state->faulted = true;
	memset(elsewhere, 0, sizeof(elsewhere));
	return (uintptr_t)elsewhere;
}
