/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Definitions, "let A = ..", that lines make for those after them. */
#ifndef LAYOUTC_DEFINITIONS_H
#define LAYOUTC_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

/* The lines of the definitions so far; begins as { 0 }. */
struct definitions {
	char *text;
	size_t length;
};

void definitions_release(struct definitions *definitions);

/* The name that the i-th of them gives, "A" or "#map"; false: there are not that many. */
bool definitions_name(const struct definitions *definitions, unsigned i, char *name,
	size_t size);

/* Is the line a definition, "let A = .." or "#map = .."? */
bool is_definition(const char *line);

/* The definitions with the line behind them, to be freed; NULL without memory. */
char *definitions_before(const struct definitions *definitions, const char *line);

/* Let later lines know this definition; false without memory. */
bool definitions_keep(struct definitions *definitions, const char *line);

#endif
