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

/* Print the points in the notation's order; a CuTe layout's values always stand
 * on one line.  False on an error. */
bool points_print(FILE *out, layout_value *value, const struct arguments *arguments,
	enum points_form form);

#endif
