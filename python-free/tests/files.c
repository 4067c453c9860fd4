/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that go wrong: no temporary file stays, no file is half written, and what a message
 * quotes cannot move the cursor. */
#include "files/npy.h"
#include "files/output.h"
#include "files/pending.h"
#include "support/children.h"
#include "support/folder.h"
#include "support/shell.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static void keep_what_is_said(void)
{
	close(STDERR_FILENO);
	open(folder_path("said"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

static void nothing_else_is_there(const char *expected)
{
	char *there = shell_must("ls -A %s", folder);

	assert_string_equal(there, expected);
	free(there);
}

static int ended_by;

/* Who runs the tests may ignore the signal. */
static void end_by_signal(void)
{
	keep_what_is_said();
	signal(ended_by, SIG_DFL);
	shell_write(folder_path(".out.123456"), "half");
	pending_begin(folder_path(".out.123456"));
	raise(ended_by);
}

static void ends_by_signals_leave_nothing(void **state)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		ended_by = ends[i];
		assert_int_equal(child_status(end_by_signal), 128 + ends[i]);
		nothing_else_is_there("said\n");
	}
}

/* Beyond the limit of a file's size. */
static void write_too_much(void)
{
	const struct rlimit limit = { 100, 100 };
	static const char data[4096];
	const struct piece pieces[] = { { data, sizeof(data) } };
	struct complaint complaint;

	keep_what_is_said();
	setrlimit(RLIMIT_FSIZE, &limit);
	if (output_write(folder_path("out"), pieces, 1, &complaint) ||
	    complaint.kind != WRONG_IO)
		_exit(1);
}

static void full_disks_leave_what_was(void **state)
{
	char *text;

	(void)state;
	shell_write(folder_path("out"), "as it was");
	assert_int_equal(child_status(write_too_much), 0);
	nothing_else_is_there("out\nsaid\n");
	text = shell_read(folder_path("out"));
	assert_string_equal(text, "as it was");
	free(text);
	unlink(folder_path("out"));
}

static void write_through_link(void)
{
	const struct piece pieces[] = { { "new", 3 } };
	struct complaint complaint;

	if (output_write(folder_path("link"), pieces, 1, &complaint) ||
	    !strstr(complaint.text, "a link to what does not exist"))
		_exit(1);
}

static void links_stay_links(void **state)
{
	struct stat status;

	(void)state;
	assert_int_equal(symlink("nowhere", folder_path("link")), 0);
	assert_int_equal(child_status(write_through_link), 0);
	assert_int_equal(lstat(folder_path("link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	nothing_else_is_there("link\nsaid\n");
	unlink(folder_path("link"));
}

/* What replaces a file is for those that the file was for: one that is written, and one that is
 * mapped. */
static void private_files_stay_private(void **state)
{
	static const int64_t sizes[] = { 8, 16 << 20 };
	struct stat status;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct npy array = { .kind = 'i', .element_bytes = 1, .rank = 2,
			.shape = { sizes[i], 5 } };
		struct complaint complaint;

		assert_true(npy_allocate(&array, &complaint));
		assert_true(npy_write(&array, folder_path("p.npy"), &complaint));
		npy_release(&array);
		free(shell_must("cd %s && : > q.npy && chmod 640 q.npy && %s run 'remap(row_major[M, 5] "
			"-> col_major[M, 5], type = i8)' --input p.npy -o q.npy", folder,
			LAYOUTC_PATH));
		assert_int_equal(stat(folder_path("q.npy"), &status), 0);
		assert_int_equal(status.st_mode & 0777, 0640);
		assert_true(status.st_size > 0);
	}
	free(shell_must("cd %s && rm p.npy q.npy", folder));
}

#define LONG_ARRAY 100000

static void read_what_is_cut(void)
{
	const volatile char *element;
	struct complaint complaint;
	struct npy array;

	keep_what_is_said();
	if (!npy_read(&array, folder_path("in.npy"), &complaint) ||
	    truncate(folder_path("in.npy"), 1000))
		_exit(1);
	element = array.data;
	_exit(element[LONG_ARRAY - 1] == 7);
}

static void inputs_that_are_cut_are_errors(void **state)
{
	struct complaint complaint;
	struct npy array = { .kind = 'u', .element_bytes = 1, .rank = 1,
		.shape = { LONG_ARRAY } };
	char *said;

	(void)state;
	assert_true(npy_allocate(&array, &complaint));
	assert_true(npy_write(&array, folder_path("in.npy"), &complaint));
	npy_release(&array);
	assert_int_equal(child_status(read_what_is_cut), 4);
	said = shell_read(folder_path("said"));
	assert_non_null(strstr(said, "cut short"));
	free(said);
	unlink(folder_path("in.npy"));
}

/* Pipes with nobody at the other end, read and written until the alarm that each has set
 * comes, which is sent before its time. */
static void pipes_without_a_peer_are_errors(void **state)
{
	int status;
	char *said;

	(void)state;
	said = shell_output(&status, "cd %s && mkfifo in out.svg && { %s eval @in 2>said & i=$!; "
		"%s show 4:1 -o out.svg & o=$!; sleep 0.7; kill -ALRM $i $o; wait $i; i=$?; "
		"wait $o; o=$?; cat said; rm in out.svg said; } 2>&1; exit $((10 * i + o))",
		folder, LAYOUTC_PATH, LAYOUTC_PATH);
	if (status != 44 || !strstr(said, "in: cannot read: it is a named pipe, with nobody") ||
	    !strstr(said, "out.svg: cannot write: it is a named pipe, with nobody"))
		fail_msg("status %d, said:\n%s", status, said);
	free(said);
}

/* The shell's words: what is asked, and what of the message has to be there. */
static const struct {
	const char *words, *said;
} escaped_rows[] = {
	{ "eval $'@a\\nb\\x1b[31m'", "error: @a\\x0ab\\x1b[31m: cannot read" },
	{ "run 'remap(row_major[4] -> row_major[4], type = f32)' --input $'x\\x1b' "
		"-o y.npy", "error: x\\x1b: cannot read" },
	{ "$'ev\\x1bal'", "error: ev\\x1bal: no such command" },
	{ "eval 4:1 $'--a\\x07'", "--a\\x07: no such option" },
	{ "eval $'f\\xc2\\x9bx(4)'", "    f x(4)" },
	{ "check '{ [i] -> [i] }' --is $'\\x1bx'", "\\x1bx" },
	{ "kernel 'remap(row_major[4] -> row_major[4], type = f32)' --emit isl "
		"--target $'gfx\\x1b'", "gfx\\x1b" },
	{ "eval 'convert(4:1, to = cute)' --format $'j\\x1b'", "j\\x1b" },
	{ "run 'remap(row_major[4] -> row_major[4], type = f32)' -o y.npy --input <(printf "
		"\"\\223NUMPY\\1\\0\\71\\0{'descr': '<\\033[2J', 'fortran_order': True, \"; printf "
		"\"'shape': (4,)}\\n\")", "elements of type '<\\x1b[2J' cannot be read" },
	{ "eval 4:1 -D $'M\\x1b=3'", "\\x1b" },
	{ "cache; env -u LAYOUT_CACHE XDG_CACHE_HOME=$'/none\\x1b' " LAYOUTC_PATH " cache; false",
		"folder /none\\x1b/layout\n" },
};

static bool has_control(const char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\n') || *text == 0x7f ||
		    (*text == '\xc2' && (unsigned char)text[1] < 0xa0))
			return true;
	return false;
}

static void control_characters_are_escaped(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(escaped_rows) / sizeof(*escaped_rows); i++) {
		int status;
		char *said;

		shell_write(folder_path("script"), escaped_rows[i].words);
		said = shell_output(&status, "cd %s; { printf '%s '; cat script; } > run; "
			"bash run 2>&1", folder, LAYOUTC_PATH);
		if (!status || status > 4 || has_control(said) ||
		    !strstr(said, escaped_rows[i].said))
			fail_msg("%s: status %d, said:\n%s", escaped_rows[i].words, status,
				said);
		free(said);
	}
}

/* Every command that prints says so where nothing can be printed. */
static const char *const printing_rows[] = {
	"--help", "--version", "targets", "eval '(4,8):(8,1)'", "eval 4:1 --values",
	"eval '(4,8):(8,1)' --format json", "eval '(4,8):(8,1)' --table",
	"check 4:1 --is injective", "equal 4:1 4:1", "count 4:1", "show 4:1", "eval --help",
	"kernel 'remap(row_major[4] -> row_major[4], type = f32)' --target host --emit isl",
	"kernel 'remap(row_major[4] -> row_major[4], type = f32)' --target host --explain",
	"mma --target gfx942", "targets --format json", "count 4:1 --help",
	"eval --batch <<< 4:1",
};

static void a_full_output_is_an_error(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(printing_rows) / sizeof(*printing_rows); i++) {
		int status;
		char *said;

		shell_write(folder_path("script"), printing_rows[i]);
		said = shell_output(&status, "cd %s; { printf '%s '; cat script; "
			"printf ' 2>&1 > /dev/full'; } > run; bash run", folder,
			LAYOUTC_PATH);
		if (status != 4 || !strstr(said, "cannot write: No space left"))
			fail_msg("%s: status %d, said:\n%s", printing_rows[i], status, said);
		free(said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_by_signals_leave_nothing),
		cmocka_unit_test(full_disks_leave_what_was),
		cmocka_unit_test(links_stay_links),
		cmocka_unit_test(private_files_stay_private),
		cmocka_unit_test(inputs_that_are_cut_are_errors),
		cmocka_unit_test(pipes_without_a_peer_are_errors),
		cmocka_unit_test(control_characters_are_escaped),
		cmocka_unit_test(a_full_output_is_an_error),
	};

	return cmocka_run_group_tests(tests, folder_open, folder_close);
}
