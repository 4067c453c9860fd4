/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/objects.h"

#include <layout/view.h>

#include <string.h>

layout_relation *layout_relation_view_ins(layout_relation *relation, layout_box old,
	layout_box new_box, layout_order order)
{
	if (!relation)
		return NULL;
	return layout_relation_simplify(layout_relation_compose(relation,
		layout_relation_renumber(relation->ctx, new_box, old, order)));
}

layout_relation *layout_relation_view_outs(layout_relation *relation, layout_box old,
	layout_box new_box, layout_order order)
{
	if (!relation)
		return NULL;
	return layout_relation_simplify(layout_relation_compose(
		layout_relation_renumber(relation->ctx, old, new_box, order), relation));
}

static bool is_name(layout_context *ctx, const char *name)
{
	bool good = name && layout_is_plain_name(name, strlen(name));

	if (!good)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"`%.64s` cannot be the name of a space", name ? name : "");
	return good;
}

/* The relation with its map renamed, or NULL after isl failed; what is known of it
 * takes over the names. */
static layout_relation *finish(layout_relation *relation, isl_map *map)
{
	layout_relation *result = NULL;

	if (map)
		result = bridge_give_relation(relation->ctx, "rename",
			isl_map_copy(map),
			bridge_name_forward(isl_multi_aff_copy(relation->forward), map),
			bridge_name_backward(isl_multi_aff_copy(relation->backward),
				map));
	else
		bridge_leave(relation->ctx, "rename");
	isl_map_free(map);
	layout_relation_free(relation);
	return result;
}

static layout_relation *name_tuple(layout_relation *relation, enum isl_dim_type type,
	const char *name)
{
	isl_map *map = NULL;

	if (!relation || !is_name(relation->ctx, name)) {
		layout_relation_free(relation);
		return NULL;
	}
	bridge_enter(relation->ctx);
	if (bridge_need_map(relation))
		map = isl_map_set_tuple_name(isl_map_copy(relation->map), type, name);
	return finish(relation, map);
}

layout_relation *layout_relation_name_ins(layout_relation *relation, const char *name)
{
	return name_tuple(relation, isl_dim_in, name);
}

layout_relation *layout_relation_name_outs(layout_relation *relation, const char *name)
{
	return name_tuple(relation, isl_dim_out, name);
}

static bool names_fit(layout_context *ctx, unsigned rank, const char *const *names,
	unsigned count)
{
	if (count && !layout_given(ctx, names, "list of names"))
		return false;
	if (rank != count) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"%u names for a tuple of %u coordinates", count, rank);
		return false;
	}
	for (unsigned i = 0; i < count; i++)
		if (!is_name(ctx, names[i]))
			return false;
	return true;
}

static layout_relation *name_coordinates(layout_relation *relation,
	enum isl_dim_type type, unsigned rank, const char *const *names, unsigned count)
{
	isl_map *map = NULL;

	if (!relation || !names_fit(relation->ctx, rank, names, count)) {
		layout_relation_free(relation);
		return NULL;
	}
	if (type == isl_dim_in && bridge_name_form(relation, names))
		return relation;
	bridge_enter(relation->ctx);
	if (bridge_need_map(relation))
		map = isl_map_copy(relation->map);
	for (unsigned i = 0; i < count; i++) {
		map = isl_map_set_dim_name(map, type, i, names[i]);
		relation->forward = isl_multi_aff_set_dim_name(relation->forward, type, i,
			names[i]);
	}
	return finish(relation, map);
}

layout_relation *layout_relation_name_in_coordinates(layout_relation *relation,
	const char *const *names, unsigned count)
{
	return name_coordinates(relation, isl_dim_in, layout_relation_in_rank(relation),
		names, count);
}

layout_relation *layout_relation_name_out_coordinates(layout_relation *relation,
	const char *const *names, unsigned count)
{
	return name_coordinates(relation, isl_dim_out, layout_relation_out_rank(relation),
		names, count);
}
