/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a nested layout distributes its vector, as members of a JSON object. */
#ifndef LAYOUTC_DISTRIBUTION_H
#define LAYOUTC_DISTRIBUTION_H

#include <layout/nested.h>
#include <stdio.h>

/* Print , "threads": .., the shapes, and the bases of the ids; a basis is null where
 * there is none.  Leaves no error behind. */
void distribution_print(FILE *out, layout_context *ctx, layout_nested *nested);

#endif
