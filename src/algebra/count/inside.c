/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of a relation whose images lie in a set: as a rule all of it, as it is. */
#include "algebra/count/count.h"
#include "algebra/form.h"

/* Every image of the box of bits is in "onto", an isl question without the function. */
static bool box_is_inside(layout_relation *relation, isl_set *onto)
{
	const struct f2 *f2 = form_of_f2(relation);
	isl_set *box;
	isl_bool inside;

	if (!f2 || f2->out_rank != (unsigned)isl_set_dim(onto, isl_dim_set))
		return false;
	box = isl_set_universe(isl_set_get_space(onto));
	for (unsigned i = 0; i < f2->out_rank; i++)
		box = bridge_bound(box, i, INT64_C(1) << f2->out_widths[i]);
	inside = isl_set_is_subset(box, onto);
	isl_set_free(box);
	return inside == isl_bool_true;
}

/* Every input is in the set of those that have an image in "onto". */
static bool is_inside(layout_relation *relation, isl_set *onto)
{
	isl_map *map = bridge_asked_map(relation);
	isl_set *range = NULL;
	isl_bool inside;

	if (relation->forward) {
		isl_set *domain = isl_map_domain(map);
		isl_set *wanted = isl_set_preimage_multi_aff(isl_set_copy(onto),
			isl_multi_aff_copy(relation->forward));

		inside = isl_set_is_subset(domain, wanted);
		isl_set_free(wanted);
		isl_set_free(domain);
		return inside == isl_bool_true;
	}
	range = isl_map_range(map);
	inside = isl_set_is_subset(range, onto);
	isl_set_free(range);
	return inside == isl_bool_true;
}

layout_relation *count_inside(layout_relation *relation, layout_set *onto)
{
	layout_context *ctx = relation->ctx;
	isl_set *set, *images;
	bool inside = false, meet;

	bridge_enter(ctx);
	set = bridge_asked_set(onto);
	if (!box_is_inside(relation, set)) {
		bridge_need_map(relation);
		images = isl_set_universe(isl_space_range(
			isl_map_get_space(relation->map)));
		meet = bridge_sets_meet(ctx, "count the padding", &images, &set);
		isl_set_free(images);
		inside = meet && is_inside(relation, set);
	} else {
		inside = meet = true;
	}
	isl_set_free(set);
	if (!bridge_leave(ctx, "find what of the images is in the box") || !meet)
		return NULL;
	return inside ? layout_relation_copy(relation) :
		layout_relation_restrict_range(layout_relation_copy(relation),
			layout_set_copy(onto));
}
