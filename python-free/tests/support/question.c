/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/question.h"

layout_answer ask(enum question question, layout_relation *relation, layout_set *set,
	layout_witness **witness)
{
	switch (question) {
	case FUNCTION:
		return layout_relation_is_function(relation, witness);
	case INJECTIVE:
		return layout_relation_is_injective(relation, witness);
	case SURJECTIVE:
		return layout_relation_is_surjective(relation, set, witness);
	case BIJECTIVE:
		return layout_relation_is_bijective(relation, set, witness);
	default:
		return layout_relation_is_total(relation, set, witness);
	}
}
