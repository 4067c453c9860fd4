/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values that are a relation, or the map that one is made of when it is asked for. */
#include "value/value.h"

#include "isl_bridge/relation.h"

layout_relation *value_find_relation(layout_value *value)
{
	struct layout_caught failed = { 0 }, *previous;

	if (value->relation || !value->map.outer)
		return value->relation;
	previous = layout_context_catch(value->ctx, &failed);
	value->relation = cute_map_relation(&value->map);
	if (layout_context_forget(value->ctx, &failed, previous) && !value->relation)
		layout_fail(value->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%s", value->reason);
	return value->relation;
}

layout_relation *value_copy_relation(layout_value *value)
{
	return layout_relation_copy(value_find_relation(value));
}

void value_free_relation(layout_value *value)
{
	layout_relation_free(value->relation);
	layout_set_free(value->onto);
	cute_map_free(&value->map);
}

const char *value_relation_size(layout_value *value, unsigned i)
{
	return value->relation && i < layout_relation_param_count(value->relation) ?
		layout_relation_param_name(value->relation, i) : NULL;
}

layout_set *value_domain(layout_value *value)
{
	return layout_relation_domain(layout_value_relation(value));
}

bool value_relation_for_each(layout_value *value, const layout_size *sizes,
	unsigned count, layout_visit_pair visit, void *user)
{
	layout_relation *relation;
	bool good;

	relation = layout_relation_fix(layout_value_relation(value), sizes, count);
	good = relation && layout_relation_for_each(relation, visit, user);
	layout_relation_free(relation);
	return good;
}
