/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* convert(A, to = cute|nested|linear|encoding) */
#include "text/call.h"

#include <stdlib.h>
#include <string.h>

/* The notation of the argument "to"; past the last, with an error, for none. */
static layout_notation find_notation(struct call *call)
{
	const struct argument *argument = &call->arguments[1];
	layout_notation to = 0;

	if (!argument->given) {
		layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
			"convert(A, to = cute|nested|linear|encoding) needs the "
			"notation");
		return VALUE_NOTATIONS;
	}
	while (layout_notation_str(to) && strcmp(layout_notation_str(to), argument->name))
		to++;
	if (layout_notation_str(to))
		return to;
	call_blame(call, 1);
	layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
		"`%.32s` is no notation: cute, nested, linear or encoding",
		argument->name);
	return to;
}

/* Where there is no such layout the value is the relation, and the reason. */
static bool give_reason(struct call *call, struct layout_caught *caught)
{
	layout_relation *relation = call_relation(call, 0);

	call->result->reason = caught->message;
	caught->message = NULL;
	return give_relation(call, relation);
}

bool run_convert(struct call *call)
{
	struct layout_caught caught = { 0 }, *previous;
	layout_notation to = find_notation(call);
	layout_value *made, *result = call->result;

	if (!layout_notation_str(to))
		return false;
	call_blame(call, 0);
	previous = layout_context_catch(call->ctx, &caught);
	made = layout_value_convert(call->arguments[0].value, to);
	layout_context_catch(call->ctx, previous);
	if (made) {
		layout_value copy = *result;

		*result = *made;
		*made = copy;
		layout_value_free(made);
		return true;
	}
	if (caught.kind == LAYOUT_ERROR_NO_ANSWER && caught.message)
		return give_reason(call, &caught);
	layout_context_raise(call->ctx, &caught);
	return false;
}
