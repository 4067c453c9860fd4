/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/bounds.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct bound {
	unsigned long quota;
	double seconds;
};

static const struct bound usual = { LAYOUT_DEFAULT_QUOTA, LAYOUT_DEFAULT_TIME };
static const struct bound bounds[] = {
	{ 1, 10 }, { 3, 10 }, { 10, 10 }, { 30, 10 }, { 100, 10 }, { 300, 10 }, { 1000, 10 },
	{ 3000, 10 }, { 10000, 10 }, { 30000, 10 }, { LAYOUT_DEFAULT_QUOTA, 1e-9 },
	{ LAYOUT_DEFAULT_QUOTA, 1e-3 },
};

/* What was asked of an expression. */
enum asked {
	ASKED_VALUE,
	ASKED_FUNCTION, ASKED_INJECTIVE,
	ASKED_CONVERT,		/* and as many as there are notations */
	ASKED_COUNT = ASKED_CONVERT + LAYOUT_NOTATION_ENCODING + 1
};

/* An answer as text, or the error. */
struct answer {
	layout_error error;
	char *text;
};

static char *said(layout_answer answer)
{
	static const char *const words[] = {
		[LAYOUT_NO] = "no", [LAYOUT_YES] = "yes", [LAYOUT_UNKNOWN] = "unknown" };

	return strdup(words[answer]);
}

static char *converted(layout_value *value, layout_notation to)
{
	layout_value *other = layout_value_convert(value, to);
	char *text = layout_value_str(other);

	layout_value_free(other);
	return text;
}

static char *about_relation(layout_value *value, unsigned asked)
{
	layout_relation *relation = layout_value_relation(value);
	char *text = NULL;

	if (relation)
		text = said(asked == ASKED_FUNCTION ?
			layout_relation_is_function(relation, NULL) :
			layout_relation_is_injective(relation, NULL));
	layout_relation_free(relation);
	return text;
}

static char *ask(layout_value *value, unsigned asked)
{
	if (asked == ASKED_VALUE)
		return layout_value_str(value);
	if (asked >= ASKED_CONVERT)
		return converted(value, asked - ASKED_CONVERT);
	return about_relation(value, asked);
}

/* The value is made under the bound, too. */
static struct answer answer_under(struct bound bound, const char *text, unsigned asked)
{
	layout_context *ctx = layout_context_new();
	struct answer answer = { 0 };
	layout_value *value;

	layout_context_set_quota(ctx, bound.quota);
	layout_context_set_time(ctx, bound.seconds);
	value = layout_value_parse(ctx, text);
	if (value)
		answer.text = ask(value, asked);
	layout_value_free(value);
	answer.error = layout_context_error(ctx);
	if (!answer.text && !answer.error)
		fail_msg("%s: nothing, and no error, of question %u under quota %lu, "
			"%g s", text, asked, bound.quota, bound.seconds);
	assert_true(layout_context_free(ctx));
	return answer;
}

/* Are the texts those of values that differ?  A relation may be printed in another way,
 * from which isl does not always see that it is the same. */
static bool differ(const char *a, const char *b)
{
	layout_context *ctx = layout_context_new();
	layout_value *one = layout_value_parse(ctx, a), *other = layout_value_parse(ctx, b);
	bool different = layout_equal(one, other, NULL) == LAYOUT_NO;

	layout_value_free(one);
	layout_value_free(other);
	assert_true(layout_context_free(ctx));
	return different;
}

static bool is_of_bounds(layout_error error)
{
	return error == LAYOUT_ERROR_QUOTA || error == LAYOUT_ERROR_TIME;
}

/* A failure beside the bounds' is the same one. */
static void check(const char *text, unsigned asked, const struct answer *full,
	struct bound bound)
{
	struct answer now = answer_under(bound, text, asked);

	if (!is_of_bounds(now.error) && (now.error != full->error || !now.text !=
	    !full->text || (now.text && strcmp(now.text, full->text) && (asked ||
	    differ(now.text, full->text)))))
		fail_msg("%s: question %u under quota %lu, %g s: %s (error %d), else %s "
			"(error %d)", text, asked, bound.quota, bound.seconds,
			now.text ? now.text : "nothing", now.error,
			full->text ? full->text : "nothing", full->error);
	free(now.text);
}

void bounds_sweep(const char *text)
{
	for (unsigned asked = 0; asked < ASKED_COUNT; asked++) {
		struct answer full = answer_under(usual, text, asked);

		for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
			if (!is_of_bounds(full.error))
				check(text, asked, &full, bounds[i]);
		free(full.text);
	}
}
