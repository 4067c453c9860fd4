/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers and tuples of CuTe as its C++ writes them:
 *
 *	NUMBER	= INT | "_8" | "_8{}" | "Int<8>" ["{}"]
 *	TUPLE	= "(" .. ")" | "Shape" "<" .. ">" ["{}"] | "make_shape" "(" .. ")"
 *
 * and the same of a stride, a step, a coordinate and a tile. */
#include "text/profile.h"

#include <string.h>

static const char *const types[] = { "Shape", "Stride", "Step", "Coord", "Tile" };
static const char *const makers[] = { "make_shape", "make_stride", "make_step", "make_coord",
	"make_tile", "make_tuple" };

static bool at_one_of(const struct text_cursor *cursor, const char *const *names,
	unsigned count, const char *behind)
{
	struct text_cursor next = *cursor;

	text_advance(&next);
	for (unsigned i = 0; i < count; i++)
		if (text_at(cursor, names[i]))
			return text_at(&next, behind);
	return false;
}

bool text_at_type(const struct text_cursor *cursor, const char *name)
{
	return at_one_of(cursor, &name, 1, "<");
}

static bool at_named_tuple(const struct text_cursor *cursor)
{
	return at_one_of(cursor, types, sizeof(types) / sizeof(*types), "<") ||
		at_one_of(cursor, makers, sizeof(makers) / sizeof(*makers), "(");
}

bool text_at_tuple(const struct text_cursor *cursor)
{
	return text_at(cursor, "(") || at_named_tuple(cursor);
}

const char *text_open_tuple(struct text_cursor *cursor)
{
	const char *end;

	if (!text_at(cursor, "(") && !text_at(cursor, "<"))
		text_advance(cursor);
	end = text_at(cursor, "<") ? ">" : ")";
	text_advance(cursor);
	return end;
}

void text_skip_braces(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (text_skip(&behind, "{") && text_skip(&behind, "}"))
		*cursor = behind;
}

bool text_close_tuple(struct text_cursor *cursor, const char *end)
{
	if (!text_end_list(cursor, end))
		return false;
	if (*end == '>')
		text_skip_braces(cursor);
	return true;
}

void text_skip_tuple(struct text_cursor *cursor)
{
	bool named = at_named_tuple(cursor);
	unsigned depth = 0;

	if (named)
		text_advance(cursor);
	do {
		depth += text_at(cursor, "(") || (named && text_at(cursor, "<"));
		depth -= text_at(cursor, ")") || (named && text_at(cursor, ">"));
		text_advance(cursor);
	} while (depth && cursor->token.kind != TEXT_END);
	text_skip_braces(cursor);
}

bool text_behind_tuple(const struct text_cursor *cursor, const char *token)
{
	struct text_cursor behind = *cursor;

	if (!text_at_tuple(cursor))
		return false;
	text_skip_tuple(&behind);
	return text_at(&behind, token);
}

bool text_at_static(const struct text_cursor *cursor)
{
	const char *text = cursor->text + cursor->token.begin;
	size_t length = cursor->token.length;

	if (cursor->token.kind != TEXT_NAME || text[0] != '_')
		return false;
	return length == 1 ? text[1] == '-' : strspn(text + 1, "0123456789") >= length - 1;
}

bool text_at_number(const struct text_cursor *cursor)
{
	return cursor->token.kind == TEXT_INT || text_at(cursor, "-") ||
		text_at_static(cursor) || text_at_type(cursor, "Int");
}

bool text_number_of_cute(struct text_cursor *cursor, int64_t *number)
{
	bool type = text_at_type(cursor, "Int");

	if (type) {
		text_advance(cursor);
		text_advance(cursor);
	} else if (text_at_static(cursor)) {
		text_seek(cursor, cursor->token.begin + 1);
	}
	if (!text_integer(cursor, number) || (type && !text_take(cursor, ">")))
		return false;
	text_skip_braces(cursor);
	return true;
}
