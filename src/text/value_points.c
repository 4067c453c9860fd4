/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of a value, in the order of its notation. */
#include "text/nested_points.h"
#include "text/value.h"

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

/* Offsets by the linear coordinate. */
static bool visit_cute(layout_cute *cute, layout_visit_pair visit, void *user)
{
	int64_t size = layout_cute_size(cute), offset;

	for (int64_t i = 0; i < size; i++) {
		if (!layout_cute_eval(cute, i, &offset))
			return false;
		if (!visit(user, &i, 1, &offset, 1))
			return true;
	}
	return true;
}

/* The next point of the inputs' box, the first input fastest; false past the last. */
static bool next_point(layout_linear *linear, int64_t *point, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++) {
		if (++point[i] < layout_linear_in_size(linear, i))
			return true;
		point[i] = 0;
	}
	return false;
}

static bool visit_linear(layout_linear *linear, layout_visit_pair visit, void *user)
{
	unsigned ins = layout_linear_in_count(linear);
	unsigned outs = layout_linear_out_count(linear);
	int64_t point[LAYOUT_LINEAR_RANK] = { 0 }, image[LAYOUT_LINEAR_RANK];

	do {
		if (!layout_linear_eval(linear, point, image))
			return false;
		if (!visit(user, point, ins, image, outs))
			return true;
	} while (next_point(linear, point, ins));
	return true;
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
		return visit_cute(value->cute, visit, user);
	if (value->kind == LAYOUT_VALUE_LINEAR)
		return visit_linear(value->linear, visit, user);
	if (value->kind == LAYOUT_VALUE_NESTED)
		return nested_for_each(value->nested, value->ctx, visit, user);
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
