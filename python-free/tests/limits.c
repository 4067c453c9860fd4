/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What texts may hold at most: each limit is met and kept, in little time, and the
 * documentation has its number. */
#include "isl_bridge/limits.h"
#include "support/children.h"
#include "support/shell.h"
#include "support/skip.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

/* A text of parts between its ends: a "#" in a part is its number. */
struct made {
	const char *begin, *part, *between, *end;
};

static const struct {
	struct made made;
	size_t limit;
	const char *what;	/* of the message */
	const char *documented;	/* the row of docs/limits.md, if it is this number, */
	size_t before;		/* and how many of them "begin" has */
} rows[] = {
	{ { "{ [", "a#", ", ", "] }" }, LIMIT_ISL_LIST, "entries in one list",
		"entries in one list: coordinates, sizes, names" },
	{ { "[", "N#", ", ", "] -> { [i] : i < N0 }" }, LIMIT_ISL_LIST,
		"entries in one list", "entries in one list: coordinates, sizes, names" },
	{ { "{ [i] : exists (", "e#", ", ", " : i = 2e0) }" }, LIMIT_ISL_LIST,
		"entries in one list", "entries in one list: coordinates, sizes, names" },
	{ { "{ ", "[#]", "; ", " }" }, LIMIT_ISL_PIECES, "pieces",
		"pieces, joined by `;` or `or`" },
	{ { "{ [i] : ", "i = 7 * #", " or ", " }" }, LIMIT_ISL_PIECES, "pieces",
		"pieces, joined by `;` or `or`" },
	{ { "{ [i] : ", "(i = 7*#)", "or", " }" }, LIMIT_ISL_PIECES, "pieces",
		"pieces, joined by `;` or `or`" },
	{ { "{ [i] : ", "i = 7*#", "||", " }" }, LIMIT_ISL_PIECES, "pieces",
		"pieces, joined by `;` or `or`" },
	{ { "{ [i] : ", "i = 7*#", "\\/", " }" }, LIMIT_ISL_PIECES, "pieces",
		"pieces, joined by `;` or `or`" },
	{ { "{ [i] : (i = 1 or i = 2) and (", "i = 7*#", " or ", ") }" },
		LIMIT_ISL_PIECES / 2, "pieces" },
	{ { "{ [i] : ", "i mod 3 >= 0*#", " and ", " }" }, LIMIT_ISL_DIVISIONS,
		"divisions in one piece", "divisions in one piece" },
	{ { "{ [i] : i = 1", "2", "", " }" }, LIMIT_ISL_DIGITS - 1,
		"digits in one number", "digits in one number", 1 },
	{ { "{ [i] : i = 2^1", "0", "", " }" }, LIMIT_ISL_EXPONENT - 1,
		"digits in one exponent", "digits in one exponent", 1 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))
#define SECONDS 2

static char *text_of(const struct made *made, size_t count)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	fputs(made->begin, out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? made->between : "", out);
		for (const char *at = made->part; *at; at++)
			if (*at == '#')
				fprintf(out, "%zu", i);
			else
				fputc(*at, out);
	}
	fputs(made->end, out);
	fclose(out);
	return text;
}

static void read_text(size_t row, size_t count, bool good)
{
	layout_context *ctx = layout_context_new();
	char *text = text_of(&rows[row].made, count);
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

		if (!rows[i].documented)
			continue;
		assert_true(asprintf(&row, "| %s | %zu |\n", rows[i].documented,
			rows[i].limit + rows[i].before) > 0);
		if (!strstr(page, row))
			fail_msg("docs/limits.md has no row %s", row);
		free(row);
	}
	free(page);
}

/* What would take isl long, or much memory: read or refused. */
static const struct {
	struct made made;
	size_t count;
} costly[] = {
	{ { "{ [", "a", ", ", "] }" }, 2000 },
	{ { "{ [", "a", ", ", "] }" }, LIMIT_ISL_LIST },
	{ { "{ [", "a#", ", ", "] }" }, 16000 },
	{ { "{ [i] : ", "(i mod 1#1 = 0 or i mod 1#7 = 1)", " and ", " }" }, 120 },
	{ { "{ [i] : ", "(i mod 1#1 = 0 or i mod 1#7 = 1)", " and ", " }" }, 10 },
	{ { "{ [i] : ", "i mod 1#1 = 0", " and ", " }" }, 120 },
	{ { "{ [i] : ", "i mod 1#1 = 0", " and ", " }" }, LIMIT_ISL_DIVISIONS },
	{ { "{ [i] : ", "i mod 1#1 = 0", " or ", " }" }, LIMIT_ISL_PIECES },
	{ { "{ [i] : ", "i >= 0", " and ", " }" }, 50000 },
	{ { "{ [i] : ", "i = 3*#", " or ", " }" }, 60000 },
	{ { "{ [i] : ", "i = 3*#", "||", " }" }, 60000 },
	{ { "{ [i] : ", "floord(i, 1#) >= 3", " and ", " }" }, 100 },
	{ { "[M] -> { [i] : i < max(", "M + #", ", ", ") }" }, 12000 },
	{ { "[M] -> { [i] : i < ", "max(M, #)", " + ", " }" }, 60 },
	{ { "{ [i] : ", "i != #7", " and ", " }" }, 1000 },
	{ { "{ [i, j] : ", "not (i = # and j = #)", " and ", " }" }, 60 },
	{ { "{ [i] : 0 < ", "i", " + ", " }" }, 200000 },
	{ { "{ [i] : ", "exists (e : i > #e)", " and ", " }" }, LIMIT_ISL_EXISTS },
};

/* The sanitizers take most of the time. */
#if defined(__SANITIZE_ADDRESS__)
#define ONE_OF 20
#else
#define ONE_OF 1
#endif

/* Beside what the process has taken by then. */
#define MEGABYTES 500

static size_t costly_row;

static void read_costly(void)
{
	layout_context *ctx = layout_context_new();
	char *text = text_of(&costly[costly_row].made, costly[costly_row].count / ONE_OF);
	layout_value *value = layout_value_parse(ctx, text);

	if (!value && !*layout_context_message(ctx))
		_exit(1);
	layout_value_free(value);
	free(text);
	_exit(!layout_context_free(ctx));
}

static void costly_texts_end(void **state)
{
	(void)state;
	for (costly_row = 0; costly_row < sizeof(costly) / sizeof(*costly); costly_row++) {
		struct rusage before, after;
		double seconds;

		getrusage(RUSAGE_CHILDREN, &before);
		assert_int_equal(child_status(read_costly), 0);
		getrusage(RUSAGE_CHILDREN, &after);
		seconds = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
			1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
#if defined(__SANITIZE_ADDRESS__)
		seconds = 0;
#else
		assert_true(after.ru_maxrss < MEGABYTES * 1024);
#endif
		if (seconds > SECONDS + 0.5)
			fail_msg("row %zu takes %g s", costly_row, seconds);
	}
}

/* A command says what it did not get to. */
static void commands_end(void **state)
{
	int status;
	char *said;

	(void)state;
#if defined(__SANITIZE_ADDRESS__)
	skip_because("the sanitizers take most of the time");
#endif
	said = shell_output(&status, "%s eval \"row_major[$(printf 'ceil(%%.0s' $(seq 60))M"
		"$(printf '/3)%%.0s' $(seq 60))]\" 2>&1", LAYOUTC_PATH);
	assert_int_equal(status, 3);
	assert_non_null(strstr(said, "seconds did not suffice to read the text"));
	free(said);

	/* 256 coordinates on both sides, and what isl makes of squaring that */
	said = shell_output(&status, "%s count \"let A0 = (2,2):(2,1)\n$(for i in $(seq 0 8); do "
		"echo \"let A$((i + 1)) = product(A$i, A$i)\"; done)\nA9\" 2>&1", LAYOUTC_PATH);
	assert_int_equal(status, 3);
	assert_string_equal(said, "layoutc: error: unknown: memory: there is no answer within "
		"the memory that a command may take\n");
	free(said);

	/* a question that takes all the seconds leaves the other ones theirs, and other lines */
	said = shell_output(&status, "printf '(2147483648,96,3):(288,1,-96)\\n4:1\\n' | "
		"%s eval --batch --format json 2>&1", LAYOUTC_PATH);
	assert_int_equal(status, 0);
	assert_non_null(strstr(said, "\"injective\": \"yes\", \"surjective\": \"unknown\", "
		"\"bijective\": \"unknown\"}\n{\"kind\": \"cute\", \"text\": \"4:1\""));
	free(said);
}

/* Lists that go on for ever, as the shell's word: what head shows of them, at once. */
static const struct {
	const char *text, *options, *head, *output;
} endless_rows[] = {
	{ "'{ [i] -> [i] : 0 <= i < 4611686018427387904 }'", "", "-n 1", "(0) -> (0)\n" },
	{ "'{ [i] : 0 <= i < 4611686018427387904 }'", "--format json", "-c 66",
		"{\"kind\": \"set\", \"text\": \"{ [i] : 0 <= i <= 4611686018427387903 }\"," },
	{ "'(1073741824,1073741824):(1,1073741824)'", "--format json", "-c 33",
		"{\"kind\": \"cute\", \"text\": \"(107374" },
	/* a line of a batch is whole, or none */
	{ "--batch <<< '(1073741824,1073741824):(1,1073741824)'", "", "-n 1", "error: expr:1: "
		"more than 64 MiB of text, which a line of a batch has to hold\n" },
	/* rows with few elements in a wide box */
	{ "'{ [i, j] -> [j] : 0 <= i < 1000000000 and 0 <= j < i }'", "", "-n 2",
		"(1, 0) -> (0)\n(2, 0) -> (0)\n" },
	/* few of the coordinates have an image, which the exact map has no word for */
	{ "'compose(4:1, 1099511627776:-1)'", "", "-n 1", "(0) -> (0)layoutc: error: expr:1: "
		"quota: of 67108864 coordinates in a row none has an image\n" },
	/* a thread with 2^40 elements, and one that has the work of two */
	{ "'nested_layout<subgroup_tile = [1], batch_tile = [1048576], outer_tile = [1], "
		"thread_tile = [1], element_tile = [1048576], subgroup_strides = [0], "
		"thread_strides = [0], subgroup_size = 1>'", "", "-n 2",
		"(0, 0, 0, 0) -> (0)\n(0, 0, 0, 1) -> (1)\n" },
	{ "'nested_layout<subgroup_tile = [2], batch_tile = [1048576], outer_tile = [1], "
		"thread_tile = [1], element_tile = [1048576], subgroup_strides = [1], "
		"thread_strides = [0], subgroup_size = 1, subgroup_count = 1>'", "", "-n 2",
		"(0, 0, 0, 0) -> (0)\n(0, 0, 0, 0) -> (1099511627776)\n" },
};

static void values_are_printed_as_they_come(void **state)
{
	(void)state;
#if defined(__SANITIZE_ADDRESS__)
	skip_because("the sanitizers have more memory than is let to the command");
#endif
	for (size_t i = 0; i < sizeof(endless_rows) / sizeof(*endless_rows); i++) {
		char *said = shell_must("ulimit -v 400000; bash -c \"%s eval --values %s "
			"%s\" 2>&1 | head %s", LAYOUTC_PATH, endless_rows[i].options,
			endless_rows[i].text, endless_rows[i].head);

		assert_string_equal(said, endless_rows[i].output);
		free(said);
	}
}

/* They go on until nobody takes them, and for as long as they take: no timer is set. */
static void values_end_with_the_output(void **state)
{
	int status;
	char *said;

	(void)state;
	said = shell_output(&status, "%s eval '%s' --values > /dev/full", LAYOUTC_PATH,
		"{ [i] -> [i] : 0 <= i < 4611686018427387904 }");
	assert_int_equal(status, 4);
	free(said);
	said = shell_output(&status, "{ %s eval '%s' --values > /dev/null & sleep 0.5; "
		"kill -PROF $!; wait $!; } 2>&1", LAYOUTC_PATH, "(1073741824,64):(1,1073741824)");
	assert_int_equal(status, 128 + SIGPROF);
	free(said);
}

/* The timer of a command that waits for its next line runs out. */
static void the_watch_ends_commands(void **state)
{
	int status;
	char *said;

	(void)state;
	said = shell_output(&status, "{ echo 4:1; sleep 2; } | { exec 3<&0; %s eval --batch <&3 & "
		"sleep 0.7; kill -PROF $!; wait $!; } 2>&1", LAYOUTC_PATH);
	if (status != 3 || !strstr(said, "layoutc: error: unknown: time: "))
		fail_msg("status %d: %s", status, said);
	free(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_kept),
		cmocka_unit_test(limits_are_documented),
		cmocka_unit_test(costly_texts_end),
		cmocka_unit_test(commands_end),
		cmocka_unit_test(values_are_printed_as_they_come),
		cmocka_unit_test(values_end_with_the_output),
		cmocka_unit_test(the_watch_ends_commands),
	};

	return skip_status(cmocka_run_group_tests(tests, NULL, NULL));
}
