/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cycles of an access to the LDS. */
#include "algebra/lds/lds.h"
#include "isl_bridge/context.h"

#include <string.h>

#define MAX_BANKS 64
#define MAX_WORDS (LDS_LANES * 5)	/* 16 bytes anywhere touch 5 words */

/* The words of a phase: those of a bank are a chain of indices less 1. */
struct phase {
	unsigned count, cycles;
	uint16_t first[MAX_BANKS], next[MAX_WORDS];
	uint8_t in_bank[MAX_BANKS];
	uint64_t words[MAX_WORDS];
};

unsigned lds_group(const struct lds_grouping *grouping, unsigned lane)
{
	for (unsigned i = 0; i < grouping->count; i++)
		if ((lane ^ grouping->bases[i]) < lane)
			lane ^= grouping->bases[i];
	return lane;
}

static void phase_begin(struct phase *phase, unsigned banks)
{
	phase->count = 0;
	phase->cycles = 0;
	memset(phase->first, 0, banks * sizeof(*phase->first));
	memset(phase->in_bank, 0, banks);
}

/* A word that is there already costs nothing. */
static void phase_add(struct phase *phase, unsigned banks, uint64_t word)
{
	unsigned bank = (unsigned)(word & (banks - 1)), at = phase->count;

	for (unsigned i = phase->first[bank]; i; i = phase->next[i - 1])
		if (phase->words[i - 1] == word)
			return;
	phase->words[at] = word;
	phase->next[at] = phase->first[bank];
	phase->first[bank] = (uint16_t)++phase->count;
	if (++phase->in_bank[bank] > phase->cycles)
		phase->cycles = phase->in_bank[bank];
}

static void phase_add_lane(struct phase *phase, unsigned banks,
	const layout_lds_access *access, unsigned lane)
{
	uint64_t byte = access->addresses[lane];
	uint64_t last = (byte + access->bits / 8 - 1) / LDS_WORD;

	for (uint64_t word = byte / LDS_WORD; word <= last; word++)
		phase_add(phase, banks, word);
}

/* The bits that the least lane of a group has not: the highest of each base. */
static unsigned other_lanes(const struct lds_grouping *grouping)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < grouping->count; i++)
		bits |= 1u << (31 - __builtin_clz(grouping->bases[i]));
	return bits;
}

/* The group of which "lane" is the least, from XOR to XOR. */
static void phase_add_group(struct phase *phase, const layout_lds *lds,
	const struct lds_grouping *grouping, const layout_lds_access *access, unsigned lane)
{
	for (unsigned i = 0; i < 1u << grouping->count; i++) {
		if (i)
			lane ^= grouping->bases[__builtin_ctz(i)];
		if (lane < lds->wave_size && access->lanes >> lane & 1)
			phase_add_lane(phase, lds->banks, access, lane);
	}
}

/* A phase none of whose lanes takes part is left out. */
layout_lds_cost lds_cost(const layout_lds *lds, const struct lds_grouping *grouping,
	const layout_lds_access *access)
{
	layout_lds_cost cost = { 0, 0 };
	unsigned others = other_lanes(grouping);
	struct phase phase;

	for (unsigned lane = 0; lane < lds->wave_size; lane++) {
		if (lane & others)
			continue;
		phase_begin(&phase, lds->banks);
		phase_add_group(&phase, lds, grouping, access, lane);
		cost.cycles += phase.cycles;
		cost.least += phase.cycles > 0;
	}
	return cost;
}

bool layout_lds_cycles(layout_context *ctx, const layout_lds *lds,
	const layout_lds_access *access, layout_lds_cost *cost, layout_lds_cost *worst)
{
	const struct lds_known *known;
	layout_lds_cost most = { 0, 0 };

	if (!lds || !layout_given(ctx, access && access->addresses, "access"))
		return false;
	known = lds_known_to(ctx, lds, access->bits, access->store);
	if (!known)
		return false;
	for (unsigned i = 0; i < LDS_CANDIDATES && known->candidates[i]; i++) {
		layout_lds_cost now = lds_cost(lds, known->candidates[i], access);

		if (!i && cost)
			*cost = now;
		if (!i || now.cycles - now.least > most.cycles - most.least)
			most = now;
		if (!worst)
			break;
	}
	if (worst)
		*worst = most;
	return true;
}
