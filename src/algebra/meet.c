/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/meet.h"

#include "isl_bridge/objects.h"

#include <string.h>

/* The name of one of the map's tuples, or ""; a form's tuples have none. */
static const char *tuple_name(layout_relation *relation, enum isl_dim_type type)
{
	if (!relation->map ||
	    isl_map_has_tuple_id(relation->map, type) != isl_bool_true)
		return "";
	return isl_map_get_tuple_name(relation->map, type);
}

/* Is the tuple one of pairs, "[[i] -> [j]]"? */
static bool is_wrapping(layout_relation *relation, enum isl_dim_type type)
{
	return relation->map && (type == isl_dim_in ?
		isl_map_domain_is_wrapping(relation->map) :
		isl_map_range_is_wrapping(relation->map)) == isl_bool_true;
}

bool relations_meet(layout_relation *outer, layout_relation *inner)
{
	const char *ends, *takes;
	unsigned images, inputs;

	if (!outer || !inner)
		return false;
	images = layout_relation_out_rank(inner);
	inputs = layout_relation_in_rank(outer);
	ends = tuple_name(inner, isl_dim_out);
	takes = tuple_name(outer, isl_dim_in);
	if (is_wrapping(inner, isl_dim_out) || is_wrapping(outer, isl_dim_in))
		return true;
	if (images == inputs && (!*ends || !*takes || !strcmp(ends, takes)))
		return true;
	layout_fail(outer->ctx, LAYOUT_ERROR_SPACE, -1,
		"the images lie in %s[%u], but the outer relation takes %s[%u]", ends,
		images, takes, inputs);
	return false;
}
