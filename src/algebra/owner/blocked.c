/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The owner that is found where none is given. */
#include "algebra/owner/owner.h"
#include "isl_bridge/arithmetic.h"

#include <string.h>

/* What is to be distributed yet of each dimension. */
struct rest {
	struct owner *owner;
	int64_t extents[OWNER_RANK];
};

/* The largest divisor up to "most": what it has in common with that, unless another is at
 * least twice as large. */
static int64_t part_of(int64_t extent, int64_t most)
{
	int64_t common = int_gcd(extent, most), largest = most;

	while (extent % largest)
		largest--;
	return largest >= 2 * common ? largest : common;
}

/* The next digit of a part holds so many of what is left of a dimension. */
static void take(struct rest *rest, enum owner_part part, unsigned dim, int64_t radix)
{
	struct owner *owner = rest->owner;
	uint64_t digit = (uint64_t)1 << owner->digit_count;

	if (radix > 1) {
		owner_add_term(owner, dim, digit, owner->box[dim] / rest->extents[dim]);
		owner_add_digit(owner, part, radix);
	}
	rest->extents[dim] /= radix;
}

/* Up to "most" points of a part, "first" of them along the first dimension, dimension after
 * dimension; a last digit in no term where there is nothing left for it. */
static void distribute(struct rest *rest, const unsigned *order, enum owner_part part,
	int64_t most, int64_t first)
{
	struct owner *owner = rest->owner;

	for (unsigned k = 0; k < owner->rank; k++)
		take(rest, part, order[k], part_of(rest->extents[order[k]],
			k ? most / owner->extent[part] : first));
	if (most % owner->extent[part] == 0)
		owner_add_digit(owner, part, most / owner->extent[part]);
}

/* Never more than a few digits a dimension: there is room for them. */
static void distribute_all(struct rest *rest, const unsigned *order, unsigned vector,
	const struct owner_counts *counts)
{
	struct owner *owner = rest->owner;

	if (owner->rank)
		take(rest, OWNER_REGISTER, order[0],
			int_gcd(owner->box[order[0]], vector));
	distribute(rest, order, OWNER_LANE, counts->lanes, counts->first_lanes);
	distribute(rest, order, OWNER_SUBGROUP, counts->subgroups, counts->first_subgroups);
	for (unsigned k = 0; k < owner->rank; k++)
		take(rest, OWNER_REGISTER, order[k], rest->extents[order[k]]);
}

struct owner *owner_arranged(layout_context *ctx, const int64_t *box, unsigned rank,
	const unsigned *order, unsigned vector, const struct owner_counts *counts)
{
	struct rest rest = { NULL };

	if (rank > OWNER_RANK) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tile has at most %d dimensions", OWNER_RANK);
		return NULL;
	}
	rest.owner = layout_alloc(ctx, 1, sizeof(*rest.owner));
	if (!rest.owner)
		return NULL;
	rest.owner->rank = rank;
	memcpy(rest.owner->box, box, rank * sizeof(*box));
	memcpy(rest.extents, box, rank * sizeof(*box));
	for (unsigned part = 0; part < OWNER_PARTS; part++)
		rest.owner->extent[part] = 1;
	distribute_all(&rest, order, vector, counts);
	return rest.owner;
}

struct owner *owner_blocked(layout_context *ctx, const int64_t *box, unsigned rank,
	const unsigned *order, unsigned vector, unsigned lanes, unsigned subgroups)
{
	return owner_arranged(ctx, box, rank, order, vector, &(struct owner_counts){ lanes, lanes,
		subgroups, subgroups });
}
