/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc kernel */
#include "files/output.h"
#include "layoutc/report.h"
#include "layoutc/subject.h"

#include <layout/codegen.h>
#include <stdlib.h>
#include <string.h>

/* A power of two that "element" divides, or 0 after a complaint. */
static unsigned read_align(const char *text, unsigned element)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || end == text || *text == '-' || !value || value & (value - 1) ||
		value > 1u << 30) {
		report(STATUS_USAGE, "--base-align", "'%s' is not a power of two", text);
		return 0;
	}
	if (value < element) {
		report(STATUS_USAGE, "--base-align",
			"%lu is less than an element's %u bytes", value, element);
		return 0;
	}
	return value;
}

static bool read_options(const struct arguments *arguments, layout_remap *remap,
	layout_kernel_options *kernel)
{
	const char *align = argument_value(arguments, OPTION_BASE_ALIGN);

	kernel->code_object = 5 + argument_choice(arguments, OPTION_CODE_OBJECT, 0);
	if (!align)
		return true;
	kernel->base_align = read_align(align, layout_remap_element_bytes(remap));
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
	int what = argument_choice(arguments, OPTION_EMIT, 0);
	bool is_text = what != LAYOUT_EMIT_OBJ && what != LAYOUT_EMIT_HSACO;
	bool open_line = is_text && (!length || bytes[length - 1] != '\n');
	struct complaint complaint;

	path = path ? path : "-";
	if (!output_write(path, pieces, open_line ? 2 : 1, &complaint))
		return report_file(path, &complaint);
	return STATUS_YES;
}

static int emit(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const layout_kernel *kernel)
{
	size_t length;
	char *bytes = layout_kernel_emit(ctx, kernel,
		argument_choice(arguments, OPTION_EMIT, 0), arguments->sizes,
		arguments->size_count, &length);
	int status;

	if (!bytes)
		return report_text(ctx, &subject->text, "kernel");
	status = write_output(arguments, bytes, length);
	layout_string_free(bytes);
	return status;
}

static int compile(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	layout_kernel_options kernel_options = LAYOUT_KERNEL_OPTIONS_INIT;
	const char *target = argument_value(arguments, OPTION_TARGET);
	layout_remap *remap = layout_value_remap(subject->value);
	layout_kernel *kernel;
	int status;

	if (!remap)
		return report_text(ctx, &subject->text, "kernel");
	if (!layout_target_find(ctx, target))
		return report_error(ctx, "--target");
	if (!read_options(arguments, remap, &kernel_options))
		return STATUS_USAGE;
	remap = assume(ctx, layout_remap_copy(remap), arguments);
	if (!remap)
		return status_of_error(ctx);
	kernel = layout_kernel_new(remap, target, &kernel_options);
	status = kernel ? emit(ctx, subject, arguments, kernel) :
		report_text(ctx, &subject->text, "kernel");
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	return status;
}

int run_kernel(const struct arguments *arguments)
{
	return with_subject(arguments, true, compile);
}
