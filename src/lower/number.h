/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements as LLVM values, and what programs do with them: on a CPU all, elsewhere what needs
 * no function of a library.
 *
 * A number of f32 is a float, of f64 a double, of i1 an i1, and of any other type an
 * integer of its bits.  Floating point of less than 32 bits is computed as f32 and
 * rounded after each operation. */
#ifndef LAYOUT_LOWER_NUMBER_H
#define LAYOUT_LOWER_NUMBER_H

#include "lower/llvm.h"
#include "program/program.h"

LLVMTypeRef number_type(LLVMContextRef llvm, const struct element_type *type);
LLVMValueRef number_constant(LLVMContextRef llvm, const struct element_type *type,
	uint64_t bits);

/* To and from the integer that memory has: as many bits as the type. */
LLVMValueRef number_of_bits(LLVMBuilderRef builder, const struct element_type *type,
	LLVMValueRef bits);
LLVMValueRef number_to_bits(LLVMBuilderRef builder, const struct element_type *type,
	LLVMValueRef number);

/* A number of type "from" as one of type "to"; for "by_half" see struct conversion. */
LLVMValueRef number_cast(LLVMBuilderRef builder, const struct element_type *to,
	const struct element_type *from, bool by_half, LLVMValueRef number);

/* A number times its scale, of f8E8M0FNU: a double; and the product of two such, rounded once to
 * "to". */
LLVMValueRef number_scaled(LLVMBuilderRef builder, const struct element_type *type,
	LLVMValueRef number, LLVMValueRef scale);
LLVMValueRef number_scaled_product(LLVMBuilderRef builder, const struct element_type *to,
	LLVMValueRef x, LLVMValueRef y);

/* An operation of a map on numbers of "type", of which comparisons give an i1; none of
 * the leaves, and no cast.  Products may be part of the sum that they are in. */
LLVMValueRef number_apply(LLVMBuilderRef builder, enum map_op op,
	const struct element_type *type, const LLVMValueRef *args);

/* A comparison of such numbers, or of halves: an i1. */
LLVMValueRef number_compare(LLVMBuilderRef builder, enum map_op op,
	const struct element_type *type, const LLVMValueRef *args);

/* A step of a reduction, whose order is free. */
LLVMValueRef number_reduce(LLVMBuilderRef builder, enum reduce_op op,
	const struct element_type *type, LLVMValueRef sum, LLVMValueRef value);

/* What the step leaves as it is, as bits. */
uint64_t number_identity(enum reduce_op op, const struct element_type *type);

/* Is "b" better than "a", which comes before it? */
LLVMValueRef number_is_better(LLVMBuilderRef builder, enum reduce_op op,
	const struct element_type *type, LLVMValueRef a, LLVMValueRef b);

/* Floating point as LLVM has it, of operands of one type; NULL for functions like exp. */
LLVMValueRef number_operate_floats(LLVMBuilderRef builder, enum map_op op,
	const LLVMValueRef *args);

/* x / y of f32 for loops in which y stays as it is, by a product of doubles with 1 / y: rounded as
 * any quotient. */
LLVMValueRef number_divide(LLVMBuilderRef builder, LLVMValueRef x, LLVMValueRef y);

/* A function has this attribute, without a value, where its processor multiplies vectors of
 * floats by powers of 2 in one instruction. */
#define NUMBER_SCALES "layout-scales"

/* e^x, 2^x and log x of an f32, of arithmetic alone. */
LLVMValueRef number_exp(LLVMBuilderRef builder, LLVMValueRef x);
LLVMValueRef number_exp2(LLVMBuilderRef builder, LLVMValueRef x);
LLVMValueRef number_log(LLVMBuilderRef builder, LLVMValueRef x);

#endif
