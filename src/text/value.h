/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value from the inside, and the functions of the expressions. */
#ifndef LAYOUT_TEXT_VALUE_H
#define LAYOUT_TEXT_VALUE_H

#include "text/notations.h"

#include <layout/value.h>

/* One of the pointers is set, as "kind" says: an affine map is a relation,
 * and so is the result of an operation. */
struct layout_value {
	layout_context *ctx;
	layout_value_kind kind;
	layout_relation *relation;
	layout_set *set;
	layout_cute *cute;
	layout_nested *nested;
	layout_encoding *encoding;
	layout_storage *storage;
	layout_remap *remap;
	char *count;		/* of padding(STORAGE) */
};

#define FUNCTION_ARGUMENTS 2

/* What an argument of a function must be. */
enum argument_kind {
	ARGUMENT_NONE,
	ARGUMENT_RELATION,
	ARGUMENT_SET,
	ARGUMENT_EITHER,	/* relation or set, the same for all of these */
	ARGUMENT_STORAGE,
	ARGUMENT_NUMBERS,	/* "[1, 0]" */
};

/* The arguments of a call, by position.  Relations and sets are the call's own. */
struct arguments {
	layout_relation *relations[FUNCTION_ARGUMENTS];
	layout_set *sets[FUNCTION_ARGUMENTS];
	layout_cute *cutes[FUNCTION_ARGUMENTS];	/* borrowed; of CuTe literals */
	layout_storage *storage;	/* borrowed */
	unsigned count;			/* of the numbers */
	unsigned numbers[TEXT_LIST_LIMIT];
};

/* A function of the expressions: what it takes, and what it makes of relations
 * or of sets.  "call" consumes relations and sets, and fills in "value". */
struct function {
	const char *name;
	enum argument_kind kinds[FUNCTION_ARGUMENTS];
	void (*call)(struct arguments *arguments, layout_value *value);
};

/* The function the cursor's name means, or NULL. */
const struct function *text_function(const struct text_cursor *cursor);

/* An expression at the cursor; NULL on an error. */
layout_value *text_expression(struct text_cursor *cursor);

/* "a relation", "a set", .. for messages. */
const char *text_value_noun(layout_value_kind kind);

#endif
