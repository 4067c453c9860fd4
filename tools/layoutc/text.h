/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text of an expression, and where it came from. */
#ifndef LAYOUTC_TEXT_H
#define LAYOUTC_TEXT_H

#include "files/complaint.h"

#include <stdio.h>

struct text {
	const char *file;	/* "-" is standard input, NULL the command line */
	char *content;
	size_t begin;		/* of the statement that it is about */
};

/* The operand itself, or standard input for "-", what the file holds for "@FILE" and, if
 * "or_file", for a file's name alone.  Free with text_release(), also on failure. */
bool text_from(struct text *text, const char *operand, bool or_file,
	struct complaint *complaint);
void text_release(struct text *text);

#endif
