/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions that any relation or set has; where they mean something else for a family
 * of layouts, its kind's row says so. */
#include "text/call.h"

#include "algebra/cute/relation.h"
#include "algebra/cute/swizzle.h"
#include "algebra/meet.h"
#include "algebra/storage/storage.h"

/* The swizzle on as many offsets as "inner" can have, for few of which it may be known
 * bit by bit. */
static layout_relation *outer_swizzle(layout_swizzle *swizzle, layout_value *inner)
{
	return inner->kind->end ?
		layout_swizzle_relation_up_to(swizzle, inner->kind->end(inner)) :
		layout_swizzle_unbounded_relation(swizzle);
}

/* The same for a swizzle that CuTe writes alone. */
static layout_relation *outer_alone(layout_cute *swizzle, layout_value *inner)
{
	return inner->kind->end ?
		cute_swizzle_relation_up_to(swizzle, inner->kind->end(inner)) :
		layout_cute_unbounded_relation(swizzle);
}

/* A swizzle goes on behind its period; so does a CuTe layout after what CuTe layouts
 * made, though no layout is it. */
static layout_relation *outer_relation(struct call *call)
{
	layout_value *value = call->arguments[0].value, *inner = call->arguments[1].value;

	if (value->kind == &kind_swizzle)
		return outer_swizzle(layout_value_swizzle(value), inner);
	if (value->kind == &kind_cute && inner->kind == &kind_relation && inner->map.outer)
		return layout_cute_unbounded_relation(layout_value_cute(value));
	if (value->kind == &kind_cute && cute_swizzle_is_alone(layout_value_cute(value)))
		return outer_alone(layout_value_cute(value), inner);
	return call_relation(call, 0);
}

/* Spaces that do not meet are an error of the inner operand. */
static bool operands_meet(struct call *call, layout_relation *outer,
	layout_relation *inner)
{
	long base = layout_context_set_base(call->ctx, call->arguments[1].position);
	bool meet = relations_meet(outer, inner);

	layout_context_set_base(call->ctx, base);
	return meet;
}

static bool run_compose(struct call *call)
{
	layout_relation *outer, *inner;

	outer = outer_relation(call);
	inner = call_relation(call, 1);
	if (!operands_meet(call, outer, inner)) {
		layout_relation_free(outer);
		layout_relation_free(inner);
		return false;
	}
	return give_relation(call, layout_relation_compose(outer, inner));
}

static bool run_inverse(struct call *call)
{
	return give_relation(call, layout_relation_inverse(call_relation(call, 0)));
}

static bool run_least_inverse(struct call *call)
{
	return give_relation(call, layout_relation_least_inverse(call_relation(call, 0)));
}

static bool run_restrict(struct call *call)
{
	layout_relation *relation = call_relation(call, 0);
	layout_set *set = call_set(call, 1);

	call_blame(call, 1);
	return give_relation(call, layout_relation_restrict(relation, set));
}

static bool run_domain(struct call *call)
{
	return give_set(call, layout_relation_domain(call_relation(call, 0)));
}

static bool run_range(struct call *call)
{
	return give_set(call, layout_relation_range(call_relation(call, 0)));
}

/* An operation on two relations or on two sets; errors lie at the second one. */
static bool run_pair(struct call *call,
	layout_relation *(*on_relations)(layout_relation *, layout_relation *),
	layout_set *(*on_sets)(layout_set *, layout_set *))
{
	if (call_kind(call, 0) == &kind_set) {
		layout_set *a = call_set(call, 0), *b = call_set(call, 1);

		call_blame(call, 1);
		return give_set(call, on_sets(a, b));
	} else {
		layout_relation *a = call_relation(call, 0), *b = call_relation(call, 1);

		call_blame(call, 1);
		return give_relation(call, on_relations(a, b));
	}
}

static bool run_product(struct call *call)
{
	return run_pair(call, layout_relation_product, layout_set_product);
}

static bool run_union(struct call *call)
{
	return run_pair(call, layout_relation_union, layout_set_union);
}

static bool run_intersect(struct call *call)
{
	return run_pair(call, layout_relation_intersect, layout_set_intersect);
}

static bool run_subtract(struct call *call)
{
	return run_pair(call, layout_relation_subtract, layout_set_subtract);
}

/* A choice of coordinates; errors lie at the list. */
static bool run_selection(struct call *call,
	layout_relation *(*on_relation)(layout_relation *, const unsigned *, unsigned),
	layout_set *(*on_set)(layout_set *, const unsigned *, unsigned))
{
	unsigned numbers[TEXT_LIST_LIMIT], count = call->arguments[1].list.count;
	layout_relation *relation = NULL;
	layout_set *set = NULL;

	if (!call_numbers(call, &call->arguments[1], numbers))
		return false;
	if (call_kind(call, 0) == &kind_set)
		set = call_set(call, 0);
	else
		relation = call_relation(call, 0);
	call_blame(call, 1);
	return set ? give_set(call, on_set(set, numbers, count)) :
		give_relation(call, on_relation(relation, numbers, count));
}

static bool run_permute(struct call *call)
{
	return run_selection(call, layout_relation_permute, layout_set_permute);
}

static bool run_project(struct call *call)
{
	return run_selection(call, layout_relation_project, layout_set_project);
}

static bool run_simplify(struct call *call)
{
	if (call_kind(call, 0) == &kind_set)
		return give_set(call, layout_set_simplify(call_set(call, 0)));
	return give_relation(call, layout_relation_simplify(call_relation(call, 0)));
}

static bool run_padding(struct call *call)
{
	layout_value *value = call->arguments[0].value;
	char *count = NULL;
	bool good = give_set(call, value->kind->padding(value, &count));

	call->result->count = count;
	return good;
}

/* The same storage, written with its tag. */
static bool run_tag(struct call *call)
{
	layout_value *value = call->arguments[0].value;

	call_blame(call, 0);
	if (value->kind == &kind_storage)
		return value_give(call->result, &kind_storage, storage_retagged(value->object));
	layout_fail(call->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "a tag is of a storage");
	return false;
}

const struct function functions_relation[] = {
	{ "as", run_as, { ARG(RELATION), NAMED("in", VIEW), NAMED("out", VIEW),
		NAMED("order", NAME) },
		.example = "as((4,8):(8,1), in = [T = 4, V = 8])" },
	{ "compose", run_compose, { ARG(RELATION), ARG(INNER) }, .alias = "composition",
		.example = "compose((4,8):(8,1), (2,4):(1,4))" },
	{ "convert", run_convert, { ARG(RELATION), NAMED("to", NAME) },
		.example = "convert((4,8):(8,1), to = linear)" },
	{ "domain", run_domain, { ARG(RELATION) },
		.example = "domain((4,8):(8,1))" },
	{ "intersect", run_intersect, { ARG(EITHER), ARG(EITHER) },
		.example = "intersect({ [i] : 0 <= i < 4 }, { [i] : 2 <= i < 6 })" },
	{ "inverse", run_inverse, { ARG(RELATION) },
		.example = "inverse((4,8):(8,1))" },
	{ "left_inverse", run_least_inverse, { ARG(RELATION) },
		.example = "left_inverse((4,8):(8,1))" },
	{ "padding", run_padding, { ARG(PADDED) },
		.example = "padding(chain(row_major[3], pad([0], [1])))" },
	{ "permute", run_permute, { ARG(EITHER), ARG(NUMBERS) },
		.example = "permute(row_major[4, 8], [1, 0])" },
	{ "product", run_product, { ARG(EITHER), ARG(EITHER) },
		.example = "product({ [i] -> [2i] }, { [j] -> [j] })" },
	{ "project", run_project, { ARG(EITHER), ARG(NUMBERS) },
		.example = "project({ [i, j] : 0 <= i < j < 4 }, [1])" },
	{ "range", run_range, { ARG(RELATION) },
		.example = "range((4,8):(8,1))" },
	{ "restrict", run_restrict, { ARG(RELATION), ARG(SET) },
		.example = "restrict((4,8):(8,1), { [i] : 0 <= i < 8 })" },
	{ "right_inverse", run_least_inverse, { ARG(RELATION) },
		.example = "right_inverse((4,8):(8,1))" },
	{ "simplify", run_simplify, { ARG(EITHER) },
		.example = "simplify((4,8):(8,1))" },
	{ "subtract", run_subtract, { ARG(EITHER), ARG(EITHER) },
		.example = "subtract({ [i] : 0 <= i < 4 }, { [i] : 2 <= i < 6 })" },
	{ "tag", run_tag, { ARG(PADDED) },
		.example = "tag(col_major[4, 8])" },
	{ "union", run_union, { ARG(EITHER), ARG(EITHER) },
		.example = "union({ [i] : 0 <= i < 4 }, { [i] : 2 <= i < 6 })" },
	{ .name = NULL },
};
