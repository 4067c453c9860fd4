/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The coordinates of what a thread holds, as MLIR computes them: its ids out of the flat
 * thread id, and out of these and the indices of batch, outer and element one linear index
 * a dimension. */
#include "algebra/nested/nested.h"

#include <inttypes.h>
#include <stdlib.h>

/* A mixed radix of ids: the sizes, and which result is a dimension's. */
struct split {
	const char *name;
	int64_t *sizes;
	unsigned *results;
	int count;
};

static bool find_split(layout_nested *nested, layout_nested_ids ids, struct split *split)
{
	split->sizes = layout_alloc(nested->ctx, 2 * (size_t)nested->rank + 1,
		sizeof(*split->sizes));
	split->results = layout_alloc(nested->ctx, nested->rank, sizeof(*split->results));
	split->count = split->sizes && split->results ? layout_nested_basis(nested, ids,
		split->sizes, split->results) : -1;
	return split->count >= 0;
}

/* "%lane:3 = affine.delinearize_index %thread into (4, 16) : index, index, index" */
static void print_split(struct layout_buffer *out, const struct split *split)
{
	layout_buffer_printf(out, "%%%s:%d = affine.delinearize_index %%thread into (",
		split->name, split->count + 1);
	for (int i = 0; i < split->count; i++)
		layout_buffer_printf(out, "%s%" PRId64, i ? ", " : "", split->sizes[i]);
	layout_buffer_printf(out, ") :");
	for (int i = 0; i <= split->count; i++)
		layout_buffer_printf(out, "%s index", i ? "," : "");
}

/* "%x0 = affine.linearize_index disjoint [..] by (2, 2, 1, 16, 1) : index" */
static void print_coordinate(struct layout_buffer *out, const layout_nested *nested,
	unsigned dim, const struct split *subgroup, const struct split *lane)
{
	layout_buffer_printf(out, "\n%%x%u = affine.linearize_index disjoint [%%%s#%u, %%b%u, "
		"%%o%u, %%%s#%u, %%e%u] by (", dim, subgroup->name, subgroup->results[dim],
		dim, dim, lane->name, lane->results[dim], dim);
	for (unsigned level = 0; level < NESTED_LEVELS; level++)
		layout_buffer_printf(out, "%s%" PRId64, level ? ", " : "",
			nested->tile[level][dim]);
	layout_buffer_printf(out, ") : index");
}

/* Has each thread one id in each tile?  Of a tile without a stride, or of subgroups that
 * the hardware lacks, it has several; where there are no tiles, none. */
static bool has_ids(const layout_nested *nested)
{
	bool good = nested->rank && !nested->subgroup_count;

	for (unsigned d = 0; d < nested->rank; d++)
		good = good && (nested->subgroup_strides[d] ||
			nested->tile[NESTED_SUBGROUP][d] == 1) && (nested->thread_strides[d] ||
			nested->tile[NESTED_THREAD][d] == 1);
	if (!good)
		layout_fail(nested->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"a thread has %s", nested->rank ? "several ids in a tile" :
			"no ids: there are no dimensions");
	return good;
}

char *layout_nested_mlir(layout_nested *nested)
{
	struct split subgroup = { .name = "subgroup" }, lane = { .name = "lane" };
	struct layout_buffer out = { 0 };
	char *text = NULL;

	if (!nested)
		return NULL;
	if (has_ids(nested) && find_split(nested, LAYOUT_NESTED_SUBGROUPS, &subgroup) &&
	    find_split(nested, LAYOUT_NESTED_THREADS, &lane)) {
		print_split(&out, &subgroup);
		layout_buffer_printf(&out, "\n");
		print_split(&out, &lane);
		for (unsigned d = 0; d < nested->rank; d++)
			print_coordinate(&out, nested, d, &subgroup, &lane);
		text = layout_buffer_take(nested->ctx, &out);
	}
	free(subgroup.sizes);
	free(subgroup.results);
	free(lane.sizes);
	free(lane.results);
	return text;
}
