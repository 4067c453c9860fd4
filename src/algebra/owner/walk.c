/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/owner.h"

#include <string.h>

/* What the digits of a part add where they count; "again" where all begin again. */
static void find_changes(struct owner_walk *walk, enum owner_part part)
{
	const struct owner *owner = walk->owner;
	int64_t *again = walk->again[part];

	memset(again, 0, owner->rank * sizeof(*again));
	walk->sums[part] = true;
	walk->list_count[part] = 0;
	for (unsigned i = 0; i < owner->digit_count; i++) {
		int64_t *change = walk->change[i];

		if (owner->digits[i].part != part)
			continue;
		walk->list[part][walk->list_count[part]++] = (uint8_t)i;
		memcpy(change, again, owner->rank * sizeof(*change));
		for (unsigned n = 0; n < walk->counts[i]; n++) {
			const struct owner_term *term = &owner->terms[walk->of[i][n]];

			walk->sums[part] = walk->sums[part] && !(term->digits & (term->digits - 1));
			change[term->dim] += term->weight;
			again[term->dim] -= (owner->digits[i].radix - 1) * term->weight;
		}
	}
}

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
	for (unsigned part = 0; part < OWNER_PARTS; part++)
		find_changes(walk, part);
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

static void add_change(struct owner_walk *walk, const int64_t *change)
{
	for (unsigned d = 0; d < walk->owner->rank; d++)
		walk->at[d] += change[d];
}

/* The same where they add up: the first digit that is not at its end counts. */
static void count_sums(struct owner_walk *walk, enum owner_part part)
{
	const struct owner *owner = walk->owner;

	for (unsigned n = 0; n < walk->list_count[part]; n++) {
		unsigned i = walk->list[part][n];

		if (++walk->values[i] < owner->digits[i].radix) {
			add_change(walk, walk->change[i]);
			return;
		}
		walk->values[i] = 0;
	}
	add_change(walk, walk->again[part]);
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

/* The parts before "end" count, the last of them fastest. */
static bool count(struct owner_walk *walk, unsigned end)
{
	for (unsigned part = end; part-- > 0; walk->hw[part] = 0) {
		(walk->sums[part] ? count_sums : count_digits)(walk, part);
		if (++walk->hw[part] < walk->owner->extent[part])
			return true;
	}
	return false;
}

bool owner_walk_next(struct owner_walk *walk)
{
	return count(walk, OWNER_PARTS);
}

bool owner_walk_next_lane(struct owner_walk *walk)
{
	return count(walk, OWNER_REGISTER);
}
