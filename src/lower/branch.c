/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/branch.h"

struct branch branch_open(const struct iteration *iteration, LLVMValueRef condition,
	const char *name)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMBasicBlockRef body = iteration_block(iteration, name);
	struct branch branch = { LLVMGetInsertBlock(builder),
		iteration_block(iteration, "join") };

	LLVMBuildCondBr(builder, condition, body, branch.join);
	LLVMPositionBuilderAtEnd(builder, body);
	return branch;
}

void branch_close(const struct iteration *iteration, const struct branch *branch)
{
	LLVMBuilderRef builder = iteration->scope.builder;

	LLVMBuildBr(builder, branch->join);
	LLVMPositionBuilderAtEnd(builder, branch->join);
}

LLVMValueRef branch_value(const struct iteration *iteration, const struct branch *branch,
	LLVMValueRef value, LLVMValueRef otherwise)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMBasicBlockRef from[] = { branch->from, LLVMGetInsertBlock(builder) };
	LLVMValueRef values[] = { otherwise, value }, phi;

	branch_close(iteration, branch);
	phi = LLVMBuildPhi(builder, LLVMTypeOf(value), "value");
	LLVMAddIncoming(phi, values, from, 2);
	return phi;
}
