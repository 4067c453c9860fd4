/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc run on arrays: every storage on either side, orders, types, both
 * engines, and the arrays that it has to refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "files/npy.h"
#include "support/share.h"
#include "support/folder.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ELEMENTS 16

/* 2 x 2 tiles, and the same with each tile turned. */
#define TILES "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [2, 2], " \
	"outerDimsPerm = [0, 1]}>"
#define TURNED "encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [2, 2], " \
	"outerDimsPerm = [0, 1]}>"

/* An array: numpy's type, order, shape (ending with -1), memory. */
struct array {
	const char *type;
	bool fortran;
	int64_t shape[5];
	int64_t memory[MAX_ELEMENTS];
};

struct row {
	const char *remap, *options;
	struct array input, output;
};

static const struct row rows[] = {
	{ "remap(row_major[M, K] -> row_major[M, K], type = i32)", "",
		{ "<i4", false, { 2, 3, -1 }, { 1, 2, 3, 4, 5, 6 } },
		{ "<i4", false, { 2, 3, -1 }, { 1, 2, 3, 4, 5, 6 } } },
	{ "remap(row_major[M, K] -> col_major[M, K], type = i32)", "",
		{ "<i4", false, { 2, 3, -1 }, { 1, 2, 3, 4, 5, 6 } },
		{ "<i4", true, { 2, 3, -1 }, { 1, 4, 2, 5, 3, 6 } } },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f32)", "-D K=3",
		{ "<f4", true, { 2, 3, -1 }, { 1, 4, 2, 5, 3, 6 } },
		{ "<f4", true, { 2, 3, -1 }, { 1, 4, 2, 5, 3, 6 } } },
	{ "remap(col_major[M, 3] -> row_major[M, 3], type = u16)", "",
		{ ">u2", false, { 2, 3, -1 }, { 1, 2, 3, 4, 5, 6 } },
		{ "<u2", false, { 2, 3, -1 }, { 1, 2, 3, 4, 5, 6 } } },
	{ "remap(col_major[M, M] -> row_major[M, M], type = i64)", "-D M=2",
		{ ">i8", true, { 2, 2, -1 }, { 1, 2, 3, 4 } },
		{ "<i8", false, { 2, 2, -1 }, { 1, 3, 2, 4 } } },
	{ "remap(row_major[A, 2*A] -> col_major[A, 2*A], type = bf16)", "-D A=1",
		{ "|V2", false, { 1, 2, -1 }, { 258, 772 } },
		{ "|V2", true, { 1, 2, -1 }, { 258, 772 } } },
	/* MLIR's integers have no sign, and numpy's have */
	{ "remap(row_major[M] -> row_major[M], type = i32)", "",
		{ "<u4", false, { 2, -1 }, { 1, 0xffffffff } },
		{ "<u4", false, { 2, -1 }, { 1, 0xffffffff } } },
	{ "remap(row_major[M] -> row_major[M], type = i8)", "",
		{ "|b1", false, { 2, -1 }, { 1, 0 } }, { "|b1", false, { 2, -1 }, { 1, 0 } } },
	{ "remap(row_major[M] -> row_major[M], type = index)", "",
		{ "<u8", false, { 2, -1 }, { 1, -1 } }, { "<u8", false, { 2, -1 }, { 1, -1 } } },
	{ "remap(row_major[M] -> row_major[M], type = ui16)", "",
		{ "<u2", false, { 2, -1 }, { 1, -1 } }, { "<u2", false, { 2, -1 }, { 1, -1 } } },
	{ "remap(row_major[M] -> packed(encoding_info<{innerDimsPos = [0], innerTileSizes = "
		"[4]}>, [M]), type = i1, pad = true)", "", { "|b1", false, { 2, -1 }, { 1, 0 } },
		{ "|b1", false, { 1, 4, -1 }, { 1, 0, 1, 1 } } },
	{ "remap(row_major[M] -> row_major[M], type = i1)", "",
		{ "|i1", false, { 2, -1 }, { 1, 0 } }, { "|i1", false, { 2, -1 }, { 1, 0 } } },
	/* conversions give each integer the sign of its type */
	{ "remap(row_major[M] -> row_major[M], type = ui8 -> i32)", "",
		{ "|u1", false, { 2, -1 }, { 1, 255 } }, { "<i4", false, { 2, -1 }, { 1, 255 } } },
	{ "remap(row_major[M] -> row_major[M], type = si8 -> i32)", "",
		{ "|i1", false, { 2, -1 }, { 1, 255 } }, { "<i4", false, { 2, -1 }, { 1, -1 } } },
	{ "remap(row_major[M] -> row_major[M], type = i8 -> ui16)", "",
		{ "|i1", false, { 2, -1 }, { 1, 255 } }, { "<u2", false, { 2, -1 }, { 1, 0 } } },
	{ "remap(row_major[M] -> row_major[M], type = index -> si32)", "",
		{ "<i8", false, { 3, -1 }, { 1, -7, 1LL << 40 } },
		{ "<i4", false, { 3, -1 }, { 1, -7, INT32_MAX } } },
	{ "remap(row_major[M] -> row_major[M], type = i32 -> i1)", "",
		{ "<i4", false, { 3, -1 }, { 0, -1, 256 } },
		{ "|b1", false, { 3, -1 }, { 0, 1, 1 } } },
	{ "remap(row_major[M] -> row_major[M], type = i1 -> i64)", "",
		{ "|b1", false, { 2, -1 }, { 0, 1 } }, { "<i8", false, { 2, -1 }, { 0, 1 } } },
	{ "remap(row_major[M] -> row_major[M], type = u32 -> ui32)", "",
		{ "<u4", false, { 2, -1 }, { 1, -1 } }, { "<u4", false, { 2, -1 }, { 1, -1 } } },
	{ "remap(row_major[M] -> row_major[M], type = u8)", "",
		{ "|b1", false, { 3, -1 }, { 1, 0, 1 } },
		{ "|b1", false, { 3, -1 }, { 1, 0, 1 } } },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f64)", "",
		{ "<f8", false, { 0, 5, -1 }, { 0 } },
		{ "<f8", true, { 0, 5, -1 }, { 0 } } },
	{ "remap(row_major[M, K] -> packed(" TILES ", [M, K]), type = i8, pad = 99)", "",
		{ "|i1", false, { 3, 3, -1 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9 } },
		{ "|i1", false, { 2, 2, 2, 2, -1 },
			{ 1, 2, 4, 5, 3, 99, 6, 99, 7, 8, 99, 99, 9, 99, 99, 99 } } },
	{ "remap(packed(" TILES ", [M, K]) -> row_major[M, K], type = i8)", "-D M=3 -D K=3",
		{ "|i1", false, { 2, 2, 2, 2, -1 },
			{ 1, 2, 4, 5, 3, 99, 6, 99, 7, 8, 99, 99, 9, 99, 99, 99 } },
		{ "|i1", false, { 3, 3, -1 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9 } } },
	{ "remap(packed(" TILES ", [M, 3]) -> packed(" TURNED ", [M, 3]), type = i16, "
		"pad = -1)", "-D M=3",
		{ ">i2", false, { 16, -1 },
			{ 1, 2, 4, 5, 3, 99, 6, 99, 7, 8, 99, 99, 9, 99, 99, 99 } },
		{ "<i2", false, { 2, 2, 2, 2, -1 },
			{ 1, 4, 2, 5, 3, 6, -1, -1, 7, -1, 8, -1, 9, -1, -1, -1 } } },
	{ "remap(row_major[M, 3] -> strided[M, 3 : 8, 2], type = i32, pad = 7)", "",
		{ "<i4", false, { 2, 3, -1 }, { 1, 2, 3, 4, 5, 6 } },
		{ "<i4", false, { 13, -1 }, { 1, 7, 2, 7, 3, 7, 7, 7, 4, 7, 5, 7, 6 } } },
	{ "remap(strided[M, 3 : 8, 2] -> row_major[M, 3], type = i32)", "-D M=2",
		{ "<i4", false, { 13, -1 }, { 1, 0, 2, 0, 3, 0, 0, 0, 4, 0, 5, 0, 6 } },
		{ "<i4", false, { 2, 3, -1 }, { 1, 2, 3, 4, 5, 6 } } },
	{ "remap(row_major[M] -> row_major[M], type = f16 -> f32, scale = 2)", "",
		{ "<f2", false, { 3, -1 }, { 0x3c00, 0xc000, 1 } },
		{ "<f4", false, { 3, -1 }, { 0x40000000, 0xc0800000, 0x34000000 } } },
	{ "remap(row_major[M] -> row_major[M], type = f32 -> bf16)", "",
		{ "<f4", false, { 2, -1 }, { 0x3f808000, 0x3f818000 } },
		{ "<u2", false, { 2, -1 }, { 0x3f80, 0x3f82 } } },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f8E5M2)", "",
		{ "<f1", false, { 1, 2, -1 }, { 0x3c, 0x40 } },
		{ "<f1", true, { 1, 2, -1 }, { 0x3c, 0x40 } } },
	{ "remap(row_major[M] -> row_major[M], type = f8E4M3FN -> f32)", "",
		{ "<V1", false, { 2, -1 }, { 0x38, 0x40 } },
		{ "<f4", false, { 2, -1 }, { 0x3f800000, 0x40000000 } } },
	{ "remap(row_major[M, K] -> col_major[M, K], type = i8 -> i4)", "",
		{ "|i1", false, { 1, 3, -1 }, { 1, -1, 100 } },
		{ "|u1", false, { 2, -1 }, { 0xf1, 0x07 } } },
	{ "remap(row_major[M, 3] -> col_major[M, 3], type = u4)", "-D M=3",
		{ "|V1", false, { 5, -1 }, { 0x21, 0x43, 0x65, 0x87, 0x09 } },
		{ "|V1", false, { 5, -1 }, { 0x41, 0x27, 0x85, 0x63, 0x09 } } },
};

static unsigned rank_of(const struct array *array)
{
	unsigned rank = 0;

	while (array->shape[rank] >= 0)
		rank++;
	return rank;
}

/* The numbers' low bytes, one element after the other, in that byte order. */
static void put_elements(const struct array *array, int64_t count, char *bytes)
{
	int element = array->type[2] - '0';
	bool big = array->type[0] == '>';

	for (int64_t i = 0; i < count; i++)
		for (int b = 0; b < element; b++)
			bytes[i * element + (big ? element - 1 - b : b)] =
				(char)(array->memory[i] >> 8 * b);
}

static int64_t count_of(const struct array *array)
{
	int64_t count = 1;

	for (unsigned d = 0; d < rank_of(array); d++)
		count *= array->shape[d];
	return count;
}

/* Written here from nothing, so that foreign byte orders can be. */
static void write_input(const struct array *array)
{
	char bytes[8 * MAX_ELEMENTS], dict[200];
	int64_t count = count_of(array);
	size_t at;
	FILE *file = fopen(folder_path("in.npy"), "wb");

	assert_non_null(file);
	at = snprintf(dict, sizeof(dict), "{'descr': '%s', 'fortran_order': %s, 'shape': (",
		array->type, array->fortran ? "True" : "False");
	for (unsigned d = 0; d < rank_of(array); d++)
		at += snprintf(dict + at, sizeof(dict) - at, "%d,", (int)array->shape[d]);
	at += snprintf(dict + at, sizeof(dict) - at, ")}");
	fprintf(file, "\x93NUMPY%c%c%c%c%s", 1, 0, (int)at, 0, dict);
	put_elements(array, count, bytes);
	fwrite(bytes, array->type[2] - '0', count, file);
	assert_int_equal(fclose(file), 0);
}

static void check_output(const struct row *row)
{
	const struct array *wanted = &row->output;
	char bytes[8 * MAX_ELEMENTS], type[8];
	struct complaint complaint;
	struct npy array;

	if (!npy_read(&array, folder_path("out.npy"), &complaint))
		fail_msg("%s: %s", row->remap, complaint.text);
	npy_type_str(&array, type);
	assert_string_equal(type, wanted->type);
	assert_int_equal(array.rank, rank_of(wanted));
	assert_int_equal(array.fortran && array.rank > 1, wanted->fortran);
	assert_memory_equal(array.shape, wanted->shape, array.rank * sizeof(int64_t));
	put_elements(wanted, count_of(wanted), bytes);
	if (memcmp(array.data, bytes, array.bytes) != 0)
		fail_msg("%s: wrong elements", row->remap);
	npy_release(&array);
}

/* What runs the rows: this CPU each of them, and for one target each the simulator, the next
 * row for the next target. They differ in the arrays that are read and written, of which a
 * target knows nothing. With sanitizers only one of the two runs a row. */
static const char *const engines[] = { "", "--engine sim", "--target gfx1100",
	"--target sm_90" };

enum { ENGINES = sizeof(engines) / sizeof(*engines) };

static void run_rows(unsigned engine)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (engine && i % (ENGINES - 1) != engine - 1)
			continue;
		if (!share_has(i, engine > 0, 2))
			continue;
		write_input(&rows[i].input);
		free(shell_must("cd '%s' && rm -f out.npy && %s run '%s' %s %s "
			"--input in.npy %s out.npy", folder, LAYOUTC_PATH,
			rows[i].remap, rows[i].options, engines[engine], i % 2 ? "-o" : "--output"));
		check_output(&rows[i]);
	}
}

static void test_host(void **state)
{
	(void)state;
	run_rows(0);
}

static void test_simulator(void **state)
{
	(void)state;
	for (unsigned engine = 1; engine < ENGINES; engine++)
		run_rows(engine);
}

/* Arrays through pipes, and the counters beside them. */
static void test_pipes(void **state)
{
	char *text;

	(void)state;
	write_input(&rows[1].input);
	free(shell_must("cd '%s' && %s run '%s' --input - --output - --target gfx942 --stats "
		"< in.npy > out.npy 2> stats", folder, LAYOUTC_PATH, rows[1].remap));
	check_output(&rows[1]);
	text = shell_read(folder_path("stats"));
	assert_non_null(strstr(text, "workgroups "));
	assert_non_null(strstr(text, "\nbytes                                 28"
		"                  24\n"));
	free(text);
}

/* The counters as JSON, every line of it. */
static void test_json_counters(void **state)
{
	char *text;

	(void)state;
	write_input(&rows[1].input);
	text = shell_must("cd '%s' && %s run '%s' --input in.npy --output out.npy --stats "
		"--target gfx1100 --format json", folder, LAYOUTC_PATH, rows[1].remap);
	assert_non_null(strstr(text, "{\"workgroups\": "));
	assert_non_null(strstr(text, "\n \"load\": {\"lanes\": "));
	assert_non_null(strstr(text, "\n \"store\": {\"lanes\": "));
	assert_non_null(strstr(text, ", \"bytes\": 24, \"widths\": {\"1\": 0, "));
	assert_non_null(strstr(text, "},\n \"lds_load\": {\"lanes\": 0, "));
	assert_non_null(strstr(text, ", \"cycles\": 0, \"extra_cycles\": 0}}\n"));
	free(text);
}

/* What is refused, with which status and words, and leaves no file. */
static const struct {
	const char *words;
	int status;
	const char *error;
} bad_rows[] = {
	{ "'remap(row_major[M] -> row_major[M], type = i8 -> i32)' --input byte.npy", 2,
		"byte.npy: elements are '|u1' where the remap has i8, which converts as a signed "
		"type: say u8 for an unsigned one" },
	{ "'remap(row_major[M] -> row_major[M], type = si8)' --input byte.npy", 2,
		"byte.npy: elements are '|u1' where the remap has si8" },
	{ "'remap(row_major[M] -> row_major[M], type = i1 -> f32)' --input byte.npy", 3,
		"i1 -> f32: integers and floating point do not convert" },
	{ "'remap(row_major[M] -> row_major[M], type = i32)' --input one.npy -o x",
		2, "--output: is given twice" },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = f32)' --input in.npy", 2,
		"in.npy: elements are '<i4' where the remap has f32" },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = i16)' --input in.npy", 2,
		"in.npy: elements are '<i4' where the remap has i16" },
	{ "'remap(row_major[M, K, N] -> row_major[M, K, N], type = i32)' --input in.npy", 2,
		"in.npy: has 2 dimensions where the source has 3" },
	{ "'remap(row_major[M, 4] -> row_major[M, 4], type = i32)' --input in.npy", 2,
		"in.npy: shape (2, 3) where the source has (2, 4)" },
	{ "'remap(row_major[A, A + 2] -> row_major[A, A + 2], type = i32)' --input in.npy", 2,
		"in.npy: shape (2, 3) where the source has (2, 4)" },
	{ "'remap(row_major[M, M] -> row_major[M, M], type = i32)' --input in.npy", 2,
		"in.npy: dimension 1 is 3 where M = 2" },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = i32)' -D K=4 --input in.npy", 2,
		"in.npy: dimension 1 is 3 where K = 4" },
	{ "'remap(packed(" TILES ", [M, K]) -> row_major[M, K], type = i32)' -D M=2 "
		"--input in.npy", 2, "-D: the size 'K' is not known" },
	{ "'remap(packed(" TILES ", [M, K]) -> row_major[M, K], type = i32)' -D M=2 -D K=3 "
		"--input in.npy", 2, "in.npy: shape (2, 3) where the source has (1, 2, 2, 2)" },
	{ "'remap(row_major[K + Q] -> row_major[K + Q], type = i32)' -D K=3 --input one.npy",
		2, "-D: the size 'Q' is not known" },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = i32)' --input cut.npy", 4,
		"cut.npy: cut short" },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = i32)' --input text.npy", 2,
		"text.npy: not a .npy file" },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = i32)' --input none.npy", 4,
		"none.npy: cannot read" },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = i32' --input in.npy", 2,
		"expr:53: " },
	{ "'row_major[M, K]' --input in.npy", 2, "expr:1: " },
	{ "'remap(row_major[M, K] -> row_major[M, K], type = i32)' --input in.npy "
		"--target gfx1", 3, "--target: " },
	{ "'remap(row_major[M] -> strided[M : 1099511627776], type = i32)' --input one.npy",
		3, "out.npy: no memory" },
};

static void test_bad(void **state)
{
	static const struct array one = { "<i4", false, { 3, -1 }, { 1, 2, 3 } };
	static const struct array byte = { "|u1", false, { 3, -1 }, { 1, 2, 255 } };
	char *before;
	int status;

	(void)state;
	write_input(&one);
	free(shell_must("cd '%s' && mv in.npy one.npy", folder));
	write_input(&byte);
	free(shell_must("cd '%s' && mv in.npy byte.npy", folder));
	write_input(&rows[0].input);
	free(shell_must("cd '%s' && rm -f out.npy && head -c -1 in.npy > cut.npy && "
		"echo no array > text.npy && touch error", folder));
	before = shell_must("ls -A '%s'", folder);
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(*bad_rows); i++) {
		char *all = shell_output(&status, "cd '%s' && %s run %s --output out.npy "
			"2> error; status=$?; ls -A; exit $status", folder, LAYOUTC_PATH,
			bad_rows[i].words);
		char *error = shell_read(folder_path("error"));

		if (!strstr(error, bad_rows[i].error) || status != bad_rows[i].status)
			fail_msg("run %s\nexits with %d\n%s", bad_rows[i].words, status,
				error);
		assert_string_equal(all, before);
		free(error);
		free(all);
	}
	free(before);
}

/* An output that cannot be written, and one that a failure must not touch. */
static void test_unwritable(void **state)
{
	char *text, *error;
	int status;

	(void)state;
	write_input(&rows[0].input);
	free(shell_output(&status, "cd '%s' && %s run '%s' --input in.npy "
		"--output missing/out.npy 2> error", folder, LAYOUTC_PATH, rows[0].remap));
	assert_int_equal(status, 4);
	error = shell_read(folder_path("error"));
	assert_non_null(strstr(error, "missing/out.npy: cannot write"));
	free(error);
	shell_write(folder_path("out.npy"), "as it was");
	free(shell_output(&status, "cd '%s' && %s run '%s' --input text.npy "
		"--output out.npy", folder, LAYOUTC_PATH, rows[0].remap));
	assert_int_not_equal(status, 0);
	text = shell_read(folder_path("out.npy"));
	assert_string_equal(text, "as it was");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_simulator),
		cmocka_unit_test(test_pipes),
		cmocka_unit_test(test_json_counters),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_unwritable),
	};

	return cmocka_run_group_tests(tests, folder_open, folder_close);
}
