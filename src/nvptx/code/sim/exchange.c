/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shuffles: operands are the lanes that take part, a word, which lane's is wanted, and the
 * clamp, of which kernels want the whole wave's alone. */
#include "nvptx/code/sim/operations.h"

#define WHOLE_WAVE 31

static uint32_t value(const struct sim_wave *wave, unsigned lane, unsigned i)
{
	return sim_u32(wave->site, wave->lanes[lane].block, i);
}

/* What a lane reads of one that is away is not defined. */
static bool check(const struct sim_wave *wave, unsigned lane, unsigned from)
{
	struct sim_state *state = &wave->lanes[lane];
	uint32_t lanes = value(wave, lane, 0);

	if (value(wave, lane, 3) != WHOLE_WAVE)
		sim_fault(state, "a shuffle among parts of the wave");
	else if (lanes & ~(uint32_t)wave->active)
		sim_fault(state, "a shuffle of the lanes %#x, where there are %#x", lanes,
			(unsigned)wave->active);
	else if (from >= wave->size || !(lanes >> from & 1) || !(lanes >> lane & 1))
		sim_fault(state, "a shuffle from lane %u by the lanes %#x", from, lanes);
	else
		return true;
	return false;
}

/* Lane "own" reads the word of lane (own & keep) ^ what it says. */
static void shuffle(struct sim_wave *wave, unsigned keep)
{
	for (unsigned lane = 0; lane < wave->size; lane++) {
		unsigned from;
		uint32_t word;

		if (!sim_active(wave, lane))
			continue;
		from = (lane & keep) ^ (value(wave, lane, 2) & WHOLE_WAVE);
		if (!check(wave, lane, from))
			return;
		word = value(wave, from, 1);
		sim_result(wave->site, wave->lanes[lane].block, &word);
	}
}

void nvptx_shuffle_xor(struct sim_wave *wave)
{
	shuffle(wave, WHOLE_WAVE);
}

void nvptx_shuffle_index(struct sim_wave *wave)
{
	shuffle(wave, 0);
}
