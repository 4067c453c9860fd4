/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hand-written kernels in the simulator: the text of a body, one launch, its result. */
#ifndef LAYOUT_TEST_SIMULATED_H
#define LAYOUT_TEST_SIMULATED_H

#include "amdgpu/code/amdgpu.h"
#include "nvptx/code/nvptx.h"

/* A kernel k(ptr addrspace(1) %s, ptr addrspace(1) %d, i64 %n) of i32s.  Its body finds
 * %t, the lane in the workgroup, %t64, the same as i64, %v, which is s[t], %n32 and %q,
 * the address of d[t]; "ret void" follows it. */
struct simulated {
	const char *globals;		/* before the kernel; NULL: nothing */
	const char *body;
	const char *target;		/* NULL: one of AMD's, waves of 64 lanes */
	unsigned lanes;
	int64_t groups;			/* 0: 1 */
	int64_t n;
	const void *source;		/* NULL: s[t] is t */
	size_t source_bytes;		/* 0: 4 a lane */
	void *destination;
	size_t destination_bytes;	/* 0: 4 a lane */
};

/* Parse, compile and run it; false with an error on the context. */
bool simulated_run(layout_context *ctx, const struct simulated *run,
	layout_sim_stats *stats);

#endif
