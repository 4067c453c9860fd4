/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/block/parts.h"
#include "lower/stream.h"

struct block_turns block_loop_open(const struct block_lowering *l, LLVMValueRef first,
	LLVMValueRef end)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(l->b);
	LLVMBasicBlockRef body = iteration_block(&l->part, "body");
	struct block_turns loop = { iteration_block(&l->part, "loop"),
		iteration_block(&l->part, "exit"), NULL };

	LLVMBuildBr(l->b, loop.header);
	LLVMPositionBuilderAtEnd(l->b, loop.header);
	loop.counter = LLVMBuildPhi(l->b, l->i64, "counter");
	LLVMAddIncoming(loop.counter, &first, &before, 1);
	LLVMBuildCondBr(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, loop.counter, end, "more"),
		body, loop.exit);
	LLVMPositionBuilderAtEnd(l->b, body);
	return loop;
}

void block_loop_close(const struct block_lowering *l, const struct block_turns *loop)
{
	LLVMValueRef next = LLVMBuildNSWAdd(l->b, loop->counter, block_number(l, 1), "next");
	LLVMBasicBlockRef from = LLVMGetInsertBlock(l->b);

	LLVMAddIncoming(loop->counter, &next, &from, 1);
	LLVMBuildBr(l->b, loop->header);
	LLVMPositionBuilderAtEnd(l->b, loop->exit);
}

struct block_turns block_choose(const struct block_lowering *l, LLVMValueRef condition)
{
	LLVMBasicBlockRef yes = iteration_block(&l->part, "yes");
	struct block_turns choice = { iteration_block(&l->part, "no"),
		iteration_block(&l->part, "join"), NULL };

	LLVMBuildCondBr(l->b, condition, yes, choice.header);
	LLVMPositionBuilderAtEnd(l->b, yes);
	return choice;
}

void block_otherwise(const struct block_lowering *l, const struct block_turns *choice)
{
	LLVMBuildBr(l->b, choice->exit);
	LLVMPositionBuilderAtEnd(l->b, choice->header);
}

void block_choice_close(const struct block_lowering *l, const struct block_turns *choice)
{
	LLVMBuildBr(l->b, choice->exit);
	LLVMPositionBuilderAtEnd(l->b, choice->exit);
}

LLVMValueRef block_memory(const struct block_lowering *l, LLVMTypeRef type, const char *name)
{
	LLVMBasicBlockRef now = LLVMGetInsertBlock(l->b);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->part.function);
	LLVMValueRef memory;

	LLVMPositionBuilder(l->b, entry, LLVMGetFirstInstruction(entry));
	memory = LLVMBuildAlloca(l->b, type, name);
	LLVMSetAlignment(memory, STREAM_LINE);
	LLVMPositionBuilderAtEnd(l->b, now);
	return memory;
}
