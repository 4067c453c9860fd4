/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The way into all operations. */
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
