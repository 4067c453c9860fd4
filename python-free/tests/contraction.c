/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions under a lowering config: refused where the numbers do not multiply, and
 * computed, with and without an inner loop, against loops. */
#include "contraction/bound.h"
#include "support/program_data.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAP(out) "affine_map<(d0, d1, d2) -> (" out ")>"
#define MATVEC "contract(A: row_major[M, K] f16, B: row_major[N, K] f16 -> " \
	"C: row_major[M, N] f32, maps = [" MAP("d0, d2") ", " MAP("d1, d2") ", " \
	MAP("d0, d1") "], config = #iree_gpu.lowering_config<{"
#define BASES "lane_basis = [[1, 1, 64], [0, 1, 2]], subgroup_basis = [[1, 1, 1], [0, 1, 2]], "
#define BASES_4 "lane_basis = [[1, 1, 64, 1], [0, 1, 2, 3]], " \
	"subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], "

static const struct wrong {
	const char *text, *message;
} wrong[] = {
	{ MATVEC BASES "partial_reduction = [0, 0, 500], thread = [0, 0, 8], workgroup = "
		"[2, 1, 0]}>)", "dimension 2: 1 subgroups times 64 lanes times 8 elements make "
		"512, which does not divide the 500 that partial_reduction has" },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], thread = [3, 0, 8], workgroup = "
		"[2, 1, 0]}>)", "dimension 0: 1 subgroups times 1 lanes times 3 elements make 3, "
		"which does not divide the 2 that workgroup has" },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], thread = [0, 0, 8], workgroup = "
		"[2, 0, 0]}>)", "workgroup has nothing for loop 1" },
	{ MATVEC BASES "thread = [0, 0, 8], workgroup = [2, 1, 0]}>)",
		"partial_reduction has nothing for loop 2" },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], thread = [0, 8], workgroup = "
		"[2, 1, 0]}>)", "thread has 2 entries, there are 3 loops" },
	{ MATVEC "lane_basis = [[1, 64], [0, 1, 2]], partial_reduction = [0, 0, 512], "
		"workgroup = [2, 1, 0]}>)", "lane_basis maps loop 2 to count 2" },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], thread = [0, 0, 8], workgroup = "
		"[2, 1, 0], expand_dims = [0, 0, 0, 4]}>)",
		"expand_dims splits by 4 where a thread has 8" },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], thread = [0, 0, 8], workgroup = "
		"[2, 1, 0], expand_dims = [0, 2, 0, 0]}>)", "expand_dims splits loop 0" },
	{ MATVEC "lane_basis = [[1, 64], [0, 1, 1]], partial_reduction = [0, 0, 512], "
		"workgroup = [2, 64, 0]}>)", "lane_basis maps loops 1 and 2 to one count" },
	{ MATVEC "lane_basis = [[1, 9223372036854775807, 64], [0, 1, 2]], partial_reduction = "
		"[0, 0, 512], workgroup = [2, 1, 0]}>)",
		"lane_basis: 9223372036854775807 times 64 does not fit 64 bits" },
	{ MATVEC "lane_basis = [[1, 4611686018427387904, 1], [0, 1, 2]], subgroup_basis = "
		"[[1, 4, 1], [0, 1, 2]], partial_reduction = [0, 0, 512], workgroup = "
		"[2, 1, 0]}>)", "lane_basis: 4 times 4611686018427387904 does not fit 64 bits" },
	{ MATVEC BASES "partial_reduction = [0, 0, 4611686018427387904], workgroup = "
		"[2, 1, 0]}>)", "the tile: 2 times 4611686018427387904 does not fit 64 bits" },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], workgroup = [2, 1, 0, 0]}>)",
		"workgroup has 4 entries, there are 3 loops" },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], workgroup = [2]}>)",
		"workgroup has nothing for loop 1" },
	{ MATVEC BASES "partial = [0]}>)", "expected `workgroup`" },
	{ MATVEC BASES BASES "}>)", "lane_basis" },
	{ "contract(A: row_major[M, K] f16, B: row_major[N, Q] f16 -> C: row_major[M, N] f32, "
		"maps = [" MAP("d0, d2") ", " MAP("d1, d2") ", " MAP("d0, d1") "], config = "
		"#iree_gpu.lowering_config<{partial_reduction = [0, 0, 8], workgroup = "
		"[2, 1, 0]}>)", "`d2` is K in one operand and Q in `B`" },
	{ "contract(A: row_major[M] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32, "
		"maps = [" MAP("d0, d2") ", " MAP("d1, d2") ", " MAP("d0, d1") "], config = "
		"#iree_gpu.lowering_config<{workgroup = [2, 1, 0]}>)",
		"`A` has 1 dimensions, its map 2" },
	{ "contract(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32, "
		"maps = [" MAP("d0, d2") ", affine_map<(d0, d2, d1) -> (d1, d2)>, "
		MAP("d0, d1") "], config = #iree_gpu.lowering_config<{workgroup = [2]}>)",
		"loop 1 is `d1` in one map and `d2` in another" },
	{ "contract(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32, "
		"maps = [" MAP("d0 + 1, d2") "], config = ", "expected `,` or `)`" },
};

static void test_wrong(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		layout_context *ctx = layout_context_new();

		assert_null(layout_program_parse(ctx, wrong[i].text));
		if (!strstr(layout_context_message(ctx), wrong[i].message))
			fail_msg("%s\n%s", wrong[i].text, layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

/* "letters" of A, B and C in terms of (d0, d1, d2), the extents of which are "sizes". */
static const struct right {
	const char *text;
	int letters[3][2];
} right[] = {
	{ MATVEC BASES "partial_reduction = [0, 0, 512], thread = [0, 0, 8], workgroup = "
		"[2, 1, 0]}>)", { { 0, 2 }, { 1, 2 }, { 0, 1 } } },
	{ MATVEC BASES "partial_reduction = [0, 0, 512], thread = [0, 0, 8], workgroup = "
		"[2, 1, 0], expand_dims = [0, 0, 0, 8]}>)", { { 0, 2 }, { 1, 2 }, { 0, 1 } } },
	{ MATVEC BASES_4 "partial_reduction = [0, 0, 64, 0], thread = [0, 0, 0, 8], "
		"workgroup = [2, 1, 0], expand_dims = [0, 0, 0, 8]}>)",
		{ { 0, 2 }, { 1, 2 }, { 0, 1 } } },
	/* lists of tiles that end early, and a reduced loop of which a step has what threads do */
	{ MATVEC BASES "partial_reduction = [0, 0, 0], thread = [0, 0, 8], workgroup = "
		"[2, 1]}>)", { { 0, 2 }, { 1, 2 }, { 0, 1 } } },
	{ MATVEC "lane_basis = [[4, 1, 16], [0, 1, 2]], subgroup_basis = [[1, 2, 1], "
		"[0, 1, 2]], partial_reduction = [0, 0, 64], thread = [0, 2, 2], workgroup = "
		"[4, 8, 0]}>)", { { 0, 2 }, { 1, 2 }, { 0, 1 } } },
	{ MATVEC "lane_basis = [[1, 4, 16], [2, 1, 0]], subgroup_basis = [[1, 1, 2], "
		"[0, 1, 2]], partial_reduction = [0, 0, 8], thread = [0, 0, 4], workgroup = "
		"[16, 4, 0]}>)", { { 0, 2 }, { 1, 2 }, { 0, 1 } } },
	{ MATVEC "lane_basis = [[8, 2, 4], [0, 1, 2]], subgroup_basis = [[1, 4, 1], "
		"[2, 0, 1]], partial_reduction = [0, 0, 96], thread = [2, 0, 2], workgroup = "
		"[64, 4, 0]}>)", { { 0, 2 }, { 1, 2 }, { 0, 1 } } },
	{ "contract(A: col_major[M, K] f16, B: row_major[K, N] f16 -> C: row_major[N, M] f16, "
		"maps = [" MAP("d0, d2") ", " MAP("d2, d1") ", " MAP("d1, d0") "], config = "
		"#iree_gpu.lowering_config<{lane_basis = [[8, 1, 8], [0, 2, 1]], "
		"partial_reduction = [0, 0, 8], workgroup = [8, 8, 0]}>)",
		{ { 0, 2 }, { 2, 1 }, { 1, 0 } } },
};

static double element(const struct program_data *data, unsigned argument, bool turned,
	int64_t i, int64_t j, int64_t rows, int64_t columns)
{
	return program_data_get(data, argument, turned ? j * rows + i : i * columns + j);
}

static void check(const struct right *row, const struct program_data *data,
	const int64_t *sizes)
{
	const int (*at)[2] = row->letters;
	bool turned = strstr(row->text, "A: col_major");
	int64_t i[3];

	for (i[0] = 0; i[0] < sizes[0]; i[0]++)
		for (i[1] = 0; i[1] < sizes[1]; i[1]++) {
			double sum = 0, is;

			for (i[2] = 0; i[2] < sizes[2]; i[2]++)
				sum += element(data, 0, turned, i[at[0][0]], i[at[0][1]],
					sizes[at[0][0]], sizes[at[0][1]]) *
					element(data, 1, false, i[at[1][0]], i[at[1][1]],
					sizes[at[1][0]], sizes[at[1][1]]);
			is = element(data, 2, false, i[at[2][0]], i[at[2][1]],
				sizes[at[2][0]], sizes[at[2][1]]);
			if (is != sum)
				fail_msg("%s: %g at %ld, %ld, not %g", row->text, is,
					(long)i[0], (long)i[1], sum);
		}
}

/* Sums of small integers are exact in any order. */
static void try_row(layout_context *ctx, const struct right *row, const int64_t *sizes,
	layout_kernel *kernel)
{
	int64_t values[3];
	struct program_data data;
	layout_run run = LAYOUT_RUN_INIT;
	layout_program *program = layout_program_parse(ctx, row->text);

	for (unsigned i = 0; i < 3; i++) {
		const char *name = layout_program_size_name(program, i);

		values[i] = sizes[*name == 'M' ? 0 : *name == 'N' ? 1 : 2];
	}
	layout_program_free(program);
	data = program_data_new(ctx, row->text, values);
	for (unsigned a = 0; a < 2; a++)
		for (size_t e = 0; e < data.buffers[a].bytes / 2; e++)
			program_data_set(&data, a, (int64_t)e, (double)(random() % 5 - 2));
	run.buffers = data.buffers;
	run.buffer_count = data.count;
	run.sizes = data.sizes;
	run.size_count = data.size_count;
	if (!kernel)
		program_data_eval(&data);
	else if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", row->text, layout_context_message(ctx));
	check(row, &data, sizes);
	program_data_free(&data);
}

/* "target" may be NULL: evaluated only. */
static void try_target(const struct right *row, const char *target)
{
	static const int64_t sizes[][3] = { { 1, 1, 1 }, { 5, 3, 513 }, { 16, 8, 1024 },
		{ 17, 9, 100 }, { 4, 0, 7 }, { 3, 4, 0 } };
	layout_context *ctx = layout_context_new();
	layout_program *program = layout_program_parse(ctx, row->text);
	layout_kernel *kernel = target ? layout_kernel_new_program(program, target, NULL) :
		NULL;

	if (layout_context_error(ctx) != LAYOUT_ERROR_NONE)
		fail_msg("%s: %s", row->text, layout_context_message(ctx));
	assert_int_equal(layout_program_verify(program, NULL, NULL), LAYOUT_YES);
	layout_program_free(program);
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		try_row(ctx, row, sizes[s], kernel);
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* The configurations are for waves of 64 lanes, which NVIDIA's chips do not have. */
static void test_computed(void **state)
{
	static const char *const targets[] = { NULL, "host", "gfx942", "gfx1100:wave64" };

	(void)state;
	srandom(random_seed());
	for (unsigned i = 0; i < sizeof(right) / sizeof(*right); i++)
		for (unsigned t = 0; t < sizeof(targets) / sizeof(*targets); t++)
			if (share_has(i, t, sizeof(targets) / sizeof(*targets)))
				try_target(&right[i], targets[t]);
}

/* Owners of four dimensions know their threads, and so the subgroups of these. */
static void test_batched(void **state)
{
	static const char text[] = "contract(A: row_major[B, M, K] f16, D: row_major[B, N, K] f16 "
		"-> C: row_major[B, M, N] f32, maps = [affine_map<(b, m, n, k) -> (b, m, k)>, "
		"affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], config "
		"= #iree_gpu.lowering_config<{workgroup = [1, 2, 4, 0], partial_reduction = "
		"[0, 0, 0, 256], thread = [0, 0, 0, 4], lane_basis = [[1, 1, 1, 64], [0, 1, 2, 3]], "
		"subgroup_basis = [[1, 2, 1, 1], [0, 1, 2, 3]]}>)";
	layout_context *ctx = layout_context_new();
	layout_program *program = layout_program_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);
	size_t length;
	char *code = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_OBJ, NULL, 0, &length);

	(void)state;
	if (!code)
		fail_msg("%s", layout_context_message(ctx));
	layout_string_free(code);
	layout_kernel_free(kernel);
	layout_program_free(program);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_computed),
		cmocka_unit_test(test_batched),
		cmocka_unit_test_setup_teardown(test_bound, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_narrow, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
