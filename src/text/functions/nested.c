/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of nested layouts. */
#include "isl_bridge/relation.h"
#include "text/call.h"

#include <limits.h>

/* The layout and a list of its dimensions; errors lie at the list. */
static bool run_dims(struct call *call,
	layout_nested *(*operation)(layout_nested *, const unsigned *, unsigned))
{
	unsigned dims[TEXT_LIST_LIMIT];
	layout_nested *nested;

	if (!call_numbers(call, &call->arguments[1], dims))
		return false;
	nested = call_nested(call, 0);
	call_blame(call, 1);
	return give_nested(call, operation(nested, dims, call->arguments[1].list.count));
}

static bool overload_permute(struct call *call)
{
	return run_dims(call, layout_nested_permute);
}

static bool overload_project(struct call *call)
{
	return run_dims(call, layout_nested_project);
}

/* A -1 in the list is a dimension that the layout does not have. */
static bool run_apply(struct call *call)
{
	const struct text_list *list = &call->arguments[1].list;
	int dims[TEXT_LIST_LIMIT];
	layout_nested *nested = call_nested(call, 0);

	call_blame(call, 1);
	for (unsigned i = 0; i < list->count; i++)
		dims[i] = list->sizes[i] > INT_MAX ? INT_MAX : (int)list->sizes[i];
	return give_nested(call, layout_nested_apply(nested, dims, list->count));
}

static bool run_append(struct call *call)
{
	layout_nested *outer = call_nested(call, 0), *inner = call_nested(call, 1);

	return give_nested(call, layout_nested_append(outer, inner));
}

static bool run_reshape(struct call *call)
{
	const struct text_list *shape = &call->arguments[1].list;
	layout_nested *nested = call_nested(call, 0);

	call_blame(call, 1);
	return give_nested(call, layout_nested_reshape(nested, shape->sizes,
		shape->count));
}

/* The layout itself, if it is one of vectors of that shape. */
static bool run_check_shape(struct call *call)
{
	const struct text_list *shape = &call->arguments[1].list;
	layout_nested *nested = layout_value_nested(call->arguments[0].value);

	call_blame(call, 1);
	return layout_nested_check_shape(nested, shape->sizes, shape->count) &&
		give_nested(call, call_nested(call, 0));
}

static bool run_needs_shared_memory(struct call *call)
{
	return give_answer(call, layout_nested_needs_shared_memory(
		layout_value_nested(call->arguments[0].value),
		layout_value_nested(call->arguments[1].value)));
}

/* Every operand has one list of loops, with one entry for each of its dimensions. */
static bool maps_fit(struct call *call)
{
	const struct argument *operands = &call->arguments[0];
	const struct argument *maps = &call->arguments[1];

	call_blame(call, 1);
	if (maps->item_count != operands->item_count) {
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"%u lists of loops for %u operands", maps->item_count,
			operands->item_count);
		return false;
	}
	for (unsigned i = 0; i < maps->item_count; i++) {
		const struct argument *map = &maps->items[i];
		unsigned rank = layout_nested_rank(layout_value_nested(
			operands->items[i].value));

		if (map->list.count == rank)
			continue;
		layout_context_set_base(call->ctx, map->position);
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"%u loops for operand %u, which has %u dimensions",
			map->list.count, i, rank);
		return false;
	}
	return true;
}

static bool run_recombine(struct call *call)
{
	const struct argument *operands = &call->arguments[0];
	const struct argument *maps = &call->arguments[1], *result = &call->arguments[2];
	unsigned loops[TEXT_LIST_LIMIT][TEXT_LIST_LIMIT], order[TEXT_LIST_LIMIT];
	const unsigned *lists[TEXT_LIST_LIMIT];
	layout_nested *nested[TEXT_LIST_LIMIT];

	if (!maps_fit(call) || !call_numbers(call, result, order))
		return false;
	for (unsigned i = 0; i < maps->item_count; i++) {
		lists[i] = loops[i];
		if (!call_numbers(call, &maps->items[i], loops[i]))
			return false;
	}
	for (unsigned i = 0; i < operands->item_count; i++)
		nested[i] = layout_nested_copy(layout_value_nested(
			operands->items[i].value));
	layout_context_set_base(call->ctx, call->position);
	return give_nested(call, layout_nested_recombine(call->ctx, nested, lists,
		operands->item_count, order, result->list.count));
}

/* The pairs whose input begins with these coordinates, of "rank" altogether. */
static layout_relation *pairs_at(struct call *call, layout_relation *relation,
	const int64_t *first, unsigned count, unsigned rank)
{
	return layout_relation_restrict(relation,
		layout_set_from(call->ctx, first, count, rank));
}

/* One pair is enough to know that the coordinate is one of the vector's. */
static bool visit_one(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	(void)user, (void)holder, (void)coordinate, (void)rank;
	return false;
}

static bool run_owners(struct call *call)
{
	const struct text_list *point = &call->arguments[1].list;
	layout_nested *nested = layout_value_nested(call->arguments[0].value);
	unsigned rank = layout_nested_rank(nested);

	call_blame(call, 1);
	if (point->count != rank) {
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"%u coordinates for a vector of %u dimensions", point->count,
			rank);
		return false;
	}
	return layout_nested_owners(nested, point->sizes, visit_one, NULL) &&
		give_relation(call, pairs_at(call, layout_relation_inverse(
			layout_nested_relation(nested)), point->sizes, rank, rank));
}

/* Of the threads that the relation is about. */
static bool run_owned(struct call *call)
{
	layout_nested *nested = layout_value_nested(call->arguments[0].value);
	int64_t thread = call->arguments[1].integer;
	int64_t threads = layout_nested_threads(nested);

	call_blame(call, 1);
	if (thread < 0 || thread >= threads) {
		layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no thread %lld among %lld", (long long)thread,
			(long long)threads);
		return false;
	}
	return give_relation(call, pairs_at(call, layout_nested_relation(nested),
		&thread, 1, 1 + 3 * layout_nested_rank(nested)));
}

/* What the examples are of. */
#define A_NESTED "nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile " \
	"= [1, 1], thread_tile = [8, 8], element_tile = [1, 4], " \
	"subgroup_strides = [0, 0], thread_strides = [8, 1]>"

const struct function functions_nested[] = {
	{ "append", run_append, { ARG(NESTED), ARG(NESTED) },
		.example = "append(" A_NESTED ", " A_NESTED ")" },
	{ "apply", run_apply, { ARG(NESTED), ARG(DIMS) },
		.example = "apply(" A_NESTED ", [1, 0])" },
	{ "check_shape", run_check_shape, { ARG(NESTED), ARG(DIMS) },
		.example = "check_shape(" A_NESTED ", [16, 32])" },
	{ "needs_shared_memory", run_needs_shared_memory, { ARG(NESTED), ARG(NESTED) },
		.example = "needs_shared_memory(" A_NESTED ", " A_NESTED ")" },
	{ "owned", run_owned, { ARG(NESTED), ARG(INT) },
		.example = "owned(" A_NESTED ", 5)" },
	{ "owners", run_owners, { ARG(NESTED), ARG(NUMBERS) },
		.example = "owners(" A_NESTED ", [3, 5])" },
	{ "recombine", run_recombine, { ARG(LAYOUTS), ARG(MAPS), ARG(NUMBERS) },
		.example = "recombine([" A_NESTED "], [[0, 1]], [0, 1])" },
	{ "reshape", run_reshape, { ARG(NESTED), ARG(SIZES) },
		.example = "reshape(" A_NESTED ", [16, 32])" },
	{ .name = NULL },
};

const struct overload overloads_nested[] = {
	{ "permute", overload_permute },
	{ "project", overload_project },
	{ .name = NULL },
};
