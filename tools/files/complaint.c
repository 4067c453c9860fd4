/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "files/complaint.h"

#include <stdarg.h>
#include <stdio.h>

bool complain(struct complaint *complaint, enum wrong kind, const char *format, ...)
{
	va_list list;

	complaint->kind = kind;
	va_start(list, format);
	vsnprintf(complaint->text, sizeof(complaint->text), format, list);
	va_end(list);
	return false;
}
