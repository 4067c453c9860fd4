/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What lowering asks of a target.  A folder such as amdgpu/ or host/ fills in one
 * struct of hooks, which targets.c lists. */
#ifndef LAYOUT_LOWER_TARGET_H
#define LAYOUT_LOWER_TARGET_H

#include "isl_bridge/context.h"
#include <layout/codegen.h>
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

struct target_hooks {
	/* The rows of the family in order; NULL past the last. */
	const layout_target *(*row)(unsigned i);

	/* Lanes of a workgroup; 0 for serial loops. */
	unsigned lanes;

	/* Of the source and destination pointers. */
	unsigned address_space;

	/* A machine for the row; the targets of LLVM that it needs become ready.
	 * NULL with an error. */
	LLVMTargetMachineRef (*machine)(layout_context *ctx, const layout_target *row);

	/* Give an empty kernel its calling convention and attributes, and its
	 * module the flags that go with them. */
	void (*prologue)(const layout_kernel *kernel, LLVMValueRef function);

	/* The workgroup's place on grid axis 0, 1, 2, and the lane's in the
	 * workgroup, each an i32.  NULL where "lanes" is 0. */
	LLVMValueRef (*group_id)(LLVMBuilderRef builder, unsigned axis);
	LLVMValueRef (*lane_id)(LLVMBuilderRef builder);

	/* Add to a module what only its code carries.  NULL: nothing. */
	bool (*annotate)(layout_context *ctx, const layout_kernel *kernel,
		LLVMModuleRef module);

	/* Make the loadable form of an object.  NULL: there is none. */
	char *(*link)(layout_context *ctx, const layout_kernel *kernel,
		const char *object, size_t size, size_t *length);

	/* Run the kernel on buffers that were checked; "sizes" are in argument order
	 * and "grid" counts workgroups. */
	bool (*run)(layout_context *ctx, const layout_kernel *kernel,
		const layout_run *run, const int64_t *sizes, const int64_t grid[3]);
};

/* The hooks of a row of the table. */
const struct target_hooks *target_hooks_of(const layout_target *row);

extern const struct target_hooks host_target;
extern const struct target_hooks amdgpu_target;

#endif
