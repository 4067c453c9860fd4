/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where in the LDS the elements of a staged tile lie. */
#ifndef LAYOUT_KERNEL_STAGE_PLACE_H
#define LAYOUT_KERNEL_STAGE_PLACE_H

#include "kernel/stage/stage.h"

/* Fill in vectors, terms and sizes for the two choices: an XOR swizzle if there is one
 * without bank conflicts, else padding with as few as can be.  Every access of both moves
 * is counted.  False where there are too many digits. */
bool stage_place(struct stage *stage);

#endif
