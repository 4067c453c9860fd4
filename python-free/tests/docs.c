/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The documentation, executed.  In README.md and docs/:
 *
 *	```console	every "$ layoutc .." is run; the lines below it, up to the
 *			next "$ ", are what it must print
 *	```c		a program, where it contains "int main": compiled and run
 *	```text		straight after such a program: what it must print
 *
 * Commands of one page run in one folder, so that later ones find the files of
 * earlier ones.  A picture beside the page that it shows is what its commands make.
 * Pages that programs write have nothing to run. */
#include "support/pages.h"
#include "support/share.h"
#include "support/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

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

	assert_true(asprintf(&path, "%s/program%u.c", page->folder, block->line) >= 0);
	shell_write(path, block->text);
	free(shell_must("cd '%s' && '%s' -std=c17 -Wall -Wextra -Werror %s"
		" -I'%s/include' program%u.c -L'%s' -Wl,-rpath,'%s'"
		" -llayout-codegen -llayout -lcmocka -o program%u",
		page->folder, C_COMPILER, C_FLAGS, SOURCE_DIR, block->line, BUILD_DIR,
		BUILD_DIR, block->line));
	actual = shell_must("cd '%s' && ./program%u", page->folder, block->line);
	if (expected)
		check_output(page, block, "program", expected, actual);
	free(actual);
	free(path);
}

/* The picture "name" lies beside the page.  If the page made one of that name it is
 * the same, and one that it shows, it made. */
static void check_picture(const struct page *page, const char *text, const char *name)
{
	const char *file = strrchr(name, '/') + 1;
	char *shown = NULL, *made = NULL, *kept = NULL, *drawn, *expected;

	assert_true(asprintf(&shown, "(%s)", file) >= 0);
	assert_true(asprintf(&made, "%s/%s", page->folder, file) >= 0);
	assert_true(asprintf(&kept, "%s/%s", SOURCE_DIR, name) >= 0);
	if (access(made, R_OK) == 0) {
		drawn = shell_read(made);
		expected = shell_read(kept);
		if (strcmp(drawn, expected) != 0)
			fail_msg("%s makes another %s", page->name, name);
		free(drawn);
		free(expected);
	} else if (strstr(text, shown)) {
		fail_msg("%s shows %s, but does not make it", page->name, name);
	}
	free(shown);
	free(made);
	free(kept);
}

static void check_pictures(const struct page *page, const char *path)
{
	struct pages pictures = pages_pictures();
	char *text = shell_read(path);

	for (size_t i = 0; i < pictures.count; i++) {
		const char *name = pictures.names[i];
		char *beside = page_beside(page->name, strrchr(name, '/') + 1);

		if (strcmp(beside, name) == 0)
			check_picture(page, text, name);
		free(beside);
	}
	free(text);
	pages_free(&pictures);
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
	check_pictures(&page, path);
	page_free(&page);
	free(path);
	return count;
}

static void test_page(void **state)
{
	assert_int_not_equal(run_page(*state), 0);
}

/* All pages, or those of this name, "docs/cute.md". */
int main(int count, char **arguments)
{
	struct pages pages = pages_list();
	struct CMUnitTest tests[64] = { 0 };	/* those without a name are passed over */
	size_t running = 0;
	int failed;

	assert_in_range(pages.count, 1, sizeof(tests) / sizeof(*tests));
	for (size_t i = 0; i < pages.count; i++)
		if (!page_is_generated(pages.names[i]) &&
		    (count > 1 || share_has((unsigned)i, 0, (unsigned)pages.count)))
			tests[running++] = (struct CMUnitTest){ .name = pages.names[i],
				.test_func = test_page, .initial_state = pages.names[i] };
	if (count > 1)
		cmocka_set_test_filter(arguments[1]);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	pages_free(&pages);
	return failed;
}
