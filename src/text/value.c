/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values: what an expression denotes, as a relation, as a set, as text. */
#include "text/value.h"

#include "isl_bridge/relation.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *name, *noun;
} kinds[] = {
	[LAYOUT_VALUE_RELATION] = { "relation", "a relation" },
	[LAYOUT_VALUE_SET] = { "set", "a set" },
	[LAYOUT_VALUE_AFFINE_MAP] = { "affine_map", "an affine map" },
	[LAYOUT_VALUE_CUTE] = { "cute", "a CuTe layout" },
	[LAYOUT_VALUE_NESTED] = { "nested", "a nested layout" },
	[LAYOUT_VALUE_ENCODING] = { "encoding", "an encoding" },
	[LAYOUT_VALUE_STORAGE] = { "storage", "a storage" },
	[LAYOUT_VALUE_REMAP] = { "remap", "a remap" },
};

const char *text_value_noun(layout_value_kind kind)
{
	return kinds[kind].noun;
}

const char *layout_value_kind_str(layout_value_kind kind)
{
	return (unsigned)kind < sizeof(kinds) / sizeof(*kinds) ?
		kinds[kind].name : "unknown";
}

layout_value_kind layout_value_get_kind(layout_value *value)
{
	return value ? value->kind : LAYOUT_VALUE_RELATION;
}

void layout_value_free(layout_value *value)
{
	if (!value)
		return;
	layout_relation_free(value->relation);
	layout_set_free(value->set);
	layout_cute_free(value->cute);
	layout_nested_free(value->nested);
	layout_encoding_free(value->encoding);
	layout_storage_free(value->storage);
	layout_remap_free(value->remap);
	free(value->count);
	free(value);
}

/* Always NULL. */
static void *refuse(layout_value *value, const char *wanted)
{
	if (value->kind == LAYOUT_VALUE_ENCODING)
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1,
			"an encoding has no cells until packed(ENCODING, [sizes]) "
			"gives it sizes");
	else
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1, "expected %s, found %s",
			wanted, text_value_noun(value->kind));
	return NULL;
}

layout_relation *layout_value_relation(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_RELATION:
	case LAYOUT_VALUE_AFFINE_MAP:
		return layout_relation_copy(value->relation);
	case LAYOUT_VALUE_CUTE:
		return layout_cute_relation(value->cute);
	case LAYOUT_VALUE_NESTED:
		return layout_nested_relation(value->nested);
	case LAYOUT_VALUE_STORAGE:
		return layout_storage_relation(value->storage);
	case LAYOUT_VALUE_REMAP:
		return layout_remap_relation(value->remap);
	default:
		return refuse(value, "a relation");
	}
}

layout_set *layout_value_set(layout_value *value)
{
	if (!value)
		return NULL;
	return value->set ? layout_set_copy(value->set) : refuse(value, "a set");
}

layout_cute *layout_value_cute(layout_value *value)
{
	if (!value)
		return NULL;
	return value->cute ? value->cute : refuse(value, "a CuTe layout");
}

layout_nested *layout_value_nested(layout_value *value)
{
	if (!value)
		return NULL;
	return value->nested ? value->nested : refuse(value, "a nested layout");
}

layout_storage *layout_value_storage(layout_value *value)
{
	if (!value)
		return NULL;
	return value->storage ? value->storage : refuse(value, "a storage");
}

layout_remap *layout_value_remap(layout_value *value)
{
	if (!value)
		return NULL;
	return value->remap ? value->remap : refuse(value, "a remap");
}

char *layout_value_str(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_SET:
		return layout_set_str(value->set);
	case LAYOUT_VALUE_AFFINE_MAP:
		return layout_relation_affine_map_str(value->relation);
	case LAYOUT_VALUE_CUTE:
		return layout_cute_str(value->cute);
	case LAYOUT_VALUE_NESTED:
		return layout_nested_str(value->nested);
	case LAYOUT_VALUE_ENCODING:
		return layout_encoding_str(value->encoding);
	case LAYOUT_VALUE_STORAGE:
		return layout_storage_str(value->storage);
	case LAYOUT_VALUE_REMAP:
		return layout_remap_str(value->remap);
	default:
		return layout_relation_str(value->relation);
	}
}

/* { [x] : 0 <= x < end } */
static layout_set *interval(layout_context *ctx, int64_t end)
{
	char text[64];

	snprintf(text, sizeof(text), "{ [x] : 0 <= x < %lld }", (long long)end);
	return layout_set_read(ctx, text);
}

layout_set *layout_value_onto(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_CUTE:
		return interval(value->ctx, layout_cute_cosize(value->cute));
	case LAYOUT_VALUE_NESTED:
		return layout_nested_box(value->nested);
	case LAYOUT_VALUE_STORAGE:
		return layout_storage_cells(value->storage);
	case LAYOUT_VALUE_REMAP:
		return layout_storage_cells(layout_remap_destination(value->remap));
	default:
		return NULL;
	}
}

layout_set *layout_value_from(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_CUTE:
		return interval(value->ctx, layout_cute_size(value->cute));
	case LAYOUT_VALUE_NESTED:
		return layout_relation_domain(layout_nested_relation(value->nested));
	case LAYOUT_VALUE_STORAGE:
		return layout_relation_domain(layout_storage_relation(value->storage));
	case LAYOUT_VALUE_REMAP:
		return layout_relation_range(layout_storage_relation(
			layout_remap_source(value->remap)));
	default:
		return NULL;
	}
}

const char *layout_value_size_name(layout_value *value, unsigned i)
{
	if (!value)
		return NULL;
	if (value->storage)
		return layout_storage_size_name(value->storage, i);
	if (value->remap)
		return layout_remap_size_name(value->remap, i);
	if (value->set)
		return i < layout_set_param_count(value->set) ?
			layout_set_param_name(value->set, i) : NULL;
	if (value->relation)
		return i < layout_relation_param_count(value->relation) ?
			layout_relation_param_name(value->relation, i) : NULL;
	return NULL;
}

const char *layout_value_count(layout_value *value)
{
	return value ? value->count : NULL;
}

struct set_visit {
	layout_visit_pair visit;
	void *user;
};

static bool visit_point(void *user, const int64_t *point, unsigned rank)
{
	struct set_visit *set_visit = user;

	return set_visit->visit(set_visit->user, point, rank, NULL, 0);
}

bool layout_value_for_each(layout_value *value, const layout_size *sizes, unsigned count,
	layout_visit_pair visit, void *user)
{
	struct set_visit set_visit = { visit, user };
	layout_relation *relation;
	layout_set *set;
	bool good;

	if (!value || !layout_given(value->ctx, visit, "function to call"))
		return false;
	if (value->kind == LAYOUT_VALUE_SET) {
		set = layout_set_fix(layout_value_set(value), sizes, count);
		good = set && layout_set_for_each(set, visit_point, &set_visit);
		layout_set_free(set);
		return good;
	}
	relation = layout_relation_fix(layout_value_relation(value), sizes, count);
	good = relation && layout_relation_for_each(relation, visit, user);
	layout_relation_free(relation);
	return good;
}

layout_value *layout_value_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_value *value;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	value = text_expression(&cursor);
	if (value && text_close(&cursor))
		return value;
	layout_value_free(value);
	return NULL;
}
