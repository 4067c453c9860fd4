/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/branch.h"

/* Once in so many times. */
enum { SELDOM = 1 << 20 };

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

/* !prof !{"branch_weights", i32 1, i32 SELDOM} */
struct branch branch_open_seldom(const struct iteration *iteration, LLVMValueRef condition,
	const char *name)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(iteration->scope.builder);
	struct branch branch = branch_open(iteration, condition, name);
	LLVMMetadataRef weights[] = { LLVMMDStringInContext2(llvm, "branch_weights", 14), NULL,
		NULL };

	for (unsigned i = 0; i < 2; i++)
		weights[1 + i] = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(llvm),
			i ? SELDOM : 1, false));
	LLVMSetMetadata(LLVMGetBasicBlockTerminator(branch.from),
		LLVMGetMDKindIDInContext(llvm, "prof", 4), LLVMMetadataAsValue(llvm,
		LLVMMDNodeInContext2(llvm, weights, 3)));
	return branch;
}

void branch_close(const struct iteration *iteration, const struct branch *branch)
{
	LLVMBuilderRef builder = iteration->scope.builder;

	LLVMBuildBr(builder, branch->join);
	LLVMPositionBuilderAtEnd(builder, branch->join);
}

void branch_otherwise(const struct iteration *iteration, struct branch *branch)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMBasicBlockRef other = iteration_block(iteration, "otherwise");

	LLVMSetSuccessor(LLVMGetBasicBlockTerminator(branch->from), 1, other);
	branch->from = LLVMGetInsertBlock(builder);
	LLVMBuildBr(builder, branch->join);
	LLVMPositionBuilderAtEnd(builder, other);
}

void branch_values(const struct iteration *iteration, const struct branch *branch,
	LLVMValueRef *values, const LLVMValueRef *otherwise, unsigned count)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMBasicBlockRef from[] = { branch->from, LLVMGetInsertBlock(builder) };

	branch_close(iteration, branch);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef incoming[] = { otherwise[i], values[i] };

		values[i] = LLVMBuildPhi(builder, LLVMTypeOf(incoming[0]), "value");
		LLVMAddIncoming(values[i], incoming, from, 2);
	}
}

LLVMValueRef branch_value(const struct iteration *iteration, const struct branch *branch,
	LLVMValueRef value, LLVMValueRef otherwise)
{
	branch_values(iteration, branch, &value, &otherwise, 1);
	return value;
}
