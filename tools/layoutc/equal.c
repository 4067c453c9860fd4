/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc equal */
#include "layoutc/report.h"
#include "layoutc/subject.h"

static layout_answer compare_sets(layout_value *a, layout_value *b,
	layout_witness **witness)
{
	layout_set *left = layout_value_set(a), *right = layout_value_set(b);
	layout_answer answer = layout_set_equal(left, right, witness);

	layout_set_free(left);
	layout_set_free(right);
	return answer;
}

static layout_answer compare_relations(layout_value *a, layout_value *b,
	layout_witness **witness)
{
	layout_relation *left = layout_value_relation(a);
	layout_relation *right = layout_value_relation(b);
	layout_answer answer = layout_relation_equal(left, right, witness);

	layout_relation_free(left);
	layout_relation_free(right);
	return answer;
}

/* Of two operands that do not meet, the second is the wrong one, unless the first is
 * an encoding, which meets none. */
static int print_comparison(layout_context *ctx, const struct subject *a,
	const struct subject *b)
{
	layout_witness *witness = NULL;
	layout_value_kind kind = layout_value_get_kind(a->value);
	layout_answer answer = (kind == LAYOUT_VALUE_SET ? compare_sets :
		compare_relations)(a->value, b->value, &witness);
	int status = STATUS_YES;

	if (answer == LAYOUT_YES) {
		puts("equal");
	} else if (answer == LAYOUT_NO) {
		printf("different: %s\n", witness ? witness->text : "no witness");
		status = STATUS_NO;
	} else if (error_is_unknown(ctx)) {
		printf("unknown: %s\n", layout_context_message(ctx));
		status = STATUS_UNKNOWN;
	} else {
		status = report_text(ctx, kind == LAYOUT_VALUE_ENCODING ? &a->text :
			&b->text, "equal");
	}
	layout_witness_free(witness);
	return status;
}

int run_equal(const struct arguments *arguments)
{
	layout_context *ctx = layout_context_new();
	struct subject a = { 0 }, b = { 0 };
	int status;

	if (!ctx)
		return report(STATUS_UNKNOWN, "equal", "no memory");
	status = subject_open(&a, ctx, arguments->operands[0], false, "equal");
	if (!status)
		status = subject_open(&b, ctx, arguments->operands[1], false, "equal");
	if (!status)
		status = print_comparison(ctx, &a, &b);
	subject_release(&a);
	subject_release(&b);
	layout_context_free(ctx);
	return status;
}
