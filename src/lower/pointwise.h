/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The code of a plan without a tile: what happens at one of its points. */
#ifndef LAYOUT_LOWER_POINTWISE_H
#define LAYOUT_LOWER_POINTWISE_H

#include "lower/iteration.h"

/* What is the same at all points: steps of the slots in elements, and the radices of a
 * group's elements. */
struct pointwise {
	LLVMValueRef *load_pitch, *store_pitch, *extent;
};

/* The body of a function of the kernel's parameters.  False with an error. */
bool pointwise_define(layout_context *ctx, const layout_kernel *kernel, LLVMValueRef function,
	LLVMBuilderRef builder);

/* The source's element as the destination has it. */
LLVMValueRef pointwise_element(const struct pointwise *points,
	const struct iteration *iteration);

/* What lies in the source from the element on that "slot" says, as a type of so many bytes, which
 * divide all addresses if the base's alignment does. */
LLVMValueRef pointwise_words(const struct pointwise *points, const struct iteration *iteration,
	LLVMTypeRef type, unsigned bytes);

/* Store an element in these slots of the destination. */
void pointwise_store(const struct pointwise *points, const struct iteration *iteration,
	struct index *const *slot, LLVMValueRef value);

/* The element that the destination gets: the source's, converted, or the pad value. */
LLVMValueRef pointwise_load(const struct pointwise *points,
	const struct iteration *iteration);

#endif
