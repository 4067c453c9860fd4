/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What two layouts have in common from offset 0 on: A(R(i)) = i with B(R(i)) = i. */
#include "algebra/cute/bits.h"
#include "algebra/cute/inverse.h"
#include "algebra/cute/order.h"
#include "algebra/limit.h"
#include "isl_bridge/bridge.h"

static bool too_many(layout_context *ctx)
{
	layout_fail(ctx, LAYOUT_ERROR_QUOTA, -1, "unknown: how much the layouts have in "
		"common: there are too many points to look at each");
	return false;
}

/* For how many i from 0 on a layout without a swizzle gives i itself. */
static int64_t identity_size(const layout_cute *cute)
{
	int64_t size = 1;

	for (unsigned i = 0; i < cute->leaf_count && (cute->shape[i] == 1 ||
			cute->stride[i] == size); i++)
		size *= cute->shape[i];
	return size;
}

/* The same of any layout.  LAYOUT_ERROR_QUOTA where that is not seen. */
static bool find_identity(layout_cute *cute, int64_t *size)
{
	int64_t offset, i = 0, limit = limit_points(cute->ctx);
	struct cute_bits bits;

	*size = identity_size(cute);
	if (!cute->swizzled)
		return true;
	if (cute_bits_of_all(cute, &bits)) {
		bool same = cute_bits_apply(&bits, 0) == 0;

		for (*size = same; same && *size < cute->size;) {
			same = cute_bits_apply(&bits, (uint64_t)*size) == *size;
			*size <<= same;
		}
		return true;
	}
	while (i < cute->size && i < limit && cute_at(cute, i, &offset) && offset == i)
		i++;
	*size = i;
	return i < limit || i == cute->size || too_many(cute->ctx);
}

/* The least i whose image is not below "limit", or the size: the highest digit that
 * must not be 0 is as small as the lower ones allow.  Plain layouts of strides >= 0. */
static int64_t first_beyond(const layout_cute *cute, int64_t limit)
{
	int64_t rest = cute->cosize - 1, i = 0, place = cute->size;

	if (rest < limit)
		return cute->size;
	for (unsigned leaf = cute->leaf_count; leaf-- > 0 && limit > 0;) {
		int64_t stride = cute->stride[leaf], digit;

		place /= cute->shape[leaf];
		rest -= (cute->shape[leaf] - 1) * stride;
		if (rest >= limit || !stride)
			continue;
		digit = (limit - rest - 1) / stride + 1;
		i += digit * place;
		limit -= digit * stride;
	}
	return i;
}

/* For how many i from 0 on the images of R are coordinates of "a".  LAYOUT_ERROR_QUOTA
 * where that is not seen. */
static bool clip(layout_cute *r, const layout_cute *a, int64_t *count)
{
	int64_t image = 0, i = 0, cosize;

	if (!r->swizzled) {
		int64_t end = first_beyond(r, a->size);

		*count = end < *count ? end : *count;
		return true;
	}
	cosize = layout_cute_cosize(r);
	if (cosize <= a->size)
		return cosize >= 0;
	if (*count > limit_points(a->ctx))
		return too_many(a->ctx);
	while (i < *count && cute_at(r, i, &image) && image < a->size)
		i++;
	*count = i;
	return true;
}

/* The coordinates of b's offsets 0, 1, .., and how many from 0 on have the same offsets
 * in "a".  Consumes "b"; NULL on a failure. */
static layout_cute *common(layout_cute *a, layout_cute *b, int64_t *count)
{
	layout_cute *r = layout_cute_right_inverse(b), *there = NULL;
	bool known = false;

	if (r && r->lexicographic)
		r = cute_order_reverse(r);
	if (r)
		there = layout_cute_compose(layout_cute_copy(a), layout_cute_copy(r));
	if (there && there->lexicographic)
		there = cute_order_reverse(there);
	if (there)
		known = find_identity(there, count) && clip(r, a, count);
	layout_cute_free(there);
	if (known)
		return r;
	layout_cute_free(r);
	return NULL;
}

bool layout_cute_max_common_vector(layout_cute *a, layout_cute *b, int64_t *result)
{
	layout_cute *r;

	if (!a || !b || !layout_given(a->ctx, result, "place for the result") ||
			!bridge_contexts_meet(a->ctx, b->ctx))
		return false;
	r = common(a, layout_cute_copy(b), result);
	layout_cute_free(r);
	return r != NULL;
}

layout_cute *layout_cute_max_common_layout(layout_cute *a, layout_cute *b)
{
	layout_cute *r = NULL;
	int64_t count = 0;

	if (a && b && bridge_contexts_meet(a->ctx, b->ctx)) {
		r = common(a, layout_cute_copy(b), &count);
		r = cute_first(r, count);
	}
	layout_cute_free(a);
	layout_cute_free(b);
	return r;
}
