/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names for what a text says more than once, before it:
 *
 *	#map = affine_map<(d0, d1) -> (d1, d0)>		as MLIR prints them
 *	let A = (4,8):(8,1)
 *
 * A definition goes on to the next one, to a line that begins outside of brackets, or to a
 * name like "#layout" there.  It is read where it is used, and means there what it means
 * by itself.  In a text of several statements those before are gone past in the same way. */
#include "isl_bridge/lexer.h"

#include <string.h>

#define MOST_USES 4096

/* "#map =" or "let A ="; the name. */
static bool at_definition(const struct text_cursor *cursor, struct text_token *name)
{
	struct text_cursor behind = *cursor;

	if (text_at(&behind, "let"))
		text_advance(&behind);
	else if (cursor->token.kind != TEXT_NAME ||
			cursor->text[cursor->token.begin] != '#')
		return false;
	*name = behind.token;
	text_advance(&behind);
	return name->kind == TEXT_NAME && text_at(&behind, "=");
}

/* Past the name and "=". */
static void skip_name(struct text_cursor *cursor)
{
	if (text_at(cursor, "let"))
		text_advance(cursor);
	text_advance(cursor);
	text_advance(cursor);
}

static bool is_one_of(const struct text_cursor *cursor, const char *bytes)
{
	return cursor->token.kind == TEXT_PUNCT && cursor->token.length == 1 &&
		strchr(bytes, cursor->text[cursor->token.begin]);
}

bool text_begins_line(const struct text_cursor *cursor)
{
	size_t at = cursor->token.begin;

	while (at && strchr(" \t\r\v\f", cursor->text[at - 1]))
		at--;
	return !at || cursor->text[at - 1] == '\n';
}

/* Past what a definition says.  Within braces "<" compares, and is no bracket. */
static void skip_body(struct text_cursor *cursor)
{
	unsigned braces = 0, brackets = 0;

	do {
		braces += is_one_of(cursor, "{");
		braces -= braces && is_one_of(cursor, "}");
		brackets += is_one_of(cursor, "([") || (!braces && is_one_of(cursor, "<"));
		brackets -= brackets && (is_one_of(cursor, ")]") ||
			(!braces && is_one_of(cursor, ">")));
		text_advance(cursor);
	} while (cursor->token.kind != TEXT_END && (braces || brackets ||
		(!text_begins_line(cursor) && cursor->text[cursor->token.begin] != '#')));
}

static bool is_name(const struct text_cursor *cursor, struct text_token name)
{
	return cursor->token.kind == TEXT_NAME && cursor->token.length == name.length &&
		!memcmp(cursor->text + cursor->token.begin, cursor->text + name.begin,
			name.length);
}

/* The definition of the name at the cursor: where its text begins; false: there is none. */
static bool find(const struct text_cursor *cursor, struct text_cursor *begin)
{
	struct text_cursor at = *cursor;
	struct text_token name;

	for (text_seek(&at, 0); at.token.begin < cursor->visible; skip_body(&at)) {
		size_t place = at.token.begin;

		if (!at_definition(&at, &name))
			continue;
		skip_name(&at);
		if (is_name(cursor, name)) {
			*begin = at;
			begin->visible = place;
			return true;
		}
	}
	return false;
}

bool text_defined_name(const struct text_cursor *cursor, unsigned i, struct text_token *name)
{
	struct text_cursor at = *cursor;

	for (text_seek(&at, 0); at.token.begin < cursor->visible; skip_body(&at)) {
		if (!at_definition(&at, name))
			continue;
		if (!i--)
			return true;
		skip_name(&at);
	}
	return false;
}

bool text_at_defined(const struct text_cursor *cursor)
{
	struct text_cursor begin;

	return cursor->visible && find(cursor, &begin);
}

bool text_enter_definition(struct text_cursor *cursor, struct text_cursor *outside)
{
	*outside = *cursor;
	if (!text_enter(cursor))
		return false;
	if (cursor->uses++ == MOST_USES) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
			"names are used more than %d times", MOST_USES);
		return false;
	}
	outside->uses = cursor->uses;
	find(outside, cursor);
	cursor->depth = outside->depth + 1;
	return true;
}

bool text_leave_definition(struct text_cursor *cursor, const struct text_cursor *outside)
{
	unsigned uses = cursor->uses;
	struct text_cursor end;

	find(outside, &end);
	skip_body(&end);
	if (cursor->token.begin != end.token.begin)
		return text_expected(cursor, "the end of the definition");
	*cursor = *outside;
	cursor->uses = uses;
	text_advance(cursor);
	return true;
}

void text_look_through(struct text_cursor *cursor)
{
	struct text_cursor begin;

	while (cursor->visible && find(cursor, &begin))
		*cursor = begin;
}

bool text_open_definitions(struct text_cursor *cursor)
{
	struct text_cursor last = *cursor;
	struct text_token name;
	bool any = false;

	cursor->visible = cursor->token.begin;
	for (; at_definition(cursor, &name); any = true) {
		struct text_cursor at = *cursor;

		last = *cursor;
		cursor->visible = cursor->token.begin;
		at.token = name;
		at.visible = cursor->visible;
		if (text_at_defined(&at)) {
			cursor->token = name;
			return text_duplicate(cursor);
		}
		skip_name(cursor);
		last.visible = cursor->visible;
		skip_body(cursor);
		cursor->visible = cursor->token.begin;
	}
	if (!any || cursor->token.kind != TEXT_END)
		return true;
	*cursor = last;
	skip_name(cursor);
	return true;
}
