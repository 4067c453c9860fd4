/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A public header, cut into comments and the declarations below them. */
#ifndef REFERENCE_HEADER_H
#define REFERENCE_HEADER_H

#include "files/complaint.h"

#include <stddef.h>

/* A comment and the declarations that follow it up to the next blank line; one of the
 * two may be "".  Comments are as the header has them, without their delimiters, which
 * are spaces now so that columns are the same. */
struct item {
	char *comment;
	char *code;
};

/* <layout/NAME>, which another header includes, and what that says of it. */
struct include {
	char *name;
	char *comment;
};

struct header {
	char *name;		/* "base.h" */
	struct item *items;	/* the first is the header's opening comment */
	unsigned item_count;
	struct include *includes;
	unsigned include_count;
};

/* Read a header up to its end, or to a comment that begins "What follows is how it is
 * done".  Free with header_release(), also after failure. */
bool header_read(struct header *header, const char *path, struct complaint *complaint);
void header_release(struct header *header);

struct declaration {
	const char *start;	/* in an item's code */
	size_t length;
	const char *name;	/* what it declares, within it */
	int name_length;
	bool is_function;	/* or a macro like one */
};

/* The declaration at "code"; returns what follows it, NULL where there is none. */
const char *declaration_next(struct declaration *declaration, const char *code);

#endif
