/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Registers as vectors, and phis of them. */
#include "lower/program_lanes/parts.h"

enum { MOST_CUT = 64 };

/* Which element of a vector a register is; -1: of none. */
static long long place_of(LLVMValueRef element)
{
	LLVMValueRef index;

	if (!LLVMIsAExtractElementInst(element))
		return -1;
	index = LLVMGetOperand(element, 1);
	return LLVMIsAConstantInt(index) ? LLVMConstIntGetSExtValue(index) : -1;
}

/* The vector of which the registers are elements that follow each other, or NULL. */
static LLVMValueRef whole_of(const LLVMValueRef *registers, unsigned count)
{
	long long first = place_of(registers[0]);
	LLVMValueRef whole = first < 0 ? NULL : LLVMGetOperand(registers[0], 0);

	for (unsigned i = 1; whole && i < count; i++)
		if (place_of(registers[i]) != first + i ||
		    LLVMGetOperand(registers[i], 0) != whole)
			return NULL;
	return whole;
}

unsigned program_parts_of(const LLVMValueRef *registers, unsigned count)
{
	LLVMValueRef whole = place_of(registers[0]) ? NULL : LLVMGetOperand(registers[0], 0);
	unsigned size = whole ? LLVMGetVectorSize(LLVMTypeOf(whole)) : 0;

	return size && size <= count && whole_of(registers, size) ? size : 0;
}

/* Elements of a vector, from one on. */
static LLVMValueRef cut(const program_scope *body, LLVMValueRef whole, unsigned first,
	unsigned count)
{
	LLVMValueRef places[MOST_CUT];

	for (unsigned i = 0; i < count; i++)
		places[i] = lower_int(body->i32, first + i);
	return LLVMBuildShuffleVector(body->b, whole, LLVMGetPoison(LLVMTypeOf(whole)),
		LLVMConstVector(places, count), "");
}

LLVMValueRef program_join(const program_scope *body, const LLVMValueRef *registers,
	unsigned count)
{
	LLVMValueRef vector, whole = count > 1 ? whole_of(registers, count) : NULL;

	if (count == 1)
		return registers[0];
	if (whole && LLVMGetVectorSize(LLVMTypeOf(whole)) == count)
		return whole;
	if (whole && count <= MOST_CUT)
		return cut(body, whole, (unsigned)place_of(registers[0]), count);
	vector = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(registers[0]), count));
	for (unsigned i = 0; i < count; i++)
		vector = LLVMBuildInsertElement(body->b, vector, registers[i],
			lower_int(body->i32, i), "");
	return vector;
}

void program_part(const program_scope *body, LLVMValueRef vector, unsigned count,
	LLVMValueRef *registers)
{
	for (unsigned i = 0; i < count; i++)
		registers[i] = count > 1 ? LLVMBuildExtractElement(body->b, vector,
			lower_int(body->i32, i), "") : vector;
}

LLVMValueRef program_phi(const program_scope *body, LLVMTypeRef type, LLVMValueRef value,
	LLVMBasicBlockRef from, const char *name)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);
	LLVMValueRef at = LLVMGetFirstInstruction(here), phi;

	while (at && LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	if (at)
		LLVMPositionBuilderBefore(body->b, at);
	phi = LLVMBuildPhi(body->b, type, name);
	LLVMAddIncoming(phi, &value, &from, 1);
	LLVMPositionBuilderAtEnd(body->b, here);
	return phi;
}
