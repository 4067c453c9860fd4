/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on one relation, or on two of the same spaces. */
#include "algebra/compose.h"
#include "algebra/forms.h"
#include "algebra/select.h"

layout_relation *layout_relation_inverse(layout_relation *relation)
{
	layout_relation *result;

	if (!relation)
		return NULL;
	result = form_inverse(relation);
	if (result)
		goto done;
	bridge_enter(relation->ctx);
	bridge_need_map(relation);
	result = bridge_give_relation(relation->ctx, "invert",
		isl_map_reverse(isl_map_copy(relation->map)),
		isl_multi_aff_copy(relation->backward),
		isl_multi_aff_copy(relation->forward));
	result = bridge_know_sets(result, isl_set_copy(relation->range),
		isl_set_copy(relation->domain));
done:
	layout_relation_free(relation);
	return result;
}

layout_relation *layout_relation_product(layout_relation *a, layout_relation *b)
{
	layout_relation *result = NULL;

	if (a && b && bridge_contexts_meet(a->ctx, b->ctx)) {
		bridge_enter(a->ctx);
		bridge_need_map(a);
		bridge_need_map(b);
		result = bridge_give_relation(a->ctx, "multiply", isl_map_flat_product(
			isl_map_copy(a->map), isl_map_copy(b->map)), NULL, NULL);
	}
	layout_relation_free(a);
	layout_relation_free(b);
	return result;
}

/* "smaller": the result is part of "a", which what is known of "a" survives. */
static layout_relation *combine(const char *doing,
	isl_map *(*operation)(isl_map *, isl_map *),
	bool smaller, layout_relation *a, layout_relation *b)
{
	layout_relation *result = NULL;
	isl_map *map;

	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx))
		goto done;
	bridge_enter(a->ctx);
	if (!bridge_need_map(a) || !bridge_need_map(b) ||
	    !bridge_maps_meet(a->ctx, doing, &a->map, isl_dim_in, &b->map, isl_dim_in) ||
	    !bridge_maps_meet(a->ctx, doing, &a->map, isl_dim_out, &b->map,
		isl_dim_out)) {
		bridge_leave(a->ctx, doing);
		goto done;
	}
	map = operation(isl_map_copy(a->map), isl_map_copy(b->map));
	result = bridge_give_relation(a->ctx, doing, bridge_coalesce_map(a->ctx, map),
		smaller ? bridge_name_forward(
			isl_multi_aff_copy(a->forward), a->map) : NULL,
		smaller ? bridge_name_backward(
			isl_multi_aff_copy(a->backward), a->map) : NULL);
done:
	layout_relation_free(a);
	layout_relation_free(b);
	return result;
}

layout_relation *layout_relation_union(layout_relation *a, layout_relation *b)
{
	return combine("unite", isl_map_union, false, a, b);
}

layout_relation *layout_relation_intersect(layout_relation *a, layout_relation *b)
{
	return combine("intersect", isl_map_intersect, true, a, b);
}

layout_relation *layout_relation_subtract(layout_relation *a, layout_relation *b)
{
	return combine("subtract", isl_map_subtract, true, a, b);
}

/* The pairs whose input, or image, is in the set: their composition with the
 * identity on it, which also settles the names.  Keeps the relation. */
static layout_relation *identity_on(layout_set *set, layout_relation *relation)
{
	layout_relation *identity = NULL;
	isl_multi_aff *same;

	if (!set || !relation || !bridge_contexts_meet(relation->ctx, set->ctx)) {
		layout_set_free(set);
		return NULL;
	}
	bridge_enter(set->ctx);
	same = isl_multi_aff_identity_on_domain_space(isl_set_get_space(set->set));
	identity = bridge_give_relation(set->ctx, "restrict",
		isl_set_identity(isl_set_copy(set->set)), same, isl_multi_aff_copy(same));
	layout_set_free(set);
	return identity;
}

layout_relation *layout_relation_restrict(layout_relation *relation, layout_set *set)
{
	return compose_for("restrict", relation, identity_on(set, relation));
}

layout_relation *layout_relation_restrict_range(layout_relation *relation,
	layout_set *set)
{
	return compose_for("restrict", identity_on(set, relation), relation);
}

layout_set *layout_relation_domain(layout_relation *relation)
{
	layout_set *result;

	if (!relation)
		return NULL;
	bridge_enter(relation->ctx);
	result = bridge_give_set(relation->ctx, "find the domain",
		form_domain(relation));
	layout_relation_free(relation);
	return result;
}

layout_set *layout_relation_range(layout_relation *relation)
{
	layout_set *result;

	if (!relation)
		return NULL;
	bridge_enter(relation->ctx);
	result = bridge_give_set(relation->ctx, "find the range",
		form_range(relation));
	layout_relation_free(relation);
	return result;
}

/* Selecting coordinates is composing with the selection; a permutation is its
 * own kind of function with an inverse. */
static layout_relation *select_dims(layout_relation *relation, const unsigned *dims,
	unsigned count, select_kind kind)
{
	layout_relation *selection = NULL;
	isl_multi_aff *forward;

	if (!relation)
		return NULL;
	bridge_enter(relation->ctx);
	bridge_need_map(relation);
	forward = select_coordinates(relation->ctx,
		isl_space_range(isl_map_get_space(relation->map)), dims, count, kind);
	if (forward)
		selection = bridge_give_relation(relation->ctx, "select coordinates",
			isl_map_from_multi_aff(isl_multi_aff_copy(forward)), forward,
			NULL);
	else
		bridge_leave(relation->ctx, "select coordinates");
	return compose_for("select coordinates", selection, relation);
}

layout_relation *layout_relation_permute(layout_relation *relation, const unsigned *order,
	unsigned count)
{
	return select_dims(relation, order, count, SELECT_PERMUTE);
}

layout_relation *layout_relation_project(layout_relation *relation, const unsigned *dims,
	unsigned count)
{
	return select_dims(relation, dims, count, SELECT_DROP);
}

layout_relation *layout_relation_simplify(layout_relation *relation)
{
	layout_relation *result;

	if (!relation || relation->form)
		return relation;
	bridge_enter(relation->ctx);
	result = bridge_give_relation(relation->ctx, "simplify",
		bridge_coalesce_map(relation->ctx, isl_map_remove_redundancies(
			isl_map_detect_equalities(isl_map_copy(relation->map)))),
		isl_multi_aff_copy(relation->forward),
		isl_multi_aff_copy(relation->backward));
	layout_relation_free(relation);
	return result;
}

/* Drop a parameter that now has a value; a function that used it is forgotten. */
static isl_multi_aff *forget_param(isl_multi_aff *function, const char *name)
{
	int at = function ?
		isl_multi_aff_find_dim_by_name(function, isl_dim_param, name) : -1;

	if (at < 0)
		return function;
	if (isl_multi_aff_involves_dims(function, isl_dim_param, (unsigned)at, 1) !=
	    isl_bool_false)
		return isl_multi_aff_free(function);
	return isl_multi_aff_drop_dims(function, isl_dim_param, (unsigned)at, 1);
}

/* The set, consumed, with a number for a parameter that it may have; NULL passes
 * through. */
static isl_set *fix_param(isl_set *set, const char *name, int64_t value)
{
	int at = set ? isl_set_find_dim_by_name(set, isl_dim_param, name) : -1;

	if (at < 0)
		return set;
	set = isl_set_fix_val(set, isl_dim_param, (unsigned)at,
		isl_val_int_from_si(isl_set_get_ctx(set), value));
	return isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
}

layout_relation *layout_relation_fix(layout_relation *relation, const layout_size *sizes,
	unsigned count)
{
	layout_relation *result;
	isl_multi_aff *forward, *backward;
	isl_set *domain, *range;
	isl_map *map;

	if (!relation || !layout_given_sizes(relation->ctx, sizes, count)) {
		layout_relation_free(relation);
		return NULL;
	}
	if (!layout_relation_param_count(relation))
		return relation;
	bridge_enter(relation->ctx);
	map = isl_map_copy(relation->map);
	forward = isl_multi_aff_copy(relation->forward);
	backward = isl_multi_aff_copy(relation->backward);
	domain = isl_set_copy(relation->domain);
	range = isl_set_copy(relation->range);
	for (unsigned i = 0; i < count; i++) {
		int at = isl_map_find_dim_by_name(map, isl_dim_param, sizes[i].name);

		domain = fix_param(domain, sizes[i].name, sizes[i].value);
		range = fix_param(range, sizes[i].name, sizes[i].value);
		if (at < 0)
			continue;
		map = isl_map_fix_val(map, isl_dim_param, (unsigned)at,
			isl_val_int_from_si(bridge_isl(relation->ctx), sizes[i].value));
		map = isl_map_project_out(map, isl_dim_param, (unsigned)at, 1);
		forward = forget_param(forward, sizes[i].name);
		backward = forget_param(backward, sizes[i].name);
	}
	result = bridge_know_sets(bridge_give_relation(relation->ctx, "fix sizes", map,
		forward, backward), domain, range);
	layout_relation_free(relation);
	return result;
}
