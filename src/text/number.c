/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers of element types, "-1.5e3", "nan", "0x3f800000". */
#include "text/notations.h"

#include <string.h>

char *text_number(struct text_cursor *cursor)
{
	const char *begin = cursor->text + cursor->token.begin;
	size_t length = strspn(begin, "+-.0123456789"
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	char *text;

	if (!length) {
		text_expected(cursor, "a number");
		return NULL;
	}
	text = layout_alloc(cursor->ctx, length + 1, 1);
	if (text)
		memcpy(text, begin, length);
	text_seek(cursor, cursor->token.begin + length);
	return text;
}
