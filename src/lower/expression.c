/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions as LLVM values, in the narrowest type their bounds prove.
 *
 * A node is computed in 32 bits where its own bounds and those of its arguments
 * fit, else in 64; arguments are extended or truncated where they join.  Every
 * node fits the type it is computed in, so "nsw" holds in 32 bits unless that is only
 * assumed, perhaps before it is tested; in 64 it holds where the bounds are known. */
#include "lower/expression.h"

#include "lower/tile/base.h"

bool expression_is_narrow(const struct index *index)
{
	return index->min >= INT32_MIN && index->max <= INT32_MAX;
}

static bool is_assumed(const struct expression_scope *scope, const struct index *index)
{
	for (unsigned i = 0; i < scope->assumed_count; i++)
		if (base_same_product(scope->assumed[i], index))
			return true;
	return false;
}

/* The bound of a sum, product or quotient whose arguments are not negative. */
static int64_t most_of_node(const struct expression_scope *scope,
	const struct index *index)
{
	int64_t a = expression_most(scope, index->arg[0]);
	int64_t b = expression_most(scope, index->arg[1]), most;
	bool overflows;

	if (index->arg[0]->min < 0 || index->arg[1]->min < 0)
		return index->max;
	switch (index->op) {
	case INDEX_ADD:
		overflows = __builtin_add_overflow(a, b, &most);
		break;
	case INDEX_MUL:
		overflows = __builtin_mul_overflow(a, b, &most);
		break;
	default:
		overflows = false;
		most = a / index->arg[1]->value;
	}
	return overflows || most > index->max ? index->max : most;
}

int64_t expression_most(const struct expression_scope *scope, const struct index *index)
{
	int64_t most = index->max;

	if (expression_is_narrow(index) && index->op != INDEX_VAR)
		return most;
	switch (index->op) {
	case INDEX_VAR:
		if (scope->most && scope->most[index->var] < most)
			most = scope->most[index->var];
		break;
	case INDEX_ADD:
	case INDEX_MUL:
	case INDEX_FDIV:
	case INDEX_PDIV:
		most = most_of_node(scope, index);
		break;
	default:
		break;
	}
	return most > INT32_MAX && is_assumed(scope, index) ? INT32_MAX : most;
}

/* Does the value fit 32 bits, by its bounds or by what is assumed? */
static bool is_narrow(const struct expression_scope *scope, const struct index *index)
{
	return expression_is_narrow(index) ||
		(index->min >= 0 && expression_most(scope, index) <= INT32_MAX);
}

static bool is_bounded(const struct index *index)
{
	return index->min > INT64_MIN && index->max < INT64_MAX;
}

static LLVMTypeRef integer_type(const struct expression_scope *scope, bool narrow)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(scope->builder);

	return narrow ? LLVMInt32TypeInContext(llvm) : LLVMInt64TypeInContext(llvm);
}

/* The type that a node over integers is computed in. */
static LLVMTypeRef work_type(const struct expression_scope *scope,
	const struct index *index)
{
	bool narrow = is_narrow(scope, index);

	for (unsigned i = 0; i < index->arg_count; i++)
		narrow = narrow && is_narrow(scope, index->arg[i]);
	return integer_type(scope, narrow);
}

/* The value of "index", an integer of any width, in "type". */
static LLVMValueRef convert(const struct expression_scope *scope,
	const struct index *index, LLVMValueRef value, LLVMTypeRef type)
{
	unsigned from = LLVMGetIntTypeWidth(LLVMTypeOf(value));
	unsigned to = LLVMGetIntTypeWidth(type);
	LLVMValueRef wide;

	if (from == to)
		return value;
	if (from > to)
		return LLVMBuildTrunc(scope->builder, value, type, "narrow");
	if (index->min < 0)
		return LLVMBuildSExt(scope->builder, value, type, "wide");
	wide = LLVMBuildZExt(scope->builder, value, type, "wide");
	if (from > 1 && LLVMIsAZExtInst(wide))
		LLVMSetNNeg(wide, true);
	return wide;
}

static LLVMValueRef lower(const struct expression_scope *scope,
	const struct index *index);

static LLVMValueRef lower_as(const struct expression_scope *scope,
	const struct index *index, LLVMTypeRef type)
{
	return convert(scope, index, lower(scope, index), type);
}

LLVMValueRef expression_lower_as(const struct expression_scope *scope,
	const struct index *index, LLVMTypeRef type)
{
	return lower_as(scope, index, type);
}

LLVMValueRef expression_lower(const struct expression_scope *scope,
	const struct index *index)
{
	return lower_as(scope, index, integer_type(scope, false));
}

LLVMValueRef expression_lower_condition(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMValueRef value = lower(scope, index);
	LLVMTypeRef type = LLVMTypeOf(value);

	if (LLVMGetIntTypeWidth(type) == 1)
		return value;
	return LLVMBuildICmp(scope->builder, LLVMIntNE, value, LLVMConstNull(type),
		"holds");
}

/* Say that an addition, subtraction or multiplication does not wrap. */
static LLVMValueRef without_wrap(const struct index *index, LLVMValueRef value)
{
	bool narrow = LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 32 &&
		expression_is_narrow(index);
	bool nonnegative = index->min >= 0;

	if (!LLVMIsABinaryOperator(value) || !(narrow || is_bounded(index)))
		return value;
	for (unsigned i = 0; i < index->arg_count; i++)
		nonnegative = nonnegative && index->arg[i]->min >= 0;
	LLVMSetNSW(value, true);
	LLVMSetNUW(value, nonnegative);
	return value;
}

/* ADD, SUB, MUL, NEG */
static LLVMValueRef lower_arithmetic(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMBuilderRef builder = scope->builder;
	LLVMTypeRef type = work_type(scope, index);
	LLVMValueRef a = lower_as(scope, index->arg[0], type), b;

	if (index->op == INDEX_NEG)
		return without_wrap(index, LLVMBuildSub(builder, lower_int(type, 0), a,
			"negated"));
	b = lower_as(scope, index->arg[1], type);
	switch (index->op) {
	case INDEX_ADD:
		return without_wrap(index, LLVMBuildAdd(builder, a, b, "sum"));
	case INDEX_SUB:
		return without_wrap(index, LLVMBuildSub(builder, a, b, "difference"));
	default:
		return without_wrap(index, LLVMBuildMul(builder, a, b, "product"));
	}
}

/* XOR */
static LLVMValueRef lower_xor(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMTypeRef type = work_type(scope, index);
	LLVMValueRef a = lower_as(scope, index->arg[0], type);

	return LLVMBuildXor(scope->builder, a, lower_as(scope, index->arg[1], type),
		"xor");
}

/* MIN, MAX */
static LLVMValueRef lower_extremum(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMTypeRef type = work_type(scope, index);
	LLVMValueRef a = lower_as(scope, index->arg[0], type);
	LLVMValueRef b = lower_as(scope, index->arg[1], type);
	bool least = index->op == INDEX_MIN;
	LLVMValueRef first = LLVMBuildICmp(scope->builder,
		least ? LLVMIntSLE : LLVMIntSGE, a, b, "first");

	return LLVMBuildSelect(scope->builder, first, a, b, least ? "min" : "max");
}

/* Floor division of a dividend of any sign.  Powers of two shift; else the
 * quotient, rounded towards 0, is one too large where the remainder is negative. */
static LLVMValueRef floor_quotient(LLVMBuilderRef builder, LLVMValueRef a,
	int64_t divisor)
{
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMValueRef b = lower_int(type, divisor), quotient, remainder, sign;

	if (!(divisor & (divisor - 1)))
		return LLVMBuildAShr(builder, a,
			lower_int(type, __builtin_ctzll((uint64_t)divisor)), "floor");
	quotient = LLVMBuildSDiv(builder, a, b, "quotient");
	remainder = LLVMBuildSRem(builder, a, b, "remainder");
	sign = LLVMBuildAShr(builder, remainder,
		lower_int(type, LLVMGetIntTypeWidth(type) - 1), "sign");
	return LLVMBuildAdd(builder, quotient, sign, "floor");
}

/* DIV, FDIV, PDIV, PMOD, ZMOD, whose divisors are positive constants.  A dividend
 * that is not negative, by its bounds or by the operator, divides unsigned. */
static LLVMValueRef lower_division(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMBuilderRef builder = scope->builder;
	LLVMTypeRef type = work_type(scope, index);
	LLVMValueRef a = lower_as(scope, index->arg[0], type);
	int64_t divisor = index->arg[1]->value;
	LLVMValueRef b = lower_int(type, divisor);
	bool nonnegative = index->arg[0]->min >= 0;

	switch (index->op) {
	case INDEX_DIV:
		return LLVMBuildExactSDiv(builder, a, b, "quotient");
	case INDEX_FDIV:
		if (!nonnegative)
			return floor_quotient(builder, a, divisor);
		return LLVMBuildUDiv(builder, a, b, "floor");
	case INDEX_PDIV:
		return LLVMBuildUDiv(builder, a, b, "quotient");
	case INDEX_ZMOD:
		if (!nonnegative)
			return LLVMBuildSRem(builder, a, b, "remainder");
		return LLVMBuildURem(builder, a, b, "remainder");
	default:
		return LLVMBuildURem(builder, a, b, "remainder");
	}
}

static LLVMIntPredicate predicate_of(enum index_op op)
{
	switch (op) {
	case INDEX_EQ:
		return LLVMIntEQ;
	case INDEX_LE:
		return LLVMIntSLE;
	case INDEX_LT:
		return LLVMIntSLT;
	case INDEX_GE:
		return LLVMIntSGE;
	default:
		return LLVMIntSGT;
	}
}

/* EQ, LE, LT, GE, GT */
static LLVMValueRef lower_comparison(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMTypeRef type = work_type(scope, index);
	LLVMValueRef a = lower_as(scope, index->arg[0], type);
	LLVMValueRef b = lower_as(scope, index->arg[1], type);

	return LLVMBuildICmp(scope->builder, predicate_of(index->op), a, b, "compare");
}

/* AND, OR.  A select, since the second argument may mean nothing where the first
 * one decides. */
static LLVMValueRef lower_logic(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMValueRef a = expression_lower_condition(scope, index->arg[0]);
	LLVMValueRef b = expression_lower_condition(scope, index->arg[1]);
	LLVMTypeRef truth = LLVMTypeOf(a);

	if (index->op == INDEX_AND)
		return LLVMBuildSelect(scope->builder, a, b, LLVMConstNull(truth), "and");
	return LLVMBuildSelect(scope->builder, a, LLVMConstAllOnes(truth), b, "or");
}

static LLVMValueRef lower_select(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMTypeRef type = work_type(scope, index);
	LLVMValueRef condition = expression_lower_condition(scope, index->arg[0]);
	LLVMValueRef yes = lower_as(scope, index->arg[1], type);
	LLVMValueRef no = lower_as(scope, index->arg[2], type);

	return LLVMBuildSelect(scope->builder, condition, yes, no, "select");
}

/* A variable, in 32 bits if it fits. */
static LLVMValueRef lower_var(const struct expression_scope *scope,
	const struct index *index)
{
	LLVMTypeRef type = integer_type(scope, is_narrow(scope, index));

	return convert(scope, index, scope->vars[index->var], type);
}

/* The node's value: an i1 for comparisons and logic, else an i32 or i64. */
static LLVMValueRef lower(const struct expression_scope *scope,
	const struct index *index)
{
	switch (index->op) {
	case INDEX_INT:
		return lower_int(integer_type(scope, expression_is_narrow(index)),
			index->value);
	case INDEX_VAR:
		return lower_var(scope, index);
	case INDEX_ADD:
	case INDEX_SUB:
	case INDEX_MUL:
	case INDEX_NEG:
		return lower_arithmetic(scope, index);
	case INDEX_MIN:
	case INDEX_MAX:
		return lower_extremum(scope, index);
	case INDEX_DIV:
	case INDEX_FDIV:
	case INDEX_PDIV:
	case INDEX_PMOD:
	case INDEX_ZMOD:
		return lower_division(scope, index);
	case INDEX_SELECT:
		return lower_select(scope, index);
	case INDEX_EQ:
	case INDEX_LE:
	case INDEX_LT:
	case INDEX_GE:
	case INDEX_GT:
		return lower_comparison(scope, index);
	case INDEX_XOR:
		return lower_xor(scope, index);
	default:
		return lower_logic(scope, index);
	}
}
