/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pages of the documentation. */
#ifndef TESTS_SUPPORT_PAGES_H
#define TESTS_SUPPORT_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Files by their names from the sources' folder, "docs/cute.md", sorted. */
struct pages {
	char **names;
	size_t count;
};

/* README.md and what docs/ has, to be freed. */
struct pages pages_list(void);

/* The pictures in docs/, to be freed. */
struct pages pages_pictures(void);

void pages_free(struct pages *pages);

/* A page that a program writes, such as the reference. */
bool page_is_generated(const char *name);

/* The file that "link" means on the page "name", "docs/notation.md" for
 * "../notation.md" on "docs/stories/a.md"; to be freed. */
char *page_beside(const char *name, const char *link);

#endif
