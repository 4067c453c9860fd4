/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/numbering.h"
#include "algebra/digits/box.h"
#include "algebra/owner/roles.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/relation.h"

#include <inttypes.h>
#include <layout/view.h>

#define MOST_POINTS ((int64_t)1 << 22)

static bool refuse(layout_context *ctx, const char *what)
{
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the owner: %s", what);
	return false;
}

static bool find_inputs(layout_context *ctx, struct owner_inputs *inputs,
	layout_relation *relation)
{
	unsigned rank = layout_relation_in_rank(relation);

	if (!rank || rank > OWNER_INPUTS)
		return refuse(ctx, "it has no inputs, or too many");
	if (layout_relation_param_count(relation)) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"the owner: the size %s has no value",
			layout_relation_param_name(relation, 0));
		return false;
	}
	return owner_inputs_read(inputs, relation);
}

/* Subgroups are above all lanes. */
static bool number_threads(layout_context *ctx, struct owner_inputs *inputs,
	struct owner_numbering *n)
{
	int64_t extent[OWNER_PARTS];

	for (unsigned i = 0; i < inputs->count; i++) {
		if (inputs->extents[i] < 1)
			return refuse(ctx, "it has no points");
		if (inputs->roles[i] == ROLE_BLOCK && inputs->extents[i] > 1)
			return refuse(ctx, "it is of several workgroups, not of one");
		n->counts_threads = n->counts_threads || inputs->roles[i] == ROLE_THREAD;
	}
	if (!owner_inputs_number(inputs, MOST_POINTS, extent))
		return refuse(ctx, "it has too many points");
	n->subgroups = extent[OWNER_SUBGROUP];
	n->lanes = extent[OWNER_LANE];
	n->registers = extent[OWNER_REGISTER];
	n->threads = n->subgroups * n->lanes;
	for (unsigned i = 0; i < inputs->count; i++)
		if (inputs->roles[i] == ROLE_SUBGROUP)
			inputs->steps[i] *= n->lanes;
	return true;
}

/* hw[..] -> [thread, register] */
static layout_relation *build_numbers(layout_context *ctx, const struct owner_inputs *inputs,
	layout_relation *owner)
{
	const char *names[OWNER_INPUTS];
	layout_relation *numbers;
	struct digit_box digits;
	isl_aff *sums[2];
	isl_space *space;
	isl_aff_list *list;
	bool named = true;

	bridge_enter(ctx);
	digits = digit_box_new(ctx, inputs->count);
	sums[0] = digit_box_zero(&digits);
	sums[1] = digit_box_zero(&digits);
	for (unsigned i = 0; i < inputs->count; i++) {
		isl_aff **sum = &sums[inputs->roles[i] == ROLE_REGISTER];

		digit_box_bound(&digits, i, inputs->extents[i]);
		*sum = digit_box_add(&digits, *sum, i, inputs->steps[i]);
		names[i] = layout_relation_coordinate_name(owner, false, i);
		named = named && names[i];
	}
	list = isl_aff_list_add(isl_aff_list_from_aff(sums[0]), sums[1]);
	space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(digits.box)),
		isl_dim_out, 2);
	numbers = bridge_give_relation(ctx, "number the registers",
		isl_map_intersect_domain(isl_map_from_multi_aff(
			isl_multi_aff_from_aff_list(space, list)), digits.box), NULL, NULL);
	return named ? layout_relation_name_in_coordinates(numbers, names, inputs->count) :
		numbers;
}

/* [thread, register] -> [..] */
static layout_relation *build_inputs(layout_context *ctx, const struct owner_inputs *inputs,
	const struct owner_numbering *n)
{
	isl_multi_aff *function;
	isl_aff_list *list;
	isl_space *space;
	isl_set *box;

	bridge_enter(ctx);
	space = isl_space_set_alloc(bridge_isl(ctx), 0, 2);
	list = isl_aff_list_alloc(bridge_isl(ctx), (int)inputs->count);
	for (unsigned i = 0; i < inputs->count; i++)
		list = isl_aff_list_add(list, aff_coordinate_digit(space,
			inputs->roles[i] == ROLE_REGISTER, inputs->steps[i],
			inputs->extents[i]));
	box = bridge_bound(bridge_bound(isl_set_universe(isl_space_copy(space)), 0,
		n->threads), 1, n->registers);
	function = aff_function(space,
		isl_space_set_alloc(bridge_isl(ctx), 0, inputs->count), list);
	return bridge_give_relation(ctx, "number the registers",
		isl_map_intersect_domain(
			isl_map_from_multi_aff(isl_multi_aff_copy(function)), box),
		function, NULL);
}

bool owner_number_inputs(layout_context *ctx, layout_relation *relation,
	struct owner_numbering *numbering)
{
	struct owner_inputs inputs = { 0 };

	*numbering = (struct owner_numbering){ 0 };
	if (!relation || !find_inputs(ctx, &inputs, relation) ||
	    !number_threads(ctx, &inputs, numbering))
		return false;
	numbering->numbers = build_numbers(ctx, &inputs, relation);
	numbering->inputs = build_inputs(ctx, &inputs, numbering);
	return numbering->numbers && numbering->inputs;
}

void owner_numbering_free(struct owner_numbering *numbering)
{
	layout_relation_free(numbering->numbers);
	layout_relation_free(numbering->inputs);
	*numbering = (struct owner_numbering){ 0 };
}
