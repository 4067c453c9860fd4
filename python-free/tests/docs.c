/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The documentation, executed.  In README.md and docs/:
 *
 *	```console	every "$ layoutc .." is run; the lines below it, up to the
 *			next "$ ", are what it must print
 *	```c		a program, where it contains "int main": compiled and run
 *	```text		straight after such a program: what it must print
 *
 * Commands of one page run in one folder, so that later ones find the files of
 * earlier ones. */
#include "support/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *pages[] = {
	"README.md", "docs/notation.md", "docs/c-api.md", "docs/kernels.md",
	"docs/cute.md", "docs/mma.md", "docs/nested.md", "docs/linear.md",
	"docs/show.md",
	"docs/data-tiling.md", "docs/chains.md",
};

/* A fenced block: its language, its text, and where it is. */
struct block {
	char language[16];
	char *text;
	unsigned line;
	bool adjacent;	/* only blank lines since the block before */
};

struct page {
	const char *name;
	char *folder;
	struct block *blocks;
	unsigned count;
};

/* Cut "text" after its first line; returns the rest, or NULL at the end. */
static char *next_line(char *text)
{
	char *end = strchr(text, '\n');

	if (!end)
		return NULL;
	*end = 0;
	return end + 1;
}

static struct block *block_add(struct page *page, const char *language,
	unsigned line, bool adjacent)
{
	struct block *block;

	page->blocks = realloc(page->blocks,
		(page->count + 1) * sizeof(*page->blocks));
	assert_non_null(page->blocks);
	block = &page->blocks[page->count++];
	*block = (struct block){ .text = strdup(""), .line = line, .adjacent = adjacent };
	snprintf(block->language, sizeof(block->language), "%s", language);
	return block;
}

static void block_append(struct block *block, const char *line)
{
	char *text = NULL;

	assert_true(asprintf(&text, "%s%s\n", block->text, line) >= 0);
	free(block->text);
	block->text = text;
}

/* Split the page at "path" into its fenced blocks. */
static struct page page_read(const char *name, const char *path)
{
	struct page page = { .name = name, .folder = shell_folder_new() };
	struct block *open = NULL;
	char *text = shell_read(path), *line = text, *rest;
	bool adjacent = false;

	for (unsigned number = 1; line; line = rest, number++) {
		rest = next_line(line);
		if (strncmp(line, "```", 3) == 0) {
			open = open ? NULL : block_add(&page, line + 3, number, adjacent);
			adjacent = true;
		} else if (open) {
			block_append(open, line);
		} else if (*line) {
			adjacent = false;
		}
	}
	if (open)
		fail_msg("%s: a block does not end", name);
	free(text);
	return page;
}

static void page_free(struct page *page)
{
	for (unsigned i = 0; i < page->count; i++)
		free(page->blocks[i].text);
	free(page->blocks);
	shell_folder_remove(page->folder);
}

/* Compare what a command of this block printed with what the page says. */
static void check_output(const struct page *page, const struct block *block,
	const char *what, const char *expected, const char *actual)
{
	if (strcmp(expected, actual) == 0)
		return;
	fprintf(stderr, "the page says\n%s\nbut it prints\n%s\n", expected, actual);
	fail_msg("%s:%u: %s", page->name, block->line, what);
}

/* The lines from "line" up to the next command, as one text. */
static char *expected_output(char *line, char **rest)
{
	struct block output = { .text = strdup("") };

	for (; line && *line && strncmp(line, "$ ", 2) != 0; line = *rest) {
		*rest = next_line(line);
		block_append(&output, line);
	}
	*rest = line;
	return output.text;
}

/* Run the commands of a console block.  Returns how many there were. */
static unsigned run_console(const struct page *page, const struct block *block)
{
	char *text = strdup(block->text), *line = text, *rest;
	unsigned count = 0;

	while (line && *line) {
		char *command = line, *expected, *actual;
		int status;

		rest = next_line(line);
		if (strncmp(command, "$ layoutc ", 10) != 0)
			fail_msg("%s:%u: not a command: %s", page->name, block->line,
				command);
		expected = expected_output(rest, &rest);
		actual = shell_output(&status, "cd '%s' && PATH='%s':$PATH\n%s",
			page->folder, BUILD_DIR, command + 2);
		check_output(page, block, command, expected, actual);
		free(expected);
		free(actual);
		line = rest;
		count++;
	}
	free(text);
	return count;
}

/* Compile and run a program; "expected" may be NULL. */
static void run_program(const struct page *page, const struct block *block,
	const char *expected)
{
	char *path = NULL, *actual;

	assert_true(asprintf(&path, "%s/program.c", page->folder) >= 0);
	shell_write(path, block->text);
	free(shell_must("cd '%s' && '%s' -std=c17 -Wall -Wextra -Werror %s"
		" -I'%s/include' program.c -L'%s' -Wl,-rpath,'%s'"
		" -llayout-codegen -llayout -o program",
		page->folder, C_COMPILER, C_FLAGS, SOURCE_DIR, BUILD_DIR, BUILD_DIR));
	actual = shell_must("cd '%s' && ./program", page->folder);
	if (expected)
		check_output(page, block, "program", expected, actual);
	free(actual);
	free(path);
}

/* Run all of a page; returns how many commands and programs it had. */
static unsigned run_page(const char *name)
{
	struct page page;
	char *path = NULL;
	unsigned count = 0;

	assert_true(asprintf(&path, "%s/%s", SOURCE_DIR, name) >= 0);
	page = page_read(name, path);
	for (unsigned i = 0; i < page.count; i++) {
		const struct block *block = &page.blocks[i];
		const struct block *next = block + 1;
		bool printed = i + 1 < page.count && next->adjacent
			&& strcmp(next->language, "text") == 0;

		if (strcmp(block->language, "console") == 0) {
			count += run_console(&page, block);
		} else if (strcmp(block->language, "c") == 0
			&& strstr(block->text, "int main")) {
			run_program(&page, block, printed ? next->text : NULL);
			count++;
		}
	}
	page_free(&page);
	free(path);
	return count;
}

static void test_page(void **state)
{
	const char *const *page = *state;

	assert_int_not_equal(run_page(*page), 0);
}

int main(void)
{
	enum { COUNT = sizeof(pages) / sizeof(*pages) };
	struct CMUnitTest tests[COUNT];

	for (size_t i = 0; i < COUNT; i++)
		tests[i] = (struct CMUnitTest){ .name = pages[i],
			.test_func = test_page, .initial_state = &pages[i] };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
