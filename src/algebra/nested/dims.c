/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dimensions of a nested layout in another order, fewer, or more of them. */
#include "algebra/nested/nested.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>
#include <stdlib.h>

static bool has_dim(const layout_nested *nested, int64_t dim)
{
	if (dim >= 0 && dim < nested->rank)
		return true;
	layout_fail(nested->ctx, LAYOUT_ERROR_SPACE, -1,
		"a layout of rank %u has no dimension %" PRId64, nested->rank, dim);
	return false;
}

/* Which dimensions a list names, once each; NULL with the error on the context. */
static bool *named_once(const layout_nested *nested, const unsigned *dims,
	unsigned count)
{
	bool *named, ok;

	if (!layout_given(nested->ctx, dims || !count, "list of dimensions"))
		return NULL;
	named = layout_alloc(nested->ctx, nested->rank, sizeof(*named));
	ok = named != NULL;
	for (unsigned i = 0; ok && i < count; i++) {
		ok = has_dim(nested, dims[i]);
		if (ok && named[dims[i]]) {
			layout_fail(nested->ctx, LAYOUT_ERROR_SPACE, -1,
				"dimension %u is there twice", dims[i]);
			ok = false;
		}
		if (ok)
			named[dims[i]] = true;
	}
	if (ok)
		return named;
	free(named);
	return NULL;
}

/* The dimensions dims[..] of "nested", which is consumed; -1 is a unit dimension. */
static layout_nested *pick(layout_nested *nested, const int *dims, unsigned count)
{
	layout_nested *result = nested_alloc(nested->ctx, count, nested->subgroup_size,
		nested->subgroup_count);

	for (unsigned i = 0; result && i < count; i++)
		if (dims[i] < 0)
			nested_unit_dim(result, i);
		else
			nested_copy_dim(result, i, nested, (unsigned)dims[i]);
	layout_nested_free(nested);
	return nested_finish(result);
}

layout_nested *layout_nested_apply(layout_nested *nested, const int *dims,
	unsigned count)
{
	bool ok;

	if (!nested)
		return NULL;
	ok = layout_given(nested->ctx, dims || !count, "list of dimensions");
	for (unsigned i = 0; ok && i < count; i++)
		ok = dims[i] == -1 || has_dim(nested, dims[i]);
	if (ok)
		return pick(nested, dims, count);
	layout_nested_free(nested);
	return NULL;
}

layout_nested *layout_nested_permute(layout_nested *nested, const unsigned *order,
	unsigned count)
{
	layout_nested *result = NULL;
	bool *named;

	if (!nested)
		return NULL;
	named = named_once(nested, order, count);
	if (named && count != nested->rank)
		layout_fail(nested->ctx, LAYOUT_ERROR_SPACE, -1,
			"an order of %u dimensions for a layout of rank %u", count,
			nested->rank);
	else if (named)
		result = nested_alloc(nested->ctx, count, nested->subgroup_size,
			nested->subgroup_count);
	for (unsigned i = 0; result && i < count; i++)
		nested_copy_dim(result, i, nested, order[i]);
	free(named);
	layout_nested_free(nested);
	return result;
}

layout_nested *layout_nested_project(layout_nested *nested, const unsigned *dims,
	unsigned count)
{
	layout_nested *result = NULL;
	unsigned next = 0;
	bool *dropped;

	if (!nested)
		return NULL;
	dropped = named_once(nested, dims, count);
	if (dropped)
		result = nested_alloc(nested->ctx, nested->rank - count,
			nested->subgroup_size, nested->subgroup_count);
	for (unsigned d = 0; result && d < nested->rank; d++)
		if (!dropped[d])
			nested_copy_dim(result, next++, nested, d);
	free(dropped);
	layout_nested_free(nested);
	return result;
}

layout_nested *layout_nested_append(layout_nested *outer, layout_nested *inner)
{
	layout_nested *result = NULL;

	if (outer && inner && bridge_contexts_meet(outer->ctx, inner->ctx) &&
	    nested_subgroups_meet(outer, inner, "append"))
		result = nested_alloc(outer->ctx, outer->rank + inner->rank,
			outer->subgroup_size, outer->subgroup_count);
	for (unsigned d = 0; result && d < result->rank; d++)
		if (d < outer->rank)
			nested_copy_dim(result, d, outer, d);
		else
			nested_copy_dim(result, d, inner, d - outer->rank);
	layout_nested_free(outer);
	layout_nested_free(inner);
	return nested_finish(result);
}
