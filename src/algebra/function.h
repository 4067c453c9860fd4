/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations that nobody declared functions, but plainly are; and functions whose results
 * plainly are copies of inputs. */
#ifndef LAYOUT_ALGEBRA_FUNCTION_H
#define LAYOUT_ALGEBRA_FUNCTION_H

#include "isl_bridge/objects.h"

/* Set relation->forward where the map shows at a glance that it is one function:
 * written as "{ [i, j] -> [8i + j] : .. }", without isl having to prove anything.
 * Between bridge_enter() and bridge_leave(); true if "forward" is set. */
bool find_function(layout_relation *relation);

/* The divisor of a floor of several inputs together, whose digits carry into each other;
 * 0: the function, which may be NULL, has none.  Keeps it. */
int64_t find_carry(isl_multi_aff *function);

/* The input that result "k" of a function is a copy of, or -1.  Keeps "function". */
int find_copied(isl_multi_aff *function, unsigned k);

#endif
