/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Both forms of a reduction under a lowering config, against the exact sum: as far from it
 * as a sum of n products in any order may be,
 *
 *	|error| <= gamma * sum |a * b| + underflow	gamma = n*u / (1 - n*u), u = 2^-24
 *
 * Products of f16 are exact in f32, so that only the n sums round. */
#include "contraction/bound.h"
#include "support/program_data.h"
#include "support/random.h"

#include <layout/codegen.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

#define CONTRACT(type, more) \
	"contract(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] " type \
	", maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, " \
	"affine_map<(m, n, k) -> (m, n)>], config = #iree_gpu.lowering_config<{workgroup = " \
	"[2, 1, 0], partial_reduction = [0, 0, 512], thread = [0, 0, 8], lane_basis = " \
	"[[1, 1, 64], [0, 1, 2]]" more "}>)"

static const char *const forms[] = {
	CONTRACT("f32", ""),				/* eight accumulators a lane */
	CONTRACT("f32", ", expand_dims = [0, 0, 0, 8]"),	/* one */
};

static const char *const engines[] = { NULL, "host", "gfx942", "gfx950", "gfx1100:wave64" };

enum { M = 3, N = 2 };

/* An f16 times 2^24. */
static int64_t scaled(const struct program_data *data, unsigned argument, int64_t e)
{
	return (int64_t)ldexp(program_data_get(data, argument, e), 24);
}

static long double rounded(__int128 sum)
{
	return ldexpl((long double)sum, -48);
}

/* How much further from the exact sum than it may be the element is: 0 or less is right. */
static long double excess(const struct program_data *data, int64_t m, int64_t n, int64_t k)
{
	const long double u = ldexpl(1, -24), underflow = (long double)k * ldexpl(1, -126);
	long double gamma = (long double)k * u / (1 - (long double)k * u);
	__int128 sum = 0, magnitude = 0;
	double is;

	for (int64_t i = 0; i < k; i++) {
		__int128 product = (__int128)scaled(data, 0, m * k + i) *
			scaled(data, 1, n * k + i);

		sum += product;
		magnitude += product < 0 ? -product : product;
	}
	is = program_data_get(data, 2, m * N + n);
	return !isfinite(is) ? INFINITY : fabsl((long double)is - rounded(sum)) -
		gamma * rounded(magnitude) - underflow;
}

/* Numbers of all magnitudes and signs, so that most sums cancel, and for each a larger one
 * that a later one takes away. */
static void fill(const struct program_data *data, int64_t k)
{
	for (unsigned a = 0; a < 2; a++)
		for (size_t e = 0; e < data->buffers[a].bytes / 2; e++) {
			double value = ldexp((double)(random() % 2048 + 1024),
				(int)(random() % 12) - 18);

			program_data_set(data, a, (int64_t)e, random() % 2 ? value : -value);
		}
	for (int64_t i = 0; i + 7 < k; i += 7)
		for (int64_t m = 0; m < M; m++)
			program_data_set(data, 0, m * k + i + 7,
				-program_data_get(data, 0, m * k + i));
}

static long double run(layout_context *ctx, const char *text, const char *engine, int64_t k)
{
	int64_t sizes[] = { M, k, N };
	struct program_data data = program_data_new(ctx, text, sizes);
	layout_kernel *kernel = engine ? layout_kernel_new_program(data.program, engine, NULL) :
		NULL;
	layout_run how = LAYOUT_RUN_INIT;
	long double most = -INFINITY;

	assert_int_equal(data.size_count, 3);
	fill(&data, k);
	how.buffers = data.buffers;
	how.buffer_count = data.count;
	how.sizes = data.sizes;
	how.size_count = data.size_count;
	if (!engine)
		program_data_eval(&data);
	else if (!kernel || !layout_kernel_run(ctx, kernel, &how))
		fail_msg("%s: %s", engine, layout_context_message(ctx));
	for (int64_t m = 0; m < M; m++)
		for (int64_t n = 0; n < N; n++)
			most = fmaxl(most, excess(&data, m, n, k));
	layout_kernel_free(kernel);
	program_data_free(&data);
	return most;
}

void test_bound(void **state)
{
	static const int64_t lengths[] = { 1, 7, 511, 512, 513, 4100 };

	srandom(random_seed());
	for (unsigned f = 0; f < COUNT(forms); f++)
		for (unsigned e = 0; e < COUNT(engines); e++)
			for (unsigned i = 0; i < COUNT(lengths); i++)
				if (!(run(*state, forms[f], engines[e], lengths[i]) <= 0))
					fail_msg("form %u on %s: %d products are further off",
						f, engines[e] ? engines[e] : "eval",
						(int)lengths[i]);
}

/* Sums in f16 are not within the bound of f32: the test can tell. */
void test_narrow(void **state)
{
	static const char text[] = "program p(A: in row_major[M, K] f16, B: in row_major[N, K] "
		"f16, C: out row_major[M, N] f32) { grid (m, n) in (M, N) workers w in 1 "
		"for k in ceil(K/512) carry s: [1, 512] f16 = fill 0 { "
		"a = load A[m, 512*k] : [1, 512] b = load B[n, 512*k] : [1, 512] "
		"t = map s + a*b yield t } r = reduce add s over [1] keep "
		"c = map f32(r) store c -> C[m, n] }";

	srandom(1);
	assert_true(run(*state, text, NULL, 100) > 0);
}
