/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Data parallel primitives: which lane a lane reads, by a 9-bit control.
 *
 * Shifts and broadcasts across the whole wave exist on gfx9 only, sharing and xor in a
 * row from gfx10 on; as the compiler refuses the others, we need not. */
#include "amdgpu/code/sim/operations.h"

#define ROW 16

/* The lane read by "lane"; "size" where there is none. */
static unsigned shift_source(unsigned lane, unsigned control, unsigned size)
{
	unsigned place = lane % ROW, by = control & 15;

	switch (control & 0x1f0) {
	case 0x100:		/* row_shl */
		return place + by < ROW ? lane + by : size;
	case 0x110:		/* row_shr */
		return place >= by ? lane - by : size;
	case 0x120:		/* row_ror */
		return lane - place + (place + ROW - by) % ROW;
	case 0x150:		/* row_share */
		return lane - place + by;
	default:		/* row_xmask */
		return lane ^ by;
	}
}

static unsigned whole_source(unsigned lane, unsigned control, unsigned size)
{
	switch (control) {
	case 0x130:		/* wave_shl */
		return lane + 1;
	case 0x134:		/* wave_rol */
		return (lane + 1) % size;
	case 0x138:		/* wave_shr */
		return lane ? lane - 1 : size;
	case 0x13c:		/* wave_ror */
		return (lane + size - 1) % size;
	case 0x140:		/* row_mirror */
		return lane ^ 15;
	case 0x141:		/* row_half_mirror */
		return lane ^ 7;
	case 0x142:		/* row_bcast:15, to the next row */
		return lane < ROW ? size : lane / ROW * ROW - 1;
	case 0x143:		/* row_bcast:31, to the upper half */
		return lane < 32 ? size : 31;
	default:
		return SIM_MAX_WAVE + 1;
	}
}

static unsigned find_source(unsigned lane, unsigned control, unsigned size)
{
	unsigned kind = control & 0x1f0;

	if (control < 0x100)	/* quad_perm */
		return lane / 4 * 4 + (control >> lane % 4 * 2 & 3);
	if (kind == 0x130 || kind == 0x140)
		return whole_source(lane, control, size);
	if (kind <= 0x120 || kind == 0x150 || kind == 0x160)
		return shift_source(lane, control, size);
	return SIM_MAX_WAVE + 1;
}

/* One lane.  Operands: old or none, value, control, row mask, bank mask, bound. */
static void move(struct sim_wave *wave, unsigned lane)
{
	const struct sim_site *site = wave->site;
	struct sim_state *state = &wave->lanes[lane];
	unsigned first = site->row->number;
	unsigned control = sim_u32(site, state->block, first + 1) & 0x1ff;
	bool row = sim_u32(site, state->block, first + 2) >> lane / ROW % 4 & 1;
	bool bank = sim_u32(site, state->block, first + 3) >> lane % ROW / 4 & 1;
	bool zero = sim_u32(site, state->block, first + 4) & 1;
	unsigned from = find_source(lane, control, wave->size);
	unsigned char *result = state->block + site->result_offset;

	if (from > SIM_MAX_WAVE)
		sim_fault(state, "an unknown DPP control, %#x", control);
	memcpy(result, sim_operand(site, state->block, 0), site->result_size);
	if (!row || !bank)
		return;
	if (sim_active(wave, from))
		memcpy(result, sim_operand(site, wave->lanes[from].block, first),
			site->result_size);
	else if (zero)
		memset(result, 0, site->result_size);
}

void amdgpu_dpp(struct sim_wave *wave)
{
	for (unsigned lane = 0; lane < wave->size; lane++)
		if (sim_active(wave, lane))
			move(wave, lane);
}
