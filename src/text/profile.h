/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trees without numbers of their own, "(1, (1, 1))": the profile to coalesce by. */
#ifndef LAYOUT_TEXT_PROFILE_H
#define LAYOUT_TEXT_PROFILE_H

#include "isl_bridge/lexer.h"

/* In prefix order: arities, -1 for a leaf. */
struct text_profile {
	unsigned count;
	int arity[2 * TEXT_LIST_LIMIT];
};

/* The profile at the cursor, to be freed; NULL on an error. */
struct text_profile *text_profile(struct text_cursor *cursor);

/* Read a tree whose leaves "read" reads; false on an error. */
bool text_tree(struct text_cursor *cursor, struct text_profile *profile,
	bool (*read)(struct text_cursor *cursor, void *user), void *user);

/* See cute_types.c: "Int<8>{}" at the cursor; "Layout<" or the like there. */
bool text_at_number(const struct text_cursor *cursor);
bool text_number_of_cute(struct text_cursor *cursor, int64_t *number);
bool text_at_static(const struct text_cursor *cursor);
bool text_at_type(const struct text_cursor *cursor, const char *name);

/* "(", "Shape<" or "make_shape("; what ends it, once gone past, and past that, too, with the
 * "{}" behind a type. */
bool text_at_tuple(const struct text_cursor *cursor);
const char *text_open_tuple(struct text_cursor *cursor);
bool text_close_tuple(struct text_cursor *cursor, const char *end);
void text_skip_braces(struct text_cursor *cursor);

/* Past all of a tuple; is the token behind it this one? */
void text_skip_tuple(struct text_cursor *cursor);
bool text_behind_tuple(const struct text_cursor *cursor, const char *token);

#endif
