/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on elements as LLVM values.
 *
 * f16, f32 and f64 are computed as they are, other floating point as f32 and rounded. */
#include "lower/number.h"
#include "lower/program_lanes/parts.h"

#include <string.h>

static const struct element_type single = { "f32", 32, 'f', 8, 23, 127, 0x7fc00000, false };

LLVMTypeRef program_type(const program_scope *body, const struct element_type *type)
{
	return LLVMIntTypeInContext(LLVMGetBuilderContext(body->b), type->bits);
}

/* The type that arithmetic is of. */
static const struct element_type *work_type(const struct element_type *type)
{
	if (type->kind != 'f' || type->bits >= 32 ||
	    (type->bits == 16 && type->exponent == 5))
		return type;
	return &single;
}

static LLVMTypeRef float_type(const program_scope *body, const struct element_type *type)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(body->b);

	return type->bits == 16 ? LLVMHalfTypeInContext(llvm) :
		type->bits == 32 ? LLVMFloatTypeInContext(llvm) :
		LLVMDoubleTypeInContext(llvm);
}

static LLVMValueRef to_number(const program_scope *body, const struct element_type *type,
	LLVMValueRef bits)
{
	const struct element_type *number = work_type(type);

	if (number != type)
		bits = program_cast(body, type, number, bits);
	return LLVMBuildBitCast(body->b, bits, float_type(body, number), "");
}

static LLVMValueRef of_number(const program_scope *body, const struct element_type *type,
	LLVMValueRef value)
{
	const struct element_type *number = work_type(type);

	value = LLVMBuildBitCast(body->b, value, program_type(body, number), "");
	return number == type ? value : program_cast(body, number, type, value);
}

static LLVMValueRef truth(const program_scope *body, LLVMValueRef bits)
{
	return LLVMBuildICmp(body->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
}

/* The bits of an i1, which is a byte. */
static LLVMValueRef of_truth(const program_scope *body, LLVMValueRef value)
{
	return LLVMBuildZExt(body->b, value, body->i8, "");
}

/* Of a number that is not f16. */
static LLVMValueRef call_function(const program_scope *body, enum map_op op,
	LLVMValueRef arg)
{
	static const char *const names[] = { [MAP_EXP] = "exp", [MAP_LOG] = "log",
		[MAP_EXP2] = "exp2", [MAP_LOG2] = "log2", [MAP_SIN] = "sin", [MAP_COS] = "cos",
		[MAP_TANH] = "tanh", [MAP_ERF] = "erf" };

	return body->iteration->kernel->hooks->math(body->ctx, body->b, names[op], arg);
}

/* f16 by way of f32. */
static LLVMValueRef function_of(const program_scope *body, enum map_op op, LLVMValueRef arg)
{
	LLVMTypeRef type = LLVMTypeOf(arg);
	LLVMValueRef value;

	if (LLVMGetTypeKind(type) != LLVMHalfTypeKind)
		return call_function(body, op, arg);
	value = call_function(body, op, LLVMBuildFPExt(body->b, arg,
		float_type(body, &single), ""));
	return value ? LLVMBuildFPTrunc(body->b, value, type, "") : NULL;
}

static unsigned argument_count(enum map_op op)
{
	return op == MAP_FMA ? 3 : op == MAP_NEG || op >= MAP_EXP ? 1 : 2;
}

static LLVMValueRef operate_numbers(const program_scope *body, enum map_op op,
	const struct element_type *type, LLVMValueRef *bits)
{
	bool compares = op >= MAP_LT && op <= MAP_NE;
	LLVMValueRef args[3] = { NULL }, value;

	for (unsigned i = 0; i < argument_count(op); i++)
		args[i] = to_number(body, type, bits[i]);
	if (compares)
		return of_truth(body, number_compare(body->b, op, type, args));
	value = number_operate_floats(body->b, op, args);
	if (!value)
		value = function_of(body, op, args[0]);
	return value ? of_number(body, type, value) : NULL;
}

LLVMValueRef program_operate(const program_scope *body, enum map_op op,
	const struct element_type *type, LLVMValueRef *bits)
{
	LLVMValueRef args[3] = { NULL }, value;

	if (op == MAP_SELECT)
		return LLVMBuildSelect(body->b, truth(body, bits[0]), bits[1], bits[2], "");
	if (type->kind == 'f')
		return operate_numbers(body, op, type, bits);
	for (unsigned i = 0; i < argument_count(op); i++)
		args[i] = number_of_bits(body->b, type, bits[i]);
	value = number_apply(body->b, op, type, args);
	return op >= MAP_LT && op <= MAP_NE ? of_truth(body, value) :
		number_to_bits(body->b, type, value);
}

LLVMValueRef program_cast(const program_scope *body, const struct element_type *from,
	const struct element_type *to, LLVMValueRef bits)
{
	return number_to_bits(body->b, to, number_cast(body->b, to, from, true,
		number_of_bits(body->b, from, bits)));
}
