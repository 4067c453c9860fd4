/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions as LLVM's intrinsics, which take registers one by one. */
#include "nvptx/code/nvptx.h"

#include <llvm-c/Target.h>
#include <string.h>

enum { MOST_REGISTERS = 20 };

/* Bits of a vector, or of a number. */
static unsigned bits_of(LLVMTypeRef type)
{
	unsigned count = 1;

	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
		count = LLVMGetVectorSize(type);
		type = LLVMGetElementType(type);
	}
	switch (LLVMGetTypeKind(type)) {
	case LLVMHalfTypeKind:
		return 16 * count;
	case LLVMFloatTypeKind:
		return 32 * count;
	case LLVMDoubleTypeKind:
		return 64 * count;
	default:
		return LLVMGetIntTypeWidth(type) * count;
	}
}

/* The value as registers of these types, of which all have one size; how many. */
static unsigned part(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef *types,
	LLVMValueRef *registers)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	unsigned bits = bits_of(types[0]), count = bits_of(LLVMTypeOf(value)) / bits;
	LLVMTypeRef word = LLVMIntTypeInContext(llvm, bits);

	value = LLVMBuildBitCast(b, value, LLVMVectorType(word, count), "");
	for (unsigned i = 0; i < count; i++)
		registers[i] = LLVMBuildBitCast(b, LLVMBuildExtractElement(b, value,
			LLVMConstInt(LLVMInt32TypeInContext(llvm), i, false), ""), types[i], "");
	return count;
}

/* The fields of a result as a value of a type. */
static LLVMValueRef join(LLVMBuilderRef b, LLVMValueRef result, LLVMTypeRef type)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	unsigned count = LLVMCountStructElementTypes(LLVMTypeOf(result));
	LLVMTypeRef word = LLVMIntTypeInContext(llvm, bits_of(type) / count);
	LLVMValueRef all = LLVMGetPoison(LLVMVectorType(word, count));

	for (unsigned i = 0; i < count; i++)
		all = LLVMBuildInsertElement(b, all, LLVMBuildBitCast(b,
			LLVMBuildExtractValue(b, result, i, ""), word, ""),
			LLVMConstInt(LLVMInt32TypeInContext(llvm), i, false), "");
	return LLVMBuildBitCast(b, all, type, "product");
}

LLVMValueRef nvptx_multiply(LLVMBuilderRef b, const layout_target *row,
	const struct target_product *product)
{
	const char *name = product->code->name;
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name)), count = 0;
	LLVMTypeRef types[MOST_REGISTERS];
	LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetBuilderContext(b), id, NULL, 0);
	LLVMValueRef registers[MOST_REGISTERS];

	(void)row;
	LLVMGetParamTypes(type, types);
	for (unsigned i = 0; i < 2; i++)
		count += part(b, product->factors[i], types + count, registers + count);
	count += part(b, product->sum, types + count, registers + count);
	return join(b, lower_intrinsic(b, name, NULL, 0, registers, count),
		LLVMTypeOf(product->sum));
}
