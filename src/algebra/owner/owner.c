/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/owner.h"
#include "algebra/f2/bits.h"
#include "algebra/f2/span.h"

#include <stdlib.h>
#include <string.h>

struct owner *owner_copy(layout_context *ctx, const struct owner *owner)
{
	struct owner *copy = owner ? layout_alloc(ctx, 1, sizeof(*copy)) : NULL;

	if (copy)
		*copy = *owner;
	return copy;
}

void owner_free(struct owner *owner)
{
	free(owner);
}

bool owner_add_digit(struct owner *owner, enum owner_part part, int64_t radix)
{
	if (radix == 1)
		return true;
	if (owner->digit_count == OWNER_DIGITS)
		return false;
	owner->digits[owner->digit_count++] = (struct owner_digit){ part,
		owner->extent[part], radix };
	owner->extent[part] *= radix;
	return true;
}

bool owner_add_term(struct owner *owner, unsigned dim, uint64_t digits, int64_t weight)
{
	if (owner->term_count == OWNER_TERMS)
		return false;
	owner->terms[owner->term_count++] = (struct owner_term){ dim, digits, weight };
	return true;
}

/* Numbers of points are small, and divided the quicker as such; mostly by powers of two. */
static int64_t digit_of(const struct owner_digit *digit, const int64_t hw[OWNER_PARTS])
{
	uint32_t number = (uint32_t)hw[digit->part], place = (uint32_t)digit->place;
	uint32_t radix = (uint32_t)digit->radix;

	if (!(place & (place - 1)) && !(radix & (radix - 1)))
		return number >> __builtin_ctz(place) & (radix - 1);
	return number / place % radix;
}

void owner_point(const struct owner *owner, const int64_t hw[OWNER_PARTS],
	int64_t *coordinates)
{
	int64_t values[OWNER_DIGITS];

	for (unsigned i = 0; i < owner->digit_count; i++)
		values[i] = digit_of(&owner->digits[i], hw);
	memcpy(coordinates, owner->base, owner->rank * sizeof(*coordinates));
	for (unsigned i = 0; i < owner->term_count; i++) {
		int64_t value = 0;

		for (uint64_t rest = owner->terms[i].digits; rest; rest &= rest - 1)
			value ^= values[__builtin_ctzll(rest)];
		coordinates[owner->terms[i].dim] += owner->terms[i].weight * value;
	}
}

bool owner_next(const struct owner *owner, int64_t hw[OWNER_PARTS])
{
	for (unsigned part = OWNER_PARTS; part-- > 0; hw[part] = 0)
		if (++hw[part] < owner->extent[part])
			return true;
	return false;
}

int64_t owner_elements(const struct owner *owner)
{
	int64_t count = 1;

	for (unsigned d = 0; d < owner->rank; d++)
		count *= owner->box[d];
	return count;
}

int64_t owner_element(const struct owner *owner, const int64_t *coordinates)
{
	int64_t number = 0;

	for (unsigned d = 0; d < owner->rank; d++)
		number = number * owner->box[d] + coordinates[d];
	return number;
}

bool owner_equal(const struct owner *a, const struct owner *b)
{
	struct owner_walk x, y;
	size_t size = a->rank * sizeof(*x.at);

	if (a->rank != b->rank || memcmp(a->box, b->box, size) ||
	    memcmp(a->extent, b->extent, sizeof(a->extent)))
		return false;
	owner_walk_begin(&x, a);
	owner_walk_begin(&y, b);
	do {
		if (memcmp(x.at, y.at, size))
			return false;
	} while (owner_walk_next(&x) && owner_walk_next(&y));
	return true;
}

bool owner_is_apart(const struct owner *owner)
{
	for (unsigned d = 0; d < owner->rank; d++) {
		bool flips = false, apart = true;
		int64_t taken = 0;

		for (unsigned i = 0; i < owner->term_count; i++) {
			const struct owner_term *term = &owner->terms[i];
			int64_t bit = term->weight < 0 ? -term->weight : term->weight;

			if (term->dim != d)
				continue;
			flips = flips || (term->digits & (term->digits - 1));
			apart = apart && !(bit & (bit - 1)) && !(taken & bit) &&
				!(owner->base[d] & bit) == (term->weight > 0);
			taken |= bit;
		}
		if (flips && !apart)
			return false;
	}
	return true;
}

bool owner_is_replicated(const struct owner *owner)
{
	return owner_points(owner) > owner_elements(owner);
}

/* A digit that is in the same terms as others together adds nothing to what they reach.
 * Registers are gone through first: a lane that stores, stores all that it can. */
bool owner_guard(const struct owner *owner, uint64_t *digits)
{
	static const enum owner_part order[] = { OWNER_REGISTER, OWNER_LANE,
		OWNER_SUBGROUP };
	int64_t once = owner_points(owner);
	struct f2_span span;

	*digits = 0;
	f2_span_begin(&span, OWNER_TERMS / 64, OWNER_DIGITS);
	for (unsigned k = 0; k < OWNER_PARTS; k++)
		for (unsigned i = 0; i < owner->digit_count; i++) {
			uint64_t *row;

			if (owner->digits[i].part != order[k])
				continue;
			row = f2_span_row(&span);
			for (unsigned t = 0; t < owner->term_count; t++)
				if (owner->terms[t].digits >> i & 1)
					bits_flip(row, t);
			if (f2_span_add(&span, i))
				continue;
			*digits |= (uint64_t)1 << i;
			once /= owner->digits[i].radix;
		}
	return once == owner_elements(owner);
}
