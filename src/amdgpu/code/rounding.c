/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products that are rounded to 16 bits.
 *
 * LLVM makes f16(a * b) one instruction, v_fma_mixlo_f16, whose addend is 0 and not -0: a
 * product that is -0 would lose its sign.  So it does not see that what is rounded is one. */
#include "amdgpu/code/amdgpu.h"

enum { MOST_STEPS = 8 };

static LLVMTypeKind number_kind(LLVMTypeRef type)
{
	return LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ?
		LLVMGetElementType(type) : type);
}

/* Is the value a product, or has it parts that are? */
static bool is_product(LLVMValueRef value, unsigned steps)
{
	unsigned first = 0, count = 1;

	if (!LLVMIsAInstruction(value))
		return false;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMFMul:
	case LLVMFDiv:
		return true;
	case LLVMFNeg:
	case LLVMFreeze:
	case LLVMExtractElement:
		break;
	case LLVMShuffleVector:
	case LLVMInsertElement:
		count = 2;
		break;
	case LLVMSelect:
		first = 1;
		count = 2;
		break;
	default:
		return false;
	}
	for (unsigned i = first; steps && i < first + count; i++)
		if (is_product(LLVMGetOperand(value, i), steps - 1))
			return true;
	return !steps;
}

/* The value as what an assembly gives, of which nothing is known. */
static LLVMValueRef hide(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
		return amdgpu_await(builder, value);
	for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
		LLVMValueRef at = amdgpu_constant(builder, 32, i);
		LLVMValueRef element = LLVMBuildExtractElement(builder, value, at, "");

		value = LLVMBuildInsertElement(builder, value, amdgpu_await(builder, element), at,
			"");
	}
	return value;
}

static void look_at(LLVMBuilderRef builder, LLVMValueRef instruction)
{
	LLVMTypeKind to = number_kind(LLVMTypeOf(instruction));
	LLVMValueRef from;

	if (LLVMGetInstructionOpcode(instruction) != LLVMFPTrunc ||
	    (to != LLVMHalfTypeKind && to != LLVMBFloatTypeKind))
		return;
	from = LLVMGetOperand(instruction, 0);
	if (number_kind(LLVMTypeOf(from)) != LLVMFloatTypeKind || !is_product(from, MOST_STEPS))
		return;
	LLVMPositionBuilderBefore(builder, instruction);
	LLVMSetOperand(instruction, 0, hide(builder, from));
}

void amdgpu_keep_signs(LLVMModuleRef module)
{
	lower_walk(module, look_at);
}
