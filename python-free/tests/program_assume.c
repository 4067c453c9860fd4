/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program assumes of its sizes is not tested in its kernel: no edges where tiles are
 * always whole, and edges where they only seem to be. */
#include "support/program_check.h"
#include "support/program_data.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "gfx942", "gfx1100", "gfx1200", "sm_90" };

#define COPY "program p(X: in row_major[M, K] f32, Y: out row_major[M, K] f32) { grid (m, n) in " \
	"(ceil(M/16), ceil(K/64)) workers w in 1 %s x = load X[16*m, 64*n] : [16, 64] " \
	"y = map x * 2 + 1 store y -> Y[16*m, 64*n] }"
#define SHIFTED "program p(X: in row_major[M + 3, K] f32, Y: out row_major[M, K] f32) { " \
	"grid (m, n) in (ceil(M/16), ceil(K/64)) workers w in 1 %s " \
	"x = load X[16*m + 3, 64*n] : [16, 64] store x -> Y[16*m, 64*n] }"
#define SUM "program p(X: in row_major[M, K] f32, Y: out row_major[M] f32) { grid (m) in " \
	"(ceil(M/16)) workers w in 1 %s for k in ceil(K/64) carry s: [16, 64] f32 = fill 0 { " \
	"x = load X[16*m, 64*k] : [16, 64] yield map s + x } r = reduce add s over [1] " \
	"store r -> Y[16*m] }"
#define SMALL " and M < 65536 and K < 65536"

/* "branches" are those in the IR for gfx942 that depend on something where there are no edges. */
static const struct row {
	const char *text, *assumed;
	bool edges;
	int branches;
	int64_t sizes[3][4];
} rows[] = {
	{ COPY, "assume M mod 16 = 0 and K mod 64 = 0" SMALL, false, 0,
		{ { 32, 128 }, { 16, 64 }, { 0, 64 } } },
	{ COPY, "assume M mod 48 = 0 assume K mod 64 == 0" SMALL, false, 0,
		{ { 48, 64 }, { 96, 192 }, { 48, 0 } } },
	{ COPY, "assume M = 32 and K = 128", false, 0, { { 32, 128 }, { 32, 128 }, { 32, 128 } } },
	{ COPY, "assume M mod 8 = 0 and K mod 64 = 0" SMALL, true, 0,
		{ { 24, 128 }, { 8, 64 }, { 40, 64 } } },
	{ COPY, "assume M mod 16 = 0 and K mod 32 = 0" SMALL, true, 0,
		{ { 32, 96 }, { 16, 32 }, { 48, 160 } } },
	{ COPY, "assume M mod 16 = 1 and K mod 64 = 0" SMALL, true, 0,
		{ { 33, 64 }, { 1, 128 }, { 17, 64 } } },
	{ SHIFTED, "assume M mod 16 = 0 and K mod 64 = 0" SMALL, false, 0,
		{ { 32, 128 }, { 16, 64 }, { 0, 64 } } },
	{ SHIFTED, "assume M mod 16 = 15 and K mod 64 = 0" SMALL, true, 0,
		{ { 31, 128 }, { 15, 64 }, { 47, 64 } } },
	{ SUM, "assume M mod 16 = 0 and K mod 128 = 0 and K >= 128" SMALL, false, 2,
		{ { 32, 128 }, { 16, 384 }, { 0, 256 } } },
	{ SUM, "assume M mod 16 = 0 and K mod 64 = 0 and K >= 64" SMALL, true, 2,
		{ { 32, 64 }, { 16, 192 }, { 16, 128 } } },
	{ SUM, "assume M mod 16 = 0 and K mod 128 = 0" SMALL, true, 2,
		{ { 32, 0 }, { 16, 128 }, { 16, 256 } } },
};

static int count_branches(const char *ir)
{
	int count = 0;

	while ((ir = strstr(ir, "br i1 "))) {
		ir++;
		count++;
	}
	return count;
}

static void expect_branches(const struct program_data *data, const struct row *row)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, "gfx942", NULL);
	size_t length;
	char *ir = layout_kernel_emit(data->ctx, kernel, LAYOUT_EMIT_LLVM, NULL, 0, &length);
	int count;

	if (!ir)
		fail_msg("%s: %s", row->assumed, layout_context_message(data->ctx));
	count = count_branches(ir);
	if (row->edges ? count <= row->branches : count != row->branches)
		fail_msg("%s: %d branches in\n%s", row->assumed, count, ir);
	layout_string_free(ir);
	layout_kernel_free(kernel);
}

static void test_edges(void **state)
{
	uint64_t seed = random_seed();
	char text[1024];

	for (unsigned r = 0; r < COUNT(rows); r++) {
		struct program_data data[3];

		snprintf(text, sizeof(text), rows[r].text, rows[r].assumed);
		for (unsigned s = 0; s < 3; s++) {
			data[s] = program_data_new(*state, text, rows[r].sizes[s]);
			for (int64_t e = 0; e < (int64_t)(data[s].buffers[0].bytes / 4); e++)
				program_data_set(&data[s], 0, e, (double)random_below(&seed, 9));
		}
		expect_branches(&data[0], &rows[r]);
		program_check_all(data, 3, targets, COUNT(targets), 0);
		for (unsigned s = 0; s < 3; s++)
			program_data_free(&data[s]);
	}
}

/* Conditions that contradict each other, or that go beyond what a size can be. */
static void test_bounds(void **state)
{
	static const char *const assumed[] = { "assume M < 0", "assume M >= 8 and M < 8",
		"assume M > 4294967296", "assume M = K and K = 1152921504606846976" };
	char text[1024];

	for (unsigned i = 0; i < COUNT(assumed); i++) {
		layout_program *program;
		layout_kernel *kernel;

		snprintf(text, sizeof(text), COPY, assumed[i]);
		program = layout_program_parse(*state, text);
		if (!program)
			fail_msg("%s: %s", assumed[i], layout_context_message(*state));
		kernel = layout_kernel_new_program(program, "gfx942", NULL);
		assert_non_null(kernel);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_edges, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_bounds, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
