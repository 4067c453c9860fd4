/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/bounds.h"

uint64_t bounds_unread(const struct plan_tile *tile)
{
	uint64_t dims = 0;

	for (unsigned d = 0; d < tile->dim_count; d++)
		dims |= (uint64_t)tile->dims[d].some_unread << d;
	return dims;
}

uint64_t bounds_unwritten(const struct plan_tile *tile)
{
	uint64_t dims = 0;

	for (unsigned d = 0; d < tile->dim_count; d++)
		dims |= (uint64_t)tile->dims[d].some_unwritten << d;
	return dims;
}

static const struct tile_dim *dim_of(const struct iteration *iteration, unsigned d)
{
	return &iteration->kernel->plan->tile->dims[d];
}

/* A distance from the tile's start, which is at most INT32_MAX + 1 - extent, to a bound
 * between 0 and INT32_MAX fits an i32, less the extent too.  A bound of INT32_MAX + 1
 * may be that of the destination, which reaches beyond the start of every tile: the
 * distance fits without a sign, and with one less the extent.  Where a bound is only
 * assumed to be narrow, the test of that decides. */
static bool is_narrow(const struct iteration *iteration, unsigned d,
	const struct index *bound)
{
	const struct index *tiles = iteration->kernel->plan->visit.dims[d].extent;
	const struct tile_dim *dim = dim_of(iteration, d);
	int64_t most = (int64_t)INT32_MAX + (bound == dim->end);

	if (bound->max > most && bound->min >= 0 &&
	    expression_most(&iteration->scope, bound) <= INT32_MAX)
		return true;

	return bound->min >= 0 && bound->max <= most &&
		tiles->max <= (INT64_C(1) << 31) / dim->step;
}

/* bound - the tile's start */
static LLVMValueRef distance(const struct iteration *iteration, unsigned d,
	const struct index *bound)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMTypeRef type = iteration_counter_type(iteration, is_narrow(iteration, d, bound));
	LLVMValueRef tile = iteration->scope.vars[
		iteration->kernel->plan->size_count + d];
	LLVMValueRef start = LLVMBuildMul(builder,
		LLVMBuildIntCast2(builder, tile, type, false, "tile"),
		lower_int(type, dim_of(iteration, d)->step), "start");

	return LLVMBuildSub(builder, expression_lower_as(&iteration->scope, bound, type),
		start, "left");
}

/* Tiles end at the source's bound, else at the destination's: where there is an element
 * to read, there is a cell to write. */
static const struct index *bound_of(const struct iteration *iteration, unsigned d,
	uint64_t unread)
{
	const struct tile_dim *dim = dim_of(iteration, d);

	return unread >> d & 1 ? dim->high : dim->end;
}

/* A tile may start before the source does. */
static bool starts_before(const struct iteration *iteration, unsigned d, uint64_t unread)
{
	return unread >> d & 1 && dim_of(iteration, d)->low->max > 0;
}

/* The distance to a bound may have no sign, until the extent is subtracted. */
static bool is_unsigned(const struct index *bound)
{
	return bound->max == (int64_t)INT32_MAX + 1;
}

int64_t bounds_limit(const struct iteration *iteration, uint64_t unread,
	uint64_t unwritten)
{
	int64_t limit = 0;

	for (uint64_t dims = unread | unwritten; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);

		if (starts_before(iteration, d, unread) ||
		    is_unsigned(bound_of(iteration, d, unread)))
			return 0;
		if (!limit)
			limit = dim_of(iteration, d)->extent;
	}
	return limit;
}

/* The distance to where tiles of some extent stick out, the least of those that are of
 * one type. */
struct distance {
	int64_t extent;
	LLVMValueRef left;
	bool alone;		/* it may have no sign */
};

static void add_distance(const struct iteration *iteration, unsigned d,
	const struct index *bound, const struct rooms *rooms,
	struct distance *distances, unsigned *count)
{
	struct distance next = { dim_of(iteration, d)->extent,
		distance(iteration, d, bound), is_unsigned(bound) };

	for (unsigned i = 0; i < *count && !next.alone; i++)
		if (!distances[i].alone && distances[i].extent == next.extent &&
		    LLVMTypeOf(distances[i].left) == LLVMTypeOf(next.left)) {
			distances[i].left = rooms_lesser(rooms, distances[i].left,
				next.left);
			return;
		}
	distances[(*count)++] = next;
}

static LLVMValueRef end_of(const struct iteration *iteration, unsigned d)
{
	const struct index *end = dim_of(iteration, d)->end;

	return expression_lower_as(&iteration->scope, end,
		iteration_counter_type(iteration, is_narrow(iteration, d, end) && !is_unsigned(end)));
}

void bounds_test(const struct iteration *iteration, uint64_t unread, uint64_t unwritten,
	bool earlier, struct rooms *rooms)
{
	struct distance distances[64];
	unsigned count = 0;

	for (uint64_t dims = unread | unwritten; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);

		if (earlier && dim_of(iteration, d)->pitch[0]) {
			rooms_add_above(rooms, end_of(iteration, d),
				dim_of(iteration, d)->extent);
			continue;
		}
		if (starts_before(iteration, d, unread))
			rooms_add_below(rooms, distance(iteration, d,
				dim_of(iteration, d)->low), 0);
		add_distance(iteration, d, bound_of(iteration, d, unread), rooms,
			distances, &count);
	}
	for (unsigned i = 0; i < count; i++)
		rooms_add_above(rooms, distances[i].left, distances[i].extent);
}

LLVMValueRef bounds_excess(const struct iteration *iteration, unsigned d)
{
	const struct tile_dim *dim = dim_of(iteration, d);
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMValueRef left = distance(iteration, d, dim->end);
	LLVMValueRef extent = lower_int(LLVMTypeOf(left), dim->extent);

	left = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntULT, left, extent,
		"ends"), LLVMBuildSub(builder, extent, left, "excess"),
		LLVMConstNull(LLVMTypeOf(left)), "excess");
	return LLVMBuildZExt(builder, left, iteration_counter_type(iteration, false), "excess");
}

LLVMValueRef bounds_begins(const struct iteration *iteration, unsigned d)
{
	LLVMValueRef tile = iteration->scope.vars[iteration->kernel->plan->size_count + d];

	return LLVMBuildICmp(iteration->scope.builder, LLVMIntEQ, tile,
		LLVMConstNull(LLVMTypeOf(tile)), "first");
}

LLVMValueRef bounds_ends(const struct iteration *iteration, unsigned d)
{
	const struct tile_dim *dim = dim_of(iteration, d);
	LLVMValueRef left = distance(iteration, d, dim->end);

	return LLVMBuildICmp(iteration->scope.builder, LLVMIntULE, left,
		lower_int(LLVMTypeOf(left), dim->extent), "last");
}

/* The lesser of a value and a constant, compared as "predicate" says. */
static LLVMValueRef at_most(LLVMBuilderRef builder, LLVMIntPredicate predicate,
	LLVMValueRef value, int64_t most)
{
	LLVMValueRef limit = lower_int(LLVMTypeOf(value), most);

	return LLVMBuildSelect(builder, LLVMBuildICmp(builder, predicate, value, limit,
		"more"), limit, value, "left");
}

/* The distance to "bound" within the tile, as an i32.  Seen as one, LLVM would have the
 * vector unit clamp it. */
static LLVMValueRef clamp(const struct iteration *iteration, unsigned d,
	const struct index *bound)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	int64_t extent = dim_of(iteration, d)->extent;
	LLVMValueRef left = distance(iteration, d, bound), none, out;

	if (LLVMTypeOf(left) == iteration_counter_type(iteration, false))
		left = room_narrow(builder, iteration->kernel->hooks->pin, left);
	if (bound == dim_of(iteration, d)->end) {
		left = at_most(builder, LLVMIntUGT, left, extent);
	} else {
		none = lower_int(LLVMTypeOf(left), 0);
		out = LLVMBuildICmp(builder, LLVMIntSLT, left, none, "out");
		left = LLVMBuildSelect(builder, out, none, left, "left");
		left = iteration->kernel->hooks->pin(builder, left);
		left = at_most(builder, LLVMIntSGT, left, extent);
	}
	return LLVMBuildIntCast2(builder, left, iteration_counter_type(iteration, true), true, "left");
}

static LLVMValueRef lane_part(const struct bounds *bounds, unsigned d,
	const struct lane_number *lane)
{
	struct lane_item items[LANE_ITEMS];
	unsigned count = 0;

	for (unsigned i = 0; i < bounds->form->digit_count; i++) {
		const struct held_digit *digit = &bounds->form->digits[i];

		if (digit->lane && digit->digit.dim == d)
			items[count++] = (struct lane_item){ digit->place, digit->digit.radix,
				digit->digit.step, false };
	}
	return lane_sum(bounds->builder, lane, items, count);
}

void bounds_open(struct bounds *bounds, const struct iteration *iteration,
	const struct tile_form *form, bool source, const struct lane_number *lane)
{
	const struct plan_tile *tile = iteration->kernel->plan->tile;

	*bounds = (struct bounds){ .form = form, .builder = iteration->scope.builder,
		.ragged = source ? bounds_unread(tile) : bounds_unwritten(tile) };
	for (unsigned d = 0; d < tile->dim_count; d++) {
		const struct tile_dim *dim = &tile->dims[d];

		if (!(bounds->ragged >> d & 1))
			continue;
		if (source && dim->low->max > 0)
			bounds->first[d] = clamp(iteration, d, dim->low);
		bounds->last[d] = clamp(iteration, d, source ? dim->high : dim->end);
		bounds->lanes[d] = lane_part(bounds, d, lane);
	}
}

/* What is left of "bound" after the register digits' part of t[d]. */
static LLVMValueRef less_registers(const struct bounds *bounds, unsigned d,
	const struct address_digits *digits, LLVMValueRef bound)
{
	LLVMTypeRef type = LLVMTypeOf(bound);
	int64_t sum = 0;

	for (unsigned i = 0; i < bounds->form->digit_count; i++) {
		const struct held_digit *digit = &bounds->form->digits[i];

		if (digit->lane || digit->digit.dim != d)
			continue;
		sum += digits->constant[i] * digit->digit.step;
		if (digits->value[i])
			bound = LLVMBuildSub(bounds->builder, bound, LLVMBuildMul(
				bounds->builder, digits->value[i],
				lower_int(type, digit->digit.step), "part"), "bound");
	}
	return LLVMBuildSub(bounds->builder, bound, lower_int(type, sum), "bound");
}

/* t[d] compared with "bound" */
static LLVMValueRef compare(const struct bounds *bounds, unsigned d,
	const struct address_digits *digits, LLVMIntPredicate predicate,
	LLVMValueRef bound)
{
	LLVMValueRef lanes = bounds->lanes[d];

	if (!lanes)
		lanes = LLVMConstNull(LLVMTypeOf(bound));
	return LLVMBuildICmp(bounds->builder, predicate, lanes,
		less_registers(bounds, d, digits, bound), "inside");
}

static LLVMValueRef both(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildAnd(builder, a, b, "inside") : b;
}

/* Is t[d] at or beyond the first with the digits "above", and before the last with those
 * "below"? */
static LLVMValueRef between(const struct bounds *bounds,
	const struct address_digits *above, const struct address_digits *below)
{
	LLVMBuilderRef builder = bounds->builder;
	LLVMValueRef inside = NULL;

	for (uint64_t dims = bounds->ragged; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);

		if (bounds->first[d])
			inside = both(builder, inside, compare(bounds, d, above,
				LLVMIntSGE, bounds->first[d]));
		inside = both(builder, inside, compare(bounds, d, below, LLVMIntSLT,
			bounds->last[d]));
	}
	return inside;
}

LLVMValueRef bounds_inside(const struct bounds *bounds,
	const struct address_digits *digits)
{
	return between(bounds, digits, digits);
}

LLVMValueRef bounds_all_inside(const struct bounds *bounds,
	const struct address_digits *least, const struct address_digits *most)
{
	return between(bounds, least, most);
}

LLVMValueRef bounds_some_inside(const struct bounds *bounds,
	const struct address_digits *least, const struct address_digits *most)
{
	return between(bounds, most, least);
}

LLVMValueRef bounds_reach(const struct bounds *bounds,
	const struct address_digits *least)
{
	LLVMBuilderRef builder = bounds->builder;
	LLVMValueRef reach = NULL, left;

	for (uint64_t dims = bounds->ragged; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);

		left = less_registers(bounds, d, least, bounds->last[d]);
		reach = both(builder, reach, LLVMBuildICmp(builder, LLVMIntSGT, left,
			LLVMConstNull(LLVMTypeOf(left)), "reach"));
	}
	return reach;
}

/* The most that lanes add to t[d]. */
static int64_t lanes_most(const struct bounds *bounds, unsigned d)
{
	int64_t most = 0;

	for (unsigned i = 0; i < bounds->form->digit_count; i++) {
		const struct held_digit *digit = &bounds->form->digits[i];

		if (digit->lane && digit->digit.dim == d)
			most += digit->digit.step * (digit->digit.radix - 1);
	}
	return most;
}

LLVMValueRef bounds_hold_wave(const struct bounds *bounds,
	const struct address_digits *least, const struct address_digits *most)
{
	LLVMBuilderRef builder = bounds->builder;
	LLVMValueRef holds = NULL, left;

	for (uint64_t dims = bounds->ragged; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);

		left = less_registers(bounds, d, most, bounds->last[d]);
		holds = both(builder, holds, LLVMBuildICmp(builder, LLVMIntSGT, left,
			lower_int(LLVMTypeOf(left), lanes_most(bounds, d)), "holds"));
		if (!bounds->first[d])
			continue;
		left = less_registers(bounds, d, least, bounds->first[d]);
		holds = both(builder, holds, LLVMBuildICmp(builder, LLVMIntSLE, left,
			LLVMConstNull(LLVMTypeOf(left)), "holds"));
	}
	return holds;
}

LLVMValueRef bounds_distance(const struct bounds *bounds, unsigned d, bool end,
	const struct address_digits *digits)
{
	LLVMValueRef edge = end ? bounds->last[d] : bounds->first[d];

	if (!edge)
		return NULL;
	edge = less_registers(bounds, d, digits, edge);
	return bounds->lanes[d] ? LLVMBuildSub(bounds->builder, edge, bounds->lanes[d],
		"left") : edge;
}

LLVMValueRef bounds_part(const struct bounds *bounds, uint64_t digits)
{
	LLVMBuilderRef builder = bounds->builder;
	LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef rest = LLVMConstNull(type);

	for (uint64_t dims = bounds->ragged; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);
		LLVMValueRef edges[] = { bounds->last[d], bounds->first[d] };
		LLVMValueRef span = lower_int(type, form_span(bounds->form, digits, d));

		for (unsigned i = 0; i < 2; i++)
			if (edges[i])
				rest = LLVMBuildOr(builder, rest, LLVMBuildURem(builder,
					edges[i], span, "rest"), "rest");
	}
	return LLVMBuildICmp(builder, LLVMIntNE, rest, LLVMConstNull(type), "part");
}
