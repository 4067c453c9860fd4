/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc resolve */
#include "layoutc/json.h"
#include "layoutc/report.h"
#include "layoutc/subject.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <stdlib.h>

/* The repetitions under their names, in the order in which they are printed. */
#define REPEATS 6
struct repeat {
	const char *name;
	int64_t count;
};

/* The operands whose lanes hold the repetitions of one dimension. */
#define INTERLEAVES 3
struct interleave {
	const char *name;
	unsigned operands;
};

static void list_repeats(const layout_tiled_mma *mma, struct repeat repeats[REPEATS],
	struct interleave interleaves[INTERLEAVES])
{
	const struct repeat counts[REPEATS] = {
		{ "intrinsics_m", mma->intrinsics_m },
		{ "subgroups_m", mma->subgroups_m },
		{ "intrinsics_n", mma->intrinsics_n },
		{ "subgroups_n", mma->subgroups_n },
		{ "intrinsics_k", mma->intrinsics_k },
		{ "subgroups_k", mma->subgroups_k },
	};

	for (unsigned i = 0; i < REPEATS; i++)
		repeats[i] = counts[i];
	interleaves[0] = (struct interleave){ "interleave_m", mma->interleave_m };
	interleaves[1] = (struct interleave){ "interleave_n", mma->interleave_n };
	interleaves[2] = (struct interleave){ "interleave_k", mma->interleave_k };
}

/* "[0, 1]" */
static void print_operands(unsigned operands)
{
	const char *separator = "";

	putchar('[');
	for (unsigned i = 0; i < LAYOUT_OPERANDS; i++)
		if (operands >> i & 1) {
			printf("%s%u", separator, i);
			separator = ", ";
		}
	putchar(']');
}

static void print_mma(const layout_tiled_mma *mma)
{
	struct interleave interleaves[INTERLEAVES];
	struct repeat repeats[REPEATS];

	list_repeats(mma, repeats, interleaves);
	printf("%s", mma->instruction);
	for (unsigned i = 0; i < REPEATS; i++)
		printf(", %s = %" PRId64, repeats[i].name, repeats[i].count);
	for (unsigned i = 0; i < INTERLEAVES; i++) {
		if (!interleaves[i].operands)
			continue;
		printf(", %s = ", interleaves[i].name);
		print_operands(interleaves[i].operands);
	}
	putchar('\n');
}

static int print_text(layout_context *ctx, layout_resolution *resolution, char *why)
{
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	char *text = layout_encoding_str(encoding);

	layout_encoding_free(encoding);
	if (!text)
		return report_error(ctx, "resolve");
	puts(text);
	layout_string_free(text);
	if (layout_resolution_mma(resolution))
		print_mma(layout_resolution_mma(resolution));
	if (layout_resolution_note(resolution))
		printf("the tensor stays as it is: %s\n",
			layout_resolution_note(resolution));
	if (why)
		printf("\n%s", why);
	return STATUS_YES;
}

/* ["CrossThread", 2, 2], the factor only where there is one. */
static void json_dim(const layout_encoding_dim *dim)
{
	static const char *const kinds[] = {
		[LAYOUT_DIM_INTERNAL] = "Internal",
		[LAYOUT_DIM_CROSS_THREAD] = "CrossThread",
		[LAYOUT_DIM_CROSS_INTRINSIC] = "CrossIntrinsic",
	};

	printf("[\"%s\", %" PRId64, kinds[dim->kind], dim->size);
	if (dim->factor > 1)
		printf(", %" PRId64, dim->factor);
	putchar(']');
}

static void json_groups(const layout_encoding_desc *desc)
{
	const layout_encoding_dim *dim = desc->dims;

	putchar('[');
	for (unsigned i = 0; i < desc->inner_count; i++) {
		fputs(i ? ", [" : "[", stdout);
		for (unsigned k = 0; k < desc->group_sizes[i]; k++) {
			fputs(k ? ", " : "", stdout);
			json_dim(dim++);
		}
		putchar(']');
	}
	putchar(']');
}

/* The entries of a list that are of the tensor's dimensions. */
static void json_tiled(const char *name, const layout_encoding_desc *desc,
	const int64_t *list)
{
	const char *separator = "";

	printf("\"%s\": [", name);
	for (unsigned i = 0; i < desc->inner_count; i++) {
		if (desc->inner_dims_pos[i] == LAYOUT_NO_DIM)
			continue;
		printf("%s%" PRId64, separator, list[i]);
		separator = ", ";
	}
	fputs("], ", stdout);
}

/* The groups of expand_shape that are of no dimension; nothing where there is none. */
static void json_units(const layout_encoding_desc *desc)
{
	const char *separator = "\"unit_groups\": [", *end = "";

	for (unsigned i = 0; i < desc->inner_count; i++) {
		if (desc->inner_dims_pos[i] != LAYOUT_NO_DIM)
			continue;
		printf("%s%u", separator, i);
		separator = ", ";
		end = "], ";
	}
	fputs(end, stdout);
}

/* A list that need not be there. */
static void json_list(const char *name, const int64_t *list, unsigned count)
{
	printf("\"%s\": ", name);
	if (list)
		json_ints(stdout, list, count);
	else
		fputs("null", stdout);
}

static void json_encoding(const layout_encoding_desc *desc)
{
	json_tiled("inner_dims_pos", desc, desc->inner_dims_pos);
	json_tiled("inner_tiles", desc, desc->inner_tiles);
	json_list("outer_dims_perm", desc->outer_dims_perm, desc->outer_count);
	fputs(", ", stdout);
	json_units(desc);
	fputs("\"expand_shape\": ", stdout);
	if (desc->group_sizes)
		json_groups(desc);
	else
		fputs("null", stdout);
	fputs(", ", stdout);
	json_list("permutation", desc->permutation, desc->dim_count);
}

static void json_mma(const layout_tiled_mma *mma)
{
	static const layout_tiled_mma none;
	struct interleave interleaves[INTERLEAVES];
	struct repeat repeats[REPEATS];

	list_repeats(mma ? mma : &none, repeats, interleaves);
	fputs(", \"intrinsic\": ", stdout);
	if (mma)
		json_str(stdout, mma->instruction);
	else
		fputs("null", stdout);
	for (unsigned i = 0; i < REPEATS; i++)
		if (mma)
			printf(", \"%s\": %" PRId64, repeats[i].name, repeats[i].count);
		else
			printf(", \"%s\": null", repeats[i].name);
	for (unsigned i = 0; i < INTERLEAVES; i++) {
		printf(", \"%s\": ", interleaves[i].name);
		if (mma)
			print_operands(interleaves[i].operands);
		else
			fputs("null", stdout);
	}
}

static int print_json(layout_resolution *resolution, const char *why)
{
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	const char *note = layout_resolution_note(resolution);

	if (!layout_encoding_describe(encoding, &desc))
		return report(STATUS_UNKNOWN, "resolve", "no memory");
	putchar('{');
	json_encoding(&desc);
	json_mma(layout_resolution_mma(resolution));
	if (note) {
		fputs(", \"note\": ", stdout);
		json_str(stdout, note);
	}
	if (why) {
		fputs(", \"explanation\": ", stdout);
		json_str(stdout, why);
	}
	puts("}");
	layout_encoding_free(encoding);
	return STATUS_YES;
}

/* The product's tile as an attribute. */
static int print_mlir(layout_context *ctx, layout_resolution *resolution)
{
	const layout_tiled_mma *mma = layout_resolution_mma(resolution);
	char *text = mma ? layout_tiled_mma_str(ctx, mma) : NULL;

	if (!mma)
		return report(STATUS_NO, "resolve", "no matrix instruction: %s",
			layout_resolution_note(resolution) ?
			layout_resolution_note(resolution) : "a CPU's tile has none");
	if (!text)
		return report_error(ctx, "resolve");
	puts(text);
	layout_string_free(text);
	return STATUS_YES;
}

static int print_resolution(layout_context *ctx, layout_resolution *resolution,
	const struct arguments *arguments)
{
	bool wanted = argument_given(arguments, OPTION_WHY);
	char *why = wanted ? layout_resolution_explain(resolution) : NULL;
	int status;

	if (wanted && !why)
		return report_error(ctx, "resolve");
	if (argument_choice(arguments, OPTION_RESOLVE_FORMAT, 0) == 2) {
		layout_string_free(why);
		return print_mlir(ctx, resolution);
	}
	status = argument_choice(arguments, OPTION_RESOLVE_FORMAT, 0) == 1 ?
		print_json(resolution, why) : print_text(ctx, resolution, why);
	layout_string_free(why);
	return status;
}

/* For one target, with its name where there are others. */
static int resolve_for(layout_context *ctx, layout_operand *operand,
	const layout_tiling_target *target, bool named, const struct arguments *arguments)
{
	layout_resolve_options wanted = LAYOUT_RESOLVE_OPTIONS_INIT;
	layout_resolution *resolution;
	int status;

	if (named)
		printf("on %s:\n", target->name);
	wanted.resolver = (layout_resolver)argument_choice(arguments, OPTION_RESOLVER, 0);
	wanted.missing = (layout_missing)argument_choice(arguments, OPTION_MISSING, 0);
	resolution = layout_encoding_resolve_as(operand, target, &wanted);
	status = resolution ? print_resolution(ctx, resolution, arguments) :
		report_error(ctx, "resolve");
	layout_resolution_free(resolution);
	return status;
}

/* For each of the devices' targets; JSON is a list of them where there are several. */
static int resolve_for_all(layout_context *ctx, layout_operand *operand,
	const struct text *targets, const struct arguments *arguments)
{
	layout_tiling_target *target = layout_tiling_target_parse_at(ctx, targets->content, 0);
	layout_tiling_target *next;
	bool json = argument_choice(arguments, OPTION_RESOLVE_FORMAT, 0) == 1, several;
	int status = STATUS_YES;

	if (!target)
		return report_text(ctx, targets, "--target");
	next = layout_tiling_target_parse_at(ctx, targets->content, 1);
	several = next;
	for (unsigned i = 1; target && status == STATUS_YES; i++) {
		if (several && json)
			fputs(i == 1 ? "[" : ", ", stdout);
		status = resolve_for(ctx, operand, target, several && !json, arguments);
		layout_tiling_target_free(target);
		target = next;
		next = target ? layout_tiling_target_parse_at(ctx, targets->content, i + 1) :
			NULL;
	}
	if (several && json)
		puts("]");
	layout_tiling_target_free(target);
	layout_tiling_target_free(next);
	return status;
}

static int resolve(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	const char *value = argument_value(arguments, OPTION_ROW);
	layout_operand *operand = layout_value_operand(subject->value);
	struct complaint complaint;
	struct text targets;
	int status;

	if (!operand)
		return report_text(ctx, &subject->text, "resolve");
	if (text_from(&targets, value, false, &complaint))
		status = resolve_for_all(ctx, operand, &targets, arguments);
	else
		status = report_file(value, &complaint);
	text_release(&targets);
	return status;
}

int run_resolve(const struct arguments *arguments)
{
	return with_subject(arguments, true, resolve);
}
