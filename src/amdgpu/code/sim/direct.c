/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads that go to the LDS directly.
 *
 * Each lane chooses where it loads; the wave stores its lanes' pieces one after the
 * other from one address on, which is the first active lane's, and that is done once the wave
 * has waited for it.  Of the asynchronous form each lane chooses both; these are done at
 * once: that a kernel waits for them before it reads is not checked.
 *
 * And loads from the LDS by which the lanes of a row exchange what they load. */
#include "amdgpu/code/sim/operations.h"

/* Give "bytes" to the LDS, at the store's site, which follows the load's. */
static void put(struct sim_state *state, const struct sim_site *load, uint64_t at,
	const void *bytes)
{
	void *to = sim_touch(state, load + 1, SIM_WATCH_LDS, (int64_t)at, load->bytes);

	if (to)
		memcpy(to, bytes, load->bytes);
}

/* Of a copy that is under way. */
static void begin(struct sim_state *state, const struct sim_site *load, uint64_t at,
	const void *bytes)
{
	sim_flight_add(state, load + 1, at, bytes);
}

/* Where in the LDS a lane's piece goes. */
static uint64_t find_place(const struct sim_wave *wave, unsigned lane, uint64_t fixed)
{
	struct sim_state *first = &wave->lanes[__builtin_ctzll(wave->active)];

	return sim_u64(wave->site, first->block, 1) - (uintptr_t)wave->group->lds +
		fixed + (uint64_t)lane * wave->site->bytes;
}

/* The instruction's offset counts on both sides. */
static uint64_t fixed_offset(const struct sim_site *site, unsigned char *block,
	unsigned i)
{
	return (uint64_t)(int64_t)(int32_t)sim_u32(site, block, i);
}

static void load(struct sim_wave *wave, unsigned lane)
{
	const struct sim_site *site = wave->site;
	struct sim_state *state = &wave->lanes[lane];
	uint64_t fixed = fixed_offset(site, state->block, 3);
	const void *from = sim_fetch(state, site, sim_u64(site, state->block, 0) + fixed);

	if (from)
		begin(state, site, find_place(wave, lane, fixed), from);
}

/* Operands: address, LDS, bytes, offset, policy. */
void amdgpu_load_to_lds(struct sim_wave *wave)
{
	sim_flight_begin(wave);
	for (unsigned lane = 0; lane < wave->size; lane++)
		if (sim_active(wave, lane))
			load(wave, lane);
}

/* Out of range a lane's piece is zeros. */
static void load_bounded(struct sim_wave *wave, unsigned lane)
{
	const struct sim_site *site = wave->site;
	struct sim_state *state = &wave->lanes[lane];
	uint64_t fixed = sim_u32(site, state->block, 5);
	unsigned char piece[16];

	amdgpu_fetch_buffer(state, site, state->block,
		sim_u32(site, state->block, 3) + fixed,
		sim_u32(site, state->block, 4), piece);
	begin(state, site, find_place(wave, lane, fixed), piece);
}

/* Operands: buffer, LDS, bytes, offset, scalar and fixed offset. */
void amdgpu_buffer_to_lds(struct sim_wave *wave)
{
	sim_flight_begin(wave);
	for (unsigned lane = 0; lane < wave->size; lane++)
		if (sim_active(wave, lane))
			load_bounded(wave, lane);
}

/* The operand has the counts of gfx9: loads from memory in two parts, and those of the LDS.  Loads
 * to registers and stores count, too: there are more under way than copies, and these are
 * landed all the same. */
void amdgpu_wait_counts(struct sim_wave *wave)
{
	struct sim_state *first = &wave->lanes[__builtin_ctzll(wave->active)];
	uint32_t counts = sim_u32(wave->site, first->block, 0);

	if (!wave->group->sim->program.copies)
		return;
	sim_flight_land(wave, (counts & 15) | (counts >> 14 & 3) << 4);
	if (!(counts >> 8 & 15))
		sim_flight_close(wave);
}

/* Operands: address, LDS, offset, policy. */
void amdgpu_async_to_lds(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	uint64_t fixed = fixed_offset(site, block, 2);
	const void *from = sim_fetch(state, site, sim_u64(site, block, 0) + fixed);

	if (from)
		put(state, site, sim_u64(site, block, 1) + fixed -
			(uintptr_t)state->group->lds, from);
}

/* Sixteen lanes load four halves each, which make four rows of sixteen: each lane gets
 * a column. */
void amdgpu_load_transposed(struct sim_wave *wave)
{
	const struct sim_site *site = wave->site;
	uint16_t loaded[SIM_MAX_WAVE][4] = { { 0 } }, column[4];

	for (unsigned lane = 0; lane < wave->size; lane++) {
		struct sim_state *state = &wave->lanes[lane];
		const void *from = !sim_active(wave, lane) ? NULL : sim_touch(state, site,
			SIM_WATCH_LDS, (int64_t)(sim_u64(site, state->block, 0) -
			(uintptr_t)state->group->lds), site->bytes);

		if (from)
			memcpy(loaded[lane], from, sizeof(loaded[lane]));
	}
	for (unsigned lane = 0; lane < wave->size; lane++) {
		for (unsigned i = 0; i < 4; i++)
			column[i] = loaded[lane / 16 * 16 + 4 * i + lane % 16 / 4][lane % 4];
		if (sim_active(wave, lane))
			sim_result(site, wave->lanes[lane].block, column);
	}
}

/* The bytes that operand 2 says; 0 where no target has that width. */
static unsigned piece_bytes(LLVMValueRef call)
{
	LLVMValueRef width = LLVMIsAConstantInt(LLVMGetOperand(call, 2));
	uint64_t bytes = width ? LLVMConstIntGetZExtValue(width) : 0;

	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 12 || bytes == 16 ?
		(unsigned)bytes : 0;
}

/* From a buffer by its descriptor, too. */
bool amdgpu_describe_to_lds(struct rewrite *w, struct sim_site *site, LLVMValueRef call)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(call, 0)));

	if (space > 1 && site->row->wave != amdgpu_buffer_to_lds)
		return rewrite_refuse(w, "loads from this address space", "");
	site->slot = rewrite_find_slot(w, LLVMGetOperand(call, 0));
	site->bytes = piece_bytes(call);
	site->to_local = true;
	return site->bytes || rewrite_refuse(w, "loads to LDS of that width", "");
}

bool amdgpu_describe_async(struct rewrite *w, struct sim_site *site, LLVMValueRef call)
{
	site->slot = rewrite_find_slot(w, LLVMGetOperand(call, 0));
	site->bytes = site->row->number;
	site->to_local = true;
	return true;
}

bool amdgpu_describe_transposed(struct rewrite *w, struct sim_site *site, LLVMValueRef call)
{
	(void)w;
	(void)call;
	site->space = amdgpu_isa.local_space;
	site->bytes = site->align = 8;
	return true;
}
