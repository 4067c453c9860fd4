/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "host/code/kept.h"
#include "lower/launch.h"

#include <stdlib.h>
#include <string.h>

/* "bytes" are those of the sides where no size has a name; else -1.  Small runs and large
 * ones have threads of their own. */
struct layout_compiled {
	struct host_kernel *code;
	int64_t bytes[PLAN_OPERANDS];
	struct host_threads small, large;
};

/* Options of an earlier version have fewer. */
static layout_compile_options take_options(const layout_compile_options *given)
{
	layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;

	if (given)
		memcpy(&options, given, given->size < sizeof(options) ? given->size :
			sizeof(options));
	return options;
}

static bool take_threads(layout_context *ctx, layout_compiled *compiled,
	const layout_compile_options *options)
{
	struct host_threads *large = &compiled->large;

	*large = (struct host_threads){ options->threads, NULL, options->parallel,
		options->user };
	compiled->small = *large;
	if (!options->threads) {
		large->count = host_threads_for(ctx, UINT64_MAX);
		compiled->small.count = host_threads_for(ctx, 0);
	}
	if (!large->parallel && large->count > 1)
		large->pool = compiled->small.pool = pool_of(ctx, large->count - 1);
	return large->count == 1 || (large->count && (large->pool || large->parallel));
}

/* What does not change from run to run. */
static bool measure(layout_context *ctx, layout_compiled *compiled)
{
	const struct plan *plan = compiled->code->kernel->plan;
	struct sizes none = { NULL, NULL };

	for (unsigned i = 0; i < plan->operand_count; i++) {
		compiled->bytes[i] = -1;
		if (!plan->size_count && !launch_bytes(ctx, &none, &plan->operands[i],
		    &compiled->bytes[i]))
			return false;
	}
	return true;
}

layout_compiled *layout_remap_compile(layout_remap *remap,
	const layout_compile_options *given)
{
	layout_compile_options options = take_options(given);
	layout_compiled *compiled;
	layout_context *ctx;

	if (!remap)
		return NULL;
	ctx = layout_remap_context(remap);
	compiled = layout_alloc(ctx, 1, sizeof(*compiled));
	if (!compiled)
		return NULL;
	compiled->code = host_kernel_of(remap, options.cpu);
	if (compiled->code && take_threads(ctx, compiled, &options) &&
	    measure(ctx, compiled))
		return compiled;
	layout_compiled_free(compiled);
	return NULL;
}

void layout_compiled_free(layout_compiled *compiled)
{
	if (!compiled)
		return;
	pool_drop(compiled->large.pool);
	host_kernel_drop(compiled->code);
	free(compiled);
}

/* Do these sizes satisfy what the kernel requires?  Without any it does. */
static bool allows(const struct plan *plan, const int64_t *sizes)
{
	int64_t holds;

	if (!plan->size_count)
		return true;
	if (!sizes || !index_eval(plan->valid, sizes, &holds) || !holds)
		return false;
	for (unsigned i = 0; i < plan->operand_count; i++) {
		const struct index *apart = plan->operands[i].strides.apart;

		if (apart && (!index_eval(apart, sizes, &holds) || !holds))
			return false;
	}
	return true;
}

layout_run_status layout_compiled_run(const layout_compiled *compiled, void *destination,
	size_t destination_bytes, const void *source, size_t source_bytes,
	const int64_t *sizes)
{
	const struct kernel_buffer buffers[] = {
		[PLAN_SOURCE] = { (void *)(uintptr_t)source, source_bytes },
		[PLAN_DESTINATION] = { destination, destination_bytes },
	};
	int64_t bytes[PLAN_OPERANDS];
	const struct plan *plan;

	if (!compiled)
		return LAYOUT_RUN_NULL;
	plan = compiled->code->kernel->plan;
	memcpy(bytes, compiled->bytes, sizeof(bytes));
	if (!allows(plan, sizes))
		return LAYOUT_RUN_SIZES;
	for (unsigned i = 0; i < PLAN_OPERANDS; i++) {
		if (bytes[i] < 0 && !launch_operand_bytes(sizes, &plan->operands[i], &bytes[i]))
			return LAYOUT_RUN_SIZES;
		if ((uint64_t)bytes[i] > buffers[i].bytes || (bytes[i] && !buffers[i].base))
			return i == PLAN_SOURCE ? LAYOUT_RUN_SOURCE :
				LAYOUT_RUN_DESTINATION;
	}
	if (!launch_is_apart(&buffers[0], bytes[0], &buffers[1], bytes[1]))
		return LAYOUT_RUN_OVERLAP;
	if (!bytes[PLAN_DESTINATION])
		return LAYOUT_RUN_DONE;
	host_execute(compiled->code->program, compiled->code->kernel, buffers, sizes,
		bytes[0] + bytes[1] < HOST_LARGE_BYTES ? &compiled->small :
		&compiled->large);
	return LAYOUT_RUN_DONE;
}

/* The remap with what a large run has to tell of its sizes; NULL: nothing.  Of small buffers that
 * is not asked: it takes longer than to fill them. */
static layout_remap *know_sizes(layout_remap *remap, const layout_run *run)
{
	return run && run->source_bytes + run->destination_bytes >= HOST_LARGE_BYTES ?
		layout_remap_assume_short(remap, run->sizes, run->size_count) : NULL;
}

bool layout_remap_run(layout_remap *remap, const layout_run *run)
{
	layout_remap *known;
	struct host_kernel *code;
	bool ok;

	if (!remap)
		return false;
	known = know_sizes(remap, run);
	code = host_kernel_of(known ? known : remap, NULL);
	ok = code && layout_kernel_run(layout_remap_context(remap), code->kernel, run);
	host_kernel_drop(code);
	layout_remap_free(known);
	return ok;
}
