/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/owners.h"
#include "support/random.h"

#include <layout/value.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

struct owner *owner_of_text(layout_context *ctx, const char *text, const int64_t *box,
	unsigned rank, unsigned wave_size)
{
	layout_value *value = layout_value_parse(ctx, text);
	layout_relation *relation = layout_value_relation(value);
	struct owner *owner = owner_of_relation(ctx, relation, box, rank, wave_size);

	layout_relation_free(relation);
	layout_value_free(value);
	return owner;
}

void random_order(uint64_t *seed, unsigned *order, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned k = random_below(seed, i + 1);

		order[i] = order[k];
		order[k] = i;
	}
}

/* As many bits as the number has. */
static unsigned bits_of(int64_t extent)
{
	return 63 - (unsigned)__builtin_clzll((uint64_t)extent);
}

/* Bits of the hardware in any order, each the xor of some of the element's bits, by an
 * invertible matrix: columns are added to others. */
static struct owner *random_bits(layout_context *ctx, uint64_t *seed,
	const int64_t box[2], unsigned lanes, bool xors)
{
	struct owner *owner = layout_alloc(ctx, 1, sizeof(*owner));
	unsigned bits = bits_of(box[0]) + bits_of(box[1]), order[OWNER_DIGITS];
	unsigned spare = random_below(seed, 3) ? 0 : 1 + random_below(seed, 2);
	unsigned lane_bits = bits_of(lanes), count, subgroups = random_below(seed, 3);
	uint64_t sets[OWNER_DIGITS] = { 0 };

	count = bits + spare < lane_bits ? lane_bits : bits + spare;
	if (count - lane_bits < subgroups)
		subgroups = count - lane_bits;
	*owner = (struct owner){ .rank = 2, .box = { box[0], box[1] },
		.extent = { 1, 1, 1 } };
	for (unsigned i = 0; i < count; i++)
		owner_add_digit(owner, i < lane_bits ? OWNER_LANE :
			i < lane_bits + subgroups ? OWNER_SUBGROUP : OWNER_REGISTER, 2);
	random_order(seed, order, count);
	for (unsigned b = 0; b < bits; b++)
		sets[b] = (uint64_t)1 << order[b];
	for (unsigned k = 0; xors && k < 2 * bits; k++) {
		unsigned a = random_below(seed, bits), b = random_below(seed, bits);

		if (a != b)
			sets[a] ^= sets[b];
	}
	for (unsigned b = 0; b < bits; b++) {
		bool row = b < bits_of(box[0]);
		int64_t weight = (int64_t)1 << (row ? b : b - bits_of(box[0]));
		bool minus = xors && random_below(seed, 8) == 0;

		owner_add_term(owner, !row, sets[b], minus ? -weight : weight);
		if (minus)
			owner->base[!row] += weight;
	}
	return owner;
}

/* Registers, lanes, subgroups along one dimension, then the other, as nested layouts
 * have them. */
static struct owner *random_blocked(layout_context *ctx, uint64_t *seed,
	const int64_t box[2], unsigned lanes)
{
	unsigned order[2];

	random_order(seed, order, 2);
	return owner_blocked(ctx, box, 2, order, 1 << random_below(seed, 4), lanes,
		1 << random_below(seed, 3));
}

struct owner *random_owner(layout_context *ctx, uint64_t *seed, int64_t rows,
	int64_t columns, unsigned lanes)
{
	const int64_t box[] = { rows, columns };
	unsigned kind = random_below(seed, 3);

	return kind == 2 ? random_blocked(ctx, seed, box, lanes) :
		random_bits(ctx, seed, box, lanes, kind);
}
