/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors of elements of less than a byte as the words that they are parts of. */
#ifndef LAYOUT_LOWER_BITS_H
#define LAYOUT_LOWER_BITS_H

#include "lower/llvm.h"

/* Before code generation for lanes: LLVM would cast such vectors, load and store them through
 * memory on the stack.  Here they are words, whose parts are shifted to their places and back.
 * Earlier it would put them together again. */
void bits_to_words(LLVMModuleRef module);

#endif
