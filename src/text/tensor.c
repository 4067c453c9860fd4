/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The beginning of a tensor's type, "tensor<?x513xf32, "; the encoding follows. */
#include "text/notations.h"

#include <ctype.h>
#include <string.h>

/* Go past "?x" or "513x". */
static bool skip_dim(const char **at, const char *end)
{
	const char *next = *at;

	if (next < end && *next == '?')
		next++;
	else
		while (next < end && isdigit((unsigned char)*next))
			next++;
	if (next == *at || next == end || *next != 'x')
		return false;
	*at = next + 1;
	return true;
}

bool text_tensor(struct text_cursor *cursor, struct text_tensor *tensor)
{
	const char *at, *begin, *end = cursor->text + cursor->length;

	*tensor = (struct text_tensor){ .position = text_position(cursor) };
	if (!text_take(cursor, "tensor") || !text_at(cursor, "<"))
		return text_expected(cursor, "`<`");
	at = cursor->text + cursor->token.begin + 1;
	while (skip_dim(&at, end))
		tensor->rank++;
	begin = at;
	while (at < end && isalnum((unsigned char)*at))
		at++;
	tensor->element_position = (long)(begin - cursor->text);
	text_seek(cursor, (size_t)(begin - cursor->text));
	if (at == begin || at - begin >= TEXT_TENSOR_ELEMENT)
		return text_expected(cursor, "the shape and element type of a tensor");
	memcpy(tensor->element, begin, (size_t)(at - begin));
	text_seek(cursor, (size_t)(at - cursor->text));
	return text_take(cursor, ",");
}
