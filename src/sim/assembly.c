/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Assembly whose results are operands: "=v,=v,0,1" ties two to two. */
#include "sim/rewrite.h"

#include <string.h>

#define MAX_RESULTS 8

/* Read constraints into the operand that each result is tied to.  Returns the
 * number of results; 0 where they say more than that. */
static unsigned read_ties(const char *text, const char *end, unsigned operands,
	unsigned *tied)
{
	unsigned results = 0, operand = 0, ties = 0;

	while (text < end) {
		size_t length = strcspn(text, ",");

		if (*text == '=' && results < MAX_RESULTS)
			results++;
		else if (*text >= '0' && *text < '0' + (char)results && length == 1) {
			tied[*text - '0'] = operand++;
			ties++;
		} else if (*text != '~') {
			return 0;
		}
		text += length + 1;
	}
	return ties == results && operand == operands ? results : 0;
}

/* The struct of the results, or the only one. */
static LLVMValueRef collect(struct rewrite *w, LLVMTypeRef type, LLVMValueRef *values,
	unsigned count)
{
	LLVMValueRef all = LLVMGetPoison(type);

	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return values[0];
	for (unsigned i = 0; i < count; i++)
		all = LLVMBuildInsertValue(w->builder, all, values[i], i, "");
	return all;
}

static LLVMTypeRef result_type(LLVMTypeRef type, unsigned i)
{
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return type;
	return LLVMStructGetTypeAtIndex(type, i);
}

bool rewrite_tied(struct rewrite *w, LLVMValueRef call, bool exchanged)
{
	LLVMValueRef assembly = LLVMGetCalledValue(call), values[MAX_RESULTS];
	LLVMTypeRef type = LLVMTypeOf(call);
	unsigned operands = LLVMGetNumArgOperands(call), tied[MAX_RESULTS] = { 0 };
	size_t length;
	const char *text = LLVMGetInlineAsmConstraintString(assembly, &length);
	unsigned count = read_ties(text, text + length, operands, tied);

	if (!count || (exchanged && count != 2))
		return rewrite_refuse(w, "assembly with the constraints ", text);
	for (unsigned i = 0; i < count; i++) {
		values[i] = LLVMGetOperand(call, tied[exchanged ? 1 - i : i]);
		if (LLVMTypeOf(values[i]) != result_type(type, i))
			return rewrite_refuse(w, "assembly that changes types", "");
	}
	LLVMPositionBuilderBefore(w->builder, call);
	LLVMReplaceAllUsesWith(call, collect(w, type, values, count));
	LLVMInstructionEraseFromParent(call);
	return true;
}
