/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Between the rewritten kernel and the runner: what one lane finds in memory. */
#ifndef LAYOUT_SIM_PROGRAM_H
#define LAYOUT_SIM_PROGRAM_H

#include "sim/sim.h"

#include <llvm-c/Target.h>

/* One of the kernel's parameters: an i64, or a pointer with what it may reach. */
struct sim_slot {
	uint64_t value;
	uint64_t load_bytes, store_bytes;
	uint64_t align;
};

/* What a lane sees of the run.  The rewritten kernel is "void lane(state)" and
 * reads the first fields by their offsets.  All that a lane has hangs on its
 * state: several can be under way at once where an operation makes them wait. */
struct sim_state {
	uint32_t ids[6];		/* by enum sim_op */
	uint64_t *executions;		/* by site */
	struct sim_slot *slots;

	layout_context *ctx;
	const struct sim_program *program;
	const struct sim_launch *launch;
	bool faulted;
};

/* A load or store of the kernel.  "slot" is the parameter that its address
 * is computed from, or -1 where that depends on the run. */
struct sim_site {
	bool is_store;
	unsigned bytes, align;
	int slot;
};

struct sim_program {
	char *kernel;
	unsigned buffer_count, arg_count;
	unsigned site_count;
	struct sim_site *sites;
};

/* The widest access of a lane, for which a faulting one finds a place. */
#define SIM_MAX_ACCESS 1024

typedef void (*sim_lane)(struct sim_state *state);
#define SIM_LANE_SYMBOL "layout_sim_lane"

struct sim {
	struct sim_program program;
	struct jit *jit;
	sim_lane lane;
};

/* What a lane calls where an access is not known to be right; returns the address
 * to access.  A faulty access goes to a place of its own, where loads find zeros;
 * the first one is reported. */
uint64_t sim_check_access(struct sim_state *state, uint64_t address, uint32_t site);
#define SIM_ACCESS_SYMBOL "layout_sim_access"

/* Turn the function "kernel" of a GPU module into SIM_LANE_SYMBOL for the host
 * with this data layout, filling in "program", which the caller clears also on
 * failure. */
bool sim_rewrite(layout_context *ctx, LLVMModuleRef module, LLVMTargetDataRef data,
	const char *triple, const char *kernel, const struct sim_intrinsic *intrinsics,
	struct sim_program *program);

#endif
