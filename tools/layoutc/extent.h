/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shape, size and cosize of a value, as members of a JSON object. */
#ifndef LAYOUTC_EXTENT_H
#define LAYOUTC_EXTENT_H

#include "layoutc/subject.h"

/* Print , "shape": .., "size": .., "cosize": .. as far as the notation has them:
 * numbers, or strings with the names of sizes.  Leaves no error behind. */
void extent_print(FILE *out, layout_context *ctx, layout_value *value,
	const struct arguments *arguments);

#endif
