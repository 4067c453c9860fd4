/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/line/line.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As they come. */
static char *read_plainly(const char *prompt)
{
	char *line = NULL;
	size_t room = 0;

	if (isatty(STDIN_FILENO)) {
		fputs(prompt, stdout);
		fflush(stdout);
	}
	if (getline(&line, &room, stdin) < 0) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\r\n")] = 0;
	return line;
}

#ifdef LAYOUT_EDITLINE

#include <editline/readline.h>
#include <poll.h>

#define MOST_LINES 1000

static line_word *words;
static bool edits;

static bool can_edit(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal &&
		strcmp(terminal, "dumb") != 0;
}

/* The next word that begins so; the first one for "state" 0. */
static char *next_word(const char *text, int state)
{
	static unsigned i;
	const char *word;

	if (!state)
		i = 0;
	while ((word = words(i++)))
		if (!strncmp(word, text, strlen(text)))
			return strdup(word);
	return NULL;
}

/* "@FILE" is a file's name, and so is what no word is. */
static char **complete(const char *text, int begin, int end)
{
	(void)end;
	rl_completion_append_character = 0;
	return begin && rl_line_buffer[begin - 1] == '@' ? NULL :
		rl_completion_matches(text, next_word);
}

/* A tab that is followed by more at once is pasted.  The library draws the line anew for
 * none of its own keys alone. */
static int press_tab(int count, int key)
{
	struct pollfd more = { .fd = STDIN_FILENO, .events = POLLIN };

	if (poll(&more, 1, 0) > 0)
		rl_insert(count, ' ');
	else
		rl_complete(0, key);
	putchar('\r');
	fflush(stdout);
	rl_forced_update_display();
	return 0;
}

/* To be freed; NULL: none. */
static char *history_file(void)
{
	const char *home = getenv("HOME");
	char *path;

	return home && *home && asprintf(&path, "%s/.layoutc_history", home) >= 0 ? path :
		NULL;
}

void line_begin(line_word *all)
{
	char *path;

	words = all;
	edits = can_edit();
	if (!edits)
		return;
	path = history_file();
	rl_readline_name = "layoutc";
	rl_basic_word_break_characters = " \t\n()[]{}<>,:;=+*|'\"@";
	rl_attempted_completion_function = complete;
	rl_initialize();
	rl_add_defun("layoutc-complete", press_tab, '\t');
	using_history();
	stifle_history(MOST_LINES);
	if (path)
		read_history(path);
	free(path);
}

void line_end(void)
{
	char *path = edits ? history_file() : NULL;

	if (path)
		write_history(path);
	free(path);
}

char *line_read(const char *prompt)
{
	char *line = edits ? readline(prompt) : read_plainly(prompt);

	if (edits && line && *line)
		add_history(line);
	return line;
}

#else

void line_begin(line_word *words)
{
	(void)words;
}

void line_end(void)
{
}

char *line_read(const char *prompt)
{
	return read_plainly(prompt);
}

#endif
