/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on sets. */
#include "algebra/select.h"
#include "isl_bridge/objects.h"

typedef isl_set *set_operation(isl_set *, isl_set *);

static layout_set *combine(const char *doing, set_operation *operation,
	layout_set *a, layout_set *b)
{
	layout_set *result = NULL;
	isl_set *set;

	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx))
		goto done;
	bridge_enter(a->ctx);
	if (!bridge_sets_meet(a->ctx, doing, &a->set, &b->set)) {
		bridge_leave(a->ctx, doing);
		goto done;
	}
	set = operation(isl_set_copy(a->set), isl_set_copy(b->set));
	result = bridge_give_set(a->ctx, doing, bridge_coalesce_set(a->ctx, set));
done:
	layout_set_free(a);
	layout_set_free(b);
	return result;
}

layout_set *layout_set_union(layout_set *a, layout_set *b)
{
	return combine("unite", isl_set_union, a, b);
}

layout_set *layout_set_intersect(layout_set *a, layout_set *b)
{
	return combine("intersect", isl_set_intersect, a, b);
}

layout_set *layout_set_subtract(layout_set *a, layout_set *b)
{
	return combine("subtract", isl_set_subtract, a, b);
}

layout_set *layout_set_product(layout_set *a, layout_set *b)
{
	layout_set *result = NULL;

	if (a && b && bridge_contexts_meet(a->ctx, b->ctx)) {
		bridge_enter(a->ctx);
		result = bridge_give_set(a->ctx, "multiply", isl_set_flat_product(
			isl_set_copy(a->set), isl_set_copy(b->set)));
	}
	layout_set_free(a);
	layout_set_free(b);
	return result;
}

/* The image of "set" under a selection of its coordinates. */
static layout_set *select_dims(layout_set *set, const unsigned *dims, unsigned count,
	select_kind kind)
{
	layout_set *result = NULL;
	isl_multi_aff *selection;

	if (!set)
		return NULL;
	bridge_enter(set->ctx);
	selection = select_coordinates(set->ctx, isl_set_get_space(set->set), dims,
		count, kind);
	if (selection)
		result = bridge_give_set(set->ctx, "select coordinates", isl_set_apply(
			isl_set_copy(set->set), isl_map_from_multi_aff(selection)));
	else
		bridge_leave(set->ctx, "select coordinates");
	layout_set_free(set);
	return result;
}

layout_set *layout_set_permute(layout_set *set, const unsigned *order, unsigned count)
{
	return select_dims(set, order, count, SELECT_PERMUTE);
}

layout_set *layout_set_project(layout_set *set, const unsigned *dims, unsigned count)
{
	return select_dims(set, dims, count, SELECT_DROP);
}

layout_set *layout_set_simplify(layout_set *set)
{
	layout_set *result = NULL;

	if (!set)
		return NULL;
	bridge_enter(set->ctx);
	result = bridge_give_set(set->ctx, "simplify",
		bridge_coalesce_set(set->ctx, isl_set_remove_redundancies(
			isl_set_detect_equalities(isl_set_copy(set->set)))));
	layout_set_free(set);
	return result;
}

layout_set *layout_set_fix(layout_set *set, const layout_size *sizes, unsigned count)
{
	layout_set *result = NULL;
	isl_set *fixed;

	if (!set || !layout_given_sizes(set->ctx, sizes, count)) {
		layout_set_free(set);
		return NULL;
	}
	bridge_enter(set->ctx);
	fixed = isl_set_copy(set->set);
	for (unsigned i = 0; i < count; i++) {
		int at = isl_set_find_dim_by_name(fixed, isl_dim_param, sizes[i].name);

		if (at < 0)
			continue;
		fixed = isl_set_fix_val(fixed, isl_dim_param, (unsigned)at,
			isl_val_int_from_si(bridge_isl(set->ctx), sizes[i].value));
		fixed = isl_set_project_out(fixed, isl_dim_param, (unsigned)at, 1);
	}
	result = bridge_give_set(set->ctx, "fix sizes", fixed);
	layout_set_free(set);
	return result;
}
