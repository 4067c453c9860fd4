/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/objects.h"

#include <stdlib.h>

layout_relation *bridge_give_relation(layout_context *ctx, const char *doing,
	isl_map *map, isl_multi_aff *forward, isl_multi_aff *backward)
{
	layout_relation *relation = NULL;

	if (bridge_leave(ctx, doing) && map)
		relation = layout_alloc(ctx, 1, sizeof(*relation));
	if (!relation) {
		isl_map_free(map);
		isl_multi_aff_free(forward);
		isl_multi_aff_free(backward);
		return NULL;
	}
	*relation = (struct layout_relation){ ctx, map, forward, backward };
	return relation;
}

layout_set *bridge_give_set(layout_context *ctx, const char *doing, isl_set *set)
{
	layout_set *result = NULL;

	if (bridge_leave(ctx, doing) && set)
		result = layout_alloc(ctx, 1, sizeof(*result));
	if (!result) {
		isl_set_free(set);
		return NULL;
	}
	*result = (struct layout_set){ ctx, set };
	return result;
}

layout_relation *layout_relation_copy(layout_relation *relation)
{
	if (!relation)
		return NULL;
	bridge_enter(relation->ctx);
	return bridge_give_relation(relation->ctx, "copy a relation",
		isl_map_copy(relation->map), isl_multi_aff_copy(relation->forward),
		isl_multi_aff_copy(relation->backward));
}

void layout_relation_free(layout_relation *relation)
{
	if (!relation)
		return;
	isl_map_free(relation->map);
	isl_multi_aff_free(relation->forward);
	isl_multi_aff_free(relation->backward);
	free(relation);
}

layout_set *layout_set_copy(layout_set *set)
{
	if (!set)
		return NULL;
	bridge_enter(set->ctx);
	return bridge_give_set(set->ctx, "copy a set", isl_set_copy(set->set));
}

void layout_set_free(layout_set *set)
{
	if (!set)
		return;
	isl_set_free(set->set);
	free(set);
}

layout_context *layout_relation_context(layout_relation *relation)
{
	return relation ? relation->ctx : NULL;
}

unsigned layout_relation_in_rank(layout_relation *relation)
{
	return relation ? (unsigned)isl_map_dim(relation->map, isl_dim_in) : 0;
}

unsigned layout_relation_out_rank(layout_relation *relation)
{
	return relation ? (unsigned)isl_map_dim(relation->map, isl_dim_out) : 0;
}

unsigned layout_set_rank(layout_set *set)
{
	return set ? (unsigned)isl_set_dim(set->set, isl_dim_set) : 0;
}

unsigned layout_relation_param_count(layout_relation *relation)
{
	return (unsigned)isl_map_dim(relation->map, isl_dim_param);
}

const char *layout_relation_param_name(layout_relation *relation, unsigned i)
{
	if (i >= layout_relation_param_count(relation))
		return NULL;
	return isl_map_get_dim_name(relation->map, isl_dim_param, i);
}

unsigned layout_set_param_count(layout_set *set)
{
	return (unsigned)isl_set_dim(set->set, isl_dim_param);
}

const char *layout_set_param_name(layout_set *set, unsigned i)
{
	if (i >= layout_set_param_count(set))
		return NULL;
	return isl_set_get_dim_name(set->set, isl_dim_param, i);
}

/* The tuple "to" of the function is called like the tuple "from" of the map. */
static isl_multi_aff *name_tuple(isl_multi_aff *function, enum isl_dim_type to,
	isl_map *map, enum isl_dim_type from)
{
	if (isl_map_has_tuple_id(map, from) == isl_bool_true)
		return isl_multi_aff_set_tuple_id(function, to,
			isl_map_get_tuple_id(map, from));
	return isl_multi_aff_reset_tuple_id(function, to);
}

isl_multi_aff *bridge_name_forward(isl_multi_aff *function, isl_map *map)
{
	if (!function)
		return NULL;
	function = name_tuple(function, isl_dim_in, map, isl_dim_in);
	return name_tuple(function, isl_dim_out, map, isl_dim_out);
}

isl_multi_aff *bridge_name_backward(isl_multi_aff *function, isl_map *map)
{
	if (!function)
		return NULL;
	function = name_tuple(function, isl_dim_in, map, isl_dim_out);
	return name_tuple(function, isl_dim_out, map, isl_dim_in);
}

isl_map *bridge_asked_map(layout_relation *relation)
{
	return isl_map_intersect_params(isl_map_copy(relation->map),
		bridge_nonnegative(isl_map_get_space(relation->map)));
}

isl_set *bridge_asked_set(layout_set *set)
{
	return isl_set_intersect_params(isl_set_copy(set->set),
		bridge_nonnegative(isl_set_get_space(set->set)));
}
