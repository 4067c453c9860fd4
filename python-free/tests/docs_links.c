/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The documentation as a book: its links lead somewhere, each page is found from
 * docs/README.md and leads back, each picture is shown, each function is explained. */
#include "support/pages.h"
#include "support/shell.h"

#include <layout/layout.h>

#include <ctype.h>
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

/* Called for each link of a page; "link" is "FILE", "FILE#PART" or "#PART". */
typedef void (*visit_link)(void *user, const char *name, const char *link);

static char *page_text(const char *name)
{
	char *path = NULL, *text;

	assert_true(asprintf(&path, "%s/%s", SOURCE_DIR, name) >= 0);
	text = shell_read(path);
	free(path);
	return text;
}

/* Blank what stands in the fenced blocks and in `code`, where ](..) is no link.  Code
 * ends with its paragraph. */
static void blank_code(char *text)
{
	bool fenced = false, quoted = false;

	for (bool begins = true; *text; begins = *text == '\n', text++) {
		if (begins && strncmp(text, "```", 3) == 0) {
			fenced = !fenced;
			quoted = false;
			text += 2;
		} else if (begins && *text == '\n') {
			quoted = false;
		} else if (!fenced && *text == '`') {
			quoted = !quoted;
		} else if ((fenced || quoted) && *text != '\n') {
			*text = ' ';
		}
	}
}

/* Links to other sites are theirs to keep. */
static void for_each_link(const char *name, visit_link visit, void *user)
{
	char *text = page_text(name);

	blank_code(text);
	for (char *at = strstr(text, "]("); at; at = strstr(at, "](")) {
		char *link = at + 2;

		at = link + strcspn(link, ")\n");
		if (*at)
			*at++ = 0;
		if (strncmp(link, "http", 4) != 0)
			visit(user, name, link);
	}
	free(text);
}

/* Is the heading "line" the part that a link calls "part"?  Small letters, with a
 * hyphen for each space and no other signs. */
static bool is_part(const char *line, const char *part)
{
	line += strspn(line, "# ");
	for (; *line && *line != '\n'; line++) {
		if (!isalnum((unsigned char)*line) && !strchr(" -_", *line))
			continue;
		if (*part++ != (*line == ' ' ? '-' : tolower((unsigned char)*line)))
			return false;
	}
	return !*part;
}

/* A heading, or an anchor that the page sets. */
static bool has_part(const char *name, const char *part)
{
	char *text = page_text(name), anchor[128];
	bool found;

	snprintf(anchor, sizeof(anchor), "<a id=\"%s\">", part);
	found = strstr(text, anchor);
	for (char *line = text; line && !found; line = strchr(line, '\n')) {
		line += *line == '\n';
		found = *line == '#' && is_part(line, part);
	}
	free(text);
	return found;
}

static void check_link(void *user, const char *name, const char *link)
{
	size_t length = strcspn(link, "#");
	char *file = strndup(link, length), *target, *path = NULL;

	(void)user;
	target = length ? page_beside(name, file) : strdup(name);
	assert_true(asprintf(&path, "%s/%s", SOURCE_DIR, target) >= 0);
	if (access(path, R_OK))
		fail_msg("%s: there is no %s", name, link);
	if (link[length] && !has_part(target, link + length + 1))
		fail_msg("%s: there is no part %s", name, link);
	free(path);
	free(target);
	free(file);
}

static void test_links(void **state)
{
	struct pages pages = pages_list();

	(void)state;
	assert_true(pages.count > 1);
	for (size_t i = 0; i < pages.count; i++)
		for_each_link(pages.names[i], check_link, NULL);
	pages_free(&pages);
}

/* Files, and which of them a link has led to. */
struct found {
	struct pages pages;
	bool *seen;
};

static void mark(void *user, const char *name, const char *link)
{
	struct found *found = user;
	size_t length = strcspn(link, "#");
	char *file = strndup(link, length), *target = page_beside(name, file);

	for (size_t i = 0; length && i < found->pages.count; i++)
		if (strcmp(found->pages.names[i], target) == 0)
			found->seen[i] = true;
	free(target);
	free(file);
}

/* Fail with the first file that no link led to. */
static void check_found(struct found *found, const char *from)
{
	for (size_t i = 0; i < found->pages.count; i++)
		if (!found->seen[i])
			fail_msg("%s is not found from %s", found->pages.names[i], from);
	pages_free(&found->pages);
	free(found->seen);
}

/* README.md is where a reader comes from, so it counts as found, but only what
 * docs/README.md leads to, page by page, does otherwise. */
static void test_reachable(void **state)
{
	struct found found = { .pages = pages_list() };
	bool *read = calloc(found.pages.count, sizeof(*read));
	bool more = true;

	(void)state;
	found.seen = calloc(found.pages.count, sizeof(*found.seen));
	assert_non_null(read);
	assert_non_null(found.seen);
	assert_string_equal(found.pages.names[0], "README.md");
	found.seen[0] = read[0] = true;
	mark(&found, "docs/README.md", "README.md");
	while (more) {
		more = false;
		for (size_t i = 0; i < found.pages.count; i++) {
			if (!found.seen[i] || read[i])
				continue;
			read[i] = more = true;
			for_each_link(found.pages.names[i], mark, &found);
		}
	}
	free(read);
	check_found(&found, "docs/README.md");
}

static void see_contents(void *user, const char *name, const char *link)
{
	bool *back = user;
	char *target = page_beside(name, link);

	if (strcmp(target, "docs/README.md") == 0)
		*back = true;
	free(target);
}

/* Each page of the book leads back to its contents. */
static void test_back(void **state)
{
	struct pages pages = pages_list();

	(void)state;
	for (size_t i = 0; i < pages.count; i++) {
		bool back = page_is_generated(pages.names[i]);

		if (strcmp(pages.names[i], "docs/README.md") != 0)
			for_each_link(pages.names[i], see_contents, &back);
		else
			back = true;
		if (!back)
			fail_msg("%s does not lead to docs/README.md", pages.names[i]);
	}
	pages_free(&pages);
}

static void test_pictures(void **state)
{
	struct found found = { .pages = pages_pictures() };
	struct pages pages = pages_list();

	(void)state;
	found.seen = calloc(found.pages.count + 1, sizeof(*found.seen));
	assert_non_null(found.seen);
	for (size_t i = 0; i < pages.count; i++)
		for_each_link(pages.names[i], mark, &found);
	pages_free(&pages);
	check_found(&found, "any page");
}

/* The page of the notation has each function of the expressions, as `name` or
 * `name(..)`. */
static void test_functions(void **state)
{
	char *text = page_text("docs/notation.md");
	const char *function;

	(void)state;
	assert_non_null(layout_value_function(0));
	for (unsigned i = 0; (function = layout_value_function(i)); i++) {
		char alone[80], call[80];

		snprintf(alone, sizeof(alone), "`%s`", function);
		snprintf(call, sizeof(call), "`%s(", function);
		if (!strstr(text, alone) && !strstr(text, call))
			fail_msg("docs/notation.md does not have %s", function);
	}
	free(text);
}

static void check_page(const char *word)
{
	char name[80];

	assert_non_null(layout_value_function_page(word));
	snprintf(name, sizeof(name), "docs/%s", layout_value_function_page(word));
	free(page_text(name));
}

/* The page that help names is there. */
static void test_pages(void **state)
{
	const char *function;

	(void)state;
	for (unsigned i = 0; (function = layout_value_function(i)); i++)
		check_page(function);
}

/* What help shows of a notation's word is one. */
static void test_words(void **state)
{
	static const char *const words[] = {
		"affine_map", "chain", "col_major", "contract", "convert_tile", "encoding",
		"encoding_info", "linear", "matmul", "memref", "mma", "nested_layout",
		"pack_map", "packed", "program", "remap", "rotate_rows", "row_major",
		"strided", "swizzled", "tagged", "tensor", "xor_shuffle",
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++) {
		char *form = layout_value_function_signature(words[i]);
		layout_value *value = layout_value_parse(ctx,
			layout_value_function_example(words[i]));

		if (!form || !strstr(form, words[i]) || !value)
			fail_msg("%s: %s", words[i], layout_context_message(ctx));
		layout_value_free(value);
		layout_string_free(form);
		check_page(words[i]);
	}
	assert_null(layout_value_function_signature("xyzzy"));
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_reachable),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_pictures),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
