/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/gather.h"

/* Windows that hold no two elements are of one. */
void gather_find(struct gather *gather, unsigned vector, unsigned step, unsigned most)
{
	unsigned span = gather_span(vector, step), k = 0;

	*gather = (struct gather){ .width = 1 };
	while (2 * gather->width <= most && 2 * gather->width <= span)
		gather->width *= 2;
	if (gather->width <= step)
		gather->width = 1;
	while (k < vector) {
		unsigned start = k * step;

		if (start + gather->width > span)
			start = span - gather->width;
		gather->starts[gather->count] = start;
		for (; k < vector && k * step < start + gather->width; k++) {
			gather->window[k] = gather->count;
			gather->at[k] = k * step - start;
		}
		gather->count++;
	}
}
