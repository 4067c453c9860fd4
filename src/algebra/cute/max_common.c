/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What two layouts have in common from offset 0 on: A(R(i)) = B(R(i)) = i.
 *
 * Decided by the cheapest of: the modes of both inverses, where no offset has a second
 * coordinate; functions of bits; all points. */
#include "algebra/cute/build.h"
#include "algebra/cute/inverse.h"
#include "algebra/cute/order.h"
#include "algebra/cute/steps.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/limit.h"
#include "isl_bridge/bridge.h"

#include <stdlib.h>

/* How many elements there are, and a layout of the coordinates of some of them, the
 * first ones. */
struct common {
	int64_t count;
	layout_cute *layout;
};

/* Do the modes, but those of stride 0, give each offset one coordinate?  Whether there
 * are modes of stride 0.  False without memory, too. */
static bool is_apart(const layout_cute *cute, bool *broadcasts)
{
	struct cute_steps modes;
	bool apart;

	if (cute->swizzled || !cute_steps_find(cute, &modes))
		return false;
	apart = !modes.count || (modes.list[0].stride >= 0 && cute_steps_apart(&modes));
	*broadcasts = *broadcasts || (modes.count && !modes.list[0].stride);
	free(modes.list);
	return apart;
}

/* The right inverse, first mode fastest. */
static layout_cute *invert(layout_cute *cute)
{
	layout_cute *inverse = layout_cute_right_inverse(layout_cute_copy(cute));

	return inverse && inverse->lexicographic ? cute_order_reverse(inverse) : inverse;
}

/* What two right inverses begin with.  They are coalesced, so that they part where their
 * modes do, unless one ends there. */
static layout_cute *begin_alike(const layout_cute *a, const layout_cute *b, bool *ends)
{
	struct cute_builder builder;
	bool alike = true;
	int64_t size = 1;

	cute_begin(&builder, a->ctx);
	cute_node(&builder, 0);
	for (unsigned i = 0; alike && i < a->leaf_count && i < b->leaf_count; i++) {
		int64_t shape = a->shape[i] < b->shape[i] ? a->shape[i] : b->shape[i];

		alike = a->stride[i] == b->stride[i];
		if (!alike)
			break;
		cute_leaf(&builder, shape, a->stride[i]);
		builder.tree[0]++;
		size *= shape;
		alike = a->shape[i] == b->shape[i];
	}
	*ends = size == a->size || size == b->size;
	return layout_cute_coalesce(cute_end(&builder));
}

/* By modes.  False, with nothing found, where that does not say. */
static bool by_modes(layout_cute *a, layout_cute *b, struct common *common)
{
	bool broadcasts = false, ends;
	layout_cute *r, *s;

	if (!is_apart(a, &broadcasts) || !is_apart(b, &broadcasts))
		return false;
	r = invert(a);
	s = invert(b);
	common->layout = r && s ? begin_alike(r, s, &ends) : NULL;
	layout_cute_free(r);
	layout_cute_free(s);
	if (common->layout && broadcasts && !ends) {
		layout_cute_free(common->layout);
		common->layout = NULL;
	}
	common->count = common->layout ? common->layout->size : 0;
	return common->layout;
}

static int prefer(const layout_cute *a, const layout_cute *b)
{
	return b->swizzle.shift ? b->swizzle.shift : a->swizzle.shift;
}

static bool by_bits(const layout_cute *a, const layout_cute *b, struct common *common)
{
	struct cute_bits of_a, of_b, domain, both, inverse;
	int64_t size = a->size < b->size ? a->size : b->size;
	int width = int_log2(size);

	if (width < 0 || !cute_bits_of(a, (unsigned)width, &of_a) ||
			!cute_bits_of(b, (unsigned)width, &of_b))
		return false;
	if (cute_bits_agree(&of_a, &of_b, &domain)) {
		both = cute_bits_compose(&of_a, &domain);
		if (cute_bits_right_inverse(&both, &inverse)) {
			inverse = cute_bits_compose(&domain, &inverse);
			common->count = (int64_t)1 << inverse.in;
			common->layout = cute_first_of_bits(a->ctx, inverse,
				prefer(a, b));
			return true;
		}
	}
	common->layout = cute_line(a->ctx, 0, 0);
	return true;
}

/* The least common coordinate of each offset below "size", or -1. */
static void find_coordinates(const layout_cute *a, const layout_cute *b, int64_t size,
	int64_t *found)
{
	for (int64_t i = 0; i < size; i++)
		found[i] = -1;
	for (int64_t i = size; i-- > 0;) {
		int64_t x, y;

		if (cute_at(a, i, &x) && cute_at(b, i, &y) && x == y && x >= 0 &&
				x < size)
			found[x] = i;
	}
}

static bool by_points(const layout_cute *a, const layout_cute *b, struct common *common)
{
	int64_t size = a->size < b->size ? a->size : b->size, *found;

	if (size > limit_points(a->ctx)) {
		layout_fail(a->ctx, LAYOUT_ERROR_QUOTA, -1,
			"unknown: how much the layouts have in common: there are too many "
			"points to look at each");
		return false;
	}
	found = layout_alloc(a->ctx, (size_t)size, sizeof(*found));
	if (!found)
		return false;
	find_coordinates(a, b, size, found);
	while (common->count < size && found[common->count] >= 0)
		common->count++;
	common->layout = common->count ? cute_first_of_values(a->ctx, found,
		common->count, prefer(a, b)) : cute_line(a->ctx, 0, 0);
	free(found);
	return true;
}

/* NULL on a failure. */
static layout_cute *find_common(layout_cute *a, layout_cute *b, int64_t *count)
{
	struct common common = { 0 };
	bool known = a->size && b->size &&
		(by_modes(a, b, &common) || by_bits(a, b, &common));

	if (!known)
		by_points(a, b, &common);
	*count = common.count;
	return common.layout;
}

bool layout_cute_max_common_vector(layout_cute *a, layout_cute *b, int64_t *result)
{
	layout_cute *r;
	int64_t count;

	if (!a || !b || !layout_given(a->ctx, result, "place for the result") ||
			!bridge_contexts_meet(a->ctx, b->ctx))
		return false;
	r = find_common(a, b, &count);
	if (r)
		*result = count;
	layout_cute_free(r);
	return r != NULL;
}

layout_cute *layout_cute_max_common_layout(layout_cute *a, layout_cute *b)
{
	layout_cute *r = NULL;
	int64_t count;

	if (a && b && bridge_contexts_meet(a->ctx, b->ctx))
		r = find_common(a, b, &count);
	layout_cute_free(a);
	layout_cute_free(b);
	return r;
}
