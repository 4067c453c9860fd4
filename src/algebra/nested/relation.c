/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/digits/box.h"
#include "algebra/forms.h"
#include "algebra/nested/f2.h"
#include "isl_bridge/aff.h"

#include <layout/view.h>

/* The digits of the relation: the thread of the formula, then these groups, a
 * variable a dimension; the last two only where the thread does not decide an id. */
enum { GROUP_BATCH, GROUP_OUTER, GROUP_ELEMENT, GROUP_SUBGROUP, GROUP_THREAD,
	GROUP_COUNT };

static const unsigned group_level[GROUP_COUNT] = {
	NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT, NESTED_SUBGROUP, NESTED_THREAD,
};

static unsigned variable(const layout_nested *nested, unsigned group, unsigned dim)
{
	return 1 + group * nested->rank + dim;
}

/* Threads that one step of an id is worth; 0: it has a variable of its own. */
static int64_t group_step(const layout_nested *nested, unsigned group, unsigned dim)
{
	return group >= GROUP_SUBGROUP ?
		nested_step(nested, group_level[group], dim) : 0;
}

/* The box of the variables; ids that the thread decides are 0 here. */
static struct digit_box variables(const layout_nested *nested)
{
	struct digit_box digits = digit_box_new(nested->ctx, 1 + GROUP_COUNT * nested->rank);

	digit_box_bound(&digits, 0, nested_virtual_threads(nested));
	for (unsigned group = 0; group < GROUP_COUNT; group++)
		for (unsigned d = 0; d < nested->rank; d++)
			digit_box_bound(&digits, variable(nested, group, d),
				group_step(nested, group, d) ? 1 :
				nested->tile[group_level[group]][d]);
	return digits;
}

/* (((s*B + b)*O + o)*T + t)*E + e of dimension "dim". */
static isl_aff *coordinate(struct digit_box *digits, const layout_nested *nested,
	unsigned dim)
{
	static const unsigned order[] = {
		GROUP_ELEMENT, GROUP_THREAD, GROUP_OUTER, GROUP_BATCH, GROUP_SUBGROUP,
	};
	isl_aff *sum = digit_box_zero(digits);
	int64_t weight = 1;

	for (unsigned i = 0; i < GROUP_COUNT; i++) {
		int64_t tile = nested->tile[group_level[order[i]]][dim];
		int64_t step = group_step(nested, order[i], dim);

		if (step)
			sum = aff_add_scaled(sum, digit_box_digit(digits, 0, step, tile),
				weight);
		else
			sum = digit_box_add(digits, sum, variable(nested, order[i], dim),
				weight);
		weight *= tile;
	}
	return sum;
}

/* One thread does one thread's work, and decides all ids: the coordinates are a
 * function of thread, b, o and e. */
static bool is_function(const layout_nested *nested)
{
	if (nested_period(nested) < nested_virtual_threads(nested))
		return false;
	for (unsigned d = 0; d < nested->rank; d++)
		for (unsigned group = GROUP_SUBGROUP; group < GROUP_COUNT; group++)
			if (!group_step(nested, group, d) &&
			    nested->tile[group_level[group]][d] > 1)
				return false;
	return true;
}

/* Thread, b.., o.. and e.. decide the coordinates: one function, on a box. */
static layout_relation *function_relation(const layout_nested *nested,
	struct digit_box *digits, isl_aff_list *coordinates)
{
	unsigned inputs = 1 + 3 * nested->rank;
	isl_space *space = isl_space_alloc(bridge_isl(nested->ctx), 0,
		1 + GROUP_COUNT * nested->rank, nested->rank);
	isl_multi_aff *function = isl_multi_aff_drop_dims(
		isl_multi_aff_from_aff_list(space, coordinates), isl_dim_in, inputs,
		2 * nested->rank);
	isl_set *box = isl_set_project_out(digits->box, isl_dim_set, inputs,
		2 * nested->rank);

	return bridge_give_relation(nested->ctx, "build a nested layout",
		isl_map_intersect_domain(
			isl_map_from_multi_aff(isl_multi_aff_copy(function)),
			box), function, NULL);
}

/* The thread, which does the work of all that are a period apart. */
static isl_aff *holder(struct digit_box *digits, const layout_nested *nested)
{
	int64_t period = nested_period(nested);

	if (period == nested_virtual_threads(nested))
		return digit_box_add(digits, digit_box_zero(digits), 0, 1);
	return digit_box_digit(digits, 0, 1, period);
}

/* Threads that hold several coordinates in one place: of ids that they do not decide,
 * which take all values, and of several threads' work. */
static layout_relation *replicated_relation(const layout_nested *nested,
	struct digit_box *digits, isl_aff_list *coordinates)
{
	unsigned inputs = 1 + 3 * nested->rank;
	isl_aff_list *held = isl_aff_list_alloc(bridge_isl(nested->ctx), (int)inputs);

	held = isl_aff_list_add(held, holder(digits, nested));
	for (unsigned i = 1; i < inputs; i++)
		held = isl_aff_list_add(held,
			digit_box_add(digits, digit_box_zero(digits), i, 1));
	return digit_box_relation(digits, "build a nested layout", held, coordinates);
}

layout_set *layout_nested_box(layout_nested *nested)
{
	struct digit_box digits;

	if (!nested)
		return NULL;
	bridge_enter(nested->ctx);
	digits = digit_box_new(nested->ctx, nested->rank);
	for (unsigned d = 0; d < nested->rank; d++)
		digit_box_bound(&digits, d, layout_nested_size(nested, d));
	return bridge_give_set(nested->ctx, "build a box", digits.box);
}

static layout_relation *isl_relation(const layout_nested *nested)
{
	struct digit_box digits;
	isl_aff_list *coordinates;

	bridge_enter(nested->ctx);
	digits = variables(nested);
	coordinates = isl_aff_list_alloc(bridge_isl(nested->ctx), (int)nested->rank);
	for (unsigned d = 0; d < nested->rank; d++)
		coordinates = isl_aff_list_add(coordinates,
			coordinate(&digits, nested, d));
	return is_function(nested) ? function_relation(nested, &digits, coordinates) :
		replicated_relation(nested, &digits, coordinates);
}

#define MOST_NAMED 32

/* "thread", "b0", "b1", .., "o0", .., "e0", .. */
static layout_relation *name_inputs(layout_relation *relation, unsigned rank)
{
	char texts[3 * MOST_NAMED][8];
	const char *names[3 * MOST_NAMED + 1] = { "thread" };

	if (rank > MOST_NAMED)
		return relation;
	for (unsigned i = 0; i < 3 * rank; i++) {
		snprintf(texts[i], sizeof(texts[i]), "%c%u", "boe"[i / rank], i % rank);
		names[1 + i] = texts[i];
	}
	return layout_relation_name_in_coordinates(relation, names, 3 * rank + 1);
}

layout_relation *layout_nested_relation(layout_nested *nested)
{
	struct f2 *f2 = nested ? nested_f2(nested) : NULL;
	layout_relation *relation;

	if (!nested)
		return NULL;
	relation = name_inputs(f2 ? form_f2_relation(nested->ctx, f2) :
		isl_relation(nested), nested->rank);
	return bridge_know_origin(relation, (struct origin){ 0, layout_nested_copy(nested),
		free, nested_covers });
}
