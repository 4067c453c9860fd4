/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The properties of a layout that one can ask for. */
#ifndef LAYOUTC_PROPERTY_H
#define LAYOUTC_PROPERTY_H

#include "layoutc/subject.h"

/* In the order of the words of --is; those before "total" are asked for unless said
 * otherwise. */
enum property {
	PROPERTY_FUNCTION,
	PROPERTY_INJECTIVE,
	PROPERTY_SURJECTIVE,
	PROPERTY_BIJECTIVE,
	PROPERTY_VALID,		/* what the notation asks for */
	PROPERTY_TOTAL,
	PROPERTY_COUNT,
};

extern const char *const property_names[PROPERTY_COUNT];

/* What is asked of what: "onto" and "from" are NULL where no box is known; a program has no
 * relation. */
struct question {
	layout_value *value;	/* borrowed */
	layout_relation *relation;
	layout_set *onto, *from;
};

/* The value as a question, with the numbers of -D for its sizes.  False on an error;
 * free with question_release() in any case. */
bool question_from(struct question *question, layout_context *ctx, layout_value *value,
	const struct arguments *arguments);
void question_release(struct question *question);

/* Whether what the property is asked of is known.  On "no", "why" receives a text to be
 * freed: the witness, and a reason where there is one; else NULL. */
bool question_makes_sense(const struct question *question, enum property property);
layout_answer question_ask(const struct question *question, enum property property,
	char **why);

/* "yes", "no", "unknown". */
const char *answer_str(layout_answer answer);

#endif
