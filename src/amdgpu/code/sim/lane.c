/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of one lane. */
#include "amdgpu/code/sim/operations.h"
#include "sim/number.h"

#include <math.h>
#include <string.h>

static void put_u32(const struct sim_site *site, unsigned char *block, uint32_t value)
{
	sim_result(site, block, &value);
}

/* Operands: mask, sum.  Bits of the mask, which is of one half of a wave, below the
 * lane's own. */
void amdgpu_count_below(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	unsigned lane = state->lane % state->group->wave_size;
	uint64_t mask = (uint64_t)sim_u32(site, block, 0) << 32 * site->row->number;
	uint64_t below = ((uint64_t)1 << lane) - 1;

	put_u32(site, block, sim_u32(site, block, 1) +
		(uint32_t)__builtin_popcountll(mask & below));
}

/* One byte by its selector: a byte of the eight, the sign of an odd one, 0 or 255. */
static uint32_t select_byte(uint64_t bytes, uint32_t selector)
{
	if (selector < 8)
		return bytes >> 8 * selector & 0xff;
	if (selector < 12)
		return bytes >> (16 * (selector - 8) + 15) & 1 ? 0xff : 0;
	return selector == 12 ? 0 : 0xff;
}

void amdgpu_select_bytes(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	uint64_t bytes = (uint64_t)sim_u32(site, block, 0) << 32 |
		sim_u32(site, block, 1);
	uint32_t selectors = sim_u32(site, block, 2), value = 0;

	(void)state;
	for (unsigned i = 0; i < 32; i += 8)
		value |= select_byte(bytes, selectors >> i & 0xff) << i;
	put_u32(site, block, value);
}

/* A factor of 24 bits, whose highest is a sign where the row says so. */
static int64_t factor(const struct sim_site *site, unsigned char *block, unsigned i)
{
	uint32_t value = sim_u32(site, block, i) << 8;

	return site->row->number ? (int32_t)value >> 8 : (int64_t)(value >> 8);
}

void amdgpu_multiply_24(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	int64_t product = factor(site, block, 0) * factor(site, block, 1);

	(void)state;
	sim_result(site, block, &product);
}

/* Operands: two pairs of halves, a float.  Rounded once. */
void amdgpu_add_products(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	const struct number_type *half = number_find("f16");
	uint32_t a = sim_u32(site, block, 0), b = sim_u32(site, block, 1);
	double sum;
	float single;

	(void)state;
	memcpy(&single, block + site->offset[2], sizeof(single));
	sum = (double)single;
	for (unsigned i = 0; i < 32; i += 16)
		sum += number_decode(half, a >> i & 0xffff, false) *
			number_decode(half, b >> i & 0xffff, false);
	single = (float)sum;
	sim_result(site, block, &single);
}

void amdgpu_wave_size(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	put_u32(site, block, state->group->wave_size);
}

/* An operand that is a float or a double. */
static double number(const struct sim_site *site, const unsigned char *block)
{
	double value;
	float single;

	memcpy(&value, block + site->offset[0], sizeof(value));
	memcpy(&single, block + site->offset[0], sizeof(single));
	return site->size[0] == sizeof(value) ? value : (double)single;
}

static void put_number(const struct sim_site *site, unsigned char *block, double value)
{
	float single = (float)value;

	sim_result(site, block, site->result_size == sizeof(value) ? (void *)&value :
		(void *)&single);
}

void amdgpu_reciprocal(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	(void)state;
	put_number(site, block, 1 / number(site, block));
}

/* In [1/2, 1). */
void amdgpu_significand(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	int exponent;

	(void)state;
	put_number(site, block, frexp(number(site, block), &exponent));
}

/* Of what is not finite, 0. */
void amdgpu_exponent(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	double value = number(site, block);
	int exponent = 0;

	(void)state;
	if (isfinite(value))
		frexp(value, &exponent);
	put_u32(site, block, (uint32_t)exponent);
}
