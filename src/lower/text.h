/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel for people to read. */
#ifndef LAYOUT_LOWER_TEXT_H
#define LAYOUT_LOWER_TEXT_H

#include "lower/kernel.h"

/* The relations, one a line, each after what it is. */
char *text_relations(layout_context *ctx, const layout_kernel *kernel);

/* Loops and index expressions, as C would write them. */
char *text_loops(layout_context *ctx, const layout_kernel *kernel);

/* What stands around an element that is loaded: "f16_toward_zero(0.5 * " and ")", or
 * nothing. */
void text_open_conversion(struct layout_buffer *out, const struct plan *plan);
void text_close_conversion(struct layout_buffer *out, const struct plan *plan);

#endif
