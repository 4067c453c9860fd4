/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value from the inside. */
#ifndef LAYOUT_TEXT_VALUE_H
#define LAYOUT_TEXT_VALUE_H

#include "algebra/cute/map.h"
#include "text/notations.h"

#include <layout/value.h>

/* One of the pointers is set, as "kind" says: an affine map is a relation,
 * and so is the result of an operation.  Where CuTe layouts made something that is no
 * layout, "map" is it, and "relation" is NULL until it is asked for. */
struct layout_value {
	layout_context *ctx;
	layout_value_kind kind;
	layout_relation *relation;
	layout_set *onto;	/* the box of a relation's images; NULL: none declared */
	layout_set *set;
	layout_cute *cute;
	layout_nested *nested;
	layout_linear *linear;
	layout_mma *mma;
	layout_swizzle *swizzle;
	layout_triton *triton;
	layout_encoding *encoding;
	layout_operand *operand;
	layout_storage *storage;
	layout_chain *chain;
	layout_remap *remap;
	struct cute_map map;
	int64_t integer;
	char *count;		/* of padding(STORAGE) */
	char *reason;		/* see layout_value_reason() */
	layout_value_kind like;	/* of a result: what its first operand was written as */
	unsigned step_count;	/* the operands of a composition, the innermost first */
	layout_value **steps;
};

/* An expression at the cursor; NULL on an error. */
layout_value *text_expression(struct text_cursor *cursor);

/* Does a literal begin at the cursor?  Read it into "value", which is empty; false on
 * an error. */
bool text_at_literal(const struct text_cursor *cursor);
bool text_literal(struct text_cursor *cursor, layout_value *value);

/* { [x0, x1, ..] : 0 <= x0 < sizes[0] and .. } */
layout_set *text_box(layout_context *ctx, const int64_t *sizes, unsigned rank);

/* A result that is a relation in the notation of its first operand if it has that form,
 * else as CuTe, nested, linear or encoding; proved equal, in the very same coordinates, and
 * to be freed.  NULL, with nothing on the context, where it is none of these, is not seen
 * to be one soon, or its first operand was written in isl's notation. */
char *text_shown(layout_value *value);

/* "a relation", "a set", .. for messages. */
const char *text_value_noun(layout_value_kind kind);

#endif
