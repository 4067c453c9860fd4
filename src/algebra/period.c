/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/period.h"

#include "isl_bridge/aff.h"
#include "isl_bridge/arithmetic.h"

#include <isl/ilp.h>
#include <stdlib.h>

/* Points of a box that are looked at. */
#define MOST_POINTS ((int64_t)1 << 18)

#define LONGEST_PERIOD ((int64_t)1 << 30)

/* Multiply the shifts of all values by "factor", and the period. */
static bool stretch(int64_t *shifts, unsigned count, int64_t *period, int64_t factor)
{
	bool good = !__builtin_mul_overflow(*period, factor, period) &&
		*period <= LONGEST_PERIOD;

	for (unsigned i = 0; good && i < count; i++)
		good = !__builtin_mul_overflow(shifts[i], factor, &shifts[i]);
	return good;
}

/* By how much each value moves where "input" does by the period, which is found: every
 * floor's sum moves by a multiple of what it is divided by. */
static bool find_shifts(const struct program *program, unsigned input, int64_t *shifts,
	int64_t *period)
{
	*period = 1;
	for (unsigned i = 0; i < program->value_count; i++)
		shifts[i] = i == input;
	for (unsigned i = 0; i < program->function_end; i++) {
		const struct program_row *row = &program->rows[i];
		int64_t sum = 0, common;

		for (unsigned k = 0; k < row->count; k++) {
			const struct program_term *term = &program->terms[row->first + k];

			if (!int_add_product(&sum, term->factor, shifts[term->value]))
				return false;
		}
		common = int_gcd(sum < 0 ? -sum : sum, row->by);
		if (!stretch(shifts, program->value_count, period, row->by / common))
			return false;
		shifts[row->value] = sum / common;
	}
	return true;
}

/* Do both functions step alike where the input does by "period", a multiple of the
 * periods "f" and "g" that the shifts are of? */
static bool same_steps(const struct period *c, const int64_t *shifts_f, int64_t f,
	const int64_t *shifts_g, int64_t g, int64_t period)
{
	for (unsigned k = c->rank; k < c->rank + c->f.out_rank; k++) {
		int64_t a, b;

		if (__builtin_mul_overflow(shifts_f[k], period / f, &a) ||
		    __builtin_mul_overflow(shifts_g[k], period / g, &b) || a != b)
			return false;
	}
	return true;
}

/* Look at all of an input that has no more than a period, else at one period; where the
 * steps differ, f(x) or f(x + period) does, but perhaps not in the domain. */
static bool find_reach(struct period *c, unsigned input, int64_t *shifts)
{
	int64_t *other = shifts + c->f.value_count, f, g, period;
	struct reach *reach = &c->reach[input];

	if (!find_shifts(&c->f, input, shifts, &f) ||
	    !find_shifts(&c->g, input, other, &g) ||
	    __builtin_mul_overflow(f / int_gcd(f, g), g, &period))
		return false;
	reach->period = period;
	if (reach->bounded && reach->high - reach->low < period)
		return true;
	if (period > LONGEST_PERIOD)
		return false;
	reach->repeats = same_steps(c, shifts, f, other, g, period);
	c->partial = c->partial || !reach->repeats;
	reach->high = reach->low + (reach->repeats ? period : 2 * period) - 1;
	return true;
}

/* The bounds of dimension "dim", a number of small size each, or INT64_MAX. */
static int64_t small_bound(isl_val *value)
{
	bool small = isl_val_is_int(value) == isl_bool_true &&
		isl_val_cmp_si(value, LONGEST_PERIOD) <= 0 &&
		isl_val_cmp_si(value, -LONGEST_PERIOD) >= 0;
	int64_t bound = small ? isl_val_get_num_si(value) : INT64_MAX;

	isl_val_free(value);
	return bound;
}

static bool find_bounds(struct period *c, isl_set *set)
{
	bridge_begin_attempt(c->ctx, BUDGET_BOUNDS);
	for (unsigned i = 0; i < c->rank; i++) {
		int64_t low = small_bound(isl_set_dim_min_val(isl_set_copy(set), (int)i));
		int64_t high = small_bound(isl_set_dim_max_val(isl_set_copy(set), (int)i));

		c->reach[i] = (struct reach){ low == INT64_MAX ? 0 : low, high, 0,
			low != INT64_MAX && high != INT64_MAX, false };
	}
	return bridge_end_attempt(c->ctx);
}

/* The box to look at, and the functions made ready for it. */
static bool find_box(struct period *c, isl_set *set)
{
	unsigned values = c->f.value_count + c->g.value_count;
	int64_t *shifts = layout_alloc(c->ctx, values + 2 * c->rank, sizeof(*shifts));
	int64_t *least = shifts + values, *most = least + c->rank, points = 1;
	bool good = shifts && c->reach && find_bounds(c, set);

	for (unsigned i = 0; good && i < c->rank; i++) {
		good = find_reach(c, i, shifts) && !__builtin_mul_overflow(points,
			c->reach[i].high - c->reach[i].low + 1, &points) &&
			points <= MOST_POINTS;
		least[i] = c->reach[i].low;
		most[i] = c->reach[i].high;
	}
	good = good && program_fits(&c->f, least, most) &&
		program_fits(&c->g, least, most);
	free(shifts);
	return good;
}

/* Without the parameters, of which the function has to make no use. */
static bool start_program(struct program *program, layout_context *ctx,
	isl_multi_aff *function)
{
	isl_size params = isl_multi_aff_dim(function, isl_dim_param);
	bool good = params >= 0 && isl_multi_aff_involves_dims(function, isl_dim_param, 0,
		(unsigned)params) == isl_bool_false;

	*program = (struct program){ 0 };
	if (!good)
		return false;
	function = isl_multi_aff_drop_dims(isl_multi_aff_copy(function), isl_dim_param, 0,
		(unsigned)params);
	good = function && program_start(program, ctx, function);
	isl_multi_aff_free(function);
	return good;
}

static void go_to_first(struct period *c)
{
	for (unsigned i = 0; i < c->rank; i++)
		c->f.values[i] = c->reach[i].low;
}

bool period_start(struct period *c, layout_context *ctx, isl_multi_aff *f,
	isl_multi_aff *g, isl_set *set)
{
	isl_size rank = isl_set_dim(set, isl_dim_set);

	*c = (struct period){ .ctx = ctx, .rank = rank < 0 ? 0 : (unsigned)rank };
	c->reach = layout_alloc(ctx, c->rank, sizeof(*c->reach));
	if (rank < 0 || !start_program(&c->f, ctx, f) || !start_program(&c->g, ctx, g) ||
	    !find_box(c, set))
		return false;
	go_to_first(c);
	return true;
}

void period_free(struct period *c)
{
	program_free(&c->f);
	program_free(&c->g);
	free(c->reach);
}

bool period_next_point(struct period *c)
{
	for (unsigned i = c->rank; i-- > 0;) {
		if (c->f.values[i]++ < c->reach[i].high)
			return true;
		c->f.values[i] = c->reach[i].low;
	}
	return false;
}

bool period_find_difference(struct period *c)
{
	do {
		bool same = true;

		for (unsigned i = 0; i < c->rank; i++)
			c->g.values[i] = c->f.values[i];
		program_run(&c->f);
		program_run(&c->g);
		for (unsigned k = c->rank; same && k < c->rank + c->f.out_rank; k++)
			same = c->f.values[k] == c->g.values[k];
		if (!same)
			return true;
	} while (period_next_point(c));
	return false;
}

isl_set *period_points_like(const struct period *c, isl_set *set)
{
	isl_space *space = isl_set_get_space(set);

	for (unsigned i = 0; i < c->rank; i++) {
		isl_aff *away = isl_aff_sub(aff_coordinate(space, i),
			aff_number(space, c->f.values[i]));

		if (c->reach[i].repeats)
			away = aff_mod(away, c->reach[i].period);
		set = isl_set_intersect(set, aff_zero_set(away));
	}
	isl_space_free(space);
	return set;
}

bool period_is_identity(layout_context *ctx, isl_multi_aff *function, isl_set *set)
{
	isl_multi_aff *same = isl_multi_aff_identity_on_domain_space(
		isl_set_get_space(set));
	struct period c = { .ctx = ctx };
	bool identity = false;

	if (isl_multi_aff_dim(function, isl_dim_in) ==
			isl_multi_aff_dim(function, isl_dim_out) &&
	    period_start(&c, ctx, function, same, set))
		identity = !period_find_difference(&c) && !c.partial;
	period_free(&c);
	isl_multi_aff_free(same);
	return identity;
}
