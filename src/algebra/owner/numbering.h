/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The registers of a workgroup as one array: [thread][register], where threads number the
 * lanes of all subgroups. */
#ifndef LAYOUT_ALGEBRA_OWNER_NUMBERING_H
#define LAYOUT_ALGEBRA_OWNER_NUMBERING_H

#include "isl_bridge/context.h"
#include <layout/relation.h>

/*	numbers		{ hw[..] -> [thread, register] }, where the owner's inputs are
 *	inputs		{ [thread, register] -> hw[..] }, of all numbers
 *
 * "threads" is subgroups * lanes; "counts_threads": inputs number the threads themselves,
 * and the subgroups are those of a wave. */
struct owner_numbering {
	int64_t subgroups, lanes, threads, registers;
	bool counts_threads;
	layout_relation *numbers, *inputs;
};

/* Of an owner's relation; false with LAYOUT_ERROR_INVALID or LAYOUT_ERROR_UNSUPPORTED where
 * its inputs are no box of a workgroup's.  Free in both cases. */
LAYOUT_INTERNAL bool owner_number_inputs(layout_context *ctx, layout_relation *relation,
	struct owner_numbering *numbering) LAYOUT_SYMBOL(owner_number_inputs);
LAYOUT_INTERNAL void owner_numbering_free(struct owner_numbering *numbering)
	LAYOUT_SYMBOL(owner_numbering_free);

#endif
