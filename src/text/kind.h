/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the notations' rows of a kind have in common. */
#ifndef LAYOUT_TEXT_KIND_H
#define LAYOUT_TEXT_KIND_H

#include "text/notations.h"
#include "value/value.h"

/* All of a text as an object of that kind; NULL on an error. */
void *text_parse(layout_context *ctx, const char *text, const struct value_kind *kind);

/* A function of a value that is "function" of its object. */
#define OF_OBJECT(result, name, function) \
	static result name(layout_value *value) \
	{ \
		return function(value->object); \
	}

/* How a row visits the pairs of its object. */
#define EACH_OF_OBJECT(function) \
	static bool for_each(layout_value *value, const layout_size *sizes, \
		unsigned count, layout_visit_pair visit, void *user) \
	{ \
		(void)sizes, (void)count; \
		return function(value->object, visit, user); \
	}

/* layout_TYPE_parse(), layout_value_TYPE(), and the functions and fields of the row, for
 * a kind whose object is a layout_TYPE. */
#define OBJECT_FUNCTIONS(type) \
	layout_##type *layout_##type##_parse(layout_context *ctx, const char *text) \
	{ \
		return text_parse(ctx, text, &kind_##type); \
	} \
	layout_##type *layout_value_##type(layout_value *value) \
	{ \
		return value_object(value, &kind_##type); \
	} \
	OF_OBJECT(char *, type##_print, layout_##type##_str) \
	static void type##_free(layout_value *value) \
	{ \
		layout_##type##_free(value->object); \
	} \
	static bool type##_read(struct text_cursor *cursor, layout_value *value) \
	{ \
		return (value->object = text_##type(cursor)); \
	}
#define OBJECT_FIELDS(type) \
	.name = #type, .read = type##_read, .print = type##_print, .free = type##_free

/* The same of one that is a relation. */
#define RELATION_FUNCTIONS(type) \
	OBJECT_FUNCTIONS(type) \
	OF_OBJECT(layout_relation *, type##_relation, layout_##type##_relation)
#define RELATION_FIELDS(type) \
	OBJECT_FIELDS(type), .relation = type##_relation

#endif
