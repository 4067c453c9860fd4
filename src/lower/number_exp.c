/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* e^x and 2^x as arithmetic on floats, so that loops of them become loops of vectors.
 *
 *	e^x = 2^k e^r	k the integer nearest to x / ln 2, r = x - k ln 2, |r| < 0.35
 *	2^x = 2^k e^r	k the integer nearest to x, r = (x - k) ln 2
 *
 * k is what adding 1.5 * 2^23 leaves in the lowest bits, and e^r a polynomial through the
 * zeros of Chebyshev's, whose error is below 2^-27.  Where the processor does not scale by
 * 2^k, that is two factors, of which each is normal.  From 89 on e^x is infinite; below -104
 * it is 0, and computed for 0, since numbers near 0 take their time; so is 2^x from 129 on and
 * below -151.  A NaN stays one. */
#include "lower/number.h"

#include <string.h>

#define MAGIC 0x1.8p23

static LLVMValueRef multiply_add(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y,
	LLVMValueRef z)
{
	LLVMValueRef args[] = { x, y, z };

	return lower_intrinsic_like(b, "llvm.fma", args, 3);
}

/* e^r */
static LLVMValueRef polynomial(LLVMBuilderRef b, LLVMValueRef r)
{
	static const double factors[] = { 0x1.6d758cp-10, 0x1.127p-7, 0x1.5554acp-5, 0x1.555404p-3,
		0x1p-1, 0x1p0, 0x1p0 };
	LLVMValueRef sum = lower_real_like(r, factors[0]);

	for (unsigned i = 1; i < sizeof(factors) / sizeof(*factors); i++)
		sum = multiply_add(b, sum, r, lower_real_like(r, factors[i]));
	return sum;
}

/* 2^k of an i32 in -126 .. 127 */
static LLVMValueRef power_of_2(LLVMBuilderRef b, LLVMValueRef k, LLVMTypeRef type)
{
	LLVMValueRef exponent = LLVMBuildAdd(b, k, lower_int_like(k, 127), "");

	return LLVMBuildBitCast(b, LLVMBuildShl(b, exponent, lower_int_like(k, 23), ""), type, "");
}

/* x 2^k */
static LLVMValueRef scaled(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef k)
{
	LLVMTypeRef types[] = { LLVMTypeOf(x), LLVMTypeOf(k) };
	LLVMValueRef args[] = { x, k }, half;

	if (LLVMGetStringAttributeAtIndex(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)),
	    (LLVMAttributeIndex)LLVMAttributeFunctionIndex, NUMBER_SCALES, strlen(NUMBER_SCALES)))
		return lower_intrinsic(b, "llvm.ldexp", types, 2, args, 2);
	half = LLVMBuildAShr(b, k, lower_int_like(k, 1), "");
	x = LLVMBuildFMul(b, x, power_of_2(b, half, types[0]), "");
	return LLVMBuildFMul(b, x, power_of_2(b, LLVMBuildSub(b, k, half, ""), types[0]), "");
}

/* What a number is that is at most "most", and "is_low" where it is below "least": 0 then. */
static LLVMValueRef clamp(LLVMBuilderRef b, LLVMValueRef x, double least, double most,
	LLVMValueRef *is_low)
{
	LLVMValueRef limit = lower_real_like(x, most);

	*is_low = LLVMBuildFCmp(b, LLVMRealOLT, x, lower_real_like(x, least), "");
	x = LLVMBuildSelect(b, *is_low, LLVMConstNull(LLVMTypeOf(x)), x, "");
	return LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOGT, x, limit, ""), limit, x, "");
}

/* 2^k e^r, with k in the lowest bits of "shifted". */
static LLVMValueRef finish(LLVMBuilderRef b, LLVMValueRef is_low, LLVMValueRef r,
	LLVMValueRef shifted)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(b));
	LLVMValueRef k = LLVMBuildSub(b, LLVMBuildBitCast(b, shifted, i32, ""),
		LLVMConstInt(i32, 0x4b400000, false), "");

	return LLVMBuildSelect(b, is_low, LLVMConstNull(LLVMTypeOf(r)),
		scaled(b, polynomial(b, r), k), "exp");
}

LLVMValueRef number_exp(LLVMBuilderRef b, LLVMValueRef x)
{
	LLVMValueRef magic = lower_real_like(x, MAGIC), is_low, shifted, k, r;

	x = clamp(b, x, -104, 89, &is_low);
	shifted = multiply_add(b, x, lower_real_like(x, 0x1.715476p0), magic);
	k = LLVMBuildFSub(b, shifted, magic, "");
	r = multiply_add(b, k, lower_real_like(x, -0x1.62e400p-1), x);
	r = multiply_add(b, k, lower_real_like(x, -0x1.7f7d1cp-20), r);
	return finish(b, is_low, r, shifted);
}

/* x - k is exact. */
LLVMValueRef number_exp2(LLVMBuilderRef b, LLVMValueRef x)
{
	LLVMValueRef magic = lower_real_like(x, MAGIC), is_low, shifted, r;

	x = clamp(b, x, -151, 129, &is_low);
	shifted = LLVMBuildFAdd(b, x, magic, "");
	r = LLVMBuildFSub(b, x, LLVMBuildFSub(b, shifted, magic, ""), "");
	return finish(b, is_low, LLVMBuildFMul(b, r, lower_real_like(x, 0x1.62e43p-1), ""), shifted);
}
