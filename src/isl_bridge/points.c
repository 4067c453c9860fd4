/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Enumeration in order. */
#include "isl_bridge/objects.h"

#include <isl/point.h>
#include <stdlib.h>
#include <string.h>

struct points {
	layout_context *ctx;
	unsigned rank;
	int64_t *values;
	size_t count, capacity;
};

static isl_stat collect(isl_point *point, void *user)
{
	struct points *all = user;
	isl_stat ok = isl_stat_ok;
	int64_t *grown;

	if (all->count == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 256;
		grown = realloc(all->values,
			all->capacity * (all->rank ? all->rank : 1) * sizeof(*grown));
		if (!grown) {
			layout_fail(all->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
			ok = isl_stat_error;
		}
		all->values = grown ? grown : all->values;
	}
	for (unsigned i = 0; ok == isl_stat_ok && i < all->rank; i++)
		if (!bridge_int64(all->ctx, isl_point_get_coordinate_val(point, isl_dim_set, (int)i),
				&all->values[all->count * all->rank + i]))
			ok = isl_stat_error;
	all->count++;
	bridge_progress(all->ctx);
	isl_point_free(point);
	return ok;
}

static int compare(const void *a, const void *b, void *rank)
{
	const int64_t *left = a, *right = b;

	for (unsigned i = 0; i < *(unsigned *)rank; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* All points of a set, sorted; isl visits a union piece by piece. */
static bool enumerate(layout_context *ctx, isl_set *set, struct points *all)
{
	bool ok;

	*all = (struct points){ .ctx = ctx, .rank = (unsigned)isl_set_dim(set, isl_dim_set) };
	if (isl_set_dim(set, isl_dim_param) > 0) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"cannot list points: the size %s has no value",
			isl_set_get_dim_name(set, isl_dim_param, 0));
		return false;
	}
	if (isl_set_is_bounded(set) == isl_bool_false) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"cannot list points: there is no bound on them");
		return false;
	}
	ok = isl_set_foreach_point(set, collect, all) == isl_stat_ok;
	if (ok && all->rank && all->count)
		qsort_r(all->values, all->count, all->rank * sizeof(int64_t), compare, &all->rank);
	return ok;
}

bool layout_set_for_each(layout_set *set, layout_visit_point visit, void *user)
{
	struct points all = { 0 };
	isl_set *flat;
	bool ok;

	if (!set)
		return false;
	bridge_enter(set->ctx);
	flat = isl_set_make_disjoint(isl_set_flatten(isl_set_copy(set->set)));
	ok = enumerate(set->ctx, flat, &all);
	isl_set_free(flat);
	ok = bridge_leave(set->ctx, "list points") && ok;
	for (size_t i = 0; ok && i < all.count; i++)
		if (!visit(user, all.values + i * all.rank, all.rank))
			break;
	free(all.values);
	return ok;
}

bool layout_relation_for_each(layout_relation *relation, layout_visit_pair visit, void *user)
{
	struct points all = { 0 };
	unsigned in;
	isl_set *flat;
	bool ok;

	if (!relation)
		return false;
	bridge_enter(relation->ctx);
	in = layout_relation_in_rank(relation);
	flat = isl_set_make_disjoint(isl_set_flatten(isl_map_wrap(isl_map_copy(relation->map))));
	ok = enumerate(relation->ctx, flat, &all);
	isl_set_free(flat);
	ok = bridge_leave(relation->ctx, "list points") && ok;
	for (size_t i = 0; ok && i < all.count; i++) {
		const int64_t *pair = all.values + i * all.rank;

		if (!visit(user, pair, in, pair + in, all.rank - in))
			break;
	}
	free(all.values);
	return ok;
}
