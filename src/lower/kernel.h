/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel from the inside. */
#ifndef LAYOUT_LOWER_KERNEL_H
#define LAYOUT_LOWER_KERNEL_H

#include "kernel/plan.h"
#include "kernel/shapes.h"
#include "lower/llvm.h"
#include "lower/target.h"
#include <pthread.h>

/* What the first use compiles.  The lock is held by whoever touches the module or
 * anything else of its LLVM context. */
struct kernel_code {
	pthread_mutex_t lock;
	struct lower_diagnostic diagnostic;
	LLVMContextRef llvm;
	LLVMTargetMachineRef machine;
	LLVMModuleRef module;		/* optimised; NULL until it is needed */
	char *object;			/* made of it, the same */
	size_t object_bytes;
	void *programs[SHAPES_MOST];	/* what the target's run() made of it, by shape */
	void (*program_free)(void *program);
};

/* A kernel is its own first shape.  Each other one is a function of the same code with a
 * plan, lanes and a grid of its own, and borrows all else. */

struct layout_kernel {
	struct plan *plan;
	const layout_target *target;
	const struct target_hooks *hooks;
	char *name;
	unsigned lanes;			/* of a workgroup; 1 for serial loops */
	unsigned base_align;
	unsigned code_object;
	bool through_lds;
	char *linker;			/* NULL: find it */
	char *cpu;			/* NULL: that of the row */
	char *does;			/* all that its code depends on besides the target, as text; */
					/* NULL: it is for a GPU, or is told its owner */
	struct index *extent[3];	/* workgroups' worth of work on axes x, y, z */
	struct index *grid[3];		/* the workgroups launched, both over the sizes; */
	struct index *folds;		/* and where these have their tiles folded */
	struct kernel_code *code;
	unsigned shape;			/* its number among the shapes, 0: the first, */
	unsigned shape_count;		/* which has them all, itself included */
	layout_kernel *shapes[SHAPES_MOST];
};

/* layout_kernel_new(), where "unaligned" allows buffers of any alignment on a processor that
 * does, whatever the options say of it. */
layout_kernel *kernel_new_remap(layout_remap *remap, const char *target,
	const layout_kernel_options *options, bool unaligned);

/* All that says what a kernel of a remap does: the remap, and what it may assume. */
char *kernel_does(layout_remap *remap);

/* How much is done for the speed of its code while that is made. */
LLVMCodeGenOptLevel kernel_level(const layout_kernel *kernel);

/* What a kernel does where its tile is not for all sizes, as one that borrows all but its grid;
 * "plan" has room for its plan.  False with an error on the context; end it otherwise. */
bool kernel_points_begin(layout_context *ctx, layout_kernel *points, struct plan *plan,
	const layout_kernel *kernel);
void kernel_points_end(const layout_kernel *points);

/* Lock the kernel's code, compiled.  False with an error and nothing locked. */
bool kernel_lock(layout_context *ctx, const layout_kernel *kernel);
void kernel_unlock(const layout_kernel *kernel);

/* True where LLVM diagnosed no error since the last call; else LAYOUT_ERROR_CODEGEN.
 * The code is locked. */
bool kernel_diagnosed_nothing(layout_context *ctx, const layout_kernel *kernel);

#endif
