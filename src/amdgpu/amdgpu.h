/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The AMDGPU target from the inside: the hooks, one a file. */
#ifndef LAYOUT_AMDGPU_AMDGPU_H
#define LAYOUT_AMDGPU_AMDGPU_H

#include "lower/kernel.h"
#include "sim/sim.h"

/* Lanes of a workgroup. */
#define AMDGPU_LANES 256

/* The rows in order; NULL past the last. */
const layout_target *amdgpu_row(unsigned i);

/* What the intrinsics that kernels contain mean to the simulator. */
extern const struct sim_intrinsic amdgpu_intrinsics[];

/* Add the launch JSON to a module, as a note in section .note.liblayout. */
bool amdgpu_add_note(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module);

/* Link an object into a code object that HIP and HSA load. */
char *amdgpu_link(layout_context *ctx, const layout_kernel *kernel,
	const char *object, size_t size, size_t *length);

/* Run a kernel in the simulator. */
bool amdgpu_run(layout_context *ctx, const layout_kernel *kernel, const layout_run *run,
	const int64_t *sizes, const int64_t grid[3]);

#endif
