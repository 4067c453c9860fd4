/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A loop's next turn: lanes that go on to it wait for those that are still in this one. */
#include "sim/rewrite.h"

static void go_on(struct sim_wave *wave)
{
	(void)wave;
}

static const struct sim_intrinsic turn = { "turn", SIM_WAVE, .wave = go_on };

/* A value's incoming ones, those from "old" as one from "new". */
static void renew_phi(struct rewrite *w, LLVMValueRef phi, LLVMBasicBlockRef old,
	LLVMBasicBlockRef new)
{
	LLVMValueRef other;
	bool found = false;

	LLVMPositionBuilderBefore(w->builder, phi);
	other = LLVMBuildPhi(w->builder, LLVMTypeOf(phi), "");
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		LLVMValueRef value = LLVMGetIncomingValue(phi, i);

		if (from == old && found)
			continue;
		found = found || from == old;
		from = from == old ? new : from;
		LLVMAddIncoming(other, &value, &from, 1);
	}
	LLVMReplaceAllUsesWith(phi, other);
	LLVMInstructionEraseFromParent(phi);
}

/* A block between "from" and the head of a loop. */
static LLVMBasicBlockRef split(struct rewrite *w, LLVMBasicBlockRef from,
	LLVMBasicBlockRef head)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(from), here, next;
	LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(w->context, head, "turn");

	LLVMMoveBasicBlockAfter(between, from);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		if (LLVMGetSuccessor(end, i) == head)
			LLVMSetSuccessor(end, i, between);
	for (here = LLVMGetFirstInstruction(head); LLVMIsAPHINode(here); here = next) {
		next = LLVMGetNextInstruction(here);
		renew_phi(w, here, from, between);
	}
	LLVMPositionBuilderAtEnd(w->builder, between);
	LLVMBuildBr(w->builder, head);
	return between;
}

static bool leads_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		if (LLVMGetSuccessor(end, i) == next)
			return true;
	return false;
}

/* All that lead back meet at one site. */
bool rewrite_turn(struct rewrite *w, const struct rewrite_loop *loop)
{
	LLVMBasicBlockRef *blocks = w->order.blocks, head = blocks[loop->first];
	unsigned number = w->program->site_count;

	if (!rewrite_add_meeting(w, &turn))
		return false;
	for (unsigned i = loop->first; i < loop->end; i++) {
		if (!leads_to(blocks[i], head))
			continue;
		LLVMPositionBuilderBefore(w->builder,
			LLVMGetBasicBlockTerminator(split(w, blocks[i], head)));
		rewrite_operate(w, number);
	}
	return true;
}
