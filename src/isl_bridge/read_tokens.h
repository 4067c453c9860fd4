/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The words of isl's notation of which functions are made.  Any other, and what isl
 * would read in a way of its own, is TOKEN_OTHER: a text with one is left to isl. */
#ifndef LAYOUT_BRIDGE_READ_TOKENS_H
#define LAYOUT_BRIDGE_READ_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Beside these, "(" and other single characters are kinds. */
enum token_kind {
	TOKEN_OTHER = 256,
	TOKEN_END,
	TOKEN_NUMBER,		/* fits 64 bits */
	TOKEN_NAME,
	TOKEN_ARROW,
	TOKEN_LESS_EQUAL,
	TOKEN_GREATER_EQUAL,
	TOKEN_AND,
	TOKEN_FLOOR,
	TOKEN_CEIL,
	TOKEN_MOD,
};

struct token {
	int kind;
	const char *text;
	size_t length;
	int64_t number;
};

/* The token that begins at "at", or behind white space there. */
struct token token_at(const char *at);

static inline bool token_is_comparison(int kind)
{
	return kind == '=' || kind == '<' || kind == '>' ||
		kind == TOKEN_LESS_EQUAL || kind == TOKEN_GREATER_EQUAL;
}

#endif
