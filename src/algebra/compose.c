/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/compose.h"
#include "algebra/forms.h"
#include "algebra/function.h"
#include "algebra/period.h"

/* The middle spaces of outer o inner agree, or an anonymous one takes the other's
 * name, also in what is known of the relation. */
static bool spaces_meet(const char *doing, layout_relation *outer,
	layout_relation *inner)
{
	if (!bridge_need_map(outer) || !bridge_need_map(inner))
		return false;
	if (!bridge_maps_meet(outer->ctx, doing, &inner->map, isl_dim_out,
			&outer->map, isl_dim_in))
		return false;
	find_function(inner);
	find_function(outer);
	inner->forward = bridge_name_forward(inner->forward, inner->map);
	inner->backward = bridge_name_backward(inner->backward, inner->map);
	outer->forward = bridge_name_forward(outer->forward, outer->map);
	outer->backward = bridge_name_backward(outer->backward, outer->map);
	return true;
}

/* What two functions known by construction make: f o g, or NULL. */
static isl_multi_aff *follow(layout_context *ctx, isl_multi_aff *f, isl_multi_aff *g)
{
	isl_multi_aff *both;

	if (!f || !g)
		return NULL;
	bridge_begin_attempt(ctx, BUDGET_FOLLOW);
	both = isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(f),
		isl_multi_aff_copy(g));
	return bridge_end_attempt(ctx) ? both : isl_multi_aff_free(both);
}

/* The domain with the name that its tuple has by now; a form's is a mere box. */
static isl_set *named_domain(layout_relation *relation)
{
	isl_set *domain = form_domain(relation);

	if (isl_map_has_tuple_id(relation->map, isl_dim_in) == isl_bool_true)
		domain = isl_set_set_tuple_id(domain,
			isl_map_get_tuple_id(relation->map, isl_dim_in));
	return domain;
}

/* Does the inner function only reach what the outer one takes, as far as both are known? */
static bool reaches_only(layout_relation *outer, layout_relation *inner)
{
	isl_set *range, *domain;
	bool only;

	if (!inner->range || !outer->domain)
		return false;
	range = isl_set_reset_tuple_id(isl_set_copy(inner->range));
	domain = isl_set_reset_tuple_id(isl_set_copy(outer->domain));
	bridge_begin_attempt(outer->ctx, BUDGET_FOLLOW);
	only = isl_set_is_subset(range, domain) == isl_bool_true;
	isl_set_free(range);
	isl_set_free(domain);
	return bridge_end_attempt(outer->ctx) && only;
}

/* The composition of two functions that were never affine the other way: the
 * function on the inputs whose image the outer one takes.  This spares isl the
 * middle space, which it would eliminate floor by floor. */
static isl_map *apply_function(layout_relation *outer, layout_relation *inner,
	isl_multi_aff *both)
{
	isl_set *taken = named_domain(inner);

	if (!reaches_only(outer, inner))
		taken = isl_set_intersect(isl_set_preimage_multi_aff(named_domain(outer),
			isl_multi_aff_copy(inner->forward)), taken);
	return isl_map_intersect_domain(isl_map_from_multi_aff(isl_multi_aff_copy(both)),
		taken);
}

/* Has the function floors? */
static bool has_floors(isl_multi_aff *function)
{
	isl_size floors = 0;

	for (isl_size k = 0; k < isl_multi_aff_dim(function, isl_dim_out); k++) {
		isl_aff *aff = isl_multi_aff_get_at(function, (int)k);

		floors += isl_aff_dim(aff, isl_dim_div);
		isl_aff_free(aff);
	}
	return floors > 0;
}

/* The composition of functions that lead back to where they began, "both" to one: the
 * identity on the inputs whose image the outer one takes.  NULL where they do not. */
static isl_set *lead_back(layout_relation *outer, layout_relation *inner,
	isl_multi_aff *both)
{
	isl_space *space = isl_multi_aff_get_space(both);
	bool back = isl_space_tuple_is_equal(space, isl_dim_in, space, isl_dim_out) ==
		isl_bool_true;
	isl_set *domain = back ? named_domain(inner) : NULL;

	isl_space_free(space);
	if (!domain || !period_is_identity(outer->ctx, both, domain))
		return isl_set_free(domain);
	if (reaches_only(outer, inner))
		return domain;
	return isl_set_intersect(domain, isl_set_preimage_multi_aff(named_domain(outer),
		isl_multi_aff_copy(inner->forward)));
}

/* The same as a relation; closes the bridge_enter(). */
static layout_relation *identity_of(layout_context *ctx, const char *doing, isl_set *set)
{
	isl_multi_aff *same = isl_multi_aff_identity_on_domain_space(
		isl_set_get_space(set));
	layout_relation *result = bridge_give_relation(ctx, doing,
		isl_set_identity(isl_set_copy(set)), same, isl_multi_aff_copy(same));

	return bridge_know_sets(result, set, isl_set_copy(set));
}

/* Of relations whose spaces meet; closes the bridge_enter(). */
static layout_relation *compose_maps(const char *doing, layout_relation *outer,
	layout_relation *inner)
{
	bool apply = !outer->backward || !inner->backward;
	isl_multi_aff *forward, *backward;
	isl_set *back;
	isl_map *map;

	if (form_find_backward(outer))
		form_find_backward(inner);
	forward = follow(outer->ctx, outer->forward, inner->forward);
	backward = follow(outer->ctx, inner->backward, outer->backward);
	back = forward && backward ? lead_back(outer, inner, forward) : NULL;
	if (back) {
		isl_multi_aff_free(forward);
		isl_multi_aff_free(backward);
		return identity_of(outer->ctx, doing, back);
	}
	apply = apply || !backward || (outer->domain && has_floors(backward));
	map = forward && apply ? apply_function(outer, inner, forward) :
		isl_map_apply_range(isl_map_copy(inner->map), isl_map_copy(outer->map));
	return bridge_give_relation(outer->ctx, doing,
		bridge_coalesce_map(outer->ctx, map), forward, backward);
}

layout_relation *compose_for(const char *doing, layout_relation *outer,
	layout_relation *inner)
{
	layout_relation *result = NULL;

	if (!outer || !inner || !bridge_contexts_meet(outer->ctx, inner->ctx))
		goto done;
	result = form_compose(outer, inner);
	if (result)
		goto done;
	bridge_enter(outer->ctx);
	if (spaces_meet(doing, outer, inner))
		result = compose_maps(doing, outer, inner);
	else
		bridge_leave(outer->ctx, doing);
done:
	layout_relation_free(outer);
	layout_relation_free(inner);
	return result;
}

layout_relation *layout_relation_compose(layout_relation *outer, layout_relation *inner)
{
	return compose_for("compose", outer, inner);
}
