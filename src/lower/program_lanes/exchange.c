/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_lanes/exchange_parts.h"

#include <stdlib.h>

LLVMTypeRef exchange_elements(const struct exchange *exchange, unsigned count)
{
	LLVMTypeRef element = exchange_int(exchange, exchange->plan->bits);

	return count > 1 ? LLVMVectorType(element, count) : element;
}

LLVMValueRef exchange_extract(const struct exchange *exchange, LLVMValueRef vector,
	unsigned i)
{
	return LLVMGetTypeKind(LLVMTypeOf(vector)) != LLVMVectorTypeKind ? vector :
		LLVMBuildExtractElement(exchange->builder, vector,
			exchange_number(exchange, i), "element");
}

LLVMValueRef exchange_insert(const struct exchange *exchange, LLVMValueRef vector,
	LLVMValueRef element, unsigned i)
{
	return LLVMGetTypeKind(LLVMTypeOf(vector)) != LLVMVectorTypeKind ? element :
		LLVMBuildInsertElement(exchange->builder, vector, element,
			exchange_number(exchange, i), "elements");
}

/* On integers, whatever the elements are. */
bool exchange_values(const struct exchange *exchange, const LLVMValueRef *from,
	LLVMValueRef *to)
{
	const layout_conversion_plan *plan = exchange->plan;
	size_t count = (size_t)plan->from.extent[OWNER_REGISTER];
	LLVMValueRef *bits = layout_alloc(exchange->ctx, count, sizeof(LLVMValueRef));
	LLVMTypeRef type = LLVMTypeOf(from[0]);
	bool ok;

	if (!bits)
		return false;
	for (size_t r = 0; r < count; r++)
		bits[r] = LLVMBuildBitCast(exchange->builder, from[r],
			exchange_elements(exchange, 1), "bits");
	ok = (plan->kind == LAYOUT_CONVERT_LDS ? exchange_lds : exchange_lanes)(exchange,
		bits, to);
	for (int64_t r = 0; ok && r < plan->to.extent[OWNER_REGISTER]; r++)
		to[r] = LLVMBuildBitCast(exchange->builder, to[r], type, "converted");
	free(bits);
	return ok;
}
