/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SIMT simulator: a GPU kernel's optimised IR, executed on this CPU.
 *
 * Every load and store is checked against the buffers of the launch, watched and
 * counted.  The kernel's parameters are pointers, then i64s.  What a target's
 * intrinsics mean is a table of the target's; a call of anything else, atomics and
 * private memory are LAYOUT_ERROR_UNSUPPORTED.
 *
 * A workgroup's lanes run one after the other where no operation makes one wait for
 * another, else each on a stack of its own.  An operation of a wave takes the lanes
 * that wait at it once all others of the wave wait elsewhere or have ended; where
 * lanes wait at several, the first in the program goes first. */
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

	/* operations of a lane */
	SIM_LANES_BELOW_LOW,	/* mask, sum: bits of the mask below this lane's */
	SIM_LANES_BELOW_HIGH,
	SIM_BYTE_PERMUTE,	/* high, low, selector */
	SIM_MUL_U24, SIM_MUL_I24,
	SIM_BUFFER,		/* base, stride, bytes, flags */
	SIM_BUFFER_LOAD,	/* buffer, offset, scalar offset, policy */
	SIM_BUFFER_STORE,	/* value, then the same */
	SIM_ASYNC_TO_LDS,	/* address, LDS, offset, policy */
	SIM_WAVE_SIZE,
	SIM_SIGNAL,		/* at a barrier, without waiting there */

	/* operations that wait for other lanes */
	SIM_BARRIER,
	SIM_BARRIER_WAIT,	/* for the signals */
	SIM_WAVE_BARRIER,
	SIM_READ_FIRST_LANE,	/* value */
	SIM_READ_LANE,		/* value, lane */
	SIM_BALLOT,		/* condition */
	SIM_PULL,		/* 4 * lane, value: take the value of that lane */
	SIM_PUSH,		/* the same: give it to that lane */
	SIM_SWIZZLE,		/* value, pattern */
	SIM_DPP,		/* old, value, control, row mask, bank mask, bound */
	SIM_DPP_MOVE,		/* the same without "old" */
	SIM_PERMUTE_ROW,	/* old, value, low and high selectors, flags */
	SIM_PERMUTE_OTHER_ROW,
	SIM_EXCHANGE_ROWS,	/* two values: odd rows of one with even rows of other */
	SIM_EXCHANGE_HALVES,
	SIM_OTHER_HALF,		/* value */
	SIM_LOAD_TO_LDS,	/* address, LDS, bytes, offset, policy */
	SIM_BUFFER_TO_LDS,	/* buffer, LDS, bytes, offset, scalar and fixed offset */
	SIM_MATRIX,		/* lhs, rhs, accumulator; flags */

	SIM_OP_COUNT
};

/* { "llvm.amdgcn.workitem.id.x", SIM_WORKITEM_ID_X }, ... */
struct sim_intrinsic {
	const char *name;	/* of an intrinsic, without types; or a whole text of */
				/* assembly; NULL ends a table */
	enum sim_op op;
	const char *detail;	/* SIM_MATRIX: "wmma.f16.16x16x16.f16", its instruction, */
				/* where the intrinsic's name is another; */
				/* SIM_ASYNC_TO_LDS: its bytes */
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
	const layout_target *target;	/* NULL: waves of 64 lanes */
};

struct sim;

/* Compile the function "kernel" of "module", which is not changed.  The result is
 * immutable; it keeps "intrinsics" and nothing of the module. */
struct sim *sim_new(layout_context *ctx, LLVMModuleRef module, const char *kernel,
	const struct sim_intrinsic *intrinsics);
void sim_free(struct sim *sim);

/* Run; threads may run one simulator at the same time, each with its own context.
 * LAYOUT_ERROR_FAULT is the first of these in the first workgroup that has one, and
 * ends the run: an access outside the pointer's own buffer, less aligned than it
 * claims, a store to a buffer that is not writable, what sim_watch_access() objects
 * to, a barrier that some lanes never reach.  "stats" may be NULL. */
bool sim_run(layout_context *ctx, const struct sim *sim, const struct sim_launch *launch,
	layout_sim_stats *stats);

#endif
