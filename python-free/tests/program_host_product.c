/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products of programs on the CPU against what they mean, at sizes around blocks of rows,
 * panels of columns, vectors and tiles, and in threads; memory ends where nobody may touch
 * it. */
#include "support/near.h"
#include "support/program_data.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>
#include <layout/value.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { MOST_SIZES = 4, ALIGN = 8 };

/* A program of tiles of 30 x 48 x 20, and what its sizes are from among. */
struct row {
	const char *text;
	unsigned size_count;
	int64_t sizes[MOST_SIZES][10];
};

#define ROWS { 0, 1, 3, 5, 14, 29, 30, 31, 46, 60 }
#define COLUMNS { 0, 1, 8, 15, 17, 33, 47, 48, 49, 64 }
#define DEPTH { 0, 1, 2, 4, 19, 20, 21, 39, 40, 41 }
#define FEW { 0, 1, 2, 3, 2, 1, 2, 3, 1, 2 }

#define HEAD(c) "grid (m, n) in (ceil(M/30), ceil(N/48)) workers w in 1 " \
	"for k in ceil(K/20) carry s: [30, 48] " c " = fill 0 { "
#define LOADS "a = load A[30*m, 20*k] : [30, 20] b = load B[20*k, 48*n] : [20, 48] "
#define SUM "t = contract s, a, b : (i, k, j) -> (i, k), (k, j), (i, j) yield t } "
#define ARGS(ab, c) "program p(A: in row_major[M, K] " ab ", B: in row_major[K, N] " ab \
	", C: out row_major[M, N] " c
#define ARGS_TURNED(ab, c) "program p(A: in row_major[K, M] " ab ", B: in row_major[N, K] " \
	ab ", C: out row_major[M, N] " c ") { "

static const struct row rows[] = {
	{ ARGS("f32", "f32") ") { " HEAD("f32") LOADS SUM "store s -> C[30*m, 48*n] }", 3,
		{ ROWS, DEPTH, COLUMNS } },
	{ ARGS("f64", "f64") ") { " HEAD("f64") LOADS SUM "store s -> C[30*m, 48*n] }", 3,
		{ ROWS, DEPTH, COLUMNS } },
	{ ARGS("f16", "f32") ") { " HEAD("f32") LOADS SUM "store s -> C[30*m, 48*n] }", 3,
		{ ROWS, DEPTH, COLUMNS } },
	{ ARGS("bf16", "f16") ") { " HEAD("f32") LOADS SUM
		"c = map f16(max(s, 0)) store c -> C[30*m, 48*n] }", 3,
		{ ROWS, DEPTH, COLUMNS } },
	{ ARGS("i8", "i32") ") { " HEAD("i32") LOADS SUM "store s -> C[30*m, 48*n] }", 3,
		{ ROWS, DEPTH, COLUMNS } },
	/* turned factors, with a turned result */
	{ ARGS_TURNED("f32", "f32") HEAD("f32") "a = load A[20*k, 30*m] : [20, 30] "
		"b = load B[48*n, 20*k] : [48, 20] t = contract s, a, b : (i, k, j) -> "
		"(k, i), (j, k), (i, j) yield t } store s -> C[30*m, 48*n] }", 3,
		{ DEPTH, ROWS, COLUMNS } },
	{ "program p(A: in row_major[M, K] f32, B: in row_major[K, N] f32, "
		"C: out row_major[N, M] f32) { grid (m, n) in (ceil(M/32), ceil(N/30)) "
		"workers w in 1 for k in ceil(K/20) carry s: [30, 32] f32 = fill 0 { "
		"a = load A[32*m, 20*k] : [32, 20] b = load B[20*k, 30*n] : [20, 30] "
		"t = contract s, a, b : (i, k, j) -> (i, k), (k, j), (j, i) yield t } "
		"store s -> C[30*n, 32*m] }", 3, { COLUMNS, DEPTH, ROWS } },
	{ ARGS("f32", "f32") ", D: out row_major[N, M] f32) { " HEAD("f32") LOADS SUM
		"d = view s permute [1, 0] store d -> D[48*n, 30*m] }", 3,
		{ ROWS, DEPTH, COLUMNS } },
	/* what is behind the memory is not 0, and is asked for */
	{ ARGS("f32", "f32") ", D: out row_major[M, ceil(N/48)] f32) { " HEAD("f32")
		"a = load A[30*m, 20*k] : [30, 20] (pad = 2) "
		"b = load B[20*k, 48*n] : [20, 48] (pad = 0.5) " SUM
		"r = reduce add s over [1] keep store s -> C[30*m, 48*n] "
		"store r -> D[30*m, n] }", 3, { ROWS, DEPTH, COLUMNS } },
	{ ARGS("f32", "f32") ") { " HEAD("f32") LOADS "e = map b * 2 + 1 "
		"x = map a - 0.5 t = contract s, x, e : (i, k, j) -> (i, k), (k, j), (i, j) "
		"yield t } store s -> C[30*m, 48*n] }", 3, { ROWS, DEPTH, COLUMNS } },
	/* before the memory */
	{ ARGS("f32", "f32") ") { grid (m, n) in (ceil(M/30) + 1, ceil(N/48) + 1) "
		"workers w in 1 for k in ceil(K/20) + 1 carry s: [30, 48] f32 = fill 1 { "
		"a = load A[30*m - 7, 20*k - 3] : [30, 20] "
		"b = load B[20*k - 3, 48*n - 5] : [20, 48] " SUM
		"store s -> C[30*m - 7, 48*n - 5] }", 3, { ROWS, DEPTH, COLUMNS } },
	/* stored in steps, each another part; results that go on */
	{ "program p(A: in row_major[M, K] f32, B: in row_major[K, 48] f32, "
		"C: out row_major[K, M, 48] f32) { grid (m) in (ceil(M/30)) workers w in 1 "
		"for k in K carry s: [30, 48] f32 = fill 0 { "
		"a = load A[30*m, k] : [30, 20] b = load B[k, 0] : [20, 48] "
		"t = contract s, a, b : (i, k, j) -> (i, k), (k, j), (i, j) "
		"u = view t expand 0 into (1, 30) store u -> C[k, 30*m, 0] yield t } }", 2,
		{ ROWS, DEPTH } },
	/* what is carried is asked for in steps that go further */
	{ "program p(X: in row_major[K, L] f32, S: inout row_major[K, L] f32, "
		"V: inout row_major[K, L] f32) { grid (g) in (1) workers w in 1 "
		"for k in K carry c: [1, 64] f32 = fill 0 { "
		"x = load X[k, 40 - 8*k] : [1, 64] (pad = 3) t = map x * x "
		"store c -> S[k, 40 - 8*k] v = map t * 2 store v -> V[k, 40 - 8*k] "
		"u = map t + c yield u } }", 2, { FEW, COLUMNS } },
	/* a batch, and two that are summed */
	{ "program p(A: in row_major[G, M, 3, K] f32, B: in row_major[K, G, 3, N] f32, "
		"C: out row_major[M, G, N] f32) { grid (m, n) in (ceil(M/30), ceil(N/48)) "
		"workers w in 1 for g in ceil(G/2) { z: [30, 2, 48] f32 = fill 0 "
		"for k in ceil(K/20) carry s: [30, 2, 48] f32 = z { "
		"a = load A[2*g, 30*m, 0, 20*k] : [2, 30, 3, 20] "
		"b = load B[20*k, 2*g, 0, 48*n] : [20, 2, 3, 48] "
		"t = contract s, a, b : (g, i, l, k, j) -> (g, i, l, k), (k, g, l, j), (i, g, j) "
		"yield t } store s -> C[30*m, 2*g, 48*n] } }", 4, { FEW, ROWS, DEPTH, COLUMNS } },
	/* one product after the other, through an object */
	{ "program p(A: in row_major[M, K] f32, B: in row_major[K, 48] f32, "
		"D: in row_major[48, N] f32, C: out row_major[M, N] f32) { "
		"grid (m, n) in (ceil(M/30), ceil(N/48)) workers w in 1 lds l: [30, 48] f32 "
		"z: [30, 48] f32 = fill 0 for k in ceil(K/20) carry s: [30, 48] f32 = z { "
		"a = load A[30*m, 20*k] : [30, 20] b = load B[20*k, 0] : [20, 48] " SUM
		"e = map s * 0.25 put e -> l[0, 0] x = get l[0, 0] : [30, 48] "
		"d = load D[0, 48*n] : [48, 48] r = contract z, x, d : (i, k, j) -> "
		"(i, k), (k, j), (i, j) store r -> C[30*m, 48*n] }", 3, { ROWS, DEPTH, COLUMNS } },
};

/* Pages with a buffer at their beginning or their end, between two that nobody may touch. */
static void *guarded_new(size_t bytes, bool at_end, void **pages, size_t *length)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t inner = (bytes + page - 1) / page * page;

	*length = inner + 2 * page;
	*pages = mmap(NULL, *length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(*pages != MAP_FAILED);
	assert_int_equal(mprotect((char *)*pages + page, inner, PROT_READ | PROT_WRITE), 0);
	return (char *)*pages + page + (at_end ? (inner - bytes) / ALIGN * ALIGN : 0);
}

/* Run the kernel on a copy of the memory between guards, and bring it back; where that is at
 * the end of its pages, with three threads. */
static void run(struct program_data *data, layout_kernel *kernel, bool at_end)
{
	void *pages[DATA_ARGUMENTS], *bases[DATA_ARGUMENTS];
	size_t length[DATA_ARGUMENTS];
	layout_run how = LAYOUT_RUN_INIT;
	bool ok;

	for (unsigned i = 0; i < data->count; i++) {
		bases[i] = data->buffers[i].base;
		data->buffers[i].base = guarded_new(data->buffers[i].bytes, at_end, &pages[i],
			&length[i]);
		memcpy(data->buffers[i].base, bases[i], data->buffers[i].bytes);
	}
	how.sizes = data->sizes;
	how.size_count = data->size_count;
	how.buffers = data->buffers;
	how.buffer_count = data->count;
	setenv("LAYOUT_THREADS", at_end ? "3" : "1", 1);
	ok = layout_kernel_run(data->ctx, kernel, &how);
	for (unsigned i = 0; i < data->count; i++) {
		memcpy(bases[i], data->buffers[i].base, data->buffers[i].bytes);
		munmap(pages[i], length[i]);
		data->buffers[i].base = bases[i];
	}
	if (!ok)
		fail_msg("%s", layout_context_message(data->ctx));
}

static bool is_near(const struct element_type *type, double a, double b)
{
	return is_within(a, b, type->kind == 'f' ? ldexp(fmax(fabs(a), fabs(b)) + 64,
		2 - (int)fmin(type->mantissa, 40)) : 0);
}

static void compare(const struct program_data *want, const struct program_data *got,
	const char *text)
{
	for (unsigned i = 0; i < want->count; i++)
		for (int64_t e = 0; e < (int64_t)want->buffers[i].bytes * 8 /
		     want->type[i]->bits; e++)
			if (!is_near(want->type[i], program_data_get(want, i, e),
			    program_data_get(got, i, e)))
				fail_msg("element %d of %s is %g, not %g, in %s with %d, %d, %d",
					(int)e, want->buffers[i].name,
					program_data_get(got, i, e),
					program_data_get(want, i, e), text,
					(int)want->sizes[0].value, (int)want->sizes[1].value,
					(int)want->sizes[want->size_count - 1].value);
}

/* Small numbers; in some runs infinities and NaN among them. */
static void fill(const struct program_data *data, uint64_t *seed)
{
	bool wild = !random_below(seed, 4);

	for (unsigned a = 0; a < data->count; a++)
		for (int64_t e = 0; e < (int64_t)data->buffers[a].bytes * 8 /
		     data->type[a]->bits; e++) {
			double value = (double)random_below(seed, 33) - 16;

			if (data->type[a]->kind == 'f')
				value = wild && !random_below(seed, 99) ?
					random_below(seed, 2) ? INFINITY : NAN : value / 8;
			program_data_set(data, a, e, value);
		}
}

static layout_kernel *kernel_of(const struct program_data *data)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;

	options.base_align = ALIGN;
	kernel = layout_kernel_new_program(data->program, "host", &options);
	if (!kernel)
		fail_msg("%s", layout_context_message(data->ctx));
	return kernel;
}

static void test_row(layout_context *ctx, const struct row *row, uint64_t *seed)
{
	layout_kernel *kernel = NULL;

	for (unsigned i = 0; i < share_count(10); i++) {
		struct program_data data, copy;
		int64_t sizes[MOST_SIZES];

		for (unsigned k = 0; k < row->size_count; k++)
			sizes[k] = row->sizes[k][random_below(seed, COUNT(row->sizes[k]))];
		data = program_data_new(ctx, row->text, sizes);
		kernel = kernel ? kernel : kernel_of(&data);
		fill(&data, seed);
		copy = program_data_copy(&data);
		run(&copy, kernel, i % 2);
		program_data_eval(&data);
		compare(&data, &copy, row->text);
		program_data_free(&copy);
		program_data_free(&data);
	}
	layout_kernel_free(kernel);
}

static void test_rows(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned r = 0; r < COUNT(rows); r++)
		test_row(*state, &rows[r], &seed);
}

/* A matmul of f32: where element (g, i, k) of A is, (g, k, j) of B and (g, i, j) of C. */
struct matmul_row {
	const char *text;
	bool a_turned, b_turned, c_turned;
	int64_t batch;
};

static const struct matmul_row matmul_rows[] = {
	{ "matmul(A: row_major[M, K] f32, B: row_major[K, N] f32 -> C: row_major[M, N] f32)",
		false, false, false, 1 },
	{ "matmul(A: row_major[K, M] f32, B: row_major[N, K] f32 -> C: row_major[M, N] f32)",
		true, true, false, 1 },
	{ "matmul(A: row_major[M, K] f32, B: row_major[N, K] f32 -> C: row_major[N, M] f32)",
		false, true, true, 1 },
	{ "matmul(A: row_major[G, M, K] f32, B: row_major[G, K, N] f32 -> "
		"C: row_major[G, M, N] f32)", false, false, false, 3 },
	{ "matmul(A: row_major[M, K] f32, B: row_major[K, N] f32 -> C: row_major[M, N] f32, "
		"epilogue = max(C, 1) * 0.5)", false, false, false, 1 },
};

static int64_t at(bool turned, int64_t m, int64_t n, int64_t i, int64_t j)
{
	return turned ? j * m + i : i * n + j;
}

static void compare_matmul(const struct matmul_row *row, const float *a, const float *b,
	const float *c, const int64_t *size)
{
	int64_t m = size[0], n = size[1], depth = size[2];
	float *sums = calloc((size_t)n + 1, sizeof(*sums));

	assert_non_null(sums);
	for (int64_t i = 0; i < m; i++) {
		memset(sums, 0, (size_t)n * sizeof(*sums));
		for (int64_t k = 0; k < depth; k++)
			for (int64_t j = 0; j < n; j++)
				sums[j] += a[at(row->a_turned, m, depth, i, k)] *
					b[at(row->b_turned, depth, n, k, j)];
		for (int64_t j = 0; j < n; j++) {
			float want = strstr(row->text, "epilogue") ? fmaxf(sums[j], 1) / 2 :
				sums[j], got = c[at(row->c_turned, m, n, i, j)];

			if (fabsf(got - want) > 1e-3f)
				fail_msg("(%d, %d) is %g, not %g, of %d x %d x %d in %s", (int)i,
					(int)j, (double)got, (double)want, (int)m, (int)n,
					(int)depth, row->text);
		}
	}
	free(sums);
}

/* Sizes by name, in the order that the program has. */
static void find_sizes(layout_program *program, const int64_t *size, int64_t batch,
	int64_t *sizes)
{
	const char *name;

	for (unsigned i = 0; (name = layout_program_size_name(program, i)); i++)
		sizes[i] = *name == 'M' ? size[0] : *name == 'N' ? size[1] :
			*name == 'K' ? size[2] : batch;
}

static void test_matmul_row(layout_context *ctx, const struct matmul_row *row,
	layout_kernel *kernel, layout_program *program, const int64_t *size)
{
	int64_t sizes[MOST_SIZES];
	char *text = layout_program_str(program);
	struct program_data data;

	find_sizes(program, size, row->batch, sizes);
	data = program_data_new(ctx, text, sizes);
	for (unsigned a = 0; a < 2; a++)
		for (size_t e = 0; e < data.buffers[a].bytes / sizeof(float); e++)
			((float *)data.buffers[a].base)[e] = (float)(e * 7919 % 61 % 33) / 8 - 2;
	run(&data, kernel, size[0] % 2);
	for (int64_t g = 0; g < row->batch; g++)
		compare_matmul(row, (float *)data.buffers[0].base + g * size[0] * size[2],
			(float *)data.buffers[1].base + g * size[2] * size[1],
			(float *)data.buffers[2].base + g * size[0] * size[1], size);
	program_data_free(&data);
	layout_string_free(text);
}

/* The tile that was chosen, of the rows, columns or what is summed. */
static int64_t tile_of(layout_context *ctx, layout_kernel *kernel, unsigned number)
{
	size_t length;
	char *text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_PROGRAM, NULL, 0, &length);
	const char *head = text ? strstr(text, "ceil(") : NULL;
	int64_t tile;

	for (unsigned i = 0; head && i < number; i++)
		head = strstr(head + 1, "ceil(");
	head = head ? strchr(head, '/') : NULL;
	assert_non_null(head);
	tile = atoll(head + 1);
	layout_string_free(text);
	return tile;
}

/* Sizes around the chosen tile's, its blocks', and none. */
static void test_matmul(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned r = 0; r < COUNT(matmul_rows); r++) {
		const struct matmul_row *row = &matmul_rows[r];
		layout_value *value = layout_value_parse(*state, row->text);
		layout_program *program = layout_value_program(value);
		layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
		layout_kernel *kernel;

		options.base_align = ALIGN;
		kernel = layout_kernel_new_program(program, "host", &options);
		if (!kernel)
			fail_msg("%s", layout_context_message(*state));
		for (unsigned i = 0; i < share_count(8); i++) {
			int64_t size[3];

			for (unsigned d = 0; d < 3; d++) {
				unsigned place = d == 2 ? 2 : row->c_turned ? !d : d;
				int64_t tile = tile_of(*state, kernel, place);
				const int64_t any[] = { 0, 1, 3, 15, 64, tile - 1, tile,
					tile + 1, tile + 17 };

				size[d] = any[random_below(&seed, COUNT(any))];
			}
			test_matmul_row(*state, row, kernel, program, size);
		}
		layout_kernel_free(kernel);
		layout_value_free(value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_matmul,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
