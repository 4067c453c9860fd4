/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names in the text of sizes. */
#ifndef LAYOUT_ALGEBRA_SIZE_NAMES_H
#define LAYOUT_ALGEBRA_SIZE_NAMES_H

#include "isl_bridge/context.h"

/* Names in order of first appearance. */
struct size_names {
	unsigned count;
	char **names;
};

/* True where "text" has only integers, names, operations and parentheses, adding its new
 * names to "names"; else false with LAYOUT_ERROR_INVALID.  Whether it is a size is for
 * text.h to say. */
bool size_names_scan(layout_context *ctx, struct size_names *names, const char *text);
void size_names_free(struct size_names *names);

/* "[M, K] -> " for the names, or "" for none, before isl text. */
void size_names_print(struct layout_buffer *out, char *const *names, unsigned count);

#endif
