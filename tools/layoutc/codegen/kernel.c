/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc kernel */
#include "files/output.h"
#include "layoutc/codegen/run.h"
#include "layoutc/kind.h"
#include "layoutc/report.h"
#include "layoutc/subject.h"

#include <layout/codegen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the words of --emit mean, and what is printed without. */
static layout_emit emit_what(const struct arguments *arguments)
{
	static const layout_emit emits[] = { LAYOUT_EMIT_ISL, LAYOUT_EMIT_AST,
		LAYOUT_EMIT_LLVM, LAYOUT_EMIT_ASM, LAYOUT_EMIT_OBJ, LAYOUT_EMIT_HSACO,
		LAYOUT_EMIT_JSON, LAYOUT_EMIT_PROGRAM };
	int choice = argument_choice(arguments, OPTION_EMIT, -1);

	return choice < 0 ? LAYOUT_EMIT_EXPLAIN : emits[choice];
}

/* A power of two that "element" divides, or 0 after a complaint. */
static unsigned read_align(const char *text, unsigned element)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || end == text || *text == '-' || !value || value & (value - 1)) {
		report(STATUS_USAGE, "--base-align", "'%s' is not a power of two", text);
		return 0;
	}
	if (value > 1u << 30) {
		report(STATUS_USAGE, "--base-align", "%s is more than %u bytes", text,
			1u << 30);
		return 0;
	}
	if (value < element) {
		report(STATUS_USAGE, "--base-align",
			"%lu is less than an element's %u bytes", value, element);
		return 0;
	}
	return value;
}

/* Of an element, where one has more than the others. */
static unsigned widest_bytes(layout_value *value)
{
	layout_program *program = value_program(value);
	layout_remap *remap;
	layout_memory *memory;
	unsigned most = 0, bits;

	if (program) {
		for (unsigned i = 0; (memory = layout_program_argument_at(program, i)); i++) {
			bits = layout_memory_bits(memory);
			most = bits > most ? bits : most;
		}
	} else {
		remap = layout_value_remap(value);
		most = layout_remap_element_bits(remap);
		bits = layout_remap_destination_bits(remap);
		most = bits > most ? bits : most;
	}
	return (most + 7) / 8;
}

static bool read_options(const struct arguments *arguments, layout_value *value,
	layout_kernel_options *kernel)
{
	const char *align = argument_value(arguments, OPTION_BASE_ALIGN);

	kernel->code_object = 5 + argument_choice(arguments, OPTION_CODE_OBJECT, 0);
	kernel->cpu = argument_value(arguments, OPTION_CPU);
	kernel->through_lds = argument_given(arguments, OPTION_THROUGH_LDS);
	if (!align)
		return true;
	kernel->base_align = read_align(align, widest_bytes(value));
	return kernel->base_align;
}

/* Narrow the remap by every --assume; NULL after a complaint. */
static layout_remap *assume(layout_context *ctx, layout_remap *remap,
	const struct arguments *arguments)
{
	for (unsigned i = 0; remap && i < arguments->given_count; i++) {
		const char *condition = arguments->given[i].value;

		if (arguments->given[i].id != OPTION_ASSUME)
			continue;
		remap = layout_remap_assume(remap, condition);
		if (!remap) {
			struct text text = { NULL, (char *)condition };

			report_text(ctx, &text, "--assume");
		}
	}
	return remap;
}

static int write_output(const struct arguments *arguments, const char *bytes,
	size_t length)
{
	const char *path = argument_value(arguments, OPTION_FILE);
	struct piece pieces[] = { { bytes, length }, { "\n", 1 } };
	layout_emit what = emit_what(arguments);
	bool is_text = what != LAYOUT_EMIT_OBJ && what != LAYOUT_EMIT_HSACO;
	bool open_line = is_text && (!length || bytes[length - 1] != '\n');
	struct complaint complaint;

	path = path ? path : "-";
	if (!output_write(path, pieces, open_line ? 2 : 1, &complaint))
		return report_file(path, &complaint);
	return STATUS_YES;
}

/* The explanation: all that there is to say, or beside what is emitted. */
static int explain(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const layout_kernel *kernel)
{
	bool alone = !argument_given(arguments, OPTION_EMIT);
	size_t length;
	char *text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0,
		&length);
	int status = STATUS_YES;

	if (!text)
		return report_text(ctx, &subject->text, "kernel");
	if (alone)
		status = write_output(arguments, text, length);
	else
		fputs(text, stderr);
	layout_string_free(text);
	return status;
}

static int emit_kernel(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const layout_kernel *kernel)
{
	size_t length;
	char *bytes = layout_kernel_emit(ctx, kernel, emit_what(arguments),
		arguments->sizes, arguments->size_count, &length);
	int status;

	if (!bytes)
		return report_text(ctx, &subject->text, "kernel");
	status = write_output(arguments, bytes, length);
	layout_string_free(bytes);
	return status;
}

static int emit(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const layout_kernel *kernel)
{
	int status = STATUS_YES;

	if (argument_given(arguments, OPTION_EXPLAIN) ||
	    !argument_given(arguments, OPTION_EMIT))
		status = explain(ctx, subject, arguments, kernel);
	if (status || !argument_given(arguments, OPTION_EMIT))
		return status;
	return emit_kernel(ctx, subject, arguments, kernel);
}

/* The relation of --owner, if that is given; 0, or the exit status after a complaint. */
static int read_owner(layout_context *ctx, const struct arguments *arguments,
	layout_relation **owner)
{
	const char *given = argument_value(arguments, OPTION_OWNER);
	struct subject subject = { 0 };
	int status = given ? subject_open(&subject, ctx, given, false, "--owner") : 0;

	*owner = subject.value ? layout_value_relation(subject.value) : NULL;
	if (!status && given && !*owner)
		status = report_text(ctx, &subject.text, "--owner");
	subject_release(&subject);
	return status;
}

/* The kernel, first without the owner: what then is wrong with it is not said of the
 * remap.  NULL after a complaint. */
static layout_kernel *make_kernel(const struct subject *subject, layout_remap *remap,
	const char *target, const layout_kernel_options *given)
{
	layout_context *ctx = layout_remap_context(remap);
	layout_kernel_options found = *given;
	layout_kernel *kernel;

	found.owner = NULL;
	kernel = layout_kernel_new(remap, target, &found);
	if (!kernel)
		report_text(ctx, &subject->text, "kernel");
	if (!kernel || !given->owner)
		return kernel;
	layout_kernel_free(kernel);
	kernel = layout_kernel_new(remap, target, given);
	if (!kernel)
		report_error(ctx, "--owner");
	return kernel;
}

/* Owners are written in a program, and what its sizes satisfy can be. */
static bool check_program(const struct arguments *arguments, layout_context *ctx,
	layout_program *program)
{
	const char *option = argument_given(arguments, OPTION_OWNER) ? "--owner" :
		argument_given(arguments, OPTION_THROUGH_LDS) ? "--through-lds" : NULL;

	if (option)
		report(STATUS_USAGE, option, "is for remaps");
	for (unsigned i = 0; !option && i < arguments->given_count; i++) {
		struct text text = { NULL, (char *)arguments->given[i].value };

		if (arguments->given[i].id != OPTION_ASSUME ||
		    layout_program_assume(program, text.content))
			continue;
		report_text(ctx, &text, "--assume");
		return false;
	}
	return !option;
}

/* The target named, or the usual one where nothing is emitted of it; NULL after a
 * complaint. */
static const char *find_target(const struct arguments *arguments)
{
	const char *target = argument_value(arguments, OPTION_TARGET);

	if (!target && argument_given(arguments, OPTION_EMIT))
		report(STATUS_USAGE, "kernel", "needs --target GPU|host to emit");
	return target || argument_given(arguments, OPTION_EMIT) ? target : USUAL_GPU;
}

static int compile_program(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const char *target, layout_program *program)
{
	layout_kernel_options given = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;
	int status;

	if (!read_options(arguments, subject->value, &given) ||
	    !check_program(arguments, ctx, program))
		return STATUS_USAGE;
	status = require_program(subject, program, "kernel");
	if (status)
		return status;
	kernel = layout_kernel_new_program(program, target, &given);
	status = kernel ? emit(ctx, subject, arguments, kernel) :
		report_text(ctx, &subject->text, "kernel");
	layout_kernel_free(kernel);
	return status;
}

/* A remap as the program that does the same. */
static int compile_as_program(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const char *target, layout_remap *remap)
{
	layout_program *program = layout_program_new_remap(remap);
	int status = program ? compile_program(ctx, subject, arguments, target, program) :
		report_text(ctx, &subject->text, "kernel");

	layout_program_free(program);
	return status;
}

static int compile_remap(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const char *target, layout_remap *remap)
{
	layout_kernel_options kernel_options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;
	int status;

	if (!read_options(arguments, subject->value, &kernel_options))
		return STATUS_USAGE;
	status = read_owner(ctx, arguments, &kernel_options.owner);
	if (status)
		return status;
	remap = assume(ctx, layout_remap_copy(remap), arguments);
	kernel = remap ? make_kernel(subject, remap, target, &kernel_options) : NULL;
	status = kernel ? emit(ctx, subject, arguments, kernel) :
		(int)status_of_error(ctx);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	layout_relation_free(kernel_options.owner);
	return status;
}

static int compile(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	const char *target = find_target(arguments);
	bool is_program = value_program(subject->value);
	layout_remap *remap = is_program ? NULL : layout_value_remap(subject->value);

	if (!target)
		return STATUS_USAGE;
	if (!is_program && !remap)
		return report_text(ctx, &subject->text, "kernel");
	if (!layout_target_find(ctx, target))
		return report_error(ctx, "--target");
	if (is_program)
		return compile_program(ctx, subject, arguments, target,
			layout_value_program(subject->value));
	return (emit_what(arguments) == LAYOUT_EMIT_PROGRAM ? compile_as_program :
		compile_remap)(ctx, subject, arguments, target, remap);
}

int run_kernel(const struct arguments *arguments)
{
	return with_subject(arguments, true, compile);
}
