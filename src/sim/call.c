/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel's calls: a target's intrinsics, by the target's table. */
#include "sim/rewrite.h"

#include <string.h>

/* Intrinsics that say something to the optimiser and do nothing. */
static bool is_promise(const char *name)
{
	return !strcmp(name, "llvm.assume") ||
		!strcmp(name, "llvm.experimental.noalias.scope.decl");
}

/* An intrinsic of LLVM's own that computes a value from its arguments. */
static bool is_pure(LLVMValueRef callee, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
	LLVMAttributeRef memory;

	if (!LLVMGetIntrinsicID(callee) || !strncmp(name, "llvm.amdgcn.", 12))
		return false;
	memory = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
	return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

/* An id is loaded in the prologue. */
static void replace_by_id(struct rewrite *w, LLVMValueRef call, enum sim_op op)
{
	LLVMValueRef id;

	LLVMPositionBuilderBefore(w->builder, LLVMGetBasicBlockTerminator(w->prologue));
	id = rewrite_load_at(w, w->i32, w->state,
		offsetof(struct sim_state, ids) + op * sizeof(uint32_t));
	LLVMReplaceAllUsesWith(call, id);
	LLVMInstructionEraseFromParent(call);
}

bool rewrite_call(struct rewrite *w, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const struct sim_intrinsic *row = w->intrinsics;
	const char *name;
	size_t length;

	if (!LLVMIsAFunction(callee))
		return rewrite_refuse(w, "indirect calls or assembly", "");
	name = LLVMGetValueName2(callee, &length);
	while (row->name && strcmp(row->name, name))
		row++;
	if (row->name && LLVMTypeOf(call) == w->i32) {
		replace_by_id(w, call, row->op);
		return true;
	}
	if (is_promise(name)) {
		LLVMInstructionEraseFromParent(call);
		return true;
	}
	return is_pure(callee, name) || rewrite_refuse(w, "calls of ", name);
}
