/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/access.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/bridge.h"
#include "isl_bridge/budget.h"
#include "isl_bridge/objects.h"

#include <isl/ilp.h>

static isl_set *ordered(enum access_order order, isl_aff *a, isl_aff *b)
{
	switch (order) {
	case ACCESS_LESS:
		return isl_aff_lt_set(a, b);
	case ACCESS_AT_MOST:
		return isl_aff_le_set(a, b);
	case ACCESS_EQUAL:
		return isl_aff_eq_set(a, b);
	case ACCESS_OTHER:
		return isl_aff_ne_set(a, b);
	}
	return NULL;
}

/* With the names of a size among the parameters. */
static isl_space *know(isl_space *space, const struct size *size)
{
	return isl_space_align_params(space, isl_aff_get_domain_space(size->aff));
}

/* A space of [t..] with every name as a parameter. */
static isl_space *tile_space(layout_context *ctx, const struct access *access)
{
	unsigned rank = layout_storage_rank(access->storage);
	isl_space *space = isl_space_set_alloc(bridge_isl(ctx), 0, rank);

	for (unsigned i = 0; i < access->variable_count; i++) {
		const struct access_variable *variable = &access->variables[i];

		space = isl_space_add_param_id(know(space, variable->extent),
			isl_id_alloc(bridge_isl(ctx), variable->name, NULL));
	}
	for (unsigned i = 0; i < access->condition_count; i++)
		space = know(know(space, access->conditions[i].a),
			access->conditions[i].b);
	return space;
}

/* It is one of the parameters. */
static unsigned variable_number(isl_space *inputs, const char *name)
{
	return (unsigned)isl_space_find_dim_by_name(inputs, isl_dim_param, name);
}

static isl_aff *variable_on(isl_space *inputs, const char *name)
{
	return aff_parameter(inputs, variable_number(inputs, name));
}

/* The tile's points, where the variables have values. */
static isl_set *tile_points(const struct access *access, isl_space *inputs)
{
	isl_set *points = isl_set_universe(isl_space_copy(inputs));

	for (unsigned d = 0; d < layout_storage_rank(access->storage); d++)
		points = bridge_bound(points, d, access->box[d]);
	for (unsigned i = 0; i < access->variable_count; i++) {
		const struct access_variable *variable = &access->variables[i];

		points = isl_set_lower_bound_si(points, isl_dim_param,
			variable_number(inputs, variable->name), 0);
		points = isl_set_intersect(points, isl_aff_lt_set(
			variable_on(inputs, variable->name),
			size_on(variable->extent, inputs)));
	}
	for (unsigned i = 0; i < access->condition_count; i++)
		points = isl_set_intersect(points, ordered(access->conditions[i].order,
			size_on(access->conditions[i].a, inputs),
			size_on(access->conditions[i].b, inputs)));
	return points;
}

/* [t..] -> [at + t], or [t..] -> [e] for all e. */
static isl_map *tile_elements(const struct access *access, isl_set *points)
{
	isl_space *inputs = isl_set_get_space(points);
	isl_map *map = isl_map_from_domain(points);

	for (unsigned d = 0; d < layout_storage_rank(access->storage); d++) {
		isl_space *space = know(isl_space_copy(inputs), access->at[d] ?
			access->at[d] : &access->storage->sizes[d]);
		isl_map *one;

		if (access->at[d])
			one = isl_map_from_aff(isl_aff_add(size_on(access->at[d], space),
				aff_coordinate(space, d)));
		else
			one = isl_map_universe(isl_space_add_dims(isl_space_from_domain(
				isl_space_copy(space)), isl_dim_out, 1));
		isl_space_free(space);
		map = isl_map_flat_range_product(map, one);
	}
	isl_space_free(inputs);
	return map;
}

static isl_set *elements(layout_storage *storage)
{
	return isl_set_reset_tuple_id(storage_tensor_box(storage));
}

/* Make the variables inputs, before those of the tile. */
static isl_map *add_variables(const struct access *access, isl_map *map)
{
	for (unsigned i = 0; i < access->variable_count; i++) {
		int at = isl_map_find_dim_by_name(map, isl_dim_param,
			access->variables[i].name);

		map = at < 0 ? isl_map_insert_dims(map, isl_dim_in, i, 1) :
			isl_map_move_dims(map, isl_dim_in, i, isl_dim_param,
				(unsigned)at, 1);
		map = isl_map_set_dim_name(map, isl_dim_in, i, access->variables[i].name);
	}
	return map;
}

layout_relation *access_relation(layout_context *ctx, const struct access *access)
{
	isl_space *inputs;
	isl_map *map;

	bridge_enter(ctx);
	inputs = tile_space(ctx, access);
	map = tile_elements(access, tile_points(access, inputs));
	isl_space_free(inputs);
	map = isl_map_intersect_range(map, elements(access->storage));
	return bridge_give_relation(ctx, "find what a tile touches",
		add_variables(access, map), NULL, NULL);
}

/* Has the set no points?  What would take long has some. */
static bool is_surely_empty(layout_context *ctx, isl_set *set)
{
	isl_bool empty;

	bridge_begin_attempt(ctx, BUDGET_SETS);
	empty = isl_set_is_empty(set);
	isl_set_free(set);
	return bridge_end_attempt(ctx) && empty == isl_bool_true;
}

/* The tile's points beyond either end of dimension d. */
static isl_set *points_outside(const struct access *access, isl_set *points, unsigned d)
{
	const struct size *size = &access->storage->sizes[d];
	isl_space *space = know(know(isl_set_get_space(points), size), access->at[d]);
	isl_aff *e = isl_aff_add(size_on(access->at[d], space), aff_coordinate(space, d));
	isl_set *before = isl_aff_lt_set(isl_aff_copy(e), aff_number(space, 0));
	isl_set *behind = isl_aff_ge_set(e, size_on(size, space));

	isl_space_free(space);
	return isl_set_intersect(isl_set_copy(points), isl_set_union(before, behind));
}

uint32_t access_inside(layout_context *ctx, const struct access *access)
{
	uint32_t inside = 0;
	isl_space *inputs;
	isl_set *points;

	bridge_enter(ctx);
	inputs = tile_space(ctx, access);
	points = tile_points(access, inputs);
	for (unsigned d = 0; d < layout_storage_rank(access->storage); d++)
		if (access->at[d] && is_surely_empty(ctx, points_outside(access, points, d)))
			inside |= 1u << d;
	isl_set_free(points);
	isl_space_free(inputs);
	return bridge_leave(ctx, "find what a tile touches") ? inside : 0;
}

bool access_divides(layout_context *ctx, const struct access *access, const struct size *size,
	int64_t by)
{
	isl_space *inputs;
	isl_aff *rest;
	isl_set *others;
	bool divides;

	bridge_enter(ctx);
	inputs = know(tile_space(ctx, access), size);
	rest = aff_mod(size_on(size, inputs), by);
	others = isl_set_intersect(tile_points(access, inputs),
		isl_aff_ne_set(rest, aff_number(inputs, 0)));
	isl_space_free(inputs);
	divides = is_surely_empty(ctx, others);
	return bridge_leave(ctx, "divide a size") && divides;
}

/* The values of the names for which the conditions hold. */
static isl_set *sizes_where(layout_context *ctx, unsigned count,
	const struct access_condition *conditions)
{
	isl_set *sizes = isl_set_universe(isl_space_params_alloc(bridge_isl(ctx), 0));

	for (unsigned i = 0; i < count; i++) {
		isl_space *space = know(know(isl_space_set_alloc(bridge_isl(ctx), 0, 0),
			conditions[i].a), conditions[i].b);

		sizes = isl_set_intersect(sizes, isl_set_params(ordered(conditions[i].order,
			size_on(conditions[i].a, space), size_on(conditions[i].b, space))));
		isl_space_free(space);
	}
	return sizes;
}

/* The number, or "other" where it is none. */
static int64_t number_or(layout_context *ctx, isl_val *value, int64_t other)
{
	int64_t number;

	if (isl_val_is_int(value) == isl_bool_true)
		return bridge_int64(ctx, value, &number) ? number : other;
	isl_val_free(value);
	return other;
}

void access_bounds(layout_context *ctx, unsigned count,
	const struct access_condition *conditions, const char *name, int64_t *least,
	int64_t *most)
{
	int64_t low, high;
	isl_set *sizes;
	int at;

	bridge_enter(ctx);
	bridge_begin_attempt(ctx, BUDGET_BOUNDS);
	sizes = isl_set_from_params(sizes_where(ctx, count, conditions));
	at = isl_set_find_dim_by_name(sizes, isl_dim_param, name);
	if (at >= 0) {
		sizes = isl_set_move_dims(sizes, isl_dim_set, 0, isl_dim_param, (unsigned)at, 1);
		low = number_or(ctx, isl_set_dim_min_val(isl_set_copy(sizes), 0), *least);
		high = number_or(ctx, isl_set_dim_max_val(isl_set_copy(sizes), 0), *most);
	}
	isl_set_free(sizes);
	if (bridge_end_attempt(ctx) && at >= 0) {
		low = low > *least ? low : *least;
		high = high < *most ? high : *most;
		*least = low <= high ? low : *least;
		*most = low <= high ? high : *most;
	}
	bridge_leave(ctx, "find what a size can be");
}

layout_set *access_elements(layout_storage *storage, unsigned count,
	const struct access_condition *conditions)
{
	bridge_enter(storage->ctx);
	return bridge_give_set(storage->ctx, "find the elements", isl_set_intersect_params(
		elements(storage), sizes_where(storage->ctx, count, conditions)));
}

layout_relation *access_cells(layout_storage *storage, unsigned count,
	const struct access_condition *conditions)
{
	layout_relation *relation = layout_storage_relation(storage);
	isl_map *map;

	if (!count || !relation)
		return relation;
	bridge_enter(storage->ctx);
	map = bridge_need_map(relation) ? isl_map_copy(relation->map) : NULL;
	layout_relation_free(relation);
	return bridge_give_relation(storage->ctx, "find the cells",
		isl_map_intersect_params(map, sizes_where(storage->ctx, count, conditions)),
		NULL, NULL);
}

layout_set *access_anonymous(layout_set *set)
{
	if (set)
		set->set = isl_set_reset_tuple_id(set->set);
	return set;
}
