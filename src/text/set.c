/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sets, in isl's notation: a relation's reader finds them. */
#include "text/kind.h"

#include "isl_bridge/relation.h"

#include <stdlib.h>

static char *print(layout_value *value)
{
	return layout_set_str(value->set);
}

static void free_set(layout_value *value)
{
	layout_set_free(value->set);
	free(value->count);
}

static const char *size_name(layout_value *value, unsigned i)
{
	return i < layout_set_param_count(value->set) ?
		layout_set_param_name(value->set, i) : NULL;
}

struct set_visit {
	layout_visit_pair visit;
	void *user;
};

static bool visit_point(void *user, const int64_t *point, unsigned rank)
{
	struct set_visit *set_visit = user;

	return set_visit->visit(set_visit->user, point, rank, NULL, 0);
}

static bool for_each(layout_value *value, const layout_size *sizes, unsigned count,
	layout_visit_pair visit, void *user)
{
	struct set_visit set_visit = { visit, user };
	layout_set *set = layout_set_fix(layout_value_set(value), sizes, count);
	bool good = set && layout_set_for_each(set, visit_point, &set_visit);

	layout_set_free(set);
	return good;
}

const struct value_kind kind_set = {
	.name = "set", .noun = "a set", .print = print, .free = free_set,
	.for_each = for_each, .size_name = size_name, .is_plain = true,
};
