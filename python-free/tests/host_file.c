/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays that are larger than the memory that layoutc may have: they are made in their files,
 * and one that is not finished leaves none. */
#include "support/shell.h"
#include "support/terminal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define LAYOUTC BUILD_DIR "/layoutc"

/* Sanitizers take more memory than any limit: with them, only what is written is looked at. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMIT ""
#else
#define LIMIT "ulimit -d 65536;"
#endif

enum { ROWS = 4096, COLUMNS = 6144, HEADER = 128 };

static char folder[] = "/tmp/layout-host-file-XXXXXX";

static char *in_folder(const char *name)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", folder, name) >= 0);
	return path;
}

/* 96 MiB of f32 with a 1 at [4095, 6143], a 2 at [1, 0] and zeros that take no room. */
static int make_source(void **state)
{
	static const long places[] = { (long)ROWS * COLUMNS - 1, COLUMNS };
	const float values[] = { 1, 2 };
	char header[HEADER + 1], *path;
	int file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = in_folder("in.npy");
	file = open(path, O_WRONLY | O_CREAT, 0600);
	memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
	snprintf(header + 10, sizeof(header) - 10, "%-117s\n", "{'descr': '<f4', "
		"'fortran_order': False, 'shape': (4096, 6144), }");
	assert_int_equal(write(file, header, HEADER), HEADER);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pwrite(file, &values[i], sizeof(float), HEADER +
			places[i] * (long)sizeof(float)), sizeof(float));
	close(file);
	free(path);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	free(shell_must("rm -r '%s'", folder));
	return 0;
}

static float value_at(int file, long row, long column)
{
	float value = -1;

	assert_int_equal(pread(file, &value, sizeof(value), HEADER +
		(row * ROWS + column) * (long)sizeof(value)), sizeof(value));
	return value;
}

static int run(const char *before, const char *output)
{
	char *command = NULL;
	int status;

	assert_true(asprintf(&command, "%s '" LAYOUTC "' run 'remap(row_major[M, K] -> "
		"packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], "
		"outerDimsPerm = [1, 0]}>, [M, K]), type = f32)' --input '%s/in.npy' "
		"--output '%s' 2>'%s/errors' >/dev/null", before, folder, output, folder) >= 0);
	status = system(command);
	free(command);
	return WEXITSTATUS(status);
}

/* 64 MiB of memory that is written do, where they do not for an output in memory. */
static void test_limited(void **state)
{
	char *path = in_folder("out.npy");
	int file;

	(void)state;
	assert_int_equal(run(LIMIT, path), 0);
	file = open(path, O_RDONLY);
	assert_true(file >= 0);
	assert_true(value_at(file, 6143, 4095) == 1);
	assert_true(value_at(file, 0, 1) == 2);
	assert_true(value_at(file, 1, 0) == 0);
	assert_int_equal(lseek(file, 0, SEEK_END), HEADER + 4l * ROWS * COLUMNS);
	close(file);
	assert_true(!*LIMIT || run(LIMIT, "-"));
	free(path);
}

/* Interrupted at any time it leaves what was there, and nothing else. */
static void test_interrupted(void **state)
{
	static const char *const after[] = { "0.02", "0.05", "0.1", "0.2" };
	char *path = in_folder("kept.npy"), *left;

	(void)state;
	for (unsigned i = 0; i < sizeof(after) / sizeof(after[0]); i++) {
		char before[64];
		struct stat status;

		free(shell_must("echo before >'%s'", path));
		snprintf(before, sizeof(before), "timeout -s INT %s", after[i]);
		run(before, path);
		assert_int_equal(stat(path, &status), 0);
		assert_true(status.st_size == 7 ||
			status.st_size == HEADER + 4l * ROWS * COLUMNS);
		left = shell_must("ls -A '%s' | grep kept", folder);
		assert_string_equal(left, "kept.npy\n");
		free(left);
	}
	free(path);
}

/* How far it is, on a terminal alone, and gone at the end. */
static void test_progress(void **state)
{
	char *path = in_folder("out.npy"), *command = NULL, *said, *at;
	int status;

	(void)state;
	for (int quiet = 0; quiet < 2; quiet++) {
		assert_true(asprintf(&command, "'" LAYOUTC "' run 'remap(row_major[M, K] -> "
			"col_major[M, K], type = f32)' --input '%s/in.npy' -o '%s' %s", folder,
			path, quiet ? "--quiet" : "") >= 0);
		said = terminal_run(command, "", &status);
		assert_int_equal(status, 0);
		if (quiet) {
			assert_string_equal(said, "");
		} else {
			assert_non_null(strstr(said, " GB/s, "));
			assert_non_null(strstr(said, " s left\r"));
			at = strstr(said, "\033[K100 %, ");
			assert_non_null(at);
			assert_string_equal(strstr(at, "writing"), "writing\r\033[K");
		}
		free(said);
		free(command);
	}
	assert_int_equal(run("", path), 0);
	said = shell_must("cat '%s/errors'", folder);
	assert_string_equal(said, "");
	free(said);
	free(path);
}

/* What does not fit on the disk is an error before anything is done. */
static void test_no_room(void **state)
{
	char *path = in_folder("large.npy"), *left;

	(void)state;
	assert_int_equal(run("ulimit -f 1000;", path), 4);
	left = shell_must("ls -A '%s'; cat '%s/errors'", folder, folder);
	assert_null(strstr(left, "large.npy."));
	assert_non_null(strstr(left, "cannot write"));
	free(left);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limited),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, make_source, remove_folder);
}
