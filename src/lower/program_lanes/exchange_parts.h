/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The exchange from the inside: its two ways, on integers of the plan's bits. */
#ifndef LAYOUT_LOWER_EXCHANGE_PARTS_H
#define LAYOUT_LOWER_EXCHANGE_PARTS_H

#include "lower/program_lanes/exchange.h"

bool exchange_lanes(const struct exchange *exchange, const LLVMValueRef *from,
	LLVMValueRef *to);
bool exchange_lds(const struct exchange *exchange, const LLVMValueRef *from,
	LLVMValueRef *to);

static inline LLVMTypeRef exchange_int(const struct exchange *exchange, unsigned bits)
{
	return LLVMIntTypeInContext(LLVMGetBuilderContext(exchange->builder), bits);
}

static inline LLVMValueRef exchange_number(const struct exchange *exchange, int64_t value)
{
	return LLVMConstInt(exchange_int(exchange, 32), (unsigned long long)value, true);
}

/* Element "i" of a vector, or the vector itself where it has one element; and the vector
 * with another there. */
LLVMValueRef exchange_extract(const struct exchange *exchange, LLVMValueRef vector,
	unsigned i);
LLVMValueRef exchange_insert(const struct exchange *exchange, LLVMValueRef vector,
	LLVMValueRef element, unsigned i);

/* So many elements, as integers. */
LLVMTypeRef exchange_elements(const struct exchange *exchange, unsigned count);

#endif
