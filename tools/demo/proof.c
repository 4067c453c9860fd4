/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "demo/proof.h"

#include <layout/relation.h>

layout_answer proof_injective(layout_storage *storage)
{
	layout_relation *relation = layout_storage_relation(storage);
	layout_answer answer = layout_relation_is_injective(relation, NULL);

	layout_relation_free(relation);
	return answer;
}

layout_answer proof_bijective(layout_storage *storage)
{
	layout_relation *relation = layout_storage_relation(storage);
	layout_set *onto = layout_set_subtract(layout_storage_cells(storage),
		layout_storage_padding(storage));
	layout_answer answer = layout_relation_is_bijective(relation, onto, NULL);

	layout_set_free(onto);
	layout_relation_free(relation);
	return answer;
}
