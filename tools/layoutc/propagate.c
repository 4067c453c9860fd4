/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc propagate */
#include "layoutc/json.h"
#include "layoutc/kind.h"
#include "layoutc/report.h"
#include "layoutc/subject.h"

#include <layout/layout.h>
#include <layout/propagate.h>

#include <stdlib.h>

/* Prints as MLIR does; consumes the relation. */
static char *map_str(layout_relation *map)
{
	char *text = layout_relation_affine_map_str(map);

	layout_relation_free(map);
	return text;
}

/* An operand, or what the indices are, as a line or a member. */
static bool print_operand(FILE *out, layout_propagation *propagation, unsigned i, bool json)
{
	layout_encoding *encoding = layout_propagation_encoding(propagation, i);
	char *text = layout_encoding_str(encoding);
	char *map = map_str(layout_propagation_map(propagation, i));
	bool good = text && map;

	if (good && json) {
		fprintf(out, "%s{\"encoding\": ", i ? ", " : "");
		json_str(out, text);
		fputs(", \"map\": ", out);
		json_str(out, map);
		fputc('}', out);
	} else if (good) {
		fprintf(out, "operand %u: %s\n    %s\n", i, text, map);
	}
	layout_string_free(text);
	layout_string_free(map);
	layout_encoding_free(encoding);
	return good;
}

static bool print_all(FILE *out, layout_propagation *propagation, bool json)
{
	char *index = map_str(layout_propagation_index(propagation));
	bool good = index;

	if (json)
		fprintf(out, "{\"loops\": %u, \"operands\": [",
			layout_propagation_loops(propagation));
	for (unsigned i = 0; good && i < layout_propagation_operands(propagation); i++)
		good = print_operand(out, propagation, i, json);
	fputs(json ? "], \"index\": " : "index: ", out);
	if (good && json)
		json_str(out, index);
	else if (good)
		fputs(index, out);
	fputs(json ? "}\n" : "\n", out);
	layout_string_free(index);
	return good;
}

/* Print all or nothing. */
static int print(layout_context *ctx, layout_propagation *propagation, bool json)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	bool good = out && print_all(out, propagation, json);

	good = out && !fclose(out) && good;
	if (good)
		fputs(text, stdout);
	free(text);
	return good ? STATUS_YES : report_error(ctx, "propagate");
}

/* The encoding that the subject is, or that the target has for it. */
static int find_encoding(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, layout_encoding **encoding)
{
	const char *name = argument_value(arguments, OPTION_OPERAND_ROW);
	layout_operand *operand = value_operand(subject->value);
	layout_tiling_target *target;
	layout_resolution *resolution;
	int status;

	if (!operand) {
		*encoding = layout_value_encoding(subject->value);
		return *encoding ? 0 : report_text(ctx, &subject->text, "propagate");
	}
	if (!name)
		return report(STATUS_USAGE, "propagate",
			"the encoding of an operand needs --target");
	target = open_tiling_target(ctx, name, &status);
	if (!target)
		return status;
	resolution = layout_encoding_resolve(operand, target,
		LAYOUT_RESOLVER_DATA_TILING);
	*encoding = layout_resolution_encoding(resolution);
	layout_resolution_free(resolution);
	layout_tiling_target_free(target);
	return *encoding ? 0 : report_error(ctx, "propagate");
}

static int find_operand(const struct arguments *arguments, unsigned *operand)
{
	const char *text = argument_value(arguments, OPTION_OPERAND);
	char *end;
	unsigned long value = text ? strtoul(text, &end, 10) : 0;

	if (text && (*text < '0' || *text > '9' || *end || value > 4096))
		return report(STATUS_USAGE, "--operand", "'%s' is not 0 .. 4096", text);
	*operand = (unsigned)value;
	return 0;
}

static int propagate(layout_context *ctx, layout_encoding *encoding,
	const struct arguments *arguments)
{
	struct complaint complaint;
	layout_propagation *propagation;
	struct text text;
	unsigned operand = 0;
	int status = find_operand(arguments, &operand);

	if (status)
		return status;
	if (!text_from(&text, arguments->operands[1], true, &complaint))
		return report_file(arguments->operands[1], &complaint);
	propagation = layout_encoding_propagate_text(encoding, text.content, operand);
	status = propagation ? print(ctx, propagation,
			argument_choice(arguments, OPTION_ANSWER_FORMAT, 0)) :
		report_text(ctx, &text, "propagate");
	layout_propagation_free(propagation);
	text_release(&text);
	return status;
}

static int act(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	layout_encoding *encoding = NULL;
	int status = find_encoding(ctx, subject, arguments, &encoding);

	if (!status)
		status = propagate(ctx, encoding, arguments);
	if (value_operand(subject->value))
		layout_encoding_free(encoding);
	return status;
}

int run_propagate(const struct arguments *arguments)
{
	return with_subject(arguments, true, act);
}
