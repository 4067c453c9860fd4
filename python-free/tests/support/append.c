/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/append.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void append_text(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;
	int added;

	va_start(arguments, format);
	added = vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
	if (added < 0 || (size_t)added >= size - length)
		abort();
}
