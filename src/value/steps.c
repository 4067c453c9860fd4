/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operands of a composition, kept for those who want to see them. */
#include "value/value.h"

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

bool value_keep_steps(layout_value *result, layout_value **outer, layout_value **inner)
{
	layout_value **steps;
	unsigned count = 0;

	if (!*outer || !*inner)
		return true;
	steps = layout_alloc(result->ctx, count_steps(*outer) + count_steps(*inner),
		sizeof(*steps));
	if (!steps)
		return false;
	move_steps(steps, &count, *inner);
	move_steps(steps, &count, *outer);
	*inner = *outer = NULL;
	result->steps = steps;
	result->step_count = count;
	return true;
}
