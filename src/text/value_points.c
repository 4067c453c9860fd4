/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of a value, in the order of its notation. */
#include "text/value.h"

#include "algebra/cute/cute.h"
#include "algebra/linear/linear.h"
#include "algebra/nested/nested.h"
#include "isl_bridge/relation.h"

struct set_visit {
	layout_visit_pair visit;
	void *user;
};

static bool visit_point(void *user, const int64_t *point, unsigned rank)
{
	struct set_visit *set_visit = user;

	return set_visit->visit(set_visit->user, point, rank, NULL, 0);
}

bool layout_value_for_each(layout_value *value, const layout_size *sizes, unsigned count,
	layout_visit_pair visit, void *user)
{
	struct set_visit set_visit = { visit, user };
	layout_relation *relation;
	layout_set *set;
	bool good;

	if (!value || !layout_given(value->ctx, visit, "function to call"))
		return false;
	if (!layout_given_sizes(value->ctx, sizes, count))
		return false;
	if (value->kind == LAYOUT_VALUE_CUTE)
		return cute_for_each(value->cute, visit, user);
	if (value->kind == LAYOUT_VALUE_LINEAR)
		return linear_for_each(value->linear, visit, user);
	if (value->kind == LAYOUT_VALUE_NESTED)
		return nested_for_each(value->nested, visit, user);
	if (cute_map_is_listable(&value->map))
		return cute_map_for_each(&value->map, visit, user);
	if (value->kind == LAYOUT_VALUE_SET) {
		set = layout_set_fix(layout_value_set(value), sizes, count);
		good = set && layout_set_for_each(set, visit_point, &set_visit);
		layout_set_free(set);
		return good;
	}
	relation = layout_relation_fix(layout_value_relation(value), sizes, count);
	good = relation && layout_relation_for_each(relation, visit, user);
	layout_relation_free(relation);
	return good;
}
