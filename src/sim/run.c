/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running: workgroup after workgroup, lane after lane. */
#include "sim/program.h"

#include <stdlib.h>

static bool refuse_launch(layout_context *ctx, const struct sim *sim, const char *why)
{
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "launch of '%s': %s",
		sim->program.kernel, why);
	return false;
}

/* The workgroups to run, [*begin, *end) in linear order. */
static bool find_range(const struct sim_launch *launch, uint64_t *begin, uint64_t *end)
{
	uint64_t total = 1;

	for (unsigned i = 0; i < 3; i++)
		if (launch->grid[i] < 0 || launch->grid[i] > UINT32_MAX ||
		    __builtin_mul_overflow(total, (uint64_t)launch->grid[i], &total))
			return false;
	if (launch->first > total || launch->count > total - launch->first)
		return false;
	*begin = launch->first;
	*end = launch->count ? launch->first + launch->count : total;
	return true;
}

static bool check_launch(layout_context *ctx, const struct sim *sim,
	const struct sim_launch *launch)
{
	if (launch->buffer_count != sim->program.buffer_count ||
	    launch->arg_count != sim->program.arg_count)
		return refuse_launch(ctx, sim, "arguments that are not the parameters");
	for (unsigned i = 0; i < launch->buffer_count; i++)
		if (__builtin_popcount(launch->buffers[i].align) != 1)
			return refuse_launch(ctx, sim, "an alignment not a power of two");
	for (unsigned i = 0; i < 3; i++)
		if (!launch->workgroup_size[i])
			return refuse_launch(ctx, sim, "an empty workgroup");
	return true;
}

static void fill_slots(struct sim_slot *slots, const struct sim_launch *launch)
{
	for (unsigned i = 0; i < launch->buffer_count; i++) {
		const struct sim_buffer *buffer = &launch->buffers[i];

		*slots++ = (struct sim_slot){ (uintptr_t)buffer->base, buffer->bytes,
			buffer->writable ? buffer->bytes : 0, buffer->align };
	}
	for (unsigned i = 0; i < launch->arg_count; i++)
		*slots++ = (struct sim_slot){ .value = (uint64_t)launch->args[i] };
}

/* One workgroup, lane after lane; returns the lanes that ran. */
static uint64_t run_workgroup(const struct sim *sim, struct sim_state *state)
{
	const unsigned *size = state->launch->workgroup_size;
	uint32_t *item = &state->ids[SIM_WORKITEM_ID_X];
	uint64_t lanes = 0;

	for (item[2] = 0; item[2] < size[2]; item[2]++) {
		for (item[1] = 0; item[1] < size[1]; item[1]++) {
			for (item[0] = 0; item[0] < size[0]; item[0]++) {
				sim->lane(state);
				lanes++;
				if (state->faulted)
					return lanes;
			}
		}
	}
	return lanes;
}

static void run_range(const struct sim *sim, struct sim_state *state, uint64_t begin,
	uint64_t end, layout_sim_stats *stats)
{
	const int64_t *grid = state->launch->grid;
	uint32_t *group = &state->ids[SIM_WORKGROUP_ID_X];

	for (uint64_t i = begin; i < end && !state->faulted; i++) {
		group[0] = (uint32_t)(i % (uint64_t)grid[0]);
		group[1] = (uint32_t)(i / (uint64_t)grid[0] % (uint64_t)grid[1]);
		group[2] = (uint32_t)(i / (uint64_t)grid[0] / (uint64_t)grid[1]);
		stats->lanes += run_workgroup(sim, state);
		stats->workgroups++;
	}
}

static void sum_executions(const struct sim_state *state, layout_sim_stats *stats)
{
	for (unsigned i = 0; i < state->program->site_count; i++) {
		const struct sim_site *site = &state->program->sites[i];
		uint64_t count = state->executions[i];

		*(site->is_store ? &stats->stores : &stats->loads) += count;
		*(site->is_store ? &stats->store_bytes : &stats->load_bytes) +=
			count * site->bytes;
	}
}

bool sim_run(layout_context *ctx, const struct sim *sim, const struct sim_launch *launch,
	layout_sim_stats *stats)
{
	struct sim_state state = { .ctx = ctx, .program = &sim->program,
		.launch = launch };
	layout_sim_stats counted = { 0 };
	uint64_t begin, end;
	bool ok = false;

	if (!check_launch(ctx, sim, launch))
		return false;
	if (!find_range(launch, &begin, &end))
		return refuse_launch(ctx, sim, "a range outside the grid");
	state.slots = layout_alloc(ctx, launch->buffer_count + launch->arg_count,
		sizeof(*state.slots));
	state.executions = layout_alloc(ctx, sim->program.site_count, sizeof(uint64_t));
	if (state.slots && state.executions) {
		fill_slots(state.slots, launch);
		run_range(sim, &state, begin, end, &counted);
		sum_executions(&state, &counted);
		if (stats)
			*stats = counted;
		ok = !state.faulted;
	}
	free(state.slots);
	free(state.executions);
	return ok;
}
