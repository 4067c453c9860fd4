/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of linear layouts. */
#include "algebra/triton/triton.h"
#include "isl_bridge/relation.h"
#include "text/call.h"

#include <stdlib.h>
#include <string.h>

/* The first two arguments make a linear layout; where they do not fit together the error
 * lies at the second one, else at the call. */
static bool run_pair(struct call *call,
	layout_linear *(*operation)(layout_linear *, layout_linear *))
{
	layout_linear *a = call_linear(call, 0), *b = call_linear(call, 1), *result;
	struct layout_caught caught = { 0 }, *previous;

	previous = layout_context_catch(call->ctx, &caught);
	result = operation(a, b);
	layout_context_catch(call->ctx, previous);
	if (caught.kind == LAYOUT_ERROR_SPACE)
		caught.position = call->arguments[1].position;
	layout_context_raise(call->ctx, &caught);
	return give_linear(call, result);
}

/* The layout and a list of names; errors lie at the list. */
static bool run_names(struct call *call,
	layout_linear *(*operation)(layout_linear *, const char *const *, unsigned))
{
	const struct text_list *list = &call->arguments[1].list;
	layout_linear *linear = call_linear(call, 0);

	call_blame(call, 1);
	return give_linear(call, operation(linear, (const char *const *)list->names,
		list->count));
}

/* The layout and a list of names with sizes; errors lie at the list. */
static bool run_sizes(struct call *call,
	layout_linear *(*operation)(layout_linear *, const layout_size *, unsigned))
{
	layout_size sizes[TEXT_LIST_LIMIT];
	unsigned count = call_sizes(call, 1, sizes);
	layout_linear *linear = call_linear(call, 0);

	call_blame(call, 1);
	return give_linear(call, operation(linear, sizes, count));
}

/* The layout, one of its names and a size; errors lie at the name. */
static bool run_resize(struct call *call,
	layout_linear *(*operation)(layout_linear *, const char *, int64_t))
{
	layout_linear *linear = call_linear(call, 0);

	call_blame(call, 1);
	return give_linear(call, operation(linear, call->arguments[1].name,
		call->arguments[2].integer));
}

static bool run_concat_ins(struct call *call)
{
	return run_pair(call, layout_linear_concat_ins);
}

static bool run_concat_outs(struct call *call)
{
	return run_pair(call, layout_linear_concat_outs);
}

static bool run_divide_left(struct call *call)
{
	return run_pair(call, layout_linear_divide_left);
}

static bool run_divide_right(struct call *call)
{
	return run_pair(call, layout_linear_divide_right);
}

static bool run_invert_and_compose(struct call *call)
{
	return run_pair(call, layout_linear_invert_and_compose);
}

static bool run_least_squares(struct call *call)
{
	return run_pair(call, layout_linear_least_squares);
}

static bool run_pseudo_inverse(struct call *call)
{
	return give_linear(call, layout_linear_pseudo_inverse(call_linear(call, 0)));
}

static bool run_flatten_ins(struct call *call)
{
	return give_linear(call, layout_linear_flatten_ins(call_linear(call, 0)));
}

static bool run_flatten_outs(struct call *call)
{
	return give_linear(call, layout_linear_flatten_outs(call_linear(call, 0)));
}

static bool run_quotient(struct call *call)
{
	return run_names(call, layout_linear_quotient);
}

static bool run_transpose_ins(struct call *call)
{
	return run_names(call, layout_linear_transpose_ins);
}

static bool run_transpose_outs(struct call *call)
{
	return run_names(call, layout_linear_transpose_outs);
}

static bool run_reshape_ins(struct call *call)
{
	return run_sizes(call, layout_linear_reshape_ins);
}

static bool run_reshape_outs(struct call *call)
{
	return run_sizes(call, layout_linear_reshape_outs);
}

static bool run_resize_in(struct call *call)
{
	return run_resize(call, layout_linear_resize_in);
}

static bool run_resize_out(struct call *call)
{
	return run_resize(call, layout_linear_resize_out);
}

static bool run_remove_zero_bases(struct call *call)
{
	layout_linear *linear = call_linear(call, 0);

	call_blame(call, 1);
	return give_linear(call, layout_linear_remove_zero_bases(linear,
		call->arguments[1].name));
}

/* Errors of a sublayout's names lie at the list that has the wrong one. */
static void blame_side(struct call *call)
{
	const struct text_list *ins = &call->arguments[1].list;
	layout_linear *linear = layout_value_linear(call->arguments[0].value);
	unsigned known = 0;

	for (unsigned i = 0; i < ins->count; i++)
		for (unsigned k = 0; k < layout_linear_in_count(linear); k++)
			known += !strcmp(ins->names[i],
				layout_linear_in_name(linear, k));
	call_blame(call, known == ins->count ? 2 : 1);
}

static bool run_sublayout(struct call *call)
{
	const struct text_list *ins = &call->arguments[1].list;
	const struct text_list *outs = &call->arguments[2].list;

	layout_linear *linear = call_linear(call, 0);

	blame_side(call);
	return give_linear(call, layout_linear_sublayout(linear,
		(const char *const *)ins->names, ins->count,
		(const char *const *)outs->names, outs->count));
}

static bool run_sublayout_is_zero(struct call *call)
{
	const struct text_list *ins = &call->arguments[1].list;
	const struct text_list *outs = &call->arguments[2].list;

	blame_side(call);
	return give_answer(call, layout_linear_sublayout_is_zero(
		layout_value_linear(call->arguments[0].value),
		(const char *const *)ins->names, ins->count,
		(const char *const *)outs->names, outs->count));
}

static bool run_is_trivial_over(struct call *call)
{
	const struct text_list *list = &call->arguments[1].list;

	call_blame(call, 1);
	return give_answer(call, layout_linear_is_trivial_over(
		layout_value_linear(call->arguments[0].value),
		(const char *const *)list->names, list->count));
}

static bool run_consecutive(struct call *call)
{
	return give_integer(call,
		layout_linear_consecutive(layout_value_linear(call->arguments[0].value)));
}

static bool run_contiguous(struct call *call)
{
	int64_t count;

	call_blame(call, 1);
	count = layout_linear_contiguous(layout_value_linear(call->arguments[0].value),
		call->arguments[1].name);
	return count >= 0 && give_integer(call, count);
}

/* The masks as a point with a coordinate for each input. */
static bool run_free_masks(struct call *call)
{
	layout_linear *linear = layout_value_linear(call->arguments[0].value);
	uint64_t masks[LAYOUT_LINEAR_RANK] = { 0 };
	int64_t point[LAYOUT_LINEAR_RANK];
	unsigned rank = layout_linear_in_count(linear);

	if (!layout_linear_free_masks(linear, masks))
		return false;
	for (unsigned i = 0; i < rank; i++)
		point[i] = (int64_t)masks[i];
	return give_set(call, layout_set_from(call->ctx, point, rank, rank));
}

/* The relation where padding makes the layout none over F2. */
static bool distribute(struct call *call, layout_triton *encoding)
{
	const struct argument *shape = &call->arguments[1];
	unsigned rank = shape->list.count;

	call_blame(call, 1);
	if (layout_triton_get_kind(encoding) == LAYOUT_TRITON_PADDED_SHARED) {
		call->result->onto = value_box(call->ctx, shape->list.sizes, rank);
		return give_relation(call, layout_triton_relation(encoding,
			shape->list.sizes, rank));
	}
	return give_linear(call, layout_triton_linear(encoding, shape->list.sizes, rank));
}

static bool run_distribute(struct call *call)
{
	layout_value *value = call->arguments[0].value;
	layout_triton *encoding;
	bool good;

	call_blame(call, 0);
	encoding = value->kind == &kind_triton ?
		layout_triton_copy(layout_value_triton(value)) :
		triton_of_linear(layout_value_linear(value));
	good = encoding && distribute(call, encoding);
	layout_triton_free(encoding);
	return good;
}

static bool overload_compose(struct call *call)
{
	return run_pair(call, layout_linear_compose);
}

static bool overload_product(struct call *call)
{
	return run_pair(call, layout_linear_product);
}

/* The relation reversed where the layout is not invertible. */
static bool overload_inverse(struct call *call)
{
	layout_linear *linear = layout_value_linear(call->arguments[0].value);

	if (layout_linear_is_invertible(linear, NULL) != LAYOUT_YES)
		return give_relation(call, layout_relation_inverse(
			call_relation(call, 0)));
	return give_linear(call, layout_linear_invert(layout_linear_copy(linear)));
}

/* What the examples are of. */
#define A_LINEAR "linear<{a = [[1], [2]], b = [[4]]} -> {x = 8}>"

const struct function functions_linear[] = {
	{ "concat_ins", run_concat_ins, { ARG(LINEAR), ARG(LINEAR) },
		.example = "concat_ins(linear<{a = [[1]]} -> {x = 4}>, linear<{b = [[2]]} -> "
			"{x = 4}>)" },
	{ "concat_outs", run_concat_outs, { ARG(LINEAR), ARG(LINEAR) },
		.example = "concat_outs(linear<{a = [[1]]} -> {x = 2}>, linear<{a = [[1]]} -> "
			"{y = 2}>)" },
	{ "consecutive", run_consecutive, { ARG(LINEAR) },
		.example = "consecutive(" A_LINEAR ")" },
	{ "contiguous", run_contiguous, { ARG(LINEAR), ARG(NAME) },
		.example = "contiguous(" A_LINEAR ", x)" },
	{ "distribute", run_distribute, { ARG(TRITON), ARG(SIZES) },
		.example = "distribute(#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = "
			"[8, 8], warpsPerCTA = [1, 1], order = [1, 0]}>, [8, 16])" },
	{ "divide_left", run_divide_left, { ARG(LINEAR), ARG(LINEAR) },
		.example = "divide_left(" A_LINEAR ", linear<{a = [[1], [2]]} -> {x = 4}>)" },
	{ "divide_right", run_divide_right, { ARG(LINEAR), ARG(LINEAR) },
		.example = "divide_right(" A_LINEAR ", linear<{b = [[1]]} -> {x = 2}>)" },
	{ "flatten_ins", run_flatten_ins, { ARG(LINEAR) },
		.example = "flatten_ins(" A_LINEAR ")" },
	{ "flatten_outs", run_flatten_outs, { ARG(LINEAR) },
		.example = "flatten_outs(linear<{a = [[0, 1]], b = [[1, 0]]}>)" },
	{ "free_masks", run_free_masks, { ARG(LINEAR) },
		.example = "free_masks(" A_LINEAR ")" },
	{ "invert_and_compose", run_invert_and_compose, { ARG(LINEAR), ARG(LINEAR) },
		.example = "invert_and_compose(" A_LINEAR ", " A_LINEAR ")" },
	{ "is_trivial_over", run_is_trivial_over, { ARG(LINEAR), ARG(NAMES) },
		.example = "is_trivial_over(linear<{x = [[1, 0]], y = [[0, 1]]} -> {x = 2, y ="
			" 2}>, [x])" },
	{ "least_squares", run_least_squares, { ARG(LINEAR), ARG(LINEAR) },
		.example = "least_squares(" A_LINEAR ", " A_LINEAR ")" },
	{ "pseudo_inverse", run_pseudo_inverse, { ARG(LINEAR) },
		.example = "pseudo_inverse(" A_LINEAR ")" },
	{ "quotient", run_quotient, { ARG(LINEAR), ARG(NAMES) },
		.example = "quotient(linear<{x = [[1, 0]], y = [[0, 1]]} -> {x = 2, y = 2}>, "
			"[x])" },
	{ "remove_zero_bases", run_remove_zero_bases, { ARG(LINEAR), ARG(NAME) },
		.example = "remove_zero_bases(linear<{a = [[1], [0]]} -> {x = 2}>, a)" },
	{ "reshape_ins", run_reshape_ins, { ARG(LINEAR), ARG(NAMED) },
		.example = "reshape_ins(" A_LINEAR ", [c = 2, d = 4])" },
	{ "reshape_outs", run_reshape_outs, { ARG(LINEAR), ARG(NAMED) },
		.example = "reshape_outs(" A_LINEAR ", [y = 2, z = 4])" },
	{ "resize_in", run_resize_in, { ARG(LINEAR), ARG(NAME), ARG(INT) },
		.example = "resize_in(" A_LINEAR ", a, 2)" },
	{ "resize_out", run_resize_out, { ARG(LINEAR), ARG(NAME), ARG(INT) },
		.example = "resize_out(" A_LINEAR ", x, 16)" },
	{ "sublayout", run_sublayout, { ARG(LINEAR), ARG(NAMES), ARG(NAMES) },
		.example = "sublayout(" A_LINEAR ", [a], [x])" },
	{ "sublayout_is_zero", run_sublayout_is_zero,
		{ ARG(LINEAR), ARG(NAMES), ARG(NAMES) },
		.example = "sublayout_is_zero(" A_LINEAR ", [a], [x])" },
	{ "transpose_ins", run_transpose_ins, { ARG(LINEAR), ARG(NAMES) },
		.example = "transpose_ins(" A_LINEAR ", [b, a])" },
	{ "transpose_outs", run_transpose_outs, { ARG(LINEAR), ARG(NAMES) },
		.example = "transpose_outs(linear<{a = [[0, 1]]} -> {x = 2, y = 2}>, [y, x])" },
	{ .name = NULL },
};

const struct overload overloads_linear[] = {
	{ "compose", overload_compose, .both = true },
	{ "inverse", overload_inverse },
	{ "product", overload_product, .both = true },
	{ .name = NULL },
};
