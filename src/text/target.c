/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The name of a target, "CHIP", "strix-halo" or "CHIP:wave64". */
#include "text/list.h"

#include <stdio.h>
#include <string.h>

/* Append the token to "name"; a name that does not fit is none of a target. */
static void take_token(struct text_cursor *cursor, char name[TEXT_TARGET_SIZE])
{
	size_t length = strlen(name);

	snprintf(name + length, TEXT_TARGET_SIZE - length, "%.*s",
		(int)cursor->token.length, cursor->text + cursor->token.begin);
	text_advance(cursor);
}

/* The parts of a product's name. */
static bool take_name(struct text_cursor *cursor, char name[TEXT_TARGET_SIZE])
{
	do {
		if (text_at(cursor, "-"))
			take_token(cursor, name);
		if (cursor->token.kind != TEXT_NAME)
			return text_expected(cursor, "a target");
		take_token(cursor, name);
	} while (text_at(cursor, "-"));
	return true;
}

bool text_target(struct text_cursor *cursor, char name[TEXT_TARGET_SIZE])
{
	name[0] = 0;
	if (text_at(cursor, "-") || !take_name(cursor, name))
		return text_expected(cursor, "a target");
	if (!text_at(cursor, ":"))
		return true;
	take_token(cursor, name);
	if (cursor->token.kind != TEXT_NAME)
		return text_expected(cursor, "`wave32` or `wave64`");
	take_token(cursor, name);
	return true;
}
