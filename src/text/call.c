/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the functions of all families do with arguments and results. */
#include "text/call.h"

#include <limits.h>

layout_value_kind call_kind(struct call *call, unsigned i)
{
	return layout_value_get_kind(call->arguments[i].value);
}

void call_blame(struct call *call, unsigned i)
{
	layout_context_set_base(call->ctx, call->arguments[i].position);
}

bool call_raise(struct call *call, const struct layout_caught *caught)
{
	long base = layout_context_set_base(call->ctx, -1);

	layout_fail(call->ctx, caught->kind, caught->position, "%s",
		caught->message ? caught->message : "out of memory");
	layout_context_set_base(call->ctx, base);
	return false;
}

/* Errors between these two lie at argument i. */
static long enter(struct call *call, unsigned i)
{
	return layout_context_set_base(call->ctx, call->arguments[i].position);
}

static void leave(struct call *call, long base)
{
	layout_context_set_base(call->ctx, base);
}

layout_relation *call_relation(struct call *call, unsigned i)
{
	long base = enter(call, i);
	layout_relation *relation = layout_value_relation(call->arguments[i].value);

	leave(call, base);
	return relation;
}

layout_set *call_set(struct call *call, unsigned i)
{
	long base = enter(call, i);
	layout_set *set = layout_value_set(call->arguments[i].value);

	leave(call, base);
	return set;
}

layout_cute *call_cute(struct call *call, unsigned i)
{
	long base = enter(call, i);
	layout_cute *cute = layout_cute_copy(layout_value_cute(
		call->arguments[i].value));

	leave(call, base);
	return cute;
}

layout_linear *call_linear(struct call *call, unsigned i)
{
	long base = enter(call, i);
	layout_linear *linear = layout_linear_copy(layout_value_linear(
		call->arguments[i].value));

	leave(call, base);
	return linear;
}

layout_nested *call_nested(struct call *call, unsigned i)
{
	long base = enter(call, i);
	layout_nested *nested = layout_nested_copy(layout_value_nested(
		call->arguments[i].value));

	leave(call, base);
	return nested;
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
	call->result->kind = LAYOUT_VALUE_RELATION;
	call->result->relation = relation;
	return relation;
}

bool give_set(struct call *call, layout_set *set)
{
	call->result->kind = LAYOUT_VALUE_SET;
	call->result->set = set;
	return set;
}

bool give_cute(struct call *call, layout_cute *cute)
{
	call->result->kind = LAYOUT_VALUE_CUTE;
	call->result->cute = cute;
	return cute;
}

bool give_linear(struct call *call, layout_linear *linear)
{
	call->result->kind = LAYOUT_VALUE_LINEAR;
	call->result->linear = linear;
	return linear;
}

bool give_nested(struct call *call, layout_nested *nested)
{
	call->result->kind = LAYOUT_VALUE_NESTED;
	call->result->nested = nested;
	return nested;
}

bool give_integer(struct call *call, int64_t number)
{
	call->result->kind = LAYOUT_VALUE_INTEGER;
	call->result->integer = number;
	return true;
}

bool give_answer(struct call *call, layout_answer answer)
{
	return answer != LAYOUT_UNKNOWN && give_integer(call, answer == LAYOUT_YES);
}
