/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions on vector units whose factors no lane holds at once: they are loaded in parts. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "gfx1100", "sm_90", "gfx942" };

static const struct row {
	const char *x, *y, *sum, *workers, *letters;
	unsigned m, n, k;
} rows[] = {
	{ "f32", "f32", "f32", "2 x 2", "(i, k), (j, k)", 64, 64, 64 },
	{ "f32", "f32", "f32", "2 x 2", "(i, k), (k, j)", 64, 64, 64 },
	{ "f32", "f32", "f32", "4", "(k, i), (k, j)", 64, 32, 64 },
	{ "i16", "i16", "i32", "2", "(i, k), (k, j)", 32, 32, 64 },
	{ "f64", "f64", "f64", "4", "(i, k), (j, k)", 32, 32, 48 },
	{ "f32", "f16", "f32", "1", "(k, i), (j, k)", 16, 48, 80 },
};

static void row_text(const struct row *row, char *text, size_t size)
{
	bool xt = row->letters[1] == 'k', yt = !strcmp(row->letters + strlen(row->letters) - 6, "(k, j)");
	char x[64], y[64];

	snprintf(x, sizeof(x), xt ? "%2$u*k, %1$u*m] : [%2$u, %1$u]" : "%1$u*m, %2$u*k] : [%1$u, %2$u]", row->m, row->k);
	snprintf(y, sizeof(y), yt ? "%2$u*k, %1$u*n] : [%2$u, %1$u]" : "%1$u*n, %2$u*k] : [%1$u, %2$u]", row->n, row->k);
	snprintf(text, size, "program p(A: in row_major[%s] %s, B: in row_major[%s] %s, C: out row_major[M, N] %s) { "
		"grid (m, n) in (ceil(M/%u), ceil(N/%u)) workers w in %s for k in ceil(K/%u) carry s: [%u, %u] %s = "
		"fill 0 { t = contract s, load A[%s, load B[%s : (i, j, k) -> %s, (i, j) by valu yield t } "
		"store s -> C[%u*m, %u*n] }", xt ? "K, M" : "M, K", row->x, yt ? "K, N" : "N, K", row->y, row->sum,
		row->m, row->n, row->workers, row->k, row->m, row->n, row->sum, x, y, row->letters, row->m, row->n);
}

static struct program_data row_data(layout_context *ctx, const char *text, const int64_t *sizes,
	uint64_t *seed)
{
	int64_t ordered[3];
	layout_program *program = layout_program_parse(ctx, text);
	struct program_data data;

	if (!program)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	for (unsigned i = 0; i < 3; i++)
		switch (*layout_program_size_name(program, i)) {
		case 'M':
			ordered[i] = sizes[0];
			break;
		case 'N':
			ordered[i] = sizes[1];
			break;
		default:
			ordered[i] = sizes[2];
		}
	layout_program_free(program);
	data = program_data_new(ctx, text, ordered);
	program_data_random(&data, seed);
	return data;
}

/* Small numbers are summed exactly, in any order. */
static void test_rows(void **state)
{
	static const int64_t sizes[][3] = { { 64, 64, 64 }, { 70, 67, 130 }, { 1, 0, 1 }, { 5, 40, 0 } };
	uint64_t seed = random_seed();
	char text[1024];

	for (unsigned r = 0; r < COUNT(rows); r++) {
		struct program_data data[COUNT(sizes)];

		row_text(&rows[r], text, sizeof(text));
		for (unsigned k = 0; k < COUNT(sizes); k++)
			data[k] = row_data(*state, text, sizes[k], &seed);
		program_check_all(data, COUNT(sizes), &targets[r % COUNT(targets)], 1, 0);
		for (unsigned k = 0; k < COUNT(sizes); k++)
			program_data_free(&data[k]);
	}
}

/* There are registers for it. */
static void test_objects(void **state)
{
	static const char *const chips[] = { "gfx1201", "gfx1100:wave64" };
	char text[1024];

	for (unsigned r = 0; r < 2; r++)
		for (unsigned t = 0; t < COUNT(chips); t++) {
			layout_program *program;
			layout_kernel *kernel;
			size_t length;
			char *object;

			row_text(&rows[r], text, sizeof(text));
			program = layout_program_parse(*state, text);
			kernel = layout_kernel_new_program(program, chips[t], NULL);
			object = kernel ? layout_kernel_emit(*state, kernel, LAYOUT_EMIT_OBJ, NULL, 0, &length) :
				NULL;
			if (!object)
				fail_msg("%s for %s: %s", text, chips[t], layout_context_message(*state));
			layout_string_free(object);
			layout_kernel_free(kernel);
			layout_program_free(program);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_objects, program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
