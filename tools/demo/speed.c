/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "demo/speed.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 50

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static double rate(size_t bytes, double seconds)
{
	return bytes / (seconds > 0 ? seconds : 1e-9) * 1e-9;
}

double speed_kernel(layout_context *ctx, layout_kernel *kernel, const layout_run *run)
{
	double best = 1e9;

	for (int i = 0; i < RUNS; i++) {
		double start = now(), taken;

		if (!layout_kernel_run(ctx, kernel, run))
			return 0;
		taken = now() - start;
		best = taken < best ? taken : best;
	}
	return rate(run->source_bytes + run->destination_bytes, best);
}

double speed_memcpy(const layout_run *run)
{
	size_t bytes = run->destination_bytes;
	char *from = malloc(bytes), *to = malloc(bytes);
	double best = 1e9;

	for (int i = 0; from && to && i < RUNS; i++) {
		double start, taken;

		memset(from, i, bytes);
		start = now();
		memcpy(to, from, bytes);
		__asm__ volatile("" : : "r"(to) : "memory");
		taken = now() - start;
		best = taken < best ? taken : best;
	}
	if (!from || !to)
		bytes = 0;
	free(from);
	free(to);
	return rate(2 * bytes, best);
}
