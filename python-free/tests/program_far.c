/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs on memory that is far larger than what they access: rows, or the steps of a loop,
 * are further apart than 32 bits reach.  In the simulator, against what they mean. */
#include "support/program_data.h"

#include <layout/codegen.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "gfx942", "gfx1100", "gfx1200", "sm_90" };

/* Two arguments, each of elements at base + i * outer + j * step + k, for i < count[0] and so
 * on; "sizes" in the order of the program. */
static const struct far {
	const char *text;
	int64_t sizes[5], count[2][3], outer[2], step[2];
} rows[] = {
#define COPY(x, y) "program p(X: in " x " f32, Y: out " y " f32) { " \
	"grid (m, n) in (ceil(M/16), ceil(K/64)) workers w in 2 v = load X[16*m, 64*n] : " \
	"[16, 64] y = map v * 2 store y -> Y[16*m, 64*n] }"
#define PITCHED COPY("strided[M, K : P, 1]", "strided[M, K : P, 1]")
#define PITCHED_ROW(m, k, p) { PITCHED, { m, k, p }, { { m, 1, k }, { m, 1, k } }, { p, p } }
	PITCHED_ROW(21, 67, 4128753), PITCHED_ROW(17, 68, (1 << 24) + 4),
	PITCHED_ROW(3, 64, (INT64_C(1) << 30) + 8),
	PITCHED_ROW(16, 65, (INT64_C(1) << 28) + 1),
#define TURNED COPY("strided[M, K : P, 1]", "strided[M, K : 1, Q]")
	{ TURNED, { 5, 70, (1 << 26) + 3, (1 << 25) + 1 }, { { 5, 1, 70 }, { 70, 1, 5 } },
	  { (1 << 26) + 3, (1 << 25) + 1 } },
#define CUBE "program p(X: in strided[A, M, K : P, Q, 1] f32, Y: out row_major[A, M, K] f32) { " \
	"grid (n) in (ceil(K/32)) workers w in 1 v = load X[0, 0, 32*n] : [4, 8, 32] " \
	"store v -> Y[0, 0, 32*n] }"
	{ CUBE, { 3, 7, 37, (1 << 28) + 1, (1 << 24) + 1 }, { { 3, 7, 37 }, { 3, 7, 37 } },
	  { (1 << 28) + 1, 7 * 37 }, { (1 << 24) + 1, 37 } },
#define STEPS "program p(X: in row_major[M, K] f32, Y: out row_major[M, 64] f32) { " \
	"grid (m) in (ceil(M/4)) workers w in 1 " \
	"for k in ceil(K/16777216) carry s: [4, 64] f32 = fill 0 { " \
	"a = load X[4*m, 16777216*k] : [4, 64] t = map s + a yield t } store s -> Y[4*m, 0] }"
#define STEPS_ROW(m, steps, last) { STEPS, { m, INT64_C(16777216) * (steps - 1) + last }, \
	{ { m, steps, last < 64 ? last : 64 }, { m, 1, 64 } }, \
	{ INT64_C(16777216) * (steps - 1) + last, 64 }, { 16777216 } }
	STEPS_ROW(2, 40, 61), STEPS_ROW(2, 40, 60), STEPS_ROW(4, 20, 64), STEPS_ROW(3, 5, 3),
};

/* Memory that is 0, of which only the pages that are touched exist. */
static void *sparse_new(size_t bytes)
{
	void *memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_true(memory != MAP_FAILED);
	return memory;
}

/* Element n of those the row has of an argument. */
static int64_t element(const struct far *row, unsigned argument, int64_t n)
{
	const int64_t *count = row->count[argument];

	return n / count[2] / count[1] * row->outer[argument] +
		n / count[2] % count[1] * row->step[argument] + n % count[2];
}

static int64_t element_count(const struct far *row, unsigned argument)
{
	const int64_t *count = row->count[argument];

	return count[0] * count[1] * count[2];
}

struct far_data {
	layout_program *program;
	layout_size sizes[DATA_SIZES];
	unsigned size_count;
	layout_buffer_argument buffers[2];
};

static struct far_data far_new(layout_context *ctx, const struct far *row)
{
	struct far_data data = { .program = layout_program_parse(ctx, row->text) };

	assert_non_null(data.program);
	for (; layout_program_size_name(data.program, data.size_count); data.size_count++)
		data.sizes[data.size_count] = (layout_size){ layout_program_size_name(
			data.program, data.size_count), row->sizes[data.size_count] };
	for (unsigned i = 0; i < 2; i++) {
		layout_memory *memory = layout_program_argument_at(data.program, i);
		int64_t bytes = layout_storage_bytes(layout_memory_storage(memory),
			layout_memory_type(memory), data.sizes, data.size_count);

		assert_true(bytes > 0);
		data.buffers[i] = (layout_buffer_argument){ layout_memory_name(memory),
			sparse_new((size_t)bytes), (size_t)bytes };
	}
	for (int64_t n = 0; n < element_count(row, 0); n++)
		((float *)data.buffers[0].base)[element(row, 0, n)] = (float)(n % 1013 + 1);
	return data;
}

static void far_free(struct far_data *data)
{
	for (unsigned i = 0; i < 2; i++)
		munmap(data->buffers[i].base, data->buffers[i].bytes + 1);
	layout_program_free(data->program);
}

static void expect_same(const struct far *row, const float *meant, const float *made,
	const char *target)
{
	for (int64_t n = 0; n < element_count(row, 1); n++) {
		int64_t e = element(row, 1, n);

		if (meant[e] != made[e])
			fail_msg("%s: cell %lld on %s is %g, not %g", row->text, (long long)e,
				target, (double)made[e], (double)meant[e]);
	}
}

static void check(layout_context *ctx, const struct far *row, const struct far_data *meant,
	const char *target)
{
	layout_kernel *kernel = layout_kernel_new_program(meant->program, target, NULL);
	layout_buffer_argument buffers[] = { meant->buffers[0], meant->buffers[1] };
	layout_run run = LAYOUT_RUN_INIT;

	assert_non_null(kernel);
	buffers[1].base = sparse_new(buffers[1].bytes);
	run.buffers = buffers;
	run.buffer_count = 2;
	run.sizes = meant->sizes;
	run.size_count = meant->size_count;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s", layout_context_message(ctx));
	expect_same(row, meant->buffers[1].base, buffers[1].base, target);
	munmap(buffers[1].base, buffers[1].bytes + 1);
	layout_kernel_free(kernel);
}

static void test_rows(void **state)
{
	for (unsigned r = 0; r < COUNT(rows); r++) {
		struct far_data data = far_new(*state, &rows[r]);

		assert_true(layout_program_eval(data.program, data.sizes, data.size_count,
			data.buffers, 2));
		for (unsigned t = 0; t < COUNT(targets); t++)
			check(*state, &rows[r], &data, targets[t]);
		far_free(&data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
