/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc repl: a prompt at which expressions are evaluated and drawn.  A line goes on to
 * the next one while brackets are open; an empty one ends it. */
#include "layoutc/actions.h"
#include "layoutc/definitions.h"
#include "layoutc/report.h"
#include "layoutc/watch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	int (*act)(layout_context *ctx, const struct subject *subject,
		const struct arguments *arguments);
} actions[] = {
	{ "show", show_subject },
	{ "check", check_subject },
	{ "eval", eval_subject },
};

/* How many brackets of the text are open.  Within braces "<" compares. */
static unsigned open_brackets(const char *text)
{
	unsigned depth = 0, braces = 0;

	for (; *text; text++) {
		bool opens = strchr("([{", *text) || (!braces && *text == '<');
		bool closes = strchr(")]}", *text) || (!braces && *text == '>');

		if (text[0] == '-' && text[1] == '>') {
			text++;
			continue;
		}
		braces += *text == '{';
		braces -= braces && *text == '}';
		depth += opens;
		depth -= depth && closes;
	}
	return depth;
}

static void prompt(const char *text)
{
	if (isatty(STDIN_FILENO)) {
		fputs(text, stdout);
		fflush(stdout);
	}
}

/* What is typed up to where its brackets are closed, without the last newline; NULL at the
 * end of the input. */
static char *read_text(void)
{
	char *text = NULL, *line = NULL, *longer;
	size_t room = 0;

	prompt("layoutc> ");
	while (getline(&line, &room, stdin) >= 0) {
		line[strcspn(line, "\r\n")] = 0;
		if (text && !*line)
			break;
		if (asprintf(&longer, "%s%s%s", text ? text : "", text ? "\n" : "", line) < 0)
			break;
		free(text);
		text = longer;
		if (!open_brackets(text))
			break;
		prompt("    ...> ");
	}
	free(line);
	return text;
}

/* The text behind the word if it begins with that; else NULL. */
static const char *behind_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(text, word, length) != 0 ||
	    (text[length] && !isspace((unsigned char)text[length])))
		return NULL;
	return text + length + strspn(text + length, " \t\n");
}

/* Evaluate "text", with the definitions before it, and act on its value.  0 if all went
 * well. */
static int act_on(layout_context *ctx, const struct definitions *definitions,
	const char *text, const struct arguments *arguments,
	int (*act)(layout_context *ctx, const struct subject *subject,
		const struct arguments *arguments))
{
	struct subject subject = { .text = { definitions->length ? "input" : NULL,
		definitions_before(definitions, text) } };
	int status;

	if (!subject.text.content)
		return report(STATUS_UNKNOWN, "repl", "no memory");
	watch_begin();
	subject.value = layout_value_parse(ctx, subject.text.content);
	status = subject.value ? act(ctx, &subject, arguments) :
		report_text(ctx, &subject.text, "repl");
	subject_release(&subject);
	layout_context_clear(ctx);
	fflush(stdout);
	return status;
}

/* Do what the text says. */
static void run_text(layout_context *ctx, struct definitions *definitions, const char *text,
	const struct arguments *arguments)
{
	const char *rest = behind_word(text, "help");

	if (rest) {
		if (*rest)
			help_word(rest);
		else
			puts("EXPR, show EXPR, check EXPR, let NAME = EXPR, help WORD, quit");
		fflush(stdout);
		return;
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		rest = behind_word(text, actions[i].name);
		if (rest) {
			act_on(ctx, definitions, rest, arguments, actions[i].act);
			return;
		}
	}
	if (!act_on(ctx, definitions, text, arguments, eval_subject) && is_definition(text) &&
	    !definitions_keep(definitions, text))
		report(STATUS_UNKNOWN, "repl", "no memory");
}

int run_repl(const struct arguments *arguments)
{
	struct definitions definitions = { 0 };
	layout_context *ctx = watch_context_new();
	bool ended = false;
	char *text;

	if (!ctx)
		return report(STATUS_UNKNOWN, "repl", "no memory");
	while (!ended && (text = read_text())) {
		const char *begin = text + strspn(text, " \t");

		ended = behind_word(begin, "quit") || behind_word(begin, "exit");
		if (!ended && *begin)
			run_text(ctx, &definitions, begin, arguments);
		free(text);
	}
	prompt(ended ? "" : "\n");
	definitions_release(&definitions);
	layout_context_free(ctx);
	return STATUS_YES;
}
