/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The questions that a relation is asked, by number. */
#ifndef TESTS_SUPPORT_QUESTION_H
#define TESTS_SUPPORT_QUESTION_H

#include <layout/layout.h>

enum question { FUNCTION, INJECTIVE, SURJECTIVE, BIJECTIVE, TOTAL };
enum { QUESTIONS = TOTAL + 1 };

/* Of a relation, and of a set where it is about one. */
layout_answer ask(enum question question, layout_relation *relation, layout_set *set,
	layout_witness **witness);

#endif
