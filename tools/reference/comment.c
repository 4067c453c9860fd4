/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reference/markdown.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define TAB 8

/* What words consist of that are no code, and the spaces between them. */
#define WORDS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n"

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool code_declares(const char *code, const char *name, int length)
{
	struct declaration declaration;

	while ((code = declaration_next(&declaration, code)))
		if (declaration.name_length == length &&
			!memcmp(declaration.name, name, length))
			return true;
	return false;
}

static bool is_declared(const struct reference *reference, const char *name, int length)
{
	for (unsigned i = 0; i < reference->count; i++) {
		const struct header *header = &reference->headers[i];

		for (unsigned j = 0; j < header->item_count; j++)
			if (code_declares(header->items[j].code, name, length))
				return true;
	}
	return false;
}

/* A name or a product of C, with the "()" behind it: as code, linked where there is an
 * entry of that name. */
static const char *put_name(FILE *out, const struct reference *reference,
	const char *name, int length, const char *code)
{
	int shown = length + (strncmp(name + length, "()", 2) ? 0 : 2);

	if (!code_declares(code, name, length) && is_declared(reference, name, length))
		fprintf(out, "[`%.*s`](#%.*s)", shown, name, length, name);
	else
		fprintf(out, "`%.*s`", shown, name);
	return name + shown;
}

/* What is quoted at "text", its quotes outside of brackets: as code, unless it is only
 * words.  Returns what follows it; "text" where nothing is quoted. */
static const char *put_quoted(FILE *out, const char *text)
{
	bool is_words = true;
	int depth = 0;

	for (const char *c = text + 1; *text == '"' && *c && *c != '`'; c++) {
		int length = (int)(c + 1 - text);

		if (*c == '"' && !depth && is_words)
			fprintf(out, "%.*s", length, text);
		else if (*c == '"' && !depth)
			fprintf(out, "`%.*s`", length - 2, text + 1);
		if (*c == '"' && !depth)
			return c + 1;
		depth += !!strchr("([{", *c) - !!strchr(")]}", *c);
		is_words = is_words && strchr(WORDS, *c);
	}
	return text;
}

/* Is this a character that Markdown would not take for itself? */
static bool is_special(const char *c, bool first)
{
	switch (*c) {
	case '\\': case '`':
		return true;
	case '*':
		return first || c[-1] != ' ' || !strchr(" \n", c[1]);
	case '<':
		return isalpha((unsigned char)c[1]) || (c[1] && strchr("/!?", c[1]));
	case ']':
		return c[1] && strchr("([:", c[1]);
	case '#': case '-': case '+':
		return first && (c[1] == ' ' || c[1] == *c);
	case '>':
		return first;
	default:
		return false;
	}
}

/* A character by itself; of two spaces, only the second. */
static const char *put_character(FILE *out, const char *text, const char *c)
{
	if (is_special(c, c == text || c[-1] == '\n'))
		fputc('\\', out);
	if (*c != ' ' || c[1] != ' ')
		fputc(*c, out);
	return c + 1;
}

void markdown_prose(FILE *out, const struct reference *reference, const char *text,
	const char *code)
{
	for (const char *c = text; *c; ) {
		const char *behind = put_quoted(out, c);
		int length = 0;

		while (is_name(c[length]) || c[length] == '*')
			length++;
		if (behind > c) {
			c = behind;
		} else if (length > 1 && (memchr(c, '_', length) ||
				memchr(c, '*', length))) {
			c = put_name(out, reference, c, length, code);
		} else if (length > 1) {
			c += fprintf(out, "%.*s", length, c);
		} else {
			c = put_character(out, text, c);
		}
	}
	fputc('\n', out);
}

/* A line behind a tab, in its columns, indented as Markdown has code; returns the next
 * line. */
static const char *put_table(FILE *out, const char *line)
{
	int column = 0;

	fputs("    ", out);
	for (; *line != '\n'; line++) {
		int width = *line == '\t' ? TAB - column % TAB : 1;

		for (int i = 0; i < width; i++, column++)
			if (column >= TAB)
				fputc(*line == '\t' ? ' ' : *line, out);
	}
	fputc('\n', out);
	return line + 1;
}

/* Is this line of a comment, which ends it or with '\n', behind a tab? */
static bool is_table(const char *line)
{
	return strspn(line, " ") == 2 && line[2] == '\t';
}

static bool is_blank(const char *line)
{
	line += strspn(line, " \t");
	return !*line || *line == '\n';
}

/* The lines of prose from "line" on, as far as they have room, as one text; returns what
 * follows them. */
static const char *join_prose(char *text, size_t size, const char *line)
{
	size_t length = 0;

	while (*line && !is_blank(line) && !is_table(line)) {
		int width;

		line += strspn(line, " ");
		width = (int)strcspn(line, "\n");
		if (length && length + (size_t)width + 2 > size)
			break;
		length += snprintf(text + length, size - length, "%s%.*s",
			length ? "\n" : "", width, line);
		line += width + 1;
	}
	return line;
}

/* The lines of a comment are prose behind three spaces and tables behind a tab. */
void markdown_comment(FILE *out, const struct reference *reference, const char *comment,
	const char *code)
{
	bool in_table = false;

	while (*comment) {
		char text[8192];

		if (is_blank(comment)) {
			in_table = false;
			comment = strchr(comment, '\n') + 1;
			continue;
		}
		if (!in_table)
			fputc('\n', out);
		in_table = is_table(comment);
		if (in_table) {
			comment = put_table(out, comment);
		} else {
			comment = join_prose(text, sizeof(text), comment);
			markdown_prose(out, reference, text, code);
		}
	}
}
