/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of 49 elements that follow each other on a side begin anywhere in its lines.  Where n
 * counts the elements of all of them, this side is n, and can be cut anywhere; the other has
 * n mod 49 and floor(n / 49).  The two meet again every 49 * 64 elements, say, which a tile
 * has all of. */
#include "algebra/factor/run.h"
#include "isl_bridge/index_sum.h"

#include <string.h>

/* Rows of a tile: at most, and so that it is worth the way. */
enum { MOST_ROWS = 128, LEAST_ROWS = 2 };

/* Of the rows that there are at most one in so many is copied for nothing. */
enum { LEAST_SHARE = 8 };

/* The only slot of a side in a dimension, if it has all of it; else NULL. */
static struct factor_slot *whole_slot(const struct factors *factors, enum factor_side side,
	unsigned dim)
{
	struct factor_slot *found = NULL;

	for (unsigned k = 0; k < factors->slot_count[side]; k++) {
		struct factor_slot *slot = &factors->slots[side][k];

		if (slot->digit.dim != dim)
			continue;
		if (found || slot->digit.step != 1 || slot->digit.radix)
			return NULL;
		found = slot;
	}
	return found;
}

/* Have both sides the same elements of it, in the same order? */
static bool is_plain(const struct factor_dim *dim)
{
	return !dim->single && !dim->backward && index_is(dim->low, 0) &&
		index_equal(dim->high, dim->end);
}

/* Can the last slot of a side be the digit that ends with the rows? */
static bool ends_with_rows(const struct factors *factors, enum factor_side side, unsigned dim,
	int64_t row)
{
	for (unsigned k = 0; k < factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &factors->slots[side][k];

		if (slot->digit.dim == dim && !slot->digit.radix && row % slot->digit.step)
			return false;
	}
	return true;
}

/* How many rows a tile has; 0: it is not worth it. */
static int64_t rows_of(const struct factor_dim *rows, int64_t row, int64_t most)
{
	int64_t count = MOST_ROWS, all = rows->end->op == INDEX_INT ? rows->end->value : 0;

	while (count && (count > most / row || (all && (all + count - 1) / count * count >
	       all + all / LEAST_SHARE)))
		count /= 2;
	return count < LEAST_ROWS ? 0 : count;
}

/* What joins two dimensions: elements of a row are "inner", and rows "outer". */
struct run {
	enum factor_side side, other;
	unsigned outer, inner;
	int64_t most;
};

static bool is_run(const struct factors *factors, const struct run *run)
{
	const struct factor_dim *row = &factors->dims[run->inner];
	const struct factor_slot *a = whole_slot(factors, run->side, run->outer);
	const struct factor_slot *b = whole_slot(factors, run->side, run->inner);

	return run->outer != run->inner && a && b && row->end->op == INDEX_INT &&
		row->end->value > 1 && index_is(b->pitch, 1) &&
		index_is(a->pitch, row->end->value) && is_plain(row) &&
		is_plain(&factors->dims[run->outer]) &&
		ends_with_rows(factors, run->other, run->inner, row->end->value) &&
		rows_of(&factors->dims[run->outer], row->end->value, run->most);
}

/* The logical dimensions of "outer", then those of "inner", at the end of the order. */
static void join_order(struct factors *factors, const struct run *run)
{
	unsigned order[2 * FACTOR_DIGITS], used = 0;

	for (unsigned pass = 0; pass < 3; pass++)
		for (unsigned d = 0; d < factors->dim_count; d++) {
			struct factor_dim *dim = &factors->dims[d];

			if (pass != (d == run->outer ? 1u : d == run->inner ? 2u : 0u))
				continue;
			memcpy(order + used, factors->order + dim->first,
				dim->count * sizeof(*order));
			dim->first = used;
			used += dim->count;
		}
	memcpy(factors->order, order, used * sizeof(*order));
}

/* The slots of the side that joins are one, and those of the other count in elements. */
static void join_slots(struct factors *factors, const struct run *run, int64_t row)
{
	struct factor_slot *rows = whole_slot(factors, run->side, run->outer);

	index_free(rows->pitch);
	*rows = factors->slots[run->side][--factors->slot_count[run->side]];
	for (unsigned k = 0; k < factors->slot_count[run->other]; k++) {
		struct digit *digit = &factors->slots[run->other][k].digit;

		if (digit->dim == run->outer)
			digit->step *= row;
		else if (digit->dim == run->inner && !digit->radix)
			digit->radix = row / digit->step;
	}
}

/* "inner" is no more, and those behind it come earlier. */
static void drop_dim(struct factors *factors, unsigned outer, unsigned inner)
{
	struct factor_dim *row = &factors->dims[inner];

	index_free(row->low);
	index_free(row->high);
	index_free(row->end);
	memmove(row, row + 1, (--factors->dim_count - inner) * sizeof(*row));
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned k = 0; k < factors->slot_count[side]; k++) {
			unsigned *dim = &factors->slots[side][k].digit.dim;

			*dim = *dim == inner ? outer : *dim;
			*dim -= *dim > inner;
		}
}

static bool join(struct factors *factors, const struct run *run)
{
	struct factor_dim *rows = &factors->dims[run->outer];
	int64_t row = factors->dims[run->inner].end->value;

	rows->run = row * rows_of(rows, row, run->most);
	rows->run_side = run->side;
	rows->end = index_binary(INDEX_MUL, rows->end, index_int(row));
	rows->high = index_binary(INDEX_MUL, rows->high, index_int(row));
	join_order(factors, run);
	rows->count += factors->dims[run->inner].count;
	join_slots(factors, run, row);
	if (!rows->end || !rows->high)
		return false;
	drop_dim(factors, run->outer, run->inner);
	return true;
}

bool run_dims(struct factors *factors, const struct factor_input *input)
{
	const layout_remap *remap = input->remap;
	struct run run = { input->run_side,
		input->run_side == FACTOR_STORE ? FACTOR_LOAD : FACTOR_STORE, 0, 0,
		input->most_run };

	if (remap->map || remap->source->twist_count || remap->destination->twist_count ||
	    remap->source->units || remap->destination->units)
		return true;
	for (; run.inner < factors->dim_count; run.inner++)
		for (run.outer = 0; run.outer < factors->dim_count; run.outer++)
			if (is_run(factors, &run))
				return join(factors, &run);
	return true;
}
