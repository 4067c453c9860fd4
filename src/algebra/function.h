/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations that nobody declared functions, but plainly are. */
#ifndef LAYOUT_ALGEBRA_FUNCTION_H
#define LAYOUT_ALGEBRA_FUNCTION_H

#include "isl_bridge/objects.h"

/* Set relation->forward where the map shows at a glance that it is one function:
 * written as "{ [i, j] -> [8i + j] : .. }", without isl having to prove anything.
 * Between bridge_enter() and bridge_leave(); true if "forward" is set. */
bool find_function(layout_relation *relation);

#endif
