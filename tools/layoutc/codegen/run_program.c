/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc run of a program: an array for each of its arguments. */
#include "files/output.h"
#include "layoutc/report.h"
#include "layoutc/codegen/run.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* The arguments in order, and the files of each. */
struct files {
	layout_program *program;
	unsigned count;
	struct memory memories[MOST];
	const char *inputs[MOST], *outputs[MOST];
};

static void find_arguments(struct files *files)
{
	layout_memory *memory;

	while (files->count < MOST &&
	       (memory = layout_program_argument_at(files->program, files->count)))
		files->memories[files->count++] = (struct memory){ "program",
			layout_memory_name(memory), layout_memory_storage(memory),
			layout_memory_type(memory), layout_memory_bits(memory),
			.counts = true };
}

/* "NAME=FILE": the argument's number, or -1 after a complaint. */
static int find_name(const struct files *files, const char *option, const char *value,
	const char **path)
{
	const char *equals = strchr(value, '=');
	size_t length = equals ? (size_t)(equals - value) : 0;

	*path = equals ? equals + 1 : NULL;
	for (unsigned i = 0; length && i < files->count; i++)
		if (strlen(files->memories[i].name) == length &&
		    !strncmp(files->memories[i].name, value, length))
			return (int)i;
	if (!length)
		report(STATUS_USAGE, option, "'%s' is not NAME=FILE", value);
	else
		report(STATUS_USAGE, option, "the program has no argument '%.*s'",
			(int)length, value);
	return -1;
}

static int take_file(struct files *files, const struct given *given)
{
	bool input = given->id == OPTION_INPUT;
	const char *option = input ? "--input" : "--output", *path;
	int i = find_name(files, option, given->value, &path);
	const char **paths = input ? files->inputs : files->outputs;
	layout_access access;

	if (i < 0)
		return STATUS_USAGE;
	access = layout_memory_access(layout_program_argument_at(files->program,
		(unsigned)i));
	if (access == (input ? LAYOUT_ACCESS_OUT : LAYOUT_ACCESS_IN))
		return report(STATUS_USAGE, option, "'%s' is %s", files->memories[i].name,
			input ? "out: it is not read" : "in: it is not written");
	if (paths[i])
		return report(STATUS_USAGE, option, "'%s' is given twice",
			files->memories[i].name);
	paths[i] = path;
	return 0;
}

/* No array is lost under another one. */
static int check_outputs(const struct files *files)
{
	for (unsigned i = 0; i < files->count; i++)
		for (unsigned k = 0; k < i; k++)
			if (files->outputs[i] && files->outputs[k] &&
			    output_is_same(files->outputs[i], files->outputs[k]))
				return report(STATUS_USAGE, "--output",
					"'%s' and '%s' go to one file",
					files->memories[k].name, files->memories[i].name);
	return 0;
}

/* Standard input is one array. */
static int check_inputs(const struct files *files)
{
	for (unsigned i = 0; i < files->count; i++)
		for (unsigned k = 0; k < i; k++)
			if (files->inputs[i] && files->inputs[k] &&
			    !strcmp(files->inputs[i], "-") && !strcmp(files->inputs[k], "-"))
				return report(STATUS_USAGE, "--input",
					"'%s' and '%s' are both standard input",
					files->memories[k].name, files->memories[i].name);
	return 0;
}

/* Every argument that is read or written has its file. */
static int take_files(struct files *files, const struct arguments *arguments)
{
	int status = 0;

	for (unsigned i = 0; i < arguments->given_count; i++) {
		const struct given *given = &arguments->given[i];

		status = given->id == OPTION_INPUT || given->id == OPTION_OUTPUT ?
			take_file(files, given) : 0;
		if (status)
			return status;
	}
	for (unsigned i = 0; i < files->count; i++) {
		layout_access access = layout_memory_access(
			layout_program_argument_at(files->program, i));
		bool input = access != LAYOUT_ACCESS_OUT;

		if ((input && !files->inputs[i]) ||
		    (access != LAYOUT_ACCESS_IN && !files->outputs[i]))
			return report(STATUS_USAGE, "run", "needs %s %s=FILE",
				input && !files->inputs[i] ? "--input" : "--output",
				files->memories[i].name);
	}
	status = check_inputs(files);
	return status ? status : check_outputs(files);
}

static const char *size_name(void *program, unsigned i)
{
	return layout_program_size_name(program, i);
}

static int open_arrays(struct job *job, struct files *files)
{
	int status = job_open(job, files->memories, files->count);

	for (unsigned i = 0; !status && i < files->count; i++)
		if (files->inputs[i])
			status = memory_read(job, &files->memories[i], files->inputs[i]);
	if (!status)
		status = job_check(job, size_name, files->program);
	for (unsigned i = 0; !status && i < files->count; i++)
		status = files->inputs[i] ?
			memory_fit(job, &files->memories[i], files->inputs[i]) :
			memory_make(job, &files->memories[i], 0, 0, files->outputs[i]);
	return status;
}

/* What is written in place is an array of our own. */
static int copy_mapped(struct files *files)
{
	for (unsigned i = 0; i < files->count; i++) {
		struct npy *array = &files->memories[i].array, copy = *array;
		struct complaint complaint;

		if (!files->inputs[i] || !files->outputs[i])
			continue;
		copy.map = NULL;
		if (!npy_allocate(&copy, &complaint))
			return report_file(files->inputs[i], &complaint);
		memcpy(copy.data, array->data, array->bytes);
		npy_release(array);
		*array = copy;
	}
	return 0;
}

/* The kernel of the program, on these buffers. */
static bool run_kernel_on(struct job *job, layout_program *program, const char *target,
	const layout_buffer_argument *buffers, unsigned count, layout_sim_stats *stats)
{
	layout_kernel_options how = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_run run = LAYOUT_RUN_INIT;
	layout_kernel *kernel;
	bool done;

	how.cpu = argument_value(job->arguments, OPTION_CPU);
	kernel = layout_kernel_new_program(program, target, &how);
	run.buffers = buffers;
	run.buffer_count = count;
	run.sizes = job->sizes;
	run.size_count = job->size_count;
	run.stats = stats;
	done = kernel && layout_kernel_run(job->ctx, kernel, &run);
	layout_kernel_free(kernel);
	return done;
}

static int compute(struct job *job, const struct subject *subject, struct files *files,
	const char *target, layout_sim_stats *stats)
{
	layout_buffer_argument buffers[MOST];
	bool done;

	for (unsigned i = 0; i < files->count; i++)
		buffers[i] = (layout_buffer_argument){ files->memories[i].name,
			files->memories[i].array.data, files->memories[i].array.bytes };
	if (run_engine(job->arguments) == ENGINE_EVAL)
		done = layout_program_eval(files->program, job->sizes, job->size_count,
			buffers, files->count);
	else
		done = run_kernel_on(job, files->program, target, buffers, files->count,
			stats);
	return done ? 0 : report_text(job->ctx, &subject->text, "run");
}

static int run_files(struct job *job, const struct subject *subject, struct files *files,
	const char *target)
{
	layout_sim_stats stats = { 0 };
	int status = take_files(files, job->arguments);

	if (!status)
		status = open_arrays(job, files);
	if (!status)
		status = copy_mapped(files);
	if (!status)
		status = compute(job, subject, files, target, &stats);
	return status ? status : run_write(job->arguments, files->memories,
		files->outputs, files->count, &stats);
}

int run_program(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	struct job job = { .ctx = ctx, .arguments = arguments };
	struct files *files = calloc(1, sizeof(*files));
	const char *target;
	int status;

	if (!files)
		return report(STATUS_UNKNOWN, "run", "no memory");
	files->program = layout_value_program(subject->value);
	find_arguments(files);
	target = run_target(ctx, arguments, &status);
	if (target)
		status = require_program(subject, files->program, "run");
	if (target && !status)
		status = run_files(&job, subject, files, target);
	for (unsigned i = 0; i < files->count; i++)
		npy_release(&files->memories[i].array);
	job_release(&job);
	free(files);
	return status;
}
