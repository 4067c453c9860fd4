/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/access.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"
#include "isl_bridge/objects.h"

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
	return isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(inputs)),
		isl_dim_param, variable_number(inputs, name));
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
				isl_aff_var_on_domain(isl_local_space_from_space(
				isl_space_copy(space)), isl_dim_set, d)));
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

/* The values of the names for which the conditions hold. */
static isl_set *sizes_where(layout_storage *storage, unsigned count,
	const struct access_condition *conditions)
{
	isl_set *sizes = isl_set_universe(isl_space_params_alloc(
		bridge_isl(storage->ctx), 0));

	for (unsigned i = 0; i < count; i++) {
		isl_space *space = know(know(isl_space_set_alloc(bridge_isl(storage->ctx), 0,
			0), conditions[i].a), conditions[i].b);

		sizes = isl_set_intersect(sizes, isl_set_params(ordered(conditions[i].order,
			size_on(conditions[i].a, space), size_on(conditions[i].b, space))));
		isl_space_free(space);
	}
	return sizes;
}

layout_set *access_elements(layout_storage *storage, unsigned count,
	const struct access_condition *conditions)
{
	bridge_enter(storage->ctx);
	return bridge_give_set(storage->ctx, "find the elements", isl_set_intersect_params(
		elements(storage), sizes_where(storage, count, conditions)));
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
		isl_map_intersect_params(map, sizes_where(storage, count, conditions)),
		NULL, NULL);
}

layout_set *access_anonymous(layout_set *set)
{
	if (set)
		set->set = isl_set_reset_tuple_id(set->set);
	return set;
}
