/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel for people to read. */
#ifndef LAYOUT_LOWER_TEXT_H
#define LAYOUT_LOWER_TEXT_H

#include "lower/kernel.h"

/* The relations, one a line, each after what it is. */
char *text_relations(layout_context *ctx, const layout_kernel *kernel);

/* Loops and index expressions, as C would write them. */
char *text_loops(layout_context *ctx, const layout_kernel *kernel);

#endif
