/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/launch.h"

#include <inttypes.h>
#include <string.h>

/* A buffer holds its storage whole.  It may be NULL only where that is 0 bytes. */
static bool check_buffer(layout_context *ctx, const struct sizes *sizes,
	const struct visit_access *access, const char *name, const void *base,
	size_t bytes)
{
	int64_t need;

	if (!launch_bytes(ctx, sizes, access, name, &need))
		return false;
	if ((uint64_t)need > bytes) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "%s needs %" PRId64
			" bytes, its buffer has %zu", name, need, bytes);
		return false;
	}
	if (need && !base) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "%s has no buffer", name);
		return false;
	}
	return true;
}

static bool run_sizes(layout_context *ctx, const layout_kernel *kernel,
	const layout_run *run, const struct sizes *sizes)
{
	const struct plan *plan = kernel->plan;
	int64_t grid[3];

	return sizes_complete(ctx, kernel, sizes) &&
		check_buffer(ctx, sizes, &plan->visit.load, "the source",
			run->source, run->source_bytes) &&
		check_buffer(ctx, sizes, &plan->visit.store, "the destination",
			run->destination, run->destination_bytes) &&
		launch_grid(ctx, kernel, sizes, grid) &&
		kernel->hooks->run(ctx, kernel, run, sizes->values, grid);
}

bool layout_kernel_run(layout_context *ctx, layout_kernel *kernel,
	const layout_run *given)
{
	layout_run run = LAYOUT_RUN_INIT;
	struct sizes sizes;
	bool ok;

	if (!kernel || !layout_given(ctx, given, "memory for a run"))
		return false;
	memcpy(&run, given, given->size < sizeof(run) ? given->size : sizeof(run));
	if (!sizes_take(ctx, kernel, run.sizes, run.size_count, &sizes))
		return false;
	ok = run_sizes(ctx, kernel, &run, &sizes);
	sizes_free(&sizes);
	return ok;
}
