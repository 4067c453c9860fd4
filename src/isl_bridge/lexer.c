/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/lexer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(char c)
{
	return is_letter(c) || is_digit(c) || c == '.' || c == '$';
}

/* The token at "at", which is no white space. */
static struct text_token scan(const char *text, size_t at, size_t length)
{
	struct text_token token = { TEXT_PUNCT, at, 1 };
	const char *end;

	if (at == length) {
		token = (struct text_token){ TEXT_END, at, 0 };
	} else if (is_digit(text[at])) {
		token.kind = TEXT_INT;
		while (at + token.length < length && is_digit(text[at + token.length]))
			token.length++;
	} else if (is_letter(text[at]) ||
			(text[at] == '#' && at + 1 < length && is_letter(text[at + 1]))) {
		token.kind = TEXT_NAME;
		while (at + token.length < length && is_name(text[at + token.length]))
			token.length++;
	} else if (text[at] == '"') {
		end = memchr(text + at + 1, '"', length - at - 1);
		token.kind = end ? TEXT_STRING : TEXT_OPEN;
		token.length = end ? (size_t)(end + 1 - text) - at : length - at;
	} else if (text[at] == '-' && at + 1 < length && text[at + 1] == '>') {
		token.length = 2;
	}
	return token;
}

/* "// .." and "# ..", up to the end of the line. */
static bool at_comment(const struct text_cursor *cursor, size_t at)
{
	const char *text = cursor->text + at;

	return at + 1 < cursor->length && ((text[0] == '/' && text[1] == '/') ||
		(text[0] == '#' && is_space(text[1])));
}

/* "cute::", where C++ says whose a name is. */
#define NAMESPACE "cute::"
static bool at_namespace(const struct text_cursor *cursor, size_t at)
{
	return cursor->length - at > strlen(NAMESPACE) &&
		!memcmp(cursor->text + at, NAMESPACE, strlen(NAMESPACE)) &&
		is_letter(cursor->text[at + strlen(NAMESPACE)]);
}

void text_seek(struct text_cursor *cursor, size_t offset)
{
	while (offset < cursor->length)
		if (is_space(cursor->text[offset]))
			offset++;
		else if (at_comment(cursor, offset))
			while (offset < cursor->length && cursor->text[offset] != '\n')
				offset++;
		else if (at_namespace(cursor, offset))
			offset += strlen(NAMESPACE);
		else
			break;
	cursor->token = scan(cursor->text, offset, cursor->length);
}

void text_advance(struct text_cursor *cursor)
{
	text_seek(cursor, cursor->token.begin + cursor->token.length);
}

long text_position(const struct text_cursor *cursor)
{
	return (long)cursor->token.begin;
}

bool text_open(struct text_cursor *cursor, layout_context *ctx, const char *text)
{
	*cursor = (struct text_cursor){ .ctx = ctx, .text = text };
	if (!layout_given(ctx, text, "text to read"))
		return false;
	cursor->length = strnlen(text, TEXT_LENGTH_LIMIT + 1);
	if (cursor->length > TEXT_LENGTH_LIMIT) {
		layout_fail(ctx, LAYOUT_ERROR_PARSE, (long)TEXT_LENGTH_LIMIT,
			"the text is longer than %zu bytes", TEXT_LENGTH_LIMIT);
		return false;
	}
	text_seek(cursor, 0);
	return true;
}

bool text_close(struct text_cursor *cursor)
{
	return cursor->token.kind == TEXT_END ||
		text_expected(cursor, "the end of the text");
}

bool text_at(const struct text_cursor *cursor, const char *token)
{
	const struct text_token *next = &cursor->token;

	return (next->kind == TEXT_NAME || next->kind == TEXT_PUNCT) &&
		strlen(token) == next->length &&
		memcmp(cursor->text + next->begin, token, next->length) == 0;
}

bool text_skip(struct text_cursor *cursor, const char *token)
{
	if (!text_at(cursor, token))
		return false;
	text_advance(cursor);
	return true;
}

bool text_take(struct text_cursor *cursor, const char *token)
{
	char what[64];

	if (text_skip(cursor, token))
		return true;
	snprintf(what, sizeof(what), "`%s`", token);
	return text_expected(cursor, what);
}

bool text_end_list(struct text_cursor *cursor, const char *end)
{
	char what[64];

	if (text_skip(cursor, end))
		return true;
	snprintf(what, sizeof(what), "`,` or `%s`", end);
	return text_expected(cursor, what);
}

void text_skip_brackets(struct text_cursor *cursor)
{
	unsigned depth = 0;

	do {
		depth += text_at(cursor, "[") || text_at(cursor, "{") || text_at(cursor, "(") ||
			text_at(cursor, "<");
		depth -= depth && (text_at(cursor, "]") || text_at(cursor, "}") ||
			text_at(cursor, ")") || text_at(cursor, ">"));
		text_advance(cursor);
	} while (depth && cursor->token.kind != TEXT_END);
}

void text_skip_value(struct text_cursor *cursor)
{
	while (cursor->token.kind != TEXT_END && !text_at(cursor, ",") &&
			!text_at(cursor, "}") && !text_at(cursor, ">") &&
			!text_at(cursor, "]") && !text_at(cursor, ")"))
		text_skip_brackets(cursor);
}

/* A message is one line of printable characters, however the text looks. */
static void describe(const struct text_cursor *cursor, char *found, size_t size)
{
	const struct text_token *token = &cursor->token;
	const char *at = cursor->text + token->begin;
	size_t shown = 0;

	while (shown < token->length && shown < 32 &&
			at[shown] >= ' ' && at[shown] <= '~')
		shown++;
	if (token->kind == TEXT_END)
		snprintf(found, size, "the end of the text");
	else if (token->kind == TEXT_OPEN)
		snprintf(found, size, "a string without its end");
	else if (!shown)
		snprintf(found, size, "byte 0x%02x", (unsigned)(unsigned char)at[0]);
	else
		snprintf(found, size, "`%.*s%s`", (int)shown, at,
			shown < token->length ? ".." : "");
}

/* Does a comment look like a divisor, "// 4, j)"? */
static bool divides(const char *at, const char *end)
{
	const char *word;

	while (at < end && *at == ' ')
		at++;
	for (word = at; at < end && is_name(*at);)
		at++;
	return at > word && at < end && strchr(" ,)]}>+*-", *at);
}

/* Is there such a comment right before the token? */
static bool is_behind_divisor(const struct text_cursor *cursor)
{
	struct text_cursor at = *cursor;

	for (size_t i = cursor->token.begin; i-- > 1;)
		if (cursor->text[i - 1] == '/' && cursor->text[i] == '/') {
			text_seek(&at, i - 1);
			return at.token.begin == cursor->token.begin &&
				divides(cursor->text + i + 1,
					cursor->text + cursor->token.begin);
		}
	return false;
}

bool text_expected(struct text_cursor *cursor, const char *what)
{
	char found[64];

	describe(cursor, found, sizeof(found));
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
		"expected %s, found %s%s", what, found, is_behind_divisor(cursor) ?
		"; `//` begins a comment: write `floordiv`" : "");
	return false;
}

bool text_duplicate(struct text_cursor *cursor)
{
	char found[64];

	describe(cursor, found, sizeof(found));
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
		"%s is given twice", found);
	return false;
}

bool text_enter(struct text_cursor *cursor)
{
	if (cursor->depth == TEXT_DEPTH_LIMIT) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
			"nested deeper than %d levels", TEXT_DEPTH_LIMIT);
		return false;
	}
	cursor->depth++;
	return true;
}

void text_leave(struct text_cursor *cursor)
{
	cursor->depth--;
}

bool text_integer(struct text_cursor *cursor, int64_t *value)
{
	long position = text_position(cursor);
	bool negative = text_skip(cursor, "-"), overflow = false;
	const char *digits = cursor->text + cursor->token.begin;
	size_t length = cursor->token.length;

	if (cursor->token.kind != TEXT_INT)
		return text_expected(cursor, "an integer");
	*value = 0;
	for (size_t i = 0; i < length && !overflow; i++) {
		int64_t digit = digits[i] - '0';

		overflow = __builtin_mul_overflow(*value, 10, value) ||
			__builtin_add_overflow(*value, negative ? -digit : digit, value);
	}
	if (overflow) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_OVERFLOW, position,
			"%s%.*s%s does not fit 64 bits", negative ? "-" : "",
			length > 32 ? 32 : (int)length, digits, length > 32 ? ".." : "");
		return false;
	}
	text_advance(cursor);
	return true;
}

bool text_room(struct text_cursor *cursor, unsigned count, unsigned limit)
{
	if (count < limit)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
		"more than %u entries", limit);
	return false;
}

bool text_item(struct text_cursor *cursor, struct text_items *items)
{
	bool first = !items->count;

	if (first && !text_take(cursor, items->begin))
		return false;
	if (first ? text_skip(cursor, items->end) : !text_skip(cursor, ",")) {
		items->ended = first || text_end_list(cursor, items->end);
		return false;
	}
	return text_room(cursor, items->count++, items->limit);
}

bool text_integers_between(struct text_cursor *cursor, const char *begin, const char *end,
	int64_t least, const char *what, struct text_ints *list)
{
	struct text_items items = { begin, end, TEXT_LIST_LIMIT };

	list->count = 0;
	while (text_item(cursor, &items)) {
		long position = text_position(cursor);
		int64_t value;

		if (!text_integer(cursor, &value))
			return false;
		if (value < least) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
				"%s must be at least %lld, not %lld", what,
				(long long)least, (long long)value);
			return false;
		}
		list->positions[list->count] = position;
		list->items[list->count++] = value;
	}
	return items.ended;
}

bool text_integers(struct text_cursor *cursor, int64_t least, const char *what,
	struct text_ints *list)
{
	return text_integers_between(cursor, "[", "]", least, what, list);
}

void text_print_integers(struct layout_buffer *out, const int64_t *items, unsigned count)
{
	layout_buffer_printf(out, "[");
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%lld", i ? ", " : "", (long long)items[i]);
	layout_buffer_printf(out, "]");
}
