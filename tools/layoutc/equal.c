/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc equal */
#include "layoutc/equal.h"
#include "layoutc/json.h"
#include "layoutc/kind.h"
#include "layoutc/property.h"
#include "layoutc/watch.h"

#include <stdio.h>

static int print_json(layout_context *ctx, layout_answer answer, const char *why)
{
	static const int statuses[] = { [LAYOUT_NO] = STATUS_NO, [LAYOUT_YES] = STATUS_YES,
		[LAYOUT_UNKNOWN] = STATUS_UNKNOWN };

	json_answer(stdout, answer_str(answer), why,
		answer == LAYOUT_UNKNOWN ? layout_context_message(ctx) : NULL);
	putchar('\n');
	return statuses[answer];
}

/* The answer, or the complaint, which is about subject "wrong". */
static int print_answer(layout_context *ctx, const struct subject *wrong,
	const struct arguments *arguments, layout_answer answer,
	const layout_witness *witness)
{
	if (argument_choice(arguments, OPTION_ANSWER_FORMAT, 0) &&
	    (answer != LAYOUT_UNKNOWN || error_is_unknown(ctx)))
		return print_json(ctx, answer, witness ? witness->text : NULL);
	if (answer == LAYOUT_YES) {
		puts("equal");
		return STATUS_YES;
	}
	if (answer == LAYOUT_NO) {
		printf("different: %s\n", witness ? witness->text : "no witness");
		return STATUS_NO;
	}
	if (!error_is_unknown(ctx))
		return report_text(ctx, &wrong->text, "equal");
	printf("unknown: %s\n", layout_context_message(ctx));
	return STATUS_UNKNOWN;
}

/* An error is about the second of two that do not meet, unless the first, which waits,
 * meets nothing but its like. */
static int compare(layout_context *ctx, const struct subject subjects[],
	const struct arguments *arguments)
{
	layout_witness *witness = NULL;
	layout_answer answer = layout_equal(subjects[0].value, subjects[1].value,
		&witness);
	int status = print_answer(ctx, &subjects[!kind_of(subjects[0].value)->waits], arguments,
		answer, witness);

	layout_witness_free(witness);
	return status;
}

/* An error is about the first that is no storage. */
static int compare_memory(layout_context *ctx, const struct subject subjects[],
	const struct arguments *arguments)
{
	bool is_storage = value_storage(subjects[0].value);
	layout_witness *witness = NULL;
	layout_answer answer = layout_equal_memory(subjects[0].value, subjects[1].value,
		&witness);
	int status = print_answer(ctx, &subjects[is_storage], arguments, answer,
		witness);

	layout_witness_free(witness);
	return status;
}

/* 0, or a complaint: the operands are not what the options need. */
static int check_operands(const struct arguments *arguments)
{
	bool up_to_k = argument_given(arguments, OPTION_UP_TO_K);

	if (up_to_k && argument_given(arguments, OPTION_MEMORY))
		return report(STATUS_USAGE, "equal",
			"--memory compares two storages, --up-to-k two products: one of "
			"them");
	if (up_to_k && argument_choice(arguments, OPTION_ANSWER_FORMAT, 0))
		return report(STATUS_USAGE, "equal",
			"what --up-to-k finds is printed as text alone");
	if (up_to_k && arguments->operand_count != 4)
		return report(STATUS_USAGE, "equal",
			"--up-to-k compares LHS RHS with LHS RHS: four operands, found "
			"%u", arguments->operand_count);
	if (!up_to_k && arguments->operand_count != 2)
		return report(STATUS_USAGE, "equal",
			"it compares EXPR with EXPR: two operands, found %u; four are "
			"for --up-to-k", arguments->operand_count);
	return 0;
}

int run_equal(const struct arguments *arguments)
{
	struct subject subjects[MAX_OPERANDS] = { 0 };
	layout_context *ctx;
	int status = check_operands(arguments);

	if (status)
		return status;
	ctx = watch_context_new();
	if (!ctx)
		return report(STATUS_UNKNOWN, "equal", "no memory");
	for (unsigned i = 0; !status && i < arguments->operand_count; i++)
		status = subject_open(&subjects[i], ctx, arguments->operands[i], false,
			"equal");
	if (!status)
		status = argument_given(arguments, OPTION_UP_TO_K) ?
			compare_up_to_k(ctx, subjects) :
			(argument_given(arguments, OPTION_MEMORY) ? compare_memory :
				compare)(ctx, subjects, arguments);
	for (unsigned i = 0; i < MAX_OPERANDS; i++)
		subject_release(&subjects[i]);
	layout_context_free(ctx);
	return status;
}
