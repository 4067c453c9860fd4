/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc specialize */
#include "layoutc/arguments.h"
#include "layoutc/report.h"
#include "layoutc/text.h"
#include "layoutc/watch.h"

#include <layout/layout.h>
#include <layout/specialize.h>

#include <stdlib.h>

/* The tensor as the device has it; "resolution" is NULL where it has no encoding. */
static layout_storage *storage_of(layout_context *ctx, const layout_stream_size *size,
	layout_resolution *resolution)
{
	if (!size->operand.encoding)
		return layout_storage_row_major(ctx, size->rank, size->operand.sizes);
	return layout_storage_packed(layout_resolution_encoding(resolution), size->rank,
		size->operand.sizes);
}

/* "size on @a: 4*8*ceil(M/8)*K bytes, encoding_info<..>" */
static bool print_size(FILE *out, layout_context *ctx, const layout_stream_size *size,
	layout_resolver resolver)
{
	layout_resolution *resolution = size->operand.encoding ? layout_encoding_resolve(
		size->operand.encoding, size->target, resolver) : NULL;
	layout_storage *storage = storage_of(ctx, size, resolution);
	char *bytes = layout_storage_byte_count(storage, size->operand.type);
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	char *text = layout_encoding_str(encoding);
	bool good = bytes && (text || !size->operand.encoding);

	if (good)
		fprintf(out, "size on @%s: %s bytes, %s\n", size->device, bytes,
			text ? text : "row-major");
	layout_string_free(text);
	layout_string_free(bytes);
	layout_encoding_free(encoding);
	layout_storage_free(storage);
	layout_resolution_free(resolution);
	return good;
}

static bool print_layouts(FILE *out, layout_specialization *program)
{
	layout_encoding *layout;

	for (unsigned i = 0; (layout = layout_specialization_layout(program, i)); i++) {
		char *text = layout_encoding_str(layout);

		if (!text)
			return false;
		fprintf(out, "layout %u: %s\n", i, text);
		layout_string_free(text);
	}
	return true;
}

static void print_variants(FILE *out, layout_specialization *program)
{
	const layout_variant *variant;

	for (unsigned i = 0; (variant = layout_specialization_variant(program, i)); i++) {
		fprintf(out, "kernel %s for %s:", variant->name, variant->processor);
		for (unsigned k = 0; k < variant->operand_count; k++)
			if (variant->layouts[k] == LAYOUT_PLAIN)
				fputs(k ? ", row-major" : " row-major", out);
			else
				fprintf(out, "%s layout %u", k ? "," : "",
					variant->layouts[k]);
		fputc('\n', out);
	}
}

/* A relayout, as an expression that "layoutc kernel" takes. */
static bool print_relayouts(FILE *out, layout_specialization *program)
{
	const layout_relayout *relayout;

	for (unsigned i = 0; (relayout = layout_specialization_relayout(program, i)); i++) {
		char *text = layout_remap_str(relayout->remap);

		if (!text)
			return false;
		fprintf(out, "kernel %s for %s: %s\n", relayout->name,
			relayout->processor, text);
		for (unsigned k = 0; k < relayout->use_count; k++)
			fprintf(out, "    before dispatch %u, for tensor %u\n",
				relayout->uses[k].dispatch, relayout->uses[k].operand);
		layout_string_free(text);
	}
	return true;
}

static bool print_all(FILE *out, layout_context *ctx, layout_stream *stream,
	layout_specialization *program, layout_resolver resolver)
{
	const layout_stream_size *size;
	const char *device;
	bool good = print_layouts(out, program);

	for (unsigned i = 0; good && (device = layout_stream_device(stream, i)); i++)
		fprintf(out, "dispatch %u on @%s: %s\n", i, device,
			layout_specialization_variant_of(program, i)->name);
	print_variants(out, program);
	good = good && print_relayouts(out, program);
	for (unsigned i = 0; good && (size = layout_stream_size_at(stream, i)); i++)
		good = print_size(out, ctx, size, resolver);
	return good;
}

/* Print all or nothing. */
static int print(layout_context *ctx, layout_stream *stream, layout_specialization *program,
	layout_resolver resolver)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	bool good = out && print_all(out, ctx, stream, program, resolver);

	good = out && !fclose(out) && good;
	if (good)
		fputs(text, stdout);
	free(text);
	return good ? STATUS_YES : report_error(ctx, "specialize");
}

static int specialize(layout_context *ctx, const struct text *text,
	layout_resolver resolver)
{
	layout_stream *stream = layout_stream_parse(ctx, text->content);
	layout_specialization *program;
	const layout_dispatch *dispatches;
	unsigned count;
	int status;

	if (!stream)
		return report_text(ctx, text, "specialize");
	dispatches = layout_stream_dispatches(stream, &count);
	program = layout_specialize(ctx, dispatches, count, resolver);
	status = program ? print(ctx, stream, program, resolver) :
		report_error(ctx, "specialize");
	layout_specialization_free(program);
	layout_stream_free(stream);
	return status;
}

int run_specialize(const struct arguments *arguments)
{
	layout_resolver resolver = (layout_resolver)argument_choice(arguments,
		OPTION_RESOLVER, 0);
	layout_context *ctx = watch_context_new();
	struct complaint complaint;
	struct text text;
	int status;

	if (!ctx)
		return report(STATUS_UNKNOWN, "specialize", "no memory");
	if (!text_from(&text, arguments->operands[0], true, &complaint)) {
		layout_context_free(ctx);
		return report_file(arguments->operands[0], &complaint);
	}
	status = specialize(ctx, &text, resolver);
	text_release(&text);
	layout_context_free(ctx);
	return status;
}
