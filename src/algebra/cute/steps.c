/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/steps.h"

#include <stdlib.h>

static int by_stride(const void *a, const void *b)
{
	const struct cute_step *x = a, *y = b;

	if (x->stride != y->stride)
		return x->stride < y->stride ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

bool cute_steps_find(const layout_cute *cute, struct cute_steps *modes)
{
	int64_t place = 1;

	modes->count = 0;
	modes->list = layout_alloc(cute->ctx, cute->leaf_count, sizeof(*modes->list));
	if (!modes->list)
		return false;
	for (unsigned i = 0; i < cute->leaf_count; i++) {
		if (cute->shape[i] > 1)
			modes->list[modes->count++] = (struct cute_step){
				.place = place, .shape = cute->shape[i],
				.stride = cute->stride[i] };
		place *= cute->shape[i];
	}
	qsort(modes->list, modes->count, sizeof(*modes->list), by_stride);
	return true;
}

bool cute_steps_apart(const struct cute_steps *modes)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < modes->count; i++) {
		const struct cute_step *mode = &modes->list[i];

		if (mode->stride && sum >= mode->stride)
			return false;
		sum += (mode->shape - 1) * mode->stride;
	}
	return true;
}
