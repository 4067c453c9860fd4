/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/product.h"
#include "timing.h"

#include <layout/codegen.h>
#include <layout/value.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 5 };

typedef void sgemm_function(int order, int a_turned, int b_turned, int m, int n, int k,
	float alpha, const float *a, int a_pitch, const float *b, int b_pitch, float beta,
	float *c, int c_pitch);
typedef void set_threads(int count);

struct matrices {
	int size;
	float *a, *b, *c;
};

static sgemm_function *find_sgemm(void)
{
	void *library = dlopen("libopenblas.so.0", RTLD_NOW);
	set_threads *threads = library ?
		(set_threads *)dlsym(library, "openblas_set_num_threads") : NULL;

	if (threads)
		threads(1);
	return library ? (sgemm_function *)dlsym(library, "cblas_sgemm") : NULL;
}

static bool run(layout_context *ctx, layout_kernel *kernel, sgemm_function *sgemm,
	const struct matrices *m)
{
	size_t bytes = (size_t)m->size * (size_t)m->size * sizeof(float);
	const layout_buffer_argument buffers[] = { { "A", m->a, bytes }, { "B", m->b, bytes },
		{ "C", m->c, bytes } };
	const layout_size sizes[] = { { "M", m->size }, { "K", m->size }, { "N", m->size } };
	layout_run how = LAYOUT_RUN_INIT;

	if (sgemm) {
		sgemm(101, 111, 111, m->size, m->size, m->size, 1, m->a, m->size, m->b, m->size,
			0, m->c, m->size);
		return true;
	}
	how.buffers = buffers;
	how.buffer_count = 3;
	how.sizes = sizes;
	how.size_count = 3;
	return layout_kernel_run(ctx, kernel, &how);
}

/* The median of a few runs, after one to warm up; 0 where they fail. */
static double rate(layout_context *ctx, layout_kernel *kernel, sgemm_function *sgemm,
	const struct matrices *m)
{
	double taken[RUNS], size = m->size;

	if (!run(ctx, kernel, sgemm, m))
		return 0;
	for (int i = 0; i < RUNS; i++) {
		double start = spent_ms();

		run(ctx, kernel, sgemm, m);
		taken[i] = spent_ms() - start;
	}
	return 2 * size * size * size * 1e-6 / median(taken, RUNS);
}

static layout_kernel *product_kernel(layout_context *ctx)
{
	layout_value *value = layout_value_parse(ctx, "matmul(A: row_major[M, K] f32, "
		"B: row_major[K, N] f32 -> C: row_major[M, N] f32)");
	layout_program *program = layout_value_program(value);
	layout_kernel *kernel = layout_kernel_new_program(program, "host", NULL);

	layout_value_free(value);
	return kernel;
}

static float *numbers(int size)
{
	size_t count = (size_t)size * (size_t)size;
	float *list = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);

	for (size_t i = 0; list && i < count; i++)
		list[i] = (float)(i * 7919 % 64) / 8 - 4;
	return list;
}

bool product_measure(int size, double *ours, double *sgemm)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = product_kernel(ctx);
	struct matrices m = { size, numbers(size), numbers(size), numbers(size) };
	sgemm_function *peer = find_sgemm();

	setenv("LAYOUT_THREADS", "1", true);
	*ours = kernel ? rate(ctx, kernel, NULL, &m) : 0;
	*sgemm = peer ? rate(ctx, kernel, peer, &m) : 0;
	if (!*ours)
		fprintf(stderr, "product: %s\n", layout_context_message(ctx));
	layout_kernel_free(kernel);
	layout_context_free(ctx);
	free(m.a);
	free(m.b);
	free(m.c);
	return *ours > 0;
}
