/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What everything that talks to LLVM shares: start-up, errors, copies. */
#ifndef LAYOUT_LOWER_LLVM_H
#define LAYOUT_LOWER_LLVM_H

#include "isl_bridge/context.h"

#include <layout/target.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>

/* Load LLVM, where this library was not linked with it; false where it is not there.  Called
 * before all else of it: machines do. */
bool lower_load(void);

/* Make every target known to LLVM, once in this process. */
void lower_initialize_targets(void);

/* The integers of so many bits, and constants: of a type, and of another value's. */
static inline LLVMTypeRef lower_int_type(LLVMBuilderRef builder, unsigned bits)
{
	return LLVMIntTypeInContext(LLVMGetBuilderContext(builder), bits);
}

static inline LLVMValueRef lower_int(LLVMTypeRef type, int64_t value)
{
	return LLVMConstInt(type, (unsigned long long)value, true);
}

static inline LLVMValueRef lower_int_like(LLVMValueRef like, int64_t value)
{
	return lower_int(LLVMTypeOf(like), value);
}

static inline LLVMValueRef lower_bits_like(LLVMValueRef like, uint64_t value)
{
	return LLVMConstInt(LLVMTypeOf(like), value, false);
}

static inline LLVMValueRef lower_real_like(LLVMValueRef like, double value)
{
	return LLVMConstReal(LLVMTypeOf(like), value);
}

/* A call of an intrinsic, of the types that its name leaves open. */
LLVMValueRef lower_intrinsic(LLVMBuilderRef builder, const char *name, LLVMTypeRef *types,
	unsigned type_count, const LLVMValueRef *args, unsigned count);

/* The same of the first argument's type. */
LLVMValueRef lower_intrinsic_like(LLVMBuilderRef builder, const char *name,
	const LLVMValueRef *args, unsigned count);

/* Look at each instruction of a module, which may take it away and put others before it: the
 * builder is for that. */
void lower_walk(LLVMModuleRef module, void (*look)(LLVMBuilderRef builder,
	LLVMValueRef instruction));

/* Put an LLVM error on the context as LAYOUT_ERROR_CODEGEN, "WHAT: message";
 * the error is consumed.  Returns true where there was none. */
bool lower_check(layout_context *ctx, LLVMErrorRef error, const char *what);

/* The first error diagnosed inside an LLVM context.  LLVM otherwise prints and
 * exits.  Must outlive the context; "message" is freed by the owner. */
struct lower_diagnostic {
	char *message;
	bool warnings;		/* are errors, too */
};

/* A new LLVM context whose errors go to "diagnostic". */
LLVMContextRef lower_context_new(struct lower_diagnostic *diagnostic);

/* From now on, the errors of an LLVM context go there. */
void lower_listen(LLVMContextRef context, struct lower_diagnostic *diagnostic);

/* A machine for a row of the table; "level" is what LLVM does for the code's speed. */
LLVMTargetMachineRef lower_machine(layout_context *ctx, const layout_target *row,
	const char *triple, const char *features, LLVMCodeGenOptLevel level);

/* A machine for the CPU we run on, with all that it can do; and for another of its kind. */
LLVMTargetMachineRef lower_host_machine(layout_context *ctx, LLVMCodeGenOptLevel level);
LLVMTargetMachineRef lower_cpu_machine(layout_context *ctx, const char *cpu,
	LLVMCodeGenOptLevel level);

#endif
