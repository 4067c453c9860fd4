/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of variables and floors in 64 bits. */
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/read_written.h"

#include <string.h>

void written_column(struct written_sum *sum, unsigned column)
{
	*sum = (struct written_sum){ .by = 1 };
	sum->coefficients[column] = 1;
}

void written_number(struct written_sum *sum, int64_t number)
{
	*sum = (struct written_sum){ .by = 1, .constant = number };
}

static unsigned columns(const struct written *written)
{
	return WRITTEN_VARIABLES + written->floor_count;
}

static void add_scaled(struct written *written, int64_t *to, int64_t factor,
	int64_t value)
{
	int64_t product;

	if (__builtin_mul_overflow(factor, value, &product) ||
	    __builtin_add_overflow(*to, product, to))
		written_refuse(written);
}

void written_scale(struct written *written, struct written_sum *sum, int64_t factor)
{
	if (factor == 1)
		return;
	if (__builtin_mul_overflow(sum->constant, factor, &sum->constant))
		written_refuse(written);
	for (unsigned i = 0; i < columns(written); i++)
		if (__builtin_mul_overflow(sum->coefficients[i], factor,
			&sum->coefficients[i]))
			written_refuse(written);
}

void written_divide(struct written *written, struct written_sum *sum, int64_t by)
{
	if (by <= 0 || __builtin_mul_overflow(sum->by, by, &sum->by))
		written_refuse(written);
}

void written_add(struct written *written, struct written_sum *sum, int64_t factor,
	const struct written_sum *other)
{
	int64_t shared = int_gcd(sum->by, other->by);
	int64_t ours = other->by / shared, theirs = sum->by / shared;

	written_scale(written, sum, ours);
	written_divide(written, sum, ours);
	if (__builtin_mul_overflow(factor, theirs, &factor))
		written_refuse(written);
	add_scaled(written, &sum->constant, factor, other->constant);
	for (unsigned i = 0; i < columns(written); i++)
		add_scaled(written, &sum->coefficients[i], factor,
			other->coefficients[i]);
}

/* The floor of an equal sum, if there was one. */
static unsigned find_floor(const struct written *written, const struct written_sum *sum)
{
	unsigned i = 0;

	while (i < written->floor_count &&
	    memcmp(&written->floors[i], sum, sizeof(*sum)) != 0)
		i++;
	return i;
}

void written_floor(struct written *written, struct written_sum *sum)
{
	unsigned floor;

	if (written->refused || sum->by == 1)
		return;
	floor = find_floor(written, sum);
	if (floor == WRITTEN_FLOORS) {
		written_refuse(written);
		return;
	}
	if (floor == written->floor_count) {
		written->floors[floor] = *sum;
		written->floor_count++;
	}
	written_column(sum, WRITTEN_VARIABLES + floor);
}
