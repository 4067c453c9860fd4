/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code for the CPU we run on: an object, and that object in memory, by ORC. */
#ifndef LAYOUT_LOWER_JIT_H
#define LAYOUT_LOWER_JIT_H

#include "isl_bridge/context.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

struct jit;

/* A symbol that the code may refer to, besides those of the process. */
struct jit_symbol {
	const char *name;	/* NULL ends a table */
	void (*address)(void);
};

/* What is still to do to the copy of a module. */
typedef bool (*jit_prepare)(layout_context *ctx, LLVMModuleRef copy,
	LLVMTargetMachineRef machine, void *user);

/* The object of a copy of "module", which stays as it is, after prepare(.., user), which may
 * be NULL.  The copy must then have the host's triple and data layout and be optimised.
 * "machine" is one for the host, which is consumed; NULL there is an earlier failure.  NULL
 * with LAYOUT_ERROR_CODEGEN; else to be disposed of by the caller.  It is the module's LLVM
 * context that works: one thread at a time. */
LLVMMemoryBufferRef jit_compile(layout_context *ctx, LLVMTargetMachineRef machine,
	LLVMModuleRef module, jit_prepare prepare, void *user);

/* A copy of that object in memory; it is linked at the first look-up.  "symbols" may be NULL,
 * and "object" where that is an earlier failure. */
struct jit *jit_new(layout_context *ctx, LLVMMemoryBufferRef object,
	const struct jit_symbol *symbols);

/* The address of a function of the object; valid until jit_free().  NULL with
 * LAYOUT_ERROR_CODEGEN where there is none, or where something that it refers to
 * is missing.  Threads may look up at the same time. */
void *jit_lookup(layout_context *ctx, struct jit *jit, const char *name);

void jit_free(struct jit *jit);

#endif
