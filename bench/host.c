/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs on the CPU we run on, beside plain loops of the C compiler at -O3 -march=native
 * -ffast-math and, for a product with a vector, sgemv of OpenBLAS with one thread: the time
 * that the processor takes, in turns.
 *
 *	bench/host [LIBRARY [FOLDER]]	OpenBLAS, "libopenblas.so.0" unless said; the loops,
 *					bench/peers unless said */
#include "timing.h"

#include <layout/codegen.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SOFTMAX_LIMIT 1.0
#define SGEMV_LIMIT 0.7

enum { RUNS = 51 };

static const char softmax_text[] =
	"program softmax(X: in row_major[M, K] f32, Y: out row_major[M, K] f32) {\n"
	"grid (m) in (M) workers w in 4 assume K <= 4096\n"
	"x = load X[m, 0] : [1, 4096] (pad = -inf)\n"
	"top = reduce max x over [1] keep e = map exp(x - top)\n"
	"sum = reduce add e over [1] keep y = map e / sum store y -> Y[m, 0] }";
static const char matvec_text[] =
	"program matvec(A: in row_major[M, K] f32, X: in row_major[K] f32,\n"
	"Y: out row_major[M] f32) { grid (m) in (ceil(M/4)) workers w in 1\n"
	"for k in ceil(K/4096) carry s : [4] f32 = fill 0 {\n"
	"a = load A[4*m, 4096*k] : [4, 4096] x = load X[4096*k] : [4096]\n"
	"t = contract s, a, x : (i, k) -> (i, k), (k), (i) yield t }\n"
	"store s -> Y[4*m] }";

typedef void softmax_loops(const float *x, float *y, long rows, long columns);
typedef void matvec_loops(const float *a, const float *x, float *y, long rows, long columns);
typedef void sgemv(int order, int transposed, int rows, int columns, float alpha,
	const float *a, int pitch, const float *x, int step, float beta, float *y, int to);
typedef void set_threads(int count);

struct peers {
	softmax_loops *softmax;
	matvec_loops *matvec;
	sgemv *sgemv;
};

/* Memory for one case: a matrix, a vector or a matrix, and two results. */
struct memory {
	long rows, columns;
	float *a, *x, *y, *z;
};

static void *find(void *library, const char *name)
{
	return library ? dlsym(library, name) : NULL;
}

static struct peers find_peers(const char *openblas, const char *folder)
{
	char command[2048], path[1024];
	void *loops, *blas = dlopen(openblas, RTLD_NOW);
	set_threads *threads = (set_threads *)find(blas, "openblas_set_num_threads");

	snprintf(path, sizeof(path), BUILD_DIR "/bench/host_loops.so");
	snprintf(command, sizeof(command), "cc -O3 -march=native -ffast-math -shared -fPIC "
		"-o '%s' '%s/host_loops.c' -lm", path, folder);
	loops = system(command) == 0 ? dlopen(path, RTLD_NOW) : NULL;
	if (threads)
		threads(1);
	return (struct peers){ (softmax_loops *)find(loops, "softmax"),
		(matvec_loops *)find(loops, "matvec"), (sgemv *)find(blas, "cblas_sgemv") };
}

static float *floats(size_t count)
{
	float *list = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);

	for (size_t i = 0; list && i < count; i++)
		list[i] = (float)(i * 7919 % 1000) / 100 - 5;
	return list;
}

static struct memory memory_new(long rows, long columns)
{
	size_t count = (size_t)rows * (size_t)columns;

	return (struct memory){ rows, columns, floats(count), floats((size_t)columns),
		floats(count), floats(count) };
}

static void memory_free(struct memory *memory)
{
	free(memory->a);
	free(memory->x);
	free(memory->y);
	free(memory->z);
}

/* Microseconds of one of four: the program, loops and BLAS. */
enum { OURS, LOOPS, BLAS };

static bool run_once(layout_context *ctx, layout_kernel *kernel, const layout_run *run,
	const struct peers *peers, const struct memory *m, bool product, int which)
{
	if (which == OURS)
		return layout_kernel_run(ctx, kernel, run);
	if (which == BLAS)
		peers->sgemv(101, 111, (int)m->rows, (int)m->columns, 1, m->a,
			(int)m->columns, m->x, 1, 0, m->z, 1);
	else if (product)
		peers->matvec(m->a, m->x, m->z, m->rows, m->columns);
	else
		peers->softmax(m->a, m->z, m->rows, m->columns);
	return true;
}

static double largest_difference(const struct memory *m, bool product)
{
	long count = product ? m->rows : m->rows * m->columns;
	double most = 0;

	for (long i = 0; i < count; i++)
		most = fmax(most, fabs((double)m->y[i] - m->z[i]) / (1 + fabs((double)m->z[i])));
	return most;
}

/* How much slower another is, turn by turn: other processes do as much to both. */
static double slower(double taken[3][RUNS], int than)
{
	double list[RUNS];

	for (int i = 0; i < RUNS; i++)
		list[i] = taken[than][i] / taken[OURS][i];
	return median(list, RUNS);
}

/* "ours 551.0 us, loops 561.2 (1.02), sgemv ..": how much slower the others are. */
static bool measure(layout_context *ctx, layout_kernel *kernel, const struct peers *peers,
	struct memory *m, bool product)
{
	size_t bytes = (size_t)(m->rows * m->columns) * sizeof(float);
	const layout_size sizes[] = { { "M", m->rows }, { "K", m->columns } };
	const layout_buffer_argument buffers[] = {
		{ product ? "A" : "X", m->a, bytes }, { "Y", m->y, bytes },
		{ "X", m->x, (size_t)m->columns * sizeof(float) } };
	layout_run run = LAYOUT_RUN_INIT;
	double taken[3][RUNS], us[3], times[3];
	int last = product && peers->sgemv ? BLAS : LOOPS;

	run.sizes = sizes;
	run.size_count = 2;
	run.buffers = buffers;
	run.buffer_count = product ? 3 : 2;
	for (int i = -1; i < RUNS; i++)
		for (int which = OURS; which <= last; which++) {
			double start = spent_ms();

			if (!run_once(ctx, kernel, &run, peers, m, product, which))
				return false;
			if (i >= 0)
				taken[which][i] = (spent_ms() - start) * 1e3;
		}
	for (int which = LOOPS; which <= last; which++)
		times[which] = slower(taken, which);
	for (int which = OURS; which <= last; which++)
		us[which] = median(taken[which], RUNS);
	printf("%-8s %5ld x %-5ld %9.1f us, loops %9.1f us (%.2f%s)", product ? "matvec" :
		"softmax", m->rows, m->columns, us[OURS], us[LOOPS], times[LOOPS],
		product || times[LOOPS] >= SOFTMAX_LIMIT ? "" : ", below 1");
	if (last == BLAS)
		printf(", sgemv %9.1f us (%.2f%s)", us[BLAS], times[BLAS],
			times[BLAS] >= SGEMV_LIMIT ? "" : ", below 0.7");
	printf(", differ by %.1g\n", largest_difference(m, product));
	return true;
}

static layout_kernel *kernel_of(layout_context *ctx, const char *text)
{
	layout_program *program = layout_program_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new_program(program, "host", NULL);

	layout_program_free(program);
	return kernel;
}

static bool measure_all(layout_context *ctx, const struct peers *peers)
{
	static const long shapes[][2] = { { 16, 4096 }, { 256, 4096 }, { 4096, 4096 },
		{ 64, 4000 }, { 1024, 512 }, { 1000, 1000 } };
	bool ok = true;

	for (unsigned product = 0; product < 2; product++) {
		layout_kernel *kernel = kernel_of(ctx, product ? matvec_text : softmax_text);

		for (unsigned i = 0; kernel && ok && i < COUNT(shapes); i++) {
			struct memory memory = memory_new(shapes[i][0], shapes[i][1]);

			ok = measure(ctx, kernel, peers, &memory, product);
			memory_free(&memory);
		}
		ok = ok && kernel;
		layout_kernel_free(kernel);
	}
	return ok;
}

int main(int argc, char **argv)
{
	layout_context *ctx = layout_context_new();
	struct peers peers = find_peers(argc > 1 ? argv[1] : "libopenblas.so.0",
		argc > 2 ? argv[2] : SOURCE_DIR "/bench/peers");
	bool ok = peers.softmax && peers.matvec;

	if (!ok)
		fprintf(stderr, "bench/host: cc does not compile the loops\n");
	else if (!peers.sgemv)
		printf("no OpenBLAS: %s\n", argc > 1 ? argv[1] : "libopenblas.so.0");
	if (ok && !measure_all(ctx, &peers)) {
		fprintf(stderr, "bench/host: %s\n", layout_context_message(ctx));
		ok = false;
	}
	layout_context_free(ctx);
	return ok ? 0 : 1;
}
