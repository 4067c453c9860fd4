/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/pages.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Put the sources' files of this pattern behind the others. */
static void append(struct pages *pages, const char *pattern)
{
	char *path = NULL;
	glob_t found;

	assert_true(asprintf(&path, "%s/%s", SOURCE_DIR, pattern) >= 0);
	if (glob(path, 0, NULL, &found) == 0) {
		pages->names = realloc(pages->names,
			(pages->count + found.gl_pathc) * sizeof(*pages->names));
		assert_non_null(pages->names);
		for (size_t i = 0; i < found.gl_pathc; i++)
			pages->names[pages->count++] =
				strdup(found.gl_pathv[i] + strlen(SOURCE_DIR) + 1);
		globfree(&found);
	}
	free(path);
}

struct pages pages_list(void)
{
	struct pages pages = { 0 };

	append(&pages, "README.md");
	append(&pages, "docs/*.md");
	append(&pages, "docs/*/*.md");
	return pages;
}

struct pages pages_pictures(void)
{
	struct pages pages = { 0 };

	append(&pages, "docs/*.svg");
	append(&pages, "docs/*/*.svg");
	return pages;
}

void pages_free(struct pages *pages)
{
	for (size_t i = 0; i < pages->count; i++)
		free(pages->names[i]);
	free(pages->names);
	*pages = (struct pages){ 0 };
}

bool page_is_generated(const char *name)
{
	return strcmp(name, "docs/reference.md") == 0 || strstr(name, "performance.md");
}

char *page_beside(const char *name, const char *link)
{
	const char *slash = strrchr(name, '/');
	int folder = slash ? (int)(slash - name) : 0;
	char *path = NULL;

	for (; strncmp(link, "../", 3) == 0; link += 3) {
		assert_true(folder > 0);
		while (folder > 0 && name[--folder] != '/')
			continue;
	}
	assert_true(asprintf(&path, "%.*s%s%s", folder, name, folder ? "/" : "",
		link) >= 0);
	return path;
}
