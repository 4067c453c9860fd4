/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/describe.h"
#include "layoutc/json.h"
#include "layoutc/kind.h"
#include "layoutc/points.h"
#include "layoutc/property.h"

#include <inttypes.h>
#include <stdlib.h>

/* Print , "NAME": "TEXT" and free the text; nothing for NULL. */
static void print_member(FILE *out, const char *name, char *text)
{
	if (text) {
		fprintf(out, ", \"%s\": ", name);
		json_str(out, text);
	}
	layout_string_free(text);
}

/* The answers, and then the witnesses of those that are "no". */
static void print_answers(FILE *out, layout_context *ctx,
	const struct question *question)
{
	char *why[PROPERTY_TOTAL] = { NULL };
	bool started = false;

	for (int p = 0; p < PROPERTY_TOTAL; p++) {
		layout_answer answer;

		if (!question_makes_sense(question, p))
			continue;
		answer = question_ask(question, p, &why[p]);
		fprintf(out, ", \"%s\": \"%s\"", property_names[p], answer_str(answer));
		layout_context_clear(ctx);
	}
	for (int p = 0; p < PROPERTY_TOTAL; p++) {
		if (!why[p])
			continue;
		fprintf(out, "%s\"%s\": ", started ? ", " : ", \"witness\": {",
			property_names[p]);
		json_str(out, why[p]);
		started = true;
		free(why[p]);
	}
	fputs(started ? "}" : "", out);
}

bool describe_set(FILE *out, layout_value *value, const struct arguments *arguments)
{
	layout_set *set = value_set(value, arguments);
	const char *count = layout_value_count(value);
	char *text = layout_set_str(set);
	bool good = text;

	print_member(out, "isl", text);
	if (count) {
		fputs(", \"count\": ", out);
		json_str(out, count);
	}
	layout_set_free(set);
	return good;
}

static bool describe_relation(FILE *out, layout_value *value,
	const struct arguments *arguments)
{
	layout_context *ctx = layout_value_context(value);
	const struct kind *kind = kind_of(value);
	struct question question;
	bool good = question_from(&question, ctx, value, arguments);
	char *text = good ? layout_relation_str(question.relation) : NULL;

	if (text) {
		print_member(out, "isl", text);
		if (kind->extent)
			kind->extent(out, value, arguments);
		layout_context_clear(ctx);
		print_answers(out, ctx, &question);
	}
	question_release(&question);
	return text;
}

/* The sizes of the result, what is assumed of them, and what it is padded with. */
static void print_chain(FILE *out, layout_chain *chain)
{
	const char *condition = layout_chain_condition(chain);
	const char *pad = layout_chain_pad_value(chain);

	fputs(", \"result\": [", out);
	for (unsigned d = 0; d < layout_chain_rank(chain); d++) {
		fputs(d ? ", " : "", out);
		json_str(out, layout_chain_size(chain, d));
	}
	fputs(condition ? "], \"condition\": " : "]", out);
	if (condition)
		json_str(out, condition);
	fputs(pad ? ", \"pad\": " : "", out);
	if (pad)
		json_str(out, pad);
}

bool describe_chain(FILE *out, layout_value *value, const struct arguments *arguments)
{
	print_chain(out, layout_value_chain(value));
	return describe_relation(out, value, arguments);
}

bool describe_integer(FILE *out, layout_value *value, const struct arguments *arguments)
{
	int64_t number;

	(void)arguments;
	if (!layout_value_integer(value, &number))
		return false;
	fprintf(out, ", \"value\": %" PRId64, number);
	return true;
}

/* A program is no relation: its text is all there is, and it has no points to print. */
bool describe_program(FILE *out, layout_value *value, const struct arguments *arguments)
{
	(void)out;
	(void)value;
	(void)arguments;
	return true;
}

/* An encoding has no relation before it has sizes: then only its text is left. */
static bool describe_kind(FILE *out, layout_value *value, const struct arguments *arguments)
{
	const struct kind *kind = kind_of(value);

	if (kind->waits)
		return true;
	return (kind->describe ? kind->describe : describe_relation)(out, value, arguments);
}

/* {.. without the brace that closes it. */
static bool describe_value(FILE *out, layout_value *value, const struct arguments *arguments)
{
	char *text = layout_value_str(value);

	if (!text)
		return false;
	fprintf(out, "{\"kind\": \"%s\"",
		layout_value_kind_str(layout_value_get_kind(value)));
	print_member(out, "text", text);
	if (layout_value_reason(value)) {
		fputs(", \"reason\": ", out);
		json_str(out, layout_value_reason(value));
	}
	return describe_kind(out, value, arguments);
}

bool describe(FILE *out, layout_context *ctx, layout_value *value,
	const struct arguments *arguments)
{
	bool has_points = argument_given(arguments, OPTION_VALUES) &&
		!kind_of(value)->is_number, good;
	char *head = NULL;
	size_t length = 0;
	FILE *before = open_memstream(&head, &length);

	good = before && describe_value(before, value, arguments);
	if (good && has_points)
		fputs(", \"values\": [", before);
	good = before && !ferror(before) && good;
	good = before && !fclose(before) && good;
	if (good && has_points)
		good = points_print(out, head, value, arguments, POINTS_JSON);
	else if (good)
		fputs(head, out);
	if (good)
		fputs(has_points ? "]}" : "}", out);
	free(head);
	return good && layout_context_error(ctx) == LAYOUT_ERROR_NONE;
}
