/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Headers as Markdown. */
#ifndef REFERENCE_MARKDOWN_H
#define REFERENCE_MARKDOWN_H

#include "reference/header.h"

#include <stdio.h>

/* All that the page is about; names are linked from one header to another. */
struct reference {
	struct header *headers;
	unsigned count;
};

/* The text of a comment: its prose with links to what it names, except to what "code"
 * below it declares; what it has behind tabs as it stands. */
void markdown_comment(FILE *out, const struct reference *reference, const char *comment,
	const char *code);

/* A paragraph of prose. */
void markdown_prose(FILE *out, const struct reference *reference, const char *line,
	const char *code);

/* The page. */
void markdown_write(FILE *out, const struct reference *reference);

#endif
