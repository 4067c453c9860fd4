/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of a value: --values. */
#ifndef LAYOUTC_POINTS_H
#define LAYOUTC_POINTS_H

#include "layoutc/subject.h"

enum points_form {
	POINTS_LINES,		/* one point a line */
	POINTS_ONE_LINE,	/* separated by "; " */
	POINTS_JSON,
};

/* Print "head" and the points in the notation's order, as they are found; a CuTe layout's
 * values always stand on one line.  False on an error, where nothing is printed if it comes
 * before the first point; what "out" does not take any more ends them. */
bool points_print(FILE *out, const char *head, layout_value *value,
	const struct arguments *arguments, enum points_form form);

#endif
