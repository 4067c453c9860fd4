/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code for the CPU we run on, in memory: ORC behind three functions. */
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

/* What is still to do to the copy of a module, which has an LLVM context of its own. */
typedef bool (*jit_prepare)(layout_context *ctx, LLVMModuleRef copy,
	LLVMTargetMachineRef machine, void *user);

/* Code for a copy of "module", which stays as it is and may be freed at once, after
 * prepare(.., user), which may be NULL.  The copy must then have the host's triple and data
 * layout and be optimised; only machine code is made here, at the first look-up, by
 * "machine", one for the host, which is consumed.  NULL there is an earlier failure.
 * "symbols" may be NULL. */
struct jit *jit_new(layout_context *ctx, LLVMTargetMachineRef machine,
	LLVMModuleRef module, const struct jit_symbol *symbols, jit_prepare prepare,
	void *user);

/* The address of a function of the module; valid until jit_free().  NULL with
 * LAYOUT_ERROR_CODEGEN where there is none, or where something that it refers to
 * is missing.  Threads may look up at the same time. */
void *jit_lookup(layout_context *ctx, struct jit *jit, const char *name);

/* From now on, keep the object that the module becomes; before the first look-up. */
void jit_keep_object(struct jit *jit);

/* That object, as long as "jit" lives; NULL where there is none yet, or no memory for it. */
const void *jit_object(const struct jit *jit, size_t *length);

void jit_free(struct jit *jit);

#endif
