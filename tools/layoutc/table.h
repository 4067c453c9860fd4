/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The values of a layout as rows and columns: --table. */
#ifndef LAYOUTC_TABLE_H
#define LAYOUTC_TABLE_H

#include "layoutc/subject.h"

/* Print the images of inputs [row, column], or of [column] on one line; those of a CuTe
 * layout of two modes by its coordinate.  The exit status, after a complaint where
 * there is no such table. */
int table_print(FILE *out, layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments);

#endif
