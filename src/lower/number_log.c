/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* log x as arithmetic on floats, for targets that have no instruction for it.
 *
 *	log x = k ln 2 + log m		x = 2^k m, 1/sqrt(2) <= m < sqrt(2)
 *	log m = f - f^2/2 + s (f^2/2 + R(s^2)),  f = m - 1, s = f / (2 + f)
 *
 * R is the polynomial of degree 4 in s^2 that is nearest to the rest of the series of
 * log((1 + s) / (1 - s)).  ln 2 is two numbers, of which k times the first is exact.  A
 * subnormal number is scaled before. */
#include "lower/number.h"

#include <math.h>

static LLVMValueRef add(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	return LLVMBuildFAdd(b, x, y, "");
}

static LLVMValueRef multiply(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	return LLVMBuildFMul(b, x, y, "");
}

/* R of z = s^2 */
static LLVMValueRef rest(LLVMBuilderRef b, LLVMValueRef z)
{
	static const double factors[] = { 0x1.f13c4cp-3, 0x1.23d3dcp-2, 0x1.999c26p-2,
		0x1.555554p-1 };
	LLVMValueRef sum = lower_real_like(z, factors[0]);

	for (unsigned i = 1; i < sizeof(factors) / sizeof(*factors); i++)
		sum = add(b, multiply(b, sum, z), lower_real_like(z, factors[i]));
	return multiply(b, sum, z);
}

/* Of f, and k as a float. */
static LLVMValueRef join(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef k)
{
	LLVMValueRef s = LLVMBuildFDiv(b, f, add(b, f, lower_real_like(f, 2)), "");
	LLVMValueRef half = multiply(b, lower_real_like(f, 0.5), multiply(b, f, f)), sum;

	sum = multiply(b, s, add(b, half, rest(b, multiply(b, s, s))));
	sum = add(b, sum, multiply(b, k, lower_real_like(k, 0x1.2fefa2p-17)));
	sum = add(b, LLVMBuildFSub(b, sum, half, ""), f);
	return add(b, sum, multiply(b, k, lower_real_like(k, 0x1.62e3p-1)));
}

/* Of 0, numbers below it, and what is no finite number. */
static LLVMValueRef settle(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef result)
{
	LLVMValueRef zero = lower_real_like(x, 0);

	result = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, x, zero, ""), lower_real_like(x, NAN),
		result, "");
	result = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOEQ, x, zero, ""),
		lower_real_like(x, -INFINITY), result, "");
	return LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealULT, x, lower_real_like(x, INFINITY), ""),
		LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealUNO, x, x, ""), x, result, ""), x,
		"");
}

LLVMValueRef number_log(LLVMBuilderRef b, LLVMValueRef x)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(b));
	LLVMValueRef is_small, bits, k, m, scaled;

	is_small = LLVMBuildFCmp(b, LLVMRealOLT, x, lower_real_like(x, 0x1p-126), "");
	scaled = LLVMBuildSelect(b, is_small, multiply(b, x, lower_real_like(x, 0x1p23)), x, "");
	bits = LLVMBuildBitCast(b, scaled, i32, "");
	k = LLVMBuildAShr(b, LLVMBuildSub(b, bits, lower_int_like(bits, 0x3f3504f3), ""),
		lower_int_like(bits, 23), "");
	m = LLVMBuildBitCast(b, LLVMBuildSub(b, bits, LLVMBuildShl(b, k, lower_int_like(k, 23), ""),
		""), type, "");
	k = LLVMBuildSub(b, k, LLVMBuildSelect(b, is_small, lower_int_like(k, 23), lower_int_like(k, 0), ""),
		"");
	return settle(b, x, join(b, add(b, m, lower_real_like(m, -1)), LLVMBuildSIToFP(b, k, type, "")));
}
