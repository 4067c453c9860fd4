/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_SHOWN 100

/* Is this the second byte of a control character of UTF-8, behind "before", or one of
 * ASCII? */
static bool is_control(unsigned char before, unsigned char byte)
{
	return byte < ' ' || byte == 0x7f ||
		(before == 0xc2 && byte >= 0x80 && byte < 0xa0);
}

void report_escaped(FILE *out, const char *text)
{
	unsigned char before = 0;

	for (; *text; before = (unsigned char)*text++)
		if (is_control(before, (unsigned char)*text))
			fprintf(out, "\\x%02x", (unsigned char)*text);
		else
			fputc(*text, out);
}

/* What is coloured on a terminal that has not been asked to stay plain. */
enum paint { PAINT_PLAIN, PAINT_ERROR, PAINT_CARET };

static void paint(enum paint with)
{
	static const char *const codes[] = { "0", "1;31", "1;32" };
	const char *plain = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (isatty(STDERR_FILENO) && !(plain && *plain) && terminal &&
	    strcmp(terminal, "dumb"))
		fprintf(stderr, "\033[%sm", codes[with]);
}

/* "layoutc: error: " */
static void print_head(void)
{
	fflush(stdout);
	fputs("layoutc: ", stderr);
	paint(PAINT_ERROR);
	fputs("error:", stderr);
	paint(PAINT_PLAIN);
	fputc(' ', stderr);
}

int report(enum status status, const char *where, const char *format, ...)
{
	char *message = NULL;
	va_list list;

	va_start(list, format);
	if (vasprintf(&message, format, list) < 0)
		message = NULL;
	va_end(list);
	print_head();
	if (where) {
		report_escaped(stderr, where);
		fputs(": ", stderr);
	}
	report_escaped(stderr, message && *message ? message : "out of memory");
	fputc('\n', stderr);
	free(message);
	return status;
}

int report_file(const char *path, const struct complaint *complaint)
{
	static const enum status statuses[] = {
		[WRONG_CONTENT] = STATUS_USAGE,
		[WRONG_IO] = STATUS_IO,
		[WRONG_MEMORY] = STATUS_UNKNOWN,
	};

	return report(statuses[complaint->kind], path, "%s", complaint->text);
}

enum status status_of_error(layout_context *ctx)
{
	switch (layout_context_error(ctx)) {
	case LAYOUT_ERROR_PARSE:
	case LAYOUT_ERROR_SPACE:
	case LAYOUT_ERROR_INVALID:
	case LAYOUT_ERROR_OVERFLOW:
		return STATUS_USAGE;
	case LAYOUT_ERROR_NO_ANSWER:
		return STATUS_NO;
	case LAYOUT_ERROR_IO:
		return STATUS_IO;
	case LAYOUT_ERROR_NONE:
	case LAYOUT_ERROR_QUOTA:
	case LAYOUT_ERROR_TIME:
	case LAYOUT_ERROR_UNSUPPORTED:
	case LAYOUT_ERROR_MEMORY:
	case LAYOUT_ERROR_ISL:
	case LAYOUT_ERROR_CODEGEN:
	case LAYOUT_ERROR_FAULT:
		return STATUS_UNKNOWN;
	}
	return STATUS_UNKNOWN;
}

int report_error(layout_context *ctx, const char *where)
{
	return report(status_of_error(ctx), where, "%s",
		layout_context_message(ctx));
}

bool error_is_unknown(layout_context *ctx)
{
	layout_error kind = layout_context_error(ctx);

	return kind == LAYOUT_ERROR_NONE || kind == LAYOUT_ERROR_QUOTA ||
		kind == LAYOUT_ERROR_TIME || kind == LAYOUT_ERROR_UNSUPPORTED;
}

static bool is_about_text(layout_error kind)
{
	switch (kind) {
	case LAYOUT_ERROR_PARSE:
	case LAYOUT_ERROR_SPACE:
	case LAYOUT_ERROR_INVALID:
	case LAYOUT_ERROR_OVERFLOW:
	case LAYOUT_ERROR_QUOTA:
	case LAYOUT_ERROR_TIME:
	case LAYOUT_ERROR_UNSUPPORTED:
	case LAYOUT_ERROR_NO_ANSWER:
		return true;
	default:
		return false;
	}
}

/* Is this byte the first of a character of UTF-8? */
static bool starts_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static unsigned characters(const char *from, const char *to)
{
	unsigned count = 0;

	for (; from < to; from++)
		count += starts_character(*from);
	return count;
}

/* Print a line of the text; what would move the cursor becomes a space. */
static void print_line(const char *from, const char *to)
{
	for (; from < to; from++)
		if (*from == '\xc2' && from + 1 < to && is_control(0xc2,
				(unsigned char)from[1])) {
			fputc(' ', stderr);
			from++;
		} else {
			fputc(is_control(0, (unsigned char)*from) ? ' ' : *from, stderr);
		}
}

/* The end of the word or number at "at"; one character where there is none. */
static const char *word_end(const char *at)
{
	const char *end = at + (*at == '-' || *at == '#');

	while (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
		end++;
	return end > at ? end : at + 1;
}

/* The line of "at", or the part around it of a long one, and below it a caret with
 * a tail along the word there, or to the end where the whole text is meant. */
static void print_caret(const char *start, const char *at, bool whole)
{
	const char *from = at, *to = at, *end;
	bool head, tail;

	while (from > start && from[-1] != '\n')
		from--;
	to += strcspn(to, "\n");
	head = at - from > LINE_SHOWN / 2 && to - from > LINE_SHOWN;
	if (head)
		from = to - at > LINE_SHOWN / 2 ? at - LINE_SHOWN / 2 : to - LINE_SHOWN;
	while (from < at && !starts_character(*from))
		from++;
	tail = to - from > LINE_SHOWN;
	if (tail)
		to = from + LINE_SHOWN;
	while (to > at && *to && !starts_character(*to))
		to--;
	fputs(head ? "    ..." : "    ", stderr);
	print_line(from, to);
	fprintf(stderr, "%s\n%*s", tail ? "..." : "",
		(int)characters(from, at) + (head ? 7 : 4), "");
	paint(PAINT_CARET);
	fputc('^', stderr);
	end = whole || word_end(at) > to ? to : word_end(at);
	for (unsigned i = 1; i < characters(at, end); i++)
		fputc('~', stderr);
	paint(PAINT_PLAIN);
	fputc('\n', stderr);
}

/* A byte of a text: its start if it is none. */
static const char *place_in(const char *text, long position)
{
	return text + (position > 0 ? strnlen(text, (size_t)position) : 0);
}

static const char *error_place(layout_context *ctx, const char *text)
{
	return place_in(text, layout_context_position(ctx));
}

unsigned error_column(layout_context *ctx, const char *text)
{
	return characters(text, error_place(ctx, text)) + 1;
}

/* Print where, what, and a caret below the text, along all of it if "whole". */
static void print_report(const struct text *text, const char *at, const char *message,
	bool whole)
{
	const char *start = text->content, *line = start;
	unsigned lines = 1;

	for (const char *p = start; text->file && p < at; p++)
		if (*p == '\n') {
			lines++;
			line = p + 1;
		}
	print_head();
	if (text->file) {
		report_escaped(stderr, text->file);
		fprintf(stderr, ":%u:%u: ", lines, characters(line, at) + 1);
	} else {
		fprintf(stderr, "expr:%u: ", characters(start, at) + 1);
	}
	report_escaped(stderr, message);
	fputc('\n', stderr);
	print_caret(start, at, whole);
}

int report_place(enum status status, const struct text *text, long position,
	const char *message)
{
	print_report(text, place_in(text->content, position), message, position < 0);
	return status;
}

/* Is what was taken for a text the name of a file? */
static bool is_file(const struct text *text)
{
	struct stat status;

	return !text->file && !stat(text->content, &status) && S_ISREG(status.st_mode);
}

int report_text(layout_context *ctx, const struct text *text, const char *command)
{
	const char *message = layout_context_message(ctx);
	char with_file[400];

	if (!is_about_text(layout_context_error(ctx)))
		return report_error(ctx, command);
	if (is_file(text)) {
		snprintf(with_file, sizeof(with_file), "%s; the file of that name is @%s", message,
			text->content);
		message = with_file;
	}
	return report_place(status_of_error(ctx), text, layout_context_position(ctx), message);
}

int report_reason(const struct text *text, const char *reason)
{
	const char *at = text->content + text->begin;

	while (isspace((unsigned char)*at))
		at++;
	print_report(text, at, reason, false);
	return STATUS_NO;
}

int report_stdout(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	return report(STATUS_IO, "-", "cannot write: %s",
		errno ? strerror(errno) : "standard output failed");
}
