/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute.h"
#include "algebra/digits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One subtree in prefix order starts at "node"; the node after it, or 0 where the
 * tree ends too early. */
static unsigned skip_subtree(const int *tree, unsigned node_count)
{
	unsigned node = 0, open = 1;

	while (open && node < node_count) {
		open += tree[node] > 0 ? (unsigned)tree[node] : 0;
		open--;
		node++;
	}
	return open ? 0 : node;
}

static bool check_tree(layout_context *ctx, const int *tree, unsigned node_count,
	unsigned leaf_count)
{
	unsigned leaves = 0;
	bool ok = node_count && skip_subtree(tree, node_count) == node_count;

	for (unsigned i = 0; i < node_count; i++) {
		leaves += tree[i] == -1;
		ok = ok && tree[i] >= -1 && tree[i] < (int)node_count;
	}
	ok = ok && leaves == leaf_count;
	if (!ok)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"the nodes do not form one tree");
	return ok;
}

/* The number of coordinates, and 1 + the largest offset. */
static bool measure(layout_cute *cute)
{
	int64_t last = 0, span;
	bool fits = true;

	cute->size = 1;
	for (unsigned i = 0; i < cute->leaf_count; i++) {
		if (cute->shape[i] < 0) {
			layout_fail(cute->ctx, LAYOUT_ERROR_INVALID, -1,
				"a shape cannot be negative: %" PRId64, cute->shape[i]);
			return false;
		}
		fits = fits &&
			!__builtin_mul_overflow(cute->size, cute->shape[i], &cute->size);
	}
	for (unsigned i = 0; fits && cute->size && i < cute->leaf_count; i++) {
		fits = !__builtin_mul_overflow(cute->shape[i] - 1, cute->stride[i],
			&span);
		fits = fits && !__builtin_add_overflow(last, span > 0 ? span : 0, &last);
	}
	fits = fits && !__builtin_add_overflow(last, cute->size ? 1 : 0, &cute->cosize);
	if (!fits)
		layout_fail(cute->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the layout's size or its largest offset does not fit 64 bits");
	return fits;
}

layout_cute *layout_cute_new(layout_context *ctx, const int *tree, unsigned node_count,
	const int64_t *shape, const int64_t *stride, unsigned leaf_count)
{
	layout_cute *cute;

	if (!layout_given(ctx, tree || !node_count, "tree") ||
	    !layout_given(ctx, (shape && stride) || !leaf_count, "shape or stride") ||
	    !check_tree(ctx, tree, node_count, leaf_count))
		return NULL;
	cute = layout_alloc(ctx, 1, sizeof(*cute));
	if (!cute)
		return NULL;
	*cute = (struct layout_cute){ .ctx = ctx, .node_count = node_count,
		.leaf_count = leaf_count,
		.tree = layout_alloc(ctx, node_count, sizeof(int)),
		.shape = layout_alloc(ctx, leaf_count, sizeof(int64_t)),
		.stride = layout_alloc(ctx, leaf_count, sizeof(int64_t)) };
	if (cute->tree && cute->shape && cute->stride) {
		memcpy(cute->tree, tree, node_count * sizeof(int));
		for (unsigned i = 0; i < leaf_count; i++) {
			cute->shape[i] = shape[i];
			cute->stride[i] = stride[i];
		}
		if (measure(cute))
			return cute;
	}
	layout_cute_free(cute);
	return NULL;
}

void layout_cute_free(layout_cute *cute)
{
	if (!cute)
		return;
	free(cute->tree);
	free(cute->shape);
	free(cute->stride);
	free(cute);
}

int64_t layout_cute_size(layout_cute *cute)
{
	return cute ? cute->size : -1;
}

int64_t layout_cute_cosize(layout_cute *cute)
{
	return cute ? cute->cosize : -1;
}

/* { [i] -> [offset] } as a function: each digit of i times its stride, leaf
 * "unbounded" without a remainder. */
static isl_multi_aff *offset_function(layout_cute *cute, unsigned unbounded)
{
	isl_ctx *isl = bridge_isl(cute->ctx);
	isl_space *space = isl_space_set_alloc(isl, 0, 1);
	isl_aff *sum = isl_aff_zero_on_domain(
		isl_local_space_from_space(isl_space_copy(space)));
	int64_t step = 1;

	for (unsigned i = 0; i < cute->leaf_count && cute->size; i++) {
		isl_aff *digit = digits_extract(isl_space_copy(space), 0, step,
			i == unbounded ? 0 : cute->shape[i]);

		sum = isl_aff_add(sum, isl_aff_scale_val(digit,
			isl_val_int_from_si(isl, cute->stride[i])));
		step *= cute->shape[i];
	}
	isl_space_free(space);
	return isl_multi_aff_from_aff(sum);
}

/* The last leaf of more than one coordinate: before the layout's end it needs no
 * remainder. */
static unsigned last_leaf(const layout_cute *cute)
{
	unsigned last = cute->leaf_count;

	while (last > 0 && cute->shape[last - 1] == 1)
		last--;
	return last - 1;
}

/* The offsets on 0 <= i < size, or on all i >= 0. */
static layout_relation *offsets(layout_cute *cute, unsigned unbounded, bool bounded)
{
	isl_set *domain = isl_set_universe(
		isl_space_set_alloc(bridge_isl(cute->ctx), 0, 1));
	isl_multi_aff *offset = offset_function(cute, unbounded);

	domain = isl_set_lower_bound_si(domain, isl_dim_set, 0, 0);
	if (bounded)
		domain = isl_set_upper_bound_val(domain, isl_dim_set, 0,
			isl_val_int_from_si(bridge_isl(cute->ctx), cute->size - 1));
	return bridge_give_relation(cute->ctx, "build a CuTe layout",
		isl_map_intersect_domain(
			isl_map_from_multi_aff(isl_multi_aff_copy(offset)),
			domain), offset, NULL);
}

layout_relation *layout_cute_relation(layout_cute *cute)
{
	if (!cute)
		return NULL;
	bridge_enter(cute->ctx);
	return offsets(cute, last_leaf(cute), true);
}

layout_relation *layout_cute_unbounded_relation(layout_cute *cute)
{
	if (!cute)
		return NULL;
	bridge_enter(cute->ctx);
	return offsets(cute, cute->leaf_count - 1, cute->size == 0);
}
