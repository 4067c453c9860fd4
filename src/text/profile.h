/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trees without numbers of their own, "(1, (1, 1))": the profile to coalesce by. */
#ifndef LAYOUT_TEXT_PROFILE_H
#define LAYOUT_TEXT_PROFILE_H

#include "text/lexer.h"

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

#endif
