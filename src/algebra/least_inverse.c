/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/forms.h"

/* Is X -> Y injective as it was built?  Then its reverse has one image for each y. */
static bool is_one_to_one(layout_relation *relation)
{
	if (relation->backward)
		return true;
	return relation->form && form_is_injective(relation, NULL) == LAYOUT_YES;
}

/* The least images of Y -> X, which needs bounded ones.  Keeps the map. */
static layout_relation *least_images(layout_context *ctx, isl_map *reversed)
{
	static const char doing[] = "find the least inputs";
	isl_set *inputs = isl_map_range(isl_map_copy(reversed));
	isl_bool bounded = isl_set_is_bounded(inputs);

	isl_set_free(inputs);
	if (bounded == isl_bool_true)
		return bridge_give_relation(ctx, doing,
			isl_map_coalesce(isl_map_lexmin(isl_map_copy(reversed))), NULL,
			NULL);
	if (bridge_leave(ctx, doing))
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"an image may have no least input: the inputs have no bound");
	return NULL;
}

layout_relation *layout_relation_least_inverse(layout_relation *relation)
{
	layout_relation *result = NULL;
	isl_map *reversed;

	if (!relation || is_one_to_one(relation))
		return layout_relation_inverse(relation);
	bridge_enter(relation->ctx);
	if (bridge_need_map(relation)) {
		reversed = isl_map_reverse(isl_map_copy(relation->map));
		result = least_images(relation->ctx, reversed);
		isl_map_free(reversed);
	} else {
		bridge_leave(relation->ctx, "find the least inputs");
	}
	layout_relation_free(relation);
	return result;
}
