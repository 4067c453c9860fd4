/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arrays of a run: what the source's says about the sizes, and whether it
 * fits the storage; what the destination's is to be. */
#ifndef LAYOUTC_ARRAYS_H
#define LAYOUTC_ARRAYS_H

#include "files/npy.h"
#include "layoutc/arguments.h"

#include <layout/remap.h>

struct job {
	layout_context *ctx;
	layout_remap *remap;
	const struct arguments *arguments;
	layout_size *sizes;	/* of -D and of the array; names are borrowed */
	unsigned size_count;
	struct npy source, destination;
};

/* Read the source, find the sizes, put the source into the storage's order, and
 * make the destination.  0, or the exit status after a complaint.  Free with
 * arrays_release(), also on failure. */
int arrays_open(struct job *job);
void arrays_release(struct job *job);

#endif
