/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of nested layouts. */
#include "text/overloads.h"

#include <limits.h>

/* The layout and a list of its dimensions; errors lie at the list. */
static bool run_dims(struct call *call,
	layout_nested *(*operation)(layout_nested *, const unsigned *, unsigned))
{
	unsigned dims[TEXT_LIST_LIMIT];
	layout_nested *nested;

	if (!call_numbers(call, 1, dims))
		return false;
	nested = call_nested(call, 0);
	call_blame(call, 1);
	return give_nested(call, operation(nested, dims, call->arguments[1].list.count));
}

bool overload_nested_permute(struct call *call)
{
	return run_dims(call, layout_nested_permute);
}

bool overload_nested_project(struct call *call)
{
	return run_dims(call, layout_nested_project);
}

/* A -1 in the list is a dimension that the layout does not have. */
static bool run_apply(struct call *call)
{
	const struct text_list *list = &call->arguments[1].list;
	int dims[TEXT_LIST_LIMIT];
	layout_nested *nested = call_nested(call, 0);

	call_blame(call, 1);
	for (unsigned i = 0; i < list->count; i++)
		dims[i] = list->sizes[i] > INT_MAX ? INT_MAX : (int)list->sizes[i];
	return give_nested(call, layout_nested_apply(nested, dims, list->count));
}

static bool run_append(struct call *call)
{
	layout_nested *outer = call_nested(call, 0), *inner = call_nested(call, 1);

	return give_nested(call, layout_nested_append(outer, inner));
}

static bool run_reshape(struct call *call)
{
	const struct text_list *shape = &call->arguments[1].list;
	layout_nested *nested = call_nested(call, 0);

	call_blame(call, 1);
	return give_nested(call, layout_nested_reshape(nested, shape->sizes,
		shape->count));
}

const struct function functions_nested[] = {
	{ "append", run_append, { ARG(NESTED), ARG(NESTED) } },
	{ "apply", run_apply, { ARG(NESTED), ARG(DIMS) } },
	{ "reshape", run_reshape, { ARG(NESTED), ARG(SIZES) } },
	{ .name = NULL },
};
