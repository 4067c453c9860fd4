/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc run */
#include "layoutc/arrays.h"
#include "layoutc/report.h"
#include "layoutc/stats.h"
#include "layoutc/subject.h"

#include <layout/codegen.h>
#include <string.h>

#define HOST "host"
#define USUAL_GPU "gfx942"

enum engine { ENGINE_HOST, ENGINE_SIM };

/* The target to compile for; NULL after a complaint. */
static const char *choose_target(layout_context *ctx, const struct arguments *arguments,
	int *status)
{
	const char *gpu = argument_value(arguments, OPTION_SIM_TARGET);
	enum engine engine = argument_choice(arguments, OPTION_ENGINE,
		gpu ? ENGINE_SIM : ENGINE_HOST);
	const layout_target *row;

	*status = STATUS_USAGE;
	if (engine == ENGINE_HOST && gpu) {
		report(STATUS_USAGE, "--target", "is for --engine sim");
		return NULL;
	}
	if (engine == ENGINE_HOST && argument_given(arguments, OPTION_STATS)) {
		report(STATUS_USAGE, "--stats", "is for --engine sim");
		return NULL;
	}
	if (argument_given(arguments, OPTION_STATS_FORMAT) &&
	    !argument_given(arguments, OPTION_STATS)) {
		report(STATUS_USAGE, "--format", "is for --stats");
		return NULL;
	}
	if (engine == ENGINE_HOST)
		return HOST;
	row = layout_target_find(ctx, gpu ? gpu : USUAL_GPU);
	if (!row) {
		*status = report_error(ctx, "--target");
		return NULL;
	}
	if (!strcmp(row->name, HOST)) {
		report(STATUS_USAGE, "--target", "the simulator is for GPUs");
		return NULL;
	}
	return row->name;
}

static void print_stats(const struct arguments *arguments, FILE *out,
	const layout_sim_stats *stats)
{
	if (argument_choice(arguments, OPTION_STATS_FORMAT, 0))
		stats_print_json(out, stats);
	else
		stats_print(out, stats);
}

static int write_result(const struct job *job, const layout_sim_stats *stats)
{
	const char *path = argument_value(job->arguments, OPTION_OUTPUT);
	struct complaint complaint;

	if (!npy_write(&job->destination, path, &complaint))
		return report_file(path, &complaint);
	if (argument_given(job->arguments, OPTION_STATS))
		print_stats(job->arguments, strcmp(path, "-") ? stdout : stderr, stats);
	return STATUS_YES;
}

static int execute(struct job *job, const struct subject *subject, layout_kernel *kernel)
{
	layout_sim_stats stats = { 0 };
	layout_run run = LAYOUT_RUN_INIT;

	run.source = job->source.data;
	run.source_bytes = job->source.bytes;
	run.destination = job->destination.data;
	run.destination_bytes = job->destination.bytes;
	run.sizes = job->sizes;
	run.size_count = job->size_count;
	run.stats = &stats;
	if (!layout_kernel_run(job->ctx, kernel, &run))
		return report_text(job->ctx, &subject->text, "run");
	return write_result(job, &stats);
}

static int remap_arrays(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	struct job job = { .ctx = ctx, .arguments = arguments };
	layout_kernel *kernel = NULL;
	const char *target;
	int status;

	job.remap = layout_value_remap(subject->value);
	if (!job.remap)
		return report_text(ctx, &subject->text, "run");
	target = choose_target(ctx, arguments, &status);
	if (!target)
		return status;
	status = arrays_open(&job);
	if (!status) {
		kernel = layout_kernel_new(job.remap, target, NULL);
		status = kernel ? execute(&job, subject, kernel) :
			report_text(ctx, &subject->text, "run");
	}
	layout_kernel_free(kernel);
	arrays_release(&job);
	return status;
}

int run_run(const struct arguments *arguments)
{
	return with_subject(arguments, true, remap_arrays);
}
