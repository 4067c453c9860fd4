/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes as they are written, in notations and by C callers. */
#ifndef LAYOUT_ALGEBRA_SIZE_TEXT_H
#define LAYOUT_ALGEBRA_SIZE_TEXT_H

#include "isl_bridge/lexer.h"

/* A quasi-affine expression of sizes in its normal form, "2*M - 1"; to be freed.
 * NULL on an error; that of a negative number begins with "rule", "a size must be at
 * least 0". */
#define TEXT_QUOTIENT "a quotient of sizes is floor(a/4) or ceil(a/4)"
char *text_size(struct text_cursor *cursor);
char *text_size_by(struct text_cursor *cursor, const char *rule);

/* The same of an index, which may be negative. */
char *text_index(struct text_cursor *cursor);

/* The same of a whole text. */
char *text_index_of(layout_context *ctx, const char *text);

/* "ceil(M/512)", "M" for 1, or a number, to be freed. */
char *text_ceil(layout_context *ctx, const char *size, int64_t by);

#endif
