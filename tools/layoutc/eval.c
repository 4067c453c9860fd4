/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc eval */
#include "files/open.h"
#include "layoutc/actions.h"
#include "layoutc/definitions.h"
#include "layoutc/describe.h"
#include "layoutc/hold.h"
#include "layoutc/kind.h"
#include "layoutc/points.h"
#include "layoutc/report.h"
#include "layoutc/table.h"
#include "layoutc/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_ISL, FORMAT_MLIR };

static char *relation_str(layout_value *value, const struct arguments *arguments,
	char *(*str)(layout_relation *))
{
	layout_relation *relation = value_relation(value, arguments);
	char *text = str(relation);

	layout_relation_free(relation);
	return text;
}

static char *set_str(layout_value *value, const struct arguments *arguments)
{
	layout_set *set = value_set(value, arguments);
	char *text = layout_set_str(set);

	layout_set_free(set);
	return text;
}

/* A notation has no place for the numbers of -D: isl's has. */
static char *value_str(layout_value *value, const struct arguments *arguments,
	enum format format)
{
	const struct kind *kind = kind_of(value);

	if (format == FORMAT_MLIR && !arguments->size_count && kind->mlir)
		return kind->mlir(value, arguments);
	if (format == FORMAT_MLIR)
		return relation_str(value, arguments, layout_relation_affine_map_str);
	if (format == FORMAT_TEXT && !arguments->size_count)
		return layout_value_str(value);
	return kind->is_set ? set_str(value, arguments) :
		relation_str(value, arguments, layout_relation_str);
}

/* Text on one line: that of MLIR has several, which are white space to it. */
static void print_joined(FILE *out, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		fwrite(text, 1, length, out);
		text += length;
		text += strspn(text, "\n ");
		if (*text)
			putc(' ', out);
	}
}

/* Print the value and end the line.  False on an error. */
static bool print_value(FILE *out, layout_context *ctx, layout_value *value,
	const struct arguments *arguments, enum points_form form)
{
	enum format format = argument_choice(arguments, OPTION_FORMAT, FORMAT_TEXT);
	char *text;

	if (format == FORMAT_JSON) {
		bool good = describe(out, ctx, value, arguments);

		fputs(good && form == POINTS_LINES ? "\n" : "", out);
		return good;
	}
	if (argument_given(arguments, OPTION_VALUES) && !kind_of(value)->is_number)
		return points_print(out, "", value, arguments, form);
	text = value_str(value, arguments, format);
	if (!text)
		return false;
	if (form == POINTS_LINES)
		fprintf(out, "%s\n", text);
	else
		print_joined(out, text);
	layout_string_free(text);
	return true;
}

/* Is the value no more than the reason why there is none in its notation?  Its text
 * would be taken for an answer; what asks for points or for isl gets them. */
static bool only_reason(layout_value *value, const struct arguments *arguments)
{
	return layout_value_reason(value) && !argument_given(arguments, OPTION_VALUES) &&
		!argument_given(arguments, OPTION_TABLE) &&
		argument_choice(arguments, OPTION_FORMAT, FORMAT_TEXT) == FORMAT_TEXT;
}

/* Close a text; false where not all of it was taken, which fclose() forgets. */
static bool closed_whole(FILE *out)
{
	bool whole = out && !ferror(out);

	return out && !fclose(out) && whole;
}

/* Points are printed as they are counted, however many there are. */
static bool comes_in_pieces(layout_value *value, const struct arguments *arguments)
{
	return argument_given(arguments, OPTION_VALUES) && !kind_of(value)->is_number;
}

/* Print all of the value or nothing, but for points: false on an error. */
static bool print_whole(layout_context *ctx, layout_value *value,
	const struct arguments *arguments)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out;
	bool good;

	if (comes_in_pieces(value, arguments))
		return print_value(stdout, ctx, value, arguments, POINTS_LINES);
	out = open_memstream(&text, &length);
	good = out && print_value(out, ctx, value, arguments, POINTS_LINES);
	good = closed_whole(out) && good;
	if (good)
		fwrite(text, 1, length, stdout);
	free(text);
	return good;
}

/* Is the error that something ran out, and none that a value's reason explains? */
static bool is_open(layout_context *ctx)
{
	switch (layout_context_error(ctx)) {
	case LAYOUT_ERROR_QUOTA:
	case LAYOUT_ERROR_TIME:
	case LAYOUT_ERROR_MEMORY:
		return true;
	default:
		return false;
	}
}

int eval_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	const char *reason = layout_value_reason(subject->value);
	int status = STATUS_YES;

	if (arguments->size_count && value_remap(subject->value) &&
	    argument_choice(arguments, OPTION_FORMAT, FORMAT_TEXT) == FORMAT_MLIR)
		return report(STATUS_USAGE, "-D", "as MLIR a remap has its own sizes: write "
			"the numbers into it");
	if (only_reason(subject->value, arguments))
		return report_reason(&subject->text, reason);
	if (argument_given(arguments, OPTION_TABLE))
		status = table_print(stdout, ctx, subject, arguments);
	else if (!print_whole(ctx, subject->value, arguments) && (!reason || is_open(ctx)))
		status = report_text(ctx, &subject->text, "eval");
	return reason && !status ? report_reason(&subject->text, reason) : status;
}

/* The column in the line of the context's error about the line with what is before it, from
 * 1. */
static unsigned column_behind(layout_context *ctx, const struct definitions *before,
	const char *text, const char *line)
{
	long position = layout_context_position(ctx);

	return position < (long)before->length ? 1 : error_column(ctx, text) -
		(unsigned)(strlen(text) - strlen(line));
}

/* What a line of a batch is, or why there is nothing. */
static void print_line(const struct hold *made, bool good, const char *why, unsigned column)
{
	if (good)
		puts(made->text);
	else if (made->full)
		printf("error: expr:1: more than %d MiB of text, which a line of a batch has to "
			"hold\n", HOLD_MEGABYTES);
	else
		printf("error: expr:%u: %s\n", column, why);
}

/* One line in, one line out, and a definition is kept for the lines behind it; false where
 * that cannot be written, or there is no memory for it, with errno. */
static bool eval_line(layout_context *ctx, struct definitions *definitions,
	const char *line, const struct arguments *arguments)
{
	char *whole = definitions_before(definitions, line);
	layout_value *value = whole ? layout_value_parse(ctx, whole) : NULL;
	struct hold made;
	FILE *out = hold_open(&made);
	const char *reason = layout_value_reason(value);
	bool good = value && out && !only_reason(value, arguments) &&
		print_value(out, ctx, value, arguments, POINTS_ONE_LINE), has_memory;

	good = closed_whole(out) && good;
	if (is_open(ctx))
		reason = NULL;
	has_memory = whole && out && layout_context_error(ctx) != LAYOUT_ERROR_MEMORY;
	if (has_memory)
		print_line(&made, good, reason ? reason : layout_context_message(ctx),
			reason ? 1 : column_behind(ctx, definitions, whole, line));
	else
		errno = ENOMEM;
	if (good && is_definition(line))
		definitions_keep(definitions, line);
	free(made.text);
	free(whole);
	layout_value_free(value);
	layout_context_clear(ctx);
	return has_memory && !fflush(stdout);
}

/* White space, or a comment. */
static bool says_nothing(const char *line)
{
	line += strspn(line, " \t\v\f");
	return !*line || !strncmp(line, "//", 2) ||
		(*line == '#' && (!line[1] || strchr(" \t\v\f", line[1])));
}

static int eval_lines(layout_context *ctx, FILE *file, const char *path,
	const struct arguments *arguments)
{
	struct definitions definitions = { 0 };
	char *line = NULL;
	size_t capacity = 0;
	bool written = true;

	while (written && getline(&line, &capacity, file) >= 0) {
		if (!argument_given(arguments, OPTION_VALUES))
			watch_begin();
		watch_share(ctx);
		line[strcspn(line, "\r\n")] = 0;
		written = says_nothing(line) ? puts("") >= 0 && !fflush(stdout) :
			eval_line(ctx, &definitions, line, arguments);
	}
	free(line);
	definitions_release(&definitions);
	if (!written && errno == ENOMEM)
		return report(STATUS_UNKNOWN, "eval", "no memory");
	if (!written) {
		clearerr(stdout);
		return report(STATUS_IO, "-", "cannot write: %s", strerror(errno));
	}
	if (!ferror(file))
		return STATUS_YES;
	return report(STATUS_IO, path, "cannot read: %s", strerror(errno));
}

static int eval_batch(const struct arguments *arguments)
{
	const char *path = arguments->operand_count ? arguments->operands[0] : "-";
	bool is_stdin = !strcmp(path, "-");
	struct complaint complaint;
	int opened = is_stdin ? -1 : open_to_read(path, &complaint);
	FILE *file = is_stdin ? stdin : opened < 0 ? NULL : fdopen(opened, "r");
	layout_context *ctx;
	int status;

	if (!is_stdin && opened < 0)
		return report_file(path, &complaint);
	if (!file)
		return report(STATUS_IO, path, "cannot read: %s", strerror(errno));
	ctx = watch_context_new();
	status = ctx ? eval_lines(ctx, file, path, arguments) :
		report(STATUS_UNKNOWN, "eval", "no memory");
	layout_context_free(ctx);
	if (!is_stdin)
		fclose(file);
	return status;
}

int run_eval(const struct arguments *arguments)
{
	bool batch = argument_given(arguments, OPTION_BATCH);
	int format = argument_choice(arguments, OPTION_FORMAT, FORMAT_TEXT);

	if (!batch && !arguments->operand_count)
		return report(STATUS_USAGE, "eval",
			"needs EXPR; see layoutc eval --help");
	if (argument_given(arguments, OPTION_TABLE) && (batch || format != FORMAT_TEXT ||
			argument_given(arguments, OPTION_VALUES)))
		return report(STATUS_USAGE, "--table",
			"prints text, of one expression, in place of --values");
	if (argument_given(arguments, OPTION_VALUES) && format > FORMAT_JSON)
		return report(STATUS_USAGE, "--values", "prints text or JSON");
	return batch ? eval_batch(arguments) : with_statements(arguments, eval_subject);
}
