/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/describe.h"
#include "layoutc/extent.h"
#include "layoutc/json.h"
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

static void describe_set(FILE *out, layout_value *value,
	const struct arguments *arguments)
{
	layout_set *set = value_set(value, arguments);
	const char *count = layout_value_count(value);

	print_member(out, "isl", layout_set_str(set));
	if (count) {
		fputs(", \"count\": ", out);
		json_str(out, count);
	}
	layout_set_free(set);
}

/* An encoding has no relation before it has sizes: then only its text is left. */
static void describe_relation(FILE *out, layout_context *ctx, layout_value *value,
	const struct arguments *arguments)
{
	struct question question;

	if (question_from(&question, ctx, value, arguments)) {
		print_member(out, "isl", layout_relation_str(question.relation));
		extent_print(out, ctx, value, arguments);
		print_answers(out, ctx, &question);
	}
	layout_context_clear(ctx);
	question_release(&question);
}

static void describe_integer(FILE *out, layout_value *value)
{
	int64_t number;

	if (layout_value_integer(value, &number))
		fprintf(out, ", \"value\": %" PRId64, number);
}

bool describe(FILE *out, layout_context *ctx, layout_value *value,
	const struct arguments *arguments)
{
	layout_value_kind kind = layout_value_get_kind(value);
	char *text = layout_value_str(value);
	bool good = text;

	if (!text)
		return false;
	fprintf(out, "{\"kind\": \"%s\"", layout_value_kind_str(kind));
	print_member(out, "text", text);
	if (layout_value_reason(value)) {
		fputs(", \"reason\": ", out);
		json_str(out, layout_value_reason(value));
	}
	if (kind == LAYOUT_VALUE_SET)
		describe_set(out, value, arguments);
	else if (kind == LAYOUT_VALUE_INTEGER)
		describe_integer(out, value);
	else
		describe_relation(out, ctx, value, arguments);
	if (argument_given(arguments, OPTION_VALUES)) {
		fputs(", \"values\": ", out);
		good = points_print(out, value, arguments, POINTS_JSON);
	}
	fputs("}", out);
	return good && layout_context_error(ctx) == LAYOUT_ERROR_NONE;
}
