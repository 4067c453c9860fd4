/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/property.h"
#include "layoutc/kind.h"
#include "layoutc/watch.h"

#include <stdio.h>
#include <stdlib.h>

const char *const property_names[PROPERTY_COUNT] = {
	"function", "injective", "surjective", "bijective", "valid", "total",
};

bool question_from(struct question *question, layout_context *ctx, layout_value *value,
	const struct arguments *arguments)
{
	const layout_size *sizes = arguments->sizes;
	unsigned count = arguments->size_count;

	*question = (struct question){ .value = value };
	if (value_program(value))
		return true;
	question->relation = value_relation(value, arguments);
	question->onto = layout_set_fix(layout_value_onto(value), sizes, count);
	question->from = layout_set_fix(layout_value_from(value), sizes, count);
	return layout_context_error(ctx) == LAYOUT_ERROR_NONE;
}

void question_release(struct question *question)
{
	layout_relation_free(question->relation);
	layout_set_free(question->onto);
	layout_set_free(question->from);
}

bool question_makes_sense(const struct question *question, enum property property)
{
	switch (property) {
	case PROPERTY_SURJECTIVE:
	case PROPERTY_BIJECTIVE:
		return question->relation && question->onto;
	case PROPERTY_VALID:
		return kind_of(question->value)->verify;
	case PROPERTY_TOTAL:
		return question->from;
	default:
		return question->relation;
	}
}

static layout_answer ask(const struct question *question, enum property property,
	char **reason, layout_witness **witness)
{
	switch (property) {
	case PROPERTY_FUNCTION:
		return layout_relation_is_function(question->relation, witness);
	case PROPERTY_INJECTIVE:
		return layout_relation_is_injective(question->relation, witness);
	case PROPERTY_SURJECTIVE:
		return layout_relation_is_surjective(question->relation, question->onto,
			witness);
	case PROPERTY_BIJECTIVE:
		return layout_relation_is_bijective(question->relation, question->onto,
			witness);
	case PROPERTY_VALID:
		return kind_of(question->value)->verify(question->value, reason, witness);
	default:
		return layout_relation_is_total(question->relation,
			question->from, witness);
	}
}

layout_answer question_ask(const struct question *question, enum property property,
	char **why)
{
	layout_witness *witness = NULL;
	char *reason = NULL;
	layout_answer answer;

	watch_share(layout_value_context(question->value));
	answer = ask(question, property, &reason, &witness);
	*why = NULL;
	if ((witness || reason) && asprintf(why, "%s%s%s", witness ? witness->text : "",
			witness && reason ? ": " : "", reason ? reason : "") < 0)
		*why = NULL;
	layout_witness_free(witness);
	layout_string_free(reason);
	return answer;
}

const char *answer_str(layout_answer answer)
{
	static const char *const names[] = { "no", "yes", "unknown" };

	return names[answer];
}
