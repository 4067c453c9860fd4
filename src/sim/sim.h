/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SIMT simulator: a GPU kernel's optimised IR, executed on this CPU.
 *
 * Every load and store is checked against the buffers of the launch, watched and
 * counted.  The kernel's parameters are pointers, then i64s.  What a target's
 * intrinsics mean is a table of its family's; a call of anything else, atomics and
 * private memory are LAYOUT_ERROR_UNSUPPORTED.
 *
 * A workgroup's lanes run one after the other where no operation makes one wait for
 * another, else each on a stack of its own.  An operation of a wave takes the lanes
 * that wait at it once all others of the wave wait elsewhere or have ended; where
 * lanes wait at several, the first goes first, in an order in which a block stands behind
 * those that lead to it and behind a loop's blocks stands its next turn. */
#ifndef LAYOUT_SIM_SIM_H
#define LAYOUT_SIM_SIM_H

#include "isl_bridge/context.h"
#include <layout/codegen.h>

#include <llvm-c/Core.h>

enum sim_op {
	/* calls without arguments that return an integer */
	SIM_WORKITEM_ID_X, SIM_WORKITEM_ID_Y, SIM_WORKITEM_ID_Z,
	SIM_WORKGROUP_ID_X, SIM_WORKGROUP_ID_Y, SIM_WORKGROUP_ID_Z,

	SIM_NOTHING,		/* says something to the machine, computes nothing */
	SIM_TIED,		/* assembly: a result is the operand tied to it */
	SIM_SWAP,		/* assembly: two such results, exchanged */

	/* plain loads and stores; in no table */
	SIM_LOAD, SIM_STORE,

	SIM_LANE,		/* an operation of a lane */
	SIM_SIGNAL,		/* at a barrier, without waiting there */

	/* operations that wait for other lanes */
	SIM_BARRIER,
	SIM_BARRIER_WAIT,	/* for the signals */
	SIM_WAVE_BARRIER,
	SIM_WAVE,		/* an operation of a wave */
	SIM_EXCHANGE,		/* the same, by which lanes learn of each other */
};

struct rewrite;
struct sim_site;
struct sim_state;
struct sim_wave;

/* Operations take the operands from memory, where the result goes, too.  At first the
 * site that an operation's call becomes is told what it accesses, if it does; false
 * with the error on the context. */
typedef void sim_lane_operation(struct sim_state *state, const struct sim_site *site,
	unsigned char *block);
typedef void sim_wave_operation(struct sim_wave *wave);
typedef bool sim_describe(struct rewrite *w, struct sim_site *site, LLVMValueRef call);

struct sim_intrinsic {
	const char *name;	/* of an intrinsic, without types; or a whole text of */
				/* assembly; NULL ends a table */
	enum sim_op op;
	const char *text;	/* for the operation, */
	unsigned number;	/* as it wants it */
	sim_lane_operation *lane;	/* SIM_LANE */
	sim_wave_operation *wave;	/* SIM_WAVE, SIM_EXCHANGE */
	sim_describe *describe;
	bool copies;		/* to the LDS: done when its wave has waited for it */
};

/* What a family of targets says of its kernels. */
struct sim_isa {
	const char *prefix;	/* of its own intrinsics' names */
	const struct sim_intrinsic *intrinsics;
	unsigned memory_spaces;	/* LLVM's address spaces of buffers, a bit each */
	unsigned local_space;	/* and that of the LDS */
	bool barriers_wait;	/* for what their lanes load from the LDS and store there; */
				/* else kernels do */
};

/* One pointer argument. */
struct sim_buffer {
	const char *name;	/* for messages: "source" */
	void *base;
	uint64_t bytes;
	bool writable;
	unsigned align;		/* what the kernel may assume of the base, and finds: not */
				/* that of "base" itself */
	bool given;		/* what it has may be read before it is written */
	bool repeated;		/* workgroups may store again what others have stored */
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
	const layout_target *target;	/* NULL: waves of 64 lanes */
};

struct sim;

/* Compile the function "kernel" of "module", which is not changed.  The result is
 * immutable; it keeps "isa" and nothing of the module. */
struct sim *sim_new(layout_context *ctx, LLVMModuleRef module, const char *kernel,
	const struct sim_isa *isa);
void sim_free(struct sim *sim);

/* Run; threads may run one simulator at the same time, each with its own context.
 * LAYOUT_ERROR_FAULT is the first of these in the first workgroup that has one, and
 * ends the run: an access outside the pointer's own buffer, less aligned than it
 * claims, a store to a buffer that is not writable, what sim_watch_access() objects
 * to, a barrier that some lanes never reach.  "stats" may be NULL. */
bool sim_run(layout_context *ctx, const struct sim *sim, const struct sim_launch *launch,
	layout_sim_stats *stats);

/* Run a kernel of liblayout's; a target's run(). */
struct kernel_run;
bool sim_run_kernel(layout_context *ctx, const layout_kernel *kernel,
	const struct sim_isa *isa, const struct kernel_run *run);

#endif
