/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_MEET_H
#define LAYOUT_ALGEBRA_MEET_H

#include <layout/relation.h>

/* Do the images of "inner" lie in the space that "outer" takes?  Else false with
 * LAYOUT_ERROR_SPACE, which names both spaces.  Tuples of pairs are left to
 * layout_relation_compose().  Keeps both; false for NULL. */
bool relations_meet(layout_relation *outer, layout_relation *inner);

#endif
