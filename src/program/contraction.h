/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A contraction under a lowering config as a program: loops over the reduced dimensions
 * that add up partial sums, one for each lane and register, and a reduction of these behind
 * them.  Source: IREE, #iree_gpu.lowering_config of reductions, and the expansion of their
 * innermost dimension. */
#ifndef LAYOUT_PROGRAM_CONTRACTION_H
#define LAYOUT_PROGRAM_CONTRACTION_H

#include "program/build.h"

/* What a workgroup, a step, a lane and a subgroup have of each loop, outermost first; 0:
 * nothing is said, and a lane has one.  A basis has counts, row-major, and for each loop
 * the number of its own. */
struct lowering_config {
	unsigned workgroup_count, partial_count, thread_count, expand_count;
	int64_t workgroup[PROGRAM_RANK], partial[PROGRAM_RANK], thread[PROGRAM_RANK];
	int64_t expand[PROGRAM_RANK];	/* expand[d] = f: loop d - 1 is split by f, and loop d */
					/* is what is inside */
	struct config_basis {
		unsigned count, mapping_count;
		int64_t counts[PROGRAM_RANK], mapping[PROGRAM_RANK];
	} lanes, subgroups;
};

/* C = the sum of A * B over the loops that C does not have. */
struct contraction {
	layout_context *ctx;
	struct contract_maps maps;		/* of A, B and C */
	const char *names[3], *types[3];
	layout_storage *storages[3];		/* consumed */
	struct lowering_config config;
};

/* NULL with the error on the context: LAYOUT_ERROR_INVALID for lists that do not multiply
 * to what they are to cover, with the dimension, what is needed and what is given. */
layout_program *contraction_program(struct contraction *contraction);

#endif
