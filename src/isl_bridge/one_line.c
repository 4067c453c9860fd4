/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages quote texts of others: what would move a cursor, or more, is shown as \x1b. */
#include "isl_bridge/one_line.h"

#include "isl_bridge/context.h"

#include <stdlib.h>

static bool is_space(unsigned char byte)
{
	return byte == '\n' || byte == '\t';
}

/* Control characters of ASCII, and those that are two bytes of UTF-8: the second of them
 * where "before" is the first. */
static bool is_control(unsigned char before, unsigned char byte)
{
	return byte < ' ' || byte == 0x7f ||
		(before == 0xc2 && byte >= 0x80 && byte < 0xa0);
}

static bool has_control(const char *text)
{
	unsigned char before = 0;

	for (; *text; before = (unsigned char)*text++)
		if (is_control(before, (unsigned char)*text))
			return true;
	return false;
}

char *one_line(char *text)
{
	struct layout_buffer out = { 0 };
	unsigned char before = 0;

	if (!text || !has_control(text))
		return text;
	for (const char *at = text; *at; before = (unsigned char)*at++)
		if (is_space((unsigned char)*at))
			layout_buffer_append(&out, " ", 1);
		else if (is_control(before, (unsigned char)*at))
			layout_buffer_printf(&out, "\\x%02x", (unsigned char)*at);
		else
			layout_buffer_append(&out, at, 1);
	free(text);
	return layout_buffer_take(NULL, &out);
}
