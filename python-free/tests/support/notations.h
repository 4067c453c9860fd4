/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests of the notations: every notation as text in, text out. */
#ifndef TESTS_SUPPORT_NOTATIONS_H
#define TESTS_SUPPORT_NOTATIONS_H

#include "support/random.h"

#include <layout/layout.h>

/* Parse and print; NULL on an error.  "any" goes through layout_value. */
char *print_any(layout_context *ctx, const char *text);
char *print_cute(layout_context *ctx, const char *text);
char *print_nested(layout_context *ctx, const char *text);
char *print_encoding(layout_context *ctx, const char *text);
char *print_storage(layout_context *ctx, const char *text);
char *print_remap(layout_context *ctx, const char *text);

/* Well-formed literals of all notations; NULL past the last. */
const char *good_literal(unsigned i);

#endif
