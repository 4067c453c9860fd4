/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs on the CPU against what they mean. */
#include "support/allocations.h"
#include "support/near.h"
#include "support/program_data.h"
#include "support/program_order_rows.h"
#include "support/program_random.h"
#include "support/random.h"
#include "support/share.h"
#include "support/skip.h"

#include <layout/codegen.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Are they the same number, or as near as some roundings of the type in any order? */
static bool is_near(const struct element_type *type, double a, double b)
{
	double scale = fmax(fabs(a), fabs(b));

	return is_within(a, b, type->kind == 'f' ?
		ldexp(scale + 1, 5 - (int)fmin(type->mantissa, 23)) : 0);
}

static void compare(const struct program_data *want, const struct program_data *got,
	const char *text)
{
	for (unsigned i = 0; i < want->count; i++) {
		const struct element_type *type = want->type[i];
		int64_t count = (int64_t)want->buffers[i].bytes * 8 / type->bits;

		for (int64_t e = 0; e < count; e++) {
			if (program_data_bits(want, i, e) == program_data_bits(got, i, e))
				continue;
			if (type->kind == 'f' && is_near(type, program_data_get(want, i, e),
				program_data_get(got, i, e)))
				continue;
			fail_msg("element %d of %s is %g, not %g, in %s", (int)e,
				want->buffers[i].name, program_data_get(got, i, e),
				program_data_get(want, i, e), text);
		}
	}
}

static layout_kernel *kernel_of(const struct program_data *data)
{
	return layout_kernel_new_program(data->program, "host", NULL);
}

static void run(const struct program_data *data, layout_kernel *kernel)
{
	layout_run how = LAYOUT_RUN_INIT;

	how.sizes = data->sizes;
	how.size_count = data->size_count;
	how.buffers = data->buffers;
	how.buffer_count = data->count;
	if (!kernel || !layout_kernel_run(data->ctx, kernel, &how))
		fail_msg("%s", layout_context_message(data->ctx));
}

static void run_new(const struct program_data *data)
{
	layout_kernel *kernel = kernel_of(data);

	run(data, kernel);
	layout_kernel_free(kernel);
}

/* Run the program on both, with the memory as it is; "data" is what it means then. */
static void check_kernel(struct program_data *data, layout_kernel *kernel, const char *text)
{
	struct program_data copy = program_data_copy(data);

	run(&copy, kernel);
	program_data_eval(data);
	compare(data, &copy, text);
	program_data_free(&copy);
}

static void check(struct program_data *data, const char *text)
{
	layout_kernel *kernel = kernel_of(data);

	check_kernel(data, kernel, text);
	layout_kernel_free(kernel);
}

static void test_row(layout_context *ctx, const struct program_row *row)
{
	char text[2048];
	struct program_data data = program_row_data(ctx, row, text, sizeof(text));

	check(&data, text);
	program_data_free(&data);
}

static void test_rows(void **state)
{
	for (unsigned r = 0; r < COUNT(program_rows); r++)
		test_row(*state, &program_rows[r]);
	for (unsigned r = 0; r < COUNT(program_order_rows); r++)
		test_row(*state, &program_order_rows[r]);
}

static void test_random(void **state)
{
	uint64_t seed = random_seed();
	char text[16384];

	for (unsigned i = 0; i < share_count(60); i++) {
		const int64_t sizes[] = { random_below(&seed, 14), random_below(&seed, 33) };
		struct program_data data;

		program_random(&seed, RANDOM_ALL, text, sizeof(text));
		data = program_data_new(*state, text, sizes);
		for (unsigned a = 0; a < data.count; a++) {
			int64_t count = (int64_t)data.buffers[a].bytes * 8 /
				data.type[a]->bits;

			for (int64_t e = 0; e < count; e++)
				program_data_set(&data, a, e, random_below(&seed,
					data.type[a]->kind == 'b' ? 2 : 7));
		}
		check(&data, text);
		program_data_free(&data);
	}
}

/* Rows of K elements in tiles of 64: what is behind them changes results, or does not. */
static const char *const behind_bodies[] = {
	"x = load X[m, 0] : [1, 64] (pad = -inf) top = reduce max x over [1] keep "
	"e = map exp(x - top) s = reduce add e over [1] keep y = map e / s store y -> Y[m, 0]",
	"x = load X[m, 0] : [1, 64] (pad = 1) s = reduce add x over [1] keep "
	"t = reduce mul x over [1] keep y = map (x + s) * t store y -> Y[m, 0]",
	"x = load X[m, 0] : [1, 64] (pad = nan) e = map x * x s = reduce max e over [1] keep "
	"y = map e + s store y -> Y[m, 0]",
	"x = load X[m, 0] : [1, 64] e = map x + 1 s = reduce add e over [1] keep "
	"y = map e * s store y -> Y[m, 0]",
	"x = load X[m, 0] : [1, 64] e = map x * x s = reduce add e over [1] keep "
	"t = reduce min e over [1] keep y = map (e - t) * s store y -> Y[m, 0]",
	/* of what differs there */
	"x = load X[m, 0] : [1, 64] i : [1, 64] i32 = index 1 e = map f32(max(i - 20, 0)) + x "
	"s = reduce add e over [1] keep y = map e + s store y -> Y[m, 0]",
	"x = load X[m, 0] : [1, 64] v = load W[m, 0] : [1, 64] e = map x + v "
	"s = reduce max e over [1] keep y = map e + s store y -> Y[m, 0]",
	/* the elements there are asked for, too */
	"x = load X[m, 0] : [1, 64] (pad = 3) e = map x - x * x s = reduce max e over [1] keep "
	"y = map e + s z = map e + s store z -> Z[m, 0] store y -> Y[m, 0]",
	"x = load X[m, 0] : [1, 64] (pad = -4) e = map x * x s = reduce min e over [1] keep "
	"u = view e permute [1, 0] r = reduce add u over [0] keep "
	"y = map e + s + r store y -> Y[m, 0]",
	"x = load X[m, 0] : [1, 64] (pad = -4) e = map x * x f = map e + 1 "
	"s = reduce add f over [1] keep y = map e + f * s store y -> Y[m, 0]",
	/* the best, which is behind; columns; other places */
	"x = load X[m, 0] : [1, 64] (pad = 2) i = reduce argmax x over [1] keep "
	"e = map x * x j = reduce argmin e over [1] keep "
	"y = map e + f32(i) * 100 + f32(j) store y -> Y[m, 0]",
	"x = load X[2*m, 0] : [2, 64] (pad = 2) e = map x * x s = reduce add e over [0] keep "
	"y = map e + s store y -> Y[2*m, 0]",
	"x = load X[2*m - 1, m - 2] : [2, 64] (pad = 2) e = map x * x "
	"s = reduce add e over [0, 1] y = map e + s store y -> Y[2*m - 1, m - 2]",
	"x = load X[0, 0] : [2, 64] (pad = -1) e = map x * x s = reduce add e over [1] keep "
	"y = map e + s + f32(m) store y -> Y[2*m, 0]",
	"z = load Z[m, 0] : [1, 64] (pad = 5) s = reduce add z over [1] keep "
	"y = map z + s store y -> Z[m, 0] store y -> Y[m, 0]",
};

static void fill_rows(const struct program_data *data, uint64_t *seed)
{
	static const double ends[] = { -INFINITY, INFINITY, NAN, 0 };

	for (unsigned a = 0; a < data->count; a++)
		for (size_t e = 0; e < data->buffers[a].bytes / sizeof(float); e++) {
			unsigned kind = random_below(seed, 40);

			program_data_set(data, a, (int64_t)e, kind < COUNT(ends) ? ends[kind] :
				random_below(seed, 9) - 4.0);
		}
}

static void test_behind(void **state)
{
	static const int64_t columns[] = { 0, 1, 2, 17, 62, 63, 64, 65, 100 };
	uint64_t seed = random_seed();
	char text[1024];

	for (unsigned b = 0; b < COUNT(behind_bodies); b++) {
		layout_kernel *kernel = NULL;

		snprintf(text, sizeof(text), "program p(X: in row_major[M, K] f32, "
			"Y: out row_major[M, K] f32, Z: inout row_major[M, L] f32, "
			"W: in row_major[M, L] f32) { "
			"grid (m) in (M) workers w in 1 %s }", behind_bodies[b]);
		for (unsigned c = 0; c < COUNT(columns); c++) {
			const int64_t sizes[] = { 5, columns[c], c % 2 ? 64 : 5 };
			struct program_data data = program_data_new(*state, text, sizes);

			kernel = kernel ? kernel : kernel_of(&data);
			fill_rows(&data, &seed);
			check_kernel(&data, kernel, text);
			program_data_free(&data);
		}
		layout_kernel_free(kernel);
	}
}

/* Arrays that no stack has room for, and more than there can be. */
static void test_large(void **state)
{
	static const char text[] = "program p(X: in row_major[M, K] f32, "
		"Y: out row_major[M, K] f32) { grid (g) in (1) workers w in 1 "
		"v = load X[0, 0] : [256, 512] e = map v * v + 1 s = reduce add e over [1] keep "
		"y = map e - s store y -> Y[0, 0] }";
	const int64_t sizes[] = { 250, 500 };
	struct program_data data = program_data_new(*state, text, sizes);
	struct layout_buffer many = { 0 };
	layout_program *program;
	layout_kernel *kernel;
	size_t length;

	for (int64_t e = 0; e < 250 * 500; e++)
		program_data_set(&data, 0, e, (double)(e % 7));
	check(&data, text);
	program_data_free(&data);
	layout_buffer_printf(&many, "program p(X: inout row_major[N] f64) { grid (g) in (1) "
		"workers w in 1 a0 = load X[0] : [1048576] a1 = map a0 + 1");
	for (unsigned i = 1; i < 130; i++)
		layout_buffer_printf(&many, " a%u = map a%u * a%u", i + 1, i, i - 1);
	layout_buffer_printf(&many, " store a130 -> X[0] }");
	program = layout_program_parse(*state, many.text);
	kernel = layout_kernel_new_program(program, "host", NULL);
	assert_non_null(kernel);
	assert_null(layout_kernel_emit(*state, kernel, LAYOUT_EMIT_LLVM, NULL, 0, &length));
	assert_string_equal(layout_context_message(*state), "the tiles of a workgroup take "
		"1082130432 bytes at once, more than 1073741824");
	layout_context_clear(*state);
	layout_kernel_free(kernel);
	layout_program_free(program);
	free(many.text);
}

static double ulps(float got, double want)
{
	int exponent;

	if (isnan(want) || isinf((float)want))
		return isnan(want) ? !isnan(got) : got != (float)want;
	frexp(want, &exponent);
	return fabs(got - want) / ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

/* Of all exponents and some significands; at the ends of the range, too. */
static void test_exp(void **state)
{
	static const float ends[] = { 0, -0.0f, 88.7228f, 88.7229f, 89, 90, 1e30f, INFINITY,
		-87.3f, -87.4f, -103.9f, -103.98f, -104, -104.1f, -1e30f, -INFINITY, NAN };
	const int64_t sizes[] = { 1 << 18 };
	struct program_data data = program_data_new(*state, "program p(X: in row_major[N] f32, "
		"Y: out row_major[N] f32) { grid (g) in (ceil(N/1024)) workers w in 1 "
		"v = load X[1024*g] : [1024] y = map exp(v) store y -> Y[1024*g] }", sizes);
	float *x = data.buffers[0].base, *y = data.buffers[1].base;
	uint64_t seed = random_seed();

	for (int64_t i = 0; i < sizes[0]; i++)
		x[i] = i < (int64_t)COUNT(ends) ? ends[i] : i % 2 ?
			ldexpf((float)random_below(&seed, 1 << 24) * (i % 4 == 1 ? 1 : -1),
				-(int)random_below(&seed, 60)) :
			(float)random_below(&seed, 2000000) / 10000 - 110;
	run_new(&data);
	for (int64_t i = 0; i < sizes[0]; i++)
		if (ulps(y[i], exp((double)x[i])) > 1.5)
			fail_msg("exp of %a is %a, not %a", (double)x[i], (double)y[i],
				exp((double)x[i]));
	program_data_free(&data);
}

/* Quotients by what repeats are rounded as any: where they have few digits, too, and lie half-way
 * between two floats. */
static void test_quotients(void **state)
{
	const int64_t sizes[] = { 512 };
	struct program_data data = program_data_new(*state, "program p("
		"X: in row_major[N, 256] f32, S: in row_major[N, 1] f32, "
		"Y: out row_major[N, 256] f32) { grid (g) in (N) workers w in 1 "
		"v = load X[g, 0] : [1, 256] s = load S[g, 0] : [1, 1] y = map v / s "
		"store y -> Y[g, 0] }", sizes);
	uint64_t seed = random_seed();
	float *x = data.buffers[0].base, *s = data.buffers[1].base;
	float *y = data.buffers[2].base;

	for (unsigned i = 0; i < 256 * 512; i++) {
		uint32_t bits = random_below(&seed, 65536) << 16 | random_below(&seed, 65536);

		memcpy(&x[i], &bits, sizeof(bits));
		if (i % 3 == 0)
			x[i] = (float)random_below(&seed, 1000);
		if (i % 256 == 0)
			s[i / 256] = i % 512 ? x[i] : (float)(random_below(&seed, 1000) + 1);
		if (i / 256 % 4 == 2)
			x[i] = ldexpf(s[i / 256] * (float)(2 * random_below(&seed, 500) + 1), -150);
	}
	s[0] = 0;
	s[1] = INFINITY;
	run_new(&data);
	for (unsigned i = 0; i < 256 * 512; i++) {
		float want = x[i] / s[i / 256];

		if (y[i] != want && !(isnan(y[i]) && isnan(want)))
			fail_msg("%a / %a is %a, not %a", (double)x[i],
				(double)s[i / 256], (double)y[i], (double)want);
	}
	program_data_free(&data);
}

/* Tiles that no stack has room for, in threads and alone. */
#define LARGE "program p(A: in row_major[M, 512] f32, Y: out row_major[M, 512] f32) { " \
	"grid (m) in (%s) workers w in 1 a = load A[256*m, 0] : [256, 512] " \
	"s = reduce add a over [1] keep y = map a - s z = map y * y " \
	"t = reduce add z over [1] keep v = map y / t store v -> Y[256*m, 0] }"

/* Each allocation of a run fails: that is an error, and the next run is right.  How many there
 * were. */
static unsigned long run_without_memory(struct program_data *data, layout_kernel *kernel,
	bool all)
{
	layout_run how = LAYOUT_RUN_INIT;
	unsigned long nth = 1;

	how.sizes = data->sizes;
	how.size_count = data->size_count;
	how.buffers = data->buffers;
	how.buffer_count = data->count;
	for (;; nth++) {
		bool ok = allocations_fail(ALLOCATIONS_OURS, nth, all);
		unsigned long seen;

		ok = ok && layout_kernel_run(data->ctx, kernel, &how);
		seen = allocations_restore();
		if (seen < nth && ok)
			return seen;
		if (ok || layout_context_error(data->ctx) != LAYOUT_ERROR_MEMORY)
			fail_msg("allocation %lu of a run failed: %s", nth, ok ? "no error" :
				layout_context_message(data->ctx));
		layout_context_clear(data->ctx);
	}
}

/* Ties, bounds and what is beyond them, of integers. */
static void test_integers(void **state)
{
	static const char *const from[] = { "f16", "f32", "f64" };
	static const char *const to[] = { "i2", "i4", "u4", "i8", "u8", "i16", "u16", "i32", "i64" };
	char text[256];

	for (unsigned f = 0; f < COUNT(from); f++)
		for (unsigned t = 0; t < COUNT(to); t++) {
			struct program_data data;

			snprintf(text, sizeof(text), "program p(X: in row_major[24] %s, Y: out row_major[24] %s) { "
				"grid (g) in (1) workers w in 1 x = load X[0] : [24] y = map %s(x) "
				"store y -> Y[0] }", from[f], to[t], to[t]);
			data = program_data_new(*state, text, NULL);
			program_data_fill(&data, 0, "0 -0 0.5 1.5 2.5 -0.5 -1.5 127.5 128 -127.5 -128.5 -129 255 "
				"255.5 256 60000 -60000 inf -inf nan 7.5 -8.5 15.5 -32768");
			check(&data, text);
			program_data_free(&data);
		}
}

static void test_no_memory(void **state)
{
	static const char *const grids[] = { "ceil(M/256)", "1" }, *const threads[] = { "2", "1" };
	const int64_t sizes[] = { 500 };

	if (!allocations_fail(ALLOCATIONS_OURS, 0, false))
		skip_because("no allocation of this build can fail on purpose");
	allocations_restore();
	for (unsigned g = 0; g < COUNT(grids); g++) {
		struct program_data data;
		layout_kernel *kernel;
		unsigned long few;
		char text[1024];

		snprintf(text, sizeof(text), LARGE, grids[g]);
		setenv("LAYOUT_THREADS", threads[g], 1);
		data = program_data_new(*state, text, sizes);
		kernel = kernel_of(&data);
		run(&data, kernel);
		few = run_without_memory(&data, kernel, false);
		assert_true(few && few <= run_without_memory(&data, kernel, true));
		check_kernel(&data, kernel, text);
		unsetenv("LAYOUT_THREADS");
		layout_kernel_free(kernel);
		program_data_free(&data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_random,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_behind,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_integers,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_no_memory,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_large,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_exp,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_quotients,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
