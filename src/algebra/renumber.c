/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of one box as those of another, by their numbers. */
#include "algebra/forms.h"
#include "isl_bridge/objects.h"

#include <layout/view.h>

#include <isl/constraint.h>
#include <stdlib.h>

#define BITS 62

/* The k-th coordinate by speed. */
static unsigned by_speed(layout_box box, layout_order order, unsigned k)
{
	return order == LAYOUT_ORDER_COLEX ? k : box.rank - 1 - k;
}

/* "4 * 8 = 32" for messages. */
static char *box_str(layout_box box, int64_t count)
{
	struct layout_buffer out = { 0 };

	for (unsigned i = 0; i < box.rank; i++)
		layout_buffer_printf(&out, "%s%lld", i ? " * " : "",
			(long long)box.sizes[i]);
	if (box.rank != 1)
		layout_buffer_printf(&out, "%s%lld", box.rank ? " = " : "",
			(long long)count);
	return out.text;
}

/* The number of points; false with the error on the context. */
static bool count_points(layout_context *ctx, layout_box box, int64_t *count)
{
	bool empty = false, overflow = false;

	*count = 1;
	if (box.rank && !layout_given(ctx, box.sizes, "list of sizes"))
		return false;
	for (unsigned i = 0; i < box.rank; i++) {
		if (box.sizes[i] < 0) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"a size must be at least 0, not %lld",
				(long long)box.sizes[i]);
			return false;
		}
		empty = empty || !box.sizes[i];
		overflow = __builtin_mul_overflow(*count, box.sizes[i] ? box.sizes[i] : 1,
			count) || overflow;
	}
	if (overflow)
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the sizes multiply to more than 64 bits hold");
	*count = empty ? 0 : *count;
	return !overflow;
}

static bool counts_meet(layout_context *ctx, layout_box from, layout_box to,
	int64_t *count)
{
	int64_t other;
	char *a, *b;

	if (!count_points(ctx, from, count) || !count_points(ctx, to, &other))
		return false;
	if (*count == other)
		return true;
	a = box_str(from, *count);
	b = box_str(to, other);
	layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
		"%s points cannot be seen as %s", a ? a : "?", b ? b : "?");
	free(a);
	free(b);
	return false;
}

static bool all_powers(layout_box box)
{
	for (unsigned i = 0; i < box.rank; i++)
		if (box.sizes[i] < 1 || box.sizes[i] & (box.sizes[i] - 1))
			return false;
	return true;
}

static void widths_of(layout_box box, unsigned *widths)
{
	for (unsigned i = 0; i < box.rank; i++)
		widths[i] = (unsigned)__builtin_ctzll((unsigned long long)box.sizes[i]);
}

/* Where a bit of the number lies: the bit-th of the coordinate. */
struct place {
	unsigned k, coordinate, bit;
};

static struct place next_place(layout_box box, layout_order order,
	const unsigned *widths, struct place place)
{
	while (place.bit == (place.k < box.rank ? widths[place.coordinate] : BITS)) {
		place.bit = 0;
		place.k++;
		if (place.k < box.rank)
			place.coordinate = by_speed(box, order, place.k);
	}
	return place;
}

/* The bits of the number go from their places in one box to those in the other. */
static void move_bits(struct f2 *f2, layout_box from, layout_box to, layout_order order)
{
	struct place in = { 0, by_speed(from, order, 0), 0 };
	struct place out = { 0, by_speed(to, order, 0), 0 };

	for (unsigned bit = 0; bit < f2->in_bits; bit++, in.bit++, out.bit++) {
		in = next_place(from, order, f2->in_widths, in);
		out = next_place(to, order, f2->out_widths, out);
		f2_toggle(f2, f2_in_begin(f2, in.coordinate) + in.bit, out.coordinate,
			(uint64_t)1 << out.bit);
	}
}

static layout_relation *by_bits(layout_context *ctx, layout_box from, layout_box to,
	layout_order order)
{
	unsigned *widths = layout_alloc(ctx, from.rank + to.rank, sizeof(*widths));
	struct f2 *f2 = NULL;

	if (widths) {
		widths_of(from, widths);
		widths_of(to, widths + from.rank);
		f2 = f2_new(ctx, from.rank, widths, to.rank, widths + from.rank);
	}
	if (f2)
		move_bits(f2, from, to, order);
	free(widths);
	return f2 ? form_f2_relation(ctx, f2) : NULL;
}

/* One side of an equation in the making: the next coordinate by speed, and the
 * product of the sizes before it. */
struct side {
	isl_ctx *isl;
	layout_box box;
	enum isl_dim_type type;
	unsigned k;
	int64_t weight;
};

static isl_constraint *add_term(isl_constraint *sum, struct side *side, layout_order order)
{
	unsigned i = by_speed(side->box, order, side->k++);
	int64_t factor = side->type == isl_dim_in ? side->weight : -side->weight;

	side->weight *= side->box.sizes[i];
	return isl_constraint_set_coefficient_val(sum, side->type, (int)i,
		isl_val_int_from_si(side->isl, factor));
}

/* The fastest coordinates of both boxes that have as many points altogether have the
 * same number; so no equation is longer than it must be. */
static isl_map *add_group(isl_map *map, struct side *from, struct side *to,
	layout_order order)
{
	isl_constraint *sum = isl_constraint_alloc_equality(
		isl_local_space_from_space(isl_map_get_space(map)));

	from->weight = to->weight = 1;
	do {
		bool left = from->k < from->box.rank && (from->weight <= to->weight ||
			to->k == to->box.rank);

		sum = add_term(sum, left ? from : to, order);
	} while (from->weight != to->weight);
	return isl_map_add_constraint(map, sum);
}

static isl_map *bound(isl_map *map, const struct side *side)
{
	for (unsigned i = 0; i < side->box.rank; i++) {
		map = isl_map_lower_bound_si(map, side->type, i, 0);
		map = isl_map_upper_bound_val(map, side->type, i,
			isl_val_int_from_si(side->isl, side->box.sizes[i] - 1));
	}
	return map;
}

/* Equations instead of floors: isl finds those that are needed.  Of no points, the empty
 * relation of these ranks. */
static layout_relation *by_digits(layout_context *ctx, layout_box from, layout_box to,
	layout_order order, bool any)
{
	isl_ctx *isl = bridge_isl(ctx);
	struct side x = { isl, from, isl_dim_in, 0, 1 }, y = { isl, to, isl_dim_out, 0, 1 };
	isl_space *space;
	isl_map *map;

	bridge_enter(ctx);
	space = isl_space_alloc(isl, 0, from.rank, to.rank);
	map = any ? bound(bound(isl_map_universe(space), &x), &y) : isl_map_empty(space);
	while (any && (x.k < from.rank || y.k < to.rank))
		map = add_group(map, &x, &y, order);
	return bridge_give_relation(ctx, "see as another box", map, NULL, NULL);
}

layout_relation *layout_relation_renumber(layout_context *ctx, layout_box from,
	layout_box to, layout_order order)
{
	int64_t count;

	if (!ctx || !counts_meet(ctx, from, to, &count))
		return NULL;
	if (count && all_powers(from) && all_powers(to))
		return by_bits(ctx, from, to, order);
	return by_digits(ctx, from, to, order, count);
}
