/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order of a program's workgroups: proved a permutation, or denied with a witness; what is
 * computed does not change, but who computes it. */
#include "support/program_check.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Tiles of 8 x 64, each of which says its coordinates. */
#define PROGRAM(count, order) "program p(X: in row_major[M, 256] f32, Y: out row_major[M, 256] " \
	"f32) { grid (m, n) in (" count ", 4) " order " workers w in 1 x = load X[8*m, 64*n] : " \
	"[8, 64] y = map x * 2 + f32(n) + f32(m) * 100 store y -> Y[8*m, 64*n] }"
#define ORDER(order) PROGRAM("ceil(M/8)", "order " order)

static const struct {
	const char *program, *reason, *witness;
} rows[] = {
	{ ORDER("{ [m, n] -> [m, (n + m) mod 4] }"), NULL, NULL },
	{ ORDER("{ [m, n] -> [m, 3 - n] }"), NULL, NULL },
	{ ORDER("[M] -> { [m, n] -> [floor((M + 7)/8) - 1 - m, n] }"), NULL, NULL },
	{ "program p(X: in row_major[M, 256] f32, Y: out row_major[M, 256] f32) { grid (m, n) in "
		"(ceil(M/8), 4) order { [m, n] -> [4*floor(m/4) + n, m mod 4] } workers w in 1 "
		"assume M > 120 and M <= 128 x = load X[8*m, 64*n] : [8, 64] y = map x * 2 + f32(n) "
		"+ f32(m) * 100 store y -> Y[8*m, 64*n] }", NULL, NULL },

	{ ORDER("{ [m, n] -> [m, n - n mod 2] }"), "is no permutation", "(0, 0), (0, 1)" },
	{ ORDER("{ [m, n] -> [m, n + m] }"), "is no permutation", "(1, 0)" },
	{ ORDER("{ [m, n] -> [m, n] : n < 3 }"), "gives the workgroup no", "(0, 3)" },
	{ ORDER("{ [m, n] -> [m, k] : k = n or (k = 0 and n = 1) }"), "is no permutation", "(0, 1)" },
	{ ORDER("{ [m, n] -> [4*floor(m/4) + n, m mod 4] }"), "is no permutation", NULL },
};

static void test_verify(void **state)
{
	for (unsigned i = 0; i < COUNT(rows); i++) {
		layout_program *program = layout_program_parse(*state, rows[i].program), *again;
		layout_witness *witness;
		char *reason, *text, *printed;

		if (!program)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		assert_int_equal(layout_program_verify(program, &reason, &witness),
			rows[i].reason ? LAYOUT_NO : LAYOUT_YES);
		if (rows[i].reason && !strstr(reason, rows[i].reason))
			fail_msg("row %u: %s", i, reason);
		if (rows[i].witness && !strstr(witness->text, rows[i].witness))
			fail_msg("row %u: %s", i, witness->text);
		layout_string_free(reason);
		layout_witness_free(witness);

		text = layout_program_str(program);
		again = layout_program_parse(*state, text);
		printed = layout_program_str(again);
		assert_non_null(strstr(text, ") order "));
		assert_string_equal(text, printed);
		layout_string_free(printed);
		layout_string_free(text);
		layout_program_free(again);
		layout_program_free(program);
	}
}

static void test_wrong(void **state)
{
	static const struct {
		const char *program, *why;
	} wrong[] = {
		{ ORDER("{ [m] -> [m] }"), "rank 1 -> 1, the grid has 2" },
		{ ORDER("[Q] -> { [m, n] -> [m, n + Q] }"), "`Q` is no size" },
		{ ORDER("{ [m, n] -> [m, n] } order { [m, n] -> [m, n] }"), "expected `workers`" },
	};

	for (unsigned i = 0; i < COUNT(wrong); i++) {
		assert_null(layout_program_parse(*state, wrong[i].program));
		if (!strstr(layout_context_message(*state), wrong[i].why))
			fail_msg("row %u: %s", i, layout_context_message(*state));
		layout_context_clear(*state);
	}
}

static void test_results(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "host", "sm_90" };

	for (unsigned i = 0; i < COUNT(rows) && !rows[i].reason; i++) {
		const int64_t sizes[] = { 123 };
		struct program_data data = program_data_new(*state, rows[i].program, sizes);

		for (int64_t e = 0; e < 123 * 256; e++)
			program_data_set(&data, 0, e, (double)(e % 61));
		program_check_all(&data, 1, targets, COUNT(targets), 0);
		program_data_free(&data);
	}
}

/* Of one workgroup, by its place (1, 2): where it stores. */
static void test_places(void **state)
{
	static const struct {
		const char *program;
		int64_t m, n;
	} places[] = {
		{ PROGRAM("ceil(M/8)", ""), 1, 2 },
		{ ORDER("{ [m, n] -> [m, (n + m) mod 4] }"), 1, 3 },
		{ ORDER("[M] -> { [m, n] -> [floor((M + 7)/8) - 1 - m, n] }"), 4, 2 },
	};

	for (unsigned i = 0; i < COUNT(places); i++) {
		const int64_t sizes[] = { 48 };
		struct program_data data = program_data_new(*state, places[i].program, sizes);
		layout_kernel *kernel = layout_kernel_new_program(data.program, "gfx942", NULL);
		layout_run run = LAYOUT_RUN_INIT;
		double x;

		for (int64_t e = 0; e < 48 * 256; e++) {
			program_data_set(&data, 0, e, 0);
			program_data_set(&data, 1, e, -1);
		}
		run.buffers = data.buffers;
		run.buffer_count = data.count;
		run.sizes = data.sizes;
		run.size_count = data.size_count;
		run.first_workgroup = 4 + 2;
		run.workgroup_count = 1;
		assert_non_null(kernel);
		if (!layout_kernel_run(*state, kernel, &run))
			fail_msg("%s", layout_context_message(*state));
		for (int64_t e = 0; e < 48 * 256; e++) {
			bool own = e / 256 / 8 == places[i].m && e % 256 / 64 == places[i].n;

			x = program_data_get(&data, 1, e);
			assert_true(x == (own ? (double)(places[i].m * 100 + places[i].n) : -1));
		}
		layout_kernel_free(kernel);
		program_data_free(&data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_verify,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_wrong,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_results,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_places,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
