/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/inverse_solve.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>
#include <string.h>

/* Most of the room is beyond what is in use. */
void cute_solutions_copy(struct cute_solutions *to, const struct cute_solutions *from)
{
	to->count = from->count;
	to->free = from->free;
	to->modulus = from->modulus;
	memcpy(to->value, from->value, from->count * sizeof(*from->value));
	for (unsigned j = 0; j < from->free; j++)
		memcpy(to->basis[j], from->basis[j], from->count * sizeof(*from->value));
}

void cute_solutions_add(struct cute_solutions *s)
{
	s->value[s->count] = 0;
	for (unsigned j = 0; j < s->free; j++)
		s->basis[j][s->count] = 0;
	memset(s->basis[s->free], 0, s->count * sizeof(*s->value));
	s->basis[s->free++][s->count++] = 1;
}

static int64_t reduced(const struct cute_solutions *s, int64_t x)
{
	return s->modulus ? int_mod(x, s->modulus) : x;
}

static bool dot(const int64_t *a, const int64_t *b, unsigned count, int64_t *sum)
{
	*sum = 0;
	for (unsigned i = 0; i < count; i++)
		if (!int_add_product(sum, a[i], b[i]))
			return false;
	return true;
}

/* to += factor * from. */
static bool add_row(const struct cute_solutions *s, int64_t *to, const int64_t *from,
	int64_t factor)
{
	for (unsigned i = 0; i < s->count; i++) {
		if (!int_add_product(&to[i], factor, from[i]))
			return false;
		to[i] = reduced(s, to[i]);
	}
	return true;
}

/* Combine the rows until one at most has a step that is not 0. */
static bool combine(struct cute_solutions *s, int64_t *steps, unsigned *row)
{
	for (bool done = false; !done;) {
		done = true;
		*row = 0;
		for (unsigned j = 1; j < s->free; j++)
			if (steps[j] && (!steps[*row] ||
					llabs(steps[j]) < llabs(steps[*row])))
				*row = j;
		for (unsigned j = 0; j < s->free; j++) {
			int64_t factor;

			if (j == *row || !steps[j])
				continue;
			factor = steps[j] / steps[*row];
			steps[j] %= steps[*row];
			done = done && !steps[j];
			if (!add_row(s, s->basis[j], s->basis[*row], -factor))
				return false;
		}
	}
	return true;
}

bool cute_solutions_sum(struct cute_solutions *s, const int64_t *factors,
	struct cute_sum *sum)
{
	int64_t steps[CUTE_UNKNOWNS];
	bool chosen = false;

	sum->step = 0;
	if (!dot(factors, s->value, s->count, &sum->value))
		return false;
	sum->value = reduced(s, sum->value);
	for (unsigned j = 0; j < s->free; j++) {
		if (!dot(factors, s->basis[j], s->count, &steps[j]))
			return false;
		steps[j] = reduced(s, steps[j]);
		chosen = chosen || steps[j];
	}
	if (!chosen)
		return true;
	if (!combine(s, steps, &sum->row))
		return false;
	sum->step = steps[sum->row];
	return true;
}

/* The multiple of a step that makes "rest" modulo "modulus", which are both multiples
 * of the gcd of step and modulus. */
static int64_t multiple(int64_t step, int64_t modulus, int64_t rest)
{
	int64_t a = step, b = modulus, x = 1, y = 0;

	while (b) {
		int64_t quotient = a / b, next = a - quotient * b, other = x - quotient * y;

		a = b;
		b = next;
		x = y;
		y = other;
	}
	modulus /= a;
	return int_mod((int64_t)((__int128)(rest / a) * x % modulus), modulus);
}

layout_answer cute_solutions_take(struct cute_solutions *s, const struct cute_sum *sum,
	int64_t value)
{
	int64_t rest, step = sum->step, *row = s->basis[sum->row];

	if (__builtin_sub_overflow(value, sum->value, &rest))
		return LAYOUT_UNKNOWN;
	if (s->modulus)
		step = int_gcd(step, s->modulus);
	if (rest % step)
		return LAYOUT_NO;
	if (!add_row(s, s->value, row, s->modulus ?
			multiple(sum->step, s->modulus, rest) : rest / step))
		return LAYOUT_UNKNOWN;
	if (!s->modulus) {
		memmove(row, s->basis[--s->free], s->count * sizeof(*row));
		return LAYOUT_YES;
	}
	return add_row(s, row, row, s->modulus / step - 1) ? LAYOUT_YES : LAYOUT_UNKNOWN;
}
