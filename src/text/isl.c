/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* isl literals, "[M] -> { [i] -> [2i] : i < M }": found by their brackets, read by
 * the bridge.  A set has no "->" outside brackets within its braces. */
#include "text/notations.h"

#include <stdlib.h>
#include <string.h>

/* What stands in the text at a byte, brackets apart. */
struct extent {
	size_t end;		/* behind the closing bracket */
	bool arrow;		/* "->" directly within the brackets */
};

/* HEIR's attribute, which has the relation as a string:
 *	#tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (slot - i0) mod 16 = 0 and .. }"> */
#define QUOTING "#tensor_ext.layout"

static bool at_braces(const struct text_cursor *cursor)
{
	return text_at(cursor, "{") || text_at(cursor, "[");
}

bool text_at_isl(const struct text_cursor *cursor)
{
	return at_braces(cursor) || text_at(cursor, QUOTING);
}

static char closing(char opening)
{
	return opening == '{' ? '}' : opening == '[' ? ']' : ')';
}

/* Behind a quoted name or a comment that begins at "at". */
static size_t skip_quoted(const struct text_cursor *cursor, size_t at)
{
	char end = cursor->text[at] == '"' ? '"' : '\n';

	do {
		at++;
	} while (at < cursor->length && cursor->text[at] != end);
	return at < cursor->length ? at + 1 : at;
}

/* Follow the brackets from the one at the cursor to its partner. */
static bool match(struct text_cursor *cursor, struct extent *extent)
{
	char open[TEXT_DEPTH_LIMIT];
	unsigned depth = 0;
	size_t at = cursor->token.begin;
	char c;

	extent->arrow = false;
	do {
		c = cursor->text[at];
		if (at == cursor->length || strchr("{[(", c)) {
			text_seek(cursor, at);
			if (at == cursor->length)
				break;
			if (depth + cursor->depth >= TEXT_DEPTH_LIMIT) {
				cursor->depth = TEXT_DEPTH_LIMIT;
				return text_enter(cursor);
			}
			open[depth++] = closing(c);
		} else if (c == '"' || c == '#') {
			at = skip_quoted(cursor, at);
			continue;
		} else if (strchr("}])", c)) {
			if (c != open[depth - 1]) {
				text_seek(cursor, at);
				break;
			}
			depth--;
		} else if (c == '-' && depth == 1 && cursor->text[at + 1] == '>') {
			extent->arrow = true;
		}
		at++;
	} while (depth);
	extent->end = at;
	if (depth) {
		char what[] = { '`', open[depth - 1], '`', '\0' };

		return text_expected(cursor, what);
	}
	return true;
}

static bool find(struct text_cursor *cursor, struct extent *extent)
{
	if (text_at(cursor, "[")) {
		if (!match(cursor, extent))
			return false;
		text_seek(cursor, extent->end);
		if (!text_take(cursor, "->"))
			return false;
	}
	if (!text_at(cursor, "{"))
		return text_expected(cursor, "`{`");
	return match(cursor, extent);
}

static bool read_isl(struct text_cursor *cursor, layout_relation **relation, layout_set **set)
{
	size_t begin = cursor->token.begin;
	struct extent extent;
	char *text;
	long base;

	*relation = NULL;
	*set = NULL;
	if (!find(cursor, &extent))
		return false;
	text_seek(cursor, extent.end);
	text = layout_alloc(cursor->ctx, extent.end - begin + 1, 1);
	if (!text)
		return false;
	memcpy(text, cursor->text + begin, extent.end - begin);
	base = layout_context_set_base(cursor->ctx, (long)begin);
	if (extent.arrow)
		*relation = layout_relation_read(cursor->ctx, text);
	else
		*set = layout_set_read(cursor->ctx, text);
	layout_context_set_base(cursor->ctx, base);
	free(text);
	return *relation || *set;
}

/* Nothing else is in the string. */
static bool read_quoted(struct text_cursor *cursor, layout_relation **relation, layout_set **set)
{
	struct text_cursor inside = *cursor;
	size_t end = cursor->token.begin + cursor->token.length - 1;

	if (cursor->token.kind != TEXT_STRING)
		return text_expected(cursor, "a relation in quotes");
	text_seek(&inside, cursor->token.begin + 1);
	if (!read_isl(&inside, relation, set))
		return false;
	if (inside.token.begin != end)
		return text_expected(&inside, "the end of the string");
	text_advance(cursor);
	return text_take(cursor, ">");
}

bool text_isl(struct text_cursor *cursor, layout_relation **relation, layout_set **set)
{
	if (!text_skip(cursor, QUOTING))
		return read_isl(cursor, relation, set);
	*relation = NULL;
	*set = NULL;
	if (text_take(cursor, "<") && read_quoted(cursor, relation, set))
		return true;
	layout_relation_free(*relation);
	layout_set_free(*set);
	*relation = NULL;
	*set = NULL;
	return false;
}
