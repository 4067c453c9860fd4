/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/subject.h"
#include "layoutc/report.h"
#include "layoutc/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int subject_open(struct subject *subject, layout_context *ctx, const char *operand,
	bool or_file, const char *command)
{
	struct complaint complaint;

	*subject = (struct subject){ 0 };
	if (!text_from(&subject->text, operand, or_file, &complaint))
		return report_file(subject->text.file ? operand : command, &complaint);
	subject->value = layout_value_parse(ctx, subject->text.content);
	return subject->value ? 0 : report_text(ctx, &subject->text, command);
}

void subject_release(struct subject *subject)
{
	layout_value_free(subject->value);
	text_release(&subject->text);
}

layout_relation *value_relation(layout_value *value, const struct arguments *arguments)
{
	return layout_relation_fix(layout_value_relation(value), arguments->sizes,
		arguments->size_count);
}

layout_set *value_set(layout_value *value, const struct arguments *arguments)
{
	return layout_set_fix(layout_value_set(value), arguments->sizes,
		arguments->size_count);
}

const layout_size *find_size(const layout_size *sizes, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(sizes[i].name, name))
			return &sizes[i];
	return NULL;
}

static bool has_size(layout_value *value, const char *name)
{
	const char *size;

	for (unsigned i = 0; (size = layout_value_size_name(value, i)); i++)
		if (!strcmp(size, name))
			return true;
	return false;
}

/* A complaint where numbers for all sizes are none that a storage with these strides is for: there
 * would be no element to say anything of; else 0. */
static int check_numbers(const struct subject *subject, const struct arguments *arguments)
{
	layout_storage *storage = layout_value_storage(subject->value);
	layout_context *ctx = layout_value_context(subject->value);
	unsigned names = 0;
	int status = 0;

	while (layout_value_size_name(subject->value, names))
		names++;
	if (storage && names && names == arguments->size_count &&
	    layout_storage_elements(storage, arguments->sizes, names) < 0 &&
	    layout_context_error(ctx) == LAYOUT_ERROR_INVALID)
		status = report(STATUS_USAGE, "-D", "%s", layout_context_message(ctx));
	layout_context_clear(ctx);
	return status;
}

/* A complaint where -D names what is no size of the value; else 0. */
static int check_sizes(const struct subject *subject,
	const struct arguments *arguments)
{
	for (unsigned i = 0; i < arguments->size_count; i++)
		if (!has_size(subject->value, arguments->sizes[i].name))
			return report(STATUS_USAGE, "-D",
				"the expression has no size '%s'",
				arguments->sizes[i].name);
	return check_numbers(subject, arguments);
}

int with_statements(const struct arguments *arguments,
	int (*act)(layout_context *ctx, const struct subject *subject,
		const struct arguments *arguments))
{
	const char *command = arguments->command->name;
	layout_context *ctx = watch_context_new();
	struct subject subject = { 0 };
	struct complaint complaint;
	size_t next = 0;
	int status = ctx ? 0 : report(STATUS_UNKNOWN, command, "no memory");

	if (ctx && !text_from(&subject.text, arguments->operands[0], false, &complaint))
		status = report_file(subject.text.file ? arguments->operands[0] : command,
			&complaint);
	while (!status && (!next || subject.text.content[next])) {
		subject.text.begin = next;
		subject.value = layout_value_parse_next(ctx, subject.text.content, &next);
		status = subject.value ? check_sizes(&subject, arguments) :
			report_text(ctx, &subject.text, command);
		if (!status)
			status = act(ctx, &subject, arguments);
		layout_value_free(subject.value);
		subject.value = NULL;
	}
	subject_release(&subject);
	layout_context_free(ctx);
	return status;
}

int with_subject(const struct arguments *arguments, bool or_file,
	int (*act)(layout_context *ctx, const struct subject *subject,
		const struct arguments *arguments))
{
	const char *command = arguments->command->name;
	layout_context *ctx = watch_context_new();
	struct subject subject;
	int status;

	if (!ctx)
		return report(STATUS_UNKNOWN, command, "no memory");
	status = subject_open(&subject, ctx, arguments->operands[0], or_file, command);
	if (!status)
		status = check_sizes(&subject, arguments);
	if (!status)
		status = act(ctx, &subject, arguments);
	subject_release(&subject);
	layout_context_free(ctx);
	return status;
}

/* "REASON: WITNESS", where it is. */
static int report_denied(const struct text *text, layout_program *program,
	const char *reason, const layout_witness *witness, const char *command)
{
	char *message = NULL;
	int status;

	if (asprintf(&message, "%s%s%s", reason, witness ? ": " : "",
		witness ? witness->text : "") < 0)
		return report(STATUS_UNKNOWN, command, "no memory");
	status = report_place(STATUS_USAGE, text, layout_program_denied_at(program), message);
	free(message);
	return status;
}

int require_program(const struct subject *subject, layout_program *program,
	const char *command)
{
	layout_context *ctx = layout_program_context(program);
	layout_witness *witness;
	char *reason;
	layout_answer answer = layout_program_verify(program, &reason, &witness);
	int status = 0;

	if (answer == LAYOUT_UNKNOWN)
		status = report_text(ctx, &subject->text, command);
	else if (answer == LAYOUT_NO)
		status = report_denied(&subject->text, program, reason, witness, command);
	layout_witness_free(witness);
	layout_string_free(reason);
	return status;
}

layout_tiling_target *open_tiling_target(layout_context *ctx, const char *value, int *status)
{
	layout_tiling_target *target = NULL;
	struct complaint complaint;
	struct text text;

	if (text_from(&text, value, false, &complaint)) {
		target = layout_tiling_target_parse(ctx, text.content);
		*status = target ? 0 : report_text(ctx, &text, "--target");
	} else {
		*status = report_file(value, &complaint);
	}
	text_release(&text);
	return target;
}
