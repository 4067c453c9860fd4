/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations that move values between the lanes of a wave.
 *
 * A lane that is not there gives 0, as the crossbar does; what an inactive lane's
 * register holds is not ours to know. */
#include "amdgpu/code/sim/operations.h"

#define ROW 16

static void *operand(const struct sim_wave *wave, unsigned lane, unsigned i)
{
	return sim_operand(wave->site, wave->lanes[lane].block, i);
}

static uint32_t value(const struct sim_wave *wave, unsigned lane, unsigned i)
{
	return sim_u32(wave->site, wave->lanes[lane].block, i);
}

/* Operand "i" of lane "from" becomes the result of lane "to"; 0 if that is away. */
static void give(const struct sim_wave *wave, unsigned to, unsigned from, unsigned i)
{
	unsigned char *result = wave->lanes[to].block + wave->site->result_offset;

	if (sim_active(wave, from))
		memcpy(result, operand(wave, from, i), wave->site->result_size);
	else
		memset(result, 0, wave->site->result_size);
}

#define FOR_ACTIVE(wave, lane) \
	for (unsigned lane = 0; lane < (wave)->size; lane++) \
		if (sim_active(wave, lane))

void amdgpu_read_first_lane(struct sim_wave *wave)
{
	unsigned first = (unsigned)__builtin_ctzll(wave->active);

	FOR_ACTIVE(wave, lane)
		give(wave, lane, first, 0);
}

void amdgpu_read_lane(struct sim_wave *wave)
{
	unsigned first = (unsigned)__builtin_ctzll(wave->active);
	unsigned from = value(wave, first, 1) % wave->size;

	FOR_ACTIVE(wave, lane)
		give(wave, lane, from, 0);
}

void amdgpu_ballot(struct sim_wave *wave)
{
	uint64_t mask = 0;

	FOR_ACTIVE(wave, lane)
		mask |= (uint64_t)(value(wave, lane, 0) & 1) << lane;
	FOR_ACTIVE(wave, lane)
		sim_result(wave->site, wave->lanes[lane].block, &mask);
}

/* The lane that an address of the crossbar means.  From gfx10 on each half of a wave
 * of 64 has its own. */
static unsigned addressed(const struct sim_wave *wave, unsigned lane)
{
	const layout_target *target = wave->group->launch->target;
	unsigned width = target ? amdgpu_chip_of(target)->crossbar : wave->size;

	return lane / width * width + value(wave, lane, 0) / 4 % width;
}

void amdgpu_pull(struct sim_wave *wave)
{
	FOR_ACTIVE(wave, lane)
		give(wave, lane, addressed(wave, lane), 1);
}

/* Of several lanes that give to one the last wins. */
void amdgpu_push(struct sim_wave *wave)
{
	const uint32_t none = 0;

	FOR_ACTIVE(wave, lane)
		sim_result(wave->site, wave->lanes[lane].block, &none);
	FOR_ACTIVE(wave, lane) {
		unsigned to = addressed(wave, lane);

		if (sim_active(wave, to))
			give(wave, to, lane, 1);
	}
}

/* ds_swizzle: quads by a table, groups of 32 by a rotation or by and, or, xor. */
static unsigned swizzle_source(unsigned lane, uint32_t pattern)
{
	unsigned in_32 = lane % 32, low = pattern & 31, high = pattern >> 5 & 31;

	if (pattern < 0x8000)
		return lane - in_32 +
			(((in_32 & low) | high) ^ (pattern >> 10 & 31));
	if (pattern < 0xc000)
		return lane / 4 * 4 + (pattern >> lane % 4 * 2 & 3);
	if (pattern & 0x400)
		high = 32 - high;
	return lane - in_32 + ((in_32 & low) | ((in_32 + high) & 31 & ~low));
}

void amdgpu_swizzle(struct sim_wave *wave)
{
	FOR_ACTIVE(wave, lane) {
		uint32_t pattern = value(wave, lane, 1) & 0xffff;

		if (pattern >= 0xe000)
			sim_fault(&wave->lanes[lane], "the swizzle %#x", pattern);
		give(wave, lane, swizzle_source(lane, pattern), 0);
	}
}

/* "low" and "high" hold a number of 4 bits for each lane of a row. */
static unsigned select_in_row(const struct sim_wave *wave, unsigned lane)
{
	unsigned place = lane % ROW;
	uint32_t selectors = value(wave, lane, place < 8 ? 2 : 3);

	return selectors >> place % 8 * 4 & 15;
}

/* Operands: old, value, low and high selectors, flags.  The lane's row or the next to it. */
void amdgpu_permute_rows(struct sim_wave *wave)
{
	FOR_ACTIVE(wave, lane) {
		unsigned row = lane / ROW ^ wave->site->row->number;
		unsigned from = row * ROW + select_in_row(wave, lane);
		bool fetch_inactive = value(wave, lane, 4) & 1;
		bool zero = value(wave, lane, 5) & 1;

		if (sim_active(wave, from))
			give(wave, lane, from, 1);
		else if (fetch_inactive || zero)
			give(wave, lane, wave->size, 1);
		else
			give(wave, lane, lane, 0);
	}
}

/* Two registers x and y: x's odd groups of lanes change places with y's even ones.
 * A lane keeps its own where the partner is away. */
void amdgpu_exchange_groups(struct sim_wave *wave)
{
	unsigned lanes = wave->site->row->number;

	FOR_ACTIVE(wave, lane) {
		unsigned partner = lane ^ lanes;
		bool odd = lane & lanes;
		uint32_t pair[2] = { value(wave, lane, 0), value(wave, lane, 1) };

		if (sim_active(wave, partner))
			pair[odd ? 0 : 1] = value(wave, partner, odd ? 1 : 0);
		sim_result(wave->site, wave->lanes[lane].block, pair);
	}
}

void amdgpu_other_half(struct sim_wave *wave)
{
	FOR_ACTIVE(wave, lane)
		give(wave, lane, wave->size == SIM_MAX_WAVE ? lane ^ 32 : lane, 0);
}
