/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SIMT simulator: a GPU kernel's optimised IR, executed on this CPU.
 *
 * Every load and store is checked against the buffers of the launch and counted.
 * The kernel's parameters are pointers, then i64s.  What a target's intrinsics
 * mean is a table of the target's; a call of anything else, atomics, local and
 * private memory are LAYOUT_ERROR_UNSUPPORTED. */
#ifndef LAYOUT_SIM_SIM_H
#define LAYOUT_SIM_SIM_H

#include "isl_bridge/context.h"
#include <layout/codegen.h>

#include <llvm-c/Core.h>

/* Each is a call without arguments that returns an integer. */
enum sim_op {
	SIM_WORKITEM_ID_X, SIM_WORKITEM_ID_Y, SIM_WORKITEM_ID_Z,
	SIM_WORKGROUP_ID_X, SIM_WORKGROUP_ID_Y, SIM_WORKGROUP_ID_Z,
};

/* { "llvm.amdgcn.workitem.id.x", SIM_WORKITEM_ID_X }, ... */
struct sim_intrinsic {
	const char *name;	/* the whole name; NULL ends a table */
	enum sim_op op;
};

/* One pointer argument. */
struct sim_buffer {
	const char *name;	/* for messages: "source" */
	void *base;
	uint64_t bytes;
	bool writable;
	unsigned align;		/* what the kernel may assume of the base, and no more; */
				/* "base" itself may be aligned less */
};

/* Workgroups are numbered x fastest; "first" and "count" choose a range of them,
 * count 0 meaning all from "first" on. */
struct sim_launch {
	int64_t grid[3];		/* workgroups */
	unsigned workgroup_size[3];	/* lanes */
	unsigned buffer_count;
	const struct sim_buffer *buffers;
	unsigned arg_count;
	const int64_t *args;
	uint64_t first, count;
};

struct sim;

/* Compile the function "kernel" of "module", which is not changed.  The result is
 * immutable and holds nothing of the module. */
struct sim *sim_new(layout_context *ctx, LLVMModuleRef module, const char *kernel,
	const struct sim_intrinsic *intrinsics);
void sim_free(struct sim *sim);

/* Run; threads may run one simulator at the same time, each with its own context.
 * The first access that must not be is LAYOUT_ERROR_FAULT, and ends the run after
 * its lane: outside the pointer's own buffer, less aligned than it claims, or a
 * store to a buffer that is not writable.  "stats" may be NULL. */
bool sim_run(layout_context *ctx, const struct sim *sim, const struct sim_launch *launch,
	layout_sim_stats *stats);

#endif
