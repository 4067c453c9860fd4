/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operands of a composition, kept for those who want to see them. */
#include "text/call.h"

#include <stdlib.h>
#include <string.h>

static unsigned count_steps(const layout_value *value)
{
	return value->step_count ? value->step_count : 1;
}

/* Move a value, or the steps that it has itself, to the end of a list. */
static void move_steps(layout_value **steps, unsigned *count, layout_value *value)
{
	if (!value->step_count) {
		steps[(*count)++] = value;
		return;
	}
	memcpy(steps + *count, value->steps, value->step_count * sizeof(*steps));
	*count += value->step_count;
	value->step_count = 0;
	layout_value_free(value);
}

bool text_keep_steps(struct call *call)
{
	struct argument *outer = &call->arguments[0], *inner = &call->arguments[1];
	layout_value **steps;
	unsigned count = 0;

	if (!outer->value || !inner->value)
		return true;
	steps = layout_alloc(call->ctx, count_steps(outer->value) +
		count_steps(inner->value), sizeof(*steps));
	if (!steps)
		return false;
	move_steps(steps, &count, inner->value);
	move_steps(steps, &count, outer->value);
	inner->value = outer->value = NULL;
	call->result->steps = steps;
	call->result->step_count = count;
	return true;
}
