/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc repl: a prompt at which expressions are evaluated and drawn.  A line goes on to
 * the next one while brackets are open; an empty one ends it. */
#include "layoutc/actions.h"
#include "layoutc/definitions.h"
#include "layoutc/line/line.h"
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

/* Those typed so far. */
static struct definitions definitions;

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

/* What is typed up to where its brackets are closed, without the last newline; NULL at the
 * end of the input. */
static char *read_text(void)
{
	char *text = NULL, *line, *longer;
	bool ended = false, dropped;

	while (!ended && (line = line_read(text ? "    ...> " : "layoutc> ", &dropped))) {
		if (dropped) {
			free(text);
			text = NULL;
		}
		ended = text && !*line;
		if (!ended && !dropped && asprintf(&longer, "%s%s%s", text ? text : "", text ? "\n" : "",
				line) >= 0) {
			free(text);
			text = longer;
			ended = !open_brackets(text);
		}
		free(line);
	}
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

/* The text, or what is in "@FILE", behind the definitions; 0 or the status of a complaint. */
static int take_text(struct text *text, const char *typed)
{
	struct complaint complaint;
	struct text alone;
	bool good;

	if (*typed != '@') {
		*text = (struct text){ definitions.length ? "input" : NULL,
			definitions_before(&definitions, typed) };
	} else {
		good = text_from(&alone, typed, false, &complaint);
		if (!good)
			return report_file(typed + 1, &complaint);
		*text = (struct text){ definitions.length ? "input" : alone.file,
			definitions_before(&definitions, alone.content) };
		text_release(&alone);
	}
	return text->content ? 0 : report(STATUS_UNKNOWN, "repl", "no memory");
}

/* Evaluate "text", with the definitions before it, and act on its value.  0 if all went
 * well. */
static int act_on(layout_context *ctx, const char *text, const struct arguments *arguments,
	int (*act)(layout_context *ctx, const struct subject *subject,
		const struct arguments *arguments))
{
	struct subject subject = { 0 };
	int status = take_text(&subject.text, text);

	if (status)
		return status;
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
static void run_text(layout_context *ctx, const char *text,
	const struct arguments *arguments)
{
	const char *rest = behind_word(text, "help");

	if (rest) {
		if (*rest)
			help_word(rest);
		else
			puts("EXPR, @FILE, show EXPR, check EXPR, let NAME = EXPR, help WORD, quit");
		fflush(stdout);
		return;
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		rest = behind_word(text, actions[i].name);
		if (rest) {
			act_on(ctx, rest, arguments, actions[i].act);
			return;
		}
	}
	if (!act_on(ctx, text, arguments, eval_subject) && is_definition(text) &&
	    !definitions_keep(&definitions, text))
		report(STATUS_UNKNOWN, "repl", "no memory");
}

/* What a word can be completed to: words of the prompt, functions, names. */
static const char *word_at(unsigned i)
{
	static const char *const words[] = { "show", "check", "eval", "let", "help", "quit" };
	static char name[80];
	unsigned count = sizeof(words) / sizeof(*words);

	if (i < count)
		return words[i];
	i -= count;
	for (count = 0; layout_value_function(count);)
		count++;
	if (i < count)
		return layout_value_function(i);
	return definitions_name(&definitions, i - count, name, sizeof(name)) ? name : NULL;
}

int run_repl(const struct arguments *arguments)
{
	layout_context *ctx = watch_context_new();
	bool ended = false;
	char *text;

	if (!ctx)
		return report(STATUS_UNKNOWN, "repl", "no memory");
	line_begin(word_at);
	while (!ended && (text = read_text())) {
		const char *begin = text + strspn(text, " \t");

		ended = behind_word(begin, "quit") || behind_word(begin, "exit");
		if (!ended && *begin)
			run_text(ctx, begin, arguments);
		free(text);
	}
	if (!ended && isatty(STDIN_FILENO))
		puts("");
	definitions_release(&definitions);
	layout_context_free(ctx);
	return STATUS_YES;
}
