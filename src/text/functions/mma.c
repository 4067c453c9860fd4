/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of matrix operands. */
#include "targets/example.h"
#include "text/call.h"

/* The permutation of K, or why there is none. */
static bool run_equal_up_to_k(struct call *call)
{
	layout_relation *operands[4], *permutation = NULL;
	layout_witness *witness = NULL;
	layout_answer answer;

	for (unsigned i = 0; i < 4; i++)
		operands[i] = call_relation(call, i);
	answer = layout_mma_equal_up_to_k(operands[0], operands[1], operands[2],
		operands[3], &permutation, &witness);
	if (answer == LAYOUT_NO)
		layout_fail(call->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no permutation of K makes both operands equal, at "
			"[operand, input..] %s", witness ? witness->text : "");
	layout_witness_free(witness);
	for (unsigned i = 0; i < 4; i++)
		layout_relation_free(operands[i]);
	return give_relation(call, permutation);
}

const struct function functions_mma[] = {
	{ "equal_up_to_k", run_equal_up_to_k, { ARG(RELATION), ARG(RELATION),
		ARG(RELATION), ARG(RELATION) },
		.example = "equal_up_to_k(mma<MFMA_F32_16x16x16_F16, lhs, " CHIP_EXAMPLE ">, "
			"mma<MFMA_F32_16x16x16_F16, rhs, " CHIP_EXAMPLE ">, "
			"mma<v_mfma_f32_16x16x16_f16, lhs, " CHIP_EXAMPLE ">, "
			"mma<v_mfma_f32_16x16x16_f16, rhs, " CHIP_EXAMPLE ">)" },
	{ .name = NULL },
};
