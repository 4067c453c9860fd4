/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/stream.h"

#include <string.h>

LLVMValueRef stream_is_large(const struct iteration *iteration, LLVMValueRef bytes)
{
	int64_t most = iteration->kernel->hooks->cache_bytes();

	return LLVMBuildICmp(iteration->scope.builder, LLVMIntSGT, bytes,
		LLVMConstInt(LLVMTypeOf(bytes), (unsigned long long)most, true), "large");
}

void stream_store(LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef address,
	unsigned bytes)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(llvm),
		1, false));
	LLVMValueRef store = LLVMBuildStore(b, value, address);

	LLVMSetAlignment(store, bytes);
	LLVMSetMetadata(store, LLVMGetMDKindIDInContext(llvm, "nontemporal", 11),
		LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, &one, 1)));
}

void stream_prefetch(LLVMBuilderRef b, LLVMValueRef address)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(b));
	LLVMTypeRef pointer = LLVMTypeOf(address);
	unsigned id = LLVMLookupIntrinsicID("llvm.prefetch", strlen("llvm.prefetch"));
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(
		LLVMGetBasicBlockParent(LLVMGetInsertBlock(b))), id, &pointer, 1);
	LLVMValueRef args[] = { address, LLVMConstInt(i32, 0, false),
		LLVMConstInt(i32, 3, false), LLVMConstInt(i32, 1, false) };

	LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, 4, "");
}

void stream_end(LLVMBuilderRef b)
{
	LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}
