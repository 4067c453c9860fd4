/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of the expressions, one row each. */
#include "text/value.h"

/* A pointer of the value that stays NULL means failure, with the error on the
 * context.  Of two CuTe layouts the outer one has no end. */
static void call_compose(struct arguments *a, layout_value *value)
{
	layout_relation *outer = a->relations[0];

	if (a->cutes[0] && a->cutes[1]) {
		layout_relation_free(outer);
		outer = layout_cute_unbounded_relation(a->cutes[0]);
	}
	value->relation = layout_relation_compose(outer, a->relations[1]);
}

static void call_inverse(struct arguments *a, layout_value *value)
{
	value->relation = layout_relation_inverse(a->relations[0]);
}

static void call_restrict(struct arguments *a, layout_value *value)
{
	value->relation = layout_relation_restrict(a->relations[0], a->sets[1]);
}

static void call_domain(struct arguments *a, layout_value *value)
{
	value->set = layout_relation_domain(a->relations[0]);
}

static void call_range(struct arguments *a, layout_value *value)
{
	value->set = layout_relation_range(a->relations[0]);
}

static void call_product(struct arguments *a, layout_value *value)
{
	if (a->sets[0])
		value->set = layout_set_product(a->sets[0], a->sets[1]);
	else
		value->relation = layout_relation_product(a->relations[0],
			a->relations[1]);
}

static void call_union(struct arguments *a, layout_value *value)
{
	if (a->sets[0])
		value->set = layout_set_union(a->sets[0], a->sets[1]);
	else
		value->relation = layout_relation_union(a->relations[0],
			a->relations[1]);
}

static void call_intersect(struct arguments *a, layout_value *value)
{
	if (a->sets[0])
		value->set = layout_set_intersect(a->sets[0], a->sets[1]);
	else
		value->relation = layout_relation_intersect(a->relations[0],
			a->relations[1]);
}

static void call_subtract(struct arguments *a, layout_value *value)
{
	if (a->sets[0])
		value->set = layout_set_subtract(a->sets[0], a->sets[1]);
	else
		value->relation = layout_relation_subtract(a->relations[0],
			a->relations[1]);
}

static void call_permute(struct arguments *a, layout_value *value)
{
	if (a->sets[0])
		value->set = layout_set_permute(a->sets[0], a->numbers, a->count);
	else
		value->relation = layout_relation_permute(a->relations[0], a->numbers,
			a->count);
}

static void call_project(struct arguments *a, layout_value *value)
{
	if (a->sets[0])
		value->set = layout_set_project(a->sets[0], a->numbers, a->count);
	else
		value->relation = layout_relation_project(a->relations[0], a->numbers,
			a->count);
}

static void call_simplify(struct arguments *a, layout_value *value)
{
	if (a->sets[0])
		value->set = layout_set_simplify(a->sets[0]);
	else
		value->relation = layout_relation_simplify(a->relations[0]);
}

static void call_padding(struct arguments *a, layout_value *value)
{
	value->count = layout_storage_padding_count(a->storage);
	if (value->count)
		value->set = layout_storage_padding(a->storage);
}

static const struct function functions[] = {
	{ "compose", { ARGUMENT_RELATION, ARGUMENT_RELATION }, call_compose },
	{ "domain", { ARGUMENT_RELATION }, call_domain },
	{ "intersect", { ARGUMENT_EITHER, ARGUMENT_EITHER }, call_intersect },
	{ "inverse", { ARGUMENT_RELATION }, call_inverse },
	{ "padding", { ARGUMENT_STORAGE }, call_padding },
	{ "permute", { ARGUMENT_EITHER, ARGUMENT_NUMBERS }, call_permute },
	{ "product", { ARGUMENT_EITHER, ARGUMENT_EITHER }, call_product },
	{ "project", { ARGUMENT_EITHER, ARGUMENT_NUMBERS }, call_project },
	{ "range", { ARGUMENT_RELATION }, call_range },
	{ "restrict", { ARGUMENT_RELATION, ARGUMENT_SET }, call_restrict },
	{ "simplify", { ARGUMENT_EITHER }, call_simplify },
	{ "subtract", { ARGUMENT_EITHER, ARGUMENT_EITHER }, call_subtract },
	{ "union", { ARGUMENT_EITHER, ARGUMENT_EITHER }, call_union },
};

const struct function *text_function(const struct text_cursor *cursor)
{
	for (unsigned i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (text_at(cursor, functions[i].name))
			return &functions[i];
	return NULL;
}
