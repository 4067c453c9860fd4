/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists in the arguments of a function: names, sizes, or names with sizes. */
#ifndef LAYOUT_TEXT_LIST_H
#define LAYOUT_TEXT_LIST_H

#include "isl_bridge/lexer.h"

/* What the entries of a list have to be. */
enum list_kind {
	LIST_NAMES,	/* [lane, warp] */
	LIST_SIZES,	/* [16, 4] */
	LIST_NAMED,	/* [lane = 16, warp = 4] */
	LIST_ANY,	/* all entries of one of these kinds, names for isl */
};

/* "names" are NULL where the entries have none, "sizes" -1. */
struct text_list {
	unsigned count;
	char *names[TEXT_LIST_LIMIT];
	int64_t sizes[TEXT_LIST_LIMIT];
	long positions[TEXT_LIST_LIMIT];
};

/* "[..]" at the cursor; false on an error.  Free in both cases. */
bool text_list(struct text_cursor *cursor, enum list_kind kind, struct text_list *list);
void text_list_free(struct text_list *list);

/* A name at the cursor, to be freed; NULL on an error, which calls it "what".  For isl
 * it must not be one of isl's words. */
char *text_name(struct text_cursor *cursor, bool for_isl, const char *what);

/* Take the name of a target with the wave size where it has one, "CHIP:wave64"; false
 * with an error. */
#define TEXT_TARGET_SIZE 80	/* more than any name has */
bool text_target(struct text_cursor *cursor, char name[TEXT_TARGET_SIZE]);

#endif
