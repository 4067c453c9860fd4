/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions as LLVM's intrinsics. */
#include "amdgpu/code/amdgpu.h"

#include <string.h>

/* Of the registers that a lane has without those for sums alone; the rest are for
 * addresses. */
enum { MOST_WORDS = 192 };

static LLVMContextRef context_of(LLVMBuilderRef builder)
{
	return LLVMGetBuilderContext(builder);
}

/* Bits of a vector, or of a number. */
static unsigned bits_of(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return LLVMGetTypeKind(type) != LLVMVectorTypeKind ? LLVMGetIntTypeWidth(type) :
		LLVMGetVectorSize(type) * LLVMGetIntTypeWidth(LLVMGetElementType(type));
}

/* Of MFMA, what the intrinsic takes is said by its name. */
static LLVMValueRef mfma(LLVMBuilderRef builder, const struct target_product *product)
{
	const char *name = product->code->name;
	LLVMTypeRef types[6], sum = LLVMTypeOf(product->sum);
	LLVMTypeRef function = LLVMIntrinsicGetType(context_of(builder),
		LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
	LLVMValueRef none = amdgpu_constant(builder, 32, 0);
	LLVMValueRef args[6] = { NULL, NULL, NULL, none, none, none };

	LLVMGetParamTypes(function, types);
	for (unsigned i = 0; i < 2; i++)
		args[i] = LLVMBuildBitCast(builder, product->factors[i], types[i], "");
	args[2] = LLVMBuildBitCast(builder, product->sum, types[2], "");
	return LLVMBuildBitCast(builder, amdgpu_call(builder, name, NULL, 0, args, 6,
		"product"), sum, "");
}

/* How the instruction for inputs of 8, 6 and 4 bits numbers their formats. */
static LLVMValueRef format_of(LLVMBuilderRef builder, const struct element_type *type)
{
	static const char *const formats[] = { "f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN",
		"f4E2M1FN" };
	unsigned format = 0;

	while (strcmp(formats[format], type->name) != 0)
		format++;
	return amdgpu_constant(builder, 32, format);
}

/* The lowest byte of four.  That all are 0 says that there are no scales: others are not. */
static LLVMValueRef scale_of(LLVMBuilderRef builder, LLVMValueRef scale)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context_of(builder));

	return scale ? LLVMBuildOr(builder, LLVMBuildZExt(builder, scale, i32, ""),
		amdgpu_constant(builder, 32, 0x100), "scale") : amdgpu_constant(builder, 32, 0);
}

static LLVMValueRef mfma_f8f6f4(LLVMBuilderRef builder, const struct target_product *product)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context_of(builder)), types[2];
	LLVMTypeRef sum = LLVMTypeOf(product->sum);
	LLVMValueRef args[9];

	for (unsigned i = 0; i < 2; i++) {
		types[i] = LLVMVectorType(i32, bits_of(product->factors[i]) / 32);
		args[i] = LLVMBuildBitCast(builder, product->factors[i], types[i], "");
		args[3 + i] = format_of(builder, product->types[i]);
		args[5 + 2 * i] = amdgpu_constant(builder, 32, 0);
		args[6 + 2 * i] = scale_of(builder, product->scales[i]);
	}
	args[2] = LLVMBuildBitCast(builder, product->sum, LLVMVectorType(
		LLVMFloatTypeInContext(context_of(builder)), bits_of(product->sum) / 32), "");
	return LLVMBuildBitCast(builder, amdgpu_call(builder, product->code->name, types, 2,
		args, 9, "product"), sum, "");
}

/* The type of a WMMA's operand: LLVM has no arithmetic for bf16 there, and takes four
 * numbers of eight bits as a word. */
static LLVMTypeRef wmma_type(LLVMBuilderRef builder, const char *type, unsigned bits)
{
	LLVMContextRef llvm = context_of(builder);

	if (!strcmp(type, "f32"))
		return LLVMVectorType(LLVMFloatTypeInContext(llvm), bits / 32);
	if (!strcmp(type, "f16"))
		return LLVMVectorType(LLVMHalfTypeInContext(llvm), bits / 16);
	if (!strcmp(type, "bf16"))
		return LLVMVectorType(LLVMInt16TypeInContext(llvm), bits / 16);
	return LLVMVectorType(LLVMInt32TypeInContext(llvm), bits / 32);
}

/* Numbers in the lower halves of registers, and back. */
static LLVMValueRef spread(LLVMBuilderRef builder, LLVMValueRef vector, bool apart)
{
	LLVMTypeRef type = LLVMTypeOf(vector);
	unsigned size = LLVMGetVectorSize(type), count = apart ? size : size / 2;
	LLVMValueRef result = LLVMConstNull(LLVMVectorType(LLVMGetElementType(type),
		apart ? 2 * size : count));

	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef from = amdgpu_constant(builder, 32, apart ? i : 2 * i);
		LLVMValueRef to = amdgpu_constant(builder, 32, apart ? 2 * i : i);

		result = LLVMBuildInsertElement(builder, result, LLVMBuildExtractElement(
			builder, vector, from, ""), to, "");
	}
	return result;
}

/* Signs precede numbers of eight bits, and a flag to saturate follows; halves that are
 * summed are followed by which of a register they are. */
static unsigned wmma_args(LLVMBuilderRef builder, const struct target_product *product,
	LLVMValueRef sum, LLVMValueRef args[6])
{
	const struct mma_code *code = product->code;
	bool signs = !strcmp(code->types[0], "iu8");
	unsigned count = 0;

	for (unsigned i = 0; i < 2; i++) {
		if (signs)
			args[count++] = amdgpu_constant(builder, 1, product->types[i]->kind != 'u');
		args[count++] = LLVMBuildBitCast(builder, product->factors[i], wmma_type(
			builder, code->types[i], bits_of(product->factors[i])), "");
	}
	args[count++] = sum;
	if (signs || strcmp(code->types[2], "f32") != 0)
		args[count++] = amdgpu_constant(builder, 1, 0);
	return count;
}

static LLVMValueRef wmma(LLVMBuilderRef builder, const struct target_product *product)
{
	const struct mma_code *code = product->code;
	LLVMValueRef args[6], sum = code->spread ? spread(builder, product->sum, true) :
		product->sum;
	LLVMTypeRef integers = LLVMTypeOf(sum), types[2];
	unsigned count;

	sum = LLVMBuildBitCast(builder, sum, wmma_type(builder, code->types[2],
		bits_of(sum)), "");
	count = wmma_args(builder, product, sum, args);
	types[0] = LLVMTypeOf(sum);
	types[1] = LLVMTypeOf(args[!strcmp(code->types[0], "iu8")]);
	sum = LLVMBuildBitCast(builder, amdgpu_call(builder, code->name, types, 2, args,
		count, "product"), integers, "");
	return code->spread ? spread(builder, sum, false) : sum;
}

/* Registers for sums alone would be copied to and fro in loops. */
static void keep_in_vgprs(LLVMBuilderRef builder)
{
	LLVMAddTargetDependentFunctionAttr(LLVMGetBasicBlockParent(
		LLVMGetInsertBlock(builder)), "amdgpu-agpr-alloc", "0");
}

LLVMValueRef amdgpu_multiply(LLVMBuilderRef builder, const layout_target *row,
	const struct target_product *product)
{
	if (amdgpu_chip_of(row)->sums_in_vgprs && product->words <= MOST_WORDS)
		keep_in_vgprs(builder);
	return strstr(product->code->name, ".wmma.") ? wmma(builder, product) :
		strstr(product->code->name, ".f8f6f4") ? mfma_f8f6f4(builder, product) :
		mfma(builder, product);
}
