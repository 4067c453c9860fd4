/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* e^x as arithmetic on floats, so that loops of it become loops of vectors.
 *
 *	e^x = 2^k e^r	k the integer nearest to x / ln 2, r = x - k ln 2, |r| < 0.35
 *
 * k is what adding 1.5 * 2^23 leaves in the lowest bits, and e^r the Taylor polynomial of
 * degree 7, whose error is below 2^-27.  2^k is two factors, of which each is normal: e^-104
 * is 0 and e^89 infinite, and x is kept between them.  A NaN stays one. */
#include "lower/number.h"

#include <string.h>

static LLVMValueRef real(LLVMValueRef like, double value)
{
	return LLVMConstReal(LLVMTypeOf(like), value);
}

static LLVMValueRef integer(LLVMValueRef like, long long value)
{
	return LLVMConstInt(LLVMTypeOf(like), (unsigned long long)value, true);
}

static LLVMValueRef multiply_add(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y,
	LLVMValueRef z)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMModuleRef module = LLVMGetGlobalParent(
		LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
	LLVMValueRef args[] = { x, y, z }, function = LLVMGetIntrinsicDeclaration(module,
		LLVMLookupIntrinsicID("llvm.fma", strlen("llvm.fma")), &type, 1);

	return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, 3, "");
}

/* "limit" where x is beyond it. */
static LLVMValueRef bound(LLVMBuilderRef b, LLVMRealPredicate beyond, LLVMValueRef x,
	double limit)
{
	return LLVMBuildSelect(b, LLVMBuildFCmp(b, beyond, x, real(x, limit), ""),
		real(x, limit), x, "");
}

/* e^r */
static LLVMValueRef polynomial(LLVMBuilderRef b, LLVMValueRef r)
{
	static const double inverse_factorials[] = { 1.0 / 5040, 1.0 / 720, 1.0 / 120,
		1.0 / 24, 1.0 / 6, 0.5, 1, 1 };
	LLVMValueRef sum = real(r, inverse_factorials[0]);

	for (unsigned i = 1; i < 8; i++)
		sum = multiply_add(b, sum, r, real(r, inverse_factorials[i]));
	return sum;
}

/* 2^k of an i32 in -126 .. 127 */
static LLVMValueRef power_of_2(LLVMBuilderRef b, LLVMValueRef k, LLVMTypeRef type)
{
	LLVMValueRef exponent = LLVMBuildAdd(b, k, integer(k, 127), "");

	return LLVMBuildBitCast(b, LLVMBuildShl(b, exponent, integer(k, 23), ""), type, "");
}

LLVMValueRef number_exp(LLVMBuilderRef b, LLVMValueRef x)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(b));
	LLVMValueRef magic, shifted, k, r, low, high, result;

	x = bound(b, LLVMRealOLT, bound(b, LLVMRealOGT, x, 89), -104);
	magic = real(x, 0x1.8p23);
	shifted = multiply_add(b, x, real(x, 0x1.715476p0), magic);
	k = LLVMBuildFSub(b, shifted, magic, "");
	r = multiply_add(b, k, real(x, -0x1.62e400p-1), x);
	r = multiply_add(b, k, real(x, -0x1.7f7d1cp-20), r);
	k = LLVMBuildSub(b, LLVMBuildBitCast(b, shifted, i32, ""),
		LLVMConstInt(i32, 0x4b400000, false), "");
	low = LLVMBuildAShr(b, k, integer(k, 1), "");
	high = LLVMBuildSub(b, k, low, "");
	result = LLVMBuildFMul(b, polynomial(b, r), power_of_2(b, low, type), "");
	return LLVMBuildFMul(b, result, power_of_2(b, high, type), "exp");
}
