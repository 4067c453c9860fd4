/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A cursor over a text: one token ahead, positions, and errors that say what was
 * expected and what was found.
 *
 * Functions that return bool return false once an error is on the context; the
 * reader of a notation then stops. */
#ifndef LAYOUT_BRIDGE_LEXER_H
#define LAYOUT_BRIDGE_LEXER_H

#include "isl_bridge/context.h"
#include "isl_bridge/limits.h"

enum text_kind {
	TEXT_END,
	TEXT_INT,	/* digits, no sign */
	TEXT_NAME,	/* letters, digits, "_", ".", "$"; may begin with "#" */
	TEXT_STRING,	/* the quotes are part of the token */
	TEXT_OPEN,	/* a string without its end */
	TEXT_PUNCT,	/* "->", else a single byte */
};

struct text_token {
	enum text_kind kind;
	size_t begin, length;
};

struct text_cursor {
	layout_context *ctx;
	const char *text;
	size_t length;
	unsigned depth;
	struct text_token token;	/* the next one */
	unsigned inferred_count;	/* of a storage: what "?" is, dimension by dimension */
	const char *const *inferred;
	size_t visible;			/* names that are defined before this byte are known */
	unsigned uses;			/* of such names */
};

/* Begin to read "text".  False if there is none, or too much. */
bool text_open(struct text_cursor *cursor, layout_context *ctx, const char *text);

/* True at the end of the text, else an error. */
bool text_close(struct text_cursor *cursor);

/* Does the token begin a line? */
bool text_begins_line(const struct text_cursor *cursor);

/* Go past the definitions of names, see definitions.c, which are known from then on; to
 * the last of them where there is nothing else.  False on an error. */
bool text_open_definitions(struct text_cursor *cursor);

/* Is the next token such a name?  Go to what it stands for, in between enter and leave,
 * which go past the name; false on an error.  Or go there for good, to look ahead. */
bool text_at_defined(const struct text_cursor *cursor);
bool text_enter_definition(struct text_cursor *cursor, struct text_cursor *outside);
bool text_leave_definition(struct text_cursor *cursor, const struct text_cursor *outside);
void text_look_through(struct text_cursor *cursor);

/* The i-th name that is known at the cursor; false: there are not that many. */
bool text_defined_name(const struct text_cursor *cursor, unsigned i, struct text_token *name);

/* Byte offset of the next token. */
long text_position(const struct text_cursor *cursor);

/* Go on to the token behind the next, or to the one at "offset" or behind. */
void text_advance(struct text_cursor *cursor);
void text_seek(struct text_cursor *cursor, size_t offset);

/* Is the next token this name, or this punctuation?  skip() then goes past it,
 * take() demands it. */
bool text_at(const struct text_cursor *cursor, const char *token);
bool text_skip(struct text_cursor *cursor, const char *token);
bool text_take(struct text_cursor *cursor, const char *token);

/* Demand the end of a list, where a "," would do as well. */
bool text_end_list(struct text_cursor *cursor, const char *end);

/* Past the next token, or past what brackets have in them if it begins any; and past what
 * "key = value" says, which is of no interest, up to what ends it. */
void text_skip_brackets(struct text_cursor *cursor);
void text_skip_value(struct text_cursor *cursor);

/* Fail at the next token: "expected WHAT, found `}`".  Always false. */
bool text_expected(struct text_cursor *cursor, const char *what);

/* Fail at the next token, a key that was there before.  Always false. */
bool text_duplicate(struct text_cursor *cursor);

/* Brackets within brackets; false beyond TEXT_DEPTH_LIMIT. */
bool text_enter(struct text_cursor *cursor);
void text_leave(struct text_cursor *cursor);

/* Digits with or without "-" before them. */
bool text_integer(struct text_cursor *cursor, int64_t *value);

/* "[1, -2, 3]", each >= "least" (else LAYOUT_ERROR_INVALID, calling it "what"), or between
 * other brackets. */
struct text_ints {
	unsigned count;
	int64_t items[TEXT_LIST_LIMIT];
	long positions[TEXT_LIST_LIMIT];
};
bool text_integers(struct text_cursor *cursor, int64_t least, const char *what,
	struct text_ints *list);
bool text_integers_between(struct text_cursor *cursor, const char *begin, const char *end,
	int64_t least, const char *what, struct text_ints *list);

/* Fail where a list of "count" entries may not grow. */
bool text_room(struct text_cursor *cursor, unsigned count, unsigned limit);

/* A list, "[" ITEM "," ITEM "]", that may be empty: text_item() says whether there is one
 * more item to read, which is counted then.  It says no at the end, and sets "ended", or
 * on an error. */
struct text_items {
	const char *begin, *end;
	unsigned limit, count;
	bool ended;
};
bool text_item(struct text_cursor *cursor, struct text_items *items);

/* Append "[1, -2, 3]". */
void text_print_integers(struct layout_buffer *out, const int64_t *items,
	unsigned count);

#endif
