/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* as(A, in = .., out = .., order = ..): the same map seen through other coordinates.
 *
 *	NAME			the tuple gets this name
 *	[4, 8]			the coordinates are numbered, and split into these sizes
 *	[row = 4, column = 8]	the same, with names
 *	[row, column]		the coordinates get these names; a linear layout is
 *				put into their order where they are its own
 *
 * A linear layout stays one where all coordinates have names. */
#include "text/call.h"

#include <layout/view.h>
#include <stdlib.h>
#include <string.h>

/* in and out: where they differ. */
struct side {
	unsigned argument;
	layout_set *(*box)(layout_value *);
	layout_set *(*points)(layout_relation *);
	layout_relation *(*view)(layout_relation *, layout_box, layout_box, layout_order);
	layout_relation *(*name)(layout_relation *, const char *);
	layout_relation *(*name_coordinates)(layout_relation *, const char *const *,
		unsigned);
	layout_linear *(*reshape)(layout_linear *, const layout_size *, unsigned);
	layout_linear *(*transpose)(layout_linear *, const char *const *, unsigned);
	unsigned (*count)(const layout_linear *);
	const char *(*name_of)(const layout_linear *, unsigned);
	int64_t (*size_of)(const layout_linear *, unsigned);
};

static const struct side in_side = {
	1, layout_value_from, layout_relation_domain, layout_relation_view_ins,
	layout_relation_name_ins, layout_relation_name_in_coordinates,
	layout_linear_reshape_ins, layout_linear_transpose_ins, layout_linear_in_count,
	layout_linear_in_name, layout_linear_in_size,
};

static const struct side out_side = {
	2, layout_value_onto, layout_relation_range, layout_relation_view_outs,
	layout_relation_name_outs, layout_relation_name_out_coordinates,
	layout_linear_reshape_outs, layout_linear_transpose_outs, layout_linear_out_count,
	layout_linear_out_name, layout_linear_out_size,
};

/* The notation's own order, unless the call says one. */
static bool find_order(struct call *call, layout_order *order)
{
	const struct argument *argument = &call->arguments[3];
	layout_value *value = call->arguments[0].value;

	*order = value->kind->order ? value->kind->order(value) : LAYOUT_ORDER_LEX;
	if (!argument->given)
		return true;
	*order = strcmp(argument->name, "lex") ? LAYOUT_ORDER_COLEX : LAYOUT_ORDER_LEX;
	if (!strcmp(argument->name, "lex") || !strcmp(argument->name, "colex"))
		return true;
	call_blame(call, 3);
	layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
		"`%.32s` is no order: lex or colex", argument->name);
	return false;
}

/* The box the literal declares, else the least one around the points. */
static layout_set *side_points(struct call *call, layout_relation *relation,
	const struct side *side)
{
	layout_value *value = call->arguments[0].value;

	return value->kind->from ? side->box(value) :
		side->points(layout_relation_copy(relation));
}

/* Other sizes; errors about the present ones lie at the operand.  Consumes the
 * relation. */
static layout_relation *resize(struct call *call, layout_relation *relation,
	const struct side *side, layout_order order)
{
	const struct text_list *list = &call->arguments[side->argument].list;
	layout_set *points;
	layout_box old, wanted = { list->count, list->sizes };
	int64_t *sizes;
	bool good;

	call_blame(call, 0);
	points = side_points(call, relation, side);
	old.rank = layout_set_rank(points);
	old.sizes = sizes = layout_alloc(call->ctx, old.rank, sizeof(*sizes));
	good = points && sizes && layout_set_box(points, sizes);
	layout_set_free(points);
	if (good) {
		call_blame(call, side->argument);
		relation = side->view(relation, old, wanted, order);
	} else {
		layout_relation_free(relation);
		relation = NULL;
	}
	free(sizes);
	return relation;
}

/* One side of a relation; consumes it. */
static layout_relation *see_side(struct call *call, layout_relation *relation,
	const struct side *side, layout_order order)
{
	const struct argument *argument = &call->arguments[side->argument];
	const struct text_list *list = &argument->list;

	if (!relation || !argument->given)
		return relation;
	if (!argument->name && (!list->count || list->sizes[0] >= 0))
		relation = resize(call, relation, side, order);
	call_blame(call, side->argument);
	if (argument->name)
		return side->name(relation, argument->name);
	if (list->count && list->names[0])
		return side->name_coordinates(relation,
			(const char *const *)list->names, list->count);
	return relation;
}

/* Are these the layout's own names? */
static bool are_own(layout_linear *linear, const struct side *side,
	const struct text_list *list)
{
	unsigned found = 0, count = side->count(linear);

	for (unsigned i = 0; i < list->count; i++)
		for (unsigned k = 0; k < count; k++)
			found += !strcmp(list->names[i], side->name_of(linear, k));
	return found == list->count;
}

/* The present sizes under other names; consumes the layout. */
static layout_linear *rename_side(struct call *call, layout_linear *linear,
	const struct side *side, const struct text_list *list)
{
	unsigned count = side->count(linear);
	layout_size sizes[TEXT_LIST_LIMIT];

	if (count != list->count) {
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"%u names for %u of the layout", list->count, count);
		layout_linear_free(linear);
		return NULL;
	}
	for (unsigned i = 0; i < count; i++)
		sizes[i] = (layout_size){ list->names[i], side->size_of(linear, i) };
	return side->reshape(linear, sizes, count);
}

/* One side of a linear layout; consumes it. */
static layout_linear *see_linear(struct call *call, layout_linear *linear,
	const struct side *side)
{
	const struct argument *argument = &call->arguments[side->argument];
	const struct text_list *list = &argument->list;
	layout_size sizes[TEXT_LIST_LIMIT];
	unsigned count;

	if (!linear || !argument->given)
		return linear;
	call_blame(call, side->argument);
	if (list->sizes[0] >= 0) {
		count = call_sizes(call, side->argument, sizes);
		return side->reshape(linear, sizes, count);
	}
	if (are_own(linear, side, list))
		return side->transpose(linear, (const char *const *)list->names,
			list->count);
	return rename_side(call, linear, side, list);
}

/* Does the argument leave a linear layout linear? */
static bool keeps_names(const struct argument *argument)
{
	return !argument->given || (!argument->name && argument->list.count &&
		argument->list.names[0]);
}

bool run_as(struct call *call)
{
	layout_relation *relation;
	layout_order order;

	if (!find_order(call, &order))
		return false;
	if (call_kind(call, 0) == &kind_linear && order == LAYOUT_ORDER_COLEX &&
	    keeps_names(&call->arguments[1]) && keeps_names(&call->arguments[2])) {
		layout_linear *linear = see_linear(call, call_linear(call, 0), &in_side);

		return give_linear(call, see_linear(call, linear, &out_side));
	}
	relation = see_side(call, call_relation(call, 0), &in_side, order);
	return give_relation(call, see_side(call, relation, &out_side, order));
}
