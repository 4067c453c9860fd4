/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/number.h"
#include "lower/convert.h"

#include <string.h>

static const struct element_type f32 = { "f32", 32, 'f', 8, 23, 127, 0x7fc00000, false };
static const struct element_type f64 = { "f64", 64, 'f', 11, 52, 1023, 0x7ff8000000000000,
	false };

static LLVMContextRef llvm_of(LLVMBuilderRef b)
{
	return LLVMGetBuilderContext(b);
}

LLVMTypeRef number_type(LLVMContextRef llvm, const struct element_type *type)
{
	if (type->kind == 'f' && type->bits == 32)
		return LLVMFloatTypeInContext(llvm);
	if (type->kind == 'f' && type->bits == 64)
		return LLVMDoubleTypeInContext(llvm);
	return LLVMIntTypeInContext(llvm, type->kind == 'b' ? 1 : type->bits);
}

LLVMValueRef number_constant(LLVMContextRef llvm, const struct element_type *type,
	uint64_t bits)
{
	LLVMTypeRef number = number_type(llvm, type);

	if (type->kind == 'b')
		return LLVMConstInt(number, bits != 0, false);
	return LLVMConstBitCast(LLVMConstInt(LLVMIntTypeInContext(llvm, type->bits), bits,
		false), number);
}

LLVMValueRef number_of_bits(LLVMBuilderRef b, const struct element_type *type,
	LLVMValueRef bits)
{
	if (type->kind == 'b')
		return LLVMBuildICmp(b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)),
			"");
	return LLVMBuildBitCast(b, bits, number_type(llvm_of(b), type), "");
}

LLVMValueRef number_to_bits(LLVMBuilderRef b, const struct element_type *type,
	LLVMValueRef number)
{
	LLVMTypeRef bits = LLVMIntTypeInContext(llvm_of(b), type->bits);

	return type->kind == 'b' ? LLVMBuildZExt(b, number, bits, "") :
		LLVMBuildBitCast(b, number, bits, "");
}

/* A function of libm that has no intrinsic; it only computes. */
static LLVMValueRef call_libm(LLVMBuilderRef b, const char *name, LLVMValueRef x)
{
	static const char *const attributes[] = { "nounwind", "willreturn", "memory" };
	LLVMModuleRef module = LLVMGetGlobalParent(
		LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
	LLVMTypeRef number = LLVMTypeOf(x);
	LLVMTypeRef type = LLVMFunctionType(number, &number, 1, false);
	LLVMValueRef function = LLVMGetNamedFunction(module, name);

	if (!function) {
		function = LLVMAddFunction(module, name, type);
		for (unsigned i = 0; i < 3; i++)
			LLVMAddAttributeAtIndex(function,
				(LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(llvm_of(b),
					LLVMGetEnumAttributeKindForName(attributes[i],
						strlen(attributes[i])), 0));
	}
	return LLVMBuildCall2(b, type, function, &x, 1, "");
}

static LLVMValueRef convert_by(LLVMBuilderRef b, const struct element_type *to,
	const struct element_type *from, bool by_half, LLVMValueRef number)
{
	const struct conversion conversion = { .from = from, .to = to, .by_half = by_half,
		.wide = from->bits == 64 || to->bits == 64 ? &f64 : &f32 };

	return number_of_bits(b, to, convert_value(b, &conversion,
		number_to_bits(b, from, number)));
}

static LLVMValueRef convert(LLVMBuilderRef b, const struct element_type *to,
	const struct element_type *from, LLVMValueRef number)
{
	return convert_by(b, to, from, false, number);
}

/* What numbers of a floating point type are computed in. */
static const struct element_type *work_type(const struct element_type *type)
{
	return type->bits < 32 ? &f32 : type;
}

static LLVMValueRef to_work(LLVMBuilderRef b, const struct element_type *type,
	LLVMValueRef number)
{
	return type->bits < 32 ? convert(b, &f32, type, number) : number;
}

static LLVMValueRef from_work(LLVMBuilderRef b, const struct element_type *type,
	LLVMValueRef number)
{
	return type->bits < 32 ? convert(b, type, &f32, number) : number;
}

/* The same integer with what is beyond a double's digits in one bit, so that it rounds
 * once. */
static LLVMValueRef sticky(LLVMBuilderRef b, LLVMValueRef x, bool is_signed)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	LLVMValueRef low = LLVMConstInt(type, 0x7ff, false);
	LLVMValueRef rest = LLVMBuildAdd(b, LLVMBuildAnd(b, x, low, ""), low, "");
	LLVMValueRef kept = LLVMBuildAnd(b, LLVMBuildOr(b, x, rest, ""),
		LLVMBuildNot(b, low, ""), "");
	LLVMValueRef exact = LLVMConstInt(type, (uint64_t)1 << 53, false);
	LLVMValueRef is_small = is_signed ? LLVMBuildICmp(b, LLVMIntULT,
		LLVMBuildAdd(b, x, exact, ""), LLVMBuildAdd(b, exact, exact, ""), "") :
		LLVMBuildICmp(b, LLVMIntULT, x, exact, "");

	return LLVMBuildSelect(b, is_small, x, kept, "");
}

static LLVMValueRef integer_to_float(LLVMBuilderRef b, const struct element_type *to,
	const struct element_type *from, LLVMValueRef number)
{
	const struct element_type *by = to->bits < 32 ? &f64 : to;
	LLVMTypeRef type = number_type(llvm_of(b), by);
	bool is_signed = from->kind == 'i';

	if (to->bits < 32 && from->bits == 64)
		number = sticky(b, number, is_signed);
	number = is_signed ? LLVMBuildSIToFP(b, number, type, "") :
		LLVMBuildUIToFP(b, number, type, "");
	return by == to ? number : convert(b, to, by, number);
}

/* An integral number within what "to" has, which f32 holds, and 0 for NaN, as an i32: LLVM has
 * no vectors of a conversion that saturates for processors without lanes. */
static LLVMValueRef narrow_integer(LLVMBuilderRef b, const struct element_type *to,
	LLVMValueRef number)
{
	LLVMTypeRef type = LLVMTypeOf(number), i32 = LLVMInt32TypeInContext(llvm_of(b));
	bool is_signed = to->kind != 'u';
	double most = (double)(1ll << (to->bits - is_signed)) - 1;
	LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, number, number, ""), args[2];

	args[0] = LLVMBuildSelect(b, nan, LLVMConstNull(type), number, "");
	args[1] = LLVMConstReal(type, is_signed ? -most - 1 : 0);
	args[0] = lower_intrinsic_like(b, "llvm.maxnum", args, 2);
	args[1] = LLVMConstReal(type, most);
	args[0] = lower_intrinsic_like(b, "llvm.minnum", args, 2);
	return LLVMBuildTrunc(b, LLVMBuildFPToSI(b, args[0], i32, ""), number_type(llvm_of(b), to),
		"");
}

static LLVMValueRef float_to_integer(LLVMBuilderRef b, const struct element_type *to,
	const struct element_type *from, LLVMValueRef number)
{
	LLVMTypeRef types[2];

	number = to_work(b, from, number);
	if (to->kind == 'b')
		return LLVMBuildFCmp(b, LLVMRealUNE, number,
			LLVMConstNull(LLVMTypeOf(number)), "");
	number = lower_intrinsic_like(b, "llvm.roundeven", &number, 1);
	if (to->bits <= 16)
		return narrow_integer(b, to, number);
	types[0] = number_type(llvm_of(b), to);
	types[1] = LLVMTypeOf(number);
	return lower_intrinsic(b, to->kind == 'u' ? "llvm.fptoui.sat" : "llvm.fptosi.sat", types,
		2, &number, 1);
}

LLVMValueRef number_cast(LLVMBuilderRef b, const struct element_type *to,
	const struct element_type *from, bool by_half, LLVMValueRef number)
{
	if (to == from)
		return number;
	if (from->kind != 'f' && to->kind == 'f')
		return integer_to_float(b, to, from, number);
	if (from->kind == 'f' && to->kind != 'f')
		return float_to_integer(b, to, from, number);
	return convert_by(b, to, from, by_half, number);
}

/* The power of 2 whose exponent it is, as a double: with a bias of 127, and NaN where all bits
 * are set. */
static LLVMValueRef power_of_two(LLVMBuilderRef b, LLVMValueRef exponent)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(llvm_of(b));
	LLVMValueRef nan = LLVMBuildICmp(b, LLVMIntEQ, exponent,
		LLVMConstAllOnes(LLVMTypeOf(exponent)), "");
	LLVMValueRef bits = LLVMBuildAdd(b, LLVMBuildZExt(b, exponent, i64, ""),
		LLVMConstInt(i64, (unsigned)(f64.bias - 127), false), "");

	bits = LLVMBuildShl(b, bits, LLVMConstInt(i64, f64.mantissa, false), "");
	bits = LLVMBuildSelect(b, nan, LLVMConstInt(i64, f64.nan, false), bits, "");
	return LLVMBuildBitCast(b, bits, number_type(llvm_of(b), &f64), "");
}

LLVMValueRef number_scaled(LLVMBuilderRef b, const struct element_type *type, LLVMValueRef number,
	LLVMValueRef scale)
{
	return LLVMBuildFMul(b, convert(b, &f64, type, number), power_of_two(b, scale), "");
}

/* It is exact as a double. */
LLVMValueRef number_scaled_product(LLVMBuilderRef b, const struct element_type *to,
	LLVMValueRef x, LLVMValueRef y)
{
	return convert(b, to, &f64, LLVMBuildFMul(b, x, y, ""));
}

/* Sums and products of floats may become one instruction. */
static LLVMValueRef contracted(LLVMValueRef value, unsigned flags)
{
	if (LLVMIsAInstruction(value))
		LLVMSetFastMathFlags(value, LLVMFastMathAllowContract | flags);
	return value;
}

/* As f32 rounds it and the type again, of which the first does not matter. */
static LLVMValueRef fma_of_small(LLVMBuilderRef b, const struct element_type *type,
	const LLVMValueRef *args)
{
	LLVMValueRef wide[3];

	for (unsigned i = 0; i < 3; i++)
		wide[i] = convert(b, &f64, type, args[i]);
	return convert(b, type, &f64, lower_intrinsic_like(b, "llvm.fma", wide, 3));
}

LLVMValueRef number_operate_floats(LLVMBuilderRef b, enum map_op op, const LLVMValueRef *a)
{
	LLVMValueRef value;

	switch (op) {
	case MAP_ADD:
		return contracted(LLVMBuildFAdd(b, a[0], a[1], ""), 0);
	case MAP_SUB:
		return contracted(LLVMBuildFSub(b, a[0], a[1], ""), 0);
	case MAP_MUL:
		return contracted(LLVMBuildFMul(b, a[0], a[1], ""), 0);
	case MAP_DIV:
		return LLVMBuildFDiv(b, a[0], a[1], "");
	case MAP_NEG:
		return LLVMBuildFNeg(b, a[0], "");
	case MAP_MIN:
		return lower_intrinsic_like(b, "llvm.minimum", a, 2);
	case MAP_MAX:
		return lower_intrinsic_like(b, "llvm.maximum", a, 2);
	case MAP_FMA:
		return lower_intrinsic_like(b, "llvm.fma", a, 3);
	case MAP_SQRT:
		return lower_intrinsic_like(b, "llvm.sqrt", a, 1);
	case MAP_RSQRT:
		value = lower_intrinsic_like(b, "llvm.sqrt", a, 1);
		return LLVMBuildFDiv(b, LLVMConstReal(LLVMTypeOf(value), 1), value, "");
	case MAP_ABS:
		return lower_intrinsic_like(b, "llvm.fabs", a, 1);
	case MAP_ROUND:
		return lower_intrinsic_like(b, "llvm.roundeven", a, 1);
	case MAP_FLOOR:
		return lower_intrinsic_like(b, "llvm.floor", a, 1);
	case MAP_CEIL:
		return lower_intrinsic_like(b, "llvm.ceil", a, 1);
	case MAP_TRUNC:
		return lower_intrinsic_like(b, "llvm.trunc", a, 1);
	default:
		return NULL;
	}
}

static LLVMValueRef apply_float(LLVMBuilderRef b, enum map_op op,
	const struct element_type *type, const LLVMValueRef *a)
{
	bool is_double = type->bits == 64;

	switch (op) {
	case MAP_EXP:
		return is_double ? lower_intrinsic_like(b, "llvm.exp", a, 1) :
			number_exp(b, a[0]);
	case MAP_LOG:
		return lower_intrinsic_like(b, "llvm.log", a, 1);
	case MAP_EXP2:
		return is_double ? lower_intrinsic_like(b, "llvm.exp2", a, 1) :
			number_exp2(b, a[0]);
	case MAP_LOG2:
		return lower_intrinsic_like(b, "llvm.log2", a, 1);
	case MAP_SIN:
		return call_libm(b, is_double ? "sin" : "sinf", a[0]);
	case MAP_COS:
		return call_libm(b, is_double ? "cos" : "cosf", a[0]);
	case MAP_TANH:
		return call_libm(b, is_double ? "tanh" : "tanhf", a[0]);
	case MAP_ERF:
		return call_libm(b, is_double ? "erf" : "erff", a[0]);
	default:
		return number_operate_floats(b, op, a);
	}
}

/* A double at the nearest multiple of 8 units in its last place; what is not finite, with the
 * digits of a float, stays. */
static LLVMValueRef drop_digits(LLVMBuilderRef b, LLVMValueRef x)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(llvm_of(b));
	LLVMValueRef bits = LLVMBuildBitCast(b, x, i64, "");

	bits = LLVMBuildAdd(b, bits, LLVMConstInt(i64, 4, false), "");
	bits = LLVMBuildAnd(b, bits, LLVMConstInt(i64, ~(uint64_t)7, false), "");
	return LLVMBuildBitCast(b, bits, LLVMTypeOf(x), "");
}

/* The product is off by 2 units at most.  A quotient of floats that is not half-way between two
 * others is 8 away from there, and one that is has zeros at its end. */
LLVMValueRef number_divide(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	LLVMTypeRef wide = LLVMDoubleTypeInContext(llvm_of(b));
	LLVMValueRef by = LLVMBuildFDiv(b, LLVMConstReal(wide, 1),
		LLVMBuildFPExt(b, y, wide, ""), "");
	LLVMValueRef product = LLVMBuildFMul(b, LLVMBuildFPExt(b, x, wide, ""), by, "");

	return LLVMBuildFPTrunc(b, drop_digits(b, product), LLVMTypeOf(x), "quotient");
}

/* Towards 0; by 0 it is 0, and by -1 it wraps. */
static LLVMValueRef divide(LLVMBuilderRef b, const struct element_type *type,
	LLVMValueRef x, LLVMValueRef y)
{
	LLVMTypeRef number = LLVMTypeOf(x);
	LLVMValueRef zero = LLVMConstNull(number), one = LLVMConstInt(number, 1, false);
	LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, y, zero, "");
	LLVMValueRef by, minus, quotient;

	by = LLVMBuildSelect(b, by_zero, one, y, "");
	if (type->kind == 'u')
		return LLVMBuildSelect(b, by_zero, zero, LLVMBuildUDiv(b, x, by, ""), "");
	minus = LLVMBuildICmp(b, LLVMIntEQ, y, LLVMConstAllOnes(number), "");
	by = LLVMBuildSelect(b, minus, one, by, "");
	quotient = LLVMBuildSelect(b, minus, LLVMBuildNeg(b, x, ""),
		LLVMBuildSDiv(b, x, by, ""), "");
	return LLVMBuildSelect(b, by_zero, zero, quotient, "");
}

static LLVMValueRef apply_integer(LLVMBuilderRef b, enum map_op op,
	const struct element_type *type, const LLVMValueRef *a)
{
	bool is_signed = type->kind == 'i';
	LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a[0]));

	switch (op) {
	case MAP_ADD:
		return LLVMBuildAdd(b, a[0], a[1], "");
	case MAP_SUB:
		return LLVMBuildSub(b, a[0], a[1], "");
	case MAP_MUL:
		return LLVMBuildMul(b, a[0], a[1], "");
	case MAP_FMA:
		return LLVMBuildAdd(b, LLVMBuildMul(b, a[0], a[1], ""), a[2], "");
	case MAP_DIV:
		return divide(b, type, a[0], a[1]);
	case MAP_NEG:
		return LLVMBuildNeg(b, a[0], "");
	case MAP_MIN:
		return lower_intrinsic_like(b, is_signed ? "llvm.smin" : "llvm.umin", a, 2);
	case MAP_MAX:
		return lower_intrinsic_like(b, is_signed ? "llvm.smax" : "llvm.umax", a, 2);
	default:
		return !is_signed ? a[0] : LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSLT,
			a[0], zero, ""), LLVMBuildNeg(b, a[0], ""), a[0], "");
	}
}

LLVMValueRef number_compare(LLVMBuilderRef b, enum map_op op,
	const struct element_type *type, const LLVMValueRef *a)
{
	static const LLVMRealPredicate floats[] = { LLVMRealOLT, LLVMRealOLE, LLVMRealOGT,
		LLVMRealOGE, LLVMRealOEQ, LLVMRealUNE };
	static const LLVMIntPredicate integers[][6] = {
		{ LLVMIntULT, LLVMIntULE, LLVMIntUGT, LLVMIntUGE, LLVMIntEQ, LLVMIntNE },
		{ LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE, LLVMIntEQ, LLVMIntNE } };

	if (type->kind == 'f')
		return LLVMBuildFCmp(b, floats[op - MAP_LT], a[0], a[1], "");
	return LLVMBuildICmp(b, integers[type->kind == 'i'][op - MAP_LT], a[0], a[1], "");
}

LLVMValueRef number_apply(LLVMBuilderRef b, enum map_op op,
	const struct element_type *type, const LLVMValueRef *args)
{
	bool compares = op >= MAP_LT && op <= MAP_NE;
	LLVMValueRef work[3] = { args[0], args[1], args[2] };

	if (op == MAP_SELECT)
		return LLVMBuildSelect(b, args[0], args[1], args[2], "");
	if (type->kind != 'f')
		return compares ? number_compare(b, op, type, args) :
			apply_integer(b, op, type, args);
	if (op == MAP_FMA && type->bits < 32)
		return fma_of_small(b, type, args);
	for (unsigned i = 0; i < 3 && work[i]; i++)
		work[i] = to_work(b, type, work[i]);
	if (compares)
		return number_compare(b, op, type, work);
	return from_work(b, type, apply_float(b, op, work_type(type), work));
}

/* Which zero is the least does not matter here. */
LLVMValueRef number_reduce(LLVMBuilderRef b, enum reduce_op op,
	const struct element_type *type, LLVMValueRef sum, LLVMValueRef value)
{
	static const enum map_op ops[] = { [REDUCE_ADD] = MAP_ADD, [REDUCE_MUL] = MAP_MUL,
		[REDUCE_MIN] = MAP_MIN, [REDUCE_MAX] = MAP_MAX };
	const LLVMValueRef args[3] = { sum, value };

	if (op == REDUCE_AND)
		return LLVMBuildAnd(b, sum, value, "");
	if (op == REDUCE_OR)
		return LLVMBuildOr(b, sum, value, "");
	if (type->kind == 'f' && type->bits >= 32 && op == REDUCE_ADD)
		return contracted(LLVMBuildFAdd(b, sum, value, ""),
			LLVMFastMathAllowReassoc);
	value = number_apply(b, ops[op], type, args);
	if (LLVMIsACallInst(value) && LLVMCanValueUseFastMathFlags(value))
		LLVMSetFastMathFlags(value, LLVMFastMathNoSignedZeros);
	return value;
}

/* The largest or the least number; infinities where there are some. */
static uint64_t extreme(const struct element_type *type, bool largest)
{
	uint64_t sign = (uint64_t)1 << (type->bits - 1);

	if (type->kind == 'f')
		return (element_type_largest(type) + !type->finite) | (largest ? 0 : sign);
	if (type->kind == 'b')
		return largest;
	if (type->kind == 'u')
		return largest ? sign | (sign - 1) : 0;
	return largest ? sign - 1 : sign;
}

uint64_t number_identity(enum reduce_op op, const struct element_type *type)
{
	uint64_t sign = (uint64_t)1 << (type->bits - 1);

	switch (op) {
	case REDUCE_ADD:
		return type->kind == 'f' && type->nan != sign ? sign : 0;
	case REDUCE_MUL:
		return type->kind == 'f' ? (uint64_t)type->bias << type->mantissa : 1;
	case REDUCE_MIN:
		return extreme(type, true);
	case REDUCE_MAX:
		return extreme(type, false);
	case REDUCE_AND:
		return sign | (sign - 1);
	default:
		return 0;
	}
}

LLVMValueRef number_is_better(LLVMBuilderRef b, enum reduce_op op,
	const struct element_type *type, LLVMValueRef best, LLVMValueRef value)
{
	const LLVMValueRef args[3] = { value, best };
	LLVMValueRef better = number_apply(b, op == REDUCE_ARGMIN ? MAP_LT : MAP_GT, type,
		args);
	LLVMValueRef work[2];

	if (type->kind != 'f')
		return better;
	work[0] = to_work(b, type, best);
	work[1] = to_work(b, type, value);
	return LLVMBuildOr(b, better, LLVMBuildAnd(b,
		LLVMBuildFCmp(b, LLVMRealUNO, work[1], work[1], ""),
		LLVMBuildFCmp(b, LLVMRealORD, work[0], work[0], ""), ""), "");
}
