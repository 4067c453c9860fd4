/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/objects.h"

/* Give the tuple "type" of a relation the name "id"; keeps "id". */
static void rename_tuple(layout_relation *relation, enum isl_dim_type type, isl_id *id)
{
	enum isl_dim_type flipped = type == isl_dim_in ? isl_dim_out : isl_dim_in;

	relation->map = isl_map_set_tuple_id(relation->map, type, isl_id_copy(id));
	if (relation->forward)
		relation->forward = isl_multi_aff_set_tuple_id(relation->forward, type,
			isl_id_copy(id));
	if (relation->backward)
		relation->backward = isl_multi_aff_set_tuple_id(relation->backward, flipped,
			isl_id_copy(id));
}

/* The middle spaces of outer o inner agree, or an anonymous one takes the other's name. */
static bool spaces_meet(layout_relation *outer, layout_relation *inner)
{
	isl_space *o = isl_map_get_space(outer->map), *i = isl_map_get_space(inner->map);
	isl_id *id;
	bool meet = bridge_tuples_meet(outer->ctx, "compose", i, isl_dim_out, o, isl_dim_in, &id);

	if (id) {
		rename_tuple(outer, isl_dim_in, id);
		rename_tuple(inner, isl_dim_out, id);
	}
	isl_id_free(id);
	isl_space_free(o);
	isl_space_free(i);
	return meet;
}

/* What two functions known by construction make: f o g, or NULL. */
static isl_multi_aff *follow(isl_multi_aff *f, isl_multi_aff *g)
{
	if (!f || !g)
		return NULL;
	return isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(f), isl_multi_aff_copy(g));
}

layout_relation *layout_relation_compose(layout_relation *outer, layout_relation *inner)
{
	layout_relation *result = NULL;
	isl_map *map;

	if (!outer || !inner)
		goto done;
	bridge_enter(outer->ctx);
	if (!spaces_meet(outer, inner)) {
		bridge_leave(outer->ctx, "compose");
		goto done;
	}
	map = isl_map_apply_range(isl_map_copy(inner->map), isl_map_copy(outer->map));
	result = bridge_give_relation(outer->ctx, "compose", isl_map_coalesce(map),
		follow(outer->forward, inner->forward),
		follow(inner->backward, outer->backward));
done:
	layout_relation_free(outer);
	layout_relation_free(inner);
	return result;
}
