/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/period.h"

#include "algebra/function.h"
#include "algebra/scan_program.h"
#include "isl_bridge/arithmetic.h"

#include <isl/ilp.h>
#include <stdlib.h>

/* What isl may spend on the sets around the functions. */
#define SET_OPERATIONS 20000ul

/* Points of a box that are looked at. */
#define MOST_POINTS ((int64_t)1 << 18)

#define LONGEST_PERIOD ((int64_t)1 << 30)

/* What is looked at of an input: from "low" to "high", which are bounds of it, or a period
 * that repeats. */
struct reach {
	int64_t low, high, period;
	bool bounded, repeats;
};

/* Two functions on a box, of which it is all that counts unless "partial". */
struct comparison {
	layout_context *ctx;
	struct program f, g;
	unsigned rank;
	struct reach *reach;
	bool partial;
};

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
		int64_t sum = 0, factor;

		for (unsigned k = 0; k < row->count; k++) {
			const struct program_term *term = &program->terms[row->first + k];

			if (!int_add_product(&sum, term->factor, shifts[term->value]))
				return false;
		}
		factor = row->by / int_gcd(sum < 0 ? -sum : sum, row->by);
		if (!stretch(shifts, program->value_count, period, factor))
			return false;
		shifts[row->value] = sum * factor / row->by;
	}
	return true;
}

/* Do both functions step alike where the input does by "period", a multiple of the
 * periods "f" and "g" that the shifts are of? */
static bool same_steps(const struct comparison *c, const int64_t *shifts_f, int64_t f,
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
static bool find_reach(struct comparison *c, unsigned input, int64_t *shifts)
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

static bool find_bounds(struct comparison *c, isl_set *set)
{
	bridge_begin_attempt(c->ctx, SET_OPERATIONS);
	for (unsigned i = 0; i < c->rank; i++) {
		int64_t low = small_bound(isl_set_dim_min_val(isl_set_copy(set), (int)i));
		int64_t high = small_bound(isl_set_dim_max_val(isl_set_copy(set), (int)i));

		c->reach[i] = (struct reach){ low == INT64_MAX ? 0 : low, high, 0,
			low != INT64_MAX && high != INT64_MAX, false };
	}
	return bridge_end_attempt(c->ctx);
}

/* The box to look at, and the functions made ready for it. */
static bool find_box(struct comparison *c, isl_set *set)
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

/* Compare two functions where they are looked at for the set; release in all cases. */
static bool prepare(struct comparison *c, layout_context *ctx, isl_multi_aff *f,
	isl_multi_aff *g, isl_set *set)
{
	*c = (struct comparison){ .ctx = ctx,
		.rank = (unsigned)isl_set_dim(set, isl_dim_set) };
	c->reach = layout_alloc(ctx, c->rank, sizeof(*c->reach));
	return start_program(&c->f, ctx, f) && start_program(&c->g, ctx, g) &&
		find_box(c, set);
}

static void release(struct comparison *c)
{
	program_free(&c->f);
	program_free(&c->g);
	free(c->reach);
}

/* The next point, the last input fastest, in the values of f; false past the last. */
static bool next_point(struct comparison *c)
{
	for (unsigned i = c->rank; i-- > 0;) {
		if (c->f.values[i]++ < c->reach[i].high)
			return true;
		c->f.values[i] = c->reach[i].low;
	}
	return false;
}

/* From the point that the values of f are at on: does one come at which the functions
 * differ? */
static bool find_difference(struct comparison *c)
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
	} while (next_point(c));
	return false;
}

static void go_to_first(struct comparison *c)
{
	for (unsigned i = 0; i < c->rank; i++)
		c->f.values[i] = c->reach[i].low;
}

/* The points of the set, consumed, that are like the one that f is at. */
static isl_set *points_like(const struct comparison *c, isl_set *set)
{
	isl_ctx *isl = isl_set_get_ctx(set);

	for (unsigned i = 0; i < c->rank; i++) {
		isl_aff *away = isl_aff_var_on_domain(isl_local_space_from_space(
			isl_set_get_space(set)), isl_dim_set, i);

		away = isl_aff_add_constant_val(away,
			isl_val_int_from_si(isl, -c->f.values[i]));
		if (c->reach[i].repeats)
			away = isl_aff_mod_val(away,
				isl_val_int_from_si(isl, c->reach[i].period));
		set = isl_set_intersect(set,
			isl_set_from_basic_set(isl_aff_zero_basic_set(away)));
	}
	return set;
}

/* A relation as a function: its domain for all sizes >= 0 and what it does there. */
struct side {
	layout_relation *relation;
	isl_set *domain;
	isl_multi_aff *function;
};

static void release_side(struct side *side)
{
	isl_set_free(side->domain);
	isl_multi_aff_free(side->function);
}

/* In the space of "map", for sizes of "other" >= 0, too. */
static bool find_side(struct side *side, layout_relation *relation, isl_map *map,
	isl_map *other)
{
	*side = (struct side){ relation };
	if (!find_function(relation))
		return false;
	side->function = bridge_name_forward(isl_multi_aff_copy(relation->forward), map);
	side->domain = relation->domain ? isl_set_copy(relation->domain) :
		isl_map_domain(isl_map_copy(map));
	side->domain = isl_map_has_tuple_id(map, isl_dim_in) == isl_bool_true ?
		isl_set_set_tuple_id(side->domain,
			isl_map_get_tuple_id(map, isl_dim_in)) :
		isl_set_reset_tuple_id(side->domain);
	side->domain = isl_set_intersect_params(side->domain,
		bridge_nonnegative(isl_map_get_space(map)));
	side->domain = isl_set_intersect_params(side->domain,
		bridge_nonnegative(isl_map_get_space(other)));
	return side->domain && side->function;
}

/* The pairs (x, f(x)) for x in the set, which it consumes. */
static isl_map *pairs_of(const struct side *side, isl_set *set)
{
	return isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(side->function)), set);
}

/* NO if there is such a pair, which is the witness; consumes the map. */
static layout_answer is_witness(const struct side *side, isl_map *pairs,
	layout_witness **witness)
{
	layout_context *ctx = side->relation->ctx;
	layout_witness *found = NULL;
	isl_bool empty;

	bridge_begin_attempt(ctx, SET_OPERATIONS);
	empty = isl_map_is_empty(pairs);
	if (empty == isl_bool_false && witness)
		found = bridge_witness(ctx, isl_set_flatten(isl_map_wrap(
			isl_map_copy(pairs))), layout_relation_in_rank(side->relation),
			true);
	isl_map_free(pairs);
	if (!bridge_end_attempt(ctx) || empty != isl_bool_false) {
		layout_witness_free(found);
		return LAYOUT_UNKNOWN;
	}
	if (witness)
		*witness = found;
	return LAYOUT_NO;
}

/* NO for a point that only one of the two has; YES: there is none. */
static layout_answer compare_domains(const struct side *a, const struct side *b,
	layout_witness **witness)
{
	layout_context *ctx = a->relation->ctx;
	isl_map *only;
	isl_bool same;

	bridge_begin_attempt(ctx, SET_OPERATIONS);
	same = isl_set_is_equal(a->domain, b->domain);
	if (!bridge_end_attempt(ctx) || same == isl_bool_error)
		return LAYOUT_UNKNOWN;
	if (same == isl_bool_true)
		return LAYOUT_YES;
	only = isl_map_union(
		pairs_of(a, isl_set_subtract(isl_set_copy(a->domain),
			isl_set_copy(b->domain))),
		pairs_of(b, isl_set_subtract(isl_set_copy(b->domain),
			isl_set_copy(a->domain))));
	return is_witness(a, only, witness);
}

/* Places at which the functions differ that are looked for in the domain. */
#define MOST_DIFFERENCES 16

/* On one domain. */
static layout_answer compare_functions(const struct side *a, const struct side *b,
	layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct comparison c;
	bool differ = false;

	if (prepare(&c, a->relation->ctx, a->function, b->function, a->domain)) {
		go_to_first(&c);
		differ = find_difference(&c);
		answer = differ || c.partial ? LAYOUT_UNKNOWN : LAYOUT_YES;
	}
	for (unsigned i = 0; differ && answer == LAYOUT_UNKNOWN && i < MOST_DIFFERENCES;
		i++) {
		answer = is_witness(a, pairs_of(a,
			points_like(&c, isl_set_copy(a->domain))), witness);
		differ = next_point(&c) && find_difference(&c);
	}
	release(&c);
	return answer;
}

layout_answer period_equal(layout_relation *a, isl_map *map_a, layout_relation *b,
	isl_map *map_b, layout_witness **witness)
{
	struct side left = { 0 }, right = { 0 };
	layout_answer answer = LAYOUT_UNKNOWN;

	if (find_side(&left, a, map_a, map_b) && find_side(&right, b, map_b, map_a))
		answer = compare_domains(&left, &right, witness);
	if (answer == LAYOUT_YES)
		answer = compare_functions(&left, &right, witness);
	release_side(&left);
	release_side(&right);
	return answer;
}

bool period_is_identity(layout_context *ctx, isl_multi_aff *function, isl_set *set)
{
	isl_multi_aff *same = isl_multi_aff_identity_on_domain_space(
		isl_set_get_space(set));
	struct comparison c = { .ctx = ctx };
	bool identity = false;

	if (isl_multi_aff_dim(function, isl_dim_in) ==
			isl_multi_aff_dim(function, isl_dim_out) &&
	    prepare(&c, ctx, function, same, set)) {
		go_to_first(&c);
		identity = !find_difference(&c) && !c.partial;
	}
	release(&c);
	isl_multi_aff_free(same);
	return identity;
}
