/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What texts may hold at most: each limit is met and kept, in little time, and the
 * documentation has its number. */
#include "isl_bridge/limits.h"
#include "support/shell.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

/* A text of "count" parts between its ends: a "#" in it is its number. */
static const struct {
	const char *begin, *part, *between, *end;
	size_t limit;
	const char *what;	/* of the message */
	const char *documented;	/* the row of docs/limits.md, */
	size_t before;		/* and how many of them "begin" has */
} rows[] = {
	{ "{ [", "a#", ", ", "] }", LIMIT_ISL_LIST, "entries in one list",
		"entries in one list: coordinates, sizes, names" },
	{ "[", "N#", ", ", "] -> { [i] : i < N0 }", LIMIT_ISL_LIST,
		"entries in one list", "entries in one list: coordinates, sizes, names" },
	{ "{ [i] : exists (", "e#", ", ", " : i = 2e0) }", LIMIT_ISL_LIST,
		"entries in one list", "entries in one list: coordinates, sizes, names" },
	{ "{ ", "[#]", "; ", " }", LIMIT_ISL_PIECES, "pieces",
		"pieces, joined by `;` or `or`" },
	{ "{ [i] : ", "i = 7 * #", " or ", " }", LIMIT_ISL_PIECES, "pieces",
		"pieces, joined by `;` or `or`" },
	{ "{ [i] : ", "i mod 3 >= 0*#", " and ", " }", LIMIT_ISL_DIVISIONS,
		"divisions in one piece", "divisions in one piece" },
	{ "{ [i] : i = 1", "2", "", " }", LIMIT_ISL_DIGITS - 1,
		"digits in one number", "digits in one number", 1 },
	{ "{ [i] : i = 2^1", "0", "", " }", LIMIT_ISL_EXPONENT - 1,
		"digits in one exponent", "digits in one exponent", 1 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))
#define SECONDS 2

static char *text_of(size_t row, size_t count)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	fputs(rows[row].begin, out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? rows[row].between : "", out);
		for (const char *at = rows[row].part; *at; at++)
			if (*at == '#')
				fprintf(out, "%zu", i);
			else
				fputc(*at, out);
	}
	fputs(rows[row].end, out);
	fclose(out);
	return text;
}

static void read_text(size_t row, size_t count, bool good)
{
	layout_context *ctx = layout_context_new();
	char *text = text_of(row, count);
	clock_t begin = clock();
	layout_value *value = layout_value_parse(ctx, text);

	if (!value == good || (!good && !strstr(layout_context_message(ctx),
	    rows[row].what)))
		fail_msg("row %zu with %zu: %s", row, count, layout_context_message(ctx));
#if !defined(__SANITIZE_ADDRESS__)
	if (clock() - begin > SECONDS * CLOCKS_PER_SEC)
		fail_msg("row %zu with %zu takes %g s", row, count,
			(double)(clock() - begin) / CLOCKS_PER_SEC);
#endif
	layout_value_free(value);
	free(text);
	assert_true(layout_context_free(ctx));
	(void)begin;
}

static void limits_are_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		read_text(i, rows[i].limit, true);
		read_text(i, rows[i].limit + 1, false);
		read_text(i, 4 * rows[i].limit, false);
	}
}

static void limits_are_documented(void **state)
{
	char *page = shell_read(SOURCE_DIR "/docs/limits.md");

	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		char *row;

		assert_true(asprintf(&row, "| %s | %zu |\n", rows[i].documented,
			rows[i].limit + rows[i].before) > 0);
		if (!strstr(page, row))
			fail_msg("docs/limits.md has no row %s", row);
		free(row);
	}
	free(page);
}

/* What isl does not count ends, too. */
static const char *const long_rows[] = {
	"check '(2,2,2,2,2147483648,2):(1,4,8,32,2,16)' --is surjective",
};

static void commands_end(void **state)
{
	(void)state;
#if defined(__SANITIZE_ADDRESS__)
	print_message("skipped: the sanitizers take most of the time\n");
	skip();
#endif
	for (size_t i = 0; i < sizeof(long_rows) / sizeof(*long_rows); i++) {
		int status;
		char *said = shell_output(&status, "%s %s", LAYOUTC_PATH, long_rows[i]);

		if (status != 3 || !strstr(said, "unknown"))
			fail_msg("%s: status %d: %s", long_rows[i], status, said);
		free(said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_kept),
		cmocka_unit_test(limits_are_documented),
		cmocka_unit_test(commands_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
