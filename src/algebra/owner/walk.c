/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/owner.h"

#include <string.h>

void owner_walk_begin(struct owner_walk *walk, const struct owner *owner)
{
	walk->owner = owner;
	memset(walk->hw, 0, sizeof(walk->hw));
	memset(walk->values, 0, owner->digit_count * sizeof(*walk->values));
	memset(walk->xors, 0, owner->term_count * sizeof(*walk->xors));
	memset(walk->counts, 0, sizeof(walk->counts));
	memcpy(walk->at, owner->base, owner->rank * sizeof(*walk->at));
	for (unsigned t = 0; t < owner->term_count; t++)
		for (uint64_t rest = owner->terms[t].digits; rest; rest &= rest - 1) {
			unsigned i = (unsigned)__builtin_ctzll(rest);

			walk->of[i][walk->counts[i]++] = (uint8_t)t;
		}
}

static void set_digit(struct owner_walk *walk, unsigned i, int64_t value)
{
	int64_t change = walk->values[i] ^ value;

	walk->values[i] = value;
	for (unsigned n = 0; n < walk->counts[i]; n++) {
		unsigned t = walk->of[i][n];
		const struct owner_term *term = &walk->owner->terms[t];
		int64_t before = walk->xors[t];

		walk->xors[t] ^= change;
		walk->at[term->dim] += term->weight * (walk->xors[t] - before);
	}
}

/* The digits of a part have growing places. */
static void count_digits(struct owner_walk *walk, enum owner_part part)
{
	const struct owner *owner = walk->owner;

	for (unsigned i = 0; i < owner->digit_count; i++) {
		if (owner->digits[i].part != part)
			continue;
		if (walk->values[i] + 1 < owner->digits[i].radix) {
			set_digit(walk, i, walk->values[i] + 1);
			return;
		}
		set_digit(walk, i, 0);
	}
}

bool owner_walk_next(struct owner_walk *walk)
{
	for (unsigned part = OWNER_PARTS; part-- > 0; walk->hw[part] = 0) {
		count_digits(walk, part);
		if (++walk->hw[part] < walk->owner->extent[part])
			return true;
	}
	return false;
}
