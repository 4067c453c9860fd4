/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/read_tokens.h"
#include "isl_bridge/context.h"

#include <string.h>
#include <strings.h>

/* Not <ctype.h>: a locale has no say here. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void read_number(struct token *token)
{
	token->kind = TOKEN_NUMBER;
	for (; is_digit(token->text[token->length]); token->length++)
		if (__builtin_mul_overflow(token->number, 10, &token->number) ||
		    __builtin_add_overflow(token->number,
			token->text[token->length] - '0', &token->number))
			token->kind = TOKEN_OTHER;
}

/* "Sym" introduces a tuple of parameters. */
static void read_word(struct token *token)
{
	static const struct {
		const char *word;
		enum token_kind kind;
	} words[] = { { "and", TOKEN_AND }, { "ceil", TOKEN_CEIL },
		{ "floor", TOKEN_FLOOR }, { "mod", TOKEN_MOD } };

	while (is_letter(token->text[token->length]) ||
	    is_digit(token->text[token->length]))
		token->length++;
	if (token->length == 3 && memcmp(token->text, "Sym", 3) == 0)
		return;
	if (layout_is_plain_name(token->text, token->length))
		token->kind = TOKEN_NAME;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].word) == token->length &&
		    strncasecmp(words[i].word, token->text, token->length) == 0)
			token->kind = words[i].kind;
}

/* Two characters that are one sign; isl has more of them, and those begin with the
 * same characters. */
static void read_sign(struct token *token)
{
	static const struct {
		char sign[3];
		enum token_kind kind;
	} signs[] = { { "->", TOKEN_ARROW }, { "<=", TOKEN_LESS_EQUAL },
		{ ">=", TOKEN_GREATER_EQUAL }, { "==", TOKEN_OTHER },
		{ ":=", TOKEN_OTHER }, { "<<", TOKEN_OTHER }, { ">>", TOKEN_OTHER },
		{ "//", TOKEN_OTHER }, { "/\\", TOKEN_OTHER } };

	token->length = 1;
	if (*token->text == '%')
		token->kind = TOKEN_MOD;
	else if (strchr("()[]{},:=<>+-*/", *token->text))
		token->kind = *token->text;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (strncmp(signs[i].sign, token->text, 2) == 0) {
			token->kind = signs[i].kind;
			token->length = 2;
		}
}

struct token token_at(const char *at)
{
	struct token token = { .kind = TOKEN_OTHER };

	token.text = at + strspn(at, " \t\n\v\f\r");
	if (!*token.text)
		token.kind = TOKEN_END;
	else if (is_digit(*token.text))
		read_number(&token);
	else if (is_letter(*token.text))
		read_word(&token);
	else
		read_sign(&token);
	return token;
}
