/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/numbering.h"
#include "algebra/digits/box.h"
#include "algebra/owner/roles.h"
#include "isl_bridge/relation.h"

#include <inttypes.h>
#include <layout/view.h>

#define MOST_POINTS ((int64_t)1 << 22)

/* Input i adds step[i] times itself to the thread's number, or to the register's. */
struct inputs {
	layout_context *ctx;
	unsigned rank;
	enum owner_role roles[OWNER_INPUTS];
	int64_t extents[OWNER_INPUTS], steps[OWNER_INPUTS];
};

static bool refuse(const struct inputs *inputs, const char *what)
{
	layout_fail(inputs->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the owner: %s", what);
	return false;
}

static bool find_inputs(struct inputs *inputs, layout_relation *relation)
{
	layout_set *domain;
	bool ok;

	inputs->rank = layout_relation_in_rank(relation);
	if (!inputs->rank || inputs->rank > OWNER_INPUTS)
		return refuse(inputs, "it has no inputs, or too many");
	if (layout_relation_param_count(relation)) {
		layout_fail(inputs->ctx, LAYOUT_ERROR_INVALID, -1,
			"the owner: the size %s has no value",
			layout_relation_param_name(relation, 0));
		return false;
	}
	owner_roles(relation, inputs->roles);
	domain = layout_relation_domain(layout_relation_copy(relation));
	ok = layout_set_box(domain, inputs->extents);
	layout_set_free(domain);
	return ok;
}

/* The last input of a role is fastest; subgroups are above all lanes. */
static bool find_steps(struct inputs *inputs, struct owner_numbering *n)
{
	int64_t points = 1;

	n->subgroups = n->lanes = n->registers = 1;
	for (unsigned i = inputs->rank; i-- > 0;) {
		enum owner_role role = inputs->roles[i];
		int64_t extent = inputs->extents[i];
		int64_t *count = role == ROLE_SUBGROUP ? &n->subgroups :
			role == ROLE_REGISTER ? &n->registers : &n->lanes;

		if (extent < 1)
			return refuse(inputs, "it has no points");
		if (role == ROLE_BLOCK && extent > 1)
			return refuse(inputs, "it is of several workgroups, not of one");
		if (extent > MOST_POINTS / points)
			return refuse(inputs, "it has too many points");
		points *= extent;
		inputs->steps[i] = *count;
		*count *= extent;
		n->counts_threads = n->counts_threads || role == ROLE_THREAD;
	}
	for (unsigned i = 0; i < inputs->rank; i++)
		if (inputs->roles[i] == ROLE_SUBGROUP)
			inputs->steps[i] *= n->lanes;
	n->threads = n->subgroups * n->lanes;
	return true;
}

/* hw[..] -> [thread, register] */
static layout_relation *build_numbers(const struct inputs *inputs, layout_relation *owner)
{
	const char *names[OWNER_INPUTS];
	layout_relation *numbers;
	struct digit_box digits;
	isl_aff *sums[2];
	isl_space *space;
	isl_aff_list *list;
	bool named = true;

	bridge_enter(inputs->ctx);
	digits = digit_box_new(inputs->ctx, inputs->rank);
	sums[0] = digit_box_zero(&digits);
	sums[1] = digit_box_zero(&digits);
	for (unsigned i = 0; i < inputs->rank; i++) {
		isl_aff **sum = &sums[inputs->roles[i] == ROLE_REGISTER];

		digit_box_bound(&digits, i, inputs->extents[i]);
		*sum = digit_box_add(&digits, *sum, i, inputs->steps[i]);
		names[i] = layout_relation_coordinate_name(owner, false, i);
		named = named && names[i];
	}
	list = isl_aff_list_add(isl_aff_list_from_aff(sums[0]), sums[1]);
	space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(digits.box)),
		isl_dim_out, 2);
	numbers = bridge_give_relation(inputs->ctx, "number the registers",
		isl_map_intersect_domain(isl_map_from_multi_aff(
			isl_multi_aff_from_aff_list(space, list)), digits.box), NULL, NULL);
	return named ? layout_relation_name_in_coordinates(numbers, names, inputs->rank) :
		numbers;
}

/* [thread, register] -> [..] */
static layout_relation *build_inputs(const struct inputs *inputs,
	const struct owner_numbering *n)
{
	isl_multi_aff *function;
	isl_aff_list *list;
	isl_space *space;
	isl_set *box;

	bridge_enter(inputs->ctx);
	space = isl_space_set_alloc(bridge_isl(inputs->ctx), 0, 2);
	list = isl_aff_list_alloc(bridge_isl(inputs->ctx), (int)inputs->rank);
	for (unsigned i = 0; i < inputs->rank; i++)
		list = isl_aff_list_add(list, aff_coordinate_digit(space,
			inputs->roles[i] == ROLE_REGISTER, inputs->steps[i],
			inputs->extents[i]));
	box = bridge_bound(bridge_bound(isl_set_universe(isl_space_copy(space)), 0,
		n->threads), 1, n->registers);
	function = aff_function(space,
		isl_space_set_alloc(bridge_isl(inputs->ctx), 0, inputs->rank), list);
	return bridge_give_relation(inputs->ctx, "number the registers",
		isl_map_intersect_domain(
			isl_map_from_multi_aff(isl_multi_aff_copy(function)), box),
		function, NULL);
}

bool owner_number_inputs(layout_context *ctx, layout_relation *relation,
	struct owner_numbering *numbering)
{
	struct inputs inputs = { .ctx = ctx };

	*numbering = (struct owner_numbering){ 0 };
	if (!relation || !find_inputs(&inputs, relation) || !find_steps(&inputs, numbering))
		return false;
	numbering->numbers = build_numbers(&inputs, relation);
	numbering->inputs = build_inputs(&inputs, numbering);
	return numbering->numbers && numbering->inputs;
}

void owner_numbering_free(struct owner_numbering *numbering)
{
	layout_relation_free(numbering->numbers);
	layout_relation_free(numbering->inputs);
	*numbering = (struct owner_numbering){ 0 };
}
