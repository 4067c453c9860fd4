/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a relation calls its tuples and their coordinates. */
#include "isl_bridge/objects.h"

static enum isl_dim_type side(bool images)
{
	return images ? isl_dim_out : isl_dim_in;
}

/* Tuples of a form are anonymous, and so are its images' coordinates. */
const char *layout_relation_tuple_name(layout_relation *relation, bool images)
{
	if (relation->form ||
	    isl_map_has_tuple_name(relation->map, side(images)) != isl_bool_true)
		return NULL;
	return isl_map_get_tuple_name(relation->map, side(images));
}

const char *layout_relation_coordinate_name(layout_relation *relation, bool images,
	unsigned i)
{
	const struct form *form = relation->form;

	if (!form)
		return isl_map_get_dim_name(relation->map, side(images), i);
	return images == relation->reversed && form->in_names ? form->in_names[i] : NULL;
}
