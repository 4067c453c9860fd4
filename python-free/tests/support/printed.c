/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/printed.h"
#include "support/notations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

void expect_printed(const char *expression, const char *text)
{
	layout_context *ctx = layout_context_new();
	char *printed = print_any(ctx, expression);

	assert_string_equal(printed ? printed : layout_context_message(ctx), text);
	layout_string_free(printed);
	assert_true(layout_context_free(ctx));
}
