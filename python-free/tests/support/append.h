/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_TESTS_APPEND_H
#define LAYOUT_TESTS_APPEND_H

#include <stddef.h>

/* Print behind what is in "text", which has room for "size" bytes; aborts where the result
 * does not fit, so that no test goes on with half of a text. */
void append_text(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
