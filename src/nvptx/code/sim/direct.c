/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies to shared memory that are done when their lane has waited for their group.  Kernels
 * make a group of each. */
#include "nvptx/code/sim/operations.h"

enum { MOST_BYTES = 16 };

/* Operands: where to, from where, and how many bytes are loaded; the others are 0. */
static void copy(struct sim_wave *wave, unsigned lane)
{
	static const unsigned char none[MOST_BYTES];
	const struct sim_site *site = wave->site;
	struct sim_state *state = &wave->lanes[lane];
	uint32_t loaded = sim_u32(site, state->block, 2);
	uint64_t to = sim_u64(site, state->block, 0) - (uintptr_t)wave->group->lds;
	const void *from = none;

	if (loaded && loaded != site->bytes)
		sim_fault(state, "a copy of %u bytes of %u", loaded, site->bytes);
	else if (loaded)
		from = sim_fetch(state, site, sim_u64(site, state->block, 1));
	if (from && (!loaded || loaded == site->bytes))
		sim_flight_add(state, site + 1, to, from);
}

void nvptx_copy_async(struct sim_wave *wave)
{
	sim_flight_begin(wave);
	for (unsigned lane = 0; lane < wave->size; lane++)
		if (sim_active(wave, lane))
			copy(wave, lane);
}

void nvptx_commit_group(struct sim_wave *wave)
{
	unsigned count = sim_flight_group(wave);

	if (count != 1)
		sim_fault(&wave->lanes[__builtin_ctzll(wave->active)],
			"a group of %u copies", count);
}

/* Operand: how many groups may still be under way. */
void nvptx_wait_group(struct sim_wave *wave)
{
	struct sim_state *first = &wave->lanes[__builtin_ctzll(wave->active)];

	if (sim_flight_group(wave))
		sim_fault(first, "waits for groups, and a copy is in none");
	else if (wave->group->sim->program.copies)
		sim_flight_land(wave, sim_u32(wave->site, first->block, 0));
}

bool nvptx_describe_copy(struct rewrite *w, struct sim_site *site, LLVMValueRef call)
{
	site->slot = rewrite_find_slot(w, LLVMGetOperand(call, 1));
	site->bytes = site->align = site->row->number;
	site->to_local = true;
	return true;
}
