/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Between the rewritten kernel and the runner: what one lane finds in memory. */
#ifndef LAYOUT_SIM_PROGRAM_H
#define LAYOUT_SIM_PROGRAM_H

#include "sim/sim.h"

#include <llvm-c/Target.h>

struct sim_group;
struct fiber;

/* Operands of an operation, and the bytes of its result behind them. */
#define SIM_MAX_OPERANDS 16

/* A load, a store or an operation of the kernel, numbered in the order of the
 * program.  "slot" is the parameter that an address is computed from, or -1 where
 * that depends on the run; "space" is LLVM's address space.  The operands of an
 * operation lie in a block of memory at their offsets. */
struct sim_site {
	enum sim_op op;
	bool is_store;
	bool to_local;		/* the next site is the store to the LDS that it does */
	unsigned bytes, align;
	int slot;
	unsigned space;
	uint64_t table;		/* bytes of the constant that is loaded from, or 0 */

	const struct sim_intrinsic *row;
	unsigned operand_count;
	unsigned offset[SIM_MAX_OPERANDS], size[SIM_MAX_OPERANDS];
	unsigned result_offset, result_size;
};

/* What a lane sees of the run.  The rewritten kernel is "void lane(state)" and
 * reads the first fields by their offsets.  All that a lane has hangs on its
 * state: several can be under way at once where an operation makes them wait. */
struct sim_state {
	uint32_t ids[6];		/* by enum sim_op */
	uint64_t *slots;		/* the kernel's parameters */
	unsigned char *lds;

	struct sim_group *group;
	uint32_t lane;			/* in the workgroup */

	struct fiber *fiber;
	const struct sim_site *waits;	/* for others to come here, too */
	unsigned char *block;		/* the operands of "waits" */
	unsigned arrived, passed;	/* barriers */
	bool ended;
};

struct sim_program {
	const struct sim_isa *isa;
	char *kernel;
	unsigned buffer_count, arg_count;
	unsigned site_count;
	struct sim_site *sites;
	uint64_t lds_bytes;		/* of one workgroup */
	bool waits;			/* has an operation that lanes wait at */
	bool copies;			/* and some that go to the LDS in their time */
};

/* The widest access of a lane. */
#define SIM_MAX_ACCESS 1024

typedef void (*sim_lane)(struct sim_state *state);
#define SIM_LANE_SYMBOL "layout_sim_lane"

struct sim {
	struct sim_program program;
	struct jit *jit;
	sim_lane lane;
};

/* What a lane calls before each load or store; returns the address to access.  After
 * a fault it does not return. */
uint64_t sim_access(struct sim_state *state, uint64_t address, uint32_t site);
#define SIM_ACCESS_SYMBOL "layout_sim_access"

/* What a lane calls for an operation; its operands are in "block", where the result
 * goes, too. */
void sim_operate(struct sim_state *state, unsigned char *block, uint32_t site);
#define SIM_OPERATE_SYMBOL "layout_sim_operate"

/* Turn the function "kernel" of a GPU module into SIM_LANE_SYMBOL for the host
 * with this data layout, filling in "program", which the caller clears also on
 * failure. */
bool sim_rewrite(layout_context *ctx, LLVMModuleRef module, LLVMTargetDataRef data,
	const char *triple, const char *kernel, const struct sim_isa *isa,
	struct sim_program *program);

#endif
