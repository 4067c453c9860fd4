/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc with programs: several arrays by name, all engines, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "files/npy.h"
#include "support/folder.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADD(assumed) "// two vectors\nprogram add(X: in row_major[N] f32, Y: inout row_major[N] f32, " \
	"S: out row_major[1] f32) {\n" \
	"  grid (n) in (ceil(N/4)) workers w in 1\n" \
	"  assume " assumed "\n" \
	"  v = load X[4*n] : [4]\n" \
	"  y = load Y[4*n] : [4]\n" \
	"  z = map v + 2 * y\n" \
	"  s = reduce add z over [0] keep\n" \
	"  store z -> Y[4*n]\n" \
	"  store s -> S[n]\n}\n"

/* Operands along the rows and along the columns of a tile. */
#define JOINED "program p(A: in row_major[M, K] f32, B: in col_major[M, K] f32, " \
	"C: out row_major[M, K] f32) { grid (m, k) in (ceil(M/64), ceil(K/64)) workers w in 1 " \
	"a = load A[64*m, 64*k] : [64, 64] b = load B[64*m, 64*k] : [64, 64] d = map exp(b) " \
	"e = map a + d f = map e * d store f -> C[64*m, 64*k] }"

/* Operands of two owners, and a sum like one of them. */
#define TWO_WAYS(like) "program p(A: in row_major[M, K] f32, D: in col_major[M, K] f32, " \
	"Y: out row_major[M, K] f32) { grid (m, k) in (ceil(M/32), ceil(K/32)) workers w in 1 " \
	"a = load A[32*m, 32*k] : [32, 32] d = load D[32*m, 32*k] : [32, 32] " \
	"b = map a * 2 c = map d * 2 e: [32, 32] f32 " like " = map b + c " \
	"store e -> Y[32*m, 32*k] }"

/* Products under a sum that begins anyhow. */
#define SUMMED "program p(A: in row_major[M, K] f16, B: in row_major[N, K] f16, " \
	"C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/2), N) workers w in 1 " \
	"for k in ceil(K/512) carry s: [2, 1, 64] f32 = fill 0 { " \
	"a = load A[2*m, 512*k] : [2, 512] b = load B[n, 512*k] : [1, 512] " \
	"x = view a expand 1 into (64, 8) y = view b expand 1 into (64, 8) " \
	"t = contract s, x, y : (i, j, r, e) -> (i, r, e), (j, r, e), (i, j, r) yield t } " \
	"c = reduce add s over [2] store c -> C[2*m, n] }"

static int make_folder(void **state)
{
	folder_open(state);
	shell_write(folder_path("add.txt"), ADD("N <= 4"));
	shell_write(folder_path("one.txt"), ADD("N <= 4 and N >= 1"));
	return 0;
}

static void write_floats(const char *name, const float *values, int64_t count)
{
	struct npy array = { .kind = 'f', .element_bytes = 4, .rank = 1,
		.shape = { count } };
	struct complaint complaint;

	assert_true(npy_allocate(&array, &complaint));
	memcpy(array.data, values, (size_t)count * sizeof(*values));
	assert_true(npy_write(&array, folder_path(name), &complaint));
	npy_release(&array);
}

static void expect_floats(const char *name, const float *values, int64_t count)
{
	struct complaint complaint;
	struct npy array = { 0 };

	assert_true(npy_read(&array, folder_path(name), &complaint));
	assert_int_equal(array.rank, 1);
	assert_int_equal(array.shape[0], count);
	assert_memory_equal(array.data, values, (size_t)count * sizeof(*values));
	npy_release(&array);
}

static void test_engines(void **state)
{
	static const char *const engines[] = { "", "--engine eval", "--engine host",
		"--engine sim", "--engine sim --target gfx1200 --stats" };
	static const float x[] = { 1, 2, 3 }, y[] = { 10, 20, 30 };
	static const float z[] = { 21, 42, 63 }, s[] = { 126 };

	(void)state;
	for (unsigned i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		char *text;

		write_floats("x.npy", x, 3);
		write_floats("y.npy", y, 3);
		text = shell_must("cd '%s' && %s run @one.txt --input X=x.npy --input Y=y.npy "
			"-o Y=z.npy -o S=s.npy %s", folder, LAYOUTC_PATH, engines[i]);
		assert_int_equal(!*text, !strstr(engines[i], "--stats"));
		free(text);
		expect_floats("z.npy", z, 3);
		expect_floats("s.npy", s, 1);
		expect_floats("y.npy", y, 3);
	}
}

/* Arguments behind "layoutc", the status, and words of the output. */
static const struct {
	const char *words;
	int status;
	const char *output;
} rows[] = {
	{ "check @add.txt", 1, "valid: no: N = 0: (0): no store writes the element of `S`" },
	{ "check add.txt", 2, "expected an expression" },
	{ "check @none.txt", 4, "none.txt: cannot read" },
	{ "check @add.txt --is injective", 2, "--is: injective" },
	{ "eval @add.txt", 0, "  z = map v + 2 * y\n" },
	{ "kernel @add.txt --target gfx942 --emit json --assume 'N >= 1'", 0,
		"{\"name\": \"Y\", \"kind\": \"pointer\", \"role\": \"inout\"}" },
	{ "kernel @add.txt --target gfx942 --emit json", 2,
		"add.txt:2:64: no store writes the element of `S`: N = 0: (0)" },
	{ "kernel @add.txt --target gfx942 --emit program --assume 'N >= 1'", 0,
		"assume N <= 4 and N >= 1\n" },
	{ "kernel @add.txt --target gfx942 --emit hsaco -o k --assume 'N >= 1'", 0, "" },
	{ "kernel @add.txt --target gfx942 --emit ast --assume 'N >= 1'", 3,
		"no loops of index expressions" },
	{ "kernel @add.txt --target gfx942 --explain --assume 'N >= 1'", 0,
		"whole tile of X: 4 bytes a lane" },
	{ "kernel '" JOINED "' --target gfx942 --explain", 0,
		"  held as `a`, cost 361; not as `d`, cost 361\n" },
	{ "kernel 'remap(row_major[M] -> row_major[M + 1], type = f32, map = { [i] -> [i + 1] })' "
		"--target gfx942 --emit program --assume 'M <= 99'", 0,
		"  assume M <= 99\n  _0 = load x[4096*d0 - 1] : [4096] @ " },
	{ "kernel '" JOINED "' --target gfx942 --emit program", 0, " = map a + d_5\n" },
	{ "kernel '" JOINED "' --target gfx942 --emit program", 0, " = map e * d_5\n" },
	{ "kernel '" TWO_WAYS("") "' --target gfx942 --emit program", 0, " = map b + c_5\n" },
	{ "kernel '" TWO_WAYS("@ like b") "' --target gfx942 --emit program", 0,
		" = map b + c_5\n" },
	{ "kernel '" TWO_WAYS("@ like c") "' --target gfx942 --emit program", 0,
		" = map b_5 + c\n" },
	{ "kernel '" SUMMED "' --target gfx942 --explain", 0,
		"  held as `x`, cost 8; not blocked, cost 90\n" },
	{ "kernel '" SUMMED "' --target gfx942 --explain", 0, "\n0 bytes of LDS\n" },
	{ "kernel 'program p(X: in row_major[M, 257] f32, S: out row_major[M] f32) { grid (m) in "
		"(M) workers w in 2 x = load X[m, 0] : [1, 257] s = reduce add x over [1] store s -> "
		"S[m] }' --target gfx942 --explain", 3, "`x` needs 257 registers a lane, there are "
		"256: its owner has parts for 1 of 128 lanes" },
	{ "kernel 'program p(X: in row_major[M, 65536] f32, S: out row_major[M] f32) { grid (m) in "
		"(M) workers w in 2 x = load X[m, 0] : [1, 65536] s = reduce add x over [1] store s "
		"-> S[m] }' --target gfx942 --explain", 3, "`x` needs 512 registers a lane, there "
		"are 256: a smaller box, or more waves" },
	{ "kernel @add.txt --target gfx942 --emit asm --owner 4:1", 2, "is for remaps" },
	{ "kernel @add.txt --target gfx942 --emit asm --assume 'n >= 1'", 2,
		"expr:1: `n` is no size" },
	{ "kernel @add.txt --target gfx9 --emit asm", 3, "--target" },
	{ "kernel 'program p(S: out row_major[M] f32) { grid (m) in (ceil(M/64)) workers w in 1 "
		"v: [64] f32 @ { [thread] -> [thread] : 0 <= thread < 64 } = fill 1 "
		"store v -> S[64*m] }' --target gfx1100 --emit asm", 2,
		"the owner of `v` needs 64 lanes, has 32; gfx1100:wave64 has enough" },
	{ "run @add.txt --input X=x.npy -o Y=z.npy -o S=s.npy", 2, "no store writes" },
	{ "run @sum.txt --input Y=y.npy -o Y=z.npy", 2, "run: needs --input X=FILE" },
	{ "run @sum.txt --input X=x.npy --input Y=y.npy", 2, "run: needs --output Y=FILE" },
	{ "run @sum.txt --input X=x.npy --input x.npy", 2, "'x.npy' is not NAME=FILE" },
	{ "run @sum.txt --input Q=x.npy", 2, "the program has no argument 'Q'" },
	{ "run @sum.txt --input X=x.npy -o X=z.npy", 2, "'X' is in: it is not written" },
	{ "run @sum.txt --input X=x.npy --input X=y.npy", 2, "'X' is given twice" },
	{ "run 'program p(X: in row_major[3] f32, Y: out row_major[3] f32, Z: out row_major[3] "
		"f32) { grid (g) in (1) workers w in 1 x = load X[0] : [4] store x -> Y[0] "
		"store x -> Z[0] }' --input X=x.npy -o Y=z.npy -o Z=../$(basename $PWD)/z.npy",
		2, "--output: 'Y' and 'Z' go to one file" },
	{ "kernel 'program tanhf(X: in row_major[M] f32, Y: out row_major[M] f32) { grid (m) in (ceil(M/64)) "
		"workers w in 1 x = load X[64*m] : [64] y = map tanh(x) store y -> Y[64*m] }' "
		"--target host --emit llvm", 2,
		"`tanhf` cannot name a kernel whose code calls the function of that name" },
	{ "run @sum.txt --input X=- --input Y=- -o Y=z.npy < x.npy", 2,
		"--input: 'X' and 'Y' are both standard input" },
	{ "run @sum.txt --input X=x.npy --input Y=two.npy -o Y=z.npy", 2,
		"two.npy: dimension 0 is 2 where N = 3" },
	{ "run @sum.txt --input X=x.npy --input Y=y.npy -o Y=z.npy -D N=4", 2,
		"x.npy: dimension 0 is 3 where N = 4" },
	{ "run @sum.txt --input X=x.npy --input Y=y.npy -o Y=z.npy --engine host --stats", 2,
		"--stats: is for --engine sim" },
	{ "run 'remap(row_major[M] -> row_major[M], type = f32)' --input x.npy -o z.npy "
		"--engine eval", 2, "--engine: eval is for programs" },
	{ "kernel 'remap(row_major[M] -> row_major[M], type = f32)' --target gfx942 --emit "
		"program --assume 'M >= 9' --owner 4:1", 2, "--owner: is for remaps" },
	{ "kernel 'remap(row_major[M] -> row_major[M], type = f32, map = [M] -> { [i] -> [M - 1 - i] })' "
		"--target gfx942 --emit program", 3,
		"a program has no map but one that adds to coordinates" },
};

static void test_rows(void **state)
{
	static const float two[] = { 1, 2 };
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/sum.txt", folder);
	shell_write(path, "program sum(X: in row_major[N] f32, Y: inout row_major[N] f32) { "
		"grid (n) in (ceil(N/4)) workers w in 1 v = load X[4*n] : [4] "
		"y = load Y[4*n] : [4] z = map v + y store z -> Y[4*n] }");
	write_floats("two.npy", two, 2);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int status;
		char *text = shell_output(&status, "cd '%s' && rm -f z.npy && %s %s; "
			"code=$?; test $code = 0 || test ! -e z.npy || exit 99; exit $code",
			folder, LAYOUTC_PATH, rows[i].words);

		if (status != rows[i].status || !strstr(text, rows[i].output))
			fail_msg("layoutc %s: %d, %s", rows[i].words, status, text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engines),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, make_folder, folder_close);
}
