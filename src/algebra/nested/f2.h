/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_NESTED_F2_H
#define LAYOUT_ALGEBRA_NESTED_F2_H

#include "algebra/f2/f2.h"
#include "algebra/nested/nested.h"

/* [thread, b.., o.., e..] -> [x..] over F2 where all tiles, strides and numbers of
 * threads are powers of two and the relation is a function; else NULL, with nothing
 * on the context. */
struct f2 *nested_f2(const layout_nested *nested);

#endif
