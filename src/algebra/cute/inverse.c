/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Right inverses of layouts without a swizzle, by their modes in the order of strides. */
#include "algebra/cute/inverse.h"
#include "algebra/cute/build.h"
#include "algebra/cute/order.h"
#include "algebra/cute/steps.h"

#include <stdlib.h>

/* The offsets from mode i on: all of its own, or fewer and then those of a mode that
 * continues it.  Modes behind i are done. */
static void chain(struct cute_steps *modes, unsigned i)
{
	struct cute_step *mode = &modes->list[i];
	int64_t full;

	if (__builtin_mul_overflow(mode->shape, mode->stride, &full))
		full = INT64_MAX / mode->stride * mode->stride;
	mode->end = full;
	mode->next = -1;
	for (unsigned j = modes->count - 1; j > i; j--) {
		const struct cute_step *other = &modes->list[j];

		if (other->stride > mode->stride && other->stride <= full &&
		    other->stride % mode->stride == 0 && other->end > mode->end) {
			mode->end = other->end;
			mode->next = (int)j;
		}
	}
}

/* The mode of stride 1 that reaches farthest, or -1. */
static int find_chain(struct cute_steps *modes)
{
	int best = -1;

	for (unsigned i = modes->count; i-- > 0 && modes->list[i].stride > 0;) {
		chain(modes, i);
		if (modes->list[i].stride == 1 && (best < 0 ||
				modes->list[i].end > modes->list[best].end))
			best = (int)i;
	}
	return best;
}

/* Write the modes of the chain with their places. */
static layout_cute *follow_chain(layout_context *ctx, const struct cute_steps *modes,
	int first)
{
	struct cute_builder builder;
	int count = 0;

	cute_begin(&builder, ctx);
	cute_node(&builder, 0);
	for (int i = first; i >= 0; i = modes->list[i].next, count++) {
		const struct cute_step *mode = &modes->list[i];
		int64_t end = mode->next < 0 ? mode->end :
			modes->list[mode->next].stride;

		cute_leaf(&builder, end / mode->stride, mode->place);
	}
	builder.tree[0] = count;
	return layout_cute_coalesce(cute_end(&builder));
}

static layout_cute *inverse_right(layout_cute *cute, const void *unused)
{
	layout_cute *inverse = NULL;
	struct cute_steps modes;

	(void)unused;
	if (cute_steps_find(cute, &modes))
		inverse = follow_chain(cute->ctx, &modes, find_chain(&modes));
	free(modes.list);
	layout_cute_free(cute);
	return inverse;
}

/* 0:0, the inverse of a layout without coordinates. */
static layout_cute *empty(layout_cute *cute)
{
	layout_cute *result = cute_line(cute->ctx, 0, 0);

	layout_cute_free(cute);
	return result;
}

/* An operation that gives coordinates of "cute": counted in its order. */
static layout_cute *in_order(layout_cute *cute, cute_operation *plain,
	cute_operation *swizzled)
{
	bool reversed = cute && cute->lexicographic;

	if (reversed)
		cute = cute_order_reverse(cute);
	if (!cute)
		return NULL;
	if (!cute->size)
		cute = empty(cute);
	else
		cute = cute->swizzled ? swizzled(cute, NULL) : plain(cute, NULL);
	return reversed ? cute_order_reverse(cute) : cute;
}

layout_cute *layout_cute_right_inverse(layout_cute *cute)
{
	return in_order(cute, inverse_right, cute_inverse_right_swizzled);
}

layout_cute *layout_cute_left_inverse(layout_cute *cute)
{
	return in_order(cute, cute_inverse_left, cute_inverse_left_swizzled);
}
