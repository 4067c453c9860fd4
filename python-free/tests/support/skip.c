/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static bool skipped;

void skip_because(const char *format, ...)
{
	va_list args;

	skipped = true;
	printf("skipped: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	skip();
	abort();
}

int skip_status(int failed)
{
	return failed || !skipped ? failed : 77;
}
