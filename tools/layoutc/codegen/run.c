/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc run */
#include "layoutc/arrays.h"
#include "layoutc/codegen/progress.h"
#include "layoutc/codegen/run.h"
#include "layoutc/kind.h"
#include "layoutc/report.h"
#include "layoutc/codegen/stats.h"
#include "layoutc/subject.h"

#include <layout/codegen.h>
#include <string.h>

#define HOST "host"

enum engine run_engine(const struct arguments *arguments)
{
	return argument_choice(arguments, OPTION_ENGINE,
		argument_value(arguments, OPTION_SIM_TARGET) ? ENGINE_SIM : ENGINE_HOST);
}

const char *run_target(layout_context *ctx, const struct arguments *arguments,
	int *status)
{
	const char *gpu = argument_value(arguments, OPTION_SIM_TARGET);
	enum engine engine = run_engine(arguments);
	const layout_target *row;

	*status = STATUS_USAGE;
	if (engine != ENGINE_SIM && gpu) {
		report(STATUS_USAGE, "--target", "is for --engine sim");
		return NULL;
	}
	if (engine != ENGINE_SIM && argument_given(arguments, OPTION_STATS)) {
		report(STATUS_USAGE, "--stats", "is for --engine sim");
		return NULL;
	}
	if (engine != ENGINE_HOST && argument_given(arguments, OPTION_CPU)) {
		report(STATUS_USAGE, "--mcpu", "is for --engine host");
		return NULL;
	}
	if (argument_given(arguments, OPTION_STATS_FORMAT) &&
	    !argument_given(arguments, OPTION_STATS)) {
		report(STATUS_USAGE, "--format", "is for --stats");
		return NULL;
	}
	if (engine != ENGINE_SIM)
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


int run_write(const struct arguments *arguments, struct memory *memories,
	const char *const *paths, unsigned count, const layout_sim_stats *stats)
{
	bool json = argument_choice(arguments, OPTION_STATS_FORMAT, 0);
	FILE *out = stdout;
	struct complaint complaint;

	for (unsigned i = 0; i < count; i++) {
		if (!paths[i])
			continue;
		if (!npy_write(&memories[i].array, paths[i], &complaint))
			return report_file(paths[i], &complaint);
		if (!strcmp(paths[i], "-"))
			out = stderr;
	}
	if (argument_given(arguments, OPTION_STATS))
		(json ? stats_print_json : stats_print)(out, stats);
	return STATUS_YES;
}

static int execute(struct job *job, const struct subject *subject, layout_kernel *kernel,
	struct memory memories[2])
{
	const char *const paths[] = { NULL, argument_value(job->arguments, OPTION_OUTPUT) };
	layout_sim_stats stats = { 0 };
	layout_run run = LAYOUT_RUN_INIT;
	struct progress progress;
	int status;

	if (progress_begin(&progress, job->arguments, memories[0].array.bytes +
	    memories[1].array.bytes))
		run.progress = progress_show;
	run.progress_user = &progress;
	run.source = memories[0].array.data;
	run.source_bytes = memories[0].array.bytes;
	run.destination = memories[1].array.data;
	run.destination_bytes = memories[1].array.bytes;
	run.sizes = job->sizes;
	run.size_count = job->size_count;
	run.stats = &stats;
	status = layout_kernel_run(job->ctx, kernel, &run) ? STATUS_YES :
		report_text(job->ctx, &subject->text, "run");
	if (!status)
		status = run_write(job->arguments, memories, paths, 2, &stats);
	progress_end(&progress);
	return status;
}

static const char *size_name(void *remap, unsigned i)
{
	return layout_remap_size_name(remap, i);
}

/* Both arrays; integers that are only copied are whatever numpy calls them. */
static int open_arrays(struct job *job, layout_remap *remap, struct memory memories[2])
{
	const char *input = argument_value(job->arguments, OPTION_INPUT);
	struct memory *source = &memories[0], *destination = &memories[1];
	int status = job_open(job, memories, 2);
	bool copied = !strcmp(source->type, destination->type);

	source->counts = destination->counts = !copied;
	if (!status)
		status = memory_read(job, source, input);
	if (!status)
		status = job_check(job, size_name, remap);
	if (!status)
		status = memory_fit(job, source, input);
	return status ? status : memory_make(job, destination,
		copied ? source->array.kind : 0, layout_remap_pad_bits(remap),
		argument_value(job->arguments, OPTION_OUTPUT));
}

/* One file each. */
static int check_files(const struct arguments *arguments)
{
	unsigned inputs = 0, outputs = 0;

	for (unsigned i = 0; i < arguments->given_count; i++) {
		inputs += arguments->given[i].id == OPTION_INPUT;
		outputs += arguments->given[i].id == OPTION_OUTPUT;
	}
	if (!inputs || !outputs)
		return report(STATUS_USAGE, "run", "needs %s FILE", inputs ? "--output" :
			"--input");
	return inputs == 1 && outputs == 1 ? 0 : report(STATUS_USAGE,
		inputs > 1 ? "--input" : "--output", "is given twice");
}

static int remap_arrays(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, layout_remap *remap)
{
	struct job job = { .ctx = ctx, .arguments = arguments };
	layout_kernel_options how = LAYOUT_KERNEL_OPTIONS_INIT;
	struct memory memories[] = {
		{ "remap", "source", layout_remap_source(remap), layout_remap_type(remap),
			layout_remap_element_bits(remap), .counts = false },
		{ "remap", "destination", layout_remap_destination(remap),
			layout_remap_destination_type(remap),
			layout_remap_destination_bits(remap), .counts = false,
			.alone = true },
	};
	layout_remap *known = NULL;
	layout_kernel *kernel = NULL;
	int status = check_files(arguments);
	const char *target = status ? NULL : run_target(ctx, arguments, &status);

	if (!target)
		return status;
	status = open_arrays(&job, remap, memories);
	if (!status) {
		how.cpu = argument_value(arguments, OPTION_CPU);
		if (!strcmp(target, "host"))
			known = layout_remap_assume_short(remap, job.sizes, job.size_count);
		kernel = layout_kernel_new(known ? known : remap, target, &how);
		status = kernel ? execute(&job, subject, kernel, memories) :
			report_text(ctx, &subject->text, "run");
	}
	layout_kernel_free(kernel);
	layout_remap_free(known);
	npy_release(&memories[0].array);
	npy_release(&memories[1].array);
	job_release(&job);
	return status;
}

static int run_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	layout_remap *remap;

	if (value_program(subject->value))
		return run_program(ctx, subject, arguments);
	remap = layout_value_remap(subject->value);
	if (!remap)
		return report_text(ctx, &subject->text, "run");
	if (run_engine(arguments) == ENGINE_EVAL)
		return report(STATUS_USAGE, "--engine", "eval is for programs");
	return remap_arrays(ctx, subject, arguments, remap);
}

int run_run(const struct arguments *arguments)
{
	return with_subject(arguments, true, run_subject);
}
