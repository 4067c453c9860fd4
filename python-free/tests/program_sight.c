/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memories that are seen through affine maps: what is loaded, and what is refused. */
#include "support/program_check.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "host", "gfx90a", "gfx942", "gfx1100", "gfx1200", "sm_90" };

#define MAP(storage, map) "X: in through(" storage ", affine_map<" map ">) f32"

/* Programs of X and Y, sizes in the order of their names, and element n of Y by X's elements,
 * which are their numbers and one more; -1: all other places. */
static const struct row {
	const char *text;
	int64_t sizes[2];
	double first[6];
	unsigned accesses;		/* of 16 bytes, on gfx942; 0: narrower ones */
} rows[] = {
	/* turned round, with what is before the first and behind the last */
	{ "program p(" MAP("row_major[M]", "(i) -> (-i + 3)") ", Y: out row_major[N] f32) { "
	  "grid (n) in (ceil(N/256)) workers w in 1 x = load X[256*n] : [256] "
	  "store x -> Y[256*n] }", { 3, 6 }, { 0, 3, 2, 1, 0, 0 }, 0 },
	/* a diagonal, and the same number everywhere */
	{ "program p(" MAP("row_major[M, M]", "(i) -> (i, i)") ", Y: out row_major[N] f32) { "
	  "grid (n) in (ceil(N/64)) workers w in 1 x = load X[64*n] : [64] "
	  "store x -> Y[64*n] }", { 4, 6 }, { 1, 6, 11, 16, 0, 0 }, 0 },
	{ "program p(" MAP("row_major[M]", "(i, j) -> (2)") ", Y: out row_major[N, 2] f32) { "
	  "grid (n) in (ceil(N/64)) workers w in 1 x = load X[64*n, 0] : [64, 2] "
	  "store x -> Y[64*n, 0] }", { 4, 3 }, { 3, 3, 3, 3, 3, 3 }, 0 },
	/* windows of three, summed, and a border */
	{ "program p(" MAP("row_major[M]", "(i, k) -> (2*i + k - 1)") ", "
	  "Y: out row_major[N] f32) { grid (n) in (ceil(N/64)) workers w in 1 "
	  "x = load X[64*n, 0] : [64, 4] y = view x permute [1, 0] "
	  "k: [4, 1] i32 = index 0 z = map select(k < 3, y, 0) s = reduce add z over [0] "
	  "store s -> Y[64*n] }", { 7, 5 }, { 3, 9, 15, 13, 0, 0 }, 0 },
	/* rows that are two apart: what is contiguous is loaded so */
	{ "program p(" MAP("row_major[M, 1024]", "(i, j) -> (2*i + 1, j)") ", "
	  "Y: out row_major[N, 1024] f32) { grid (n) in (N) workers w in 1 "
	  "x = load X[n, 0] : [1, 1024] store x -> Y[n, 0] }", { 4, 3 },
	  { 1025, 1026, 1027, 1028, 1029, 1030 }, 4 },
};

static void fill(const struct program_data *data)
{
	int64_t count = (int64_t)(data->buffers[0].bytes / 4);

	for (int64_t e = 0; e < count; e++)
		program_data_set(data, 0, e, (double)e + 1);
}

static void test_rows(void **state)
{
	for (unsigned r = 0; r < COUNT(rows); r++) {
		struct program_data data = program_data_new(*state, rows[r].text,
			rows[r].sizes);
		struct program_data meant = program_data_new(*state, rows[r].text,
			rows[r].sizes);

		fill(&data);
		fill(&meant);
		program_data_eval(&meant);
		for (int64_t e = 0; e < 6 && e < (int64_t)(meant.buffers[1].bytes / 4); e++)
			if (program_data_get(&meant, 1, e) != rows[r].first[e])
				fail_msg("%s: Y[%d] is %g", rows[r].text, (int)e,
					program_data_get(&meant, 1, e));
		program_check_all(&data, 1, targets, COUNT(targets), 0);
		program_data_free(&data);
		program_data_free(&meant);
	}
}

/* Lanes hold XORs of bits, which a map multiplies and adds up: as it is written, found for another
 * tile, and for copies to where a swizzle has them. */
static void test_xors(void **state)
{
	static const char *const maps[] = { "(3*i + j, j)", "(2*i + j, i)", "(i, 2*j + 1)", "(15 - i, j)",
		"(i + j, 0)", "(j, i)", "(16*i + 3, j)", "(i, 3*j - 5)" };
	static const char *const bodies[] = {
		"x: [16, 16] f32 @ o = load X[16*m, 0] : [16, 16] y = map x + 1",
		"z: [16, 16] f32 @ o = load Z[16*m, 0] : [16, 16] x = load X[16*m, 0] : [16, 16] "
			"y = map x + z",
		"lds l: [16, 16] f32 @ swizzled(row_major[16, 16], xor_shuffle<16, 4>) "
			"copy X[16*m, 0] -> l y: [16, 16] f32 @ o = get l[0, 0] : [16, 16]",
	};

	for (unsigned i = 0; i < COUNT(maps); i++)
		for (unsigned k = 0; k < COUNT(bodies); k++) {
			struct program_data data;
			char text[1024];

			snprintf(text, sizeof(text), "program p(X: in through(row_major[M, K], "
				"affine_map<(i, j) -> %s>) f32, Y: out row_major[48, 16] f32, Z: in "
				"row_major[48, 16] f32) { grid (m) in (3) workers w in 1 owner o = "
				"linear<{register = [[0, 1], [0, 2], [0, 8]], lane = [[1, 0], [3, 0], "
				"[4, 4], [8, 8], [0, 4]]}> %s store y -> Y[16*m, 0] }", maps[i],
				bodies[k]);
			data = program_data_new(*state, text, (const int64_t[]){ 53, 40 });
			program_data_random(&data, &(uint64_t){ 1 });
			program_check_all(&data, 1, targets, COUNT(targets), 0);
			program_data_free(&data);
		}
}

/* Wide where the map allows, and read back as it is printed. */
static void test_print(void **state)
{
	for (unsigned r = 0; r < COUNT(rows); r++) {
		layout_program *program = layout_program_parse(*state, rows[r].text);
		char *text = layout_program_str(program);
		layout_program *again = layout_program_parse(*state, text);
		char *same = layout_program_str(again);
		layout_kernel *kernel = layout_kernel_new_program(again, "gfx942", NULL);
		char *explained = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0,
			&(size_t){ 0 });

		assert_string_equal(text, same);
		assert_non_null(explained);
		assert_int_equal(rows[r].accesses > 0,
			strstr(explained, "tile of X: 16 bytes a lane, 4 accesses") != NULL);
		layout_string_free(explained);
		layout_string_free(text);
		layout_string_free(same);
		layout_kernel_free(kernel);
		layout_program_free(program);
		layout_program_free(again);
	}
}

#define BODY ", Y: out row_major[N] f32) { grid (n) in (ceil(N/64)) workers w in 1 " \
	"x = load X[64*n] : [64] store x -> Y[64*n] }"

static const struct refused {
	const char *text, *says;
} refused[] = {
	{ "program p(" MAP("row_major[M, N]", "(i) -> (i)") BODY,
	  "the map has 1 results, the storage 2 dimensions" },
	{ "program p(" MAP("row_major[M]", "(i) -> (j)") BODY, "the map has no coordinate `j`" },
	{ "program p(" MAP("row_major[M]", "(i) -> (3*i*i)") BODY, "expected `,` or `)`, found `*`" },
	{ "program p(" MAP("row_major[M]", "(i) -> (9999999*i)") BODY,
	  "numbers of a map are at most 1048576" },
	{ "program p(" MAP("row_major[M]", "(i, j) -> (i + j)") BODY,
	  "`X` has 2 dimensions, 1 positions are given" },
	{ "program p(" MAP("row_major[M]", "(i) ->") BODY, "expected `(`" },
	{ "program p(X: inout through(row_major[M], affine_map<(i) -> (i)>) f32" BODY,
	  "what is seen through a map is only read" },
	{ "program p(" MAP("row_major[M]", "(i) -> (i)") ", I: in row_major[N] i32, "
	  "Y: out row_major[N] f32) { grid (n) in (ceil(N/64)) workers w in 1 "
	  "i = load I[64*n] : [64] x = load X[i] : [64] store x -> Y[64*n] }",
	  "`X` is seen through a map: nothing is gathered from it" },
};

static void test_refused(void **state)
{
	for (unsigned i = 0; i < COUNT(refused); i++) {
		assert_null(layout_program_parse(*state, refused[i].text));
		if (!strstr(layout_context_message(*state), refused[i].says))
			fail_msg("%s: %s", refused[i].text, layout_context_message(*state));
		layout_context_clear(*state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_xors, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_print,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_refused,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
