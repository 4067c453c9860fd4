/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values: what an expression denotes, as its kind's row has it. */
#include "value/value.h"

#include <stdlib.h>

const char *layout_value_kind_str(layout_value_kind kind)
{
	const struct value_kind_row *row = value_kinds;

	while (row->kind && row->id != kind)
		row++;
	return row->kind ? row->kind->name : "unknown";
}

layout_context *layout_value_context(layout_value *value)
{
	return value ? value->ctx : NULL;
}

layout_value_kind layout_value_get_kind(layout_value *value)
{
	const struct value_kind_row *row = value_kinds;

	while (row->kind && row->kind != (value ? value->kind : &kind_relation))
		row++;
	return row->id;
}

void layout_value_free(layout_value *value)
{
	if (!value)
		return;
	if (value->kind && value->kind->free)
		value->kind->free(value);
	free(value->reason);
	for (unsigned i = 0; i < value->step_count; i++)
		layout_value_free(value->steps[i]);
	free(value->steps);
	free(value);
}

/* Always NULL.  "hint": what might have been meant, or NULL. */
static void *refuse(layout_value *value, const char *wanted, const char *hint)
{
	if (value->kind->lacks)
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1, "%s", value->kind->lacks);
	else
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1, "expected %s, found %s%s%s",
			wanted, value->kind->noun, hint ? "; its elements are moved by " : "",
			hint ? hint : "");
	return NULL;
}

void *value_object(layout_value *value, const struct value_kind *kind)
{
	if (!value)
		return NULL;
	return value->kind == kind ? value->object : refuse(value, kind->noun,
		kind == &kind_remap ? value->kind->kernel : NULL);
}

bool value_give(layout_value *value, const struct value_kind *kind, void *object)
{
	value->kind = kind;
	value->object = object;
	return object;
}

layout_relation *layout_value_relation(layout_value *value)
{
	if (!value)
		return NULL;
	return value->kind->relation ? value->kind->relation(value) :
		refuse(value, kind_relation.noun, NULL);
}

layout_set *layout_value_set(layout_value *value)
{
	return layout_set_copy(value_object(value, &kind_set));
}

bool layout_value_integer(layout_value *value, int64_t *number)
{
	if (!value || !layout_given(value->ctx, number, "place for the number"))
		return false;
	if (value->kind != &kind_integer)
		return refuse(value, kind_integer.noun, NULL);
	*number = value->integer;
	return true;
}

const char *layout_value_reason(layout_value *value)
{
	return value ? value->reason : NULL;
}

char *layout_value_str(layout_value *value)
{
	return value ? value->kind->print(value) : NULL;
}

layout_set *layout_value_onto(layout_value *value)
{
	return value && value->kind->onto ? value->kind->onto(value) : NULL;
}

layout_set *layout_value_from(layout_value *value)
{
	return value && value->kind->from ? value->kind->from(value) : NULL;
}

const char *layout_value_size_name(layout_value *value, unsigned i)
{
	return value && value->kind->size_name ? value->kind->size_name(value, i) : NULL;
}

const char *layout_value_count(layout_value *value)
{
	return value && value->kind == &kind_set ? value->count : NULL;
}

bool layout_value_for_each(layout_value *value, const layout_size *sizes, unsigned count,
	layout_visit_pair visit, void *user)
{
	if (!value || !layout_given(value->ctx, visit, "function to call"))
		return false;
	if (!layout_given_sizes(value->ctx, sizes, count))
		return false;
	return (value->kind->for_each ? value->kind->for_each : value_relation_for_each)(
		value, sizes, count, visit, user);
}
