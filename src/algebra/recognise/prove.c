/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/forms.h"
#include "algebra/recognise/recognise.h"

bool seen_same_digits(const struct seen *seen, const struct digits *made)
{
	if (digits_equal(&seen->digits, made))
		return true;
	layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"the layout that was found has other digits than the relation");
	return false;
}

/* By the forms, then by all points, then by isl. */
static layout_answer compare(const struct seen *seen, layout_relation *made)
{
	layout_answer answer = form_equal(seen->relation, made, NULL);
	struct table table = { 0 };

	if (answer != LAYOUT_UNKNOWN)
		return answer;
	if (seen->listed && table_build(&table, made))
		answer = table_equal(&seen->table, &table, NULL);
	table_free(&table);
	if (answer != LAYOUT_UNKNOWN)
		return answer;
	return layout_relation_equal(seen->relation, made, NULL);
}

bool seen_prove(const struct seen *seen, layout_relation *made)
{
	layout_answer answer = LAYOUT_UNKNOWN;

	if (made)
		answer = compare(seen, made);
	layout_relation_free(made);
	if (answer != LAYOUT_YES && !layout_context_error(seen->ctx))
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"the layout that was found is not proved to be the relation");
	return answer == LAYOUT_YES;
}
