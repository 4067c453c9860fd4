/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs on the CPU whose result no cache holds: rows that begin and end anywhere. */
#include "support/program_data.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* More than the last cache that a program counts on, and bytes around it. */
enum { LEAST = 40 << 20, GUARD = 64, FILL = 0xa5 };

/* A result of M x K elements that begins "behind" a line. */
static const struct row {
	const char *type;
	int64_t bytes, columns;
	size_t behind;
	const char *box;
} rows[] = {
	{ "f32", 4, 1027, 4, "[1, 512]" },
	{ "f32", 4, 1500, 60, "[2, 1000]" },
	{ "f64", 8, 127, 24, "[4, 200]" },
	{ "i16", 2, 70001, 62, "[1, 4096]" },
	{ "i8", 1, 4099, 13, "[1, 5000]" },
};

static layout_kernel *kernel_of(layout_context *ctx, const struct row *row)
{
	int box_rows = row->box[1] - '0', box_columns = atoi(strchr(row->box, ',') + 1);
	char text[512];
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_program *program;
	layout_kernel *kernel;

	snprintf(text, sizeof(text), "program p(X: in row_major[M, K] %s, "
		"Y: out row_major[M, K] %s) { grid (m, k) in (ceil(M/%d), ceil(K/%d)) "
		"workers w in 1 v = load X[%d*m, %d*k] : %s y = map v + 1 "
		"store y -> Y[%d*m, %d*k] }", row->type, row->type, box_rows, box_columns,
		box_rows, box_columns, row->box, box_rows, box_columns);
	program = layout_program_parse(ctx, text);
	options.base_align = (unsigned)row->bytes;
	kernel = layout_kernel_new_program(program, "host", &options);
	if (!kernel)
		fail_msg("%s: %s", layout_context_message(ctx), text);
	layout_program_free(program);
	return kernel;
}

static void set(const struct row *row, void *at, int64_t value)
{
	const int8_t byte = (int8_t)value;
	const int16_t word = (int16_t)value;
	const float single = (float)value;
	const double wide = (double)value;
	const void *from = row->bytes == 1 ? (const void *)&byte : row->bytes == 2 ?
		(const void *)&word : row->bytes == 4 ? (const void *)&single : &wide;

	memcpy(at, from, (size_t)row->bytes);
}

/* Element i of X. */
static int64_t value_at(int64_t i)
{
	return i % 101;
}

static void check_result(const struct row *row, const unsigned char *y, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		unsigned char want[8];

		set(row, want, value_at(i) + 1);
		if (memcmp(y + i * row->bytes, want, (size_t)row->bytes) != 0)
			fail_msg("Y[%d, %d] of %s [M, %d] is not what it should be",
				(int)(i / row->columns), (int)(i % row->columns), row->type,
				(int)row->columns);
	}
}

static void check(layout_context *ctx, const struct row *row)
{
	layout_kernel *kernel = kernel_of(ctx, row);
	int64_t row_count = LEAST / (row->columns * row->bytes) + 1;
	int64_t count = row_count * row->columns;
	size_t bytes = (size_t)(count * row->bytes);
	unsigned char *x = malloc(bytes), *y = aligned_alloc(64, (bytes + row->behind +
		2 * GUARD + 63) / 64 * 64), *first = y + GUARD + row->behind;
	const layout_size sizes[] = { { "M", row_count }, { "K", row->columns } };
	const layout_buffer_argument buffers[] = { { "X", x, bytes }, { "Y", first, bytes } };
	layout_run run = LAYOUT_RUN_INIT;

	assert_true(x && y);
	memset(y, FILL, bytes + row->behind + 2 * GUARD);
	for (int64_t i = 0; i < count; i++)
		set(row, x + i * row->bytes, value_at(i));
	run.sizes = sizes;
	run.size_count = 2;
	run.buffers = buffers;
	run.buffer_count = 2;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s", layout_context_message(ctx));
	check_result(row, first, count);
	for (size_t i = 0; i < GUARD; i++)
		assert_true(first[-1 - (ptrdiff_t)i] == FILL && first[bytes + i] == FILL);
	layout_kernel_free(kernel);
	free(x);
	free(y);
}

static void test_rows(void **state)
{
	for (unsigned i = 0; i < COUNT(rows); i++)
		check(*state, &rows[i]);
}

/* Such a kernel stores past the caches, and one whose rows do not lie so does not. */
static void test_code(void **state)
{
	static const struct {
		const char *storage;
		bool streams;
	} codes[] = { { "row_major[M, K]", true }, { "col_major[M, K]", false } };

	for (unsigned i = 0; i < COUNT(codes); i++) {
		char text[256];
		layout_program *program;
		layout_kernel *kernel;
		size_t length;
		char *code;

		snprintf(text, sizeof(text), "program p(X: in row_major[M, K] f32, Y: out %s f32)"
			" { grid (m) in (M) workers w in 1 assume K <= 512 "
			"v = load X[m, 0] : [1, 512] y = map v * 2 store y -> Y[m, 0] }",
			codes[i].storage);
		program = layout_program_parse(*state, text);
		kernel = layout_kernel_new_program(program, "host", NULL);
		code = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_LLVM, NULL, 0, &length);
		assert_non_null(code);
		assert_int_equal(strstr(code, "!nontemporal") != NULL, codes[i].streams);
		free(code);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_code,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
