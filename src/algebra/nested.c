/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/nested.h"
#include "algebra/digits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const level_names[NESTED_LEVELS] = {
	"subgroup_tile", "batch_tile", "outer_tile", "thread_tile", "element_tile",
};

static bool tile_is_positive(const layout_nested *nested, unsigned level, unsigned dim)
{
	if (nested->tile[level][dim] > 0)
		return true;
	layout_fail(nested->ctx, LAYOUT_ERROR_INVALID, -1,
		"%s of dimension %u must be positive, not %" PRId64,
		level_names[level], dim, nested->tile[level][dim]);
	return false;
}

/* sum += (tile - 1) * stride, with room left for rounding up. */
static bool add_reach(int64_t tile, int64_t stride, int64_t *sum)
{
	int64_t most;

	return !__builtin_mul_overflow(tile - 1, stride, &most) &&
		!__builtin_add_overflow(*sum, most, sum) && *sum < INT64_MAX / 4;
}

/* Tiles are positive, strides are not negative; extents and thread ids fit. */
static bool check(const layout_nested *nested)
{
	layout_context *ctx = nested->ctx;
	int64_t subgroups = 1, threads = 0, all;
	bool fits = true;

	if (nested->subgroup_size < 1) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"subgroup_size must be positive");
		return false;
	}
	for (unsigned d = 0; d < nested->rank; d++) {
		int64_t extent = 1;

		for (unsigned level = 0; level < NESTED_LEVELS; level++) {
			if (!tile_is_positive(nested, level, d))
				return false;
			fits = fits && !__builtin_mul_overflow(extent,
				nested->tile[level][d], &extent);
		}
		if (nested->subgroup_strides[d] < 0 || nested->thread_strides[d] < 0) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"the strides of dimension %u cannot be negative", d);
			return false;
		}
		fits = fits && add_reach(nested->tile[NESTED_SUBGROUP][d],
				nested->subgroup_strides[d], &subgroups) &&
			add_reach(nested->tile[NESTED_THREAD][d],
				nested->thread_strides[d], &threads);
	}
	fits = fits && nested->subgroup_size < INT64_MAX / 4 &&
		!__builtin_mul_overflow(subgroups, nested->subgroup_size, &all);
	if (!fits)
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the layout does not fit 64 bits");
	return fits;
}

static int64_t *take_list(layout_nested *nested, int64_t **next, const int64_t *list)
{
	int64_t *copy = *next;

	for (unsigned d = 0; d < nested->rank; d++)
		copy[d] = list[d];
	*next += nested->rank;
	return copy;
}

static bool lists_given(layout_context *ctx, const layout_nested_desc *desc)
{
	return layout_given(ctx, !desc->rank ||
			(desc->subgroup_tile && desc->batch_tile &&
			desc->outer_tile && desc->thread_tile && desc->element_tile),
			"list for one of the tiles") &&
		layout_given(ctx, !desc->rank || (desc->subgroup_strides &&
			desc->thread_strides), "list for one of the strides");
}

/* The description may be an older caller's, which lacks the last fields. */
layout_nested *layout_nested_new(layout_context *ctx, const layout_nested_desc *desc)
{
	layout_nested_desc own = LAYOUT_NESTED_DESC_INIT;
	layout_nested *nested;
	int64_t *next;

	if (!layout_given(ctx, desc, "description of a nested layout"))
		return NULL;
	desc = memcpy(&own, desc, desc->size < sizeof(own) ? desc->size : sizeof(own));
	nested = lists_given(ctx, desc) ? layout_alloc(ctx, 1, sizeof(*nested)) : NULL;
	if (!nested)
		return NULL;
	nested->ctx = ctx;
	nested->rank = desc->rank;
	nested->subgroup_size = desc->subgroup_size ? desc->subgroup_size : 64;
	nested->storage = next = layout_alloc(ctx, 7 * (size_t)desc->rank,
		sizeof(int64_t));
	if (next) {
		nested->tile[NESTED_SUBGROUP] = take_list(nested, &next,
			desc->subgroup_tile);
		nested->tile[NESTED_BATCH] = take_list(nested, &next, desc->batch_tile);
		nested->tile[NESTED_OUTER] = take_list(nested, &next, desc->outer_tile);
		nested->tile[NESTED_THREAD] = take_list(nested, &next, desc->thread_tile);
		nested->tile[NESTED_ELEMENT] = take_list(nested, &next,
			desc->element_tile);
		nested->subgroup_strides = take_list(nested, &next,
			desc->subgroup_strides);
		nested->thread_strides = take_list(nested, &next, desc->thread_strides);
	}
	if (!next || !check(nested)) {
		layout_nested_free(nested);
		return NULL;
	}
	for (unsigned d = 0; d < nested->rank; d++) {
		if (nested->tile[NESTED_SUBGROUP][d] == 1)
			nested->subgroup_strides[d] = 0;
		if (nested->tile[NESTED_THREAD][d] == 1)
			nested->thread_strides[d] = 0;
	}
	return nested;
}

void layout_nested_free(layout_nested *nested)
{
	if (!nested)
		return;
	free(nested->storage);
	free(nested);
}

/* Threads of whole subgroups: of all that tiles and strides name, by subgroup or by
 * thread. */
static int64_t thread_count(const layout_nested *nested)
{
	int64_t subgroups = 1, last = 0, reached;

	for (unsigned d = 0; d < nested->rank; d++) {
		subgroups += (nested->tile[NESTED_SUBGROUP][d] - 1) *
			nested->subgroup_strides[d];
		last += (nested->tile[NESTED_THREAD][d] - 1) * nested->thread_strides[d];
	}
	reached = last / nested->subgroup_size + 1;
	return (reached > subgroups ? reached : subgroups) * nested->subgroup_size;
}

/* The inputs of the relation: the thread, then these groups, a variable a dimension;
 * the last two only where an id is free, because its stride distributes nothing. */
enum { GROUP_BATCH, GROUP_OUTER, GROUP_ELEMENT, GROUP_SUBGROUP, GROUP_THREAD,
	GROUP_COUNT };

static const unsigned group_level[GROUP_COUNT] = {
	NESTED_BATCH, NESTED_OUTER, NESTED_ELEMENT, NESTED_SUBGROUP, NESTED_THREAD,
};

static unsigned variable(const layout_nested *nested, unsigned group, unsigned dim)
{
	return 1 + group * nested->rank + dim;
}

/* Threads that one step of an id is worth; 0: the id is free. */
static int64_t id_step(const layout_nested *nested, unsigned group, unsigned dim)
{
	return group == GROUP_SUBGROUP ?
		nested->subgroup_strides[dim] * nested->subgroup_size :
		nested->thread_strides[dim];
}

/* The box of the variables; ids that the thread decides are 0 here. */
static struct digits variables(const layout_nested *nested)
{
	struct digits digits = digits_new(nested->ctx, 1 + GROUP_COUNT * nested->rank);

	digits_bound(&digits, 0, thread_count(nested));
	for (unsigned group = 0; group < GROUP_COUNT; group++)
		for (unsigned d = 0; d < nested->rank; d++) {
			bool bound = group >= GROUP_SUBGROUP && id_step(nested, group, d);

			digits_bound(&digits, variable(nested, group, d),
				bound ? 1 : nested->tile[group_level[group]][d]);
		}
	return digits;
}

/* (((s*B + b)*O + o)*T + t)*E + e of dimension "dim". */
static isl_aff *coordinate(struct digits *digits, const layout_nested *nested,
	unsigned dim)
{
	static const unsigned order[] = {
		GROUP_ELEMENT, GROUP_THREAD, GROUP_OUTER, GROUP_BATCH, GROUP_SUBGROUP,
	};
	isl_aff *sum = digits_zero(digits);
	int64_t step = 1;

	for (unsigned i = 0; i < GROUP_COUNT; i++) {
		int64_t tile = nested->tile[group_level[order[i]]][dim];
		int64_t id = order[i] >= GROUP_SUBGROUP ?
			id_step(nested, order[i], dim) : 0;

		if (id)
			sum = isl_aff_add(sum, isl_aff_scale_val(
				digits_extract(isl_set_get_space(digits->box), 0, id,
					tile),
				isl_val_int_from_si(bridge_isl(nested->ctx), step)));
		else
			sum = digits_add(digits, sum, variable(nested, order[i], dim),
				step);
		step *= tile;
	}
	return sum;
}

/* No id is free: the coordinates are a function of thread, b, o and e. */
static bool is_function(const layout_nested *nested)
{
	for (unsigned d = 0; d < nested->rank; d++)
		for (unsigned group = GROUP_SUBGROUP; group < GROUP_COUNT; group++)
			if (!id_step(nested, group, d) &&
			    nested->tile[group_level[group]][d] > 1)
				return false;
	return true;
}

/* Thread, b.., o.. and e.. decide the coordinates: one function, on a box. */
static layout_relation *function_relation(const layout_nested *nested,
	struct digits *digits, isl_aff_list *coordinates)
{
	unsigned inputs = 1 + 3 * nested->rank;
	isl_space *space = isl_space_alloc(bridge_isl(nested->ctx), 0,
		1 + GROUP_COUNT * nested->rank, nested->rank);
	isl_multi_aff *function = isl_multi_aff_drop_dims(
		isl_multi_aff_from_aff_list(space, coordinates), isl_dim_in, inputs,
		2 * nested->rank);
	isl_set *box = isl_set_project_out(digits->box, isl_dim_set, inputs,
		2 * nested->rank);

	return bridge_give_relation(nested->ctx, "build a nested layout",
		isl_map_intersect_domain(
			isl_map_from_multi_aff(isl_multi_aff_copy(function)),
			box), function, NULL);
}

/* Free ids take all their values: every thread holds several coordinates. */
static layout_relation *replicated_relation(const layout_nested *nested,
	struct digits *digits, isl_aff_list *coordinates)
{
	unsigned inputs = 1 + 3 * nested->rank;
	isl_aff_list *held = isl_aff_list_alloc(bridge_isl(nested->ctx), (int)inputs);

	for (unsigned i = 0; i < inputs; i++)
		held = isl_aff_list_add(held,
			digits_add(digits, digits_zero(digits), i, 1));
	return digits_relation(digits, "build a nested layout", held, coordinates);
}

layout_relation *layout_nested_relation(layout_nested *nested)
{
	struct digits digits;
	isl_aff_list *coordinates;

	if (!nested)
		return NULL;
	bridge_enter(nested->ctx);
	digits = variables(nested);
	coordinates = isl_aff_list_alloc(bridge_isl(nested->ctx), (int)nested->rank);
	for (unsigned d = 0; d < nested->rank; d++)
		coordinates = isl_aff_list_add(coordinates,
			coordinate(&digits, nested, d));
	return is_function(nested) ? function_relation(nested, &digits, coordinates) :
		replicated_relation(nested, &digits, coordinates);
}

unsigned layout_nested_rank(layout_nested *nested)
{
	return nested ? nested->rank : 0;
}

int64_t layout_nested_size(layout_nested *nested, unsigned dim)
{
	int64_t extent = nested && dim < nested->rank;

	for (unsigned level = 0; extent && level < NESTED_LEVELS; level++)
		extent *= nested->tile[level][dim];
	return extent;
}

layout_set *layout_nested_box(layout_nested *nested)
{
	struct digits digits;

	if (!nested)
		return NULL;
	bridge_enter(nested->ctx);
	digits = digits_new(nested->ctx, nested->rank);
	for (unsigned d = 0; d < nested->rank; d++)
		digits_bound(&digits, d, layout_nested_size(nested, d));
	return bridge_give_set(nested->ctx, "build a box", digits.box);
}
