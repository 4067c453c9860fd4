/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of a rewriting: the kernel's accesses and its calls, each a file. */
#ifndef LAYOUT_SIM_REWRITE_H
#define LAYOUT_SIM_REWRITE_H

#include "sim/program.h"

/* What the prologue loaded of a parameter; the last four only for a pointer. */
struct parameter {
	LLVMValueRef value;
	LLVMValueRef base, load_bytes, store_bytes, align;
};

struct rewrite {
	layout_context *ctx;
	struct sim_program *program;
	const struct sim_intrinsic *intrinsics;
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMTargetDataRef data;
	LLVMBuilderRef builder;
	LLVMTypeRef i32, i64, pointer;
	LLVMTypeRef access_type, check_type;
	LLVMValueRef access, check;
	LLVMValueRef lane, state, executions;
	LLVMBasicBlockRef prologue;
	struct parameter *parameters;
};

/* Fail with LAYOUT_ERROR_UNSUPPORTED, "... does not execute WHAT NAME". */
bool rewrite_refuse(struct rewrite *w, const char *what, const char *name);

/* A load, where the builder is, of what lies "offset" bytes behind "base". */
LLVMValueRef rewrite_load_at(struct rewrite *w, LLVMTypeRef type, LLVMValueRef base,
	size_t offset);

/* Add to the module what checks an access. */
void rewrite_declare_check(struct rewrite *w);

/* Count and check a load or store.  The check is for the alignment that it claims;
 * the access itself then claims none, as the host's buffers promise none. */
bool rewrite_access(struct rewrite *w, LLVMValueRef access);

/* Replace a call by what its row of the table means, or refuse it. */
bool rewrite_call(struct rewrite *w, LLVMValueRef call);

#endif
