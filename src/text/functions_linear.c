/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of linear layouts. */
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
	if (caught.kind)
		call_raise(call, &caught);
	free(caught.message);
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
	struct layout_buffer out = { 0 };

	if (!layout_linear_free_masks(linear, masks))
		return false;
	layout_buffer_printf(&out, "{ [");
	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		layout_buffer_printf(&out, "%s%llu", i ? ", " : "",
			(unsigned long long)masks[i]);
	layout_buffer_printf(&out, "] }");
	return give_set(call, value_read_set(call->ctx, &out));
}

/* The relation where padding makes the layout none over F2. */
static bool run_distribute(struct call *call)
{
	const struct argument *shape = &call->arguments[1];
	layout_triton *encoding = layout_value_triton(call->arguments[0].value);
	unsigned rank = shape->list.count;

	call_blame(call, 1);
	if (layout_triton_get_kind(encoding) == LAYOUT_TRITON_PADDED_SHARED) {
		call->result->onto = value_box(call->ctx, shape->list.sizes, rank);
		return give_relation(call, layout_triton_relation(encoding,
			shape->list.sizes, rank));
	}
	return give_linear(call, layout_triton_linear(encoding, shape->list.sizes, rank));
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

const struct function functions_linear[] = {
	{ "concat_ins", run_concat_ins, { ARG(LINEAR), ARG(LINEAR) } },
	{ "concat_outs", run_concat_outs, { ARG(LINEAR), ARG(LINEAR) } },
	{ "consecutive", run_consecutive, { ARG(LINEAR) } },
	{ "contiguous", run_contiguous, { ARG(LINEAR), ARG(NAME) } },
	{ "distribute", run_distribute, { ARG(TRITON), ARG(SIZES) } },
	{ "divide_left", run_divide_left, { ARG(LINEAR), ARG(LINEAR) } },
	{ "divide_right", run_divide_right, { ARG(LINEAR), ARG(LINEAR) } },
	{ "flatten_ins", run_flatten_ins, { ARG(LINEAR) } },
	{ "flatten_outs", run_flatten_outs, { ARG(LINEAR) } },
	{ "free_masks", run_free_masks, { ARG(LINEAR) } },
	{ "invert_and_compose", run_invert_and_compose, { ARG(LINEAR), ARG(LINEAR) } },
	{ "is_trivial_over", run_is_trivial_over, { ARG(LINEAR), ARG(NAMES) } },
	{ "least_squares", run_least_squares, { ARG(LINEAR), ARG(LINEAR) } },
	{ "pseudo_inverse", run_pseudo_inverse, { ARG(LINEAR) } },
	{ "quotient", run_quotient, { ARG(LINEAR), ARG(NAMES) } },
	{ "remove_zero_bases", run_remove_zero_bases, { ARG(LINEAR), ARG(NAME) } },
	{ "reshape_ins", run_reshape_ins, { ARG(LINEAR), ARG(NAMED) } },
	{ "reshape_outs", run_reshape_outs, { ARG(LINEAR), ARG(NAMED) } },
	{ "resize_in", run_resize_in, { ARG(LINEAR), ARG(NAME), ARG(INT) } },
	{ "resize_out", run_resize_out, { ARG(LINEAR), ARG(NAME), ARG(INT) } },
	{ "sublayout", run_sublayout, { ARG(LINEAR), ARG(NAMES), ARG(NAMES) } },
	{ "sublayout_is_zero", run_sublayout_is_zero,
		{ ARG(LINEAR), ARG(NAMES), ARG(NAMES) } },
	{ "transpose_ins", run_transpose_ins, { ARG(LINEAR), ARG(NAMES) } },
	{ "transpose_outs", run_transpose_outs, { ARG(LINEAR), ARG(NAMES) } },
	{ .name = NULL },
};

const struct overload overloads_linear[] = {
	{ "compose", overload_compose, .both = true },
	{ "inverse", overload_inverse },
	{ "product", overload_product, .both = true },
	{ .name = NULL },
};
