/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the functions of all families do with arguments and results. */
#include "text/call.h"

#include <limits.h>

const struct value_kind *call_kind(struct call *call, unsigned i)
{
	const layout_value *value = call->arguments[i].value;

	return value ? value->kind : &kind_relation;
}

void call_blame(struct call *call, unsigned i)
{
	layout_context_set_base(call->ctx, call->arguments[i].position);
}

layout_relation *call_relation(struct call *call, unsigned i)
{
	struct argument *argument = &call->arguments[i];
	long base = layout_context_set_base(call->ctx, argument->position);
	layout_relation *relation = layout_value_relation(argument->value);

	layout_context_set_base(call->ctx, base);
	return relation;
}

layout_set *call_set(struct call *call, unsigned i)
{
	return layout_value_set(call->arguments[i].value);
}

layout_cute *call_cute(struct call *call, unsigned i)
{
	return layout_cute_copy(layout_value_cute(call->arguments[i].value));
}

layout_linear *call_linear(struct call *call, unsigned i)
{
	return layout_linear_copy(layout_value_linear(call->arguments[i].value));
}

layout_nested *call_nested(struct call *call, unsigned i)
{
	return layout_nested_copy(layout_value_nested(call->arguments[i].value));
}

bool call_numbers(struct call *call, const struct argument *argument,
	unsigned numbers[TEXT_LIST_LIMIT])
{
	const struct text_list *list = &argument->list;

	for (unsigned k = 0; k < list->count; k++) {
		if (list->sizes[k] > UINT_MAX) {
			layout_context_set_base(call->ctx, argument->position);
			layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
				"there is no coordinate %lld", (long long)list->sizes[k]);
			return false;
		}
		numbers[k] = (unsigned)list->sizes[k];
	}
	return true;
}

unsigned call_sizes(struct call *call, unsigned i, layout_size sizes[TEXT_LIST_LIMIT])
{
	const struct text_list *list = &call->arguments[i].list;

	for (unsigned k = 0; k < list->count; k++)
		sizes[k] = (layout_size){ list->names[k], list->sizes[k] };
	return list->count;
}

bool give_relation(struct call *call, layout_relation *relation)
{
	return value_give(call->result, &kind_relation, relation);
}

bool give_set(struct call *call, layout_set *set)
{
	return value_give(call->result, &kind_set, set);
}

bool give_cute(struct call *call, layout_cute *cute)
{
	return value_give(call->result, &kind_cute, cute);
}

bool give_linear(struct call *call, layout_linear *linear)
{
	return value_give(call->result, &kind_linear, linear);
}

bool give_nested(struct call *call, layout_nested *nested)
{
	return value_give(call->result, &kind_nested, nested);
}

bool give_integer(struct call *call, int64_t number)
{
	call->result->kind = &kind_integer;
	call->result->integer = number;
	return true;
}

bool give_answer(struct call *call, layout_answer answer)
{
	return answer != LAYOUT_UNKNOWN && give_integer(call, answer == LAYOUT_YES);
}
