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
#include <errno.h>
#include <poll.h>

#define MOST_LINES 1000
#define KEY_INTERRUPT 0x03	/* Ctrl-C */
#define KEY_DROP 0x15		/* Ctrl-U: the library drops the line */

static line_word *words;
static bool edits;
static char *history_path;
static bool dropped_line;

static bool can_edit(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal &&
		strcmp(terminal, "dumb") != 0;
}

/* The next key; for Ctrl-C those that drop the line and end it. */
static int read_key(FILE *in)
{
	static bool ends;
	unsigned char key;
	ssize_t got;

	if (ends) {
		ends = false;
		return '\n';
	}
	do
		got = read(fileno(in), &key, 1);
	while (got < 0 && errno == EINTR);
	if (got != 1)
		return -1;
	ends = dropped_line = key == KEY_INTERRUPT;
	return ends ? KEY_DROP : key;
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

/* Ctrl-C is a key among the others while a line is read, in its place behind those before it:
 * a signal drops what was typed, and may come just before a key is waited for. */
static int take_interrupts(void)
{
	return rl_parse_and_bind("setty -d -intr");
}

/* Kept as long as the program; NULL: none. */
static char *history_file(void)
{
	const char *home = getenv("HOME");
	char *path;

	return home && *home && asprintf(&path, "%s/.layoutc_history", home) >= 0 ? path :
		NULL;
}

void line_begin(line_word *all)
{
	words = all;
	edits = can_edit();
	if (!edits)
		return;
	history_path = history_file();
	rl_catch_signals = 0;
	rl_getc_function = read_key;
	rl_pre_input_hook = take_interrupts;
	rl_readline_name = "layoutc";
	rl_basic_word_break_characters = " \t\n()[]{}<>,:;=+*|'\"@";
	rl_attempted_completion_function = complete;
	rl_initialize();
	rl_add_defun("layoutc-complete", press_tab, '\t');
	using_history();
	stifle_history(MOST_LINES);
	if (history_path)
		read_history(history_path);
}

/* A line, which Ctrl-C drops. */
static char *read_edited(const char *prompt)
{
	char *line;

	dropped_line = false;
	line = readline(prompt);
	if (line && *line) {
		add_history(line);
		if (history_path)
			write_history(history_path);
	}
	return line;
}

char *line_read(const char *prompt, bool *dropped)
{
	char *line = edits ? read_edited(prompt) : read_plainly(prompt);

	*dropped = edits && line && dropped_line;
	return line;
}

#else

void line_begin(line_word *words)
{
	(void)words;
}

char *line_read(const char *prompt, bool *dropped)
{
	*dropped = false;
	return read_plainly(prompt);
}

#endif
