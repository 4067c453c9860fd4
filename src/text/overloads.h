/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that mean something of their own for a family of layouts: what
 * functions_relation.c calls when the operands are of that family. */
#ifndef LAYOUT_TEXT_OVERLOADS_H
#define LAYOUT_TEXT_OVERLOADS_H

#include "text/call.h"

/* compose(CUTE, CUTE) and compose(CUTE, TILER): where no layout is the composition, the
 * relation that is, with the reason. */
bool overload_cute_compose(struct call *call);
bool overload_cute_left_inverse(struct call *call);
bool overload_cute_right_inverse(struct call *call);

bool overload_linear_compose(struct call *call);
bool overload_linear_product(struct call *call);

/* The relation reversed where the layout is not invertible. */
bool overload_linear_inverse(struct call *call);

bool overload_nested_permute(struct call *call);
bool overload_nested_project(struct call *call);

/* See text/as.c. */
bool overload_as(struct call *call);

/* See text/convert.c. */
bool overload_convert(struct call *call);

#endif
