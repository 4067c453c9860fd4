/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc check */
#include "layoutc/json.h"
#include "layoutc/property.h"
#include "layoutc/actions.h"
#include "layoutc/report.h"

#include <stdlib.h>

/* The status of several answers: "no" outweighs "unknown", and that "yes". */
static int worse(int a, int b)
{
	return a == STATUS_NO || b == STATUS_NO ? STATUS_NO : a ? a : b;
}

/* "injective: no: (0), (4)" */
static void print_line(FILE *out, enum property property, layout_answer answer,
	const char *why, const char *message)
{
	fprintf(out, "%s: %s", property_names[property], answer_str(answer));
	if (why)
		fprintf(out, ": %s", why);
	if (message)
		fprintf(out, ": %s", message);
	putc('\n', out);
}

/* "injective": {"answer": "no", ..} */
static void print_member(FILE *out, enum property property, layout_answer answer,
	const char *why, const char *message)
{
	json_str(out, property_names[property]);
	fputs(": ", out);
	json_answer(out, answer_str(answer), why, message);
}

/* A failure is the end of it: the caller reports the error. */
static bool print_answer(layout_context *ctx, const struct question *question,
	enum property property, FILE *json, int *status)
{
	char *why;
	layout_answer answer = question_ask(question, property, &why);

	if (answer == LAYOUT_UNKNOWN && !error_is_unknown(ctx))
		return false;
	(json ? print_member : print_line)(json ? json : stdout, property, answer, why,
		layout_context_error(ctx) ? layout_context_message(ctx) : NULL);
	*status = worse(*status, answer == LAYOUT_YES ? STATUS_YES :
		answer == LAYOUT_NO ? STATUS_NO : STATUS_UNKNOWN);
	free(why);
	layout_context_clear(ctx);
	return true;
}

/* The properties that --is names, each once, or those that make sense. */
static unsigned wanted(const struct arguments *arguments, const struct question *question,
	int list[PROPERTY_COUNT])
{
	unsigned count = argument_choices(arguments, OPTION_IS, list);

	if (count)
		return count;
	for (int p = PROPERTY_FUNCTION; p < PROPERTY_TOTAL; p++)
		if (question_makes_sense(question, p))
			list[count++] = p;
	return count;
}

/* The property is asked of something that is not there. */
static int refuse(const struct question *question, enum property property)
{
	const char *name = property_names[property];

	if (!question->relation && property != PROPERTY_VALID)
		return report(STATUS_USAGE, "--is", "%s of what? a program is valid or not", name);
	if (property == PROPERTY_VALID)
		return report(STATUS_USAGE, "--is",
			"%s is asked of nested layouts and programs", name);
	return report(STATUS_USAGE, "--is",
		"%s of what? this notation declares no box; %s", name,
		property == PROPERTY_TOTAL ? "ask it of a literal with one" :
		"give it with --onto");
}

static int check(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const struct question *question)
{
	int list[PROPERTY_COUNT];
	unsigned count = wanted(arguments, question, list);
	bool in_json = argument_choice(arguments, OPTION_ANSWER_FORMAT, 0);
	struct json_object json = { 0 };
	int status = STATUS_YES;
	bool good = true;

	for (unsigned i = 0; i < count; i++)
		if (!question_makes_sense(question, list[i]))
			return refuse(question, list[i]);
	if (in_json && !json_open(&json))
		return report(STATUS_UNKNOWN, "check", "no memory");
	for (unsigned i = 0; good && i < count; i++) {
		json_next(&json);
		good = print_answer(ctx, question, list[i], json.out, &status);
	}
	json_close(&json, good);
	if (good)
		return status;
	return argument_given(arguments, OPTION_ONTO) ? report_error(ctx, "--onto") :
		report_text(ctx, &subject->text, "check");
}

/* The set of --onto in place of the notation's. */
static int replace_onto(layout_context *ctx, const struct arguments *arguments,
	struct question *question)
{
	const char *operand = argument_value(arguments, OPTION_ONTO);
	struct subject onto = { 0 };
	int status;

	if (!operand)
		return 0;
	if (!question->relation)
		return report(STATUS_USAGE, "--onto", "a program has no images to ask about");
	status = subject_open(&onto, ctx, operand, false, "check");
	if (!status) {
		layout_set_free(question->onto);
		question->onto = value_set(onto.value, arguments);
		if (!question->onto)
			status = report_text(ctx, &onto.text, "check");
	}
	subject_release(&onto);
	return status;
}

int check_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	struct question question;
	int status = 0;

	if (!question_from(&question, ctx, subject->value, arguments))
		status = report_text(ctx, &subject->text, "check");
	if (!status)
		status = replace_onto(ctx, arguments, &question);
	if (!status)
		status = check(ctx, subject, arguments, &question);
	question_release(&question);
	return status;
}

int run_check(const struct arguments *arguments)
{
	return with_subject(arguments, false, check_subject);
}
