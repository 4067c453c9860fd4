/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/compose.h"
#include "algebra/forms.h"
#include "algebra/function.h"

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

/* What keeping a function known by construction may cost; the relation can do
 * without. */
#define FOLLOW_OPERATIONS 50000ul

/* What two functions known by construction make: f o g, or NULL. */
static isl_multi_aff *follow(layout_context *ctx, isl_multi_aff *f, isl_multi_aff *g)
{
	isl_multi_aff *both;

	if (!f || !g)
		return NULL;
	bridge_begin_attempt(ctx, FOLLOW_OPERATIONS);
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

/* The composition of two functions that were never affine the other way: the
 * function on the inputs whose image the outer one takes.  This spares isl the
 * middle space, which it would eliminate floor by floor. */
static isl_map *apply_function(layout_relation *outer, layout_relation *inner,
	isl_multi_aff *both)
{
	isl_set *taken = isl_set_preimage_multi_aff(named_domain(outer),
		isl_multi_aff_copy(inner->forward));

	return isl_map_intersect_domain(isl_map_from_multi_aff(isl_multi_aff_copy(both)),
		isl_set_intersect(taken, named_domain(inner)));
}

layout_relation *compose_for(const char *doing, layout_relation *outer,
	layout_relation *inner)
{
	layout_relation *result = NULL;
	isl_multi_aff *forward, *backward;
	isl_map *map;

	if (!outer || !inner || !bridge_contexts_meet(outer->ctx, inner->ctx))
		goto done;
	result = form_compose(outer, inner);
	if (result)
		goto done;
	bridge_enter(outer->ctx);
	if (!spaces_meet(doing, outer, inner)) {
		bridge_leave(outer->ctx, doing);
		goto done;
	}
	forward = follow(outer->ctx, outer->forward, inner->forward);
	backward = follow(outer->ctx, inner->backward, outer->backward);
	map = forward && !backward ? apply_function(outer, inner, forward) :
		isl_map_apply_range(isl_map_copy(inner->map), isl_map_copy(outer->map));
	result = bridge_give_relation(outer->ctx, doing, isl_map_coalesce(map), forward,
		backward);
done:
	layout_relation_free(outer);
	layout_relation_free(inner);
	return result;
}

layout_relation *layout_relation_compose(layout_relation *outer, layout_relation *inner)
{
	return compose_for("compose", outer, inner);
}
