/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value from the inside. */
#ifndef LAYOUT_VALUES_VALUE_H
#define LAYOUT_VALUES_VALUE_H

#include "algebra/cute/map.h"
#include "isl_bridge/context.h"
#include "value/kind.h"

/* The kind says what of the union is set.  An affine map is a relation, and so is the
 * result of an operation.  Where CuTe layouts made something that is no layout, "map" is
 * it, and "relation" is NULL until it is asked for. */
struct layout_value {
	layout_context *ctx;
	const struct value_kind *kind;
	union {
		void *object;			/* the type of the kind */
		int64_t integer;
		struct {
			layout_relation *relation;
			layout_set *onto;	/* of its images; NULL: none declared */
			struct cute_map map;
		};
		struct {
			layout_set *set;
			char *count;		/* of padding(STORAGE) */
		};
	};
	char *reason;		/* see layout_value_reason() */
	const struct value_kind *like;	/* of a result: that of its first operand */
	unsigned step_count;	/* the operands of a composition, the innermost first */
	layout_value **steps;
};

/* The object of a value of that kind, borrowed; NULL with LAYOUT_ERROR_SPACE where it is of
 * another. */
void *value_object(layout_value *value, const struct value_kind *kind);

/* Fill in the kind and the object, which is consumed; false for NULL, a failure. */
bool value_give(layout_value *value, const struct value_kind *kind, void *object);

/* { [x0, x1, ..] : 0 <= x0 < sizes[0] and .. } */
layout_set *value_box(layout_context *ctx, const int64_t *sizes, unsigned rank);

/* { [x] : 0 <= x < end } */
layout_set *value_interval(layout_context *ctx, int64_t end);

/* The functions of kinds that are relations from the start. */
void value_free_relation(layout_value *value);
layout_relation *value_copy_relation(layout_value *value);
const char *value_relation_size(layout_value *value, unsigned i);

/* The relation, made where there was only a map; NULL with the error, of a map that is
 * no relation either the reason why it is no layout. */
layout_relation *value_find_relation(layout_value *value);

/* The inputs of its relation. */
layout_set *value_domain(layout_value *value);

/* The packed storage that its relation is; NULL on an error. */
void *value_to_encoding(layout_value *value);

/* The pairs of the value's relation, whatever the kind. */
bool value_relation_for_each(layout_value *value, const layout_size *sizes,
	unsigned count, layout_visit_pair visit, void *user);

/* Give the operands of a composition, which lose them, to its result; false without
 * memory. */
bool value_keep_steps(layout_value *result, layout_value **outer, layout_value **inner);

#endif
