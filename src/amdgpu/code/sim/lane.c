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

/* In [0, 1): below 1 also where the difference is rounded to that. */
void amdgpu_fraction(struct sim_state *state, const struct sim_site *site, unsigned char *block)
{
	double value = number(site, block), fraction = value - floor(value);
	double below = site->result_size == sizeof(value) ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1;

	(void)state;
	put_number(site, block, fraction > below ? below : fraction);
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

/* 2/pi, 1201 bits behind the point. */
static const uint64_t two_over_pi[] = {
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000, 0,
};

enum { FRACTION_BITS = 53, EXPONENT_MOST = 1077, EXPONENT_HUGE = 1968 };

/* So many bits of 2/pi, from one on that an angle's exponent and the number of the part say, as a
 * number; that of a huge angle is scaled (ISA guide, V_TRIG_PREOP_F64). */
void amdgpu_part_of_turns(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	double angle = number(site, block);
	unsigned shift = FRACTION_BITS * (sim_u32(site, block, 1) & 31), word;
	uint64_t bits = 0;
	int exponent;

	(void)state;
	memcpy(&bits, &angle, sizeof(bits));
	exponent = (int)(bits >> 52 & 0x7ff);
	if (exponent > EXPONENT_MOST)
		shift += (unsigned)(exponent - EXPONENT_MOST);
	word = shift / 64;
	bits = 0;
	if (word + 1 < sizeof(two_over_pi) / sizeof(*two_over_pi))
		bits = two_over_pi[word] << shift % 64 |
			(shift % 64 ? two_over_pi[word + 1] >> (64 - shift % 64) : 0);
	put_number(site, block, ldexp((double)(bits >> (64 - FRACTION_BITS)), (exponent >=
		EXPONENT_HUGE ? 128 : 0) - FRACTION_BITS - (int)shift));
}
